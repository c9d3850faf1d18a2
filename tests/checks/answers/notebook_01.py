"""Right and wrong answers to the exercise in notebook 01 (tokenization)."""

from companion.checks.notebook_01 import check_encode

RIGHT = {
    check_encode: [lambda tokens, known: [known.index(each if each in known else "<unk>") for each in tokens]],
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
}
