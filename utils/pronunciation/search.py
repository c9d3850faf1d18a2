"""From a trained model to pronunciations: take the likeliest phoneme each time, or keep several beginnings alive.

Used in notebook 13. A model is anything with `encode(letters)` and `decode(phonemes, memory, mask)`.
"""

import torch

from utils.pronunciation.dictionary import BEGIN, END, LONGEST, PADDING, PHONEMES, pad, spelled

AT_ONCE = 100  # words in a batch: with more, a wide beam takes much memory
MOST_PHONEMES = LONGEST + 4


def pronounce(model, words, beam=1):
    """Return {word: pronunciation}, each a tuple of phonemes, as the model would say the words.

    beam: how many beginnings of a pronunciation are kept alive, by their probability; with 1, only the likeliest
    next phoneme counts ("greedy").
    Puts the model into evaluation mode. Raises KeyError for a letter that is not in the alphabet.
    """
    model.eval()
    in_order = sorted(words, key=len)  # words of about one length share a batch
    pronunciations = {}
    for start in range(0, len(in_order), AT_ONCE):
        group = in_order[start : start + AT_ONCE]
        found = search(model, pad([spelled(word) for word in group]), beam)
        pronunciations |= {word: PHONEMES.decode(ids) for word, ids in zip(group, found.tolist())}
    return {word: pronunciations[word] for word in words}


@torch.no_grad()
def search(model, letters, beam=1):
    """Return the ids of the likeliest pronunciation found, (batch, phonemes), from begin to end and then padding.

    letters: ids (batch, letters); beam: as in `pronounce`. Raises ValueError for a beam below 1.
    """
    if beam < 1:
        raise ValueError(f"beam is {beam}; at least 1 beginning must be kept")
    batch = len(letters)
    memory, mask = (part.repeat_interleave(beam, dim=0) for part in model.encode(letters))
    found = torch.full((batch * beam, 1), BEGIN)
    scores = torch.full((batch, beam), -torch.inf)  # the logarithm of each beginning's probability
    scores[:, 0] = 0.0  # at first all beginnings of a word are the same: only one may go on
    rows = beam * torch.arange(batch)[:, None]  # where each word's beginnings start
    for _ in range(MOST_PHONEMES):
        steps = model.decode(found, memory, mask)[:, -1].log_softmax(dim=-1)
        steps[:, [PADDING, BEGIN]] = -torch.inf  # no phonemes
        ended = (found[:, -1] == END) | (found[:, -1] == PADDING)
        steps[ended] = -torch.inf
        steps[ended, PADDING] = 0.0  # what has ended stays as likely as it is
        totals = scores[:, :, None] + steps.unflatten(0, (batch, beam))  # (batch, beam, ids)
        scores, best = totals.flatten(1).topk(beam)
        parents, phonemes = best // len(PHONEMES), best % len(PHONEMES)
        found = torch.cat([found[(rows + parents).flatten()], phonemes.reshape(-1, 1)], dim=1)
        if ((phonemes == END) | (phonemes == PADDING)).all():
            break
    return found[rows[:, 0]]  # topk sorts: the first is the likeliest
