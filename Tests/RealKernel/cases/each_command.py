"""Each command ends when something it needs disappears; Earshot runs as nobody beside bluetoothd.

Each command runs once without it, and once more while it disappears. Both runs end in time, every failure
says why, and the next command works once it is back. If the second run fails with another status than the
first, the case notes that.
"""

import signal
import time

from bench.failure import TIMEOUT, expect
from bench.sound import PulseAudio, Stock

from . import slow
from .departures import Killed, Terminated
from .stock_desktop import NAME, pair

COMMANDS = (
    ("status",),
    ("battery",),
    ("anc", "transparency"),
    ("eq", "vocal"),
    ("setting",),
    ("inspect",),
    ("pair", "--yes"),
    ("scan", "--timeout", "3"),
    ("broadcasts", "--timeout", "3"),
    ("audio",),
    ("audio", "connect"),
    ("audio", "route", "speakers"),
    ("power",),
)
MOMENTS = (0.05, 0.2, 0.5, 1.2)
"""s after a command's start."""
LONGEST = 45
"""s: to find a headphone, to connect it and to work, after which nothing waits."""
STATUSES = range(7)
"""Those of Earshot's help."""
LINK_LOST = 5


class Switch:
    """The radio, as a person blocks it with rfkill."""

    def __init__(self, rig):
        self.adapter = rig.adapter

    def end(self):
        self.adapter.block()

    def start(self):
        self.adapter.unblock()
        self.adapter.power(True)


class Server:
    def __init__(self, server):
        self.server = server

    def end(self):
        self.server.end(signal.SIGKILL)

    def start(self):
        self.server.start()


class Owner:
    """The agent that holds the link; without one, each command makes a link."""

    def __init__(self, rig):
        self.rig = rig
        self.start()

    def end(self):
        self.agent.process.kill()
        self.agent.process.wait()

    def start(self):
        self.agent = self.rig.run("agent", "--device", NAME, unprivileged=True)
        self.rig.earshot("status", "--device", NAME, unprivileged=True).succeeded()


def words(command):
    """With the headphone's name, where the command takes one."""
    if command[0] == "pair":
        return ("pair", NAME, *command[1:])
    if command[0] in ("scan", "broadcasts", "power") or command[0] == "audio" and command[1:] != ("connect",):
        return command
    return (*command, "--device", NAME)


def run(rig, command, loss=None, moment=0.0):
    """The exit status, and what it said; `loss` is called `moment` s after its start."""
    began = time.monotonic()
    process = rig.earshot.start(*words(command), unprivileged=True)
    if loss:
        time.sleep(moment)
        loss()
    _, messages = process.communicate(timeout=TIMEOUT)
    took = time.monotonic() - began
    said = f"{' '.join(words(command))}: exit status {process.returncode} after {took:.1f} s, {messages.strip()!r}"
    with open(f"{rig.folder}/commands.txt", "a") as log:
        log.write(f"{moment:.2f} {said}\n")
    expect(took < LONGEST, f"ended late: {said}")
    expect(process.returncode in STATUSES, f"not a status of Earshot's: {said}")
    expect(process.returncode == 0 or messages.strip(), f"ended without a word: {said}")
    return process.returncode, said


def each_command(rig, shift, make):
    """Each command loses it once, at one of the moments: the next one at the next, from `shift` on."""
    with Stock(rig, encrypted=True) as machine, PulseAudio(rig, unprivileged=True) as server:
        server.play()
        pair(rig)
        machine.headphone.wait_for("audio paired")
        thing = make(rig, machine, server)
        for number, command in enumerate(COMMANDS, shift):
            thing.end()
            missing, _ = run(rig, command)
            thing.start()
            status, said = run(rig, command, thing.end, MOMENTS[number % len(MOMENTS)])
            thing.start()
            if status not in {0, missing, LINK_LOST}:
                rig.note(f"{missing} where it was missing from the start: {said}")
            rig.earshot("status", "--device", NAME, unprivileged=True).succeeded()


@slow
def case_each_command_ends_when_bluetoothd_is_terminated(rig):
    each_command(rig, 0, lambda rig, machine, _: Terminated(rig, machine))


@slow
def case_each_command_ends_when_bluetoothd_is_killed(rig):
    each_command(rig, 1, lambda rig, machine, _: Killed(rig, machine))


@slow
def case_each_command_ends_when_the_radio_is_blocked(rig):
    each_command(rig, 2, lambda rig, *_: Switch(rig))


@slow
def case_each_command_ends_when_the_sound_server_is_killed(rig):
    each_command(rig, 3, lambda _, __, server: Server(server))


@slow
def case_each_command_ends_when_the_owner_is_killed(rig):
    each_command(rig, 4, lambda rig, *_: Owner(rig))
