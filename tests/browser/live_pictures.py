"""One example of each live picture: a line here, and it is held to what all of them must keep."""

PREPARED = """import torch

torch.manual_seed(0)
tokens = ["Life", "is", "short", "eat", "dessert", "first", *map(str, range(6, 99))][:size]
scores = 2 * torch.randn(size, size)
weights = torch.softmax(scores, dim=-1)
value = torch.randn(size, 4)
"""
EXAMPLES = {
    "turn-query": "from companion.pictures.live.turn_query import turn_query\n"
    "turn_query([2, 1], [[1.2, 0.3], [0.5, 2.5], [-1, 1]], tokens[:3])",
    "softmax-machine": "from companion.pictures.live.softmax_machine import softmax_machine\n"
    "softmax_machine(scores[0], tokens)",
    "product": "from companion.pictures.live.product import product\n"
    "product(scores[:4, :4], value[:4], rows=tokens[:4])",
    "walk": "from companion.pictures.live.walk import walk\nwalk(scores, scores, value, tokens)",
    "view": "from companion.pictures.live.view import view\nview(scores, tokens, head_dim=4, causal=False)",
    "linked-heads": "from companion.pictures.live.linked_heads import linked_heads\n"
    "linked_heads(weights[None], tokens)",
    "mixture": "from companion.pictures.live.mixture import mixture\nmixture(weights[0], value[:, :2], tokens)",
    "parting": "from companion.pictures.live.parting import parting\n"
    "parting(weights[:2], value[None, :, :2].expand(2, -1, -1), [tokens, tokens], 1)",
    "kept": "from companion.pictures.live.kept import kept\nkept(tokens, 4, 8, num_kv_heads=2, d_latent=6, window=3)",
    "one-pass": "from companion.pictures.live.one_pass import one_pass\none_pass(scores[0], value[:, 0].abs())",
    "move-token": "from companion.pictures.live.move_token import move_token\n"
    "move_token(value[:5], value.T[:, :4], scores[:4, :4], tokens[:5])",
    "clocks": "from companion.pictures.live.clocks import clocks\nclocks(value[0], value[1])",
    "learning": "from companion.which_minute.learning import learning\n"
    "times = torch.stack([weights[3:6], weights[:3]]), torch.stack([value[3:6, :2], value[:3, :2]])\n"
    "learning([0, 20], [1.1, 0.2], *times, [tokens] * 3, [0, 1, 2])",
    "teacher-forcing": "from companion.pictures.live.teacher_forcing import teacher_forcing\n"
    "told = ['N', 'AY', 'T', 'end'], weights[:4, :5] / weights[:4, :5].sum(dim=1, keepdim=True)\n"
    "teacher_forcing({'nite': (told[0][:3], told, told)}, {'N': 'knee'})",
    "ask": "from companion.which_minute.ask import ask\nask()",
}


def example(name, size=6):
    """Return the source of a picture, with as many tokens where the number is not its own."""
    return f"size = {size}\n{PREPARED}\n{EXAMPLES[name]}"
