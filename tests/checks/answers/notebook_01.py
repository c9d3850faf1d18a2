"""Right and wrong answers to the exercises in notebook 01 (tokenization)."""

from collections import Counter

from companion.checks.notebook_01 import check_learn_merges, check_merge, joined, learned


def merged(tokens, pair, matches=lambda left, right, pair: (left, right) == pair, step=2, most=99):
    result, place = [], 0
    while place < len(tokens):
        if len(tokens) - place > 1 and most and matches(tokens[place], tokens[place + 1], pair):
            result.append("".join(pair))
            place, most = place + step, most - 1
        else:
            result.append(tokens[place])
            place += 1
    return result


def merged_on_a_stack(tokens, pair):
    stack = []
    for token in tokens:
        if stack and (stack[-1], token) == pair:
            stack[-1] += token
        else:
            stack.append(token)
    return stack


def merged_by_zip(tokens, pair):
    return [left + right if (left, right) == pair else left for left, right in zip(tokens, tokens[1:])]


def merged_with_a_look_ahead(tokens, pair):
    result, place = [], 0
    while place < len(tokens):
        found = tokens[place] == pair[0] and tokens[place + 1] == pair[1]
        result.append("".join(pair) if found else tokens[place])
        place += 2 if found else 1
    return result


def merged_but_one(tokens, pair):
    return merged(tokens, pair) if len(tokens) > 1 else []


def merged_by_index(tokens, pair):
    tokens, place = tokens.copy(), 0
    while pair[0] in tokens[place:-1]:
        place = tokens.index(pair[0], place)
        if tokens[place + 1] == pair[1]:
            tokens[place : place + 2] = [tokens[place] + tokens[place + 1]]
        place += 1
    return tokens


def merged_with_a_flag(tokens, pair):
    result, skip = [], False
    for place, token in enumerate(tokens):
        if skip:
            skip = False
        elif [token, *tokens[place + 1 : place + 2]] == [*pair]:
            result.append("".join(pair))
            skip = True
        else:
            result.append(token)
    return result


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


def never(left, right, pair):
    return [left, right] == pair


def either_order(left, right, pair):
    return {left, right} == {*pair}


def same_left(left, right, pair):
    return left == pair[0]


def same_start(left, right, pair):
    return (left, right[0]) == pair


def same_text(left, right, pair):
    return left + right == "".join(pair)


def count(words):
    return Counter(pair for word in words for pair in zip(word, word[1:]))


def count_across(words):
    letters = [piece for word in words for piece in word]
    return Counter(zip(letters, letters[1:]))


def count_each_word_once(words):
    return count(dict.fromkeys(map(tuple, words)))


def first(counts):
    return counts.most_common(1)[0][0]


def last(counts):
    return max(reversed(counts), key=counts.get)


def by_alphabet(counts):
    return min(counts, key=lambda pair: (-counts[pair], pair))


def at_the_start_of_words(words):
    return Counter(tuple(word[:2]) for word in words if len(word) > 1)


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


def trained_with_plain_dictionaries(words, num_merges):
    merges, words = [], {place: list(word) for place, word in enumerate(words)}
    while len(merges) < num_merges:
        counts = {}
        for word in words.values():
            for left, right in zip(word[:-1], word[1:]):
                counts[left, right] = counts.get((left, right), 0) + 1
        if counts == {}:
            return merges
        merges += sorted(counts, key=lambda pair: -counts[pair])[:1]
        words = {place: merged_on_a_stack(word, merges[-1]) for place, word in words.items()}
    return merges


def trained_without_joining(words, num_merges):
    return trained(words, num_merges, join=lambda word, pair: word)


def trained_by_one_count(words, num_merges):
    return [pair for pair, _ in count(words).most_common(num_merges)]


def trained_on_counts_that_add_up(words, num_merges):
    counts = Counter()
    return trained(words, num_merges, lambda words: counts.update(count(words)) or counts)


def trained_in_place(words, num_merges):
    merges = trained(words, num_merges)
    for place, word in enumerate(words):
        for pair in merges:
            word = word.replace("".join(pair), "-")
        words[place] = word
    return merges


def trained_until_nothing_is_left(words, num_merges):
    return trained(words, 99)


RIGHT = {
    check_merge: [merged, merged_on_a_stack, merged_by_recursion, merged_by_index, merged_with_a_flag, joined],
    check_learn_merges: [trained, trained_by_recursion, trained_with_plain_dictionaries, learned],
}
WRONG = {
    check_merge: [
        (lambda tokens, pair: merged(tokens, pair)[:-1], "nothing to join: every token stays, the last"),
        (lambda tokens, pair: tuple(merged(tokens, pair)), "nothing to join: every token stays, the last one too"),
        (lambda tokens, pair: [tokens[i + 1] for i in range(len(tokens))], "merge(['c', 'd', 'e'], ('a', 'b')) stop"),
        (lambda tokens, pair: merged(tokens, pair, never), "merge(['a', 'b', 'c'], ('a', 'b')) joins nothing"),
        (lambda tokens, pair: merged(tokens, pair, step=1), "merge(['a', 'b', 'c'], ('a', 'b')) gives ['ab', 'b'"),
        (merged_by_zip, "nothing to join: every token stays, the last one too"),
        (lambda tokens, pair: merged_by_zip([*tokens, ""], pair), "merge(['a', 'b', 'c'], ('a', 'b')) gives ['ab'"),
        (merged_with_a_look_ahead, "merge(['b', 'a'], ('a', 'b')) stopped with IndexError"),
        (merged_but_one, "one token only: merge(['a'], ('a', 'b')) gives []"),
        (lambda tokens, pair: merged(tokens[:-1], pair) + tokens[-1:], "the pair at the end"),
        (lambda tokens, pair: merged(tokens, pair, most=1), "the pair twice"),
        (lambda tokens, pair: merged(tokens, pair, same_left), "a and b that are not neighbours"),
        (lambda tokens, pair: merged(tokens, pair, either_order), "the pair in the other order"),
        (lambda tokens, pair: tokens if "ab" in tokens else merged(tokens, pair), "a token that looks merged already"),
        (lambda tokens, pair: merged(tokens, pair, same_start), "a token that starts with 'b': compare whole tokens"),
        (lambda tokens, pair: merged(tokens, pair, same_text), "two ways to spell 'abc', compare the two tokens"),
        (merged_as_text, "a token that ends in 'a': compare whole tokens"),
        (merged_from_the_right, "from left to right, and each token is used once"),
        (merged_in_place, "your function changed the list it was given"),
    ],
    check_learn_merges: [
        (
            lambda words, most: [left + right for left, right in trained(words, most)],
            "one word, one merge: a list with",
        ),
        (lambda words, most: count(words).most_common(most), "one word, one merge: a list with one pair of pieces"),
        (lambda words, most: tuple(trained(words, most)), "one word, one merge: a list with one pair of pieces"),
        (lambda words, most: [[*pair] for pair in trained(words, most)], "one word, one merge: a list with one pair"),
        (trained_until_nothing_is_left, "no merge was asked for: learn_merges(['ab'], 0) gives [('a', 'b')], but []"),
        (lambda words, most: trained(words, most, best=by_alphabet), "both pairs occur once: take the one met first"),
        (lambda words, most: trained(words, most, best=last), "both pairs occur once: take the one met first, not the"),
        (lambda words, most: trained(words, most, best=max), "a word that occurs twice counts twice: take the most"),
        (lambda words, most: trained(sorted({*words}), most), "a word that occurs twice counts twice"),
        (lambda words, most: trained(list(dict.fromkeys(words)), most), "a word that occurs twice counts twice"),
        (
            lambda words, most: trained(sorted(words), most),
            "both pairs occur once: take the one met first",
        ),
        (lambda words, most: trained(words, most, count_each_word_once), "a word that occurs twice counts twice"),
        (lambda words, most: trained(words, most, best=lambda counts: [*counts][0]), "a word that occurs twice counts"),
        (lambda words, most: trained(words, most, count_across), "letters of two words are no neighbours"),
        (lambda words, most: trained(words, most, at_the_start_of_words), "the pair stands in the middle of one word"),
        (trained_without_joining, "after each merge, join the pair in every word and count again"),
        (trained_on_counts_that_add_up, "after each merge, join the pair in every word and count again"),
        (
            lambda words, most: trained(words, most, join=lambda word, pair: merged(word, pair, most=1)),
            "the pair stands twice in one word: join it both times",
        ),
        (trained_by_one_count, "after each merge, join the pair in every word and count again"),
        (lambda words, most: trained(words, most, join=merged_as_text), "compare whole pieces, not text"),
        (
            lambda words, most: trained(words, most, stop=False),
            "no pair is left after the first merge, and learn_merges(['ab'], 3) stopped with IndexError: list index",
        ),
        (
            lambda words, most: trained(words, most, best=lambda counts: max(counts, key=counts.get), stop=False),
            "no pair is left after the first merge, and learn_merges(['ab'], 3) stopped with ValueError: max()",
        ),
        (
            lambda words, most: (trained(words, most) + [None] * most)[:most],
            "no pair is left after the first merge: stop there: learn_merges(['ab'], 3) gives",
        ),
        (trained_in_place, "your function changed the list it was given"),
    ],
}
