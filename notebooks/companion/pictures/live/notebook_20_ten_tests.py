"""A right layer, one with an error, and which of the ten tests notice it."""

import re

from matplotlib.colors import to_hex

from companion.pictures.live.base import Live
from companion.pictures.notebook_20_right_and_wrong import GREEN, PALE, WRONG
from companion.pictures.palette import CORRECT, INK, MASKED, MUTED, NOT_ATTEMPTED, NOT_YET, PAPER, VERDICT_SIGNS
from companion.pictures.table import ROW, label
from companion.pictures.words import visible
from utils.properties import examine
from utils.who_reads import who_reads

# What is given to a layer once, what must come of it, what is given the other time, and what that is, in words.
# A capital's output is compared; ? is a token that was changed, a lower letter is not looked at, − is padding.
TESTS = {
    "alone_as_in_a_batch": ("ABC", "=", "ABC−", "with padding behind it"),
    "sentences_kept_apart": ("ABC def", "=", "ABC ???", "beside other words"),
    "a_beginning_stays": ("AB", "=", "ABcdef", "when the sentence goes on"),
    "all_that_may_be_read_counts": ("ABCDEF", "≠", "?BCDEF", "one token is changed"),
    "order_counts_as_promised": ("abcdeF", "≠", "edcbaF", "shuffled; = without positions"),
    "copies_add_nothing": ("A", "=", "AAAAAA", "six copies of it"),
    "twice_the_same": ("ABCDEF", "=", "ABCDEF", "once more"),
    "large_numbers_stay_numbers": ("abcdef", "", "", "a hundred times as large: finite?"),
    "every_number_learns": ("abcdef", "", "", "does each matrix get a gradient?"),
    "equal_to_the_reference": ("ABCDEF", "=", "ABCDEF", "in a layer that is right"),
}
COMPARED = f"background:{to_hex(GREEN)};color:{INK};font-weight:700"
LEGEND = {
    "●": "output moves with the input",
    "+": "moves in error",
    "−": "no longer moves",
    "ABC": "compared outputs",
    "???": "changed tokens",
    "✓": "passes",
    "✗": "fails",
    "○": "not tested",
}
RUN = re.compile(r"(?P<compared>[A-Z]+)|(?P<changed>\?+)|(?P<padding>−)|(?P<other>[a-z]+)")
RUNS = {
    "compared": f"{COMPARED};font-weight:700",
    "changed": f"background:{INK};color:{PAPER}",
    "padding": f"background:{MASKED};color:{INK}",
    "other": f"color:{MUTED}",
}
LOOKS = {sign: f"color:{color};font-weight:700" for sign, color in VERDICT_SIGNS.values()}
LOOKS |= {" ": f"background:{MASKED}", "●": COMPARED}
LOOKS |= {sign: f"background:{to_hex(PALE)};color:{INK};font-weight:700;border:2px solid {WRONG}" for sign in "+−"}
OPPOSITE = {"=": "≠", "≠": "=", "": ""}  # what a test that fails has found
MEETING = {(True, True): "●", (False, True): "+", (True, False): "−", (False, False): " "}


def ten_tests(layers, inputs, lengths):
    """Show which outputs move in a right layer and in one with an error, and which tests fail; one chooses the error.

    layers: {what is wrong: (right, wrong)}, which is causal if it says so; inputs, lengths: as `who_reads` takes
    them.
    """
    errors = []
    for name, (right, wrong) in layers.items():
        reads = [who_reads(layer, inputs, lengths) > 0 for layer in (right, wrong)]
        report = examine(wrong, inputs.shape[2], causal=getattr(right, "causal", False), reference=right)
        errors.append({"name": visible(name), "moves": _moves(*reads), "tests": _verdicts(report)})
    failed = [test for test, sign in zip(TESTS, errors[0]["tests"]) if sign == "✗"]
    says = f"{len(failed)} of {len(TESTS)} tests fail: {', '.join(failed) or 'none'}."
    data = {"errors": errors, "looks": LOOKS, "meets": [meets for _, meets, *_ in TESTS.values()], "opposite": OPPOSITE}
    beside = f"{_maps(errors[0], *reads[0].shape)}{_legend()}"
    table = f'<div style="display:flex;flex-wrap:wrap;gap:8px 32px">{beside}</div>{_list(errors[0]["tests"])}'
    return Live("ten-tests", data, table, lambda quote: f"{quote(errors[0]['name'])}: {says}", "Which tests notice it?")


def _moves(right, wrong):
    """Return a sign for each output and input, row by row, the right layer's first."""
    rows = zip(right.tolist(), wrong.tolist())
    return "".join(MEETING[pair] for one, other in rows for pair in [*zip(one, one), *zip(one, other)])


def _verdicts(report):
    """Return the sign of each test: not made, failed or passed."""
    kinds = (NOT_ATTEMPTED if test in report.not_tested else NOT_YET if test in report else CORRECT for test in TESTS)
    return "".join(VERDICT_SIGNS[kind][0] for kind in kinds)


def _maps(case, rows, columns):
    """Return both maps as one table, whose other cells are in the order of the signs."""
    (good, green), (bad, red) = VERDICT_SIGNS[CORRECT], VERDICT_SIGNS[NOT_YET]
    title = '<th colspan="{}" align="left" valign="bottom" style="color:{};font-weight:600">{} {}</th>'
    titles = title.format(columns + 1, green, good, "right layer"), title.format(columns, red, bad, label(case["name"]))
    head = "".join(f'<th align="center">{i if i < rows else "pad"}</th>' for i in range(columns))
    body = ""
    for i in range(rows):
        signs = case["moves"][2 * columns * i :][: 2 * columns]
        cells = [f'<td align="center" width="22" style="{LOOKS[sign]}">{sign.strip()}</td>' for sign in signs]
        body += f"{ROW}<th>{i}</th>{''.join(cells[:columns])}<td></td>{''.join(cells[columns:])}</tr>"
    corner = '<th align="right" style="white-space:nowrap">output ↓<br/>input →</th>'
    body = f'{ROW}<td></td>{"".join(titles)}</tr>{ROW}{corner}{head}<td width="20"></td>{head}</tr>{body}'
    return f'<table class="attn-moves" cellpadding="3" style="font-size:13px">{body}</table>'


def _legend():
    """Return what each sign means, as a table."""
    rows, look = "", "display:inline-block;width:20px"
    for sign, words in LEGEND.items():
        shown = RUN.sub(_colored, sign) if len(sign) > 1 else f'<span style="{look};{LOOKS[sign]}">{sign}</span>'
        rows += f'{ROW}<td align="center">{shown}</td><td align="left">{words}</td></tr>'
    return f'<table class="attn-legend" cellpadding="2" style="font-size:13px">{rows}</table>'


def _list(signs):
    """Return the tests as a table, a row each: its sign, its name, and what it compares."""
    rows = ""
    for sign, (test, (*parts, words)) in zip(signs, TESTS.items()):
        first = f'<td width="18" style="{LOOKS[sign]}">{sign}</td><th align="left">{test}</th>'
        fails = sign == VERDICT_SIGNS[NOT_YET][0]
        given, meets, other = (RUN.sub(_colored, part) for part in parts)
        meets = f'<b style="{LOOKS[sign] if fails else "font-weight:400"}">{OPPOSITE[meets] if fails else meets}</b>'
        compared = f"{given} {meets} {other}"
        row = '<tr class="attn-fails"' if fails else "<tr"
        rows += f'{row} style="background:none">{first}<td align="left">{compared} <i>{words}</i></td></tr>'
    return f'<table class="attn-tests" cellpadding="3" style="font-size:13px;margin-top:8px">{rows}</table>'


def _colored(run):
    kind, look = run.lastgroup, "padding:1px 3px;letter-spacing:3px"
    text = "pad" if kind == "padding" else run[0].lower()
    return f'<span class="attn-{kind}" style="{look};{RUNS[kind]}">{text}</span>'
