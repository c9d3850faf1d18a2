"""Right and wrong answers to the exercises in notebook 08 (multi-head attention)."""

from copy import deepcopy

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks.mistakes import join_by_view, split_by_view
from companion.checks.notebook_08 import check_head_contributions, check_merge, check_split
from companion.checks.notebook_08_many_heads import check_ManyHeads
from utils.attention import SelfAttention, attention, merge_heads, split_heads


def many_heads(
    hold=nn.ModuleList,
    size=lambda d_model, num_heads: d_model // num_heads,
    finish=lambda module, contexts: module.W_output(torch.cat(contexts, -1)),
    read=lambda heads, inputs, mask: [head(inputs, mask)[0] for head in heads],
    count=lambda num_heads: num_heads,
    make=lambda d_model, head_dim, number: [SelfAttention(d_model, head_dim) for _ in range(number)],
    output=nn.Linear,
):
    """Return a class of many heads, of which a part may be a wrong one."""

    class ManyHeads(nn.Module):
        def __init__(self, d_model, num_heads):
            super().__init__()
            self.heads = hold(make(d_model, size(d_model, num_heads), count(num_heads)))
            self.W_output = output(d_model, d_model)

        def forward(self, inputs, mask=None):
            return finish(self, read(self.heads, inputs, mask))

    return ManyHeads


class FilledInPlace(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads, self.W_output = nn.ModuleList(), nn.Linear(d_model, d_model)
        for _ in range(num_heads):
            self.heads.append(SelfAttention(d_model, d_model // num_heads))

    def forward(self, inputs, mask=None):
        output, size = torch.zeros_like(inputs) + self.W_output.bias, inputs.shape[-1] // len(self.heads)
        for place, head in enumerate(self.heads):
            rows = self.W_output.weight[:, place * size : (place + 1) * size]
            output = output + F.linear(head(inputs, mask)[0], rows)
        return output


class NoModule:
    def __init__(self, d_model, num_heads):
        self.heads = [SelfAttention(d_model, d_model // num_heads) for _ in range(num_heads)]


class Unready(nn.Module):
    def __init__(self, d_model, num_heads):
        self.heads = nn.ModuleList()


class NoForward(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(SelfAttention(d_model, d_model // num_heads) for _ in range(num_heads))
        self.W_output = nn.Linear(d_model, d_model)


class Unnamed(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attentions = nn.ModuleList(SelfAttention(d_model, d_model // num_heads) for _ in range(num_heads))


class Unfinished(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(SelfAttention(d_model, d_model // num_heads) for _ in range(num_heads))

    def forward(self, inputs, mask=None):
        return torch.cat([head(inputs, mask)[0] for head in self.heads], -1)


def each_read(read):
    """Let each head read in a way of its own, given its place."""
    return lambda heads, inputs, mask: [read(heads, place, inputs, mask) for place in range(len(heads))]


def by_slices(features, num_heads):
    size = features.shape[-1] // num_heads
    return torch.stack([features[..., h * size : (h + 1) * size] for h in range(num_heads)], dim=-3)


def by_reshape(features, num_heads):
    *batch, tokens, d_model = features.shape
    return features.reshape(*batch, tokens, num_heads, d_model // num_heads).movedim(-2, -3)


def split_of_a_batch(features, num_heads):
    batch, tokens, d_model = features.shape
    return features.view(batch, tokens, num_heads, d_model // num_heads).transpose(1, 2)


def merged_by_reshape(context):
    *batch, heads, tokens, head_dim = context.shape
    return context.transpose(-3, -2).reshape(*batch, tokens, heads * head_dim)


def contributions(
    rows=lambda W_output, head, heads, head_dim: W_output[head * head_dim : (head + 1) * head_dim],
    split=split_heads,
    attend=attention,
):
    """Let each head meet its part of W_output; a step may be a wrong one."""

    def answer(inputs, W_query, W_key, W_value, W_output, num_heads):
        query, key, value = (split(inputs @ matrix, num_heads) for matrix in (W_query, W_key, W_value))
        context = attend(query, key, value)[0]
        return torch.stack([part @ rows(W_output, h, num_heads, part.shape[-1]) for h, part in enumerate(context)])

    return answer


def contributions_amid_zeros(inputs, W_query, W_key, W_value, W_output, num_heads):
    query, key, value = (split_heads(inputs @ matrix, num_heads) for matrix in (W_query, W_key, W_value))
    context = F.scaled_dot_product_attention(query[None], key[None], value[None])[0]
    alone = torch.eye(num_heads)[:, None, :, None] * context.transpose(0, 1)
    return alone.flatten(-2) @ W_output


def contributions_by_einsum(inputs, *matrices_and_heads):
    *matrices, W_output, num_heads = matrices_and_heads
    query, key, value = (
        torch.einsum("sd,dhe->hse", inputs, matrix.unflatten(1, (num_heads, -1))) for matrix in matrices
    )
    weights = torch.softmax(torch.einsum("hie,hje->hij", query, key) / query.shape[-1] ** 0.5, dim=-1)
    return torch.einsum("hij,hje,hem->him", weights, value, W_output.unflatten(0, (num_heads, -1)))


def contexts(inputs, W_query, W_key, W_value, W_output, num_heads):
    return attention(*(split_heads(inputs @ matrix, num_heads) for matrix in (W_query, W_key, W_value)))[0]


def contributions_by_columns(*given):
    *_, W_output, num_heads = given
    return contexts(*given) @ W_output.unflatten(1, (num_heads, -1))


def contributions_by_split(*given):
    *_, W_output, num_heads = given
    return contexts(*given) @ split_heads(W_output, num_heads)


def contributions_by_four(*given):
    return torch.stack([context @ rows for context, rows in zip(contexts(*given), given[-2].view(-1, 4, 12))])


def one_big_head(inputs, W_query, W_key, W_value, W_output, num_heads):
    context, _ = attention(inputs @ W_query, inputs @ W_key, inputs @ W_value)
    return split_heads(context, num_heads) @ W_output.unflatten(0, (num_heads, -1))


def scaled_by(factor):
    return lambda query, key, value: attention(query * factor(query), key, value)


RIGHT = {
    check_ManyHeads: [
        many_heads(),
        many_heads(lambda heads: nn.Sequential(*heads)),
        FilledInPlace,
        many_heads(
            finish=lambda module, contexts: module.W_output(torch.stack(contexts, -2).flatten(-2)),
            read=lambda heads, inputs, mask: [head.forward(inputs, mask=mask)[0] for head in heads],
        ),
        lambda d_model, num_heads: many_heads()(d_model, num_heads),
    ],
    check_split: [split_heads, by_slices, by_reshape, lambda features, n: torch.stack(features.chunk(n, -1), -3)],
    check_merge: [merge_heads, merged_by_reshape, lambda context: torch.cat(context.unbind(-3), -1)],
    check_head_contributions: [
        contributions(),
        contributions_amid_zeros,
        contributions_by_einsum,
        lambda inputs, *given: contributions()(inputs.double(), *(each.double() for each in given[:-1]), given[-1]),
    ],
}
SHARE = "lay all contexts side by side with torch.cat(contexts, dim=-1), then call it once"
THREE, TWO = "head_contributions with 3 heads of size 4", "head_contributions with 2 heads of size 3"
WRONG = {
    check_ManyHeads: [
        (lambda *given: None, "ManyHeads(12, 3) gives None; did you forget `return`?"),
        (NoModule, "ManyHeads(12, 3) gives a NoModule, but a module was expected"),
        (Unready, "__init__ makes a part before nn.Module is ready: begin it with super()"),
        (Unnamed, "ManyHeads(12, 3) has no `heads`: assign it to self.heads in __init__"),
        (Unfinished, "ManyHeads(12, 3) has no `W_output`"),
        (NoForward, "ManyHeads(12, 3) has no `forward`: write forward(self, inputs, mask=None)"),
        (many_heads(list), "heads is a plain list, so its parameters are not registered and no training finds them"),
        (many_heads(tuple), "heads is a plain list"),
        (many_heads(lambda heads: heads[0]), "heads is a SelfAttention, but an nn.ModuleList was expected"),
        (many_heads(count=lambda number: 1), "ManyHeads(12, 3) holds 1 of 3 heads"),
        (
            many_heads(make=lambda *given: [SelfAttention(*given[:2])] * given[2]),
            "the heads are one and the same module: make a new one for each place",
        ),
        (
            many_heads(make=lambda *given: [deepcopy(head) for head in [SelfAttention(*given[:2])] * given[2]]),
            "the heads start from the same numbers: make each one anew",
        ),
        (
            many_heads(make=lambda d_model, head_dim, number: [nn.Linear(d_model, head_dim) for _ in range(number)]),
            "a head is a Linear; make each with SelfAttention(d_model, head_dim)",
        ),
        (many_heads(size=lambda d_model, heads: d_model / heads), "d_model / num_heads gives a float, and sizes are"),
        (many_heads(size=lambda d_model, _: d_model), "each head is full-size, 12 features wide; its share is 12 // 3"),
        (many_heads(size=lambda d_model, heads: heads), "a head leads from 12 features to 3, but from 12 to 4 was"),
        (many_heads(output=lambda *sizes: nn.Identity()), "W_output is a Identity, but an nn.Linear was expected"),
        (many_heads(output=lambda size, _: nn.Linear(size // 3, size)), "W_output leads from 4 to 12 features"),
        (
            many_heads(finish=lambda module, contexts: torch.cat(contexts, -1)),
            "W_output is made, but not used: hand the joined contexts to it",
        ),
        (many_heads(finish=lambda module, contexts: module.W_output(sum(contexts))), "the contexts are added"),
        (many_heads(finish=lambda module, contexts: module.W_output(sum(contexts) / 3)), "the contexts are averaged"),
        (
            many_heads(finish=lambda module, contexts: torch.cat([module.W_output(each) for each in contexts], -1)),
            f"W_output gets the context of a single head: {SHARE}",
        ),
        (
            many_heads(finish=lambda module, contexts: module.W_output(torch.stack(contexts))),
            f"the contexts are stacked along a new axis, not joined: {SHARE}",
        ),
        (
            many_heads(finish=lambda module, contexts: module.W_output(torch.cat(contexts, -2))),
            f"the contexts are joined along the tokens, which gives 15 of them: {SHARE}",
        ),
        (
            many_heads(finish=lambda module, contexts: module.W_output(torch.cat(contexts[:2], -1))),
            f"W_output gets shape (2, 5, 8), but (2, 5, 12) was expected: {SHARE}",
        ),
        (
            many_heads(read=each_read(lambda heads, place, inputs, mask: heads[place](inputs, mask)[1])),
            "the weights are joined; a head returns context and weights, in this order",
        ),
        (many_heads(finish=lambda module, contexts: module.W_output(torch.cat(contexts[::-1], -1))), "the heads come"),
        (
            many_heads(finish=lambda module, contexts: module.W_output(torch.stack(contexts, -1).flatten(-2))),
            "the features are dealt out in turn",
        ),
        (
            many_heads(finish=lambda module, contexts: module.W_output(torch.stack(contexts).reshape(2, 5, 12))),
            "view alone mixes the tokens: join the contexts along the last axis",
        ),
        (
            many_heads(finish=lambda module, contexts: module.W_output(join_by_view(torch.stack(contexts, -3)))),
            "view alone mixes the tokens: first transpose heads and tokens back",
        ),
        (
            many_heads(read=each_read(lambda heads, place, inputs, mask: heads[0](inputs, mask)[0])),
            "every part comes from head 0: call each head",
        ),
        (
            many_heads(read=each_read(lambda heads, place, inputs, mask: heads[-1](inputs, mask)[0])),
            "every part comes from the last head",
        ),
        (
            many_heads(read=lambda heads, inputs, mask: [head(inputs, mask) for head in heads]),
            "a head returns context and weights, a tuple; take the context",
        ),
        (
            many_heads(finish=lambda module, contexts: (module.W_output(torch.cat(contexts, -1)), None)),
            "the output for a batch gives a tuple, but a tensor was expected",
        ),
        (many_heads(finish=lambda module, contexts: module.W_output(contexts)), "W_output gets a list; lay its parts"),
        (many_heads(finish=lambda module, contexts: None), "the output for a batch gives None; did you forget"),
        (
            many_heads(read=each_read(lambda heads, place, inputs, mask: heads[place](inputs)[0])),
            "the mask has no effect: hand it on to each head",
        ),
        (
            many_heads(read=each_read(lambda heads, p, x, mask: heads[p](x, mask if mask is None else ~mask)[0])),
            "the mask is turned round: True means 'may attend'",
        ),
        (
            many_heads(read=each_read(lambda heads, p, inputs, mask: heads[p](inputs, None if p else mask)[0])),
            "the mask reaches head 0 alone: hand it on to each head",
        ),
        (many_heads(size=lambda d_model, _: 4), "a head leads from 6 features to 4, but from 6 to 3 was expected"),
        (
            many_heads(read=each_read(lambda heads, p, x, mask: heads[p](x.reshape(-1, *x.shape[-2:]), mask)[0])),
            "the output for one sentence, of ManyHeads(6, 2) gives shape (1, 4, 6), but (4, 6) was expected",
        ),
    ],
    check_split: [
        (lambda features, heads: None, "split of (5, 12) into 3 heads gives None; did you forget `return`?"),
        (lambda features, heads: features, "split of (5, 12) into 3 heads gives shape (5, 12), but (3, 5, 4) was"),
        (split_by_view, "view alone mixes the tokens: first cut the features into heads, then transpose"),
        (lambda features, heads: features.view(heads, 5, -1), "view alone mixes the tokens"),
        (lambda features, heads: features.unflatten(-1, (-1, heads)).movedim(-1, -3), "the features are dealt out in"),
        (lambda features, heads: split_heads(features, heads).flip(-3), "the heads come in reverse order"),
        (lambda features, heads: features.unflatten(-1, (heads, -1)), "the features are cut, but the axes are (tokens"),
        (lambda features, heads: split_heads(features, 12 // heads), "num_heads and head_dim are exchanged"),
        (lambda features, heads: split_heads(features, heads).mT, "the last two axes are swapped, too"),
        (lambda features, heads: features.chunk(heads, -1), "split of (5, 12) into 3 heads gives a tuple, but a"),
        (
            lambda features, heads: features.unflatten(-1, (heads, -1)).transpose(1, 2),
            "transpose(1, 2) counts from the front, which fits one batch axis only: count from the end",
        ),
        (
            lambda features, heads: features.unflatten(-1, (heads, -1)).transpose(0, 1),
            "the first two axes are swapped, which are not heads and tokens once there is a batch",
        ),
        (
            lambda features, heads: (split_heads if features.ndim < 3 else split_by_view)(features, heads),
            "view alone mixes the tokens",
        ),
        (
            lambda features, heads: (
                features.reshape(-1, *features.shape[-2:-1], heads, features.shape[-1] // heads)
                .transpose(1, 2)
                .squeeze(0)
            ),
            "split of (2, 1, 3, 6) into 2 heads gives shape (2, 2, 3, 3), but (2, 1, 2, 3, 3) was expected",
        ),
        (lambda features, heads: features.unflatten(-1, (heads, 12 / heads)), "d_model / num_heads gives a float"),
        (
            lambda features, heads: features.unflatten(-1, (heads, -1)).permute(0, 2, 1, 3),
            "the number of axes is fixed",
        ),
        (split_of_a_batch, "the number of axes is fixed"),
        (lambda features, heads: features.view(heads, 5, 7), "your function stopped with RuntimeError: shape"),
    ],
    check_merge: [
        (lambda context: None, "merge of 3 heads, (3, 5, 4) gives None; did you forget `return`?"),
        (join_by_view, "view alone mixes the tokens: first transpose heads and tokens back, then join the heads"),
        (lambda context: context.movedim(-3, -1).flatten(-2), "the features are dealt out in turn"),
        (lambda context: merge_heads(context.flip(-3)), "the heads come in reverse order: head 0 stands first"),
        (lambda context: context.sum(-3), "the heads are added; lay them side by side"),
        (lambda context: context.mean(-3), "the heads are averaged; lay them side by side"),
        (lambda context: torch.cat(list(context), 0), "the heads stand one below the other; lay them side by side"),
        (lambda context: context.transpose(-3, -2), "the axes are swapped back, but not joined: flatten the last two"),
        (lambda context: context.flatten(-2), "the last two axes are joined, but first heads and tokens must be"),
        (lambda context: context.transpose(0, 1).flatten(-2), "the first two axes are swapped, which are not heads"),
        (
            lambda context: context.transpose(-3, -2).view(5, 12),
            "after transpose the numbers lie in another order, which view refuses: flatten or reshape copies",
        ),
        (lambda context: torch.cat(list(context), -1), "a list of a batch holds its sentences, and these were joined"),
        (lambda context: context.permute(1, 0, 2).flatten(-2), "the number of axes is fixed"),
        (lambda context: context.view(7, 9), "your function stopped with RuntimeError: shape '[7, 9]' is invalid"),
        (
            lambda context: merge_heads(context.flatten(0, -4)) if context.ndim > 4 else merge_heads(context),
            "merge of (2, 1, 2, 3, 6) gives shape (2, 3, 12), but (2, 1, 3, 12) was expected",
        ),
    ],
    check_head_contributions: [
        (lambda *given: contributions()(*given).sum(0), "this is the whole output already; keep the heads apart"),
        (contexts, "these are the contexts; each still has to meet its rows of W_output"),
        (
            contributions(lambda W, head, heads, head_dim: W.T[head * head_dim : (head + 1) * head_dim]),
            "the columns of W_output are cut; the heads meet its rows",
        ),
        (contributions(lambda W, head, heads, head_dim: W[:head_dim]), "every head meets the first rows of W_output"),
        (contributions(lambda W, head, heads, head_dim: W[head::heads]), "the rows of W_output are dealt out in turn"),
        (lambda *given: contributions()(*given).flip(0), "the heads come in reverse order"),
        (lambda *given: contributions()(*given).transpose(0, 1), "the axes are (tokens, heads, d_model)"),
        (contributions(split=split_by_view), "view alone mixes the tokens: first cut the features into heads"),
        (contributions(attend=scaled_by(lambda query: 2)), "the scale is missing: divide by the square root"),
        (
            contributions(attend=scaled_by(lambda query: 3**-0.5)),
            "divided by the root of d_model, the inputs' size; take the size of query and key",
        ),
        (contributions(attend=lambda query, key, value: attention(key, query, value)), "query and key are exchanged"),
        (contributions(attend=lambda query, key, value: attention(query, value, key)), "key and value are exchanged"),
        (
            contributions(lambda W, head, *_: W[head * 4 : head * 4 + 4]),
            "heads of size 4 are right, but heads of size 3",
        ),
        (
            lambda *given: torch.stack([contexts(*given)[h] @ given[4][4 * h : 4 * h + 4] for h in range(4)]),
            "there are num_heads heads, and one more was asked for: index 3",
        ),
        (lambda *given: (*contexts(*given)[None],) @ given[4], "`attention` returns context and weights, a tuple"),
        (contributions_by_four, "heads of size 4 are right, but heads of size 3 stop"),
        (contributions(lambda W, head, heads, size: W[:, head * size :][:, :size]), "a product does not fit: mat1"),
        (contributions_by_columns, "a product does not fit: "),
        (contributions_by_split, "a product does not fit: "),
        (lambda *given: contributions()(given[0].T, *given[1:]), "a product does not fit: mat1"),
        (lambda x, *given: contributions()(x, *(W.T for W in given[:3]), *given[3:]), "W_query, W_key and W_value are"),
        (lambda x, *given: contributions()(x, *(W.T for W in given[:4]), given[4]), "all matrices are transposed"),
        (one_big_head, "one big head attends, and is cut afterwards: cut query, key and value"),
        (lambda *given: contributions()(*given) / 4, f"{THREE} has the right shape, but is off"),
        (lambda *given: contributions()(*given).round(decimals=2), f"{THREE} is rounded (decimals=2)"),
        (lambda *given: list(contributions()(*given)), f"{THREE} gives a list"),
        (lambda *given: None, f"{THREE} gives None; did you forget `return`?"),
        (
            contributions(lambda W, head, heads, head_dim: W[head * (len(W) // 3) :][:head_dim]),
            f"{TWO} has the right shape",
        ),
        (lambda *given: contributions()(*given[:-1], 3), f"{TWO} gives shape (3, 7, 6), but (2, 7, 6) was expected"),
    ],
}
