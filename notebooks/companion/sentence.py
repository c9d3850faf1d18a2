"""The sentence that runs through the course, and its numbers. Built in notebooks 01 to 03."""

import torch
from torch import nn

from utils.attention import project
from utils.text import Vocabulary, embed, tokenize

SENTENCE = "Life is short, eat dessert first"


def running_sentence():
    """Return the sentence's tokens, and their query (6, 24), key (6, 24) and value (6, 28).

    The matrices are random, and nothing is learned: sentence, sizes and seed are those of Sebastian Raschka,
    "Understanding and Coding the Self-Attention Mechanism of Large Language Models From Scratch", 2023.
    """
    tokens = tokenize(SENTENCE)
    with torch.random.fork_rng(devices=[]):  # the reader's own seed stays as it was
        torch.manual_seed(123)
        X = embed(tokens, Vocabulary(tokens), nn.Embedding(6, 16)).detach()
        torch.manual_seed(123)
        W_query, W_key, W_value = torch.rand(24, 16), torch.rand(24, 16), torch.rand(28, 16)
    return tokens, *project(X, W_query.T, W_key.T, W_value.T)
