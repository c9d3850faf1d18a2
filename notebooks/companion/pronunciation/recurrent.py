"""The Transformer's predecessor: recurrent layers and one additive attention, to compare with. Used in notebook 14."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from companion.pronunciation.dictionary import LETTERS, PADDING, PHONEMES
from utils.attention import masked_softmax, padding_mask, scores


class RecurrentPronouncer(nn.Module):
    """A recurrent encoder reads the letters in both directions; a recurrent decoder looks at them before each phoneme.

    d_model: features of embeddings, memory and decoder; it must be even. Takes and returns what `Pronouncer` does,
    but one place after the other.
    Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and Translate", 2015.
    """

    def __init__(self, d_model=64):
        super().__init__()
        self.letters, self.phonemes = nn.Embedding(len(LETTERS), d_model), nn.Embedding(len(PHONEMES), d_model)
        self.encoder = nn.GRU(d_model, d_model // 2, batch_first=True, bidirectional=True)
        self.start = nn.Linear(d_model // 2, d_model)
        self.W_query, self.W_key = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.vector = nn.Parameter(torch.randn(d_model) * d_model**-0.5)
        self.decoder = nn.GRUCell(2 * d_model, d_model)
        self.output = nn.Linear(2 * d_model, len(PHONEMES))

    def encode(self, letters):
        """Return the memory (batch, letters, d_model) and its mask (batch, 1, letters), True = may attend.

        letters: ids (batch, letters), each row with an end and then padding.
        """
        lengths = (letters != PADDING).sum(dim=-1)
        packed = pack_padded_sequence(self.letters(letters), lengths, batch_first=True, enforce_sorted=False)
        memory, _ = pad_packed_sequence(self.encoder(packed)[0], batch_first=True, total_length=letters.shape[-1])
        return memory, padding_mask(lengths, letters.shape[-1])

    def decode(self, phonemes, memory, mask, need_weights=False):
        """Return the logits of each next phoneme, (batch, phonemes, ids).

        phonemes: ids (batch, phonemes), each row from a begin on; memory and mask: from `encode`.
        With need_weights=True, also a list with the weights on the letters, (batch, 1, phonemes, letters).
        """
        keys = self.W_key(memory)
        read_backwards = memory[:, 0, memory.shape[-1] // 2 :]  # at the first letter, it has seen the whole word
        state = torch.tanh(self.start(read_backwards))
        features, weights = [], []
        for phoneme in self.phonemes(phonemes).unbind(dim=1):
            query = self.W_query(state).unsqueeze(1)  # (batch, 1, d_model)
            weights.append(masked_softmax(scores(query, keys, "additive", self.vector), mask))
            context = (weights[-1] @ memory).squeeze(1)
            state = self.decoder(torch.cat([phoneme, context], dim=-1), state)
            features.append(torch.cat([state, context], dim=-1))
        logits = self.output(torch.stack(features, dim=1))
        return (logits, [torch.stack(weights, dim=2)]) if need_weights else logits

    def forward(self, letters, phonemes):
        """Return the logits (batch, phonemes, ids) for the ids of letters and of the phonemes so far."""
        return self.decode(phonemes, *self.encode(letters))
