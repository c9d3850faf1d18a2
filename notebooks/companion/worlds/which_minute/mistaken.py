"""The trained head with one step of attention changed, as people change it by mistake. Used in notebook 20."""

import torch
from torch import nn

from companion.mistakes import mask_added, scaled
from companion.worlds.which_minute.head import trained
from companion.worlds.which_minute.sentences import encode, sentences
from utils.attention import causal_mask, masked_softmax, padding_mask, scores


def _shares(numbers):
    return numbers / numbers.sum(dim=-1, keepdim=True)


MISTAKES = {  # how query and key are scored, and how scores and mask become weights
    "as trained": (scores, masked_softmax),
    "the mask is added, as 1 and 0": (scores, mask_added),
    "the scale is forgotten": (scaled(0), masked_softmax),
    "the maximum is not subtracted": (scores, lambda raw, mask: _shares(raw.exp() * mask)),
    "no softmax": (scores, lambda raw, mask: raw * mask),
    "softmax over the batch": (scores, lambda raw, mask: raw.masked_fill(~mask, -1e9).softmax(dim=0)),
    "the future is hidden": (scores, lambda raw, mask: masked_softmax(raw, mask & causal_mask(mask.shape[-1]))),
}


class Head(nn.Module):
    """The trained head as a layer of the clinic: it gives each token its context. score, weigh: as in `MISTAKES`."""

    def __init__(self, score, weigh):
        super().__init__()
        self.attend, self.score, self.weigh = trained().attend, score, weigh

    def forward(self, inputs, lengths):
        matrices = self.attend.W_query, self.attend.W_key, self.attend.W_value
        query, key, value = (matrix(inputs) for matrix in matrices)
        return self.weigh(self.score(query, key), padding_mask(lengths, inputs.shape[1])) @ value


def heads():
    """Return {what is changed: the head}, first the right one."""
    return {name: Head(*steps) for name, steps in MISTAKES.items()}


@torch.no_grad()
def percents_by_mistake():
    """Return {what is changed: percent of all sentences about which the head is right}."""
    head, (texts, meanings) = trained(), sentences()
    ids, _, positions = encode(texts)
    inputs, lengths, rows = head.embedding(ids), torch.tensor([*map(len, texts)]), torch.arange(len(ids))
    percents = {}
    for name, layer in heads().items():
        answers = head.answer(layer(inputs, lengths)[rows, positions]).argmax(dim=-1)
        percents[name] = round(100 * (answers == meanings).float().mean().item())
    return percents


def beside_the_right():
    """Return {what is changed: (the right head, the wrong one)}, and inputs and lengths of a sentence with padding."""
    (_, right), *wrong = heads().items()
    texts = [f"there was one minute {end}".split() for end in ("pause", "pause today")]
    inputs = trained().embedding(encode(texts)[0]).detach()
    return {name: (right, layer) for name, layer in wrong}, inputs, torch.tensor([*map(len, texts)])
