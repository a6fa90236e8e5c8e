"""What a headphone advertises (docs/protocol.md, section 2)."""

import struct

FLAGS = 0x01
ALL_SHORT_SERVICES = 0x03
ALL_LONG_SERVICES = 0x07
SHORTENED_NAME = 0x08
WHOLE_NAME = 0x09
MANUFACTURER = 0xFF

LE_ONLY_DISCOVERABLE = 0x06
DUAL_MODE_DISCOVERABLE = 0x1A
COMPANY = 0xFFFF
MOST = 31
"""Bytes in an advertisement, and as many again in the scan response."""


def structure(kind, data):
    return bytes([1 + len(data), kind]) + data


def advertisement(model, service, battery):
    """Advertisement and scan response; the name goes where there is room for it."""
    if model.advertisement is not None:
        return bytes.fromhex(model.advertisement), b""
    discoverable = DUAL_MODE_DISCOVERABLE if model.sound else LE_ONLY_DISCOVERABLE
    flags = structure(FLAGS, bytes([discoverable]))
    if not model.is_headphone:
        return flags + structure(WHOLE_NAME, model.name.encode()[: MOST - 5]), b""

    kind = ALL_SHORT_SERVICES if len(service) == 2 else ALL_LONG_SERVICES
    first = flags + structure(kind, service)
    name = model.name.encode()
    address = bytes.fromhex(model.address[:17].replace(":", ""))[::-1]
    # The audio link's address is the LE one here: Bumble's headphones have no BR/EDR side.
    linked = structure(MANUFACTURER, struct.pack("<H", COMPANY) + b"\x01" + address + battery)
    second = b""
    for part in (structure(WHOLE_NAME, name[: MOST - 2]), linked):
        if len(first) + len(part) <= MOST:
            first += part
        elif len(second) + len(part) <= MOST:
            second += part
    return first, second


def battery_bytes(levels, charging):
    """`LL RR CC`: as in event 0x02, charging in bit 7."""
    return bytes(
        0xFF if level is None else level | (0x80 if part in charging else 0)
        for part, level in zip(("left", "right", "case"), levels, strict=True)
    )
