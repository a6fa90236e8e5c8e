"""How long it takes from a headphone that is back in range to one that obeys."""

import json
import time

from bench.failure import equal, expect
from bench.process import Watched

from . import slow
from .control import MOST_REQUESTS_TO_READY

SOON = 2
"""s"""
LAST_ATTEMPT = 7
"""After it the pauses grow no more: one came with the loss, the others with attempts that failed for one reason."""
SETTLED, MEASURED = 10, 90
"""s; the last attempt's own time-outs are over after 5, and a pause was 72 at most."""

TABLE = "{:36}{:>9}{:>7}{:>10}{:>16}{:>9}"


def is_ready(status):
    return status["control"]["state"] == "ready"


def is_trying(status):
    return status["control"]["state"] == "connecting"


def did_not_answer(status):
    control = status["control"]
    return (control["state"], control["reason"]) == ("reconnecting", "connectTimeout")


def row(rig, kind, headphone, watch, after):
    """Lets it come into range and obey: notes a row of the table, and returns how many requests
    that took, and the number of the line that says so.
    """
    headphone.appear()
    ready = watch.wait_for(is_ready, after=after)
    in_range = headphone.seen("in range")[-1]["at"]
    linked = headphone.seen("connected")[-1]["at"]
    end = watch.lines[ready][0]
    either_way = headphone.seen("att") + headphone.seen("sent")
    pdus = [record for record in either_way if record["at"] >= linked]
    requests = len(headphone.att_requests(since=linked))
    times = (linked - in_range, end - linked, end - in_range)
    status = [f"{time * 1000:.0f} ms" for time in times]
    rig.note(TABLE.format(kind, requests, len(pdus), *status))
    return requests, ready


@slow
def case_a_headphone_that_is_long_away_wakes_nothing_up(rig):
    headphone = rig.headphone(serial="0001")
    watch = rig.run("watch", "--device", headphone.address)
    place = watch.wait_for(is_ready)
    headphone.vanish()
    # The last attempt comes after a pause of 32 s.
    for _ in range(LAST_ATTEMPT):
        place = watch.wait_for(is_trying, after=place)
        place = watch.wait_for(did_not_answer, after=place)
    time.sleep(SETTLED)
    watched = Watched(watch.process.pid)
    time.sleep(MEASURED)
    woken = watched.woken
    rig.note(f"{woken} wake-ups of {len(watched.before)} threads in {MEASURED} s")
    equal(woken, 0, f"wake-ups in {MEASURED} s")
    _, ready = row(rig, "long away", headphone, watch, place)
    took = watch.lines[ready][0] - headphone.seen("in range")[-1]["at"]
    expect(took < SOON, f"ready {took:.1f} s after it came into range")


def case_a_headphone_back_in_range_is_soon_ready(rig):
    rig.note(TABLE.format("in range", "requests", "PDUs", "to link", "link to ready", "all"))

    headphone = rig.headphone(serial="0001")
    headphone.vanish()
    watch = rig.run("watch", "--verbose")
    looking = watch.wait_for("scanning…")
    cold, ready = row(rig, "cold: never heard before", headphone, watch, looking)
    headphone.vanish()
    trying = watch.wait_for(is_trying, after=ready)
    cached, _ = row(rig, "cached: its Database Hash is known", headphone, watch, trying)
    watch.close()
    headphone.switch_off()

    headphone = rig.headphone(
        name="Bonded", address="F0:F1:F2:F3:F4:31", serial="0002", encrypted=True, long_uuids=True
    )
    rig.earshot("pair", headphone.address, "--yes").succeeded()
    headphone.wait_until_disconnected()
    watch = rig.run("watch", "--device", headphone.address)
    ready = watch.wait_for(is_ready)
    headphone.vanish()
    trying = watch.wait_for(is_trying, after=ready)
    bonded, _ = row(rig, "bonded, and each value encrypted", headphone, watch, trying)

    expect(cold <= MOST_REQUESTS_TO_READY, f"{cold} requests of a headphone that is not known")
    expect(cached < cold and bonded < cold, f"as many though known: {cold}, {cached}, {bonded}")


@slow
def case_a_headphone_that_was_long_away_is_back_at_once(rig):
    headphone = rig.headphone(serial="0001")
    watch = rig.run("watch", "--device", headphone.address)
    ready = watch.wait_for(is_ready)
    headphone.vanish()
    # Pauses of 1, 2 and 4 s are over, and one of 8 s begins.
    pause = watch.wait_for(did_not_answer, after=ready)
    for _ in range(2):
        attempt = watch.wait_for(is_trying, after=pause)
        pause = watch.wait_for(did_not_answer, after=attempt)
    rig.note(TABLE.format("in range", "requests", "PDUs", "to link", "link to ready", "all"))
    _, ready = row(rig, "in a pause between two attempts", headphone, watch, pause)
    between = [json.loads(line) for _, line in watch.lines[pause:ready]]
    expect(not any(map(is_trying, between)), "it was an attempt that found it")
    took = watch.lines[ready][0] - headphone.seen("in range")[-1]["at"]
    expect(took < SOON, f"ready {took:.1f} s after it came into range")
