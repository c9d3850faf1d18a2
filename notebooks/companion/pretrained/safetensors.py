"""The file format safetensors: a length, a table of contents in JSON, and the numbers. Used in notebook 14."""

import json
import struct

import torch

DTYPES = {"F32": torch.float32, "F16": torch.float16, "I64": torch.int64}
LENGTH = 8  # bytes that say how long the table of contents is


def tensors_in(buffer):
    """Return {name: tensor} of a file that was read into a bytearray; the tensors share its memory.

    Raises ValueError if the file ends too early, or for numbers of a kind that is not read here.
    """
    contents, start = _contents(buffer)
    tensors = {}
    for name, about in contents.items():
        if name == "__metadata__":
            continue
        first, last = (start + offset for offset in about["data_offsets"])
        if last > len(buffer):
            raise ValueError(f"{name} ends at byte {last:,}, but the file has {len(buffer):,}; get it again")
        if about["dtype"] not in DTYPES:
            raise ValueError(f"{name} holds numbers of kind {about['dtype']}; read are {', '.join(DTYPES)}")
        dtype = DTYPES[about["dtype"]]
        count = (last - first) // dtype.itemsize
        tensors[name] = torch.frombuffer(buffer, dtype=dtype, count=count, offset=first).view(about["shape"])
    return tensors


def _contents(buffer):
    """Return the table of contents, a dict, and the byte that it counts from."""
    start = LENGTH + struct.unpack("<Q", buffer[:LENGTH])[0] if len(buffer) > LENGTH else LENGTH
    if not LENGTH < start <= len(buffer):
        raise ValueError(f"a file of {len(buffer):,} bytes ends before its table of contents does; get it again")
    return json.loads(buffer[LENGTH:start]), start
