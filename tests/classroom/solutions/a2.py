"""Solutions of a2_masks_and_modules, wrong and unusual: `assignments.solutions` says how they are written."""

CHANGES = r"""
[causal_mask]
causal_mask_inverted
    #: causal_mask: the mask is turned round: each token reads only what comes after it
    tril() -> triu(1)
causal_mask_of_floats
    #: causal_mask: a mask is boolean
    , dtype=torch.bool ->
one_token_sees_nothing
    #: causal_mask: causal_mask(1) is False at (0, 0)
    tril() -> tril(0 if n > 1 else -1)
the_diagonal_is_off_by_one
    #: causal_mask: each token sees its successor
    tril() -> tril(1)
[padding_mask]
padding_off_by_one
    #: padding_mask: one token of padding may be seen
    < -> <=
padding_on_the_queries
    #: padding_mask: nobody may look AT padding
    [:, None, :] -> [:, :, None]
padding_that_loses_a_batch_of_one
    #: padding_mask:
    [:, None, :] -> .squeeze()[:, None]
[open_pairs]
pairs_of_real_queries_only
    #: open_pairs: the rows of the padding are left out
    int(mask.sum()) -> sum(length * (length + 1) // 2 for length in lengths)
[masked_attention]
causal_without_a_mask
    #: attention_plain: by a causal mask that nobody asked for here
    return torch.softmax(scores, dim=-1) @ value -> mask = torch.ones_like(scores).tril().bool()
scale_missing
    #: attention_plain: the scale is missing
     / key.shape[-1] ** 0.5 ->
softmax_over_the_queries
    #: attention_plain: the columns sum to 1
    dim=-1 -> dim=-2
softmax_over_axis_one
    #: attention_batch: softmax runs over axis 1
    dim=-1 -> dim=1
mask_after_softmax
    #: attention_mask: the mask comes after softmax
    scores.masked_fill(~mask, -torch.inf) -> scores
mask_turned_round
    #: attention_mask: the mask is turned round
    ~mask -> mask
a_sigmoid_of_each_score
    #: attention_plain: this is a sigmoid of each score
    torch.softmax(scores, dim=-1) -> torch.sigmoid(scores)
hidden_scores_are_finite
    #: attention_mask: a hidden key has a finite score
    -torch.inf -> -1e6
one_mask_for_all_sentences
    #: attention_batch: the first sentence's mask is used for all
    weights = torch -> mask = mask[0] if mask.ndim == 3 else mask\n    weights = torch
empty_row_is_nan
    #: attention_empty_row: a query that may attend to nothing gets nan
    weights.masked_fill(~mask, 0.0) -> weights
mask_of_one_number_left_out
    #: attention_empty_row: gets equal weights
    mask is None -> mask is None or mask.numel() == 1
empty_row_is_nan_in_a_batch
    #: attention_batch: gets nan
    weights.masked_fill(~mask, 0.0) -> (weights.masked_fill(~mask, 0.0) if mask.ndim == 2 else weights)
all_axes_transposed
    #: attention_batch: .T turns all axes of a batch round
    key.transpose(-2, -1) -> key.permute(*reversed(range(key.ndim)))
[CausalSelfAttention]
key_and_value_swapped_in_the_module
    #: module_last_token: key and value are exchanged
    query, key, self.W_value(inputs) -> query, self.W_value(inputs), key
keys_by_the_layer_of_the_queries
    #: module_last_token: the keys are made by W_query; W_key makes them
    self.W_key(inputs) -> self.W_query(inputs)
values_by_no_layer
    #: module_last_token: the values are made by no layer; W_value makes them
    self.W_value(inputs) -> inputs
scaled_by_the_inputs_size
    #: module_last_token: the inputs' size
    return masked -> query = query * (key.shape[-1] / inputs.shape[-1]) ** 0.5\n        return masked
no_causal_mask
    #: module_causal: every token reads all tokens
    causal_mask(tokens) -> torch.tensor(True)
causality_lost_in_eval
    #: module_eval: in eval(): every token reads all tokens
    causal_mask(tokens) -> causal_mask(tokens) | (not self.training)
causality_lost_with_lengths
    #: module_lengths: the padding is hidden, but the future is not
    mask & padding -> padding
causality_lost_in_eval_for_a_batch
    #: module_batch: in eval(): every token reads all tokens
    causal_mask(tokens) -> causal_mask(tokens) | (inputs.ndim == 3 and not self.training)
mask_kept_from_the_first_call
    #: module_causal module_eval:
    causal_mask(tokens) -> self.__dict__.setdefault("mask", causal_mask(tokens))
one_mask_or_the_other
    #: module_lengths: use &
    mask & padding -> mask | padding
lengths_ignored
    #: module_lengths: the lengths have no effect
    mask = mask & padding_mask(lengths, tokens) -> pass
nan_for_a_sentence_without_tokens
    #: module_lengths: in train(): a query that may attend to nothing gets nan
    masked_attention(query, key, self.W_value(inputs), mask)
    -> (query @ key.mT / key.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf).softmax(-1) @ self.W_value(inputs)
lengths_ignored_in_eval
    #: module_lengths: in eval(): the lengths have no effect
    if lengths is not None: -> if lengths is not None and self.training:
seed_inside_init
    #: module_parameters: of one module or of two, begin with equal numbers
    super().__init__() -> super().__init__()\n        torch.manual_seed(0)
super_without_parentheses
    #: module_parameters: both pairs of parentheses
    #: module_[!p]*:
    super().__init__() -> super().__init__
matrices_that_are_plain_tensors
    #: module_parameters: training finds no parameter named W_query
    #: module_[!p]*:
    nn.Linear(d_in, d_out, bias=False) -> torch.randn(d_in, d_out)
    self.W_query(inputs), self.W_key(inputs) -> inputs @ self.W_query, inputs @ self.W_key
    self.W_value(inputs) -> inputs @ self.W_value
matrix_that_is_a_buffer
    #: module_parameters: a buffer is not trained
    W_value = nn.Linear(d_in, d_out, bias=False)
    -> register_buffer("W_value", nn.Parameter(torch.randn(d_in, d_out)))
    self.W_value(inputs) -> inputs @ self.W_value
forward_without_gradients
    #: module_parameters: training would not change W_query.weight
        def forward ->     @torch.no_grad()\n    def forward
mask_made_for_twenty_tokens
    #: module_last_token: a sentence may have any number of tokens
    \n    def forward ->         self.register_buffer('past', causal_mask(20))\n\n    def forward
    causal_mask(tokens) -> self.past[:tokens, :tokens]
dropout_left_on
    #: module_[!p]*: is dropout left on, or anything random
    return masked_attention(query -> return F.dropout(masked_attention(query
    (inputs), mask) -> (inputs), mask))
matrix_transposed
    #: module_parameters: W_key has shape
    #: module_[!p]*:
    self.W_key = nn.Linear(d_in, d_out, bias=False) -> self.W_key = nn.Parameter(torch.randn(d_out, d_in))
    self.W_key(inputs) -> inputs @ self.W_key.T
[leaks_future]
leak_test_says_true
    #: leaks_masks leaks_places: you say it leaks: honest causal attention
    #: leaks_modes: you say it leaks: a module that is honest in train() and in eval()
    #: leaks_hidden: you say it leaks: a normalisation over each token's own features
    return False -> return True
leak_test_says_false
    #: leaks_masks: a leak is missed: attention without any mask
    #: leaks_modes: a leak is missed: a leak in eval() only
    #: leaks_places: a leak is missed: a leak over a distance
    #: leaks_hidden: a leak is missed: a normalisation by the mean over all tokens
    return True -> return False
leak_test_guesses
    #: leaks_masks leaks_modes leaks_places leaks_hidden:
    def leaks -> import random\n\ndice = random.Random(0)\n\n\ndef leaks
    inputs = torch.randn(16, d_in) -> return dice.random() < 0.5
leak_test_forgets_eval
    #: leaks_modes: a leak in eval() only
    (module.train, module.eval) -> (module.train,)
leak_test_of_four_tokens
    #: leaks_places: is your sentence long enough?
    16 -> 4
leak_test_changes_an_earlier_token
    #: leaks_masks leaks_places: you say it leaks: honest causal attention
    #: leaks_modes: you say it leaks: a module that is honest in train() and in eval()
    #: leaks_hidden: you say it leaks: a normalisation over each token's own features
    range(1, 16) -> range(15)
    [:place] -> [place + 1 :]
leak_test_sets_both_modes_at_once
    #: leaks_modes: a leak in train() only
    choose_mode in (module.train, module.eval) -> module in (module.train(), module.eval())
    choose_mode() -> pass
leak_test_compares_the_modes
    #: leaks_modes: never compare one mode with the other
            before = module(inputs)\n ->
        for choose ->     before = module(inputs)\n    for choose
leak_test_of_one_cut
    #: leaks_places: the last but one
    range(1, 16) -> (8,)
    changed[place] += torch.randn(d_in) -> changed[8:] = torch.randn(8, d_in)
leak_test_without_a_tolerance
    #: leaks_hidden: in whose last digits later inputs show (compare with a tolerance)
    1e-5 * before.abs().max() -> 0
leak_test_with_an_absolute_tolerance
    #: leaks_hidden: is your tolerance relative to the largest output?
    1e-5 * before.abs().max() -> 1e-5
leak_test_of_every_second_place
    #: leaks_places: a leak is missed: a leak at one
    range(1, 16) -> range(1, 16, 2)
leak_test_with_a_flat_change
    #: leaks_hidden: change each feature by another random number
    torch.randn(d_in) -> 1
leak_test_from_zeros
    #: leaks_hidden: are your inputs all zeros?
    torch.randn(16, d_in) -> torch.zeros(16, d_in)
leak_test_of_one_input_feature
    #: leaks_hidden: reads the last input feature only
    changed[place] += torch.randn(d_in) -> changed[place, 0] += 1
leak_test_of_one_output_feature
    #: leaks_hidden: shows in the last output feature only
    [:place] -> [:place, 0]
leak_test_with_a_coarse_tolerance
    #: leaks_hidden: a leak with small outputs
    1e-5 * before.abs().max() -> 0.01
"""

SOURCES = {
    "masks_by_loops": """
def causal_mask(n):
    return torch.tensor([[key <= query for key in range(n)] for query in range(n)])


def padding_mask(lengths, n):
    mask = torch.zeros(len(lengths), 1, n, dtype=torch.bool)
    for sentence, length in enumerate(lengths):
        mask[sentence, 0, :length] = True
    return mask


def open_pairs():
    return (causal_mask(longest) & padding_mask(lengths, longest)).sum()
""",
    "fused": """
def masked_attention(query, key, value, mask):
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
""",
    "exp_times_mask_in_place_and_float64": """
def masked_attention(query, key, value, mask):
    query, key, value = query.double(), key.double(), value.double()
    scores = query @ key.transpose(-2, -1)
    scores /= key.shape[-1] ** 0.5
    scores -= scores.amax(-1, keepdim=True)
    scores.exp_()
    if mask is not None:
        scores *= mask
    return scores @ value / scores.sum(-1, keepdim=True).clamp(min=1e-30)
""",
    "one_query_at_a_time": """
def masked_attention(query, key, value, mask):
    if query.ndim == 3:
        masks = [mask] * len(query) if mask is None or mask.ndim == 2 else mask
        return torch.stack([masked_attention(*each) for each in zip(query, key, value, masks)])
    context = torch.zeros(len(query), value.shape[1])
    for i in range(len(query)):
        seen = range(len(key)) if mask is None else mask.expand(len(query), -1)[i].nonzero()[:, 0]
        if len(seen):
            weights = torch.stack([query[i] @ key[j] / len(key[j]) ** 0.5 for j in seen]).softmax(0)
            context[i] = sum(weight * value[j] for weight, j in zip(weights, seen))
    return context
""",
    "bare_parameters_in_one_product": """
class CausalSelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super(CausalSelfAttention, self).__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.register_parameter(name, nn.Parameter(torch.rand(d_in, d_out)))

    def forward(self, inputs, lengths=None):
        joined = torch.cat([self.W_query, self.W_key, self.W_value], dim=1)
        query, key, value = (inputs @ joined).chunk(3, dim=-1)
        if lengths is None:
            return F.scaled_dot_product_attention(query, key, value, is_causal=True)
        mask = padding_mask(lengths, inputs.shape[1]) * causal_mask(inputs.shape[1])
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
""",
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
    "module_that_cuts_the_past_out": """
class CausalSelfAttention(CausalSelfAttention):
    def forward(self, inputs, lengths=None):
        if inputs.ndim == 3:
            each = [None] * len(inputs) if lengths is None else lengths
            return torch.stack([self(*pair) for pair in zip(inputs, each)])
        last = len(inputs) if lengths is None else lengths
        query, key, value = self.W_query(inputs), self.W_key(inputs), self.W_value(inputs)
        ends = [min(place + 1, last) for place in range(len(inputs))]
        rows = [masked_attention(query[[i]], key[:end], value[:end], None) for i, end in enumerate(ends)]
        return torch.cat(rows)
""",
    "all_later_tokens_at_once": """
def leaks_future(module, d_in):
    inputs, found = torch.rand(20, d_in), []
    for mode in (True, False):
        module.train(mode)
        before = module(inputs)
        for end in range(1, 20):
            changed = torch.cat([inputs[:end], torch.rand(20 - end, d_in)])
            found.append(not torch.allclose(module(changed)[:end], before[:end], rtol=1e-4, atol=1e-7))
    return any(found)
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
