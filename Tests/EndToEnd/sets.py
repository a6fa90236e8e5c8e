"""Which cases `--first` leaves to a run of the optimised program."""


def long(case):
    """Marks a case that starts the program dozens of times."""
    case.is_long = True
    return case
