"""How quick a link is, as the kernel, the headphone and Earshot see it."""

from bench.desktop import Desktop
from bench.failure import equal, expect

from .control import status
from .screen import start

OWN = {"interval": 30.0, "latency": 0, "timeout": 420}
"""ms; what the kernel gives a link unless another time is asked for."""
QUICK = {"interval": 15.0, "latency": 0, "timeout": 4000}


def words(timing):
    return f"interval {timing['interval']:g} ms, latency 0, timeout {timing['timeout']} ms"


def case_a_link_is_quick_while_it_is_used_and_has_its_own_timing_after(rig):
    headphone, screen = start(rig)
    screen.press("i")
    screen.wait_for(words(OWN), "LE 1M")
    equal(headphone.seen("timing"), [], "changes of the timing before the first command")
    screen.press("Escape", "3", "i")
    headphone.wait_for("anc written", value="02")
    headphone.wait_for("timing", **QUICK)
    screen.wait_for(words(QUICK))
    headphone.wait_for("timing", **OWN)
    screen.wait_for(words(OWN))
    equal(len(headphone.seen("timing")), 2, "changes of the timing")


def case_a_link_is_quick_beside_bluetoothd_too(rig):
    with Desktop(rig.folder):
        headphone, screen = start(rig)
        screen.press("3")
        headphone.wait_for("timing", **QUICK)
        headphone.wait_for("timing", **OWN)
        equal(len(headphone.seen("timing")), 2, "changes of the timing")


def case_status_tells_the_timing(rig):
    rig.headphone()
    control = status(rig)["control"]
    equal(control["timing"], OWN, "timing")
    equal(control["phy"], {"transmit": "LE 1M", "receive": "LE 1M"}, "PHY")


def case_without_privileges_the_timing_is_unknown_and_nothing_fails(rig):
    headphone = rig.headphone()
    reported = rig.earshot(
        "status", "--json", "--device", headphone.address, unprivileged=True
    ).succeeded()
    equal(reported.json["control"]["timing"], None, "timing")
    equal(reported.json["control"]["phy"], None, "PHY")
    expect(reported.json["device"]["rssi"] is not None, "no signal strength")
