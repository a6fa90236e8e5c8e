"""Earshot's screen in tmux: what it shows, and keys for it."""

import contextlib
import os
import select
import shlex
import signal
import subprocess
import time

from .failure import TIMEOUT, Failure
from .process import children

PROGRAM_END = 15.0
"""s; more than the program takes to end when its terminal is closed."""


DIGITS = (
    (" _ ", "   ", " _ ", " _ ", "   ", " _ ", " _ ", " _ ", " _ ", " _ "),
    ("| |", "  |", " _|", " _|", "|_|", "|_ ", "|_ ", "  |", "|_|", "|_|"),
    ("|_|", "  |", "|_ ", " _|", "  |", " _|", "|_|", "  |", "|_|", " _|"),
)


def drawn(number):
    """The lines of the large digits that pairing shows six of."""
    rows = ([row[int(digit)] for digit in number] for row in DIGITS)
    return [(" ".join(row[:3]) + "   " + " ".join(row[3:])).strip() for row in rows]


class Screen:
    """Starts `earshot ARGUMENTS` in a tmux session of its own. Waits end on output, not on time."""

    def __init__(self, program, *arguments, columns=80, rows=24, unprivileged=False):
        """`unprivileged`: as a user without any capability."""
        self.program = program
        runner = program.runner(unprivileged)
        self.user = {key: runner[key] for key in runner if key not in ("env", "cwd")}
        home = runner["cwd"]
        program.screens += 1
        self.socket = os.path.join(home, f"tmux-{program.screens}")
        self.fifo = os.path.join(home, f"output-{program.screens}")
        os.mkfifo(self.fifo)
        os.chmod(self.fifo, 0o666)
        self.output = os.open(self.fifo, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        # The exit status stays on the screen, and the screen stays when the program has ended.
        run = f"{shlex.join([program.binary, *arguments])}; echo ended with $?; exec sleep infinity"
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
            f"exec 2>>{home}/screen-messages.txt; {run}",
            ";", "pipe-pane", "-o", f"cat >{self.fifo}",
            environment=runner["env"],
        )  # fmt: skip

    def tmux(self, *arguments, environment=None):
        done = subprocess.run(
            ["tmux", "-S", self.socket, *arguments],
            env=environment,
            **self.user,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        if done.returncode:
            raise Failure(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    @property
    def text(self):
        return self.tmux("capture-pane", "-p")

    def press(self, *keys):
        # A question of a pairing takes no key in its first half second.
        if "PAIRING" in self.text:
            time.sleep(0.6)
        self.tmux("send-keys", *keys)

    def wait_for(self, what, *others):
        """Waits until the screen shows all of these (or satisfies the functions among them).

        A text may also stand at the beginning of a sentence there.
        """
        wanted = (what, *others)
        deadline = time.monotonic() + TIMEOUT
        while True:
            self.drain()
            text = self.text
            missing = [
                part for part in wanted if not (
                    part(text) if callable(part)
                    else part in text or part[:1].upper() + part[1:] in text)
            ]
            if not missing:
                self.keep(text)
                return text
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.output], [], [], left)[0]:
                self.keep(text)
                names = [getattr(part, "__name__", repr(part)) for part in missing]
                raise Failure(f"the screen does not show {', '.join(names)}:\n{text}")

    def drain(self):
        try:
            while os.read(self.output, 65536):
                pass
        except BlockingIOError:
            pass

    def keep(self, text):
        self.program.pictures += 1
        path = f"{self.program.folder}/screen-{self.program.pictures}.txt"
        with open(path, "w") as picture:
            picture.write(text)

    @property
    def programs(self):
        """The identifiers of the program's processes, and of those that its shell has besides."""
        shells = self.tmux("list-panes", "-aF", "#{pane_pid}").split()
        return [pid for shell in shells for pid in children(shell)]

    def close(self):
        """Closes the terminal, and waits for the program: in the next case it would be another user of the adapter."""
        programs = []
        with contextlib.suppress(Failure):
            programs = [os.pidfd_open(pid) for pid in self.programs]
            self.tmux("kill-server")
        for program in programs:
            if not select.select([program], [], [], PROGRAM_END)[0]:
                signal.pidfd_send_signal(program, signal.SIGKILL)
            os.close(program)
        os.close(self.output)
