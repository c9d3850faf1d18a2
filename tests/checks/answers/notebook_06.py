"""Right and wrong answers to the exercises in notebook 06 (context vectors)."""

import torch
import torch.nn.functional as F

from companion.checks.notebook_06 import check_mask_case, check_masked_softmax, check_my_attention


def by_hand(scores, mask=None):
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    exps = (scores - scores.amax(-1, keepdim=True)).exp()
    if mask is not None:
        exps = exps * mask
    return exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)


def by_pytorch(query, key, value, mask=None):
    each_alone = torch.eye(key.shape[-2]).expand(*key.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, part, mask) for part in (value, each_alone)]


def mask_case():
    query, key, value = 20.0 * torch.randn(3, 2, 5, 5)
    mask = torch.eye(5).expand(2, -1, -1) == 1  # each query reads one key
    mask[1, 3] = False
    return query, key, value, mask


def never_highest(*hidden_rows):
    """Return a case with queries above and keys below 0, in which no hidden key scores highest."""
    query, key = torch.full((2, 2, 1), 20.0), torch.tensor([-20.0, -40.0])[:, None].expand(2, 2, 1)
    mask = torch.tensor([True, False]).repeat(2, 2, 1)
    mask[hidden_rows] = False
    return query, key, key + 1, mask


RIGHT = {check_masked_softmax: [by_hand], check_my_attention: [by_pytorch], check_mask_case: [mask_case]}
WRONG = {
    check_masked_softmax: {
        "writing into a tensor, as in weights[~mask] = 0, leaves training no way back": {
            "exps = exps * mask": "exps[~mask.expand_as(exps)] = 0"
        },
        "a mask may have fewer rows than": {"exps = exps * mask": "exps[~mask] = 0"},
        "`if mask:` and `not mask` ask the whole table for one True or False": {"mask is not None": "mask"},
        "the numbers are right, but training canno": {"return exps": "return 0 * scores + exps.detach()"},
        "without a mask there is nothing to invert": {"mask is not None": "~~mask is not None"},
    },
    check_my_attention: {
        "transpose(1, 2) counts from the front and fits a batch only": {"key, part": "key.transpose(1, 2).mT, part"}
    },
    check_mask_case: {
        "mask_case() returns four things": lambda: torch.randn(3, 5, 5).unbind(),
        "the mask gives None; did you forget `return`?": lambda: (*torch.randn(3, 5, 5), None),
        "the mask has dtype torch.float32": lambda: tuple(torch.randn(4, 5, 5)),
        "right attention stops with your case, whose shapes": lambda: (*torch.randn(3, 5, 5), torch.ones(4, 4) == 1),
        "right attention gives nan or inf for your case": lambda: (*torch.randn(3, 5, 5) / 0, torch.ones(5, 5) == 1),
        "your case does not catch 1, 2, 3, 4, 5. Number 1: ": lambda: (*torch.randn(3, 5, 5), torch.ones(5, 5) == 1),
        "your case does not catch 2, 4, 5. Number 2: w": lambda: (*torch.randn(3, 1, 5), torch.zeros(1, 1) == 1),
        "your case does not catch 1, 2, 3, 4. Number 1: your hidden keys get al": lambda: never_highest([], []),
        "your case does not catch 2. Number 2: your hidden keys": lambda: never_highest(1, 1),
        "your case does not catch 3, 4. Number 3: which row": {
            "mask[1, 3] = False": "mask = torch.ones(5, 5, dtype=torch.bool).tril()"
        },
        "your case does not catch 4, 5. Number 4: how many": {
            "randn(3, 2": "randn(3",
            ".expand(2, -1, -1)": "",
            "mask[1, 3]": "mask[3]",
        },
        "your case does not catch 5. Number 5: how low": {"20.0": "1.0"},
    },
}
