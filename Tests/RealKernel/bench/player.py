"""A media player on a session bus (MPRIS 2.2): it has on what it is told, and tells its orders."""

import json
import os
import select
import subprocess
import sys
import time

from bench.failure import TIMEOUT, Failure

PATH = "/org/mpris/MediaPlayer2"
PLAYER = "org.mpris.MediaPlayer2.Player"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Player:
    """A player of the user of a sound server; its process ends with the case."""

    def __init__(self, server, name, program="python3", name_on_bus=None):
        """`program`: the name of its process."""
        self.orders = []
        self.heard = b""
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "bench.player", program,
             name_on_bus or f"org.mpris.MediaPlayer2.{name}"],  # fmt: skip
            cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
            env=server.environment,
            **server.user,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.wait_for("ready")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def has_on(self, status, title, *artists):
        """`status`: "Playing", "Paused" or "Stopped"."""
        self.process.stdin.write(json.dumps([status, title, artists]) + "\n")

    def wait_for(self, order):
        deadline = time.monotonic() + TIMEOUT
        while True:
            while b"\n" in self.heard:
                line, self.heard = self.heard.split(b"\n", 1)
                said = line.decode()
                if said != "ready":
                    self.orders.append(said)
                if said == order:
                    return
            left = max(0, deadline - time.monotonic())
            # Several orders may have come at once, so nothing is buffered but here.
            if not select.select([self.process.stdout], [], [], left)[0]:
                break
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                break
            self.heard += data
        raise Failure(f"the media player was not given {order}")


def serve(program, name):
    """The player's own process."""
    with open("/proc/self/comm", "w") as comm:
        comm.write(program)
    import dbus
    import dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib

    class Object(dbus.service.Object):
        has = {"PlaybackStatus": "Stopped", "Metadata": dbus.Dictionary({}, signature="sv")}

        @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
        def GetAll(self, _interface):
            return self.has

        @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
        def Get(self, _interface, name):
            return self.has[name]

        @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
        def PropertiesChanged(self, interface, changed, invalidated):
            pass

        @dbus.service.method(PLAYER)
        def PlayPause(self):
            print("PlayPause", flush=True)

        def change(self, order, status):
            print(order, flush=True)
            self.has = {**self.has, "PlaybackStatus": status}
            self.PropertiesChanged(PLAYER, self.has, [])

        @dbus.service.method(PLAYER)
        def Play(self):
            self.change("Play", "Playing")

        @dbus.service.method(PLAYER)
        def Pause(self):
            self.change("Pause", "Paused")

        @dbus.service.method(PLAYER)
        def Stop(self):
            self.change("Stop", "Stopped")

        @dbus.service.method(PLAYER)
        def Next(self):
            print("Next", flush=True)

        @dbus.service.method(PLAYER)
        def Previous(self):
            print("Previous", flush=True)

    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    owned = dbus.service.BusName(name, bus)
    player = Object(bus, PATH)

    def take(channel, _condition):
        line = channel.readline()
        if not line:
            return False
        status, title, artists = json.loads(line)
        player.has = {
            "PlaybackStatus": status,
            "Metadata": dbus.Dictionary(
                {"xesam:title": title, "xesam:artist": dbus.Array(artists, signature="s")},
                signature="sv",
            ),
        }
        player.PropertiesChanged(PLAYER, player.has, [])
        return True

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, take)
    print("ready", flush=True)
    GLib.MainLoop().run()
    del owned


if __name__ == "__main__":
    serve(*sys.argv[1:])
