"""A small head that has learned which "minute" is meant: the question that runs through the course."""
