"""A ceiling and a first volume; Earshot runs as nobody, without a screen."""

import time

from bench.failure import Failure, equal, expect
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


def play(machine, server):
    """Music on the headphone; its sink."""
    sink = connect(machine, server)
    server.play()
    server.pactl("set-default-sink", sink)
    return sink


def ceiling(rig, make):
    with DualMode(rig) as machine, make(rig, unprivileged=True) as server:
        agent(rig)
        setting(rig, "volume-ceiling", str(CEILING), "--all")
        # Otherwise that of a new headphone is the lower one for its first seconds.
        setting(rig, "first-volume", "100", "--all")
        sink = play(machine, server)
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


LOUD = 102
"""Of 127: 80 %."""
TRIES = 10
SOON = 1
"""s; a person has not taken the headphone off by then."""


def absolute(percent):
    """What the headphone is given: 127 is 100 %, and each server rounds in its own way."""
    return {percent * 127 // 100, -(-percent * 127 // 100)}


def wait_until_given(headphone, percent, since):
    """Waits until the headphone has been given this volume; the record."""
    given = []
    for count in range(1, TRIES):
        given.append(headphone.wait_for("volume", since + count))
        if given[-1]["volume"] in absolute(percent):
            return given[-1]
    raise Failure(f"the headphone was given {given}, not {percent} %")


def own_button(rig, make):
    with (
        DualMode(rig, buttons=True, volume=LOUD // 3) as machine,
        make(rig, unprivileged=True) as server,
    ):
        headphone = machine.headphone
        agent(rig)
        setting(rig, "volume-ceiling", str(CEILING), "--all")
        setting(rig, "first-volume", "100", "--all")
        sink = play(machine, server)
        headphone.wait_for("volume asked")
        headphone.wait_for("music start")
        server.pactl("set-sink-volume", sink, "50%")
        wait_until_given(headphone, 50, 0)
        took = []
        for count in range(1, 6):
            before = len(headphone.seen("volume"))
            headphone.turn(LOUD)
            given = wait_until_given(headphone, CEILING, before)
            server.wait_for_volume(sink, CEILING)
            took.append(given["at"] - headphone.seen("turned")[-1]["at"])
        rig.note(f"above the ceiling for {', '.join(f'{each * 1000:.0f}' for each in took)} ms")
        expect(max(took) < SOON, f"above the ceiling for {max(took):.1f} s")
        equal(log(rig).count("put back to its ceiling"), 1, "lines about it")


def case_a_raise_by_the_headphones_own_button_is_put_back_with_PulseAudio(rig):
    own_button(rig, PulseAudio)


def case_a_raise_by_the_headphones_own_button_is_put_back_with_PipeWire(rig):
    own_button(rig, PipeWire)


def first_of_its_own(rig, make):
    with (
        DualMode(rig, buttons=True, volume=LOUD) as machine,
        make(rig, unprivileged=True) as server,
    ):
        agent(rig)
        setting(rig, "first-volume", str(FIRST), "--all")
        sink = play(machine, server)
        server.wait_for_volume(sink, FIRST)
        wait_until_given(machine.headphone, FIRST, 0)


def case_the_first_volume_is_given_to_a_headphone_with_its_own_with_PulseAudio(rig):
    first_of_its_own(rig, PulseAudio)


def case_the_first_volume_is_given_to_a_headphone_with_its_own_with_PipeWire(rig):
    first_of_its_own(rig, PipeWire)
