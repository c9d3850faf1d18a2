"""Grade assignments: the student's code computes in a child process, and the judging happens in the parent."""
