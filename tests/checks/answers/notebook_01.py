"""Right and wrong answers to the exercises in notebook 01 (tokenization)."""

from collections import Counter

from companion.checks.notebook_01 import check_apply_merges, check_encode, check_learn_merges
from companion.slips import slip


def positions_of(tokens, known):
    return [known.index(token if token in known else "<unk>") for token in tokens]


def merge_by_walking(letters, merges):
    tokens = list(letters)
    for left, right in merges:
        position = 0
        while position < len(tokens) - 1:
            if tokens[position] == left and tokens[position + 1] == right:
                tokens[position : position + 2] = [left + right]
            position += 1
    return tokens


def trained(words, num_merges):
    words, merges = [list(word) for word in words], []
    for _ in range(num_merges):
        counts = Counter(pair for word in words for pair in zip(word, word[1:]))
        if not counts:
            break
        merges.append(counts.most_common(1)[0][0])
        words = [merge_by_walking(word, merges[-1:]) for word in words]
    return merges


MERGED = "merge_by_walking(word, merges[-1:])"
MERGED_ONCE = slip(merge_by_walking, {"[left + right]": "[left + right]; break"})
MERGED_AS_TEXT = '" ".join(word).replace(" ".join(merges[-1]), "".join(merges[-1])).split()'
RIGHT = {check_encode: [positions_of], check_apply_merges: [merge_by_walking], check_learn_merges: [trained]}
WRONG = {
    check_encode: {
        "encode(['b', 'a'], ['a', ": {
            'known.index(token if token in known else "<unk>")': "known.index(token) if token in known else 5"
        },
        "'cake' is not in the vocabulary, and looking i": {'token if token in known else "<unk>"': "token"},
        "list indices must be integers or slices": {'.index(token if token in known else "<unk>")': "[token]"},
    },
    check_apply_merges: {
        "list index out of range; no token comes after the last one": {"len(tokens) - 1": "len(tokens)"},
        "'list' object has no attribute 'replace'; `replace` wo": {"list(letters)": "letters.replace('e a', 'ea')"},
    },
    check_learn_merges: {
        "one word, one merge: a list with one pair of tokens": {"return merges": "return counts.most_common()"},
        "no merge was asked for: learn_merges(['ab'], 0) gives [('a', 'b')]": {"range(num_merges)": "range(99)"},
        "both pairs occur once: take the one met first, not the last": {
            "counts.most_common(1)[0][0]": "max(counts, key=lambda pair: (counts[pair], pair))"
        },
        "a word that occurs twice counts twice: take the pair with": {"counts.most_common(1)[0][0]": "[*counts][0]"},
        "letters of two words are not neighbors": {"in words for pair": "in [sum(words, [])] for pair"},
        "the pair is in the middle of one word": {"zip(word, word[1:])": "zip(word[:1], word[1:])"},
        "after each merge, join the pair in every word and count again": {MERGED: "word"},
        "the pair occurs twice in one word": {"merge_by_walking": MERGED_ONCE},
        "compare whole tokens, not text": {MERGED: MERGED_AS_TEXT},
        "no pair is left after the first merge: stop there; learn_merges(['ab'], 3) stopped": {"not counts": "False"},
    },
}
