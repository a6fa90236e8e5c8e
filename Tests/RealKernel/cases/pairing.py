"""Headphones that demand encryption: how they are paired with, and what is left of it."""

import json
import os
import re

from bench.desktop import Desktop
from bench.failure import TIMEOUT, Failure, equal, expect
from bench.kernel import PairingAgent

from . import first
from .screen import READY

MODEL = {"encrypted": True, "long_uuids": True}
NAME = "Earshot One"
PASSKEY = "031415"
FACTORY_RESET = 0x70


def bonds(rig, home=None):
    with open(f"{home or rig.earshot.home}/state/earshot/bonds.json") as file:
        return json.load(file)["bonds"]


@first
def case_a_headphone_that_demands_encryption_is_paired_with(rig):
    headphone = rig.headphone(**MODEL)
    expect_unasked(rig.earshot("status"))
    expect_unasked(rig.earshot("pair", NAME))
    equal(headphone.seen("paired"), [], "pairings with nobody to ask")
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_for("paired")
    status = rig.earshot("status", "--json").succeeded().json
    equal(status["control"]["state"], "ready", "state of the control link")
    equal(status["control"]["encrypted"], True, "encrypted")
    rig.earshot("anc", "transparency").succeeded()
    equal(headphone.state["anc"], 2, "ANC mode")
    equal(len(headphone.seen("paired")), 1, "pairings")


def expect_unasked(result):
    """Without a terminal the command says how to pair."""
    equal(result.status, 6, f"exit status of {result}")
    expect("it wants to be paired: earshot pair" in result.messages, f"no word of it in {result}")


def case_with_nobody_to_ask_what_needs_no_encryption_is_there(rig):
    headphone = rig.headphone(protected_settings=True)
    status = rig.earshot("status", "--json").succeeded().json["control"]
    equal((status["state"], status["encrypted"]), ("ready", False), "the control link")
    expect_unasked(rig.earshot("anc", "transparency"))
    equal(headphone.seen("paired") + headphone.seen("anc written"), [], "pairings, and changes")


def case_an_unprivileged_user_pairs_when_the_desktop_says_yes(rig):
    headphone = rig.headphone(**MODEL)
    agent = PairingAgent()
    try:
        rig.earshot.give_capabilities("net_raw")
        rig.earshot("pair", NAME, "--yes", unprivileged=True).succeeded()
        headphone.wait_for("paired")
    finally:
        agent.close()
    expect(agent.asked == 1, f"the kernel asked {agent.asked} times whether to pair")


def case_numbers_are_compared(rig):
    headphone = rig.headphone(**MODEL, pairing="compare")
    result = rig.earshot("pair", NAME, "--yes").succeeded()
    number = headphone.wait_for("compares")["number"]
    expect(number in result.messages, f"the headphone compares {number}, not so {result}")
    equal(bonds(rig)[0]["longTermKeys"][0]["kind"], 3, "kind of the key: authenticated P-256")


def case_the_number_of_a_headphone_with_a_display_is_entered(rig):
    headphone = rig.headphone(**MODEL, pairing="display")
    rig.earshot("pair", NAME, "--passkey", PASSKEY).succeeded()
    equal(headphone.wait_for("shows")["number"], PASSKEY, "number on the headphone")


def case_a_wrong_number_pairs_nothing(rig):
    headphone = rig.headphone(**MODEL, pairing="display")
    result = rig.earshot("pair", NAME, "--passkey", "000000")
    equal(result.status, 6, f"exit status of {result}")
    headphone.wait_for("pairing failed")
    expect("pairing was refused" in result.messages, f"no word about it in {result}")


def typed_on(headphone, pairing, times=1, wrong_from=None):
    """Types what the command shows on the headphone, as often as it is wanted, and returns what else it
    said; from the one that is `wrong_from` on another number.
    """
    said, typed = "", 0
    for line in pairing.stderr:
        said += line
        if number := re.search(r"type (\d{6}) on the headphone", line):
            typed += 1
            headphone.wait_for("wants a number", typed)
            is_wrong = wrong_from and typed >= wrong_from
            headphone.type(f"{(int(number[1]) + 1) % 1000000:06}" if is_wrong else number[1])
            if typed == times:
                break
    return said + pairing.communicate(timeout=TIMEOUT)[1]


def case_a_number_is_typed_on_a_headphone_with_keys(rig):
    headphone = rig.headphone(**MODEL, pairing="keyboard")
    pairing = rig.earshot.start("pair", NAME, "--yes")
    said = typed_on(headphone, pairing)
    equal(pairing.returncode, 0, f"exit status; it said: {said}")
    headphone.wait_for("paired")


def case_headphones_without_secure_connections_are_paired_with(rig):
    headphone = rig.headphone(**MODEL, pairing="display", legacy_pairing=True)
    rig.earshot("pair", NAME, "--passkey", PASSKEY).succeeded()
    headphone.wait_for("paired")
    keys = bonds(rig)[0]["longTermKeys"]
    expect(keys and all(key["kind"] == 1 for key in keys), f"no authenticated legacy keys: {keys}")


def case_a_headphone_that_refuses_to_pair_is_reported(rig):
    rig.headphone(**MODEL, refuses_pairing=True)
    result = rig.earshot("pair", NAME, "--yes")
    equal(result.status, 6, f"exit status of {result}")
    expect("pairing was refused" in result.messages, f"no word about it in {result}")


def case_the_screen_asks_and_pairs(rig):
    headphone = rig.headphone(**MODEL, pairing="compare")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("PAIRING", "Does Earshot One show, or say, this number?", "s left")
    headphone.wait_for("compares")
    screen.press("y")
    screen.wait_for(READY)
    headphone.wait_for("paired")


def case_no_on_the_screen_pairs_nothing(rig):
    headphone = rig.headphone(**MODEL, pairing="compare")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("PAIRING")
    screen.press("n")
    screen.wait_for("Pairing cancelled", "p Pair")
    equal(headphone.seen("paired"), [], "pairings")


def case_no_to_pairing_leaves_what_needs_no_encryption(rig):
    headphone = rig.headphone(pairing="compare")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    screen.press("p")
    screen.wait_for("PAIRING")
    screen.press("n")
    screen.wait_for("Pairing cancelled", "p Pair", READY)
    screen.press("3")
    headphone.wait_for("anc written", value="02")
    equal(headphone.seen("disconnected"), [], "ends of the link: the socket alone is another")
    status = rig.earshot("status", "--json").succeeded().json["control"]
    equal((status["state"], status["encrypted"]), ("ready", False), "the control link")
    screen.press("p")
    screen.wait_for("PAIRING")
    screen.press("y")
    headphone.wait_for("paired")
    screen.wait_for("Earshot One is paired", READY)


def case_what_demands_encryption_asks_once_and_never_by_itself(rig):
    headphone = rig.headphone(pairing="compare", protected_settings=True)
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    screen.press("3")
    screen.wait_for("PAIRING")
    screen.press("n")
    screen.wait_for("pairing cancelled", "p on the", READY)
    asked = len(headphone.seen("compares"))
    screen.press("4")
    screen.wait_for("noise control adaptive: pairing cancelled", "p on the", READY)
    equal(len(headphone.seen("compares")), asked, "numbers that the headphone showed")
    equal(headphone.seen("anc written"), [], "changes of noise control")
    screen.press("p")
    screen.wait_for("PAIRING")
    screen.press("y")
    headphone.wait_for("paired")
    screen.wait_for("Earshot One is paired", READY)
    screen.press("3")
    headphone.wait_for("anc written", value="02")


def case_a_bond_outlives_the_app_and_the_adapter(rig):
    headphone = rig.headphone(**MODEL)
    rig.earshot("pair", NAME, "--yes").succeeded()
    equal(len(headphone.seen("paired")), 1, "pairings")

    def ready():
        status = rig.earshot("status", "--json").succeeded().json["control"]
        equal((status["state"], status["encrypted"], status["bonded"]), ("ready", True, True), "link")
        headphone.wait_until_disconnected()

    ready()
    rig.adapter.power(False)
    rig.adapter.power(True)
    ready()
    # A new controller: the kernel has forgotten all keys.
    rig.adapter.unplug()
    rig.adapter.plug()
    ready()
    equal(len(headphone.seen("paired")), 1, "pairings")


def case_a_headphone_that_forgot_is_reported_and_paired_again(rig):
    headphone = rig.headphone(**MODEL)
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_until_disconnected()
    headphone.forget()
    result = rig.earshot("status")
    equal(result.status, 6, f"exit status of {result}")
    expect("forgot this computer" in result.messages, f"no word about it in {result}")
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_for("paired", 2)
    rig.earshot("status").succeeded()


def case_the_screen_pairs_again_with_a_headphone_that_forgot(rig):
    headphone = rig.headphone(**MODEL, pairing="compare")
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_until_disconnected()
    headphone.forget()
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("the headphone forgot this computer", "p Pair")
    screen.press("p")
    screen.wait_for("PAIRING")
    screen.press("y")
    screen.wait_for(READY)
    headphone.wait_for("paired", 2)


def case_forgetting_drops_the_keys_in_the_kernel_too(rig):
    headphone = rig.headphone(**MODEL)
    rig.earshot("pair", NAME, "--yes").succeeded()
    rig.earshot("forget", NAME, "--yes").succeeded()
    equal(bonds(rig), [], "bonds")
    headphone.wait_until_disconnected()
    # Without a key, and with nobody to ask.
    equal(rig.earshot("status").status, 6, "exit status without a key")
    equal(len(headphone.seen("paired")), 1, "pairings")
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_for("paired", 2)


def case_a_private_address_comes_back_as_the_same_headphone(rig):
    headphone = rig.headphone(**MODEL, private=True)
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_until_disconnected()
    equal(bonds(rig)[0]["address"], headphone.address, "address that it keeps")
    for _ in range(2):
        headphone.change_address()
        status = rig.earshot("status", "--json").succeeded().json
        equal(status["device"]["address"], headphone.address, "address")
        headphone.wait_until_disconnected()
    equal(len(headphone.seen("paired")), 1, "pairings")
    known = rig.earshot("devices", "--json").succeeded().json["headphones"]
    equal(len(known), 1, "known headphones")


def case_a_private_address_that_changes_beneath_the_screen_is_the_same_headphone(rig):
    headphone = rig.headphone(**MODEL, private=True)
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_until_disconnected()
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    headphone.switch_off()
    headphone.wait_until_disconnected()
    headphone.change_address()
    headphone.wait_for("connected", 3)
    text = screen.wait_for(READY)
    rows = sum(text.count(f"{mark}Earshot One") for mark in ("▸", "•", "│ "))
    equal(rows, 1, "headphones in the list")
    equal(len(headphone.seen("paired")), 1, "pairings")


def case_a_private_address_without_a_key_is_looked_for_and_known_again(rig):
    """By the address of its audio side, which it advertises."""
    headphone = rig.headphone(private=True)
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    headphone.switch_off()
    headphone.wait_until_disconnected()
    screen.wait_for("its private address has changed", "◐ scanning for it")
    headphone.change_address()
    headphone.wait_for("connected", 2)
    text = screen.wait_for("•Earshot One", READY)
    equal("/2" in text.splitlines()[0], False, "a second row for it")


def case_a_user_whose_binary_has_the_capabilities_keeps_bonds(rig):
    headphone = rig.headphone(**MODEL, private=True)
    rig.earshot.give_capabilities()
    rig.earshot("pair", NAME, "--yes", unprivileged=True).succeeded()
    home = f"{rig.earshot.home}-nobody"
    equal(bonds(rig, home)[0]["address"], headphone.address, "address that it keeps")
    mode = os.stat(f"{home}/state/earshot/bonds.json").st_mode & 0o777
    equal(oct(mode), "0o600", "mode of the keys' file")
    rig.adapter.unplug()
    rig.adapter.plug()
    headphone.change_address()
    status = rig.earshot("status", "--json", unprivileged=True).succeeded().json
    equal(status["device"]["address"], headphone.address, "address")
    equal(status["control"]["encrypted"], True, "encrypted")
    equal(len(headphone.seen("paired")), 1, "pairings")


def case_a_factory_reset_asks_twice_and_leaves_no_key_anywhere(rig):
    headphone = rig.headphone(**MODEL)
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_until_disconnected()
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    before = bonds(rig)[0]["longTermKeys"]
    screen.press("R")
    screen.wait_for("to factory settings?")
    screen.press("y")
    screen.wait_for("This cannot be undone")
    equal(headphone.seen("command", command=FACTORY_RESET), [], "resets after one yes")
    screen.press("y")
    headphone.wait_for("command", command=FACTORY_RESET)
    headphone.wait_until_disconnected()
    screen.wait_for("Earshot One is reset")
    # With a key left on one side it would not come to this question.
    screen.press("c")
    screen.wait_for("PAIRING")
    screen.press("y")
    headphone.wait_for("paired", 2)
    screen.wait_for(READY)
    screen.press("q")
    screen.wait_for("ended with 0")
    after = bonds(rig)
    equal(len(after), 1, "bonds in the end")
    expect(after[0]["longTermKeys"] != before, "the old key is kept")


def case_bluetoothd_without_an_agent_pairs_by_earshots_and_keeps_the_keys(rig):
    headphone = rig.headphone(**MODEL)
    with Desktop(rig.folder):
        result = rig.earshot("pair", NAME, "--yes").succeeded()
        headphone.wait_for("paired")
        asked = result.messages.count("There is no number")
        equal(asked, 1, f"questions of {result}")
        status = rig.earshot("status", "--json").succeeded().json["control"]
        equal((status["encrypted"], status["bonded"]), (True, None), "encrypted and bonded")
    equal(len(headphone.seen("paired")), 1, "pairings")
    expect_no_bonds(rig)


def case_bluetoothd_with_an_agent_pairs_and_keeps_the_keys(rig):
    headphone = rig.headphone(**MODEL)
    with Desktop(rig.folder) as desktop, desktop.agent():
        expect_unasked(rig.earshot("status"))
        equal(headphone.seen("paired"), [], "pairings with nobody to ask")
        rig.earshot("pair", NAME, "--yes").succeeded()
        status = rig.earshot("status", "--json").succeeded().json["control"]
        equal((status["encrypted"], status["bonded"]), (True, None), "encrypted and bonded")
        headphone.wait_for("paired")
    expect_no_bonds(rig)


def expect_no_bonds(rig):
    try:
        kept = bonds(rig)
    except FileNotFoundError:
        return
    raise Failure(f"keys beside bluetoothd: {kept}")
