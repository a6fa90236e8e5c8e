"""Serves who connects: JSON lines in (what to do), JSON lines out (answers; records, to all).

In:  {"do": "switch_on", "id": 7, "with": {"name": "Earshot One"}}
Out: {"id": 7, "result": …} or {"id": 7, "error": "…"}, and at any time
     {"headphone": "Earshot One", "at": 12.5, "saw": "anc written", "value": "01"}
     ("at": seconds of the machine's monotonic clock)
"""

import asyncio
import errno
import functools
import hashlib
import inspect
import json
import logging
import os
import sys
import time
import traceback

from bumble.transport.vhci import open_vhci_transport

from .airpods import AirPods
from .broadcasts import Source
from .classic import DualModeKernelController
from .controllers import KernelController
from .headphone import Headphone
from .model import Model
from .space import Space

KERNEL_ADDRESS = "F0:F1:F2:F3:F4:01"


class KernelSink:
    """What the controller tells the kernel, which refuses it while the adapter is off: a scan that
    nobody has ended reports on."""

    def __init__(self, transport):
        self.device = transport.sink.transport.get_extra_info("pipe").fileno()

    def on_packet(self, packet):
        try:
            os.write(self.device, packet)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise


class Air:
    def __init__(self, tell):
        self.tell = tell
        self.space = Space()
        self.headphones = {}
        self.broadcasts = {}
        self.transport = None
        self.adapter = None

    # The kernel's adapter

    async def plug(self, extended=False, dual_mode=False, is_secure=False, isochronous=False):
        self.transport = await open_vhci_transport(None)
        controller = (
            functools.partial(DualModeKernelController, is_secure=is_secure)
            if dual_mode
            else KernelController
        )
        self.adapter = controller(
            "hci0",
            host_source=self.transport.source,
            host_sink=KernelSink(self.transport),
            link=self.space,
            public_address=KERNEL_ADDRESS,
            extended=extended,
            isochronous=isochronous,
        )

    async def unplug(self):
        self.space.leave(self.adapter)
        await self.transport.close()
        self.transport = self.adapter = None

    # Headphones, by their names, or what they are called where two have the same

    async def switch_on(self, called=None, **options):
        model = Model(**options)
        called = called or model.name
        headphone = Headphone(model, self.space, self.recorder(called))
        self.headphones[called] = headphone
        await headphone.switch_on()

    async def switch_on_airpods(self, name, address):
        airpods = AirPods(name, address, self.space, self.recorder(name))
        self.headphones[name] = airpods
        await airpods.switch_on()

    async def start_broadcast(self, name, **options):
        self.broadcasts[name] = Source(self.space, name, **options)
        await self.broadcasts[name].switch_on()

    def end_broadcast(self, name):
        self.broadcasts.pop(name).destroy()

    async def link(self, headphone):
        """It calls the computer over BR/EDR."""
        await self.headphones[headphone].link(KERNEL_ADDRESS)

    def recorder(self, called):
        return lambda saw, **fields: self.tell(
            {"headphone": called, "at": time.monotonic(), "saw": saw, **fields}
        )

    async def switch_off(self, headphone):
        await self.headphones[headphone].switch_off()

    async def switch_on_again(self, headphone):
        await self.headphones[headphone].advertise()

    async def forget(self, headphone):
        await self.headphones[headphone].forget()

    def type(self, headphone, number):
        self.headphones[headphone].type(number)

    async def change_address(self, headphone):
        await self.headphones[headphone].change_address()

    def vanish(self, headphone):
        self.headphones[headphone].vanish()

    def appear(self, headphone):
        self.headphones[headphone].appear()

    def move(self, headphone, rssi):
        self.headphones[headphone].controller.rssi = rssi

    async def know(self, headphone, key):
        """It was paired with the kernel's adapter long ago, over BR/EDR, with this key."""
        await self.headphones[headphone].sound.know(KERNEL_ADDRESS, bytes.fromhex(key))

    async def drop_sound(self, headphone):
        await self.headphones[headphone].sound.switch_off()

    async def allow_sound(self, headphone):
        await self.headphones[headphone].sound.switch_on()

    def record(self, headphone, path, frames):
        self.headphones[headphone].sound.record(path, frames)

    async def press(self, headphone, keys):
        await self.headphones[headphone].sound.buttons.press(*keys)

    def turn(self, headphone, volume):
        self.headphones[headphone].sound.buttons.turn(volume)

    async def shown(self, headphone):
        return await self.headphones[headphone].sound.buttons.shown()

    async def press_own_button(self, headphone):
        await self.headphones[headphone].table.press_button()

    def write_stream(self, headphone, value):
        self.headphones[headphone].table.write(bytes.fromhex(value))

    def end_stream(self, headphone):
        self.headphones[headphone].table.end_stream()

    def change_services(self, headphone, moves, first, last):
        self.headphones[headphone].change_services(moves, first, last)

    def change(self, headphone, fields, announce=None):
        self.headphones[headphone].change(announce, **fields)

    def push(self, headphone, value):
        self.headphones[headphone].push(bytes.fromhex(value))

    def say(self, headphone, pdu):
        self.headphones[headphone].say(bytes.fromhex(pdu))

    def state(self, headphone):
        return vars(self.headphones[headphone].state)

    def firmware(self, headphone):
        """What a maker with a debugger would see."""
        firmware = self.headphones[headphone].firmware
        return {
            "state": firmware.state,
            "version": list(firmware.running),
            "sha256": hashlib.sha256(firmware.image).hexdigest(),
            "begins": firmware.begins,
            "frames": firmware.frames,
        }

    def clear(self):
        for one in (*self.headphones.values(), *self.broadcasts.values()):
            one.destroy()
        self.headphones.clear()
        self.broadcasts.clear()


class Server:
    def __init__(self):
        self.writers = set()
        self.air = Air(self.tell_all)

    @staticmethod
    def tell(writer, message):
        writer.write(json.dumps(message).encode() + b"\n")

    def tell_all(self, message):
        for writer in self.writers:
            self.tell(writer, message)

    async def serve(self, reader, writer):
        self.writers.add(writer)
        while line := await reader.readline():
            order = json.loads(line)
            try:
                result = getattr(self.air, order["do"])(**order.get("with", {}))
                if inspect.isawaitable(result):
                    result = await result
                self.tell(writer, {"id": order["id"], "result": result})
            except Exception as error:
                traceback.print_exc()
                self.tell(writer, {"id": order["id"], "error": f"{type(error).__name__}: {error}"})
        self.writers.discard(writer)
        writer.close()


async def main(path):
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    server = await asyncio.start_unix_server(Server().serve, path)
    print("READY", flush=True)
    await server.serve_forever()


asyncio.run(main(sys.argv[1]))
