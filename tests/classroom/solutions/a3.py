"""Solutions of a3_many_heads_two_sequences, wrong and unusual: `assignments.solutions` says how they are written."""

SLIPS = {
    "split_heads": {"split_heads:": {"cut.transpose(1, 2)": "cut.transpose(1, 2).roll(1, 1)"}},
    "MultiHeadAttention": {
        "mask: a hidden key has a finite score": {"-torch.inf": "-1e6"},
        "mask_empty: gives nan": {"weights = weights.masked_fill(~mask, 0.0)": "pass"},
        "parameters: two heads of W_query start": {
            "\n    def forward": "        for layer in self.children():\n            start alike\n\n    def forward",
            "start alike": "layer.weight.data = layer.weight.data[: d_model // num_heads].repeat(num_heads, 1)",
        },
        "weights* output_projection cross_weights mask*: is dropout left on | read_by_heads:": {
            "return self": "weights = nn.functional.dropout(weights, 0.9)\n        return self"
        },
        "context: last value is left out": {"weights @ value": "weights[..., :-1] @ value[..., :-1, :]"},
        "weights_rows: query and key are exchanged | cross_values read_by_heads:": {"query @ key": "key @ query"},
        "weights_rows: these are the scores": {"torch.softmax(scores, dim=-1)": "scores"},
        "context: query_input is added": {"@ value)), weights": "@ value)) + query_input, weights"},
        "context: a bias is left out": {"self.W_value(key_value_input)": "(key_value_input @ self.W_value.weight.T)"},
        "weights_scale: divided by the root of d_model": {"query.shape[-1]": "query_input.shape[-1]"},
        "parameters: begin with equal numbers": {"num_heads\n": "num_heads\n        torch.manual_seed(0)\n"},
        "context cross_values: gives shape": {")), weights": "))[:, :1], weights"},
        "context cross_values: gives None": {"self.W_output(merge_heads(weights @ value))": "None"},
        "cross_values: right shape": {")), weights": ")) * (query_input.shape == key_value_input.shape), weights"},
        "weights_scale: divided by the root of num_heads": {"query.shape[-1]": "self.num_heads"},
        "weights_rows: averaged over the heads | read_by_heads: mend": {")), weights": ")), weights.mean(1)"},
        "weights* context output* cross* mask*: forward returns two things | read_by_heads:": {")), weights": "))"},
        "weights_rows: return output | read_by_heads:": {"return self": "return weights, self", ")), weights": "))"},
        "weights_rows: a weight is used transposed": {
            "self.W_query(query_input)": "(query_input @ self.W_query.weight + self.W_query.bias)",
            "self.W_key(key_value_input)": "(key_value_input @ self.W_key.weight + self.W_key.bias)",
            "self.W_output(merge_heads(weights @ value))": (
                "(merge_heads(weights @ value) @ self.W_output.weight + self.W_output.bias)"
            ),
        },
        "output_projection: W_output: a bias is left out": {
            "self.W_output(merge_heads(weights @ value))": "merge_heads(weights @ value) @ self.W_output.weight.T"
        },
        "output_projection: W_output is missing": {"self.W_output(merge": "(merge"},
        "cross_values: come from query_input | cross_weights read_by_heads:": {"W_value(key_value": "W_value(query"},
        "cross_weights: the sequences are exchanged | cross_values: come from | read_by_heads:": {
            "query = split": "query_input, key_value_input = key_value_input, query_input\n        query = split"
        },
        "cross_weights: made from | cross_values: come from | read_by_heads:": {"key_value_input is None": "True"},
        "mask: but not the output": {
            "query.shape[-1] ** 0.5": "query.shape[-1] ** 0.5\n        free = torch.softmax(scores, dim=-1)",
            "weights @ value": "free @ value",
        },
        "mask_batch: got another sentence's mask": {"mask.ndim == 3": "False"},
        "weights_rows: the keys are made by W_value": {"self.W_key(key_value_input)": "self.W_value(key_value_input)"},
        "context: the values are made by no layer": {"self.W_value(key_value_input)": "key_value_input"},
        "mask: your code stopped with": {"mask.ndim == 3": "len(mask) == len(query_input)"},
        "cross_weights: after a call with two: keep nothing": {
            "= query_input\n": '= getattr(self, "memory", query_input)\n',
            "query = split": "self.memory = key_value_input\n        query = split",
        },
        "mask: with two sequences, the mask has no effect": {
            "query = split": "mask = mask if key_value_input is query_input else None\n        query = split"
        },
        "mask mask_batch: your code stopped with": {
            "scores = scores": "mask = mask[..., : mask.shape[-2]]\n            scores = scores"
        },
        "parameters: would not change W_query.weight, W_key.weight, W_query.bias": {
            "weights @ value)), weights": "weights.detach() @ value)), weights.detach()"
        },
        "mask: after a call with one: keep nothing": {
            "query = split": "mask = self.old = vars(self).get('old') if mask is None else mask\n        query = split"
        },
        "parameters weights* context output* cross* mask* copy*: W_output.weight has shape | read_by_heads:": {
            "self.W_output = nn.Linear(d_model, d_model)": "self.W_output = nn.Linear(d_model, num_heads)"
        },
        "parameters: no W_query.bias | copy* read_by_heads:": {"(d_model, d_model)": "(d_model, d_model, bias=False)"},
        "parameters weights* context output* cross* mask* copy*: both pairs of parentheses | read_by_heads:": {
            "super().__init__()": "super().__init__"
        },
    },
    "copy_weights_to_torch": {
        "copy_in: the weights are transposed": {"layer.weight for": "layer.weight.T for"},
        "copy_in: in_proj_bias is unchanged": {"in_proj_bias.copy_": "in_proj_bias.clone().copy_"},
        "copy_out: out_proj.weight is transposed": {"W_output.weight": "W_output.weight.T"},
        "copy_out: out_proj.bias is unchanged": {"out_proj.bias.copy_": "out_proj.bias.clone().copy_"},
        "copy_out: shares numbers with ours": {".weight.copy_(ours.W_output.weight)": " = ours.W_output"},
    },
    "largest_difference": {
        "difference_mask:": {
            "output, weights = ours": "mask = mask if key_value_input is None else None\n    output, weights = ours"
        },
        "difference_cross: key_value_input is not used": {'"""\n    ': '"""\n    key_value_input = None\n    '},
        "difference: compare outputs": {"max(outputs, (weights - their_weights).abs().max().item())": "outputs"},
        "difference*: gives a tuple, but one number": {"return max": "return "},
        "difference*: gives several numbers": {"outputs = ": "return ", ".abs().max().item()\n": "\n"},
        "difference*: gives 1 for": {"max(outputs, (weights - their_weights).abs().max().item())": "True"},
    },
    "read_by_heads": {
        "read_by_heads: a list of four words, one": {"for row in rows]": "for row in rows[1:]]"},
        "": {"return [": "return (*[", "rows]": "rows],)"},
        "read_by_heads: take its row, head by head": {
            "weights[0, :, asking.index(asked)]": "[weights[0].mean(0)[asking.index(asked)]] * 4"
        },
    },
}

RIGHT = {
    "single_heads_on_slices": """
class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query_input, key_value_input=None, mask=None):
        answering, parts = query_input if key_value_input is None else key_value_input, []
        layers = (self.W_query, query_input), (self.W_key, answering), (self.W_value, answering)
        for query, key, value in zip(*(layer(inputs).chunk(self.num_heads, dim=-1) for layer, inputs in layers)):
            scores = query @ key.transpose(1, 2) / query.shape[-1] ** 0.5
            exps = (scores - scores.amax(-1, keepdim=True)).exp() * (1 if mask is None else mask)
            weights = exps / exps.sum(-1, keepdim=True).clamp(min=1e-30)
            parts.append((weights @ value, weights))
        contexts, weights = zip(*parts)
        return self.W_output(torch.cat(contexts, dim=-1)).double(), torch.stack(weights, dim=1).double()
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
