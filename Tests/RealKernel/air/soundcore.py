"""Soundcore's Sport X20 on its serial channel.

A frame is `08 EE 00 00 00` of the phone or `09 FF 00 00 01` of its own, a command of two bytes, the whole
frame's length (LE), a body, and the sum of all before. An order for the sound modes is written over the
state as it comes: one of another width than six bytes changes what is behind them.
"""

import struct
from dataclasses import dataclass, field

from bumble.core import UUID

from .serial import Serial

PHONE, OWN = bytes.fromhex("08ee000000"), bytes.fromhex("09ff000001")
OVERHEAD = 10
WHOLE, BATTERY, CHARGING, MODES, SET_MODES = 0x0101, 0x0103, 0x0104, 0x0601, 0x0681
SET_PRESS = 0x0481
DEVICES, DISCONNECT, CONNECT, FORGET = 0x0B01, 0x0B81, 0x0B82, 0x0B83
MODES_AT, WIDTH, CASE_AT = 117, 6, 37
PRESSES_AT, PRESSES = 110, (2, 0, 1)
"""One, two, and held; of each first the left bud."""
SETTINGS = {0x0286: 124, 0x0B84: 126, 0x0183: 127, 0x0186: 128}
"""Surround sound, two devices at once, touch tone and automatic power off, by their order."""
CANCELLING, TRANSPARENCY, NORMAL = 0, 1, 2
RECORDED = bytes.fromhex(
    "000105050000 30312e3635 30312e3635"
    "33393638303030303030303030303030 0000000000 02 fefe"
    "78787878787878787878ffffffffffffffffff300101"
    "87728c8e9691a6863c3c87728c8e9691a6863c3cffffffff01"
    "97978c8f9791a5863c0097978c8f9791a5863c000000"
    "08616630334444370032010000ff36010001000102"
    "01ffffffffffffffffffffffff"
)
"""The state of a real one, with another serial number."""


@dataclass
class SoundcoreSerialState:
    battery: list = field(default_factory=lambda: [5, 4, 2])
    """Left, right, case; of 5."""
    charging: list = field(default_factory=lambda: [0, 0])
    state: str = RECORDED.hex()
    devices: list = field(
        default_factory=lambda: [["6614922c3ad4", "Pixel 6a", 1], ["6714922c3ad4", "Tablet 7", 0]]
    )
    """Address as it is sent, name, and whether it is connected, of the phones that it knows."""
    width: int = WIDTH
    """The bytes that it answers when it is asked for the sound modes alone."""


class SoundcoreSerial(Serial):
    State = SoundcoreSerialState
    SERVICE = UUID("0CF12D31-FAC3-4553-BD80-D6832E7B3968")

    @staticmethod
    def frame(command, body=b""):
        head = OWN + command.to_bytes(2, "big") + struct.pack("<H", len(body) + OVERHEAD)
        frame = head + bytes(body)
        return frame + bytes([sum(frame) % 256])

    def size(self):
        return struct.unpack_from("<H", self.heard, 7)[0] if len(self.heard) >= 9 else None

    def take(self, frame):
        if frame[:5] != PHONE or sum(frame[:-1]) % 256 != frame[-1]:
            return self.garbage(frame)
        command, body = int.from_bytes(frame[5:7], "big"), frame[9:-1]
        self.headphone.see("asked", command=f"{command:04X}", payload=body.hex())
        if command in (SET_MODES, *SETTINGS):
            place, whole = SETTINGS.get(command, MODES_AT), bytearray(self.whole())
            whole[place : place + len(body)] = body
            self.headphone.change(False, state=bytes(whole).hex())
        if command == SET_PRESS and len(body) == 3 and body[1] in PRESSES:
            side, press, action = body
            whole = bytearray(self.whole())
            whole[PRESSES_AT + 2 * PRESSES.index(press) + side] = action
            self.headphone.change(False, state=bytes(whole).hex())
        if command == DEVICES:
            return self.tell_devices()
        if command in (DISCONNECT, CONNECT, FORGET):
            return self.manage(command, body.hex())
        if (reported := self.value_of(command)) is not None:
            self.write(self.frame(command, reported))
        return None

    def tell_devices(self):
        """A frame for each device, its name in 32 bytes."""
        for number, (address, name, is_on) in enumerate(self.state.devices, 1):
            entry = bytes([40, is_on]) + bytes.fromhex(address) + name.encode().ljust(32, b"\0")
            self.write(self.frame(DEVICES, bytes([len(self.state.devices), number]) + entry))

    def manage(self, command, address):
        """Orders are not answered."""
        devices = [
            [known, name, {CONNECT: 1, DISCONNECT: 0}.get(command, on) if known == address else on]
            for known, name, on in self.state.devices
            if known != address or command != FORGET
        ]
        self.headphone.change(False, devices=devices)

    def whole(self):
        state, whole = self.state, bytearray.fromhex(self.state.state)
        whole[2:4], whole[4:6] = state.battery[:2], state.charging
        whole[CASE_AT] = state.battery[2]
        return bytes(whole)

    def value_of(self, command):
        state, whole = self.state, self.whole()
        match command:
            case 0x0101:
                return whole
            case 0x0103:
                return whole[2:4]
            case 0x0104:
                return whole[4:6]
            case 0x0601:
                return whole[MODES_AT : MODES_AT + state.width]
            case 0x0681 | 0x0481:
                return b""
        return b"" if command in SETTINGS else None

    def news(self, about):
        kinds = {"battery": BATTERY, "charging": CHARGING, "state": MODES}
        return [self.frame(kinds[key], self.value_of(kinds[key])) for key in kinds if key in about]
