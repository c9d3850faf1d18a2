"""A made world of small stories: two people, two things, and who has them in the end. Each story is true to itself.

To go on with such a story one has to keep names apart, to know who "she" is, to remember a color over many sentences,
and to follow who has what. `companion.stories.truth` reads a story and says whether all of that holds.
"""

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


def story(draw):
    """Return a story as a list of tokens, marks included; draw: a `random.Random`."""
    first, second = draw.sample((draw.choice(GIRLS), draw.choice(BOYS)), 2)  # so that "she" can mean only one of them
    found, brought = draw.sample(THINGS, 2)
    names = {thing: f"{color} {thing}" for thing, color in zip((found, brought), draw.sample(COLORS, 2))}
    place = draw.choice(tuple(SPOTS))
    told = opening(draw, first, second, place, names[found], names[brought])
    owner = {found: first, brought: second}
    told += decision(draw, first, second, found, brought, owner)
    if draw.random() < 0.5:
        told += loss(draw, draw.choice((found, brought)), place, owner, names, {first: second, second: first})
    told.append(ending(draw, first, second, owner, names))
    return " ".join(told).split()


def opening(draw, first, second, place, found, brought):
    """Say who is where, what is found there, and who comes with what."""
    spot = draw.choice(SPOTS[place])
    return [
        draw.choice(
            (
                f"It was {draw.choice(WEATHER)} when {first} came to the {place} .",
                f"One day {first} went to the {place} .",
            )
        ),
        draw.choice((f"There {she(first)} found {a(found)} {spot} .", f"{capital(spot)} {she(first)} found {a(found)} .")),
        draw.choice(
            (f"Then {second} came along with {a(brought)} .", f"{second} was there , too , and had {a(brought)} .")
        ),
    ]


def decision(draw, first, second, found, brought, owner):
    """Let the second ask for what was found, and the first give it, trade it or keep it; the owners change."""
    told = [
        draw.choice(
            (f"“ May I have the {found} ? ” asked {second} .", f"{second} liked the {found} and asked for it .")
        )
    ]
    answer = draw.choice(("give", "trade", "keep"))
    if answer == "give":
        owner[found] = second
        told += [f"“ Yes , {second} , ” said {first} .", f"{capital(she(second))} was happy ."]
    elif answer == "trade":
        owner.update({found: second, brought: first})
        told += [f"“ For your {brought} , ” said {first} .", "So they traded , and both were happy ."]
    else:
        told += [f"“ No , {second} , ” said {first} .", f"{capital(she(second))} was sad ."]
    return told


def loss(draw, lost, place, owner, names, other):
    """Let the owner lose a thing, and the other find it, who gives it back or keeps it."""
    loser, finder = owner[lost], other[owner[lost]]
    told = [f"On the way home {loser} lost the {lost} .", f"{finder} found it {draw.choice(SPOTS[place])} ."]
    if draw.random() < 0.6:
        return told + [
            f"“ Here is your {names[lost]} , ” said {finder} .",
            f"“ Thank you , {finder} ! ” said {loser} .",
        ]
    owner[lost] = finder
    return [*told, f"But {finder} said nothing and kept it ."]


def ending(draw, first, second, owner, names):
    """Say who has what in the end, in one sentence."""
    has = {name: [a(names[thing]) for thing in owner if owner[thing] == name] or ["nothing"] for name in (first, second)}
    one, two = draw.sample((first, second), 2)
    return f"Today {one} has {' and '.join(has[one])} , and {two} has {' and '.join(has[two])} ."


def she(name):
    """Return the pronoun for a name."""
    return "she" if name in GIRLS else "he"


def a(name):
    """Put "a" or "an" before a name."""
    return f"an {name}" if name[0] in "aeio" else f"a {name}"


def capital(words):
    """Write the first letter large."""
    return words[0].upper() + words[1:]


def written(tokens):
    """Return tokens as one writes them: no space before a mark, none inside quotation marks."""
    text = " ".join(tokens)
    for mark in ",.?!”":
        text = text.replace(f" {mark}", mark)
    return text.replace("“ ", "“")
