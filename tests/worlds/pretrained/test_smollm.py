"""A language model's file, its tokenizer and its model: on made-up ones, and on the real one where it is."""

import io
import struct
from contextlib import redirect_stdout

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import nn
from torch.nn import functional

from companion.checks.notebook_19 import written_on
from companion.course_answers import learned
from companion.pictures.live.readings import weights_of
from companion.worlds.pretrained import probes, smollm, weights
from companion.worlds.pretrained.bytepairs import SIGNS, BytePairs
from companion.worlds.pretrained.gguf import Packed
from companion.writing import Writing, certificate
from reading import COURSE, code_cells, read
from utils import attention
from utils.attention import causal_mask

TEXTS = [
    "It's the bees' knees, isn't it?",
    "naïve  cafés\n\n1. “déjà vu” 🙂\t",
    "def f(x):\n    return 12_000 * x",
    " ",
]


class Logits(nn.Module):
    """The course's model, which gives logits alone, as the reader's does."""

    def __init__(self, course):
        super().__init__()
        self.course, self.norm, self.embedding, self.blocks = course, course.norm, course.embedding, course.blocks

    def forward(self, ids):
        return self.course(ids)[0]


def text(words):
    return struct.pack("<Q", len(words.encode())) + words.encode()


def test_a_packed_file_is_unpacked_to_the_number(tmp_path):
    facts = text("general.alignment") + struct.pack("<II", 4, 64)
    facts += text("words") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("é")
    facts += text("counts") + struct.pack("<IIQ3i", 9, 5, 3, 1, 2, -3)
    about = text("plain") + struct.pack("<I2QIQ", 2, 3, 2, 0, 0)  # shapes are stored the other way round
    about += text("four") + struct.pack("<I2QIQ", 2, 32, 1, 3, 64) + text("eight") + struct.pack("<IQIQ", 1, 32, 8, 128)
    head = b"GGUF" + struct.pack("<I2Q", 3, 3, 3) + facts + about
    numbers = struct.pack("<6f", *range(6)).ljust(64, b"?")
    numbers += (struct.pack("<2e", 0.5, -1.0) + bytes(low + 16 * (15 - low) for low in range(16))).ljust(64, b"?")
    numbers += struct.pack("<e32b", 0.25, *range(-16, 16))
    (tmp_path / "file").write_bytes(head + b"?" * (-len(head) % 64) + numbers)
    packed = Packed(tmp_path / "file")
    tensors = packed.tensors()
    assert packed.facts == {"general.alignment": 64, "words": ["a", "é"], "counts": [1, 2, -3]}
    assert tensors["plain"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tensors["four"].equal(torch.cat([torch.arange(16), torch.arange(16).flip(0)])[None] / 2 - 1)
    assert tensors["eight"].equal(torch.arange(-16, 16) / 4)


def test_byte_pairs_cut_as_the_library_does():
    start = [*SIGNS.values()]
    words = [
        "".join(SIGNS[byte] for byte in word.encode()) for line in TEXTS for word in line.replace(" ", "| ").split("|")
    ]
    merges = learned(words * 2, 60)
    vocabulary = [*start, *dict.fromkeys(map("".join, merges))]
    theirs = Tokenizer(models.BPE({piece: i for i, piece in enumerate(vocabulary)}, merges))
    digits, levels = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.pre_tokenizer = pre_tokenizers.Sequence([digits, levels])
    ours = BytePairs(vocabulary, list(map(" ".join, merges)))
    for line in TEXTS:
        assert ours.encode(line) == theirs.encode(line).ids and ours.decode(ours.encode(line)) == line


def test_the_marks_of_a_chat_are_one_token_each(no_weights):
    _, vocabulary, merges = smollm.open_or_stand_in()
    ids = BytePairs(vocabulary, merges).encode(smollm.chat("Why?"))
    assert [vocabulary[token] for token in ids if token < 3] == [
        smollm.START,
        smollm.END,
        smollm.START,
        smollm.END,
        smollm.START,
    ]


def test_without_weights_random_numbers_stand_in_and_it_says_so(no_weights, capsys):
    before = torch.get_rng_state()
    tensors, vocabulary, merges = smollm.open_or_stand_in()
    output = capsys.readouterr().out
    assert "RANDOM NUMBERS" in output and "98 MB" in output and torch.get_rng_state().equal(before)
    logits, maps = smollm.filled(tensors)(torch.tensor([[5, 6, 7]]))
    assert logits.shape == (1, 3, len(vocabulary)) and maps.shape == (6, 1, 9, 3, 3)


def test_texts_read_together_are_followed_by_what_follows_each_alone(no_weights):
    tensors, vocabulary, merges = smollm.open_or_stand_in()
    course, pairs = smollm.filled(tensors), BytePairs(vocabulary, merges)
    texts = ["a", "a longer one", "bc", "d", "e!"]
    alone = [course(torch.tensor([pairs.encode(line)]))[0][0, -1] for line in texts]
    together = probes.after(Logits(course), pairs.encode, texts, size=3)
    torch.testing.assert_close(together, torch.stack(alone), rtol=0, atol=1e-4)


def test_the_live_picture_holds_what_the_model_reads_and_expects(no_weights):
    tensors, vocabulary, merges = smollm.open_or_stand_in()
    course, pairs = smollm.filled(tensors), BytePairs(vocabulary, merges)
    data = probes.next_token(course, pairs, "a bc", place=1).data
    logits, maps = course(torch.tensor([pairs.encode("a bc")]))
    read = torch.tensor(weights_of(data["weights"][data["head"]])[-4:])  # the row of the last token
    torch.testing.assert_close(read, maps[:, 0].flatten(0, 1)[data["head"], -1], rtol=0, atol=0.0051)
    assert read[1] == max(weights_of(text)[-3] for text in data["weights"])
    shares = torch.tensor([share for _, share in data["next"][-1]])
    torch.testing.assert_close(shares, logits[0, -1].softmax(dim=-1).topk(5)[0], rtol=0, atol=0.0051)


def test_a_loss_is_that_of_each_text_alone_from_where_it_starts(no_weights):
    course = smollm.filled(smollm.open_or_stand_in()[0])
    rows = [[5, 6, 7, 8], [9, 10, 11]]
    expected = [
        functional.cross_entropy(course(torch.tensor([row]))[0][0, 1:-1], torch.tensor(row[2:])) for row in rows
    ]
    torch.testing.assert_close(
        torch.tensor(probes.loss(Logits(course), rows, 1)), torch.stack(expected), rtol=0, atol=1e-4
    )
    assert course(torch.tensor([rows[0]]))[0].shape[1] == 4  # all positions have logits again


def test_the_tokenizer_of_other_functions_shares_its_tables():
    ours = BytePairs(["a", "b", "ab"], ["a b"])
    theirs = ours.by(lambda letters, merges: ["".join(letters)], lambda pieces, vocabulary: [7] * len(pieces))
    assert ours.encode("ab") == [2] and theirs.encode("ab") == [7] and ours.encode("a") == [0]
    assert theirs.ranks is ours.ranks
    assert BytePairs([*"<|a>"], []).encode("<|a|>") == [0, 1, 2, 1, 3]  # only what is in the vocabulary is special


def test_a_byte_without_a_token_is_named():
    with pytest.raises(ValueError, match=r"no token for b'\\x04'"):
        BytePairs(["a", "b", "ab"], ["a b"]).encode("ab\x04")


def test_a_certificate_is_written_beside_the_readers_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_MINE", "")
    certificate(10, ["Paris <."])
    assert "no pieces yet" in capsys.readouterr().out
    (tmp_path / "mine.py").write_text("# Notebook 01: encode\ndef encode():\n    return 1 < 2\n", encoding="utf-8")
    monkeypatch.setenv("COURSE_MINE", str(tmp_path / "mine.py"))
    certificate(9, ["Paris <."])
    page = (tmp_path / "my_language_model.html").read_text(encoding="utf-8")
    assert "On 9 of 10 texts" in page and "return 1 &lt; 2" in page and "Paris &lt;." in page
    assert "1 pieces, 2 lines" in capsys.readouterr().out


def test_wrong_answers_are_answers_to_the_other_examples_or_from_outside():
    kinds = (probes.prompts("capitals", kind) for kind in ("three right", "each other's", "from outside"))
    for (right, wanted), (wrong, same), (outside, also) in zip(*kinds):
        for text in (wrong, outside):
            pairs = [line.split(": ") for line in text.splitlines()[:-1]]
            assert len(pairs) == 3 and all(probes.TASKS["capitals"][one] != other for one, other in pairs)
        assert wanted == same == also and sorted(right.split()) == sorted(wrong.split())
        answers = {line.split(": ")[1] for line in outside.splitlines()[:-1]}
        assert not answers & {*right.split(), wanted.strip()}


@pytest.fixture(scope="module")
def built():
    """The model of notebook 19 as its cells build it, and the course's own.

    Six blocks of random numbers stand in, whether the weights are there or not.
    """
    cells = [cell.source for cell in code_cells(read(COURSE / "notebooks/19_a_language_model.ipynb"))]
    names = {}
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.setattr(weights.Weights, "find", lambda self: None)
        for start in ("import torch", "from torch import nn", "def file_name", "def turn_at"):
            (source,) = (cell for cell in cells if cell.startswith(start))
            exec(source.partition("tokens, found")[0], names)
        exec("from companion.checks.notebook_19 import check_file_name, check_turn_at", names)
        for sign in ("class Heads", "class MyLanguageModel"):
            (source,) = (cell for cell in cells if sign in cell)
            exec(source, names)
    return names["mine"], names["course"]


LONG_IDS = torch.randint(250, (1, 210), generator=torch.Generator().manual_seed(0))


def test_the_notebooks_model_gives_the_courses_logits_on_a_long_text(built):
    mine, course = built
    torch.testing.assert_close(mine(LONG_IDS), course(LONG_IDS)[0], rtol=0, atol=1e-3)


def test_logits_read_with_a_cache_are_those_read_at_once(built):
    mine, course = built
    writing = Writing(mine, BytePairs([smollm.END], []), written_on)
    with_cache = writing.read_in_steps(LONG_IDS, last=70)
    torch.testing.assert_close(with_cache, course(LONG_IDS)[0], rtol=0, atol=1e-3)
    assert writing.num_read == 210 and all(block.attention.kept is None for block in mine.blocks)


def test_heads_that_are_watched_are_judged_on_the_repeated_rows(built):
    mine, _ = built
    lost, found = probes.second_time(mine, [(2, 1), (5, 3)])
    row = probes.random_rows(3, len(mine.embedding.weight))[:, 0]
    mine(torch.cat([row, row], dim=1))
    maps = [mine.blocks[2].attention.weights[:, 1], mine.blocks[5].attention.weights[:, 3]]
    looks = [
        weights_of_head[text, 16 + k, 1 + k].item() for weights_of_head in maps for text in range(3) for k in range(16)
    ]
    assert abs(found - sum(looks) / len(looks)) < 1e-5 and abs(lost - sum(probes.on_rows(mine)) / 3) < 1e-5


@pytest.mark.slow
@pytest.mark.skipif(weights.SMOLLM.find() is None, reason="the weights are not here")
def test_a_model_that_forgets_what_is_far_agrees_on_short_texts_alone(monkeypatch):
    tensors, vocabulary, merges = smollm.open_or_stand_in()
    course, pairs = Logits(smollm.filled(tensors)), BytePairs(vocabulary, merges)
    assert smollm.agree(course, pairs, [0, smollm.LONG]) == 2
    monkeypatch.setattr(attention, "causal_mask", lambda *sizes: causal_mask(*sizes).triu(-17))  # 18 tokens
    assert smollm.agree(course, pairs, [0]) == 1 and smollm.agree(course, pairs, [smollm.LONG]) == 0
    smollm._opened.cache_clear()  # 540 MB


def test_the_reference_has_a_text_of_more_than_200_tokens():
    stored = smollm.reference()
    longest = max(map(len, stored["ids"]))
    assert len(stored["ids"][smollm.LONG]) == longest > 200
    assert [len(part) for part in stored["logits"]] == [min(len(part), smollm.LAST) for part in stored["ids"]]


def test_the_reference_says_what_made_it_and_from_which_file():
    assert weights.SMOLLM.sha256 in smollm.reference()["made with"]
