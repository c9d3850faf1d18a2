"""Right and wrong answers to the exercises in notebook 06 (context vectors)."""

import torch
import torch.nn.functional as F

from companion.checks.notebook_06 import check_mask_case, check_masked_softmax, check_my_attention
from utils.attention import masked_softmax


def by_hand(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    exps = (scores - scores.amax(-1, keepdim=True)).exp() * (1 if mask is None else mask)
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def by_pytorch(query, key, value, mask=None):
    each_alone = torch.eye(key.shape[-2]).expand(*key.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, part, mask) for part in (value, each_alone)]


def turned_from_the_front(query, key, value, mask=None):
    weights = masked_softmax(query @ key.transpose(1, 2) / query.shape[-1] ** 0.5, mask)
    return weights @ value, weights


def written_into(scores, mask=None, index_of=lambda mask, weights: ~mask.expand_as(weights)):
    if mask is None:
        return torch.softmax(scores, -1)
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), -1)
    weights[index_of(mask, weights)] = 0
    return weights


def if_mask(scores, mask=None):
    return masked_softmax(scores, mask) if mask else torch.softmax(scores, -1)


def case(size=20.0, shape=(2, 5, 5), hidden=(1, 3)):
    """Return an answer that draws numbers of this size; hidden: where the row is that may read nothing."""

    def mask_case():
        query, key, value = size * torch.randn(3, *shape)
        mask = torch.eye(shape[-2]).expand(*shape[:-1], -1) == 1  # each query reads one key
        mask[hidden] = False
        return query, key, value, mask

    return mask_case


def without_empty_row():
    query, key, value, _ = case()()
    return query, key, value, torch.ones(5, 5, dtype=torch.bool).tril()


def never_highest(*hidden_rows):
    """Return a case with queries above and keys below 0, in which no hidden key scores highest."""
    query, key = torch.full((2, 2, 1), 20.0), torch.tensor([-20.0, -40.0])[:, None].expand(2, 2, 1)
    mask = torch.tensor([True, False]).repeat(2, 2, 1)
    mask[hidden_rows] = False
    return query, key, key + 1, mask


RIGHT = {check_masked_softmax: [by_hand], check_my_attention: [by_pytorch], check_mask_case: [case()]}
WRONG = {
    check_masked_softmax: [
        (written_into, "writing into a tensor, as in weights[~mask] = 0, leaves training no way back"),
        (lambda *inputs: written_into(*inputs, index_of=lambda mask, _: ~mask), "a mask may have fewer rows than"),
        (if_mask, "`if mask:` and `not mask` ask the whole table for one True or False"),
        (lambda *inputs: masked_softmax(*inputs).detach() + 0 * inputs[0], "the numbers are right, but training canno"),
        (lambda scores, mask=None: masked_softmax(scores, ~~mask), "without a mask there is nothing to invert"),
    ],
    check_my_attention: [(turned_from_the_front, "transpose(1, 2) counts from the front and fits a batch only")],
    check_mask_case: [
        (lambda: torch.randn(3, 5, 5).unbind(), "mask_case() returns four things"),
        (lambda: (*torch.randn(3, 5, 5), None), "the mask gives None; did you forget `return`?"),
        (lambda: tuple(torch.randn(4, 5, 5)), "the mask has dtype torch.float32"),
        (lambda: (*torch.randn(3, 5, 5), torch.ones(4, 4) == 1), "right attention stops with your case, whose shapes"),
        (lambda: (*torch.randn(3, 5, 5) / 0, torch.ones(5, 5) == 1), "right attention gives nan or inf for your case"),
        (lambda: (*torch.randn(3, 5, 5), torch.ones(5, 5) == 1), "your case does not catch 1, 2, 3, 4, 5. Number 1: "),
        (lambda: (*torch.randn(3, 1, 5), torch.zeros(1, 1) == 1), "your case does not catch 2, 4, 5. Number 2: w"),
        (lambda: never_highest([], []), "your case does not catch 1, 2, 3, 4. Number 1: your hidden keys get al"),
        (lambda: never_highest(1, 1), "your case does not catch 2. Number 2: your hidden keys"),
        (without_empty_row, "your case does not catch 3, 4. Number 3: which row"),
        (case(shape=(5, 5), hidden=3), "your case does not catch 4, 5. Number 4: how many"),
        (case(size=1.0), "your case does not catch 5. Number 5: how low"),
    ],
}
