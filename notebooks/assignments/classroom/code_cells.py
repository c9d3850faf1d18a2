"""What the source of a notebook's code cells says, read as text: nothing is run."""

import ast
import io
import re
import tokenize
import warnings

# Where a student's source defines something. Whatever the text, these patterns take time in proportion to it.
DEFINED = re.compile(r"^(?:(?:async )?(?:def|class) ++|(?=\w++ *+=[^=]))(\w++)", re.MULTILINE)
FUNCTION = re.compile(r"^(?:def|class) ++(\w++)(.*+(?:\n(?:[ \t#)].*+)?)*+)", re.MULTILINE)
NAMED = re.compile(r"^(\w++)[ \t]*+=(.*)", re.MULTILINE)
NO_CODE = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)
LONGEST_ANSWER = 10_000  # characters; a longer cell is not read for sentences
SENTENCE, LETTER = 20, re.compile(r"[^\W\d_]")  # so many letters at least; not all writing has spaces between words
MAGIC = re.compile(r"^ *[%!].*", re.MULTILINE)


def code_of(sources: list[str]) -> dict[str, str]:
    """Return {name: its code, without comments} of all that a notebook's cells define."""
    code = {}
    for source in sources:
        code |= dict(FUNCTION.findall(source)) | dict(NAMED.findall(source))
    return {name: NO_CODE.sub("", body) for name, body in code.items()}


def note_uses(sources: list[str], names: list[str], unwanted: str) -> list[str]:
    """Return a note for each of these names whose code uses what the text asks to do without."""
    code = code_of(sources)
    used = {name: sorted(set(re.findall(unwanted, code.get(name, "")))) for name in names}
    return [f"{name} uses {', '.join(words)}: the text asks to do without" for name, words in used.items() if words]


def words_in(source: str) -> list[str]:
    """Return what may be sentences in a code cell: its remarks and strings, or all of what is no code."""
    if len(source) > LONGEST_ANSWER:
        return []
    try:
        code, remarks, start, end = MAGIC.sub("", source), {}, 0, -1
        with warnings.catch_warnings(action="ignore"):  # of Python, on how it is written
            tree = ast.parse(code)
        if not {*"#'\""} & {*code}:  # most cells have none, and the rest takes its time
            return []
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        for kind, text, (line, _), _, _ in tokenize.generate_tokens(io.StringIO(code).readline):
            if kind == tokenize.COMMENT and not text.startswith("###"):
                start, end = (start if line == end + 1 else line), line
                remarks[start] = f"{remarks[start]}\n{text}" if start in remarks else text
    except (SyntaxError, ValueError, MemoryError, RecursionError, tokenize.TokenError):
        parts = [] if FUNCTION.search(source) else [source]
    else:
        parts = [*remarks.values(), *(node.value for node in nodes if isinstance(node.value, str))]
    return [part for part in parts if len(LETTER.findall(part)) >= SENTENCE]
