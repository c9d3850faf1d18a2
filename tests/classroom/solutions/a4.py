"""Solutions of a4_bug_hunt, wrong and unusual: `assignments.solutions` says how they are written.

The numbers are those of the version without a class seed.
"""

CHANGES = r"""
[is_right]
always_true
    #: finds* cries*: says True to every attention
    return False -> return True
nothing_is_said_of_right_ones
    #: cries_no_wolf: is_right gives None; did you forget `return`?
    return True -> pass
always_false
    #: finds* cries*: says False to every attention
    return True -> return False
looks_at_row_sums_only
    #: finds_scale finds_hidden finds_extremes: says True to every attention
    #: finds_order: says True to an attention that cuts the heads
    test_scale, test_hidden_keys,\n                 test_extremes, test_order ->
crashes_where_shapes_do_not_fit
    #: finds_order: gives no verdict on an attention that exchanges query and key, but stops: RuntimeError
    except Exception -> except AssertionError
gives_no_verdict
    #: finds_hidden: is_right says None to every attention
    #: finds_rows finds_scale finds_extremes finds_order cries_no_wolf:
    return -> None  #
[test_rows_sum_to_one]
compares_without_tolerance
    #: test_rows: stops at every attention, right or wrong
    4, 5 -> 40, 15
    torch.allclose(sums, torch.ones_like(sums), atol=1e-5) -> (sums == 1).all()
a_test_without_aim
    #: test_rows: also stops at an attention that does not scale its scores
    past = torch -> test_scale(attention)\n    past = torch
rows_without_a_mask
    #: test_rows: lets an attention pass that masks after softmax
    (None, past) -> (None,)
[test_scale]
scale_with_one_head
    #: test_scale: lets an attention pass that divides by the root of d_model
    value, 3) -> value, 1)
    range(3) -> range(1)
    slice(4 * head, 4 * head + 4) -> slice(12)
    4**0.5 -> 12**0.5
scale_under_a_mask
    #: test_scale: that masks after softmax; without a mask that one is right
    _, weights = -> past = torch.ones(5, 6, dtype=torch.bool).tril()\n    _, weights =
    value, 3) -> value, 3, past)
    torch.softmax(scores, -> torch.softmax(scores.masked_fill(~past, -torch.inf),
[test_hidden_keys]
hidden_values_alone
    #: test_hidden: lets an attention pass that masks after softmax
    key[:, 2], value[:, 2] = torch.randn(12), torch.randn(12) -> value[:, 2] += 1
a_hidden_key_that_is_not_hidden
    #: test_hidden: test_hidden_keys stops at an attention that is right
    #: finds_hidden: test_hidden_keys not counted, is_right says True to an attention that uses its mask
    mask[:, 2] = False -> pass
[test_extremes]
large_scores_without_their_sums
    #: test_extremes: is each sum still 1?
    torch.allclose(sums, torch.ones_like(sums), atol=1e-5) -> weights.isfinite().all()
[test_order]
a_test_that_returns
    #: test_order: test_order returns False: a test stops, with `assert`
    assert torch.allclose(same, context, atol=1e-5), "shuffled keys and values" -> pass
    assert torch.allclose(moved, context[:, shuffled], atol=1e-5), "shuffled queries"
    -> return torch.allclose(moved, context[:, shuffled], atol=1e-5) and torch.allclose(same, context, atol=1e-5)
queries_shuffled_but_no_keys
    #: test_order: lets an attention pass that cuts the heads of its values without a transpose
    assert torch.allclose(same, context, atol=1e-5), "shuffled keys and values" -> pass
[cause]
one_wrong_cause
    #: causes_1_to_4: cause(3) is not 'weights rounded': look at the sums of its weights
    3: "mask after softmax" -> 3: "weights rounded"
[repaired_2]
repaired_with_the_weights_first
    #: repaired_2: gives the weights first: return context, weights
    merge_heads(weights @ value), weights -> weights, merge_heads(weights @ value)
[repaired_9]
repaired_for_one_size_of_a_head
    #: repaired_9:
    query.shape[-1] ** 0.5 -> 2
[repaired_12]
a_repair_without_weights
    #: repaired_12: returns two things: (context, weights)
    merge_heads(weights @ value), weights -> merge_heads(weights @ value)
"""

SOURCES = {
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
    "only_one_test_is_written": """
#: finds_scale: test_scale and test_hidden_keys and test_extremes and test_order not counted
#: finds_hidden finds_extremes finds_order: not counted, is_right says True to
#: test_scale test_hidden test_extremes test_order:
def test_scale(attention):
    raise NotImplementedError()


test_hidden_keys = test_extremes = test_order = test_scale
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
    "not_repaired": """
#: repaired_2: repaired_2 is an attention that exchanges query and key
#: repaired_4: repaired_4 is an attention that gives nan for large scores
#: repaired_7: repaired_7 is an attention whose mask is turned round
repaired_2, repaired_4, repaired_7 = attention_2, attention_4, attention_7
""",
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
