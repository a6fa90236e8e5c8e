"""The programs that are compared, each driven as its user does.

What all of them do: find the headphone, connect, read its noise control, equaliser, three charges
and five strings of device information, and subscribe to its events. Then they are told of a charge
by a notification, and write the noise control.
"""

import contextlib
import os
import re
import shutil
import subprocess

from bench.desktop import Desktop
from bench.failure import TIMEOUT
from bench.kernel import PairingAgent

from .client import ANC, EVENT, VALUES
from .typed import Typed

HERE = os.path.dirname(os.path.abspath(__file__))
SUBSCRIPTION = "2902"


def long(uuid):
    return f"0000{uuid}-0000-1000-8000-00805f9b34fb"


class Program:
    name = ""
    how = ""
    """A note for the table."""
    daemon = False
    """Whether bluetoothd runs."""
    finds = None
    """A command that scans, and prints a line with the headphone's name."""
    starts = ()
    """A command that does nothing but start."""
    is_window = False
    """It has no values of the headphone, and is only started and watched during a scan."""
    takes_adapter = False
    """It drives the controller itself."""
    is_unprivileged = False

    def __init__(self, rig):
        self.rig = rig
        self.folder = rig.folder
        self.process = None

    @contextlib.contextmanager
    def machine(self):
        """What runs besides."""
        if self.daemon:
            with Desktop(self.folder) as desktop:
                self.desktop = desktop
                yield
        else:
            yield

    def open(self, *command, **options):
        options = {**self.options, **options}
        return Typed(list(command), f"{self.folder}/typed.txt", **options)

    @property
    def options(self):
        """Of the process: its user, folder and environment."""
        return {"env": {**os.environ, "TERM": "dumb"}}

    def pids(self):
        """The program's processes, and the daemons'."""
        daemons = [self.desktop.daemon.pid, self.desktop.bus.pid] if self.daemon else []
        return [self.process.pid], daemons

    def pair(self, headphone):
        """Pairs; the link need not stay."""
        raise NotImplementedError

    def connect(self, headphone, phase):
        """Links and reads everything; returns when the values are there, with the time of that."""
        raise NotImplementedError

    def write(self, headphone):
        """Sets transparency; the time of the command."""
        raise NotImplementedError

    def hears(self):
        """Waits until it tells of an event of the headphone; the time of that."""
        raise NotImplementedError

    def end(self):
        """Ends the link and the process."""
        raise NotImplementedError


class Earshot(Program):
    name = "earshot"
    how = "raw sockets, with CAP_NET_ADMIN and CAP_NET_RAW"

    @property
    def binary(self):
        return self.rig.earshot.binary

    @property
    def starts(self):
        return (self.binary, "--version")

    @property
    def finds(self):
        return (self.binary, "scan", "--timeout", "40")

    @property
    def options(self):
        return self.rig.earshot.runner(self.is_unprivileged)

    def pair(self, headphone):
        self.rig.earshot(
            "pair", headphone.address, "--yes", unprivileged=self.is_unprivileged
        ).succeeded()

    def connect(self, headphone, phase):
        self.process = self.open(self.binary, "watch", "--device", headphone.address)
        return self.process.wait_for(r'"control":\{[^}]*"state":"ready"')[0]

    def write(self, headphone):
        """By a key on the screen, which takes over the link."""
        self.end()
        links = len(headphone.seen("connected"))
        headphone.wait_for("disconnected", links)
        self.process = self.open(self.binary, "--device", headphone.address)
        headphone.wait_for("connected", links + 1)
        self.process.drain(5)
        return self.process.press("3")

    def hears(self):
        return self.process.wait_for("42")[0]

    def end(self):
        self.process.press("q" if "\x1b" in self.process.text else "\x03")
        self.process.close()


class EarshotBeside(Earshot):
    name = "earshot beside bluetoothd"
    how = "raw sockets, as a user without any capability; bluetoothd scans"
    daemon = True
    is_unprivileged = True

    def pair(self, headphone):
        """bluetoothd keeps the link that was paired over."""
        super().pair(headphone)
        command = ["bluetoothctl", "disconnect", headphone.address]
        subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)


class Bluetoothctl(Program):
    name = "bluetoothctl"
    how = "on bluetoothd"
    daemon = True
    starts = ("bluetoothctl", "--version")
    finds = ("bluetoothctl", "--timeout", "40", "scan", "le")

    def open_shell(self, headphone):
        self.process = self.open("bluetoothctl", "--agent", "NoInputNoOutput")
        self.process.wait_for("Agent registered")
        self.process.say("scan le")
        self.process.wait_for(headphone.address)

    def pair(self, headphone):
        self.open_shell(headphone)
        self.process.say(f"pair {headphone.address}")
        self.process.wait_for("Pairing successful", "ServicesResolved: yes")
        self.address = headphone.address
        self.end()

    def connect(self, headphone, phase):
        self.address = headphone.address
        self.open_shell(headphone)
        self.process.say("scan off")
        self.process.say(f"connect {headphone.address}")
        self.process.wait_for("Connection successful", "ServicesResolved: yes")
        self.process.say("menu gatt")
        self.process.say(f"list-attributes {headphone.address}")
        self.process.settle()
        listed = re.findall(r"(/org/bluez/\S+/char[0-9a-f]{4})\s+(\S+)", self.process.text)
        self.paths = {}
        for path, uuid in dict.fromkeys(listed):
            self.paths.setdefault(uuid, []).append(path)
        for uuid in VALUES:
            for path in self.paths.get(long(uuid), []):
                self.select(path)
                self.process.say("read")
                self.process.wait_for(r"Attempting to read.*?\n\s+([0-9a-f]{2} )+ ")
        self.select(self.paths[long(EVENT)][0])
        self.process.say("notify on")
        return self.process.wait_for("Notify started")[0]

    def select(self, path):
        self.process.say(f"select-attribute {path}")
        self.process.wait_for(re.escape(path.rsplit("/", 2)[1]))

    def write(self, headphone):
        self.select(self.paths[long(ANC)][0])
        return self.process.say("write 0x02")

    def hears(self):
        return self.process.wait_for(r"Attribute \S+ Value:")[0]

    def end(self):
        self.process.say("back")
        self.process.say(f"disconnect {self.address}")
        self.process.wait_for("Successful disconnected")
        self.process.say("quit")
        self.process.close()


class BluemanManager(Program):
    """Its window on a display of its own, while `bluetoothctl` scans."""

    name = "blueman-manager"
    how = "on bluetoothd, in Python with GTK; its window on a virtual display"
    daemon = True
    is_window = True
    starts = ("blueman-manager", "--help")

    @property
    def finds(self):
        run = "blueman-manager & bluetoothctl --timeout 40 scan le"
        return ("xvfb-run", "-a", "dbus-run-session", "sh", "-c", run)

    def pids(self):
        """The window and its applet."""
        ours = subprocess.check_output(["pgrep", "-f", "bin/blueman"], text=True).split()
        return list(map(int, ours)), super().pids()[1]


class Gatttool(Program):
    """With UUIDs alone at first, and with the handles that it was told afterwards."""

    name = "gatttool"
    how = "raw sockets; cached: its user has written the handles down"
    starts = ("gatttool", "--help")
    finds = ("hcitool", "lescan")

    def open_shell(self, headphone, is_encrypted):
        encrypted = len(headphone.seen("encrypted"))
        self.process = self.open(
            "gatttool", "-i", self.rig.adapter.name, "-b", headphone.address, "-t", "random", "-I"
        )
        self.process.say("connect")
        self.process.wait_for("Connection successful")
        if is_encrypted:
            self.process.say("sec-level medium")
            headphone.wait_for("encrypted", encrypted + 1)

    def pair(self, headphone):
        agent = PairingAgent()
        self.handles = None
        self.open_shell(headphone, is_encrypted=True)
        headphone.wait_for("paired")
        self.find()
        self.end()
        agent.close()

    def find(self):
        """The handles, from UUIDs."""
        self.process.say("char-desc")
        self.process.settle()
        listed = re.findall(
            r"handle: (0x[0-9a-f]+), uuid: 0000([0-9a-f]{4})-", self.process.text
        )
        self.handles = {}
        for handle, uuid in dict.fromkeys(listed):
            self.handles.setdefault(uuid, []).append(handle)
        # The configuration of a characteristic stands behind its value.
        event = int(self.handles[EVENT][0], 16)
        self.subscription = min(
            (handle for handle in self.handles[SUBSCRIPTION] if int(handle, 16) > event),
            key=lambda handle: int(handle, 16),
        )

    def connect(self, headphone, phase):
        self.open_shell(headphone, phase == "bonded")
        if phase == "cold":
            self.find()
            for uuid in VALUES:
                self.process.say(f"char-read-uuid {uuid}")
                self.process.wait_for("value: [0-9a-f]{2}")
        else:
            for uuid in VALUES:
                for handle in self.handles[uuid]:
                    self.process.say(f"char-read-hnd {handle}")
                    self.process.wait_for("descriptor: [0-9a-f]{2}")
        self.process.say(f"char-write-req {self.subscription} 0100")
        return self.process.wait_for("written successfully")[0]

    def write(self, headphone):
        return self.process.say(f"char-write-req {self.handles[ANC][0]} 02")

    def hears(self):
        return self.process.wait_for("Notification handle = ")[0]

    def end(self):
        self.process.say("disconnect")
        self.process.say("exit")
        self.process.close()


class Client(Program):
    """A program in Python on a library (`client.py`), told what to do in a line each."""

    library = ""
    python = ""

    @property
    def starts(self):
        return (self.python, f"{HERE}/{self.library}_client.py", "start")

    @property
    def finds(self):
        return self.command("find")

    def command(self, *words):
        return (self.python, f"{HERE}/{self.library}_client.py", *words)

    def pair(self, headphone):
        self.process = self.open(*self.command("pair", headphone.address))
        self.process.wait_for("VALUES")
        self.end()

    def connect(self, headphone, phase):
        self.process = self.open(*self.command(phase, headphone.address))
        return self.process.wait_for("VALUES")[0]

    def write(self, headphone):
        return self.process.say("write")

    def hears(self):
        return self.process.wait_for("HEARD")[0]

    def end(self):
        self.process.say("quit")
        self.process.close()


class Bleak(Client):
    name = "bleak"
    how = "on bluetoothd, in Python"
    library = "bleak"
    daemon = True
    python = os.environ.get("BLEAK", "")

    def pair(self, headphone):
        """It leaves the questions to another program's agent."""
        with self.desktop.agent():
            super().pair(headphone)


class Bumble(Client):
    name = "Bumble's host"
    how = "the controller itself, in Python; it keeps no table of attributes"
    library = "bumble"
    takes_adapter = True
    python = os.environ.get("BUMBLE", "")

    def pids(self):
        return [self.process.pid], []

    @property
    def options(self):
        return {"env": {**os.environ, "TERM": "dumb", "KEYS": f"{self.folder}/keys.json"}}

    def command(self, *words):
        return super().command(*words, "--adapter", str(self.rig.adapter.index))


ALL = (Earshot, EarshotBeside, Bluetoothctl, Gatttool, Bleak, Bumble)
if shutil.which("blueman-manager") and shutil.which("xvfb-run"):
    ALL += (BluemanManager,)
