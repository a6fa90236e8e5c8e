"""Auracast: broadcasts in the air of a real kernel, and a headphone that is sent to one."""

import re

from bench.failure import equal, expect
from bench.sound import Stock

from .screen import READY

NAME = "Receiver"
HEADPHONE = {"name": NAME, "family": "auracast", "model": NAME}
GATE = {"number": 0xA17001, "address": "C0:DE:5E:00:5A:01", "set_id": 2}
LOUNGE = {
    "number": 0xA17003, "address": "C0:DE:5E:00:5A:03", "set_id": 9, "interval": 60, "code": "lounge22",
}  # fmt: skip
BRIEFLY = ("--timeout", "4")
"""Broadcasts here advertise ten times a second."""
LISTENING = "listening to {} (Auracast), not to this computer"
LINK_LOST, REFUSED = 5, 6
NO_ROOM, UNLIKELY = 0x11, 0x0E
"""ATT errors."""


def row(name, state):
    """A condition that the screen shows the broadcast of this name in this state."""
    return lambda text: re.search(rf"● {name} .* {state} ", text)


def receiver(rig, **options):
    """One that is paired, on an adapter with Bluetooth 5's scanning commands."""
    rig.adapter.unplug()
    rig.adapter.plug(extended=True)
    headphone = rig.headphone(**HEADPHONE, **options)
    pair(rig)
    return headphone


def pair(rig, name=NAME, **options):
    rig.earshot("pair", name, "--yes", **options).succeeded()


def listed(rig, **options):
    """What `earshot broadcasts --json` lists, by identity."""
    result = rig.earshot("broadcasts", "--json", *BRIEFLY, **options).succeeded()
    return {one["id"]: one for one in result.json["broadcasts"]}


def expect_words(result, status, *words):
    equal(result.status, status, f"exit status of {result}")
    for word in words:
        expect(word in result.messages, f"no {word!r} in {result}")


def case_broadcasts_have_their_set_and_interval_by_a_scan_of_our_own(rig):
    headphone = receiver(rig)
    rig.broadcast("Gate B12", **GATE)
    rig.broadcast("Lounge", **LOUNGE)
    rig.earshot.give_capabilities("net_raw")
    found = listed(rig, unprivileged=True)
    equal(sorted(found), ["A17001", "A17003"], "broadcasts")
    gate, lounge = found["A17001"], found["A17003"]
    for key, value in {
        "name": "Gate B12", "language": "deu", "programme": "Boarding", "locked": False, "set": 2, "interval": 100,
        "quality": ["standard"], "address": GATE["address"], "addressType": "random", "rssi": -55,
    }.items():  # fmt: skip
        equal(gate[key], value, key)
    equal((lounge["locked"], lounge["set"], lounge["interval"]), (True, 9, 60), "the locked one")
    rig.earshot.take_capabilities()
    joined = rig.earshot("broadcast", "join", "gate").succeeded()
    expect(LISTENING.format("Gate B12") in joined.output, f"{joined}")
    (added,) = headphone.seen("source added")
    equal((added["set"], added["interval"], added["sync"]), (2, 80, 2), "the source that was added")


def case_a_broadcast_is_joined_and_left_without_rights_beside_bluetoothd(rig):
    with Stock(rig, extended=True, sound=False, **HEADPHONE) as machine:
        pair(rig, unprivileged=True)
        rig.broadcast("Gate B12", **GATE)
        found = listed(rig, unprivileged=True)
        equal(list(found), ["A17001"], "broadcasts")
        equal((found["A17001"]["set"], found["A17001"]["interval"]), (None, None), "set and interval")
        joined = rig.earshot("broadcast", "join", "A17001", unprivileged=True).succeeded()
        expect("(Auracast), not to this computer" in joined.output, f"{joined}")
        tried = [added["set"] for added in machine.headphone.seen("source added")]
        equal(tried, [0, 1, 2], "sets that were tried")
        left = rig.earshot("broadcast", "leave", unprivileged=True).succeeded()
        expect("listening to no broadcast" in left.output, f"{left}")
        equal(len(machine.headphone.seen("source removed")), 3, "sources that were removed")


def case_a_locked_broadcast_asks_for_its_code_and_says_that_one_is_wrong(rig):
    headphone = receiver(rig)
    rig.broadcast("Lounge", **LOUNGE)
    expect_words(rig.earshot("broadcast", "join", "Lounge"), REFUSED, "it is locked, and needs a code")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    screen.press("J")
    headphone.wait_for("assistant scans", 2)
    screen.wait_for("Lounge", "locked")
    for number, code in enumerate(("wrongcode", LOUNGE["code"]), 1):
        screen.press("Enter")
        screen.wait_for("CODE OF LOUNGE")
        screen.press(*code, "Enter")
        sent = headphone.wait_for("code", number)["value"]
        equal(bytes.fromhex(sent).rstrip(b"\0").decode(), code, "code")
        if code != LOUNGE["code"]:
            screen.wait_for("the code is wrong")
    screen.wait_for(row("Lounge", "listening"))
    screen.press("J")
    headphone.wait_for("assistant stopped scanning", 2)
    screen.wait_for("listening to Lounge (Auracast)")


def case_a_headphone_that_refuses_or_hears_no_broadcast_says_so(rig):
    receiver(rig, refuses_sources=NO_ROOM)
    unwilling = {"name": "Unwilling", "address": "F0:F1:F2:F3:F4:06", "serial": "0043"}
    rig.headphone(**HEADPHONE | unwilling, refuses_sources=UNLIKELY)
    deaf = {"name": "Deaf", "address": "F0:F1:F2:F3:F4:07", "serial": "0044"}
    deaf = rig.headphone(**HEADPHONE | deaf, hears_broadcasts=False)
    rig.broadcast("Gate B12", **GATE)
    for name, words in {
        NAME: "the headphone has no room for another broadcast",
        "Unwilling": "0x0E",
        "Deaf": "the headphone does not find it",
    }.items():
        pair(rig, name)
        expect_words(rig.earshot("broadcast", "join", "gate", "--device", name), REFUSED, words)
    equal(len(deaf.seen("source removed")), 1, "sources that the deaf one has no longer")


def case_a_headphone_that_is_switched_off_while_it_looks_for_a_broadcast_ends_the_command(rig):
    headphone = receiver(rig, hears_broadcasts=False)
    rig.broadcast("Gate B12", **GATE)
    joining = rig.run("broadcast", "join", "gate")
    headphone.wait_for("source added")
    headphone.switch_off()
    joining.wait_for("link")
    equal(joining.process.wait(), LINK_LOST, "exit status")


def case_a_broadcast_that_ends_is_listened_to_no_longer_at_the_smallest_mtu(rig):
    """Notifications of its receive state are cut off there."""
    headphone = receiver(rig, mtu=23)
    gate = rig.broadcast("Gate B12", **GATE)
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    screen.press("J")
    screen.wait_for("Gate B12")
    screen.press("Enter")
    screen.wait_for(row("Gate B12", "listening"))
    screen.press("J")
    screen.wait_for("listening to Gate B12 (Auracast)")
    received = rig.earshot("status", "--json").succeeded().json["broadcast"]
    equal((received["listening"], received["sources"][0]["set"]), ("Gate B12", 2), "broadcast")
    gate.end()
    headphone.wait_for("not heard")
    screen.wait_for(READY, lambda text: "(Auracast)" not in text)
    received = rig.earshot("status", "--json").succeeded().json["broadcast"]
    equal((received["listening"], received["sources"][0]["listening"]), (None, False), "broadcast")
