"""What the care for the sound costs while nothing happens: wake-ups of the screen, which runs as nobody."""

import time

from bench.failure import Failure, equal
from bench.player import Player
from bench.process import sleeps
from bench.sound import DualMode, PulseAudio, session_bus

from .codec import BETTER, choose, reconnect, wait_for_codec
from .dual_mode import connect
from .safe_volume import CEILING, FIRST, setting
from .screen import READY

PLAIN = {"buttons": "off", "sound": "leave", "profile": "leave"}
ALL = {
    "buttons": "on",
    "sound": "follow",
    "profile": "keep",
    "volume-ceiling": CEILING,
    "first-volume": FIRST,
}
MEASURED, WINDOW, SETTLED = 20, 5, 60
"""s; the longest thing that is awaited ends within the last: 10 s in which a headphone may refuse its sound."""


def woken(pid, seconds):
    before = sleeps(pid)
    time.sleep(seconds)
    after = sleeps(pid)
    return sum(after.values()) - sum(before.values())


def idle(screen):
    """Wake-ups of the program in 20 s, after whatever it awaited has ended."""
    (pid,) = screen.programs
    deadline = time.monotonic() + SETTLED
    while (count := woken(pid, WINDOW)) > 0:
        if time.monotonic() > deadline:
            raise Failure(f"{count} wake-ups in {WINDOW} s, {SETTLED} s after the last event")
    return woken(pid, MEASURED)


def start(rig, settings):
    for name, value in settings.items():
        setting(rig, name, str(value), "--all")
    screen = rig.screen(columns=120, rows=40, unprivileged=True)
    screen.wait_for(READY, "One")
    return screen


def case_the_care_for_the_sound_costs_no_wake_up_while_nothing_happens(rig):
    """The bound is none at all: what it waits for are events of others, and no timer runs for them."""
    with (
        DualMode(rig, buttons=True) as machine,
        PulseAudio(rig, unprivileged=True) as server,
        session_bus(server),
        Player(server, "radio") as radio,
    ):
        headphone = machine.headphone
        radio.has_on("Paused", "One")
        connect(machine, server)
        screen = start(rig, PLAIN)
        plain = idle(screen)
        screen.press("q")
        screen.wait_for("ended with 0")

        screen = start(rig, ALL)
        choose(rig, server, BETTER)
        # All of it has its work once.
        sink = reconnect(machine, server)
        wait_for_codec(server, BETTER)
        server.pactl("set-sink-volume", sink, "100%")
        server.wait_for("volume", lambda: server.volume(sink) in (CEILING, FIRST))
        headphone.wait_for("buttons connected", 2)
        headphone.wait_until_shown("PAUSED", "One")
        full = idle(screen)
        rig.note(f"wake-ups in {MEASURED} s: {plain} without it, {full} with it")
        equal(full, 0, f"wake-ups in {MEASURED} s ({plain} without)")

        # It is awake for what it cares for, all the same.
        headphone.press("PLAY")
        radio.wait_for("Play")
        server.pactl("set-sink-volume", sink, "100%")
        server.wait_for_volume(sink, CEILING)
