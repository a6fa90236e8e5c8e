"""A headphone that plays another device's sound is asked to play this computer's; Earshot runs as nobody."""

import contextlib

from bench.failure import equal
from bench.player import Player
from bench.sound import ADAPTER, SPEAKERS, DualMode, PipeWire

from . import slow
from .makers import NAME
from .screen import READY

PHONE, PHONE_ADDRESS = "Old phone", "C4:0F:08:00:53:A1"
ASKED = f"asking it to play from this computer instead of {PHONE}"
ALREADY = "already playing here"


def digits(address):
    return address.replace(":", "").lower()


@contextlib.contextmanager
def connected(rig, family, devices, playing, **more):
    """A screen, a headphone that knows `devices` and plays `playing` of them, and a paused player."""
    with (
        DualMode(rig, name=NAME, family=family) as machine,
        PipeWire(rig, unprivileged=True) as server,
        Player(server, "radio") as radio,
    ):
        headphone = machine.headphone
        headphone.change(devices=devices, playing=playing, **more)
        radio.has_on("Paused", "One")
        machine.connect_sound()
        sink = server.wait_for("Bluetooth sink", server.bluetooth_sink)
        server.pactl("set-default-sink", SPEAKERS)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        yield headphone, server, sink, radio, screen


def takes_over(headphone, server, sink, radio, screen, asked, here, phone):
    """`asked`: how often it was asked to play from here; `here`, `phone`: what it says of who plays."""

    def plays(whom, times):
        screen.wait_for(lambda _: headphone.state["playing"] == whom)
        equal(asked(), times, "times that it was asked")

    # The sound of this computer goes elsewhere: it goes there, and is heard.
    screen.press("o")
    screen.wait_for(ASKED)
    server.wait_for("sound there", lambda: server.pactl("get-default-sink").strip() == sink)
    plays(here, 1)
    screen.press("o")
    screen.wait_for(ALREADY)
    plays(here, 1)

    headphone.change(playing=phone)
    screen.wait_for("Play here")
    screen.press("o")
    plays(here, 2)

    headphone.change(playing=phone)
    screen.wait_for("Play here")
    screen.press("v")
    radio.wait_for("PlayPause")
    plays(here, 3)
    radio.has_on("Playing", "One")
    screen.wait_for("▶ One")
    # A pause begins nothing.
    headphone.change(playing=phone)
    screen.wait_for("Play here")
    screen.press("v")
    radio.wait_for("PlayPause")
    radio.has_on("Paused", "One")
    screen.wait_for("‖ One")
    plays(phone, 3)


def case_a_Bose_that_plays_a_phone_is_asked_to_play_from_here(rig):
    """It says itself which of its devices this computer is."""
    here, phone = digits(ADAPTER), digits(PHONE_ADDRESS)
    devices = [[here, "A computer", True], [phone, PHONE, True]]
    with connected(rig, "bose", devices, phone, own=here) as there:
        headphone = there[0]

        def asked():
            return len(headphone.seen("asked", function=[4, 12], operator=5, payload=f"82{here}"))

        takes_over(*there, asked, here, phone)


@slow
def case_a_Sony_that_plays_a_phone_is_asked_to_play_from_here(rig):
    """This computer is the device with the adapter's address."""
    here, phone = 1, 2
    devices = [[PHONE_ADDRESS, phone, PHONE], [ADAPTER, here, "A computer"]]
    with connected(rig, "sony-2", devices, phone) as there:
        headphone, order = there[0], "3c01" + ADAPTER.encode().hex()
        takes_over(*there, lambda: len(headphone.seen("asked", payload=order)), here, phone)


def case_a_headphone_that_does_not_name_this_computer_is_not_asked(rig):
    phone = digits(PHONE_ADDRESS)
    devices = [[phone, PHONE, True], ["9445600053a2", "Tablet", True]]
    with connected(rig, "bose", devices, phone) as (headphone, server, sink, _, screen):
        screen.press("o")
        server.wait_for("sound there", lambda: server.pactl("get-default-sink").strip() == sink)
        screen.press("o")
        screen.wait_for(ALREADY)
        equal(headphone.seen("asked", function=[4, 12], operator=5), [], "requests to play")
