"""Commands of docs/protocol.md, section 6, on a headphone's state; the firmware's go on to it."""

from . import firmware
from .model import FEATURES
from .packets import VERSION

OK = 0
UNKNOWN_COMMAND = 1
BAD_PAYLOAD = 2
NOT_PERMITTED = 4
VERSION_NOT_SUPPORTED = 7
WRONG_STATE = 8

BANDS = 5
LOUDEST_BAND = 24  # steps of 0.5 dB
NAME_BYTES = range(1, 33)
RESET_WORD = b"RESET"


class Refused(Exception):
    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


def expect(condition, status=BAD_PAYLOAD):
    if not condition:
        raise Refused(status)


def execute(headphone, version, packet):
    """Status and data of the response."""
    if version != VERSION:
        return VERSION_NOT_SUPPORTED, b""
    if packet.command in firmware.COMMANDS and headphone.firmware:
        return firmware.COMMANDS[packet.command](headphone.firmware, packet.payload)
    feature, command = TABLE.get(packet.command, (None, None))
    if command is None or (feature and feature not in headphone.model.features):
        return UNKNOWN_COMMAND, b""
    try:
        return OK, command(headphone, packet.payload) or b""
    except Refused as refusal:
        return refusal.status, b""


def capabilities(headphone, payload):
    expect(not payload)
    expect(headphone.model.says_capabilities, UNKNOWN_COMMAND)
    has = headphone.model.features
    bits = sum(1 << i for i, feature in enumerate(FEATURES) if feature in has)
    return bytes(
        [
            VERSION,
            *bits.to_bytes(2, "little"),
            0b1111 if "anc" in has else 0,
            0b1111 if "custom_eq" in has else 0b0111 if "eq" in has else 0,
            BANDS if "custom_eq" in has else 0,
            1,
        ]
    )


def ping(_, payload):
    return payload


def state(headphone, payload):
    expect(not payload)
    return b"".join(bytes([len(event)]) + event for event in headphone.events())


def set_anc(headphone, payload):
    expect(len(payload) == 1 and payload[0] <= 3)
    headphone.change(anc=payload[0])
    return payload


def set_anc_level(headphone, payload):
    expect(len(payload) == 1 and payload[0] <= 10)
    headphone.state.anc_level = payload[0]
    return payload


def set_eq(headphone, payload):
    expect(len(payload) == 1 and payload[0] <= 3)
    headphone.change(eq=payload[0])
    return payload


def set_bands(headphone, payload):
    expect(len(payload) == 1 + BANDS and payload[0] == BANDS)
    bands = [byte - 256 if byte > 127 else byte for byte in payload[1:]]
    expect(all(abs(band) <= LOUDEST_BAND for band in bands))
    headphone.change(eq=3, bands=bands)


def get_bands(headphone, payload):
    expect(not payload)
    return bytes([BANDS, *(band & 0xFF for band in headphone.state.bands)])


def find(headphone, payload):
    expect(len(payload) == 2 and payload[0] in (1, 2, 3) and payload[1] in (0, 1))
    mask, start = payload
    worn = sum(1 << side for side, is_worn in enumerate(headphone.state.wearing) if is_worn)
    expect(not (start and mask & worn), WRONG_STATE)
    headphone.state.finding = (
        headphone.state.finding | mask if start else headphone.state.finding & ~mask
    )
    return bytes([mask])


def set_touch(headphone, payload):
    expect(len(payload) == 3 and payload[0] <= 1 and payload[1] <= 3 and payload[2] <= 7)
    side, gesture, action = payload
    headphone.state.touch[side * 4 + gesture] = action


def get_touch(headphone, payload):
    expect(not payload)
    return bytes(headphone.state.touch)


def wear_detection(headphone, payload):
    expect(len(payload) == 1 and payload[0] <= 1)
    headphone.state.wear_detection = payload[0]


def rename(headphone, payload):
    expect(len(payload) in NAME_BYTES)
    try:
        headphone.rename(payload.decode())
    except UnicodeDecodeError:
        raise Refused(BAD_PAYLOAD) from None


def factory_reset(headphone, payload):
    expect(payload == RESET_WORD)
    expect(headphone.is_bonded, NOT_PERMITTED)
    headphone.after_response(headphone.forget_and_drop)


def restart(headphone, payload):
    expect(not payload)
    headphone.after_response(headphone.restart)


TABLE = {
    0x01: (None, capabilities),
    0x02: (None, ping),
    0x03: (None, state),
    0x10: ("anc", set_anc),
    0x11: ("anc_level", set_anc_level),
    0x20: ("eq", set_eq),
    0x21: ("custom_eq", set_bands),
    0x22: ("custom_eq", get_bands),
    0x30: ("find", find),
    0x31: ("touch_actions", set_touch),
    0x32: ("touch_actions", get_touch),
    0x33: ("wear_detection", wear_detection),
    0x34: ("rename", rename),
    0x70: ("factory_reset", factory_reset),
    0x71: (None, restart),
}
"""Command id to the feature it belongs to (None: all have it) and what does it."""
