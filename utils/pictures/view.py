"""A picture of attention that a small script brings to life, without a kernel or a network."""

import html
import json
import math
from pathlib import Path

import torch

from utils.attention import causal_mask, masked_softmax
from utils.pictures.live.base import CALL, source, stored
from utils.pictures.palette import INK, MASKED, MUTED, ROLES, WEIGHT_STOPS, WHITE_INK_FROM
from utils.pictures.table import SHEET, WORDS, hint, label, steps_table, table
from utils.pictures.words import describe_largest, describe_query, labelled

FOLDER = Path(__file__).parent
MOST_HEADS = 16


def view(scores, queries, keys=None, *, head_dim=None, causal=None, follow=None, title="Attention weights"):
    """Show the softmax of scores as a table that can be followed query by query, with linked lines.

    scores: (queries, keys) or (heads, queries, keys), before softmax, -inf where a query may not attend;
    keys: labels, the queries' own if not given;
    head_dim: also show the steps of one query, the first if none is followed, from its raw dot products, over
    √head_dim and the mask, to the weights; causal: True or False offers the causal mask, on or off at the start;
    follow: index of the query followed at first.
    It needs no kernel and no network once shown. Where scripts are stripped, it is a table of head 0 and a sentence.
    Raises ValueError for shapes that do not fit, nan or +inf, weights in place of scores, a query that is not there,
    or more than 64 × 64 cells or 16 heads; TypeError for a `causal` that is not True or False.
    """
    scores = torch.as_tensor(scores, dtype=torch.float64)
    heads = scores if scores.ndim == 3 else scores[None]
    if not 1 <= len(heads) <= MOST_HEADS:
        raise ValueError(f"{len(heads)} heads cannot be chosen from; give 1 to {MOST_HEADS}")
    heads = [labelled("scores", head, queries, keys) for head in heads]
    _, queries, keys = heads[0]
    options = {"head_dim": _item(head_dim), "causal": _item(causal), "follow": _item(follow)}
    scores = torch.stack([head for head, _, _ in heads])
    _check_scores(scores)
    _check_options(len(queries), len(keys), **options)
    if head_dim is not None and follow is None:
        options["follow"] = 0
    return View(scores, queries, keys, options, title)


class View:
    """A picture that `view` made; a cell that ends with it shows it."""

    def __init__(self, scores, queries, keys, options, title):
        numbers = [[[*map(_stored, row)] for row in head] for head in scores.tolist()]
        self.data = {"scores": numbers, "queries": queries, "keys": keys, **options, "look": _look()}
        self.title = title
        # The stored page shows head 0, from the very numbers that the script gets.
        first = [[-math.inf if x is None else x for x in row] for row in numbers[0]]
        self.scores = torch.tensor(first, dtype=torch.float64)
        self.scaled = self.scores / math.sqrt(options["head_dim"] or 1)
        self.mask = self.scores.isfinite() & (causal_mask(len(queries)) if options["causal"] else True)
        self.weights = masked_softmax(self.scaled, self.mask)

    def _repr_mimebundle_(self, **options):
        return {"text/plain": f"view: {self._sentence(str)}", "text/html": self._page()}

    def _sentence(self, write):
        queries, keys, follow = self.data["queries"], self.data["keys"], self.data["follow"]
        head = "Head 0: " if len(self.data["scores"]) > 1 else ""
        if follow is None:
            return head + describe_largest(self.weights.tolist(), queries, keys, "weight", write)
        row, seen = self.weights[follow].tolist(), self.mask[follow].tolist()
        return head + describe_query(queries[follow], row, keys, seen, write)

    def _page(self):
        body = table(self.weights, self.data["queries"], self.data["keys"], mask=self.mask, title=self.title)
        style = f"margin:0.6em 0 0;color:{INK};{WORDS}"
        data = html.escape(json.dumps(self.data, ensure_ascii=False, separators=(",", ":")))
        return (
            f'<div class="attention-view" role="group" aria-label="{html.escape(self.title)}" data-view="{data}" '
            f'style="{SHEET}"><div class="attn-body">{_scrolling(body)}</div>'
            f'<p class="attn-sentence" aria-live="polite" style="{style}">{self._sentence(label)}</p>'
            f"{self._steps()}{hint(CALL)}"
            f"<style>{source(FOLDER / 'view.css')}</style><script>{source(FOLDER / 'view.js')}</script></div>"
        )

    def _steps(self):
        """Return the four steps of the followed query as a table; the script rewrites its numbers."""
        head_dim, follow = self.data["head_dim"], self.data["follow"]
        if head_dim is None:
            return ""
        masked = self.scaled.masked_fill(~self.mask, -math.inf)
        steps = {"score: q·k": self.scores, f"scaled: ÷ √{head_dim}": self.scaled, "masked": masked}
        steps = {name: numbers[follow].tolist() for name, numbers in steps.items()}
        weights = self.weights[follow].tolist()
        return _scrolling(steps_table(steps, weights, self.data["queries"][follow], self.data["keys"]))


def _stored(number):
    return stored(number) if math.isfinite(number) else None  # JSON has no infinity


def _check_scores(scores):
    if scores.isposinf().any():
        raise ValueError("a score is +inf, so that its row has no softmax; only -inf, for a hidden key, is allowed")
    sums = scores.sum(dim=-1)
    if (scores >= 0).all() and sums.any() and (((sums - 1).abs() < 1e-3) | (sums == 0)).all():
        raise ValueError(
            "these look like weights, because each row sums to 1; view takes scores, before softmax (if you have "
            "weights alone, give their logarithm; if these are scores, add 1 to each, which changes no weight)"
        )


def _check_options(num_queries, num_keys, head_dim, causal, follow):
    if causal is not None and not isinstance(causal, bool):
        raise TypeError(f"causal is {causal!r}; give True or False to offer the causal mask, or leave it out")
    if causal is not None and num_queries != num_keys:
        raise ValueError(f"a causal mask needs as many queries as keys, but there are {num_queries} and {num_keys}")
    if head_dim is not None and not head_dim > 0:
        raise ValueError(f"head_dim is {head_dim}; it is the number of features of a query, 1 or more")
    if follow is not None and (type(follow) is not int or follow not in range(num_queries)):
        raise ValueError(f"follow is {follow}, but the queries have the numbers 0 to {num_queries - 1}")


def _item(value):
    """Turn a number of torch's or numpy's into Python's."""
    return value.item() if hasattr(value, "item") else value


def _look():
    """Return the colours, and the weight from which words are white."""
    return {
        "stops": WEIGHT_STOPS,
        "whiteInkFrom": WHITE_INK_FROM,
        "line": ROLES["weight"].fill,
        "ink": INK,
        "hidden": MASKED,
        "muted": MUTED,
    }


def _scrolling(content):
    return f'<div class="attn-scroll" tabindex="0" style="overflow:auto;max-height:36em">{content}</div>'
