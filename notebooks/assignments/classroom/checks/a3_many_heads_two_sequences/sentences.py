"""Checks of the assignment a3_many_heads_two_sequences: what a class's own two sentences read in each other."""

import random

import torch

from classroom.checks.a3_many_heads_two_sequences.known_module import BIASES, HEADS, MODULE, WEIGHTS, Right
from classroom.checks.answers import usable_weights
from classroom.checks.graded import Draw, as_replacements, graded
from classroom.student import MissingName, Student, StudentError
from companion.checks.feedback import Mistake, close, expect


@graded(right=HEADS)
def check_read_by_heads(student: Student, draw: Draw):
    """what the word reads most, head by head."""
    asking, answering, asked, seed = _class_sentences(student.class_seed)
    asking, answering = asking.split(), answering.split()
    numbers = torch.Generator().manual_seed(seed)
    inputs, memory = (torch.randn(1, len(words), 8, generator=numbers) for words in (asking, answering))
    state = {}
    for weight, bias in zip(WEIGHTS, BIASES):
        state[weight] = torch.randn(8, 8, generator=numbers) / 8**0.5
        state[bias] = torch.randn(8, generator=numbers)
    with torch.random.fork_rng(devices=[]):  # the student's own random numbers must not change
        module = Right(8, 4)
    module.load_state_dict(state)
    weights, row = module(inputs, memory)[1][0].detach(), asking.index(asked)  # (heads, queries, keys)
    words = student.call("read_by_heads")
    fits = isinstance(words, (list, tuple)) and all(isinstance(word, str) for word in words)
    expect(fits and len(words) == 4, "read_by_heads gives a list of four words, one for each head")
    own = _weights(student, state, inputs, memory)  # the student's own, whose slips are charged elsewhere
    for matrices in (weights[None], usable_weights(own, weights[None])):
        if list(words) == [answering[best] for best in matrices[0, :, row].argmax(-1)]:
            return
    expect(close(own, weights[None]), "your module's weights for `state` are not right: mend parts 1 to 4 first")
    raise Mistake(f"not the words of the other sentence that {asked!r} reads most: take its row, head by head")


def _weights(student: Student, state: dict, inputs, memory):
    """Return the weights of the student's own module, or None if there are none."""
    try:
        module = student.make(MODULE, 8, 4)
        module.load(state)
        answer = module(inputs, memory)
        return answer[1] if isinstance(answer, (list, tuple)) and len(answer) == 2 else None
    except (StudentError, MissingName, NotImplementedError):
        return None


@as_replacements
def variation(seed):
    """The two sentences, the word that is asked about and the numbers."""
    asking, answering, asked, numbers = _class_sentences(seed)
    return f'"{asking}"', f'"{answering}"', f'asked = "{asked}"', f"manual_seed({numbers})"


def _class_sentences(seed):
    """Return a class's sentence that asks, the one that answers, the word asked about, and the seed of the numbers."""
    if seed is None:
        return "she drinks hot tea", "elle boit du thé chaud", "tea", 1
    choose = random.Random(seed)
    who = choose.choice([("she", "elle"), ("he", "il")])
    does = choose.choice([("drinks", "boit"), ("wants", "veut"), ("makes", "prépare"), ("buys", "achète")])
    kind = choose.choice([("hot", "chaud"), ("cold", "froid"), ("sweet", "sucré")])
    what = choose.choice([("tea", "thé"), ("coffee", "café"), ("milk", "lait"), ("chocolate", "chocolat")])
    asking = [who[0], does[0], kind[0], what[0]]
    answering = [who[1], does[1], "du", what[1], kind[1]]
    return " ".join(asking), " ".join(answering), choose.choice(asking), choose.randint(2, 10_000)
