"""Solutions of a3_many_heads_two_sequences, wrong and unusual: `assignments.solutions` says how they are written."""

CHANGES = r"""
[split_heads]
split_by_view_alone
    #: split_heads: view alone mixes the tokens
    cut.transpose(1, 2) -> features.reshape(batch, num_heads, tokens, d_model // num_heads)
[merge_heads]
merge_by_view_alone
    #: merge_heads: first transpose heads and tokens back
    context.transpose(1, 2).flatten(2) -> context.reshape(len(context), context.shape[2], -1)
[MultiHeadAttention]
heads_dealt_out_in_the_class
    #: weights_rows: the features are dealt out in turn
    query = split -> cut = lambda x, heads: x.unflatten(2, (-1, heads)).movedim(3, 1)\n        query = split
    split_heads( -> cut(
    merge_heads(weights @ value) -> (weights @ value).movedim(1, 3).flatten(2)
not_scaled
    #: weights_scale: the scale is missing
     / query.shape[-1] ** 0.5 ->
mask_after_softmax
    #: mask: the mask comes after softmax
    scores = scores.masked_fill(~mask, -torch.inf) -> pass
mask_of_minus_a_million
    #: mask: a hidden key has a finite score
    -torch.inf -> -1e6
empty_row_nan
    #: mask_empty: where a query may attend to nothing gives nan
    weights = weights.masked_fill(~mask, 0.0) -> pass
seed_for_each_head
    #: parameters: two heads of W_query start from the same numbers
    \n    def forward ->         for layer in self.children():\n            start alike\n\n    def forward
    start alike -> layer.weight.data = layer.weight.data[: d_model // num_heads].repeat(num_heads, 1)
dropout_on_the_weights
    #: weights* output_projection cross_weights mask*: is dropout left on
    #: read_by_heads:
    return self -> weights = nn.functional.dropout(weights, 0.9)\n        return self
weights_of_zero
    #: weights* context cross* mask* read_by_heads:
    return self -> weights = weights * 0\n        return self
last_value_forgotten
    #: context:
    weights @ value -> weights[..., :-1] @ value[..., :-1, :]
merge_by_view_in_the_class
    #: context: first transpose heads and tokens back
    merge_heads(weights @ value) -> (weights @ value).reshape(query_input.shape)
key_times_query
    #: weights_rows: query and key are exchanged
    #: cross_values read_by_heads:
    query @ key.transpose -> key @ query.transpose
scaled_by_d_model
    #: weights_scale: divided by the root of d_model
    query.shape[-1] -> query_input.shape[-1]
scaled_by_the_number_of_heads
    #: weights_scale: divided by the root of num_heads
    query.shape[-1] ** -> self.num_heads **
inputs_added_to_the_output
    #: context: query_input is added to the output
    merge_heads(weights @ value)), weights -> merge_heads(weights @ value)) + query_input, weights
weights_averaged
    #: weights_rows: averaged over the heads
    #: read_by_heads:
    )), weights -> )), weights.mean(1)
weights_first
    #: weights_rows: return output, weights
    #: read_by_heads:
    self.W_output(merge_heads(weights @ value)), weights -> weights, self.W_output(merge_heads(weights @ value))
all_weights_transposed
    #: weights_rows: a weight is used transposed
    self.W_query(query_input) -> (query_input @ self.W_query.weight + self.W_query.bias)
    self.W_key(key_value_input) -> (key_value_input @ self.W_key.weight + self.W_key.bias)
    self.W_value(key_value_input) -> (key_value_input @ self.W_value.weight + self.W_value.bias)
    self.W_output(merge_heads(weights @ value))
    -> merge_heads(weights @ value) @ self.W_output.weight + self.W_output.bias
output_projection_forgotten
    #: output_projection: W_output is missing
    self.W_output(merge_heads(weights @ value)) -> merge_heads(weights @ value)
output_projection_on_the_values
    #: output_projection:
    self.W_output(merge_heads(weights @ value))
    -> merge_heads(weights @ split_heads(self.W_output(merge_heads(value)), self.num_heads))
output_bias_forgotten
    #: output_projection: W_output: a bias is left out
    self.W_output(merge_heads(weights @ value)) -> merge_heads(weights @ value) @ self.W_output.weight.T
key_and_value_exchanged
    #: context: the values are made by W_key
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
    #: weights_rows: tokens read other sentences
    #: context cross_values mask* read_by_heads:
    self.W_query(query_input) -> self.W_query(query_input).transpose(0, 1)
    self.W_key(key_value_input) -> self.W_key(key_value_input).transpose(0, 1)
    self.W_value(key_value_input) -> self.W_value(key_value_input).transpose(0, 1)
    )), weights -> )).transpose(0, 1), weights
mask_for_the_weights_only
    #: mask: but not the output
    query.shape[-1] ** 0.5 -> query.shape[-1] ** 0.5\n        free = torch.softmax(scores, dim=-1)
    weights @ value -> free @ value
mask_without_an_axis_for_heads
    #: mask_batch: each head got another sentence's mask
    mask.ndim == 3 -> False
mask_of_minus_a_hundred_for_empty_rows_too
    #: mask: a hidden key has a finite score
    -torch.inf -> -100.0
    weights = weights.masked_fill(~mask, 0.0) -> pass
softmax_over_the_queries
    #: weights_rows: the columns sum to 1
    dim=-1 -> dim=-2
keys_by_the_layer_of_the_queries
    #: weights_rows: the keys are made by W_query; W_key makes them
    self.W_key(key_value_input) -> self.W_query(key_value_input)
values_by_no_layer
    #: context: the values are made by no layer; W_value makes them
    self.W_value(key_value_input) -> key_value_input
mask_taken_for_one_of_a_batch
    #: mask: may have as many rows as there are sentences
    mask.ndim == 3 -> len(mask) == len(query_input)
mask_kept
    #: mask: after a call with one: keep nothing
    scores = query -> mask = self.mask = getattr(self, "mask", None) if mask is None else mask\n        scores = query
second_sequence_kept
    #: cross_weights: after a call with two: keep nothing
    key_value_input = query_input\n
    -> key_value_input = getattr(self, "memory", query_input)\n        self.memory = key_value_input\n
mask_ignored_with_two_sequences
    #: mask: with two sequences, the mask has no effect
    query = split -> mask = mask if key_value_input is query_input else None\n        query = split
mask_cut_to_the_queries
    #: mask mask_batch: a mask has a row for each query, and a column for each key
    scores = scores -> mask = mask[..., : mask.shape[-2]]\n            scores = scores
mask_cut_to_the_keys
    #: mask mask_batch: a mask has a row for each query, and a column for each key
    scores = scores -> mask = mask[..., : mask.shape[-1], :]\n            scores = scores
mask_of_a_batch_is_square
    #: mask_batch: a mask has a row for each query, and a column for each key
    mask.unsqueeze(1) -> mask.reshape(len(mask), 1, mask.shape[1], mask.shape[1])
weights_without_gradients
    #: parameters: training would not change W_query.weight, W_key.weight, W_query.bias
    weights @ value)), weights -> weights.detach() @ value)), weights.detach()
seed_in_init
    #: parameters: no seed inside __init__
    super().__init__() -> super().__init__()\n        torch.manual_seed(0)
no_biases
    #: parameters: the module has no W_query.bias
    #: copy* read_by_heads:
    nn.Linear(d_model, d_model) -> nn.Linear(d_model, d_model, bias=False)
super_without_parentheses
    #: parameters weights* context output* cross* mask* copy*: both pairs of parentheses
    #: read_by_heads:
    super().__init__() -> super().__init__
[copy_weights_to_torch]
copy_the_wrong_way
    #: copy*: copy from ours into theirs
    theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
    -> for layer, weight in zip(layers, theirs.in_proj_weight.chunk(3)):\n            layer.weight.copy_(weight)
    theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
    -> for layer, bias in zip(layers, theirs.in_proj_bias.chunk(3)):\n            layer.bias.copy_(bias)
    theirs.out_proj.weight.copy_(ours.W_output.weight) -> ours.W_output.weight.copy_(theirs.out_proj.weight)
    theirs.out_proj.bias.copy_(ours.W_output.bias) -> ours.W_output.bias.copy_(theirs.out_proj.bias)
copy_with_one_transposed
    #: copy_in:
    layer.weight for -> layer.weight.T if layer is ours.W_key else layer.weight for
copy_in_another_order
    #: copy_in: the order is key, query, value
    ours.W_query, ours.W_key -> ours.W_key, ours.W_query
copy_without_output
    #: copy_out: out_proj.weight is unchanged
    theirs.out_proj.weight.copy_(ours.W_output.weight) -> pass
    theirs.out_proj.bias.copy_(ours.W_output.bias) -> pass
copy_shares_the_layer
    #: copy_out: theirs shares numbers with ours: copy them (out_proj.weight)
    theirs.out_proj.weight.copy_(ours.W_output.weight) -> theirs.out_proj = ours.W_output
[largest_difference]
difference_mask_forgotten_with_two_sequences
    #: difference_mask:
    output, weights = ours -> mask = mask if key_value_input is None else None\n    output, weights = ours
difference_of_outputs_only
    #: difference: average_attn_weights=False
    max(outputs, (weights - their_weights).abs().max().item()) -> outputs
difference_of_squares
    #: difference*:
    max(outputs, (weights - their_weights).abs().max().item())
    -> (output - their_output).square().sum() + (weights - their_weights).square().sum()
difference_always_zero
    #: difference*: gives 0 for two modules that differ, but
    max(outputs, (weights - their_weights).abs().max().item()) -> 0.0
difference_true_or_false
    #: difference*: return the number
    max(outputs, (weights - their_weights).abs().max().item()) -> torch.allclose(output, output)
[read_by_heads]
heads_averaged_when_read
    #: read_by_heads: not at their average
    weights[0, :, asking.index(asked)] -> [weights[0].mean(0)[asking.index(asked)]] * 4
read_its_own_sentence
    #: read_by_heads: reads words of the other sentence
    module(inputs, memory) -> module(inputs)
    answering[int -> asking[int
[split_heads]
einsum
    cut.transpose(1, 2) -> torch.einsum("bthd->bhtd", cut)
cut_in_float64
    features.view -> features.double().view
[merge_heads]
einsum
    context.transpose(1, 2) -> torch.einsum("bhtd->bthd", context)
[MultiHeadAttention]
einsum
    query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    -> torch.einsum("bhqd,bhkd->bhqk", query, key) * query.shape[-1] ** -0.5
    weights @ value -> torch.einsum("bhqk,bhkd->bhqd", weights, value)
cut_in_float64
    merge_heads(weights @ value) -> merge_heads(weights @ value).float()
pytorchs_own_attention
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    -> attend = nn.functional.scaled_dot_product_attention
    scores = scores.masked_fill(~mask, -torch.inf) -> pass
    weights = weights.masked_fill(~mask, 0.0) -> pass
    torch.softmax(scores, dim=-1) -> attend(query, key, identity, attn_mask=mask)
    weights = attend -> identity = torch.eye(key.shape[2]).expand(*key.shape[:2], -1, -1)\n        weights = attend
    weights @ value -> attend(query, key, value, attn_mask=mask)
float64
    key_value_input = query_input\n -> key_value_input = query_input\n        query_input = query_input.double()\n
    (key_value_input) -> (key_value_input.double())
    \n    def forward ->         self.double()\n\n    def forward
without_the_two_functions
    query = split -> cut = lambda x, heads: x.unflatten(2, (heads, -1)).movedim(2, 1)\n        query = split
    split_heads( -> cut(
    merge_heads(weights @ value) -> (weights @ value).movedim(1, 2).flatten(2)
"""

SOURCES = {
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
