"""The model that writes: what it reads and answers, that it learns, and that a cache changes nothing."""

import torch

from companion.worlds.stories import writer
from companion.worlds.stories.trained import series
from companion.worlds.stories.truth import untrue
from companion.worlds.stories.writer import END, NOTHING, VOCABULARY, batches, examples, write

LAST = series()[0][2000]


def test_what_comes_next_is_what_is_read_one_token_later():
    read, comes = examples(3, "test")
    for row, nexts in zip(read, comes):
        length = (nexts != NOTHING).sum()
        assert row[0] == nexts[length - 1] == VOCABULARY.ids[END] and torch.equal(row[1:length], nexts[: length - 1])
        assert untrue(VOCABULARY.decode(row[1:length])) == set()


def test_batches_of_stories_alike_have_the_same_stories_and_less_padding():
    read, comes = examples(100, "test")
    plain, alike = (list(batches(read, comes, steps=20, size=5, alike=alike)) for alike in (False, True))
    stories, padded = zip(*(_stories_and_padding(drawn) for drawn in (plain, alike)))
    assert stories[0] == stories[1] and padded[1] < padded[0] / 4
    assert [len(read) for read, _ in alike] == [5] * 20


def _stories_and_padding(drawn):
    rows = [row[row != NOTHING].tolist() for _, comes in drawn for row in comes]
    return sorted(rows), sum((comes == NOTHING).sum().item() for _, comes in drawn)


def test_writing_with_a_cache_gives_what_reading_all_again_gives():
    [tokens] = write(LAST)
    ids = torch.tensor([VOCABULARY.encode([END, *tokens])])
    caches = LAST.caches()
    one_by_one = torch.cat([LAST(token, caches)[0] for token in ids.split(1, dim=1)], dim=1)
    torch.testing.assert_close(one_by_one, LAST(ids)[0], atol=1e-4, rtol=1e-4)


def test_stories_begin_as_asked_and_are_drawn_by_the_given_shares():
    beginning = ["One", "day", "Mia", "went"]
    stories = write(LAST, 5, beginning, shares=lambda logits: logits.softmax(dim=-1))
    assert all(tokens[:4] == beginning for tokens in stories) and len(set(map(tuple, stories))) > 1
    same = write(LAST, 5, beginning, shares=lambda logits: (logits == logits.amax(dim=-1, keepdim=True)).float())
    assert len(set(map(tuple, same))) == 1


def test_a_model_that_never_ends_is_stopped():
    never = torch.ones(len(VOCABULARY)).index_fill(0, torch.tensor(VOCABULARY.ids[END]), 0)
    stories = write(LAST, 2, shares=lambda logits: never.expand_as(logits))
    assert [len(tokens) for tokens in stories] == [writer.LONGEST - 1] * 2
