"""Technics's EAH-AZ80.

A frame is `05 kind length(LE) command(LE) payload`, without a checksum; the length counts command and
payload. Kind 5A asks or orders, 5B answers, with 0 in front where it could, and 5D tells by itself: the level
of a bud comes so, behind an answer that has none.
"""

import struct
from dataclasses import dataclass, field

from bumble.core import UUID

from .serial import Serial

MARK = 0x05
ASKS, ANSWERS, TELLS = 0x5A, 0x5B, 0x5D
BUD, CASE, NOISE, SET_NOISE = 0x0CD6, 0x0040, 0x000A, 0x000B
ADAPTIVE, ATTENTION, CANCELLING = 0x0068, 0x0022, 0x0039
DONE, REFUSED = bytes(1), bytes([1])
SIDES = {0: 1, 1: 0}
"""Its number of a side, right and left, to the place in the state."""


@dataclass
class TechnicsState:
    battery: list = field(default_factory=lambda: [90, 80, 70])
    """Left, right, case in %."""
    noise: int = 1
    """0 off, 1 cancelling, 2 transparency."""
    levels: list = field(default_factory=lambda: [100, 50])
    """Of cancelling and of transparency."""
    adapts: bool = True
    """Whether cancelling adapts by itself, over what it is ordered."""


class Technics(Serial):
    State = TechnicsState
    SERVICE = UUID("00000000-0000-0000-0099-AABBCCDDEEFF")

    @staticmethod
    def frame(kind, command, payload=b""):
        return struct.pack("<BBHH", MARK, kind, len(payload) + 2, command) + bytes(payload)

    def size(self):
        return struct.unpack_from("<H", self.heard, 2)[0] + 4 if len(self.heard) >= 4 else None

    def take(self, frame):
        if len(frame) < 6 or frame[0] != MARK or frame[1] != ASKS:
            return self.garbage(frame)
        (command,), payload = struct.unpack_from("<H", frame, 4), frame[6:]
        self.headphone.see("asked", command=f"{command:04X}", payload=payload.hex())
        self.write(self.frame(ANSWERS, command, self.answer(command, payload)))
        if command == BUD and payload[0] in SIDES:
            self.write(self.bud(payload[0]))
        return None

    def bud(self, side):
        return self.frame(TELLS, BUD, bytes([0, side, self.state.battery[SIDES[side]]]))

    def answer(self, command, payload):
        state = self.state
        match command, list(payload):
            case (0x0CD6, [0 | 1]):
                pass
            case (0x0040, []):
                return DONE + bytes([state.battery[2]])
            case (0x000A, []):
                return DONE + bytes([state.noise, *state.levels])
            case (0x000B, [mode, *levels]) if mode <= 2 and len(levels) == 2 and not state.adapts:
                self.headphone.change(False, noise=mode, levels=levels)
            case (0x0068, [(0 | 1) as adapts]):
                self.headphone.change(False, adapts=bool(adapts))
            case (0x0022, [0, 0]) | (0x0039, [0x20, 0x02]):
                pass
            case _:
                return REFUSED
        return DONE

    def news(self, about):
        return [self.bud(side) for side in SIDES] if "battery" in about else []
