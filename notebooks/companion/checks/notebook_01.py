"""Checks of the exercises in notebook 01 (tokenization), and the course's own answers, with which it goes on."""

from companion.checks.compared import compared_with
from companion.checks.exercise import exercise
from companion.checks.feedback import expect_like, explained
from companion.course_answers import encoded, merges_applied, merges_learned
from companion.slips import slips

ENCODED = {  # {message: what a wrong encode has instead}
    "these are positions in the sentence; an id is a position in the vocabulary": {
        '[ids.get(token, ids["<unk>"]) for token in tokens]': "[*range(len(tokens))]"
    },
    "a token that the vocabulary does not have is left out; it gets the id of '<unk>'": {
        "in tokens": "in tokens if token in ids"
    },
}
ENCODED_STOPS = {  # what Python says, and the cause
    "list indices must be": "{error}; a list is indexed by position: vocabulary.index(token) gives a token's position",
    "'cake'": "'cake' is not in the vocabulary, and looking it up stopped with an error; give it the id of '<unk>'",
}


@compared_with(encoded, ENCODED, ENCODED_STOPS)
def check_encode(encode):
    """each token has its id, and those that are not known have the id of “<unk>”."""
    for tokens, vocabulary in (
        (["to", "do", "cake", "Be", "to", "Do"], ["Be", "a", "do", "it", "to", "<unk>"]),
        (["b", "a"], ["a", "<unk>"]),
    ):
        yield f"encode({tokens}, {vocabulary})", (tokens, vocabulary)


def _walk(letters, merges):
    """Do the merges by walking along the tokens."""
    tokens = list(letters)
    for pair in merges:
        position = 0
        while position < len(tokens) - 1:
            if tuple(tokens[position : position + 2]) == pair:
                tokens[position : position + 2] = ["".join(pair)]
            position += 1
    return tokens


MERGED = {  # {message: what a wrong apply_merges has instead}
    "only the first merge is done; is `return` inside the loop?": {"in merges": "in merges[:1]"},
    "the last two tokens are not joined; how far does your position go?": {"- 1": "- 2"},
    "nothing is joined; a list such as ['e', 'a'] never equals a tuple such as ('e', 'a')": {"tuple(": "list("},
    "a pair that occurs twice in a word is joined once; go on to the end": {
        '["".join(pair)]': '["".join(pair)]; break'
    },
}
MERGED_STOPS = {  # what Python says, and the cause
    "index out of range": "{error}; no token comes after the last one, and the list gets shorter with each merge",
    "'replace'": "{error}; `replace` works on texts: go along the list, and compare two tokens at a time",
}


@compared_with(merges_applied, slips(_walk, MERGED), MERGED_STOPS)
def check_apply_merges(apply_merges):
    """each merge joins its two tokens wherever they meet, and the merges come in their order."""
    for word, *pairs in (
        ("eat", "e a"),
        ("at", "a t"),
        ("abc", "b c", "a b"),
        ("meat", "e a", "ea t"),
        ("banana", "a n"),
        ("aaa", "a a"),
        ("bea", "b e", "e a"),
        ("abc", "a b", "a bc"),
        ("team",),
    ):
        letters, merges = list(word), [tuple(pair.split()) for pair in pairs]
        yield f"apply_merges({letters}, {merges})", (letters, merges)


@exercise
def check_learn_merges(learn_merges):
    """the most frequent pair is joined everywhere, and the neighbors are counted again."""
    for words, num_merges, hint in (
        ("ab", 1, "one word, one merge: a list with one pair of tokens"),
        ("ab", 0, "no merge was asked for"),
        ("cd ab ab", 1, "a word that occurs twice counts twice: take the pair with the largest count"),
        ("cd ab", 1, "both pairs occur once: take the one met first, not the first by alphabet"),
        ("ab cd", 1, "both pairs occur once: take the one met first, not the last"),
        ("a b a b cd", 1, "letters of two words are not neighbors: count inside each word"),
        ("xabx ab", 1, "the pair is in the middle of one word and is the whole of another"),
        ("abc abc abc", 2, "after each merge, join the pair in every word and count again"),
        ("ababc", 2, "the pair occurs twice in one word: join it both times"),
        ("be be be bea ea ea", 3, "compare whole tokens, not text: in 'be', 'a' is not 'e', 'a'"),
        ("ab", 3, "no pair is left after the first merge: stop there"),
    ):
        words = words.split()
        doing = f"learn_merges({words!r}, {num_merges})"
        empty = {"": f"{hint}; {doing} stopped: {{error}}"}  # "" is in any error
        with explained(empty if "no pair is left" in hint else {}):
            expect_like(learn_merges, merges_learned, (words, num_merges), f"{hint}: {doing}")
