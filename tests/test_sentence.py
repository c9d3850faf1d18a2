import json

import torch

from companion.sentence import running_sentence
from reading import COURSE
from utils.attention import attention, scores

PUBLISHED = json.loads((COURSE / "tests" / "published_values.json").read_text(encoding="utf-8"))["raschka"]


def test_the_running_sentences_numbers_are_those_that_were_published():
    tokens, query, key, value = running_sentence()
    assert " ".join(tokens) == PUBLISHED["sentence"].replace(",", "")
    torch.testing.assert_close(scores(query, key, "dot")[1], torch.tensor(PUBLISHED["omega_2"]), atol=5e-5, rtol=0)
    context, _ = attention(query, key, value)
    torch.testing.assert_close(context[1], torch.tensor(PUBLISHED["context_vector_2"]), atol=5e-5, rtol=0)


def test_the_readers_own_random_numbers_stay_as_they_were():
    torch.manual_seed(5)
    wanted = torch.rand(3)
    torch.manual_seed(5)
    running_sentence()
    assert torch.equal(torch.rand(3), wanted)
