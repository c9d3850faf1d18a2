"""A Transformer that reads letters and writes phonemes, from the course's own blocks. Used in notebook 14."""

import math

from torch import nn

from companion.worlds.pronunciation.dictionary import LETTERS, PADDING, PHONEMES
from utils.attention import padding_mask
from utils.positions import sinusoidal
from utils.transformer import DecoderBlock, EncoderBlock


class Pronouncer(nn.Module):
    """Encoder blocks read the letters, decoder blocks write the phonemes and look at the letters by cross-attention.

    d_model, num_heads: of each block, with feed-forward parts four times as wide as d_model;
    num_encoder, num_decoder: how many blocks; dropout: of the embeddings and the residuals;
    decoder_block: makes a block of the decoder; one without `need_weights` serves where no weights are asked for.
    Vaswani et al., "Attention Is All You Need", 2017, with LayerNorm first.
    """

    def __init__(self, d_model=64, num_heads=4, num_encoder=1, num_decoder=1, dropout=0.0, decoder_block=DecoderBlock):
        super().__init__()
        sizes = {"d_model": d_model, "num_heads": num_heads, "d_hidden": 4 * d_model, "dropout": dropout}
        self.letters = nn.Embedding(len(LETTERS), d_model)
        self.phonemes = nn.Embedding(len(PHONEMES), d_model)
        for table in (self.letters, self.phonemes):
            nn.init.normal_(table.weight, std=d_model**-0.5)
        self.dropout = nn.Dropout(dropout)
        self.encoder = nn.ModuleList(EncoderBlock(**sizes) for _ in range(num_encoder))
        self.decoder = nn.ModuleList(decoder_block(**sizes) for _ in range(num_decoder))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.output = nn.Linear(d_model, len(PHONEMES))

    def encode(self, letters):
        """Return the memory (batch, letters, d_model) and its mask (batch, 1, letters), True = may attend.

        letters: ids (batch, letters), each row with an end and then padding.
        """
        mask = padding_mask((letters != PADDING).sum(dim=-1), letters.shape[-1])
        features = self._placed(self.letters(letters))
        for block in self.encoder:
            features = block(features, mask=mask)
        return self.encoder_norm(features), mask

    def decode(self, phonemes, memory, mask, need_weights=False):
        """Return the logits of each next phoneme, (batch, phonemes, ids).

        phonemes: ids (batch, phonemes), each row from a begin on; memory and mask: from `encode`.
        With need_weights=True, also a list with each block's weights on the letters,
        (batch, heads, phonemes, letters): row t was used to write phoneme t + 1.
        """
        features, weights = self._placed(self.phonemes(phonemes)), []
        for block in self.decoder:
            if need_weights:
                features, on_letters = block(features, memory, memory_mask=mask, need_weights=True)
                weights.append(on_letters)
            else:
                features = block(features, memory, memory_mask=mask)
        logits = self.output(self.decoder_norm(features))
        return (logits, weights) if need_weights else logits

    def forward(self, letters, phonemes):
        """Return the logits (batch, phonemes, ids) for the ids of letters and of the phonemes so far."""
        return self.decode(phonemes, *self.encode(letters))

    def _placed(self, embedded):
        # Scaled up, the symbols weigh about as much as the positions added to them.
        num_tokens, d_model = embedded.shape[-2:]
        return self.dropout(embedded * math.sqrt(d_model) + sinusoidal(num_tokens, d_model).to(embedded))
