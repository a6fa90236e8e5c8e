"""Another program that tells bluetoothd a headphone's charge, as a sound server does of calls."""

import os
import subprocess
import sys

from bench.failure import Failure

ROOT = "/org/example/batteries"
MANAGER = "org.freedesktop.DBus.ObjectManager"
PROVIDER = "org.bluez.BatteryProvider1"


class Provider:
    """The charge, until the end of the block."""

    def __init__(self, machine, percent):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "bench.provider",
             f"/org/bluez/{machine.rig.adapter.name}", machine.path, str(percent)],
            cwd=os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
            stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        if self.process.stdout.readline().strip() != "ready":
            raise Failure("bluetoothd took no battery provider")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def serve(adapter, device, percent):
    """The program's own process."""
    import dbus
    import dbus.service
    from dbus.mainloop.glib import DBusGMainLoop
    from gi.repository import GLib

    class Object(dbus.service.Object):
        @dbus.service.method(MANAGER, out_signature="a{oa{sa{sv}}}")
        def GetManagedObjects(self):
            battery = {
                "Device": dbus.ObjectPath(device),
                "Percentage": dbus.Byte(int(percent)),
                "Source": "Another program",
            }
            return {dbus.ObjectPath(f"{ROOT}/one"): {PROVIDER: battery}}

    DBusGMainLoop(set_as_default=True)
    bus = dbus.SystemBus()
    provider = Object(bus, ROOT)
    loop = GLib.MainLoop()
    dbus.Interface(
        bus.get_object("org.bluez", adapter), "org.bluez.BatteryProviderManager1"
    ).RegisterBatteryProvider(
        provider.__dbus_object_path__,
        reply_handler=lambda: print("ready", flush=True),
        error_handler=lambda error: (print(error, flush=True), loop.quit()),
    )
    loop.run()


if __name__ == "__main__":
    serve(*sys.argv[1:])
