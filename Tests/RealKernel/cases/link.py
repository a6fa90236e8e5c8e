"""Links that end, and the words for it."""

from bench.failure import equal, expect

from .screen import start


def lost(screen, *words):
    """Waits until the screen says that the link is gone, in one of these words."""

    def told(text):
        return any(word in text.lower() for word in words)

    told.__name__ = " or ".join(words)
    return screen.wait_for(told)


def case_a_headphone_switched_off_is_noticed_with_its_reason(rig):
    headphone, screen = start(rig)
    headphone.switch_off()
    lost(screen, "headphone ended", "switched off", "by the headphone", "0x13")


def case_a_headphone_that_vanishes_is_noticed_with_its_reason(rig):
    headphone, screen = start(rig)
    headphone.vanish()
    lost(screen, "timed out", "time-out", "out of range", "0x08")


def case_an_adapter_switched_off_is_noticed_with_its_reason(rig):
    _, screen = start(rig)
    rig.adapter.power(False)
    lost(screen, "bluetooth is off", "adapter is off", "switched off", "off or gone")


def case_an_adapter_pulled_out_is_noticed_with_its_reason(rig):
    _, screen = start(rig)
    rig.adapter.unplug()
    lost(screen, "adapter is gone", "no adapter", "off or gone", "no bluetooth adapter")


def case_a_headphone_that_comes_back_is_connected_again(rig):
    headphone, screen = start(rig)
    headphone.switch_off()
    headphone.wait_for("disconnected")
    headphone.switch_on_again()
    headphone.wait_for("connected", 2)
    screen.wait_for("ready")


def case_no_headphone_is_exit_code_4(rig):
    result = rig.earshot("status", "--timeout", "3")
    equal(result.status, 4, f"exit status of {result}")
    expect(result.messages, "no word about it")


def case_an_unknown_device_is_exit_code_4(rig):
    rig.headphone()
    result = rig.earshot("status", "--device", "Nobody's", "--timeout", "3")
    equal(result.status, 4, f"exit status of {result}")
