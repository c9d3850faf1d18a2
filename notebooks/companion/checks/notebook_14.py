"""Checks of the exercises in notebook 14 (spelling to sound)."""

import torch
from torch import nn
from torch.nn import functional as F

from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import calls, expect, expect_equal, explained
from companion.checks.modules import D_MODEL, FORWARD_STOPS, SIZES, expect_module, made_block
from companion.slips import slip, slips
from companion.worlds.pronunciation.decoding import MOST_PHONEMES
from companion.worlds.pronunciation.dictionary import BEGIN, END, LETTERS, PADDING, PHONEMES
from companion.worlds.pronunciation.training_loop import loss_without_padding
from utils.attention import MultiHeadAttention, padding_mask
from utils.transformer import DecoderBlock, FeedForward


class RightDecoder(DecoderBlock):
    """The decoder's block in short."""

    def forward(self, inputs, memory, memory_mask=None):
        """Return (..., tokens, d_model), as the inputs are."""
        stream = inputs
        stream = stream + self.attention(self.norm1(stream), causal=True)
        stream = stream + self.cross_attention(self.norm2(stream), memory, mask=memory_mask)
        stream = stream + self.feed_forward(self.norm3(stream))
        return stream


OWN = "stream + self.attention(self.norm1(stream), causal=True)"
CROSS = "stream + self.cross_attention(self.norm2(stream), memory, mask=memory_mask)"
FEED_FORWARD = "stream + self.feed_forward(self.norm3(stream))"
DECODER_SLIPS = {  # {message: what a wrong decoder's block has instead}
    "the future is read: attention needs causal=True": {", causal=True": ""},
    "the memory is not read": {", memory, mask=memory_mask": ""},
    "memory_mask has no effect": {", mask=memory_mask": ""},
    "the memory is read first; the token's own past comes first": {
        f"{OWN}\n    stream = {CROSS}": f"{CROSS}\n    stream = {OWN}"
    },
    "attention is missing": {OWN: "stream"},
    "cross-attention is missing, or its result is not handed on": {CROSS: "stream"},
    "feed-forward is missing": {FEED_FORWARD: "stream"},
    "each part reads the inputs: hand the output of one to the next": {"stream +": "inputs +", "(stream)": "(inputs)"},
    "each line adds to the inputs: add to the stream as it is now": {"stream +": "inputs +"},
    "nothing is added: add what each part gives to what came in": {"stream +": ""},
    "nothing is normalized: norm what each part reads": {f"self.norm{number}": "" for number in (1, 2, 3)},
    "this is post-norm: normalize what each part reads": {
        OWN: "self.norm1(stream + self.attention(stream, causal=True))",
        CROSS: "self.norm2(stream + self.cross_attention(stream, memory, mask=memory_mask))",
        FEED_FORWARD: "self.norm3(stream + self.feed_forward(stream))",
    },
}
DECODERS = slips(RightDecoder, DECODER_SLIPS)


@exercise(mistakes=DECODERS)
def check_my_decoder_block(MyDecoderBlock):
    """each phoneme reads what was written so far, then the letters, then works on its own, and adds all three."""
    own = not isinstance(MyDecoderBlock, type) or "forward" in vars(MyDecoderBlock)
    expect(own, "MyDecoderBlock has no `forward` of its own: write it inside the class")
    parts = dict.fromkeys(("attention", "cross_attention"), MultiHeadAttention) | {"feed_forward": FeedForward}
    parts |= dict.fromkeys(("norm1", "norm2", "norm3"), nn.LayerNorm)
    block = made_block(MyDecoderBlock, "MyDecoderBlock", parts)
    sequences = torch.randn(2, 2, 5, D_MODEL).unbind()  # inputs and memory
    cases = {
        "the output without a mask": sequences,
        "the output with a memory_mask": (*sequences, padding_mask([5, 3], 5)),
        "the output with a longer memory": (sequences[0], torch.randn(2, 7, D_MODEL), padding_mask([7, 3], 7)),
    }
    with explained(FORWARD_STOPS):
        expect_module(block, RightDecoder, SIZES, cases, DECODERS, atol=1e-4)


LARGE = "a share can be too small for a computer, and the logarithm of 0 is -inf: log_softmax gives it at once"


def _mean_loss(logits, targets):
    log_shares = logits.log_softmax(dim=-1)
    losses = -log_shares.gather(-1, targets[..., None])[..., 0]
    real = targets != PADDING
    return losses[real].mean()


LOSSES = {  # {message: what a wrong mean_loss has instead}
    "the padding is counted: leave out the positions whose target is PADDING": {"losses[real]": "losses"},
    "the padding's loss is 0, but it is still counted: divide by the number of the other positions": {
        "losses[real]": "(losses * real)"
    },
    "the minus is missing": {"-log_shares": "log_shares"},
    "this is the sum of the losses: take their mean": {"mean()": "sum()"},
    "each word has its own mean, so that a phoneme of a short word counts more: take one mean of all": {
        "losses[real].mean()": "((losses * real).sum(dim=1) / real.sum(dim=1)).mean()"
    },
    "the logarithm is missing: the loss is minus the logarithm of the share": {"log_softmax": "softmax"},
}
TOO_LARGE = {LARGE: slip(_mean_loss, {"log_softmax(dim=-1)": "softmax(dim=-1).log()"})}


@compared_with(loss_without_padding, slips(_mean_loss, LOSSES), atol=1e-3)
def check_mean_loss(mean_loss):
    """the mean of minus the logarithm of each right answer's share, without the padding."""
    targets = torch.tensor([[25, 7, 31, END], [31, 27, END, PADDING], [9, END, PADDING, PADDING]])
    logits = torch.randn(3, 4, len(PHONEMES), requires_grad=True)
    yield "mean_loss", (logits, targets)
    yield "mean_loss for large logits", (100 * logits, targets), TOO_LARGE
    expect(mean_loss(logits, targets).requires_grad, "the loss has no gradient, so nothing can learn from it")
    functions = {"cross_entropy", "nll_loss"} & set(calls(mean_loss, logits, targets))
    expect(not functions, "F.cross_entropy is what you are to write: take log_softmax")


class Scripted:
    """A model that says a word's script, and next to nothing else; it counts how often it is run.

    What comes next depends on the whole beginning and on the letters: who hands over less gets something else.
    """

    def __init__(self, scripts):
        self.scripts, self.encoded, self.decoded = scripts, 0, 0

    def encode(self, letters):
        expect(isinstance(letters, torch.Tensor) and letters.ndim == 2, LETTERS_FIRST)
        expect(letters[0, -1] == END, "the letters lack their end: spelled(word) adds it")
        self.encoded += 1
        return F.one_hot(letters, len(LETTERS)).float(), torch.ones(1, 1, letters.shape[-1], dtype=torch.bool)

    def decode(self, phonemes, memory, mask):
        expect(isinstance(phonemes, torch.Tensor) and phonemes.ndim == 2, PHONEMES_FIRST)
        begins = phonemes.shape[1] > 0 and phonemes[0, 0] == BEGIN
        expect(begins or self.decoded > 0, "what is written starts with BEGIN")
        expect(begins, "hand over all that was written, from BEGIN on, not its end alone")
        self.decoded += 1
        expect(self.decoded <= 3 * MOST_PHONEMES, f"it never ends: stop at END, or after {MOST_PHONEMES} phonemes")
        word = "".join(LETTERS.decode(memory[0].argmax(dim=-1).tolist()))
        script, written = self.scripts[word], phonemes[0].tolist()
        logits = torch.zeros(1, len(written), len(PHONEMES))
        for position in range(len(written)):
            follows = written[1 : position + 1] == script[:position] and position < len(script)
            logits[0, position, script[position] if follows else LOST] = 2.0
            logits[0, position, SECOND] = 1.0
        return logits


LETTERS_FIRST = "encode takes a tensor of ids with a batch axis, (1, letters): torch.tensor([spelled(word)])"
PHONEMES_FIRST = "decode takes a tensor of ids with a batch axis, (1, phonemes): torch.tensor([said])"
LOST, SECOND = PHONEMES.encode(["ZH", "OY"])  # what follows a wrong beginning, and what is second best


@exercise
def check_greedy(greedy):
    """the likeliest phoneme each time, from begin to end; the letters are read once."""
    scripts = {
        word: [*PHONEMES.encode(sounds.split()), END]
        for word, sounds in (("knight", "N AY T"), ("phoenix", "F IY N IH K"))
    }
    scripts["banana"] = PHONEMES.encode(["B", "AH", "N", "AE", "N", "AH"] * 10)  # never ends
    for word, script in scripts.items():
        model = Scripted(scripts)
        answer = greedy(model, word)
        _expect_names(answer, word, script)
        expect(model.encoded == 1, f"the encoder ran {model.encoded} times for one word: its letters stay the same")
        most, runs = len(script), model.decoded
        message = f"the decoder ran {runs} times for {most} phonemes, END included: stop at END"
        expect(script[-1] != END or runs <= most, message)


def _expect_names(names, word, script):
    doing, wanted = f"greedy for “{word}”", PHONEMES.decode(script)[:MOST_PHONEMES]
    if isinstance(names, tuple):
        count = len(names)
        expect(not any(isinstance(name, int) for name in names), f"{doing} gives ids; PHONEMES.decode names them")
        expect("OY" not in names, f"{doing} takes the second best; take the largest logit")
        expect(count < 2 or len(set(names)) > 1, f"{doing} repeats itself: use the logits of the last position")
        expect("ZH" not in names, f"{doing} gets lost: hand over all that was written, from BEGIN on")
        expect(count <= MOST_PHONEMES, f"{doing} gives {count} phonemes; stop after {MOST_PHONEMES}, END or not")
        expect(names == wanted or names != wanted[:count], f"{doing} stops after {count} of {len(wanted)} phonemes")
    expect_equal(names, wanted, doing)
