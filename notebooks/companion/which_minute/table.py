"""The trained head's table of embeddings, asked for ids it may not have, and with a row of random numbers in it."""

import torch

from companion.which_minute.head import trained
from companion.which_minute.sentences import VOCABULARY, encode


def show_rows(ids):
    """Print what the table gives for a list of ids: a row of 8 numbers for each, or else the error."""
    try:
        print(trained().embedding.weight.detach()[ids])
    except IndexError as error:
        print(f"IndexError: {error}")


@torch.no_grad()
def ask_head(texts, random_row=None, seed=0):
    """Return the head's answers, a list of numbers into `MEANINGS`, and its weights (texts, tokens) for "minute".

    random_row: a word whose row in the table is drawn at random, another one for each seed.
    """
    head = trained()
    if random_row is not None:
        draw = torch.Generator().manual_seed(seed)
        head.embedding.weight[VOCABULARY.ids[random_row]] = torch.randn(8, generator=draw)
    logits, weights, _ = head(*encode([text.split() for text in texts]))
    return logits.argmax(dim=1).tolist(), weights
