"""Headphones of other makers, by the published layouts (docs/headphones.md names the sources).

Each is a table for Bumble's server, a state, what it advertises, and what it answers.
"""

import struct
from dataclasses import dataclass, field

from bumble.att import Attribute
from bumble.core import UUID
from bumble.gatt import Characteristic, CharacteristicValue, Service

from .advertising import (
    ALL_LONG_SERVICES,
    ALL_SHORT_SERVICES,
    FLAGS,
    LE_ONLY_DISCOVERABLE,
    MANUFACTURER,
    WHOLE_NAME,
    structure,
)
from .table import Table

Property = Characteristic.Properties
Permission = Attribute.Permissions

SERVICE_DATA = 0x16
FAST_PAIR = 0xFE2C


class Family:
    """One characteristic to write to, one that notifies; frames of `Language` in both."""

    def __init__(self, headphone, server):
        self.headphone = headphone
        self.event = Characteristic(
            UUID(self.NOTIFIES), Property.NOTIFY, Permission(0), CharacteristicValue()
        )
        write = Characteristic(
            UUID(self.WRITES),
            Property.WRITE | Property.WRITE_WITHOUT_RESPONSE,
            Permission.WRITEABLE,
            CharacteristicValue(write=lambda _, value: self.hear(value)),
        )
        server.add_services(self.services(write))

    def services(self, write):
        return [Service(UUID(self.SERVICE), [write, self.event])]

    def hear(self, value):
        parsed = self.parse(value)
        if parsed is None:
            self.headphone.see("garbage", value=value.hex())
            return
        command, rest = parsed
        self.headphone.see("ordered", command=f"{command:04X}", payload=rest[-1].hex())
        for answer in self.answers(command, *rest):
            self.headphone.push(answer)


# Nothing and CMF


@dataclass
class NothingState:
    noise: int = 5
    """1 high, 2 mid, 3 low, 4 adaptive, 5 off, 7 transparency."""
    eq: int = 0
    gains: list = field(default_factory=lambda: [1.0, -2.0, 3.0])
    """Of the custom equaliser in dB: peak, high shelf, low shelf."""
    detects_wearing: int = 1
    battery: list = field(default_factory=lambda: [60, 58, 50])
    """Left, right, case in %."""
    charging: list = field(default_factory=lambda: ["case"])
    ringing: dict = field(default_factory=dict)


class Nothing(Family):
    """Answers carry no checksum, as those that were recorded."""

    State = NothingState
    SERVICE, WRITES, NOTIFIES = "FD90", "FD91", "FD92"
    HEAD = struct.Struct("<BBBHBBB")
    FIRMWARE = b"1.0.1.60"
    BAND = struct.Struct("<Bfff")
    """Filter, gain in dB, frequency in Hz, quality."""
    FILTERS = ((1, 980.0, 0.7), (2, 3400.0, 1.0), (0, 140.0, 0.8))
    PARTS = (("case", 4), ("left", 2), ("right", 3))
    BATTERY, NOISE, IDENTITY = 0x4007, 0x401E, 0x4042
    NEWS = {"battery": (0xE001, BATTERY), "charging": (0xE001, BATTERY)}

    def __init__(self, headphone, server):
        super().__init__(headphone, server)
        self.held = [] if headphone.model.answers_backwards else None

    def advertisement(self, model):
        fast_pair = structure(SERVICE_DATA, struct.pack("<H", FAST_PAIR) + b"\x00\x11\x22")
        flags = structure(FLAGS, bytes([LE_ONLY_DISCOVERABLE]))
        return flags + fast_pair, structure(WHOLE_NAME, model.name.encode())

    @staticmethod
    def checksum(data):
        """CRC-16/MODBUS."""
        rest = 0xFFFF
        for byte in data:
            rest ^= byte
            for _ in range(8):
                rest = rest >> 1 ^ (0xA001 if rest & 1 else 0)
        return rest

    def parse(self, value):
        """Phones send the checksum of the whole frame before it."""
        if len(value) < self.HEAD.size + 2:
            return None
        marker, control, one, command, length, zero, operation = self.HEAD.unpack_from(value)
        body = value[self.HEAD.size : self.HEAD.size + length]
        if (marker, control, one, zero) != (0x55, 0x60, 1, 0):
            return None
        if len(value) != self.HEAD.size + length + 2:
            return None
        if struct.unpack_from("<H", value, len(value) - 2)[0] != self.checksum(value[:-2]):
            return None
        return command, (operation, body)

    def frame(self, command, operation, payload=b""):
        return self.HEAD.pack(0x55, 0x60, 1, command, len(payload), 0, operation) + payload

    def answers(self, command, operation, body):
        state = self.headphone.state
        if command in (0xC044, 0xF041) and not self.headphone.model.has_gains:
            return []
        match command:
            case 0xF00F:
                state.noise = body[1]
            case 0xF010:
                state.eq = body[0]
            case 0xF041:
                state.gains = [gain for _, gain, _, _ in self.BAND.iter_unpack(body[5:44])]
            case 0xF004:
                state.detects_wearing = body[2]
            case 0xF002:
                state.ringing[body[0]] = body[1]
        answer = command & 0x7FFF
        frames = [self.frame(answer, operation, self.value_of(answer))]
        if self.headphone.model.is_talkative:
            # What an earlier question asked for, and news under a number of its own.
            frames[:0] = [
                self.frame(self.NOISE, (operation - 1) % 256, self.value_of(self.NOISE)),
                self.frame(0xE001, operation, self.value_of(self.BATTERY)),
            ]
        if self.held is None or answer == self.BATTERY:
            return frames
        self.held[:0] = frames
        if answer != self.IDENTITY:
            return []
        frames, self.held = self.held, None
        return frames

    def value_of(self, answer):
        """The payload of an answer; that to an order has none."""
        state = self.headphone.state
        match answer:
            case self.BATTERY:
                levels = dict(zip(("left", "right", "case"), state.battery, strict=True))
                pairs = [
                    (number, levels[part] | (0x80 if part in state.charging else 0))
                    for part, number in self.PARTS
                ]
                return bytes([len(pairs), *(byte for pair in pairs for byte in pair)])
            case self.NOISE:
                return bytes([0, state.noise])
            case 0x401F:
                return bytes([state.eq])
            case 0x4044:
                bands = zip(self.FILTERS, state.gains, strict=True)
                reported = [self.BAND.pack(kind, gain, hz, q) for (kind, hz, q), gain in bands]
                return struct.pack("<Bf", len(reported), -max(0.0, *state.gains)) + b"".join(reported)
            case 0x400E:
                return bytes([1, 1, state.detects_wearing])
            case self.IDENTITY:
                return self.FIRMWARE
        return b""

    def events(self, about):
        news = {self.NEWS[key] for key in about if key in self.NEWS}
        return [self.frame(command, 0, self.value_of(answer)) for command, answer in news]


# Soundcore Life Q30


@dataclass
class SoundcoreState:
    battery: int = 5
    """Of 5."""
    charging: int = 0
    eq: str = "fefe3cb48fa08eb47488"
    """Identity, and a byte for each of 8 bands."""
    modes: list = field(default_factory=lambda: [2, 0, 1, 0])
    """0 cancelling, 1 transparency, 2 neither; scene of each; its own level."""


class Soundcore(Family):
    State = SoundcoreState
    SERVICE = "011CF5DA-0000-1000-8000-00805F9B34FB"
    WRITES, NOTIFIES = "7777", "8888"
    PHONE, HEADPHONE = bytes.fromhex("08ee000000"), bytes.fromhex("09ff000001")
    OVERHEAD = 10
    STATE, BATTERY, CHARGING, FIRMWARE = 0x0101, 0x0103, 0x0104, 0x0105
    MODES, SET_MODES, SET_EQ = 0x0601, 0x0681, 0x0281
    IDENTITY = b"02.303029086EC82F12AC"
    NEWS = {"battery": BATTERY, "charging": CHARGING, "modes": MODES}

    def advertisement(self, model):
        flags = structure(FLAGS, bytes([LE_ONLY_DISCOVERABLE]))
        first = flags + structure(ALL_LONG_SERVICES, bytes(UUID(self.SERVICE)))
        return first, structure(WHOLE_NAME, model.name.encode())

    def parse(self, value):
        if value[:5] != self.PHONE or len(value) < self.OVERHEAD:
            return None
        if struct.unpack_from("<H", value, 7)[0] != len(value):
            return None
        if sum(value[:-1]) % 256 != value[-1]:
            return None
        return int.from_bytes(value[5:7], "big"), (value[9:-1],)

    def frame(self, command, body=b""):
        size = struct.pack("<H", len(body) + self.OVERHEAD)
        frame = self.HEADPHONE + command.to_bytes(2, "big") + size + body
        return frame + bytes([sum(frame) % 256])

    def answers(self, command, body):
        match command:
            case self.SET_MODES:
                self.headphone.state.modes = list(body)
            case self.SET_EQ:
                self.headphone.state.eq = body.hex()
        return [self.frame(command, self.value_of(command))]

    def value_of(self, command):
        state = self.headphone.state
        match command:
            case self.STATE:
                head = bytes([state.battery, state.charging]) + bytes.fromhex(state.eq)
                # Of those between, the hearing test's, nothing is known here.
                return head + bytes(23) + bytes(state.modes) + self.IDENTITY
            case self.BATTERY:
                return bytes([state.battery])
            case self.CHARGING:
                return bytes([state.charging])
            case self.FIRMWARE:
                return self.IDENTITY
            case self.MODES:
                return bytes(state.modes)
        return b""

    def events(self, about):
        news = [self.NEWS[key] for key in about if key in self.NEWS]
        return [self.frame(command, self.value_of(command)) for command in news]


# QCY and SoundPEATS: one service, other numbers


@dataclass
class QCYState:
    battery: list = field(default_factory=lambda: [87, 76, 64])
    """Left, right, case in %."""
    charging: list = field(default_factory=lambda: ["left"])
    noise: int = 3
    """0 off, 1 cancelling, 2 cancelling for outdoors, 3 transparency."""
    switches: dict = field(default_factory=lambda: {"09": 2, "24": 1})
    """Low latency and two devices, by their blocks: 1 on, 2 off."""


class QCY(Family):
    """A frame is `FF length`, and blocks of `command length parameters`. An order is not answered."""

    State = QCYState
    SERVICE, WRITES, NOTIFIES = "A001", "1001", "1002"
    FIRMWARE, LEVELS = "0007", "0008"
    COMPANY = 0x521C
    MARK, ASK, BATTERY, NOISE = 0xFF, 0xFE, 0x2F, 0x0C
    MODES = (0, 1, 2, 3)
    NEWS = {"battery": BATTERY, "charging": BATTERY, "noise": NOISE}
    PARTS = ("left", "right", "case")

    def services(self, write):
        reported = [self.readable(self.LEVELS, lambda _: self.value_of(self.BATTERY))]
        if self.headphone.model.says_firmware:
            reported.append(self.readable(self.FIRMWARE, lambda _: self.firmware))
        return [Service(UUID(self.SERVICE), [write, self.event, *reported])]

    @staticmethod
    def readable(uuid, read):
        return Characteristic(
            UUID(uuid), Property.READ, Permission.READABLE, CharacteristicValue(read=read)
        )

    firmware = bytes([1, 0, 6])

    def advertisement(self, model):
        company = structure(MANUFACTURER, struct.pack("<H", self.COMPANY) + b"\x01\x00")
        flags = structure(FLAGS, bytes([LE_ONLY_DISCOVERABLE]))
        return flags + company, structure(WHOLE_NAME, model.name.encode())

    def parse(self, value):
        if len(value) < 4 or value[0] != self.MARK or value[1] != len(value) - 2:
            return None
        return (value[2], (value[4:],)) if value[3] == len(value) - 4 else None

    def frame(self, command, parameters):
        return bytes([self.MARK, len(parameters) + 2, command, len(parameters)]) + parameters

    def answers(self, command, parameters):
        state = self.headphone.state
        if command == self.ASK:
            reported = self.value_of(parameters[0])
            return [self.frame(parameters[0], reported)] if reported else []
        if command == self.NOISE and parameters[0] in self.MODES:
            self.headphone.change(False, noise=parameters[0])
        elif f"{command:02x}" in state.switches:
            switches = {**state.switches, f"{command:02x}": parameters[0]}
            self.headphone.change(False, switches=switches)
        return []

    def value_of(self, block):
        state = self.headphone.state
        match block:
            case self.BATTERY:
                levels = zip(self.PARTS, state.battery, strict=True)
                return bytes(level | (0x80 if part in state.charging else 0) for part, level in levels)
            case self.NOISE:
                return bytes([state.noise])
        switch = state.switches.get(f"{block:02x}")
        return bytes([switch]) if switch else b""

    def events(self, about):
        blocks = {self.NEWS[key] for key in about if key in self.NEWS}
        return [self.frame(block, self.value_of(block)) for block in blocks]


@dataclass
class SoundPEATSState(QCYState):
    noise: int = 0x02
    """02 off, 63 cancelling, A5 transparency."""
    switches: dict = field(default_factory=dict)


class SoundPEATS(QCY):
    """A Capsule3 Pro: what of QCY's it has not it answers as little as QCY's own."""

    State = SoundPEATSState
    MODES = (0x02, 0x63, 0xA5)
    firmware = b"SPTS04_20221202_V62"


# Any other, by the services of the Bluetooth SIG


@dataclass
class StandardState:
    battery: list = field(default_factory=lambda: [80, 75, 50])
    charging: list = field(default_factory=list)
    alert: int = 0
    """0 none, 1 mild, 2 high."""


class Standard(Table):
    """Battery services, device information, Immediate Alert; seen by its service of LE Audio."""

    State = StandardState
    AUDIO_STREAM_CONTROL, IMMEDIATE_ALERT, ALERT_LEVEL = 0x184E, 0x1802, 0x2A06

    def __init__(self, headphone, server):
        self.headphone = headphone
        self.model = headphone.model
        self.event = None
        self.levels = []
        alert = Characteristic(
            UUID.from_16_bits(self.ALERT_LEVEL),
            Property.WRITE_WITHOUT_RESPONSE,
            Permission.WRITEABLE,
            CharacteristicValue(write=lambda _, value: self.alert(value)),
        )
        server.add_services(
            [
                *self.batteries(),
                self.information(),
                Service(UUID.from_16_bits(self.IMMEDIATE_ALERT), [alert]),
            ]
        )

    def alert(self, value):
        self.headphone.see("alert", level=value[0])
        self.headphone.state.alert = value[0]

    def advertisement(self, model):
        flags = structure(FLAGS, bytes([LE_ONLY_DISCOVERABLE]))
        services = structure(ALL_SHORT_SERVICES, struct.pack("<H", self.AUDIO_STREAM_CONTROL))
        return flags + services, structure(WHOLE_NAME, model.name.encode())

    def events(self, _about):
        return []


BY_NAME = {
    "nothing": Nothing,
    "soundcore": Soundcore,
    "qcy": QCY,
    "soundpeats": SoundPEATS,
    "standard": Standard,
}
