"""Beside bluetoothd."""

from bench.desktop import Desktop

from .screen import READY, start


def case_bluetoothd_is_no_hindrance(rig):
    with Desktop(rig.folder):
        headphone, screen = start(rig)
        screen.press("3")
        headphone.wait_for("anc written", value="02")
        headphone.switch_off()
        screen.wait_for("the headphone ended the link")
        headphone.switch_on_again()
        screen.wait_for(READY)
        screen.press("q")
        screen.wait_for("ended with 0")
