"""Numbers printed in public tutorials, reproduced to the last printed digit."""

import json
import math
from pathlib import Path

import torch

from utils.attention import attention, masked_softmax, project, scores
from utils.text import Vocabulary, embed, tokenize

PUBLISHED = json.loads((Path(__file__).parent / "published_values.json").read_text(encoding="utf-8"))
RASCHKA, SWAPPED, BY_HAND = (PUBLISHED[name] for name in ("raschka", "coding_self_attention", "illustrated"))


def assert_four_decimals(ours, printed):
    torch.testing.assert_close(ours, torch.tensor(printed), atol=0.5e-4, rtol=1e-6)


def assert_five_digits(ours, printed):
    torch.testing.assert_close(ours, torch.tensor(printed), atol=1e-9, rtol=1e-4)


def embedded(seed):
    torch.manual_seed(seed)
    tokens = tokenize(RASCHKA["sentence"])
    return embed(tokens, Vocabulary(tokens), torch.nn.Embedding(6, 16)).detach()


def test_sentence_vocabulary_ids_and_embedding():
    tokens = tokenize(RASCHKA["sentence"])
    vocabulary = Vocabulary(tokens)
    assert (vocabulary.ids, vocabulary.encode(tokens)) == (RASCHKA["vocabulary"], RASCHKA["token_ids"])
    for seed, source in ((123, RASCHKA), (42, SWAPPED)):
        assert_four_decimals(embedded(seed)[0], source["embedded_row_0"])


def test_the_sentence_from_queries_to_a_context_vector():
    inputs = embedded(123)
    torch.manual_seed(123)
    W_query, W_key, W_value = torch.rand(24, 16), torch.rand(24, 16), torch.rand(28, 16)
    query, key, value = project(inputs, W_query.T, W_key.T, W_value.T)
    shapes = {"query_2": query[1], "key_2": key[1], "value_2": value[1], "keys": key, "values": value}
    assert {name: list(tensor.shape) for name, tensor in shapes.items()} == RASCHKA["shapes"]
    assert_four_decimals(query[1] @ key[4], RASCHKA["omega_2_4"])
    assert_four_decimals(scores(query, key, "dot")[1], RASCHKA["omega_2"])
    context, weights = attention(query, key, value)
    assert_four_decimals(weights[1], RASCHKA["attention_weights_2"])
    assert_four_decimals(context[1], RASCHKA["context_vector_2"])


def test_by_hand_everything_from_queries_to_outputs():
    parts = (torch.tensor(BY_HAND[name]).float() for name in ("inputs", "w_query", "w_key", "w_value"))
    query, key, value = project(*parts)
    matrices = {"queries": query, "keys": key, "values": value, "scores": scores(query, key, "dot")}
    assert all(tensor.tolist() == BY_HAND[name] for name, tensor in matrices.items())
    weights = masked_softmax(matrices["scores"])
    assert_five_digits(weights, BY_HAND["softmax_unscaled"])
    assert_four_decimals(weights @ value, BY_HAND["outputs_exact"])
    rounded = weights.round(decimals=1)
    rounded[0, 0] = 0.0  # 0.0634 rounds to 0.1, but the source prints 0.0, so that the row sums to 1
    torch.testing.assert_close(rounded, torch.tensor(BY_HAND["softmax_rounded"]))
    torch.testing.assert_close(rounded @ value, torch.tensor(BY_HAND["outputs_from_rounded"]))


def test_where_query_and_key_were_swapped_both_products_are_known():
    inputs = embedded(42)
    torch.manual_seed(42)
    W_key, W_query, W_value = torch.rand(16, 24), torch.rand(16, 24), torch.rand(16, 28)
    query, key, value = project(inputs, W_query, W_key, W_value)
    swapped = torch.softmax(key @ query.T / math.sqrt(24), dim=-1)
    assert_five_digits(swapped[0], SWAPPED["published_weights_row_0"])
    assert_four_decimals((swapped @ value)[0, :4], SWAPPED["published_context_row_0_first_4"])
    context, weights = attention(query, key, value)
    assert_five_digits(weights[0], SWAPPED["correct_weights_row_0"])
    assert_four_decimals(context[0, :4], SWAPPED["correct_context_row_0_first_4"])
