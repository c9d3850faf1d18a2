"""Two models that others trained, in the course's own modules: their tokenizers, weights and layers."""
