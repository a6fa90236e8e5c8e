"""Every `--json` output, by the schema of docs/schema."""

import json
import os
import re
import socket
import subprocess

from schema import FOLDER, Schema
from sets import long
from sharing import Agent, QUIET
from walkthrough import commands

# A command line without --json and --adapter, its definition, and the exit codes it may have.
OUTPUTS = [
    ("status", "status"),
    ("status --all", "status-all"),
    ("status --format {left}", "line"),
    ("battery", "battery"),
    ("battery left", "battery"),
    ("battery --history", "battery-history"),
    ("level 7", "level"),
    ("volume", "volume"),
    ("volume 30", "volume"),
    ("mute toggle", "mute"),
    ("mute off", "mute"),
    ("scene save desk", "scene-save"),
    ("scene list", "scenes"),
    ("scene use desk", "scene"),
    ("scene desk", "scene"),
    ("scene rename desk office", "scene-rename"),
    ("scene delete office", "scene-delete"),
    ("rename Kitchen", "rename"),
    ("rename Aurora", "rename"),
    ("anc", "anc"),
    ("anc off", "anc"),
    ("eq", "eq"),
    ("eq --bands 3,2,0,-0.5,0,0,0,0", "eq"),
    ("eq save evening", "eq-save"),
    ("eq list", "eq-list"),
    ("eq set evening", "eq"),
    ("eq evening", "eq"),
    ("eq use balanced", "eq"),
    ("eq rename evening late", "eq-rename"),
    ("eq import HOME/curve.txt", "eq-import"),
    ("eq delete late", "eq-delete"),
    ("correction find wh-1000xm4", "correction-find"),
    ("correction", "correction"),
    ("correction show", "correction"),
    ("correction use Sony WH-1000XM4", "correction"),
    ("correction strength 60", "correction"),
    ("correction bass -2", "correction"),
    ("correction place headphone", "correction"),
    ("correction file HOME/curve.txt", "correction"),
    ("correction on", "correction"),
    ("correction off", "correction"),
    ("find stop", "find"),
    ("wear-detection", "wear-detection"),
    ("wear-detection on", "wear-detection"),
    ("setting", "setting"),
    ("setting noise-mode transparency", "setting"),
    ("setting save HOME/aurora.toml --force", "setting-save"),
    ("setting restore HOME/aurora.toml", "setting-restore"),
    ("touch", "touch"),
    ("touch left hold", "touch"),
    ("scan --timeout 1", "headphones"),
    ("devices", "headphones"),
    ("inspect", "inspect"),
    ("read 2A19", "read"),
    ("read 2A00 --device drift", "read"),
    ("write FFF1 02", "write"),
    ("audio", "audio"),
    ("audio list", "audio"),
    ("audio route speakers", "output"),
    ("audio profile", "audio-profile"),
    ("audio profile calls", "audio-profile"),
    ("audio microphone", "audio-microphone"),
    ("audio microphone mic", "audio-microphone"),
    ("audio setting", "audio-setting"),
    ("audio setting volume-ceiling 80", "audio-setting"),
    ("audio setting buttons", "audio-setting"),
    ("audio offset 120ms", "audio-setting"),
    ("audio pin 00:11:22:33:44:55", "audio-pin"),
    ("audio unpin", "audio-pin"),
    ("pair cipher --yes", "pair"),
    ("keys", "keys"),
    ("doctor", "doctor"),
    ("doctor --sound --device aurora", "doctor-sound"),
    ("security", "security"),
    ("completions bash", "completions"),
    ("version", "version"),
    ("power", "power"),
    ("config path", "config-path"),
    ("config get screen.theme", "config-get"),
    ("config keys", "config-keys"),
    ("config show", "config-show"),
    ("config set screen.theme nord", "config-set"),
    ("config unset screen.theme", "config-set"),
    ("config themes", "config-themes"),
    ("config check", "config-check"),
    ("log --lines 20", "log"),
    ("firmware status --device aurora", "firmware-status"),
    ("forget cipher --yes", "forget"),
]
# The same for headphones of other makers.
FAMILIES = ["--adapter", "virtual-families"]
OUTPUTS_OF_FAMILIES = [
    ("volume 40 --device c0de5e005385", "volume"),
    ("status --device c0de5e005385", "status"),
    ("status --device nothing", "status"),
    ("status --device c0de5e005388", "status"),
    ("status --device 00005e00538a", "status"),
    ("anc --device c0de5e005383", "anc"),
    ("multipoint --device 00005e00538f", "multipoint"),
    ("multipoint connect ipad --device 00005e005390", "multipoint"),
    ("setting --device 00005e00538c", "setting"),
    ("status --device 00005e005391", "status"),
    ("scan --timeout 1", "headphones"),
]
# These write no JSON, or no JSON of their own; those of other cases are named in them.
# The same for a headphone that can be sent to broadcasts.
AIRPORT = ["--adapter", "virtual-le-audio"]
OUTPUTS_OF_AIRPORT = [
    ("broadcasts 2", "broadcasts"),
    ("broadcast --device c0de5e0053a4", "broadcast"),
    ("broadcast join chapel --device c0de5e0053a4", "broadcast"),
    ("status --device c0de5e0053a4", "status"),
    ("broadcast leave --device c0de5e0053a4", "broadcast"),
]
WITHOUT = {
    "agent", "capture", "simulate", "config edit", "firmware pack", "firmware sign", "firmware keygen",
}
ELSEWHERE = {
    "watch", "connect", "disconnect", "firmware inspect", "firmware install",
    # It needs a capture: learning.py.
    "learn",
    # It needs a bond: command_line.py.
    "reset",
    # No virtual headphone has such a test: FitTests.
    "fit",
    # bluetoothd's: Tests/RealKernel/cases/stock_desktop.py.
    "audio connect", "audio disconnect",
    # A media player's: DesktopTests.
    "audio play", "audio pause", "audio play-pause", "audio next", "audio previous",
}


def reports(binary, line, adapter=QUIET, **options):
    result = subprocess.run(
        [binary, *line.replace("HOME", os.environ["HOME"]).split(), "--json", *adapter],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, **options,
    )
    allowed = {"doctor": (0, 1, 3), "security": (0, 1)}.get(line, (0,))
    assert result.returncode in allowed, f"{line}: {result}"
    lines = result.stdout.splitlines()
    assert lines or line.startswith("log"), f"{line}: {result}"
    return [json.loads(line) for line in lines]


def curve():
    with open(os.path.join(os.environ["HOME"], "curve.txt"), "w") as file:
        file.write("Preamp: -6.2 dB\nFilter 1: ON PK Fc 61 Hz Gain -2.8 dB Q 0.40\n")


@long
def case_every_json_output_keeps_to_its_schema(binary):
    schema = Schema("earshot-1.json")
    curve()
    for line, definition in OUTPUTS:
        for value in reports(binary, line):
            schema.check(value, definition)


@long
def case_the_owner_answers_in_the_same_json(binary):
    schema = Schema("earshot-1.json")
    curve()
    with Agent(binary):
        for line, definition in OUTPUTS:
            for value in reports(binary, line):
                schema.check(value, definition)
        schema.check(reports(binary, "connect drift")[0], "connect")
        schema.check(reports(binary, "disconnect --device drift")[0], "disconnect")


def case_other_makers_headphones_are_reported_by_the_same_schema(binary):
    schema = Schema("earshot-1.json")
    for line, definition in OUTPUTS_OF_FAMILIES:
        for value in reports(binary, line, FAMILIES):
            schema.check(value, definition)


def case_broadcasts_keep_to_the_schema(binary):
    schema = Schema("earshot-1.json")
    for line, definition in OUTPUTS_OF_AIRPORT:
        for value in reports(binary, line, AIRPORT):
            schema.check(value, definition)


def case_status_tells_each_bud_of_a_set(binary):
    [status] = reports(binary, "status --device c0de5e005388", FAMILIES)
    Schema("earshot-1.json").check(status, "status")
    assert status["set"]["size"] == 2, status
    assert [
        (member["side"], member["address"][-2:], member["linked"], member["battery"])
        for member in status["set"]["members"]
    ] == [("left", "88", True, 83), ("right", "89", True, 78)], status


def case_a_watch_that_waits_keeps_to_its_schema(binary):
    schema = Schema("earshot-1.json")
    watch = subprocess.Popen(
        [binary, "watch", *QUIET], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )

    def read_until(wanted):
        state = None
        while state is None or not wanted(state):
            value = json.loads(watch.stdout.readline())
            schema.check(value, "status")
            state = value["control"]["state"]

    try:
        read_until("ready".__eq__)
        schema.check(reports(binary, "disconnect")[0], "disconnect")
        read_until("ready".__ne__)
        schema.check(reports(binary, "connect aurora")[0], "connect")
        read_until("ready".__eq__)
    finally:
        watch.kill()
        watch.wait()


def case_lines_of_a_watch_keep_to_their_schema(binary):
    schema = Schema("earshot-1.json")
    for options, definition in (([], "status"), (["--format", "waybar"], "watch-waybar"),
                                (["--format", "i3blocks"], "watch-i3blocks")):
        watch = subprocess.Popen(
            [binary, "watch", *options, *QUIET], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )
        try:
            for line in watch.stdout:
                value = json.loads(line)
                schema.check(value, definition)
                if "full_text" in value:
                    if "NC" in value["full_text"]:
                        break
                    continue
                state = value["alt"] if "alt" in value else value["control"]["state"]
                if state == "ready":
                    break
            else:
                raise AssertionError("it ended")
        finally:
            watch.kill()
            watch.wait()


def case_lines_of_an_installation_keep_to_their_schema(binary):
    schema = Schema("earshot-1.json")
    folder = os.environ["HOME"]
    with open(os.path.join(folder, "app.bin"), "wb") as file:
        file.write(os.urandom(20_000))
    with open(os.path.join(folder, "virtual.key"), "w") as file:
        file.write(b"earshot virtual maker, no secret".hex())
    for line in (
        "firmware pack app.bin -o a.fw --hardware 0xA102 --version 9.0.0 --security-counter 9",
        "firmware sign a.fw --with virtual.key",
    ):
        subprocess.run([binary, *line.split()], cwd=folder, check=True, timeout=60)
    schema.check(reports(binary, "firmware inspect a.fw", cwd=folder)[0], "firmware-inspect")
    *progress, last = reports(binary, "firmware install a.fw", cwd=folder)
    assert progress
    for value in progress:
        schema.check(value, "firmware-progress")
    schema.check(last, "firmware-installed")
    with Agent(binary):
        status = reports(binary, "firmware status")[0]
        schema.check(status, "firmware-status")


@long
def case_every_command_has_a_schema(binary):
    held = OUTPUTS + OUTPUTS_OF_FAMILIES + OUTPUTS_OF_AIRPORT
    known = {words(line, commands(binary)) for line, _ in held} | WITHOUT | ELSEWHERE
    missing = set(commands(binary)) - known
    assert not missing, f"no schema, or nobody checks it: {missing}"


def words(line, names):
    """The command that a line begins with: the longest that there is."""
    parts = re.match(r"[a-z -]*", line)[0].split()
    while parts and " ".join(parts) not in names:
        parts.pop()
    return " ".join(parts)


def case_what_the_socket_says_keeps_to_its_schema(binary):
    schema = Schema("socket-1.json")

    def conversation(*lines, until):
        path = os.path.join(
            os.environ["XDG_RUNTIME_DIR"], "earshot", "adapter-virtual-quiet.socket")
        with socket.socket(socket.AF_UNIX) as visitor:
            visitor.settimeout(60)
            visitor.connect(path)
            for value, kind in lines:
                schema.check(value, kind)
                visitor.sendall(json.dumps(value).encode() + b"\n")
            received = []
            for line in visitor.makefile():
                received.append(json.loads(line))
                if until(received[-1]):
                    return received
        raise AssertionError(f"it ended: {received[-3:]}")

    with Agent(binary):
        request = {"earshot": 1, "arguments": ["status", "--json"], "directory": "/"}
        for value in conversation((request, "request"), until=lambda value: "status" in value):
            schema.check(value, "answer")
        for words, end in (["battery"], "status"), (["doctor"], "declined"):
            request = {"earshot": 1, "arguments": words, "handOver": True}
            for value in conversation((request, "request"), until=lambda value: end in value):
                schema.check(value, "answer")
        screen = {
            "earshot": 1, "arguments": [], "screen": {"size": [80, 24], "symbols": "unicode"},
        }
        for value in conversation(
            (screen, "request"), ({"key": "?"}, "input"), ({"size": [90, 30]}, "input"), ({"focus": False}, "input"),
            ({"key": "q"}, "input"), ({"key": "q"}, "input"),  # closes the help, then quits
            until=lambda value: value.get("do") == "quit",
        ):
            schema.check(value, "frame")
