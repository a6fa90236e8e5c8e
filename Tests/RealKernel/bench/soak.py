"""Days in the guest, in which two screens of a user without rights stay on one headphone beside bluetoothd
while things happen.

`soak.py BINARY PYTHON SHARED GUEST HOURS SEED`. Standard output has `{"ready": true}`, then a line of
JSON for each hour of the guest, and a last one with what went wrong, if anything did.
"""

import json
import os
import random
import re
import shutil
import signal
import sys
import time
import traceback

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from bench import air  # noqa: E402
from bench.failure import Failure, equal, expect  # noqa: E402
from bench.kernel import Log, Management  # noqa: E402
from bench.process import cpu, descriptors, memory, sleeps  # noqa: E402
from bench.program import install  # noqa: E402
from bench.rig import Rig  # noqa: E402
from bench.sound import Stock  # noqa: E402

FOLDER = "/run/soak"
"""In RAM: the clock runs on while the host reads and writes."""
HOUR = 3600
QUIET = 360
"""s before the end of an hour in which no event begins: more than the longest takes."""
BETWEEN = (60, 420)
AWAY = (30, 240)
FLOOD = 40
FLOODS = 9
"""After which the log of the screen has its most lines, 500."""
PAGES = "iL?E"

READY = "● ready"
MODES = ("off", "noise-cancelling", "transparency", "adaptive")
PRESETS = ("balanced", "bass-boost", "vocal", "custom")
SIZES = ((80, 24), (100, 30), (120, 40), (200, 60))
STEPS = (1, 3600, 86400, 400 * 86400)
"""s by which the wall clock jumps, both ways."""


class Day:
    def __init__(self, rig, machine, seed):
        self.rig = rig
        self.machine = machine
        self.random = random.Random(seed)
        self.headphone = machine.headphone
        self.earshot("pair", self.headphone.name, "--yes").succeeded()
        self.owner = self.screen = self.open_screen()
        self.screens = [self.owner, self.open_screen()]
        self.pid = self.find_process()
        self.events = {}
        self.mark()

    def find_process(self):
        """The screen's process: the child of its pane's shell."""
        shell = self.owner.tmux("display-message", "-p", "#{pane_pid}").strip()
        with open(f"/proc/{shell}/task/{shell}/children") as file:
            return int(file.read())

    def open_screen(self):
        screen = self.rig.screen(columns=120, rows=40, unprivileged=True)
        screen.wait_for(READY)
        return screen

    def earshot(self, *arguments):
        return self.rig.earshot(*arguments, unprivileged=True)

    # What happens

    def other(self, among, than):
        return self.random.choice([one for one in range(len(among)) if one != than])

    def charges(self):
        return [self.random.randint(1, 100) for _ in range(3)]

    def charge(self):
        self.headphone.change(battery=self.charges())

    def button(self):
        """Its own button, or its wearer."""
        self.headphone.change(
            anc=self.other(MODES, self.headphone.state["anc"]),
            wearing=[self.random.randint(0, 1) for _ in range(2)],
        )

    def key(self):
        mode = self.other(MODES, self.headphone.state["anc"])
        writes = len(self.headphone.seen("anc written"))
        self.screen.press(str(mode + 1))
        self.headphone.wait_for("anc written", writes + 1)
        equal(self.headphone.state["anc"], mode, f"mode after the key {mode + 1}")

    def equaliser(self):
        writes = len(self.headphone.seen("eq written"))
        self.screen.press("e")
        self.headphone.wait_for("eq written", writes + 1)

    def command(self):
        mode = self.other(MODES, self.headphone.state["anc"])
        self.earshot("anc", MODES[mode]).succeeded()
        equal(self.headphone.state["anc"], mode, f"mode after anc {MODES[mode]}")

    def absence(self):
        """It comes back with other values, of which it sends no notification."""
        self.headphone.vanish()
        self.screen.wait_for(is_lost)
        time.sleep(self.random.uniform(*AWAY))
        self.headphone.change(battery=self.charges(), anc=self.random.randrange(len(MODES)))
        self.headphone.appear()

    def flood(self):
        for _ in range(FLOOD):
            self.headphone.change(battery=self.charges())

    def resize(self, columns=None, rows=None):
        if columns is None:
            columns, rows = self.random.choice(SIZES)
        self.screen.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def page(self, key=None):
        self.screen.press(key or self.random.choice(PAGES))
        self.screen.wait_for(is_elsewhere)
        self.screen.press("Escape")

    def services(self):
        """Its services move, and it says so."""
        confirmed = len(self.headphone.seen("change confirmed"))
        self.headphone.change_services(moves=True)
        self.headphone.wait_for("change confirmed", confirmed + 1)

    def daemon(self):
        """bluetoothd ends or crashes, and comes back."""
        self.machine.desktop.end_bluetoothd(self.random.choice((signal.SIGTERM, signal.SIGKILL)))
        time.sleep(self.random.uniform(0, 10))
        self.machine.desktop.start_bluetoothd()

    def clock(self):
        """Somebody sets the wall clock, or it is corrected."""
        step = self.random.choice(STEPS) * self.random.choice((-1, 1))
        time.clock_settime(time.CLOCK_REALTIME, time.time() + step)

    EVENTS = (
        charge, charge, button, key, equaliser, command, absence, flood, resize, page, services, daemon, clock,
    )  # fmt: skip

    def everything(self):
        """So that what is kept, up to some limit, is full before memory is compared."""
        for size in SIZES:
            self.resize(*size)
            for key in PAGES:
                self.page(key)
                self.agree()
        for _ in range(FLOODS):
            self.flood()
        for event in self.EVENTS:
            self.happens(event)

    def happens(self, event):
        """At one of the screens, if it is a person's; both come to show the same."""
        self.screen = self.random.choice(self.screens)
        event(self)
        self.agree()

    # What is looked at

    def agree(self):
        """The screens come to say what the headphone has."""
        state = self.headphone.state

        def charges_and_settings(text):
            parts = zip(("Left", "Right", "Case"), state["battery"])
            chosen = (f"▐{state['anc'] + 1} ", f"▐{PRESETS[state['eq']][:3].capitalize()}")
            return all(re.search(rf"{part[0]}(?:{part[1:]})? +{level}%", text) for part, level in parts) and all(
                words in text for words in chosen
            )

        for screen in self.screens:
            screen.wait_for(READY, is_main_page, charges_and_settings)

    def compare(self):
        """`status` says what the headphone has."""
        state, reported = self.headphone.state, self.earshot("status", "--json").succeeded().json
        battery = [reported["battery"][part] for part in ("left", "right", "case")]
        equal(reported["control"]["state"], "ready", "state of the link")
        equal(battery, state["battery"], "charges")
        equal(reported["anc"], MODES[state["anc"]], "noise control")
        equal(reported["eq"]["preset"], PRESETS[state["eq"]], "equaliser")
        equal([reported["wearing"][side] for side in ("left", "right")],
              [bool(worn) for worn in state["wearing"]], "wearing")  # fmt: skip

    def mark(self):
        """An hour begins."""
        self.events.clear()
        self.rig.air.records.clear()
        self.used = cpu(self.pid), sum(sleeps(self.pid).values())

    def hour(self, end):
        while (at := time.monotonic() + self.random.uniform(*BETWEEN)) < end - QUIET:
            time.sleep(at - time.monotonic())
            event = self.random.choice(self.EVENTS)
            self.happens(event)
            self.events[event.__name__] = self.events.get(event.__name__, 0) + 1
        time.sleep(end - time.monotonic())
        self.screen = self.owner
        self.resize(120, 40)
        self.agree()
        figures = self.figures()
        self.compare()
        equal(self.find_process(), self.pid, "process of the screen")
        self.mark()
        return figures

    def figures(self):
        resident, share = memory(self.pid)
        files = self.files()
        log = sum(size for name, size in files.items() if name.startswith("earshot.log"))
        ticks, asleep = self.used
        threads = sleeps(self.pid)
        return {
            "resident": resident,
            "share": share,
            "descriptors": descriptors(self.pid),
            "threads": len(threads),
            "log": log,
            "state": sum(files.values()) - log,
            "files": len(files),
            "cpu": cpu(self.pid) - ticks,
            "wakeUps": sum(threads.values()) - asleep,
            "requests": len(self.headphone.att_requests()),
            "events": dict(self.events),
        }

    def files(self):
        """The sizes of the state's files."""
        folder = f"{self.rig.earshot.runner(unprivileged=True)['cwd']}/state/earshot"
        return {
            name: os.path.getsize(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
        }


def is_lost(text):
    return READY not in text


def is_elsewhere(text):
    """The last line has the keys of the page; on all but the main page one of them leads back."""
    return "Esc " in text.splitlines()[-1]


def is_main_page(text):
    return not is_elsewhere(text)


def tell(message):
    print(json.dumps(message), flush=True)


def run(rig, log, count, seed):
    """None, or what went wrong."""
    try:
        with Stock(rig, encrypted=True, serial="0001") as machine:
            day = Day(rig, machine, seed)
            begun = time.monotonic()
            day.everything()
            for number in range(1, count + 1):
                tell({"hour": number, **day.hour(begun + number * HOUR)})
                expect(not (faults := log.faults()), f"the kernel: {faults}")
    except Failure as failure:
        return str(failure)
    except Exception:
        return traceback.format_exc()
    finally:
        with open(os.path.join(rig.folder, "headphones.jsonl"), "w") as records:
            records.writelines(json.dumps(record) + "\n" for record in rig.air.records)
        rig.close()


def main(binary, python, shared, guest, hours, seed):
    binary = install(binary)
    engine = air.Engine(python, HERE, os.path.join(shared, guest))
    engine.start()
    os.makedirs(FOLDER)
    rig = Rig(engine, air.Air(), Management(), binary, FOLDER)
    log = Log()
    tell({"ready": True})
    failure = run(rig, log, int(hours), int(seed))
    own = os.path.join(shared, guest, "soak")
    shutil.copytree(FOLDER, own)
    home = rig.earshot.runner(unprivileged=True)["cwd"]
    shutil.copytree(f"{home}/state/earshot", os.path.join(own, "state"))
    tell({"failure": failure})


if __name__ == "__main__":
    main(*sys.argv[1:])
