"""What the pictures made of cells share: labels, squares, numbers and words."""

from matplotlib.patches import Rectangle

from utils.pictures.style import ROLES, minus


def lists(matrix):
    return matrix.tolist() if hasattr(matrix, "tolist") else [list(row) for row in matrix]


def checked(matrix, queries, keys):
    rows, keys = lists(matrix), list(queries if keys is None else keys)
    if len(rows) != len(queries) or any(len(row) != len(keys) for row in rows):
        raise ValueError(
            f"the matrix is {len(rows)} × {len(rows[0])}, "
            f"but there are {len(queries)} query labels and {len(keys)} key labels"
        )
    return rows, keys


def square(x, y, **look):
    return Rectangle((x + 0.03, y + 0.03), 0.94, 0.94, **look)


def label_tokens(axes, queries, keys):
    slanted = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if max(map(len, keys)) > 7 else {}
    axes.set_xticks([j + 0.5 for j in range(len(keys))], keys, color=ROLES["key"].ink, **slanted)
    axes.set_yticks([i + 0.5 for i in range(len(queries))], queries, color=ROLES["query"].ink)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, pad=3)
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("key tokens →", color=ROLES["key"].ink, fontsize=9, loc="left")
    axes.set_ylabel("← query tokens", color=ROLES["query"].ink, fontsize=9, loc="top")
    axes.spines[:].set_visible(False)


def describe(rows, queries, keys, mask, signed, focus):
    """Say in words what a reader of the picture sees: where each query's largest number is."""
    what = "score" if signed else "weight"
    found = [_largest(rows[i], keys, None if mask is None else mask[i], 100 if signed else 1) for i in range(len(rows))]
    asking = "1 query" if len(queries) == 1 else f"{len(queries)} queries"
    if focus is not None:
        return f"{asking} by {len(keys)} keys. Largest {what} of “{queries[focus]}”: {found[focus]}."
    facts = ", ".join(f"{query} → {largest}" for query, largest in zip(queries, found))
    return f"{asking} by {len(keys)} keys. Largest {what} of each query: {facts}."


def _largest(row, keys, allowed, top):
    seen = [j for j in range(len(keys)) if allowed is None or allowed[j]]
    if not seen:
        return "nothing, all masked"
    best = max(seen, key=lambda j: row[j])
    return f"{keys[best]} {minus(short(row[best], top))}"


def short(value, top):
    """Two decimals, or one where three digits before the point leave no room."""
    return f"{value:.1f}" if top >= 100 else f"{value:.2f}"
