"""The checks of the assignments: one folder an assignment."""
