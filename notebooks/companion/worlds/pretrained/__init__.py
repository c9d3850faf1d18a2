"""A trained model, all-MiniLM-L6-v2, in the course's own modules: its tokenizer, its weights, its layers."""
