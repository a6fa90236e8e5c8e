"""Two hearing aids with a link each are one headphone with presets, over the kernel."""

from bench.failure import equal
from bench.sound import Stock

from . import first
from .buds import ADDRESSES, fields, gone, pair_both, pair_of_buds
from .screen import READY

PRESETS = ["universal", "outdoor", "café"]
LEVELS = {"left": "83%", "right": "78%"}
LEFT = ("--device", ADDRESSES["left"])


def preset(rig, *value):
    """What of it is reported by a command that shows or sets it, addressed to the left aid."""
    result = rig.earshot("setting", "preset", *value, "--json", *LEFT).succeeded()
    return result.json["settings"][0]


@first()
def case_a_preset_is_chosen_by_name_on_both_aids(rig):
    aids = pair_of_buds(rig, family="aid")
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
    aids = pair_of_buds(rig, family="aid")
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
