"""A QC45 of Bose's.

A frame is `block function operator length payload`, without a checksum. It answers nothing before the
question for its version, refuses SET, tells changes of the blocks that were subscribed to, and changes
its mode some time after it has said PROCESSING.
"""

from dataclasses import dataclass, field

from .serial import Serial

SET, GET, SET_GET, STATUS, ERROR, START, RESULT, PROCESSING = range(8)
NO_BLOCK, NO_FUNCTION, NO_OPERATOR, BAD_VALUE = 3, 4, 5, 6
VERSION, IDENTITY, FIRMWARE = (0, 1), (0, 3), (0, 5)
EQUALISER, SIDETONE, PAUSE = (1, 7), (1, 11), (1, 24)
PROMPTS, MULTIPOINT, AUTO_ANSWER = (1, 3), (1, 10), (1, 27)
BATTERY, SOURCE, MODE = (2, 2), (5, 1), (31, 3)
CONNECT, DISCONNECT, FORGET, DEVICES, DEVICE = (4, 1), (4, 2), (4, 3), (4, 4), (4, 5)
PLAY, NOTIFICATIONS = (4, 12), (9, 2)
CONNECTED, ASKS = 1, 2
"""Bits of a device's status: the second is that of the one that asks."""
PLAY_HERE = 0x82
BLUETOOTH = bytes([0x00, 0x02, 1])
LEAST, MOST = 0xF6, 0x0A
CHANGING = 3  # s until a mode is in force, or a device is connected


@dataclass
class BoseState:
    battery: int = 90
    mode: int = 0
    """0 quiet, 1 aware; it has no other."""
    bands: list = field(default_factory=lambda: [0, 0, 0])
    """Bass, middle, treble; -10 to 10."""
    sidetone: int = 2
    """0 off, 1 high, 2 medium, 3 low."""
    pause: int = 1
    prompts: int = 0x61
    """Bit 20 is on, the lower ones are the language."""
    multipoint: int = 0x07
    """Bit 0 is on; an order repeats the others."""
    answers: int = 0
    """Whether it takes calls by itself."""
    devices: list = field(
        default_factory=lambda: [
            ["c40f080053a1", "Old phone", True],
            ["9445600053a2", "Tablet \x1b[31m", False],
        ]
    )
    """Address, name, and whether it is connected, of the phones and computers that it knows."""
    own: str = ""
    """The address of this computer among them."""
    playing: str = ""
    """The address of the one that it plays; empty: it tells nobody."""


class Bose(Serial):
    State = BoseState
    VENDOR, PRODUCT = 0x009E, 0x4039
    told = 0
    """Bits of the blocks whose changes it tells to who has the channel."""

    def begin(self):
        self.is_greeted = False
        self.told = 0
        # It tells unasked where its sound comes from.
        self.tell(SOURCE, STATUS, self.source())

    def source(self):
        return BLUETOOTH + bytes.fromhex(self.state.playing or "00" * 6)

    @staticmethod
    def frame(function, operator, payload=b""):
        return bytes([*function, operator, len(payload)]) + bytes(payload)

    def tell(self, function, operator, payload=b""):
        self.write(self.frame(function, operator, payload))

    def size(self):
        return 4 + self.heard[3] if len(self.heard) >= 4 else None

    def take(self, frame):
        function, operator, payload = (frame[0], frame[1]), frame[2], frame[4:]
        self.headphone.see(
            "asked", function=list(function), operator=operator, payload=payload.hex()
        )
        if function == VERSION and operator == GET:
            self.is_greeted = True
        if self.is_greeted:
            self.execute(function, operator, payload)

    def value(self, function):
        state = self.state
        match function:
            case (0, 1):
                return b"1.1.0"
            case (0, 3):
                return bytes.fromhex("403901")
            case (0, 5):
                return b"4.0.4"
            case (1, 3):
                return bytes([state.prompts])
            case (1, 10):
                return bytes([state.multipoint])
            case (1, 27):
                return bytes([state.answers])
            case (1, 7):
                bands = enumerate(state.bands)
                return bytes(
                    byte for band, gain in bands for byte in (LEAST, MOST, gain & 0xFF, band)
                )
            case (1, 11):
                return bytes([1, state.sidetone, 0x0F])
            case (1, 24):
                return bytes([state.pause])
            case (9, 2):
                return self.told.to_bytes(4, "big")
            case (2, 2):
                return bytes([state.battery, 0xFF, 0xFF, 0])
            case (31, 3):
                return bytes([state.mode])
            case (5, 1) if state.playing:
                return self.source()
        return None

    def execute(self, function, operator, payload):
        if function in (CONNECT, DISCONNECT, FORGET, PLAY, DEVICES, DEVICE):
            return self.manage(function, operator, payload)
        value = self.value(function)
        if value is None:
            known = (0, 1, 2, 31)
            return self.refuse(function, NO_FUNCTION if function[0] in known else NO_BLOCK)
        match operator:
            case 1:
                return self.tell(function, STATUS, value)
            case 2:
                return self.write_setting(function, payload)
            case 5 if function == MODE:
                return self.start(payload)
        return self.refuse(function, NO_OPERATOR)

    def manage(self, function, operator, payload):
        devices = {address: (name, on) for address, name, on in self.state.devices}
        if (function, operator) == (DEVICES, GET):
            linked = sum(on << index for index, (_, on) in enumerate(devices.values()))
            return self.tell(DEVICES, STATUS, bytes([linked]) + bytes.fromhex("".join(devices)))
        address = payload[-6:].hex()
        if address not in devices:
            return self.refuse(function, BAD_VALUE)
        name, is_on = devices[address]
        if (function, operator) == (DEVICE, GET):
            status = (CONNECTED if is_on else 0) | (ASKS if address == self.state.own else 0)
            reported = bytes.fromhex(address) + bytes([status, 0, 0])
            return self.tell(DEVICE, STATUS, reported + name.encode())
        if operator != START or len(payload) != (7 if function in (CONNECT, PLAY) else 6):
            return self.refuse(function, NO_OPERATOR)
        if function == PLAY:
            if payload[0] != PLAY_HERE or not is_on:
                return self.refuse(function, BAD_VALUE)
            self.tell(PLAY, PROCESSING, payload[-6:])
            return self.later(CHANGING, lambda: self.headphone.change(True, playing=address))
        if function == FORGET:
            del devices[address]
        else:
            devices[address] = (name, function == CONNECT)
        changed = [[known, *devices[known]] for known in devices]
        if function == FORGET:
            self.headphone.change(False, devices=changed)
            return self.tell(FORGET, RESULT, payload)
        self.tell(function, PROCESSING, payload[-6:])
        return self.later(CHANGING, lambda: self.headphone.change(False, devices=changed))

    def refuse(self, function, code):
        self.headphone.see("refused", function=list(function), code=code)
        self.tell(function, ERROR, bytes([code]))

    def write_setting(self, function, payload):
        if function == NOTIFICATIONS and len(payload) == 5 and payload[0] == 1:
            self.told = int.from_bytes(payload[1:], "big")
            return self.tell(NOTIFICATIONS, STATUS, self.value(NOTIFICATIONS))
        match function, list(payload):
            case (1, 7), [gain, band] if band < 3:
                signed = gain - 256 if gain > 127 else gain
                if abs(signed) > 10:
                    return self.refuse(function, BAD_VALUE)
                bands = list(self.state.bands)
                bands[band] = signed
                change = {"bands": bands}
            case (1, 11), [1, level] if level <= 3:
                change = {"sidetone": level}
            case (1, 24), [(0 | 1) as is_on]:
                change = {"pause": is_on}
            case (1, 3), [prompts] if prompts & 0x1F == self.state.prompts & 0x1F:
                change = {"prompts": prompts}
            case (1, 10), [flags] if flags & 0xFE == self.state.multipoint & 0xFE:
                change = {"multipoint": flags}
            case (1, 27), [(0 | 1) as is_on]:
                change = {"answers": is_on}
            case _:
                return self.refuse(function, BAD_VALUE)
        self.headphone.change(False, **change)
        # Twice in one piece, as recorded.
        frame = self.frame(function, STATUS, self.value(function))
        return self.write(frame + frame)

    def start(self, payload):
        if len(payload) != 2 or payload[0] > 1:
            return self.refuse(MODE, BAD_VALUE)
        self.tell(MODE, PROCESSING)
        return self.later(CHANGING, lambda: self.headphone.change(False, mode=payload[0]))

    def news(self, about):
        kinds = {"battery": BATTERY, "mode": MODE, "bands": EQUALISER, "pause": PAUSE,
                 "playing": SOURCE}  # fmt: skip
        return [
            self.frame(function, STATUS, self.value(function))
            for key, function in kinds.items()
            if key in about and self.told >> function[0] & 1
        ]
