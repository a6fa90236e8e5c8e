"""The audio side of a headphone, paired by Earshot itself: Secure Simple Pairing over BR/EDR."""

import os

from bench.failure import equal, expect
from bench.screen import drawn
from bench.sound import hold_link

from .pairing import MODEL, NAME, bonds, typed_on
from .screen import READY

UNAUTHENTICATED, AUTHENTICATED = 4, 5
UNAUTHENTICATED_P256, AUTHENTICATED_P256 = 7, 8
"""Kinds of link keys."""
LE_P256 = 3
"""The kind of an authenticated key of the LE side."""


def dual_mode(rig, is_secure=False, **options):
    rig.adapter.unplug()
    rig.adapter.plug(dual_mode=True, is_secure=is_secure)
    return rig.headphone(**{**MODEL, "address": "F0:F1:F2:F3:F4:F5/P", "sound": True, **options})


def pair(rig, headphone):
    result = rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_for("audio paired")
    equal(len(headphone.seen("paired")), 1, "pairings of the LE side")
    headphone.wait_for("audio disconnected")
    return result


def case_both_sides_are_paired_and_their_keys_outlive_the_adapter(rig):
    headphone = dual_mode(rig)
    pair(rig, headphone)
    (bond,) = bonds(rig)
    equal(bond["linkKey"]["kind"], UNAUTHENTICATED, "kind of the audio side's key")
    expect(bond["longTermKeys"], f"no key of the LE side in {bond}")
    mode = os.stat(f"{rig.earshot.home}/state/earshot/bonds.json").st_mode & 0o777
    equal(oct(mode), "0o600", "mode of the keys' file")
    # A new controller: the kernel has forgotten all keys, and is given them with the next link.
    rig.adapter.unplug()
    rig.adapter.plug(dual_mode=True)
    status = rig.earshot("status", "--json").succeeded().json["control"]
    equal((status["encrypted"], status["bonded"]), (True, True), "the control link")
    with hold_link(headphone.address[:17], is_encrypted=True):
        headphone.wait_for("audio encrypted", 2)
    equal(len(headphone.seen("paired")), 1, "pairings of the LE side")
    equal(len(headphone.seen("audio paired")), 1, "pairings of the audio side")


def case_numbers_of_both_sides_are_compared(rig):
    headphone = dual_mode(rig, pairing="compare")
    result = pair(rig, headphone)
    numbers = [record["number"] for record in headphone.seen("compares")]
    equal(len(numbers), 2, "numbers that the headphone shows")
    for number in numbers:
        expect(number in result.messages, f"the headphone compares {number}, not so {result}")
    equal(bonds(rig)[0]["linkKey"]["kind"], AUTHENTICATED, "kind of the audio side's key")


def case_numbers_are_typed_on_both_sides(rig):
    headphone = dual_mode(rig, pairing="keyboard")
    pairing = rig.earshot.start("pair", NAME, "--yes")
    typed_on(headphone, pairing, times=2)
    headphone.wait_for("audio paired")
    equal(len(headphone.seen("wants a number")), 2, "numbers that were typed")
    (bond,) = bonds(rig)
    equal(bond["linkKey"]["kind"], AUTHENTICATED, "kind of the audio side's key")


def case_a_wrong_number_on_the_audio_side_leaves_the_other_side_paired(rig):
    headphone = dual_mode(rig, pairing="keyboard")
    pairing = rig.earshot.start("pair", NAME, "--yes")
    said = typed_on(headphone, pairing, times=2, wrong_from=2)
    expect("audio side is not paired" in said, f"no word about it in {said}")
    (bond,) = bonds(rig)
    expect(bond["longTermKeys"] and not bond["linkKey"], f"keys of both sides, or none: {bond}")


def pair_securely(rig, pairing, kind):
    headphone = dual_mode(rig, is_secure=True, secure_sound=True, pairing=pairing)
    pair(rig, headphone)
    (bond,) = bonds(rig)
    equal(bond["linkKey"]["kind"], kind, "kind of the audio side's key")
    rig.adapter.unplug()
    rig.adapter.plug(dual_mode=True, is_secure=True)
    rig.earshot("status").succeeded()
    with hold_link(headphone.address[:17], is_encrypted=True):
        headphone.wait_for("audio encrypted", 2)
    equal(len(headphone.seen("audio paired")), 1, "pairings of the audio side")


def case_secure_connections_make_an_unauthenticated_p256_key_that_is_used_again(rig):
    pair_securely(rig, "none", UNAUTHENTICATED_P256)


def case_secure_connections_make_an_authenticated_p256_key_that_is_used_again(rig):
    pair_securely(rig, "compare", AUTHENTICATED_P256)


def case_an_adapter_with_secure_connections_pairs_an_older_headphone(rig):
    headphone = dual_mode(rig, is_secure=True, pairing="compare")
    pair(rig, headphone)
    (bond,) = bonds(rig)
    equal(bond["linkKey"]["kind"], AUTHENTICATED, "kind of the audio side's key")
    equal(bond["longTermKeys"][0]["kind"], LE_P256, "kind of the LE side's key")


def case_a_running_earshot_tells_of_the_audio_side_where_it_was_asked(rig):
    headphone = dual_mode(rig, encrypted=False, refuses_audio_pairing=True)
    agent = rig.run("agent")
    agent.wait_for("keeps the link")
    rig.earshot("connect", NAME).succeeded()
    # The second time for the audio side alone.
    for _ in range(2):
        result = rig.earshot("pair", NAME, "--yes").succeeded()
        expect("audio side is not paired" in result.messages, f"no word about it in {result}")
    equal(len(headphone.seen("paired")), 1, "pairings of the LE side")


def case_the_screen_asks_for_each_side(rig):
    headphone = dual_mode(rig, pairing="compare", encrypted=False)
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    screen.press("p")
    for question in (1, 2):
        number = headphone.wait_for("compares", question)["number"]
        screen.wait_for("PAIRING", *drawn(number))
        screen.press("y")
    headphone.wait_for("audio paired")
    screen.wait_for(READY)


def case_an_audio_side_that_refuses_is_reported(rig):
    headphone = dual_mode(rig, refuses_audio_pairing=True)
    result = rig.earshot("pair", NAME, "--yes").succeeded()
    expect("audio side is not paired" in result.messages, f"no word about it in {result}")
    equal(headphone.seen("audio paired"), [], "pairings of the audio side")
    equal(bonds(rig)[0]["linkKey"], None, "the audio side's key")


def case_forgetting_drops_the_key_of_the_audio_side_too(rig):
    headphone = dual_mode(rig)
    pair(rig, headphone)
    rig.earshot("forget", NAME, "--yes").succeeded()
    equal(bonds(rig), [], "bonds")
    with hold_link(headphone.address[:17], is_encrypted=True):
        headphone.wait_for("audio paired", 2)
