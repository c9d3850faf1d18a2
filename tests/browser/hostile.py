"""Tokens that are harmless as text, and do great harm as markup."""

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
