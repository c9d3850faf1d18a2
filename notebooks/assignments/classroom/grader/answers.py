"""The answers in words, which a teacher marks: where a student wrote them, and whether there are any."""

from classroom.grader.submission import printable

UNTOUCHED = "YOUR ANSWER HERE"  # what nbgrader puts in place of a model answer
LONGEST = 10_000


def find(texts, questions, given):
    """Return {grade_id: what the student wrote}, "" for nothing.

    texts: [(grade_id, source)] of all text cells; questions: {grade_id: question}; given: the sources of the text
    cells that were handed out. Without ids, a cell is known by the first line of its question. Cells of the student's
    own that stand below belong to the answer too.
    """
    found, current = dict.fromkeys(questions, ""), None
    for grade_id, source in texts:
        name = grade_id if grade_id in questions else _asked(source, questions)
        if name is not None:
            current = name
            source = source.replace(questions[name], "").replace(UNTOUCHED, "")
        if current is not None and source not in given and source.strip():
            found[current] += "\n\n" * bool(found[current]) + source.strip()
    return {name: printable(text[:LONGEST]) for name, text in found.items()}


def _asked(source, questions):
    """Return the question that a cell begins with, or None."""
    return next((name for name, question in questions.items() if question.split("\n")[0] in source), None)
