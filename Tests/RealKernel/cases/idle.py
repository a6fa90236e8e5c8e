"""What all care for a headphone's sound costs while nothing happens; Earshot runs as nobody, without a screen."""

import time

from bench.failure import equal, expect
from bench.player import Player
from bench.process import Watched
from bench.sound import DualMode, PipeWire

from . import slow
from .safe_volume import BEGINNING, CEILING, FIRST, agent, connect, setting

ALL = {"buttons": "on", "sound": "follow", "profile": "keep", "volume-ceiling": CEILING, "first-volume": FIRST}  # fmt: skip
MEASURED, STEADY = 20, 30
"""s; the longest thing that is awaited is that a link has held for 30 s, so that its next loss is the first again."""


@slow
def case_all_care_for_the_sound_wakes_nothing_up_while_nothing_happens(rig):
    """The bound is none at all: what it waits for are events of others, and no timer runs for them."""
    with DualMode(rig, buttons=True) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        watched = Watched(agent(rig).process.pid)
        for name, value in ALL.items():
            setting(rig, name, str(value), "--all")
        with Player(server, "radio") as radio:
            radio.has_on("Paused", "One")
            # Each has its work once.
            sink = connect(machine, server)
            headphone.wait_for("buttons connected")
            headphone.wait_until_shown("PAUSED", "One")
            server.wait_for_volume(sink, FIRST)
            time.sleep(BEGINNING)
            server.pactl("set-sink-volume", sink, "100%")
            server.wait_for_volume(sink, CEILING)

            time.sleep(STEADY)
            watched.rest()
            time.sleep(MEASURED)
            woken = watched.woken
            rig.note(f"{woken} wake-ups of {len(watched.before)} threads in {MEASURED} s")
            equal(woken, 0, f"wake-ups in {MEASURED} s")

            # It is awake for what it cares for, and that counts.
            headphone.press("PLAY")
            radio.wait_for("Play")
            expect((pressed := watched.woken) > 0, "a key that is pressed wakes nothing up")
            server.pactl("set-sink-volume", sink, "100%")
            server.wait_for_volume(sink, CEILING)
            expect((raised := watched.woken) > 0, "a volume that is raised wakes nothing up")
            rig.note(f"{pressed} wake-ups by a key, {raised} by a volume above the ceiling")
