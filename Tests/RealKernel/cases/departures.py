"""A service ends and comes back at each step, from the start to an update; Earshot runs as nobody.

With a sound server beside it bluetoothd ends in `restarts.py`.
"""

import contextlib
import os
import signal
import time

from bench.failure import expect
from bench.sound import PipeWire, PulseAudio, Stock

from . import slow
from .dual_mode import BOTH
from .firmware import begin_install, make_image, runs_new
from .screen import READY
from .stock_desktop import NAME, ask_again, pair


class Terminated:
    """bluetoothd, which forgets its questions, and switches the adapter off as it ends."""

    absent = ("bluetoothd is not running", "bluetooth is off")
    """What the screen says, without it or with what it leaves."""
    asks_about_pairing = True
    ends_links = True
    by = signal.SIGTERM

    def __init__(self, rig, machine):
        self.desktop = machine.desktop

    def end(self):
        self.desktop.end_bluetoothd(self.by)

    def start(self):
        self.desktop.start_bluetoothd()


class Killed(Terminated):
    absent = ("bluetoothd is not running",)
    ends_links = False
    by = signal.SIGKILL


class SystemBus(Killed):
    """bluetoothd ends with it by itself, and leaves the adapter on."""

    def end(self):
        self.desktop.end_bus()

    def start(self):
        self.desktop.start_bus()


class Sound:
    """A sound server, and on a desktop with PipeWire the session bus."""

    absent = ("no sound server",)
    asks_about_pairing = False
    ends_links = False

    def __init__(self, rig, machine):
        self.server = self.make(rig, unprivileged=True)
        self.server.start()

    def end(self):
        self.server.end(signal.SIGKILL)

    def start(self):
        self.server.start()


class PulseAudioSound(Sound):
    make = PulseAudio


class PipeWireSound(Sound):
    make = PipeWire


def is_missed(service, text):
    return any(words in text.lower() for words in service.absent)


def each_step(rig, make):
    code, trusting = make_image(rig, unprivileged=True)
    home = rig.earshot.runner(unprivileged=True)["cwd"]
    with Stock(rig, encrypted=True, **trusting) as machine:
        headphone, service = machine.headphone, make(rig, machine)
        headphone.switch_off()

        def restart(has_link=False):
            links = len(headphone.seen("connected"))
            service.end()
            service.start()
            if has_link and service.ends_links:
                headphone.wait_for("connected", links + 1)

        # The start, and a scan.
        service.end()
        screen = rig.screen("--key", f"{home}/maker.pub", columns=120, rows=40, unprivileged=True)
        screen.wait_for(lambda text: is_missed(service, text))
        service.start()
        screen.wait_for("scanning", lambda text: not is_missed(service, text.split("EVENTS")[0]))
        restart()

        headphone.switch_on_again()
        screen.wait_for("PAIRING")
        restart()
        if service.asks_about_pairing:
            ask_again(screen)
        screen.press("y")
        headphone.wait_for("paired")
        screen.wait_for(READY)

        # A link, and a setting.
        restart(has_link=True)
        screen.wait_for(READY)
        screen.press("3")
        restart(has_link=True)
        screen.wait_for(READY)
        screen.press("1")
        headphone.wait_for("anc written", value="00")
        screen.wait_for(READY, "▐1")

        begin_install(screen, home)
        screen.wait_for("sending")
        restart(has_link=True)
        screen.wait_for("1.1.0 is installed.")
        runs_new(headphone, code)
        screen.press("Escape")

        # Nothing happens.
        screen.wait_for(READY)
        screen.press("c")
        screen.wait_for(lambda text: READY not in text)
        restart()
        screen.press("c")
        screen.wait_for(READY)
        screen.press("q")
        screen.wait_for("ended with 0")


def case_bluetoothd_is_terminated_at_each_step_up_to_an_update(rig):
    each_step(rig, Terminated)


def case_bluetoothd_is_killed_at_each_step_up_to_an_update(rig):
    each_step(rig, Killed)


def case_the_system_bus_dies_at_each_step(rig):
    each_step(rig, SystemBus)


def case_PulseAudio_is_killed_at_each_step(rig):
    each_step(rig, PulseAudioSound)


def case_PipeWire_and_the_session_bus_are_killed_at_each_step(rig):
    each_step(rig, PipeWireSound)


def music(rig, make):
    """While it plays."""
    with Stock(rig, encrypted=True) as machine, make(rig, unprivileged=True) as server:
        headphone = machine.headphone
        server.play()
        pair(rig)
        headphone.wait_for("audio paired")
        screen = rig.screen("--device", NAME, columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        screen.press("o")
        screen.wait_for(READY, BOTH)
        headphone.wait_for("music", 2)
        server.stop_playing()
        server.end(signal.SIGKILL)
        screen.wait_for(READY, lambda text: BOTH not in text)
        screen.press("3")
        headphone.wait_for("anc written", value="02")
        server.start()
        # The headphone takes its endpoint for used until its link ends: nobody said goodbye.
        headphone.drop_sound()
        headphone.wait_for("audio disconnected")
        headphone.allow_sound()
        server.play()
        before = len(headphone.seen("music"))
        screen.press("o")
        headphone.wait_for("music", before + 2)
        screen.wait_for(READY, BOTH)


def case_PulseAudio_is_killed_while_music_plays(rig):
    music(rig, PulseAudio)


def case_PipeWire_is_killed_while_music_plays(rig):
    music(rig, PipeWire)


class HungBluetoothd:
    silent = "bluetoothd does not answer"
    finds = True
    """Whether scanning and pairing go through it."""

    def __init__(self, rig, machine):
        self.daemon = machine.desktop.daemon

    def signal(self, by):
        self.daemon.send_signal(by)


class HungPulseAudio:
    silent = "sound server does not answer"
    finds = False

    def __init__(self, rig, machine):
        server = PulseAudio(rig, unprivileged=True)
        server.start()
        with open(f"{server.environment['XDG_RUNTIME_DIR']}/pulse/pid") as file:
            self.process = int(file.read())

    def signal(self, by):
        os.kill(self.process, by)


class HungPipeWire(HungPulseAudio):
    def __init__(self, rig, machine):
        server = PipeWire(rig, unprivileged=True)
        server.start()
        (self.process,) = (part.pid for part in server.processes if "pipewire-pulse" in part.args)


def hangs_at_each_step(rig, make):
    """The seconds of each step are those until the screen has said so, or has gone on without it."""
    code, trusting = make_image(rig, unprivileged=True)
    home = rig.earshot.runner(unprivileged=True)["cwd"]
    with Stock(rig, encrypted=True, **trusting) as machine:
        headphone, service = machine.headphone, make(rig, machine)
        took = []

        @contextlib.contextmanager
        def hung(step):
            service.signal(signal.SIGSTOP)
            began = time.monotonic()
            try:
                yield
                took.append(f"{step} {time.monotonic() - began:.1f}")
            finally:
                service.signal(signal.SIGCONT)

        def is_shown(text):
            """Above the events, which keep what was shown before."""
            return service.silent in text.split("─ EVENTS")[0].lower()

        headphone.switch_off()
        with hung("start"):
            screen = rig.screen("--key", f"{home}/maker.pub", columns=120, rows=40, unprivileged=True)
            screen.wait_for(is_shown)
        screen.wait_for("scanning", lambda text: not is_shown(text))
        with hung("scan"):
            screen.press("s")
            screen.wait_for(lambda text: "scanning" not in text)
            screen.press("s")
            screen.wait_for(lambda text: is_shown(text) if service.finds else "scanning" in text)
        screen.wait_for("scanning")

        headphone.switch_on_again()
        screen.wait_for("PAIRING")
        with hung("pairing"):
            screen.press("y")
            screen.wait_for(lambda text: is_shown(text) if service.finds else READY in text)
        if service.finds:
            # The key is the answer, too.
            screen.press("Escape", "p")
        headphone.wait_for("paired")
        screen.wait_for(READY)

        with hung("link"):
            screen.press("c")
            screen.wait_for(lambda text: READY not in text)
            screen.press("c")
            screen.wait_for(READY)
        with hung("setting"):
            screen.press("3")
            headphone.wait_for("anc written", value="02")
            screen.wait_for("▐3")
        with hung("update"):
            begin_install(screen, home)
            screen.wait_for("1.1.0 is installed.")
        runs_new(headphone, code)
        screen.press("Escape")
        screen.wait_for(READY)
        with hung("idle"):
            headphone.change(battery=[20, 30, 40])
            screen.wait_for("20%", "30%", "40%")
        with hung("end"):
            screen.press("q")
            screen.wait_for("ended with 0")
        rig.note(f"seconds: {', '.join(took)}")


@slow
def case_a_bluetoothd_that_hangs_at_each_step(rig):
    hangs_at_each_step(rig, HungBluetoothd)


def case_a_PulseAudio_that_hangs_at_each_step(rig):
    hangs_at_each_step(rig, HungPulseAudio)


def case_a_PipeWire_that_hangs_at_each_step(rig):
    hangs_at_each_step(rig, HungPipeWire)


@slow
def case_a_bluetoothd_that_hangs_ends_every_wait_in_words(rig):
    silent = "bluetoothd does not answer"
    with Stock(rig, encrypted=True) as machine:
        pair(rig)
        took = {}

        def run(*arguments):
            began = time.monotonic()
            result = rig.earshot(*arguments, unprivileged=True)
            took[arguments[0]] = time.monotonic() - began
            return result

        machine.desktop.daemon.send_signal(signal.SIGSTOP)
        try:
            doctor = run("doctor", "--json")
            findings = {finding["check"]: finding for finding in doctor.json["findings"]}
            finding = findings["bluetoothd"]
            expect(
                finding["state"] != "ok" and "does not answer" in finding["what"], f"praised: {finding}")
            expect(doctor.status != 0, f"the doctor is content: {doctor}")
            scan = run("scan", "--timeout", "5")
            expect(scan.status in (1, 3) and silent in scan.messages, f"a scan in vain: {scan}")
            for arguments in ("status",), ("pair", NAME, "--yes"):
                result = run(*arguments)
                expect(
                    result.status == 0 or result.messages.strip(), f"ended without a word: {result}")
            forgotten = run("forget", NAME, "--yes")
            expect(
                forgotten.status == 3 and silent in forgotten.messages
                and "bluetoothctl remove" in forgotten.messages, f"kept in silence: {forgotten}")
            screen = rig.screen(columns=120, rows=40, unprivileged=True)
            screen.wait_for(silent)
            began = time.monotonic()
            screen.press("q")
            screen.wait_for("ended with 0")
            took["q"] = time.monotonic() - began
        finally:
            machine.desktop.daemon.send_signal(signal.SIGCONT)
        with open(f"{rig.folder}/hanging.txt", "w") as log:
            log.writelines(f"{name}: {seconds:.1f} s\n" for name, seconds in took.items())
