"""How often a model's stories are true, and how often it is right where a story asks for what was said before."""

import copy

import torch
from torch import nn

from companion.pictures.heatmap import heatmap
from companion.worlds.stories.truth import WORDS, count_true
from companion.worlds.stories.world import BOYS, COLORS, GIRLS
from companion.worlds.stories.writer import END, LONGEST, NOTHING, VOCABULARY, examples, write

NUM_ASKED = 100  # that are asked for an ablation
PART = 50  # stories that a model reads at once: more would take too much of a notebook's memory


def tally(model, shares, num_stories=50):
    """Let a model write stories by these shares; return how many are true, and how many are different."""
    stories = write(model, num_stories, shares=shares, seed=1)
    return count_true(stories), len({*map(tuple, stories)})


def copied(stories, targets):
    """Print how many stories are, word for word, among those that a model learned from: `targets`, as in `examples`."""
    known = {*map(tuple, targets.tolist())}
    rows = [VOCABULARY.encode([*tokens, END]) for tokens in stories]
    num_copied = sum((*ids, *[NOTHING] * (LONGEST - len(ids))) in known for ids in rows)
    print(f"{num_copied} of {len(stories)} stories are among the {len(known):,} different ones of the training")


def questions(inputs, targets):
    """Return {kind: (where, among)} for the examples: where it is asked, (stories, tokens), and among which ids.

    first: the first pronoun; later: the others; colors: of a thing whose color was told before; finders: who finds it;
    owners: who has it in the end.
    """
    kinds = GIRLS + BOYS, COLORS, WORDS["PRONOUN"]
    names, colors, pronouns = (torch.tensor(VOCABULARY.encode(words)) for words in kinds)
    is_name, is_color, is_pronoun = (torch.isin(targets, words) for words in (names, colors, pronouns))
    is_first = is_pronoun & (is_pronoun.cumsum(dim=1) == 1)
    begins, today, inside, found = (VOCABULARY.ids[word] for word in (".", "Today", "in", "found"))
    return {
        "first": (is_first, pronouns),
        "later": (is_pronoun & ~is_first, pronouns),
        "colors": (is_color & (is_color.cumsum(dim=1) > 1), colors),
        "finders": (is_name & (inputs == begins) & (targets.roll(-1, dims=1) == found), names),
        "owners": (is_name & ((inputs == today) | (inputs == inside)), names),
    }


@torch.no_grad()
def percents_by_kind(model, inputs, targets):
    """Return {kind: how many percent a model gets right}: the largest logit among those of this kind counts."""
    logits = torch.cat([model(part)[0] for part in inputs.split(PART)])
    right = {}
    for kind, (where, among) in questions(inputs, targets).items():
        answers = among[logits[where][:, among].argmax(dim=-1)]
        right[kind] = 100 * (answers == targets[where]).double().mean().item()
    return right


@torch.no_grad()
def mean_contexts(model, inputs, targets):
    """Return what each head of block 0 hands on, on average over all tokens, (heads, head_dim)."""
    layer, merged = model.blocks[0].attention, []
    with layer.W_output.register_forward_pre_hook(lambda _, received: merged.append(received[0])):
        for part in inputs.split(PART):
            model(part)
    return torch.cat(merged)[targets != NOTHING].mean(dim=0).unflatten(-1, (layer.num_heads, -1))


def without_each(model, without_head, num_stories=NUM_ASKED):
    """Return `percents_by_kind` of a model without each head of block 0 in turn, which hands on its mean context.

    model: a `Writer`, or the reader's; without_head: as in notebook 09; num_stories: stories held back that are asked.
    """
    inputs, targets = examples(num_stories, "test")
    rights = []
    for head, mean in enumerate(mean_contexts(model, inputs, targets)):
        changed = copy.deepcopy(model)
        layer = changed.blocks[0].attention
        layer.W_value.bias = nn.Parameter(mean.new_zeros(layer.W_value.out_features))  # some answers write into it
        of_head = layer.W_output.weight.unflatten(1, (layer.num_heads, -1))[:, head]  # (d_model, head_dim)
        changed.blocks[0].attention = silent = without_head(layer, head)
        silent.W_output.bias = nn.Parameter(of_head @ mean)
        rights.append(percents_by_kind(changed, inputs, targets))
    return rights


def ablation(model, without_head, caption):
    """Draw `percents_by_kind` of a model as it is, and `without_each` head of block 0."""
    rights = [percents_by_kind(model, *examples(NUM_ASKED, "test")), *without_each(model, without_head)]
    names = ["whole", *(f"without head {head}" for head in range(len(rights) - 1))]
    percents = torch.tensor([[*right.values()] for right in rights]).round()
    return heatmap(percents, names, [*rights[0]], signed=True, corner="right, in %", caption=caption)
