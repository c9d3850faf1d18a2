import torch
from live_pictures import rows

from companion.pictures.live.teacher_forcing import teacher_forcing

WEIGHTS = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.0, 0.1, 0.9]])
WORDS = {
    "me": (["M", "IY"], (["M", "IY", "end"], WEIGHTS), (["M", "IY", "end"], WEIGHTS)),
    "to": (["T", "UW"], (["T", "OW", "end"], WEIGHTS), (["T", "OW", "AH", "end"], WEIGHTS[[0, 1, 1, 2]])),
}
SOUNDS = {"M": "me", "IY": "eat", "T": "tea", "OW": "oat", "ZH": "vision"}


def test_each_row_holds_its_beginning_its_answer_and_its_letter_both_ways():
    assert rows(teacher_forcing({"to": WORDS["to"]}, SOUNDS)) == [
        ["training: the true beginning", "", "", "writing: its own beginning", "", ""],
        ["begin", "T", "reads t"] * 2,
        ["begin T", "OW", "reads o"] * 2,
        ["begin T UW", "end", "reads end", "begin T OW", "AH", "reads o"],
        ["", "", "", "begin T OW AH", "end", "reads end"],
    ]


def test_the_sentence_tells_what_is_wrong_and_what_the_next_rows_are_given():
    texts = [teacher_forcing({word: WORDS[word]}, SOUNDS).text for word in WORDS]
    begun = "“{}” in training: one pass answers all 3 rows with "
    assert texts[0] == f"{begun.format('me')}M, IY, end. All are right."
    right = " Row 2 should say UW. The rows below are given the right one."
    assert texts[1] == f"{begun.format('to')}T, OW, end.{right}"


def test_the_key_holds_the_sounds_that_are_heard_and_no_others():
    heard = {sound: SOUNDS[sound] for sound in ("IY", "M", "OW", "T")}
    assert teacher_forcing(WORDS, SOUNDS).data["sounds"] == heard
