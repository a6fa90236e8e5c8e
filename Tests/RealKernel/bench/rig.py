"""What a case is given: headphones, the adapter, and Earshot."""

from .kernel import Management, RadioSwitches, bring_up
from .program import Program
from .running import Running
from .screen import Screen


class Adapter:
    """The kernel's adapter, as a person plugs it in and switches it."""

    def __init__(self, engine, air, management):
        self.engine = engine
        self.air = air
        self.management = management
        self.index = None

    @property
    def name(self):
        """The kernel counts on while someone still has the one before open."""
        return f"hci{self.index}"

    def plug(self, extended=False, dual_mode=False, **more):
        """A new adapter, powered; `extended`: one with Bluetooth 5's scanning commands;
        `dual_mode`: one with BR/EDR besides LE, `is_secure`: with Secure Connections there;
        `isochronous`: one that says that it can carry LE Audio.
        """
        self.air.order("plug", extended=extended, dual_mode=dual_mode, **more)
        self.index = self.management.wait_for(Management.INDEX_ADDED)
        self.management.prepare(self.index, dual_mode)

    def plug_with_hciconfig(self):
        """A new adapter, switched on by an ioctl alone, without a word of management before."""
        self.air.order("plug")
        self.index = self.management.wait_for(Management.INDEX_ADDED)
        bring_up(self.index)

    def unplug(self):
        if self.index is None:
            return
        self.management.forget()
        self.air.order("unplug")
        self.management.wait_for(Management.INDEX_REMOVED)
        self.index = None

    def kill(self):
        """Its controller dies, and the air with it; then all is there again but no headphone."""
        self.management.forget()
        self.engine.kill()
        self.management.wait_for(Management.INDEX_REMOVED)
        self.index = None

    @property
    def is_alive(self):
        return self.engine.process.poll() is None

    def revive(self):
        """A new controller in a new air, where no headphone is on yet."""
        self.engine.start()
        self.air.connect()
        self.plug()

    def power(self, on):
        self.management.power(self.index, on)

    def block(self):
        """As `rfkill block bluetooth` does; the adapter is off."""
        RadioSwitches.set(blocked=True)
        self.management.wait_until_off(self.index)

    def unblock(self):
        """Gives leave to switch it on again; on a desktop bluetoothd does that."""
        RadioSwitches.set(blocked=False)


class Rig:
    """Made for each case, with a new adapter: no link, bond or setting comes from another."""

    def __init__(self, engine, air, management, binary, folder):
        self.air = air
        self.folder = folder
        self.adapter = Adapter(engine, air, management)
        self.earshot = Program(binary, folder)
        self.screens = []
        self.running = []
        self.notes = []
        self.headphone = air.on
        self.airpods = air.on_as_airpods
        self.broadcast = air.broadcast

    def screen(self, *arguments, **options):
        """The TUI in a terminal multiplexer."""
        self.screens.append(Screen(self.earshot, *arguments, **options))
        return self.screens[-1]

    def run(self, *arguments, **options):
        """A command that goes on, such as `watch`."""
        self.running.append(Running(self.earshot, *arguments, **options))
        return self.running[-1]

    def note(self, text):
        """Tells something beside the verdict: what was measured."""
        self.notes.append(text)

    def close(self):
        RadioSwitches.set(blocked=False)
        for running in self.running:
            running.close()
        for screen in self.screens:
            screen.close()
        self.earshot.take_capabilities()
        if not self.adapter.is_alive:
            self.adapter.revive()
        self.adapter.unplug()
        self.air.clear()
