"""Solutions of a3_many_heads_two_sequences: wrong ones with the checks and messages that must catch them, and
unusual right ones.

Each is run after the assignment's own solution, and so replaces a part of it.
"""

MODULE = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim, self.d_model = num_heads, d_model // num_heads, d_model
        self.W_query = nn.Linear(d_model, d_model)
        self.W_key = nn.Linear(d_model, d_model)
        self.W_value = nn.Linear(d_model, d_model)
        self.W_output = nn.Linear(d_model, d_model)

    def forward(self, query_input, key_value_input=None, mask=None):
        if key_value_input is None:
            key_value_input = query_input
        query = split_heads(self.W_query(query_input), self.num_heads)
        key = split_heads(self.W_key(key_value_input), self.num_heads)
        value = split_heads(self.W_value(key_value_input), self.num_heads)
        scores = query @ key.transpose(-2, -1) / self.head_dim**0.5
        if mask is not None and mask.ndim == 3:
            mask = mask.unsqueeze(1)
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0.0)
        context = merge_heads(weights @ value)
        return self.W_output(context), weights
"""


def module(*changes):
    """Return the module above with some lines changed: (old, new), ..."""
    source = MODULE
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


SCORES = "query @ key.transpose(-2, -1) / self.head_dim**0.5"
QUERY = "split_heads(self.W_query(query_input), self.num_heads)"
HIDE = "scores = scores.masked_fill(~mask, -torch.inf)"
JOIN = "merge_heads(weights @ value)"
EMPTY = "weights = weights.masked_fill(~mask, 0.0)"
MASKED = {"check_mask": "", "check_mask_batch": "", "check_mask_empty": ""}
CROSS = {"check_cross_weights": "", "check_cross_values": ""}
SELF = {"check_weights_rows": "", "check_weights_scale": "", "check_context": "", "check_output_projection": ""}
READ = {"check_read_by_heads": ""}
COPIED = {"check_copy_in": "", "check_copy_out": ""}


def cut(how):
    """Return the changes that let the class cut its heads by itself."""
    method = f"\n    def cut(self, features, heads):\n        return features.unflatten(2, {how}\n\n    def forward"
    return ("split_heads(", "self.cut("), ("\n    def forward", method)


def difference(returned):
    """Return a proof that compares rightly but for what it gives in the end."""
    return f"""
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, weights = ours(query_input, key_value_input, mask)
    memory = query_input if key_value_input is None else key_value_input
    hidden = None if mask is None else ~mask
    other, maps = theirs(query_input, memory, memory, attn_mask=hidden, average_attn_weights=False)
    return {returned}
"""


WRONG = {
    "split_by_view_alone": (
        """
def split_heads(features, num_heads):
    batch, tokens, d_model = features.shape
    return features.reshape(batch, num_heads, tokens, d_model // num_heads)
""",
        {"check_split_heads": "view alone mixes the tokens", "check_read_by_heads": "mend parts 1 to 4 first"},
    ),
    "split_deals_out": (
        """
def split_heads(features, num_heads):
    return features.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)
""",
        {"check_split_heads": "dealt out in turn", **READ},
    ),
    "split_without_transpose": (
        """
def split_heads_right(features, num_heads, split_heads=split_heads):
    return split_heads(features, num_heads)


def split_heads(features, num_heads):
    return features.unflatten(-1, (num_heads, -1))
"""
        + module(("split_heads(", "split_heads_right(")),
        {"check_split_heads": "the heads must stand before the tokens"},
    ),
    "split_turns_the_batch": (
        """
def split_heads_right(features, num_heads, split_heads=split_heads):
    return split_heads(features, num_heads)


def split_heads(features, num_heads):
    return features.unflatten(-1, (num_heads, -1)).permute(1, 2, 0, 3)
"""
        + module(("split_heads(", "split_heads_right(")),
        {"check_split_heads": "batch and tokens are exchanged"},
    ),
    "merge_by_view_alone": (
        """
def merge_heads(context):
    batch, num_heads, tokens, head_dim = context.shape
    return context.reshape(batch, tokens, num_heads * head_dim)
""",
        {"check_merge_heads": "first transpose heads and tokens back"},
    ),
    "merge_reversed": (
        """
def merge_heads(context):
    return torch.cat(list(context.unbind(1))[::-1], dim=-1)
""",
        {"check_merge_heads": "reverse order"},
    ),
    "merge_alternates": (
        """
def merge_heads(context):
    return context.permute(0, 2, 3, 1).flatten(2)
""",
        {"check_merge_heads": "dealt out in turn"},
    ),
    "merge_adds": (
        """
def merge_heads(context):
    return context.sum(1)
"""
        + module((JOIN, "(weights @ value).transpose(1, 2).flatten(2)")),
        {"check_merge_heads": "the heads are added up"},
    ),
    "view_alone_in_the_class": (
        module(
            (
                "split_heads(self.W_query(query_input), self.num_heads)",
                "self.W_query(query_input).view(len(query_input), self.num_heads, -1, self.head_dim)",
            ),
            (
                "split_heads(self.W_key(key_value_input), self.num_heads)",
                "self.W_key(key_value_input).view(len(query_input), self.num_heads, -1, self.head_dim)",
            ),
            (
                "split_heads(self.W_value(key_value_input), self.num_heads)",
                "self.W_value(key_value_input).view(len(query_input), self.num_heads, -1, self.head_dim)",
            ),
            (JOIN, "(weights @ value).reshape(query_input.shape)"),
        ),
        {
            "check_weights_rows": "view alone mixes the tokens",
            "check_context": "",
            "check_cross_weights": "view alone mixes the tokens",
            "check_cross_values": "",
            **READ,
        },
    ),
    "heads_dealt_out_in_the_class": (
        module(*cut("(-1, heads)).movedim(3, 1)"), (JOIN, "(weights @ value).movedim(1, 3).flatten(2)")),
        {"check_weights_rows": "the features are dealt out in turn", **READ},
    ),
    "heads_dealt_out_in_the_class_and_joined_in_order": (
        module(*cut("(-1, heads)).movedim(3, 1)")),
        {"check_weights_rows": "the features are dealt out in turn", **READ},
    ),
    "softmax_with_base_ten": (
        module(("torch.softmax(scores, dim=-1)", "torch.softmax(scores * 2.302585093, dim=-1)")),
        {"check_weights_scale": "softmax has the base 10, not e"},
    ),
    "dropout_on_the_weights": (
        module(("        context =", "        weights = nn.functional.dropout(weights, 0.5)\n        context =")),
        {
            "check_weights_rows": "is dropout left on",
            "check_weights_scale": "is dropout left on",
            "check_output_projection": "is dropout left on",
            "check_cross_weights": "is dropout left on",
            **dict.fromkeys(MASKED, "is dropout left on"),
            **READ,
        },
    ),
    "last_value_forgotten": (
        module(("weights @ value", "weights[..., :-1] @ value[..., :-1, :]")),
        {
            "check_context": "the last value is left out of the sum",
            "check_cross_values": "",
            "check_output_projection": "",
        },
    ),
    "causal_though_nobody_asked": (
        module(
            (
                "weights = torch",
                "scores = scores + torch.full_like(scores, -torch.inf).triu(1)\n        weights = torch",
            )
        ),
        {
            "check_weights_rows": "by a causal mask that nobody asked for",
            "check_cross_weights": "by a causal mask that nobody asked for",
            **MASKED,
            **READ,
        },
    ),
    "merge_by_view_in_the_class": (
        module((JOIN, "(weights @ value).reshape(query_input.shape)")),
        {"check_context": "first transpose heads and tokens back", "check_cross_values": ""},
    ),
    "key_times_query": (
        module((SCORES, "key @ query.transpose(-2, -1) / self.head_dim**0.5")),
        {
            "check_weights_rows": "query and key are exchanged",
            "check_cross_weights": "query and key are exchanged",
            "check_cross_values": "",
            **READ,
        },
    ),
    "scaled_by_d_model": (
        module((SCORES, "query @ key.transpose(-2, -1) / self.d_model**0.5")),
        {"check_weights_scale": "divided by the root of d_model"},
    ),
    "not_scaled": (
        module((SCORES, "query @ key.transpose(-2, -1)")),
        {"check_weights_scale": "the scale is missing"},
    ),
    "scale_multiplied": (
        module((SCORES, "query @ key.transpose(-2, -1) * self.head_dim**0.5")),
        {"check_weights_scale": "multiplied by the root"},
    ),
    "scale_without_root": (
        module((SCORES, "query @ key.transpose(-2, -1) / self.head_dim")),
        {"check_weights_scale": "take its square root"},
    ),
    "softmax_over_heads": (
        module(("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=1)")),
        {
            "check_weights_rows": "softmax runs over the heads",
            "check_cross_weights": "softmax runs over the heads",
            **MASKED,
            **READ,
        },
    ),
    "softmax_over_queries": (
        module(("torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-2)")),
        {
            "check_weights_rows": "the columns sum to 1",
            "check_cross_weights": "the columns sum to 1",
            **MASKED,
            **READ,
        },
    ),
    "weights_averaged": (
        module(("self.W_output(context), weights", "self.W_output(context), weights.mean(1)")),
        {
            "check_weights_rows": "averaged over the heads",
            "check_weights_scale": "averaged over the heads",
            "check_cross_weights": "averaged over the heads",
            **MASKED,
            **READ,
        },
    ),
    "weights_first": (
        module(("self.W_output(context), weights", "weights, self.W_output(context)")),
        {**dict.fromkeys([*SELF, *CROSS, *MASKED], "return output, weights"), **READ},
    ),
    "weights_not_returned": (
        module(("self.W_output(context), weights", "self.W_output(context)")),
        {**dict.fromkeys([*SELF, *CROSS, *MASKED], "forward returns two things"), **READ},
    ),
    "weight_transposed": (
        module((QUERY, "split_heads(query_input @ self.W_query.weight + self.W_query.bias, self.num_heads)")),
        {
            "check_weights_rows": "a weight is used transposed",
            "check_cross_weights": "a weight is used transposed",
            **READ,
        },
    ),
    "all_weights_transposed": (
        module(
            ("self.W_query(query_input)", "(query_input @ self.W_query.weight + self.W_query.bias)"),
            ("self.W_key(key_value_input)", "(key_value_input @ self.W_key.weight + self.W_key.bias)"),
            ("self.W_value(key_value_input)", "(key_value_input @ self.W_value.weight + self.W_value.bias)"),
            ("self.W_output(context)", "context @ self.W_output.weight + self.W_output.bias"),
        ),
        {
            "check_weights_rows": "a weight is used transposed",
            "check_context": "a weight is used transposed",
            "check_output_projection": "",
            "check_cross_weights": "",
            "check_cross_values": "",
            **READ,
        },
    ),
    "output_projection_forgotten": (
        module(("self.W_output(context)", "context")),
        {"check_output_projection": "W_output is missing"},
    ),
    "output_projection_twice": (
        module(("self.W_output(context)", "self.W_output(self.W_output(context))")),
        {"check_output_projection": "W_output is applied twice"},
    ),
    "output_projection_on_the_values": (
        module(
            (
                "merge_heads(weights @ value)",
                "merge_heads(weights @ split_heads(self.W_output(merge_heads(value)), self.num_heads))",
            ),
            ("self.W_output(context)", "context"),
        ),
        {"check_output_projection": "W_output comes after the heads are mixed and joined, not on the values"},
    ),
    "output_bias_forgotten": (
        module(("self.W_output(context)", "context @ self.W_output.weight.T")),
        {"check_output_projection": "W_output: a bias is left out"},
    ),
    "key_and_value_exchanged": (
        module(("weights @ value", "weights @ key")),
        {
            "check_context": "the keys are mixed",
            "check_cross_values": "key and value are exchanged",
            "check_output_projection": "",
        },
    ),
    "values_of_the_wrong_sequence": (
        module(("self.W_value(key_value_input)", "self.W_value(query_input)")),
        {
            "check_cross_values": "the values come from query_input",
            "check_cross_weights": "the values come from query_input",
            **READ,
        },
    ),
    "second_sequence_ignored": (
        module(("if key_value_input is None:", "if True:")),
        {
            "check_cross_weights": "the keys are made from query_input",
            "check_cross_values": "the values come from query_input",
            "check_read_by_heads": "mend parts 1 to 4 first",
        },
    ),
    "sequences_exchanged": (
        module(
            ("self.W_query(query_input)", "self.W_query(key_value_input)"),
            ("self.W_key(key_value_input)", "self.W_key(query_input)"),
            ("self.W_value(key_value_input)", "self.W_value(query_input)"),
        ),
        {
            "check_cross_weights": "the sequences are exchanged",
            "check_cross_values": "the values come from query_input",
            **READ,
        },
    ),
    "batch_taken_for_tokens": (
        module(
            ("self.W_query(query_input)", "self.W_query(query_input).transpose(0, 1)"),
            ("self.W_key(key_value_input)", "self.W_key(key_value_input).transpose(0, 1)"),
            ("self.W_value(key_value_input)", "self.W_value(key_value_input).transpose(0, 1)"),
            ("self.W_output(context)", "self.W_output(context).transpose(0, 1)"),
        ),
        {
            **SELF,
            **CROSS,
            **MASKED,
            **READ,
            "check_weights_rows": "tokens read other sentences",
        },
    ),
    "mask_after_softmax": (
        module((HIDE, "pass")),
        {"check_mask": "the mask comes after softmax", "check_mask_batch": "the mask comes after softmax"},
    ),
    "mask_turned_round": (
        module((HIDE, "mask = ~mask\n            " + HIDE)),
        dict.fromkeys(MASKED, "True means 'may attend'"),
    ),
    "mask_zeroes_scores": (
        module((HIDE, "scores = scores * mask"), (EMPTY, "pass")),
        {
            "check_mask": "exp(0) is 1",
            "check_mask_batch": "exp(0) is 1",
            "check_mask_empty": "gets equal weights",
        },
    ),
    "mask_of_minus_ten": (
        module(("-torch.inf", "-10")),
        dict.fromkeys(["check_mask", "check_mask_batch"], "masked scores are -10"),
    ),
    "mask_of_minus_a_million": (module(("-torch.inf", "-1e6")), {"check_mask": "a hidden key has a finite score"}),
    "mask_ignored": (
        module((HIDE, "pass"), (EMPTY, "pass")),
        dict.fromkeys(MASKED, "the mask has no effect"),
    ),
    "mask_for_the_weights_only": (
        module(("context = merge_heads(weights @ value)", "context = merge_heads(free @ value)")).replace(
            "        if mask is not None and",
            "        free = torch.softmax(scores, dim=-1)\n        if mask is not None and",
        ),
        {
            "check_mask": "but not the output",
            "check_mask_batch": "but not the output",
            "check_mask_empty": "",
        },
    ),
    "mask_without_an_axis_for_heads": (
        module(("mask.ndim == 3", "False")),
        {"check_mask_batch": "each head got another sentence's mask"},
    ),
    "empty_row_nan": (module((EMPTY, "pass")), {"check_mask_empty": "nan (0/0)"}),
    "mask_ignored_with_two_sequences": (
        module(
            (
                "if mask is not None and",
                "mask = mask if key_value_input is query_input else None\n        if mask is not None and",
            )
        ),
        {"check_mask": "with two sequences, the mask has no effect"},
    ),
    "mask_cut_to_the_queries": (
        module((HIDE, "mask = mask[..., : mask.shape[-2]]\n            " + HIDE)),
        {"check_mask": "a mask has a row for each query, and a column for each key"},
    ),
    "mask_of_a_batch_is_square": (
        module(("mask.unsqueeze(1)", "mask.reshape(len(mask), 1, mask.shape[1], mask.shape[1])")),
        {"check_mask_batch": "a mask has a row for each query, and a column for each key"},
    ),
    "empty_row_equal_weights": (
        module(("-torch.inf", "-1e9"), (EMPTY, "pass")),
        {"check_mask_empty": "gets equal weights"},
    ),
    "frozen_bias": (
        module(("\n    def forward", "        self.W_output.bias.requires_grad_(False)\n\n    def forward")),
        {"check_parameters": "training would not change W_output.bias"},
    ),
    "forward_without_gradients": (
        module(("    def forward", "    @torch.no_grad()\n    def forward")),
        {"check_parameters": "training would not change W_query.weight"},
    ),
    "weights_without_gradients": (
        module(("weights @ value", "weights.detach() @ value")).replace(
            "context), weights", "context), weights.detach()"
        ),
        {"check_parameters": "training would not change W_query.weight, W_query.bias, W_key.weight"},
    ),
    "seed_in_init": (
        module(("super().__init__()", "super().__init__()\n        torch.manual_seed(0)")),
        {"check_parameters": "set no seed inside __init__"},
    ),
    "seed_for_each_head": (
        module(
            (
                "\n    def forward",
                """
        with torch.no_grad():
            for layer in (self.W_query, self.W_key, self.W_value):
                start = torch.randn(self.head_dim, d_model)
                layer.weight.copy_(start.repeat(num_heads, 1))

    def forward""",
            )
        ),
        {"check_parameters": "two heads of W_query start from the same numbers"},
    ),
    "no_biases": (
        module(("nn.Linear(d_model, d_model)", "nn.Linear(d_model, d_model, bias=False)"))
        + """

def copy_weights_to_torch(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.W_output.weight)
        theirs.out_proj.bias.zero_()
""",
        {"check_parameters": "the module has no W_query.bias", **READ},
    ),
    "super_without_parentheses": (
        module(("super().__init__()", "super().__init__")),
        {
            **dict.fromkeys(["check_parameters", *SELF, *CROSS, *MASKED, *COPIED], "both pairs of parentheses"),
            "check_read_by_heads": "",
        },
    ),
    "copy_transposed": (
        """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight.T for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        theirs.out_proj.weight.copy_(ours.W_output.weight.T)
        theirs.out_proj.bias.copy_(ours.W_output.bias)
""",
        {"check_copy_in": "the weights are transposed", "check_copy_out": "transposed"},
    ),
    "copy_with_one_transposed": (
        """
def copy_weights_to_torch(ours, theirs):
    with torch.no_grad():
        weights = ours.W_query.weight, ours.W_key.weight.T, ours.W_value.weight
        theirs.in_proj_weight.copy_(torch.cat(weights))
        theirs.in_proj_bias.copy_(torch.cat([ours.W_query.bias, ours.W_key.bias, ours.W_value.bias]))
        theirs.out_proj.load_state_dict(ours.W_output.state_dict())
""",
        {"check_copy_in": "the weights are transposed (W_key)"},
    ),
    "copy_in_another_order": (
        """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_key, ours.W_query, ours.W_value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        theirs.out_proj.load_state_dict(ours.W_output.state_dict())
""",
        {"check_copy_in": "the order is key, query, value"},
    ),
    "copy_without_biases": (
        """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.out_proj.weight.copy_(ours.W_output.weight)
""",
        {"check_copy_in": "in_proj_bias is unchanged", "check_copy_out": "out_proj.bias is unchanged"},
    ),
    "copy_without_output": (
        """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
""",
        {"check_copy_out": "out_proj.weight is unchanged"},
    ),
    "copy_shares_the_layer": (
        """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
    theirs.out_proj = ours.W_output
""",
        {"check_copy_out": "theirs shares numbers with ours: copy them (out_proj.weight, out_proj.bias)"},
    ),
    "copy_shares_a_parameter": (
        """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        theirs.out_proj.bias.copy_(ours.W_output.bias)
    theirs.out_proj.weight = ours.W_output.weight
""",
        {"check_copy_out": "theirs shares numbers with ours: copy them (out_proj.weight)"},
    ),
    "copy_the_wrong_way": (
        """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        for layer, weight, bias in zip(layers, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.W_output.load_state_dict(theirs.out_proj.state_dict())
""",
        dict.fromkeys(COPIED, "copy from ours into theirs"),
    ),
    "difference_mask_as_it_is": (
        """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, weights = ours(query_input, key_value_input, mask)
    memory = query_input if key_value_input is None else key_value_input
    other, maps = theirs(query_input, memory, memory, attn_mask=mask, average_attn_weights=False)
    return max((output - other).abs().max().item(), (weights - maps).abs().max().item())
""",
        {"check_difference_mask": "hand over ~mask"},
    ),
    "difference_mask_forgotten": (
        """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, weights = ours(query_input, key_value_input)
    memory = query_input if key_value_input is None else key_value_input
    other, maps = theirs(query_input, memory, memory, average_attn_weights=False)
    return max((output - other).abs().max().item(), (weights - maps).abs().max().item())
""",
        {"check_difference_mask": "neither got the mask"},
    ),
    "difference_mask_forgotten_with_two_sequences": (
        difference("max((output - other).abs().max().item(), (weights - maps).abs().max().item())").replace(
            "    output", "    mask = mask if key_value_input is None else None\n    output", 1
        ),
        {"check_difference_mask": "with two sequences, neither got the mask"},
    ),
    "difference_of_outputs_only": (
        """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, _ = ours(query_input, key_value_input, mask)
    memory = query_input if key_value_input is None else key_value_input
    other, _ = theirs(query_input, memory, memory, attn_mask=None if mask is None else ~mask)
    return (output - other).abs().max().item()
""",
        {"check_difference": "average_attn_weights=False"},
    ),
    "difference_of_averages": (
        """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, weights = ours(query_input, key_value_input, mask)
    memory = query_input if key_value_input is None else key_value_input
    other, average = theirs(query_input, memory, memory, attn_mask=None if mask is None else ~mask)
    return max((output - other).abs().max().item(), (weights.mean(1) - average).abs().max().item())
""",
        {"check_difference": "average_attn_weights=False"},
    ),
    "difference_with_sign": (
        difference("max((output - other).max().item(), (weights - maps).max().item())"),
        {"check_difference": "the sign is left in"},
    ),
    "difference_of_weights_only": (
        difference("(weights - maps).abs().max().item()"),
        {"check_difference": "only the weights are compared; the outputs belong to it"},
    ),
    "difference_the_smaller_one": (
        difference("min((output - other).abs().max().item(), (weights - maps).abs().max().item())"),
        {"check_difference": "this is the smaller one of two differences; take the larger"},
    ),
    "difference_on_average": (
        difference("max((output - other).abs().mean().item(), (weights - maps).abs().mean().item())"),
        {"check_difference": "this is the average difference; take the largest"},
    ),
    "difference_that_is_relative": (
        difference("max(((a - b).abs().max() / b.abs().max()).item() for a, b in ((output, other), (weights, maps)))"),
        dict.fromkeys(["check_difference", "check_difference_cross", "check_difference_mask"], "this is relative"),
    ),
    "difference_of_squares": (
        difference("(output - other).square().sum() + (weights - maps).square().sum()"),
        dict.fromkeys(["check_difference", "check_difference_cross", "check_difference_mask"], "these are squares"),
    ),
    "difference_as_a_pair": (
        difference("(output - other).abs().max().item(), (weights - maps).abs().max().item()"),
        dict.fromkeys(
            ["check_difference", "check_difference_cross", "check_difference_mask"],
            "does not give one number",
        ),
    ),
    "difference_added_up": (
        difference("(output - other).abs().max().item() + (weights - maps).abs().max().item()"),
        {"check_difference": "this is the sum of two differences"},
    ),
    "difference_without_second_sequence": (
        """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, weights = ours(query_input, None, mask)
    hidden = None if mask is None else ~mask
    other, maps = theirs(query_input, query_input, query_input, attn_mask=hidden, average_attn_weights=False)
    return max((output - other).abs().max().item(), (weights - maps).abs().max().item())
""",
        {"check_difference_cross": "key_value_input is not used"},
    ),
    "difference_always_zero": (
        """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    ours(query_input, key_value_input, mask)
    return 0.0
""",
        dict.fromkeys(
            ["check_difference", "check_difference_cross", "check_difference_mask"],
            "gives 0 for two modules that differ, but ",
        ),
    ),
    "difference_true_or_false": (
        """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, _ = ours(query_input, key_value_input, mask)
    return torch.allclose(output, output)
""",
        dict.fromkeys(["check_difference", "check_difference_cross", "check_difference_mask"], "return the number"),
    ),
    "heads_averaged_when_read": (
        """
def read_by_heads():
    module = MultiHeadAttention(8, 4)
    module.load_state_dict(state)
    row = module(inputs, memory)[1][0].mean(0)[asking.index(asked)]
    return [answering[int(row.argmax())]] * 4
""",
        {"check_read_by_heads": "not at their average"},
    ),
    "read_its_own_sentence": (
        """
def read_by_heads():
    module = MultiHeadAttention(8, 4)
    module.load_state_dict(state)
    rows = module(inputs)[1][0, :, asking.index(asked)]
    return [asking[int(row.argmax())] for row in rows]
""",
        {"check_read_by_heads": "reads words of the other sentence"},
    ),
}

UNUSUAL = {
    "einsum": """
def split_heads(features, num_heads):
    batch, tokens, d_model = features.shape
    return torch.einsum("bthd->bhtd", features.reshape(batch, tokens, num_heads, -1))


def merge_heads(context):
    return torch.einsum("bhtd->bthd", context).reshape(len(context), context.shape[2], -1)
"""
    + module(
        (SCORES, 'torch.einsum("bhqd,bhkd->bhqk", query, key) * self.head_dim**-0.5'),
        ("weights @ value", 'torch.einsum("bhqk,bhkd->bhqd", weights, value)'),
    ),
    "stack_and_cat": """
def split_heads(features, num_heads):
    return torch.stack(features.chunk(num_heads, dim=-1), dim=1)


def merge_heads(context):
    return torch.cat([context[:, head] for head in range(context.shape[1])], dim=2)
""",
    "reshape_and_permute": """
def split_heads(features, num_heads):
    batch, tokens, d_model = features.size()
    cut = features.contiguous().reshape(batch, tokens, num_heads, d_model // num_heads)
    return cut.permute(0, 2, 1, 3).contiguous()


def merge_heads(context):
    batch, num_heads, tokens, head_dim = context.size()
    return context.permute(0, 2, 1, 3).contiguous().view(batch, tokens, num_heads * head_dim)
""",
    "nested_loops": """
def split_heads(features, num_heads):
    batch, tokens, d_model = features.shape
    head_dim = d_model // num_heads
    heads = torch.zeros(batch, num_heads, tokens, head_dim)
    for head in range(num_heads):
        for feature in range(head_dim):
            heads[:, head, :, feature] = features[:, :, head * head_dim + feature]
    return heads


def merge_heads(context):
    batch, num_heads, tokens, head_dim = context.shape
    joined = torch.zeros(batch, tokens, num_heads * head_dim)
    for head in range(num_heads):
        joined[..., head * head_dim : (head + 1) * head_dim] = context[:, head]
    return joined
""",
    "single_heads_on_slices": """
class OneHead:
    def __init__(self, module, places):
        self.module, self.places = module, places

    def features(self, layer, inputs):
        return inputs @ layer.weight[self.places].T + layer.bias[self.places]

    def __call__(self, asking, answering, mask):
        query = self.features(self.module.W_query, asking)
        key = self.features(self.module.W_key, answering)
        scores = query @ key.transpose(1, 2) / len(self.module.W_query.bias[self.places]) ** 0.5
        exps = (scores - scores.amax(-1, keepdim=True)).exp()
        if mask is not None:
            exps = exps * mask
        weights = exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)
        return weights @ self.features(self.module.W_value, answering), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        for name in ("W_query", "W_key", "W_value", "W_output"):
            setattr(self, name, nn.Linear(d_model, d_model))
        size = d_model // num_heads
        self.heads = [OneHead(self, slice(head * size, (head + 1) * size)) for head in range(num_heads)]

    def forward(self, query_input, key_value_input=None, mask=None):
        answering = query_input if key_value_input is None else key_value_input
        contexts, weights = zip(*(head(query_input, answering, mask) for head in self.heads))
        return self.W_output(torch.cat(contexts, dim=-1)), torch.stack(weights, dim=1)
""",
    "pytorchs_own_attention": module(
        (SCORES, "None"),
        (HIDE, "pass"),
        (EMPTY, "pass"),
        (
            "weights = torch.softmax(scores, dim=-1)",
            "attend = nn.functional.scaled_dot_product_attention\n"
            "        identity = torch.eye(key.shape[2]).expand(*key.shape[:2], -1, -1)\n"
            "        weights = attend(query, key, identity, attn_mask=mask)",
        ),
        ("weights @ value", "attend(query, key, value, attn_mask=mask)"),
    ),
    "one_projection_for_all": module(
        (
            "query = split_heads(self.W_query(query_input), self.num_heads)",
            "layers = self.W_query, self.W_key, self.W_value\n"
            "        weight = torch.cat([layer.weight for layer in layers])\n"
            "        bias = torch.cat([layer.bias for layer in layers])\n"
            "        both = torch.cat([query_input, key_value_input], dim=1)\n"
            "        parts = nn.functional.linear(both, weight, bias).chunk(3, dim=-1)\n"
            "        query, key, value = (split_heads(part, self.num_heads) for part in parts)\n"
            "        asked = query_input.shape[1]\n"
            "        query, key, value = query[:, :, :asked], key[:, :, asked:], value[:, :, asked:]",
        ),
        ("key = split_heads(self.W_key(key_value_input), self.num_heads)", "pass"),
        ("value = split_heads(self.W_value(key_value_input), self.num_heads)", "pass"),
    ),
    "heads_in_the_batch": module(
        (
            "scores = " + SCORES,
            "flat = [part.flatten(0, 1) for part in (query, key)]\n"
            "        scores = torch.bmm(flat[0], flat[1].mT).unflatten(0, (-1, self.num_heads))\n"
            "        scores = scores / self.head_dim**0.5",
        )
    ),
    "query_scaled_before": module((QUERY, QUERY + " / self.head_dim**0.5"), (SCORES, "query @ key.transpose(-2, -1)")),
    "log_sum_exp": module(
        ("torch.softmax(scores, dim=-1)", "(scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()"),
        (EMPTY, "weights = torch.nan_to_num(weights)"),
    ),
    "mask_added": module(
        (HIDE, "scores = scores + torch.zeros(mask.shape).masked_fill(mask.logical_not(), float('-inf'))"),
        (EMPTY, "weights = torch.where(weights.isnan(), 0.0, weights)"),
    ),
    "float64": module(
        (
            "key_value_input = query_input\n",
            "key_value_input = query_input\n        query_input = query_input.double()\n",
        ),
        ("self.W_key(key_value_input)", "self.W_key(key_value_input.double())"),
        ("self.W_value(key_value_input)", "self.W_value(key_value_input.double())"),
        ("\n    def forward", "        self.double()\n\n    def forward"),
    ),
    "cut_in_float64": """
def split_heads(features, num_heads):
    return features.double().unflatten(2, (num_heads, -1)).transpose(1, 2)
"""
    + module((JOIN, "merge_heads(weights @ value).float()")),
    "without_the_two_functions": module(
        *cut("(heads, -1)).movedim(2, 1)"),
        (JOIN, "(weights @ value).movedim(1, 2).flatten(2)"),
    ),
    "copy_by_slices": """
def copy_weights_to_torch(ours, theirs):
    size = ours.W_query.weight.shape[0]
    for place, name in enumerate(("W_query", "W_key", "W_value")):
        theirs.in_proj_weight.data[place * size : (place + 1) * size] = getattr(ours, name).weight.data
        theirs.in_proj_bias.data[place * size : (place + 1) * size] = getattr(ours, name).bias.data
    theirs.out_proj.weight = nn.Parameter(ours.W_output.weight.detach().clone())
    theirs.out_proj.bias = nn.Parameter(ours.W_output.bias.detach().clone())
""",
    "copy_by_state_dict": """
def copy_weights_to_torch(ours, theirs):
    given = ours.state_dict()
    theirs.load_state_dict({
        "in_proj_weight": torch.cat([given[f"W_{name}.weight"] for name in ("query", "key", "value")]),
        "in_proj_bias": torch.cat([given[f"W_{name}.bias"] for name in ("query", "key", "value")]),
        "out_proj.weight": given["W_output.weight"],
        "out_proj.bias": given["W_output.bias"],
    })
    return theirs
""",
    "difference_as_a_tensor": """
@torch.no_grad()
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    if key_value_input is None:
        key_value_input = query_input
    ours.eval(), theirs.eval()
    first = ours(query_input, key_value_input=key_value_input, mask=mask)
    options = {} if mask is None else {"attn_mask": torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)}
    second = theirs(query_input, key_value_input, key_value_input, average_attn_weights=False, **options)
    return torch.stack([torch.dist(a, b, p=torch.inf) for a, b in zip(first, second)]).max()
""",
    "difference_sentence_by_sentence": """
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    largest = 0
    for i in range(len(query_input)):
        asking = query_input[i : i + 1]
        answering = asking if key_value_input is None else key_value_input[i : i + 1]
        output, weights = ours(asking, answering, mask)
        inverse = None if mask is None else mask.logical_not()
        other, maps = theirs(asking, answering, answering, attn_mask=inverse, average_attn_weights=False)
        for a, b in ((output, other), (weights, maps)):
            largest = max(largest, float(torch.max(torch.abs(a - b))))
    return largest
""",
}
