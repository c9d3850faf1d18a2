"""The file format GGUF: facts about a model, a table of contents, and numbers that are packed. Used in notebook 19."""

import math
import struct

import torch

SIMPLE = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, LIST = 8, 9
BORDER = 32  # bytes, of which the tensors' place is a multiple where a file does not say otherwise
PART = 1 << 16  # numbers that are unpacked at once, so that little memory is needed beside the result


class Packed:
    """An open GGUF file: its facts, {name: value}, and where its tensors lie.

    Nothing is checked here: `Weights.check` has compared every byte.
    """

    def __init__(self, path):
        self.file = path.open("rb")
        self.file.seek(8)  # "GGUF" and the version
        num_tensors, num_facts = self._numbers("2Q")
        self.facts = {self._text(): self._value(*self._numbers("I")) for _ in range(num_facts)}
        self.contents = {}
        for _ in range(num_tensors):
            name, (axes,) = self._text(), self._numbers("I")
            shape, (kind, offset) = self._numbers(f"{axes}Q")[::-1], self._numbers("IQ")
            self.contents[name] = shape, kind, offset
        self.start = -(-self.file.tell() // BORDER) * BORDER

    def tensors(self):
        """Return {name: tensor} in float32, unpacked part by part into one piece of memory, which they share."""
        sizes = [math.prod(shape) for shape, _, _ in self.contents.values()]
        unpacked = torch.empty(sum(sizes)).split(sizes)
        for numbers, (_, kind, offset) in zip(unpacked, self.contents.values()):
            unpack, size, count = FORMATS[kind]
            self.file.seek(self.start + offset)
            for part in numbers.split(PART):
                raw = bytearray(self.file.read(len(part) // count * size))
                part.copy_(unpack(torch.frombuffer(raw, dtype=torch.uint8).view(-1, size)).flatten())
        return {name: numbers.view(shape) for numbers, (name, (shape, _, _)) in zip(unpacked, self.contents.items())}

    def _numbers(self, form):
        form = f"<{form}"
        return struct.unpack(form, self.file.read(struct.calcsize(form)))

    def _text(self):
        return self.file.read(*self._numbers("Q")).decode()

    def _value(self, kind):
        if kind == TEXT:
            return self._text()
        if kind == LIST:
            kind, length = self._numbers("I")[0], self._numbers("Q")[0]
            several = kind in SIMPLE
            return list(self._numbers(length * SIMPLE[kind])) if several else [self._text() for _ in range(length)]
        return self._numbers(SIMPLE[kind])[0]


def _of_four_bits(raw):
    """Unpack blocks of 32: a step and a smallest number in half precision, and 32 counts of steps, two in a byte."""
    step, least = raw[:, :4].contiguous().view(torch.float16).float().split(1, dim=1)
    counts = torch.cat([raw[:, 4:] & 15, raw[:, 4:] >> 4], dim=1)  # (blocks, 32)
    return counts * step + least


def _of_eight_bits(raw):
    """Unpack blocks of 32: a step in half precision, and 32 counts of steps."""
    step = raw[:, :2].contiguous().view(torch.float16).float()
    return raw[:, 2:].contiguous().view(torch.int8) * step


# {kind: (how a block is unpacked, its bytes, its numbers)}
FORMATS = {0: (lambda raw: raw.view(torch.float32), 4, 1), 3: (_of_four_bits, 20, 32), 8: (_of_eight_bits, 34, 32)}
