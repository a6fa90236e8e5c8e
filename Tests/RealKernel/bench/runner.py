"""Runs the cases in the guest: `runner.py BINARY PYTHON FOLDER [WORD...]`."""

import importlib
import json
import os
import pkgutil
import signal
import sys
import time
import traceback

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import cases  # noqa: E402
from bench import air  # noqa: E402
from bench.failure import Failure  # noqa: E402
from bench.kernel import Capture, Log, Management  # noqa: E402
from bench.program import install  # noqa: E402
from bench.rig import Rig  # noqa: E402

CASE_LIMIT = 300
"""s; more than the sum of a case's own bounds should ever be."""


def chosen(words):
    """(title, function) of the cases whose file's name or title contains all of `words`.

    "a,b" is one of these.
    """
    found = []
    for module in pkgutil.iter_modules(cases.__path__):
        for name, case in vars(importlib.import_module(f"cases.{module.name}")).items():
            title = name.removeprefix("case_").replace("_", " ")
            if name.startswith("case_") and all(
                any(part in f"{module.name} {title}" for part in word.split(",")) for word in words
            ):
                found.append((title, case))
    return sorted(found, key=lambda pair: (pair[1].__module__, pair[1].__code__.co_firstlineno))


def run(case, rig, log):
    """None, or what went wrong."""
    capture = Capture(os.path.join(rig.folder, "kernel.btsnoop"))
    signal.alarm(CASE_LIMIT)
    try:
        rig.adapter.plug()
        case(rig)
        return "\n".join(log.faults()) or None
    except Failure as failure:
        return str(failure)
    except Exception:
        return traceback.format_exc()
    finally:
        signal.alarm(0)
        with open(os.path.join(rig.folder, "headphones.jsonl"), "w") as records:
            records.writelines(json.dumps(record) + "\n" for record in rig.air.records)
        rig.close()
        capture.close()


def out_of_time(*_):
    raise Failure(f"the case took longer than {CASE_LIMIT} s")


def main(binary, python, folder, *words):
    if binary == "--list":
        print("\n".join(title for title, _ in chosen(words)))
        return
    signal.signal(signal.SIGALRM, out_of_time)
    binary = install(binary)
    engine = air.Engine(python, HERE, folder)
    engine.start()
    link, management, log = air.Air(), Management(), Log()
    planned = chosen(words)
    with open(os.path.join(folder, "planned.json"), "w") as titles:
        json.dump([title for title, _ in planned], titles)
    with open(os.path.join(folder, "results.jsonl"), "w", buffering=1) as results:
        for title, case in planned:
            own = os.path.join(folder, title.replace(" ", "-"))
            os.makedirs(own)
            begun = time.monotonic()
            rig = Rig(engine, link, management, binary, own)
            failure = run(case, rig, log)
            verdict = "FAILED" if failure else "passed"
            took = time.monotonic() - begun
            print(
                f"{verdict}  {title}  ({took:.1f} s)",
                *rig.notes,
                *([failure] if failure else []),
                sep="\n",
                flush=True,
            )
            is_hostile = getattr(case, "is_hostile", False)
            results.write(
                json.dumps({"case": title, "passed": not failure, "hostile": is_hostile}) + "\n"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
