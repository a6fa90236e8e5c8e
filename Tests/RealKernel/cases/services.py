"""Headphones whose services change: no handle is used that is out of date."""

from bench.failure import equal, expect

from . import first
from .comeback import is_ready

INDICATION, READ_BY_GROUP_TYPE, READ_BY_TYPE = 0x1D, 0x10, 0x08
BEFORE_THE_CHANGE_IS_KNOWN = {0x02, READ_BY_TYPE, READ_BY_GROUP_TYPE}
"""Opcodes that name no handle of the control service: the MTU, and the discovery itself."""


def second_link(headphone, number=2):
    """The records of the headphone's link of this number."""
    start = headphone.wait_for("connected", number)["at"]
    return [record for record in headphone.record if record["at"] >= start]


@first(end="headphone")
def case_services_that_changed_while_it_was_away_are_found_at_once(rig):
    headphone = rig.headphone(encrypted=True, long_uuids=True)
    rig.earshot("pair", headphone.address, "--yes").succeeded()
    headphone.wait_until_disconnected()
    headphone.change_services(moves=True)
    rig.earshot("anc", "transparency").succeeded()
    equal(headphone.state["anc"], 2, "ANC mode")
    headphone.wait_for("change confirmed")
    equal(len(headphone.seen("connected")), 2, "links: one to pair, one for the command")

    record = second_link(headphone)
    indicated = [entry["at"] for entry in record if entry.get("opcode") == INDICATION]
    expect(indicated, "it indicated nothing")
    discovered = [
        entry["at"]
        for entry in record
        if entry["saw"] == "att" and entry["opcode"] == READ_BY_GROUP_TYPE
    ]
    expect(discovered, "the changed services were not discovered")
    for entry in record:
        if entry["saw"] == "att" and entry["at"] < discovered[0] and not entry["opcode"] & 1:
            known = entry["opcode"] in BEFORE_THE_CHANGE_IS_KNOWN or entry["opcode"] == 0x1E
            expect(known, f"opcode {entry['opcode']:02X} before the services were known")

    headphone.wait_until_disconnected()
    rig.earshot("anc", "off").succeeded()
    equal(headphone.state["anc"], 0, "ANC mode")
    last = second_link(headphone, 3)
    again = [entry for entry in last if entry.get("opcode") == READ_BY_GROUP_TYPE]
    equal(again, [], "discoveries on the link after")


def case_a_change_inside_of_a_service_leaves_that_service(rig):
    headphone = rig.headphone()
    watch = rig.run("watch", "--device", headphone.address)
    ready = watch.wait_for(is_ready)
    headphone.wait_for("subscribed", indicate=True)
    # The declaration and the value of its first characteristic.
    headphone.change_services(first=1, last=2)
    confirmed = headphone.wait_for("change confirmed")["at"]
    headphone.wait_for("att", opcode=READ_BY_GROUP_TYPE)
    headphone.change(anc=2)
    heard = watch.wait_for(lambda status: status["anc"] == "transparency", after=ready)
    rig.earshot("anc", "off", "--device", headphone.address).succeeded()
    equal(headphone.state["anc"], 0, "ANC mode")
    watch.wait_for(lambda status: status["anc"] == "off", after=heard)
    expect(READ_BY_GROUP_TYPE in headphone.att_requests(since=confirmed - 1), "no discovery")
    equal(headphone.seen("disconnected"), [], "ends of the link")
