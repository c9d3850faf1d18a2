"""One example of each live picture: a line here, and it is held to what all of them must keep."""

PREPARED = """import torch

torch.manual_seed(0)
tokens = ["Life", "is", "short", "eat", "dessert", "first", *map(str, range(6, 99))][:size]
scores = 2 * torch.randn(size, size)
weights = torch.softmax(scores, dim=-1)
value = torch.randn(size, 4)
"""
EXAMPLES = {
    "weighted-sum": "from utils.pictures.live.weighted_sum import weighted_sum\nweighted_sum(weights, value, tokens)",
}


def example(name, size=6):
    """Return the source of a picture, with as many tokens where the number is not its own."""
    return f"size = {size}\n{PREPARED}\n{EXAMPLES[name]}"
