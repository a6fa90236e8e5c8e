"""How a case fails."""

TIMEOUT = 60.0
"""s; a bound on what a busy machine may take, never a pause."""


class Failure(AssertionError):
    """What was expected, and what came instead."""


def expect(condition, what):
    if not condition:
        raise Failure(what)


def equal(actual, expected, what):
    expect(actual == expected, f"{what}: expected {expected!r}, got {actual!r}")
