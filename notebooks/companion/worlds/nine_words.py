"""Nine words of English and of French, the French shuffled: an alignment is learned in a second. See notebook 10."""

import torch
from torch import nn

from companion.fitting import descend, loss_of, redraw
from utils.attention import attention
from utils.text import Vocabulary, tokenize

PAIRS = {"the": "la", "house": "maison", "white": "blanche", "is": "est", "and": "et"}
PAIRS |= {"small": "petite", "door": "porte", "old": "vieille", "red": "rouge"}
ENGLISH, FRENCH = Vocabulary(PAIRS), Vocabulary(PAIRS.values())
TO_FRENCH = torch.tensor(FRENCH.encode([PAIRS[word] for word in ENGLISH.tokens]))  # the French id of each English one
LENGTH, BATCH, LEARNING_RATE = 5, 64, 0.01
MOMENTS = (*range(21), 25, 30, 40, 60, 100, 200)  # most is learned in the first steps


class CrossAttention(nn.Module):
    """One head that lets one sequence read another. Built in notebook 10.

    d_model: features of the inputs, which ask; d_memory: of the memory, which answers; d_out: of query, key and value.
    """

    def __init__(self, d_model, d_memory, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_model, d_out, bias=False)
        self.W_key = nn.Linear(d_memory, d_out, bias=False)
        self.W_value = nn.Linear(d_memory, d_out, bias=False)

    def forward(self, inputs, memory, mask=None):
        """Return context (..., queries, d_out) and weights (..., queries, keys)."""
        return attention(self.W_query(inputs), self.W_key(memory), self.W_value(memory), mask)


class Aligner(nn.Module):
    """A table of vectors for each language, 16 numbers for English and 12 for French, and a reader between them."""

    def __init__(self, reader):
        super().__init__()
        self.english, self.french = nn.Embedding(9, 16), nn.Embedding(9, 12)
        self.reader = reader

    def forward(self, asked, answered):
        """Return the logits of the nine French words (..., asked, 9) and the weights (..., asked, answered)."""
        context, weights = self.reader(self.english(asked), self.french(answered))
        return context @ self.french.weight.T, weights


def sample_pairs(num_pairs, generator=None):
    """Return pairs of sentences as ids, (num_pairs, 5) each: five different English words, their French shuffled."""
    shuffled = (torch.rand(num_pairs, size, generator=generator).argsort(dim=-1) for size in (9, LENGTH))
    asked, order = next(shuffled)[:, :LENGTH], next(shuffled)
    return asked, TO_FRENCH[asked].gather(1, order)


def batches(count=200, seed=0):
    """Yield batches of 64 pairs of sentences, the same in each training."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(count):
        yield sample_pairs(BATCH, generator)


def redraw_aligner(model, seed):
    """Give an `Aligner` the random numbers of a seed, and return it."""
    return redraw(model, seed, "reader", "english", "french")


def pairs_for_test():
    """Return the 1,000 pairs of sentences, as ids, on which trained models are measured."""
    return sample_pairs(1000, torch.Generator().manual_seed(1))


def looks_elsewhere(weights, memory_ids, right_ids):
    """Say of each English word whether its largest weight is at another French word than its own. Built in notebook 10.

    weights: (..., asking, memory); memory_ids: (..., memory); right_ids: the translations, (..., asking).
    """
    return memory_ids.gather(-1, weights.argmax(dim=-1)) != right_ids


def shares_aligned_and_right(model):
    """Return the share of English words whose largest weight is at their own French word, and that of right answers."""
    asked, answered = pairs_for_test()
    logits, weights = model(asked, answered)
    own_word = ~looks_elsewhere(weights, answered, TO_FRENCH[asked])
    return own_word.float().mean().item(), (logits.argmax(dim=-1) == TO_FRENCH[asked]).float().mean().item()


def second_look(reader, inputs, memory):
    """Return context and weights of a second reading, in which each query must do without the key it read most."""
    _, weights = reader(inputs, memory)
    return reader(inputs, memory, weights < weights.amax(dim=-1, keepdim=True))


def still_right(model, elsewhere=looks_elsewhere):
    """Return the share of right answers that stay right if a word's own translation is hidden from it, for two groups.

    First of the English words whose largest weight is at their own French word, by `elsewhere`, then of all others.
    """
    asked, answered = pairs_for_test()
    (logits, weights), translations = model(asked, answered), TO_FRENCH[asked]
    others = answered[:, None, :] != translations[..., None]  # (pairs, asked, answered), True: may be read
    context, _ = model.reader(model.english(asked), model.french(answered), others)
    right, still = (scores.argmax(dim=-1) == translations for scores in (logits, context @ model.french.weight.T))
    away = elsewhere(weights, answered, translations)
    return [still[right & group].float().mean().item() for group in (~away, away)]


def percents_still_right(models, *ways):
    """Return `still_right` of these models, asked by these ways, in percents: {group of words: a number each}."""
    groups = "had looked at their own", "had looked elsewhere"
    shares = zip(*(still_right(model, *ways) for model in models))
    # In a model none of whose words belongs to a group, its share is 0 / 0.
    return {group: [round(100 * share) for share in row if share == share] for group, row in zip(groups, shares)}


def reading(model, english_text, french_text):
    """Return the weights of a pair of texts, and their words."""
    _, weights = model(*_ids(english_text, french_text))
    return weights.detach(), tokenize(english_text), tokenize(french_text)


def answers(model, english_text, french_text):
    """Return the French word that each English word answers, by what it reads in the French text."""
    logits, _ = model(*_ids(english_text, french_text))
    return FRENCH.decode(logits.argmax(dim=-1))


def vectors(model, english_text, french_text):
    """Return what the model's reader reads of a pair of texts: (asked, 16) and (answered, 12)."""
    asked, answered = _ids(english_text, french_text)
    return model.english(asked), model.french(answered)


def _ids(english_text, french_text):
    return torch.tensor(ENGLISH.encode(tokenize(english_text))), torch.tensor(FRENCH.encode(tokenize(french_text)))


def _train_in_steps(model, steps=201):
    """Train a model in place by the loop of notebook 07, and yield the number and the loss of each step before it."""
    torch.set_num_threads(1)  # so small a model is slower with more
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    return descend(lambda pair: loss_of(model, pair, TO_FRENCH[pair[0]]), optimizer, batches(steps))


def train(model, steps=201):
    """Train a model in place, and return it."""
    list(_train_in_steps(model, steps))
    return model


def maps_in_training(model, english_text, french_text):
    """Train a model, and return what `linked_heads` draws of it: the map of a pair of texts while it learns."""
    losses, maps = [], []
    for step, loss in _train_in_steps(model):
        if step in MOMENTS:
            weights, asking, answering = reading(model, english_text, french_text)
            losses.append(loss)
            maps.append(weights)
    labels = {"queries": asking, "keys": answering}
    return {"weights": torch.stack(maps)[:, None], "losses": losses, "steps": MOMENTS} | labels


def aligner(seed, reader=CrossAttention):
    """Return a model that has learned nothing, and hands over the French vectors; reader: as `CrossAttention`."""
    model = redraw_aligner(Aligner(reader(16, 12, 12)), seed)
    nn.init.eye_(model.reader.W_value.weight).requires_grad_(False)
    return model
