"""Numbers printed in public tutorials, reproduced to the last printed digit."""

import json
import math
from pathlib import Path

import pytest
import torch

from utils.attention import attention, masked_softmax, project, scores
from utils.text import Vocabulary, embed, tokenize

PUBLISHED = json.loads((Path(__file__).parent / "published_values.json").read_text(encoding="utf-8"))
RASCHKA = PUBLISHED["raschka"]
SWAPPED = PUBLISHED["coding_self_attention"]
BY_HAND = PUBLISHED["illustrated"]
AMBIGUOUS = PUBLISHED["ambiguous_word"]
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
        inputs = embedded(123)
        torch.manual_seed(123)
        matrices = torch.rand(24, 16), torch.rand(24, 16), torch.rand(28, 16)  # made for W @ x
        return project(inputs, *(matrix.T for matrix in matrices))

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


def test_shapes_of_raschkas_three_stacked_heads():
    inputs, matrices = embedded(123), {"keys": torch.rand(3, 24, 16), "values": torch.rand(3, 28, 16)}
    stacked = inputs.T.repeat(3, 1, 1)
    shapes = {"heads": 3, "query_2": list((matrices["keys"] @ inputs[1]).shape), "stacked_inputs": list(stacked.shape)}
    for name, matrix in matrices.items():
        columns = torch.bmm(matrix, stacked)
        shapes[f"{name}_before_permute"] = list(columns.shape)
        shapes[name] = list(columns.permute(0, 2, 1).shape)
    assert shapes == RASCHKA["multi_head"]


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

    def test_box_of_weighted_values_from_rounded_weights(self, projected):
        rounded = torch.tensor(BY_HAND["softmax_rounded"])
        box = rounded[:, :, None] * projected[2]  # (queries, keys, d_v), which the source prints with keys first
        of_first, of_second = [[0.0] * 3] * 3, [[1.0, 4.0, 0.0], [2.0, 8.0, 0.0], [1.8, 7.2, 0.0]]
        of_third = [[1.0, 3.0, 1.5], [0.0, 0.0, 0.0], [0.2, 0.6, 0.3]]
        torch.testing.assert_close(box.transpose(0, 1), torch.tensor([of_first, of_second, of_third]))


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


def test_minute_has_one_id_in_both_of_its_meanings():
    took, size = (tokenize(sentence) for sentence in AMBIGUOUS["sentences"])
    assert (took, size) == (["It", "took", "one", "minute"], ["The", "size", "was", "minute"])
    assert len(took) == len(size) == AMBIGUOUS["example_shape"]["tokens"]
    vocabulary = Vocabulary(took + size)
    assert vocabulary.encode(took)[-1] == vocabulary.encode(size)[-1]
