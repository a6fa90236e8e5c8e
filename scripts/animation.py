"""Half a minute with virtual headphones as an SVG that moves by CSS alone, so that web pages play it.

It is made of a recording (recording.py): the screen at the end of each step stands for some seconds, over a
line that says what happens. What is the same on several screens is drawn once.
"""

import drawing
import recording

SIZE = (100, 30)
BEFORE = ("audio", "route", "speakers")
"""The command before the start: the sound goes elsewhere."""
CONFIGURATION = '[connection]\nauto = "never"\n'
STORY = (
    # What happens, what is typed (after ">": what happens to the headphones), what is seen then, and for how
    # many seconds.
    ("Scan: headphones nearby", "", "Veteran", 3),
    ("p  Pair", "p", "PAIRING", 2),
    ("y  Yes: paired, and the controls are ready", "y", "● ready", 2.5),
    ("o  Play here: the sound moves to the headphones", "o", "● playing", 2.5),
    ("3  Transparency", "3", "▐3", 1.5),
    ("2  Noise cancelling", "2", "▐2", 1.5),
    ("E  Equaliser", "E", "EQUALISER", 1.5),
    ("More bass", "kkkkkk", "+3", 1),
    ("A little less above it", "lkkkk", "+2", 1),
    ("And more treble", "G" + "kkkk", "8k", 1),
    ("E  Keep it", "E", "AUDIO ROUTE", 1.5),
    ("A bud is lost", "> aurora out left", "○ left", 2),
    ("F  Find: near or far, last heard", "F", "FINDER", 2.5),
    ("F  Ring: a loud sound", "F", "sound", 2),
    ("y  It rings", "y", "ringing", 2.5),
    ("F  Found", "F", "F Ring", 1.5),
    ("Back", "\x1b", "AUDIO ROUTE", 0.5),
    ("And back in the ear", "> aurora in left", "● left", 2.5),
)


def svg(recorded, ground):
    """The animation of a recording of the story."""
    frames = []
    for screen in recording.emulators(recorded):
        frames.append([drawing.cells_of(screen, row, ground) for row in range(SIZE[1])])
    seen, ends, end = {}, [], 0.0
    for number, (rows, (words, *_, seconds)) in enumerate(zip(frames, STORY, strict=True)):
        end += seconds
        ends.append(end)
        for row, line in enumerate([*rows, [], caption(words, ground)]):
            seen.setdefault((row, tuple(line)), []).append(number)
    canvas = drawing.Canvas(SIZE[0], SIZE[1] + 2, ground)
    return canvas.animated(
        [(row, list(line), numbers) for (row, line), numbers in seen.items()], ends,
        "Earshot in half a minute: scan, pair, sound, noise control, equaliser, a bud lost and found")


def caption(words, ground):
    background, text = drawing.GROUNDS[ground]
    return [(character, text, background, True) for character in " " + words]
