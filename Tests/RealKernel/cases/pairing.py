"""Headphones that demand encryption."""

from bench.failure import equal, expect
from bench.kernel import PairingAgent

MODEL = {"encrypted": True, "long_uuids": True}


def case_a_headphone_that_demands_encryption_is_paired_with(rig):
    headphone = rig.headphone(**MODEL)
    told = rig.earshot("status", "--json").succeeded().json
    equal(told["control"]["state"], "ready", "state of the control link")
    equal(told["control"]["encrypted"], True, "encrypted")
    headphone.wait_for("paired")
    rig.earshot("anc", "transparency").succeeded()
    equal(headphone.state["anc"], 2, "ANC mode")
    equal(len(headphone.seen("paired")), 1, "pairings")


def case_an_unprivileged_user_pairs_when_the_desktop_says_yes(rig):
    rig.headphone(**MODEL)
    agent = PairingAgent()
    try:
        rig.earshot.give_capabilities("net_raw")
        result = rig.earshot("status", "--json", unprivileged=True).succeeded()
    finally:
        agent.close()
    equal(result.json["control"]["encrypted"], True, "encrypted")
    expect(agent.asked == 1, f"the kernel asked {agent.asked} times whether to pair")
