"""Right and wrong answers to the exercises on the handbook's page of tokens."""

from collections import Counter

from companion.checks.handbook_tokens import check_learn_merges, check_merge_pair, joined, learned


def merged(tokens, pair, matches=lambda left, right, pair: (left, right) == pair, step=2, most=99):
    """Merge with a decision that may be a wrong one: what matches, how far to go on, how many merges to make."""
    result, place = [], 0
    while place < len(tokens):
        if len(tokens) - place > 1 and most and matches(tokens[place], tokens[place + 1], pair):
            result.append("".join(pair))
            place, most = place + step, most - 1
        else:
            result.append(tokens[place])
            place += 1
    return result


def merged_as_text(tokens, pair):
    return " ".join(tokens).replace(" ".join(pair), "".join(pair)).split()


def merged_from_the_right(tokens, pair):
    return merged(tokens[::-1], pair, lambda right, left, pair: (left, right) == pair)[::-1]


def merging(*matches, **step):
    return lambda tokens, pair: merged(tokens, pair, *matches, **step)


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
    check_merge_pair: [merged],
    check_learn_merges: [trained, learned],
}
WRONG = {
    check_merge_pair: [
        (lambda tokens, pair: merged(tokens, pair)[:-1], "nothing to join: every token stays, the last"),
        (lambda tokens, pair: merged(tokens, [*pair]), "merge_pair(['a', 'b', 'c'], ('a', 'b')) joins nothing"),
        (merging(step=1), "merge_pair(['a', 'b', 'c'], ('a', 'b')) gives ['ab', 'b'"),
        (lambda tokens, pair: [*tokens[:1], *merged(tokens[1:], pair)], "merge_pair(['a', 'b', 'c'], ('a', 'b')) join"),
        (lambda tokens, pair: tokens[len(tokens)], "merge_pair(['c', 'd', 'e'], ('a', 'b')) stopped: list"),
        (lambda tokens, pair: merged(tokens[:-1], pair) + tokens[-1:], "the pair at the end"),
        (merging(most=1), "the pair twice"),
        (merging(lambda left, right, pair: left == pair[0]), "a and b that are not neighbors"),
        (merging(lambda left, right, pair: {left, right} == {*pair}), "the pair in the other order"),
        (lambda tokens, pair: tokens if "ab" in tokens else merged(tokens, pair), "a token that looks merged already"),
        (merging(lambda left, right, pair: left + right == "".join(pair)), "two ways to spell 'abc', compare the two"),
        (lambda tokens, pair: merged(tokens, pair) if tokens[1:] else [], "one token only"),
        (merging(lambda left, right, pair: left == pair[0] and right[0] == pair[1]), "a token that starts with 'b'"),
        (merged_as_text, "a token that ends in 'a': compare whole tokens"),
        (merged_from_the_right, "from left to right, and each token is used once"),
    ],
    check_learn_merges: [
        (lambda words, most: count(words).most_common(most), "one word, one merge: a list with one pair of pieces"),
        (lambda words, most: trained(words, 99), "no merge was asked for: learn_merges(['ab'], 0) gives [('a', 'b')]"),
        (training(best=last_by_alphabet), "both pairs occur once: take the one met first, not the last"),
        (training(best=lambda counts: [*counts][0]), "a word that occurs twice counts twice: take the most"),
        (lambda words, most: trained(sorted(words), most), "both pairs occur once: take the one met first"),
        (training(count=lambda words: count(["".join(map("".join, words))])), "letters of two words are not neighbors"),
        (training(count=lambda words: count(word[:2] for word in words)), "the pair is in the middle of one word"),
        (training(join=lambda word, pair: word), "after each merge, join the pair in every word and count again"),
        (training(join=merging(most=1)), "the pair occurs twice in one word"),
        (training(join=merged_as_text), "compare whole pieces, not text"),
        (training(stop=False), "no pair is left after the first merge: stop there; learn_merges(['ab'], 3) stopped"),
        (lambda words, most: (trained(words, most) + [None] * most)[:most], "no pair is left after the first merge: s"),
    ],
}
