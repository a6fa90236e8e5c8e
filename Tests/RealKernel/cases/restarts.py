"""bluetoothd ends and comes back; Earshot runs as nobody."""

import signal

from bench.sound import PipeWire, PulseAudio, Stock

from .screen import READY
from .stock_desktop import NAME, pair


def restart(machine, by):
    machine.desktop.end_bluetoothd(by)
    machine.desktop.start_bluetoothd()


def case_a_scan_begun_without_bluetoothd_says_so_and_goes_on_with_it(rig):
    with Stock(rig) as machine:
        machine.desktop.end_bluetoothd(signal.SIGKILL)
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for("bluetoothd is not running")
        machine.desktop.start_bluetoothd()
        screen.wait_for(READY, lambda text: "scanning failed: blue" not in text.split("EVENTS")[0])


def connect_after_restart(rig, make, by):
    """The command, before the sound server has registered with the new bluetoothd."""
    with Stock(rig, encrypted=True) as machine, make(rig, unprivileged=True) as server:
        server.play()
        pair(rig)
        machine.headphone.wait_for("audio paired")
        restart(machine, by)
        rig.earshot("audio", "connect", "--device", NAME, unprivileged=True).succeeded()
        machine.headphone.wait_for("music", 2)


def case_a_command_connects_the_sound_right_after_a_restart_with_PulseAudio(rig):
    connect_after_restart(rig, PulseAudio, signal.SIGTERM)


def case_a_command_connects_the_sound_right_after_a_restart_with_PipeWire(rig):
    connect_after_restart(rig, PipeWire, signal.SIGTERM)
