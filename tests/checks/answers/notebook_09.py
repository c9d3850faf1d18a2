"""Right and wrong answers to the exercises in notebook 09 (cross-attention)."""

import torch
import torch.nn.functional as F
from torch import nn

from companion.checks.notebook_09 import check_cross_attention, check_read_memory, check_second_look
from utils.attention import MultiHeadAttention, SelfAttention, attention, masked_softmax, padding_mask, scores


def real_keys(lengths, keys):
    return (torch.arange(keys) < lengths[:, None])[:, None, :]


def masked_afterwards(inputs, memory, W_query, W_key, W_value, lengths):
    _, weights = attention(inputs @ W_query, memory @ W_key, memory @ W_value)
    return weights * real_keys(lengths, memory.shape[1]) @ (memory @ W_value)


def reading(ask="inputs", find="memory", give="memory", hide=real_keys):
    """Compose the reading from its decisions, any of which may be a wrong one."""

    def answer(inputs, memory, W_query, W_key, W_value, lengths):
        given = {"inputs": inputs, "memory": memory}
        mask = hide(lengths, memory.shape[1])
        return attention(given[ask] @ W_query, given[find] @ W_key, given[give] @ W_value, mask)[0]

    return answer


def read_by_cutting(inputs, memory, W_query, W_key, W_value, lengths):
    memories = [part[:length] for part, length in zip(memory, lengths)]
    read = [attention(one @ W_query, part @ W_key, part @ W_value)[0] for one, part in zip(inputs, memories)]
    return torch.stack(read)


def read_by_pytorch(inputs, memory, W_query, W_key, W_value, lengths):
    mask = padding_mask(lengths, memory.shape[1])
    return F.scaled_dot_product_attention(inputs @ W_query, memory @ W_key, memory @ W_value, mask)


def by_hand(hide):
    """Compose the reading without the course's functions: what may attend to nothing is nan."""

    def answer(inputs, memory, W_query, W_key, W_value, lengths):
        scores = inputs @ W_query @ (memory @ W_key).mT / W_key.shape[1] ** 0.5
        scores = scores.masked_fill(~hide(lengths, memory.shape[1]), -torch.inf)
        return torch.softmax(scores, dim=-1) @ (memory @ W_value)

    return answer


def memory_set_to_zero(inputs, memory, W_query, W_key, W_value, lengths):
    memory = memory * real_keys(lengths, memory.shape[1]).mT
    return attention(inputs @ W_query, memory @ W_key, memory @ W_value)[0]


def keys_turned(inputs, memory, W_query, W_key, W_value, lengths):
    scores = inputs @ W_query @ (memory @ W_key).permute(2, 1, 0) / W_key.shape[1] ** 0.5
    return masked_softmax(scores, padding_mask(lengths, memory.shape[1])) @ (memory @ W_value)


def read_in_loops(inputs, memory, W_query, W_key, W_value, lengths):
    rows = []
    for b, length in enumerate(lengths.tolist()):
        for token in inputs[b]:
            weights = ((memory[b, :length] @ W_key) @ (token @ W_query) / W_key.shape[1] ** 0.5).softmax(0)
            rows.append(weights @ memory[b, :length] @ W_value)
    return torch.stack(rows).unflatten(0, inputs.shape[:2])


def read_by_adding(inputs, memory, W_query, W_key, W_value, lengths):
    hidden = torch.zeros(len(memory), 1, memory.shape[1])
    hidden[~real_keys(lengths, memory.shape[1])] = -torch.inf
    scores = torch.einsum("bqd,dk,ek,bme->bqm", inputs, W_query, W_key, memory) / W_key.shape[1] ** 0.5
    return (scores + hidden).softmax(-1) @ memory @ W_value


def read_in_place(inputs, memory, W_query, W_key, W_value, lengths):
    scores = (inputs @ W_query).div_(len(W_query.T) ** 0.5) @ (memory @ W_key).mT
    scores.masked_fill_(torch.arange(1, memory.shape[1] + 1) > lengths[:, None, None], -torch.inf)
    return scores.softmax(-1) @ (memory @ W_value)


def read_scaled_by_value(inputs, memory, W_query, W_key, W_value, lengths):
    W_query = W_query * (len(W_query.T) / len(W_value.T)) ** 0.5
    return reading()(inputs, memory, W_query, W_key, W_value, lengths)


class Cross(nn.Module):
    """The right module; a wrong one changes a step."""

    def __init__(self, d_model, d_memory, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_model, d_out, bias=False)
        self.W_key = nn.Linear(d_memory, d_out, bias=False)
        self.W_value = nn.Linear(d_memory, d_out, bias=False)

    def forward(self, inputs, memory, mask=None):
        return attention(self.W_query(inputs), self.W_key(memory), self.W_value(memory), mask)


class CrossByHand(nn.Module):
    def __init__(self, d_model, d_memory, d_out):
        super().__init__()
        self.root = d_out**0.5
        self.W_value, self.W_key = (nn.Linear(d_memory, d_out, False) for _ in range(2))
        self.W_query = nn.Linear(d_model, d_out, False)

    def forward(self, inputs, memory, mask=None):
        omega = self.W_query(inputs) @ self.W_key(memory).mT / self.root
        if mask is not None:
            omega = omega.masked_fill(~mask, -torch.inf)
        alpha = torch.softmax(omega, dim=-1)
        return alpha @ self.W_value(memory), alpha


class CrossOfSelf(SelfAttention):
    def __init__(self, d_model, d_memory, d_out):
        super().__init__(d_memory, d_out)
        self.W_query = nn.Linear(d_model, d_out, bias=False)

    def forward(self, inputs, memory, mask=None):
        query, key = inputs @ self.W_query.weight.T, torch.einsum("...kd,od->...ko", memory, self.W_key.weight)
        weights = masked_softmax(torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5, mask)
        return [weights @ memory @ self.W_value.weight.T, weights]


def cross(forward, init=None):
    """Make a module with another `forward`, or with layers that `init` changes afterwards."""

    class Wrong(Cross):
        def __init__(self, *sizes):
            super().__init__(*sizes)
            if init:
                init(self, *sizes)

    Wrong.forward = forward or Cross.forward
    return Wrong


def reads(ask="inputs", find="memory", give="memory", mask_of=lambda mask: mask, result=lambda *both: both):
    """Compose a module from its decisions, any of which may be a wrong one."""

    def forward(self, inputs, memory, mask=None):
        given, mask = {"inputs": inputs, "memory": memory}, mask if mask is None else mask_of(mask)
        query, key, value = self.W_query(given[ask]), self.W_key(given[find]), self.W_value(given[give])
        return result(*attention(query, key, value, mask))

    return cross(forward)


def weighed(weigh, scale=True):
    """Make a module with another step from scores to weights."""

    def forward(self, inputs, memory, mask=None):
        query = self.W_query(inputs)
        weights = weigh(scores(query, self.W_key(memory), "scaled_dot" if scale else "dot"), mask)
        return weights @ self.W_value(memory), weights

    return cross(forward)


def layers(change):
    return cross(None, change)


def name_of_another(self, *sizes):
    self.query = self.W_query
    del self.W_query


def plain(self, d_model, d_memory, d_out):
    del self.W_key
    self.W_key = torch.randn(d_memory, d_out)


def parameter(self, d_model, d_memory, d_out):
    self.W_key = None
    del self.W_key
    self.W_key = nn.Parameter(torch.randn(d_memory, d_out))


def linear(name, choose, **options):
    return lambda self, *sizes: setattr(self, name, nn.Linear(*choose(*sizes), **({"bias": False} | options)))


class WithoutSuper(nn.Module):
    def __init__(self, d_model, d_memory, d_out):
        self.W_query = nn.Linear(d_model, d_out, bias=False)


class WithoutForward(Cross):
    forward = nn.Module.forward


class HalfWritten(Cross):
    def forward(self, inputs, memory, mask=None):
        raise NotImplementedError


class NoModule:
    def __init__(self, d_model, d_memory, d_out):
        pass


def cut_to_length(self, inputs, memory, mask=None):
    return Cross.forward(self, inputs, memory[..., : inputs.shape[-2], :], mask)


def without_mask(self, inputs, memory):
    return Cross.forward(self, inputs, memory)


def exchanged(self, inputs, memory, mask=None):
    return attention(self.W_query(inputs), self.W_value(memory), self.W_key(memory), mask)


def detached(self, inputs, memory, mask=None):
    with torch.no_grad():
        return Cross.forward(self, inputs, memory, mask)


def key_by_data(self, inputs, memory, mask=None):
    return attention(self.W_query(inputs), memory @ self.W_key.weight.data.T, self.W_value(memory), mask)


def scores_for_weights(self, inputs, memory, mask=None):
    context, _ = Cross.forward(self, inputs, memory, mask)
    return context, scores(self.W_query(inputs), self.W_key(memory))


def batch_only(self, inputs, memory, mask=None):
    query, key = self.W_query(inputs), self.W_key(memory)
    weights = masked_softmax(query @ key.permute(0, 2, 1) / query.shape[-1] ** 0.5, mask)
    return weights @ self.W_value(memory), weights


def key_turned(self, inputs, memory, mask=None):
    query, key = self.W_query(inputs), self.W_key(memory)
    weights = masked_softmax(query @ key.permute(*range(key.ndim)[::-1]) / query.shape[-1] ** 0.5, mask)
    return weights @ self.W_value(memory), weights


def inverted_by_hand(scores, mask=None):
    return torch.softmax(scores if mask is None else scores.masked_fill(mask, -torch.inf), -1)


def scaled_by_memory(self, inputs, memory, mask=None):
    query = self.W_query(inputs) * (self.W_query.out_features / memory.shape[-1]) ** 0.5
    return attention(query, self.W_key(memory), self.W_value(memory), mask)


def look_by_argmax(reader, inputs, memory):
    _, weights = reader(inputs, memory)
    mask = torch.ones_like(weights, dtype=torch.bool)
    mask.scatter_(-1, weights.argmax(dim=-1, keepdim=True), False)
    return reader(inputs, memory, mask)


def look_by_one_hot(reader, inputs, memory):
    most = reader(inputs, memory)[1].argmax(-1)
    context, weights = reader(inputs, memory, F.one_hot(most, memory.shape[-2]) == 0)
    return [context, weights]


def look_by_renewing(reader, inputs, memory):
    _, weights = reader(inputs, memory)
    left = weights.masked_fill(weights == weights.max(dim=-1, keepdim=True).values, 0)
    left = left / left.sum(dim=-1, keepdim=True)
    return left @ reader.W_value(memory), left


def look_without(key_of):
    """Compose a second look without one key, which is chosen by the weights of the first."""

    def answer(reader, inputs, memory):
        gone = key_of(reader(inputs, memory)[1])
        return reader(inputs, memory, torch.arange(memory.shape[-2]) != gone[..., None])

    return answer


def look_hiding_from_all(reader, inputs, memory):
    hidden = F.one_hot(reader(inputs, memory)[1].argmax(-1), memory.shape[-2]).sum(-2, keepdim=True)
    return reader(inputs, memory, hidden == 0)


def look_by_context(reader, inputs, memory):
    return look_by_argmax(reader, inputs, memory)[0]


RIGHT = {
    check_second_look: [look_by_argmax, look_by_one_hot, look_by_renewing, look_without(lambda w: w.argmax(-1))],
    check_read_memory: [
        reading(),
        read_by_cutting,
        read_by_pytorch,
        read_in_place,
        read_in_loops,
        read_by_adding,
        by_hand(real_keys),
        lambda *given: reading()(*(part.double() for part in given)),
    ],
    check_cross_attention: [Cross, CrossByHand, CrossOfSelf],
}
WRONG = {
    check_second_look: [
        (look_without(lambda weights: weights.argmin(-1)), "the key that is read least is hidden"),
        (look_without(lambda weights: weights.argmax(-2)), "the context of second_look with 5 queries and 5 keys"),
        (look_hiding_from_all, "a key is hidden from all queries: hide it only from the query that reads it most"),
        (
            lambda reader, *both: reader(*both, reader(*both)[1] > -1),
            "nothing is hidden: does the second call of reader",
        ),
        (look_by_context, "second_look with 5 queries and 5 keys returns two things: (context, weights)"),
        (lambda *given: look_by_argmax(*given)[::-1], "the order is: context first, then the weights"),
        (look_without(lambda weights: weights.max(-1).values.round().long()), "the context of second_look with"),
        (lambda reader, *both: reader(*both, reader(*both)[1]), "your function stopped with TypeError"),
        (lambda *given: None, "second_look with 5 queries and 5 keys gives None; did you forget `return`?"),
    ],
    check_read_memory: [
        (reading(hide=lambda lengths, keys: None), "the padding is read: hide it with a mask"),
        (reading(hide=lambda lengths, keys: real_keys(lengths.amax(0, True), keys)), "the padding is read"),
        (reading(hide=lambda lengths, keys: ~real_keys(lengths, keys)), "the mask is turned round"),
        (reading(hide=lambda lengths, keys: real_keys(lengths, keys).mT), "the mask is on the axis of the queries"),
        (reading(hide=lambda lengths, keys: real_keys(lengths + 1, keys)), "one token of padding is read"),
        (reading(give="inputs"), "the values come from the inputs; what is handed over is in the memory"),
        (reading(find="inputs"), "the keys come from the inputs; what is found is in the memory"),
        (reading("memory", "inputs", "inputs"), "the sequences are exchanged: the inputs ask, the memory answers"),
        (lambda X, M, q, k, v, lengths: reading()(X, M, q, v, k, lengths), "key and value are exchanged"),
        (reading(find="inputs", give="inputs"), "the inputs read themselves; the memory is not used"),
        (
            reading(find="inputs", give="inputs", hide=lambda lengths, keys: None),
            "the inputs read themselves; the memory is not used; and no mask hides the padding",
        ),
        (reading(ask="memory"), "the memory reads itself; the inputs must ask"),
        (masked_afterwards, "the mask comes after softmax"),
        (reading(hide=lambda lengths, keys: real_keys(lengths - 1, keys)), "one real token is hidden"),
        (reading("memory", "inputs"), "query and key come from the wrong sequences"),
        (reading("memory", give="inputs"), "query and value come from the wrong sequences"),
        (reading("memory", "inputs", "inputs", lambda *_: None), "the sequences are exchanged: the inputs ask, the"),
        (reading(give="inputs", hide=lambda *_: None), "the values come from the inputs; what is handed over"),
        (lambda X, M, *given: reading()(X, M, *(W.mT for W in given[:3]), given[3]), "the matrices are transposed"),
        (memory_set_to_zero, "a memory set to 0 still scores 0, and exp(0) is 1"),
        (keys_turned, ".T turns all axes of a batch round"),
        (by_hand(lambda lengths, keys: ~real_keys(lengths, keys)), "the mask is turned round"),
        (by_hand(lambda lengths, keys: real_keys(lengths, keys).mT), "the mask is on the axis of the queries"),
        (by_hand(lambda lengths, keys: real_keys(lengths, keys)[:, 0]), "the mask lacks the axis of the queries"),
        (lambda *given: reading()(*given) * torch.nan, "read_memory with 5 queries and 5 keys gives nan"),
        (lambda *given: (reading()(*given), None), "read_memory with 5 queries and 5 keys gives a tuple, but a tensor"),
        (lambda *given: None, "read_memory with 5 queries and 5 keys gives None; did you forget `return`?"),
        (lambda *given: reading()(*given).round(decimals=2), "read_memory with 5 queries and 5 keys is rounded"),
        (read_scaled_by_value, "divided by the root of the values' size; take the size of query and key"),
        (reading(hide=lambda lengths, keys: real_keys(lengths, keys)[:, 0]), "the mask lacks the axis of the queries"),
        (reading(hide=lambda lengths, keys: real_keys(lengths, 5)), "your function stopped with ValueError"),
    ],
    check_cross_attention: [
        (
            layers(linear("W_key", lambda d_model, d_memory, d_out: (d_model, d_out))),
            "W_key reads the memory, so it is",
        ),
        (layers(linear("W_value", lambda d_model, _, d_out: (d_model, d_out))), "W_value reads the memory, so it is"),
        (layers(linear("W_query", lambda _, d_memory, d_out: (d_memory, d_out))), "W_query reads the inputs, so it is"),
        (layers(linear("W_key", lambda _, d_memory, d_out: (d_out, d_memory))), "W_key reads the memory, so it is"),
        (layers(linear("W_value", lambda _, *sizes: sizes, bias=True)), "W_value has a bias; write bias=False"),
        (layers(name_of_another), "there is no layer self.W_query; make the three layers in __init__"),
        (layers(plain), "W_key is a Tensor; make it an nn.Linear, whose weight an optimizer finds"),
        (layers(parameter), "W_key is a Parameter; make it an nn.Linear"),
        (WithoutSuper, "begin __init__ with super().__init__()"),
        (WithoutForward, "the layers are right; now write the method forward"),
        (HalfWritten, "the layers are right; now write the method forward"),
        (NoModule, "CrossAttention(6, 4, 7) gives a NoModule, but a module was expected: class ...(nn.Module)"),
        (lambda *sizes: None, "CrossAttention(6, 4, 7) gives None; did you forget `return`?"),
        (reads(find="inputs"), "the keys come from the inputs; what is found is in the memory"),
        (reads(give="inputs"), "the values come from the inputs; what is handed over is in the memory"),
        (reads("memory", "inputs", "inputs"), "the sequences are exchanged: the inputs ask, the memory answers"),
        (reads(find="inputs", give="inputs"), "the inputs read themselves; the memory is not used"),
        (reads(ask="memory"), "the memory reads itself; the inputs must ask"),
        (cross(exchanged), "key and value are exchanged"),
        (reads(mask_of=lambda mask: None), "the mask has no effect"),
        (reads(mask_of=torch.logical_not), "the mask is turned round: True means 'may attend'"),
        (reads(mask_of=lambda mask: mask.mT), "the mask lies on its side: rows are queries, columns are keys"),
        (
            reads(result=lambda context, weights: context),
            "forward with 5 queries and 5 keys returns two things: (context",
        ),
        (reads(result=lambda context, weights: None), "forward with 5 queries and 5 keys gives None; did you forget"),
        (reads(result=lambda context, weights: (weights, context)), "the order is: context first, then the weights"),
        (weighed(masked_softmax, scale=False), "the scale is missing: divide by the square root of the size"),
        (weighed(lambda scores, mask: torch.softmax(scores, -2)), "the columns sum to 1, over the queries"),
        (weighed(lambda scores, mask: torch.softmax(scores, 0)), "softmax runs over the sentences of a batch"),
        (
            weighed(lambda scores, mask: scores.softmax(-1) * (1 if mask is None else mask)),
            "the mask comes after softmax",
        ),
        (cross(scaled_by_memory), "divided by the root of d_memory, the memory's size; take the size of"),
        (cross(key_turned), ".T turns all axes of a batch round"),
        (weighed(inverted_by_hand), "the mask is turned round: True means 'may attend'"),
        (reads("memory", "inputs"), "query and key come from the wrong sequences"),
        (reads("memory", give="inputs"), "query and value come from the wrong sequences"),
        (cross(scores_for_weights), "these are the scores; the weights come after softmax"),
        (cross(detached), "the context has no gradient, so nothing can learn"),
        (cross(key_by_data), "W_key gets no gradient, so it cannot learn"),
        (
            cross(cut_to_length),
            "the context of forward with 3 queries of 6 features and 8 keys of 4, and no batch has the",
        ),
        (cross(without_mask), "your class stopped with TypeError: "),
        (cross(batch_only), "your class stopped with RuntimeError: "),
        (lambda *sizes: MultiHeadAttention(6, 1), "W_query has a bias; write bias=False"),
    ],
}
