"""From an empty state to music and silence, as a user without any capability beside bluetoothd."""

import contextlib
import time

from air.advertising import WHOLE_NAME, structure
from bench.failure import equal, expect
from bench.sound import SPEAKERS, PipeWire, PulseAudio, Stock

from . import first, slow
from .dual_mode import BOTH
from .pairing import bonds
from .screen import READY

NAME = "Earshot One"
PIN = "4711"
LINK_KEY = "LinkKey"
COMBINATION = 0
"""The kind of a link key that a PIN makes."""
ADVERTISEMENT_WITHOUT_AUDIO = "02011a" "0303f0ff"
"""Flags and service; without a word about the audio side."""
FORGOTTEN = 40
"""s"""
ASKED = "[agent]"
"""What bluetoothctl says when its agent is asked."""


def scan(rig, seconds):
    result = rig.earshot("scan", "--json", "--timeout", str(seconds), unprivileged=True)
    return result.succeeded().json["headphones"]


def pair(rig, *options):
    return rig.earshot("pair", NAME, "--yes", *options, unprivileged=True).succeeded()


def pair_while_playing(rig, machine, server):
    """The paired headphone, and a screen with its control link up, while a program plays music."""
    server.play()
    pair(rig)
    machine.headphone.wait_for("audio paired")
    screen = rig.screen(columns=120, rows=40, unprivileged=True)
    screen.wait_for(READY)
    return machine.headphone, screen


def ask_again(screen):
    """Pairs again after bluetoothd forgot its question: an answer starts nothing, the key does."""
    screen.press("Escape")
    screen.wait_for(lambda text: "PAIRING" not in text)
    screen.press("p")
    screen.wait_for("PAIRING")


def all_kinds_are_listed(rig, make):
    with Stock(rig, name="Both"), make(rig, unprivileged=True):
        rig.headphone(name="Low Energy", address="F0:F1:F2:F3:F4:06")
        rig.airpods(name="Classic")
        found = {headphone["name"]: headphone for headphone in scan(rig, 8)}
        equal(sorted(found), ["Both", "Classic", "Low Energy"], "what is listed")
        equal(found["Classic"]["addressType"], "BR/EDR", "address type of the one without LE")
        doctor = rig.earshot("doctor", "--json", unprivileged=True)
        findings = {finding["check"]: finding for finding in doctor.json["findings"]}
        equal(findings["cap-net-raw"]["state"], "ok", "finding about a capability for scanning")


def case_an_le_a_dual_mode_and_a_br_edr_headphone_are_listed_with_PulseAudio(rig):
    all_kinds_are_listed(rig, PulseAudio)


def case_an_le_a_dual_mode_and_a_br_edr_headphone_are_listed_with_PipeWire(rig):
    all_kinds_are_listed(rig, PipeWire)


def case_both_sides_are_paired_by_just_works_with_earshots_agent_alone(rig):
    with Stock(rig, encrypted=True) as machine:
        pair(rig)
        machine.headphone.wait_for("paired")
        machine.headphone.wait_for("audio paired")
        kept = machine.keys()
        expect(LINK_KEY in kept and any("LongTerm" in key for key in kept), f"kept: {kept}")
        again = rig.earshot("pair", NAME, "--yes", unprivileged=True)
        again.succeeded()
        equal(len(machine.headphone.seen("audio paired")), 1, "pairings of the audio side")


@first
def case_numbers_are_compared_with_earshots_agent_alone(rig):
    with Stock(rig, encrypted=True, pairing="compare") as machine:
        result = pair(rig)
        numbers = [record["number"] for record in machine.headphone.seen("compares")]
        expect(numbers, "the headphone compared nothing")
        for number in numbers:
            expect(number in result.messages, f"the headphone compares {number}, not so {result}")
        machine.headphone.wait_for("audio paired")


def case_another_programs_agent_is_not_asked(rig):
    with Stock(rig, encrypted=True, pairing="compare") as machine, machine.desktop.agent() as said:
        result = pair(rig)
        numbers = [record["number"] for record in machine.headphone.seen("compares")]
        expect(numbers and all(number in result.messages for number in numbers), f"{result}")
        expect(ASKED not in said(), f"another agent was asked: {said()}")


def case_just_works_and_a_pin_beside_another_agent(rig):
    with Stock(rig, encrypted=True) as machine, machine.desktop.agent() as said:
        pair(rig)
        machine.headphone.wait_for("paired")
        machine.headphone.wait_for("audio paired")
        old = rig.headphone(name="Old", address="F0:F1:F2:F3:F4:07/P", sound=True, pin=PIN)
        rig.earshot("pair", "Old", "--yes", "--pin", PIN, unprivileged=True).succeeded()
        old.wait_for("audio paired")
        expect(ASKED not in said(), f"another agent was asked: {said()}")


def case_the_pin_that_most_old_headphones_have_is_not_asked_for(rig):
    """bluetoothd tries it by itself."""
    with Stock(rig, pin="0000") as machine:
        pair(rig)
        machine.headphone.wait_for("audio paired")
        expect(LINK_KEY in machine.keys(), f"kept: {machine.keys()}")


@slow
def case_a_command_gives_a_pin_or_0000_or_asks(rig):
    with Stock(rig, pin=PIN) as machine:
        refused = pair_with(rig, "--yes")
        equal(refused.status, 6, f"exit status of {refused}")
        expect("PIN? 0000" in refused.messages, f"no PIN in {refused}")
        unasked = pair_with(rig)
        equal(unasked.status, 6, f"exit status of {unasked}")
        equal(machine.headphone.seen("audio paired"), [], "pairings")
        terminal = rig.screen("pair", NAME, unprivileged=True)
        terminal.press("y", "Enter", *PIN, "Enter")
        terminal.wait_for(f"Paired with {NAME}", "ended with 0")
        machine.headphone.wait_for("audio paired")


def pair_with(rig, *options):
    return rig.earshot("pair", NAME, *options, unprivileged=True)


@slow
def case_a_pin_is_typed_on_the_screen(rig):
    with Stock(rig, pin=PIN) as machine:
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(NAME)

        def ask():
            screen.press("p")
            screen.wait_for("PAIRING", "y Yes")
            screen.press("y")
            screen.wait_for("Type the PIN", "Use 0000")

        ask()
        screen.press("Escape")
        screen.wait_for("Pairing cancelled")
        ask()
        screen.press(*PIN)
        screen.wait_for(PIN)
        screen.press("Enter")
        machine.headphone.wait_for("audio paired")
        screen.wait_for(f"{NAME} is paired")


@slow
def case_a_known_old_headphone_is_paired_by_its_pin_without_bluetoothd(rig):
    """The kernel asks for the PIN itself."""
    with Stock(rig, pin=PIN) as machine:
        pair(rig, "--pin", PIN)
        machine.desktop.end_bluetoothd()
        rig.adapter.unplug()
        rig.adapter.plug(dual_mode=True)
        rig.earshot.give_capabilities()
        for wrong in ("--yes",), ("--pin", "0815"):
            refused = pair_with(rig, *wrong)
            equal(refused.status, 6, f"exit status of {refused}")
            expect("pairing was refused" in refused.messages, f"no word about it in {refused}")
        equal(len(machine.headphone.seen("audio paired")), 1, "pairings")
        pair(rig, "--pin", PIN)
        machine.headphone.wait_for("audio paired", 2)
        (bond,) = bonds(rig, f"{rig.earshot.home}-nobody")
        equal(bond["linkKey"]["kind"], COMBINATION, "kind of the audio side's key")


@contextlib.contextmanager
def paired_by_a_private_address(rig):
    """A dual-mode headphone of which both sides were found, and whose LE side is paired then."""
    data = ADVERTISEMENT_WITHOUT_AUDIO + structure(WHOLE_NAME, NAME.encode()).hex()
    with Stock(rig, encrypted=True, private=True, advertisement=data) as machine:
        found = {one["addressType"]: one["address"] for one in scan(rig, 8)}
        equal(found.pop("BR/EDR"), machine.address, "address of the audio side")
        (private,) = found.values()
        rig.earshot("pair", private, "--yes", unprivileged=True).succeeded()
        machine.headphone.wait_until_disconnected()
        yield machine
        equal(len(machine.headphone.seen("paired")), 1, "pairings")


def is_reached_by_its_identity(rig, machine):
    machine.headphone.change_address()
    status = rig.earshot("status", "--json", unprivileged=True).succeeded().json
    equal(status["device"]["address"], machine.address, "address")
    equal(status["control"]["encrypted"], True, "encrypted")
    machine.headphone.wait_until_disconnected()


def case_a_private_address_and_the_audio_side_are_one_row_once_paired(rig):
    """Until then nothing tells that they are one: another headphone may have the same name."""
    with paired_by_a_private_address(rig) as machine:
        headphone = machine.headphone
        for _ in range(2):
            is_reached_by_its_identity(rig, machine)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        screen.press("s")
        text = screen.wait_for(READY, lambda text: "scanning" not in text)
        equal("/2" in text.splitlines()[0], False, "a second row for it")
        screen.press("3")
        headphone.wait_for("anc written", value="02")


@slow
def case_a_pairing_by_a_private_address_outlasts_bluetoothd(rig):
    """It forgets a device that it found and that is not paired after 30 s."""
    with paired_by_a_private_address(rig) as machine:
        time.sleep(FORGOTTEN)
        machine.desktop.end_bluetoothd()
        expect("IdentityResolvingKey" in machine.keys(), f"kept: {machine.keys()}")
        machine.desktop.start_bluetoothd()
        is_reached_by_its_identity(rig, machine)


def case_forgetting_removes_bluetoothds_keys_too(rig):
    with Stock(rig, encrypted=True) as machine:
        pair(rig)
        machine.headphone.wait_for("audio paired")
        expect(LINK_KEY in machine.keys(), "no key is kept")
        rig.earshot("forget", NAME, "--yes", unprivileged=True).succeeded()
        listed = rig.earshot("devices", "--json", unprivileged=True).succeeded()
        expect(NAME not in listed.output, f"still known: {listed}")
        try:
            kept = machine.keys()
        except FileNotFoundError:
            kept = set()
        expect(LINK_KEY not in kept, f"still kept: {kept}")


def sound(rig, make):
    with Stock(rig, encrypted=True) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        server.play()
        refused = rig.earshot("audio", "connect", "--device", NAME, unprivileged=True)
        equal(refused.status, 6, f"exit status of {refused}")
        expect("not paired" in refused.messages, f"no word about it in {refused}")
        pair(rig)
        headphone.wait_for("audio paired")
        rig.earshot("audio", "connect", unprivileged=True).succeeded()
        headphone.wait_for("music", 2)
        equal(server.where_music_plays(), server.bluetooth_sink(), "where the music plays")
        rig.earshot("anc", "adaptive", unprivileged=True).succeeded()
        equal(headphone.state["anc"], 3, "ANC mode")
        rig.earshot("audio", "disconnect", unprivileged=True).succeeded()
        headphone.wait_for("music close")


def case_the_sound_is_brought_up_with_PulseAudio(rig):
    sound(rig, PulseAudio)


@first
def case_the_sound_is_brought_up_with_PipeWire(rig):
    sound(rig, PipeWire)


def case_other_outputs_profiles_and_codecs_with_PulseAudio(rig):
    outputs_and_modes(rig, PulseAudio, "sbc_xq_552")


def case_other_outputs_profiles_and_codecs_with_PipeWire(rig):
    outputs_and_modes(rig, PipeWire, "a2dp-sink-sbc_xq")


def outputs_and_modes(rig, make, better):
    def modes(*words):
        status = rig.earshot("audio", "profile", *words, "--json", unprivileged=True)
        return {mode["name"]: mode for mode in status.succeeded().json["profiles"]}

    def in_force():
        return [name for name, mode in modes().items() if mode["active"]]

    with Stock(rig, encrypted=True) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        server.play()
        pair(rig)
        headphone.wait_for("audio paired")
        rig.earshot("audio", "connect", unprivileged=True).succeeded()
        headphone.wait_for("music", 2)
        rig.earshot("audio", "route", "speakers", unprivileged=True).succeeded()
        equal(server.where_music_plays(), SPEAKERS, "where the music plays")
        rig.earshot("audio", "route", NAME, unprivileged=True).succeeded()
        equal(server.where_music_plays(), server.bluetooth_sink(), "where the music plays")
        equal(modes()[better]["text"].startswith("music, SBC-XQ"), True, "the codec in words")
        configured = len(headphone.seen("music configuration"))
        modes(better)
        headphone.wait_for("music configuration", configured + 1)
        server.wait_for(better, lambda: in_force() == [better])
        headphone.wait_for("calls connected")
        modes("calls")
        server.wait_for("calls", lambda: "calls" in modes()[in_force()[0]]["text"])


def journey(rig, make):
    """Two headphones are in range, so that a person has to choose."""
    with Stock(rig) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        server.play()
        headphone.switch_off()
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for("scanning")
        screen.press("s")
        screen.wait_for(lambda text: "scanning" not in text)
        other = rig.headphone(name="Low Energy", address="F0:F1:F2:F3:F4:06")
        headphone.switch_on_again()
        begun = time.monotonic()
        screen.press("s")
        listed = screen.wait_for(NAME, "Low Energy", "choose one").split("HEADPHONES")[1]
        if listed.index("Low Energy") < listed.index(NAME):
            screen.press("Down")
        screen.press("Enter")
        screen.wait_for(READY)
        screen.press("p")
        screen.wait_for("PAIRING")
        screen.press("y")
        screen.wait_for("audio paired")
        silence = time.monotonic()
        screen.press("o")
        headphone.wait_for("music")
        music = time.monotonic()
        screen.press("2")
        headphone.wait_for("anc written", value="01")
        now = time.monotonic()
        rig.note(
            f"keys s Enter p y o 2: from o to music {music - silence:.1f} s, "
            f"from s to noise cancelling {now - begun:.1f} s"
        )
        expect(music - silence < 3, f"{music - silence} s from o to music")
        screen.wait_for(READY, BOTH)
        headphone.wait_for("music", 2)
        equal(server.where_music_plays(), server.bluetooth_sink(), "where the music plays")
        equal(other.seen("connected"), [], "links of the other one")
        # Each ends alone.
        rig.earshot("audio", "disconnect", unprivileged=True).succeeded()
        headphone.wait_for("music close")
        screen.wait_for(READY)
        screen.press("o")
        screen.wait_for(READY, BOTH)


def case_one_terminal_from_the_box_to_music_with_PulseAudio(rig):
    journey(rig, PulseAudio)


def case_one_terminal_from_the_box_to_music_with_PipeWire(rig):
    journey(rig, PipeWire)


def case_bluetoothd_ends_and_comes_back(rig):
    with Stock(rig) as machine:
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        machine.desktop.end_bluetoothd()
        screen.wait_for("off")
        machine.desktop.start_bluetoothd()
        screen.wait_for(READY)


@first
def case_the_adapter_is_switched_by_a_key_and_a_command(rig):
    with Stock(rig):
        rig.earshot("power", "off", unprivileged=True).succeeded()
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for("is off")
        screen.press("s")
        screen.wait_for(READY)
