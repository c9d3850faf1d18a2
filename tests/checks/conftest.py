import pytest


def pytest_make_parametrize_id(val, argname):
    """Name a check with its notebook, as in notebook_04-check_my_scores, so that -k finds either."""
    if argname == "check" and callable(val):  # elsewhere a check is a name
        return f"{val.__module__.rpartition('.')[2]}-{val.__name__}"


@pytest.fixture
def verdict(capsys):
    """Let a check judge an answer, and return what it prints."""

    def judge(check, answer):
        check(answer)
        return capsys.readouterr().out.rstrip("\n")

    return judge
