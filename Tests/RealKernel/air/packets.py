"""Packets of docs/protocol.md, section 5: to bytes, and out of a stream of them."""

from dataclasses import dataclass

SYNC = 0xA5
VERSION = 1
HEADER = 6
LONGEST_PAYLOAD = 255

RESPONSE = 0x01
ERROR = 0x02
MORE = 0x04


@dataclass(frozen=True)
class Packet:
    command: int
    sequence: int
    flags: int = 0
    payload: bytes = b""

    def __bytes__(self):
        head = bytes([SYNC, VERSION, self.command, self.sequence, self.flags, len(self.payload)])
        body = head + self.payload
        return body + bytes([sum(body) % 256])


def responses(command, sequence, status, data=b""):
    """What answers a command: one packet, or several when one does not hold the payload."""
    flags = RESPONSE | (ERROR if status else 0)
    payload = bytes([status]) + data
    parts = [payload[i : i + LONGEST_PAYLOAD] for i in range(0, len(payload), LONGEST_PAYLOAD)]
    last = len(parts) - 1
    return [
        Packet(command, sequence, flags | (MORE if i < last else 0), part)
        for i, part in enumerate(parts)
    ]


class Stream:
    """Finds packets in written values; what is none is skipped a byte at a time, and counted."""

    def __init__(self):
        self.bytes = bytearray()
        self.skipped = 0

    def feed(self, data):
        self.bytes += data
        found = []
        while True:
            start = self.bytes.find(SYNC)
            self._skip(len(self.bytes) if start < 0 else start)
            if len(self.bytes) < HEADER:
                return found
            size = HEADER + self.bytes[5] + 1
            if len(self.bytes) < size:
                return found
            whole = bytes(self.bytes[:size])
            if sum(whole[:-1]) % 256 != whole[-1]:
                self._skip(1)
                continue
            del self.bytes[:size]
            found.append((whole[1], Packet(whole[2], whole[3], whole[4], whole[6:-1])))

    def _skip(self, count):
        del self.bytes[:count]
        self.skipped += count
