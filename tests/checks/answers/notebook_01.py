"""Right and wrong answers to the exercises in notebook 01 (tokenization)."""

from collections import Counter

from utils.checks.notebook_01 import check_frequent_vocabulary, check_merge


def kept(tokens, at_least, order=sorted, enough=int.__ge__, listed=None):
    """Compose the vocabulary from its decisions, any of which may be a wrong one."""
    return order(t for t in listed or dict.fromkeys(tokens) if enough(tokens.count(t), at_least)) + ["<unk>"]


def by_count(tokens):
    return sorted(tokens, key=["zest", "dessert", "Life", "eat"].index)


def in_any_case(tokens):
    return sorted(tokens, key=str.lower)


def kept_by_loop(tokens, at_least):
    vocabulary, seen = [], sorted(tokens)
    while seen:
        count = seen.count(seen[0])
        vocabulary += seen[:1] * (count >= at_least)
        seen = seen[count:]
    return [*vocabulary, "<unk>"]


def kept_in_place(tokens, at_least):
    tokens[:] = kept(tokens, at_least)
    return tokens


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


def either_order(left, right, pair):
    return {left, right} == {*pair}


def same_left(left, right, pair):
    return left == pair[0]


def same_start(left, right, pair):
    return (left, right[0]) == pair


def same_text(left, right, pair):
    return left + right == "".join(pair)


RIGHT = {
    check_frequent_vocabulary: [
        kept,
        kept_by_loop,
        lambda tokens, at_least: [t for t, n in sorted(Counter(tokens).items()) if n >= at_least] + ["<unk>"],
    ],
    check_merge: [merged, merged_on_a_stack, merged_by_recursion],
}
WRONG = {
    check_frequent_vocabulary: [
        (lambda tokens, at_least: kept(tokens, at_least)[:-1], "no token occurs four times; <unk> is always there"),
        (lambda tokens, at_least: tuple(kept(tokens, at_least)), "no token occurs four times"),
        (lambda tokens, at_least: sorted(set(tokens)) + ["<unk>"], "no token occurs four times"),
        (lambda tokens, at_least: kept(tokens, at_least, enough=int.__gt__), "'eat' alone occurs at least three times"),
        (lambda tokens, at_least: sorted(kept(tokens, at_least)), "'eat' alone occurs at least three times; list it"),
        (lambda tokens, at_least: kept(tokens, at_least, listed=tokens), "'eat' alone occurs at least three times"),
        (lambda tokens, at_least: kept(tokens, at_least, by_count), "three tokens occur at least twice; sort them"),
        (lambda tokens, at_least: kept(tokens, max(at_least, 2)), "every token occurs at least once"),
        (lambda tokens, at_least: kept(tokens, at_least, in_any_case), "every token occurs at least once; capitals"),
        (kept_in_place, "your function changed the list it was given"),
    ],
    check_merge: [
        (lambda tokens, pair: merged(tokens, pair)[:-1], "one token only: merge(['a'], ('a', 'b')) gives []"),
        (lambda tokens, pair: tuple(merged(tokens, pair)), "one token only: merge(['a'], ('a', 'b')) gives a tuple"),
        (lambda tokens, pair: [tokens[i + 1] for i in range(len(tokens))], "your function stopped with IndexError"),
        (lambda tokens, pair: merged(tokens, pair, step=1), "the pair at the start"),
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
}
