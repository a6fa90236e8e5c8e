"""1MORE's SonoFlow.

A frame is `sender(2) command(BE) length(BE) sequence(BE) checksum payload`: the sender is 11 01 or, of its
own, 01 01, and the checksum is the XOR of the eight bytes before it. An answer repeats command and sequence.
An order has the number before its question's.
"""

import functools
import operator
import struct
from dataclasses import dataclass, field

from .serial import Serial

PHONE, OWN = 0x1101, 0x0101
HEAD = struct.Struct(">HHHH")
INFORMATION, NOISE, LDAC, DEVICES, PRESET = 0x4E, 0x5F, 0x6C, 0x77, 0x6A
VALUES = {NOISE: (0, 1, 3), LDAC: (0, 2), DEVICES: (0, 1), PRESET: range(12)}
"""What each of its settings takes, by the number of the question."""
FIRMWARE = bytes([1, 2, 3])


@dataclass
class OneMoreState:
    battery: int = 80
    """In %, in tens."""
    values: dict = field(
        default_factory=lambda: {"noise": 1, "ldac": 0, "devices": 1, "preset": 0}
    )


class OneMore(Serial):
    State = OneMoreState
    NAMES = {NOISE: "noise", LDAC: "ldac", DEVICES: "devices", PRESET: "preset"}

    @staticmethod
    def checksum(head):
        return functools.reduce(operator.xor, head)

    def frame(self, command, sequence, payload):
        head = HEAD.pack(OWN, command, len(payload), sequence)
        return head + bytes([self.checksum(head)]) + payload

    def size(self):
        head = HEAD.size + 1
        return head + HEAD.unpack_from(self.heard)[2] if len(self.heard) >= head else None

    def take(self, frame):
        sender, command, _, sequence = HEAD.unpack_from(frame)
        if sender != PHONE or self.checksum(frame[: HEAD.size]) != frame[HEAD.size]:
            return self.garbage(frame)
        payload = frame[HEAD.size + 1 :]
        self.headphone.see("asked", command=f"{command:02X}", payload=payload.hex())
        if (answer := self.answer(command, payload)) is not None:
            self.write(self.frame(command, sequence, answer))
        return None

    def answer(self, command, payload):
        values = self.state.values
        if command == INFORMATION:
            level = bytes([self.state.battery])
            return bytes(1) + FIRMWARE + level + bytes(3) + level + bytes(1)
        if command in VALUES:
            return bytes([values[self.NAMES[command]]])
        question = command + 1
        if question not in VALUES or len(payload) != 1 or payload[0] not in VALUES[question]:
            return None
        self.headphone.change(False, values={**values, self.NAMES[question]: payload[0]})
        return bytes([1])
