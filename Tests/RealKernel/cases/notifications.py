"""Notifications of the desktop; Earshot runs as nobody, without a screen."""

import os

from bench.failure import equal, expect
from bench.notices import Notices
from bench.sound import DualMode, PipeWire

from .safe_volume import agent, log

NAME = "Ear <b>&"
"""Servers take markup in a body, not in a summary."""
WANTED = "[notifications]\nconnected = true\ndisconnected = true\n"


def configure(rig, text):
    runner = rig.earshot.runner(unprivileged=True)
    folder = f"{runner['env']['XDG_CONFIG_HOME']}/earshot"
    os.makedirs(folder)
    with open(f"{folder}/config.toml", "w") as file:
        file.write(text)
    for path in (folder, f"{folder}/config.toml"):
        os.chown(path, runner["user"], runner["group"])


def charge(rig):
    return rig.earshot("battery", "left", unprivileged=True).succeeded().output


def case_notifications_tell_of_low_batteries_and_of_connections(rig):
    configure(rig, WANTED)
    with DualMode(rig, name=NAME) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        with Notices(server) as notices:
            agent(rig)
            notices.wait_for(f"{NAME} is connected")
            headphone.change(battery=[18, 60, 50])
            notices.wait_for(f"{NAME}: battery is low", "18")
            headphone.change(battery=[17, 60, 50])
            headphone.change(battery=[9, 60, 50])
            notices.wait_for(f"{NAME}: battery is nearly empty", "9")
            headphone.switch_off()
            notices.wait_for(f"{NAME} is disconnected")
            headphone.switch_on_again()
            notices.wait_for(f"{NAME} is connected", "9")
            low = [shown for shown in notices.shown if "battery" in shown[0]]
            equal(len(low), 2, f"notices of the battery in {notices.shown}")
            equal(low[0][2:], ["Earshot", "audio-headphones"], "program and icon")

            # It hangs: the agent goes on, and says why nothing is shown.
            notices.hang()
            headphone.switch_off()
            headphone.wait_for("disconnected", 2)
            headphone.switch_on_again()
            headphone.wait_for("connected", 3)
            headphone.change(battery=[71, 60, 50])
            expect("71" in charge(rig), "the agent waits for the notification")

        # It has ended, and there is none: nor does that matter.
        headphone.change(battery=[15, 60, 50])
        expect("15" in charge(rig), "the agent waits for a service that is gone")
        with Notices(server, refuses=True) as notices:
            headphone.change(battery=[8, 60, 50])
            notices.wait_for(f"{NAME}: battery is nearly empty")
        with Notices(server) as notices:
            headphone.change(battery=[60, 60, 50])
            headphone.change(battery=[60, 19, 50])
            notices.wait_for(f"{NAME}: battery is low", "19")
        said = log(rig)
        expect(said.count("notification") >= 2, f"nothing in the log of notices that failed: {said}")
