"""Which cases `--first` leaves to `--rest`."""


def long(case):
    """Marks a case that starts the program dozens of times, or lasts over a minute."""
    case.is_long = True
    return case
