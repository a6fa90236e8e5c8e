"""The screen in words, as a screen reader or a braille display gets it: the line of the cursor after every key."""

import os
import subprocess

from terminal import Terminal

QUIET = ("--adapter", "virtual-quiet")


def start(binary, *options, columns=80, rows=24):
    terminal = Terminal([binary, *QUIET, *options], columns, rows)
    terminal.expect("the first values", lambda text: "): Noise canc" in text and "case 62%" in text)
    terminal.expect("the end of the scan", lambda text: "scanning" not in text)
    return terminal


def line(terminal):
    """What a reader says, which follows the cursor."""
    return terminal.screen.display[terminal.screen.cursor.y].strip()


def says(terminal, keys, words):
    terminal.send(keys)
    terminal.expect(f"the cursor's line after {keys!r}: {words}", lambda text: words in line(terminal))


STEPS = (
    ("", "Noise control (a): Noise cancelling; also 1 Off, 3 Transparency"),
    ("3", "Noise control (a): Transparency; also 1 Off"),
    ("j", "Ambient level"),
    ("j", "Equaliser (e): Balanced; also"),
    ("j", "Wear detection (w)"),
    ("\t", "Aurora Buds, shown: sound playing, controls ready, left 84%"),
    ("j", "Drift Neckband, shown:"),
    ("k", "Aurora Buds, shown:"),
    ("\t", "Aurora Buds: volume"),
    ("j", "Speakers: volume 60%"),
    ("+", "Speakers: volume 65%"),
    ("\tX", "n Keep, chosen"),
    ("\t", "y Forget, chosen"),
    ("n", "Wear detection"),
    ("E", "63 Hz: 0 dB"),
    ("j", "63 Hz: -0.5 dB"),
    ("l", "125 Hz: 0 dB"),
    ("\x1b", "Wear detection"),
    ("B", "Left, tap"),
    ("\x1b", "Wear detection"),
)


def case_a_reader_hears_the_row_of_each_key(binary):
    with start(binary, "--accessible") as terminal:
        for keys, words in STEPS:
            says(terminal, keys, words)
            assert not terminal.screen.cursor.hidden
            pictures = [it for it in terminal.text() if 0x2190 <= ord(it) <= 0x28FF]
            assert not pictures, (keys, pictures)
        terminal.send("q")
        assert terminal.end() == 0


def case_the_configuration_asks_for_words_and_a_screen_beside_gets_them_too(binary):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w") as file:
        file.write("[screen]\naccessible = true\n")
    with start(binary) as owner, start(binary, columns=40, rows=12) as client:
        # The last event before the change.
        client.expect("Scan ended")
        for terminal in (owner, client):
            assert "╭" not in terminal.text() and "●" not in terminal.text(), terminal.text()
        client.send("3")
        for terminal in (owner, client):
            terminal.expect("the change as a line", lambda text: "oise control: trans" in text)
            terminal.expect("the row", lambda text: "): Transparency" in text)


def case_a_watch_in_words_says_everything_once_and_then_what_changes(binary):
    watch = subprocess.Popen(
        [binary, "watch", "--format", "words", *QUIET], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        while "noise cancelling on" not in (said := watch.stdout.readline()):
            assert said, "the watch has ended"
        for words, change in (("transparency", "transparency on\n"), ("off", "noise control off\n")):
            subprocess.run([binary, "anc", words, *QUIET], check=True, capture_output=True)
            while (said := watch.stdout.readline()) != change:
                assert said and "noise" not in said, said
    finally:
        watch.kill()
        watch.wait()
