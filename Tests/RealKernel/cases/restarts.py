"""bluetoothd ends and comes back; Earshot runs as nobody."""

import signal

from bench.sound import Stock

from .screen import READY


def case_a_scan_begun_without_bluetoothd_says_so_and_goes_on_with_it(rig):
    with Stock(rig) as machine:
        machine.desktop.end_bluetoothd(signal.SIGKILL)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for("bluetoothd is not running")
        machine.desktop.start_bluetoothd()
        screen.wait_for(READY, lambda text: "scanning failed: blue" not in text.split("EVENTS")[0])
