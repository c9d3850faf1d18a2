"""The pieces that the notebooks build, one idea a file."""
