"""Measures the programs in the guest.

`measure.py BINARY PYTHON SHARED GUEST BLEAK SECONDS [WORD...]`: those whose names have a word.

Standard output has `{"ready": true}`, a line of text for each thing measured, and a line of JSON
with all figures. Requests and bytes are counted by the headphone, whatever the program says.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from bench import air  # noqa: E402
from bench.failure import Failure  # noqa: E402
from bench.kernel import Capture, Management  # noqa: E402
from bench.process import memory, sleeps  # noqa: E402
from bench.program import install  # noqa: E402
from bench.rig import Rig  # noqa: E402

SETTLED = 2
"""s without an ATT PDU, after which a program has no more to ask."""
QUIET = 10
"""s after which what a new link brings along is over."""
SCANNING = 5
"""s of a scan that are watched."""
STARTS = 5
NO_REQUESTS = {0x1E, 0x52, 0xD2}
"""Confirmations and commands, which nobody answers."""
NOTIFICATION = 0x1B
WITHOUT_VALUE = {0x03, 0x13}
"""Responses to an exchange of the MTU and to a write."""
NAMES = {
    0x02: "MTU", 0x04: "find information", 0x06: "find by type", 0x08: "read by type", 0x0A: "read",
    0x0C: "read blob", 0x10: "read by group", 0x12: "write", 0x20: "read multiple variable",
}  # fmt: skip


def exchanges(headphone, begin, end):
    """What went over ATT between two moments, as the headphone saw it."""
    heard, sent = (
        [record for record in headphone.seen(kind) if begin <= record["at"] <= end]
        for kind in ("att", "sent")
    )
    requests = [
        record["opcode"]
        for record in heard
        if not record["opcode"] & 1 and record["opcode"] not in NO_REQUESTS
    ]
    return {
        "requests": len(requests),
        "pdus": len(heard) + len(sent),
        "bytes": sum(len(record["pdu"]) // 2 for record in heard + sent),
        "trace": [NAMES.get(opcode, f"{opcode:02X}") for opcode in requests],
    }


def settle(headphone, process):
    """Until nothing has gone over ATT for a while."""
    count = None
    while count != (count := len(headphone.seen("att")) + len(headphone.seen("sent"))):
        process.drain(SETTLED)


def linked(program, headphone, phase):
    """Connects once, up to all values."""
    links = len(headphone.seen("connected"))
    done = program.connect(headphone, phase)
    begin = headphone.wait_for("connected", links + 1)["at"]
    values = [
        record["at"] for record in headphone.seen("sent")
        if begin <= record["at"] <= done and record["opcode"] not in WITHOUT_VALUE
    ]
    figures = exchanges(headphone, begin, done)
    settle(headphone, program.process)
    return {
        **figures,
        "requestsInAll": exchanges(headphone, begin, time.monotonic())["requests"],
        "linkToValues": values[-1] - begin - program.process.waited,
        "startToValues": done - program.process.begun - program.process.waited,
    }


def left(program, headphone):
    program.end()
    headphone.wait_for("disconnected", len(headphone.seen("connected")))


def written(program, headphone):
    before = len(headphone.seen("anc written"))
    commanded = program.write(headphone)
    at = headphone.wait_for("anc written", before + 1, value="02")["at"]
    settle(headphone, program.process)
    seen = exchanges(headphone, commanded, time.monotonic())
    return {**seen, "commandToHeadphone": at - commanded}


def notified(program, headphone):
    program.process.drain(0.1)
    program.process.place = len(program.process.text)
    headphone.change(battery=[42, 75, 50])
    heard = program.hears()
    sent = [record for record in headphone.seen("sent") if record["opcode"] == NOTIFICATION][-1]
    settle(headphone, program.process)
    return {"headphoneToProgram": heard - sent["at"], "bytes": len(sent["pdu"]) // 2}


def idle(program, seconds):
    """The same as `watched`, once nothing happens."""
    program.process.drain(QUIET)
    return watched(program, seconds)


def watched(program, seconds):
    """CPU, wake-ups and memory of the program, and of the daemons that it needs."""
    own, daemons = program.pids()
    before = [list(map(activity, pids)) for pids in (own, daemons)]
    program.process.drain(seconds)
    reported = {"seconds": seconds}
    for name, pids, was in zip(("program", "daemons"), (own, daemons), before):
        now = list(map(activity, pids))
        reported[name] = {
            "wakeUps": sum(b[0] - a[0] for a, b in zip(was, now)),
            "cpuMilliseconds": round(sum(b[1] - a[1] for a, b in zip(was, now)), 1),
            "resident": sum(memory(pid)[1] for pid in pids),
        }
    return reported


def activity(pid):
    """Wake-ups, and milliseconds of processor time, of all threads so far."""
    spent = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat") as file:
            spent += int(file.read().split()[0])
    return sum(sleeps(pid).values()), spent / 1e6


def found(program):
    """From exec to the line with the headphone's name, and then the cost of a scan that goes on."""
    process = program.process = program.open(*program.finds)
    at, _ = process.wait_for("Earshot One")
    reported = {"startToSight": at - process.begun}
    # It may end when it has found something.
    with contextlib.suppress(Failure, FileNotFoundError):
        reported.update(watched(program, SCANNING))
    process.process.terminate()
    process.close()
    return reported


def started(program):
    """From exec to the end of a program that has nothing to do: the median; its memory."""
    times = []
    for _ in range(STARTS):
        begun = time.monotonic()
        subprocess.run(program.starts, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.monotonic() - begun)
    return {"start": statistics.median(times)}


def with_adapter(rig, program):
    rig.adapter.plug()
    if program.takes_adapter:
        rig.adapter.power(False)


def measured(program, rig, seconds):
    figures = {"name": program.name, "how": program.how}

    def note(what, value):
        figures[what] = value
        print(f"  {what}: {json.dumps(value)}", flush=True)

    note("process", started(program))
    with program.machine():
        headphone = rig.headphone(serial="0001")
        note("scan", found(program))
        if program.is_window:
            return figures
        note("cold", linked(program, headphone, "cold"))
        note("idle", idle(program, seconds))
        note("notification", notified(program, headphone))
        note("write", written(program, headphone))
        left(program, headphone)
        note("cached", linked(program, headphone, "cached"))
        left(program, headphone)
        headphone.switch_off()
        bonded = rig.headphone(
            name="Earshot Two", address="F0:F1:F2:F3:F4:31", serial="0002", encrypted=True
        )
        program.pair(bonded)
        bonded.wait_for("disconnected")
        # The link of the pairing may end before all is set up.
        linked(program, bonded, "bonded")
        left(program, bonded)
        note("bonded", linked(program, bonded, "bonded"))
        left(program, bonded)
    return figures


def main(binary, python, shared, guest, bleak, seconds, *words):
    os.environ["BLEAK"], os.environ["BUMBLE"] = bleak, python
    from beside.programs import ALL

    binary = install(binary)
    engine = air.Engine(python, HERE, os.path.join(shared, guest))
    engine.start()
    link = air.Air()
    print(json.dumps({"ready": True}), flush=True)
    results = []
    for make in ALL:
        if words and not any(word in make.name.lower() for word in words):
            continue
        print(make.name, flush=True)
        folder = os.path.join(shared, guest, make.name.replace(" ", "-").replace("'", ""))
        os.makedirs(folder)
        # A program that takes the adapter confuses who follows its coming and going.
        rig = Rig(engine, link, Management(), binary, folder)
        capture = Capture(os.path.join(folder, "kernel.btsnoop"))
        program = make(rig)
        try:
            with_adapter(rig, program)
            results.append(measured(program, rig, float(seconds)))
        except Exception as error:
            reported = str(error) if isinstance(error, Failure) else traceback.format_exc()
            results.append({"name": make.name, "how": make.how, "failure": reported})
            print(reported, flush=True)
        finally:
            link.catch_up()
            with open(os.path.join(folder, "headphones.jsonl"), "w") as records:
                records.writelines(json.dumps(record) + "\n" for record in link.records)
            if program.process and program.process.process.poll() is None:
                program.process.process.kill()
            rig.close()
            capture.close()
    print(json.dumps(results), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
