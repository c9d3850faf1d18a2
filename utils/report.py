"""Print tensors and differences the same way in every notebook and on every machine."""

import torch

WIDTH = 100  # characters a line: fits JupyterLab's output area and the exported page


def setup():
    """Make every notebook print and compute alike: four decimals, one thread (bit-equal reruns)."""
    torch.set_printoptions(precision=4, sci_mode=False, linewidth=WIDTH)
    torch.set_num_threads(1)


def show(name, tensor, rows=None, columns=None):
    """Print a tensor's name, shape and values with four decimals.

    rows: one label for each row of a matrix; columns: one for each column.
    A matrix with row labels and many columns shows the first columns and the last.
    Raises ValueError if there are not as many labels as rows or columns.
    """
    tensor = torch.as_tensor(tensor).detach()
    print(f"{name}  {tuple(tensor.shape)}")
    if rows is None and columns is None:
        print(str(tensor).removeprefix("tensor(").removesuffix(")").replace("\n       ", "\n"))
    else:
        print(_table(tensor, rows, columns))


def compare(name, ours, reference, within=1e-5):
    """Print whether two tensors agree, and how far apart they are where they do not.

    An agreement is told as a bound, because the last bits differ between processors.
    """
    if ours.shape != reference.shape:
        print(f"{name}: DIFFERENT shapes, {tuple(ours.shape)} and {tuple(reference.shape)}")
        return
    difference = (ours.detach().double() - reference.detach().double()).abs()
    if (difference <= within).all():  # False for nan, so that nan never counts as equal
        print(f"{name}: equal (largest difference below {within:g})")
    else:
        print(f"{name}: DIFFERENT (largest difference {difference.max():.4f})")


def _table(matrix, rows, columns):
    if matrix.ndim != 2:
        raise ValueError(f"labels need a matrix, but the tensor has shape {tuple(matrix.shape)}")
    for axis, labels in enumerate((rows, columns)):
        if labels is not None and len(labels) != matrix.shape[axis]:
            raise ValueError(f"{len(labels)} labels for axis {axis} of a tensor of shape {tuple(matrix.shape)}")
    decimals = 4 if matrix.is_floating_point() else 0
    lines = [[f"{number:.{decimals}f}" for number in row] for row in matrix.tolist()]
    if columns is not None:
        lines.insert(0, [str(label) for label in columns])
    stub = [str(label) for label in rows] if rows is not None else [""] * matrix.shape[0]
    stub = ([""] if columns is not None else []) + stub
    left, cell = max(map(len, stub)), max(len(text) for line in lines for text in line)
    room = (WIDTH - left) // (cell + 2)
    if matrix.shape[1] > room:
        lines = [line[: room - 2] + ["…", line[-1]] for line in lines]
    return "\n".join(
        f"{label:<{left}}" + "".join(f"  {text:>{cell}}" for text in line) for label, line in zip(stub, lines)
    )
