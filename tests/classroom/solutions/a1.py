"""Solutions of a1_single_head, wrong and unusual: `assignments.solutions` says how they are written."""

CHANGES = r"""
[encode]
commas_replaced_only
    #: encode_case: marks (strip all , . ! ?, but none inside
    strip(",.!?") -> replace(",", "")
only_one_mark_stripped
    #: encode_case: none inside
    .strip(",.!?") -> .removesuffix("?").removesuffix("!").removesuffix(".").removesuffix(",")
marks_taken_out_everywhere
    #: encode_case: none inside
    sentence.lower() -> sentence.lower().replace(".", "").replace("?", "")
capitals_stay
    #: encode_case: capitals (.lower()
    .lower() ->
the_notebooks_vocabulary
    #: encode_order: look it up in the `vocabulary` that you are given
    #: encode_case encode_unknown:
    in vocabulary -> in places
    vocabulary.index(word) -> places[word]
    def encode -> places = {word: place for place, word in enumerate(vocabulary)}\n\n\ndef encode
unknown_left_out
    #: encode_unknown: unknown words are left out
    word if word in vocabulary else "<unk>" for word in words -> word for word in words if word in vocabulary
[project]
key_and_value_swapped
    #: project: key is made with the matrix of value
    X @ W_k, X @ W_v -> X @ W_v, X @ W_k
zeros_everywhere
    #: project attention_*:
    return X -> X = X * 0\n    return X
made_one_by_one
    return X @ W_q, X @ W_k, X @ W_v -> return (X @ W for W in (W_q, W_k, W_v))
[scaled_scores]
key_times_query
    #: scores_rows: query and key are exchanged
    query @ key.transpose -> key @ query.transpose
as_many_keys_as_queries
    #: scores_*:
    products / query.shape[-1] ** 0.5
    -> (products / query.shape[-1] ** 0.5).reshape(*query.shape[:-1], query.shape[-2])
no_scale
    #: scores_scale: the scale is missing
     / query.shape[-1] ** 0.5 ->
scaled_by_the_number_of_queries
    #: scores_scale: divided by the root of the number of queries
    query.shape[-1] -> query.shape[-2]
scale_is_fixed
    #: scores_scale: divided by 4, but the root of the head size is
    query.shape[-1] -> 16
transposed_with_T
    #: scores_batch: .T turns all axes
    key.transpose(-2, -1) -> key.T
[softmax_rows]
softmax_over_axis_1
    #: softmax_batch: use axis -1, the keys
    dim=-1 -> dim=1
sums_lack_keepdim
    #: softmax_rows: the sums lack keepdim=True
    #: softmax_batch:
    exps.sum(dim=-1, keepdim=True) -> exps.sum(dim=-1)
sums_along_the_columns
    #: softmax_rows: the sums run along the columns
    exps.sum(dim=-1 -> exps.sum(dim=-2
rounded_weights
    #: softmax_rows: rounded (decimals=2)
    exps / exps.sum(dim=-1, keepdim=True) -> (exps / exps.sum(dim=-1, keepdim=True)).round(decimals=2)
[attention]
scaled_twice
    #: attention_weights: scaled twice
    scaled_scores(query, key) -> scaled_scores(query, key) / query.shape[-1] ** 0.5
softmax_twice
    #: attention_weights: softmax runs twice
    softmax_rows(scaled_scores(query, key)) -> softmax_rows(softmax_rows(scaled_scores(query, key)))
last_key_forgotten
    #: attention_context attention_weights attention_batch:
    (query, key)) -> (query, key[..., :-1, :]))
    weights @ value -> weights @ value[..., :-1, :]
weights_first
    #: attention_weights: gives the weights first: return context, weights
    weights @ value, weights -> weights, weights @ value
attention_without_a_root
    #: attention_weights: the scale is missing
    scaled_scores(query, key) -> query @ key.transpose(-2, -1)
zeros_everywhere
    weights @ value, weights -> weights @ value * 0, weights * 0
[sentence_context]
query_and_key_handed_on_exchanged
    #: sentence_context: in the order query, key, value
    inputs, W_q, W_k -> inputs, W_k, W_q
[most_read]
the_column_is_read
    #: most_read: you read a column; a query's weights are a row
    weights[ids -> weights[:, ids
a_place_is_looked_up_in_the_vocabulary
    #: most_read: a place in the sentence, not in the vocabulary
    vocabulary[ids[place]] -> vocabulary[place]
another_word_is_guessed
    #: most_read: 'listens' reads another word more: look along its row
    vocabulary[ids[place]], float(row[place]) -> "and", 0.102
the_sentence_is_changed
    #: most_read: `sentence` is not what it was at the top
    def most_read -> sentence = "A good friend listens."\n\n\ndef most_read
"""

SOURCES = {
    "nested_loops": '''
def scaled_scores(query, key):
    """Loops over everything, a batch by itself."""
    if query.ndim > 2:
        return torch.stack([scaled_scores(q, k) for q, k in zip(query, key)])
    found = torch.zeros(len(query), len(key))
    for i in range(len(query)):
        for j in range(len(key)):
            for feature in range(query.shape[-1]):
                found[i, j] += query[i, feature] * key[j, feature]
    return found / query.shape[-1] ** 0.5


def softmax_rows(scores):
    if scores.ndim > 2:
        return torch.stack([softmax_rows(part) for part in scores])
    rows = []
    for row in scores.tolist():
        top = max(row)
        exps = [2.718281828459045 ** (score - top) for score in row]
        rows.append([number / sum(exps) for number in exps])
    return torch.tensor(rows)
''',
    "einsum": """
def project(X, W_q, W_k, W_v):
    return [torch.einsum("...nd,dk->...nk", X, W) for W in (W_q, W_k, W_v)]


def scaled_scores(query, key):
    return torch.einsum("...qd,...kd->...qk", query, key) * query.size(-1) ** -0.5
""",
    "sdpa_and_identity": """
import torch.nn.functional as F


def attention(query, key, value):
    eye = torch.eye(key.shape[-2]).expand(*key.shape[:-1], -1)
    return F.scaled_dot_product_attention(query, key, value), F.scaled_dot_product_attention(query, key, eye)
""",
    "in_place": """
def scaled_scores(query, key):
    query /= query.shape[-1] ** 0.5
    return query @ key.mT


def softmax_rows(scores):
    scores -= scores.max(-1, keepdim=True).values
    scores.exp_()
    scores /= scores.sum(-1, keepdim=True)
    return scores
""",
    "float64": """
def scaled_scores(query, key):
    return query.double() @ key.double().transpose(-2, -1) / query.shape[-1] ** 0.5


def attention(query, key, value):
    weights = softmax_rows(scaled_scores(query, key))
    return weights @ value.double(), weights
""",
    "log_sum_exp": """
def softmax_rows(scores):
    return (scores - scores.logsumexp(-1, keepdim=True)).exp()
""",
    "ids_as_a_tensor_from_a_dict": """
import string


def encode(sentence, vocabulary):
    places = {word: place for place, word in enumerate(vocabulary)}
    cleaned = (word.strip(string.punctuation) for word in sentence.casefold().split())
    return torch.tensor([places.get(word, places["<unk>"]) for word in cleaned])


def most_read():
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    row = sentence_context(sentence, vocabulary, table, W_query, W_key, W_value)[1][words.index(asked)]
    return [words[row.argmax().item()], round(row.max().item(), 3)]
""",
}
