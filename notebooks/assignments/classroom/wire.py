"""What passes between a check and a student's code: plain data; to a process of its own, as 4 bytes of length and JSON.

Nothing that arrives is executed or unpickled; no length, no type and no shape is believed that was not checked.
"""

import base64
import json
import math
import socket
import struct
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch

WATCH_EVERY = 0.2  # seconds, while waiting
LARGEST_FRAME = 8 << 20  # bytes; the largest honest tensor here takes some 500 kB
LONGEST_DICT = 1_000  # entries: chosen keys make a large dict slow
DEEPEST = 30
LENGTH = struct.Struct("!I")
PLAIN_TYPES = bool, int, float, str, type(None)
Packed = bool | int | float | str | dict | None
TIME_UP, PROCESS_ENDED = "time is up", "the process has ended"
UNREADABLE = "the process sent something that cannot be read"
SENT = "float16", "bfloat16", "float32", "float64", "bool", "uint8", "int8", "int16", "int32", "int64"
DTYPES = {name: getattr(torch, name) for name in SENT}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}
Watch = Callable[[], None]  # called before each step, and a few times a second while waiting; what it raises ends that


class Broken(Exception):
    """What arrived is not what was agreed on, or did not arrive in time."""


def send(pipe: socket.socket, message: dict, watch: Watch | None = None) -> None:
    """Send one message. Raises Broken if the other side is gone, or for a message too large."""
    try:
        body = json.dumps(message).encode()
    except ValueError as error:  # a number of thousands of digits
        raise Broken("it gave a number too large to pass") from error
    if len(body) > LARGEST_FRAME:
        raise Broken(f"{len(body) >> 20} MB are more than the {LARGEST_FRAME >> 20} MB that may pass")
    rest = memoryview(LENGTH.pack(len(body)) + body)
    while rest:
        rest = rest[_transfer(pipe, pipe.send, rest, watch) :]


def receive(pipe: socket.socket, watch: Watch | None = None) -> dict:
    """Return the next message. Raises Broken at the end, and for bad data."""
    (length,) = LENGTH.unpack(_receive_exactly(pipe, LENGTH.size, watch))
    if length > LARGEST_FRAME:
        raise Broken(f"an answer of {length >> 20} MB is more than the {LARGEST_FRAME >> 20} MB that may pass")
    try:
        message = json.loads(_receive_exactly(pipe, length, watch))
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Broken(UNREADABLE)
    return message


def _receive_exactly(pipe: socket.socket, size: int, watch: Watch | None) -> bytearray:
    parts = bytearray()
    while len(parts) < size:
        part = _transfer(pipe, pipe.recv, size - len(parts), watch)
        if not part:
            raise Broken(PROCESS_ENDED)
        parts += part
    return parts


def _transfer(pipe: socket.socket, step: Callable, argument: memoryview | int, watch: Watch | None) -> int | bytes:
    """Return step(argument) once the pipe is ready. Raises Broken at its end."""
    pipe.settimeout(WATCH_EVERY if watch else None)
    while True:
        if watch:
            watch()  # even if there is something to read: a process that never stops talking is late, too
        try:
            return step(argument)
        except TimeoutError:
            pass
        except OSError as error:
            raise Broken(PROCESS_ENDED) from error


def pack(value: object, tag: Callable[[object], dict | None] | None = None) -> Packed:
    """Turn a value into what JSON can hold. tag: a function that may give {tag: ...} for what is not plain
    data; without one, this keeps only the name of its type."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, PLAIN_TYPES):
        return value
    if tag is not None and (tagged := tag(value)) is not None:
        return tagged
    if isinstance(value, torch.Tensor):
        if value.dtype in DTYPE_NAMES and value.layout == torch.strided:
            dense = value.detach().clone(memory_format=torch.contiguous_format).flatten()
            numbers = base64.b64encode(dense.view(torch.uint8).numpy().tobytes()).decode()
            return {"tensor": [DTYPE_NAMES[value.dtype], list(value.shape), numbers]}
        return {"other": f"{value.layout} tensor of {value.dtype}".replace("torch.", "").replace("strided ", "")}
    if isinstance(value, (list, tuple)):
        return {"list" if isinstance(value, list) else "tuple": [pack(part, tag) for part in value]}
    if isinstance(value, dict):
        return {"dict": [[pack(key, tag), pack(part, tag)] for key, part in value.items()]}
    return {"other": type(value).__name__}


def changed(values: Sequence, packed: Iterable[Packed]) -> bool:
    """Say whether any tensor or list is not any more what it was packed as."""
    pairs = zip(values, packed)
    return any(isinstance(value, (torch.Tensor, list)) and pack(value) != before for value, before in pairs)


def unpack(packed: Packed, resolve: Callable[[str, Packed], object] | None = None, depth: int = 0):
    """Turn it back; what was not plain data is an object of a type with the same name. resolve: a function that gives
    the object for a tag of its own. Raises Broken for all else."""
    if isinstance(packed, PLAIN_TYPES):
        return packed
    if depth > DEEPEST or not isinstance(packed, dict) or len(packed) != 1:
        raise Broken(UNREADABLE)
    ((tag, content),) = packed.items()
    try:
        match tag, content:
            case "list" | "tuple", list():
                parts = [unpack(part, resolve, depth + 1) for part in content]
                return tuple(parts) if tag == "tuple" else parts
            case "dict", list() if len(content) <= LONGEST_DICT:
                return {unpack(key, resolve, depth + 1): unpack(part, resolve, depth + 1) for key, part in content}
            case "tensor", [str(dtype), list(shape), str(numbers)] if dtype in DTYPES and _is_shape(shape):
                raw = bytearray(base64.b64decode(numbers, validate=True))
                raw_tensor = torch.frombuffer(raw, dtype=torch.uint8) if raw else torch.empty(0, dtype=torch.uint8)
                # A byte other than 0 and 1 would be a truth value that equals neither.
                return (raw_tensor.bool() if dtype == "bool" else raw_tensor.view(DTYPES[dtype])).reshape(shape)
            case "other", str(name) if name.isprintable():  # any other may be refused as a class's name
                return type(name or "object", (), {})()
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:  # no pairs, no key, no numbers, no such shape
        raise Broken(UNREADABLE) from error
    if resolve is None:
        raise Broken(UNREADABLE)
    return resolve(tag, content)


def _is_shape(shape: list) -> bool:
    """Say whether this can be a tensor's shape. The sizes beside a 0 count, too: torch multiplies them."""
    fits = len(shape) <= 16 and all(type(size) is int and 0 <= size <= LARGEST_FRAME for size in shape)
    return fits and math.prod(filter(None, shape)) <= LARGEST_FRAME
