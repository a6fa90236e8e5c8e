"""bluetoothd on a bus of its own, as it runs beside Earshot on every desktop."""

import contextlib
import glob
import os
import shutil
import signal
import subprocess
import threading

from .failure import TIMEOUT, Failure

STORE = "/var/lib/bluetooth"
PLACES = ("/run/shared", "/usr/libexec/bluetooth", "/usr/lib/bluetooth", "/usr/sbin")
"""The first is that of `run --bluetoothd`."""
READY = "management interface"
ISOCHRONOUS_SOCKETS = "6fbaf188-05e0-496a-9885-d6ddfdb4e03e"
"""The kernel's experimental feature that LE Audio needs; any other bluetoothd switches it off."""


def bluetoothd():
    return shutil.which("bluetoothd", path=os.pathsep.join(PLACES))


def version():
    """Of bluetoothd, as (5, 66)."""
    said = subprocess.run([bluetoothd(), "--version"], capture_output=True, text=True, check=True)
    return tuple(int(part) for part in said.stdout.split("."))


class Desktop:
    def __init__(self, folder, experimental=False, le_audio=False):
        """`experimental`: bluetoothd offers what Debian's does not yet, such as battery providers;
        `le_audio`: and LE Audio, by the same two lines as in its file of settings.
        """
        self.folder = folder
        self.options = ["-n"]
        if experimental or le_audio:
            self.options.append("--experimental")
        if le_audio:
            self.options.append(f"--kernel={ISOCHRONOUS_SOCKETS}")
        os.makedirs("/run/dbus", exist_ok=True)
        self.log = os.path.join(folder, "bluetoothd.txt")
        self.start_bus()

    def start_bus(self):
        """The system bus, and bluetoothd on it."""
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--system", "--nofork", "--nopidfile", "--print-address"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.bus.stdout.readline()
        self.start_bluetoothd()

    def end_bus(self, by=signal.SIGKILL):
        """The system bus; bluetoothd ends with it by itself."""
        self.bus.send_signal(by)
        self.bus.wait(TIMEOUT)
        self.daemon.wait(TIMEOUT)
        self.reader.join()

    def start_bluetoothd(self):
        self.daemon = subprocess.Popen(
            [bluetoothd(), *self.options],
            stderr=subprocess.PIPE,
            text=True,
        )
        self.is_ready = threading.Event()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        if not self.is_ready.wait(TIMEOUT):
            self.close()
            raise Failure(f"bluetoothd did not start; see {self.log}")

    def end_bluetoothd(self, by=signal.SIGTERM):
        self.daemon.send_signal(by)
        self.daemon.wait(TIMEOUT)
        self.reader.join()

    def read(self):
        with open(self.log, "a") as log:
            for line in self.daemon.stderr:
                log.write(line)
                if READY in line:
                    self.is_ready.set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.end_bluetoothd()
        self.bus.terminate()
        self.bus.wait(TIMEOUT)
        # A device that the next case's bluetoothd knows of would be in the way of the same address.
        for adapter in glob.glob(f"{STORE}/*"):
            shutil.rmtree(adapter, ignore_errors=True)

    @contextlib.contextmanager
    def agent(self):
        """bluetoothctl, as a person leaves it open; it says yes to whatever it is asked.

        Gives a function that returns what it has said so far.
        """
        process = subprocess.Popen(
            ["bluetoothctl", "--agent", "NoInputNoOutput"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        is_registered = threading.Event()
        said = ""

        def follow():
            nonlocal said
            with open(os.path.join(self.folder, "bluetoothctl.txt"), "w") as log:
                while character := process.stdout.read(1):
                    log.write(character)
                    said += character
                    if "Agent registered" in said:
                        is_registered.set()
                    if said.endswith("(yes/no): "):
                        process.stdin.write("yes\n")
                        process.stdin.flush()

        reader = threading.Thread(target=follow)
        reader.start()
        try:
            if not is_registered.wait(TIMEOUT):
                raise Failure("bluetoothctl registered no agent")
            process.stdin.write("default-agent\n")
            process.stdin.flush()
            yield lambda: said
        finally:
            process.terminate()
            process.wait(TIMEOUT)
            reader.join()
