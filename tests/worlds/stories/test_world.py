"""The world's stories are true by a reader of its own, and one changed word makes them untrue."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.worlds.stories.becoming import mark_unfit
from companion.worlds.stories.truth import untrue
from companion.worlds.stories.world import BOYS, COLORS, GIRLS, THINGS, WEATHER, left_to_chance, story

SWAPS = [GIRLS + BOYS, COLORS, THINGS, ("she", "he"), ("She", "He"), ("her", "him")]
SWAPS += [("happy", "sad"), ("Yes", "No"), ("gave", "kept")]
TOLD = (
    "It was cold when Zoe came to the beach . There she found a red kite in the sand . Tom saw the kite , too . "
    "“ May I have the kite ? ” asked Tom . “ Yes , Tom , ” said Zoe . He was happy . "
    "On the way home Tom lost the kite . Zoe found it in the sand . “ Here is your red kite , ” said Zoe . "
    "“ Thank you , Zoe ! ” said Tom . Today Tom has a red kite ."
)
FOUND = TOLD[TOLD.index("Zoe found it") :]


def changed(old, new):
    """Return the tokens of the story told above, the last of these words changed."""
    before, _, behind = TOLD.rpartition(old)
    return f"{before}{new}{behind}".split()


@given(some.integers())
def test_every_story_of_the_world_is_true(seed):
    assert untrue(story(random.Random(seed))) == set()


@pytest.mark.parametrize("seed", range(25))
def test_a_story_with_one_word_changed_for_another_of_its_kind_is_not_and_shows_it(seed):
    tokens = story(random.Random(seed))
    swaps = [
        [*tokens[:place], other, *tokens[place + 1 :]]
        for kind in SWAPS
        for place, word in enumerate(tokens)
        for other in kind
        if word in kind and word != other
    ]
    assert all(map(untrue, swaps))
    assert all("*" in " ".join(mark_unfit(swap)) for swap in (swaps[0], *swaps[-6:]))  # of each kind


@pytest.mark.parametrize(
    "old, new, kind",
    [
        ("Today", "today", "sentences"),
        ("Tom", "Max", "names"),
        (TOLD, TOLD.replace("Tom", "Zoe"), "names"),
        ("said Tom", "said Zoe", "names"),
        (FOUND, FOUND.replace("Zoe", "Tom"), "names"),
        ("He was", "She was", "pronouns"),
        ("“ Here is your red kite , ” said Zoe", "He gave it back", "pronouns"),
        ("red", "blue", "things"),
        ("sand", "basket", "sentences"),
        ("happy", "sad", "moods"),
        ("Tom", "Zoe", "owners"),
    ],
)
def test_what_is_not_true_is_named(old, new, kind):
    assert kind in untrue(changed(old, new))


def test_a_thing_lies_only_where_it_can_lie():
    assert untrue(changed("in the sand", "behind the roses")) == {"places"}
    assert untrue(TOLD.replace("in the sand", "behind the roses", 1).split()) == {"places"}


def test_nobody_loses_what_somebody_else_has():
    lost = "Zoe lost the kite . Tom found it in the sand . But Tom said nothing and kept it . "
    assert untrue(changed(TOLD[TOLD.index("Tom lost") : TOLD.index("Today")], lost)) == {"owners"}


class Recorded(random.Random):
    """Draws, and adds up by how much each draw could not be foreseen."""

    nats = 0.0

    def choice(self, options):
        self.nats += math.log(len(options))
        return super().choice(options)

    def sample(self, options, number):
        self.nats += math.log(math.perm(len(options), number))
        return super().sample(options, number)

    def random(self):
        generator = self

        class Drawn(float):
            def __lt__(self, chance):
                below = float(self) < chance
                generator.nats -= math.log(chance if below else 1 - chance)
                return below

        return Drawn(super().random())


def test_what_is_left_to_chance_is_the_average_cost_of_draws():
    generator = Recorded(0)
    for _ in range(4_000):
        story(generator)
    told_by_half = math.log(len(WEATHER)) / 2  # each story draws a weather, and every second one tells it
    assert abs(generator.nats / 4_000 - told_by_half - left_to_chance()) < 0.06  # three standard errors
