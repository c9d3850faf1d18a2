"""Features cut into heads: each number in its token's shade, and framed where it stands in another token's row."""

import html

import torch
from matplotlib.colors import to_hex

from companion.pictures.palette import EDGE, INK, ROLES, ink_on, tint
from companion.pictures.table import LABEL, Page, label

PALEST = 0.15  # the shade of the first token; the last one has the full color
OWN, STRAY = f"border:2px solid {EDGE}", f"border:2px solid {INK};font-weight:700"
GRID = "display:inline-table;vertical-align:middle;border-collapse:separate;border-spacing:3px;font-size:14px"
BESIDE = "display:inline-block;vertical-align:middle;margin:0.4em 0.6em"


def cuts(features, ways, tokens):
    """Show features and ways to cut them into heads; a number that left its token's row is framed.

    features: (tokens, d_model), all numbers different; ways: {name: (heads, tokens, head_dim)}; tokens: labels.
    Raises ValueError for other shapes, equal features, or numbers that are none of them.
    """
    if features.ndim != 2 or len(features) != len(tokens) or len(features.unique()) < features.numel():
        wanted = f"({len(tokens)}, d_model) with all numbers different was expected"
        raise ValueError(f"the features have shape {tuple(features.shape)}; {wanted}")
    for name, heads in ways.items():
        if heads.ndim != 3 or heads.shape[1] != len(tokens) or not torch.isin(heads, features).all():
            wanted = f"(heads, {len(tokens)}, head_dim) with the features' own numbers was expected"
            raise ValueError(f"{name!r} has shape {tuple(heads.shape)}; {wanted}")
    return _shown(features, ways, tokens)


def merges(features, ways, tokens):
    """Show features that were cut into heads, and ways to merge these, {name: (tokens, d_model)}, as `cuts` does.

    Raises ValueError for merged features of another shape.
    """
    for name, merged in ways.items():
        if merged.shape != features.shape:
            wanted = f"{tuple(features.shape)}, the shape of the features, was expected"
            raise ValueError(f"{name!r} has shape {tuple(merged.shape)}; {wanted}")
    return _shown(features, {name: merged[None] for name, merged in ways.items()}, tokens, "merged")


def _shown(features, ways, tokens, caption="head {}"):
    features, parts, facts = features.tolist(), "", []
    owner = {number: token for token, row in enumerate(features) for number in row}
    for name, heads in ways.items():
        heads = heads.tolist()
        strays = sum(owner[n] != token for head in heads for token, row in enumerate(head) for n in row)
        facts.append(f"{name}: {f'{strays} numbers in another' if strays else 'every number in its'} token's row")
        parts += f'<p style="margin:0.4em 0;font-weight:600">{html.escape(facts[-1], quote=False)}</p>'
        parts += "".join(_grid(caption.format(number), head, tokens, owner) for number, head in enumerate(heads))
    arrow = f'<span style="{BESIDE};font-size:28px" aria-hidden="true">→</span>'
    page = f'{_grid("before the cut", features, tokens, owner)}{arrow}<div style="{BESIDE}">{parts}</div>'
    return Page(f"cuts: {'; '.join(facts)}", page, "Cut into heads")


def _grid(caption, rows, tokens, owner):
    body = ""
    for position, (token, row) in enumerate(zip(tokens, rows)):
        head = f'<th scope="row" style="{LABEL};text-align:right;color:{INK}">{label(token)}</th>'
        cells = "".join(_cell(number, owner[number], position, len(tokens)) for number in row)
        body += f'<tr style="background:none">{head}{cells}</tr>'
    caption = f'<caption style="color:{INK}">{caption}</caption>'
    return f'<table style="{GRID};color:{INK}">{caption}<tbody>{body}</tbody></table>'


def _cell(number, owner, position, count):
    """Return a number in the shade of the token that owns it, of so many, framed if it stands at another's place."""
    face = to_hex(tint(ROLES["query"].fill, PALEST + (1 - PALEST) * owner / max(1, count - 1)))
    style = f"background:{face};color:{ink_on(face)};text-align:center;padding:0.2em 0.6em"
    return f'<td style="{style};{OWN if owner == position else STRAY}">{number}</td>'
