"""Samsung's Galaxy Buds2 Pro.

A frame is `FD header(LE) number payload crc(LE) DD`; the header's lower ten bits count number, payload and
CRC-16/XMODEM over both. The buds tell all by themselves; some numbers reset them or switch them off.
"""

import struct
from dataclasses import dataclass, field

from bumble.core import UUID

from .serial import Serial, xmodem

FIRST, LAST = 0xFD, 0xDD
SIZE, RESPONSE = 0x3FF, 0x1000
SHORT, STATE, CONFIRMED, VERSIONS, NOISE_CHANGED = 0x60, 0x61, 0x42, 0x63, 0x77
SET_NOISE, SET_AMBIENT, SET_EQUALISER, MANAGER, TOUCH = 0x78, 0x84, 0x86, 0x88, 0x90
FIND, STOP, MUTE, MUTED = 0xA0, 0xA1, 0xA2, 0xA3
FLAGS = {"6F": 28, "85": 8, "AF": 19, "7A": 26, "7B": 27}
"""Where the state has a flag, by the order that sets it."""
GONE, WORN, OUTSIDE, IN_CASE = 0, 1, 2, 3


@dataclass
class GalaxyBudsState:
    battery: list = field(default_factory=lambda: [99, 97, 64])
    """Left, right, case in %; 0 of a bud with place 0: it is not there."""
    charging: list = field(default_factory=list)
    places: list = field(default_factory=lambda: [WORN, WORN])
    noise: int = 2
    """0 off, 1 cancelling, 2 ambient."""
    level: int = 1
    equaliser: int = 0
    """0 off, else a preset's number and 1."""
    touch: int = 0xBF
    """Bit 80 clear: locked."""
    holds: int = 0x21
    """What touching and holding does, a digit for each bud."""
    flags: dict = field(default_factory=lambda: {"6F": 0, "85": 1, "AF": 0, "7A": 1, "7B": 1})
    """Noise control with one bud; game mode; seamless connection, 1 off; conversation detection and its time; by their
    order."""
    rings: bool = False
    muted: list = field(default_factory=lambda: [0, 0])


class GalaxyBuds(Serial):
    State = GalaxyBudsState
    SERVICE = UUID("2E73A4AD-332D-41FC-90E2-16BEF06523F2")
    VENDOR, PRODUCT = 0x0075, 0xA013
    RECORDED = bytes.fromhex(
        "0b0463630100110001 00bf2102004801480103000366000100100101"
        "00001102010100010000010000000000"
    )
    """The state of real ones; what stands where is filled in."""

    def begin(self):
        self.tell(STATE, self.whole())
        self.tell(VERSIONS, bytes.fromhex("00000180050180050000"), kind=0x4000)

    @staticmethod
    def frame(number, payload=b"", kind=RESPONSE):
        content = bytes([number]) + bytes(payload)
        head = struct.pack("<BH", FIRST, kind | len(content) + 2)
        return head + content + struct.pack("<HB", xmodem(content), LAST)

    def tell(self, number, payload=b"", kind=0):
        self.write(self.frame(number, payload, kind))

    def size(self):
        """What is before the next beginning is none of a frame."""
        before = len(self.heard.partition(bytes([FIRST]))[0])
        if before:
            self.garbage(self.heard[:before])
            self.heard = self.heard[before:]
        if len(self.heard) < 3:
            return None
        return (struct.unpack_from("<H", self.heard, 1)[0] & SIZE) + 4

    def take(self, frame):
        content = frame[3:-3]
        if frame[-1] != LAST or struct.unpack("<H", frame[-3:-1])[0] != xmodem(content):
            return self.garbage(frame)
        number, payload = content[0], content[1:]
        self.headphone.see("asked", number=f"{number:02X}", payload=payload.hex())
        return self.execute(number, payload)

    def places(self):
        left, right = self.state.places
        return left << 4 | right

    def charges(self):
        bits = {0: 0x10, 1: 0x04, 2: 0x01}
        return sum(bits[part] for part in self.state.charging)

    def whole(self):
        state, reported = self.state, bytearray(self.RECORDED)
        reported[2:4] = state.battery[:2]
        reported[6], reported[7] = self.places(), state.battery[2]
        reported[9], reported[10], reported[12], reported[23] = (
            state.equaliser,
            state.touch,
            state.noise,
            state.level,
        )
        reported[11] = state.holds
        for order, place in FLAGS.items():
            reported[place] = state.flags[order]
        reported[43] = self.charges()
        return bytes(reported)

    def execute(self, number, payload):
        state = self.state
        change = {}
        match number, list(payload):
            case (0x88, [1, _, _]):
                self.tell(STATE, self.whole())
                return
            case (0x78, [(0 | 1 | 2) as mode]):
                # Cancelling takes both buds in the ears, unless one is allowed.
                if mode != 1 or state.places == [WORN, WORN] or state.flags["6F"]:
                    change = {"noise": mode}
            case (0x84, [level]) if level <= 2:
                change = {"level": level}
            case (0x86, [preset]) if preset <= 5:
                change = {"equaliser": preset}
            case (0x90, [is_free, tap, double, triple, hold, *_]):
                bits = is_free << 7 | tap << 3 | double << 2 | triple << 1 | hold
                change = {"touch": bits | state.touch & 0x70}
            case (0x92, [left, right]) if 1 <= left <= 4 and 1 <= right <= 4:
                change = {"holds": left << 4 | right}
            case (0x6F | 0x85 | 0xAF | 0x7A | 0x7B, [flag]) if flag <= (2 if number == 0x7B else 1):
                change = {"flags": {**state.flags, f"{number:02X}": flag}}
            case (0xA0, []):
                self.headphone.change(False, rings=WORN not in state.places)
                return
            case (0xA1, []):
                self.headphone.change(False, rings=False, muted=[0, 0])
                return
            case (0xA2, [(0 | 1) as left, (0 | 1) as right]):
                self.headphone.change(False, muted=[left, right])
                self.tell(MUTED, payload)
                return
            case _:
                self.headphone.see("strange order", number=number)
                return
        self.headphone.change(False, **change)
        if number == SET_NOISE:
            self.tell(CONFIRMED, bytes([number, state.noise]))
            self.tell(NOISE_CHANGED, bytes([state.noise, 1]))
        else:
            self.tell(CONFIRMED, bytes([number]) + payload)

    def news(self, about):
        state = self.state
        if about & {"battery", "charging", "places"}:
            short = [0x0B, *state.battery[:2], 1, 0, self.places(), state.battery[2]]
            yield self.frame(SHORT, bytes([*short, self.charges()]), kind=0)
        if "noise" in about:
            yield self.frame(NOISE_CHANGED, bytes([state.noise, 1]), kind=0)
        if about & {"level", "equaliser", "touch", "holds", "flags"}:
            yield self.frame(STATE, self.whole(), kind=0)
