"""Grade a class: the student's code computes in a process that is shut in, and is judged outside of it."""
