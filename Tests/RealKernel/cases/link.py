"""Links that end, and the words for it."""

from bench.failure import equal, expect

from . import first
from .screen import READY, start


def case_a_headphone_switched_off_is_noticed_with_its_reason(rig):
    headphone, screen = start(rig)
    headphone.switch_off()
    screen.wait_for("the headphone ended the link")


@first
def case_a_headphone_that_vanishes_is_noticed_with_its_reason(rig):
    headphone, screen = start(rig)
    headphone.vanish()
    screen.wait_for("the headphone is out of range or off")


def case_a_headphone_that_comes_back_is_connected_again(rig):
    headphone, screen = start(rig)
    headphone.switch_off()
    headphone.wait_for("disconnected")
    headphone.switch_on_again()
    headphone.wait_for("connected", 2)
    screen.wait_for(READY)


def case_no_headphone_is_exit_code_4(rig):
    result = rig.earshot("status", "--timeout", "3")
    equal(result.status, 4, f"exit status of {result}")
    expect(result.messages, "no word about it")


def case_an_unknown_device_is_exit_code_4(rig):
    rig.headphone()
    result = rig.earshot("status", "--device", "Nobody's", "--timeout", "3")
    equal(result.status, 4, f"exit status of {result}")
