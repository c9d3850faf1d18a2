"""Answers to the exercises of notebook 14, right and wrong."""

import torch

from checks.answers.changed import changed
from companion.checks.notebook_14 import LARGE, check_greedy, check_mean_loss, check_my_decoder_block
from companion.worlds.pronunciation.decoding import MOST_PHONEMES
from companion.worlds.pronunciation.dictionary import BEGIN, END, PADDING, PHONEMES, spelled
from companion.worlds.pronunciation.training import loss_without_padding
from utils.transformer import DecoderBlock


def loss_by_words(logits, targets):
    losses = []
    for word, wanted in zip(logits, targets):
        losses += [row.logsumexp(dim=0) - row[target] for row, target in zip(word, wanted) if target != PADDING]
    return sum(losses) / len(losses)


def loss_of_shares(logits, targets):
    real = targets != PADDING
    return -logits[real].softmax(dim=-1)[torch.arange(real.sum()), targets[real]].log().mean()


def decoding(
    start=BEGIN,
    most=MOST_PHONEMES,
    pick=lambda logits: logits[0, -1].argmax(),
    read=lambda phonemes: torch.tensor([phonemes]),
    spell=lambda word: torch.tensor([spelled(word)]),
    name=PHONEMES.decode,
    until=END,
    again=False,
    late=0,
):
    """Greedy decoding in which one part can be wrong."""

    def greedy(model, word):
        encoded, phonemes = model.encode(spell(word)), [start]
        while until not in phonemes[: len(phonemes) - late] and len(phonemes) <= most:
            encoded = model.encode(spell(word)) if again else encoded
            phonemes.append(int(pick(model.decode(read(phonemes), *encoded))))
        return name(phonemes)

    return greedy


def written_out(block, inputs, memory, memory_mask=None):
    past = torch.ones(inputs.shape[-2], inputs.shape[-2]).tril().bool()
    output = inputs + block.attention(block.norm1(inputs), mask=past)
    output = output + block.cross_attention(block.norm2(output), memory, mask=memory_mask)
    return output + block.feed_forward(block.norm3(output))


class Unwritten(DecoderBlock):
    """Its forward is the course's own."""


RIGHT = {
    check_mean_loss: [loss_by_words],
    check_greedy: [decoding()],
    check_my_decoder_block: [changed(DecoderBlock, written_out)],
}
WRONG = {
    check_my_decoder_block: [(Unwritten, "MyDecoderBlock has no `forward` of its own")],
    check_mean_loss: [
        (loss_without_padding, "F.cross_entropy is what you are to write"),
        (loss_of_shares, LARGE),
        (lambda *inputs: loss_by_words(*inputs).detach(), "the loss has no gradient"),
    ],
    check_greedy: [
        (decoding(again=True), "the encoder ran 5 times for one word"),
        (decoding(pick=lambda logits: logits[0, 0].argmax()), "greedy for “knight” repeats itself"),
        (decoding(read=lambda phonemes: torch.tensor([[BEGIN, *phonemes[1:][-1:]]])), "greedy for “knight” gets lost"),
        (decoding(read=lambda phonemes: torch.tensor([phonemes[-1:]])), "hand over all that was written, from BEGIN"),
        (decoding(until=None), "the decoder ran 26 times for 4 phonemes, END included: stop at END"),
        (decoding(late=1), "the decoder ran 5 times for 4 phonemes, END included: stop at END"),
        (decoding(start=END, until=BEGIN), "what is written starts with BEGIN"),
        (decoding(pick=lambda logits: logits[0, -1].topk(2).indices[1]), "greedy for “knight” takes the second best"),
        (decoding(name=tuple), "greedy for “knight” gives ids; PHONEMES.decode names them"),
        (decoding(most=1_000), "it never ends: stop at END, or after 26 phonemes"),
        (decoding(most=40), "greedy for “banana” gives 40 phonemes; stop after 26, END or not"),
        (decoding(most=3), "greedy for “phoenix” stops after 3 of 5 phonemes"),
        (decoding(spell=lambda word: torch.tensor([spelled(word)[:-1]])), "the letters lack their end: spelled(word)"),
        (decoding(spell=lambda word: torch.tensor(spelled(word))), "encode takes a tensor of ids with a batch axis"),
        (decoding(read=torch.tensor), "decode takes a tensor of ids with a batch axis"),
    ],
}
