"""The hunt in notebook 00 says what a sentence catches, and goes on after a sentence that the head cannot read."""

import pytest

from companion.worlds.which_minute.hunt import hunt


@pytest.mark.parametrize(
    "sentence, caught",
    [
        ("one minute after pause crack", []),
        ("she noticed one minute today", []),
        ("the crack she noticed was minute", []),
        ("one minute speech about the crack", ["fooled"]),
        ("one minute delay after the ride", ["torn"]),
        ("one minute crack after the hole", []),
        ("one minute speech after the stain", []),
        ("one minute grain after the grain", []),
        ("they talked about one minute gap", ["ignored"]),
    ],
)
def test_a_sentence_catches_what_it_shows(capsys, sentence, caught):
    hunt([sentence])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"caught {len(caught)} of 3:")
    assert [name for name in ("fooled", "torn", "ignored") if f"✓ {name}" in last] == caught


def test_a_sentence_that_it_cannot_read_is_explained(capsys):
    hunt(["one minute cake", "one pause", "one minute minute pause", "one minute gap", "one minute pause"])
    unknown, without, twice, *_, last = capsys.readouterr().out.splitlines()
    assert unknown.startswith("the head does not know the word “cake”. It knows only these 53 words: about, after, ")
    assert without == "'one pause' has “minute” 0 times; the head reads one" and " has “minute” 2 times; " in twice
    assert last == "caught 1 of 3:  ○ fooled  ○ torn  ✓ ignored"
