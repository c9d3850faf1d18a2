"""Read a story, and say which kinds of things in it are not true.

It shares only the lists of words with the world that tells the stories: there all is told, here all is read, so that
each finds the other's mistakes.
"""

import regex

from companion.worlds.stories.world import BOYS, COLORS, GIRLS, SPOTS, THINGS, WEATHER, a, written

WORDS = {
    "NAME": GIRLS + BOYS,
    "PRONOUN": ("she", "he", "She", "He", "her", "him"),
    "NOUN": [f"{a(color)} {thing}" for color in COLORS for thing in THINGS],
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
KINDS = {"sentences": "every sentence is whole, and has its turn"}  # and those that have a check below


def untrue(tokens):
    """Return which of `KINDS` are not true in a story, a list of tokens: an empty set if all is true."""
    found = STORY.fullmatch(" ".join(tokens))
    if not found:
        return {"sentences"}
    said = found.capturesdict()  # each name of a group, and all that was said there
    return {check.__name__ for check in CHECKS if not check(said)}


def count_true(stories):
    """Return how many stories are true throughout."""
    return sum(not untrue(tokens) for tokens in stories)


def judge(stories):
    """Print each story, and what in it is not true."""
    for tokens in stories:
        print(f"{written(tokens)}\nnot true: {', '.join(sorted(untrue(tokens))) or 'nothing'}\n")


def names(said):
    """Two people are there, and each keeps to the part that is hers or his."""
    [first], [second] = said["first"], said["second"]
    asks, asked, losers, finders = ({*said[part]} for part in ("asks", "asked", "loser", "finder"))
    both = not losers or (len(losers) == len(finders) == 1 and losers | finders == {first, second})
    return first != second and asks == {second} and asked <= {first} and both and {*said["owner"]} <= {first, second}


def pronouns(said):
    """ "She" and "he" fit the one who is meant."""
    spoken = [(word, said["first"][0]) for word in said["she"]] + [(word, said["second"][0]) for word in said["he"]]
    spoken += [(word, said["finder"][0]) for word in said["finder_too"]]
    return all((word.lower() in ("she", "her")) == (name in GIRLS) for word, name in spoken)


def things(said):
    """It is the same thing to the end, and of the same color."""
    [found] = said["found"]
    _, color, thing = found.split()
    again = {*said["noun"], *(a(name) for name in said["again"])}
    return {*said["thing"]} <= {thing} and again == {found}


def places(said):
    """Things lie only where they can lie in this place."""
    return {*said["spot"]} <= {*SPOTS[said["place"][0]]}


def moods(said):
    """Who gets the thing is happy, and who does not is sad."""
    return (said["mood"] == ["happy"]) == (said["answer"][0] in ("Yes", "gave"))


def owners(said):
    """Nobody loses what somebody else has, and in the end it is with the one who came to have it."""
    owner = said["second" if said["answer"][0] in ("Yes", "gave") else "first"][0]
    had = {*said["loser"]} <= {owner}
    return had and said["owner"] == (said["finder"][:1] if said["taken"] else [owner])


CHECKS = names, pronouns, things, places, moods, owners
KINDS |= {check.__name__: check.__doc__ for check in CHECKS}
