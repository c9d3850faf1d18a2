"""A toy world of small stories, a language model that learns to write them, and how its stories are judged."""
