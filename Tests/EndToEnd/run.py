#!/usr/bin/python3
"""Runs Earshot's release binary as a person and a script would, on the virtual headphones.

    Tests/EndToEnd/run.py .build/release/earshot [part of a case's name, or a file's]
"""

import os
import signal
import sys
import tempfile
import traceback

import command_line
import firmware
import json_output
import mouse
import owners
import reports
import rights
import screen
import service
import sharing
import signals
import walkthrough
from terminal import Failure


def main():
    binary = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    passed, failed = 0, 0
    # A shell ignores ^C for what it runs in the background, and what is ignored is inherited.
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    for module in (command_line, firmware, screen, mouse, sharing, owners, json_output, signals, reports,
                   rights, service, walkthrough):
        for name, case in list(vars(module).items()):
            if not name.startswith("case_") or wanted not in f"{module.__name__}.{name}":
                continue
            title = name.removeprefix("case_").replace("_", " ")
            with tempfile.TemporaryDirectory() as home:
                isolate(home)
                try:
                    case(binary)
                except (Failure, AssertionError) as failure:
                    failed += 1
                    print(f"FAILED  {title}\n{failure}\n{traceback.format_exc()}", flush=True)
                except Exception:  # a broken case is a failed case
                    failed += 1
                    print(f"FAILED  {title}\n{traceback.format_exc()}", flush=True)
                else:
                    passed += 1
                    print(f"passed  {title}", flush=True)
    print(f"end to end: {passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def isolate(home):
    """Gives the case a home of its own, so that it neither sees nor leaves anything."""
    for variable, folder in (
        ("HOME", ""),
        ("XDG_STATE_HOME", "state"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_RUNTIME_DIR", "runtime"),
    ):
        path = os.path.join(home, folder)
        os.makedirs(path, mode=0o700, exist_ok=True)
        os.environ[variable] = path
    os.environ["SWIFT_BACKTRACE"] = "enable=no"


if __name__ == "__main__":
    sys.exit(main())
