"""Captures that Earshot writes itself; like the kernel's, they are judged by tshark in the end."""

import os
import shutil

from bench.desktop import Desktop
from bench.failure import equal, expect

from .makers import Listening


def case_earshot_captures_its_session(rig):
    rig.headphone()
    path = os.path.join(rig.folder, "earshot.btsnoop")
    rig.earshot("status", "--capture", path).succeeded()
    with open(path, "rb") as capture:
        data = capture.read()
    equal(data[:8], b"btsnoop\0", "the first bytes")
    expect(b"1.0.3" in data, "the firmware revision that was read is not in the capture")


def captures_what_leads_to(rig, family, does):
    """What a user without rights captures, redacted or not, leads to the family.

    `does`: runs a command of that user's to its end.
    """
    home = rig.earshot.runner(unprivileged=True)["cwd"]
    for name, options in (("own.btsnoop", ()), ("redacted.btsnoop", ("--redact",))):
        does("status", "--capture", name, *options)
        kept = shutil.copy(os.path.join(home, name), rig.folder)
        channels = rig.earshot("learn", kept, "--json").succeeded().json["channels"]
        found = [channel["framings"][0] for channel in channels if channel["framings"]]
        read = {framing["family"] for framing in found if framing["values"]}
        # Where redaction took what tells the layout of a state, as Soundcore's serial number does, the framing remains.
        named = read or {framing["family"] for framing in found}
        equal(named, {family}, f"the families whose values are read in {name}: {channels}")


def captures_beside_bluetoothd(rig, kind, family, driver=None):
    with Listening(rig, kind, driver) as here:
        captures_what_leads_to(rig, family, here.does)


def case_a_user_captures_the_link_of_a_Sony_of_the_second_generation(rig):
    captures_beside_bluetoothd(rig, "sony-2", "sony")


def case_a_user_captures_the_link_of_a_Sony_of_the_first_generation(rig):
    captures_beside_bluetoothd(rig, "sony-1", "sony")


def case_a_user_captures_the_link_of_Galaxy_Buds(rig):
    captures_beside_bluetoothd(rig, "galaxy-buds", "galaxy-buds")


def case_a_user_captures_the_link_of_a_Bose(rig):
    captures_beside_bluetoothd(rig, "bose", "bose")


def case_a_user_captures_the_serial_link_of_a_Soundcore(rig):
    captures_beside_bluetoothd(rig, "soundcore-serial", "soundcore")


def case_a_user_captures_the_link_of_a_Technics(rig):
    captures_beside_bluetoothd(rig, "technics", "technics", driver="technics")


def case_a_user_captures_the_link_of_a_1MORE(rig):
    captures_beside_bluetoothd(rig, "1more", "1more", driver="1more")


def captures_over_LE(rig, name, family):
    with Desktop(rig.folder):
        rig.headphone(name=name, family=family)
        captures_what_leads_to(
            rig, family, lambda *words: rig.earshot(*words, unprivileged=True).succeeded()
        )


def case_a_user_captures_the_link_of_a_headphone_of_Nothing(rig):
    captures_over_LE(rig, "Nothing Ear", "nothing")


def case_a_user_captures_the_link_of_a_headphone_of_Soundcore(rig):
    captures_over_LE(rig, "Soundcore Life Q30", "soundcore")


def case_a_user_captures_the_link_of_a_QCY(rig):
    captures_over_LE(rig, "QCY MeloBuds", "qcy")
