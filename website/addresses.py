"""Write where this copy of the course lies on GitHub into the README: its website, and notebook 00 on Binder.

python website/addresses.py OWNER/NAME
"""

import argparse
import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
SITE = "https://{owner}.github.io/{name}/"
LINKS = {
    r'(?<=<a href=").*?(?=">\n<picture>)': SITE,
    r"\[(build|open) the website, where pictures react.*?\]\(.*?\)": (
        f"[open the website, where pictures react]({SITE})"
    ),
    r"(?<=\[run it on Binder\]\().*?(?=\))": (
        "https://mybinder.org/v2/gh/{owner}/{name}/HEAD?labpath=notebooks/00_start_here.ipynb"
    ),
}


def addressed(text, repository):
    """Return the README's text with the links of a repository, "owner/name". Raises ValueError if it is none."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ValueError(f"a repository is OWNER/NAME, not {repository!r}")
    owner, _, name = repository.partition("/")
    for link, address in LINKS.items():
        text, count = re.subn(link, address.format(owner=owner, name=name), text)
        if count != 1:
            raise ValueError(f"the README has {count} links for {address}; it needs one")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", metavar="OWNER/NAME")
    try:
        text = addressed(README.read_text(encoding="utf-8"), parser.parse_args().repository)
    except ValueError as error:
        parser.error(str(error))
    README.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
