"""Solutions of a1_single_head, wrong and unusual: `assignments.solutions` says how they are written."""

SLIPS = {
    "encode": {
        "encode_case: none inside": {"sentence.lower()": 'sentence.lower().replace(".", "").replace("?", "")'},
        "encode_case: capitals (.lower()": {".lower()": ""},
        "encode_case: capitals": {".lower()": "", "word.strip(": "(word[:1].lower() + word[1:]).strip("},
        "encode_case: spaces (.split()": {".split()": '.split(" ")'},
        "encode_order: gives | encode_case encode_unknown:": {
            "in vocabulary": "in places",
            "vocabulary.index(word)": "places[word]",
            "def encode": "places = {word: place for place, word in enumerate(vocabulary)}\n\n\ndef encode",
        },
        "encode_*: a Tensor": {"[vocabulary.index(word) for word in known]": "torch.ones(len(known))"},
        "encode_unknown: gives": {'"<unk>"': "vocabulary[0]"},
        "encode_unknown:": {'"<unk>"': "vocabulary[-1]"},
    },
    "project": {
        "project: project returns three things": {"X @ W_q, X @ W_k, X @ W_v": "X @ W_q, X @ W_k"},
        "project: key of project with inputs": {"X @ W_k, X @ W_v": "X @ W_v, X @ W_k"},
        "": {"return X @ W_q, X @ W_k, X @ W_v": "return (X @ W for W in (W_q, W_k, W_v))"},
        "project: your code stopped": {"X @ W_v": "torch.mm(X, W_v)"},
        "project: your code": {"X @ W_v": "torch.bmm(X, W_v.expand(2, -1, -1))"},
    },
    "scaled_scores": {
        "scores_*:": {"products / ": "products.reshape(*query.shape[:-1], query.shape[-2]) / "},
        "scores_scale: divided by 4, but the root of the head size is": {"query.shape[-1]": "16"},
        "scores_batch: .T turns all axes": {"key.transpose(-2, -1)": "key.T"},
        "scores_*: gives None; did you forget `return`?": {"return products": "products"},
        "scores_rows: query and key are exchanged": {"query @ key": "key @ query"},
    },
    "softmax_rows": {
        "softmax_rows: lack keepdim=True | softmax_batch:": {"exps.sum(dim=-1, keepdim=True)": "exps.sum(dim=-1)"},
        "softmax_rows: has the base 2": {".exp()": ".exp2()"},
        "softmax_large: nan": {"amax": "amin"},
    },
    "attention": {
        "attention_*:": {"(query, key))": "(query, key[..., :-1, :]))", "@ value": "@ value[..., :-1, :]"},
        "attention_batch: the context of a batch": {"@ value": "@ (value if value.ndim == 2 else value[:1])"},
        "attention_*: attention returns two things": {", weights": ""},
        "attention_weights: gives the weights first": {"weights @ value, weights": "weights, weights @ value"},
    },
    "sentence_context": {
        "sentence_context: in the order query, key, value": {"inputs, W_q, W_k": "inputs, W_k, W_q"},
        "sentence_context: the context of sentence_context": {"W_v))": "W_v / 2))"},
        "sentence_context: your code": {"encode(sentence, vocabulary)": "[*map(vocabulary.index, sentence.split())]"},
    },
    "most_read": {
        "most_read: you read a column; a query's weights are a row": {"weights[ids": "weights[:, ids"},
        "most_read: rows are the sentence's words": {"ids.index(vocabulary.index(asked))": "vocabulary.index(asked)"},
        "most_read: a place in the sentence": {"vocabulary[ids[place]]": "vocabulary[place]"},
        "most_read: reads another word more": {"vocabulary[ids[place]], float(row[place])": '"and", 0.102'},
        "most_read: returns two things: (word, weight)": {", float(row[place])": ""},
        "most_read: a str; give a number": {"float(row[place])": "str(row[place])"},
        "most_read: is right, but its weight is not": {"float(row[place])": "float(row[place]) + 0.003"},
        "most_read: `sentence` is not what it was": {"def ": 'sentence = "A good friend listens."\n\n\ndef '},
    },
}

RIGHT = {
    "float64": """
def scaled_scores(query, key):
    return query.double() @ key.double().transpose(-2, -1) / query.shape[-1] ** 0.5


def attention(query, key, value):
    weights = softmax_rows(scaled_scores(query, key))
    return weights @ value.double(), weights
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
    return [words[row.argmax().item()], row.max().round(decimals=3)]
""",
}
