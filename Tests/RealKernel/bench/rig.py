"""What a case is given: headphones, the adapter, and Earshot."""

from .kernel import Management
from .program import Program
from .screen import Screen


class Adapter:
    """The kernel's adapter, as a person plugs it in and switches it."""

    def __init__(self, air, management):
        self.air = air
        self.management = management
        self.index = None

    def plug(self, extended=False):
        """A new adapter, powered; `extended`: one with Bluetooth 5's scanning commands."""
        self.air.order("plug", extended=extended)
        self.index = self.management.wait_for(Management.INDEX_ADDED)
        self.management.prepare(self.index)

    def unplug(self):
        if self.index is None:
            return
        self.air.order("unplug")
        self.management.wait_for(Management.INDEX_REMOVED)
        self.index = None

    def power(self, on):
        self.management.set(Management.SET_POWERED, self.index, on)


class Rig:
    """Made anew for each case, with a new adapter: no link, bond or setting comes from another."""

    def __init__(self, air, management, binary, folder):
        self.air = air
        self.folder = folder
        self.adapter = Adapter(air, management)
        self.earshot = Program(binary, folder)
        self.screens = []
        self.headphone = air.on

    def screen(self, *arguments, **options):
        """The TUI in a terminal multiplexer."""
        self.screens.append(Screen(self.earshot, *arguments, **options))
        return self.screens[-1]

    def close(self):
        for screen in self.screens:
            screen.close()
        self.earshot.take_capabilities()
        self.adapter.unplug()
        self.air.clear()
