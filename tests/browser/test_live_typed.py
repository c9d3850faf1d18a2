"""A field to type into: the script cuts what is typed as the reader's functions do, and nothing typed breaks it."""

from hostile import HOSTILE
from lab import sentence
from live_pictures import twin_rows

from companion.course_answers import merges_applied, merges_learned
from companion.pictures.live.notebook_01_typed import typed

MERGES = merges_learned(["eat", "eaten", "eater", "meat", "meat", "aaa"], 4)
BOXES = (
    """all => all.map(one => [...one.children].map(part => part.textContent).concat(one.matches(".attn-unknown")))"""
)
PARTS = [*"abcdefghijklmnopqrstuvwxyz", *map("".join, MERGES), "<unk>"]


def test_whatever_is_typed_is_cut_as_python_does_it_and_stays_text(on_page):
    page = on_page(typed(["meat", "at a"], PARTS, MERGES, merges_applied))
    for text in ["meat", "beaten  team", "aaaa", "Café don't", "a" * 120, *HOSTILE, " \t"]:
        page.get_by_label("text", exact=True).fill(text)
        seen = typed([text[:120]], PARTS, MERGES, merges_applied) if text.split() else None
        wanted = [[*row, row[0] not in PARTS] for row in twin_rows(seen)[1:]] if seen else []
        assert page.locator(".attn-piece").evaluate_all(BOXES) == wanted
        assert sentence(page) == (seen.text if seen else "No token yet.")
    page.get_by_role("button", name="at a", exact=True).click()
    assert sentence(page) == typed(["at a"], PARTS, MERGES, merges_applied).text
    assert page.get_by_role("textbox").input_value() == "at a"
    assert page.evaluate("window.hacked === undefined")
    for key, count in {"Home": 0, "ArrowRight": 1, "End": 4}.items():
        page.get_by_role("slider").press(key)
        pieces = [piece for word in ("at", "a") for piece in merges_applied([*word], MERGES[:count])]
        assert page.locator(".attn-piece bdi").all_text_contents() == pieces
    page = on_page(typed(["meat", "z eat"], PARTS, mark=["eat"]))
    page.get_by_role("button", name="eat", exact=True).click()
    assert page.get_by_role("textbox").input_value() == "z eat"
    page = on_page(typed(["meat"], PARTS[:-1], mark=["eat"]))
    page.get_by_role("textbox").fill("z eat")
    assert page.locator(".attn-marked bdi").all_text_contents() == ["eat"]
    assert sentence(page) == typed(["z eat"], PARTS[:-1]).text
    assert page.get_by_role("slider").count() == 0 and page.get_by_role("button").count() == 0
