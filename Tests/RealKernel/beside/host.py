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
        yield f"{phase}: requests", lambda told, phase=phase: told[phase]["requests"]
        yield "  and afterwards", lambda told, phase=phase: (
            told[phase]["requestsInAll"] - told[phase]["requests"]
        )
        yield "  bytes", lambda told, phase=phase: told[phase]["bytes"]
        yield "  link to values", lambda told, phase=phase: milliseconds(
            told[phase]["linkToValues"]
        )
        yield "  start to values", lambda told, phase=phase: milliseconds(
            told[phase]["startToValues"]
        )
    yield "write: requests", lambda told: told["write"]["requests"]
    yield "  bytes", lambda told: told["write"]["bytes"]
    yield "  command to headphone", lambda told: milliseconds(told["write"]["commandToHeadphone"])
    yield "notification to program", lambda told: milliseconds(
        told["notification"]["headphoneToProgram"]
    )
    yield "start to first sight", lambda told: milliseconds(told["scan"]["startToSight"])
    yield "process start", lambda told: milliseconds(told["process"]["start"])
    for who in ("program", "daemons"):
        yield f"idle, {who}: wake-ups", lambda told, who=who: told["idle"][who]["wakeUps"]
        yield "  CPU", lambda told, who=who: f"{told['idle'][who]['cpuMilliseconds']} ms"
        yield "  memory", lambda told, who=who: f"{told['idle'][who]['resident'] / 1024:.1f} MB"


def table(results):
    header = ["", *(result["name"].replace(" bluetoothd", "") for result in results)]
    lines = [header]
    for name, cell in rows(results):
        cells = []
        for told in results:
            try:
                cells.append(str(cell(told)))
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
    for told in results:
        print(f"{told['name']}: {told.get('failure') or told['how']}")
    return any("failure" in told for told in results)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
