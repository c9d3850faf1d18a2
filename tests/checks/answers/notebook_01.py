"""Right and wrong answers to the exercises in notebook 01 (tokenization)."""

from collections import Counter

from companion.checks.notebook_01 import check_apply_merges, check_encode, check_learn_merges
from companion.course_answers import joined


def merge_by_walking(letters, merges):
    tokens = list(letters)
    for left, right in merges:
        position = 0
        while position < len(tokens) - 1:
            if tokens[position] == left and tokens[position + 1] == right:
                tokens[position : position + 2] = [left + right]
            position += 1
    return tokens


def merge_beyond_the_end(letters, merges):
    return [letters[position] + letters[position + 1] for position in range(len(letters))]


def joined_once(tokens, pair):
    start = next((number for number, neighbors in enumerate(zip(tokens, tokens[1:])) if neighbors == pair), len(tokens))
    return [*tokens[:start], *joined(tokens[start : start + 2], pair), *tokens[start + 2 :]]


def joined_as_text(tokens, pair):
    return " ".join(tokens).replace(" ".join(pair), "".join(pair)).split()


def count(words):
    return Counter(pair for word in words for pair in zip(word, word[1:]))


def trained(words, num_merges, count=count, best=lambda counts: counts.most_common(1)[0][0], join=joined, stop=True):
    """Compose the training from its decisions, any of which may be a wrong one."""
    words, merges = [list(word) for word in words], []
    for _ in range(num_merges):
        counts = count(words)
        if stop and not counts:
            break
        merges.append(best(counts))
        words = [join(word, merges[-1]) for word in words]
    return merges


def training(**decision):
    return lambda words, most: trained(words, most, **decision)


def last_by_alphabet(counts):
    return max(counts, key=lambda pair: (counts[pair], pair))


RIGHT = {
    check_encode: [lambda tokens, known: [known.index(token if token in known else "<unk>") for token in tokens]],
    check_apply_merges: [merge_by_walking],
    check_learn_merges: [trained],
}
WRONG = {
    check_encode: [
        (lambda tokens, known: [known.index(t) if t in known else 5 for t in tokens], "encode(['b', 'a'], ['a', "),
        (lambda tokens, vocabulary: [*map(vocabulary.index, tokens)], "'cake' is not in the vocabulary, and looking i"),
        (lambda tokens, vocabulary: [*map(vocabulary.__getitem__, tokens)], "list indices must be integers or slices"),
    ],
    check_apply_merges: [
        (merge_beyond_the_end, "list index out of range; no token comes after the last one"),
        (
            lambda letters, merges: letters.replace("e a", "ea"),
            "'list' object has no attribute 'replace'; `replace` wo",
        ),
    ],
    check_learn_merges: [
        (lambda words, most: count(words).most_common(most), "one word, one merge: a list with one pair of tokens"),
        (lambda words, most: trained(words, 99), "no merge was asked for: learn_merges(['ab'], 0) gives [('a', 'b')]"),
        (training(best=last_by_alphabet), "both pairs occur once: take the one met first, not the last"),
        (training(best=lambda counts: [*counts][0]), "a word that occurs twice counts twice: take the pair with"),
        (training(count=lambda words: count(["".join(map("".join, words))])), "letters of two words are not neighbors"),
        (training(count=lambda words: count(word[:2] for word in words)), "the pair is in the middle of one word"),
        (training(join=lambda word, pair: word), "after each merge, join the pair in every word and count again"),
        (training(join=joined_once), "the pair occurs twice in one word"),
        (training(join=joined_as_text), "compare whole tokens, not text"),
        (training(stop=False), "no pair is left after the first merge: stop there; learn_merges(['ab'], 3) stopped"),
    ],
}
