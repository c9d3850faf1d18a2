"""Right and wrong answers to the exercises in notebook 01 (tokenization)."""

from collections import Counter

from companion.checks.notebook_01 import check_encode, check_learn_merges, check_merge_pair, encoded, joined, learned


def encoded_by_index(tokens, vocabulary):
    return [vocabulary.index(token if token in vocabulary else "<unk>") for token in tokens]


def encoded_one_by_one(tokens, vocabulary):
    ids = []
    for token in tokens:
        ids.append(len(vocabulary) - 1)
        for position, known in enumerate(vocabulary):
            if known == token:
                ids[-1] = position
    return ids


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


def merged_with_a_look_ahead(tokens, pair):
    result, place = [], 0
    while place < len(tokens):
        found = tokens[place] == pair[0] and tokens[place + 1] == pair[1]
        result.append("".join(pair) if found else tokens[place])
        place += 2 if found else 1
    return result


def merged_by_index(tokens, pair):
    tokens, place = tokens.copy(), 0
    while pair[0] in tokens[place:-1]:
        place = tokens.index(pair[0], place)
        if tokens[place + 1] == pair[1]:
            tokens[place : place + 2] = [tokens[place] + tokens[place + 1]]
        place += 1
    return tokens


def merged_by_recursion(tokens, pair):
    if tuple(tokens[:2]) == pair:
        return ["".join(pair), *merged_by_recursion(tokens[2:], pair)]
    return tokens[:1] + merged_by_recursion(tokens[1:], pair) if tokens else []


def merged_in_place(tokens, pair):
    tokens[:] = merged(tokens, pair)
    return tokens


def merged_as_text(tokens, pair):
    return " ".join(tokens).replace(" ".join(pair), "".join(pair)).split()


def merged_from_the_right(tokens, pair):
    return merged(tokens[::-1], pair, lambda right, left, pair: (left, right) == pair)[::-1]


def count(words):
    return Counter(pair for word in words for pair in zip(word, word[1:]))


def count_across(words):
    letters = [piece for word in words for piece in word]
    return Counter(zip(letters, letters[1:]))


def first(counts):
    return counts.most_common(1)[0][0]


def trained(words, num_merges, count=count, best=first, join=merged, stop=True):
    """Compose the training from its decisions, any of which may be a wrong one."""
    words, merges = [list(word) for word in words], []
    for _ in range(num_merges):
        counts = count(words)
        if stop and not counts:
            break
        merges.append(best(counts))
        words = [join(word, merges[-1]) for word in words]
    return merges


def trained_by_recursion(words, num_merges):
    words = [tuple(word) for word in words]
    if not num_merges or not count(words):
        return []
    best = first(count(words))
    return [best, *trained_by_recursion([joined(word, best) for word in words], num_merges - 1)]


def trained_on_counts_that_add_up(words, num_merges):
    counts = Counter()
    return trained(words, num_merges, lambda words: counts.update(count(words)) or counts)


def trained_in_place(words, num_merges):
    merges = trained(words, num_merges)
    words.reverse()
    return merges


def one_of(decision, wrong):
    return lambda words, most: trained(words, most, **{decision: wrong})


RIGHT = {
    check_encode: [encoded, encoded_by_index, encoded_one_by_one],
    check_merge_pair: [merged, merged_by_recursion, merged_by_index, joined],
    check_learn_merges: [trained, trained_by_recursion, learned],
}
WRONG = {
    check_encode: [
        (
            lambda tokens, vocabulary: [vocabulary.index(token) for token in tokens],
            "'cake' is not in the vocabulary, and looking it up stopped with ValueError; give it the id of '<unk>'",
        ),
        (
            lambda tokens, vocabulary: [vocabulary[token] for token in tokens],
            "list indices must be integers or slices, not str; a list is asked by position, and vocabulary.index(",
        ),
        (
            lambda tokens, vocabulary: tuple(encoded(tokens, vocabulary)),
            "encode(['to', 'do', 'cake', 'Be', 'to', 'Do'], [",
        ),
        (
            lambda tokens, vocabulary: [*map({"to": 4, "do": 2, "Be": 0}.get, tokens)],
            "'cake' gets None, but a model can",
        ),
        (
            lambda tokens, vocabulary: encoded([*map(tokens.pop, [0] * len(tokens))], vocabulary),
            "your function changed",
        ),
        (
            lambda tokens, words: [{word: i for i, word in enumerate(words)}.get(each, len(words)) for each in tokens],
            "the unknown 'cake' gets 6, but '<unk>' is number 5 here; look '<unk>' up",
        ),
        (
            lambda tokens, vocabulary: encoded_by_index([*map(str.lower, tokens)], [*map(str.lower, vocabulary)]),
            "'Do' is not in the vocabulary; it has 'do', which is another string",
        ),
        (lambda tokens, vocabulary: len(tokens), "encode(['to', 'do', 'cake', 'Be', 'to', 'Do'], ['Be', 'a', 'do',"),
        (
            lambda tokens, vocabulary: [vocabulary.index(each) if each in vocabulary else 5 for each in tokens],
            "encode(['b', 'a'], ['a', '<unk>']) gives [5, 0], but [1, 0] was expected",
        ),
    ],
    check_merge_pair: [
        (lambda tokens, pair: merged(tokens, pair)[:-1], "nothing to join: every token stays, the last"),
        (lambda tokens, pair: merged(tokens, list(pair)), "merge_pair(['a', 'b', 'c'], ('a', 'b')) joins nothing"),
        (lambda tokens, pair: merged(tokens, pair, step=1), "merge_pair(['a', 'b', 'c'], ('a', 'b')) gives ['ab', 'b'"),
        (merged_with_a_look_ahead, "merge_pair(['b', 'a'], ('a', 'b')) stopped with IndexError"),
        (lambda tokens, pair: merged(tokens[:-1], pair) + tokens[-1:], "the pair at the end"),
        (lambda tokens, pair: merged(tokens, pair, most=1), "the pair twice"),
        (lambda tokens, pair: merged(tokens, pair, lambda a, b, pair: a == pair[0]), "a and b that are not neighbors"),
        (
            lambda tokens, pair: merged(tokens, pair, lambda a, b, pair: {a, b} == {*pair}),
            "the pair in the other order",
        ),
        (lambda tokens, pair: tokens if "ab" in tokens else merged(tokens, pair), "a token that looks merged already"),
        (
            lambda tokens, pair: merged(tokens, pair, lambda a, b, pair: a + b == "".join(pair)),
            "two ways to spell 'abc', compare the two tokens",
        ),
        (merged_as_text, "a token that ends in 'a': compare whole tokens"),
        (merged_from_the_right, "from left to right, and each token is used once"),
        (merged_in_place, "your function changed the list it was given"),
    ],
    check_learn_merges: [
        (lambda words, most: count(words).most_common(most), "one word, one merge: a list with one pair of pieces"),
        (lambda words, most: trained(words, 99), "no merge was asked for: learn_merges(['ab'], 0) gives [('a', 'b')]"),
        (one_of("best", max), "a word that occurs twice counts twice: take the most"),
        (
            one_of("best", lambda counts: max(reversed(counts), key=counts.get)),
            "both pairs occur once: take the one met",
        ),
        (lambda words, most: trained(sorted({*words}), most), "a word that occurs twice counts twice"),
        (lambda words, most: trained(sorted(words), most), "both pairs occur once: take the one met first"),
        (one_of("count", count_across), "letters of two words are no neighbors"),
        (one_of("count", lambda words: count(word[:2] for word in words)), "the pair stands in the middle of one word"),
        (one_of("join", lambda word, pair: word), "after each merge, join the pair in every word and count again"),
        (trained_on_counts_that_add_up, "after each merge, join the pair in every word and count again"),
        (one_of("join", lambda word, pair: merged(word, pair, most=1)), "the pair stands twice in one word"),
        (one_of("join", merged_as_text), "compare whole pieces, not text"),
        (
            one_of("stop", False),
            "no pair is left after the first merge, and learn_merges(['ab'], 3) stopped with Index",
        ),
        (
            lambda words, most: (trained(words, most) + [None] * most)[:most],
            "no pair is left after the first merge: stop there: learn_merges(['ab'], 3) gives",
        ),
        (trained_in_place, "your function changed the list it was given"),
    ],
}
