"""Texts that give digits to letters and later ask for them, and a small model of heads alone that looks them up.

Built and explained in notebook 17. The task is called multi-query associative recall: Arora and others, "Zoology:
Measuring and Improving Recall in Efficient Language Models", 2023.
"""

from functools import partial

import torch
from torch import nn
from torch.nn import functional as F

from utils.attention import causal_mask, masked_softmax, scores
from utils.positions import alibi

LETTERS, PAIRS, ASKS = "abcdefghijklmnopqrstuvwxyz", 24, 8
WIDTH, HEAD_DIM, BATCH = 32, 8, 8  # a batch has as many texts of each kind
linear, embedding = (partial(layer, dtype=torch.float64) for layer in (nn.Linear, nn.Embedding))
NUM_LETTERS = (24, 6)  # how many letters the texts of a training have: each of 24 comes once, each of 6 four times


def draw_texts(num_texts, num_letters, num_asks=ASKS):
    """Draw texts of 24 pairs, a letter and its digit, and then letters that are asked for.

    num_letters: how many letters the pairs have, 24 or a part of it; each comes equally often, with new digits.
    Returns the inputs of a model, letters and digits, both (texts, tokens), a digit of 10 being a question; and the
    answers (texts, tokens), the letter's newest digit, and -100 where nothing is asked.
    """
    known = torch.rand(num_texts, len(LETTERS)).argsort(dim=1)[:, :num_letters]
    order = torch.rand(num_texts, PAIRS).argsort(dim=1)
    letters = known.repeat(1, PAIRS // num_letters).gather(1, order)
    digits = torch.randint(10, (num_texts, PAIRS))
    asked = known.gather(1, torch.randint(num_letters, (num_texts, num_asks)))
    newest = ((asked[..., None] == letters[:, None]) * torch.arange(1, PAIRS + 1)).argmax(dim=-1)
    answers = F.pad(digits.gather(1, newest), (PAIRS, 0), value=-100)
    return (torch.cat([letters, asked], dim=1), F.pad(digits, (0, num_asks), value=10)), answers


def spelled(letters, digits):
    """Return one text, such as "q3 b7 q1 b?"."""
    return " ".join(
        f"{LETTERS[letter]}{'?' if digit == 10 else digit.item()}" for letter, digit in zip(letters, digits)
    )


class Recall(nn.Module):
    """Letter and digit of each token, added; one head, whose output is added, too; logits of ten digits. No positions.

    way: from query and key (texts, tokens, head_dim) and value (texts, tokens, 32) to the context (texts, tokens, 32),
    as `delta_table` and `alibi_table`; rated: whether the way takes a rate, too, (texts, tokens, 1), between 0 and 1.
    Its numbers have 64 bits, so that a training finds the same answers on every machine.
    """

    def __init__(self, way, rated=False, head_dim=HEAD_DIM):
        super().__init__()
        self.way, self.rated = way, rated
        self.letter, self.digit = embedding(len(LETTERS), WIDTH), embedding(11, WIDTH)
        self.W_query, self.W_key = linear(WIDTH, head_dim), linear(WIDTH, head_dim)
        self.W_value, self.W_output, self.W_rate = linear(WIDTH, WIDTH), linear(WIDTH, WIDTH), linear(WIDTH, 1)
        self.answer = linear(WIDTH, 10)

    def forward(self, letters, digits):
        """Return the logits (texts, tokens, 10)."""
        stream = self.letter(letters) + self.digit(digits)
        rate = [self.W_rate(stream).sigmoid()] if self.rated else []
        context = self.way(self.W_query(stream), self.W_key(stream), self.W_value(stream), *rate)
        return self.answer(stream + self.W_output(context))


def train_models(loop, way, steps=300, rated=False, head_dim=HEAD_DIM):
    """Train a model with this way, as of `Recall`, from each of two seeds, on both kinds of texts."""
    models = []
    for seed in range(2):
        torch.manual_seed(seed)
        model = Recall(way, rated, head_dim)
        kinds = [draw_texts(BATCH * steps, num_letters) for num_letters in NUM_LETTERS]
        batches = zip(*(zip(*(part.split(BATCH) for part in (*inputs, answers))) for inputs, answers in kinds))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01, fused=True)

        def loss_of(both, model=model):
            letters, digits, answers = map(torch.cat, zip(*both))
            return F.cross_entropy(model(letters, digits)[:, PAIRS:].flatten(0, 1), answers[:, PAIRS:].flatten())

        loop(loss_of, optimizer, batches)
        models.append(model)
    return models


@torch.no_grad()
def percents_of_models(models, num_letters, places=range(PAIRS)):
    """Return of each model how many of its answers about new texts are right, in %, when one letter is asked for.

    num_letters: as of `draw_texts`; places: where the newest pair of that letter may be in a text that counts.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(99)
        (letters, digits), answers = draw_texts(1000, num_letters, num_asks=1)
    newest = ((letters[:, :PAIRS] == letters[:, PAIRS:]) * torch.arange(1, PAIRS + 1)).argmax(dim=1)
    counts = torch.isin(newest, torch.tensor(places))
    hits = [(model(letters, digits).argmax(dim=-1) == answers)[counts, -1] for model in models]
    return [round(100 * hit.double().mean().item()) for hit in hits]


def delta_table(query, key, value, rate):
    """Return the contexts that the delta rule gives token by token, (..., tokens, d_v), for all tokens at once.

    query, key: (..., tokens, d_k), brought to length 1 here; value: (..., tokens, d_v); rate: (..., tokens, 1).
    What the state answers to a key is made of the earlier errors, each times the product of the two keys. So the
    errors, times their rates, solve a system of linear equations, error + before · error = rate · value.
    Yang and others, "Parallelizing Linear Transformers with the Delta Rule over Sequence Length", 2024.
    """
    query, key = F.normalize(query, dim=-1), F.normalize(key, dim=-1)
    before = (rate * (key @ key.mT)).tril(-1)
    system = before + torch.eye(before.shape[-1], dtype=before.dtype)
    errors = torch.linalg.solve_triangular(system, rate * value, upper=False)
    return (query @ key.mT * causal_mask(before.shape[-1])) @ errors


def alibi_table(query, key, value):
    """Return causal softmax contexts whose scores lose a quarter for each token of distance; shapes: `delta_table`."""
    num_tokens = query.shape[-2]
    return masked_softmax(scores(query, key) + alibi(8, num_tokens)[1], causal_mask(num_tokens)) @ value
