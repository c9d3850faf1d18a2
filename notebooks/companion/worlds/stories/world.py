"""A made world of small stories: two people, one thing, and who has it in the end. Each story is true to itself.

To go on with such a story one has to keep names apart, to know who "she" is, to remember a color over many sentences,
and to follow who has the thing. `companion.worlds.stories.truth` reads a story and says whether all of that holds.
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
# What happens, and in which ways it is told.
OPENINGS = "It was {weather} when {first} came to the {place} .", "One day {first} went to the {place} ."
ARRIVALS = "Then {second} came along .", "{second} was there , too .", "{second} saw the {thing} , too ."
WISHES = (
    "“ May I have the {thing} ? ” asked {second} .",
    "{second} liked the {thing} and asked {first} for it .",
    "“ Please give it to me , {first} , ” said {second} .",
)
GIFTS = "“ Yes , {second} , ” said {first} .", "{first} gave {him} the {thing} ."
REFUSALS = "“ No , {second} , ” said {first} .", "{first} kept the {thing} ."
RETURNS = "“ Here is your {name} , ” said {finder} .", "{She} gave it back ."
ENDINGS = "Today {owner} has {a_name} .", "Today the {name} is in {owner} 's house ."


def girl_and_boy(generator):
    """Return two names, so that "she" can mean only one of them."""
    return generator.sample((generator.choice(GIRLS), generator.choice(BOYS)), 2)


def any_two(generator):
    """Return two names, perhaps of two girls or of two boys."""
    return generator.sample(GIRLS + BOYS, 2)


def story(generator, people=girl_and_boy):
    """Return a story as a list of tokens, marks included; generator: a `random.Random`; people: draws two names."""
    first, second = people(generator)
    thing, place = generator.choice(THINGS), generator.choice(tuple(SPOTS))
    name = f"{generator.choice(COLORS)} {thing}"
    says = {"first": first, "second": second, "thing": thing, "place": place, "name": name}
    says |= {
        "a_name": with_article(name),
        "him": "her" if second in GIRLS else "him",
        "weather": generator.choice(WEATHER),
    }
    sentences = []

    def tell(ways, **more):
        sentences.append(generator.choice(ways).format(**says, **more))

    tell(OPENINGS)
    sentences.append(f"There {pronoun_of(first)} found {with_article(name)} {generator.choice(SPOTS[place])} .")
    tell(ARRIVALS)
    tell(WISHES)
    gives = generator.random() < 0.5
    tell(GIFTS if gives else REFUSALS)
    sentences.append(f"{pronoun_of(second).capitalize()} was {'happy' if gives else 'sad'} .")
    owner, finder = (second, first) if gives else (first, second)
    if generator.random() < 0.6:
        sentences.append(f"On the way home {owner} lost the {thing} .")
        sentences.append(f"{finder} found it {generator.choice(SPOTS[place])} .")
        if generator.random() < 0.6:
            tell(RETURNS, finder=finder, She=pronoun_of(finder).capitalize())
            sentences.append(f"“ Thank you , {finder} ! ” said {owner} .")
        else:
            sentences.append(f"But {finder} said nothing and kept it .")
            owner = finder
    tell(ENDINGS, owner=owner)
    return " ".join(sentences).split()


def left_to_chance():
    """Return the entropy of a `story` of a girl and a boy, in nats: what no knowledge of its rules foresees."""

    def unsure(chance):
        return -chance * math.log(chance) - (1 - chance) * math.log(1 - chance)

    people, name, spots = 2 * len(GIRLS) * len(BOYS), len(COLORS) * len(THINGS), 2
    opening = math.log(people * name * len(SPOTS) * spots) + math.log(2) + math.log(len(WEATHER)) / 2
    turns = 2 * math.log(3) + 2 * math.log(2)  # who comes, who asks and how; whether it is given, and how that is told
    loss = unsure(0.6) + 0.6 * (math.log(spots) + unsure(0.6) + 0.6 * math.log(2))
    return opening + turns + loss + math.log(2)


def pronoun_of(name):
    """Return the pronoun for a name."""
    return "she" if name in GIRLS else "he"


def with_article(name):
    """Put "a" or "an" before a name."""
    return f"an {name}" if name[0] in "aeio" else f"a {name}"


def written(tokens):
    """Return tokens as one writes them: no space before a mark, none inside quotation marks."""
    text = " ".join(tokens)
    for mark in (",", ".", "?", "!", "”", "'s"):
        text = text.replace(f" {mark}", mark)
    return text.replace("“ ", "“")
