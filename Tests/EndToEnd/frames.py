#!/usr/bin/python3
"""Feeds recorded frames to a terminal emulator, and compares its cells with those that were meant.

    Tests/EndToEnd/frames.py FILE

The file is a list of frames: size, what the terminal was sent, the text that its rows must then have, and
whether it was only asked to draw the same again, after which no cell may look different.
"""

import json
import sys
import unicodedata

from terminal import Emulator, Stream


def look(screen):
    """Every cell: a blank one has a background, but no colour of its own."""
    for row in range(screen.lines):
        for column in range(screen.columns):
            cell = screen.buffer[row][column]
            ground = (cell.bg, cell.reverse, cell.underscore)
            yield (row, column), cell.data, ground, None if cell.data == " " else (cell.fg, cell.bold)


def rows(text):
    return [unicodedata.normalize("NFC", row) for row in text]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        frames = json.load(file)
    screen = stream = None
    for number, frame in enumerate(frames):
        columns, lines = frame["columns"], frame["rows"]
        if screen is None:
            screen = Emulator(columns, lines)
            stream = Stream(screen)
        elif (screen.columns, screen.lines) != (columns, lines):
            screen.resize(lines, columns)
            # Nobody knows what a terminal leaves where.
            for row in range(lines):
                for column in range(columns):
                    screen.buffer[row][column] = screen.default_char._replace(data="#")
        before, stood = list(look(screen)), rows(screen.display)
        stream.feed(frame["bytes"])
        shown, meant = rows(screen.display), rows(frame["text"])
        if shown != meant:
            return report(number, frame, stood, meant, shown)
        if frame["isAgain"] and (after := list(look(screen))) != before:
            pairs = zip(before, after)
            return report(number, frame, stood, *next(pair for pair in pairs if pair[0] != pair[1]))
    print(f"{len(frames)} frames")
    return 0


def report(number, frame, stood, meant, shown):
    print(f"frame {number}: {frame['bytes']!r}")
    for side, what in (("before", stood), ("meant", meant), ("shown", shown)):
        print(f"{side}:", *(what if isinstance(what, list) else [what]), sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
