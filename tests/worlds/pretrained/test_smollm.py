"""A language model's tokenizer, on made-up pieces, and what notebook 19, which holds its file and its logits, lacks."""

import re
from contextlib import nullcontext
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers

from companion import writing as module
from companion.course_answers import merges_learned
from companion.worlds.pretrained import probes, smollm, weight_files
from companion.worlds.pretrained.bytepairs import SIGNS, BytePairs
from companion.writing import Writing, both_ways
from utils import attention
from utils.attention import causal_mask

TEXTS = [
    "It's the bees' knees, isn't it? I'm sure we'll see they've won; you're right, he'd say.",
    "naïve  cafés\n\n1. “déjà vu” 🙂\t",
    "def f(x):\n    return 12_000 * x",
    " ",
    "1\n\n2\n\n3\n\n4\n\n5 \n\n",
]
PAIRS = BytePairs(["a", "b", smollm.END], [])


def test_byte_pairs_cut_as_the_library_does():
    start = [*SIGNS.values()]
    words = ["".join(SIGNS[byte] for byte in word.encode()) for line in TEXTS for word in re.split(r"(?=[ '])", line)]
    merges = merges_learned(words * 2, 200)
    vocabulary = [*start, *dict.fromkeys(map("".join, merges))]
    theirs = Tokenizer(models.BPE({piece: i for i, piece in enumerate(vocabulary)}, merges))
    digits, levels = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.pre_tokenizer = pre_tokenizers.Sequence([digits, levels])
    ours = BytePairs(vocabulary, list(map(" ".join, merges)))
    for line in TEXTS:
        assert ours.encode(line) == theirs.encode(line).ids and ours.decode(ours.encode(line)) == line


def test_without_weights_random_numbers_stand_in_and_it_says_so(no_weights, capsys):
    before = torch.get_rng_state()
    tensors, vocabulary, merges = smollm.open_or_stand_in()
    output = capsys.readouterr().out
    assert "RANDOM NUMBERS" in output and f"98 MB), run once:  {weight_files.FETCH}\n" in output
    assert torch.get_rng_state().equal(before)
    logits, maps = smollm.model_of_tensors(tensors)(torch.tensor([[5, 6, 7]]))
    assert logits.shape == (1, 3, len(vocabulary)) and maps.shape == (6, 1, 9, 3, 3)
    assert probes.random_rows(1, len(vocabulary)).max() < len(vocabulary)
    assert smollm.print_agreement(None, BytePairs(vocabulary, merges), [0]) == 0


def test_the_tokenizer_of_other_functions_shares_its_tables():
    ours = BytePairs(["a", "b", "ab"], ["a b"])
    theirs = ours.by(lambda letters, merges: ["".join(letters)], lambda pieces, vocabulary: [7] * len(pieces))
    assert ours.encode("ab") == [2] and theirs.encode("ab") == [7] and ours.encode("a") == [0]
    assert theirs.ranks is ours.ranks
    assert BytePairs([*"<|a>"], []).encode("<|a|>") == [0, 1, 2, 1, 3]  # only what is in the vocabulary is special
    assert BytePairs(["<|a|>", *SIGNS.values()], []).decode([0, 1, 188]) == "!\N{REPLACEMENT CHARACTER}"


def test_a_byte_without_a_token_is_named():
    with pytest.raises(ValueError, match=r"no token for b'\\x04'"):
        BytePairs(["a", "b", "ab"], ["a b"]).encode("ab\x04")


def test_a_loop_is_given_the_readers_own_way_to_choose():
    writing = Writing(MagicMock(blocks=[]), PAIRS, lambda read, ids, num_new, choose, end: [choose("logits")])
    assert writing.say("a", 1, lambda logits: len(logits) - 5) == "b"


def test_the_last_six_tokens_are_read_one_by_one():
    model, ids = MagicMock(blocks=[], side_effect=lambda ids: ids[..., None]), torch.arange(9)[None]
    assert Writing(model, PAIRS, None).read_in_steps(ids).equal(ids[..., None])
    assert [call.args[0].numel() for call in model.call_args_list] == [3, 1, 1, 1, 1, 1, 1]


def test_what_a_token_takes_is_told_of_all_that_each_way_reads(monkeypatch, capsys):
    monkeypatch.setattr(module, "on_page", lambda elsewhere: nullcontext())
    monkeypatch.setattr(module, "perf_counter", iter((0, 3, 4, 12)).__next__)
    both_ways(Writing(MagicMock(blocks=[]), PAIRS, lambda read, ids, *how: [not read(ids), not read([1])]), "ab", 1)
    said = capsys.readouterr().out
    assert "  3 tokens read with a cache: ab …aa\n" in said and "3.0 seconds with a cache, 1.000 for" in said
    assert "  5 tokens read without" in said and "8.0 seconds without a cache, 1.600 for" in said


def test_a_loop_that_stops_leaves_no_cache():
    head = SimpleNamespace(kept=None)
    model = SimpleNamespace(blocks=[SimpleNamespace(attention=head)])
    writing = Writing(model, BytePairs([smollm.END], []), lambda *inputs: head.kept + None)
    with pytest.raises(TypeError, match="concatenate"):  # in the loop there was one
        writing.say("", 1)
    assert head.kept is None


@pytest.mark.slow
@pytest.mark.skipif(weight_files.SMOLLM.find() is None, reason="the weights are not here")
def test_a_model_that_forgets_what_is_far_agrees_on_short_texts_alone(monkeypatch):
    tensors, vocabulary, merges = smollm.open_or_stand_in()
    model, pairs = smollm.model_of_tensors(tensors), BytePairs(vocabulary, merges)
    read = smollm.SmolLM.forward  # the reader's gives logits alone
    monkeypatch.setattr(model, "forward", lambda ids: read(model, ids)[0])
    assert smollm.print_agreement(model, pairs, [0, smollm.LONG]) == 2
    monkeypatch.setattr(attention, "causal_mask", lambda *sizes: causal_mask(*sizes).triu(-17))  # 18 tokens
    assert smollm.print_agreement(model, pairs, [0]) == 1 and smollm.print_agreement(model, pairs, [smollm.LONG]) == 0
    smollm._opened.cache_clear()  # 540 MB
