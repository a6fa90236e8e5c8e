"""A ceiling and a first volume; Earshot runs as nobody, without a screen."""

import time

from bench.failure import equal, expect
from bench.sound import DualMode, PipeWire, PulseAudio

CEILING, FIRST = 60, 30
BEGINNING = 4
"""s; the first volume applies for 3."""


def agent(rig):
    running = rig.run("agent", unprivileged=True)
    running.wait_for("keeps the link")
    return running


def connect(machine, server):
    machine.connect_sound()
    return server.wait_for("Bluetooth sink", server.bluetooth_sink)


def setting(rig, *words):
    return rig.earshot("audio", "setting", *words, unprivileged=True).succeeded()


def log(rig):
    return rig.earshot("log", unprivileged=True).succeeded().output


def ceiling(rig, make):
    with DualMode(rig) as machine, make(rig, unprivileged=True) as server:
        agent(rig)
        setting(rig, "volume-ceiling", str(CEILING), "--all")
        # Otherwise that of a new headphone is the lower one for its first seconds.
        setting(rig, "first-volume", "100", "--all")
        sink = connect(machine, server)
        server.play()
        server.pactl("set-default-sink", sink)
        for _ in range(10):
            # Another program.
            server.pactl("set-sink-volume", sink, "100%")
            server.wait_for_volume(sink, CEILING)
        server.pactl("set-sink-volume", sink, "25%")
        server.wait_for_volume(sink, 25)
        equal(log(rig).count("put back to its ceiling"), 1, "lines about it")
        # It is raised in the file, and the speakers have none.
        setting(rig, "volume-ceiling", "default", "--all")
        server.pactl("set-sink-volume", sink, "95%")
        server.wait_for_volume(sink, 95)
        setting(rig, "volume-ceiling", "70", "--all")
        server.wait_for_volume(sink, 70)
        server.pactl("set-sink-volume", "speakers", "100%")
        server.wait_for_volume("speakers", 100)


def case_a_raise_above_the_ceiling_is_put_back_with_PulseAudio(rig):
    ceiling(rig, PulseAudio)


def case_a_raise_above_the_ceiling_is_put_back_with_PipeWire(rig):
    ceiling(rig, PipeWire)


def new(rig, make):
    with DualMode(rig) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        agent(rig)
        setting(rig, "first-volume", str(FIRST), "--all")
        sink = connect(machine, server)
        server.wait_for_volume(sink, FIRST)
        time.sleep(BEGINNING)
        # What the person wants then stays, and the next time it is no new one.
        server.pactl("set-sink-volume", sink, "80%")
        headphone.drop_sound()
        headphone.wait_for("audio disconnected")
        server.wait_for("no Bluetooth sink", lambda: not server.bluetooth_sink())
        sink = connect(machine, server)
        time.sleep(BEGINNING)
        expect(server.volume(sink) > FIRST, "it was taken for a new one again")


def case_a_new_headphone_does_not_begin_at_100_percent_with_PulseAudio(rig):
    new(rig, PulseAudio)


def case_a_new_headphone_does_not_begin_at_100_percent_with_PipeWire(rig):
    new(rig, PipeWire)
