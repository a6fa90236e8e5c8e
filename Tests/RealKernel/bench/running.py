"""A command that goes on until the case ends, and what it says meanwhile."""

import json
import os
import select
import subprocess
import time

from .failure import TIMEOUT, Failure


class Running:
    """`earshot ARGUMENTS`, whose standard output and messages are kept in the case's folder."""

    def __init__(self, program, *arguments, unprivileged=False):
        self.command = " ".join(("earshot", *arguments))
        self.lines = []
        self.rest = b""
        program.runs += 1
        self.log = open(f"{program.folder}/run-{program.runs}.txt", "w")
        self.log.write(f"{self.command}\n")
        self.process = program.start(
            *arguments, unprivileged=unprivileged, stderr=subprocess.STDOUT, text=False
        )
        self.output = self.process.stdout.fileno()
        os.set_blocking(self.output, False)

    def wait_for(self, what, after=0):
        """The number of the first line, not before the `after`th, that has `what` in it, or that
        `what` says yes to: a function of its JSON, or of the text where it is none.
        """
        deadline = time.monotonic() + TIMEOUT
        seen = after
        while True:
            for number in range(seen, len(self.lines)):
                if self.fits(what, self.lines[number][1]):
                    return number
            seen = max(seen, len(self.lines))
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.output], [], [], left)[0]:
                name = getattr(what, "__name__", what)
                raise Failure(f"{self.command} did not say {name}; it said:\n{self.tail()}")
            self.read()

    @staticmethod
    def fits(what, line):
        if not callable(what):
            return what in line
        try:
            return what(json.loads(line))
        except ValueError:
            return False

    def read(self):
        data = os.read(self.output, 65536)
        if not data:
            raise Failure(f"{self.command} ended with {self.process.wait()}:\n{self.tail()}")
        at = time.monotonic()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.lines.append((at, line.decode(errors="replace")))
            self.log.write(f"{at:.3f} {self.lines[-1][1]}\n")

    def tail(self):
        return "\n".join(line for _, line in self.lines[-5:])

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()
