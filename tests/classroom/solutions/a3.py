"""Solutions of a3_many_heads_two_sequences: wrong ones with the checks and messages that must catch them, and
unusual right ones.

Each is run after the assignment's own solution, and so replaces a part of it. A line `#: check: message` says what a
check must say to it; all other checks pass.
"""

from assignments import but, variants

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
    """Return the module above with some changes, as `but` makes them."""
    return but(MODULE, *changes)


SCORES = "query @ key.transpose(-2, -1) / self.head_dim**0.5"
HIDE = "scores = scores.masked_fill(~mask, -torch.inf)"
JOIN = "merge_heads(weights @ value)"
EMPTY = "weights = weights.masked_fill(~mask, 0.0)"


def cut(how):
    """Return the changes that let the class cut its heads by itself."""
    method = f"\n    def cut(self, features, heads):\n        return features.unflatten(2, {how}\n\n    def forward"
    return ("split_heads(", "self.cut("), ("\n    def forward", method)


COPY = """
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([each.weight for each in layers]))
        theirs.in_proj_bias.copy_(torch.cat([each.bias for each in layers]))
        theirs.out_proj.load_state_dict(ours.W_output.state_dict())
"""


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
    "split_by_view_alone": """
#: split_heads: view alone mixes the tokens
#: read_by_heads: mend parts 1 to 4 first
def split_heads(features, num_heads):
    batch, tokens, d_model = features.shape
    return features.reshape(batch, num_heads, tokens, d_model // num_heads)
""",
    "merge_by_view_alone": """
#: merge_heads: first transpose heads and tokens back
def merge_heads(context):
    batch, num_heads, tokens, head_dim = context.shape
    return context.reshape(batch, tokens, num_heads * head_dim)
""",
    "heads_dealt_out_in_the_class": module(
        *cut("(-1, heads)).movedim(3, 1)"),
        (JOIN, "(weights @ value).movedim(1, 3).flatten(2)"),
        "weights_rows cross_weights: the features are dealt out in turn",
        "context cross_values read_by_heads:",
    ),
    "not_scaled": module((SCORES, "query @ key.transpose(-2, -1)"), "weights_scale: the scale is missing"),
    "mask_after_softmax": module((HIDE, "pass"), "mask mask_batch: the mask comes after softmax"),
    "mask_of_minus_a_million": module(("-torch.inf", "-1e6"), "mask: a hidden key has a finite score"),
    "empty_row_nan": module((EMPTY, "pass"), "mask_empty: where a query may attend to nothing gives nan"),
    "seed_for_each_head": module(
        (
            "\n    def forward",
            """
        with torch.no_grad():
            for layer in (self.W_query, self.W_key, self.W_value):
                start = torch.randn(self.head_dim, d_model)
                layer.weight.copy_(start.repeat(num_heads, 1))

    def forward""",
        ),
        "parameters: two heads of W_query start from the same numbers",
    ),
    "copy_the_wrong_way": """
#: copy*: copy from ours into theirs
def copy_weights_to_torch(ours, theirs):
    layers = ours.W_query, ours.W_key, ours.W_value
    with torch.no_grad():
        for layer, weight, bias in zip(layers, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.W_output.load_state_dict(theirs.out_proj.state_dict())
""",
    "difference_mask_forgotten_with_two_sequences": but(
        difference("max((output - other).abs().max().item(), (weights - maps).abs().max().item())"),
        ("    output,", "    mask = mask if key_value_input is None else None\n    output,"),
        "difference_mask:",
    ),
    "difference_of_outputs_only": but(
        difference("(output - other).abs().max().item()"), "difference: average_attn_weights=False"
    ),
    "difference_of_squares": but(
        difference("(output - other).square().sum() + (weights - maps).square().sum()"),
        "difference*:",
    ),
    "difference_always_zero": """
#: difference*: gives 0 for two modules that differ, but
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    ours(query_input, key_value_input, mask)
    return 0.0
""",
    "difference_true_or_false": """
#: difference*: return the number
def largest_difference(ours, theirs, query_input, key_value_input=None, mask=None):
    output, _ = ours(query_input, key_value_input, mask)
    return torch.allclose(output, output)
""",
    "heads_averaged_when_read": """
#: read_by_heads: not at their average
def read_by_heads():
    module = MultiHeadAttention(8, 4)
    module.load_state_dict(state)
    row = module(inputs, memory)[1][0].mean(0)[asking.index(asked)]
    return [answering[int(row.argmax())]] * 4
""",
    "read_its_own_sentence": """
#: read_by_heads: reads words of the other sentence
def read_by_heads():
    module = MultiHeadAttention(8, 4)
    module.load_state_dict(state)
    rows = module(inputs)[1][0, :, asking.index(asked)]
    return [asking[int(row.argmax())] for row in rows]
""",
}
WRONG |= variants(
    {
        MODULE: r"""
dropout_on_the_weights
    #: weights* output_projection cross_weights mask*: is dropout left on
    #: read_by_heads:
            context = ->         weights = nn.functional.dropout(weights, 0.9)\n        context =
weights_of_zero
    #: weights* context cross* mask* read_by_heads:
            context = ->         weights = weights * 0\n        context =
last_value_forgotten
    #: context cross_values:
    weights @ value -> weights[..., :-1] @ value[..., :-1, :]
merge_by_view_in_the_class
    #: context: first transpose heads and tokens back
    #: cross_values:
    merge_heads(weights @ value) -> (weights @ value).reshape(query_input.shape)
key_times_query
    #: weights_rows cross_weights: query and key are exchanged
    #: cross_values read_by_heads:
    query @ key.transpose(-2, -1) / self.head_dim**0.5 -> key @ query.transpose(-2, -1) / self.head_dim**0.5
scaled_by_d_model
    #: weights_scale: divided by the root of d_model
    query @ key.transpose(-2, -1) / self.head_dim**0.5 -> query @ key.transpose(-2, -1) / self.d_model**0.5
weights_averaged
    #: weights* cross_weights: averaged over the heads
    #: mask* read_by_heads:
    self.W_output(context), weights -> self.W_output(context), weights.mean(1)
weights_first
    #: weights* context output* cross* mask*: return output, weights
    #: read_by_heads:
    self.W_output(context), weights -> weights, self.W_output(context)
all_weights_transposed
    #: weights_rows context: a weight is used transposed
    #: output_projection cross* read_by_heads:
    self.W_query(query_input) -> (query_input @ self.W_query.weight + self.W_query.bias)
    self.W_key(key_value_input) -> (key_value_input @ self.W_key.weight + self.W_key.bias)
    self.W_value(key_value_input) -> (key_value_input @ self.W_value.weight + self.W_value.bias)
    self.W_output(context) -> context @ self.W_output.weight + self.W_output.bias
output_projection_forgotten
    #: output_projection: W_output is missing
    self.W_output(context) -> context
output_projection_on_the_values
    #: output_projection:
    merge_heads(weights @ value)
    -> merge_heads(weights @ split_heads(self.W_output(merge_heads(value)), self.num_heads))
    self.W_output(context) -> context
output_bias_forgotten
    #: output_projection: W_output: a bias is left out
    self.W_output(context) -> context @ self.W_output.weight.T
key_and_value_exchanged
    #: context: the keys are mixed
    #: cross_values: key and value are exchanged
    weights @ value -> weights @ key
values_of_the_wrong_sequence
    #: cross_values: the values come from query_input
    #: cross_weights read_by_heads:
    self.W_value(key_value_input) -> self.W_value(query_input)
second_sequence_ignored
    #: cross_weights: the keys are made from query_input
    #: cross_values: the values come from query_input
    #: read_by_heads: mend parts 1 to 4 first
    if key_value_input is None: -> if True:
batch_taken_for_tokens
    #: weights_rows cross_weights: tokens read other sentences
    #: context cross_values mask* read_by_heads:
    self.W_query(query_input) -> self.W_query(query_input).transpose(0, 1)
    self.W_key(key_value_input) -> self.W_key(key_value_input).transpose(0, 1)
    self.W_value(key_value_input) -> self.W_value(key_value_input).transpose(0, 1)
    self.W_output(context) -> self.W_output(context).transpose(0, 1)
mask_for_the_weights_only
    #: mask mask_batch: but not the output
    #: mask_empty:
    merge_heads(weights @ value) -> merge_heads(free @ value)
            if mask is not None and ->         free = torch.softmax(scores, dim=-1)\n        if mask is not None and
mask_without_an_axis_for_heads
    #: mask_batch: each head got another sentence's mask
    mask.ndim == 3 -> False
mask_ignored_with_two_sequences
    #: mask mask_batch: with two sequences, the mask has no effect
    if mask is not None and -> mask = mask if key_value_input is query_input else None\n        if mask is not None and
mask_cut_to_the_queries
    #: mask mask_batch: a mask has a row for each query, and a column for each key
    scores = scores.masked_fill(~mask, -torch.inf)
    -> mask = mask[..., : mask.shape[-2]]\n            scores = scores.masked_fill(~mask, -torch.inf)
mask_cut_to_the_keys
    #: mask mask_batch: a mask has a row for each query, and a column for each key
    scores = scores.masked_fill(~mask, -torch.inf)
    -> mask = mask[..., : mask.shape[-1], :]\n            scores = scores.masked_fill(~mask, -torch.inf)
mask_of_a_batch_is_square
    #: mask_batch: a mask has a row for each query, and a column for each key
    mask.unsqueeze(1) -> mask.reshape(len(mask), 1, mask.shape[1], mask.shape[1])
weights_without_gradients
    #: parameters: training would not change W_query.weight, W_key.weight, W_query.bias
    weights @ value -> weights.detach() @ value
    context), weights -> context), weights.detach()
seed_in_init
    #: parameters: set no seed inside __init__
    super().__init__() -> super().__init__()\n        torch.manual_seed(0)
no_biases
    #: parameters: the module has no W_query.bias
    #: copy* read_by_heads:
    nn.Linear(d_model, d_model) -> nn.Linear(d_model, d_model, bias=False)
super_without_parentheses
    #: parameters weights* context output* cross* mask* copy*: both pairs of parentheses
    #: read_by_heads:
    super().__init__() -> super().__init__
""",
        COPY: r"""
copy_with_one_transposed
    #: copy_in:
    torch.cat([each.weight -> torch.cat([each.weight.T if each is ours.W_key else each.weight
copy_in_another_order
    #: copy_in: the order is key, query, value
    ours.W_query, ours.W_key -> ours.W_key, ours.W_query
copy_without_output
    #: copy_out: out_proj.weight is unchanged
    theirs.out_proj.load_state_dict(ours.W_output.state_dict()) -> pass
copy_shares_the_layer
    #: copy_out: theirs shares numbers with ours: copy them (out_proj.weight)
    theirs.out_proj.load_state_dict(ours.W_output.state_dict()) -> theirs.out_proj = ours.W_output
""",
    }
)

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
}
