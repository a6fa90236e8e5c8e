"""A recording of a minute with virtual headphones: an asciicast, version 2.

What the program writes is recorded as it is, with its own pace within a step; between steps stands a pause
for the reader. Each step begins with a marker, so that players can jump there.
"""

import codecs
import glob
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "Tests", "EndToEnd"))

from terminal import Emulator, Failure, Stream, Terminal  # noqa: E402

SIZE = (100, 30)
ADAPTER = ("--adapter", "virtual-quiet")
PAUSE = 3.2
"""Seconds from the end of a step to the next one."""
REST = 0.7
"""Seconds without output after which a step has ended."""
TOUR = (
    # The marker, what is typed (after ">": what happens to the headphones), and what is seen then.
    ("Sound and controls of a headphone", "", "Sound and controls are working"),
    ("Hear what is around you", "3", "▐3"),
    ("Noise cancelling", "2", "▐2"),
    ("A bud is taken out", "> aurora out left", "○ left"),
    ("In the case it charges", "> aurora case left", "↯"),
    ("And put back", "> aurora in left", "● left"),
    ("The left battery runs low", "> aurora level left 12", "12%"),
    ("More bass", "e", "▐Bass"),
    ("The equaliser, band by band", "E", "EQUALISER"),
    ("A band is raised", "kkkkll", "+2"),
    ("Esc keeps the changes", "\x1b", "AUDIO ROUTE"),
    ("Play on the speakers", "\t\tj\r", "● Speakers"),
    ("And on the headphones again", "o", "● Aurora"),
    ("A call opens the microphone", "Oj\r", "HFP"),
    ("Music gets its quality back", "Ok\r", "A2DP"),
    ("Everything about the headphones", "i", "INFORMATION"),
    ("Every key", "\x1b?", "KEYS"),
    ("That was Earshot", "\x1b", "AUDIO ROUTE"),
)


def record(binary, environment, story=TOUR, size=SIZE, before=()):
    """The recording of a story, after a command, in an environment, as the text of its file."""
    environment = {**environment, "COLORTERM": "truecolor"}
    with subprocess.Popen(
        [binary, "simulate", *ADAPTER], env={**os.environ, **environment}, stdin=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL) as simulator:
        try:
            # The one that comes first has the headphones.
            while not glob.glob(os.path.join(environment["XDG_RUNTIME_DIR"], "earshot", "*.socket")):
                if simulator.poll() is not None:
                    raise Failure("there are no virtual headphones")
                time.sleep(0.05)
            if before:
                subprocess.run(
                    [binary, *before, *ADAPTER], env={**os.environ, **environment}, check=True,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with Terminal([binary, *ADAPTER], *size, environment=environment) as terminal:
                found = list(events(terminal, simulator.stdin, story))
        finally:
            simulator.terminate()
    header = {"version": 2, "width": size[0], "height": size[1], "title": "Earshot",
              "env": {"TERM": "screen-256color"}}
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [header, *found])


def events(terminal, simulator, story):
    start, decoder = 0.0, codecs.getincrementaldecoder("utf-8")()
    terminal.expect("every headphone", lambda text: "Veteran" in text and "Scan ended" in text)
    for title, act, seen, *_ in story:
        yield [round(start, 3), "m", title]
        if act.startswith(">"):
            print(act[2:], file=simulator, flush=True)
        else:
            terminal.send(act)
        # The first step has all that was drawn so far.
        done, offset = len(terminal.raw) if act else 0, 0.0
        for offset in chunks(terminal, title, seen):
            written, done = terminal.raw[done:], len(terminal.raw)
            yield [round(start + offset, 3), "o", decoder.decode(written)]
        start += offset + PAUSE
    terminal.send("q")
    terminal.end()


def chunks(terminal, title, seen):
    """Reads what the program writes until it rests and shows what it should; seconds since the beginning."""
    begin = time.monotonic()
    yield 0.0
    while time.monotonic() - begin < 30:
        try:
            alive = terminal.read(time.monotonic() + REST)
        except TimeoutError:
            if seen in terminal.text():
                return
            continue
        if not alive:
            break
        yield time.monotonic() - begin
    raise Failure(f"never saw {seen} ({title})\n{terminal.text()}")


def screens(recording):
    """The screen at the end of each step, as text."""
    return ["\n".join(row.rstrip() for row in screen.display) for screen in emulators(recording)]


def emulators(recording):
    """The emulator of a terminal at the end of each step."""
    head, *lines = map(json.loads, recording.splitlines())
    screen = Emulator(head["width"], head["height"])
    stream = Stream(screen)
    for place, (_, kind, data) in enumerate(lines):
        if kind == "o":
            stream.feed(data)
        elif place > 0:
            yield screen
    yield screen
