"""A headphone with standard services and Google's Fast Pair message stream on its audio side.

Written from Google's specification ("Message Stream", "Device information", "Device action",
"Acknowledgement"): RFCOMM by the published UUID, found by service discovery.
"""

import asyncio
import struct
from dataclasses import dataclass, field

from bumble import rfcomm
from bumble.core import UUID
from bumble.gatt import Characteristic, Service

from .advertising import FLAGS, DUAL_MODE_DISCOVERABLE, WHOLE_NAME, structure
from .families import FAST_PAIR, SERVICE_DATA, Standard
from .table import Permission, Property

STREAM = UUID("DF21FE2C-2515-4FDB-8886-F12C4D67927C")
MODEL_ID = "FE2C1233-8366-4814-8EB0-01DE32100BEA"
MODEL = bytes.fromhex("aabbcc")
RECORD = 0x00010003
"""The handle of its service record."""
HEAD = struct.Struct(">BBH")
INFORMATION, ACTION, ACKNOWLEDGEMENT = 0x03, 0x04, 0xFF
TELL_MODEL, TELL_BATTERY, TELL_FIRMWARE, RING = 0x01, 0x03, 0x09, 0x01
ACK, NAK = 0x01, 0x02
NOT_NOW = 0x02
UNKNOWN = 0x7F
CHARGING = 0x80
PARTS = ("left", "right", "case")


@dataclass
class FastPairState:
    battery: list = field(default_factory=lambda: [87, 65, None])
    """Left, right, case in %; None: unknown."""
    charging: list = field(default_factory=list)
    worn: int = 0
    """One that is worn does not ring."""
    ringing: int = 0
    """1 right, 2 left."""
    alert: int = 0


class FastPair(Standard):
    State = FastPairState

    def __init__(self, headphone, server):
        super().__init__(headphone, server)
        model = Characteristic(UUID(MODEL_ID), Property.READ, Permission.READABLE, MODEL)
        server.add_services([Service(UUID.from_16_bits(FAST_PAIR), [model])])
        self.channel = None
        self.heard = b""
        number = headphone.sound.calls.listen(self.on_channel)
        headphone.device.sdp_service_records[RECORD] = rfcomm.make_service_sdp_records(
            RECORD, number, STREAM
        )

    def batteries(self):
        """One service, for the emptier bud."""
        return [self.battery(None)]

    def advertisement(self, model):
        flags = structure(FLAGS, bytes([DUAL_MODE_DISCOVERABLE]))
        fast_pair = structure(SERVICE_DATA, struct.pack("<H", FAST_PAIR) + MODEL)
        return flags + fast_pair, structure(WHOLE_NAME, model.name.encode())

    # The stream

    def on_channel(self, channel):
        self.channel, self.heard = channel, b""
        self.headphone.see("stream open")
        channel.on("close", lambda: self.headphone.see("stream closed"))
        channel.sink = self.hear
        self.tell(INFORMATION, TELL_MODEL, MODEL)
        self.tell_battery()
        self.tell(INFORMATION, TELL_FIRMWARE, b"3.1.4")

    def tell(self, group, code, data):
        if self.channel:
            self.channel.write(HEAD.pack(group, code, len(data)) + data)

    def tell_battery(self):
        state = self.headphone.state
        levels = bytes(
            (UNKNOWN if level is None else level) | (CHARGING if part in state.charging else 0)
            for part, level in zip(PARTS, state.battery, strict=True)
        )
        self.tell(INFORMATION, TELL_BATTERY, levels)

    def hear(self, piece):
        self.heard += piece
        while len(self.heard) >= HEAD.size:
            group, code, length = HEAD.unpack_from(self.heard)
            if len(self.heard) < HEAD.size + length:
                return
            data = self.heard[HEAD.size : HEAD.size + length]
            self.heard = self.heard[HEAD.size + length :]
            self.headphone.see("stream", group=group, code=code, data=data.hex())
            if (group, code) == (ACTION, RING):
                self.ring(data)

    def ring(self, data):
        state = self.headphone.state
        kind = bytes([ACTION, RING])
        if state.worn and data[0]:
            self.tell(ACKNOWLEDGEMENT, NAK, bytes([NOT_NOW]) + kind + bytes([state.ringing]))
            return
        state.ringing = data[0]
        self.tell(ACKNOWLEDGEMENT, ACK, kind + data)

    # What happens to it

    def events(self, about):
        """Told when something changes: on the stream, as functions for the outbox."""
        news = []
        if about & {"battery", "charging"}:
            news.append(self.tell_battery)
        if "ringing" in about:
            ringing = bytes([self.headphone.state.ringing])
            news.append(lambda: self.tell(ACTION, RING, ringing))
        return news

    def end_stream(self):
        """The channel alone: the links stay."""
        asyncio.create_task(self.channel.disconnect())
