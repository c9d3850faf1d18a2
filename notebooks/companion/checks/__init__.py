"""Feedback for the exercises in the notebooks: one file a notebook or a page of the handbook."""
