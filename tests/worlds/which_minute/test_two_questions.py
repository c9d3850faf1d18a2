import pytest
import torch
from live_pictures import twin_rows

from companion.worlds.which_minute import train_two_questions as ways
from companion.worlds.which_minute import two_questions
from companion.worlds.which_minute.heads_out import heads_out
from companion.worlds.which_minute.sentences import MEANINGS, encode

TEXTS, ANSWERS = two_questions.sentences()
ASKED = encode(TEXTS)
WORDS = ["after", "the", "pause", "she", "noticed", "one", "minute", "crack"]
EXCHANGED = ["after", "the", "crack", "she", "noticed", "one", "minute", "pause"]


def test_each_sentence_has_a_twin_with_words_and_answers_exchanged():
    known = {" ".join(words): answers for words, answers in zip(TEXTS, ANSWERS.tolist())}
    for words, (clue, first) in zip(TEXTS, ANSWERS.tolist()):
        twin = [*words[:2], words[7], *words[3:7], words[2], *words[8:]]
        assert known[" ".join(twin)] == [first, clue]
    assert len(known) == len(TEXTS) == 4416 and known[" ".join(WORDS)] == [1, 0]


def test_the_first_picture_shows_one_head_that_misses_an_answer_and_two_that_do_not():
    says = "One head: “a time” (right), “either” (wrong). Two heads: “a time” (right), “tiny” (right)."
    assert heads_out("crack", "pause").text == says
    with torch.no_grad():
        for num_heads, panel in enumerate(twin_rows(heads_out("crack", "pause"))[1:], start=1):
            logits, weights = two_questions.load_model(num_heads)(*encode([EXCHANGED]))
            answers = [MEANINGS[best] for best in logits[0].argmax(dim=0)]
            assert [cell.partition(",")[0] for cell in panel[1:]] == answers
            assert weights[0].argmax(dim=-1).tolist() == [7, 2][:num_heads]


def test_marks_tell_before_minute_from_after_it():
    ids, marks, mask = two_questions.marked([EXCHANGED, ["one", "minute", "gap"]])
    assert marks.tolist() == [[0, 0, 0, 0, 0, 0, 1, 2], [0, 1, 2, 2, 2, 2, 2, 2]]
    assert ids.shape == (2, 8) and mask.sum(dim=-1).flatten().tolist() == [8, 3]


@pytest.mark.parametrize("way", ways.ATTENTIONS)
def test_each_way_gives_logits_and_weights_that_sum_to_one(way):
    make, d_model, _ = ways.ATTENTIONS[way]
    logits, weights = two_questions.TwoQuestions(make(d_model), d_model)(*encode([WORDS, EXCHANGED]))
    assert logits.shape == (2, 3, 2) and torch.allclose(weights.sum(dim=-1), torch.ones(weights.shape[:2]))
    if make is ways.PlainAverage:  # the same words: nothing tells the two sentences apart
        assert torch.allclose(*logits, atol=1e-5)


@pytest.mark.only_with_all  # by default notebook 09 trains so, and its numbers are compared
def test_training_two_heads_teaches_both_questions():
    model = ways.learn("two heads of 4 numbers", 5, ASKED, ANSWERS)
    assert two_questions.right(model, ASKED, ANSWERS)[2] > 99
