"""Two hearing aids with a link each are one headphone with presets, over the kernel."""

from bench.desktop import version
from bench.failure import equal, expect
from bench.sound import Stock

from .buds import ADDRESSES, fields, gone, pair_both, paired_buds
from .permission import checks
from .screen import READY
from .stock_desktop import scan

PRESETS = ["universal", "outdoor", "café"]
LEVELS = {"left": "83%", "right": "78%"}
LEFT = ("--device", ADDRESSES["left"])


def preset(rig, *value):
    """What of it is reported by a command that shows or sets it, addressed to the left aid."""
    result = rig.earshot("setting", "preset", *value, "--json", *LEFT).succeeded()
    return result.json["settings"][0]


def case_a_preset_is_chosen_by_name_on_both_aids(rig):
    aids = paired_buds(rig, family="aid")
    shown = preset(rig)
    equal(shown["value"], "universal", "active preset")
    equal(shown["values"], PRESETS, "presets")
    equal(preset(rig, "outdoor")["value"], "outdoor", "active preset")
    for aid in aids:
        equal(aid.wait_for("preset")["index"], 5, f"preset of the {aid.called} aid")
    rig.earshot("volume", "20", *LEFT).succeeded()
    for aid in aids:
        equal(aid.wait_for("volume")["setting"], 51, f"volume of the {aid.called} aid")


def case_a_preset_is_renamed_on_both_aids(rig):
    aids = paired_buds(rig, family="aid")
    equal(preset(rig)["values"], PRESETS, "presets")
    rig.earshot("setting", "preset-name", "Büro", *LEFT).succeeded()
    for aid in aids:
        equal(aid.wait_for("renamed")["name"], "Büro", f"name at the {aid.called} aid")
    equal(preset(rig)["value"], "büro", "active preset")


def active(name):
    """The row of the preset shows this name as the one that is set."""
    return f"▐{name}▌"


def case_a_day_with_two_aids_without_rights_beside_bluetoothd(rig):
    """Their set is shown by bluetoothd 5.78 and later, before that with its experimental features."""
    with Stock(rig, experimental=True, sound=False, **fields("left", "aid")) as machine:
        left, right = aids = machine.headphone, rig.headphone(**fields("right", "aid"))
        screen = rig.screen(columns=120, rows=48, unprivileged=True)
        # The headphone is the aid whose link came first.
        stays, leaves = pair_both(screen, aids)
        screen.wait_for(READY, *LEVELS.values(), active("Universal"))
        found = rig.earshot("setting", "preset", "--json", unprivileged=True).succeeded()
        equal(found.json["settings"][0]["values"], PRESETS, "presets")
        for key, name, index in ("a", "Outdoor", 5), ("3", "Café", 8):
            screen.press(key)
            screen.wait_for(active(name))
            for aid in aids:
                aid.wait_for("preset", index=index)
        # Once both have reported it: what one says later is not overtaken by what the other said before.
        rig.earshot("setting", "preset", "café", unprivileged=True).succeeded()
        stays.press_own_button()
        screen.wait_for(active("Universal"))
        for side, offset in ("left", "30"), ("right", "-20"):
            rig.earshot("setting", f"offset-{side}", offset, unprivileged=True).succeeded()
        equal(left.wait_for("offset")["offset"], 30, "offset of the left aid")
        equal(right.wait_for("offset")["offset"], -20, "offset of the right aid")
        leaves.vanish()
        screen.wait_for(READY, LEVELS[stays.called], gone(LEVELS[leaves.called]), f"{leaves.called} aid disconnected")
        screen.press("2")
        stays.wait_for("preset", index=5, count=2)
        # bluetoothd says nothing of an advertisement that is as strong as the last one.
        leaves.move(-62)
        leaves.appear()
        screen.wait_for(READY, *LEVELS.values())
        rig.earshot("setting", "preset", "universal", unprivileged=True).succeeded()
        for aid in aids:
            aid.wait_for("preset", index=1)
        screen.wait_for(active("Universal"))


def kept(result):
    """The command says that bluetoothd keeps it, and what to do about that."""
    equal(result.status, 1, f"exit status of {result}")
    for words in "bluetoothd holds the link", "for itself", "connect it here":
        expect(words in result.messages, f"no {words!r} in {result}")


def case_what_bluetoothd_keeps_of_an_aid_is_named_and_a_link_of_earshots_own_has_it(rig):
    """With its experimental features bluetoothd claims volume, offsets and sets: before 5.80 (in 5.66 the volume
    alone) it hides them, and since then it lets others read them.
    """
    is_hidden = version() < (5, 80)

    def earshot(*arguments):
        return rig.earshot(*arguments, *LEFT, unprivileged=True)

    def offset(value):
        return earshot("setting", "offset-left", str(value))

    with Stock(rig, experimental=True, sound=False, **fields("left", "aid")) as machine:
        aid = machine.headphone
        scan(rig, 2)
        with machine.desktop.agent():
            machine.device("Pair")
        earshot("setting", "preset", "outdoor").succeeded()
        aid.wait_for("preset", index=5)
        kept(earshot("volume", "20"))
        if is_hidden:
            kept(earshot("volume"))
            offset(30).succeeded()
            aid.wait_for("offset", offset=30)
        else:
            equal(earshot("volume", "--json").succeeded().json["of"], "headphone", "volume that is shown")
            kept(offset(30))
        reported = earshot("status", "--json").succeeded().json
        equal(reported["control"]["holder"], "bluetoothd", "holder of the link")
        missing = "volume: bluetoothd keeps it for itself"
        equal(missing in reported["missing"], is_hidden, f"{missing!r} in {reported['missing']}")
        found, _ = checks(rig, "--le-audio", unprivileged=True)
        said = found["le-headphones"]["what"]
        expect("keeps volume" in said, f"no word of the volume in {said!r}")
        machine.device("Disconnect")
        aid.wait_until_disconnected()
        earshot("volume", "20").succeeded()
        equal(aid.wait_for("volume")["setting"], 51, "volume by a link of its own")
        offset(-20).succeeded()
        aid.wait_for("offset", offset=-20)
        expect(missing not in earshot("status", "--json").succeeded().json["missing"], "no more is missing")
