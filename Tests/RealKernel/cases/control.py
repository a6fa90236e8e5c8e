"""Reading and changing a headphone from the command line."""

from bench.failure import equal, expect

from . import first

MOST_REQUESTS_TO_READY = 12


def status(rig, *arguments):
    return rig.earshot("status", "--json", *arguments).succeeded().json


@first
def case_status_reads_everything(rig):
    headphone = rig.headphone()
    headphone.change(anc=2, eq=1, battery=[83, 76, 51], charging=["case"], wearing=[1, 0], lid=1)
    reported = status(rig)
    equal(reported["schema"], 1, "schema")
    device = reported["device"]
    for key, value in {
        "name": "Earshot One",
        "address": "F0:F1:F2:F3:F4:F5",
        "model": "EA-1",
        "firmware": "1.0.3",
        "serial": "0042",
        "rssi": -50,
    }.items():
        equal(device[key], value, key)
    equal(reported["control"]["state"], "ready", "state of the control link")
    equal(reported["control"]["mtu"], 517, "MTU")
    levels = {part: reported["battery"][part] for part in ("left", "right", "case")}
    equal(levels, {"left": 83, "right": 76, "case": 51}, "battery")
    equal(reported["battery"]["charging"], ["case"], "charging")
    equal(reported["anc"], "transparency", "ANC")
    equal(reported["eq"]["preset"], "bass-boost", "EQ")
    equal(reported["wearing"], {"left": True, "right": False}, "wearing")
    equal(reported["caseOpen"], True, "case lid")


def case_few_requests_make_it_ready(rig):
    headphone = rig.headphone()
    status(rig)
    requests = headphone.att_requests()
    listed = " ".join(f"{opcode:02X}" for opcode in requests)
    expect(len(requests) <= MOST_REQUESTS_TO_READY, f"{len(requests)} ATT requests: {listed}")


def case_battery_is_reported_in_words_and_json(rig):
    headphone = rig.headphone(batteries=("left", "case"))
    headphone.change(battery=[9, None, 100])
    words = rig.earshot("battery").succeeded().output
    expect("9" in words and "100" in words, f"levels in {words!r}")
    expect("255" not in words, f"an unknown level is shown as 255 in {words!r}")
    levels = rig.earshot("battery", "--json").succeeded().json["battery"]
    equal([levels[part] for part in ("left", "right", "case")], [9, None, 100], "levels")


def case_anc_changes_the_headphone(rig):
    headphone = rig.headphone()
    for mode, value in (("transparency", "02"), ("adaptive", "03"), ("off", "00")):
        rig.earshot("anc", mode).succeeded()
        equal(headphone.seen("anc written")[-1]["value"], value, f"written for {mode}")
    rig.earshot("anc", "next").succeeded()
    equal(headphone.state["anc"], 1, "mode after next")
    reported = rig.earshot("anc", "--json").succeeded().json
    equal(reported["anc"], "noise-cancelling", "mode that anc tells")


def case_eq_changes_the_headphone(rig):
    headphone = rig.headphone()
    rig.earshot("eq", "vocal").succeeded()
    equal(headphone.state["eq"], 2, "preset")
    rig.earshot("eq", "--bands", "3,2,0,-1.5,12").succeeded()
    equal(headphone.state["bands"], [6, 4, 0, -3, 24], "bands in steps of 0.5 dB")
    equal(headphone.state["eq"], 3, "preset after custom bands")
    rig.earshot("eq", "next").succeeded()
    equal(headphone.state["eq"], 0, "preset after next")


def case_a_headphone_that_says_no_is_exit_code_6(rig):
    headphone = rig.headphone()
    result = rig.earshot("find", "left")
    equal(result.status, 6, f"exit status of {result}")
    equal(headphone.state["finding"], 0, "buds that play a sound")
    headphone.change(wearing=[0, 0])
    rig.earshot("find", "left").succeeded()
    equal(headphone.state["finding"], 1, "buds that play a sound")


def case_a_command_that_is_lost_is_sent_again(rig):
    headphone = rig.headphone(deaf_to={"33": 1})
    rig.earshot("wear-detection", "off").succeeded()
    first, second = headphone.seen("command", command=0x33)
    equal({**second, "at": first["at"]}, first, "the packet sent again")
    equal(headphone.state["wear_detection"], 0, "wear detection")


def case_a_headphone_without_extras_has_what_its_table_shows(rig):
    rig.headphone(features=("anc",), says_capabilities=False, batteries=(), echoes=False)
    reported = status(rig)
    equal(reported["anc"], "off", "ANC")
    equal(reported["eq"]["preset"], None, "EQ")
    rig.earshot("anc", "noise-cancelling").succeeded()
    result = rig.earshot("eq", "vocal")
    expect(result.status != 0 and result.messages, f"an equaliser that is not there: {result}")


def case_a_headphone_that_only_indicates_is_heard(rig):
    headphone = rig.headphone(delivery="indicate")
    headphone.change(wearing=[0, 1])
    equal(status(rig)["wearing"], {"left": False, "right": True}, "wearing")
    headphone.wait_for("subscribed", to="event", indicate=True, notify=False)
    expect(headphone.seen("att", opcode=0x1E), "no indication was confirmed")


def case_a_headphone_with_the_least_mtu_is_understood(rig):
    headphone = rig.headphone(
        mtu=23, long_uuids=True, model="Earshot One, second edition", serial="0042-0000-0000-0042"
    )
    headphone.change(eq=3, bands=[1, 2, 3, 4, 5])
    reported = status(rig)
    equal(reported["control"]["mtu"], 23, "MTU")
    equal(reported["device"]["model"], "Earshot One, second edition", "model")
    equal(reported["wearing"], {"left": True, "right": True}, "wearing")
    rig.earshot("eq", "--bands", "1,2,3,4,5").succeeded()
    longest = max(len(record["pdu"]) // 2 for record in headphone.seen("att"))
    expect(longest <= 23, f"a PDU of {longest} bytes was sent")


def case_a_headphone_that_asks_questions_is_answered(rig):
    headphone = rig.headphone(curious=True)
    equal(status(rig)["control"]["state"], "ready", "state of the control link")
    mtu = headphone.wait_for("answered", request=0x02)["answer"]
    expect(mtu[:2] == "03", f"answer to Exchange MTU: {mtu}")
    name = headphone.wait_for("answered", request=0x08)["answer"]
    expect(name[:4] == "0108" and name[-2:] == "06", f"answer to Read By Type: {name}")
