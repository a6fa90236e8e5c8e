"""Events of docs/protocol.md, section 4, as a headphone says them."""

WEARING = 0x01
BATTERY = 0x02
ANC = 0x03
EQ = 0x05
LID = 0x06
TOUCH = 0x07
ERROR = 0x7F

UNKNOWN_LEVEL = 0xFF


def wearing(left, right):
    return bytes([WEARING, left, right])


def battery(levels, charging):
    """`levels`: left, right, case in % (None: unknown); `charging`: names of those that do."""
    bits = sum(1 << i for i, part in enumerate(("left", "right", "case")) if part in charging)
    known = [UNKNOWN_LEVEL if level is None else level for level in levels]
    return bytes([BATTERY, *known, bits])


def anc(mode):
    return bytes([ANC, mode])


def eq(preset, bands=None):
    """`bands`: signed steps of 0.5 dB; None where the headphone has no bands."""
    tail = [] if bands is None else [len(bands), *(band & 0xFF for band in bands)]
    return bytes([EQ, preset, *tail])


def lid(is_open):
    return bytes([LID, is_open])
