"""The cases: each function whose name begins with `case_` is one, and its name is its title."""


def hostile(case):
    """Marks a case whose headphone sends what nobody need understand: its capture is not judged."""
    case.is_hostile = True
    return case


def known_failure(reason):
    """Marks a case that may fail until `reason` is fixed: it runs and is reported, and does not fail the run."""

    def mark(case):
        case.known_failure = reason
        return case

    return mark
