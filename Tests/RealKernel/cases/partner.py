"""bluetoothd and the desktop as partners of a user without any capability."""

import contextlib
import re

from bench.failure import equal, expect
from bench.player import Player
from bench.provider import Provider
from bench.sound import DualMode, PipeWire, PulseAudio, Stock

from . import slow
from .comeback import is_ready
from .dual_mode import BOTH, NO_SOUND
from .pairing import PASSKEY, typed_on
from .permission import checks
from .screen import READY
from .stock_desktop import NAME, pair, pair_while_playing, scan

PLAYING, PAUSED = "▶ ", "‖ "


def case_a_media_player_is_shown_and_obeys_keys(rig):
    with Stock(rig), PipeWire(rig, unprivileged=True) as server, Player(server, "radio") as radio:
        radio.has_on("Playing", "A Song", "Somebody", "Nobody")
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY, PLAYING + "A Song - Somebody, Nobody")
        for key, order in (("v", "PlayPause"), (">", "Next"), ("<", "Previous")):
            screen.press(key)
            radio.wait_for(order)
        radio.has_on("Paused", "A Song", "Somebody")
        screen.wait_for(PAUSED + "A Song - Somebody")
        # Text from another program is as hostile as from the air.
        radio.has_on("Playing", "\x1b[2JGone\n\x07", "\u202eevil")
        screen.wait_for(PLAYING, "Gone", READY)
        with Player(server, "band") as band:
            band.has_on("Playing", "Louder")
            screen.wait_for(PLAYING + "Louder")
            screen.press("v")
            band.wait_for("PlayPause")
            band.has_on("Stopped", "")
            screen.wait_for("Gone")


def microphone(rig, make):
    with Stock(rig, encrypted=True) as machine, make(rig, unprivileged=True) as server:
        desk = server.add_microphone()
        server.play()
        pair(rig)
        machine.headphone.wait_for("audio paired")
        rig.earshot("audio", "connect", unprivileged=True).succeeded()
        machine.headphone.wait_for("calls connected")
        rig.earshot("audio", "profile", "calls", unprivileged=True).succeeded()
        own = server.wait_for("microphone of the headphone", server.bluetooth_source)
        server.record("Caller", own)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY, "this headphone, open: Caller")
        reported = rig.earshot("status", "--json", unprivileged=True).succeeded().json["audio"]
        equal(reported["microphone"]["openedBy"], ["Caller"], "programs in `status`")
        screen.press("M")
        screen.wait_for("MICROPHONE FOR CALLS", "Desk", "Caller")
        screen.press("Enter")
        screen.wait_for("A2DP", "Desk, open: Caller")
        equal(server.where_is_recorded(), desk, "the microphone of the call")
        listed = rig.earshot("audio", "microphone", "--json", unprivileged=True).succeeded()
        (used,) = [one for one in listed.json["microphones"] if one["default"]]
        equal((used["id"], used["openedBy"]), (desk, ["Caller"]), "the microphone in use")


def case_calls_get_another_microphone_and_music_its_quality_with_PulseAudio(rig):
    microphone(rig, PulseAudio)


def case_calls_get_another_microphone_and_music_its_quality_with_PipeWire(rig):
    microphone(rig, PipeWire)


def case_a_command_gives_music_its_quality_back(rig):
    with Stock(rig, encrypted=True) as machine, PulseAudio(rig, unprivileged=True) as server:
        desk = server.add_microphone()
        pair(rig)
        machine.headphone.wait_for("audio paired")
        rig.earshot("audio", "connect", unprivileged=True).succeeded()
        machine.headphone.wait_for("calls connected")
        rig.earshot("audio", "profile", "calls", unprivileged=True).succeeded()
        server.record("Caller", server.wait_for("own", server.bluetooth_source))
        reported = rig.earshot("audio", "microphone", "Desk", unprivileged=True).succeeded()
        expect(f"* {desk}" in reported.output, f"another default in {reported}")
        equal(server.where_is_recorded(), desk, "the microphone of the call")
        modes = rig.earshot("audio", "profile", unprivileged=True).succeeded()
        expect(re.search(r"^\* .*music", modes.output, re.MULTILINE), f"no music in {modes}")


def case_the_charge_is_given_to_bluetoothd_and_again_to_the_next_one(rig):
    with Stock(rig, encrypted=True, experimental=True) as machine:
        pair(rig)
        machine.headphone.wait_for("audio paired")
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY, "80", "75")
        wait_for_charge(screen, machine, 75)
        machine.headphone.change(battery=[42, 60, 50])
        screen.wait_for("42")
        wait_for_charge(screen, machine, 42)
        machine.desktop.end_bluetoothd()
        screen.wait_for("off")
        machine.desktop.start_bluetoothd()
        screen.wait_for(READY)
        wait_for_charge(screen, machine, 42)


def wait_for_charge(screen, machine, percent):
    def is_there(_):
        # A screen that is drawn again is looked at again.
        return machine.charge() == (percent, "Earshot") or screen.press("C-l")

    screen.wait_for(is_there)


def case_one_charge_for_all_parts_is_shown_where_no_better_is_known(rig):
    with Stock(rig, experimental=True, is_headphone=False) as machine:
        rig.earshot("pair", NAME, "--yes", unprivileged=True).succeeded()
        machine.headphone.wait_for("audio paired")
        with Provider(machine, 33):
            reported = rig.earshot("battery", "--json", "--device", NAME, unprivileged=True)
            equal(reported.succeeded().json["battery"]["overall"], 33, "charge in `battery`")
            screen = rig.screen("--device", NAME, columns=120, rows=40, unprivileged=True)
            screen.wait_for(NAME, "33 all", "33%", "all parts together")
        screen.wait_for(lambda text: "33 all" not in text)


def number_is_typed(rig, other_agent=None):
    with Stock(rig, encrypted=True, pairing="keyboard") as machine, beside(machine, other_agent):
        pairing = rig.earshot.start("pair", NAME, "--yes", unprivileged=True)
        typed_on(machine.headphone, pairing, times=2)
        machine.headphone.wait_for("audio paired")


def number_is_entered(rig, other_agent=None):
    with Stock(rig, encrypted=True, pairing="display") as machine, beside(machine, other_agent):
        pair(rig, "--passkey", PASSKEY)
        machine.headphone.wait_for("paired")
        machine.headphone.wait_for("audio paired")


def beside(machine, other_agent):
    return machine.desktop.agent() if other_agent else contextlib.nullcontext()


def case_a_number_is_typed_on_the_headphone_with_earshots_agent(rig):
    number_is_typed(rig)


def case_a_number_is_typed_on_the_headphone_beside_another_agent(rig):
    number_is_typed(rig, other_agent=True)


def case_the_headphones_number_is_entered_with_earshots_agent(rig):
    number_is_entered(rig)


def case_the_headphones_number_is_entered_beside_another_agent(rig):
    number_is_entered(rig, other_agent=True)


def bring_up_sound(screen, headphone):
    music = len(headphone.seen("music"))
    screen.press("o")
    screen.wait_for(READY, BOTH)
    headphone.wait_for("music", music + 2)


def sound_and_controls_in_either_order(rig, make):
    with DualMode(rig) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        server.play()
        machine.connect_sound()
        server.wait_for("Bluetooth sink", server.bluetooth_sink)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        server.pactl("set-default-sink", server.bluetooth_sink())
        screen.wait_for(READY, BOTH)
        screen.press("3")
        headphone.wait_for("anc written", value="02")

        headphone.drop_sound()
        screen.wait_for(READY, NO_SOUND)
        headphone.allow_sound()
        bring_up_sound(screen, headphone)
        equal(len(headphone.seen("connected")), 1, "control links")

        screen.press("c")
        headphone.wait_for("disconnected")
        screen.wait_for("you disconnected the controls")
        screen.press("c")
        screen.wait_for(READY, BOTH)
        screen.press("1")
        headphone.wait_for("anc written", value="00")
        headphone.wait_for("music", len(headphone.seen("music")) + 2)
        equal(len(headphone.seen("audio connected")), 2, "audio links")


def case_sound_and_controls_come_in_either_order_with_PulseAudio(rig):
    sound_and_controls_in_either_order(rig, PulseAudio)


def case_sound_and_controls_come_in_either_order_with_PipeWire(rig):
    sound_and_controls_in_either_order(rig, PipeWire)


def case_no_audio_profile_stays_when_the_sound_is_disconnected_with_PipeWire(rig):
    """PulseAudio 16.1 keeps its hands-free channel open as long as the link is up."""
    with Stock(rig, encrypted=True) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone, screen = pair_while_playing(rig, machine, server)
        bring_up_sound(screen, headphone)
        headphone.wait_for("calls connected")
        links = len(headphone.seen("disconnected"))
        rig.earshot("audio", "disconnect", unprivileged=True).succeeded()
        headphone.wait_for("music close")
        headphone.wait_for("calls disconnected")
        headphone.wait_for("audio disconnected")
        screen.wait_for(READY, NO_SOUND)
        screen.press("3")
        headphone.wait_for("anc written", value="02")
        equal(len(headphone.seen("disconnected")), links, "ends of the control link")


def nothing_stays(rig, make):
    """By commands alone, so that no control link needs the device's links."""
    with Stock(rig, encrypted=True) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        server.play()
        pair(rig)
        headphone.wait_for("audio paired")
        headphone.wait_for("disconnected")
        for count in 1, 2:
            rig.earshot("audio", "connect", unprivileged=True).succeeded()
            headphone.wait_for("calls connected", count)
            links = len(headphone.seen("audio disconnected"))
            rig.earshot("audio", "disconnect", unprivileged=True).succeeded()
            headphone.wait_for("calls disconnected", count)
            headphone.wait_for("audio disconnected", links + 1)


def case_nothing_stays_of_the_sound_without_a_control_link_with_PulseAudio(rig):
    nothing_stays(rig, PulseAudio)


def case_nothing_stays_of_the_sound_without_a_control_link_with_PipeWire(rig):
    nothing_stays(rig, PipeWire)


def both_in_every_order(rig, make):
    """Both sides are paired; each link ends and comes back while the other is up, and both stay."""
    with Stock(rig, encrypted=True) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        server.play()
        pair(rig)
        headphone.wait_for("audio paired")

        def both_stay(key, value):
            screen.wait_for(READY, BOTH)
            ends = [len(headphone.seen(saw)) for saw in ("disconnected", "audio disconnected")]
            music = len(headphone.seen("music"))
            screen.press(key)
            headphone.wait_for("anc written", written[value] + 1, value=value)
            written[value] += 1
            headphone.wait_for("music", music + 4)
            screen.wait_for(READY, BOTH)
            now = [len(headphone.seen(saw)) for saw in ("disconnected", "audio disconnected")]
            equal(now, ends, "ends of the links")

        def drop_controls():
            ends = len(headphone.seen("disconnected"))
            screen.press("c")
            headphone.wait_for("disconnected", ends + 1)
            screen.wait_for(lambda text: READY not in text)

        def drop_sound():
            ends = len(headphone.seen("music close"))
            rig.earshot("audio", "disconnect", unprivileged=True).succeeded()
            headphone.wait_for("music close", ends + 1)
            screen.wait_for(lambda text: BOTH not in text)

        def bring_up_sound_alone():
            music = len(headphone.seen("music"))
            screen.press("o")
            headphone.wait_for("music", music + 2)

        written = dict.fromkeys(("00", "02"), 0)
        # By commands: no control link is up, nor any process.
        rig.earshot("audio", "connect", unprivileged=True).succeeded()
        headphone.wait_for("music", 2)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        both_stay("3", "02")
        # The control link while there is sound.
        drop_controls()
        screen.press("c")
        both_stay("1", "00")
        # The sound while there is a control link.
        drop_sound()
        screen.wait_for(READY)
        bring_up_sound_alone()
        both_stay("3", "02")
        # The sound first, then the control link, and both were down.
        drop_sound()
        drop_controls()
        bring_up_sound_alone()
        screen.press("c")
        both_stay("1", "00")
        # The control link first, then the sound.
        drop_controls()
        drop_sound()
        screen.press("c")
        screen.wait_for(READY)
        bring_up_sound_alone()
        both_stay("3", "02")


@slow
def case_both_links_come_and_stay_in_every_order_with_PulseAudio(rig):
    both_in_every_order(rig, PulseAudio)


@slow
def case_both_links_come_and_stay_in_every_order_with_PipeWire(rig):
    both_in_every_order(rig, PipeWire)


def who_holds_the_link(rig, screen, holder):
    """On the information page, in the doctor's text and JSON, and in the status."""
    words = "ready, through bluetoothd, which holds it"
    screen.press("i")
    screen.wait_for("Control link", lambda text: (words in text) == bool(holder))
    screen.press("Escape")
    screen.wait_for(READY)
    claim = f"holds the control link to {NAME}"
    reported, _ = checks(rig, unprivileged=True)
    equal(claim in reported["bluetoothd"]["what"], bool(holder), f"claim in {reported['bluetoothd']}")
    equal(reported["bluetoothd"]["state"], "ok", "finding about bluetoothd")
    text = rig.earshot("doctor", unprivileged=True).output
    equal(claim in text, bool(holder), f"claim in {text}")
    status = rig.earshot("status", "--json", "--device", NAME, unprivileged=True).succeeded()
    equal(status.json["control"]["holder"], holder, "holder in `status`")


def link_that_bluetoothd_holds(rig, make):
    with (
        Stock(rig, sound=False, address="F0:F1:F2:F3:F4:F5") as machine,
        make(rig, unprivileged=True),
    ):
        headphone = machine.headphone
        scan(rig, 2)
        machine.device("Connect")
        headphone.wait_for("connected")
        reported = rig.earshot("status", "--json", "--device", NAME, unprivileged=True).succeeded()
        equal(reported.json["control"]["state"], "ready", "the control link")
        rig.earshot("anc", "adaptive", "--device", NAME, unprivileged=True).succeeded()
        equal(headphone.state["anc"], 3, "ANC mode")
        rig.earshot("eq", "vocal", "--device", NAME, unprivileged=True).succeeded()
        screen = rig.screen("--device", NAME, columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY, "▐Vocal▌")
        headphone.change(battery=[42, 17, 99])
        screen.wait_for("42", "17", "99")
        screen.press("3")
        headphone.wait_for("anc written", value="02")
        equal(len(headphone.seen("connected")), 1, "links while bluetoothd holds it")
        who_holds_the_link(rig, screen, "bluetoothd")

        machine.device("Disconnect")
        headphone.wait_for("connected", 2)
        screen.wait_for(READY)
        headphone.change(battery=[41, 17, 99])
        screen.wait_for("41", READY)
        who_holds_the_link(rig, screen, None)
        screen.press("q")
        headphone.wait_until_disconnected()


def case_bluetoothds_link_is_used_and_then_a_direct_one_with_PulseAudio(rig):
    link_that_bluetoothd_holds(rig, PulseAudio)


def case_bluetoothds_link_is_used_and_then_a_direct_one_with_PipeWire(rig):
    link_that_bluetoothd_holds(rig, PipeWire)


def case_services_that_change_on_bluetoothds_link_are_read_again(rig):
    with Stock(rig, sound=False, address="F0:F1:F2:F3:F4:F5") as machine:
        headphone = machine.headphone
        scan(rig, 2)
        machine.device("Connect")
        headphone.wait_for("connected")
        watch = rig.run("watch", "--device", NAME, unprivileged=True)
        ready = watch.wait_for(is_ready)
        headphone.change_services(moves=True)
        headphone.wait_for("change confirmed")
        # bluetoothd reads the services again, which a command does not wait for.
        headphone.wait_for("subscribed", 2, to="event")
        headphone.change(battery=[41, 17, 99])
        watch.wait_for(lambda status: status["battery"]["left"] == 41, after=ready)
        rig.earshot("anc", "adaptive", "--device", NAME, unprivileged=True).succeeded()
        equal(headphone.state["anc"], 3, "ANC mode")
        equal(len(headphone.seen("connected")), 1, "links")


def case_a_headphone_that_another_program_removes_goes_from_the_list(rig):
    with Stock(rig, encrypted=True) as machine:
        pair(rig)
        machine.headphone.wait_for("audio paired")
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        machine.headphone.switch_off()
        screen.wait_for(lambda text: READY not in text)
        machine.remove()
        screen.wait_for("removed by another program", "no headphone")
        listed = rig.earshot("devices", "--json", unprivileged=True).succeeded()
        expect(NAME not in listed.output, f"still known: {listed}")
