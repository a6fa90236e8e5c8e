"""Sony's headphones of both generations.

A frame is `3E type sequence length(4, BE) payload sum 3C`, escaped between its ends. Each frame of type
0C or 0E is acknowledged at once with the other sequence number, by either side, and nobody sends a
second one before that.
"""

from dataclasses import dataclass, field

from bumble.core import UUID

from .serial import Serial

BEGIN, END, ESCAPE = 0x3E, 0x3C, 0x3D
ACKNOWLEDGEMENT, COMMAND, SECOND_COMMAND = 0x01, 0x0C, 0x0E
OFF, CANCELLING, AMBIENT = "off", "cancelling", "ambient"
SETTLING = 0.3  # s from an order to the report of the new state


@dataclass
class SonyState:
    battery: list = field(default_factory=lambda: [70])
    """In %: one, or left, right, case; 0: that bud is not connected."""
    charging: list = field(default_factory=list)
    noise: str = CANCELLING
    level: int = 12
    """Of ambient sound."""
    voice: int = 0
    wind: bool = False
    """Whether cancelling is tuned to wind."""
    preset: int = 0
    bands: list = field(default_factory=lambda: [10] * 6)
    """Clear Bass and five bands, each with 10 added."""
    pause: bool = True
    volume: int = 15
    settings: dict = field(default_factory=dict)
    """Those of ``Sony.SETTINGS`` that were ordered, in hexadecimal."""


def text(words):
    return bytes([len(words)]) + words


class Sony(Serial):
    State = SonyState
    GREETING = b""
    NAME, FIRMWARE = b"", b""
    FUNCTIONS, SECOND_FUNCTIONS = (), ()
    SETTINGS = {}
    """What it keeps as it comes: the value at first, by frame type, question and kind. The order is the question's
    number plus 2, and its report that plus 1."""
    PREFIXES = {}
    """The first byte of an answer that is not that of an order and its report."""

    def __init__(self, headphone, server):
        super().__init__(headphone, server)
        self.restart()

    def restart(self):
        self.sequence, self.expected = 0, 0
        self.is_greeted = False
        self.waiting = []
        """Types and payloads behind the one that is not acknowledged yet, which is the first."""

    def begin(self):
        self.restart()

    # Frames

    @staticmethod
    def frame(kind, sequence, payload=b""):
        inside = bytes([kind, sequence]) + len(payload).to_bytes(4, "big") + bytes(payload)
        inside += bytes([sum(inside) % 256])
        escaped = b"".join(
            bytes([ESCAPE, byte & 0xEF]) if byte in (BEGIN, END, ESCAPE) else bytes([byte])
            for byte in inside
        )
        return bytes([BEGIN]) + escaped + bytes([END])

    def size(self):
        end = self.heard.find(END)
        return end + 1 if end >= 0 else None

    @staticmethod
    def unescaped(data):
        plain, is_escaped = bytearray(), False
        for byte in data:
            if is_escaped:
                plain.append(byte | 0x10)
            elif byte != ESCAPE:
                plain.append(byte)
            is_escaped = byte == ESCAPE and not is_escaped
        return bytes(plain)

    def take(self, frame):
        inside = self.unescaped(frame[1:-1])
        is_whole = frame[0] == BEGIN and len(inside) >= 7
        if not is_whole or sum(inside[:-1]) % 256 != inside[-1]:
            return self.garbage(frame)
        kind, sequence, payload = inside[0], inside[1], inside[6:-1]
        if int.from_bytes(inside[2:6], "big") != len(payload):
            return self.garbage(frame)
        if kind == ACKNOWLEDGEMENT:
            return self.acknowledged(sequence)
        self.headphone.see("asked", payload=payload.hex())
        if sequence != self.expected:
            self.headphone.see("wrong sequence", sequence=sequence)
        if self.is_deaf(payload):
            return None
        self.expected = 1 - sequence
        self.write(self.frame(ACKNOWLEDGEMENT, 1 - sequence))
        if payload == bytes([0, 0]):
            self.is_greeted = True
            self.tell(self.GREETING)
        elif self.is_greeted:
            self.execute(kind, payload)
        return None

    def is_deaf(self, payload):
        """Some do not even acknowledge the first question."""
        left = self.headphone.deaf_to.get(payload[0], 0)
        self.headphone.deaf_to[payload[0]] = max(0, left - 1)
        return left > 0

    def tell(self, payload, kind=COMMAND):
        self.waiting.append((kind, bytes(payload)))
        if len(self.waiting) == 1:
            self.write_first()

    def write_first(self):
        kind, payload = self.waiting[0]
        self.write(self.frame(kind, self.sequence, payload))

    def acknowledged(self, sequence):
        if not self.waiting or sequence != 1 - self.sequence:
            return self.garbage(bytes([sequence]))
        self.sequence = sequence
        _, payload = self.waiting.pop(0)
        self.headphone.see("acknowledged", payload=payload.hex())
        if self.waiting:
            self.write_first()
        return None

    # What it is asked

    def execute(self, kind, payload):
        command, type_ = payload[0], payload[1]
        if (kind, command, type_) in self.SETTINGS:
            return self.tell(bytes([command + 1, type_]) + self.setting(kind, command, type_), kind)
        if (kind, command - 2, type_) in self.SETTINGS:
            return self.later(SETTLING, lambda: self.keep(kind, payload))
        if kind == SECOND_COMMAND:
            return self.execute_second(payload)
        if answer := self.answer(payload):
            return self.tell(answer)
        if change := self.order(payload):
            # Until then a question is answered with the state before.
            def settle():
                self.headphone.change(False, **change)
                for reported in self.reports(set(change)):
                    self.tell(reported)

            self.later(SETTLING, settle)
        return None

    def execute_second(self, payload):
        """Of the second table, beside its settings."""
        functions = self.second_functions()
        if payload == bytes([0x06, 0x00]) and functions:
            self.tell(self.list_of(functions, 0), SECOND_COMMAND)

    def second_functions(self):
        return self.SECOND_FUNCTIONS

    @staticmethod
    def key(kind, question, type_):
        return bytes([kind, question, type_]).hex()

    def setting(self, kind, question, type_):
        value = self.state.settings.get(self.key(kind, question, type_))
        value = bytes.fromhex(value) if value else self.SETTINGS[kind, question, type_]
        prefix = self.PREFIXES.get((kind, question, type_))
        return value if prefix is None else bytes([prefix]) + value[1:]

    def keep(self, kind, order):
        key = self.key(kind, order[0] - 2, order[1])
        self.headphone.change(False, settings={**self.state.settings, key: order[2:].hex()})
        self.tell(bytes([order[0] + 1]) + order[1:], kind)

    @staticmethod
    def list_of(functions, *priority):
        """The list of functions, each with what else the generation says of it."""
        entries = (byte for function in functions for byte in (function, *priority))
        return bytes([0x07, 0x00, len(functions), *entries])

    def common(self, payload):
        match list(payload):
            case [0x04, 0x01]:
                return bytes([0x05, 0x01, len(self.NAME)]) + self.NAME
            case [0x04, 0x02]:
                return bytes([0x05, 0x02, len(self.FIRMWARE)]) + self.FIRMWARE
        return None

    def equaliser(self, command, kind):
        state = self.state
        return bytes([command, kind, state.preset, len(state.bands), *state.bands])

    @staticmethod
    def equaliser_order(preset, bands):
        """Bands belong to the preset that is a person's; a preset has bands of its own."""
        return {"preset": preset, "bands": bands or [10] * 6}

    def charge(self, part):
        level = self.state.battery[part]
        return bytes([level, 1 if part in self.state.charging else 0])

    def events(self, about):
        return [lambda reported=reported: self.tell(reported) for reported in self.reports(about)]


class FirstSony(Sony):
    """A WH-1000XM4: each question is for one thing, and 22 switches it off."""

    SERVICE = UUID("96CC203E-5068-46AD-B32D-E316F5E069BA")
    GREETING = bytes.fromhex("01004010")
    NAME, FIRMWARE = b"WH-1000XM4", b"2.5.0"
    FUNCTIONS = (0x62, 0x51, 0xA1, 0xE1, 0xF5, 0xD1, 0xD2)
    """Among them speak to chat, and the general settings, whose names say what they are."""
    SETTINGS = {
        # Speak to chat, and how it listens: sensitivity, focus on voice, end.
        (COMMAND, 0xF6, 0x05): bytes([0x01, 0x00]),
        (COMMAND, 0xFA, 0x05): bytes([0x00, 0x00, 0x00, 0x01]),
        # Automatic power off, upscaling, voice guide, two general settings.
        (COMMAND, 0xF6, 0x04): bytes([0x01, 0x10, 0x00]),
        (COMMAND, 0xE6, 0x02): bytes([0x00, 0x00]),
        (SECOND_COMMAND, 0x46, 0x01): bytes([0x01, 0x01]),
        (COMMAND, 0xD0, 0xD1): bytes([0x02]) + text(b"TOUCH_PANEL_SETTING") + bytes([0, 1, 0]),
        (COMMAND, 0xD6, 0xD1): bytes([0x01, 0x01]),
        (COMMAND, 0xD0, 0xD2): bytes([0x02]) + text(b"MULTIPOINT_SETTING") + bytes([0, 1, 0]),
        (COMMAND, 0xD6, 0xD2): bytes([0x01, 0x01]),
    }
    PREFIXES = {(COMMAND, 0xF6, 0x05): 0x00}

    def noise(self, command):
        state = self.state
        is_on = state.noise != OFF
        # Dual: 2 cancels, 1 cancels wind, 0 lets through. The level is 0 while it cancels.
        nc = (1 if state.wind else 2) if state.noise == CANCELLING else 0
        level = state.level if state.noise == AMBIENT else 0
        return bytes([command, 0x02, int(is_on), 2, nc, 1, state.voice, level])

    def answer(self, payload):
        state = self.state
        match list(payload):
            case [0x06, 0x00]:
                return self.list_of(self.FUNCTIONS)
            case [0x10, 0x00]:
                return bytes([0x11, 0x00]) + self.charge(0)
            case [0x10, 0x01]:
                # Its one battery as the left one of two.
                return bytes([0x11, 0x01]) + self.charge(0) + bytes(2)
            case [0x66, 0x02]:
                return self.noise(0x67)
            case [0x56, 0x01]:
                return self.equaliser(0x57, 0x01)
            case [0xF6, 0x03]:
                return bytes([0xF7, 0x03, 0x00, int(state.pause)])
            case [0xA6, 0x01, 0x20]:
                return bytes([0xA7, 0x01, 0x20, state.volume])
            case [0x18, 0x00]:
                return bytes([0x19, 0x00, 0x10])
        return self.common(payload)

    def order(self, payload):
        match list(payload):
            case [0x22, *_]:
                self.headphone.see("switched off")
                self.end_stream()
            case [0x68, 0x02, 0x00, _, _, _, voice, _]:
                return {"noise": OFF, "voice": voice}
            case [0x68, 0x02, 0x11 | 0x01, _, 0, 1, voice, level]:
                return {"noise": AMBIENT, "voice": voice, "level": level}
            case [0x68, 0x02, 0x11 | 0x01, _, nc, _, voice, _]:
                return {"noise": CANCELLING, "voice": voice, "wind": nc == 1}
            case [0x58, 0x01, preset, 0]:
                return self.equaliser_order(preset, None)
            case [0x58, 0x01, 0xFF, 6, *bands] if len(bands) == 6:
                return self.equaliser_order(0xA0, bands)
            case [0xF8, 0x03, 0x00, (0 | 1) as is_on]:
                return {"pause": bool(is_on)}
            case [0xA8, 0x01, 0x20, volume] if volume <= 30:
                return {"volume": volume}
        return None

    def reports(self, about):
        state = self.state
        if about & {"battery", "charging"}:
            yield bytes([0x13, 0x00]) + self.charge(0)
        if about & {"noise", "level", "voice", "wind"}:
            yield self.noise(0x69)
        if about & {"preset", "bands"}:
            yield self.equaliser(0x59, 0x01)
        if "pause" in about:
            yield bytes([0xF9, 0x03, 0x00, int(state.pause)])
        if "volume" in about:
            yield bytes([0xA9, 0x01, 0x20, state.volume])


@dataclass
class SecondSonyState(SonyState):
    battery: list = field(default_factory=lambda: [85, 80, 60])
    upscales: bool = False
    devices: list = field(default_factory=list)
    """Address as text, place (0: not connected) and name of the phones and computers that it knows; it lists the
    functions for them only if there are some."""
    playing: int = 0
    """The place of the one that it plays."""


class SecondSony(Sony):
    """A WF-1000XM5: it lists its functions; switches are inverted, but for upscaling."""

    State = SecondSonyState
    SERVICE = UUID("956C7B26-D49A-4BA8-B03F-B17D393CB6E2")
    GREETING = bytes.fromhex("0100030010040000")
    NAME, FIRMWARE = b"WF-1000XM5", b"3.2.0"
    FUNCTIONS = (0x29, 0x2A, 0x50, 0x6B, 0xE2, 0xF1, 0xFC, 0xF3, 0x25, 0x69, 0xD2, 0xD3)
    """Batteries of both buds and of the case with thresholds, equaliser, noise control of kind 17,
    upscaling, pause when taken off, speak to chat, touch of both buds, automatic power off, what the button steps
    by, two general settings."""
    SECOND_FUNCTIONS = (0x42,)
    """Voice guide."""
    DEVICE_FUNCTIONS = (0x30, 0x31)
    """The devices that it is paired with, and which of them it plays."""
    SETTINGS = {
        (COMMAND, 0xF6, 0x0C): bytes([0x01, 0x01]),
        (COMMAND, 0xFA, 0x0C): bytes([0x00, 0x01]),
        (COMMAND, 0xF6, 0x03): bytes([0x02, 0x35, 0x20]),
        (COMMAND, 0x26, 0x05): bytes([0x10, 0x00]),
        (COMMAND, 0x66, 0x30): bytes([0x02]),
        (COMMAND, 0xD0, 0xD2): bytes([0x00, 0x01]) + text(b"MULTIPOINT_SETTING") + bytes([0]),
        (COMMAND, 0xD6, 0xD2): bytes([0x00, 0x00]),
        (COMMAND, 0xD0, 0xD3): bytes([0x00, 0x01]) + text(b"TOUCH_PANEL_SETTING") + bytes([0]),
        (COMMAND, 0xD6, 0xD3): bytes([0x00, 0x00]),
        (SECOND_COMMAND, 0x46, 0x01): bytes([0x01]),
    }
    THRESHOLD = 20

    def second_functions(self):
        return self.SECOND_FUNCTIONS + (self.DEVICE_FUNCTIONS if self.state.devices else ())

    def execute_second(self, payload):
        match list(payload):
            case [0x36, 0x00] if self.state.devices:
                return self.tell(self.paired(0x37), SECOND_COMMAND)
            case [0x3C, 0x01, *address] if self.state.devices:
                return self.play(bytes(address).decode())
        return super().execute_second(payload)

    def paired(self, command):
        """The devices behind a command, and the place of the one that plays."""
        entries = b"".join(
            address.encode() + bytes([place]) + text(name.encode())
            for address, place, name in self.state.devices
        )
        return bytes([command, 0x00, len(self.state.devices)]) + entries + bytes([self.state.playing])

    def play(self, address):
        """The outcome, and a while later the report."""
        place = next((place for known, place, _ in self.state.devices if known == address), 0)
        self.tell(bytes([0x3D, 0x01, 0 if place else 1]) + address.encode(), SECOND_COMMAND)
        if place:
            self.later(SETTLING, lambda: self.headphone.change(True, playing=place))

    def noise(self, command):
        state = self.state
        is_on, is_ambient = state.noise != OFF, state.noise == AMBIENT
        return bytes([command, 0x17, 1, is_on, is_ambient, state.voice, state.level])

    def buds(self, command):
        thresholds = bytes([self.THRESHOLD] * 2)
        return bytes([command, 0x09]) + self.charge(0) + self.charge(1) + thresholds

    def case(self, command):
        return bytes([command, 0x0A]) + self.charge(2) + bytes([self.THRESHOLD])

    def answer(self, payload):
        state = self.state
        match list(payload):
            case [0x06, 0x00]:
                return self.list_of(self.FUNCTIONS, 1)
            case [0x22, 0x09]:
                return self.buds(0x23)
            case [0x22, 0x0A]:
                return self.case(0x23)
            case [0x66, 0x17]:
                return self.noise(0x67)
            case [0x56, 0x00]:
                return self.equaliser(0x57, 0x00)
            case [0xF6, 0x01]:
                return bytes([0xF7, 0x01, int(not state.pause)])
            case [0xE6, 0x01]:
                return bytes([0xE7, 0x01, int(state.upscales)])
            case [0xA6, 0x20]:
                return bytes([0xA7, 0x20, state.volume])
            case [0x12, 0x02]:
                return bytes([0x13, 0x02, 0x02])
        return self.common(payload)

    def order(self, payload):
        match list(payload):
            case [0x24, *_]:
                self.headphone.see("switched off")
                self.end_stream()
            case [0x68, 0x17, _, 0, _, voice, _]:
                return {"noise": OFF, "voice": voice}
            case [0x68, 0x17, _, 1, 0, voice, _]:
                return {"noise": CANCELLING, "voice": voice}
            case [0x68, 0x17, _, 1, 1, voice, level] if 1 <= level <= 20:
                return {"noise": AMBIENT, "voice": voice, "level": level}
            case [0x58, 0x00, preset, 0]:
                return self.equaliser_order(preset, None)
            case [0x58, 0x00, 0xA0, 6, *bands] if len(bands) == 6:
                return self.equaliser_order(0xA0, bands)
            case [0xF8, 0x01, (0 | 1) as is_off]:
                return {"pause": not is_off}
            case [0xE8, 0x01, (0 | 1) as is_on]:
                return {"upscales": bool(is_on)}
            case [0xA8, 0x20, volume] if volume <= 30:
                return {"volume": volume}
        return None

    def reports(self, about):
        state = self.state
        if about & {"battery", "charging"}:
            yield self.buds(0x25)
            yield self.case(0x25)
        if about & {"noise", "level", "voice"}:
            yield self.noise(0x69)
        if about & {"preset", "bands"}:
            yield self.equaliser(0x59, 0x00)
        if "pause" in about:
            yield bytes([0xF9, 0x01, int(not state.pause)])
        if "upscales" in about:
            yield bytes([0xE9, 0x01, int(state.upscales)])
        if "volume" in about:
            yield bytes([0xA9, 0x20, state.volume])

    def events(self, about):
        reported = super().events(about)
        if about & {"devices", "playing"}:
            reported.append(lambda: self.tell(self.paired(0x39), SECOND_COMMAND))
        return reported
