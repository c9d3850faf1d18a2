"""The pieces that the notebooks build, one idea a file: text, attention, report, style, figures, interactive, checks."""
