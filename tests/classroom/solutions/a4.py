"""Solutions of a4_bug_hunt: wrong ones with the checks and messages that must catch them, and unusual right ones.

Each is run after the assignment's own solution, and so replaces a part of it. A line `#: check: message` says what a
check must say to it; all other checks pass. The numbers are those of the version
without a class seed.
"""

from assignments import but

ATTEND = """
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    mask = torch.tensor(True) if mask is None else mask
    scores = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return merge_heads(weights @ value), weights
"""


def repair(number, *changes):
    """Return a repair that is right but for some changes, as `but` makes them."""
    return but(f"def repaired_{number}(query, key, value, num_heads, mask=None):{ATTEND}", *changes)


WRONG = {
    # The verdict
    "always_true": but(
        "def is_right(attention):\n    return True\n",
        "finds* cries*: says True to every attention",
    ),
    "always_false": but(
        "def is_right(attention):\n    return False\n",
        "finds* cries*: says False to every attention",
    ),
    "looks_at_row_sums_only": """
#: finds_scale finds_hidden finds_extremes: says True to every attention
#: finds_order: says True to an attention that cuts the heads
def is_right(attention):
    try:
        test_rows_sum_to_one(attention)
    except Exception:
        return False
    return True
""",
    "crashes_where_shapes_do_not_fit": """
#: finds_order: gives no verdict on an attention that exchanges query and key, but stops: RuntimeError
def is_right(attention):
    for test in (test_rows_sum_to_one, test_scale, test_hidden_keys, test_extremes, test_order):
        try:
            test(attention)
        except AssertionError:
            return False
    return True
""",
    "counts_its_calls": """
#: finds* cries*: is_right says
asked = []


def is_right(attention):
    asked.append(attention)
    return len(asked) % 2 == 1
""",
    "reads_the_stand_ins_name": """
#: finds* cries*: says False to every attention
def is_right(attention):
    return "right" in repr(attention) or "right" in getattr(attention, "__name__", type(attention).__name__)
""",
    "gives_no_verdict": but(
        "def is_right(attention):\n    test_scale(attention)\n",
        "finds_hidden: gives None",
        "finds_rows finds_scale finds_extremes finds_order cries_no_wolf:",
    ),
    # The tests
    "compares_without_tolerance": """
#: test_rows: stops at every attention, right or wrong
#: cries_no_wolf: says False to every attention
def test_rows_sum_to_one(attention):
    past = torch.ones(40, 15, dtype=torch.bool).tril()
    for mask in (None, past):
        _, weights = attention(*random_inputs(40, 15, 6), 2, mask)
        assert (weights.sum(dim=-1) == 1).all()
""",
    "a_test_without_aim": """
#: test_rows: also stops at an attention that does not scale its scores
def test_rows_sum_to_one(attention):
    query, key, value = random_inputs(5, 6, 12)
    heads = (split_heads(each, 3) for each in (query, key, value))
    right = merge_heads(torch.nn.functional.scaled_dot_product_attention(*heads))
    context, weights = attention(query, key, value, 3)
    assert torch.allclose(context, right, atol=1e-5)
    past = torch.ones(5, 6, dtype=torch.bool).tril()
    sums = attention(query, key, value, 3, past)[1].sum(dim=-1)
    assert torch.allclose(sums, torch.ones(2, 3, 5), atol=1e-5)
""",
    "rows_without_a_mask": """
#: test_rows: lets an attention pass that masks after softmax
def test_rows_sum_to_one(attention):
    sums = attention(*random_inputs(4, 5, 6), 2)[1].sum(dim=-1)
    assert torch.allclose(sums, torch.ones(2, 2, 4), atol=1e-5)
""",
    "scale_with_one_head": """
#: test_scale: lets an attention pass that divides by the root of d_model
#: finds_scale: says True to an attention that divides by the root of d_model
def test_scale(attention):
    query, key, value = random_inputs(4, 6, 5)
    right = torch.softmax(query @ key.transpose(-2, -1) / 5**0.5, dim=-1)
    assert torch.allclose(attention(query, key, value, 1)[1][:, 0], right, atol=1e-5)
""",
    "scale_under_a_mask": """
#: test_scale: that masks after softmax; without a mask that one is right
def test_scale(attention):
    query, key, value = random_inputs(5, 6, 12)
    past = torch.ones(5, 6, dtype=torch.bool).tril()
    heads = (split_heads(each, 3) for each in (query, key, value))
    right = merge_heads(torch.nn.functional.scaled_dot_product_attention(*heads, attn_mask=past))
    assert torch.allclose(attention(query, key, value, 3, past)[0], right, atol=1e-5)
""",
    "hidden_values_alone": """
#: test_hidden: lets an attention pass that masks after softmax
def test_hidden_keys(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[:, 2] = False
    before, _ = attention(query, key, value, 3, mask)
    value[:, 2] += 1
    assert torch.allclose(before, attention(query, key, value, 3, mask)[0], atol=1e-5)
""",
    "a_hidden_key_that_is_not_hidden": """
#: test_hidden: test_hidden_keys stops at an attention that is right
#: finds_hidden: test_hidden_keys not counted, is_right says True to an attention that uses its mask
#: cries_no_wolf: says False to every attention
def test_hidden_keys(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    before, _ = attention(query, key, value, 3, mask)
    value[:, 2] = 0
    assert torch.allclose(before, attention(query, key, value, 3, mask)[0], atol=1e-5)
""",
    "only_one_test_is_written": but(
        "\n".join(
            f"def {name}(attention):\n    raise NotImplementedError()\n"
            for name in ("test_scale", "test_hidden_keys", "test_extremes", "test_order")
        ),
        "finds_scale: test_scale and test_hidden_keys and test_extremes and test_order not counted",
        "finds_hidden finds_extremes finds_order: not counted, is_right says True to",
        "cries_no_wolf: says False to every attention",
        "test_scale test_hidden test_extremes test_order:",
    ),
    "large_scores_without_their_sums": """
#: test_extremes finds_extremes: is each sum still 1?
def test_extremes(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[1] = False
    assert all(part.isfinite().all() for part in attention(300 * query, key, value, 3))
    context, weights = attention(query, key, value, 3, mask)
    assert not context[:, 1].any() and not weights[:, :, 1].any()
""",
    "a_test_that_returns": """
#: test_order: test_order returns False: a test stops, with `assert`
def test_order(attention):
    query, key, value = random_inputs(6, 6, 12)
    context, _ = attention(query, key, value, 3)
    moved, _ = attention(query.flip(1), key, value, 3)
    same, _ = attention(query, key.flip(1), value.flip(1), 3)
    return torch.allclose(moved, context.flip(1), atol=1e-5) and torch.allclose(same, context, atol=1e-5)
""",
    "queries_shuffled_but_no_keys": """
#: test_order: lets an attention pass that cuts the heads of its values without a transpose
def test_order(attention):
    query, key, value = random_inputs(6, 6, 12)
    shuffled = torch.tensor([3, 0, 5, 1, 4, 2])
    before, _ = attention(query, key, value, 3)
    assert torch.allclose(attention(query[:, shuffled], key, value, 3)[0], before[:, shuffled], atol=1e-5)
""",
    "tests_that_guess_what_comes_next": """
#: test_scale: stops at every attention
#: test_rows test_hidden test_extremes test_order finds* cries*:
calls = 0


def is_right(attention):
    global calls
    calls = 0
    return False


def test_scale(attention):
    raise AssertionError


def test_rows_sum_to_one(attention):
    global calls
    calls += 1
    assert calls <= 4


test_hidden_keys = test_extremes = test_order = test_rows_sum_to_one
""",
    # The causes
    "one_wrong_cause": """
#: causes_1_to_4: cause(3) is not 'weights rounded': look at the sums of its weights
known = cause


def cause(number):
    return "weights rounded" if number == 3 else known(number)
""",
    "not_repaired": but(
        "repaired_2, repaired_4, repaired_7 = attention_2, attention_4, attention_7\n",
        "repaired_2: repaired_2 is an attention that exchanges query and key",
        "repaired_4: repaired_4 is an attention that gives nan for large scores",
        "repaired_7: repaired_7 is an attention whose mask is turned round",
    ),
    "repaired_with_the_weights_first": repair(
        2,
        ("merge_heads(weights @ value), weights", "weights, merge_heads(weights @ value)"),
        "repaired_2: gives the weights first: return context, weights",
    ),
    "repaired_for_one_size_of_a_head": repair(9, ("query.shape[-1] ** 0.5", "2"), "repaired_9:"),
    "a_repair_without_weights": repair(
        12,
        ("merge_heads(weights @ value), weights", "merge_heads(weights @ value)"),
        "repaired_12: returns two things: (context, weights)",
    ),
}

UNUSUAL = {
    "compares_with_pytorch": """
from torch.nn import functional as F


def differs(attention, query, key, value, num_heads, mask=None, atol=1e-5):
    heads = [split_heads(each, num_heads) for each in (query, key, value)]
    right = merge_heads(F.scaled_dot_product_attention(*heads, attn_mask=mask))
    context, weights = attention(query, key, value, num_heads, mask)
    return not torch.allclose(context, right, atol=atol) or not torch.allclose(
        merge_heads(weights @ heads[2]), right, atol=atol
    )


def test_scale(attention):
    if differs(attention, *random_inputs(5, 6, 12), 3):
        raise AssertionError("not as PyTorch's")


def is_right(attention):
    mask = torch.rand(2, 3, 5, 6) > 0.5
    mask[..., 2, :] = False
    query, key, value = random_inputs(5, 6, 12)
    try:
        return not (
            differs(attention, *random_inputs(5, 6, 12), 3)
            or differs(attention, query, key, value, 3, mask)
            or differs(attention, query, key, value, 3, mask[0, 0])
            or differs(attention, 300 * query, key, value, 3, atol=1e-2)
        )
    except RuntimeError:
        return False
""",
    "one_verdict_in_one_line": """
def holds(test, attention):
    try:
        test(attention)
    except BaseException:
        return False
    return True


def is_right(attention):
    tests = [test for name, test in globals().items() if name.startswith("test_")]
    return all([holds(test, attention) for test in tests])
""",
    "assert_close_and_fixed_seeds": """
def test_rows_sum_to_one(attention):
    torch.manual_seed(0)
    mask = torch.rand(2, 1, 7, 3) > 0.5
    mask[..., 0] = True
    for allowed in (None, mask, mask[0], mask[0, 0], mask[0, 0, 3]):
        _, weights = attention(*random_inputs(7, 3, 8), num_heads=4, mask=allowed)
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, 7))


def test_order(attention):
    torch.manual_seed(1)
    query, key, value = random_inputs(5, 4, 6)
    for _ in range(3):
        asks, answers = torch.randperm(5), torch.randperm(4)
        context, weights = attention(query, key, value, 2)
        moved, shuffled = attention(query[:, asks], key[:, answers], value[:, answers], 2)
        torch.testing.assert_close(moved, context[:, asks])
        torch.testing.assert_close(shuffled, weights[:, :, asks][..., answers])
""",
    "scale_from_two_keys_in_float64": """
def test_scale(attention):
    query, key = torch.zeros(1, 1, 8).double(), torch.zeros(1, 2, 8).double()
    query[..., 0], key[0, 0, 0] = 3, 1  # in the first of two heads the scores are 3 / 2 and 0
    _, weights = attention(query, key, key, 2)
    ratio = (weights[0, 0, 0, 0] / weights[0, 0, 0, 1]).log()
    assert abs(ratio.item() - 1.5) < 1e-6
""",
    "hidden_keys_one_by_one_for_each_query": """
def test_hidden_keys(attention):
    query, key, value = random_inputs(4, 4, 6)
    past = torch.ones(4, 4, dtype=torch.bool).tril()
    before, weights = attention(query, key, value, 2, past)
    assert (weights[..., ~past] == 0).all()
    for place in range(1, 4):
        keys, values = key.clone(), value.clone()
        keys[:, place] += 1
        values[:, place] += 10
        after, _ = attention(query, keys, values, 2, past)
        assert ((after - before)[:, :place].abs() < 1e-5).all()
""",
    "extremes_in_two_ways": """
def test_extremes(attention):
    query = torch.ones(1, 2, 4)
    query[:, 1] = -1
    key = torch.tensor([[[400.0, 0, 0, 0], [400, 0, 0, 0]]])
    context, weights = attention(query, key, key, 1)
    assert ((weights - 0.5).abs() < 1e-6).all() and torch.allclose(context, key)
    for part in attention(query, key / 400, key, 1, torch.zeros(2, 2, dtype=torch.bool)):
        assert part.count_nonzero() == 0
""",
    "one_right_attention_for_all_repairs": """
from torch.nn import functional as F


def repaired(query, key, value, num_heads, mask=None):
    query, key, value = (each.unflatten(2, (num_heads, -1)).movedim(2, 1) for each in (query, key, value))
    read = torch.eye(key.shape[2], dtype=key.dtype).expand(*key.shape[:2], -1, -1)
    weights = F.scaled_dot_product_attention(query, key, read, attn_mask=mask)
    return torch.cat((weights @ value).unbind(1), dim=-1), weights


repaired_2 = repaired_4 = repaired_7 = repaired_9 = repaired_12 = repaired
""",
}
