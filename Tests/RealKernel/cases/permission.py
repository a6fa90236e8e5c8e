"""Adapters that are not there or off, and users without privileges."""

from bench.failure import equal, expect

from . import first, slow
from .pairing import MODEL, NAME
from .screen import READY


def refused(result, *words):
    """Exit status 3, nothing on standard output, and words that say why."""
    equal(result.status, 3, f"exit status of {result}")
    equal(result.output, "", "standard output")
    said = result.messages.lower()
    expect(all(word in said for word in words), f"no {' or no '.join(words)} in {result}")


def case_no_adapter_is_exit_code_3(rig):
    rig.adapter.unplug()
    for command in ("scan", "status"):
        refused(rig.earshot(command), "adapter")


def case_an_unknown_adapter_is_exit_code_3(rig):
    refused(rig.earshot("scan", "--adapter", "hci7"), "hci7")


def case_an_adapter_that_is_off_is_exit_code_3(rig):
    rig.adapter.power(False)
    for command in ("scan", "status"):
        refused(rig.earshot(command), "off")


def case_the_screen_says_that_bluetooth_is_off_and_goes_on_when_it_is_on(rig):
    rig.adapter.power(False)
    rig.headphone()
    screen = rig.screen()
    screen.wait_for("Bluetooth is off")
    rig.adapter.power(True)
    screen.wait_for(READY)


def case_an_unprivileged_user_learns_what_scanning_needs(rig):
    rig.headphone()
    result = rig.earshot("scan", unprivileged=True)
    refused(result, "cap_net")


def case_a_user_whose_binary_has_the_capabilities_scans(rig):
    rig.headphone()
    rig.earshot.give_capabilities()
    found = rig.earshot("scan", "--timeout", "3", unprivileged=True).succeeded().output
    expect("Earshot One" in found, f"not listed: {found!r}")


@first
def case_an_unprivileged_user_controls_a_headphone_that_was_heard_before(rig):
    headphone = rig.headphone()
    rig.earshot.give_capabilities()
    rig.earshot("status", unprivileged=True).succeeded()
    rig.earshot.take_capabilities()
    status = rig.earshot("status", "--json", unprivileged=True).succeeded().json
    equal(status["control"]["state"], "ready", "state of the control link")
    rig.earshot("anc", "adaptive", unprivileged=True).succeeded()
    equal(headphone.state["anc"], 3, "ANC mode")


@slow
def case_who_may_not_pair_learns_what_pairing_needs_and_controls_an_open_headphone(rig):
    closed = rig.headphone(**MODEL)
    other = rig.headphone(name="Open", address="F0:F1:F2:F3:F4:06")
    rig.earshot.give_capabilities("net_raw")

    def refuses(*words):
        refused(rig.earshot("pair", NAME, "--yes", unprivileged=True), *words)

    def controls(mode, value):
        rig.earshot("anc", mode, "--device", other.address, unprivileged=True).succeeded()
        equal(other.state["anc"], value, "ANC mode of the open one")

    refuses("pairing needs cap_net_admin")
    controls("adaptive", 3)
    rig.earshot.take_capabilities()
    refuses("bluetoothd is not running", "cap_net_raw")
    controls("transparency", 2)
    equal(closed.seen("paired"), [], "pairings")


def case_the_doctor_tells_a_user_what_the_program_may_not_and_how_to_mend_it(rig):
    headphone = rig.headphone()
    status, result = checks(rig, unprivileged=True)
    equal(result.status, 3, f"exit status of {result}")
    for check, state in (("cap-net-raw", "problem"), ("cap-net-admin", "warning")):
        equal(status[check]["state"], state, f"finding about {check}")
        capability = check.replace("-", "_")
        expect(
            "setcap" in status[check]["remedy"] and capability in status[check]["remedy"],
            f"no remedy for {check}: {status[check]}",
        )
    equal(status["adapter"]["state"], "ok", "finding about the adapter, which anyone may see")
    # What the doctor says that works all the same.
    rig.earshot("anc", "adaptive", "--device", headphone.address, unprivileged=True).succeeded()
    equal(headphone.state["anc"], 3, "ANC mode")
    # And what it says that mends it.
    rig.earshot.give_capabilities()
    status, _ = checks(rig, unprivileged=True)
    for check in "cap-net-raw", "cap-net-admin":
        equal(status[check]["state"], "ok", f"finding about {check} of a binary that has it")
    rig.earshot.give_capabilities("net_raw")
    status, _ = checks(rig, unprivileged=True)
    equal(status["cap-net-raw"]["state"], "ok", "finding about cap-net-raw with that alone")
    equal(status["cap-net-admin"]["state"], "warning", "finding about cap-net-admin without")


def checks(rig, *more, **options):
    """What `doctor --json` finds, by check, and the result itself."""
    result = rig.earshot("doctor", "--json", *more, **options)
    return {finding["check"]: finding for finding in result.json["findings"]}, result
