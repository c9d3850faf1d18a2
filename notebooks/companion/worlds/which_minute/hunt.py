"""A hunt for sentences that the trained head gets wrong, or reads in an odd way. Shown in notebook 00."""

from companion.worlds.which_minute.answers import ask_head
from companion.worlds.which_minute.sentences import MEANING_OF, MEANINGS
from utils.printing import show


def look(sentence, caught=()):
    """Show what the head answers to a sentence, what was caught in it, and its attention weights for "minute"."""
    (answer,), weights = ask_head([sentence])
    title = f"“minute” means {MEANINGS[answer]}" + "".join(f", {name}!" for name in caught)
    show(title, weights, columns=sentence.split(), decimals=2)


def hunt(sentences):
    """Look at each sentence, and say which of the three kinds of prey are caught."""
    caught = set()
    for sentence in sentences:
        try:
            (answer,), weights = ask_head([sentence])
        except (KeyError, ValueError) as error:  # a word that it does not know, or no "minute"
            print(error.args[0])
            continue
        caught_here = [name for name, fits in PREY.items() if fits(sentence.split(), weights[0].tolist(), answer)]
        look(sentence, caught_here)
        caught.update(caught_here)
    marks = "  ".join(f"{'✓' if name in caught else '○'} {name}" for name in PREY)
    print(f"caught {len(caught)} of {len(PREY)}:  {marks}")


def _fooled(words, weights, answer):
    """Say whether the word after "minute" is a clue of another meaning."""
    after = words[words.index("minute") + 1 :][:1]
    return any(MEANING_OF.get(word, answer) != answer for word in after)


def _torn(words, weights, answer):
    """Say whether two clues of one kind, two different words, get about half of the attention each."""
    halves = {word for word, weight in _clues(words, weights) if weight >= 0.4}
    return len(halves) == 2 and len({MEANING_OF[word] for word in halves}) == 1


def _ignored(words, weights, answer):
    """Say whether there are clues, and none gets a tenth of the attention."""
    clues = _clues(words, weights)
    return bool(clues) and all(weight < 0.1 for _, weight in clues)


def _clues(words, weights):
    return [(word, weight) for word, weight in zip(words, weights) if word in MEANING_OF]


PREY = {"fooled": _fooled, "torn": _torn, "ignored": _ignored}
