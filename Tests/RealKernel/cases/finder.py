"""The finder beside bluetoothd; Earshot runs as nobody."""

from bench.failure import equal
from bench.sound import Stock

from . import slow
from .screen import READY
from .stock_desktop import NAME

BOTH_BUDS = 3
UNHEARD = "nothing received of it yet"


def finder(rig):
    screen = rig.screen(columns=120, rows=40, unprivileged=True)
    screen.wait_for(READY)
    return screen


@slow
def case_the_finder_follows_what_is_received_and_keeps_when_that_was(rig):
    with Stock(rig) as machine:
        headphone, screen = machine.headphone, finder(rig)
        screen.press("c")
        headphone.wait_for("disconnected")
        screen.wait_for(lambda text: READY not in text)
        screen.press("F")
        screen.wait_for("FINDER", "-50 dBm", "very near")
        # Once only: bluetoothd tells a strength again with its next scan, some 25 s later.
        headphone.move(-95)
        screen.wait_for("-95 dBm", "far")
        headphone.vanish()
        screen.wait_for(UNHEARD, "Last heard", "at ")
        screen.press("Escape", "q")
        screen.wait_for("ended with 0")

        again = rig.screen(columns=120, rows=40, unprivileged=True)
        again.wait_for(NAME)
        again.press("F")
        text = again.wait_for("FINDER", "Last heard")
        (line,) = [line for line in text.splitlines() if "Last heard" in line]
        equal("never" in line, False, f"known in a later run: {line}")
        headphone.appear()
        again.wait_for(lambda text: UNHEARD not in text)


def case_the_finder_rings_a_headphone_that_is_not_worn(rig):
    with Stock(rig) as machine:
        headphone, screen = machine.headphone, finder(rig)
        screen.press("F")
        # The kernel measures a link for anyone.
        screen.wait_for("FINDER", "-50 dBm", "very near", "connected now")
        headphone.move(-72)
        screen.wait_for("-72 dBm", "farther off")
        screen.press("F")
        screen.wait_for("take a bud out of your ear")
        headphone.change(wearing=[0, 0])
        screen.wait_for("out of the ear")
        screen.press("F")
        screen.wait_for("y Play")
        equal(headphone.state["finding"], 0, "what rings before it is confirmed")
        screen.press("y")
        screen.wait_for(lambda _: headphone.state["finding"] == BOTH_BUDS)
        screen.wait_for("F Stop")
        screen.press("F")
        screen.wait_for(lambda _: headphone.state["finding"] == 0)
        screen.wait_for("F Ring")
