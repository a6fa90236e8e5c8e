"""The report on sound quality beside real sound servers and bluetoothd; Earshot runs as nobody."""

from bench.failure import Failure, equal
from bench.sound import DualMode, PipeWire, PulseAudio

from .dual_mode import connect
from .safe_volume import agent


def report(rig):
    return rig.earshot("doctor", "--sound", "--json", unprivileged=True).succeeded().json


def check(rig, make):
    """A headphone with SBC alone: what it offers and how it is configured are bluetoothd's words."""
    with DualMode(rig) as machine, make(rig, unprivileged=True) as server:
        agent(rig)
        connect(machine, server)
        found = report(rig)
        equal([item["codec"] for item in found["offered"] or []], ["sbc"], f"what the headphone offers in {found}")
        equal(found["offered"][0]["rates"], [16000, 32000, 44100, 48000], "its rates")
        equal(found["offered"][0]["bitpool"], 53, "its bitpool")
        equal((found["profile"], found["codec"]), ("a2dp", "sbc"), f"what is in use in {found}")
        stream = found["stream"]
        if stream["bitRate"] != {44100: 328, 48000: 357}[stream["rates"][0]]:
            raise Failure(f"bit rate of {stream}")
        if "sbc" not in found["computer"]:
            raise Failure(f"no SBC on this computer: {found}")

        machine.headphone.drop_sound()
        server.wait_for("no Bluetooth sink", lambda: not server.bluetooth_sink())
        server.wait_for(
            "the loss in the report",
            lambda: [item["kind"] for item in report(rig)["changes"] if item["kind"] in ("connected", "lost")]
            == ["connected", "lost"])


def case_the_doctor_explains_the_sound_with_PipeWire(rig):
    check(rig, PipeWire)


def case_the_doctor_explains_the_sound_with_PulseAudio(rig):
    check(rig, PulseAudio)
