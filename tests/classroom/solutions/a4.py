"""Solutions of a4_bug_hunt, wrong and unusual: `assignments.solutions` says how they are written."""

SLIPS = {
    "is_right": {
        "cries_no_wolf: is_right gives None; did you forget `return`?": {"return True": "pass"},
        "finds* cries*: says False to every": {"return True": "return False"},
        "finds_scale finds_hidden finds_extremes finds_order: says True to": {
            "test_scale, test_hidden_keys,\n                 test_extremes, test_order": ""
        },
        "finds_order: exchanges query and key, but stops: RuntimeError": {"except Exception": "except AssertionError"},
    },
    "test_rows_sum_to_one": {
        "test_rows: stops at every attention, right or wrong": {
            "4, 5": "40, 15",
            "torch.allclose(sums, torch.ones_like(sums), atol=1e-5)": "(sums == 1).all()",
        },
        "test_rows: also stops at an attention": {"past = torch": "test_scale(attention)\n    past = torch"},
        "test_rows: lets an attention pass that masks after softmax": {"(None, past)": "(None,)"},
    },
    "test_scale": {
        "test_scale: that masks after softmax; without a mask that one is right": {
            "_, weights =": "past = torch.ones(5, 6, dtype=torch.bool).tril()\n    _, weights =",
            "value, 3)": "value, 3, past)",
            "torch.softmax(scores,": "torch.softmax(scores.masked_fill(~past, -torch.inf),",
        },
        "test_scale: turned round; without a mask": {"value, 3)": "value, 3, torch.ones(5, 6, dtype=torch.bool))"},
        "test_scale: see nothing": {"right =": "right = 0 * attention(query, key, value, 3, scores[0] > 9)[1][:, 0] +"},
    },
    "test_hidden_keys": {
        "test_hidden: lets an attention pass that masks after": {"key[:, 2], value": "spare, value"},
        "test_hidden: that is right | finds_hidden: test_hidden_keys not counted": {"mask[:, 2] = False": "pass"},
    },
    "test_extremes": {"test_extremes: is each sum still 1?": {"atol=1e-5": "atol=torch.inf"}},
    "test_order": {
        "test_order: lets all attentions pass": {"    query, key": "    return\n    query, key"},
        "test_order: a test stops, with `assert`": {
            'assert torch.allclose(same, context, atol=1e-5), "shuffled keys and values"': "pass",
            "assert torch.allclose(moved": "return not torch.allclose(moved",
            ', "shuffled queries"': "",
        },
        "test_order: heads of its values without": {"(same, context": "(same, same"},
    },
    "cause": {
        "causes_1_to_4: cause(3) is not 'weights rounded'": {'3: "mask after softmax"': '3: "weights rounded"'},
        "causes_1_to_4: letter by letter": {'3: "mask after softmax"': '3: "masked after softmax"'},
    },
    "repaired_2": {"repaired_2: weights first": {"return merge": "return weights, merge", "value), weights": "value)"}},
    "repaired_4": {"repaired_4: masks after": {"- largest)": "- (query @ key.mT / 2).amax(-1, keepdim=True))"}},
    "repaired_12": {"repaired_12:": {"num_heads) for": "2) for"}},
    "repaired_9": {
        "repaired_9:": {"query.shape[-1] ** 0.5": "2"},
        "repaired_9: keys and a mask": {"torch.where(mask,": "torch.where(mask.flatten(0, -3)[0],"},
        "repaired_9: the tensor of weights": {"(context), weights": "(context), weights / 2"},
    },
}

WRONG = {
    "finds* cries*: says False to every attention": """
def is_right(attention):
    return "right" in repr(attention) or "right" in getattr(attention, "__name__", type(attention).__name__)
""",
    "finds_[!r]*: not counted | test_[!r]*:": """
def test_scale(attention):
    raise NotImplementedError()


test_hidden_keys = test_extremes = test_order = test_scale
""",
    "repaired_2: exchanges query and key | repaired_4: nan for large scores | repaired_7: is turned round": """
repaired_2, repaired_4, repaired_7 = attention_2, attention_4, attention_7
""",
}

RIGHT = {
    "assert_close_and_a_fixed_seed": """
def test_rows_sum_to_one(attention):
    torch.manual_seed(0)
    mask = torch.rand(2, 1, 7, 3) > 0.5
    mask[..., 0] = True
    for allowed in (None, mask, mask[0], mask[0, 0], mask[0, 0, 3]):
        _, weights = attention(*random_inputs(7, 3, 8), num_heads=4, mask=allowed)
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, 7))
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
