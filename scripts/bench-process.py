#!/usr/bin/python3
"""Measures the release binary from outside: start, memory, wake-ups, the ways of a key press and of sound.

    scripts/bench-process.py .build/release/earshot [seconds of idleness, 20] [--json FILE]

Figures are ratios to htop or counts, because machines differ and are shared. A figure whose goal
lies within the 95 % confidence interval of its median is unknown, neither met nor missed.
"""

import argparse
import contextlib
import json
import os
import re
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Tests", "EndToEnd"))
from terminal import Terminal  # noqa: E402  (the path comes first)

RUNS = 15
# Of the stripped program, in MB.
SIZE = 20
CLIENTS = 10
CHANGES = 40
KEYS = 60
SWITCHES = 60
# btsnoop counts µs from the year 0; Unix time starts this many µs later.
UNIX_EPOCH = 0x00DC_DDB3_0F2F_8000
FIGURES = []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=os.path.abspath)
    parser.add_argument("seconds", type=float, nargs="?", default=20, help="of idleness")
    parser.add_argument("--json", help="a file for the figures")
    arguments = parser.parse_args()
    binary, idle_seconds, path = arguments.binary, arguments.seconds, arguments.json
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()
    os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp()
    size(binary)
    start(binary)
    key_to_write(binary)
    shared(binary)
    clients(binary)
    ready = ("ready", lambda text: "ready" in text.lower())
    idle("idle", [binary, "--adapter", "virtual-quiet"], ready, idle_seconds)
    with sound_server():
        sound_to_screen(binary)
        idle("idle beside a sound server", [binary], ("one",), idle_seconds)
    if path:
        with open(path, "w") as file:
            json.dump(FIGURES, file, indent=1)
    return any(figure["verdict"] == "MISS" for figure in FIGURES)


def interval(values):
    """The 95 % confidence interval of the median, by order statistics."""
    ordered, half = sorted(values), 0.98 * len(values) ** 0.5
    middle = (len(ordered) - 1) / 2
    return ordered[max(0, int(middle - half))], ordered[min(len(ordered) - 1, int(middle + half + 1))]


def figure(name, values, unit="", at_most=None):
    """Prints the median of the values, its interval, and whether the goal is met."""
    if not values:
        print(f"unknown {name}: nothing measured")
        return
    median, (low, high) = statistics.median(values), interval(values)
    p99 = sorted(values)[int(len(values) * 0.99)]
    verdict = "-"
    if at_most is not None:
        verdict = "ok" if high <= at_most else "MISS" if low > at_most else "unknown"
    goal = "" if at_most is None else f" (goal: at most {at_most:g}{unit})"
    spread = f", {low:.2f} to {high:.2f}, p99 {p99:.2f}" if len(values) > 1 else ""
    print(f"{verdict:<7} {name}: {median:.2f}{unit}{spread}, n {len(values)}{goal}")
    FIGURES.append({
        "name": name, "median": median, "low": low, "high": high, "p99": p99, "unit": unit.strip(),
        "goal": at_most, "verdict": verdict})


def size(binary):
    """The stripped program."""
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, binary], check=True)
        figure("stripped program", [os.path.getsize(stripped.name) / 1e6], " MB", at_most=SIZE)


def start(binary):
    """Time from exec to the first whole frame, and resident memory then."""
    programs = {"earshot": ([binary, "--adapter", "virtual"], b"CONTROL LINK")}
    if shutil.which("htop"):
        programs["htop"] = (["htop"], b"Quit")
    figures = {}
    # Turn about, so that what else the machine does hits both alike.
    for _ in range(RUNS):
        for name, (command, mark) in programs.items():
            began = time.monotonic()
            with Terminal(command, columns=120, rows=40) as terminal:
                terminal.expect_raw(mark)
                figures.setdefault(name, []).append(
                    (time.monotonic() - began, resident(terminal.pid), resident(terminal.pid, "RssAnon"))
                )
    for name, runs in figures.items():
        figure(f"{name}: exec to first frame", [seconds * 1000 for seconds, _, _ in runs], " ms")
        figure(f"{name}: resident", [kilobytes / 1024 for _, kilobytes, _ in runs], " MB")
        figure(f"{name}: of its own, no file's", [own / 1024 for _, _, own in runs], " MB")
    if "htop" in figures:
        pairs = zip(figures["earshot"], figures["htop"])
        figure("first frame, earshot / htop", [mine[0] / its[0] for mine, its in pairs], at_most=3)


def resident(pid, kind="VmRSS"):
    """In kB; of `RssAnon` alone the pages that no file can give back."""
    with open(f"/proc/{pid}/status") as status:
        return int(re.search(rf"{kind}:\s+(\d+)", status.read())[1])


def key_to_write(binary):
    """A key press to the ATT write it causes, and the answer to bytes on the terminal.

    Both ends carry wall-clock time stamps of this machine: the key when it is written to the
    pseudo-terminal, the PDUs in the capture, the bytes when they can be read.
    """
    capture = os.path.join(tempfile.mkdtemp(), "session.btsnoop")
    pressed, drawn = [], []
    command = [binary, "--adapter", "virtual-quiet", "--capture", capture]
    with Terminal(command, columns=120, rows=40) as terminal:
        terminal.expect("ready", lambda text: "ready" in text.lower())
        for index in range(KEYS):
            settle(terminal)
            before = len(terminal.raw)
            pressed.append(time.time())
            terminal.send("12"[index % 2])
            stamps = []
            while len(stamps) < 2 and terminal.read(time.monotonic() + 0.25 + (not stamps) * 5):
                stamps.append(time.time())
                if len(terminal.raw) == before:
                    break
                try:
                    while terminal.read(time.monotonic() + 0.05):
                        stamps.append(time.time())
                except TimeoutError:
                    break
            drawn.append(stamps)
        terminal.send("q")
        terminal.end()
    records = read_capture(capture)
    writes, shows = [], []
    for moment, stamps in zip(pressed, drawn):
        sent = next((at for at, opcode in records if at >= moment and opcode == 0x12), None)
        if sent is None:
            continue
        writes.append((sent - moment) * 1000)
        heard = next((at for at, opcode in records if at >= sent and opcode in (0x13, 0x1B)), None)
        shown = next((at for at in stamps if heard and at >= heard), None)
        if shown:
            shows.append((shown - heard) * 1000)
    figure("key press to ATT write", writes, " ms", at_most=3)
    figure("answer to terminal bytes", shows, " ms", at_most=16.7)


def shared(binary):
    """A command that goes through a running agent, and one that links by itself, turn about."""
    adapter = ["--adapter", "virtual-quiet"]
    agent = subprocess.Popen(
        [binary, "agent", *adapter], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    alone = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    figures = {"agent": [], "alone": [], "true": []}
    try:
        while "keeps the link" not in agent.stderr.readline():
            pass
        for _ in range(RUNS):
            for name, command, environment in (
                ("agent", [binary, "battery", *adapter], None),
                ("alone", [binary, "battery", *adapter], alone),
                ("true", [binary, "--version"], None),
            ):
                began = time.monotonic()
                subprocess.run(command, env=environment, capture_output=True, check=False)
                figures[name].append((time.monotonic() - began) * 1000)
    finally:
        agent.kill()
        agent.wait()
    figure("earshot battery through an agent", figures["agent"], " ms")
    figure("earshot battery alone, virtual headphones", figures["alone"], " ms")
    figure("earshot --version", figures["true"], " ms")


def clients(binary):
    """Commands that follow a headphone through one owner: from its change to the last of them.

    Also the owner's CPU time a change, and its memory for them.
    """
    adapter = ["--adapter", "virtual-quiet"]
    socket = f"{os.environ['XDG_RUNTIME_DIR']}/earshot/adapter-virtual-quiet.socket"
    # One of a killed agent is no sign of this owner.
    with contextlib.suppress(FileNotFoundError):
        os.unlink(socket)
    owner = subprocess.Popen([binary, "simulate", *adapter], stdin=subprocess.PIPE)
    followers = []
    try:
        wait_until(lambda: os.path.exists(socket))
        alone = resident(owner.pid)
        followers = [
            subprocess.Popen(
                [binary, "watch", "--format", "{left}", "--device", "aurora", *adapter],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            for _ in range(CLIENTS)
        ]
        said = {follower.stdout.fileno(): b"" for follower in followers}
        hear(said, lambda text: text.strip()[-1:].isdigit())
        memory, used, times = resident(owner.pid), processor_time(owner.pid), []
        for change in range(CHANGES):
            level = 50 + change % 40
            begun = time.monotonic()
            owner.stdin.write(f"aurora level left {level}\n".encode())
            owner.stdin.flush()
            hear(said, lambda text: text.split()[-1:] == [str(level).encode()])
            times.append((time.monotonic() - begun) * 1000)
        used = (processor_time(owner.pid) - used) / CHANGES
        figure(f"change to the last of {CLIENTS} clients", times, " ms", at_most=16.7)
        figure(f"CPU of the owner a change, {CLIENTS} clients", [used * 1000], " ms")
        figure(f"memory of the owner, {CLIENTS} clients", [(memory - alone) / 1024], " MB")
    finally:
        for process in (*followers, owner):
            process.kill()
            process.wait()


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the owner did not start")
        time.sleep(0.01)


def hear(said, is_enough):
    """Reads descriptors until what each has said is enough."""
    while not all(map(is_enough, said.values())):
        for ready in select.select(list(said), [], [], 60)[0] or [None]:
            data = ready is not None and os.read(ready, 65536)
            if not data:
                raise TimeoutError(f"a client says nothing more; they said {said}")
            said[ready] = (said[ready] + data)[-200:]


def processor_time(pid):
    """CPU time of all threads, in s."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/schedstat") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def settle(terminal):
    """Reads until the program has had nothing to say for a while."""
    try:
        while terminal.read(time.monotonic() + 0.1):
            pass
    except TimeoutError:
        pass


def read_capture(path):
    """The (Unix time, ATT opcode) of each ATT PDU in a btsnoop file of H4 packets."""
    with open(path, "rb") as file:
        data = file.read()
    offset, found = 16, []
    while offset + 24 <= len(data):
        _, length, _, _, stamp = struct.unpack(">IIIIQ", data[offset : offset + 24])
        packet = data[offset + 24 : offset + 24 + length]
        offset += 24 + length
        # H4 ACL: type, handle, length, L2CAP length, channel 4, then ATT.
        if len(packet) > 9 and packet[0] == 2 and packet[7:9] == b"\x04\x00":
            found.append(((stamp - UNIX_EPOCH) / 1e6, packet[9]))
    return found


@contextlib.contextmanager
def sound_server():
    """PulseAudio on a directory of its own, with two sinks that play into nothing."""
    command = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1"]
    for module in ("native-protocol-unix", "null-sink sink_name=one", "null-sink sink_name=two"):
        command += ["-L", f"module-{module}"]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_RUNTIME_DIR"] = folder
        server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 30
            while subprocess.run(["pactl", "info"], capture_output=True).returncode:
                if time.monotonic() > deadline:
                    raise TimeoutError("PulseAudio did not start")
            yield
        finally:
            server.kill()
            server.wait()


def sound_to_screen(binary):
    """Another program switches the default sink: from the server's event to bytes on the terminal.

    The event's time is when another client of the server, `pactl subscribe`, has told it.
    """
    subscriber = subprocess.Popen(["pactl", "subscribe"], stdout=subprocess.PIPE)
    times = []
    with Terminal([binary], columns=120, rows=40) as terminal:
        terminal.expect("one")
        # From here on both are read by one loop.
        terminal.stall()
        for turn in range(SWITCHES):
            while select.select([terminal.fd], [], [], 0.1)[0]:
                os.read(terminal.fd, 65536)
            while select.select([subscriber.stdout], [], [], 0)[0]:
                os.read(subscriber.stdout.fileno(), 65536)
            switch = subprocess.Popen(["pactl", "set-default-sink", ("two", "one")[turn % 2]])
            reported = drawn = None
            while reported is None or drawn is None:
                ready = select.select([subscriber.stdout, terminal.fd], [], [], 10)[0]
                if not ready:
                    break
                if subscriber.stdout in ready:
                    news = os.read(subscriber.stdout.fileno(), 65536)
                    if b"on server" in news:
                        reported = reported or time.monotonic()
                if terminal.fd in ready:
                    os.read(terminal.fd, 65536)
                    drawn = drawn or time.monotonic()
            switch.wait()
            if reported and drawn:
                times.append(max(0.0, drawn - reported) * 1000)
    subscriber.kill()
    subscriber.wait()
    figure("default sink switched to terminal bytes", times, " ms", at_most=16.7)


def idle(what, command, ready, seconds):
    """Voluntary context switches and CPU ticks of all threads while nothing happens."""
    with Terminal(command, columns=120, rows=40) as terminal:
        terminal.expect(*ready)
        # Headphones advertise while a scan goes on.
        terminal.expect(
            "the end of the scan", lambda text: "Scanning" not in text or "Scan ended" in text)
        # Notices leave the screen by themselves; only then is there nothing to do.
        try:
            while terminal.read(time.monotonic() + 8):
                pass
        except TimeoutError:
            pass
        before = activity(terminal.pid)
        try:
            while terminal.read(time.monotonic() + seconds):
                pass
        except TimeoutError:
            pass
        after = activity(terminal.pid)
    switches, ticks = (b - a for a, b in zip(before, after))
    figure(f"{what} for {seconds:.0f} s: voluntary context switches", [switches], at_most=4)
    figure(f"{what} for {seconds:.0f} s: CPU ticks", [ticks], at_most=0)


def activity(pid):
    switches = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status") as status:
            switches += int(re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", status.read())[1])
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return switches, int(fields[11]) + int(fields[12])


if __name__ == "__main__":
    sys.exit(main())
