"""Read a story, and say which kinds of things in it are not true.

It shares only the lists of words with the world that tells the stories: there all is told, here all is read, so that
each finds the other's mistakes.
"""

import regex

from companion.worlds.stories.world import BOYS, COLORS, GIRLS, SPOTS, THINGS, WEATHER, with_article

WORDS = {
    "NAME": GIRLS + BOYS,
    "PRONOUN": ("she", "he", "She", "He", "her", "him"),
    "NOUN": [f"{with_article(color)} {thing}" for color in COLORS for thing in THINGS],
    "COLORED": [f"{color} {thing}" for color in COLORS for thing in THINGS],
    "THING": THINGS,
    "PLACE": tuple(SPOTS),
    "SPOT": {spot for spots in SPOTS.values() for spot in spots},
    "WEATHER": WEATHER,
}
FORM = """(It was WEATHER when (?P<first>NAME) came|One day (?P<first>NAME) went) to the (?P<place>PLACE) [.]
There (?P<she>PRONOUN) found (?P<found>NOUN) (?P<spot>SPOT) [.]
(Then (?P<second>NAME) came along|(?P<second>NAME) was there , too|(?P<second>NAME) saw the (?P<thing>THING) , too) [.]
(“ May I have the (?P<thing>THING) [?] ” asked (?P<asks>NAME)|(?P<asks>NAME) liked the (?P<thing>THING) and asked \
(?P<asked>NAME) for it|“ Please give it to me , (?P<asked>NAME) , ” said (?P<asks>NAME)) [.]
(“ (?P<answer>Yes|No) , (?P<asks>NAME) , ” said (?P<asked>NAME)|(?P<asked>NAME) (?P<answer>gave) (?P<he>PRONOUN) the \
(?P<thing>THING)|(?P<asked>NAME) (?P<answer>kept) the (?P<thing>THING)) [.]
(?P<he>PRONOUN) was (?P<mood>happy|sad) [.]
(On the way home (?P<loser>NAME) lost the (?P<thing>THING) [.] (?P<finder>NAME) found it (?P<spot>SPOT) [.] \
((“ Here is your (?P<again>COLORED) , ” said (?P<finder>NAME)|(?P<finder_too>PRONOUN) gave it back) [.] \
“ Thank you , (?P<finder>NAME) ! ” said (?P<loser>NAME)|\
But (?P<finder>NAME) said nothing and (?P<taken>kept) it) [.] )?\
Today ((?P<owner>NAME) has (?P<noun>NOUN)|the (?P<again>COLORED) is in (?P<owner>NAME) 's house) [.]"""
NAMED = regex.compile(rf"\b({'|'.join(WORDS)})\b")
STORY = regex.compile(NAMED.sub(lambda word: f"(?:{'|'.join(WORDS[word[0]])})", FORM.replace("\n", " ")))


def untrue(tokens):
    """Return the names of the `CHECKS` that a story, a list of tokens, fails: an empty set if all is true.

    It is {"sentences"} if not every sentence is whole, and has its turn: then nothing else can be checked.
    """
    match = STORY.fullmatch(" ".join(tokens))
    if not match:
        return {"sentences"}
    parts = match.capturesdict()  # each name of a group, and all that was said there
    return {check.__name__ for check in CHECKS if not check(parts)}


def count_true(stories):
    """Return how many stories are true throughout."""
    return sum(not untrue(tokens) for tokens in stories)


def names(parts):
    """Two people are there, and each keeps to the part that is hers or his."""
    [first], [second] = parts["first"], parts["second"]
    asks, asked, losers, finders = ({*parts[part]} for part in ("asks", "asked", "loser", "finder"))
    both = not losers or (len(losers) == len(finders) == 1 and losers | finders == {first, second})
    return first != second and asks == {second} and asked <= {first} and both and {*parts["owner"]} <= {first, second}


def pronouns(parts):
    """ "She" and "he" fit the one who is meant."""
    spoken = [(word, parts["first"][0]) for word in parts["she"]] + [(word, parts["second"][0]) for word in parts["he"]]
    spoken += [(word, parts["finder"][0]) for word in parts["finder_too"]]
    return all((word.lower() in ("she", "her")) == (name in GIRLS) for word, name in spoken)


def things(parts):
    """It is the same thing to the end, and of the same color."""
    [thing_found] = parts["found"]
    _, color, thing = thing_found.split()
    again = {*parts["noun"], *(with_article(name) for name in parts["again"])}
    return {*parts["thing"]} <= {thing} and again == {thing_found}


def places(parts):
    """Things lie only where they can lie in this place."""
    return {*parts["spot"]} <= {*SPOTS[parts["place"][0]]}


def moods(parts):
    """Who gets the thing is happy, and who does not is sad."""
    return (parts["mood"] == ["happy"]) == (parts["answer"][0] in ("Yes", "gave"))


def owners(parts):
    """Nobody loses what somebody else has, and in the end it is with the one who came to have it."""
    owner = parts["second" if parts["answer"][0] in ("Yes", "gave") else "first"][0]
    had = {*parts["loser"]} <= {owner}
    return had and parts["owner"] == (parts["finder"][:1] if parts["taken"] else [owner])


CHECKS = names, pronouns, things, places, moods, owners
