"""Two buds with a link each are one headphone, over the kernel."""

from bench.failure import equal
from bench.screen import drawn
from bench.sound import Stock

from .pairing import bonds
from .screen import READY

NAME = "LE Duo"
ADDRESSES = {"left": "F0:F1:F2:F3:F4:51", "right": "F0:F1:F2:F3:F4:52"}


def fields(side, family="bud"):
    return {
        "called": side, "name": NAME, "address": ADDRESSES[side], "family": family, "side": side, "model": NAME,
    }  # fmt: skip


def pair_of_buds(rig, family="bud", **options):
    return [rig.headphone(**fields(side, family), **options) for side in ADDRESSES]


def paired_buds(rig, family="bud", called="left", **options):
    """Two that a command has paired, which calls the one."""
    buds = pair_of_buds(rig, family, **options)
    pair(rig, called)
    for bud in buds:
        bud.wait_for("paired")
    return buds


def pair(rig, called):
    rig.earshot("pair", ADDRESSES[called], "--yes").succeeded()


def status_of_set(rig, side):
    """What is reported of each bud, by its side, when the command calls the bud of one."""
    status = rig.earshot("status", "--json", "--device", ADDRESSES[side]).succeeded().json
    equal(status["set"]["size"], 2, "members of the set")
    return {member["side"]: member for member in status["set"]["members"]}


def expect_both(members):
    equal(sorted(members), ["left", "right"], "sides")
    for side, level in (("left", 83), ("right", 78)):
        member = members[side]
        equal(
            (member["address"], member["linked"], member["battery"]),
            (ADDRESSES[side], True, level),
            f"the {side} bud",
        )


def case_two_buds_of_a_set_are_one_headphone(rig):
    left, right = paired_buds(rig)
    expect_both(status_of_set(rig, "left"))
    for bud in left, right:
        equal(len(bud.seen("paired")), 1, f"pairings of the {bud.called} bud")
    expect_both(status_of_set(rig, "left"))
    for bud in left, right:
        equal(len(bud.seen("paired")), 1, f"pairings of the {bud.called} bud after a second run")


def case_an_order_reaches_both_buds_and_find_the_one_that_is_meant(rig):
    left, right = paired_buds(rig)
    expect_both(status_of_set(rig, "left"))
    rig.earshot("volume", "20", "--device", ADDRESSES["left"]).succeeded()
    for bud in left, right:
        equal(bud.wait_for("volume")["setting"], 51, f"volume of the {bud.called} bud")
    rig.earshot("find", "right", "--device", ADDRESSES["left"]).succeeded()
    equal(right.wait_for("alert")["level"], 2, "alert of the right bud")
    equal([alert["level"] for alert in left.seen("alert")], [0], "alerts of the left bud")


def case_a_sets_key_that_is_encrypted_by_each_buds_own_key_is_read(rig):
    paired_buds(rig, called="right", seals_key=True)
    expect_both(status_of_set(rig, "right"))


def case_two_buds_are_paired_one_after_the_other_on_the_screen(rig):
    buds = pair_of_buds(rig, pairing="compare")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("found 2 headphones")
    screen.press("c")
    screen.wait_for("PAIRING")
    for bud in sorted(buds, key=lambda bud: not bud.seen("connected")):
        number = bud.wait_for("compares")["number"]
        # Both have one name: until they are known to be a pair, the end of an address tells them apart.
        screen.wait_for(f"Does {NAME}", "show, or say, this number?", *drawn(number))
        screen.press("y")
        bud.wait_for("paired")
    screen.wait_for(READY, "83%", "78%")
    equal(len(bonds(rig)), 2, "bonds")


def case_a_bud_that_goes_and_comes_back_is_linked_again(rig):
    left, right = paired_buds(rig)
    expect_both(status_of_set(rig, "left"))
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY, "83%", "78%")
    right.vanish()
    screen.wait_for(READY, "83%", gone("78%"), "right bud disconnected")
    rig.earshot("volume", "20").succeeded()
    equal(left.wait_for("volume")["setting"], 51, "volume of the bud that is there")
    right.appear()
    screen.wait_for(READY, "83%", "78%", "right bud connected")
    for bud in left, right:
        equal(len(bud.seen("paired")), 1, f"pairings of the {bud.called} bud")


def case_a_bud_that_stays_away_longer_than_the_scan_is_linked_without_another_one(rig):
    left, right = paired_buds(rig)
    expect_both(status_of_set(rig, "left"))
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY, "83%", "78%")
    right.vanish()
    screen.wait_for(READY, "83%", gone("78%"), "right bud disconnected", "s Stop scan")
    screen.press("s")
    screen.wait_for(gone("s Stop scan"))
    right.appear()
    screen.wait_for(READY, "83%", "78%", "right bud connected", gone("s Stop scan"))
    rig.earshot("volume", "20").succeeded()
    for bud in left, right:
        equal(bud.wait_for("volume")["setting"], 51, f"volume of the {bud.called} bud")


def gone(words):
    """The screen does not show these."""

    def is_gone(text):
        return words not in text

    is_gone.__name__ = f"{words} gone"
    return is_gone


def case_a_later_run_forgets_both_buds_by_the_address_of_the_other_one(rig):
    left, right = paired_buds(rig)
    expect_both(status_of_set(rig, "left"))
    equal(len(bonds(rig)), 2, "bonds")
    rig.earshot("forget", ADDRESSES["right"], "--yes").succeeded()
    equal(bonds(rig), [], "bonds after it is forgotten")
    pair(rig, "right")
    expect_both(status_of_set(rig, "left"))
    for bud in left, right:
        equal(len(bud.seen("paired")), 2, f"pairings of the {bud.called} bud")


def pair_both(screen, buds):
    """Connects two that advertise, as a person does; the one whose link came first, and the other."""
    screen.wait_for("found 2 headphones")
    screen.press("c")
    for number in 1, 2:
        screen.wait_for("PAIRING")
        screen.press("y")
        screen.wait_for(lambda _: sum(len(bud.seen("paired")) for bud in buds) == number)
        if number == 1:
            first, second = sorted(buds, key=lambda bud: not bud.seen("paired"))
    return first, second


def case_two_buds_are_one_headphone_without_rights_where_bluetoothd_shows_their_set(rig):
    """Since 5.78 it shows it in any case, before that with its experimental features."""
    with Stock(rig, experimental=True, sound=False, **fields("left")) as machine:
        buds = [machine.headphone, rig.headphone(**fields("right"))]
        screen = rig.screen(columns=120, rows=40, unprivileged=True)
        pair_both(screen, buds)
        screen.wait_for(READY, "83%", "78%")
