"""The tables and sentences that live pictures store are what torch computes."""

import random

import pytest
import torch
from live_pictures import twin_rows

from companion.pictures.live.notebook_04_turn_query import turn_query
from companion.pictures.live.notebook_05_softmax_machine import softmax_machine
from companion.pictures.live.notebook_06_mixture import mixture
from companion.pictures.live.notebook_06_parting import parting
from companion.pictures.live.notebook_08_letter_bars import letter_bars
from companion.pictures.live.notebook_10_linked_heads import linked_heads
from companion.pictures.live.notebook_11_clocks import clocks, jump_clocks, position_clocks
from companion.pictures.live.notebook_13_two_heads import two_heads
from companion.pictures.live.notebook_14_teacher_forcing import teacher_forcing
from companion.pictures.live.notebook_16_online_softmax import online_softmax
from companion.pictures.live.notebook_17_kept import kept
from companion.pictures.words import two_decimals
from companion.worlds.stories.becoming import judge, mark_unfit, whom
from companion.worlds.stories.trace import trace
from companion.worlds.stories.world import story
from companion.worlds.stories.writer import Writer
from companion.worlds.which_minute.head import trained, untrained
from companion.worlds.which_minute.learning import Film, learning
from companion.worlds.which_minute.one_query import one_query
from companion.worlds.which_minute.sentences import encode
from companion.worlds.words import encode as spelled
from companion.worlds.words import trained_speller as writer
from utils.positions import rotate, sinusoidal

TOKENS = ["Life", "is", "short"]
WEIGHTS = torch.tensor([0.44, 0.34, 0.22], dtype=torch.float64)
VALUE = torch.tensor([[3.0, 1.0], [0.5, -2.0], [-1.5, 0.0]], dtype=torch.float64)
QUERY, KEY = torch.tensor([[1.0, 0.5, 1.0, -1.0], [0.5, 1.0, -1.5, 0.5]], dtype=torch.float64)
MAPS = torch.tensor([[[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]], [[0.6, 0.4, 0.0], [0.3, 0.6, 0.1]]])
TABLE = torch.tensor([[0.7, 0.2, 0.1, 0.0]] * 4)


def written(vector):
    return f"({', '.join(map(two_decimals, vector.tolist()))})"


def test_a_turned_query_has_torchs_angles_and_scores():
    query = torch.tensor([2.0, 1.0], dtype=torch.float64)
    picture = turn_query(query, VALUE, TOKENS)
    degrees = torch.cosine_similarity(VALUE, query[None]).acos().rad2deg().tolist()
    along, scores = (VALUE @ query / query.norm()).tolist(), (VALUE @ query).tolist()
    columns = TOKENS, [f"{angle:.1f}°" for angle in degrees], map(two_decimals, along), map(two_decimals, scores)
    assert twin_rows(picture)[1:] == [[*row] for row in zip(*columns)]
    assert picture.text == "Largest score: “Life” (7.00); below zero: “is”, “short”."
    assert twin_rows(turn_query([0, 0], VALUE, TOKENS))[1] == ["Life", "–", "0.00", "0.00"]


@pytest.mark.parametrize("temperature, name", [(1, "exp(ω)"), (5, "exp(ω / 5.00)")])
def test_scores_become_torchs_exps_and_shares(temperature, name):
    scores = torch.tensor([1000.0, 1001, -0.098], dtype=torch.float64)
    exps, shares = torch.exp(scores / temperature), torch.softmax(scores / temperature, dim=-1)
    picture, columns = softmax_machine(scores, TOKENS, "is", temperature), [scores, exps, shares]
    assert twin_rows(picture) == [
        ["key", "score ω", name, "weight α = exp / sum"],
        *map(list, zip(TOKENS, *(map(two_decimals, column.tolist()) for column in columns))),
        ["sum", "", two_decimals(exps.sum().item()), "1.00"],
    ]
    assert (
        picture.text
        == f"For “is”: “is” gets {two_decimals(shares[1].item())} of 1, “Life” {two_decimals(shares[0].item())}."
    )


def test_a_mixture_has_torchs_products_and_context():
    picture, context = mixture(WEIGHTS, VALUE, TOKENS), WEIGHTS @ VALUE
    assert twin_rows(picture)[1:-1] == [
        [token, written(value), two_decimals(weight.item()), written(weight * value)]
        for token, weight, value in zip(TOKENS, WEIGHTS, VALUE)
    ]
    assert twin_rows(picture)[-1] == ["context", "", "Σ 1.00", written(context)]
    assert picture.text.startswith(f"Context {written(context)} = 0.44 · Life + 0.34 · is + 0.22 · short.")


def test_two_contexts_have_torchs_angle_and_distance():
    weights, value = torch.stack([WEIGHTS, WEIGHTS.flip(0)]), torch.stack([VALUE, VALUE])
    one, other = weights @ VALUE
    angle = torch.cosine_similarity(one, other, dim=0).acos().rad2deg()
    text = parting(weights, value, [TOKENS] * 2, 2).text
    assert text.endswith(f"are {two_decimals((one - other).norm().item())} apart, at an angle of {angle:.1f}°.")


def test_bars_of_letters_are_the_shares_of_the_model_that_was_trained():
    logits, weights = writer()(spelled(["sam"])[0][:, :4])
    share, weight = (logits[0, -1] / 0.5).softmax(dim=-1).max().item(), weights[0, -1, 2].item()
    said = "After “sam”, the likeliest letter is “a” ({}). Here “m” reads most from “a” ({})."
    assert letter_bars(writer(), "sam", 0.5).text == said.format(two_decimals(share), two_decimals(weight))
    assert letter_bars(writer(), "").text.startswith("At the start, the likeliest letter is “")
    assert letter_bars(writer(), "something").text.startswith("After “something”, the word most likely ends (1.00). ")
    for wrong in "Q!", "tenletters":
        with pytest.raises(ValueError, match=f"“{wrong}” should be at most 9 letters, a to z"):
            letter_bars(writer(), wrong)


def test_linked_heads_have_torchs_numbers_and_say_where_each_looks():
    picture = linked_heads(MAPS, TOKENS[:2], TOKENS, follow=1)
    rows = [row[1:] for row in twin_rows(picture) if row[0] in TOKENS[:2]]
    assert rows == [[f"{weight:.2f}" for weight in row] for head in MAPS for row in head]
    later = torch.stack([torch.zeros(2, 3), MAPS[0]])[:, None]  # a row is as long as it ever is
    assert len(twin_rows(linked_heads(later, TOKENS[:2], TOKENS, losses=[2, 1], steps=[0, 1]))[1]) == 4
    assert picture.text == "“is” looks: head 0 most at “short” (0.80), head 1 most at “is” (0.60)."


def test_a_position_has_its_sinusoidal_encoding():
    sines, cosines = sinusoidal(6, 16)[5].unflatten(0, (8, 2)).T.tolist()
    rows = [row[1:] for row in twin_rows(position_clocks(16, position=5))]
    assert rows == [[f"sin {two_decimals(s)}", f"cos {two_decimals(c)}"] for s, c in zip(sines, cosines)]


def test_a_jump_turns_each_pair_as_rotary_embeddings_do():
    right, up = rotate(torch.tensor([[0.0, 0, 0, 0, 1, 1, 1, 1]]), [40])[0].chunk(2)  # a hand at 12 o'clock
    degrees = [f"{round(angle) % 360}°" for angle in torch.atan2(-right, up).rad2deg().tolist()]
    rows = twin_rows(jump_clocks(8, 40, 15))
    assert [row[1] for row in rows] == degrees == ["132°", "229°", "23°", "2°"]
    assert [row[2] for row in rows] == ["trained all around", "trained to 86°", "trained to 9°", "trained to 1°"]


@pytest.mark.parametrize("distance, places", [(5, (7, 12)), (-5, (12, 7))])
def test_the_score_of_clocks_is_that_of_rotary_embeddings(distance, places):
    query, key = (rotate(each[None], [at]) for each, at in zip((QUERY, KEY), places))
    assert clocks(QUERY, KEY, position=7, distance=distance).text.endswith(f" {two_decimals((query @ key.T).item())}.")


def test_two_heads_are_followed_from_the_token_that_asks():
    weights = torch.eye(5)[[0, 0, 1, 2, 3]]
    picture = two_heads("acaba", weights, weights.flip(1), list("defgh"))
    assert twin_rows(picture)[5] == ["a", "c 1.00", "a 1.00", "h"]
    said = two_heads("acaba", weights, weights, list("defgh")).text
    assert said.startswith("“a” came before, and “b” followed it. The second head reads that “b” (1.00), ")
    assert said.endswith("which in the first head had read “a” (1.00). The model says “h”.")


def test_a_decoder_reads_its_letter_both_ways_and_says_what_is_wrong():
    picture = teacher_forcing(
        {"to": (["T", "UW"], (["T", "OW", "end"], TABLE[:3, :3]), (["T", "AH", "UH", "end"], TABLE[:, :3]))}, {}
    )
    assert twin_rows(picture)[1:] == [
        ["begin", "T", "reads t"] * 2,
        ["begin T", "OW", "reads t", "begin T", "AH", "reads t"],
        ["begin T UW", "end", "reads t", "begin T AH", "UH", "reads t"],
        ["", "", "", "begin T AH UH", "end", "reads t"],
    ]
    assert picture.text.endswith("T, OW, end. Row 2 should say UW. The rows below are given the right one.")


def test_keys_one_by_one_keep_what_torch_finds_in_those_so_far():
    scores, values = torch.tensor([0.5, -1.0, 2.0, 3.5]), torch.tensor([8.0, 16.0, 4.0, 1.0])
    said = online_softmax(scores, values).data["sentences"]
    assert said[0] == "Key 0 is the first, so its score is the largest, and its weight, 1.00, is added."
    assert "all that was kept shrinks by exp(0.50 − 2.00) = 0.22, and then" in said[2]
    for number, row in enumerate(twin_rows(online_softmax(scores, values))[1:], start=1):
        weights = (scores[:number] - scores[:number].max()).exp()
        assert row[4:] == [two_decimals(weights.sum().item()), two_decimals((weights @ values[:number]).item())]


def test_what_is_kept_is_counted():
    picture = kept([*map(str, range(12))], 4, 8, num_kv_heads=2, d_latent=6, window=3)
    counts = {"keys and values": 12 * 64, "grouped heads": 12 * 32, "latent": 72, "window of 3": 192, "state": 4 * 64}
    assert {name: int(count) for name, _, count in twin_rows(picture)[1:]} == counts
    opened = kept([*map(str, range(12))], 4, 8, num_kv_heads=2, d_latent=6, window=3, start=2)
    assert twin_rows(kept(["a"], 4, 8, num_kv_heads=2, d_latent=6, window=3))[0][2] == "after 1 token"
    assert opened.text.startswith("After 2 tokens, of all keys and values: 50% grouped heads, 9% latent, 100% window")


def test_a_training_opens_with_its_first_weights():
    picture = learning(
        [0, 20], [1.1, 0.0125], torch.stack([MAPS[0], MAPS[1]]), torch.ones(2, 2, 2), [TOKENS] * 2, [0, 1]
    )
    assert [row[1:] for row in twin_rows(picture)] == [
        [f"{token}{two_decimals(weight)}" for token, weight in zip(TOKENS, row)] for row in MAPS[0].tolist()
    ]


def test_a_film_counts_the_steps_of_a_training_and_stays_the_same():
    head, texts = untrained(), encode([["she", "noticed", "one", "minute", "crack", "today"]])
    film = Film(head)
    with torch.no_grad():
        head(*texts)
    for _ in range(6):
        head(*texts)
    data = film.show().data
    head(*texts)
    assert data["steps"] == [0, 5, 6] and film.show().data == data


def test_a_story_is_marked_and_a_model_that_is_traced_stays_as_it_is():
    told = "Max saw the map , too . Ida kept the map . Then Ben came along ."
    assert " ".join(mark_unfit(told.split())) == told.replace("Ben", "*Ben*")
    tokens = story(random.Random(0))
    judged = judge([tokens, [*tokens[:-4], "Rosa", *tokens[-3:]]], [tokens])
    assert judged.text.count("✓ true") == 1 and "in *Rosa*'s house.\n✗ not true: owners\n\n1 of 1" in judged.text
    both = [{"He": "She", "sad": "happy"}.get(word, word) for word in tokens]
    assert mark_unfit(both) == both  # neither alone is to blame
    trace("One day", model := Writer())
    assert model.embedding.weight.dtype == torch.float32


def test_a_pronoun_that_does_not_fit_who_comes_along_is_wavy():
    said = whom(lambda first, said, second: "him" if (first, said) == ("Ida", "she") else "her", ["Ida", "Ben"])
    assert said.text.splitlines()[1:] == [
        "right | her | him",
        "it says, after “she” | her or *him* | *her* or him",
        "it says, after “he” | her | *her*",
    ]
    assert said.content.count("<u ") == 3


def test_one_word_asks_as_the_trained_head_does():
    with torch.no_grad():
        _, (weights,), (context,) = trained()(*encode([["she", "noticed", "one", "minute", "crack", "today"]]))
    *rows, last = twin_rows(one_query("crack"))[1:]
    assert [row[2] for row in rows] == [*map(two_decimals, weights.tolist())] and last[3] == written(context)
    for words in ("minute", "minute"), ("crack", "film"):
        with pytest.raises(ValueError, match="“{}” and “{}”: the clue must be one of pause, .*".format(*words)):
            one_query(*words)
