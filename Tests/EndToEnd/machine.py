"""A machine that fails: a disk without room, one that takes no changes, no descriptors, a clock set back, services that die.

Whatever is missing is reported in words. Nothing crashes or hangs, and what was kept before is kept.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import shutil
import signal
import subprocess
import time

from faults import library
from firmware import choose
from screen import VIRTUAL, confirmed, start
from sets import long
from signals import image
from terminal import TIMEOUT, Failure, Terminal

QUIET = ["--adapter", "virtual-quiet"]


def run(binary, line, limits=(), status=None):
    """The command under resource limits, (RLIMIT_…, value); every ending but a crash is its own affair."""

    def limit():
        for kind, value in limits:
            resource.setrlimit(kind, (value, value))

    adapter = [] if line.split()[0] in ("firmware", "doctor", "log") else QUIET
    result = subprocess.run(
        [binary, *line.replace("HOME", os.environ["HOME"]).split(), *adapter], capture_output=True,
        text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT, preexec_fn=limit,
    )
    assert result.returncode >= 0, f"{line}: {result}"
    assert status is None or result.returncode == status, f"{line}: {result}"
    return result


def said(result, words):
    assert words in result.stderr, f"no {words!r}: {result}"


def state(name=""):
    return os.path.join(os.environ["XDG_STATE_HOME"], "earshot", name)


def kept():
    """The files of the state that are more than a log or a lock."""
    return {
        name: open(state(name), encoding="utf-8").read()
        for name in os.listdir(state()) if name.endswith(".json") and "battery" not in name
    }


def remember(binary):
    """A headphone and a preset."""
    run(binary, "battery --device aurora", status=0)
    run(binary, "eq save mine --device aurora", status=0)


MS_RDONLY, MS_REMOUNT, MS_REC, MS_PRIVATE, MNT_DETACH = 1, 32, 0x4000, 0x40000, 2
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000


@contextlib.contextmanager
def small_disk():
    """A disk of its own for the state, and what mounts it again; None where that is not permitted."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    path = os.environ["XDG_STATE_HOME"].encode()
    is_root = os.geteuid() == 0
    if libc.unshare(CLONE_NEWNS | (0 if is_root else CLONE_NEWUSER)) != 0:
        yield None
        return
    if not is_root:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    # Not to be seen by other processes.
    libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None)
    if libc.mount(b"disk", path, b"tmpfs", 0, b"size=256k") != 0:
        yield None
        return

    def remount(flags):
        assert libc.mount(b"disk", path, None, MS_REMOUNT | flags, b"size=256k") == 0, os.strerror(ctypes.get_errno())

    try:
        yield remount
    finally:
        libc.umount2(path, MNT_DETACH)


def fill():
    with contextlib.suppress(OSError), open(os.path.join(os.environ["XDG_STATE_HOME"], "full"), "wb") as file:
        while True:
            file.write(bytes(512))
            file.flush()


def case_a_full_disk_is_reported_and_loses_nothing(binary):
    with small_disk() as remount:
        if not remount:
            print("        (no disk can be mounted here)")
            return
        remember(binary)
        before = kept()
        fill()
        for line in (
            "eq save other --device aurora", "eq rename mine yours", f"capture {state('a.btsnoop')}",
            f"firmware keygen {state('key')}", f"doctor --report {state('report')}",
        ):
            result = run(binary, line, status=1)
            said(result, "No space left on device")
            # Not the name of a file that the user has never seen.
            assert result.stderr.rstrip().split("\n")[-1].count(".json.") == 0, result
        assert kept() == before
        # What only reads goes on, and says what the next run will not know.
        result = run(binary, "battery --device aurora", status=0)
        assert "84%" in result.stdout, result
        said(result, "not remembered: ")
        assert kept() == before
        result = run(binary, "doctor")
        assert "is on a full disk" in result.stdout, result
        with start(binary) as terminal:
            terminal.send("3")
            terminal.expect("confirmed", lambda text: confirmed(text, "▐3"))
            terminal.send("q")
            assert terminal.end() == 0
        os.remove(os.path.join(os.environ["XDG_STATE_HOME"], "full"))
        remember(binary)


def case_a_state_folder_that_takes_no_changes_is_reported(binary):
    with small_disk() as remount:
        if not remount:
            print("        (no disk can be mounted here)")
            return
        remember(binary)
        before = kept()
        remount(MS_RDONLY)
        for line in ("eq save other --device aurora", "forget aurora --yes"):
            said(run(binary, line, status=1), "Read-only file system")
        result = run(binary, "battery --device aurora", status=0)
        assert "84%" in result.stdout, result
        said(result, "no log: ")
        assert "is on a read-only disk" in run(binary, "doctor").stdout
        with start(binary) as terminal:
            terminal.send("q")
            assert terminal.end() == 0
        assert kept() == before


def case_files_that_may_not_grow_are_reported_and_stay_whole(binary):
    """Under `ulimit -f`, which ends a program that does not expect it."""
    remember(binary)
    run(binary, "scene save evening --device aurora", status=0)
    path = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot", "config.toml")
    with open(path, encoding="utf-8") as file:
        scenes = file.read()
    before = kept()
    nothing = ((resource.RLIMIT_FSIZE, 0),)
    for line in (
        "eq save other --device aurora", "capture HOME/a.btsnoop", "firmware keygen HOME/key",
        "doctor --report HOME/report",
    ):
        said(run(binary, line, nothing, status=1), "File too large")
    # Room for a part of what is appended.
    for room in (1, 10):
        limits = ((resource.RLIMIT_FSIZE, len(scenes) + room),)
        said(run(binary, "scene save morning --device aurora", limits, status=1), "File too large")
        with open(path, encoding="utf-8") as file:
            assert file.read() == scenes
    assert kept() == before


def case_a_stopped_program_with_the_lock_is_reported_and_not_waited_for(binary):
    remember(binary)
    before = kept()
    with contextlib.ExitStack() as held:
        for name in ("equaliser.json.lock", "virtual-devices.json.lock"):
            fcntl.flock(held.enter_context(open(state(name), "r+", encoding="ascii")), fcntl.LOCK_EX)
        for line in ("eq save other --device aurora", "forget aurora --yes"):
            said(run(binary, line, status=1), "another earshot holds its lock")
        result = run(binary, "battery --device aurora", status=0)
        assert "84%" in result.stdout, result
        assert kept() == before
    run(binary, "eq save other --device aurora", status=0)


def case_every_number_of_descriptors_ends_in_words_or_in_an_answer(binary):
    answers = 0
    for count in range(4, 64):
        for line in ("battery --device aurora", "eq list", "doctor"):
            result = run(binary, line, ((resource.RLIMIT_NOFILE, count),))
            if result.returncode == 0:
                answers += 1
            elif line != "doctor" or not result.stdout:
                assert "Too many open files" in result.stderr or result.returncode == 127, f"{count}: {result}"
    assert answers > 20, answers
    assert "84%" in run(binary, "battery --device aurora", status=0).stdout


def case_a_screen_without_descriptors_gives_the_terminal_back(binary):
    shown = 0
    for count in range(8, 40):
        with Terminal(["sh", "-c", f'ulimit -n {count}; exec "$@"', "sh", binary, *VIRTUAL]) as terminal:
            # It ends by itself, or shows its first screen.
            with contextlib.suppress(Failure):
                terminal.expect("AUDIO ROUTE")
                shown += 1
                terminal.send("q")
            status = terminal.end()
            if status != 0:
                assert status > 0, f"{count}: {status}\n{terminal.text()}"
                # Not even the description of the terminal's type can then be read.
                words = ("Too many open files", "is not known on this machine")
                assert any(word in terminal.text() for word in words), f"{count}: {status}\n{terminal.text()}"
            assert terminal.raw.count(b"\x1b[?1049h") == terminal.raw.count(b"\x1b[?1049l"), f"{count}: {terminal.raw}"
    assert shown, "never opened"


def case_a_clock_that_was_set_back_loses_nothing(binary):
    """What was kept is of the future: the last use and each charge."""
    remember(binary)
    minutes = 20 * 365 * 24 * 60

    def use(file):
        file["devices"][0]["lastUsed"] += minutes * 60_000

    def charge(file):
        file["charges"] = [[last[0] + minutes + 10 * age, *last[1:]] for last in file["charges"] for age in range(5)]

    change(state("virtual-devices.json"), use)
    change(state("virtual-battery-00005e005301.json"), charge)
    assert "84%" in run(binary, "battery --device aurora", status=0).stdout
    assert "Aurora" in run(binary, "devices", status=0).stdout
    with start(binary) as terminal:
        terminal.send("3")
        terminal.expect("confirmed", lambda text: confirmed(text, "▐3"))
        if "-" in [word[:1] for word in terminal.text().split() if word[1:2].isdigit()]:
            raise Failure(f"a negative age\n{terminal.text()}")
        terminal.send("q")
        assert terminal.end() == 0


def change(path, how):
    with open(path, encoding="utf-8") as file:
        value = json.load(file)
    how(value)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


@contextlib.contextmanager
def at_step(binary, step, **options):
    """A screen at a step of the journey, and what brings it to the step's end."""
    device = "cipher" if step == "pairing" else "aurora"
    with Terminal([binary, "--device", device, *VIRTUAL], **options) as terminal:

        def shows(*words):
            terminal.expect(words, lambda text: all(word in text for word in words))

        def goes_on():
            if step == "pairing":
                terminal.answer("y")
            if step == "setting":
                terminal.expect("confirmed", lambda text: confirmed(text, "▐3"))
            elif step == "update":
                shows("9.0.0 is installed")
                terminal.send("\x1b")
            shows("● ready")

        if step == "start":
            terminal.expect_raw(b"\x1b[?1049h")
        elif step == "pairing":
            shows("Yes", "No")
        else:
            shows("CONTROL LINK", "● ready")
        if step == "scan":
            terminal.send("s")
            shows("scanning")
        elif step == "setting":
            terminal.send("3")
        elif step == "update":
            choose(terminal, os.path.join(os.environ["HOME"], "a.fw"))
            shows("Install")
            terminal.send("\r")
            shows("y Install")
            terminal.send("y")
            terminal.expect("the transfer", lambda text: "Sending" in text)
        yield terminal, goes_on


STEPS = ("start", "scan", "pairing", "idle", "setting", "update")


def case_a_terminal_that_goes_ends_the_program_at_each_step(binary):
    image(binary)
    for step in STEPS:
        with at_step(binary, step) as (terminal, _):
            terminal.hang_up()
            _, status = os.waitpid(terminal.pid, 0)
            terminal.status = os.waitstatus_to_exitcode(status)
            # Whether the signal or the end of the input is noticed first.
            assert terminal.status in (-signal.SIGHUP, 1), f"{step}: {terminal.status}"
        assert "84%" in run(binary, "battery --device aurora", status=0).stdout, step


@contextlib.contextmanager
def session_bus():
    """A bus of its own: its process and its address."""
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)
    try:
        yield bus, bus.stdout.readline().strip()
    finally:
        bus.kill()
        bus.wait()


def case_a_session_bus_that_dies_at_any_step_leaves_the_screen_as_it_is(binary):
    if not shutil.which("dbus-daemon"):
        print("        (no dbus-daemon here)")
        return
    image(binary)
    for step in STEPS:
        with session_bus() as (bus, address):
            with at_step(binary, step, environment={"DBUS_SESSION_BUS_ADDRESS": address}) as (terminal, goes_on):
                bus.kill()
                bus.wait()
                goes_on()
                terminal.send("q")
                assert terminal.end() == 0, step


def case_a_session_bus_that_hangs_at_any_step_leaves_the_screen_as_it_is(binary):
    if not shutil.which("dbus-daemon"):
        print("        (no dbus-daemon here)")
        return
    image(binary)
    took = {}
    for step in STEPS:
        with session_bus() as (bus, address):
            environment = {"DBUS_SESSION_BUS_ADDRESS": address}
            if step == "start":
                bus.send_signal(signal.SIGSTOP)
            with at_step(binary, step, environment=environment) as (terminal, goes_on):
                bus.send_signal(signal.SIGSTOP)
                goes_on_and_ends(terminal, goes_on, step, took)
    print_times(took)


def goes_on_and_ends(terminal, goes_on, step, took):
    began = time.monotonic()
    goes_on()
    went_on = time.monotonic()
    terminal.send("q")
    assert terminal.end() == 0, step
    took[step] = (went_on - began, time.monotonic() - went_on)


def print_times(took):
    steps = ", ".join(f"{step} {seconds[0]:.1f}" for step, seconds in took.items())
    print(f"        (seconds: {steps}; the longest end {max(end for _, end in took.values()):.1f})")


class SlowDisk:
    """A disk for the state folder that can stall: calls that change a file there do not return until it goes on.

    Of the folder only the files whose names begin with `files`. It stalls until `go_on`.
    """

    def __init__(self, library, files=""):
        home = os.environ["HOME"]
        self.gate, self.mark = os.path.join(home, "gate"), os.path.join(home, "mark")
        os.mkfifo(self.gate)
        self.environment = {"LD_PRELOAD": library, "EARSHOT_DISK": f"{state(files)} {self.gate} {self.mark}"}
        self.writer = None

    def was_asked(self):
        """Whether something was asked of it since the last time."""
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.mark)
            return True
        return False

    def stall(self):
        os.close(self.writer)
        self.was_asked()

    def go_on(self):
        self.writer = os.open(self.gate, os.O_RDWR)


def case_a_disk_that_takes_its_time_holds_up_no_key_and_loses_nothing(binary):
    """By order, not by time: all of this happens while a change of a file does not return."""
    path = library()
    if not path:
        return
    remember(binary)
    disk = SlowDisk(path)
    disk.go_on()
    with start(binary, environment=disk.environment) as terminal:
        disk.stall()
        for key, segment in (("3", "▐3"), ("1", "▐1"), ("4", "▐4")):
            terminal.send(key)
            terminal.expect("confirmed", lambda text, segment=segment: confirmed(text, segment))
        terminal.send("E")
        terminal.expect("EQUALISER")
        terminal.send("S")
        terminal.expect("SAVE THE EQUALISER AS")
        terminal.send("evening\r")
        terminal.expect("the page", lambda text: "SAVE THE" not in text)
        terminal.send("\x1b")
        terminal.expect("CONTROL LINK")
        assert disk.was_asked(), "nothing was written"
        terminal.send("q")
        terminal.expect_raw(b"\x1b[?1049l")
        assert "evening" not in kept()["equaliser.json"], "the disk was not busy"
        disk.go_on()
        assert terminal.end() == 0
    presets = json.loads(kept()["equaliser.json"])["presets"]
    assert [preset["name"] for preset in presets] == ["evening", "mine"], presets
    assert "84%" in run(binary, "battery --device aurora", status=0).stdout


def case_a_disk_that_hangs_at_any_step_holds_up_none_of_them(binary):
    path = library()
    if not path:
        return
    remember(binary)
    image(binary)
    took = {}
    disk = SlowDisk(path)
    for step in STEPS:
        if step != "start":
            disk.go_on()
        with at_step(binary, step, environment=disk.environment) as (terminal, goes_on):
            if step != "start":
                disk.stall()
            began = time.monotonic()
            goes_on()
            took[step] = (time.monotonic() - began, 0)
            disk.go_on()
            terminal.send("q")
            assert terminal.end() == 0, step
        os.close(disk.writer)
    print_times(took)


def case_a_disk_that_never_takes_the_log_holds_up_no_link_and_no_end(binary):
    """Whether the log is there already, or would have to be made."""
    path = library()
    if not path:
        return
    remember(binary)
    disk = SlowDisk(path, "earshot.log")
    for is_there in (True, False):
        if not is_there:
            os.remove(state("earshot.log"))
        result = subprocess.run(
            [binary, *VIRTUAL, "battery", "--device", "aurora"], env={**os.environ, **disk.environment},
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT)
        assert result.returncode == 0 and "84%" in result.stdout, result
        assert is_there or "no log: " in result.stderr, result
        assert disk.was_asked(), "nothing was written"
        with start(binary, environment=disk.environment) as terminal:
            terminal.send("3")
            terminal.expect("confirmed", lambda text: confirmed(text, "▐3"))
            assert disk.was_asked(), "nothing was written"
            terminal.send("q")
            assert terminal.end() == 0


def case_a_disk_that_never_answers_holds_up_no_link(binary):
    """Neither the first one nor the next, which may trust the services of the last connection. The end waits, and says so."""
    path = library()
    if not path:
        return
    remember(binary)
    disk = SlowDisk(path)
    with start(binary, environment=disk.environment) as terminal:
        terminal.send("3")
        terminal.expect("confirmed", lambda text: confirmed(text, "▐3"))
        assert disk.was_asked(), "nothing was written"
        terminal.send("c")
        terminal.expect("c Connect")
        terminal.send("c")
        terminal.expect("● ready")
        terminal.send("q")
        terminal.expect_raw(b"\x1b[?1049l")
        terminal.expect_raw(b"waiting for the disk")
        disk.go_on()
        assert terminal.end() == 0
    os.close(disk.writer)
    command = [binary, *VIRTUAL, "battery", "--device", "aurora"]
    with Terminal(command, environment=disk.environment) as terminal:
        terminal.expect("84%")
        terminal.expect("waiting for the disk")
        terminal.send("\x03")
        assert terminal.end() == -signal.SIGINT
    assert "84%" in run(binary, "battery --device aurora", status=0).stdout


@long
def case_a_disk_that_never_lets_go_of_a_held_sink_holds_up_no_end(binary):
    """The end waits a minute for the disk, and then asks which sink is held while that thread still waits."""
    path = library()
    if not path:
        return
    remember(binary)
    open(state("virtual-held-sink"), "w", encoding="utf-8").close()
    disk = SlowDisk(path, "virtual-held-sink")
    with start(binary, environment=disk.environment) as terminal:
        terminal.expect("the file is deleted", lambda text: disk.was_asked())
        terminal.send("q")
        terminal.expect_raw(b"waiting for the disk")
        assert terminal.end(timeout=2 * TIMEOUT) == 1
