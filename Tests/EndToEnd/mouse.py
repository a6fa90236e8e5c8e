"""The mouse: every hint, chip, row and bar is clicked and does what its key does."""

import re

from screen import confirmed
from terminal import Failure, Terminal

SIZE = (100, 30)
HINT = re.compile(r"(?<= )([A-Za-z?]|\[ \]|Tab|Enter|Esc) ([A-Z]\w+)(?= |$)", re.M)
"""A key and what it does, in a border or in the footer."""


def start(binary):
    terminal = Terminal([binary, "--adapter", "virtual-quiet"], *SIZE)
    terminal.expect("the first values", lambda text: "● ready" in text and "▐2" in text)
    terminal.expect("all headphones", shows("Drift Neckband", "Cipher Studio", "Veteran 2018"))
    if "scanning" in terminal.text():
        terminal.send("s")
    terminal.expect("no scan", lambda text: "scanning" not in text)
    return terminal


def place(terminal, words, within=None):
    """The column and row of the middle of `words`, in a row that holds `within`; from 1."""
    for row, line in enumerate(terminal.screen.display, 1):
        if (within is None or within in line) and words in line:
            return line.index(words) + len(words) // 2 + 1, row
    raise Failure(f"no {words}\n{terminal.text()}")


def press(terminal, column, row, button=0):
    """A click as SGR 1006 reports it: pressed, and for the left button released again."""
    report = f"\x1b[<{button};{column};{row}"
    terminal.send(report + "M" + ("" if button else report + "m"))


def click(terminal, words, within=None):
    press(terminal, *place(terminal, words, within))


def shows(*words):
    return lambda text: all(word in text for word in words)


def away(*words):
    """A dialog or another page, as soon as the footer, which is drawn last, is its own, too."""
    return lambda text: shows(*words)(text) and "q Quit" not in text


def lacks(word):
    return lambda text: word not in text


MAIN = {
    # What is clicked: the keys that do the same, what both lead to, and the keys that lead back.
    "m Mute": ("m", shows("muted"), "m"),
    "O Profile": ("O", away("PROFILE AND CODEC"), "\x1b"),
    "M Mic": ("M", away("Esc Cancel"), "\x1b"),
    "i Info": ("i", away("INFORMATION"), "\x1b"),
    "X Forget": ("X", away("FORGET THIS HEADPHONE?"), "\x1b"),
    "s Scan": ("s", shows("scanning"), "s"),
    "] Choose": ("]", shows("Drift Neckband 2/"), "["),
    "L Log": ("L", away("LOG ≥ info"), "\x1b"),
    "a Noise": ("a", lambda text: confirmed(text, "▐3"), "2"),
    "t Transp": ("t", lambda text: confirmed(text, "▐3"), "2"),
    "e EQ": ("e", lambda text: confirmed(text, "▐Bass"), "eee"),
    "Tab Panel": ("\t", shows("┤ HEADPHONES ├"), "\t\t"),
    "F Find": ("F", away("FINDER"), "\x1b"),
    "B Touch": ("B", away("TOUCH ACTIONS"), "\x1b"),
    "E Edit": ("E", away("EQUALISER"), "\x1b"),
    "w Wear": ("w", lambda text: confirmed(text, "● on"), "w"),
    "? Help": ("?", away("KEYS"), "\x1b"),
    "c Disconnect": ("c", shows("c Connect"), "c"),
    "1 Off": ("1", lambda text: confirmed(text, "▐1"), "2"),
    "3 Transparency": ("3", lambda text: confirmed(text, "▐3"), "2"),
    "4 Adaptive": ("4", lambda text: confirmed(text, "▐4"), "2"),
    "Vocal": ("ee", lambda text: confirmed(text, "▐Vocal"), "ee"),
    # Rows and headings, known from others of the same words by what else stands in their line.
    ("Drift Neckband", "L 57"): (
        "\t]", shows("Drift Neckband 2/", "┤ HEADPHONES ├", "▸Drift"), "[\t\t"),
    ("AUDIO ROUTE", "╭"): ("\t\t", shows("┤ AUDIO ROUTE ├", "▸● Aurora"), "\t"),
    ("HEADPHONES", "╭"): ("\t", shows("┤ HEADPHONES ├", "▸Aurora"), "\t\t"),
    ("● Aurora Buds", "%"): ("\t\t", shows("▸● Aurora"), "\t"),
    ("Speakers", "60%"): ("\t\tj", shows("▸○ Speakers"), "g\t"),
    ("Calls use", "Microphone"): ("M", away("Esc Cancel"), "\x1b"),
    ("Ambient level", "not reported"): ("j", shows("▸Ambient"), "k"),
    ("Equaliser", "Balanced"): ("jj", shows("▸Equaliser"), "kk"),
    # The way back switches detection, which is unknown at first: on, and then off.
    ("Wear detection", "left"): ("jjj", shows("▸Wear"), "wkkk"),
    ("○ off", "Wear"): ("w", shows("● on"), "wg"),
    (" a ", "1 Off"): ("a", lambda text: confirmed(text, "▐3"), "2"),
    (" e ", "Balanced"): ("e", lambda text: confirmed(text, "▐Bass"), "eee"),
}
"""Of the main page; `q Quit` comes last, for it ends the program."""

PAGES = {
    "i": {
        "y Copy": ("y", shows("opied"), ""), "/ Search": ("/", shows("SEARCH"), "\x1b"),
        "Esc Back": ("\x1b", shows("HEADPHONES", "q Quit"), "i"), "Serial number": ("/ser\r", shows("▸Serial"), "g"),
        "i GATT": ("i", shows("GATT", "Generic"), "\x1bi"),
    },
    "B": {
        "Volume up": ("jjjjjj", shows("▸Volume up"), "g"),
        "Tab Other bud": ("\t", lambda text: re.search("Tap +Play or pause +▸", text), "\t"),
        "Esc Back": ("\x1b", shows("HEADPHONES", "q Quit"), "B"),
    },
    "D": {"y Copy": ("y", shows("opied"), ""), "/ Search": ("/", shows("SEARCH"), "\x1b")},
    "ii": {"Tab Info": ("\t", shows("INFORMATION", "Serial"), "\t"), "/ Search": ("/", shows("SEARCH"), "\x1b")},
    "L": {"Tab Source": ("\t", shows("LOG "), "\x1bL"), "Esc Back": ("\x1b", shows("HEADPHONES", "q Quit"), "L")},
    "X": {"n Keep": ("n", shows("AUDIO ROUTE ─", "q Quit"), "X"), "FORGET": ("", shows("FORGET"), "")},
    "E": {
        "250": ("ll", shows("▸250"), "hh"),
        "Esc Back": ("\x1b", shows("HEADPHONES", "q Quit"), "E"), "b Compare": ("b", shows("EQUALISER"), "b"),
    },
}


def case_a_click_does_what_its_key_does(binary):
    with start(binary) as terminal:
        hints = {f"{key.split()[-1]} {label}" for key, label in HINT.findall(terminal.text())}
        assert hints - {"q Quit", "p Pair"} <= set(MAIN), hints - set(MAIN)
        for target, (keys, expected, back) in MAIN.items():
            both(terminal, target, keys, expected, back,
                 shows("● ready", "┤ CONTROL LINK ├", "▸Noise", "● playing", "q Quit"))
        click(terminal, "q Quit")
        assert terminal.end() == 0


def case_a_click_on_another_page_does_what_its_key_does(binary):
    for opening, targets in PAGES.items():
        with start(binary) as terminal:
            terminal.send(opening)
            terminal.expect(f"the page of {opening}", lacks("e EQ"))
            # The doctor's hints move once its results are there.
            content = "Character set" if opening == "D" else ""
            for words, (keys, expected, back) in targets.items():
                both(terminal, words, keys, expected, back, shows(words, content))


def case_paired_devices_are_managed_by_clicks(binary):
    bose = ["--adapter", "virtual-families", "--device", "00005e00538f"]
    with Terminal([binary, *bose], *SIZE) as terminal:
        terminal.expect("the link", shows("● ready"))
        terminal.send("G")
        terminal.expect("ready", lambda text: "Paired devices" in text and "Pixel" in text)
        for words, within, expected in DEVICES:
            click(terminal, words, within)
            terminal.expect(f"what a click on {words} leads to", expected)
        terminal.send("q")
        assert terminal.end() == 0


DEVICES = (
    ("ThinkPad", "Paired devices", shows("PAIRED DEVICES", "▸● ThinkPad")),
    ("Zoë", None, shows("▸● Zoë", "o Play from")),
    ("Enter Disconnect", None, shows("▸○ Zoë", "Enter Connect")),
    ("iPad", None, shows("▸○ iPad", "Enter Connect")),
    ("Enter Connect", None, shows("▸● iPad", "o Play from")),
    ("o Play from", None, lambda text: any("iPad" in line and "playing" in line for line in text.splitlines())),
    ("X Forget", None, shows("FORGET THIS DEVICE?", "n Keep")),
    ("n Keep", None, lambda text: "FORGET" not in text and "X Forget" in text),
    ("X Forget", None, shows("FORGET THIS DEVICE?", "y Forget")),
    ("y Forget", None, lambda text: not re.search("[●○] iPad", text) and "Esc Back" in text),
    ("Esc Back", None, shows("CONTROL LINK", "q Quit")),
)
"""What is clicked, in which row, and what follows, one after the other."""


def case_the_heading_of_each_panel_and_each_row_takes_the_cursor(binary):
    with start(binary) as terminal:
        for words, within, expected in CURSOR:
            click(terminal, words, within)
            terminal.expect(f"the cursor after a click on {words}", shows(*expected))
        terminal.send("q")
        assert terminal.end() == 0


CURSOR = (
    ("HEADPHONES", "╭", ("┤ HEADPHONES ├", "▸Aurora")),
    ("Cipher Studio", "L100", ("▸Cipher", "Cipher Studio 3/")),
    ("CONTROL LINK", "╭", ("┤ CONTROL LINK ├", "Cipher Studio 3/")),
    ("Aurora Buds", "● ready", ("┤ HEADPHONES ├", "▸Aurora", "Aurora Buds 1/")),
    ("Ambient level", "not reported", ("┤ CONTROL LINK ├", "▸Ambient")),
    ("AUDIO ROUTE", "╭", ("┤ AUDIO ROUTE ├", "▸● Aurora")),
    ("Noise ", "1 Off", ("┤ CONTROL LINK ├", "▸Noise")),
    ("● Aurora Buds", "%", ("┤ AUDIO ROUTE ├", "▸● Aurora")),
    ("Equaliser", "Balanced", ("┤ CONTROL LINK ├", "▸Equaliser")),
)
"""Clicked one after the other: each must work whatever the one before it left."""


def both(terminal, target, keys, expected, back, rest):
    """The key and the click lead to the same; after each the keys lead back."""
    words, within = (target, None) if isinstance(target, str) else target
    for act in (lambda: terminal.send(keys), lambda: click(terminal, words, within)):
        terminal.expect(f"{words} to be there", lambda text: words in text and rest(text))
        act()
        terminal.expect(f"what {words} leads to", expected)
        terminal.send(back)
        terminal.expect(f"the way back from {words}", rest)


def case_bars_and_sliders_are_set_by_clicks_and_by_the_wheel(binary):
    with start(binary) as terminal:
        line = next(line for line in terminal.screen.display if "Aurora Buds" in line and "━" in line)
        row = terminal.screen.display.index(line) + 1
        bar = line.index("━")
        end = line.index(" ", bar)
        press(terminal, bar + 1 + (end - bar) // 4, row)
        terminal.expect("a quarter", lambda text: re.search(r"Aurora Buds .* (1|2|3)\d%", text))
        press(terminal, end, row)
        terminal.expect("all", shows("100%"))
        press(terminal, end, row, button=65)
        terminal.expect("a step less", lambda text: re.search(r"Aurora Buds .* 9\d%", text))
        # Held on the bar, and far beyond its end and its row.
        press(terminal, bar + 1, row)
        terminal.expect("nothing", lambda text: re.search(r"Aurora Buds .* 0%", text))
        terminal.send(f"\x1b[<32;{end + 20};{row + 5}M")
        terminal.expect("all again", shows("100%"))
        press(terminal, *place(terminal, "Speakers", "60%"), button=65)
        terminal.expect("a step less there", lambda text: re.search(r"Speakers .* 5\d%", text))
        # The level is not reported: the second key sets it, and then there is a bar.
        terminal.send("\tj++")
        terminal.expect("the middle", lambda text: re.search(r"Ambient level .* 5/10", text))
        press(terminal, *place(terminal, "──────────", "Ambient"))
        terminal.expect("a level", lambda text: re.search(r"Ambient level .* [67]/10", text))
        press(terminal, *place(terminal, "Aurora Buds", "● ready"), button=65)
        terminal.expect("the next row", shows("┤ HEADPHONES ├", "▸Drift", "Drift Neckband 2/"))
        press(terminal, *place(terminal, "Aurora Buds", "● ready"), button=64)
        terminal.expect("the row before", shows("▸Aurora", "Aurora Buds 1/"))
        press(terminal, *place(terminal, "84%"), button=65)
        terminal.expect("the next row there", shows("┤ CONTROL LINK ├", "▸Equaliser"))
        terminal.send("E")
        terminal.expect("the editor", shows("EQUALISER", "250", "Esc Back"))
        column, row = place(terminal, "250")
        press(terminal, column, row - 1)
        terminal.expect("the lowest gain", lambda text: confirmed(text, "-12 dB"))
        press(terminal, column, row - 1, button=64)
        terminal.expect("a step more", lambda text: confirmed(text, "-11.5 dB"))
        terminal.send("\x1b")
        terminal.expect("the key that undoes it", shows("u Undo"))
        terminal.send("uu")
        terminal.expect("what was there", lambda text: confirmed(text, "▐Balanced"))
        terminal.send("q")
        assert terminal.end() == 0
