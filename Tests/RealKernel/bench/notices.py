"""A desktop's notifications (org.freedesktop.Notifications 1.2) on a session bus: it tells what it shows."""

import json
import os
import signal
import subprocess
import sys
import time

from bench.failure import TIMEOUT, Failure

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


class Notices:
    """Those of the user of a sound server; `refuses`: each is answered with an error."""

    def __init__(self, server, refuses=False):
        self.shown = []
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "bench.notices", str(refuses)],
            cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
            env=server.environment,
            **server.user,
            stdout=subprocess.PIPE,
        )
        os.set_blocking(self.process.stdout.fileno(), False)
        self.heard = b""
        self.wait_for("ready")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def hang(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def wait_for(self, summary, body=""):
        """Waits until it shows one with this summary, and this in its body; those before it are skipped."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            while b"\n" in self.heard:
                line, self.heard = self.heard.split(b"\n", 1)
                self.shown.append(json.loads(line))
                if self.shown[-1][0] == summary and body in self.shown[-1][1]:
                    return
            if time.monotonic() > deadline:
                raise Failure(f"no notification {summary!r} with {body!r}: {self.shown}")
            time.sleep(0.05)
            self.heard += self.process.stdout.read() or b""


def serve(refuses):
    """The service's own process."""
    import dbus
    import dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib

    class Object(dbus.service.Object):
        @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
        def Notify(self, program, _replaces, icon, summary, body, _actions, _hints, _expires):
            tell(summary, body, program, icon)
            if refuses == "True":
                raise dbus.DBusException("no room", name="org.example.Refused")
            return 1

    def tell(*words):
        print(json.dumps(words), flush=True)

    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    owned = dbus.service.BusName(NAME, bus)
    service = Object(bus, PATH)
    tell("ready", "")
    GLib.MainLoop().run()
    del owned, service


if __name__ == "__main__":
    serve(*sys.argv[1:])
