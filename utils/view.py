"""A picture of attention that a small script brings to life, without a kernel or a network."""

import html
import json
import math
from pathlib import Path

import torch

from utils.attention import causal_mask, masked_softmax
from utils.style import INK, ROLES, WEIGHT_COLOURS, WEIGHT_STOPS, ink_on
from utils.table import SHEET, check_labels, describe_largest, describe_query, hint, plain, steps_table, table, visible

FOLDER = Path(__file__).parent


def view(scores, queries, keys=None, *, head_dim=None, causal=None, follow=None, title="Attention weights"):
    """Show the softmax of scores as a table that can be followed query by query, with linked lines.

    scores: (queries, keys) or (heads, queries, keys), before softmax, -inf where a query may not attend;
    keys: labels, the queries' own if not given;
    head_dim: also show the steps of one query, from its raw dot products, over √head_dim and the mask, to the weights;
    causal: True or False offers the causal mask, on or off at the start; follow: index of the query followed at first.
    It needs no kernel and no network once shown, and where scripts are stripped it is a table and a sentence.
    Raises ValueError for shapes that do not fit, nan or +inf, weights in place of scores, or a query that is not there.
    """
    keys = queries if keys is None else keys
    scores = torch.as_tensor(scores).detach().double()
    check_labels("scores", scores, queries, keys)
    follow, head_dim, causal = _item(follow), _item(head_dim), _item(causal)
    _check_view(scores, queries, keys, head_dim, causal, follow)
    scores = scores.reshape(-1, len(queries), len(keys))  # (heads, queries, keys)
    follow = 0 if follow is None and head_dim is not None else follow
    return View(scores, [*map(visible, queries)], [*map(visible, keys)], head_dim, causal, follow, title)


class View:
    """A picture that `view` made; a cell that ends with it shows it."""

    def __init__(self, scores, queries, keys, head_dim, causal, follow, title):
        self.queries, self.keys, self.follow, self.title = queries, keys, follow, title
        # Nine digits give every float32 back exactly.
        numbers = [[[_number(score) for score in row] for row in head] for head in scores.tolist()]
        self.data = {"scores": numbers, "queries": queries, "keys": keys}
        self.data |= {"headDim": head_dim, "causal": causal, "follow": follow}

    def first_steps(self):
        """Return the first head's scores, scaled scores, mask (True = may attend) and weights, each (queries, keys)."""
        first = [[-math.inf if score is None else score for score in row] for row in self.data["scores"][0]]
        scores = torch.tensor(first, dtype=torch.float64)
        scaled = scores / math.sqrt(self.data["headDim"] or 1)
        mask = scores.isfinite() & (causal_mask(len(self.queries)) if self.data["causal"] else True)
        return scores, scaled, mask, masked_softmax(scaled, mask)

    def sentence(self):
        """Say, in HTML, what the picture shows at the start."""
        *_, mask, weights = self.first_steps()
        if self.follow is None:
            return describe_largest(weights.tolist(), self.queries, self.keys)
        row = self.follow
        return describe_query(self.queries[row], weights[row].tolist(), self.keys, mask[row].tolist())

    def _repr_mimebundle_(self, **options):
        return {"text/plain": f"view: {plain(self.sentence())}", "text/html": self._page()}

    def _page(self):
        *_, mask, weights = self.first_steps()
        body = table(weights, self.queries, self.keys, mask=mask, title=self.title)
        look = {"stops": WEIGHT_STOPS, "whiteInkFrom": _white_ink_from(), "line": ROLES["weight"].fill}
        data = html.escape(json.dumps(self.data | look, ensure_ascii=False, separators=(",", ":")))
        return (
            f'<div class="attention-view" role="group" aria-label="{html.escape(self.title)}" data-view="{data}" '
            f'style="{SHEET}"><div class="body"><div class="scroll" tabindex="0" style="overflow:auto;max-height:36em">{body}</div>'
            f'</div><p class="sentence" role="status" style="margin:0.6em 0 0;color:{INK}">'
            f"{self.sentence()}</p>{self._steps()}"
            f"{hint('Run the cell to make this picture react.')}"
            f"<style>{_asset('view.css')}</style><script>{_asset('view.js')}</script></div>"
        )

    def _steps(self):
        """Return the four steps of the followed query as a table; the script rewrites its numbers."""
        if self.data["headDim"] is None:
            return ""
        scores, scaled, mask, weights = (each[self.follow] for each in self.first_steps())
        masked = scaled.masked_fill(~mask, -math.inf)
        steps = {"score: q·k": scores, f"scaled: ÷ √{self.data['headDim']}": scaled, "masked": masked}
        steps = {name: row.tolist() for name, row in steps.items()}
        rows = steps_table(steps, weights.tolist(), self.queries[self.follow], self.keys)
        return f'<div class="scroll" tabindex="0" style="overflow:auto">{rows}</div>'


def _check_view(scores, queries, keys, head_dim, causal, follow):
    if scores.isnan().any() or scores.isposinf().any():
        raise ValueError(
            "a score is nan or +inf, so that its row has no softmax; only -inf, for a hidden key, is allowed"
        )
    sums = scores.sum(dim=-1)
    if (scores >= 0).all() and sums.any() and (((sums - 1).abs() < 1e-3) | (sums == 0)).all():
        raise ValueError(
            "these look like weights, because each row sums to 1; view takes scores, before softmax (if you have "
            "weights alone, give their logarithm; if these are scores, add 1 to each, which changes no weight)"
        )
    if causal is not None and len(queries) != len(keys):
        raise ValueError(f"a causal mask needs as many queries as keys, but there are {len(queries)} and {len(keys)}")
    if head_dim is not None and not head_dim > 0:
        raise ValueError(f"head_dim is {head_dim}; it is the number of features of a query, 1 or more")
    if follow is not None and not 0 <= follow < len(queries):
        raise ValueError(f"follow is {follow}, but the queries have the numbers 0 to {len(queries) - 1}")


def _item(value):
    """Turn a number of torch's or numpy's into Python's."""
    return value.item() if hasattr(value, "item") else value


def _number(score):
    """Nine digits give every float32 back exactly; JSON has no infinity."""
    return float(f"{score:.9g}") if math.isfinite(score) else None


def _white_ink_from():
    """Return the weight from which white words stand out more than black ones."""
    return next(weight / 255 for weight in range(256) if ink_on(WEIGHT_COLOURS(weight / 255)[:3]) == "#FFFFFF")


def _asset(name):
    """Return a file beside this one, without its indentation and comment lines."""
    lines = (line.strip() for line in (FOLDER / name).read_text(encoding="utf-8").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))
