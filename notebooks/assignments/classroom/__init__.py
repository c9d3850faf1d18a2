"""What a classroom needs beside the assignments: their checks and the grader."""
