"""Headphones of other makers (docs/headphones.md), over the kernel."""

from bench.desktop import Desktop
from bench.failure import equal, expect

from . import first
from .comeback import is_ready
from .control import status
from .scan import scan
from .screen import READY

AIRPODS = "1eff4c00" + "0719010f2053a99602000501" + "85c65a0aff9097826bd7c542e1cc55"
"""A recorded advertisement of AirPods 2: left 100 %, right 90 % and charging, case 60 %."""


def levels(reported):
    return [reported["battery"][part] for part in ("left", "right", "case")]


@first
def case_a_headphone_of_nothing_is_controlled(rig):
    headphone = rig.headphone(name="Nothing Ear", family="nothing")
    reported = status(rig)
    equal(levels(reported), [60, 58, 50], "battery")
    equal(reported["battery"]["charging"], ["case"], "charging")
    equal((reported["anc"], reported["eq"]["preset"]), ("off", "balanced"), "noise control and equaliser")
    equal(reported["device"]["firmware"], "1.0.1.60", "firmware")
    for mode, number in (("transparency", 7), ("adaptive", 4), ("noise-cancelling", 1)):
        rig.earshot("anc", mode).succeeded()
        equal(headphone.state["noise"], number, f"noise control after {mode}")
    for preset, number in (("vocal", 1), ("bass-boost", 3)):
        rig.earshot("eq", preset).succeeded()
        equal(headphone.state["eq"], number, f"equaliser after {preset}")
    equal(reported["settings"]["equaliser-bands"], [3.0, 1.0, -2.0], "gains from low to high")
    rig.earshot("eq", "--bands=-6,0.5,6").succeeded()
    equal((headphone.state["eq"], headphone.state["gains"]), (5, [0.5, 6.0, -6.0]), "gains")
    rig.earshot("wear-detection", "off").succeeded()
    equal(headphone.state["detects_wearing"], 0, "wear detection")
    equal(headphone.seen("garbage"), [], "frames that it could not read")


def case_a_headphone_of_nothing_without_gains_is_ready_without_a_wait(rig):
    headphone = rig.headphone(name="Nothing Ear", family="nothing", has_gains=False)
    reported = status(rig)
    equal(reported["eq"], {"preset": "balanced", "bands": None}, "equaliser")
    equal(reported["device"]["firmware"], "1.0.1.60", "firmware")
    asked = [order["command"] for order in headphone.seen("ordered")]
    questions = [
        "C007", "C01E", "C044", "C050", "C01F", "C00E", "C042", "C006", "C041", "C04E", "C04F", "C020", "C018", "C011",
        "C027", "C007",
    ]
    equal(asked, questions, "questions, the battery first and last and no other twice")
    result = rig.earshot("eq", "--bands=-6,0.5,6")
    expect(result.status != 0 and result.messages, f"gains that it has not: {result}")
    rig.earshot("eq", "vocal").succeeded()
    equal(headphone.state["eq"], 1, "equaliser")


def case_a_headphone_of_nothing_that_answers_in_another_order_has_all_that_it_has(rig):
    headphone = rig.headphone(name="Nothing Ear", family="nothing", answers_backwards=True)
    reported = status(rig)
    equal(levels(reported), [60, 58, 50], "battery")
    equal((reported["anc"], reported["eq"]["preset"]), ("off", "balanced"), "noise control and equaliser")
    equal(reported["settings"]["equaliser-bands"], [3.0, 1.0, -2.0], "gains from low to high")
    equal(reported["device"]["firmware"], "1.0.1.60", "firmware")
    asked = [order["command"] for order in headphone.seen("ordered")]
    equal(sorted(asked), sorted([*set(asked), "C007"]), "questions, the battery first and last and no other twice")


def case_what_a_headphone_of_nothing_tells_unasked_answers_nothing(rig):
    headphone = rig.headphone(name="Nothing Ear", family="nothing", is_talkative=True)
    reported = status(rig)
    equal(levels(reported), [60, 58, 50], "battery")
    equal((reported["anc"], reported["eq"]["preset"]), ("off", "balanced"), "noise control and equaliser")
    for mode, number in (("transparency", 7), ("noise-cancelling", 1)):
        rig.earshot("anc", mode).succeeded()
        equal(headphone.state["noise"], number, f"noise control after {mode}")
    rig.earshot("eq", "--bands=-6,0.5,6").succeeded()
    equal((headphone.state["eq"], headphone.state["gains"]), (5, [0.5, 6.0, -6.0]), "gains")


def case_the_screen_follows_a_headphone_of_nothing(rig):
    headphone = rig.headphone(name="Nothing Ear", family="nothing")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY, "60%", "58%", "50%")
    headphone.change(battery=[41, 18, 98])
    screen.wait_for("41%", "18%", "98%")
    screen.press("3")
    headphone.wait_for("ordered", command="F00F", payload="010700")
    screen.wait_for("▐3 ◌ Transparency▌")


def case_a_headphone_of_soundcore_is_controlled(rig):
    headphone = rig.headphone(name="Soundcore Life Q30", family="soundcore")
    reported = status(rig)
    equal(reported["battery"]["left"], 100, "battery, 5 of 5")
    equal(reported["anc"], "off", "noise control")
    gains = [-6.0, 6.0, 2.3, 4.0, 2.2, 6.0, -0.4, 1.6]
    rounded = [round(gain * 2) / 2 for gain in gains]
    equal(reported["eq"], {"preset": "custom", "bands": rounded}, "equaliser")
    equal(reported["device"]["serial"], "3029086EC82F12AC", "serial number")
    for mode, number in (("noise-cancelling", 0), ("transparency", 1), ("off", 2)):
        rig.earshot("anc", mode).succeeded()
        equal(headphone.state["modes"], [number, 0, 1, 0], f"sound modes after {mode}")
    rig.earshot("eq", "balanced").succeeded()
    equal(headphone.state["eq"], "0000" + "78" * 8, "equaliser: Signature, flat")
    result = rig.earshot("anc", "adaptive")
    expect(result.status != 0 and result.messages, f"a mode that it has not: {result}")
    equal(headphone.seen("garbage"), [], "frames that it could not read")


def orders(headphone):
    """Commands with what is behind them, without questions."""
    return [
        record["command"] + record["payload"]
        for record in headphone.seen("ordered")
        if record["command"] != "00FE"
    ]


def case_a_QCY_is_controlled_beside_bluetoothd(rig):
    with Desktop(rig.folder):
        headphone = rig.headphone(name="QCY MeloBuds", family="qcy")
        reported = rig.earshot("status", "--json", unprivileged=True).succeeded().json
        equal(levels(reported), [87, 76, 64], "battery")
        equal(reported["battery"]["charging"], ["left"], "charging")
        equal(reported["anc"], "transparency", "noise control")
        equal(reported["device"]["firmware"], "1.0.6", "firmware")
        for mode, number in (("noise-cancelling", 1), ("off", 0), ("transparency", 3)):
            rig.earshot("anc", mode, unprivileged=True).succeeded()
            equal(headphone.state["noise"], number, f"noise control after {mode}")
        rig.earshot("setting", "multipoint", "off", unprivileged=True).succeeded()
        equal(headphone.state["switches"]["24"], 2, "two devices at a time")
        equal(headphone.seen("garbage"), [], "frames that it could not read")


def case_a_SoundPEATS_is_not_taken_for_a_QCY(rig):
    """By its firmware: its "off" is QCY's cancelling for outdoors."""
    with Desktop(rig.folder):
        headphone = rig.headphone(name="Capsule3 Pro", family="soundpeats")
        reported = rig.earshot("status", "--json", unprivileged=True).succeeded().json
        equal(levels(reported), [87, 76, 64], "battery")
        equal(reported["anc"], "off", "noise control")
        equal(reported["device"]["firmware"], "SPTS04_20221202_V62", "firmware")
        for mode, number in (("transparency", 0xA5), ("noise-cancelling", 0x63), ("off", 0x02)):
            rig.earshot("anc", mode, unprivileged=True).succeeded()
            equal(headphone.state["noise"], number, f"noise control after {mode}")
        refused = rig.earshot("setting", "multipoint", "off", unprivileged=True)
        expect(refused.status != 0 and refused.messages, f"what only QCY's has: {refused}")
        equal(orders(headphone), ["000Ca5", "000C63", "000C02"], "orders")
        asked = {record["payload"] for record in headphone.seen("ordered", command="00FE")}
        equal(asked, {"2f", "0c"}, "questions")


def case_a_SoundPEATS_without_a_firmware_is_known_by_a_number_of_its_own(rig):
    """Until then nothing is set: the number that it begins with is both makers', and is shown as such."""
    with Desktop(rig.folder):
        headphone = rig.headphone(name="Capsule3 Pro", family="soundpeats", says_firmware=False)
        watch = rig.run("watch", unprivileged=True)
        watch.wait_for(lambda reported: is_ready(reported) and reported["anc"] == "2")
        refused = rig.earshot("anc", "transparency", unprivileged=True)
        expect(refused.status != 0 and refused.messages, f"a mode on a guess: {refused}")
        equal(orders(headphone), [], "orders on a guess")
        headphone.change(noise=0x63)
        watch.wait_for(lambda reported: reported["anc"] == "noise-cancelling")
        rig.earshot("anc", "off", unprivileged=True).succeeded()
        equal(headphone.state["noise"], 0x02, "noise control")
        equal(orders(headphone), ["000C02"], "orders")


def case_a_headphone_with_standard_services_tells_what_it_has(rig):
    headphone = rig.headphone(name="Anybody's", family="standard", manufacturer="Anybody")
    reported = status(rig)
    equal(levels(reported), [80, 75, 50], "battery")
    equal(reported["device"]["model"], "EA-1", "model")
    equal((reported["anc"], reported["eq"]["preset"]), (None, None), "what it has not")
    rig.earshot("find", "both").succeeded()
    equal(headphone.wait_for("alert")["level"], 2, "level of the alert")
    result = rig.earshot("anc", "transparency")
    expect(result.status != 0 and "noise" in result.messages, f"what it has not: {result}")


def case_airpods_are_reported_by_what_they_advertise(rig):
    airpods = rig.headphone(name="AirPods", address="F0:F1:F2:F3:F4:41", advertisement=AIRPODS)
    (heard,) = scan(rig).values()
    equal([heard["battery"][part] for part in ("left", "right", "case")], [100, 90, 60], "battery")
    equal(heard["battery"]["charging"], ["right"], "charging")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("earby, not connected", "10/10", "9/10", "charging", "6/10")
    equal(airpods.seen("connected"), [], "connections")
