"""Headphones whose controls are on a serial channel (RFCOMM) of their audio side.

Here: what they have in common. Each language is in a file of its own, written from the published
layouts that docs/headphones.md names and from recordings, not from Earshot.
"""

import asyncio

from bumble import rfcomm, sdp
from bumble.core import UUID

RECORD, IDENTITY = 0x00010003, 0x00010004
"""Handles of its service records."""
PNP_INFORMATION = UUID.from_16_bits(0x1200)
SERIAL_PORT = UUID.from_16_bits(0x1101)
BLUETOOTH_SIG = 1


def xmodem(data):
    """CRC-16/XMODEM."""
    rest = 0
    for byte in data:
        rest ^= byte << 8
        for _ in range(8):
            rest = (rest << 1 ^ (0x1021 if rest & 0x8000 else 0)) & 0xFFFF
    return rest


def identity(vendor, product):
    """A Device ID record."""

    def number(attribute, value):
        return sdp.ServiceAttribute(attribute, sdp.DataElement.unsigned_integer_16(value))

    classes = sdp.DataElement.sequence([sdp.DataElement.uuid(PNP_INFORMATION)])
    return [
        sdp.ServiceAttribute(0x0000, sdp.DataElement.unsigned_integer_32(IDENTITY)),
        sdp.ServiceAttribute(0x0001, classes),
        number(0x0201, vendor),
        number(0x0202, product),
        number(0x0203, 0x0100),
        number(0x0205, BLUETOOTH_SIG),
    ]


class Serial:
    """A language on one channel, which one client at a time has."""

    SERVICE = SERIAL_PORT
    VENDOR = PRODUCT = 0
    event = None
    """It has no characteristic."""

    def __init__(self, headphone, _server):
        self.headphone = headphone
        self.channel = None
        self.heard = b""
        number = headphone.sound.calls.listen(self.on_channel, headphone.model.channel)
        records = headphone.device.sdp_service_records
        if not headphone.model.channel:
            records[RECORD] = rfcomm.make_service_sdp_records(RECORD, number, self.SERVICE)
        elif number != 8:
            headphone.sound.calls.listen(lambda _: headphone.see("silent channel open"), 8)
        if self.VENDOR:
            records[IDENTITY] = identity(self.VENDOR, self.PRODUCT)
        headphone.see("serial channel", number=number)

    @property
    def state(self):
        return self.headphone.state

    def advertisement(self, _model):
        """None: its audio side is all that there is."""

    # The channel

    def on_channel(self, channel):
        self.channel, self.heard = channel, b""
        self.headphone.see("channel open")
        channel.on("close", self.on_close)
        channel.sink = self.hear
        self.begin()

    def on_close(self):
        self.channel = None
        self.headphone.see("channel closed")

    def begin(self):
        """What it does when a channel was opened."""

    def write(self, data):
        if self.channel:
            self.channel.write(bytes(data))

    def later(self, seconds, act):
        """Unless the channel has ended by then."""
        channel = self.channel
        asyncio.get_running_loop().call_later(
            seconds, lambda: act() if self.channel is channel else None
        )

    def end_stream(self):
        """The channel alone: the links stay."""
        asyncio.create_task(self.channel.disconnect())

    def hear(self, piece):
        self.heard += piece
        while (size := self.size()) and len(self.heard) >= size:
            frame, self.heard = self.heard[:size], self.heard[size:]
            self.take(frame)

    def garbage(self, frame):
        self.headphone.see("garbage", value=frame.hex())

    # Of each language

    def size(self):
        """How long the first frame of `heard` is; None: too little came to know."""
        raise NotImplementedError

    def take(self, frame):
        raise NotImplementedError

    def news(self, about):
        """The frames that tell of a change."""
        return []

    def events(self, about):
        """As functions for the outbox."""
        return [lambda frame=frame: self.write(frame) for frame in self.news(about)]
