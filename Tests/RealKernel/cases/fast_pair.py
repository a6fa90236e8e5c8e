"""Fast Pair's message stream on the audio side of a headphone with standard services."""

import socket

from bench.failure import TIMEOUT, equal, expect
from bench.sound import hold_link

from .audio_pairing import dual_mode
from .control import status
from .families import levels
from .screen import READY

NAME = "Anybody's"
STREAM = "Fast Pair's message stream"


def nearby(rig):
    return dual_mode(rig, name=NAME, family="fastpair", encrypted=False, long_uuids=False)


def sounding(headphone):
    """Another program's audio link, paired by it; Earshot must neither make nor end it."""
    return hold_link(headphone.address[:17], is_encrypted=True)


def stream_is_missing(reported, why):
    return any(STREAM in line and why in line for line in reported["missing"])


def case_a_message_stream_tells_every_battery_and_rings_each_bud(rig):
    headphone = nearby(rig)
    with sounding(headphone):
        reported = status(rig)
        equal(levels(reported), [87, 65, None], "battery")
        equal(reported["device"]["firmware"], "1.0.3", "firmware, by the service")
        expect(not stream_is_missing(reported, ""), f"the stream is open: {reported['missing']}")
        for sides, mask in (("left", 2), ("right", 1), ("both", 3)):
            rig.earshot("find", sides).succeeded()
            equal(headphone.state["ringing"], mask, f"what rings after find {sides}")
            rig.earshot("find", "stop").succeeded()
            equal(headphone.state["ringing"], 0, "what rings after find stop")
        expect(not headphone.seen("alert"), "the alert service was used")
        equal(headphone.seen("audio disconnected"), [], "audio links that have ended")


def case_a_bud_that_is_worn_refuses_to_ring_and_that_is_reported(rig):
    headphone = nearby(rig)
    with sounding(headphone):
        headphone.change(worn=1)
        result = rig.earshot("find", "left")
        expect(result.status != 0 and "not possible right now" in result.messages, f"no word in {result}")
        equal(headphone.state["ringing"], 0, "what rings")


def case_the_screen_follows_a_message_stream_and_outlives_it(rig):
    headphone = nearby(rig)
    with sounding(headphone):
        screen = rig.screen(columns=120, rows=40)
        screen.wait_for(READY, "87%", "65%")
        headphone.change(battery=[41, 18, 98], charging=["case"])
        screen.wait_for("41%", "18%", "98%", "charging")
        ended = len(headphone.seen("disconnected"))
        headphone.end_stream()
        headphone.wait_for("stream closed")
        screen.wait_for(f"{STREAM}: it has ended")
        screen.wait_for(READY)
        equal(len(headphone.seen("disconnected")), ended, "control links that have ended")
        equal(headphone.seen("audio disconnected"), [], "audio links that have ended")


def case_sound_that_is_connected_later_brings_the_message_stream(rig):
    headphone = nearby(rig)
    reported = status(rig)
    equal(reported["battery"]["left"], 65, "the one battery of its service")
    expect(stream_is_missing(reported, "not connected here"), f"no word in {reported['missing']}")
    equal(headphone.seen("audio connected"), [], "calls to its audio side")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY, "65%")
    with sounding(headphone):
        screen.wait_for("87%", "65%")
        equal(len(headphone.seen("stream open")), 1, "how often it was opened")


def case_a_message_stream_that_another_program_has_is_reported_and_left_to_it(rig):
    headphone = nearby(rig)
    with sounding(headphone):
        channel = 2
        held = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_STREAM, socket.BTPROTO_RFCOMM)
        held.settimeout(TIMEOUT)
        held.connect((headphone.address[:17], channel))
        headphone.wait_for("stream open")
        reported = status(rig)
        expect(stream_is_missing(reported, "another program holds it"), f"no word in {reported['missing']}")
        equal(reported["control"]["state"], "ready", "the control link")
        equal(reported["battery"]["left"], 65, "the battery of its service")
        held.close()
