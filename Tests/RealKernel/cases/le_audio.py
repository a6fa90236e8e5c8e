"""What `earshot doctor --le-audio` says of four kinds of machine, by the kernel's and bluetoothd's own word."""

from bench.desktop import Desktop
from bench.failure import equal, expect
from bench.sound import PipeWire, PulseAudio

from .permission import checks


def expect_states(rig, **states):
    """What is said, by check; the name of a check is without "le-"."""
    found, result = checks(rig, "--le-audio", unprivileged=True)
    for check, state in states.items():
        equal(found[f"le-{check}"]["state"], state, f"state of {check} in {result}")
    return {check: found[f"le-{check}"]["what"] for check in states}


def case_the_doctor_says_which_part_of_le_audio_a_machine_lacks(rig):
    rig.adapter.unplug()
    rig.adapter.plug(dual_mode=True)
    with Desktop(rig.folder):
        said = expect_states(rig, adapter="warning", kernel="warning", bluetoothd="warning")
        expect("cannot stream to headphones" in said["adapter"], f"{said}")
    rig.adapter.unplug()
    rig.adapter.plug(dual_mode=True, isochronous=True)
    with Desktop(rig.folder):
        said = expect_states(rig, adapter="ok", kernel="warning", bluetoothd="warning", sound="unknown")
        equal(said["kernel"], "isochronous sockets are off", "Linux")
        equal(said["bluetoothd"], "bluetoothd does not offer LE Audio", "bluetoothd")
    with Desktop(rig.folder, le_audio=True):
        with PulseAudio(rig, unprivileged=True):
            expect_states(rig, adapter="ok", kernel="ok", bluetoothd="ok", sound="warning")
        with PipeWire(rig, unprivileged=True):
            said = expect_states(rig, adapter="ok", kernel="ok", bluetoothd="ok", sound="ok")
            expect("bluetoothd offers LE Audio" in said["bluetoothd"], f"{said}")
    # A bluetoothd without the two lines switches the kernel's part off.
    with Desktop(rig.folder):
        expect_states(rig, kernel="warning", bluetoothd="warning")
