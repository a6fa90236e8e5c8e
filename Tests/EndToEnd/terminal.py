"""A pseudo-terminal with a program in it, and the screen that the program draws."""

import codecs
import fcntl
import os
import pty
import queue
import select
import signal
import struct
import termios
import threading
import time

import pyte

# Generous: a bound on what a busy machine may take, never a pause.
TIMEOUT = 60.0


class Failure(AssertionError):
    """What was expected and the screen that came instead."""


class Emulator(pyte.Screen):
    """With the sequences that pyte lacks of those that curses writes."""

    last = " "

    def draw(self, data):
        self.last = data[-1:] or self.last
        super().draw(data)

    def insert_characters(self, count=None):
        """What is moved beyond the edge is gone; pyte keeps a cell of it there."""
        super().insert_characters(count)
        self.buffer[self.cursor.y].pop(self.columns, None)

    def repeat(self, count=1):
        """The character before, again (REP)."""
        self.draw(self.last * (count or 1))

    def tab_back(self, count=1):
        """To the tab stop before (CBT)."""
        for _ in range(count or 1):
            self.cursor.x = max((stop for stop in self.tabstops if stop < self.cursor.x), default=0)

    def scroll_up(self, count=1):
        self.scroll(self.index, (self.margins or (0, self.lines - 1))[1], count)

    def scroll_down(self, count=1):
        self.scroll(self.reverse_index, (self.margins or (0, 0))[0], count)

    def scroll(self, step, row, count):
        """From its last row on, a step moves the whole region instead of the cursor."""
        column, line = self.cursor.x, self.cursor.y
        self.cursor.y = row
        for _ in range(count or 1):
            step()
        self.cursor.x, self.cursor.y = column, line


class Stream(pyte.Stream):
    csi = {**pyte.Stream.csi, "S": "scroll_up", "T": "scroll_down", "b": "repeat", "Z": "tab_back"}
    events = pyte.Stream.events | {"scroll_up", "scroll_down", "repeat", "tab_back"}


class Terminal:
    """Runs `command` in a terminal of `columns` x `rows`; every wait ends on output, not on time.

    As a real one it takes what the program writes at once, whoever looks: a program whose terminal
    is full stands still.
    """

    def __init__(self, command, columns=80, rows=24, environment=None):
        self.screen = Emulator(columns, rows)
        self.stream = Stream(self.screen)
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.raw = b""
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            # The emulator knows every sequence of screen's, and not all of xterm's.
            variables = {**os.environ, "TERM": "screen-256color", "LC_ALL": "C.UTF-8"}
            variables.update(environment or {})
            # The size must stand before the program asks for it.
            set_size(0, columns, rows)
            os.execvpe(command[0], command, variables)
        set_size(self.fd, columns, rows)
        self.written = queue.SimpleQueue()
        self.leaving, self.leave = os.pipe()
        self.start_reading()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            try:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        self.hang_up()

    def start_reading(self):
        self.reader = threading.Thread(target=self.collect, daemon=True)
        self.reader.start()

    def stall(self):
        """Takes nothing more that the program writes, as a stalled connection, until `go_on`."""
        os.write(self.leave, b"!")
        self.reader.join()

    def go_on(self):
        os.read(self.leaving, 1)
        self.start_reading()

    def collect(self):
        """Takes what the program writes until it ends, or the terminal stalls or hangs up."""
        while True:
            ready, _, _ = select.select([self.fd, self.leaving], [], [])
            if self.leaving in ready:
                return
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            self.written.put(data)
            if not data:
                return

    def hang_up(self):
        """Closes the terminal, as its window would."""
        if self.fd is None:
            return
        os.write(self.leave, b"!")
        self.reader.join()
        for descriptor in (self.fd, self.leaving, self.leave):
            os.close(descriptor)
        self.fd = None

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def send(self, keys):
        os.write(self.fd, keys.encode() if isinstance(keys, str) else keys)

    def answer(self, key):
        """Answers the question of a pairing, which takes no key in its first half second."""
        time.sleep(0.6)
        self.send(key)

    def signal(self, number):
        os.kill(self.pid, number)

    def resize(self, columns, rows):
        # First the emulator: what the program then draws is for the new size.
        self.screen.resize(rows, columns)
        set_size(self.fd, columns, rows)

    def read(self, deadline):
        """Draws what the program wrote; False when it has closed the terminal."""
        try:
            data = self.written.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError from None
        if not data:
            # Whoever asks again sees the end, too.
            self.written.put(data)
            return False
        self.raw += data
        self.stream.feed(self.decoder.decode(data))
        return True

    def expect(self, what, predicate=None):
        """Waits until the screen shows `what`, or until `predicate(text)` is true."""
        predicate = predicate or (lambda text: what in text)
        deadline = time.monotonic() + TIMEOUT
        while not predicate(self.text()):
            try:
                alive = self.read(deadline)
            except TimeoutError:
                raise Failure(f"never saw: {what}\n{self.text()}") from None
            if not alive:
                if predicate(self.text()):
                    return
                raise Failure(f"ended before: {what}\n{self.text()}")

    def expect_raw(self, what, count=1):
        """Waits until the bytes `what` were written `count` times."""
        deadline = time.monotonic() + TIMEOUT
        while self.raw.count(what) < count:
            try:
                if not self.read(deadline):
                    break
            except TimeoutError:
                break
        if self.raw.count(what) < count:
            raise Failure(f"never wrote: {what!r}\n{self.text()}")

    def end(self, timeout=TIMEOUT):
        """Waits for the end of the program; its exit status, negative for a signal."""
        deadline = time.monotonic() + timeout
        try:
            while self.read(deadline):
                pass
        except TimeoutError:
            raise Failure(f"did not end\n{self.text()}") from None
        _, status = os.waitpid(self.pid, 0)
        self.status = os.waitstatus_to_exitcode(status)
        return self.status


def set_size(descriptor, columns, rows):
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
