#!/usr/bin/python3
"""Runs Earshot's binary as a person and a script would, on the virtual headphones.

    Tests/EndToEnd/run.py .build/release/earshot [part of a case's name, or a file's]
    Tests/EndToEnd/run.py .build/release/earshot --first    all but those marked `@long`; --rest: only those
"""

import multiprocessing
import os
import signal
import sys
import tempfile
import time
import traceback

import accessible
import bars
import bus
import command_line
import corrections
import drivers
import faults
import firmware
import guesses
import json_output
import le_audio
import learning
import machine
import mouse
import owners
import reports
import rights
import saved_settings
import screen
import security
import service
import sharing
import signals
import sound_quality
import tables
import walkthrough
import windows
from terminal import Failure


MODULES = (machine, walkthrough, guesses, faults, tables, command_line, corrections, le_audio, firmware, screen, accessible, mouse, sharing, bus, bars, owners, json_output,
           signals, reports, learning, drivers, rights, saved_settings, security, service, sound_quality,
           windows)  # fmt: skip
"""Those with the longest cases first, so that none of them ends alone."""


AGAIN = 2
"""The most cases of a run that are tried again after a failure, as cases on the real kernel are."""


def main():
    binary = os.path.abspath(sys.argv[1])
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    sets = {"--first": lambda case: not hasattr(case, "is_long"), "--rest": lambda case: hasattr(case, "is_long")}
    cases = [
        (case, binary)
        for module in MODULES
        for name, case in vars(module).items()
        if name.startswith("case_")
        and (sets[wanted](case) if wanted in sets else wanted in f"{module.__name__}.{name}")
    ]
    failed = []
    # Cases wait nearly all of their time. Each has a process, and so an environment, of its own.
    with multiprocessing.get_context("fork").Pool(os.cpu_count() * 6, maxtasksperchild=1) as pool:
        for job, (title, seconds, failure) in zip(cases, pool.imap(run, cases, chunksize=1)):
            if failure:
                failed.append(job)
            verdict = "FAILED" if failure else "passed"
            print(f"{verdict}  {title}  ({seconds:.1f} s)", failure or "", sep="\n" if failure else "", flush=True)
        again = []
        for job in failed if len(failed) <= AGAIN else []:
            title, _, failure = pool.apply(run, [job])
            if not failure:
                again.append((job, title))
    if again:
        print("passed only when run again:", *(f"  {title}" for _, title in again), "", sep="\n")
    wrong = len(failed) - len(again)
    print(f"end to end: {len(cases) - wrong} passed, {wrong} failed")
    return 1 if wrong or not cases else 0


def run(job):
    """A case's title, how long it took, and what went wrong."""
    case, binary = job
    start = time.monotonic()
    # A shell ignores ^C for what it runs in the background, nohup a hang-up, and what is ignored is inherited.
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    failure = None
    with tempfile.TemporaryDirectory() as home:
        isolate(home)
        try:
            case(binary)
        except Failure as reason:
            failure = f"{reason}\n{traceback.format_exc()}"
        except Exception:  # a broken case is a failed case
            failure = traceback.format_exc()
    return case.__name__.removeprefix("case_").replace("_", " "), time.monotonic() - start, failure


INHERITED = ("PATH", "LD_LIBRARY_PATH", "USER", "LOGNAME", "UPDATE_SCREENS")
"""What a case gets of the environment that the tests were started in."""


def isolate(home):
    """Gives the case a home and an environment of its own, so that it neither sees nor leaves anything."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    os.environ.clear()
    os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC0", **inherited})
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
    # Whatever the language: documents and output are UTF-8.
    if not sys.flags.utf8_mode:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.argv])
    sys.exit(main())
