"""Grade a class: the student's code computes in a confined process, and is judged outside it."""
