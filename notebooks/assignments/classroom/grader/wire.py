"""What passes between the grader and the process that runs a student's code: plain data, strictly read.

A frame is 4 bytes of length and JSON. Nothing that arrives is ever executed or unpickled. The reader believes
no length, no type and no shape that it has not checked.
"""

import base64
import json
import math
import struct
import time

import numpy as np
import torch

LARGEST_FRAME = 8 << 20  # bytes; the largest honest tensor here takes some 100 kB
WATCH_EVERY = 0.2  # seconds, while waiting
LONGEST_DICT = 1_000  # entries: chosen keys make a large dict slow
DEEPEST = 30
LENGTH = struct.Struct("!I")
PLAIN = bool, int, float, str, type(None)
LATE, ENDED = "time is up", "the process has ended"
UNREADABLE = "the process sent something that cannot be read"
KINDS = "float16", "bfloat16", "float32", "float64", "bool", "uint8", "int8", "int16", "int32", "int64"
DTYPES = {name: getattr(torch, name) for name in KINDS}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Broken(Exception):
    """What arrived is not what was agreed on, or did not arrive in time."""


class Other:
    """Stands for an object that is not plain data; `type(...).__name__` is the name of its type."""


def send(pipe, message, deadline=None, watch=None):
    """Send one message; raises Broken at the deadline, if the other side is gone, or for a message too large.

    deadline: of time.monotonic(); watch: called a few times a second while waiting.
    """
    try:
        body = json.dumps(message).encode()
    except ValueError as error:  # a number of thousands of digits
        raise Broken("it gave a number too large to pass") from error
    if len(body) > LARGEST_FRAME:
        raise Broken(f"{len(body) >> 20} MB are more than the {LARGEST_FRAME >> 20} MB that may pass")
    left = memoryview(LENGTH.pack(len(body)) + body)
    while left:
        left = left[_patiently(pipe, pipe.send, left, deadline, watch) :]


def receive(pipe, deadline=None, watch=None):
    """Return the next message; raises Broken at the deadline, at the end, or for bad data. Both are as in `send`."""
    (length,) = LENGTH.unpack(_exactly(pipe, LENGTH.size, deadline, watch))
    if length > LARGEST_FRAME:
        raise Broken(f"an answer of {length >> 20} MB is more than the {LARGEST_FRAME >> 20} MB that may pass")
    try:
        message = json.loads(_exactly(pipe, length, deadline, watch))
    except (ValueError, RecursionError) as error:
        raise Broken(UNREADABLE) from error
    if not isinstance(message, dict):
        raise Broken(UNREADABLE)
    return message


def _exactly(pipe, size, deadline, watch):
    parts = bytearray()
    while len(parts) < size:
        part = _patiently(pipe, pipe.recv, size - len(parts), deadline, watch)
        if not part:
            raise Broken(ENDED)
        parts += part
    return parts


def _patiently(pipe, transfer, what, deadline, watch):
    """Return transfer(what) once the pipe is ready. Raises Broken at its end, and at the deadline, even if there
    is something to read: a process that never stops talking is late, too."""
    while True:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Broken(LATE)
            pipe.settimeout(min(left, WATCH_EVERY))
        if watch:
            watch()
        try:
            return transfer(what)
        except TimeoutError:
            pass
        except OSError as error:
            raise Broken(ENDED) from error


def pack(value, special=None):
    """Turn a value into what JSON can hold.

    special: a function that may give {tag: ...} for objects that are no plain data, or None for "not mine".
    Such an object without a tag keeps only the name of its type.
    """
    if special is not None and (tagged := special(value)) is not None:
        return tagged
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, torch.Tensor):
        return _packed_tensor(value)
    if isinstance(value, (list, tuple)):
        return {"list" if isinstance(value, list) else "tuple": [pack(part, special) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[pack(key, special), pack(part, special)] for key, part in value.items()]}
    if isinstance(value, PLAIN):
        return value
    return {"other": type(value).__name__}


def _packed_tensor(tensor):
    dtype = NAMES.get(tensor.dtype)
    if dtype is None or tensor.layout != torch.strided:
        return {"other": f"{tensor.layout} tensor of {tensor.dtype}".replace("torch.", "").replace("strided ", "")}
    bits = tensor.detach().view(torch.int16) if dtype == "bfloat16" else tensor  # numpy does not have it
    return {"tensor": [dtype, list(tensor.shape), base64.b64encode(bits.numpy(force=True).tobytes()).decode()]}


def unpack(packed, special=None, depth=0):
    """Turn it back. Raises Broken for anything that `pack` does not make.

    special: a function that gives the object for a tag that is its own, and raises Broken for any other.
    """
    if isinstance(packed, PLAIN):
        return packed
    if depth > DEEPEST or not isinstance(packed, dict) or len(packed) != 1:
        raise Broken(UNREADABLE)
    ((tag, content),) = packed.items()
    match tag, content:
        case "list" | "tuple", list():
            parts = [unpack(part, special, depth + 1) for part in content]
            return tuple(parts) if tag == "tuple" else parts
        case "dict", list() if len(content) <= LONGEST_DICT:
            return dict(_pair(pair, special, depth + 1) for pair in content)
        case "tensor", [str(dtype), list(shape), str(text)] if dtype in DTYPES:
            return _unpacked_tensor(DTYPES[dtype], shape, text)
        case "other", str(name) if name.isprintable():  # any other may be refused as a class's name
            return type(name[:60] or "object", (Other,), {})()
    if special is None:
        raise Broken(UNREADABLE)
    return special(tag, content)


def _pair(pair, special, depth):
    if not isinstance(pair, list) or len(pair) != 2:
        raise Broken(UNREADABLE)
    key, value = (unpack(part, special, depth) for part in pair)
    try:
        hash(key)
    except TypeError as error:
        raise Broken("a dict has a key that cannot be one") from error
    return key, value


def _unpacked_tensor(dtype, shape, text):
    sizes_fit = len(shape) <= 16 and all(type(size) is int and 0 <= size <= LARGEST_FRAME for size in shape)
    # torch multiplies the sizes beside a 0, too
    if not sizes_fit or math.prod(filter(None, shape)) > LARGEST_FRAME:
        raise Broken(UNREADABLE)
    try:
        data = bytearray(base64.b64decode(text))
    except ValueError as error:
        raise Broken(UNREADABLE) from error
    if math.prod(shape) * dtype.itemsize != len(data):
        raise Broken(UNREADABLE)
    if not data:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(data, dtype=dtype).clone().reshape(shape)
