"""How many words each control says right. Used in notebook 14."""

import torch

from companion.pictures.palette import ROLES
from companion.pictures.spread import spreads
from companion.worlds.pronunciation.controls import MODELS


def show_right(record, caption=None):
    """Draw a record's words right in %, of all test words and of the bent ones, a dot for each seed."""
    shares = [
        [[run[pile] for pile in ("test", "bent")] for run in record["runs"] if run["kind"] == kind] for kind in MODELS
    ]
    percents = 100 - 100 * torch.tensor(shares)  # (kinds, seeds, piles)
    ends = zip(percents[0].amin(dim=0).tolist(), percents[0].amax(dim=0).tolist())  # of those that may choose
    piles = "% right of all 12,000 test words", "% right of the bent ones"
    charts = {pile: (band, "may choose", 50) for pile, band in zip(piles, ends)}
    names = "may choose", "four fixed", "all letters"
    return spreads(dict(zip(names, percents)), charts, caption, {names[0]: ROLES["weight"].fill})
