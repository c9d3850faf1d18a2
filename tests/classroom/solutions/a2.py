"""Solutions of a2_masks_and_modules, wrong and unusual: `assignments.solutions` says how they are written."""

SLIPS = {
    "causal_mask": {
        "causal_mask: causal_mask(1) is False at (0, 0)": {"tril()": "tril(0 if n > 1 else -1)"},
        "causal_mask: is": {"tril()": "tril().roll(1, 0)"},
    },
    "padding_mask": {
        "padding_mask:": {"[:, None, :]": ".squeeze()[:, None]"},
        "padding_mask: is True at": {"torch.tensor(lengths)": "torch.tensor(lengths).clamp(1)"},
    },
    "open_pairs": {
        "open_pairs: rows of the padding": {"int(mask.sum())": "sum(length * (length + 1) // 2 for length in lengths)"},
        "open_pairs: if both masks say so: use &": {" & ": " | "},
        "open_pairs: a float, but a whole number": {"int(": "float("},
        "open_pairs: a Tensor, but a whole number": {"int(mask.sum())": "mask"},
        "": {"int(mask.sum())": "mask.sum()"},
        "open_pairs: count one sentence by hand": {"int(mask.sum())": "int(mask.sum()) - 1"},
    },
    "masked_attention": {
        "attention_batch: softmax runs over axis 1": {"dim=-1": "dim=1"},
        "attention_mask: a hidden key has a finite score": {"-torch.inf": "-1e6"},
        "attention_plain: query and key are | attention_empty_row: your code": {"query @ key.": "key @ query."},
        "attention_mask: finite": {"-torch.inf": "-1e6", "weights.masked_fill(~mask, 0.0)": "weights"},
        "attention_empty_row: gets equal weights": {"mask is None": "mask is None or mask.numel() == 1"},
        "attention_batch: gets nan": {"(~mask, 0.0)": "(~mask & (mask.ndim == 2), 0.0)"},
        "attention_batch: with a mask": {"(~mask, -": "(~(mask[:, :1] if mask.ndim > 2 else mask), -"},
        "attention_batch: .T turns all axes": {"key.transpose(-2, -1)": "key.permute(*reversed(range(key.ndim)))"},
    },
    "CausalSelfAttention": {
        "module_last_token: the keys are made by W_value": {"self.W_key(inputs)": "self.W_value(inputs)"},
        "module_last_token: by the root of d_model": {"(query,": "(query * (query.size(-1) / inputs.size(-1)) ** 0.5,"},
        "module_last_token: the values are made by no layer": {"self.W_value(inputs), mask": "inputs, mask"},
        "module_causal: each token sees its successor": {"causal_mask(tokens)": "causal_mask(tokens + 1)[1:, :-1]"},
        "module_eval: every token reads all": {"(tokens)": "(tokens) | (not self.training)"},
        "module_lengths: the padding is hidden, but the future is not": {"mask & padding": "padding"},
        "module_batch: every token": {"(tokens)": "(tokens) | (inputs.ndim == 3 and not self.training)"},
        "module_causal module_eval:": {"causal_mask(tokens)": 'self.__dict__.setdefault("mask", causal_mask(tokens))'},
        "module_lengths: the lengths have no effect": {"mask = mask & padding_mask(lengths, tokens)": "pass"},
        "module_lengths: may attend to nothing gets nan": {
            "return": "scores = (query @ key.mT / key.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)\n        return",
            "masked_attention(query, key, self.W_value(inputs), mask)": "scores.softmax(-1) @ self.W_value(inputs)",
        },
        "module_*: the module has no parameter named W_query": {"W_query": "W_q"},
        "module_parameters: begin with equal numbers": {"__init__()": "__init__()\n        torch.manual_seed(0)"},
        "module_parameters: both pairs of parentheses | module_[!p]*:": {"super().__init__()": "super().__init__"},
        "module_parameters: a buffer is not trained": {
            "super().__init__()": "super().__init__()\n        start = nn.Parameter(torch.randn(d_in, d_out))",
            "W_value = nn.Linear(d_in, d_out, bias=False)": 'register_buffer("W_value", start)',
            "self.W_value(inputs)": "inputs @ self.W_value",
        },
        "module_parameters: would not change W_query.weight": {"def forward": "@torch.no_grad()\n    def forward"},
        "module_last_token: a sentence may have any number of tokens": {
            "\n    def forward": "        self.register_buffer('past', causal_mask(20))\n\n    def forward",
            "causal_mask(tokens)": "self.past[:tokens, :tokens]",
        },
        "module_[!p]*: the module on": {"mask)": "mask)[..., :1]"},
        "module_[!p]*: is dropout left on": {"return ": "return F.dropout(", ", mask)": ", mask))"},
    },
    "leaks_future": {
        "leaks_*: a leak is missed | leaks_masks: without any mask": {"return True": "return False"},
        "leaks_modes: a leak in eval() only": {"(module.train, module.eval)": "(module.train,)"},
        "leaks_modes: a leak in train() only": {"(module.train, module.eval)": "(module.eval,)"},
        "leaks_*: output count? | leaks_modes: in train() and in | leaks_hidden: you say it leaks": {"[:": "[: 1 + "},
        "leaks_places: is your sentence long enough?": {"16": "4"},
        "leaks_modes: never compare one mode with the other": {
            "        before = module(inputs)\n": "",
            "    for choose": "    before = module(inputs)\n    for choose",
        },
        "leaks_places: the last but one": {"range(1, 16": "(8,", "place] += torch.randn(": "8:] = torch.randn(8, "},
        "leaks_hidden: later inputs show (compare with a tolerance": {"1e-5 * before.abs().max()": "0"},
        "leaks_hidden: is your tolerance relative to the largest output?": {"1e-5 * before.abs().max()": "1e-5"},
        "leaks_places: a leak is missed: a leak at one": {"range(1, 16)": "range(1, 16, 2)"},
        "leaks_hidden: change each feature by another random number": {"torch.randn(d_in)": "1"},
        "leaks_hidden: are your inputs all zeros?": {"torch.randn(16, d_in)": "torch.zeros(16, d_in)"},
        "leaks_hidden: reads the last input feature only": {"] += torch.randn(d_in)": ", 0] += 1"},
        "leaks_hidden: shows in the last output feature only": {"[:place]": "[:place, 0]"},
        "leaks_hidden: a leak with small outputs": {"1e-5 * before.abs().max()": "0.01"},
    },
}

RIGHT = {
    "biases_float64_and_a_mask_as_buffer": """
class CausalSelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))
        self.register_buffer("forbidden", torch.ones(256, 256, dtype=torch.bool).triu(1))
        self.double()

    def forward(self, inputs, lengths=None):
        x, tokens = inputs.double(), inputs.size(-2)
        scores = self.W_query(x) @ self.W_key(x).mT / self.W_key.out_features**0.5
        scores = scores.masked_fill(self.forbidden[:tokens, :tokens], -torch.inf)
        if lengths is not None:
            for sentence, length in enumerate(lengths):
                scores[sentence, :, length:] = -torch.inf
        return torch.softmax(scores, dim=-1).nan_to_num() @ self.W_value(x)
""",
    "all_changes_in_one_batch": """
def leaks_future(module, d_in):
    one = torch.randn(14, d_in)
    batch = one + torch.eye(14)[:, :, None] * torch.randn(14, 14, d_in)  # sentence i: place i changed
    leaking = torch.tensor(False)
    for mode in (False, True):
        module.train(mode)
        moved = (module(batch) - module(one)).abs().amax(-1)  # (changed place, output)
        leaking |= (moved.tril(-1) > 1e-5 * module(one).abs().max()).any()
    return leaking
""",
}
