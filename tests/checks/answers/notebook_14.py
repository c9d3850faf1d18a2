"""Answers to the exercises of notebook 14, right and wrong."""

import torch
from torch.nn import functional as F

from companion.checks.notebook_14 import LARGE, check_greedy, check_mean_loss, check_my_decoder_block
from companion.worlds.pronunciation.decoding import MOST_PHONEMES
from companion.worlds.pronunciation.dictionary import BEGIN, END, PADDING, PHONEMES, spelled
from companion.worlds.pronunciation.training_loop import loss_without_padding
from utils.transformer import DecoderBlock


def loss_by_words(logits, targets):
    losses = []
    for word, wanted in zip(logits, targets):
        losses += [row.logsumexp(dim=0) - row[target] for row, target in zip(word, wanted) if target != PADDING]
    return sum(losses) / len(losses)


def loss_of_shares(logits, targets):
    return F.nll_loss(logits.log_softmax(dim=-1).flatten(0, 1), targets.flatten(), ignore_index=PADDING)


def greedy(model, word):
    encoded, phonemes = model.encode(torch.tensor([spelled(word)])), [BEGIN]
    while END not in phonemes and len(phonemes) <= MOST_PHONEMES:
        logits = model.decode(torch.tensor([phonemes]), *encoded)
        phonemes.append(int(logits[0, -1].argmax()))
    return PHONEMES.decode(phonemes)


class Written(DecoderBlock):
    def forward(self, inputs, memory, memory_mask=None):
        past = torch.ones(inputs.shape[-2], inputs.shape[-2]).tril().bool()
        output = inputs + self.attention(self.norm1(inputs), mask=past)
        output = output + self.cross_attention(self.norm2(output), memory, mask=memory_mask)
        return output + self.feed_forward(self.norm3(output))


class Unwritten(DecoderBlock):
    """Its forward is the course's own."""


RIGHT = {check_mean_loss: [loss_by_words], check_greedy: [greedy], check_my_decoder_block: [Written]}
WRONG = {
    check_my_decoder_block: {"MyDecoderBlock has no `forward` of its own": Unwritten},
    check_mean_loss: {
        "F.cross_entropy is what you are to write": loss_without_padding,
        "F.cross_entropy is what you are to write: take log_softmax": loss_of_shares,
        LARGE: {"row.logsumexp(dim=0) - row[target]": "-row.softmax(dim=0)[target].log()"},
        "the loss has no gradient": {"sum(losses)": "sum(losses).detach()"},
    },
    check_greedy: {
        "the encoder ran 5 times for one word": {", *encoded": ", *model.encode(torch.tensor([spelled(word)]))"},
        "greedy for “knight” repeats itself": {"[0, -1]": "[0, 0]"},
        "greedy for “knight” gets lost": {"[phonemes]": "[[BEGIN, *phonemes[1:][-1:]]]"},
        "hand over all that was written, from BEGIN": {"[phonemes]": "[phonemes[-1:]]"},
        "the decoder ran 26 times for 4 phonemes, END included: stop at END": {"END not in phonemes and ": ""},
        "the decoder ran 5 times for 4 phonemes, END included": {"not in phonemes": "not in phonemes[:-1]"},
        "what is written starts with BEGIN": {"[BEGIN]": "[END]", "END not": "BEGIN not"},
        "greedy for “knight” takes the second best": {"argmax()": "topk(2).indices[1]"},
        "greedy for “knight” gives ids; PHONEMES.decode names them": {"PHONEMES.decode": "tuple"},
        "it never ends: stop at END, or after 26 phonemes": {"MOST_PHONEMES": "1_000"},
        "greedy for “banana” gives 40 phonemes; stop after 26, END or not": {"MOST_PHONEMES": "40"},
        "greedy for “phoenix” stops after 3 of 5 phonemes": {"MOST_PHONEMES": "3"},
        "greedy for “knight” gives ('T', 'AY', 'N'), but": {"decode(phonemes)": "decode(phonemes)[::-1]"},
        "the letters lack their end: spelled(word)": {"spelled(word)": "spelled(word)[:-1]"},
        "encode takes a tensor of ids with a batch axis": {"[spelled(word)]": "spelled(word)"},
        "decode takes a tensor of ids with a batch axis": {"[phonemes])": "phonemes)"},
    },
}
