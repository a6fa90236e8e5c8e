"""Two hearing aids with a link each are one headphone with presets, over the kernel."""

from bench.failure import equal

from . import first
from .buds import ADDRESSES, pair_of_buds

PRESETS = ["universal", "outdoor", "café"]
LEFT = ("--device", ADDRESSES["left"])


def preset(rig, *value):
    """What of it is told by a command that shows or sets it, addressed to the left aid."""
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
