"""Letters that were given digits and are asked for: what a state, a window or a table can look up."""
