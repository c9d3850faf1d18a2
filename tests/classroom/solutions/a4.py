"""Solutions of a4_bug_hunt: wrong ones with the checks and messages that must catch them, and unusual right ones.

Each is run after the assignment's own solution, and so replaces a part of it. The numbers are those of the version
without a class seed: repaired_2 exchanged query and key, repaired_4 overflowed, repaired_7 had its mask inverted,
repaired_9 no scale, and repaired_12 its softmax over the heads.
"""

PROMISES = ("rows", "scale", "hidden", "extremes", "order")
VERDICTS = [*(f"check_finds_{promise}" for promise in PROMISES), "check_cries_no_wolf"]

ATTEND = """
    query, key, value = (split_heads(each, num_heads) for each in (query, key, value))
    mask = torch.tensor(True) if mask is None else mask
    scores = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return merge_heads(weights @ value), weights
"""


def repair(number, *changes):
    """Return a repair that is right but for some changes: (old, new), ..."""
    body = ATTEND
    for old, new in changes:
        assert old in body, old
        body = body.replace(old, new)
    return f"def repaired_{number}(query, key, value, num_heads, mask=None):{body}"


WRONG = {
    # The verdict
    "always_true": (
        "def is_right(attention):\n    return True\n",
        dict.fromkeys(VERDICTS, "says True to every attention"),
    ),
    "always_false": (
        "def is_right(attention):\n    return False\n",
        dict.fromkeys(VERDICTS, "says False to every attention"),
    ),
    "always_false_behind_a_false_alarm": (
        "def is_right(attention):\n    return False\n\n\ndef test_scale(attention):\n    assert False\n",
        {**dict.fromkeys(VERDICTS, "says False to every attention"), "check_test_scale": "stops at every attention"},
    ),
    "looks_at_shapes_only": (
        """
def is_right(attention):
    context, weights = attention(*random_inputs(5, 5, 8), 2)
    return context.shape == (2, 5, 8) and weights.shape == (2, 2, 5, 5)
""",
        dict.fromkeys(VERDICTS, "says True to every attention"),
    ),
    "looks_at_row_sums_only": (
        """
def is_right(attention):
    try:
        test_rows_sum_to_one(attention)
    except Exception:
        return False
    return True
""",
        {
            "check_finds_scale": "says True to every attention",
            "check_finds_hidden": "says True to every attention",
            "check_finds_extremes": "says True to every attention",
            "check_finds_order": "says True to an attention that cuts the heads",
        },
    ),
    "crashes_where_shapes_do_not_fit": (
        """
def is_right(attention):
    for test in (test_rows_sum_to_one, test_scale, test_hidden_keys, test_extremes, test_order):
        try:
            test(attention)
        except AssertionError:
            return False
    return True
""",
        {"check_finds_order": "gives no verdict on an attention that exchanges query and key, but stops: RuntimeError"},
    ),
    "counts_its_calls": (
        """
asked = []


def is_right(attention):
    asked.append(attention)
    return len(asked) % 2 == 1
""",
        dict.fromkeys(VERDICTS, "is_right says "),
    ),
    "reads_the_stand_ins_name": (
        """
def is_right(attention):
    return "right" in repr(attention) or "right" in getattr(attention, "__name__", type(attention).__name__)
""",
        dict.fromkeys(VERDICTS, "says False to every attention"),
    ),
    "gives_no_verdict": (
        "def is_right(attention):\n    test_scale(attention)\n",
        {**dict.fromkeys(VERDICTS, ""), "check_finds_hidden": "gives None"},
    ),
    # The tests
    "compares_without_tolerance": (
        """
def test_rows_sum_to_one(attention):
    past = torch.ones(40, 15, dtype=torch.bool).tril()
    for mask in (None, past):
        _, weights = attention(*random_inputs(40, 15, 6), 2, mask)
        assert (weights.sum(dim=-1) == 1).all()
""",
        {
            "check_test_rows": "stops at every attention, right or wrong",
            "check_cries_no_wolf": "says False to every attention",
        },
    ),
    "a_test_without_aim": (
        """
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
        {"check_test_rows": "also stops at an attention that does not scale its scores"},
    ),
    "rows_without_a_mask": (
        """
def test_rows_sum_to_one(attention):
    sums = attention(*random_inputs(4, 5, 6), 2)[1].sum(dim=-1)
    assert torch.allclose(sums, torch.ones(2, 2, 4), atol=1e-5)
""",
        {"check_test_rows": "lets an attention pass that masks after softmax"},  # test_hidden_keys finds that one, too
    ),
    "scale_with_one_head": (
        """
def test_scale(attention):
    query, key, value = random_inputs(4, 6, 5)
    right = torch.softmax(query @ key.transpose(-2, -1) / 5**0.5, dim=-1)
    assert torch.allclose(attention(query, key, value, 1)[1][:, 0], right, atol=1e-5)
""",
        {
            "check_test_scale": "lets an attention pass that divides by the root of d_model",
            "check_finds_scale": "says True to an attention that divides by the root of d_model",
        },
    ),
    "scale_with_equal_sizes": (
        """
def test_scale(attention):
    query, key, value = random_inputs(4, 4, 8)
    heads = [split_heads(each, 2) for each in (query, key)]
    right = torch.softmax(heads[0] @ heads[1].transpose(-2, -1) / 2, dim=-1)
    assert torch.allclose(attention(query, key, value, 2)[1], right, atol=1e-5)
""",
        {
            "check_test_scale": "lets an attention pass that divides by the root of the number of keys",
            "check_finds_scale": "says True to an attention that divides by the root of the number of keys",
        },
    ),
    "a_hidden_key_that_is_not_hidden": (
        """
def test_hidden_keys(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    before, _ = attention(query, key, value, 3, mask)
    value[:, 2] = 0
    assert torch.allclose(before, attention(query, key, value, 3, mask)[0], atol=1e-5)
""",
        # nothing is hidden, so nothing moves where the mask is inverted: all others stop
        {
            "check_test_hidden": "test_hidden_keys stops at an attention that is right",
            "check_finds_hidden": "test_hidden_keys not counted, is_right says True to an attention that uses its mask",
            "check_cries_no_wolf": "says False to every attention",
        },
    ),
    "a_test_that_finds_nothing": (
        "def test_hidden_keys(attention):\n    attention(*random_inputs(4, 6, 12), 3)\n",
        {
            "check_test_hidden": "lets all attentions pass that it meets here, right and wrong",
            "check_finds_hidden": "says True to an attention that uses its mask only for queries that see nothing",
        },
    ),
    "a_mask_that_hides_nothing": (
        """
def test_hidden_keys(attention):
    mask = torch.ones(4, 6, dtype=torch.bool)
    context, _ = attention(*random_inputs(4, 6, 12), 3, mask)
    assert context.any()
""",
        {
            "check_test_hidden": "lets an attention pass that does not use its mask",
            "check_finds_hidden": "says True to an attention that uses its mask only for queries that see nothing",
        },
    ),
    "only_the_hidden_value_changes": (
        """
def test_hidden_keys(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[:, 2] = False
    before, _ = attention(query, key, value, 3, mask)
    value[:, 2] = 9
    assert torch.allclose(before, attention(query, key, value, 3, mask)[0], atol=1e-5)
""",
        {"check_test_hidden": "after softmax: hide a token from all queries, change its key and its value"},
    ),
    "the_rows_of_the_first_head": (
        """
def test_rows_sum_to_one(attention):
    past = torch.ones(4, 5, dtype=torch.bool).tril()
    for mask in (None, past):
        sums = attention(*random_inputs(4, 5, 6), 2, mask)[1][:, 0].sum(dim=-1)
        assert torch.allclose(sums, torch.ones(2, 4), atol=1e-5)
""",
        {"check_test_rows": "lets an attention pass whose last head has rows that sum to 0.9"},
    ),
    "as_one_of_the_right_ones": (
        """
def test_rows_sum_to_one(attention):
    past = torch.ones(5, 6, dtype=torch.bool).tril()
    given = *random_inputs(5, 6, 12), 3, past
    known = [attention_8(*given)[1], attention_9(*given)[1], attention_11(*given)[1]]
    assert any(torch.allclose(attention(*given)[1], each, atol=1e-5) for each in known)
""",
        {"check_test_rows": "that is for test_scale to find"},
    ),
    "only_one_test_is_written": (  # what it finds is paid
        "\n".join(
            f"def {name}(attention):\n    raise NotImplementedError()\n"
            for name in ("test_scale", "test_hidden_keys", "test_extremes", "test_order")
        ),
        {
            "check_test_scale": "",
            "check_test_hidden": "",
            "check_test_extremes": "",
            "check_test_order": "",
            "check_finds_scale": "test_scale and test_hidden_keys and test_extremes and test_order not counted",
            "check_finds_hidden": "not counted, is_right says True to ",
            "check_finds_extremes": "not counted, is_right says True to ",
            "check_finds_order": "not counted, is_right says True to ",
            "check_cries_no_wolf": "says False to every attention",
        },
    ),
    "nothing_but_nan": (
        """
def test_extremes(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[1] = False
    for given in ((300 * query, key, value, 3), (query, key, value, 3, mask)):
        assert not any(part.isnan().any() for part in attention(*given))
""",
        {
            "check_test_extremes": "lets an attention pass that lets a query with nothing to see take an even mix",
            "check_finds_extremes": "says True to an attention that lets a query with nothing to see take an even mix",
        },
    ),
    "large_scores_without_their_sums": (
        """
def test_extremes(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[1] = False
    assert all(part.isfinite().all() for part in attention(300 * query, key, value, 3))
    context, weights = attention(query, key, value, 3, mask)
    assert not context[:, 1].any() and not weights[:, :, 1].any()
""",
        dict.fromkeys(["check_test_extremes", "check_finds_extremes"], "is each sum still 1?"),
    ),
    "scores_that_are_not_large": (
        """
def test_extremes(attention):
    query, key, value = random_inputs(4, 6, 12)
    mask = torch.ones(4, 6, dtype=torch.bool)
    mask[1] = False
    _, weights = attention(3 * query, key, value, 3, mask)
    assert (weights[:, :, 1] == 0).all()
""",
        {
            "check_test_extremes": "lets an attention pass that gives nan for large scores",
            "check_finds_extremes": "says True to an attention that gives nan for large scores",
        },
    ),
    "a_test_that_returns": (
        """
def test_order(attention):
    query, key, value = random_inputs(6, 6, 12)
    context, _ = attention(query, key, value, 3)
    moved, _ = attention(query.flip(1), key, value, 3)
    same, _ = attention(query, key.flip(1), value.flip(1), 3)
    return torch.allclose(moved, context.flip(1), atol=1e-5) and torch.allclose(same, context, atol=1e-5)
""",
        {"check_test_order": "test_order returns False: a test stops, with `assert`"},
    ),
    "only_the_keys_are_shuffled": (
        """
def test_order(attention):
    query, key, value = random_inputs(6, 6, 12)
    shuffled = torch.tensor([3, 0, 5, 1, 4, 2])
    before, _ = attention(query, key, value, 3)
    assert torch.allclose(attention(query, key[:, shuffled], value, 3)[0], before, atol=1e-5)


tests = [test_rows_sum_to_one, test_scale, test_hidden_keys, test_extremes, test_order]


def is_right(attention):
    try:
        return all([test(attention) is None for test in tests])
    except Exception:
        return False
""",
        {
            "check_test_order": "stops at every attention, right or wrong",
            "check_cries_no_wolf": "says False to every attention",
        },
    ),
    "keys_and_values_shuffled_but_no_queries": (
        """
def test_order(attention):
    query, key, value = random_inputs(6, 6, 12)
    shuffled = torch.tensor([3, 0, 5, 1, 4, 2])
    before, _ = attention(query, key, value, 3)
    assert torch.allclose(attention(query, key[:, shuffled], value[:, shuffled], 3)[0], before, atol=1e-5)
""",
        {"check_test_order": "lets an attention pass that joins its heads without a transpose"},
    ),
    "queries_shuffled_but_no_keys": (
        """
def test_order(attention):
    query, key, value = random_inputs(6, 6, 12)
    shuffled = torch.tensor([3, 0, 5, 1, 4, 2])
    before, _ = attention(query, key, value, 3)
    assert torch.allclose(attention(query[:, shuffled], key, value, 3)[0], before[:, shuffled], atol=1e-5)
""",
        {"check_test_order": "lets an attention pass that cuts the heads of its values without a transpose"},
    ),
    "tests_that_guess_what_comes_next": (  # a false alarm makes the other tests count: they meet all in one row, too
        """
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
        {
            "check_test_rows": "",
            "check_test_scale": "stops at every attention",
            "check_test_hidden": "",
            "check_test_extremes": "",
            "check_test_order": "",
            **dict.fromkeys(VERDICTS, ""),
        },
    ),
    # The causes
    "one_wrong_cause": (
        """
known = cause


def cause(number):
    return "weights rounded" if number == 3 else known(number)
""",
        {"check_causes_1_to_4": "cause(3) is not 'weights rounded': look at the sums of its weights"},
    ),
    "a_word_of_ones_own": (
        """
known = cause


def cause(number):
    return "the mask is inverted" if number == 7 else known(number)
""",
        {"check_causes_5_to_8": "return one of CAUSES, letter by letter"},
    ),
    "the_same_cause_for_all": (
        "def cause(number):\n    return CAUSES[0]\n",
        {
            "check_causes_1_to_4": "cause(1) is not 'right': on mild inputs",
            "check_causes_5_to_8": "cause(6) is not 'right'",
            "check_causes_9_to_12": "cause(9) is not 'right': everything is right here but how sharp",
        },
    ),
    # The repairs
    "not_repaired": (
        "repaired_2, repaired_4, repaired_7 = attention_2, attention_4, attention_7\n",
        {
            "check_repaired_2": "repaired_2 is an attention that exchanges query and key",
            "check_repaired_4": "repaired_4 is an attention that gives nan for large scores",
            "check_repaired_7": "repaired_7 is an attention whose mask is turned round",
        },
    ),
    "repaired_with_another_mistake": (
        repair(7, (".masked_fill(~mask, -torch.inf)", ""), (".masked_fill(~mask, 0.0)", ""))
        + repair(9, ("query.shape[-1] ** 0.5", "key.shape[-2] ** 0.5"))
        + repair(12, ("scores, dim=-1", "scores, dim=-2")),
        {
            "check_repaired_7": "repaired_7 is an attention that does not use its mask",
            "check_repaired_9": "repaired_9 is an attention that divides by the root of the number of keys",
            "check_repaired_12": "repaired_12 is an attention whose softmax runs over the queries",
        },
    ),
    "repaired_with_five_other_mistakes": (
        repair(2, ("merge_heads(weights @ value), weights", "weights, merge_heads(weights @ value)"))
        + repair(4, ("-torch.inf", "-10"))
        + repair(7, ("scores = (query", "mask = mask if mask.ndim < 3 else mask[:1]\n    scores = (query"))
        + repair(9, ("query.shape[-1] ** 0.5", "query.shape[-1] ** 0.5 * 0.6931471805599453"))
        + repair(12, ("    weights =", "    scores[..., -1] = -torch.inf\n    weights =")),
        {
            "check_repaired_2": "gives the weights first: return context, weights",
            "check_repaired_4": "that gives forbidden keys a score of -10",
            "check_repaired_7": "that uses the first sentence's mask for all",
            "check_repaired_9": "whose softmax has the base 2, not e",
            "check_repaired_12": "whose softmax leaves the last key out",
        },
    ),
    "repaired_but_for_the_row_that_sees_nothing": (
        repair(2, (".masked_fill(~mask, 0.0)", "")),
        {"check_repaired_2": "repaired_2 is an attention that gives nan to a query that may see nothing"},
    ),
    "repaired_with_one_maximum_for_all": (
        repair(
            4,
            ("weights = torch.softmax(scores, dim=-1)", "exps = (scores - scores.max()).exp()\n    weights = exps"),
            (
                ".masked_fill(~mask, 0.0)",
                " / exps.sum(dim=-1, keepdim=True)\n    weights = weights.masked_fill(~mask, 0)",
            ),
        ),
        {"check_repaired_4": "with scores of several hundred gives nan"},
    ),
    "repaired_below_the_hidden_keys": (
        repair(
            4,
            (
                "scores = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)",
                "scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5",
            ),
            (
                "torch.softmax(scores, dim=-1)",
                "(scores - scores.amax(-1, keepdim=True)).exp().masked_fill(~mask, 0.0)\n"
                "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)\n"
                "    weights = weights",
            ),
        ),
        {"check_repaired_4": "is an attention that subtracts the largest score of all keys"},
    ),
    "repaired_for_one_size_of_a_head": (
        repair(9, ("query.shape[-1] ** 0.5", "2")),
        {"check_repaired_9": ""},
    ),
    "a_repair_without_weights": (
        repair(12, ("merge_heads(weights @ value), weights", "merge_heads(weights @ value)")),
        {"check_repaired_12": "returns two things: (context, weights)"},
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
    "compares_with_its_own_loops": """
import math


def by_loops(query, key, value, num_heads, mask):
    batch, queries, d_model = query.shape
    size = d_model // num_heads
    context, weights = torch.zeros(query.shape), torch.zeros(batch, num_heads, queries, key.shape[1])
    for b in range(batch):
        for h in range(num_heads):
            for i in range(queries):
                part = range(h * size, h * size + size)
                seen = [j for j in range(key.shape[1]) if mask[i, j]]
                scores = [sum(float(query[b, i, d] * key[b, j, d]) for d in part) / math.sqrt(size) for j in seen]
                exps = [math.exp(score - max(scores)) for score in scores]
                for j, each in zip(seen, exps):
                    weights[b, h, i, j] = each / sum(exps)
                    for d in part:
                        context[b, i, d] += weights[b, h, i, j] * value[b, j, d]
    return context, weights


def is_right(attention):
    mask = torch.tensor([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 0, 1]]) == 1
    for sharp in (1, 300):
        query, key, value = random_inputs(3, 4, 6)
        try:
            context, weights = attention(sharp * query, key, value, 2, mask)
        except Exception:
            return False
        right_context, right_weights = by_loops(sharp * query, key, value, 2, mask)
        if (weights - right_weights).abs().max() > 1e-3 or not (context - right_context).abs().max() < 1e-2:
            return False
    return True
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
    "a_verdict_that_is_a_tensor": """
known = is_right


def is_right(attention):
    return torch.tensor([known(attention)]).all()
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
