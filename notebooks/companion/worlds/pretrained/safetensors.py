"""The file format safetensors: a length, a table of contents in JSON, and the numbers. Used in notebook 15."""

import json
import math

import torch


def tensors_in(buffer):
    """Return {name: tensor} of a file of float32 and int64 that was read into a bytearray, whose memory they share.

    Nothing is checked here: `Weights.check` has compared every byte.
    """
    start = 8 + int.from_bytes(buffer[:8], "little")  # the first 8 bytes say how long the table of contents is
    kinds, tensors = {"F32": torch.float32, "I64": torch.int64}, {}
    for name, about in json.loads(buffer[8:start]).items():
        if name != "__metadata__":
            offset, dtype = start + about["data_offsets"][0], kinds[about["dtype"]]
            numbers = torch.frombuffer(buffer, dtype=dtype, count=math.prod(about["shape"]), offset=offset)
            tensors[name] = numbers.view(about["shape"])
    return tensors
