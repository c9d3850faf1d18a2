"""Right and wrong answers to the exercises in notebook 01 (tokenization)."""

from companion.checks.notebook_01 import check_apply_merges, check_encode


def merge_by_walking(letters, merges):
    pieces = list(letters)
    for left, right in merges:
        position = 0
        while position < len(pieces) - 1:
            if pieces[position] == left and pieces[position + 1] == right:
                pieces[position : position + 2] = [left + right]
            position += 1
    return pieces


def merge_between_marks(letters, merges):
    """Replace text, with a mark around each piece, so that only whole pieces fit."""
    text = "".join(f"<{letter}>" for letter in letters)
    for left, right in merges:
        text = text.replace(f"<{left}><{right}>", f"<{left}{right}>")
    return text[1:-1].split("><")


def merge_in_place(letters, merges):
    letters[:] = merge_by_walking(letters, merges)
    return letters


def merge_beyond_the_end(letters, merges):
    return [letters[position] + letters[position + 1] for position in range(len(letters))]


RIGHT = {
    check_encode: [lambda tokens, known: [known.index(each if each in known else "<unk>") for each in tokens]],
    check_apply_merges: [merge_by_walking, merge_between_marks],
}
WRONG = {
    check_encode: [
        (lambda tokens, vocabulary: [*map(vocabulary.index, tokens)], "'cake' is not in the vocabulary, and looking i"),
        (lambda tokens, vocabulary: [*map(vocabulary.__getitem__, tokens)], "list indices must be integers or slices"),
        (
            lambda tokens, words: [{word: i for i, word in enumerate(words)}.get(each, 5) for each in tokens],
            "encode(['b'",
        ),
    ],
    check_apply_merges: [
        (merge_in_place, "your function changed a list that it was given"),
        (merge_beyond_the_end, "list index out of range; no piece comes after the last one"),
        (
            lambda letters, merges: letters.replace("e a", "ea"),
            "'list' object has no attribute 'replace'; `replace` wo",
        ),
        (
            lambda *given: tuple(merge_by_walking(*given)),
            "apply_merges(['e', 'a', 't'], [('e', 'a')]) gives a tuple, b",
        ),
        (lambda letters, merges: merge_by_walking(letters, merges[1:]), "nothing is joined"),
        (lambda *given: None, "apply_merges(['e', 'a', 't'], [('e', 'a')]) gives None; did you forget `return`?"),
        (
            lambda *given: merge_by_walking(*given)[::-1],
            "apply_merges(['e', 'a', 't'], [('e', 'a')]) gives ['t', 'ea']",
        ),
    ],
}
