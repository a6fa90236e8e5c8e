"""The screen, live."""

from bench.failure import equal, expect

from . import first, hostile


READY = "● ready"
"""The control link's own line; the events tell of a ready adapter, too."""


def start(rig, **options):
    headphone = rig.headphone(**options)
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("CONTROL LINK", READY, headphone.name)
    return headphone, screen


def case_an_event_changes_the_screen(rig):
    headphone, screen = start(rig)
    headphone.change(battery=[42, 17, 99])
    screen.wait_for("42", "17", "99")
    headphone.change(anc=3)
    screen.wait_for("▐4 ◐ Adaptive▌")
    headphone.change(wearing=[0, 1])
    screen.wait_for("○ left out", "● right in ear")


@first
def case_keys_change_the_headphone(rig):
    headphone, screen = start(rig)
    for key, value in (("3", "02"), ("1", "00"), ("4", "03")):
        screen.press(key)
        headphone.wait_for("anc written", value=value)
    screen.press("e")
    headphone.wait_for("eq written", value="01")
    screen.wait_for("▐4 ◐ Adaptive▌", "▐Bass boost▌")


def case_every_event_changes_the_screen_when_it_only_indicates(rig):
    headphone, screen = start(rig, delivery="indicate", mtu=23)
    headphone.change(battery=[41, 18, 98])
    screen.wait_for("41", "18", "98")
    screen.press("3")
    headphone.wait_for("anc written", value="02")


@hostile
def case_garbage_events_change_nothing_and_end_nothing(rig):
    headphone, screen = start(rig)
    headphone.change(battery=[42, 17, 99])
    screen.wait_for("42", "17", "99")
    unknown, short, out_of_range, broken = "ee010203", "02", "0265ff00", "a501030100ff"
    for value in (unknown, short, out_of_range, broken, "0304", "a5", ""):
        headphone.push(value)
    headphone.change(battery=[41, 17, 99])
    text = screen.wait_for("41", "17", "99", READY)
    expect("101" not in text, f"an impossible level is shown:\n{text}")
    screen.press("2")
    headphone.wait_for("anc written", value="01")
    equal(len(headphone.seen("connected")), 1, "connections")
    screen.press("L")
    screen.wait_for("LOG", "EE 01 02 03", "02 65 FF 00", "A5 01 03 01 00 FF", "03 04")


@hostile
def case_garbage_on_the_bearer_changes_nothing_and_ends_nothing(rig):
    headphone, screen = start(rig)
    truncated = ("1b", "1b16", "01", "0112", "03", "1d16", "23", "2316")
    out_of_place = ("0b0102", "13", "010a100006", "1900000102", "ff00", "6a")
    wrong_length = "231600ff0003"
    for pdu in (*truncated, *out_of_place, wrong_length):
        headphone.say(pdu)
    headphone.change(battery=[41, 17, 99])
    screen.wait_for("41", "17", "99", READY)
    screen.press("2")
    headphone.wait_for("anc written", value="01")
    equal(len(headphone.seen("connected")), 1, "connections")


def case_a_hostile_name_stays_in_its_place_on_the_screen(rig):
    rig.headphone(name="\x1b[2J\x1b]0;owned\x07A\u202eB")
    screen = rig.screen(columns=120, rows=40)
    text = screen.wait_for(READY, "AUDIO ROUTE")
    expect("owned" in text, f"the name's letters are gone:\n{text}")
    title = screen.tmux("display-message", "-p", "#{pane_title}")
    expect("owned" not in title or "]" in title, f"the name set the terminal's title: {title}")


def case_quitting_gives_the_terminal_back_and_ends_the_link(rig):
    headphone, screen = start(rig)
    screen.press("q")
    screen.wait_for("ended with 0")
    headphone.wait_for("disconnected")
