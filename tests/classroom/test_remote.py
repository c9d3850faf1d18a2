"""The student's process: what crosses to it and back, and what a hostile one can do on the way."""

import contextlib
import functools
import itertools
import json
import math
import socket
import struct
import threading
import time

import pytest
import torch
from attacks import TAKEN
from torch import nn

from assignments import has_ended, wait_until
from classroom import local, wire
from classroom.checks.graded import Inputs
from classroom.checks.shared import load_projections
from classroom.grader.fork_server import StudentProcess
from classroom.grader.remote import LostProcess, OutOfTime, Remote
from classroom.student import MissingName, StudentError, agree
from companion.checks.feedback import Mistake

CODE = """
import numpy as np
import torch
from torch import nn
def back(value): return value
def sort_of(value): return type(value).__name__
same_sort_of = sort_of
closed = (lambda kept: lambda value: kept)(7)
def results(*names): return [globals()[name](1) for name in names]
def forget(name): globals().pop(name, None)
class Head(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
    def forward(self, inputs):
        return self.W_query(inputs) + inputs @ self.W_key
class Tied(Head):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_value = self.W_query
class Liar(Head):
    named_buffers = None
    def forward(self, inputs): return super().forward(inputs), inputs.zero_()
    def named_parameters(self, *given, **named): return iter(())
    def state_dict(self, *given, **named): return {"W_query.weight": torch.zeros(1)}
def built(make):
    module = make(3, 2)
    return [module(torch.ones(4, 3)).shape[-1], *look_into(module)]
def look_into(module): return [list(module.parameters()), list(module.children()), sorted(vars(module))]
def asks_often(function):
    while True: function(1)
def asks(function, *given, **named): return function(*given, **named)
def evaluate(expression): return eval(expression)
def two_are_three(): assert 2 == 3, "two is not three"
def not_so(): raise NotImplementedError("not like this")
def leave(): raise SystemExit
"""


@pytest.fixture(scope="module", params=["local", "remote"])
def student(request):
    if request.param == "local":
        names = {}
        exec(CODE, names)
        yield local.Local(names)
    else:
        with Remote([("cell 1", CODE)], restarts=50) as remote:
            yield remote


WHOLE = torch.uint8, torch.int8, torch.short, torch.int, torch.long
TENSORS = [
    torch.randn(*shape, 2).to(dtype)[..., 0]  # whose numbers do not stand side by side
    for dtype in (torch.float, torch.double, torch.half, torch.bfloat16, torch.bool, *WHOLE)
    for shape in [(), (3,), (2, 3), (0, 2)]
] + [torch.full((2,), 1j).conj().imag]  # whose sign PyTorch has put off


@pytest.mark.parametrize(
    "value", [None, True, 3, 0.5, "é", [1, [2]], (1, "a"), {"a": (1,)}, float("inf"), float("-inf"), *TENSORS]
)
def test_values_come_back_as_they_went(student, value):
    result = student.call("back", value)
    assert type(result) is type(value) and agree(result, value)
    assert not isinstance(value, torch.Tensor) or (result.dtype == value.dtype and result.equal(value))


def test_what_is_of_numpy_or_made_one_by_one_comes_as_pythons_own(student):
    assert repr(student.call("evaluate", "[np.int64(3), np.bool_(3)]")) == "[3, True]"
    endless = "map(abs, iter(int, 1))", "zip(iter(int, 1))", "(0 for _ in iter(int, 1))"
    assert [len(student.call("evaluate", kind)) for kind in endless] == [100] * 3


def test_weights_are_loaded_into_a_layer_and_a_bare_parameter_whatever_a_module_says_of_them(student):
    head = student.make("Liar", 3, 4)
    matrices = load_projections(head, Inputs(0), {"W_query": (3, 4), "W_key": (3, 4)})
    inputs = torch.randn(2, 5, 3)
    (query, bias), (key, none) = matrices["W_query"], matrices["W_key"]
    torch.testing.assert_close(head(inputs)[0], inputs @ query + bias + inputs @ key)
    with torch.no_grad():  # as a notebook may begin
        assert head.trained(inputs) == ["W_key", "W_query.weight", "W_query.bias"]
    assert not none.any() and not student.mutators and not hasattr(head, "state_dict")  # what is not asked for by name


def test_a_notebook_gets_its_default_dtype_and_we_get_ours():
    switches = "torch.set_default_dtype(torch.float64)", "torch.use_deterministic_algorithms(True)"  # wants a folder
    code, dtypes = "def hand_on(function, inputs):\n    return inputs + function(inputs)", []
    with Remote([("cell", "\n".join(["import torch", *switches, code]))]) as student:
        given = [torch.ones(2), torch.arange(2)]
        result = student.call("hand_on", lambda inputs: dtypes.extend(part.dtype for part in inputs) or inputs, given)
    assert [part.dtype for part in result] == [torch.float64, torch.int64] * 2 and not student.mutators
    assert dtypes == [torch.float32, torch.int64]


@pytest.mark.parametrize(
    "module, sizes, message",
    [
        ("Head", {"W_value": (3, 4)}, "no parameter named W_value"),
        ("Head", {"W_query": (4, 3)}, r"W_query.weight has shape \(4, 3\), but \(3, 4\) was expected"),
        ("Tied", {"W_query": (3, 4), "W_value": (3, 4)}, "W_query.weight and W_value.weight are the same parameter"),
    ],
)
def test_a_parameter_that_cannot_be_loaded_is_named(student, module, sizes, message):
    with pytest.raises(Mistake, match=message):
        load_projections(student.make(module, 3, 4), Inputs(0), sizes)


def test_a_module_of_ours_shows_nothing_to_recognise(student):
    shown = student.call("look_into", nn.Identity())
    assert shown[:2] == [[], []] and student.call("look_into", nn.Linear(3, 2)) == shown
    assert student.call("built", nn.Linear) == [2, *shown]  # our function returns a module


@pytest.mark.parametrize(
    "name, args, kind, message",
    [
        ("two_are_three", [], StudentError, "AssertionError: two is not three"),
        ("not_so", [], StudentError, "not like this"),
        ("leave", [], StudentError, "SystemExit"),
        ("nothing", [], MissingName, "there is no `nothing`"),
        ("built", [lambda *sizes: 1 / 0], StudentError, "ZeroDivisionError: division by zero"),
        ("evaluate", ["[" * 40 + "]" * 40], Mistake, "`evaluate` gave no result: the process sent something that"),
        ("values_of", [[]], StudentError, r"a list is not a module: write class list\(nn.Module\)"),
    ],
)
def test_errors_come_with_their_kind_and_message(student, name, args, kind, message):
    with pytest.raises(kind, match=message):
        student.make("back", *args).values() if name == "values_of" else student.call(name, *args)


def remote(code, **limits):
    return Remote([("cell 1", CODE), ("cell 2", code)], **limits)


@pytest.mark.parametrize(
    "most, size",  # in all, with one for each argument by its place
    [
        (8_191, torch.zeros),
        (65_535, lambda size: torch.zeros(size, dtype=torch.bool)),
        (8_191, lambda size: size),  # it may be a length
        (4_094, lambda size: (size, -size)),
        (8_190, lambda size: {"numbers": [0.5] * size}),
    ],
)
def test_our_functions_refuse_what_would_cost_us_memory(student, most, size):
    def ours(*given, numbers=None):
        return True

    assert student.call("asks", ours, size(most)) and student.call("asks", ours, numbers=size(most))
    for given, named in ([size(most + 1)], {}), ([], {"numbers": size(most + 1)}):
        with pytest.raises(StudentError, match="at most 8192 numbers"):
            student.call("asks", ours, *given, **named)


def test_our_functions_are_not_called_without_end(student):
    calls = []
    with pytest.raises(StudentError, match="called at most 5000 times"):
        student.call("asks_often", calls.append)
    assert len(calls) == 5_000 and student.call("back", 1) == 1


def test_silenced_functions_do_nothing_and_are_back_after_it(student):
    silent = ["sort_of", "closed", "Head", "nowhere"]
    with student.replacing(dict.fromkeys(silent, lambda *given: None)):
        assert student.call("results", "same_sort_of", *silent) == ["int", *[None] * 4]
        student.call("forget", "nowhere")
    with pytest.raises(StudentError), student.replacing(dict.fromkeys(silent, lambda *given: None)):
        student.call("two_are_three")
    assert student.call("results", "sort_of", "same_sort_of", "closed") == ["int", "int", 7]
    assert student.make("Head", 3, 4).values()
    with pytest.raises(MissingName):
        student.call("nowhere")


ENDS = "import os, threading\ndef end(): os._exit(7)\nlater = lambda: threading.Timer(0.1, os._exit, (7,)).start()"


def test_what_a_process_held_is_gone_with_it_whenever_it_ends():
    with remote(ENDS) as student:
        head = student.make("Head", 3, 4)
        with pytest.raises(LostProcess, match=r"^`call` of an object gave no .*exit code 7"):
            student.make("evaluate", "end")()
        with pytest.raises(LostProcess, match="the object is gone"):
            head(torch.zeros(2, 3))
        student.call("later")
        process = student.process
        wait_until(lambda: has_ended(process.pid))
        with pytest.raises(LostProcess, match="exit code 7"):
            student.call("back", 1)
        student.start()
        assert has_ended(process.pid) and not has_ended(student.process.pid) and student.process.deadline == math.inf
        process = student.process
    assert has_ended(process.pid)


# A process in which the student's code has taken over the pipe.

FRAME = struct.Struct("!I")


def until(seconds):
    """Return what the grader's side looks at while it waits: a deadline."""
    process = StudentProcess.__new__(StudentProcess)
    process.deadline, process.last_look = time.monotonic() + seconds, math.inf
    return process.watch


def framed(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return FRAME.pack(len(body)) + body


@pytest.fixture
def ends():
    """The grader's end of a pipe, and the student's."""
    grader_end, student_end = socket.socketpair()
    with grader_end, student_end:
        yield grader_end, student_end


@pytest.mark.parametrize(
    "bytes_sent",
    [
        b"",
        b"\0\0",
        FRAME.pack(2**32 - 1),
        FRAME.pack(100) + b"{}",
        *map(framed, (b"not json", b"\xff\xfe", b"[" * 100_000, b"9" * 10_000, [1], 7)),
    ],
)
def test_a_bad_frame_is_refused(ends, bytes_sent):
    grader_end, student_end = ends
    student_end.sendall(bytes_sent)
    student_end.shutdown(socket.SHUT_WR)
    with pytest.raises(wire.Broken, match="more than the 8 MB" if bytes_sent[:1] == b"\xff" else None):
        wire.receive(grader_end, until(5))


def test_a_frame_that_comes_drop_by_drop_is_refused_at_the_deadline(ends):
    def drip():
        ends[1].sendall(FRAME.pack(1000))
        while not stop.wait(0.05):
            ends[1].sendall(b" ")

    stop, writer = threading.Event(), threading.Thread(target=drip)
    writer.start()
    with pytest.raises(wire.Broken, match="time is up"):
        wire.receive(ends[0], until(0.5))
    stop.set()
    writer.join()


ZERO = "AAAAAA=="  # the bytes of one float32


@pytest.mark.parametrize(
    "packed",
    [
        *([1], {}, {"list": 3}, {"list": [], "tuple": []}, {"code": "1 + 1"}, {"made": 0}, {"module": 0}),
        *({"dict": wrong} for wrong in (3, [3], [[1]], [[{"list": []}, 1]], [[number, 0] for number in range(2_000)])),
        *({"tensor": ["float32", wrong, ""]} for wrong in ([2], [0, 10**12], [0] * 3 + [8388608] * 13)),
        *({"tensor": ["float32", wrong, ZERO]} for wrong in ([-1, -1], [True], [1.0], 1, [1] * 99, {}, "")),
        *(
            {"tensor": ["float32", [1], wrong]}
            for wrong in ("0", "é", [0], {"0": 0}, None, "AAA=", f"{ZERO}!", ZERO * 2)
        ),
        *({"tensor": wrong} for wrong in (None, ["object", [1], ZERO], [["float32"], [1], ZERO])),
        {"other": "a\0b"},
        {"other": "\ud800"},
        functools.reduce(lambda inner, _: {"list": [inner]}, range(200), 0),
    ],
)
def test_a_value_that_is_not_plain_data_is_refused(packed):
    with pytest.raises(wire.Broken):
        wire.unpack(packed)


def test_a_truth_value_of_another_byte_than_0_and_1_is_true():
    (value,) = wire.unpack({"tensor": ["bool", [1], "Ag=="]})
    assert value.equal(torch.tensor(True)) and value.int() == 1


def test_other_objects_keep_only_the_name_of_their_type():
    values = wire.unpack(wire.pack([object(), 3j, torch.zeros(2).to_sparse(), torch.zeros(2) * 1j]))
    names = ["object", "complex", "sparse_coo tensor of float32", "tensor of complex64"]
    assert [type(value).__name__ for value in values] == names


PLAIN_CALL = {"list": [{"list": []}, {"dict": []}, None]}
NO_BOOL = {"tensor": ["bool", [2], "AQA="]}


@pytest.mark.parametrize(
    "message",
    [
        {"value": 1},  # and the real answer later
        {"id": "guessed", "value": 1},
        {"error": ["A"]},
        {"value": {"made": 0}},
        {"ask": 0, "value": {"list": []}},
        {"ask": -1, "value": PLAIN_CALL},
        {"ask": True, "value": PLAIN_CALL},
        {"ask": 0, "value": {"list": [{"dict": []}, {"dict": []}, None]}},
        {"ask": 0, "value": {"list": [{"list": []}, {"dict": []}, NO_BOOL]}},
    ],
)
def test_a_process_that_speaks_for_itself_is_ended(message):
    line = f"say({{'id': server().request}} | {message})"
    with remote(TAKEN + f"def back(value):\n    {line}\n    return value") as student:
        with pytest.raises(LostProcess):
            for _ in range(2):  # what was said for later is refused then
                student.call("back", lambda: 1)
        assert student.call("sort_of", 1) == "int"


SLOW = """
import time
def compute(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
"""


def test_cells_that_take_too_long_in_all_are_not_tried_again():
    with Remote([("cell 1", f"{SLOW}compute(0.4)"), ("cell 2", CODE)], check=0.3) as student:
        for _ in range(2):
            with pytest.raises(OutOfTime, match="the cells took more than"):
                student.call("sort_of", 1)
        assert student.lives == 1


@pytest.mark.parametrize("state, step, ends", [("S", 0, True), ("R", 0, False), ("S", 0.02, False)])
def test_to_wait_for_a_processor_is_no_waiting_and_to_sleep_is(monkeypatch, state, step, ends):
    monkeypatch.setattr(wire, "WATCH_EVERY", 0.0001)
    process = StudentProcess.__new__(StudentProcess)
    process.deadline, process.last_look = math.inf, 0.0
    process._stat, process.processor_time = lambda: (state, 1), itertools.count(100, step).__next__  # of all threads
    process.allow(15, 0.001)
    with pytest.raises(wire.Broken, match=wire.TIME_UP) if ends else contextlib.nullcontext():
        for _ in range(100):
            time.sleep(0.0002)
            process.watch()


def test_a_slow_answer_is_warned_of_in_the_notebook(monkeypatch):
    exec(SLOW, names := {})
    student = local.Local(names)
    student.call("compute", 0.02)
    assert not student.warnings()
    for name, seconds in (("CALL_SECONDS", 0.03), ("CHECK_SECONDS", 0.06)):
        monkeypatch.setattr(local, name, seconds)
        assert student.warnings()[0].startswith("this took 0 s of computing")
        monkeypatch.undo()
    monkeypatch.setattr(local, "CALL_SECONDS", 0.03)
    student.mutators.add("compute")
    student.begin_check()
    assert not student.warnings()  # of the check before


ASKS = f"say({{'id': server().request, 'ask': 0, 'value': {PLAIN_CALL}}})"


def test_a_process_that_asks_and_never_reads_is_ended_while_we_answer():
    with remote(TAKEN + f"def back(value):\n    while True: {ASKS}", idle=2) as student:
        start = time.process_time()
        with pytest.raises(LostProcess, match="did not end within 15 s of work, or 2 s of waiting"):
            student.call("back", lambda: torch.zeros(20_000))
        assert time.process_time() - start < 5  # to wait costs nothing
        assert student.seconds == 0  # of a check's time a call without a result takes nothing
        assert student.call("sort_of", 1) == "int"


def test_a_large_message_arrives_whole_and_a_side_that_has_gone_is_told(ends):
    (grader_end, student_end), message = ends, {"value": "x" * (4 << 20)}
    writer = threading.Thread(target=wire.send, args=(grader_end, message, until(60)))
    writer.start()
    time.sleep(0.2)
    assert wire.receive(student_end, until(60)) == message
    writer.join()
    wire.send(grader_end, {})
    student_end.close()  # with a message unread: the kernel calls that a connection reset
    for ask in (lambda: wire.receive(grader_end), lambda: wire.send(grader_end, {})):
        with pytest.raises(wire.Broken, match="the process has ended"):
            ask()


def test_no_check_and_no_reference_is_in_the_process():
    looking = """
import gc, sys
def names_of_ours():
    owners = [str(getattr(thing, "__module__", "")) for thing in gc.get_objects() if callable(thing)]
    ours = "utils", "companion", "classroom.checks"
    return sorted({name for name in [*owners, *sys.modules] if name.startswith(ours)})
"""
    with remote(looking) as student:
        assert student.call("names_of_ours") == []
