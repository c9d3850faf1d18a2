"""Numbers printed in public tutorials, reproduced to the last printed digit."""

import json
import math
from pathlib import Path

import pytest
import torch

from companion.sentence import running_sentence
from utils.attention import attention, masked_softmax, project, scores
from utils.text import Vocabulary, embed, tokenize

PUBLISHED = json.loads((Path(__file__).parent / "published_values.json").read_text(encoding="utf-8"))
RASCHKA = PUBLISHED["raschka"]
SWAPPED = PUBLISHED["coding_self_attention"]
BY_HAND = PUBLISHED["illustrated"]
SENTENCE = RASCHKA["sentence"]


def assert_four_decimals(ours, printed):
    torch.testing.assert_close(ours, torch.tensor(printed), atol=0.5e-4, rtol=1e-6)


def assert_five_digits(ours, printed):
    torch.testing.assert_close(ours, torch.tensor(printed), atol=1e-9, rtol=1e-4)


def embedded(seed):
    torch.manual_seed(seed)
    tokens = tokenize(SENTENCE)
    return embed(tokens, Vocabulary(tokens), torch.nn.Embedding(6, 16)).detach()


def test_sentence_vocabulary_and_ids():
    tokens = tokenize(SENTENCE)
    vocabulary = Vocabulary(tokens)
    assert vocabulary.ids == RASCHKA["vocabulary"]
    assert vocabulary.encode(tokens) == RASCHKA["token_ids"]


@pytest.mark.parametrize("seed, source", [(123, RASCHKA), (42, SWAPPED)], ids=["raschka", "coding_self_attention"])
def test_first_embedding_row(seed, source):
    assert_four_decimals(embedded(seed)[0], source["embedded_row_0"])


class TestRaschka:
    @pytest.fixture
    def projected(self):
        before = torch.get_rng_state()
        tokens, *projected = running_sentence()
        assert tokens == tokenize(SENTENCE) and torch.get_rng_state().equal(before)  # the reader's own draws stay
        return projected

    def test_shapes(self, projected):
        query, key, value = projected
        shapes = {"query_2": query[1], "key_2": key[1], "value_2": value[1], "keys": key, "values": value}
        assert {name: list(tensor.shape) for name, tensor in shapes.items()} == RASCHKA["shapes"]

    def test_scores_of_the_second_query(self, projected):
        query, key, _ = projected
        assert_four_decimals(query[1] @ key[4], RASCHKA["omega_2_4"])
        assert_four_decimals(scores(query, key, "dot")[1], RASCHKA["omega_2"])

    def test_weights_and_context_of_the_second_query(self, projected):
        context, weights = attention(*projected)
        assert_four_decimals(weights[1], RASCHKA["attention_weights_2"])
        assert_four_decimals(context[1], RASCHKA["context_vector_2"])


class TestIllustratedByHand:
    @pytest.fixture
    def projected(self):
        return project(*(torch.tensor(BY_HAND[name]).float() for name in ("inputs", "w_query", "w_key", "w_value")))

    @pytest.fixture
    def weights(self, projected):
        query, key, _ = projected
        return masked_softmax(scores(query, key, "dot"))

    def test_queries_keys_values_and_scores(self, projected):
        query, key, value = projected
        assert query.tolist() == BY_HAND["queries"]
        assert key.tolist() == BY_HAND["keys"]
        assert value.tolist() == BY_HAND["values"]
        assert scores(query, key, "dot").tolist() == BY_HAND["scores"]

    def test_unscaled_weights_and_outputs(self, projected, weights):
        assert_five_digits(weights, BY_HAND["softmax_unscaled"])
        assert_four_decimals(weights @ projected[2], BY_HAND["outputs_exact"])

    def test_outputs_from_weights_rounded_to_one_decimal(self, projected, weights):
        rounded = weights.round(decimals=1)
        rounded[0, 0] = 0.0  # 0.0634 rounds to 0.1, but the source prints 0.0, so that the row sums to 1
        torch.testing.assert_close(rounded, torch.tensor(BY_HAND["softmax_rounded"]))
        torch.testing.assert_close(rounded @ projected[2], torch.tensor(BY_HAND["outputs_from_rounded"]))


class TestQueryAndKeySwapped:
    @pytest.fixture
    def projected(self):
        inputs = embedded(42)
        torch.manual_seed(42)
        W_key, W_query, W_value = torch.rand(16, 24), torch.rand(16, 24), torch.rand(16, 28)
        return project(inputs, W_query, W_key, W_value)

    def test_published_weights_and_context_come_from_the_swapped_product(self, projected):
        query, key, value = projected
        weights = torch.softmax(key @ query.T / math.sqrt(24), dim=-1)
        assert_five_digits(weights[0], SWAPPED["published_weights_row_0"])
        assert_four_decimals((weights @ value)[0, :4], SWAPPED["published_context_row_0_first_4"])

    def test_weights_and_context_of_the_right_product(self, projected):
        context, weights = attention(*projected)
        assert_five_digits(weights[0], SWAPPED["correct_weights_row_0"])
        assert_four_decimals(context[0, :4], SWAPPED["correct_context_row_0_first_4"])
