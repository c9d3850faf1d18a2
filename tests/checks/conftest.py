import pytest


@pytest.fixture
def verdict(capsys):
    """Let a check judge an answer, and return what it prints."""

    def judge(check, answer):
        check(answer)
        return capsys.readouterr().out.rstrip("\n")

    return judge
