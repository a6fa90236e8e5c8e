"""A program on a terminal of its own, typed to and read from, with the time of what it said."""

import os
import pty
import re
import select
import subprocess
import termios
import time

from bench.failure import TIMEOUT, Failure

PAUSE = 0.2
"""s without a word, after which a program has said all that it was asked for."""


class Typed:
    def __init__(self, command, log, **options):
        """`log`: a file's path for all that it says."""
        self.name = os.path.basename(command[0])
        self.fd, terminal = pty.openpty()
        modes = termios.tcgetattr(terminal)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
        termios.tcsetwinsize(terminal, (40, 120))
        self.log = open(log, "ab")
        self.text = ""
        self.place = 0
        """What is before it has been waited for."""
        self.waited = 0.0
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            command,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
            **options,
        )
        os.close(terminal)

    @property
    def pid(self):
        return self.process.pid

    def say(self, line):
        """Types a line; the time of that."""
        return self.press(line + "\n")

    def press(self, keys):
        now = time.monotonic()
        os.write(self.fd, keys.encode())
        return now

    def read(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.fd], [], [], left)[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other end is closed
            data = b""
        if not data:
            raise Failure(f"{self.name} ended: {self.text[-600:]!r}")
        self.log.write(data)
        self.log.flush()
        self.text += data.decode(errors="replace")
        return True

    def wait_for(self, *patterns):
        """Waits until all of these are said, in whatever order; the time, and the last one's match.
        """
        deadline = time.monotonic() + TIMEOUT
        while True:
            found = [re.search(pattern, self.text[self.place :], re.S) for pattern in patterns]
            if all(found):
                self.place += max(match.end() for match in found)
                return time.monotonic(), found[-1]
            if not self.read(deadline):
                raise Failure(f"{self.name} did not say {patterns}: {self.text[-600:]!r}")

    def drain(self, seconds):
        """Reads what it says for so long."""
        deadline = time.monotonic() + seconds
        while self.read(deadline):
            pass

    def settle(self):
        """Reads until it has no more to say; that last wait is no time of its own."""
        while self.read(time.monotonic() + PAUSE):
            pass
        self.waited += PAUSE

    def close(self):
        """Ends it as its user does, or else by a signal."""
        deadline = time.monotonic() + TIMEOUT
        try:
            while self.read(deadline):
                pass
            self.process.terminate()
        except Failure:
            pass
        self.process.wait(TIMEOUT)
        os.close(self.fd)
        self.log.close()
