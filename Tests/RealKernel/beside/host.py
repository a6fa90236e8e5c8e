"""Compares the programs in one guest, and prints the table: `host.py OUT JSON`."""

import json
import os
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from bench.guests import Guest  # noqa: E402


def milliseconds(value):
    return f"{value * 1000:.0f} ms"


def rows(results):
    """The name of each row, and a function from a program's figures to its cell."""
    for phase in ("cold", "cached", "bonded"):
        yield f"{phase}: requests", lambda reported, phase=phase: reported[phase]["requests"]
        yield "  and afterwards", lambda reported, phase=phase: (
            reported[phase]["requestsInAll"] - reported[phase]["requests"]
        )
        yield "  bytes", lambda reported, phase=phase: reported[phase]["bytes"]
        yield "  link to values", lambda reported, phase=phase: milliseconds(
            reported[phase]["linkToValues"]
        )
        yield "  start to values", lambda reported, phase=phase: milliseconds(
            reported[phase]["startToValues"]
        )
    yield "write: requests", lambda reported: reported["write"]["requests"]
    yield "  bytes", lambda reported: reported["write"]["bytes"]
    yield "  command to headphone", lambda reported: milliseconds(reported["write"]["commandToHeadphone"])
    yield "notification to program", lambda reported: milliseconds(
        reported["notification"]["headphoneToProgram"]
    )
    yield "start to first sight", lambda reported: milliseconds(reported["scan"]["startToSight"])
    yield "process start", lambda reported: milliseconds(reported["process"]["start"])
    for who in ("program", "daemons"):
        yield f"idle, {who}: wake-ups", lambda reported, who=who: reported["idle"][who]["wakeUps"]
        yield "  CPU", lambda reported, who=who: f"{reported['idle'][who]['cpuMilliseconds']} ms"
        yield "  memory", lambda reported, who=who: f"{reported['idle'][who]['resident'] / 1024:.1f} MB"
    for who in ("program", "daemons"):
        yield f"a scan's 5 s, {who}: wake-ups", lambda reported, who=who: reported["scan"][who]["wakeUps"]
        yield "  CPU", lambda reported, who=who: f"{reported['scan'][who]['cpuMilliseconds']} ms"
        yield "  memory", lambda reported, who=who: f"{reported['scan'][who]['resident'] / 1024:.1f} MB"


def table(results):
    header = ["", *(result["name"].replace(" bluetoothd", "") for result in results)]
    lines = [header]
    for name, cell in rows(results):
        cells = []
        for reported in results:
            try:
                cells.append(str(cell(reported)))
            except KeyError:
                cells.append("-")
        lines.append([name, *cells])
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return [
        "  ".join(
            cell.ljust(width) if not column else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))
        ).rstrip()
        for line in lines
    ]


def main(out, path):
    guest = Guest("compare", out)
    results = guest.answer()
    guest.process.wait()
    with open(path, "w") as file:
        json.dump(results, file, indent=1)
    print("", *table(results), sep="\n")
    for reported in results:
        print(f"{reported['name']}: {reported.get('failure') or reported['how']}")
    return any("failure" in reported for reported in results)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
