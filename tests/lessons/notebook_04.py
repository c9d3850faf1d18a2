"""A check for the tests of the reader's file, as one of notebook 04 is."""

from inspect import Parameter, Signature

from companion.checks.exercise import exercise
from companion.checks.feedback import expect_equal


def ours(number):
    return 2 * number


@exercise
def check_double(double):
    """well doubled."""
    expect_equal(double(3), 6, "double(3)")


def check_of(name):
    """Return a check for a function of this name, which gives 1."""

    def check(answer):
        expect_equal(answer(), 1, name)

    check.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_OR_KEYWORD)])
    return exercise(check)
