"""AirPods: their audio side alone, over BR/EDR.

Written from the documents of public projects on Apple's accessory protocol: a channel of L2CAP
(PSM 0x1001), a handshake, messages; and the product by service discovery, as any device tells it.
They pair with who calls them, and keep the key.
"""

from dataclasses import dataclass

from bumble import hci, sdp
from bumble.core import UUID, PhysicalTransport
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.l2cap import ClassicChannelSpec

from .classic import DualModeHeadphoneController
from .keys import Keys

AACP = 0x1001
PNP_INFORMATION = UUID.from_16_bits(0x1200)
APPLE = 0x004C
BLUETOOTH_SIG = 1

HANDSHAKE = bytes.fromhex("00000400010002000000000000000000")
HANDSHAKE_ANSWER = bytes.fromhex("010004000000")
MESSAGE = bytes.fromhex("04000400")
BATTERY, EAR, CONTROL, NOTIFY, METADATA, FEATURES_ANSWER, FEATURES = (
    0x04,
    0x06,
    0x09,
    0x0F,
    0x1D,
    0x2B,
    0x4D,
)
NOISE, STRENGTH = 0x0D, 0x2E
CALL = 30  # s


class AirPodsController(DualModeHeadphoneController):
    rssi = -48


@dataclass
class State:
    noise: int
    strength: int


class AirPods:
    """`see` is called with (kind, fields) for everything that happens to them."""

    def __init__(self, name, address, space, see, product=0x2014):
        self.space = space
        self.see = see
        self.noise, self.strength = 2, 50
        self.battery = [(2, 64, 2), (4, 71, 2), (8, 38, 1)]
        self.is_greeted = False
        self.channel = None
        self.controller = AirPodsController(
            name, link=space, public_address=hci.Address(address, hci.Address.PUBLIC_DEVICE_ADDRESS)
        )
        host = Host()
        host.controller = self.controller
        self.device = Device(
            config=DeviceConfiguration(
                name=name,
                address=hci.Address(address),
                classic_enabled=True,
                le_enabled=False,
            ),
            host=host,
        )
        self.device.sdp_service_records = {0x10000: self.record(product)}
        self.device.create_l2cap_server(ClassicChannelSpec(psm=AACP), self.on_channel)
        self.device.keystore = Keys()
        self.device.on("connection", self.on_connection)

    @staticmethod
    def record(product):
        def number(value):
            return sdp.DataElement.unsigned_integer_16(value)

        return [
            sdp.ServiceAttribute(0x0000, sdp.DataElement.unsigned_integer_32(0x10000)),
            sdp.ServiceAttribute(
                0x0001, sdp.DataElement.sequence([sdp.DataElement.uuid(PNP_INFORMATION)])
            ),
            sdp.ServiceAttribute(0x0201, number(APPLE)),
            sdp.ServiceAttribute(0x0202, number(product)),
            sdp.ServiceAttribute(0x0205, number(BLUETOOTH_SIG)),
        ]

    @property
    def state(self):
        return State(self.noise, self.strength)

    async def switch_on(self):
        await self.device.power_on()

    async def link(self, kernel):
        """Calls the computer, as headphones do that are taken out of their case."""
        await self.device.connect(
            hci.Address(kernel, hci.Address.PUBLIC_DEVICE_ADDRESS),
            transport=PhysicalTransport.BR_EDR,
            timeout=CALL,
        )

    def on_connection(self, connection):
        self.see("linked")
        connection.on("link_key", lambda: self.see("paired"))
        connection.on("connection_encryption_change", lambda: self.see("encrypted"))
        connection.on("disconnection", lambda _: self.see("unlinked"))

    def destroy(self):
        self.space.leave(self.controller)

    # The channel

    def on_channel(self, channel):
        self.channel = channel
        self.is_greeted = False
        self.see("channel open")
        channel.sink = self.on_packet

    def on_packet(self, packet):
        packet = bytes(packet)
        self.see("aacp", packet=packet.hex())
        if packet == HANDSHAKE:
            self.is_greeted = True
            self.channel.write(HANDSHAKE_ANSWER)
        elif self.is_greeted and packet[:4] == MESSAGE:
            self.answer(int.from_bytes(packet[4:6], "little"), packet[6:])

    def say(self, opcode, data):
        self.channel.write(MESSAGE + opcode.to_bytes(2, "little") + bytes(data))

    def answer(self, opcode, data):
        if opcode == FEATURES:
            self.say(FEATURES_ANSWER, [0])
        elif opcode == NOTIFY:
            entries = [[part, 1, level, status, 1] for part, level, status in self.battery]
            self.say(BATTERY, [len(entries)] + [byte for entry in entries for byte in entry])
            self.say(EAR, [0, 1])
            texts = ["AirPods Pro", "A3048", "Apple Inc.", "BUMBLE01", "61.1"]
            text = b"".join(text.encode() + b"\0" for text in texts)
            self.say(METADATA, bytes([2]) + len(text).to_bytes(2, "little") + b"\x04\0" + text)
            self.tell(STRENGTH, self.strength)
            self.tell(NOISE, self.noise)
        elif opcode == CONTROL and len(data) == 5:
            self.see("control", identifier=data[0], value=data[1])
            if data[0] == NOISE and 1 <= data[1] <= 4:
                self.noise = data[1]
            elif data[0] == STRENGTH and data[1] <= 100:
                self.strength = data[1]
            else:
                return
            self.tell(data[0], data[1])

    def tell(self, identifier, value):
        self.say(CONTROL, [identifier, value, 0, 0, 0])
