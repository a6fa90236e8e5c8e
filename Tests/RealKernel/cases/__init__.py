"""The cases: each function whose name begins with `case_` is one, and its name is its title."""


def hostile(case):
    """Marks a case whose headphone sends what nobody need understand: its capture is not judged."""
    case.is_hostile = True
    return case
