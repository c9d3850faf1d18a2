"""What a teacher may want to see in a4_bug_hunt: repairs that are right, but were not made from the code shown."""

import re

from classroom.grader.reading import FUNCTION

NAMED = re.compile(r"^(repaired_\d+)[ \t]*=(.*)", re.MULTILINE)
OTHERS = re.compile(r"\b(?:attention_\d+|ATTENTIONS|repaired_\d+)\b")
NO_CODE = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)


def remarks(sources):
    """Return notes: which repairs have the same code, and which hand the work on to another attention.

    sources: of a notebook's code cells. They are read as text: nothing in them is run or parsed.
    """
    code = {}
    for source in sources:
        code |= {name: body for name, body in FUNCTION.findall(source) if name.startswith("repaired_")}
        code |= dict(NAMED.findall(source))
    code = {name: NO_CODE.sub("", body) for name, body in code.items()}
    alike = {}
    for name, body in code.items():
        alike.setdefault("".join(body.split()), []).append(name)
    notes = [f"the same code stands in {', '.join(names)}" for names in alike.values() if len(names) > 1]
    handed = {name: sorted(set(OTHERS.findall(body))) for name, body in code.items()}
    return notes + [f"{name} uses {', '.join(others)}" for name, others in handed.items() if others]
