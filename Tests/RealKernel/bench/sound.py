"""Real sound servers with their Bluetooth modules, and bluetoothd that they work with."""

import contextlib
import glob
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time

from . import music
from .desktop import STORE, Desktop
from .failure import TIMEOUT, Failure

SPEAKERS = "speakers"
KEY = "0F1E2D3C4B5A69788796A5B4C3D2E1F0"
ADAPTER = "F0:F1:F2:F3:F4:01"
MUSIC_SERVICE = "0000110b-0000-1000-8000-00805f9b34fb"
BUTTONS_SERVICE = "0000110e-0000-1000-8000-00805f9b34fb"
HANDS_FREE_SERVICE = "0000111e-0000-1000-8000-00805f9b34fb"
HEARING = 0.1  # s
UNFINISHED = ("InProgress", "le-connection-abort-by-local")
"""Errors of `Connect` after which a person presses the button again: another attempt is under way, or has timed out, and
bluetoothd's own over LE after it, too."""
SERVICE_DISCOVERY, MUSIC = 0x0001, 0x0019
"""L2CAP channels: that which every BR/EDR device has, and AVDTP's."""
SOL_BLUETOOTH, BT_SECURITY, BT_SECURITY_MEDIUM = 274, 4, 2
KNOWN_DEVICE = """[General]
Name={name}
Class=0x240418
SupportedTechnologies=BR/EDR;LE;
AddressType=public
Trusted=true
Blocked=false
{services}
[LinkKey]
Key={key}
Type=4
PINLength=0
"""


class Machine:
    """A desktop with bluetoothd and one headphone."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.desktop.close()

    @property
    def address(self):
        return self.headphone.address[:17]

    @property
    def path(self):
        """bluetoothd's object of the headphone."""
        return f"/org/bluez/{self.rig.adapter.name}/dev_{self.address.replace(':', '_')}"

    def device(self, method, *arguments):
        """Whether bluetoothd did it; False while it is at it by itself, or if that attempt of its failed."""
        done = subprocess.run(
            ["dbus-send", "--system", "--print-reply", f"--reply-timeout={int(TIMEOUT * 1000)}",
             "--dest=org.bluez", self.path, f"org.bluez.Device1.{method}", *arguments],
            capture_output=True,
            text=True,
        )  # fmt: skip
        if done.returncode and not any(error in done.stderr for error in UNFINISHED):
            raise Failure(f"bluetoothd's {method}: {done.stderr.strip()}")
        return not done.returncode

    def remove(self):
        """As a person does in the desktop's Bluetooth settings."""
        subprocess.run(
            ["dbus-send", "--system", "--print-reply", "--dest=org.bluez",
             self.path.rsplit("/", 1)[0], "org.bluez.Adapter1.RemoveDevice",
             f"objpath:{self.path}"],
            check=True,
            capture_output=True,
        )  # fmt: skip

    def charge(self):
        """What bluetoothd tells the desktop: the charge in % and its source; None: nothing."""
        done = subprocess.run(
            ["dbus-send", "--system", "--print-reply", "--dest=org.bluez", self.path,
             "org.freedesktop.DBus.Properties.GetAll", "string:org.bluez.Battery1"],
            capture_output=True,
            text=True,
        )  # fmt: skip
        percent = re.search(r'"Percentage"\s+variant\s+byte (\d+)', done.stdout)
        source = re.search(r'"Source"\s+variant\s+string "(.*)"', done.stdout)
        return (int(percent[1]), source[1] if source else None) if percent else None


class Stock(Machine):
    """A desktop as it comes: bluetoothd runs, and knows no headphone."""

    def __init__(self, rig, is_secure=False, experimental=False, extended=False, **options):
        self.rig = rig
        rig.adapter.unplug()
        rig.adapter.plug(extended=extended, dual_mode=True, is_secure=is_secure)
        self.headphone = rig.headphone(
            **{"address": "F0:F1:F2:F3:F4:F5/P", "sound": True, **options}
        )
        self.store = os.path.join(STORE, ADAPTER)
        self.desktop = Desktop(rig.folder, experimental)

    def keys(self):
        """The sections of bluetoothd's file of the headphone: which keys it keeps."""
        with open(os.path.join(self.store, self.address, "info")) as info:
            return {line.strip("[]\n") for line in info if line.startswith("[")}


class DualMode(Machine):
    """A desktop with bluetoothd and a headphone that is known there, both links down.

    The headphone's audio side was paired long ago: its key is in bluetoothd's store and in the
    headphone's own.
    """

    def __init__(self, rig, **options):
        rig.adapter.unplug()
        rig.adapter.plug(dual_mode=True)
        self.rig = rig
        self.headphone = rig.headphone(address="F0:F1:F2:F3:F4:F5/P", sound=True, **options)
        # Some servers connect what they know as soon as they hear of it; each case says when.
        self.headphone.drop_sound()
        self.headphone.know(KEY)
        self.services = [MUSIC_SERVICE, HANDS_FREE_SERVICE]
        if options.get("buttons"):
            self.services.append(BUTTONS_SERVICE)
        if "volume" in options:
            # The record says whether it has one: bluetoothd reads it where it knows no service.
            self.services = []
        self.store = os.path.join(STORE, ADAPTER)
        self.remember()
        self.desktop = Desktop(rig.folder)

    def remember(self):
        folder = os.path.join(self.store, self.address)
        os.makedirs(folder, exist_ok=True)
        services = f"Services={';'.join(self.services)};\n" if self.services else ""
        with open(os.path.join(folder, "info"), "w") as info:
            info.write(KNOWN_DEVICE.format(name=self.headphone.name, services=services, key=KEY))

    def connect_sound(self):
        """As a person does in the desktop's Bluetooth settings."""
        before = len(self.headphone.seen("audio connected"))
        self.headphone.allow_sound()
        # What a sound server began before that fails when its page times out.
        while not self.device("Connect") and len(self.headphone.seen("audio connected")) == before:
            pass


@contextlib.contextmanager
def hold_link(address, is_encrypted=False):
    """Some program's own BR/EDR channel, which keeps the link up whatever the sound does.

    `is_encrypted`: that of music, as sound servers open it; for a service's discovery nobody has keys.
    """
    held = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_SEQPACKET, socket.BTPROTO_L2CAP)
    held.settimeout(TIMEOUT)
    if is_encrypted:
        held.setsockopt(SOL_BLUETOOTH, BT_SECURITY, struct.pack("BB", BT_SECURITY_MEDIUM, 0))
    held.connect((address, MUSIC if is_encrypted else SERVICE_DISCOVERY))
    try:
        yield
    finally:
        held.close()


class SoundServer:
    """Common to both: what is asked with pactl, and waiting for what the server tells."""

    PLUGIN = ()
    """Where its Bluetooth plug-in may be, as patterns."""
    MICROPHONE = ()
    """The module of a microphone beside the headphone's, and its arguments."""

    def __init__(self, rig, unprivileged=False):
        """`unprivileged`: the server of a user without any capability."""
        if not any(glob.glob(pattern) for pattern in self.PLUGIN):
            name = type(self).__name__
            raise Failure(f"{name} has no Bluetooth here; scripts/prepare test installs it")
        self.runner = rig.earshot.runner(unprivileged)
        self.environment = self.runner["env"]
        self.user = {key: self.runner[key] for key in self.runner if key not in ("env", "cwd")}
        self.folder = rig.folder
        self.playing = []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop_playing()
        self.end()

    def pactl(self, *arguments):
        done = subprocess.run(
            ["pactl", *arguments],
            env=self.environment,
            **self.user,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )
        if done.returncode:
            raise Failure(f"pactl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def names(self, kind):
        return [line.split("\t")[1] for line in self.pactl("list", "short", kind).splitlines()]

    def bluetooth_sink(self):
        return next((name for name in self.names("sinks") if name.startswith("bluez")), None)

    def volume(self, sink):
        """%, of the loudest channel."""
        found = re.findall(r"(\d+)%", self.pactl("get-sink-volume", sink))
        return max(map(int, found), default=None)

    def wait_for_volume(self, sink, percent):
        self.wait_for(f"volume of {percent} %", lambda: self.volume(sink) == percent)

    def bluetooth_source(self):
        """The headphone's microphone."""
        return next(
            (
                name
                for name in self.names("sources")
                if name.startswith("bluez") and not name.endswith(".monitor")
            ),
            None,
        )

    def where_is_recorded(self):
        """The name of the source; None: nothing records."""
        streams = self.pactl("list", "short", "source-outputs").splitlines()
        index = streams[0].split("\t")[1] if streams else None
        sources = [line.split("\t") for line in self.pactl("list", "short", "sources").splitlines()]
        return next((source[1] for source in sources if source[0] == index), None)

    def record(self, program, source):
        """A program that has a microphone open, until the server ends."""
        self.playing.append(
            subprocess.Popen(
                ["parec", "--raw", f"--client-name={program}", f"--device={source}", "/dev/null"],
                env=self.environment,
                **self.user,
                stderr=subprocess.DEVNULL,
            )
        )
        self.wait_for("recording", lambda: self.where_is_recorded() == source)

    def where_music_plays(self):
        """The name of the sink; None: it does not play yet."""
        streams = self.pactl("list", "short", "sink-inputs").splitlines()
        index = streams[0].split("\t")[1] if streams else None
        sinks = [line.split("\t") for line in self.pactl("list", "short", "sinks").splitlines()]
        return next((sink[1] for sink in sinks if sink[0] == index), None)

    def wait_for(self, what, reached):
        """Waits, from one of the server's events to the next, until `reached` gives something."""
        events = subprocess.Popen(
            ["pactl", "subscribe"],
            env=self.environment,
            **self.user,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + TIMEOUT
        try:
            # It hears from when it tells of a client that came for that alone.
            while not select.select([events.stdout], [], [], HEARING)[0]:
                self.pactl("info")
            while not (found := reached()):
                if time.monotonic() > deadline:
                    raise Failure(f"the sound server has no {what}: {self.pactl('list', 'short')}")
                if not self.has_news(events):
                    raise Failure(f"the sound server ended before it had {what}")
            return found
        finally:
            events.kill()
            events.wait()

    @staticmethod
    def has_news(events):
        """Waits for an event, a second at most; False: the server has ended.

        Events of clients do not count: each run of pactl is a client.
        """
        deadline = time.monotonic() + 1
        while select.select([events.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
            said = os.read(events.stdout.fileno(), 65536)
            if not said:
                return False
            if any(b" on client " not in line for line in said.splitlines()):
                break
        return True

    def add_microphone(self):
        """A microphone of this machine, without sound; its name."""
        self.pactl("load-module", *self.MICROPHONE)
        self.wait_for("microphone", lambda: "desk" in self.names("sources"))
        return "desk"

    def play(self, period=None):
        """Music, until the server ends: silence, or a period of samples over and over."""
        command = ["pacat", "--raw", "--client-name=music"]
        player = subprocess.Popen(
            command + ([f"--rate={music.RATE}"] if period else ["/dev/zero"]),
            env=self.environment,
            **self.user,
            stdin=subprocess.PIPE if period else None,
            stderr=subprocess.DEVNULL,
        )
        self.playing.append(player)
        if period:
            threading.Thread(target=self.feed, args=(player, period), daemon=True).start()
        self.wait_for("music", self.where_music_plays)

    @staticmethod
    def feed(player, period):
        with contextlib.suppress(BrokenPipeError):
            while True:
                player.stdin.write(period)

    def stop_playing(self):
        for player in self.playing:
            player.kill()
            player.wait()
        self.playing = []


class PulseAudio(SoundServer):
    MICROPHONE = ("module-null-source", "source_name=desk",
                  "description=Desk")  # fmt: skip
    PLUGIN = (
        "/usr/lib/pulse-*/modules/module-bluez5-device.so",
        "/usr/lib/*/pulse-*/modules/module-bluez5-device.so",
    )
    MODULES = (
        "module-native-protocol-unix",
        f"module-null-sink sink_name={SPEAKERS} sink_properties=device.description=Speakers",
        "module-bluetooth-policy",
        "module-bluetooth-discover headset=native",
    )

    @property
    def log(self):
        return f"{self.environment['HOME']}/pulseaudio.txt"

    def start(self):
        """The command returns when the server listens."""
        loads = [part for module in self.MODULES for part in ("-L", module)]
        done = subprocess.run(
            ["pulseaudio", "-n", "--daemonize", "--exit-idle-time=-1", "-v",
             f"--log-target=file:{self.log}", *loads],
            env=self.environment,
            **self.user,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
        )  # fmt: skip
        if done.returncode:
            raise Failure(f"PulseAudio did not start: {done.stderr.strip()}")

    def __exit__(self, *_):
        super().__exit__()
        # A user's server may not write there.
        shutil.copy(self.log, self.folder)

    def end(self, by=signal.SIGTERM):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            with open(f"{self.environment['XDG_RUNTIME_DIR']}/pulse/pid") as file:
                process = int(file.read())
            watch = os.pidfd_open(process)
            signal.pidfd_send_signal(watch, by)
            select.select([watch], [], [], TIMEOUT)
            os.close(watch)


class PipeWire(SoundServer):
    """PipeWire with WirePlumber and its pulse server, each given its socket as systemd does."""

    PLUGIN = ("/usr/lib/*/spa-0.2/bluez5/libspa-bluez5.so",)
    MICROPHONE = ("module-null-sink", "media.class=Audio/Source/Virtual", "sink_name=desk",
                  "sink_properties=device.description=Desk")  # fmt: skip
    WITHOUT_LOGIND = {
        # Until WirePlumber 0.4 and from 0.5 on.
        "bluetooth.lua.d/51-without-logind.lua": 'bluez_monitor.properties["with-logind"] = false\n',
        "wireplumber.conf.d/51-without-logind.conf":
            "wireplumber.profiles = { main = { monitor.bluez.seat-monitoring = disabled } }\n",
    }  # fmt: skip

    def __init__(self, rig, **options):
        super().__init__(rig, **options)
        self.processes = []
        runtime = self.environment["XDG_RUNTIME_DIR"]
        self.bus = f"{runtime}/bus"
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={self.bus}"
        self.sockets = {
            "pipewire": f"{runtime}/pipewire-0",
            "pipewire-pulse": f"{runtime}/pulse/native",
        }

    def start(self):
        # There is no seat in the guest that a user could have.
        for name, text in self.WITHOUT_LOGIND.items():
            path = f"{self.environment['XDG_CONFIG_HOME']}/wireplumber/{name}"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as rule:
                rule.write(text)
        for folder, _, _ in os.walk(self.environment["XDG_CONFIG_HOME"]):
            os.chown(folder, self.user.get("user", 0), self.user.get("user", 0))
        bus = self.run("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=3",
                       f"--address=unix:path={self.bus}", tell=True)  # fmt: skip
        bus.readline()
        for name, path in self.sockets.items():
            self.run(name, listening=path)
        self.start_session_manager()
        self.pactl("load-module", "module-null-sink", f"sink_name={SPEAKERS}",
                   "sink_properties=device.description=Speakers")  # fmt: skip
        # Before WirePlumber knows the sink it refuses what would play.
        self.wait_for("default", lambda: self.pactl("get-default-sink").strip() == SPEAKERS)

    def run(self, *command, listening=None, tell=False):
        """Starts a part of it; what it tells on descriptor 3, if wanted."""
        passed, heard = None, None
        environment = self.environment
        if listening:
            os.makedirs(os.path.dirname(listening), exist_ok=True)
            server = socket.socket(socket.AF_UNIX)
            server.bind(listening)
            os.chmod(listening, 0o666)
            os.chown(os.path.dirname(listening), self.user.get("user", 0), -1)
            server.listen()
            passed = server.detach()
            environment = {**environment, "LISTEN_FDS": "1"}
        elif tell:
            end, passed = os.pipe()
            heard = os.fdopen(end)
        # Descriptor 3 is where systemd puts a socket; LISTEN_PID must be the program's own.
        script = 'export LISTEN_PID=$$; exec "$@"'
        if passed is not None:
            script = f"exec 3<&{passed}; " + script
        with open(f"{self.folder}/{command[0]}.txt", "a") as log:
            self.processes.append(
                subprocess.Popen(
                    ["bash", "-c", script, "sh", *command],
                    env=environment,
                    **self.user,
                    pass_fds=[] if passed is None else [passed],
                    stdout=log,
                    stderr=log,
                )
            )
        if passed is not None:
            os.close(passed)
        return heard

    def start_session_manager(self):
        """WirePlumber, again whenever a signal ends it, as its unit's `Restart=on-failure` has it.

        0.5.8 aborts now and then when bluetoothd is killed (docs/records/reliability.md).
        """
        self.run("wireplumber")
        self.session_manager = self.processes[-1]

        def follow(process):
            if process.wait() < 0 and process in self.processes:
                self.processes.remove(process)
                self.start_session_manager()

        threading.Thread(target=follow, args=(self.session_manager,), daemon=True).start()

    def end(self, by=signal.SIGTERM):
        processes, self.processes = self.processes, []
        for process in reversed(processes):
            process.send_signal(by)
            process.wait(TIMEOUT)
        for path in self.sockets.values():
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
