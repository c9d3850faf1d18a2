"""Checks of the exercises in notebook 13 (spelling to sound)."""

import torch
from torch.nn import functional as F

from companion.checks.exercise import exercise
from companion.checks.feedback import Mistake, close, expect, expect_equal, expect_parts, expect_tensor
from companion.pronunciation.decoding import MOST_PHONEMES
from companion.pronunciation.dictionary import BEGIN, END, LETTERS, PADDING, PHONEMES
from companion.pronunciation.error_rates import edit_distance
from companion.pronunciation.training import shifted

# ---- teacher forcing ----


@exercise
def check_shift(shift):
    """each place reads what is true so far, and should say what comes next."""
    phonemes = torch.tensor([[BEGIN, 25, 7, 31, END], [BEGIN, 31, 27, END, PADDING], [BEGIN, 9, END, PADDING, PADDING]])
    names = "inputs", "targets"
    given, wanted = expect_parts(shift(phonemes), names, "shift"), shifted(phonemes)
    inputs, targets = wanted
    if all(isinstance(each, torch.Tensor) for each in given):
        exchanged = close(given[0], targets) and close(given[1], inputs)
        expect(not exchanged, "the order is: inputs first, then targets")
    mistakes = {
        "inputs": {
            "the inputs still hold the last place, where nothing is left to be said": phonemes,
            "the inputs lack begin: the first phoneme is said when only begin is there": targets,
            "a word is lacking: rows are words; cut along the second axis, [:, :-1]": phonemes[:-1],
        },
        "targets": {
            "the targets are not shifted: each place would be asked for what it has read": inputs,
            "the targets still hold begin, which nobody has to say": phonemes,
            "the targets are shifted the wrong way: a place would be asked for what came before": (
                phonemes.roll(1, dims=1)[:, :-1]
            ),
            "the targets are rolled: begin comes back behind the end; leave it out": phonemes.roll(-1, dims=1),
            "the targets lie two places ahead: a place is asked for the very next": phonemes[:, 2:],
            "a word is lacking: rows are words; cut along the second axis, [:, 1:]": phonemes[1:],
        },
    }
    for name, part, right in zip(names, given, wanted):
        expect_tensor(part, right, f"the part {name} of shift", mistakes[name])
        expect(not part.is_floating_point(), f"the {name} are ids, whole numbers; yours have a point")


# ---- errors ----

SAID = [  # pairs of pronunciations
    ("N AY T", "N AY T"),
    ("N IH T", "N AY T"),
    ("K N AY T", "N AY T"),
    ("AY T", "N AY T"),
    ("F OW N IH K S", "F IY N IH K S"),
    ("TH AW T F T F AH L", "TH AO T F AH L"),
    ("T AY N", "N AY T"),
    ("T OW", "OW T"),
    ("", "OW"),
    ("OW K EY", ""),
    ("B AH N AE N AH", "AH N AE N AH B"),
]


@exercise
def check_edits(edits):
    """the fewest insertions, deletions and replacements, whatever stands where."""
    pairs = [(tuple(first.split()), tuple(second.split())) for first, second in SAID]
    wanted = [edit_distance(*pair) for pair in pairs]
    try:
        given = [edits(*pair) for pair in pairs]
    except (RecursionError, IndexError) as error:
        raise Mistake(f"your function stopped with {type(error).__name__}: {ONE_EMPTY}") from error
    if all(isinstance(each, int | float) for each in given):
        for message, wrong in MISCOUNTED.items():
            expect(given != [wrong(*pair) for pair in pairs], message)
    for (first, second), one, other in zip(SAID, given, wanted):
        expect_equal(one, other, f"edits of “{first}” and “{second}”")


ONE_EMPTY = "what if one of the two is empty? All of the other must then be inserted or deleted"


def _by_place(first, second):
    return sum(one != other for one, other in zip(first, second)) + abs(len(first) - len(second))


def _with_costs(first, second, insert=1, delete=1, replace=1, start=1):
    """Count edits by the table, with another price of each."""
    row = [place * start for place in range(len(second) + 1)]
    for number, symbol in enumerate(first, start=1):
        before, row = row, [number * start]
        for place, other in enumerate(second):
            change = before[place] + replace * (symbol != other)
            row.append(min(before[place + 1] + delete, row[place] + insert, change))
    return row[-1]


FAR = 1_000  # a price that nobody pays

MISCOUNTED = {
    "place is compared with place: one phoneme too many moves all that follow": _by_place,
    "places are compared only as far as both go: what is too much or lacking counts, too": (
        lambda first, second: sum(one != other for one, other in zip(first, second))
    ),
    "only the lengths are compared": lambda first, second: abs(len(first) - len(second)),
    "only which phonemes occur is compared, not their order": lambda first, second: len(set(first) ^ set(second)),
    "a replacement counts as two edits; it is one": lambda *both: _with_costs(*both, replace=2),
    "a phoneme that is lacking is never inserted": lambda *both: _with_costs(*both, insert=FAR),
    "a phoneme too many is never deleted": lambda *both: _with_costs(*both, delete=FAR),
    "what stands before the first match costs nothing: from nothing to n phonemes are n edits": (
        lambda *both: _with_costs(*both, start=0)
    ),
    "what is left when one of the two is empty costs nothing: n phonemes are n edits": (
        lambda first, second: _with_costs(first[::-1], second[::-1], start=0)
    ),
    "this says whether they differ, not by how many edits": lambda first, second: int(first != second),
}


# ---- greedy decoding ----


class Scripted:
    """A model that says a word's script, and next to nothing else; it counts how often it is run.

    What comes next depends on the whole beginning and on the letters: who hands over less gets something else.
    """

    def __init__(self, scripts):
        self.scripts, self.encoded, self.decoded = scripts, 0, 0

    def encode(self, letters):
        expect(isinstance(letters, torch.Tensor) and letters.ndim == 2, LETTERS_FIRST)
        expect(letters[0, -1] == END, "the letters lack their end: spelled(word) adds it")
        self.encoded += 1
        return F.one_hot(letters, len(LETTERS)).float(), torch.ones(1, 1, letters.shape[-1], dtype=torch.bool)

    def decode(self, phonemes, memory, mask):
        expect(isinstance(phonemes, torch.Tensor) and phonemes.ndim == 2, PHONEMES_FIRST)
        begins = phonemes.shape[1] > 0 and phonemes[0, 0] == BEGIN
        expect(begins or self.decoded > 0, "what is written starts with BEGIN")
        expect(begins, "hand over all that was written, from BEGIN on, not its end alone")
        self.decoded += 1
        expect(self.decoded <= 3 * MOST_PHONEMES, FOR_EVER)
        word = "".join(LETTERS.decode(memory[0].argmax(dim=-1).tolist()))
        script, written = self.scripts[word], phonemes[0].tolist()
        logits = torch.zeros(1, len(written), len(PHONEMES))
        for place in range(len(written)):
            follows = written[1 : place + 1] == script[:place] and place < len(script)
            logits[0, place, script[place] if follows else LOST] = 2.0
            logits[0, place, SECOND] = 1.0
        return logits


FOR_EVER = f"it goes on for ever: stop at END, or after {MOST_PHONEMES} phonemes"
LETTERS_FIRST = "encode takes a tensor of ids with a batch axis, (1, letters): torch.tensor([spelled(word)])"
PHONEMES_FIRST = "decode takes a tensor of ids with a batch axis, (1, phonemes): torch.tensor([said])"
LOST, SECOND = PHONEMES.encode(["ZH", "OY"])  # what follows a wrong beginning, and what is second best


@exercise
def check_greedy(greedy):
    """the likeliest phoneme each time, from begin to end; the letters are read once."""
    scripts = {
        word: [*PHONEMES.encode(said.split()), END] for word, said in (("knight", "N AY T"), ("phoenix", "F IY N IH K"))
    }
    scripts["banana"] = PHONEMES.encode(["B", "AH", "N", "AE", "N", "AH"] * 10)  # never ends
    for word, script in scripts.items():
        model = Scripted(scripts)
        given = greedy(model, word)
        _expect_names(given, word, script)
        expect(model.encoded == 1, f"the encoder ran {model.encoded} times for one word: its letters stay the same")
        runs, most = model.decoded, len(script) if script[-1] == END else FAR
        expect(runs <= most, f"the decoder ran {runs} times for {most} phonemes, END included: stop at END")


def _expect_names(given, word, script):
    doing, wanted = f"greedy for “{word}”", PHONEMES.decode(script)[:MOST_PHONEMES]
    if isinstance(given, tuple):
        count = len(given)
        expect(not any(isinstance(each, int) for each in given), f"{doing} gives ids; PHONEMES.decode names them")
        expect("OY" not in given, f"{doing} takes the second best; take the largest logit")
        expect(count < 2 or len(set(given)) > 1, f"{doing} repeats itself: use the logits of the last place")
        expect("ZH" not in given, f"{doing} gets lost: hand over all that was written, from BEGIN on")
        expect(count <= MOST_PHONEMES, f"{doing} gives {count} phonemes; stop after {MOST_PHONEMES}, END or not")
        expect(given == wanted or given != wanted[:count], f"{doing} stops after {count} of {len(wanted)} phonemes")
    expect_equal(given, wanted, doing)
