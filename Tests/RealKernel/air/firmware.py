"""The headphone's side of docs/protocol.md, section 7: two slots, blocks, trial and rollback."""

import asyncio
import hashlib
import struct

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

OK = 0
BAD_PAYLOAD = 2
BATTERY_TOO_LOW = 5
WRONG_STATE = 8
SIGNATURE_INVALID = 10
WRONG_HARDWARE = 11
DOWNGRADE_REFUSED = 12
DIGEST_WRONG = 15
BLOCK_CRC_WRONG = 16

IDLE, RECEIVING, RECEIVED, VERIFIED, TRIAL, ROLLED_BACK = range(6)

PROGRESS = 0x04
ACKNOWLEDGED = 0x08

MANIFEST = struct.Struct("<4sIBBHIIB3x32sI4x")
SIGNATURE_BYTES = 64
OFFSET_BYTES = 4
TRIAL_TIME = 60.0  # s
WINDOW = 32
LONGEST_FRAME = 512
ACKNOWLEDGES_AFTER = 4
BITMAP_BITS = 32

CASTAGNOLI = 0x82F63B78
"""The polynomial of CRC-32C, reflected."""


def crc32c(data):
    rest = 0xFFFFFFFF
    for byte in data:
        rest ^= byte
        for _ in range(8):
            rest = rest >> 1 ^ (CASTAGNOLI if rest & 1 else 0)
    return rest ^ 0xFFFFFFFF


class Manifest:
    def __init__(self, data):
        (
            self.magic,
            self.hardware,
            self.major,
            self.minor,
            self.patch,
            self.size,
            self.block,
            self.battery,
            self.digest,
            self.counter,
        ) = MANIFEST.unpack(data)

    @property
    def makes_sense(self):
        is_power = self.block & (self.block - 1) == 0
        return self.magic == b"EFW1" and 512 <= self.block <= 65536 and is_power and self.size > 0

    @property
    def version(self):
        return (self.major, self.minor, self.patch)


class Slot:
    """An image that is coming, or has come."""

    def __init__(self, header):
        self.header = header
        self.manifest = Manifest(header[: MANIFEST.size])
        self.data = bytearray()
        self.good_blocks = 0

    @property
    def good_bytes(self):
        return min(self.good_blocks * self.manifest.block, self.manifest.size)

    @property
    def is_whole(self):
        return self.good_bytes == self.manifest.size

    def drop_unchecked(self):
        del self.data[self.good_bytes :]


class Firmware:
    """`say` sends an event; `restart` ends the link and lets the headphone start again."""

    def __init__(self, model, battery, say, restart):
        self.hardware = int(model.hardware, 0) if model.hardware.startswith("0x") else 0
        self.key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(model.maker_key))
        self.loses = set(model.loses_frames)
        self.dies_at = model.battery_out_at
        self.battery = battery
        self.say = say
        self.restart = restart
        self.running = tuple(int(part) for part in model.firmware.split("."))
        self.image = b""
        self.counter = 1
        self.before = None
        self.state = IDLE
        self.slot = None
        self.boots_slot = False
        self.trial = None
        self.frames = 0
        self.begins = []
        self.forget_memory()

    def forget_memory(self):
        """What no flash keeps: the window, and frames that wait for an earlier one."""
        self.is_receiving = False
        self.early = {}
        self.frame_length = None
        self.unacknowledged = 0

    # Power

    def start(self):
        """What happens when power comes, whoever took it."""
        self.forget_memory()
        if self.trial:
            self.trial.cancel()
            self.trial = None
        if self.boots_slot:
            self.boots_slot = False
            self.before = (self.running, self.counter, self.image)
            manifest = self.slot.manifest
            self.running, self.counter = manifest.version, manifest.counter
            self.image, self.slot, self.state = bytes(self.slot.data), None, TRIAL
            self.trial = asyncio.get_running_loop().call_later(TRIAL_TIME, self.restart)
        elif self.state == TRIAL:
            self.running, self.counter, self.image = self.before
            self.state = ROLLED_BACK
        elif self.slot:
            self.slot.drop_unchecked()

    # Commands

    def begin(self, payload):
        if len(payload) < MANIFEST.size + SIGNATURE_BYTES:
            return BAD_PAYLOAD, b""
        header = bytes(payload[: MANIFEST.size + SIGNATURE_BYTES])
        manifest = Manifest(header[: MANIFEST.size])
        if self.state == TRIAL or self.boots_slot:
            return WRONG_STATE, b""
        refusal = self.refusal(manifest, header)
        if refusal:
            return refusal, b""
        if self.slot and self.slot.manifest.digest == manifest.digest:
            self.slot.header, self.slot.manifest = header, manifest
            self.slot.drop_unchecked()
        else:
            self.slot, self.state = Slot(header), RECEIVING
        self.forget_memory()
        self.is_receiving = True
        self.begins.append(len(self.slot.data))
        return OK, struct.pack("<IBH", len(self.slot.data), WINDOW, LONGEST_FRAME)

    def refusal(self, manifest, header):
        if not manifest.makes_sense:
            return BAD_PAYLOAD
        if not self.is_signed(header):
            return SIGNATURE_INVALID
        if manifest.hardware != self.hardware:
            return WRONG_HARDWARE
        if manifest.counter <= self.counter:
            return DOWNGRADE_REFUSED
        if any(level is not None and level < manifest.battery for level in self.battery()):
            return BATTERY_TOO_LOW
        return OK

    def is_signed(self, header):
        try:
            self.key.verify(header[MANIFEST.size :], header[: MANIFEST.size])
        except InvalidSignature:
            return False
        return True

    def data(self, payload):
        """Command 0x51, for phones that find no data characteristic."""
        if not self.is_receiving or len(payload) <= OFFSET_BYTES:
            return (WRONG_STATE if not self.is_receiving else BAD_PAYLOAD), b""
        self.store(payload)
        return OK, struct.pack("<I", len(self.slot.data))

    def block_done(self, payload):
        if len(payload) < 6:
            return BAD_PAYLOAD, b""
        index, checksum = struct.unpack_from("<HI", payload)
        if not self.is_receiving or index > self.slot.good_blocks:
            return WRONG_STATE, b""
        if index < self.slot.good_blocks:
            return OK, b""
        start = index * self.slot.manifest.block
        end = min(start + self.slot.manifest.block, self.slot.manifest.size)
        if start >= end or len(self.slot.data) < end:
            return WRONG_STATE, b""
        if crc32c(self.slot.data[start:end]) != checksum:
            del self.slot.data[start:]
            self.early = {}
            return BLOCK_CRC_WRONG, b""
        self.slot.good_blocks += 1
        if self.slot.is_whole:
            self.state = RECEIVED
        self.say(bytes([PROGRESS, end * 100 // self.slot.manifest.size]))
        return OK, b""

    def verify(self, _):
        if self.state not in (RECEIVED, VERIFIED):
            return WRONG_STATE, b""
        if not self.is_signed(self.slot.header):
            return SIGNATURE_INVALID, b""
        if self.slot.manifest.counter <= self.counter:
            return DOWNGRADE_REFUSED, b""
        if hashlib.sha256(self.slot.data).digest() != self.slot.manifest.digest:
            return DIGEST_WRONG, b""
        self.state = VERIFIED
        return OK, b""

    def activate(self, _):
        if self.state != VERIFIED:
            return WRONG_STATE, b""
        self.boots_slot = True
        return OK, b""

    def confirm(self, _):
        if self.state != TRIAL:
            return WRONG_STATE, b""
        self.trial.cancel()
        self.trial, self.before, self.state = None, None, IDLE
        return OK, b""

    def abort(self, _):
        if self.state == TRIAL or self.boots_slot:
            return WRONG_STATE, b""
        self.slot, self.state = None, IDLE
        self.forget_memory()
        return OK, b""

    def status(self, _):
        pending = self.slot.manifest.version if self.slot else (0, 0, 0)
        offset = len(self.slot.data) if self.slot else 0
        return OK, struct.pack("<BIBBHBBH", self.state, offset, *self.running, *pending)

    # Frames

    def frame(self, value):
        """A value of the data characteristic; nobody is told of one that makes no sense."""
        if not self.is_receiving or len(value) <= OFFSET_BYTES:
            return
        self.frames += 1
        if self.frames in self.loses:
            return
        held = len(self.slot.data)
        is_missing_one = struct.unpack_from("<I", value)[0] > held
        self.store(value)
        self.unacknowledged += 1
        is_due = self.unacknowledged >= ACKNOWLEDGES_AFTER or self.early or is_missing_one
        if is_due or len(self.slot.data) == self.slot.manifest.size:
            self.acknowledge()
        if self.dies_at is not None and len(self.slot.data) >= self.dies_at:
            self.dies_at = None
            self.restart()

    def store(self, value):
        offset, data = struct.unpack_from("<I", value)[0], bytes(value[OFFSET_BYTES:])
        if offset + len(data) > self.slot.manifest.size:
            return
        if offset + len(data) < self.slot.manifest.size:
            self.frame_length = len(data)
        if offset > len(self.slot.data):
            if len(self.early) < WINDOW:
                self.early[offset] = data
            return
        self.append(offset, data)
        while following := [start for start in self.early if start <= len(self.slot.data)]:
            start = min(following)
            self.append(start, self.early.pop(start))

    def append(self, offset, data):
        self.slot.data += data[len(self.slot.data) - offset :]

    def acknowledge(self):
        self.unacknowledged = 0
        held, bitmap = len(self.slot.data), 0
        for start in self.early:
            place = (start - held) // (self.frame_length or 1)
            if 1 <= place <= BITMAP_BITS:
                bitmap |= 1 << place - 1
        self.say(struct.pack("<BIBI", ACKNOWLEDGED, held, WINDOW - len(self.early), bitmap))


COMMANDS = {
    0x50: Firmware.begin,
    0x51: Firmware.data,
    0x52: Firmware.block_done,
    0x53: Firmware.verify,
    0x54: Firmware.activate,
    0x55: Firmware.confirm,
    0x56: Firmware.abort,
    0x57: Firmware.status,
}
