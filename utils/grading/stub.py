"""What a student's code holds in place of a function or module of ours: it can be called, and that is all."""

from torch import nn


class Function:
    """A function whose every call is answered elsewhere."""

    def __init__(self, ask):
        self._ask = ask

    def __call__(self, *args, **kwargs):
        return self._ask(args, kwargs, None)


class Module(nn.Module):
    """A module whose every call is answered elsewhere. It has no parameters, and its results no gradients."""

    def __init__(self, ask):
        super().__init__()
        self._ask = ask

    def forward(self, *args, **kwargs):
        return self._ask(args, kwargs, self.training)
