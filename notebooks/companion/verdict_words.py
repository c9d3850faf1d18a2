"""What a check says of an answer, in words: the course's checks, those of an assignment, and the grader."""

CORRECT, NOT_YET, NOT_ATTEMPTED = "correct", "not yet", "not attempted yet"
