"""Print tensors and differences the same way in every notebook and on every machine."""

import math
import warnings

import torch

from utils import shapes

WIDTH = 96  # characters a line: fits JupyterLab's output area and the exported page


def setup():
    """Make every notebook print and compute alike: four decimals, one thread (bit-equal reruns)."""
    torch.set_printoptions(precision=4, sci_mode=False, linewidth=WIDTH)
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", "The use of `x.T`")  # of a batch, a mistake that notebook 04 makes on purpose


def show(name, tensor, rows=None, columns=None, decimals=4):
    """Print the name, shape and values of a vector or a matrix.

    rows, columns: labels; a matrix too wide for a line shows its first columns and its last, a vector is wrapped;
    decimals: of floating-point numbers; whole numbers have none.
    Raises ValueError for other shapes, or labels that do not fit.
    >>> show("weights", torch.eye(2), rows=["Life", "is"], decimals=1)
    weights  (2, 2)
      Life  1.0  0.0
      is    0.0  1.0
    """
    tensor = shapes.as_tensor(tensor)
    if tensor.ndim not in (1, 2):
        raise ValueError(f"show prints vectors and matrices, but {name} has shape {tuple(tensor.shape)}")
    digits = decimals if tensor.is_floating_point() else 0
    lines = [[_fixed(number, digits) for number in row] for row in tensor.reshape(-1, tensor.shape[-1]).tolist()]
    print(f"{name}  {tuple(tensor.shape)}")
    print(_wrapped(lines[0]) if tensor.ndim == 1 and rows is columns is None else _table(lines, rows, columns))


def compare(name, ours, reference):
    """Print whether two tensors agree to about six digits, and how far apart they are if not.

    If they agree, it prints a bound and not the difference itself, because the last bits of a sum
    differ between processors. The bound is a millionth of the reference's size, rounded up to a power of ten.
    >>> compare("half", torch.tensor([0.5]), torch.tensor([0.5]))
    half: equal (largest difference below 1e-06)
    """
    if ours.shape != reference.shape:
        print(f"{name}: DIFFERENT shapes, {tuple(ours.shape)} and {tuple(reference.shape)}")
        return
    ours, reference = ours.double(), reference.double()
    difference = (ours - reference).masked_fill(ours == reference, 0).abs().max().item()  # inf equals inf
    size = reference[reference.isfinite()].abs().max().item() if reference.isfinite().any() else 1
    # The thousandth keeps a size of 1, or 1 and a rounding error, on the same side on every machine.
    bound = 10.0 ** (max(0, math.ceil(math.log10(max(size, 1)) - 1e-3)) - 6)
    if difference <= bound:  # never true for nan
        print(f"{name}: equal (largest difference below {bound:g})")
    else:
        print(f"{name}: DIFFERENT (largest difference {difference:.2g})")


def _fixed(number, decimals):
    text = f"{number:.{decimals}f}"
    return text.lstrip("-") if not text.strip("-0.") else text  # "-0.0000" is a matter of the last bit


def _wrapped(numbers):
    cell = max(map(len, numbers))
    many = max(1, WIDTH // (cell + 2))
    lines = (numbers[start : start + many] for start in range(0, len(numbers), many))
    return "\n".join("".join(f"  {number:>{cell}}" for number in line) for line in lines)


def _table(lines, rows, columns):
    for labels, count in ((rows, len(lines)), (columns, len(lines[0]))):
        if labels is not None and len(labels) != count:
            raise ValueError(f"{len(labels)} labels were given for {count} rows or columns: {list(labels)}")
    stub = [f"  {_cut(label)}" for label in rows] if rows is not None else [""] * len(lines)
    if columns is not None:
        stub, lines = ["", *stub], [[_cut(label) for label in columns], *lines]
    left, cell = max(map(len, stub)), max(len(text) for line in lines for text in line)
    room = (WIDTH - left) // (cell + 2)
    if len(lines[0]) > room:
        lines = [[*line[: room - 2], "…", line[-1]] for line in lines]
    return "\n".join(
        f"{label:<{left}}" + "".join(f"  {text:>{cell}}" for text in line) for label, line in zip(stub, lines)
    )


def _cut(label, longest=24):
    label = str(label)
    return label if len(label) <= longest else label[: longest - 1] + "…"
