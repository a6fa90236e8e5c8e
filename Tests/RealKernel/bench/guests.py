"""Runs the cases in guests side by side: `guests.py OUT RESULTS GUESTS [--first | --rest] [WORD...]`;
`guests.py --list [--first | --rest]`.

On the host. A guest is handed one title after another and answers with one line of JSON
(`runner.py`), so that a slow case holds up its own guest alone, and what a case says stays together.
"""

import atexit
import collections
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from bench.catalogue import chosen, folder  # noqa: E402
from bench.verdict import judge  # noqa: E402


AGAIN = 2
"""The most cases of a run that are tried again after a failure."""

LAST_START = float(os.environ.get("EARSHOT_LAST_START", "inf"))
"""From then on no case is begun, in seconds since 1970: continuous integration ends a run that takes too long."""

STILL = 180
"""Seconds without any processor time after which an emulator has stopped for good."""


class Ended(Exception):
    """The guest is off, and should not be."""


class Guest:
    def __init__(self, name, out, skips_idle=False):
        """`skips_idle`: its clock jumps over the time in which it has nothing to do."""
        folder = os.path.join(out, name)
        self.console = os.path.join(folder, "console.log")
        os.makedirs(folder, exist_ok=True)
        self.process = subprocess.Popen(
            [f"{HERE}/guest/boot", out, name, *(["sleep=off"] if skips_idle else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        atexit.register(self.process.terminate)
        self.is_stalled = False
        threading.Thread(target=self.watch, daemon=True).start()
        # What it is told before its serial line is open is lost.
        self.versions = self.answer()

    def watch(self):
        """Ends an emulator that has stopped.

        QEMU 7.2 that counts instructions sometimes stops for good while its guest waits for a timer. It uses no
        processor time from then on, which one with an idle guest does.
        """
        last, since = None, time.monotonic()
        while self.process.poll() is None:
            used = processor_times(self.process.pid)
            if used != last:
                last, since = used, time.monotonic()
            elif time.monotonic() - since > STILL:
                self.is_stalled = True
                for child in used:
                    os.kill(child, signal.SIGKILL)
                return
            time.sleep(5)

    def answer(self):
        for line in self.process.stdout:
            try:
                return json.loads(line)
            except ValueError:
                print(line, end="", flush=True)
        self.process.wait()
        why = "its emulator stopped" if self.is_stalled else "the guest ended"
        raise Ended(f"{why}; its console's last lines:\n{last_lines(self.console)}")

    def run(self, title):
        try:
            self.tell(title)
        except BrokenPipeError:
            pass
        return self.answer()

    @property
    def processor_time(self):
        """s; what the emulator has used so far."""
        return sum(processor_times(self.process.pid).values()) / os.sysconf("SC_CLK_TCK")

    def tell(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def switch_off(self):
        self.tell("")
        self.process.wait()


def last_lines(path, count=12):
    with contextlib.suppress(FileNotFoundError), open(path, errors="replace") as file:
        return "".join(collections.deque(file, count)).rstrip()
    return "none"


def processor_times(parent):
    """The processor time of each child of a process, in ticks, by its number."""
    times = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[1]) == parent:
            times[int(entry)] = int(fields[11]) + int(fields[12])
    return times


class Run:
    """All chosen cases, in as many guests as there are workers."""

    def __init__(self, cases, boot, out, kept):
        """`out`: the folder of this run's cases; `kept`: that of the results of all runs."""
        self.out = out
        self.kept = kept
        self.cases = cases
        self.boot = boot
        self.slow = collections.deque(title for title in cases if hasattr(cases[title], "is_slow"))
        self.waiting = collections.deque(title for title in cases if title not in self.slow)
        self.results = []
        self.left_out = []
        self.repeated = {}
        self.lock = threading.Lock()

    def work(self, number):
        # Slow cases wait for most of their time: a quarter of the guests begin with them, while the others compute.
        queues = [self.slow, self.waiting] if number % 4 == 1 else [self.waiting, self.slow]
        name = f"guest-{number}"
        try:
            while any(queues) and time.time() < LAST_START:
                self.serve(self.boot(name), queues)
        except Ended as ended:
            print(f"{name}: {ended}", flush=True)

    def serve(self, guest, queues):
        """Until no case is left, or the guest is lost; the case that it had is lost with it."""
        while time.time() < LAST_START:
            with self.lock:
                title = next((queue.popleft() for queue in queues if queue), None)
            if title is None:
                break
            begun, used = time.monotonic(), guest.processor_time
            try:
                answer = guest.run(title)
            except Ended as ended:
                failure = f"not run to its end: {ended}"
                if not self.repeats(title, failure):
                    self.note(title, failure, on=guest.versions)
                return
            if answer["failure"] and self.repeats(title, answer["failure"]):
                continue
            wall, processor = time.monotonic() - begun, guest.processor_time - used
            cost = {"wall": round(wall, 1), "processor": round(processor, 1)}
            self.note(title, **answer, on=guest.versions, cost=cost)
        guest.switch_off()

    def repeats(self, title, failure):
        """Whether a case that failed is run once more, after the others; the verdict names it even if it passes then."""
        with self.lock:
            if title in self.repeated or len(self.repeated) == AGAIN:
                return False
            print(f"again   {title}", failure, sep="\n", flush=True)
            self.repeated[title] = failure.splitlines()[0]
            self.waiting.append(title)
        own = folder(self.out, title)
        with contextlib.suppress(FileNotFoundError):
            os.rename(own, f"{own}-failed")
        return True

    def note(self, title, failure, took=None, notes=(), on=None, cost=None):
        """`took`: s of the guest's clock; `cost`: s of this machine's clock and processors."""
        is_hostile = getattr(self.cases[title], "is_hostile", False)
        result = {"case": title, "failure": failure, "took": took, "hostile": is_hostile}
        result |= {"first": self.repeated.get(title)}
        result |= cost or {}
        duration = f"  ({took:.1f} s)" if took is not None else ""
        said = [f"{'FAILED' if failure else 'passed'}  {title}{duration}", *notes]
        with self.lock:
            self.results.append(result)
            print(*said, *([failure] if failure else []), sep="\n", flush=True)
            if on:
                self.keep(title, failure, on)

    def keep(self, title, failure, versions):
        """How the case ended, beside the last ends of the others on these versions."""
        name = re.sub(r"[^\w.+-]+", "-", " ".join(map(str, versions.values())))
        path = os.path.join(self.kept, f"{name}.json")
        kept = {"versions": versions, "cases": {}}
        with contextlib.suppress(FileNotFoundError), open(path) as file:
            kept = json.load(file)
        kept["cases"][title] = failure and failure.splitlines()[0]
        with open(path, "w") as file:
            json.dump(kept, file, indent=1)

    def all(self, workers):
        threads = [
            threading.Thread(target=self.work, args=(number,), daemon=True)
            for number in range(1, workers + 1)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for title in (*self.slow, *self.waiting):
            if title in self.repeated:
                self.note(title, failure=self.repeated[title])
            elif time.time() < LAST_START:
                self.note(title, failure="not run: no guest was left")
            else:
                self.left_out.append(title)
        return self.results


SETS = {"--first": True, "--rest": False}


def main(out, kept, guests, *words):
    cases = chosen(*split(words))
    os.makedirs(kept, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended from outside"))
    run = Run(cases, lambda name: Guest(name, out), out, kept)
    results = run.all(min(int(guests), len(cases)))
    with open(os.path.join(out, "results.jsonl"), "w") as file:
        file.writelines(json.dumps(result) + "\n" for result in results)
    return judge(out, results, run.left_out)


def split(words):
    """The words of titles, and which set of cases is chosen: None where it is all."""
    return [word for word in words if word not in SETS], next((SETS[word] for word in words if word in SETS), None)


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        print("\n".join(chosen(*split(sys.argv[2:]))))
    else:
        sys.exit(main(*sys.argv[1:]))
