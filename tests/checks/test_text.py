import pytest
import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

from utils.checks.text import check_encode_known, check_look_up, check_merge, check_pad


def encoded_by_loop(words, ids, unknown_id):
    found = []
    for word in words:
        try:
            found.append(ids[word])
        except KeyError:
            found.append(unknown_id)
    return found


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


def same_start(left, right, pair):
    return (left, right[0]) == pair


def same_text(left, right, pair):
    return left + right == "".join(pair)


def padded(sentences, pad_id, width=None):
    width = width or max(map(len, sentences))
    return torch.tensor([(ids + [pad_id] * (width - len(ids)))[:width] for ids in sentences])


def padded_before(sentences, pad_id):
    return padded([ids[::-1] for ids in sentences], pad_id).flip(1)


def padded_by_filling(sentences, pad_id, dtype=torch.long):
    result = torch.full((len(sentences), max(map(len, sentences))), pad_id, dtype=dtype)
    for row, ids in zip(result, sentences):
        row[: len(ids)] = torch.tensor(ids)
    return result


def padded_by_pytorch(sentences, pad_id, **options):
    return pad_sequence([torch.tensor(ids) for ids in sentences], padding_value=pad_id, **options)


def padded_in_place(sentences, pad_id):
    for ids in sentences:
        ids.extend([pad_id] * (max(map(len, sentences)) - len(ids)))
    return torch.tensor(sentences)


RIGHT = {
    check_encode_known: [
        encoded_by_loop,
        lambda words, ids, unknown_id: [ids.get(word, unknown_id) for word in words],
        lambda words, ids, unknown_id: tuple(ids.get(word, unknown_id) for word in words),
        lambda words, ids, unknown_id: torch.tensor([ids.get(word, unknown_id) for word in words]),
    ],
    check_merge: [merged, merged_on_a_stack, merged_by_recursion],
    check_look_up: [
        lambda table, ids: table[ids],
        lambda table, ids: F.embedding(ids, table),
        lambda table, ids: F.one_hot(ids, len(table)).float() @ table,
        lambda table, ids: (ids[..., None] == torch.arange(len(table))).double() @ table.double(),
        lambda table, ids: torch.stack([table[int(i)] for i in ids.flatten()]).view(*ids.shape, -1),
    ],
    check_pad: [
        padded,
        padded_by_filling,
        lambda sentences, pad_id: padded_by_pytorch(sentences, pad_id, batch_first=True),
    ],
}
WRONG = {
    check_encode_known: [
        (lambda words, ids, unknown_id: ids[words[0]], "the function gives one number only; is `return` inside"),
        (lambda words, ids, unknown_id: words, "two known words: encode_known(['eat', 'dessert'], ids, 9) gives"),
        (lambda words, ids, unknown_id: sorted(ids[word] for word in words), "two known words"),
        (lambda words, ids, unknown_id: [ids[word] for word in dict.fromkeys(words)], "a repeated word"),
        (lambda words, ids, unknown_id: [ids.get(word) or unknown_id for word in words], "a word whose id is 0"),
        (lambda words, ids, unknown_id: [ids[word] for word in words], "your function stopped with KeyError: 'cake'"),
        (lambda words, ids, unknown_id: [ids[word] for word in words if word in ids], "an unknown word"),
        (lambda words, ids, unknown_id: [ids.get(word) for word in words], "an unknown word"),
        (lambda words, ids, unknown_id: [ids.get(word, len(ids)) for word in words], "an unknown word"),
        (lambda words, ids, unknown_id: [ids.get(word, ids.get(word.title(), 9)) for word in words], "'life', which"),
        (lambda words, ids, unknown_id: [ids.setdefault(word, unknown_id) for word in words], "your function changed"),
        (lambda words, ids, unknown_id: [ids.get(words.pop(0), 9) for _ in words[:]], "your function changed"),
    ],
    check_merge: [
        (lambda tokens, pair: merged(tokens, pair)[:-1], "one token only: merge(['a'], ('a', 'b')) gives []"),
        (lambda tokens, pair: tuple(merged(tokens, pair)), "one token only: merge(['a'], ('a', 'b')) gives a tuple"),
        (lambda tokens, pair: [tokens[i + 1] for i in range(len(tokens))], "your function stopped with IndexError"),
        (lambda tokens, pair: merged(tokens, pair, step=1), "the pair at the start"),
        (lambda tokens, pair: merged(tokens[:-1], pair) + tokens[-1:], "the pair at the end"),
        (lambda tokens, pair: merged(tokens, pair, most=1), "the pair twice"),
        (lambda tokens, pair: merged(tokens, pair, either_order), "the pair in the other order"),
        (lambda tokens, pair: merged(tokens, pair, same_start), "a token that starts with 'b': compare whole tokens"),
        (lambda tokens, pair: merged(tokens, pair, same_text), "two ways to spell 'abc', compare the two tokens"),
        (merged_as_text, "a token that ends in 'a': compare whole tokens"),
        (merged_from_the_right, "from left to right, and each token is used once"),
        (merged_in_place, "your function changed the list it was given"),
    ],
    check_look_up: [
        (lambda table, ids: (F.one_hot(ids, len(table)).float() @ table).sum(0), "these are the rows added up"),
        (lambda table, ids: table[ids.sort().values], "the rows come in the table's order"),
        (lambda table, ids: table[ids].round(decimals=2), "look_up(table, [4, 0, 4, 2]) is rounded (decimals=2)"),
        (lambda table, ids: table[ids.unique()], "look_up(table, [4, 0, 4, 2]) gives shape (3, 3), but (4, 3)"),
        (lambda table, ids: F.one_hot(ids, len(table)), "look_up(table, [4, 0, 4, 2]) gives shape (4, 5), but (4, 3)"),
        (lambda table, ids: table[ids].tolist(), "look_up(table, [4, 0, 4, 2]) gives a list, but a tensor"),
        (lambda table, ids: F.one_hot(ids) @ table, "your function stopped with RuntimeError: expected m1 and m2"),
        (lambda table, ids: F.one_hot(ids).float() @ table, "your function stopped with RuntimeError: mat1 and mat2"),
        (lambda table, ids: table[:, ids], "your function stopped with IndexError: index 4 is out of bounds"),
    ],
    check_pad: [
        (padded_before, "the padding stands before the words; put it after them"),
        (padded_by_pytorch, "one column a sentence; each sentence is a row"),
        (padded_in_place, "your function changed the lists it was given"),
        (lambda sentences, pad_id: padded(sentences, pad_id, width=1), "the sentences were cut to the shortest"),
        (lambda sentences, pad_id: padded(sentences, 0), "the padding is always 0; use the padding id"),
        (
            lambda sentences, pad_id: padded(sentences, pad_id, width=3),
            "pad([[1], [2, 3, 4, 5]], 9) gives shape (2, 3)",
        ),
        (lambda sentences, pad_id: padded(sentences, pad_id, len(sentences)), "pad([[1], [2, 3, 4, 5]], 9) gives"),
        (lambda sentences, pad_id: padded(sentences, pad_id, len(sentences[0])), "pad([[1], [2, 3, 4, 5]], 9) gives"),
        (lambda sentences, pad_id: padded_by_filling(sentences, pad_id, torch.float), "the ids are decimals"),
        (lambda sentences, pad_id: padded(sentences, pad_id).tolist(), "pad([[5, 6, 7], [8], [9, 4]], 0) gives a list"),
        (lambda sentences, pad_id: torch.tensor(sentences), "your function stopped with ValueError: expected sequence"),
    ],
}


@pytest.mark.parametrize("check, right", [(check, right) for check, answers in RIGHT.items() for right in answers])
def test_any_right_answer_is_correct(check, right, verdict):
    assert verdict(check, right) == f"correct: {check.__doc__}"


@pytest.mark.parametrize("check, wrong, message", [(check, *case) for check, cases in WRONG.items() for case in cases])
def test_each_mistake_is_told_its_own_cause(check, wrong, message, verdict):
    assert verdict(check, wrong).startswith(f"not yet: {message}")
