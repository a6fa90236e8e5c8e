"""The buttons of a headphone and media players; Earshot runs as nobody, without a desktop."""

import signal
import time

from bench.failure import Failure, equal, expect
from bench.player import Player
from bench.sound import DualMode, PipeWire


NOTHING = ["STOPPED", ""]


def agent(rig):
    running = rig.run("agent", unprivileged=True)
    running.wait_for("keeps the link")
    return running


def connect(machine, server):
    machine.connect_sound()
    server.wait_for("Bluetooth sink", server.bluetooth_sink)
    machine.headphone.wait_for("buttons connected")


def accepts(machine):
    """Whether bluetoothd connects the sound now."""
    try:
        machine.connect_sound()
    except Failure:
        return False
    return True


def case_the_buttons_reach_the_player_that_plays_else_the_one_that_played_last(rig):
    with DualMode(rig, buttons=True) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        agent(rig)
        connect(machine, server)
        headphone.wait_until_shown(*NOTHING)
        # Nobody is there to get it.
        headphone.press("PLAY")

        with Player(server, "radio") as radio:
            radio.has_on("Paused", "One")
            headphone.wait_until_shown("PAUSED", "One")
            headphone.press("PLAY")
            radio.wait_for("Play")
            headphone.wait_until_shown("PLAYING", "One")

            with Player(server, "band") as band:
                band.has_on("Playing", "Two")
                headphone.wait_until_shown("PLAYING", "Two")
                headphone.press("PAUSE")
                band.wait_for("Pause")
                # The radio plays still.
                headphone.wait_until_shown("PLAYING", "One")
                headphone.press("PAUSE")
                radio.wait_for("Pause")
                band.has_on("Playing", "Two")
                headphone.wait_until_shown("PLAYING", "Two")
                headphone.press("PAUSE")
                band.wait_for("Pause")
                headphone.wait_until_shown("PAUSED", "Two")
                headphone.press("PLAY", "FORWARD", "BACKWARD")
                for order in ("Play", "Next", "Previous"):
                    band.wait_for(order)
                equal(band.orders, ["Pause", "Pause", "Play", "Next", "Previous"], "the band's orders")

            # It is gone with its process.
            headphone.wait_until_shown("PAUSED", "One")
            headphone.press("PLAY")
            radio.wait_for("Play")
            # A headphone with a stale status.
            headphone.press("PLAY", "STOP")
            radio.wait_for("Stop")
            equal(radio.orders, ["Play", "Pause", "Play", "Stop"], "the radio's orders")
            headphone.wait_until_shown("STOPPED", "One")
            headphone.press("PLAY")
            radio.wait_for("Play")
        headphone.wait_until_shown(*NOTHING)


def restarted(rig, by):
    with DualMode(rig, buttons=True) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        agent(rig)
        connect(machine, server)
        with Player(server, "radio") as radio:
            radio.has_on("Playing", "One")
            headphone.wait_until_shown("PLAYING", "One")
            machine.desktop.end_bluetoothd(by)
            headphone.drop_sound()
            machine.desktop.start_bluetoothd()
            rig.adapter.power(True)
            headphone.allow_sound()
            # WirePlumber 0.5.8 ends when bluetoothd is killed, and registers its endpoints after its restart.
            server.wait_for("endpoints of the sound server", lambda: accepts(machine))
            headphone.wait_for("buttons connected", 2)
            headphone.wait_until_shown("PLAYING", "One")
            headphone.press("PAUSE")
            radio.wait_for("Pause")


def case_the_buttons_work_again_after_bluetoothd_was_terminated(rig):
    restarted(rig, signal.SIGTERM)


def case_the_buttons_work_again_after_bluetoothd_was_killed(rig):
    restarted(rig, signal.SIGKILL)


def case_a_headphone_that_mpris_proxy_shows_as_a_player_gets_no_key(rig):
    with DualMode(rig, buttons=True) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        agent(rig)
        connect(machine, server)
        with Player(server, "radio") as radio, Player(server, "ghost", "mpris-proxy") as ghost:
            ghost.has_on("Playing", "Earshot One")
            radio.has_on("Paused", "One")
            headphone.wait_until_shown("PAUSED", "One")
            headphone.press("PLAY", "PAUSE")
            radio.wait_for("Pause")
            ghost.has_on("Paused", "Earshot One")
            headphone.wait_until_shown("PAUSED", "One")
            ghost.has_on("Playing", "Earshot One")
            headphone.press("FORWARD")
            radio.wait_for("Next")
            equal(radio.orders, ["Play", "Pause", "Next"], "the radio's orders")


def case_keys_pressed_while_the_agent_is_stopped_are_dropped(rig):
    with DualMode(rig, buttons=True) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        running = agent(rig)
        connect(machine, server)
        with Player(server, "radio") as radio:
            radio.has_on("Playing", "One")
            headphone.wait_until_shown("PLAYING", "One")
            running.process.send_signal(signal.SIGSTOP)
            headphone.press("FORWARD", "PAUSE", "BACKWARD")
            time.sleep(2)
            running.process.send_signal(signal.SIGCONT)
            radio.has_on("Playing", "Two")
            headphone.wait_until_shown("PLAYING", "Two")
            headphone.press("STOP")
            radio.wait_for("Stop")
            equal(radio.orders, ["Stop"], "the radio's orders")


def case_play_that_a_headphone_presses_by_itself_waits_for_its_sound(rig):
    with (
        DualMode(rig, buttons=True, plays_by_itself=True) as machine,
        PipeWire(rig, unprivileged=True) as server,
        Player(server, "radio") as radio,
    ):
        radio.has_on("Paused", "One")
        agent(rig)
        machine.connect_sound()
        radio.wait_for("Play")
        expect(server.bluetooth_sink(), "music began before the headphone's sink was there")
        log = rig.earshot("log", unprivileged=True).succeeded().output
        expect("waiting for its sound" in log, f"play did not wait: {log}")


def case_buttons_are_left_to_a_desktop_that_handles_them_and_the_doctor_says_so(rig):
    with DualMode(rig, buttons=True) as machine, PipeWire(rig, unprivileged=True) as server:
        headphone = machine.headphone
        with Player(server, "radio") as radio:
            radio.has_on("Playing", "One")
            agent(rig)
            connect(machine, server)
            headphone.wait_until_shown("PLAYING", "One")
            equal(finding(rig)["what"][:7], "Earshot", "who has the buttons")
            with Player(server, "shell", name_on_bus="org.gnome.SettingsDaemon.MediaKeys"):
                headphone.wait_until_shown(*NOTHING)
                expect("GNOME" in finding(rig)["what"], "the doctor does not name the desktop")
            # It has ended.
            headphone.wait_until_shown("PLAYING", "One")


def finding(rig):
    doctor = rig.earshot("doctor", "--json", unprivileged=True).json
    return next(item for item in doctor["findings"] if item["check"] == "buttons")
