"""Solutions of a1_single_head: wrong ones with the checks and messages that must catch them, and unusual right ones.

Each is run after the assignment's own solution, and so replaces a part of it.
"""

WRONG = {
    "ids_from_one": (
        """
def encode(sentence, vocabulary):
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    return [vocabulary.index(word if word in vocabulary else "<unk>") + 1 for word in words]


def sentence_context(sentence, vocabulary, table, W_q, W_k, W_v):
    inputs = table[[place - 1 for place in encode(sentence, vocabulary)]]
    return attention(*project(inputs, W_q, W_k, W_v))


def most_read():
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    _, weights = sentence_context(sentence, vocabulary, table, W_query, W_key, W_value)
    row = weights[words.index(asked)]
    return words[row.argmax()], row.max()
""",
        {
            "check_encode_order": "the first place is 0",
            "check_encode_case": "",
            "check_encode_unknown": "",
        },
    ),
    "ids_of_floats": (
        """
def encode_whole(sentence, vocabulary, encode=encode):
    return encode(sentence, vocabulary)


def encode(sentence, vocabulary):
    return [float(place) for place in encode_whole(sentence, vocabulary)]


def sentence_context(sentence, vocabulary, table, W_q, W_k, W_v):
    return attention(*project(table[encode_whole(sentence, vocabulary)], W_q, W_k, W_v))


def most_read():
    return "friend", 0.156
""",
        {"check_encode_order": "ids are whole numbers"},
    ),
    "ids_sorted": (
        """
def encode_in_order(sentence, vocabulary, encode=encode):
    return encode(sentence, vocabulary)


def encode(sentence, vocabulary):
    return sorted(encode_in_order(sentence, vocabulary))


def sentence_context(sentence, vocabulary, table, W_q, W_k, W_v):
    return attention(*project(table[encode_in_order(sentence, vocabulary)], W_q, W_k, W_v))


def most_read():
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    _, weights = sentence_context(sentence, vocabulary, table, W_query, W_key, W_value)
    row = weights[words.index(asked)]
    return words[row.argmax()], row.max()
""",
        {
            "check_encode_order": "the ids are sorted; keep the order of the sentence",
            "check_encode_case": "",
            "check_encode_unknown": "",
        },
    ),
    "commas_replaced_only": (
        """
def encode(sentence, vocabulary):
    words = sentence.replace(",", "").lower().split()
    return [vocabulary.index(word if word in vocabulary else "<unk>") for word in words]
""",
        {"check_encode_case": "marks: strip , . ! ? from each word"},
    ),
    "capitals_stay": (
        """
def encode(sentence, vocabulary):
    words = [word.strip(",.!?") for word in sentence.split()]
    return [vocabulary.index(word if word in vocabulary else "<unk>") for word in words]
""",
        {"check_encode_case": "capitals: call .lower()"},
    ),
    "the_notebooks_vocabulary": (
        """
places = {word: place for place, word in enumerate(vocabulary)}


def encode(sentence, vocabulary):
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    return [places.get(word, places["<unk>"]) for word in words]
""",
        {
            "check_encode_order": "look it up in the `vocabulary` that you are given",
            "check_encode_case": "look it up in the `vocabulary` that you are given",
            "check_encode_unknown": "",
            "check_sentence_context": "",
        },
    ),
    "no_ids_returned": (
        """
def encode_and_return(sentence, vocabulary, encode=encode):
    return encode(sentence, vocabulary)


def encode(sentence, vocabulary):
    encode_and_return(sentence, vocabulary)


def sentence_context(sentence, vocabulary, table, W_q, W_k, W_v):
    return attention(*project(table[encode_and_return(sentence, vocabulary)], W_q, W_k, W_v))


def most_read():
    return "friend", 0.156
""",
        dict.fromkeys(("check_encode_order", "check_encode_case", "check_encode_unknown"), "gives None"),
    ),
    "unknown_is_last": (
        """
def encode(sentence, vocabulary):
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    return [vocabulary.index(word) if word in vocabulary else len(vocabulary) - 1 for word in words]
""",
        {"check_encode_unknown": "the id of <unk> is not always the last one"},
    ),
    "unknown_left_out": (
        """
def encode(sentence, vocabulary):
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    return [vocabulary.index(word) for word in words if word in vocabulary]
""",
        {"check_encode_unknown": "unknown words are left out", "check_sentence_context": ""},
    ),
    "key_and_value_swapped": (
        """
def project(X, W_q, W_k, W_v):
    return X @ W_q, X @ W_v, X @ W_k
""",
        {"check_project": "key is made with the matrix of value", "check_sentence_context": "", "check_most_read": ""},
    ),
    "tokens_are_columns": (
        """
def project(X, W_q, W_k, W_v):
    return tuple(W.T @ X.transpose(-2, -1) for W in (W_q, W_k, W_v))
""",
        {"check_project": "tokens are rows", "check_sentence_context": "", "check_most_read": ""},
    ),
    "key_times_query": (
        """
def scaled_scores(query, key):
    return key @ query.transpose(-2, -1) / query.shape[-1] ** 0.5
""",
        {
            "check_scores_rows": "query and key are exchanged",
            "check_scores_scale": "",
            "check_scores_batch": "query and key are exchanged",
            "check_attention_context": "",
            "check_attention_batch": "",
        },
    ),
    "key_reshaped": (
        """
def scaled_scores(query, key):
    turned = key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])
    return query @ turned / query.shape[-1] ** 0.5
""",
        {
            "check_scores_rows": "without turning them: key.transpose(-2, -1) turns",
            "check_scores_scale": "",
            "check_scores_batch": "",
        },
    ),
    "no_scale": (
        """
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1)
""",
        {"check_scores_scale": "the scale is missing"},
    ),
    "scale_is_head_size": (
        """
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / query.shape[-1]
""",
        {"check_scores_scale": "take its square root"},
    ),
    "scale_multiplied": (
        """
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) * query.shape[-1] ** 0.5
""",
        {"check_scores_scale": "multiplied by the root"},
    ),
    "scale_by_tokens": (
        """
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / query.shape[-2] ** 0.5
""",
        {"check_scores_scale": "divided by the root of the number of queries"},
    ),
    "scale_by_axis_1": (
        """
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / query.shape[1] ** 0.5
""",
        {"check_scores_batch": "shape[1] is the head size of a matrix only"},
    ),
    "scale_is_fixed": (
        """
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / 16**0.5
""",
        {"check_scores_scale": "divided by 4, but the root of the head size is"},
    ),
    "scaled_twice": (
        """
def attention(query, key, value):
    weights = softmax_rows(scaled_scores(query, key) / query.shape[-1] ** 0.5)
    return weights @ value, weights
""",
        {"check_attention_weights": "scaled twice", "check_attention_batch": ""},
    ),
    "transposed_with_T": (
        """
def scaled_scores(query, key):
    return query @ key.T / query.shape[-1] ** 0.5
""",
        {"check_scores_batch": ".T turns all axes", "check_attention_batch": "in `scaled_scores`, line"},
    ),
    "columns_sum_to_one": (
        """
def softmax_rows(scores):
    return torch.softmax(scores, dim=0)
""",
        {"check_softmax_rows": "the columns sum to 1"},
    ),
    "softmax_over_axis_1": (
        """
def softmax_rows(scores):
    return torch.softmax(scores, dim=1)
""",
        {"check_softmax_batch": "use axis -1, the keys"},
    ),
    "softmax_with_base_two": (
        """
def softmax_rows(scores):
    powers = 2 ** (scores - scores.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)
""",
        {"check_softmax_rows": "has the base 2, not e"},
    ),
    "last_key_forgotten": (
        """
def attention(query, key, value):
    weights = softmax_rows(scaled_scores(query, key[..., :-1, :]))
    return weights @ value[..., :-1, :], weights
""",
        {
            "check_attention_context": "the last key is left out",
            "check_sentence_context": "the tensor of weights of sentence_context of 7 words gives shape (7, 6)",
            "check_most_read": "",
            "check_attention_weights": "the last key is left out",
            "check_attention_batch": "the last key is left out",
        },
    ),
    "weights_first": (
        """
def attention(query, key, value):
    weights = softmax_rows(scaled_scores(query, key))
    return weights, weights @ value
""",
        {
            **dict.fromkeys(
                [
                    "check_attention_weights",
                    "check_attention_context",
                    "check_attention_batch",
                    "check_sentence_context",
                ],
                "gives the weights first: return context, weights",
            ),
            "check_most_read": "",
        },
    ),
    "all_sum_to_one": (
        """
def softmax_rows(scores):
    exps = (scores - scores.max()).exp()
    return exps / exps.sum()
""",
        {"check_softmax_rows": "all numbers together sum to 1"},
    ),
    "softmax_loops_over_matrices": (
        """
def softmax_rows(scores):
    exps = [(row - row.max()).exp() for row in scores]
    return torch.stack([row / row.sum() for row in exps])
""",
        {"check_softmax_batch": "a loop over a batch meets matrices"},
    ),
    "sums_lack_keepdim": (
        """
def softmax_rows(scores):
    exps = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return exps / exps.sum(dim=-1)
""",
        {
            "check_softmax_rows": "the sums lack keepdim=True",
            "check_softmax_batch": "",
            "check_attention_context": "",
            "check_attention_batch": "",
        },
    ),
    "largest_lacks_keepdim": (
        """
def softmax_rows(scores):
    exps = (scores - scores.amax(dim=-1)).exp()
    return exps / exps.sum(dim=-1, keepdim=True)
""",
        {
            "check_softmax_rows": "the largest scores lack keepdim=True",
            "check_softmax_batch": "",
            "check_attention_context": "",
            "check_attention_batch": "",
        },
    ),
    "keepdim_forgotten_twice": (
        """
def softmax_rows(scores):
    exps = (scores - scores.amax(dim=-1)).exp()
    return exps / exps.sum(dim=-1)
""",
        {
            "check_softmax_rows": "keepdim=True is missing twice",
            "check_softmax_batch": "",
            "check_attention_context": "",
            "check_attention_batch": "",
        },
    ),
    "division_forgotten": (
        """
def softmax_rows(scores):
    return (scores - scores.amax(dim=-1, keepdim=True)).exp()
""",
        {"check_softmax_rows": "the division by the sum is missing"},
    ),
    "mean_subtracted": (
        """
def softmax_rows(scores):
    exps = (scores - scores.mean(dim=-1, keepdim=True)).exp()
    return exps / exps.sum(dim=-1, keepdim=True)
""",
        {"check_softmax_large": "subtracting its mean or its smallest still overflows"},
    ),
    "smallest_subtracted": (
        """
def softmax_rows(scores):
    exps = (scores - scores.amin(dim=-1, keepdim=True)).exp()
    return exps / exps.sum(dim=-1, keepdim=True)
""",
        {"check_softmax_large": "subtracting its mean or its smallest still overflows"},
    ),
    "softmax_overflows": (
        """
def softmax_rows(scores):
    return scores.exp() / scores.exp().sum(-1, keepdim=True)
""",
        {"check_softmax_large": "subtract each row's own largest score first"},
    ),
    "one_maximum_for_all": (
        """
def softmax_rows(scores):
    exps = (scores - scores.max()).exp()
    return exps / exps.sum(-1, keepdim=True)
""",
        {"check_softmax_large": "take each row's own"},
    ),
    "rounded_weights": (
        """
def softmax_rows(scores):
    return torch.softmax(scores, -1).round(decimals=2)
""",
        {"check_softmax_rows": "rounded (decimals=2)", "check_softmax_large": "", "check_softmax_batch": ""},
    ),
    "context_by_weights_turned_round": (
        """
def attention(query, key, value):
    weights = softmax_rows(scaled_scores(query, key))
    return weights.transpose(-2, -1) @ value, weights
""",
        {"check_attention_context": "", "check_attention_batch": ""},
    ),
    "context_of_the_keys": (
        """
def attention(query, key, value):
    weights = softmax_rows(scaled_scores(query, key))
    return weights @ key, weights
""",
        {
            "check_attention_context": "these are the keys, mixed; mix the values",
            "check_attention_batch": "",
            "check_sentence_context": "",
        },
    ),
    "context_alone": (
        """
def attention(query, key, value):
    return softmax_rows(scaled_scores(query, key)) @ value


def sentence_context(sentence, vocabulary, table, W_q, W_k, W_v):
    query, key, value = project(table[encode(sentence, vocabulary)], W_q, W_k, W_v)
    weights = softmax_rows(scaled_scores(query, key))
    return weights @ value, weights
""",
        {
            "check_attention_weights": "returns two things: (context, weights)",
            "check_attention_context": "returns two things: (context, weights)",
            "check_attention_batch": "returns two things: (context, weights)",
        },
    ),
    "nothing_returned": (
        """
def softmax_rows(scores):
    exps = (scores - scores.amax(-1, keepdim=True)).exp()
    exps / exps.sum(-1, keepdim=True)


def attention(query, key, value):
    weights = torch.softmax(scaled_scores(query, key), -1)
    return weights @ value, weights
""",
        dict.fromkeys(
            ("check_softmax_rows", "check_softmax_large", "check_softmax_batch"), "gives None; did you forget `return`?"
        ),
    ),
    "query_and_key_handed_on_exchanged": (
        """
def sentence_context(sentence, vocabulary, table, W_q, W_k, W_v):
    return attention(*project(table[encode(sentence, vocabulary)], W_k, W_q, W_v))
""",
        {"check_sentence_context": "in the order query, key, value"},
    ),
    "the_column_is_read": (
        """
def most_read():
    _, weights = sentence_context(sentence, vocabulary, table, W_query, W_key, W_value)
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    column = weights[:, words.index(asked)]
    return words[column.argmax()], column.max()
""",
        {"check_most_read": "you read a column; a query's weights are a row"},
    ),
    "the_row_of_an_id_is_read": (
        """
def most_read():
    _, weights = sentence_context(sentence, vocabulary, table, W_query, W_key, W_value)
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    row = weights[vocabulary.index(asked)]
    return words[row.argmax()], row.max()
""",
        {"check_most_read": "rows are the sentence's words in their order"},
    ),
    "a_place_is_looked_up_in_the_vocabulary": (
        """
def most_read():
    _, weights = sentence_context(sentence, vocabulary, table, W_query, W_key, W_value)
    row = weights[encode(sentence, vocabulary).index(vocabulary.index(asked))]
    return vocabulary[row.argmax()], row.max()
""",
        {"check_most_read": "a place in the sentence, not in the vocabulary"},
    ),
    "another_word_is_guessed": (
        """
def most_read():
    return "and", 0.102
""",
        {"check_most_read": "'listens' reads another word more: look along its row"},
    ),
    "the_sentence_is_changed": (
        """
sentence = "A good friend listens."
""",
        {"check_most_read": "`sentence` is not what it was at the top"},
    ),
}

UNUSUAL = {
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
    "linear_layers": """
from torch import nn


def project(X, W_q, W_k, W_v):
    results = []
    for W in (W_q, W_k, W_v):
        layer = nn.Linear(*W.shape, bias=False)
        layer.weight = nn.Parameter(W.T)
        results.append(layer(X))
    return tuple(results)
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
    "one_product_for_all_three": """
def project(X, W_q, W_k, W_v):
    return (X @ torch.cat([W_q, W_k, W_v], dim=1)).split([W.shape[1] for W in (W_q, W_k, W_v)], dim=-1)
""",
    "ids_as_a_tensor_from_a_dict": """
import string


def encode(sentence, vocabulary):
    places = {word: place for place, word in enumerate(vocabulary)}
    cleaned = "".join(letter for letter in sentence if letter not in string.punctuation)
    return torch.tensor([places.get(word, places["<unk>"]) for word in cleaned.casefold().split()])


def most_read():
    words = [word.strip(",.!?") for word in sentence.lower().split()]
    row = sentence_context(sentence, vocabulary, table, W_query, W_key, W_value)[1][words.index(asked)]
    return [words[row.argmax().item()], round(row.max().item(), 3)]
""",
    "values_mixed_one_by_one": """
def attention(query, key, value):
    weights = scaled_scores(query, key).softmax(-1)
    context = sum(weights[..., :, j, None] * value[..., j, None, :] for j in range(key.shape[-2]))
    return context, weights
""",
}
