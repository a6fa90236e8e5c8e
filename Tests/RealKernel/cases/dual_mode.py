"""Sound and controls of one headphone, each over a link of its own."""

import signal

from bench.failure import equal
from bench.sound import MUSIC_SERVICE, SPEAKERS, DualMode, PipeWire, PulseAudio, hold_link

from . import slow
from .screen import READY

BOTH = "Sound and controls are working"
ELSEWHERE = "Controls work; audio goes to Speakers"
NO_CONTROLS = "; controls "
NO_SOUND = "audio isn't connected"
NEITHER = "Reconnecting"
UNREACHED = ("connecting", 5)
"""The control link of a headphone that does not answer, and the exit code of `status`."""


def check_status(rig, sound, link, control=None, status=0, **others):
    """What `earshot status --json` says of both links."""
    result = rig.earshot("status", "--json", "--timeout", "3")
    equal(result.status, status, f"exit status of {result}")
    audio = result.json["audio"]
    expected = {"state": sound, "link": link, **others}
    equal({key: audio[key] for key in expected}, expected, f"the sound in {result}")
    if control:
        equal(result.json["control"]["state"], control, "the control link")
    return result.json


def connect(machine, server):
    machine.connect_sound()
    return server.wait_for("Bluetooth sink", server.bluetooth_sink)


def all_combinations(rig, make):
    with DualMode(rig) as machine, make(rig) as server:
        headphone = machine.headphone
        screen = rig.screen(columns=120, rows=40)
        screen.wait_for(READY, NO_SOUND)
        check_status(rig, "none", "down", "ready", sink=SPEAKERS)

        sink = connect(machine, server)
        server.pactl("set-default-sink", SPEAKERS)
        screen.wait_for(READY, ELSEWHERE)
        check_status(rig, "notRouted", "up", "ready", sink=sink, profile="a2dp")

        server.play()
        screen.press("o")
        screen.wait_for(READY, BOTH)
        headphone.wait_for("music", 2)
        equal(server.where_music_plays(), sink, "where the music plays")
        check_status(rig, "connected", "up", "ready", sink=sink, profile="a2dp", codec="sbc")

        headphone.switch_off()
        screen.wait_for(NO_CONTROLS, "Playing here")
        headphone.wait_for("music", len(headphone.seen("music")) + 1)
        check_status(rig, "connected", "up", *UNREACHED, sink=sink, profile="a2dp", codec="sbc")

        headphone.drop_sound()
        screen.wait_for(NEITHER)
        check_status(rig, "none", "down", *UNREACHED)

        headphone.switch_on_again()
        screen.wait_for(READY, NO_SOUND)
        check_status(rig, "none", "down", "ready", sink=SPEAKERS)

        connect(machine, server)
        server.pactl("set-default-sink", sink)
        screen.wait_for(READY, BOTH)
        equal(len(headphone.seen("connected")), 2, "control links")


@slow
def case_all_four_combinations_of_sound_and_controls_with_PulseAudio(rig):
    all_combinations(rig, PulseAudio)


@slow
def case_all_four_combinations_of_sound_and_controls_with_PipeWire(rig):
    all_combinations(rig, PipeWire)


def case_the_kernel_tells_of_audio_when_no_server_does(rig):
    with DualMode(rig) as machine, PulseAudio(rig) as server:
        screen = rig.screen(columns=120, rows=40)
        connect(machine, server)
        screen.wait_for(READY)
        with hold_link(machine.address):
            server.end(by=signal.SIGKILL)
            screen.wait_for(READY, "audio link up, unknown to the sound server")
            check_status(rig, "unknown", "up", "ready", server=None)
        machine.headphone.drop_sound()
        machine.headphone.wait_for("audio disconnected")
        screen.wait_for(READY, "audio link down, unknown to the sound server")
        check_status(rig, "unknown", "down", "ready")


@slow
def case_the_sound_server_and_bluetoothd_end_and_come_back(rig):
    with DualMode(rig) as machine, PulseAudio(rig) as server:
        headphone = machine.headphone
        screen = rig.screen(columns=120, rows=40)
        sink = connect(machine, server)
        server.pactl("set-default-sink", sink)
        screen.wait_for(READY, BOTH)

        server.end(by=signal.SIGKILL)
        screen.wait_for(READY, "unknown")
        server.start()
        # The headphone takes its endpoint for used until its link ends: the server said no goodbye.
        headphone.drop_sound()
        headphone.wait_for("audio disconnected")
        connect(machine, server)
        server.pactl("set-default-sink", sink)
        screen.wait_for(READY, BOTH)

        # It switches the adapter off as it ends.
        machine.desktop.end_bluetoothd()
        screen.wait_for("Bluetooth is off")
        machine.desktop.start_bluetoothd()
        rig.adapter.power(True)
        screen.wait_for(READY)
        connect(machine, server)
        server.pactl("set-default-sink", sink)
        screen.wait_for(READY, BOTH)


def calls_alone(rig, make):
    """Music is disconnected, as happens after a call or an interference; one command brings it back."""
    with DualMode(rig) as machine, make(rig) as server:
        screen = rig.screen(columns=120, rows=40)
        sink = connect(machine, server)
        machine.headphone.wait_for("calls connected")
        server.pactl("set-default-sink", sink)
        screen.wait_for(READY, BOTH)
        machine.device("DisconnectProfile", f"string:{MUSIC_SERVICE}")
        screen.wait_for(READY, lambda text: BOTH not in text or "call quality" in text)
        rig.earshot("audio", "connect").succeeded()
        screen.wait_for(READY, music_again)
        check_status(rig, "connected", "up", "ready", profile="a2dp")


def case_music_comes_back_where_calls_alone_are_connected_with_PulseAudio(rig):
    calls_alone(rig, PulseAudio)


def case_music_comes_back_where_calls_alone_are_connected_with_PipeWire(rig):
    calls_alone(rig, PipeWire)


def music_again(text):
    panels = text.split("EVENTS")[0]
    return BOTH in panels and "call quality" not in panels


def case_music_to_call_and_back(rig):
    with DualMode(rig) as machine, PulseAudio(rig) as server:
        headphone = machine.headphone
        screen = rig.screen(columns=120, rows=40)
        sink = connect(machine, server)
        headphone.wait_for("calls connected")
        server.pactl("set-default-sink", sink)
        screen.wait_for(READY, BOTH, "O Profile")
        screen.press("O")
        screen.wait_for("PROFILE AND CODEC", "calls (microphone")
        # The last line is "off".
        screen.press("G", "Up", "Enter")
        screen.wait_for("call quality")
        headphone.wait_for("voice link")
        check_status(rig, "connected", "call", "ready", profile="hfp")
        screen.press("O")
        screen.wait_for("PROFILE AND CODEC")
        screen.press("g", "Enter")
        screen.wait_for(READY, music_again)
        check_status(rig, "connected", "up", "ready", profile="a2dp")
