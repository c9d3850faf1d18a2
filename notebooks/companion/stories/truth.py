"""Read a story, and say which kinds of things in it are not true.

It shares only the lists of words with the world that tells the stories: there all is told, here all is read, so that
each finds the other's mistakes.
"""

import regex

from companion.stories.world import BOYS, COLORS, GIRLS, SPOTS, THINGS, WEATHER, a, capital

KINDS = ("sentences", "names", "pronouns", "colors", "places", "owners")
SPOT = sorted({spot for spots in SPOTS.values() for spot in spots})
WORDS = {
    "NAME": GIRLS + BOYS,
    "SHE": ("she", "he"),
    "WHO": ("She", "He", *GIRLS, *BOYS),
    "NOUN": [f"{a(color)} {thing}" for color in COLORS for thing in THINGS],
    "COLORED": [f"{color} {thing}" for color in COLORS for thing in THINGS],
    "THING": THINGS,
    "PLACE": tuple(SPOTS),
    "SPOT": SPOT + [capital(spot) for spot in SPOT],
    "WEATHER": WEATHER,
}
FORM = """(It was (?P<weather>WEATHER) when (?P<first>NAME) came|One day (?P<first>NAME) went) to the (?P<place>PLACE) [.]
(There (?P<alone>SHE) found (?P<found>NOUN) (?P<spot>SPOT)|(?P<spot>SPOT) (?P<alone>SHE) found (?P<found>NOUN)) [.]
(Then (?P<second>NAME) came along with|(?P<second>NAME) was there , too , and had) (?P<brought>NOUN) [.]
(“ May I have the (?P<wish>THING) [?] ” asked (?P<asks>NAME)|(?P<asks>NAME) liked the (?P<wish>THING) and asked for it) [.]
(“ (?P<answer>Yes|No) , (?P<asks>NAME) , ” said (?P<says>NAME) [.] (?P<mood>WHO) was (?P<feels>happy|sad)|\
“ For your (?P<price>THING) , ” said (?P<says>NAME) [.] So they traded , and both were happy) [.]
(On the way home (?P<loser>NAME) lost the (?P<lost>THING) [.] (?P<finder>NAME) found it (?P<spot>SPOT) [.] \
(“ Here is your (?P<back>COLORED) , ” said (?P<finder>NAME) [.] “ Thank you , (?P<finder>NAME) ! ” said (?P<loser>NAME)|\
But (?P<finder>NAME) said nothing and (?P<kept>kept) it) [.] )?\
Today (?P<one>NAME) has (nothing|(?P<ones>NOUN)( and (?P<ones>NOUN))?) , \
and (?P<two>NAME) has (nothing|(?P<twos>NOUN)( and (?P<twos>NOUN))?) [.]"""


def _pattern():
    named = regex.compile(r"\b(" + "|".join(WORDS) + r")\b")
    return regex.compile(named.sub(lambda word: f"(?:{'|'.join(WORDS[word[0]])})", FORM.replace("\n", " ")))


STORY = _pattern()


def untrue(tokens):
    """Return which of `KINDS` are not true in a story, a list of tokens: an empty set if all is true."""
    found = STORY.fullmatch(" ".join(tokens))
    if not found:
        return {"sentences"}
    said = found.capturesdict()  # each name of a group, and all that was said there
    return {kind for kind, holds in CHECKS.items() if not holds(said)}


def _names(said):
    """Two people, each in the right part."""
    [first], [second] = said["first"], said["second"]
    loser, finder = set(said["loser"]), set(said["finder"])
    return (
        first != second
        and set(said["asks"]) == {second}
        and said["says"] == [first]
        and {*said["one"], *said["two"]} == {first, second}
        and {*said["mood"]} <= {second, "She", "He"}
        and (not loser or (loser | finder == {first, second} and len(loser) == len(finder) == 1))
    )


def _pronouns(said):
    """ "She" is somebody of whom one says so, and nobody else can be meant."""
    girls = [name in GIRLS for name in (*said["first"], *said["second"])]
    [alone], mood = said["alone"], [word for word in said["mood"] if word in ("She", "He")]
    return (alone == "she") == girls[0] and (not mood or (girls[0] != girls[1] and (mood == ["She"]) == girls[1]))


def _colors(said):
    """A thing keeps its color, and only what is there is spoken of."""
    there = {_thing(noun): noun for noun in said["found"] + said["brought"]}
    again = said["ones"] + said["twos"] + [a(name) for name in said["back"]]
    return len(there) == 2 and all(noun == there.get(_thing(noun)) for noun in again)


def _places(said):
    """Things lie only where they can lie in this place."""
    return all(spot[0].lower() + spot[1:] in SPOTS[said["place"][0]] for spot in said["spot"])


def _owners(said):
    """What each has in the end is what came of all that happened, and nobody gives, trades or loses what others have."""
    first, second = said["first"] + said["second"]
    found, brought = map(_thing, said["found"] + said["brought"])
    owner = {found: first, brought: second}
    if said["answer"] != ["No"]:
        owner[found] = second
    if said["price"]:
        owner[brought] = first
    happy = said["feels"] in ([], ["happy" if said["answer"] == ["Yes"] else "sad"])
    had = all(owner.get(lost) == said["loser"][0] for lost in said["lost"])
    if said["kept"]:
        owner[said["lost"][0]] = said["finder"][0]
    end = {_thing(noun): said[who][0] for who in ("one", "two") for noun in said[f"{who}s"]}
    spoken = said["wish"] == [found] and said["price"] in ([], [brought])
    returned = [_thing(name) for name in said["back"]] in ([], said["lost"])
    return happy and had and spoken and returned and end == owner and len(said["ones"] + said["twos"]) == 2


def _thing(noun):
    return noun.split()[-1]


CHECKS = {"names": _names, "pronouns": _pronouns, "colors": _colors, "places": _places, "owners": _owners}
