"""Feedback for the exercises in the notebooks: one file a notebook."""
