"""AirPods over the link of their audio side: L2CAP of BR/EDR, and no GATT."""

from bench.failure import equal, expect

from .pairing import bonds


def dual_mode(rig):
    rig.adapter.unplug()
    rig.adapter.plug(dual_mode=True)


def case_airpods_are_called_and_their_noise_control_changes(rig):
    dual_mode(rig)
    airpods = rig.airpods()
    chosen = ("--driver", "airpods", "--device", airpods.address)
    # Nobody can be asked whether to pair.
    refused = rig.earshot(*chosen, "anc", "off")
    equal(refused.status, 6, f"exit status of {refused}")
    expect("earshot pair" in refused.messages, f"no advice in {refused}")
    equal(airpods.seen("paired"), [], "pairings")
    rig.earshot("--driver", "airpods", "pair", airpods.address, "--yes").succeeded()
    status = rig.earshot(*chosen, "status", "--json").succeeded().json
    equal(status["control"]["state"], "ready", "state of the control link")
    equal(status["anc"], "noise-cancelling", "noise control")
    rig.earshot(*chosen, "anc", "transparency").succeeded()
    airpods.wait_for("control", identifier=0x0D, value=3)
    equal(airpods.state["noise"], 3, "noise control on the headphone")


def case_airpods_that_are_linked_are_found_by_service_discovery(rig):
    dual_mode(rig)
    airpods = rig.airpods()
    airpods.link()
    airpods.wait_for("linked")
    heard = rig.earshot("scan", "--timeout", "3").succeeded()
    expect("AirPods Pro 2" in heard.output, f"the product is not named in {heard}")
    rig.earshot("pair", "AirPods", "--yes").succeeded()
    rig.earshot("--device", "AirPods", "anc", "adaptive").succeeded()
    equal(airpods.state["noise"], 4, "noise control on the headphone")


def case_airpods_are_paired_by_the_first_link_and_linked_by_their_key_later(rig):
    dual_mode(rig)
    airpods = rig.airpods()
    chosen = ("--driver", "airpods", "--device", airpods.address)
    rig.earshot("--driver", "airpods", "pair", airpods.address, "--yes").succeeded()
    airpods.wait_for("paired")
    (bond,) = bonds(rig)
    expect(bond["linkKey"], f"no key in {bond}")
    rig.adapter.unplug()
    rig.adapter.plug(dual_mode=True)
    status = rig.earshot(*chosen, "status", "--json").succeeded().json["control"]
    equal((status["state"], status["encrypted"]), ("ready", True), "the control link")
    airpods.wait_for("encrypted", 2)
    equal(len(airpods.seen("paired")), 1, "pairings")
