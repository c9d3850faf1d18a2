"""What the script of a live picture says after each move, and the words that it shows, are those of Python."""

import re
from pathlib import Path

import pytest
import torch
from lab import drag_by_mouse, sentence, spoken
from live_pictures import EXAMPLES, twin_rows
from playwright.sync_api import expect

from companion.pictures.live.base import FOLDER
from companion.pictures.live.notebook_04_turn_query import turn_query
from companion.pictures.live.notebook_05_softmax_machine import softmax_machine
from companion.pictures.live.notebook_06_mixture import mixture
from companion.pictures.live.notebook_06_parting import parting
from companion.pictures.live.notebook_08_letter_bars import letter_bars
from companion.pictures.live.notebook_10_linked_heads import linked_heads
from companion.pictures.live.notebook_11_clocks import clocks, jump_clocks, position_clocks
from companion.pictures.live.notebook_13_two_heads import two_heads
from companion.pictures.live.notebook_14_teacher_forcing import teacher_forcing
from companion.pictures.live.notebook_15_all_heads import all_heads
from companion.pictures.live.notebook_16_online_softmax import online_softmax
from companion.pictures.live.notebook_17_kept import kept
from companion.pictures.live.notebook_20_ten_tests import ten_tests
from companion.pictures.live.readings import LETTERS
from companion.pictures.words import largest_first, two_decimals
from companion.worlds.stories.becoming import becoming
from companion.worlds.stories.trace import on_its_way, past, trace
from companion.worlds.stories.writer import Writer
from companion.worlds.strawberry import strawberry
from companion.worlds.which_minute.gathering import gathering
from companion.worlds.which_minute.head import untrained
from companion.worlds.which_minute.heads_out import heads_out
from companion.worlds.which_minute.learning import learning
from companion.worlds.which_minute.one_query import one_query
from companion.worlds.which_minute.stages import stages, told_apart
from companion.worlds.which_minute.two_sentences import two_sentences
from companion.worlds.words import trained_speller

TOKENS, WORDS = ["Life", "is", "short", "eat"], ["she", "noticed", "one", "minute"]
torch.manual_seed(0)
MAPS = torch.softmax(3 * torch.randn(2, 3, 4, 4), dim=-1)
WRITER = Writer()
QUERY, KEY = torch.randn(2, 4, dtype=torch.float64)
KEYS = torch.tensor([[1.2, 0.3], [0.5, 2.5], [-1.0, 1.0]], dtype=torch.float64)
WEIGHTS = torch.tensor([0.44, 0.34, 0.22], dtype=torch.float64)
VALUE, RAISED = torch.tensor([[[3.0, up], [0.5, -2.0], [-1.5, 0.0]] for up in (1.0, 1.1)], dtype=torch.float64)
SCORES, AMOUNTS = torch.tensor([0.5, -1.0, 2.0, 3.5]), torch.tensor([8.0, 16.0, 4.0, 1.0])
FILM = torch.tensor([3, 3, 4, 4, 3, 3, 2, 2, 6, 1, 1, 8]).view(2, 2, 3) / 10, torch.arange(8.0).view(2, 2, 2)
CLUES = [["one", "minute", "pause"], ["one", "minute", "crack"]]
SIZES = {"num_heads": 4, "head_dim": 16, "num_kv_heads": 2, "d_latent": 8, "window": 3}
TABLE = torch.tensor([[0.7, 0.2, 0.1], [0.01, 0.8, 0.19], [0.0, 0.1, 0.9]])
SAID = {
    "me": (["M", "IY"], (["M", "IY", "end"], TABLE), (["M", "IY", "IY", "end"], TABLE[[0, 1, 1, 2]])),
    "to": (["T", "UW"], *[(["T", "OW", "end"], TABLE)] * 2),
}
HEADS = {"tokens": TOKENS, "ids": [5, 6, 7, 8], "heads": 3, "asks": 3, "letters": LETTERS, "stages": [], "vectors": ""}
HEADS |= {"weights": [past(each) for each in MAPS.flatten(0, 1)], "says": [[]] * 4, "next": [[["a", 0.5]]] * 4}
LAYERS = {"reads nothing": lambda inputs, lengths: inputs, "leaks": lambda inputs, lengths: inputs + inputs.sum()}
LAYERS["adds one"] = lambda inputs, lengths: inputs.cumsum(dim=1) + 1
PAIRS = {name: (lambda inputs, lengths: inputs.cumsum(dim=1), layer) for name, layer in LAYERS.items()}
BATCH = torch.randn(3, 4, 2), torch.tensor([3, 4, 2])
PARTED = torch.stack([VALUE, VALUE]), [TOKENS[:3], ["Life", "was", "short"]], 2
PAGES = [0, 100], [4.97, 0.254], ["*sad* the map .", "<b> & so on"], ["the map", ""], [0, 7]
HIDDEN = "All keys are hidden: the row becomes zeros, and nothing is shared out."
WROTE = "“to” in writing, pass {} of 3: "
SLIDER, RADIO, FIELD = "input[type=range]", "input[type=radio]", "input[type=text]"


def press(key, on, at=0):
    def pressed(page):
        page.evaluate("new Promise(requestAnimationFrame)")  # what has grown is painted again, unspoken
        page.locator(on).nth(at).press(key)
        assert spoken(page) == "polite" and page.locator(".attn-body :focus").count()

    return pressed


def click(on, at=0):
    return lambda page: page.locator(on).nth(at).click()


def touch(on):
    return lambda page: page.locator(on).first.dispatch_event("click")


def choose(option, on="select"):
    return lambda page: page.locator(on).select_option(option)


def fill(value, on=SLIDER, at=0):
    return lambda page: page.locator(on).nth(at).fill(str(value))


def hold(value, at):
    """Move a slider, and do not let go of it."""
    moved = "(one, value) => { one.value = value; one.dispatchEvent(new Event('input')) }"
    return lambda page: page.locator(SLIDER).nth(at).evaluate(moved, value)


def turn_a_quarter(hand):
    """Drag one of the clocks' hands a quarter of a round to the right, by its tip."""

    def turned(page):
        line = "line => [[0, 0], [line.x2, line.y2].map(each => each.baseVal.value)].map(([x, y]) => "
        line += "{ const at = new DOMPoint(x, y).matrixTransform(line.getScreenCTM()); return [at.x, at.y]; })"
        (x, y), (tip_x, tip_y) = page.locator(".attn-dials line").nth(hand).evaluate(line)
        drag_by_mouse(page, (tip_x, tip_y), (x + y - tip_y, y + tip_x - x))
        page.mouse.up()

    return turned


def drag_along_the_curve(distance):
    """Drag from the middle of the chart of scores to the dot of a distance, of which the first is that of -16."""

    def dragged(page):
        boxes = [page.locator(".attn-dot").nth(16 + each).bounding_box() for each in (0, distance)]
        drag_by_mouse(page, *((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes))
        page.mouse.up()

    return dragged


def guess(*tests):
    """Tick these of the ten tests, and run all."""
    return lambda page: [click(on, at)(page) for on, at in [*(("[type=checkbox]", at) for at in tests), ("button", 0)]]


def finish_twice(page):
    """Let a word be finished, and at once again, by letters that are drawn alike each time."""
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("Math.random = () => 0.5")
    page.get_by_text("finish the word").evaluate("button => { button.click(); button.click(); }")
    page.locator(".attn-shelf bdi").nth(1).wait_for()
    page.wait_for_timeout(50)  # in which no letter more is written
    page.emulate_media(reduced_motion="no-preference")


def part(attention):
    """Return what is said where a word's weights are blended with itself alone."""
    alone = torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64)
    weights = torch.lerp(alone.expand(2, 3), torch.stack([WEIGHTS, WEIGHTS.flip(0)]), attention)
    text = parting(weights, *PARTED).text
    return text.replace("1.00", f"{attention:.2f}", 1)


def machine(*scores, temperature=1):
    return softmax_machine(scores, TOKENS[: len(scores)], "is", temperature)


def copying(asks):
    """The last of four letters has come before, and the model says what followed it then."""
    return two_heads(list("abca"), MAPS[0, 0], torch.eye(4)[[0, 0, 1, 1]], list("bcab"), asks)


def apart(seed, *ticked):
    alone, other = ([f"{share:.0%}" for share in told_apart(WORDS, seed, *which)[:5]] for which in ((), ticked))
    return f"{''.join(alone)}…{''.join(other)}…{alone[-1]} with attention alone, {other[-1]} with "


MOVES = {  # a picture, and moves with what is seen after each: a picture of Python's, or a part of the sentence
    "all-heads": lambda: (
        all_heads(TOKENS, MAPS, 1, 2, 3),
        (lambda page: page.get_by_label("head 1 of block 1", exact=True).click(), all_heads(TOKENS, MAPS, 1, 1, 3)),
        (press("ArrowUp", ".attn-map", 4), all_heads(TOKENS, MAPS, 0, 1, 3)),
        (click(".attn-column button", 1), all_heads(TOKENS, MAPS, 0, 1, 1)),
        (press("End", ".attn-column button", 1), all_heads(TOKENS, MAPS, 0, 1, 3)),
        (lambda page: page.locator("canvas").last.click(position={"x": 9, "y": 50}), all_heads(TOKENS, MAPS, 0, 1, 1)),
    ),
    "one-query": lambda: (
        one_query(),
        (click(RADIO, 4), one_query("pause", "pause")),
        (choose("gap"), one_query("gap", "gap")),
    ),
    "one-query without arrows": lambda: (one_query(arrows=False), (choose("crack"), one_query("crack", arrows=False))),
    "becoming": lambda: (
        becoming(*PAGES),
        (press("Home", SLIDER), "sad the map .…Step 0, loss 4.97. Not true: the map. Of 50 others, 0 are true."),
        (click(".attn-moments > div", 1), becoming(*PAGES)),
    ),
    "clocks": lambda: (
        clocks(QUERY, KEY),
        (press("ArrowRight", SLIDER), clocks(QUERY, KEY, position=1)),
        (press("ArrowLeft", SLIDER, 1), clocks(QUERY, KEY, position=1, distance=0)),
        (press("ArrowLeft", SLIDER, 1), clocks(QUERY, KEY, position=1, distance=-1)),
        (drag_along_the_curve(16), clocks(QUERY, KEY, position=1, distance=16)),
        (drag_along_the_curve(-1), clocks(QUERY, KEY, position=1, distance=-1)),
        *[(turn_a_quarter(hand), clocks(QUERY, KEY, position=3 + 2 * hand, distance=-1)) for hand in range(2)],
    ),
    "a position's clocks": lambda: (
        position_clocks(16),
        (turn_a_quarter(2), position_clocks(16, position=16)),
        (press("End", SLIDER), position_clocks(16, position=63)),
    ),
    "a jump's clocks": lambda: (
        jump_clocks(8, 40, 15),
        (fill(40), "M 0 0 L 7.47…L 0,-50 A 50 50 0 0 0 "),  # on from the pale slice, or back from its beginning
        (press("End", SLIDER), jump_clocks(8, 63, 15)),
    ),
    "heads-out": lambda: (
        heads_out("crack", "pause"),
        (click("button", 2), "put back head 1…✗ (right: tiny)"),
        (choose("gap", "select >> nth=1"), heads_out("crack", "gap", [(1, 1)])),
        (click("button", 0), heads_out("crack", "gap", [(0, 0), (1, 1)])),
        (click("button", 1), heads_out("crack", "gap", [(0, 0), (1, 0), (1, 1)])),
    ),
    "kept": lambda: (
        kept(TOKENS, **SIZES),
        (press("Home", SLIDER), kept(TOKENS[:1], **SIZES)),
        (press("ArrowRight", SLIDER), kept(TOKENS[:2], **SIZES)),
        (press("End", SLIDER), kept(TOKENS, **SIZES)),
        (click(".attn-text span", 2), "384 numbers+ 0 a token"),  # the window is full
        (click(".attn-text span", 1), kept(TOKENS, **SIZES, start=2)),
    ),
    "gathering": lambda: (
        seed := gathering("seed", "wait"),
        (press("Home", SLIDER), "Step 0: the word nearest to “seed” (tiny) is “scratch” (tiny)."),
        (press("End", SLIDER), seed),
        (touch("[aria-pressed=false]"), (wait := gathering("wait"))),
        (touch(".attn-point"), "word nearest to “pause” (a time) is"),
        (click(".attn-word", 22), "word nearest to “movement” (either) is"),
        (click("button", 1), wait),
        (touch("[aria-pressed=false]"), seed),
    ),
    "learning": lambda: (
        learning([0, 20], [1.1, 0.5], *FILM, CLUES, [0, 1]),
        (press("End", SLIDER), learning([20], [0.5], *(each[1:] for each in FILM), CLUES, [0, 1])),
        (
            lambda page: page.get_by_label("one minute crack: tiny").check(),
            "in “one minute crack”, “minute” looks most at “crack” (0.80).",
        ),
        (press("ArrowUp", ".attn-followed input"), "in “one minute pause”, “minute” looks most at “pause” (0.60)."),
        (press("Home", SLIDER), learning([0, 20], [1.1, 0.5], *FILM, CLUES, [0, 1])),
    ),
    "letter-bars": lambda: (
        letter_bars(trained_speller(), "qu"),
        (fill("th", FIELD), letter_bars(trained_speller(), "th")),
        (press("Home", SLIDER), letter_bars(trained_speller(), "th", 0.1)),
    ),
    "letter-bars that write": lambda: (
        letter_bars(trained_speller(), "qu", 0.1),
        (fill("Q!", FIELD), letter_bars(trained_speller(), "q", 0.1)),
        (click("button"), "“u” is written. After “qu”, the likeliest letter is “e” (0."),
        (click(".attn-columns > div", 26), "what it wrotequ …The word “qu” is done. After “q”, "),
        (finish_twice, "what it wrotequeing qu…The word “queing” is done."),
        (fill("ninelette", FIELD), letter_bars(trained_speller(), "ninelette", 0.1)),
        (click(".attn-columns > div"), "The word “ninelette” is done. …wroteninelette queing qu"),
    ),
    "linked-heads": lambda: (
        linked_heads(MAPS[0], TOKENS, follow=1),
        (lambda page: page.locator("tbody tr").nth(4).locator("td").nth(1).hover(), linked_heads(MAPS[0], TOKENS)),
        (press("Home", "tbody button", 1), linked_heads(MAPS[0], TOKENS)),
        (press("ArrowDown", "tbody button", 1), linked_heads(MAPS[0], TOKENS, follow=2)),
        (press("End", "tbody button", 2), linked_heads(MAPS[0], TOKENS, follow=3)),
    ),
    "linked-heads in training": lambda: (
        linked_heads(MAPS[:, :1], TOKENS, losses=[2, 1], steps=[3, 5]),
        (press("ArrowRight", SLIDER), linked_heads(MAPS[1:, :1], TOKENS, losses=[1], steps=[5])),
        (press("ArrowDown", "tbody button"), linked_heads(MAPS[1, :1], TOKENS, follow=1)),
        (touch(".attn-asking .attn-query"), linked_heads(MAPS[1, :1], TOKENS, follow=1)),
        (touch(".attn-query"), "“short” looks most at “eat” (1.00)."),
    ),
    "mixture": lambda: (
        mixture(WEIGHTS, VALUE, TOKENS[:3]),
        (press("Home", SLIDER, 2), mixture([0.44 / 0.78, 0.34 / 0.78, 0.0], VALUE, TOKENS[:3])),
        (press("End", SLIDER, 2), mixture([0.0, 0.0, 1.0], VALUE, TOKENS[:3])),
        (hold(0.6, 2), mixture([0.2, 0.2, 0.6], VALUE, TOKENS[:3])),
        (press("Home", SLIDER, 2), mixture([0.5, 0.5, 0.0], VALUE, TOKENS[:3])),
        (click("button"), mixture(WEIGHTS, VALUE, TOKENS[:3])),
        (press("ArrowUp", ".attn-handle"), mixture(WEIGHTS, RAISED, TOKENS[:3])),
        (click("button"), mixture(WEIGHTS, VALUE, TOKENS[:3])),
        (press("ArrowUp", ".attn-handle"), mixture(WEIGHTS, RAISED, TOKENS[:3])),
    ),
    "mixture of one": lambda: (
        mixture([1], VALUE[:1], ["a"]),
        (lambda page: page.locator(SLIDER).press("Home"), mixture([1], VALUE[:1], ["a"])),
    ),
    "online-softmax": lambda: (
        online_softmax(SCORES, AMOUNTS),
        (press("Home", SLIDER), online_softmax(SCORES, AMOUNTS).data["sentences"][0]),
        (press("End", SLIDER), online_softmax(SCORES, AMOUNTS).data["sentences"][3]),
        (press("ArrowLeft", SLIDER), online_softmax(SCORES, AMOUNTS)),
        (
            press("ArrowLeft", SLIDER),
            "2 of 4 (keys 0 to 1)…= 9.46…score0.500.50sum1.001.000.221.22context8.008.003.5711.57",
        ),
        (click("button", 3), online_softmax(SCORES, AMOUNTS).data["sentences"][3]),
        (press("Home", SLIDER), "1 of 4 (key 0)…beforeaddednowlargest score–0.50sum––1.001.00context––8.008.00"),
    ),
    "parting": lambda: (
        parting(torch.stack([WEIGHTS, WEIGHTS.flip(0)]), *PARTED),
        (press("Home", SLIDER), "Here the word listens to itself…angle 0.0°, distance 0.00…height: 80px…" + part(0.0)),
        (press("ArrowRight", SLIDER), part(0.01)),
        (press("End", SLIDER), parting(torch.stack([WEIGHTS, WEIGHTS.flip(0)]), *PARTED)),
    ),
    "softmax-machine": lambda: (
        machine(3.0, 2.0, 0.0, temperature=5),
        (fill(0), machine(3.0, 2.0, 0.0)),
        (press("Home", SLIDER), machine(3.0, 2.0, 0.0, temperature=0.2)),
        (press("ArrowRight", SLIDER), machine(3.0, 2.0, 0.0, temperature=5**-0.9)),
        (press("End", SLIDER), machine(3.0, 2.0, 0.0, temperature=5)),
        (fill(0), machine(3.0, 2.0, 0.0)),
        (press("Enter", "button"), "4.00…All scores rose by 1, and no share changed. " + machine(4, 3, 1).text),
        (press("Space", "button"), "5.00…All scores rose by 1"),
        (press("Enter", "button"), "5.00…The scale ends here. " + machine(5, 4, 2).text),
        *((click("button", 1), f"{end}…All scores fell by 1, and no share") for end in ("1.00", "0.00", "−1.00")),
        (click("button", 1), "−2.00…All scores fell by 1"),
        (click("button", 1), "−2.00…The scale ends here. "),
        (press("Home", SLIDER, 1), machine(-2, 0, -2)),
        (press("End", SLIDER, 2), machine(-2, 5, -2)),
        (click("label", 1), "short−2.000.140.50…is−∞0.00–…" + softmax_machine([-2, -2], ["Life", "short"], "is").text),
        (press("Space", "tr:has(:disabled) [type=checkbox]"), machine(-2, 5, -2)),
        (lambda page: [box.uncheck() for box in page.get_by_role("checkbox").all()], 'text="−∞"…sum0.000.00…' + HIDDEN),
        (press("Enter", "button", 2), machine(3.0, 2.0, 0.0, temperature=5)),
        (press("ArrowRight", SLIDER, 2), machine(3.0, 2.1, 0.0, temperature=5)),
    ),
    "stages": lambda: (
        stages(WORDS),
        (lambda page: page.locator("input[type=checkbox]").first.set_checked(False), apart(0, False, True, True)),
        (click("button"), apart(1, False, True, True)),
        *((click("button"), apart(seed, False, True, True)) for seed in (2, 3, 0)),
        (lambda page: [box.uncheck() for box in page.get_by_role("checkbox").all()], apart(0) + "nothing around it."),
        (fill(1), "after 1 layer: "),
        (fill(12), "after 12 layers: 0% with attention alone, 0% with nothing around it."),
    ),
    "teacher-forcing": lambda: (
        teacher_forcing(SAID, {"T": "tea", "OW": "toe"}),
        (click("label", 1), teacher_forcing({"to": SAID["to"]}, {"T": "tea", "OW": "toe"})),
        (lambda page: expect(page.locator(SLIDER)).to_be_disabled(), "in training: one pass answers all 3 rows"),
        (lambda page: page.get_by_label("training").press("ArrowRight"), "lettersbeginTtoend…" + WROTE.format(1)),
        (
            press("ArrowRight", SLIDER),
            f"T as in tea, OW as in toe.…Move the…{WROTE.format(2)}after its own T it says OW, and should say UW.",
        ),
        (press("End", SLIDER), WROTE.format(3) + "after its own T OW it says end. It looks most at “end” (0.90)."),
        (click("label"), "pass1 of 4…“me” in writing, pass 1 of 4: while nothing is written it says M."),
        (press("End", SLIDER), "≠ –…after its own M IY IY it says end, and should say nothing more."),
    ),
    "trace": lambda: (
        trace("One day Ida", WRITER),
        (click(".attn-column button", 2), trace("One day Ida", WRITER, 0, 2)),
        (click("fieldset:has(legend:text('head')) input", 3), trace("One day Ida", WRITER, 3, 2)),
        (click(RADIO, 1), trace("One day Ida", WRITER, 7, 2)),
        (press("Home", ".attn-column [aria-pressed=true][tabindex='0']"), trace("One day Ida", WRITER, 7, 0)),
        (press("ArrowUp", ".attn-column [aria-pressed=true]"), trace("One day Ida", WRITER, 7, 0)),
    ),
    "turn-query": lambda: (
        turn_query([0.1, -0.1], KEYS, TOKENS[:3]),
        *((press("ArrowUp", ".attn-handle"), turn_query([0.1, up], KEYS, TOKENS[:3])) for up in (0, 0.1)),
        (press("ArrowDown", ".attn-handle"), turn_query([0.1, 0], KEYS, TOKENS[:3])),
        (press("ArrowLeft", ".attn-handle"), turn_query([0, 0], KEYS, TOKENS[:3])),
        (press("Home", ".attn-handle"), turn_query([0.1, -0.1], KEYS, TOKENS[:3])),
        (press("ArrowUp", ".attn-handle"), turn_query([0.1, 0], KEYS, TOKENS[:3])),
    ),
    "ten-tests": lambda: (
        ten_tests(PAIRS, *BATCH),
        (click(RADIO, 1), "leaks: which of the 10 tests notice it?"),
        (click("button"), ten_tests({"leaks": PAIRS["leaks"]}, *BATCH)),
        (guess(0, 1, 9), "equal_to_the_reference. You found 2 of 4, and ticked 1 more."),
        (click(RADIO, 2), "Both move alike: …adds one: which of the 10 tests notice it?"),
        (lambda page: [press("ArrowUp", RADIO, 1)(page), guess()(page)], ten_tests(PAIRS, *BATCH)),
    ),
    "trace, as a map of heads": lambda: (
        on_its_way(HEADS | {"head": 0, "read": 1}, ""),
        (click(".attn-map button", 3), on_its_way(HEADS | {"head": 4, "read": 1}, "")),
        (press("ArrowLeft", ".attn-map button", 3), on_its_way(HEADS | {"head": 1, "read": 1}, "")),
        (press("ArrowUp", ".attn-map button", 2), on_its_way(HEADS | {"head": 0, "read": 1}, "")),
        (click(".attn-bands + * button", 2), on_its_way(HEADS | {"head": 0, "read": 2}, "")),
        (click(".attn-column button"), on_its_way(HEADS | {"head": 0, "asks": 0, "read": 0}, "")),
    ),
    "typed": lambda: (strawberry(), (press("Home", SLIDER), 'attn-marked" style="width: 30px;"><bdi>r')),
    "two-heads": lambda: (
        two_heads(TOKENS, MAPS[0, 0], MAPS[0, 1], list("cdef")),
        (click(".attn-line button"), two_heads(TOKENS, MAPS[0, 0], MAPS[0, 1], list("cdef"), 0)),
        (press("ArrowRight", ".attn-line button"), two_heads(TOKENS, MAPS[0, 0], MAPS[0, 1], list("cdef"), 1)),
    ),
    "two-heads that copy": lambda: (
        copying(3),
        (press("Home", ".attn-line button"), copying(0)),
        (press("End", ".attn-line button"), copying(3)),
    ),
    "two-sentences": lambda: (
        two_sentences(),
        (lambda page: page.locator(".attn-faint").nth(4).click(force=True), two_sentences("wait")),
        (choose("gap", "select >> nth=0"), two_sentences("gap")),
        (
            choose("seed", "select >> nth=1"),
            "fragment0.00…✓ right: it found no clue, so it answers either…% sure✓ right● a",
        ),
        (click(RADIO, 1), two_sentences("gap", "seed", untrained)),
        (choose("pause", "select >> nth=0"), "sure✓ right, by lucktiny 27%, either 17%…either 18%…pauseseedEach"),
        (
            choose("seed", "select >> nth=0"),
            "✗ wrong: it is tinytiny 26%, either 19%…■ eitherseedEach…It looks a little at",
        ),
        (press("ArrowLeft", RADIO, 1), two_sentences("seed", "seed")),
        (press("ArrowUp", "select"), two_sentences("insect", "seed")),
    ),
}


RECORD = Path(__file__).with_name("opened.txt").read_text(encoding="utf-8")
OPENED = dict(line.split(": ", 1) for line in RECORD.splitlines())  # as `opened` returns it
LOOK = re.compile(r'>([^<]+)<|(?:class|label|state|anchor)="([^"]*)"|var\(--([\w-]+)|color: ?(#\w+|rgb[(\d, ]+)')
SHOWN = "all-heads", "clocks", "linked-heads", "mixture", "softmax-machine", "turn-query"  # with all of their tables
MORE = "online-softmax", "clocks"  # show numbers besides: what each key changes, and the ends of an axis
DECIMAL = re.compile(r"\d\.\d\d")
TEXTS = """body => {
  const texts = [], walk = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) texts.push(walk.currentNode.data);
  return texts;
}"""
STATE = """() => [...document.querySelectorAll(".attn-hint, .attn-body :not(.attn-scroll)")]
  .filter(one => one.checkVisibility()).map(one => [one.localName, one.value, one.checked, one.style.cssText,
  one.childElementCount ? "" : one.textContent,
  ...[...one.attributes].map(({name, value}) => ["name", "style"].includes(name) ? "" : value).filter(Boolean)])"""
VALUES = "all => all.map(one => one.ariaValueText)"  # as a screen reader reads them
# Which sliders make a screen reader talk while a hand still moves them.
TALKING = """all => all.filter(one => {
  const sentence = document.querySelector(".attn-sentence"), before = sentence.textContent;
  one.value = one.value === one.min ? one.max : one.min;
  one.dispatchEvent(new Event("input"));
  return sentence.textContent !== before && sentence.ariaLive !== "off";
}).map(one => one.ariaLabel)"""


def state(page):
    """Return what a page's picture holds, its numbers rounded."""
    held = page.evaluate(STATE)
    return re.sub(r"-?\d+\.\d+(e-\d+)?", lambda number: f"{float(number[0]):z.1f}", "\n".join(map(str, held)))


def opened(picture, page):
    """Return words, classes and colors of a picture's table and of its script as it opens; # is a measured number."""
    body = page.locator(".attn-hint, .attn-body").evaluate_all("all => all.map(one => one.outerHTML).join('')")
    parts = map("".join, LOOK.findall(picture.table + body.replace(" attn-continues", "").replace("\n", " ")))
    return "|".join(dict.fromkeys(re.sub(r"[-−]?\d+\.\d+|\d+%", "#", part).strip() for part in parts))


def test_every_live_picture_has_an_example_and_moves():
    scripts = "".join(path.read_text(encoding="utf-8") for path in FOLDER.parents[1].rglob("*.js"))
    assert {*re.findall(r'attentionLive\.define\("(.+?)"', scripts)} == {*EXAMPLES}
    assert MOVES.keys() >= {*EXAMPLES} | OPENED.keys()


@pytest.mark.parametrize("name", MOVES)
def test_after_each_move_a_picture_says_and_shows_what_python_does(name, on_page):
    picture, *moves = MOVES[name]()
    page = on_page(picture)
    body = page.locator(".attn-body")
    begin = guess() if name == "ten-tests" else lambda page: None
    begin(page)
    line = opened(picture, page) if name in {*EXAMPLES, *OPENED} else None
    assert line == OPENED.get(name), f"if you mean it, this is its line in opened.txt:\n{name}: {line}"
    for move, seen in [(begin, picture), *moves]:
        move(page)
        if isinstance(seen, str):
            told = body.text_content() + sentence(page) + page.locator(".attn-hint").inner_text() + body.inner_html()
            assert [words for words in seen.split("…") if words not in told] == []
            continue
        assert sentence(page) == seen.text
        numbers = [text for row in twin_rows(seen) for text in row[1:]]
        texts = " ".join(body.evaluate(TEXTS))
        told = "".join(texts.split())
        assert seen.name not in SHOWN or [text for text in numbers if "".join(text.split()) not in told] == []
        known = [seen.text, seen.table, *map(two_decimals, seen.data.get("losses", []))]
        assert seen.name in MORE or {*DECIMAL.findall(texts)} <= {*DECIMAL.findall(" ".join(known))}
    told = (body.text_content() + sentence(page)).lower()
    assert [value for value in page.locator(SLIDER).evaluate_all(VALUES) if value not in told] == []
    if not isinstance(seen, str):
        after, fresh = state(page), on_page(seen)
        begin(fresh)
        assert after == state(fresh)
    assert page.locator(f"{SLIDER}:enabled").evaluate_all(TALKING) == []


def test_scripts_reckon_as_python_does(on_page):
    page = on_page(turn_query([1, 0], KEYS, TOKENS[:3]))
    numbers = [0.125, 0.375, -0.001, -1.5, 999999.4, 1e6, -2.5e12, 0.12]
    assert page.evaluate("all => all.map(attentionLive.tools.twoDecimals)", numbers) == [*map(two_decimals, numbers)]
    assert page.evaluate("attentionLive.tools.largestFirst", numbers) == largest_first(numbers)
    assert page.evaluate("attentionLive.tools.softmax", [1000, 1000]) == [0.5, 0.5]


PILES = """planes => planes.flatMap(plane => {
  const boxes = [...plane.querySelectorAll("text")].filter(text => text.checkVisibility({ visibilityProperty: true }))
    .map(text => text.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.map((a, i) => boxes.slice(i + 1).filter(b => meet(a, b)).length);
})"""


@pytest.mark.parametrize("clue", ["pause", "grain", "gap", "film"])
def test_no_name_of_an_arrow_lies_on_another_whoever_asks(clue, on_page):
    page = on_page(one_query(clue))
    for asks in range(6):
        click(RADIO, asks)(page)
        piles = page.locator("svg.attn-plane").evaluate_all(PILES)
        assert len(piles) >= 5 and not any(piles)
