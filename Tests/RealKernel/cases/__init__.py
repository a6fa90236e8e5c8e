"""The cases: each function whose name begins with `case_` is one, and its name is its title."""


def first(case):
    """Marks a case of the first set, which `scripts/test` runs: what a day begins with, quickly."""
    case.is_first = True
    return case


def hostile(case):
    """Marks a case whose headphone sends what nobody need understand: its capture is not judged."""
    case.is_hostile = True
    return case


def slow(case):
    """Marks a case that lasts over a quarter of a minute: it begins early, so that it does not end alone."""
    case.is_slow = True
    return case
