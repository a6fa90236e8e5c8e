"""The codec that a person chose, which a sound server may forget; Earshot runs as nobody, without a screen."""

import re

from bench.failure import equal
from bench.sound import DualMode, PulseAudio

from .dual_mode import connect
from .safe_volume import agent, setting

STANDARD, BETTER = "sbc", "sbc_xq_552"


def codec(server):
    """What the sound server encodes with."""
    found = re.search(r'bluetooth\.codec = "(.*)"', server.pactl("list", "sinks"))
    return found[1] if found else None


def wait_for_codec(server, wanted):
    server.wait_for(f"codec {wanted}", lambda: codec(server) == wanted)


def reconnect(machine, server):
    """From the headphone's side, as from its case."""
    machine.headphone.drop_sound()
    server.wait_for("no Bluetooth sink", lambda: not server.bluetooth_sink())
    return connect(machine, server)


def choose(rig, server, name):
    rig.earshot("audio", "profile", name, unprivileged=True).succeeded()
    wait_for_codec(server, name)


def status(rig):
    return rig.earshot("status", "--json", unprivileged=True).succeeded().json["audio"]["codec"]


def case_the_codec_that_was_chosen_is_set_again_with_PulseAudio(rig):
    """Also by a later run; a choice in the same connection, by any program, is not undone."""
    with DualMode(rig) as machine, PulseAudio(rig, unprivileged=True) as server:
        running = agent(rig)
        setting(rig, "profile", "leave", "--all")
        connect(machine, server)
        wait_for_codec(server, STANDARD)
        choose(rig, server, BETTER)
        reconnect(machine, server)
        wait_for_codec(server, STANDARD)

        setting(rig, "profile", "keep", "--all")
        choose(rig, server, BETTER)
        reconnect(machine, server)
        wait_for_codec(server, BETTER)

        running.process.terminate()
        running.process.wait()
        agent(rig)
        sink = reconnect(machine, server)
        wait_for_codec(server, BETTER)

        card = sink.replace("bluez_sink", "bluez_card").split(".a2dp")[0]
        server.pactl("send-message", f"/card/{card}/bluez", "switch-codec", f'"{STANDARD}"')
        wait_for_codec(server, STANDARD)
        server.wait_for("codec in Earshot's eyes", lambda: status(rig) == STANDARD)
        equal(codec(server), STANDARD, "codec after another program's choice")
