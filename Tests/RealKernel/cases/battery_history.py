"""How long a full charge lasts, by uses that outlast restarts; Earshot runs as nobody, and hours pass in the clock alone."""

import glob
import json
import signal
import time

from bench.failure import equal, expect
from bench.sound import DualMode

from .comeback import is_ready

USES = 6
LEVELS = (96, 86, 76, 66, 56)
"""%, every half an hour: a full charge would last 5 h."""
PAUSE = 11 * 60


def pass_minutes(minutes):
    time.clock_settime(time.CLOCK_REALTIME, time.time() + minutes * 60)


def has(level, charging=False):
    def reported(status):
        battery = status["battery"]
        return battery["left"] == level and ("left" in battery["charging"]) == charging

    return reported


def history(rig):
    return rig.earshot("battery", "--history", "--json", unprivileged=True).succeeded().json


def case_uses_of_the_battery_are_kept_over_restarts(rig):
    began = time.time()
    try:
        with DualMode(rig) as machine:
            for use in range(USES):
                is_last = use == USES - 1
                discharge(rig, machine.headphone, is_interrupted=use % 3 == 1, is_charged=is_last or use % 2)
                expect(history(rig)["age"] is None or is_last, "a figure from too few discharges")
                pass_minutes(PAUSE)
            reported = history(rig)
            equal(sum(month["discharges"] for month in reported["months"]), USES, f"discharges in {reported}")
            expect(295 <= reported["age"]["minutes"] <= 305, f"five hours: {reported}")
            text = rig.earshot("battery", "--history", unprivileged=True).succeeded().output
            expect("a full charge lasts about 5 h" in text, text)
            is_read_however_it_is(rig, machine.headphone)
    finally:
        time.clock_settime(time.CLOCK_REALTIME, began)


def discharge(rig, headphone, is_interrupted, is_charged):
    """A use from 96 % to 56 %; `is_interrupted`: the program is killed in the middle, and starts again."""
    headphone.change(battery=[LEVELS[0], LEVELS[0] + 1, 50], charging=[])
    watch = followed(rig, LEVELS[0])
    for level in LEVELS[1:]:
        pass_minutes(30)
        headphone.change(battery=[level, level + 1, 50])
        watch.wait_for(has(level))
        if is_interrupted and level == LEVELS[2]:
            wait_until_saved(rig, level)
            watch.process.send_signal(signal.SIGKILL)
            watch.process.wait()
            watch = followed(rig, level)
    if is_charged:
        pass_minutes(10)
        headphone.change(charging=["left", "right"])
        watch.wait_for(has(LEVELS[-1], charging=True))
    # Otherwise the next run finds that it has ended.
    watch.process.terminate()
    watch.process.wait()


def followed(rig, level):
    """A program that reports the level and has read the history: what is reported before is no sample."""
    watch = rig.run("watch", unprivileged=True)
    watch.wait_for(lambda reported: is_ready(reported) and has(level)(reported))
    history(rig)
    return watch


def state_file(rig, subject):
    state = rig.earshot.environment(f"{rig.earshot.home}-nobody")["XDG_STATE_HOME"]
    (path,) = glob.glob(f"{state}/earshot/*{subject}-*.json")
    return path


def wait_until_saved(rig, level):
    """Samples of the history wait five seconds for others."""
    deadline = time.monotonic() + 60
    while True:
        with open(state_file(rig, "battery")) as file:
            last = json.load(file)["charges"][-1]
        # The minute, then left.
        if last[1] == level:
            return
        expect(time.monotonic() < deadline, f"{level} % is not saved: {last}")
        time.sleep(0.2)


def is_read_however_it_is(rig, headphone):
    """Files that another program, or a full disk, has damaged."""
    path = state_file(rig, "discharges")
    with open(path) as file:
        whole = file.read()
    for damaged in (whole[: len(whole) // 2], "", "[]", '{"schema":1,"discharges":[[1],"x",[null,-1,9e99]]}'):
        with open(path, "w") as file:
            file.write(damaged)
        result = rig.earshot("battery", "--history", unprivileged=True)
        expect(result.status in (0, 1) and (result.output + result.messages).strip(), f"{damaged!r}: {result}")
    watch = rig.run("watch", unprivileged=True)
    watch.wait_for(is_ready)
