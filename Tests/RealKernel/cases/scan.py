"""Finding headphones."""

from bench.failure import equal, expect
from bench.kernel import Management

from . import first, hostile


BRIEFLY = ("--timeout", "3")
"""Headphones here advertise ten times a second."""


def scan(rig, *how_long):
    """What `earshot scan --json` lists, by name."""
    found = rig.earshot("scan", "--json", *(how_long or BRIEFLY)).succeeded().json
    equal(found["schema"], 1, "schema")
    return {headphone["name"]: headphone for headphone in found["headphones"]}


@first
def case_scan_lists_headphones_and_nothing_else(rig):
    rig.headphone(rssi=-48)
    rig.headphone(name="Long", address="F0:F1:F2:F3:F4:06", long_uuids=True, rssi=-71)
    rig.headphone(name="Public", address="00:F1:F2:F3:F4:07/P")
    rig.headphone(name="Thermometer", address="F0:F1:F2:F3:F4:08", is_headphone=False)
    rig.headphone(name="Next door", address="F0:F1:F2:F3:F4:09", rssi=-95)
    found = scan(rig)
    equal(set(found), {"Earshot One", "Long", "Public"}, "names")
    one, public = found["Earshot One"], found["Public"]
    equal(one["address"], "F0:F1:F2:F3:F4:F5", "address")
    equal(one["rssi"], -48, "signal of the first")
    equal(found["Long"]["rssi"], -71, "signal of the second")
    expect(one["addressType"].startswith("random"), f"address type: {one['addressType']}")
    equal(public["addressType"], "public", "address type")


def case_scan_works_on_an_adapter_with_extended_commands(rig):
    rig.adapter.unplug()
    rig.adapter.plug(extended=True)
    rig.headphone(rssi=-60)
    equal(scan(rig)["Earshot One"]["rssi"], -60, "signal")


def case_scan_listens_along_while_another_program_scans(rig):
    other = Management()
    other.command(Management.START_DISCOVERY, rig.adapter.index, Management.LE_ADDRESSES)
    # The controller reports each advertiser to the kernel once, so what it heard before is not heard
    # again before the kernel's discovery of ten seconds is over.
    rig.headphone()
    equal(list(scan(rig, "--timeout", "15")), ["Earshot One"], "names")


def case_scan_leaves_the_adapter_as_it_was(rig):
    nothing = rig.earshot("scan", *BRIEFLY).succeeded()
    expect("no headphones nearby" in nothing.messages, nothing.messages)
    rig.headphone()
    scan(rig)
    scan(rig)
    result = rig.earshot("status", "--json").succeeded()
    equal(result.json["device"]["name"], "Earshot One", "name after two scans")


@hostile
def case_a_hostile_name_is_neutralised(rig):
    rig.headphone(name="\x1b[2J\x1b]0;owned\x07A\u202eB\u0000C", address="F0:F1:F2:F3:F4:06")
    for arguments in (("scan", *BRIEFLY), ("scan", "--json", *BRIEFLY), ("status",)):
        result = rig.earshot(*arguments).succeeded()
        printed = result.output + result.messages
        for character in "\x1b\x07\x00\u202e\u009b":
            expect(character not in printed, f"{character!r} printed by {result}")
        expect("A" in printed and "B" in printed, f"the name's letters are gone: {result}")


@hostile
def case_garbage_advertisements_are_passed_over(rig):
    for last, garbage in enumerate(
        ("0201061eff", "ff", "00", "0303f0", "02010603020f"), start=0x10
    ):
        address = f"F0:F1:F2:F3:F4:{last:02X}"
        rig.headphone(name=f"Garbage {garbage}", address=address, advertisement=garbage)
    rig.headphone()
    equal(list(scan(rig)), ["Earshot One"], "names")
