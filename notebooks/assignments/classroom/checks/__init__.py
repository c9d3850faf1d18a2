"""The checks of the assignments: one folder an assignment."""


def gather(*modules) -> dict:
    """Return what a folder of checks offers, by name: each check in its modules, `variation` and `note_code`."""
    found = {name: value for module in modules for name, value in vars(module).items()}
    return {name: found[name] for name in found if name.startswith("check_") or name in ("variation", "note_code")}
