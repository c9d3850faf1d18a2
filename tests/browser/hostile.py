"""Tokens that are no trouble as text, and a great deal of it as markup."""

HOSTILE = [
    "<script>window.hacked=1</script>",
    '"><img src=x onerror=window.hacked=1>',
    "'\"&amp;\\",
    "</script></table>",
    "long" * 75,
    "🙂👩‍👩‍👧",
    "שלום",
    "مرحبا",
    "",
]
SHOWN = [*HOSTILE[:-1], "␣"]


def check_shown_as_text(page, table):
    """Assert that a table's headers are these tokens, letter by letter, and that nothing else came of them."""
    headers = table.locator("th").evaluate_all("all => all.map(one => one.textContent)")
    assert [text for text in headers if text != "Σ"] == SHOWN * 2
    assert page.evaluate("window.hacked === undefined")
    assert page.locator("[onerror]").count() == 0
