"""Texts whose last token asks for something or should be silent, and a head that learns both. See notebook 17."""

import torch

from utils.attention import SelfAttention

LENGTH, CONTENT, SIGNS = 8, 8, ("first", "marked", "asks", "silent")


def draw_texts(num_texts, num_tokens):
    """Draw texts whose tokens have random contents, (texts, tokens, 8), and four signs behind them.

    The first token has a sign and no content. One of the six tokens before the last is marked. The last one has the
    sign "asks" or "silent". Returns the inputs (texts, tokens, 12), what the last token should say, (texts, 8), the
    marked content or zeros; and which texts should be silent, (texts,).
    """
    rows, silent = torch.arange(num_texts), torch.rand(num_texts) < 0.5
    content = torch.randn(num_texts, num_tokens, CONTENT, dtype=torch.float64)
    signs = content.new_zeros(num_texts, num_tokens, len(SIGNS))
    marked = torch.randint(num_tokens - LENGTH + 1, num_tokens - 1, (num_texts,))
    content[:, 0], signs[:, 0, 0], signs[rows, marked, 1] = 0, 1, 1
    signs[rows, -1, 2 + silent.long()] = 1
    return torch.cat([content, signs], dim=-1), content[rows, marked] * ~silent[:, None], silent


def train_head(loop, seed):
    """Train a head on texts of eight tokens, of which the last is judged, and return it."""
    torch.manual_seed(seed)
    head = SelfAttention(CONTENT + len(SIGNS), CONTENT).double()
    optimizer = torch.optim.Adam(head.parameters(), lr=0.05, fused=True)
    batches = (draw_texts(64, LENGTH)[:2] for _ in range(100))
    loop(lambda batch: (head(batch[0])[0][:, -1] - batch[1]).square().mean(), optimizer, batches)
    return head


@torch.no_grad()
def error(head, num_tokens, mask=None, asks=False):
    """Return the mean squared error of what the last token says where it should be silent, or where it asks."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(99)
        inputs, targets, silent = draw_texts(1000, num_tokens)
    return (head(inputs, mask)[0][:, -1] - targets)[silent != asks].square().mean().item()
