"""The sound that comes back by itself; Earshot runs as nobody, without a screen."""

import time

from bench.failure import equal, expect
from bench.process import Watched
from bench.sound import SPEAKERS, DualMode, PipeWire, PulseAudio

from . import slow

DUE = 15
"""s; an attempt begins 5 s after the controls are ready, and a page that fails takes 5."""
QUIET = 60
STEADY = 30
"""s; after this time on a link, its next loss counts as the first, and the timer for that wakes the process once."""


def agent(rig):
    rig.earshot("audio", "setting", "sound", "follow", "--all", unprivileged=True).succeeded()
    running = rig.run("agent", unprivileged=True)
    running.wait_for("keeps the link")
    return running


def log(rig):
    return rig.earshot("log", "--lines", "500", unprivileged=True).succeeded().output


def attempts(rig):
    return log(rig).count("connecting its sound automatically")


def close_case(machine, server):
    """Both links end, from the headphone's side."""
    machine.headphone.switch_off()
    machine.headphone.drop_sound()
    server.wait_for("no Bluetooth sink", lambda: not server.bluetooth_sink())


def open_case(machine):
    machine.headphone.allow_sound()
    machine.headphone.switch_on_again()


def comes_back(rig, make):
    with DualMode(rig) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        headphone.allow_sound()
        agent(rig)
        # Nobody asked for it.
        sink = server.wait_for("Bluetooth sink", server.bluetooth_sink)
        server.pactl("set-default-sink", sink)
        # Longer than servers choose by themselves.
        time.sleep(DUE)
        server.play()
        server.wait_for("music there", lambda: server.where_music_plays() == sink)
        close_case(machine, server)
        server.wait_for("speakers", lambda: server.where_music_plays() == SPEAKERS)
        open_case(machine)
        sink = server.wait_for("Bluetooth sink", server.bluetooth_sink)
        server.wait_for("music there again", lambda: server.where_music_plays() == sink)


@slow
def case_the_sound_comes_back_by_itself_with_PulseAudio(rig):
    comes_back(rig, PulseAudio)


@slow
def case_the_sound_comes_back_by_itself_with_PipeWire(rig):
    comes_back(rig, PipeWire)


@slow
def case_a_person_who_disconnects_the_sound_is_not_contradicted(rig):
    with DualMode(rig) as machine, PulseAudio(rig, unprivileged=True) as server:
        headphone = machine.headphone
        headphone.allow_sound()
        agent(rig)
        server.wait_for("Bluetooth sink", server.bluetooth_sink)
        rig.earshot("audio", "disconnect", unprivileged=True).succeeded()
        server.wait_for("no Bluetooth sink", lambda: not server.bluetooth_sink())
        before = attempts(rig)
        headphone.switch_off()
        time.sleep(QUIET)
        headphone.switch_on_again()
        time.sleep(DUE)
        equal(attempts(rig), before, "attempts after a person disconnected it")
        expect(not server.bluetooth_sink(), "its sound was connected against a person")


@slow
def case_a_headphone_that_does_not_take_the_sound_is_asked_once(rig):
    with DualMode(rig) as machine, PulseAudio(rig, unprivileged=True) as server:
        running = agent(rig)
        machine.headphone.wait_for("connected")
        time.sleep(STEADY + DUE)
        equal(attempts(rig), 1, "attempts")
        watched = Watched(running.process.pid)
        watched.rest()
        time.sleep(QUIET)
        woken = watched.woken
        rig.note(f"{woken} wake-ups in {QUIET} s")
        equal(woken, 0, f"wake-ups in {QUIET} s after a refusal")
        equal(attempts(rig), 1, "attempts after a minute")
        expect(not server.bluetooth_sink(), "the server has a sink of it")
