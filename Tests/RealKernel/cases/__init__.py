"""The cases: each function whose name begins with `case_` is one, and its name is its title."""

import itertools

FACTORS = {
    "pairing": ("none", "refused", "just works", "compared", "typed", "PIN"),
    "rights": ("root", "capabilities", "none"),
    "sound": ("none", "PulseAudio", "PipeWire"),
    "end": ("Earshot", "headphone", "adapter", "service"),
}
"""What cases differ in: how they pair, Earshot's rights, the sound server, and who ends the link."""


def first(pairing="none", rights="root", sound="none", end="Earshot"):
    """Marks a case of the first set, which `scripts/test` runs, with its values of the factors.

    The set is pairwise: of any two values of different factors that some case has, one in the set has
    both, a quick one. Besides, it has what a day begins with: a scan, a link, a key, a maker's headphone,
    music.
    """
    values = (pairing, rights, sound, end)
    for value, (factor, known) in zip(values, FACTORS.items()):
        if value not in known:
            raise ValueError(f"{factor} is one of {known}, not {value!r}")

    def mark(case):
        case.factors = dict(zip(FACTORS, values))
        return case

    return mark


def hostile(case):
    """Marks a case whose headphone sends what nobody need understand: its capture is not judged."""
    case.is_hostile = True
    return case


def slow(case):
    """Marks a case that lasts over a quarter of a minute: it begins early, so that it does not end alone."""
    case.is_slow = True
    return case


def uncovered(chosen):
    """Pairs of values that none of these cases has, as text."""
    pairs = {
        pair
        for case in chosen
        if hasattr(case, "factors")
        for pair in itertools.combinations(case.factors.items(), 2)
    }
    return [
        f"{one} {value}, {other} {another}"
        for (one, values), (other, others) in itertools.combinations(FACTORS.items(), 2)
        for value, another in itertools.product(values, others)
        if ((one, value), (other, another)) not in pairs
    ]
