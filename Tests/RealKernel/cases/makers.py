"""Makers' own languages on a serial channel, beside bluetoothd and music, as a user without rights.

The headphones are Bumble's, written from published layouts and recordings (air/sony.py and others).
"""

import contextlib
import socket

from bench.failure import TIMEOUT, equal, expect
from bench.sound import DualMode, PulseAudio

from . import hostile, slow
from .families import levels
from .screen import READY

NAME = "Maker's own"
SOUND_MODES = slice(2 * 117, 2 * 123)
"""Digits of the sound modes in the state of the Soundcore (air/soundcore.py)."""
BUSY = "another program holds the link"


class Listening:
    """A desktop on which music plays through a headphone of a family."""

    def __init__(self, rig, family, driver=None, **options):
        """`driver`: that a person names it; None: it is recognised."""
        self.rig = rig
        self.family = family
        self.driver = ["--driver", driver] if driver else []
        self.options = options

    def __enter__(self):
        rig, self.stack = self.rig, contextlib.ExitStack()
        try:
            self.machine = self.stack.enter_context(
                DualMode(rig, name=NAME, family=self.family, **self.options)
            )
            self.headphone = self.machine.headphone
            self.server = self.stack.enter_context(PulseAudio(rig, unprivileged=True))
            self.connect()
        except BaseException:
            self.stack.close()
            raise
        return self

    def connect(self):
        self.machine.connect_sound()
        sink = self.server.wait_for("Bluetooth sink", self.server.bluetooth_sink)
        self.server.pactl("set-default-sink", sink)
        self.server.play()
        self.headphone.wait_for("music", len(self.headphone.seen("music")) + 1)

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                played = len(self.headphone.seen("music"))
                self.headphone.wait_for("music", played + 1)
                equal(self.headphone.seen("garbage"), [], "frames that it could not read")
        finally:
            self.stack.close()

    def keep(self):
        """Starts a process that keeps the link for the commands to come."""
        self.owner = self.rig.run("watch", *self.driver, unprivileged=True)
        self.owner.wait_for(lambda reported: reported["control"]["state"] == "ready")

    def hears(self, what, after=0):
        """Waits until the status says so: a function of its JSON."""
        return self.owner.wait_for(what, after)

    def earshot(self, *arguments):
        return self.rig.earshot(*arguments, *self.driver, unprivileged=True)

    def does(self, *arguments):
        return self.earshot(*arguments).succeeded()

    def status(self):
        return self.does("status", "--json").json

    def screen(self):
        return self.rig.screen(columns=120, rows=40, unprivileged=True)

    @contextlib.contextmanager
    def other_client(self):
        """Another program that has the serial channel."""
        number = self.headphone.seen("serial channel")[-1]["number"]
        held = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_STREAM, socket.BTPROTO_RFCOMM)
        held.settimeout(TIMEOUT)
        opened = len(self.headphone.seen("channel open"))
        held.connect((self.machine.address, number))
        self.headphone.wait_for("channel open", opened + 1)
        try:
            yield held
        finally:
            held.close()


def identity(reported):
    return reported["device"]["model"], reported["device"]["firmware"]


def case_a_Sony_of_the_second_generation_is_controlled_while_music_plays(rig):
    with Listening(rig, "sony-2") as here:
        headphone = here.headphone
        here.keep()
        reported = here.status()
        equal(levels(reported), [85, 80, 60], "battery")
        equal(reported["anc"], "noise-cancelling", "noise control")
        equal(identity(reported), ("WF-1000XM5", "3.2.0"), "model and firmware")
        modes_change(here, "transparency", "off", "noise-cancelling")
        here.does("eq", "--bands=-6,0,3,4,5")
        equal(headphone.state["bands"], [10, 4, 10, 13, 14, 15], "Clear Bass and bands")
        here.does("setting", "equaliser-preset", "bass")
        equal(headphone.state["preset"], 0x16, "preset")
        here.does("setting", "pause-when-taken-off", "off")
        equal(headphone.state["pause"], False, "pause when taken off")
        here.does("setting", "dsee", "on")
        equal(headphone.state["upscales"], True, "upscaling")
        here.does("volume", "100")
        equal(headphone.state["volume"], 30, "its own volume")
        behaves_as_a_client_of_Sony(headphone)


def modes_change(here, *modes):
    names = {"transparency": "ambient", "noise-cancelling": "cancelling", "off": "off"}
    for mode in modes:
        here.does("anc", mode)
        equal(here.headphone.state["noise"], names[mode], f"noise control after {mode}")


def behaves_as_a_client_of_Sony(headphone):
    equal(headphone.seen("wrong sequence"), [], "commands with another number than is due")
    equal(headphone.seen("switched off"), [], "what switches it off")
    asked = [record["payload"] for record in headphone.seen("asked")]
    equal(asked[0], "0000", "the first question")


def case_a_Sony_of_the_first_generation_is_controlled_while_music_plays(rig):
    # The first of some goes without any answer.
    with Listening(rig, "sony-1", deaf_to={"00": 1}) as here:
        headphone = here.headphone
        here.keep()
        reported = here.status()
        equal(reported["battery"]["left"], 70, "battery")
        equal(reported["device"]["model"], "WH-1000XM4", "model")
        modes_change(here, "transparency", "noise-cancelling", "off")
        here.does("eq", "--bands=1,2,3,4,5")
        equal(headphone.state["bands"], [10, 11, 12, 13, 14, 15], "Clear Bass and bands")
        here.does("setting", "pause-when-taken-off", "off")
        equal(headphone.state["pause"], False, "pause when taken off")
        behaves_as_a_client_of_Sony(headphone)


def case_Galaxy_Buds_are_controlled_while_music_plays(rig):
    with Listening(rig, "galaxy-buds") as here:
        headphone = here.headphone
        here.keep()
        # The level of the case is true while a bud sits in it.
        headphone.change(places=[1, 3])
        here.hears(lambda reported: reported["wearing"] == {"left": True, "right": False})
        equal(levels(here.status()), [99, 97, 64], "battery")
        headphone.change(places=[1, 1])
        here.hears(lambda reported: reported["wearing"] == {"left": True, "right": True})
        equal(here.status()["anc"], "transparency", "noise control")
        for mode, noise in (("noise-cancelling", 1), ("off", 0), ("transparency", 2)):
            here.does("anc", mode)
            equal(headphone.state["noise"], noise, f"noise control after {mode}")
        here.does("setting", "equaliser-preset", "dynamic")
        equal(headphone.state["equaliser"], 3, "preset")
        here.does("setting", "touch-lock", "on")
        equal(headphone.state["touch"], 0x3F, "touch")
        equal(headphone.seen("strange order"), [], "orders that nobody may give")


def case_Galaxy_Buds_that_do_not_cancel_say_so_and_ring_when_they_are_not_worn(rig):
    with Listening(rig, "galaxy-buds") as here:
        headphone = here.headphone
        here.keep()
        worn = here.earshot("find", "left")
        expect(worn.status != 0, f"a worn bud was to ring: {worn}")
        equal(headphone.state["rings"], False, "rings while it is worn")
        headphone.change(places=[2, 2])
        here.hears(lambda reported: reported["wearing"] == {"left": False, "right": False})
        refused = here.earshot("anc", "noise-cancelling")
        expect(refused.status != 0 and refused.messages, f"cancelling without ears: {refused}")
        equal(headphone.state["noise"], 2, "noise control")
        here.does("find", "left")
        equal((headphone.state["rings"], headphone.state["muted"]), (True, [0, 1]), "what rings")
        here.does("find", "stop")
        equal(headphone.state["rings"], False, "rings after find stop")


def case_the_screen_follows_Galaxy_Buds(rig):
    with Listening(rig, "galaxy-buds") as here:
        headphone = here.headphone
        headphone.change(places=[1, 3])
        screen = here.screen()
        screen.wait_for(READY, "99%", "97%", "64%", "left in ear")
        headphone.change(battery=[50, 49, 12], places=[3, 1])
        screen.wait_for("50%", "49%", "12%", "left out", "right in ear")
        headphone.change(noise=0)
        screen.wait_for("▐1 ○ Off▌")
        screen.press("3")
        screen.wait_for("▐3 ◌ Transparency▌")
        equal(headphone.state["noise"], 2, "noise control after its key")


def case_the_screen_follows_a_Sony(rig):
    with Listening(rig, "sony-2") as here:
        headphone, screen = here.headphone, here.screen()
        screen.wait_for(READY, "85%", "80%", "60%", "▐2 ◉ N")
        headphone.change(battery=[50, 49, 12], noise="off")
        screen.wait_for("50%", "49%", "12%", "▐1 ○ Off▌")
        for key, shown, noise in (
            ("3", "▐3 ◌ Transparency▌", "ambient"),
            ("2", "▐2 ◉ N", "cancelling"),
            ("3", "▐3 ◌ Transparency▌", "ambient"),
            ("1", "▐1 ○ Off▌", "off"),
        ):
            screen.press(key)
            screen.wait_for(shown, lambda _: headphone.state["noise"] == noise)
        # The wearer's own button crosses keys that do not wait for each other: the last key counts.
        for noise in ("ambient", "off"):
            headphone.change(noise=noise)
            screen.press("3", "1", "2")
            screen.wait_for(lambda _: headphone.state["noise"] == "cancelling")
            screen.wait_for("▐2 ◉ N")
        behaves_as_a_client_of_Sony(headphone)


def modes(headphone):
    return headphone.state["state"][SOUND_MODES]


def case_a_Soundcore_is_controlled_while_music_plays(rig):
    with Listening(rig, "soundcore-serial") as here:
        headphone = here.headphone
        here.keep()
        reported = here.status()
        equal(levels(reported), [100, 80, 40], "battery")
        equal(identity(reported), ("Sport X20", "01.65"), "model and firmware")
        for mode, number in (("transparency", 1), ("off", 2), ("noise-cancelling", 0)):
            here.does("anc", mode)
            equal(modes(headphone)[:2], f"{number:02x}", f"mode after {mode}")
        before = headphone.state["state"]
        here.does("setting", "cancelling-strength", "3")
        here.does("setting", "cancelling-kind", "adaptive")
        here.does("setting", "wind-reduction", "on")
        equal(modes(headphone), "0032010101ff", "sound modes")
        after = headphone.state["state"]
        for around in (slice(SOUND_MODES.start), slice(SOUND_MODES.stop, None)):
            equal(after[around], before[around], "what is around them")
        # The layout of its equaliser is not published: nothing is written on a guess.
        refused = here.earshot("eq", "--bands=1,2,3,4,5,6,7,8")
        expect(refused.status != 0 and refused.messages, f"an equaliser on a guess: {refused}")
        headphone.change(battery=[4, 3, 2])
        here.hears(lambda reported: reported["battery"]["left"] == 80)
        orders = {record["command"] for record in headphone.seen("asked")}
        equal(orders, {"0101", "0601", "0681", "0B01"}, "commands")


def case_a_Soundcore_connects_and_forgets_its_devices(rig):
    with Listening(rig, "soundcore-serial") as here:
        here.keep()
        manages_its_devices(here, "D4:3A:2C:92:14:66", "Pixel 6a", "Tablet 7")


def case_a_Bose_connects_and_forgets_its_devices(rig):
    with Listening(rig, "bose") as here:
        here.keep()
        # Its names are nobody's to trust, and a connection takes it a while.
        manages_its_devices(here, "C4:0F:08:00:53:A1", "Old phone", "Tablet \ufffd[31m")


def manages_its_devices(here, address, first, second):
    def linked():
        reported = here.does("multipoint", "--json").json
        return {one["name"]: one["connected"] for one in reported["devices"]}

    equal(linked(), {first: True, second: False}, "devices")
    here.does("multipoint", "disconnect", address)
    equal(linked(), {first: False, second: False}, "devices without a connection")
    here.does("multipoint", "connect", second.split()[0])
    equal(linked(), {first: False, second: True}, "devices with another connection")
    here.does("multipoint", "forget", first, "--yes")
    equal(linked(), {second: True}, "devices that are left")
    refused = here.earshot("multipoint", "connect", first)
    expect(refused.status != 0 and refused.messages, f"a device that is forgotten: {refused}")


def case_a_Soundcore_of_another_width_than_is_known_is_not_written_to(rig):
    with Listening(rig, "soundcore-serial") as here:
        headphone = here.headphone
        headphone.change(width=7)
        here.keep()
        before = headphone.state["state"]
        for order in (("anc", "off"), ("setting", "wind-reduction", "on")):
            refused = here.earshot(*order)
            expect(refused.status != 0 and refused.messages, f"a wrong width: {refused}")
        equal(headphone.state["state"], before, "its state")
        equal(headphone.seen("asked", command="0681"), [], "orders")


def case_a_Bose_is_controlled_while_music_plays(rig):
    with Listening(rig, "bose") as here:
        headphone = here.headphone
        here.keep()
        reported = here.status()
        equal(reported["battery"]["left"], 90, "battery")
        equal(identity(reported), ("QC45", "4.0.4"), "model and firmware")
        for mode, number in (("transparency", 1), ("noise-cancelling", 0)):
            here.does("anc", mode)
            equal(headphone.state["mode"], number, f"mode after {mode}")
        for band, gain in (("bass", "3"), ("middle", "-4"), ("treble", "10")):
            here.does("setting", "--", band, gain)
        equal(headphone.state["bands"], [3, -4, 10], "bass, middle, treble")
        here.does("setting", "sidetone", "low")
        equal(headphone.state["sidetone"], 3, "own voice")
        headphone.change(battery=15)
        here.hears(lambda reported: reported["battery"]["left"] == 15)
        operators = {record["operator"] for record in headphone.seen("asked")}
        equal(operators, {1, 2, 5}, "operators: ask, write a setting, start")


def nothing_is_asked_until_a_person_says_whose_it_is(here):
    refused = here.rig.earshot("status", "--json", "--timeout", "10", unprivileged=True)
    expect(refused.status != 0, f"a headphone that may be anybody's: {refused}")
    equal(here.headphone.seen("channel open"), [], "channels that were opened on a guess")


def case_a_Technics_is_controlled_while_music_plays_where_a_person_says_that_it_is_one(rig):
    with Listening(rig, "technics", driver="technics") as here:
        headphone = here.headphone
        nothing_is_asked_until_a_person_says_whose_it_is(here)
        here.keep()
        reported = here.status()
        equal(levels(reported), [90, 80, 70], "battery")
        equal(reported["anc"], "noise-cancelling", "noise control")
        for mode, number in (("transparency", 2), ("off", 0), ("noise-cancelling", 1)):
            here.does("anc", mode)
            equal(headphone.state["noise"], number, f"noise control after {mode}")
        equal(headphone.state["levels"], [100, 50], "its levels")
        headphone.change(battery=[44, 43, 42])
        here.hears(lambda reported: levels(reported)[:2] == [44, 43])
        orders = {record["command"] for record in headphone.seen("asked")}
        known = {"0CD6", "0040", "000A", "000B", "0068", "0022", "0039"}
        equal(orders, known, "commands")


def case_a_1MORE_is_controlled_while_music_plays_where_a_person_says_that_it_is_one(rig):
    controls_a_1MORE(rig, "1more")


def case_a_1MORE_is_controlled_by_a_driver_file(rig):
    controls_a_1MORE(rig, "/run/shared/sonoflow.toml")


def controls_a_1MORE(rig, driver):
    with Listening(rig, "1more", driver=driver) as here:
        headphone = here.headphone
        nothing_is_asked_until_a_person_says_whose_it_is(here)
        here.keep()
        reported = here.status()
        equal(reported["battery"]["left"], 80, "battery")
        equal(reported["device"]["firmware"], "1.2.3", "firmware")
        equal(reported["anc"], "noise-cancelling", "noise control")
        for mode, number in (("transparency", 3), ("off", 0), ("noise-cancelling", 1)):
            here.does("anc", mode)
            equal(headphone.state["values"]["noise"], number, f"noise control after {mode}")
        here.does("setting", "ldac", "on")
        here.does("setting", "multipoint", "off")
        here.does("setting", "equaliser-preset", "bass-booster")
        values = {"noise": 1, "ldac": 2, "devices": 0, "preset": 2}
        equal(headphone.state["values"], values, "its settings")


def takes_every_value(rig, family, count, but=()):
    """Each value of each setting that Earshot lists of it, `but` these, is set, and read back."""
    with Listening(rig, family) as here:
        here.keep()
        settings = here.does("setting", "--json").json["settings"]
        settable = [
            one
            for one in settings
            if one["kind"] in ("choice", "switch") and one["name"] not in but
        ]
        expect(len(settable) >= count, f"too few settings: {settings}")
        for one in settable:
            words = {"on": True, "off": False} if one["kind"] == "switch" else {}
            # The first one again: it is another than at the start, or was left.
            for value in [*one["values"], one["values"][0]]:
                here.does("setting", one["name"], value)
                (reported,) = here.does("setting", one["name"], "--json").json["settings"]
                equal(reported["value"], words.get(value, value), f"{one['name']} after {value}")
        rig.note(f"{len(settable)} settings")


def case_every_setting_of_Galaxy_Buds_takes_every_value(rig):
    takes_every_value(rig, "galaxy-buds", 9)


def case_every_setting_of_a_Bose_takes_every_value(rig):
    takes_every_value(rig, "bose", 5)


@slow
def case_every_setting_of_a_Sony_of_the_first_generation_takes_every_value(rig):
    takes_every_value(rig, "sony-1", 11)


@slow
def case_every_setting_of_a_Sony_of_the_second_generation_takes_every_value(rig):
    takes_every_value(rig, "sony-2", 12)


def case_every_setting_of_a_Soundcore_takes_every_value(rig):
    # They have eight values each, with the same command.
    presses = [f"{press}-{side}" for press in ("tap", "double-tap", "hold") for side in ("left", "right")]
    takes_every_value(rig, "soundcore-serial", 3, presses)


def case_a_Bose_whose_channel_no_record_names_is_found_by_its_answer(rig):
    with Listening(rig, "bose", channel=2) as here:
        reported = here.status()
        equal(reported["battery"]["left"], 90, "battery")
        here.does("anc", "transparency")
        equal(here.headphone.state["mode"], 1, "mode")
        expect(here.headphone.seen("silent channel open"), "another service's channel was tried")


def case_a_channel_that_another_client_holds_is_tried_again_and_reported(rig):
    with Listening(rig, "galaxy-buds") as here:
        here.headphone.change(places=[1, 3])
        with here.other_client():
            result = here.earshot("status", "--json", "--timeout", "10")
            expect(result.status != 0, f"two clients at a time: {result}")
            expect(BUSY in result.messages + result.output, f"no word about it in {result}")
        reported = here.status()
        equal(levels(reported), [99, 97, 64], "battery once the other one has left")


def case_a_link_that_is_lost_comes_back_with_its_controls(rig):
    with Listening(rig, "sony-2") as here:
        headphone, screen = here.headphone, here.screen()
        screen.wait_for(READY, "85%")
        opened = len(headphone.seen("channel open"))
        headphone.drop_sound()
        headphone.wait_for("audio disconnected")
        screen.wait_for(lambda text: READY not in text)
        headphone.change(battery=[33, 32, 31])
        here.server.stop_playing()
        here.connect()
        headphone.wait_for("channel open", opened + 1)
        screen.wait_for(READY, "33%", "32%", "31%")
        # The channel alone ends, too.
        headphone.end_stream()
        headphone.wait_for("channel open", opened + 2)
        screen.wait_for(READY)
        equal(len(headphone.seen("audio disconnected")), 1, "audio links that have ended")


HOSTILE = {
    "sony-2": (
        # A wrong sum; a level of 200; a length without end; an end without beginning; noise.
        "3e0c000000000325097f003c",
        "3e0c00000000082509c800c8001414123c",
        "3e0cff7fffffff3c",
        "3c3c3c3c",
        "ff" * 700,
        "3e" * 700,
    ),
    "galaxy-buds": (
        # A wrong checksum; a truncated state; a length of 1027 bytes, and as many of noise.
        "fd0400770100ffdd",
        "fd040061" + "00" * 3,
        "fdffff7701",
        "dd" * 1400,
    ),
}


def survives(rig, family, level, **state):
    with Listening(rig, family) as here:
        headphone, screen = here.headphone, here.screen()
        screen.wait_for(READY, f"{level}%")
        ended = len(headphone.seen("channel closed"))
        for nonsense in HOSTILE[family]:
            headphone.write_stream(nonsense)
        headphone.change(battery=[44, 43, 42], **state)
        screen.wait_for(READY, "44%", "43%", "42%", lambda text: "200%" not in text)
        equal(len(headphone.seen("channel closed")), ended, "channels that have ended")


@hostile
def case_Galaxy_Buds_that_write_nonsense_change_nothing_and_are_read_on(rig):
    survives(rig, "galaxy-buds", 99, places=[1, 3])


@hostile
def case_a_Sony_that_writes_nonsense_changes_nothing_and_is_read_on(rig):
    survives(rig, "sony-2", 85)
