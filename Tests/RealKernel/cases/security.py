"""The security check: what the kernel tells of a link's key, and bluetoothd of the adapter."""

from bench.failure import equal, expect
from bench.sound import PulseAudio, Stock

from .pairing import MODEL, NAME


def findings(rig, status=None, **options):
    result = rig.earshot("security", NAME, "--json", **options)
    if status is not None:
        equal(result.status, status, f"exit status of {result}")
    found = {}
    for item in result.json["findings"]:
        found.setdefault(item["check"], []).append(item)
    return found


def said(found, check):
    return [(item["verdict"], item["what"].split(":")[0]) for item in found[check]]


def case_the_size_of_a_whole_key_is_the_kernels(rig):
    headphone = rig.headphone(**MODEL)
    rig.earshot("pair", NAME, "--yes").succeeded()
    before = dict(headphone.state)
    found = findings(rig)
    equal(said(found, "key-size"), [("ok", "16 bytes on the controls' link (LE)")], "the key's size")
    equal(said(found, "encryption"), [("ok", "the controls' link (LE) is encrypted")], "encryption")
    equal(said(found, "legacy-pairing"), [("ok", "Secure Connections")], "kind of pairing")
    equal(headphone.state, before, "the headphone, which was only looked at")


def case_a_short_key_is_told_on_each_link(rig):
    """The kernel takes keys from 7 bytes on, of a headphone that makes no longer ones."""
    headphone = rig.headphone(**MODEL, key_size=7)
    rig.earshot("pair", NAME, "--yes").succeeded()
    for _ in range(2):
        found = findings(rig)
        [size] = found["key-size"]
        equal(size["verdict"], "act", f"verdict on {size['what']}")
        expect(size["what"].startswith("7 bytes"), f"the key's size: {size['what']}")
        headphone.wait_until_disconnected()
    expect(len(headphone.seen("connected")) > 2, "each check was on one link")


def case_an_open_link_has_no_key(rig):
    rig.headphone()
    found = findings(rig)
    equal([item["verdict"] for item in found["encryption"]], ["maybe"], "encryption")
    equal([item["verdict"] for item in found["key-size"]], ["unknown"], "the key's size")


def case_beside_bluetoothd_anyone_may_ask_about_sound_and_adapter(rig):
    """The key of the sound's link, which bluetoothd made, and what bluetoothd says of itself."""
    with Stock(rig) as machine, PulseAudio(rig, unprivileged=True):
        rig.earshot("pair", NAME, "--yes", unprivileged=True).succeeded()
        machine.headphone.wait_for("audio paired")
        rig.earshot("audio", "connect", unprivileged=True).succeeded()
        found = findings(rig, unprivileged=True)
        sound = [item for item in found["key-size"] if "the sound's link (BR/EDR)" in item["what"]]
        equal([item["verdict"] for item in sound], ["ok"], f"the size of the sound's key in {found['key-size']}")
        for check in ("bluetoothd", "bonded-input", "pairable", "discoverable", "just-works"):
            expect(found[check][0]["verdict"] != "unknown", f"{check} is not known: {found[check]}")
        equal([item["verdict"] for item in found["legacy-pairing"]], ["unknown"], "bluetoothd's keys")
