"""The trained head, and its table of embeddings, asked for ids that it may not have."""

import torch

from companion.which_minute.head import trained
from companion.which_minute.sentences import encode


def show_rows(ids):
    """Print what the table gives for a list of ids: a row of 8 numbers for each, or else the error."""
    try:
        print(trained().embedding.weight.detach()[ids])
    except IndexError as error:
        print(f"IndexError: {error}")


@torch.no_grad()
def ask_head(texts):
    """Return the head's answers, a list of numbers into `MEANINGS`, and its weights (texts, tokens) for "minute"."""
    logits, weights, _ = trained()(*encode([text.split() for text in texts]))
    return logits.argmax(dim=1).tolist(), weights
