"""Runs parts of the tests, beside each other where the table allows it, and reports what each has found.

`scripts/test` calls this after it has installed what the parts need.
"""

import datetime
import os
import pathlib
import pwd
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST = "unit lint screen kernel"
REST = "documentation races rig debian trixie long libraries"
# The status by which a part says that this machine cannot run it.
NOT_RUN = 77
# The program of the first set, of the libraries that the Swift tests use; and the one that is shipped.
PROGRAM, SHIPPED = ".build/tests/release/earshot", ".build/release/earshot"
PROCESSORS = os.cpu_count() or 1
# The cases on the real kernel that depend most on the versions of kernel, bluetoothd and sound servers.
VERSIONS = "raw_scan.py,link.py,pairing.py,stock_desktop.py,dual_mode.py,restarts.py,auracast.py,hearing_aids.py"


@dataclass(frozen=True)
class Part:
    """A command of the shell, or a function of the run that returns one."""

    command: "str | Callable[[Run], str]"
    # What must have passed before.
    needs: str = ""
    # What must have ended before, however: steps, and parts where they are wanted.
    after: str = ""


def starts_on(suite, build):
    """The program on another suite, with AddressSanitizer or without."""
    return f"""scripts/in-debian {suite} sh -c 'scripts/prepare build && {build} &&
        ASAN_OPTIONS=detect_leaks=0 .build/debug/earshot status --adapter virtual-quiet'"""


def kernel(run):
    # Beside a compiler a guest for each processor: cases wait a third of their time, but each boot costs as much as ten.
    guests = f"--guests {min(PROCESSORS, 8)} " if "unit" in run.wanted else ""
    return f"Tests/RealKernel/run {guests}--first {PROGRAM}"


def rig(run):
    if run.status.get("trixie_root") != 0:
        return f"nice Tests/RealKernel/run --rest {SHIPPED}"
    return f"nice Tests/RealKernel/run --guests {2 * min(PROCESSORS, 4)} --rest {SHIPPED} -{VERSIONS}"


def trixie(run):
    # A higher priority than that of rig: each of these guests has more to do, and would end last.
    guests = f"--guests {(min(PROCESSORS, 4) + 1) // 2} " if "rig" in run.wanted else ""
    return f"nice -n 7 Tests/RealKernel/run {guests}--system trixie --rest {SHIPPED} {VERSIONS}"


# What parts share: not reported unless it fails. The roots only save a part the time to make its own.
STEPS = {
    "program": Part("scripts/build --testable"),
    "shipped": Part("scripts/build"),
    "kernel_root": Part("Tests/RealKernel/run --prepare"),
    "debian_root": Part("scripts/in-debian trixie true"),
    "trixie_root": Part("Tests/RealKernel/run --system trixie --prepare", after="debian_root"),
}
PARTS = {
    "unit": Part("scripts/swift_tests.py", "program"),
    "lint": Part("scripts/lint && /usr/bin/python3 -m unittest discover -q -s Tests/Scripts -p '*_tests.py' && echo no findings"),
    "screen": Part(f"/usr/bin/python3 Tests/EndToEnd/run.py {PROGRAM} --first", "program", after="unit"),
    "kernel": Part(kernel, "program", after="kernel_root"),
    "documentation": Part(f"scripts/documentation {os.path.dirname(SHIPPED)}", "shipped", after=FIRST),
    "races": Part("scripts/sanitize --short thread", after=FIRST),
    "rig": Part(rig, "shipped", after="kernel_root trixie_root races"),
    # One build serves libFuzzer and the program: with AddressSanitizer.
    "debian": Part(starts_on("trixie", "scripts/fuzz --short .build earshot earshot-bench"), after="debian_root races"),
    "trixie": Part(trixie, "shipped", after="trixie_root races"),
    "long": Part(f"/usr/bin/python3 Tests/EndToEnd/run.py {SHIPPED} --rest", "shipped", after="races"),
    "libraries": Part("Tests/Package/libraries", after="races"),
    "fuzz": Part("scripts/fuzz --short"),
    "debian_unit": Part("scripts/in-debian trixie scripts/test unit"),
    "forky": Part(starts_on("forky", "swift build --product earshot")),
    "package": Part("appstreamcli validate --no-net scripts/packaging/*.metainfo.xml &&"
                    " desktop-file-validate scripts/packaging/earshot.desktop &&"
                    " for size in 16 48 128; do rsvg-convert -w $size -h $size scripts/packaging/earshot.svg >/dev/null || exit; done &&"
                    " for kind in deb rpm tarball; do Tests/Package/run \"$(scripts/package $kind)\" || exit; done &&"
                    " Tests/Package/recipes \"$(scripts/package tarball)\" \"$(scripts/package source)\""),
    "thorough": Part("EARSHOT_THOROUGH=1 scripts/swift_tests.py", "program"),
    "sanitizers": Part("scripts/sanitize thread && scripts/sanitize address"),
}


def failures(log):
    """A line for each failure of a log: of the compiler the line itself; of a test and a case its first lines, as one."""
    found, failed = [], None

    def end():
        if failed:
            text = re.sub(r"\s+", " ", failed)
            found.append(text if len(text) <= 700 else f"{text[:350]} … {text[-350:]}")

    for line in log.splitlines():
        if re.match(r"(passed|FAILED|again|✘|✔|◇) |failed cases:|(real kernel|end to end): ", line):
            end()
            failed = None
        if re.match(r"FAILED |✘ Test .* recorded an issue", line):
            failed = line
        elif failed:
            failed += " " + line
        elif re.search(r"(^|: )(fatal )?error: ", line):
            found.append(line[:700])
    end()
    return found[-20:]


def again(log):
    """The cases that passed only when they were run again."""
    listed = re.search(r"^passed only when run again:\n((?:  .*\n)*)", log, re.MULTILINE)
    return [line.strip() for line in listed[1].splitlines()] if listed else []


class Run:
    """One run of wanted parts, each with a log of its own."""

    def __init__(self, wanted, folder, parts=None, steps=None):
        self.wanted, self.folder = list(wanted), folder
        self.parts, self.steps = PARTS if parts is None else parts, STEPS if steps is None else steps
        self.status, self.seconds, self.children = {}, {}, []
        names = list(self.wanted)
        for name in names:  # grows as it goes
            names += [it for it in self.before(name) if it not in names]
        self.ended = {name: threading.Event() for name in names}

    def declaration(self, name):
        return self.steps.get(name) or self.parts[name]

    def before(self, name):
        """What must have ended before a part begins."""
        part = self.declaration(name)
        return part.needs.split() + [it for it in part.after.split() if it in self.wanted or it in self.steps]

    def log(self, name):
        path = self.folder / f"test-{name}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def perform(self, name):
        part = self.declaration(name)
        for earlier in self.before(name):
            self.ended[earlier].wait()
        begun = time.monotonic()
        missing = [it for it in part.needs.split() if self.status[it] != 0]
        with open(self.folder / f"test-{name}.log", "w", encoding="utf-8") as log:
            if missing:
                log.write(f"error: no {' and no '.join(missing)}\n")
                self.status[name] = 1
            else:
                print(f"== {name} ({datetime.datetime.now():%T})", file=sys.stderr, flush=True)
                command = part.command if isinstance(part.command, str) else part.command(self)
                child = subprocess.Popen(["sh", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                         start_new_session=True)
                self.children.append(child)
                self.status[name] = child.wait()
        self.seconds[name] = round(time.monotonic() - begun)
        self.ended[name].set()

    def follow(self, name):
        """Prints a part's log while it grows."""
        path = self.folder / f"test-{name}.log"
        while not path.exists():
            time.sleep(0.1)
        with open(path, encoding="utf-8", errors="replace") as log:
            while True:
                has_ended = self.ended[name].is_set()
                print(log.read(), end="", flush=True)
                if has_ended:
                    return
                self.ended[name].wait(0.5)

    def run(self):
        """Runs everything; returns the report and the status to exit with."""
        for name in self.ended:
            (self.folder / f"test-{name}.log").unlink(missing_ok=True)
        for name in self.ended:
            threading.Thread(target=self.perform, args=[name], daemon=True).start()
        for name in self.wanted:
            self.follow(name)
        report, needed = [], {need for name in self.wanted for need in self.declaration(name).needs.split()}
        for name in [it for it in self.steps if it in needed and self.status[it]] + self.wanted:
            status, log = self.status[name], self.log(name)
            verdict = {0: "passed", NOT_RUN: "NOT RUN"}.get(status, "FAILED")
            counts = re.findall(r"^.*(?:\d+ (?:tests?|passed|cases?)|no findings|^not run ).*$", log, re.MULTILINE)
            report.append(f"{name}: {verdict} in {self.seconds[name]} s: {counts[-1] if counts else ''}")
            if status:
                report += [f"  {line}" for line in failures(log)]
            report += [f"  again: {line}" for line in again(log)]
        statuses = [self.status[name] for name in self.wanted]
        if any(status not in (0, NOT_RUN) for status in statuses):
            return report, 1
        # A run of nothing is no success.
        return report, 0 if 0 in statuses else NOT_RUN

    def stop(self):
        for child in self.children:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGTERM)


def normalize(environment):
    """One environment for all parts, whether a terminal, cron or continuous integration starts them."""
    for name in list(environment):
        if re.fullmatch(r"(LC|XDG|PULSE|PIPEWIRE)_.*", name) or name in (
                "NO_COLOR CLICOLOR CLICOLOR_FORCE FORCE_COLOR COLORTERM COLUMNS LINES LANG LANGUAGE EDITOR VISUAL PAGER TMUX"
                " DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS").split():
            del environment[name]
    environment.setdefault("HOME", pwd.getpwuid(os.getuid()).pw_dir)
    environment.update(TERM="xterm-256color", LC_ALL="C.UTF-8", TZ="UTC0")


def main(words):
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    wanted = {"": FIRST, "all": f"{FIRST} {REST}", "rest": REST}.get(" ".join(words), " ".join(words)).split()
    for name in wanted:
        if name not in PARTS:
            print(f"unknown part: {name} ({' '.join(PARTS)})", file=sys.stderr)
            return 2
    normalize(os.environ)
    folder = ROOT / ".build"
    folder.mkdir(exist_ok=True)
    run = Run(wanted, folder)

    def interrupt(number, _):
        run.stop()
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    report, status = run.run()
    print("", *report, sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
