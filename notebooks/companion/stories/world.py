"""A made world of small stories: two people, one thing, and who has it in the end. Each story is true to itself.

To go on with such a story one has to keep names apart, to know who "she" is, to remember a color over many sentences,
and to follow who has the thing. `companion.stories.truth` reads a story and says whether all of that holds.
"""

import math

GIRLS = ("Ada", "Eva", "Ida", "Lena", "Mia", "Nora", "Rosa", "Zoe")
BOYS = ("Ben", "Carl", "Emil", "Finn", "Hugo", "Leo", "Max", "Tom")
COLORS = ("blue", "golden", "green", "old", "red", "shiny", "white", "yellow")
THINGS = ("ball", "bell", "boat", "book", "drum", "hat", "kite", "lamp", "map", "ring")
SPOTS = {  # what lies around depends on the place
    "garden": ("under a tree", "behind the roses"),
    "forest": ("under a tree", "beside the path"),
    "harbor": ("beside the water", "in a basket"),
    "beach": ("in the sand", "beside the water"),
    "market": ("in a basket", "under a bench"),
    "park": ("under a bench", "beside the path"),
}
WEATHER = ("cold", "dark", "early", "late", "warm", "windy")


def girl_and_boy(draw):
    """Return two names, so that "she" can mean only one of them."""
    return draw.sample((draw.choice(GIRLS), draw.choice(BOYS)), 2)


def any_two(draw):
    """Return two names, perhaps of two girls or of two boys."""
    return draw.sample(GIRLS + BOYS, 2)


def story(draw, people=girl_and_boy):
    """Return a story as a list of tokens, marks included; draw: a `random.Random`; people: draws two names."""
    first, second = people(draw)
    thing, place = draw.choice(THINGS), draw.choice(tuple(SPOTS))
    name = f"{draw.choice(COLORS)} {thing}"
    told = opening(draw, first, second, thing, name, place)
    told += wish(draw, first, second, thing)
    gives = draw.random() < 0.5
    told += gift(draw, first, second, thing) if gives else refusal(draw, first, second, thing)
    owner, other = (second, first) if gives else (first, second)
    if draw.random() < 0.6:
        told.append(f"On the way home {owner} lost the {thing} .")
        told.append(f"{other} found it {draw.choice(SPOTS[place])} .")
        if draw.random() < 0.6:
            told += thanks(draw, owner, other, thing, name)
        else:
            told.append(f"But {other} said nothing and kept it .")
            owner = other
    told.append(draw.choice((f"Today {owner} has {a(name)} .", f"Today the {name} is in {owner} 's house .")))
    return " ".join(told).split()


def left_to_chance():
    """Return the entropy of a `story` of a girl and a boy, in nats: what nobody can foresee who knows all rules."""

    def unsure(chance):
        return -chance * math.log(chance) - (1 - chance) * math.log(1 - chance)

    people, name, spots = 2 * len(GIRLS) * len(BOYS), len(COLORS) * len(THINGS), 2
    opening = math.log(people * name * len(SPOTS) * spots) + math.log(2) + math.log(len(WEATHER)) / 2
    turns = 2 * math.log(3) + 2 * math.log(2)  # who comes, who asks and how; whether it is given, and how that is told
    loss = unsure(0.6) + 0.6 * (math.log(spots) + unsure(0.6) + 0.6 * math.log(2))
    return opening + turns + loss + math.log(2)


def opening(draw, first, second, thing, name, place):
    """Say who is where, what is found there, and who comes."""
    return [
        draw.choice(
            (
                f"It was {draw.choice(WEATHER)} when {first} came to the {place} .",
                f"One day {first} went to the {place} .",
            )
        ),
        f"There {she(first)} found {a(name)} {draw.choice(SPOTS[place])} .",
        draw.choice(
            (f"Then {second} came along .", f"{second} was there , too .", f"{second} saw the {thing} , too .")
        ),
    ]


def wish(draw, first, second, thing):
    """Let the second ask for what was found."""
    return [
        draw.choice(
            (
                f"“ May I have the {thing} ? ” asked {second} .",
                f"{second} liked the {thing} and asked {first} for it .",
                f"“ Please give it to me , {first} , ” said {second} .",
            )
        )
    ]


def gift(draw, first, second, thing):
    """Let the first give it."""
    return [
        draw.choice((f"“ Yes , {second} , ” said {first} .", f"{first} gave {him(second)} the {thing} .")),
        f"{she(second).capitalize()} was happy .",
    ]


def refusal(draw, first, second, thing):
    """Let the first keep it."""
    return [
        draw.choice((f"“ No , {second} , ” said {first} .", f"{first} kept the {thing} .")),
        f"{she(second).capitalize()} was sad .",
    ]


def thanks(draw, owner, other, thing, name):
    """Let the finder give it back."""
    return [
        draw.choice((f"“ Here is your {name} , ” said {other} .", f"{she(other).capitalize()} gave it back .")),
        f"“ Thank you , {other} ! ” said {owner} .",
    ]


def she(name):
    """Return the pronoun for a name."""
    return "she" if name in GIRLS else "he"


def him(name):
    """Return the pronoun for a name to whom something is done."""
    return "her" if name in GIRLS else "him"


def a(name):
    """Put "a" or "an" before a name."""
    return f"an {name}" if name[0] in "aeio" else f"a {name}"


def written(tokens):
    """Return tokens as one writes them: no space before a mark, none inside quotation marks."""
    text = " ".join(tokens)
    for mark in (",", ".", "?", "!", "”", "'s"):
        text = text.replace(f" {mark}", mark)
    return text.replace("“ ", "“")
