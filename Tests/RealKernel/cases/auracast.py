"""Auracast: broadcasts in the air of a real kernel, and a headphone that is sent to one."""

from bench.failure import equal, expect
from bench.sound import Stock

from . import first

NAME = "Receiver"
HEADPHONE = {"name": NAME, "family": "auracast", "model": NAME}
GATE = {"number": 0xA17001, "address": "C0:DE:5E:00:5A:01", "set_id": 2}
LOUNGE = {
    "number": 0xA17003, "address": "C0:DE:5E:00:5A:03", "set_id": 9, "interval": 60, "code": "lounge22",
}  # fmt: skip
BRIEFLY = ("--timeout", "4")
"""Broadcasts here advertise ten times a second."""
LISTENING = "listening to {} (Auracast), not to this computer"


def receiver(rig, **options):
    """On an adapter with Bluetooth 5's scanning commands."""
    rig.adapter.unplug()
    rig.adapter.plug(extended=True)
    return rig.headphone(**HEADPHONE, **options)


def listed(rig, **options):
    """What `earshot broadcasts --json` lists, by identity."""
    result = rig.earshot("broadcasts", "--json", *BRIEFLY, **options).succeeded()
    return {one["id"]: one for one in result.json["broadcasts"]}


@first(rights="capabilities")
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
