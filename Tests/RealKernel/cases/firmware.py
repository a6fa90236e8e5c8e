"""Firmware: whole updates to a headphone that reads docs/protocol.md, section 7, its own way."""

import hashlib

from bench.failure import equal, expect

from .timing import OWN

SIZE = 40_001
BLOCK = 4096
WINDOW = 32 * 512
"""Bytes that may be on their way. The check of a block waits behind them, so power that is lost
earlier than a block and a window after the start leaves nothing to go on from."""
LOST_AT = 25_000
IDLE = 0


def make_image(rig, size=SIZE, unprivileged=False):
    """Writes `new.fw` of a new maker; the bytes, and what a headphone that trusts the maker is."""

    def earshot(*arguments):
        rig.earshot("firmware", *arguments, unprivileged=unprivileged).succeeded()

    home = rig.earshot.runner(unprivileged)["cwd"]
    earshot("keygen", "maker")
    code = bytes((place * 31 + place // 251) % 256 for place in range(size))
    with open(f"{home}/app.bin", "wb") as file:
        file.write(code)
    make = ("--hardware", "0xA102", "--version", "1.1.0", "--security-counter", "2")
    earshot("pack", "app.bin", "-o", "new.fw", *make, "--block-size", str(BLOCK))
    earshot("sign", "new.fw", "--with", "maker.key")
    with open(f"{home}/maker.pub") as file:
        key = file.read().strip()
    features = ("anc", "eq", "case", "firmware_update")
    return code, {"features": features, "hardware": "0xA102", "maker_key": key}


def prepare(rig, **options):
    """A headphone that trusts a new maker, the image that it is sent, and the image's bytes."""
    code, trusting = make_image(rig)
    return rig.headphone(**trusting, **options), code


def install(rig):
    return rig.earshot("firmware", "install", "new.fw", "--key", "maker.pub", "--json")


def runs_new(headphone, code):
    firmware = headphone.firmware
    equal(firmware["version"], [1, 1, 0], "version that runs")
    equal(firmware["sha256"], hashlib.sha256(code).hexdigest(), "SHA-256 of what runs")
    equal(firmware["state"], IDLE, "state: confirmed")
    return firmware


def case_a_firmware_update_ends_with_the_same_bytes(rig):
    headphone, code = prepare(rig, loses_frames=[3, 4, 9])
    result = install(rig).succeeded()
    expect('"installed","version":"1.1.0"' in result.output, f"success is not reported: {result}")
    firmware = runs_new(headphone, code)
    equal(firmware["begins"], [0], "offsets at which it began")


def case_a_firmware_update_resumes_when_the_headphone_was_off_in_the_middle(rig):
    headphone, code = prepare(rig, battery_out_at=LOST_AT)
    install(rig).succeeded()
    lost = headphone.wait_for("lost power")["bytes"]
    expect(LOST_AT <= lost < SIZE, f"its battery was out at {lost}")
    begins = runs_new(headphone, code)["begins"]
    equal(begins[0], 0, "first offset")
    expect(
        lost - WINDOW - 2 * BLOCK < begins[1] <= lost and begins[1] % BLOCK == 0,
        f"offsets where it began: {begins}, power lost at {lost}",
    )


def begin_install(screen, home):
    screen.press("U")
    screen.wait_for("FIRMWARE IMAGE")
    screen.press(f"{home}/new.fw", "Enter")
    screen.wait_for("signed with a trusted key", "1.1.0 is newer", "Enter Install")
    screen.press("Enter")
    screen.wait_for("INSTALL FIRMWARE?", "restart")
    screen.press("y")


def case_the_screen_updates_the_firmware(rig):
    headphone, code = prepare(rig)
    home = rig.earshot.home
    screen = rig.screen("--key", f"{home}/maker.pub", columns=120, rows=40)
    screen.wait_for("CONTROL LINK", "● ready")
    begin_install(screen, home)
    screen.wait_for("1.1.0 is installed.")
    # Quick on both links of the update, and then as it was.
    equal([timing["interval"] for timing in headphone.seen("timing")], [15.0, 15.0], "timing")
    headphone.wait_for("timing", **OWN)
    runs_new(headphone, code)
