"""The commands, as scripts use them."""

import contextlib
import json
import os
import re
import select
import subprocess
import tempfile
import time

from sharing import Agent
from screen import simulation
from sets import long
from terminal import Terminal

VIRTUAL = ["--adapter", "virtual"]


def run(binary, *arguments, status=0, adapter=True, **options):
    command = [binary, *arguments, *(VIRTUAL if adapter else [])]
    result = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120, **options
    )
    assert result.returncode == status, f"{command}: {result}"
    return result


def case_scan_lists_the_virtual_headphones(binary):
    found = json.loads(run(binary, "scan", "--json", "--timeout", "2").stdout)
    headphones = found["headphones"] if isinstance(found, dict) else found
    assert len(headphones) >= 3, found
    assert all(item["name"] and item["address"] for item in headphones), found


def first(binary):
    found = json.loads(run(binary, "scan", "--json", "--timeout", "2").stdout)
    headphones = found["headphones"] if isinstance(found, dict) else found
    return headphones[0]["id"]


def case_status_has_every_key_of_the_schema(binary):
    status = json.loads(run(binary, "status", "--json", "--device", first(binary)).stdout)
    assert status["schema"] == 1
    assert set(status["device"]) >= {
        "id", "name", "address", "addressType", "model", "firmware", "serial", "rssi",
    }
    assert set(status["control"]) >= {"state", "reason", "mtu", "encrypted", "bonded"}
    assert status["audio"]["state"] in ("connected", "notRouted", "none", "unknown")
    assert set(status["battery"]) >= {"left", "right", "case", "charging"}
    assert status["control"]["state"] == "ready"
    for key in ("anc", "eq", "wearing", "caseOpen", "firmwareUpdate"):
        assert key in status, key


def case_each_kind_of_virtual_headphones_is_known_apart(binary):
    families = {"status": 0, "adapter": False}
    run(binary, "status", "--device", first(binary))
    known = run(binary, "devices", "--adapter", "virtual-families", **families)
    assert known.stdout == "", known
    run(binary, "status", "--device", "soundcore buds", "--adapter", "virtual-families", **families)
    assert "Soundcore" not in run(binary, "devices").stdout


def case_an_unknown_device_is_exit_code_4(binary):
    result = run(binary, "battery", "--device", "no-such-headphone", "--timeout", "2", status=4)
    assert result.stdout == "" and "no-such-headphone" in result.stderr


def case_the_headphone_with_that_very_name_is_meant(binary):
    families = ["--adapter", "virtual-families"]

    def of(*arguments, status=0):
        return run(binary, *arguments, *families, adapter=False, status=status)

    for selector in ("Galaxy", "a"):
        reported = of("-d", selector, "anc", "off", status=4)
        assert "several headphones match" in reported.stderr and "--device " in reported.stderr, reported
    assert "Galaxy Buds2 Pro (00005e00538d)" in of("status", "galaxy", status=4).stderr
    assert of("devices").stdout == ""
    of("-d", "galaxy buds", "anc", "off")
    assert of("devices").stdout.startswith("00005e00538e"), "another headphone was changed"
    of("status", "00005e00538d")
    # Both are known now, and the name of one is the beginning of the other's.
    assert json.loads(of("status", "Galaxy Buds", "--json").stdout)["device"]["id"] == "00005e00538e"
    assert json.loads(of("status", "buds2", "--json").stdout)["device"]["id"] == "00005e00538d"
    assert "(00005e00538e)" in of("forget", "Galaxy", "--yes", status=4).stderr
    of("forget", "Galaxy Buds", "--yes")
    assert of("devices").stdout.startswith("00005e00538d")


def case_a_headphone_is_named_without_an_option(binary):
    for command in (["status"], ["battery"], ["battery", "left"], ["find", "stop"]):
        run(binary, command[0], "aurora", *command[1:])
    charges = [run(binary, "battery", name, "--json").stdout for name in ("aurora", "drift")]
    assert charges[0] != charges[1], charges
    # A part alone names no headphone: the one used last is meant.
    charge = json.loads(charges[1])["battery"]["left"]
    assert json.loads(run(binary, "battery", "left", "--json").stdout)["battery"]["left"] == charge


def case_a_pipe_is_no_firmware_image_and_holds_up_nothing(binary):
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "pipe.fw")
        os.mkfifo(pipe)
        for command in (("firmware", "inspect"), ("firmware", "install"), ("eq", "import")):
            reported = run(binary, *command, pipe, status=1)
            assert reported.stdout == "" and pipe in reported.stderr, reported


@long
def case_wrong_usage_is_a_usage_error(binary):
    for arguments in (("anc", "louder"), ("eq", "--bands", "99"), ("no-such-command",)):
        result = subprocess.run(
            [binary, *arguments, *VIRTUAL], capture_output=True, text=True, timeout=60
        )
        assert result.returncode == 64, f"{arguments}: {result}"
        assert result.stdout == "" and result.stderr


# A command line, what the first line says, and what the second does.
MISTAKES = [
    ("statsu", 'there is no command "statsu"; did you mean "status"?', "`earshot --help`"),
    ("help nosuch", 'there is no command "nosuch"', "`earshot --help`"),
    ("audio rout", "audio route needs <output>", "for example: earshot audio route speakers"),
    ("audio rotue", 'audio takes no "rotue"; did you mean "route"?', "for example: "),
    ("anc --devcie x", "anc has no option --devcie; did you mean --device?", "`earshot anc --help`"),
    ("anc nc2", 'anc takes no "nc2"', "it takes off, noise-cancelling, "),
    ("anc nxt", 'anc takes no "nxt"; did you mean "next"?', "it takes off, "),
    ("anc t", '"t" can mean transparency or toggle', "it takes off, "),
    ("eq --bands 99", '--bands takes no "99"', "-12 to 12"),
    ("battery --device", "--device needs a value", "`earshot battery --help` explains it"),
    ("battery aurora foo", 'battery takes no "foo"', "it takes left, right, case, all"),
    ("find left foo", 'find takes no "foo"', "it takes left, right, both, stop"),
    ("forget", "forget needs <headphone>", "for example: earshot forget f0f1"),
    ("simulate --adapter virtual-families", 'simulate takes no "virtual-families"', "it takes virtual, virtual-quiet"),
]


@long
def case_a_wrong_command_line_is_explained_in_two_lines(binary):
    for line, what, advice in MISTAKES:
        reported = run(binary, *line.split(), adapter=False, status=64)
        assert reported.stdout == "", reported
        lines = reported.stderr.splitlines()
        assert len(lines) == 2, f"{line}: {reported.stderr}"
        assert lines[0] == f"earshot: {what}", f"{line}: {lines}"
        assert advice in lines[1], f"{line}: {lines}"


def case_values_may_be_short_or_another_name(binary):
    for word, mode in (
        ("nc", "noise-cancelling"), ("AMB", "transparency"), ("o", "off"), ("on", "noise-cancelling"),
        ("transp", "transparency"), ("ANC", "noise-cancelling"),
    ):
        assert run(binary, "anc", word).stdout == f"{mode}\n", word
    assert run(binary, "eq", "bass").stdout.startswith("bass-boost"), "eq bass"
    assert "transparency" in run(binary, "setting", "noise-mode", "tr").stdout
    reported = run(binary, "setting", "noise-mode", "tarnsparency", status=64)
    assert 'did you mean "transparency"?' in reported.stderr, reported


def case_an_error_is_an_object_with_json(binary):
    reported = run(binary, "battery", "--device", "nobody", "--timeout", "1", "--json", status=4)
    error = json.loads(reported.stdout)
    assert error["schema"] == 1 and error["error"]["code"] == 4, error
    assert "nobody" in error["error"]["what"] and error["error"]["advice"], error
    assert "nobody" in reported.stderr, reported
    error = json.loads(run(binary, "anc", "louder", "--json", adapter=False, status=64).stdout)
    assert error["error"]["code"] == 64 and "louder" in error["error"]["what"], error


def case_help_lists_commands_in_groups_and_common_options_last(binary):
    page = run(binary, "--help", adapter=False).stdout
    heads = re.findall(r"^([A-Z ]+):$", page, re.M)
    assert heads[-1] == "COMMON OPTIONS" and heads.count("COMMON OPTIONS") == 1, heads
    assert sum(head.endswith("SUBCOMMANDS") for head in heads) >= 4, heads
    page = run(binary, "watch", "--help", adapter=False).stdout
    assert page.index("--format <") < page.index("COMMON OPTIONS:") < page.index("--device <"), page
    assert run(binary, "-V", adapter=False).stdout == run(binary, "--version", adapter=False).stdout


def case_help_of_a_group_begins_with_its_use_without_a_subcommand(binary):
    page = run(binary, "eq", "--help", adapter=False).stdout
    usage = page.split("USAGE: ")[1].split("\n\n")[0].splitlines()
    assert [line.strip() for line in usage] == [
        "earshot eq [<preset>] [--bands <dB,dB,…>] [<options>]", "earshot eq <subcommand>"], page


def case_no_adapter_is_exit_code_3(binary):
    if os.path.isdir("/sys/class/bluetooth") and os.listdir("/sys/class/bluetooth"):
        return
    result = run(binary, "scan", adapter=False, status=3)
    assert "adapter" in result.stderr.lower()


def case_doctor_tells_every_check_and_ends_as_they_say(binary):
    command = [binary, "doctor", "--json"]
    result = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    )
    reported = json.loads(result.stdout)
    assert reported["schema"] == 1, reported
    findings = {item["check"]: item for item in reported["findings"]}
    assert list(findings) == [
        "kernel", "adapter", "rfkill", "power", "low-energy", "cap-net-raw", "cap-net-admin",
        "bluetoothd", "kernel-release", "sound-server", "headphones", "buttons", "sound-settings", "terminal", "locale",
        "state-folder",
    ], list(findings)
    for item in findings.values():
        assert set(item) == {"check", "state", "what", "remedy"}, item
        assert item["state"] in ("ok", "warning", "problem", "unknown") and item["what"], item
        assert item["state"] == "ok" or item["state"] == "unknown" or item["remedy"], item
    problems = [check for check, item in findings.items() if item["state"] == "problem"]
    radio = list(findings)[:7]
    expected = 0 if not problems else 3 if any(check in radio for check in problems) else 1
    assert result.returncode == expected, result
    # It looks, and leaves nothing behind.
    assert not os.path.exists(os.path.join(os.environ["XDG_STATE_HOME"], "earshot"))
    text = run(binary, "doctor", adapter=False, status=expected).stdout
    assert all(item["what"] in text for item in findings.values()), text
    assert "\x1b" not in text, text


def case_without_libpulse_the_rest_runs_and_the_doctor_says_so(binary):
    # One that cannot be loaded, in the place of this machine's.
    folder = os.path.join(os.environ["HOME"], "libraries")
    os.makedirs(folder)
    open(os.path.join(folder, "libpulse.so.0"), "w").close()
    os.environ["LD_LIBRARY_PATH"] = folder
    reported = subprocess.run(
        [binary, "doctor", "--json"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60
    ).stdout
    findings = {item["check"]: item for item in json.loads(reported)["findings"]}
    sound = findings["sound-server"]
    assert sound["state"] == "warning" and "libpulse0" in sound["remedy"], sound
    assert sound["what"].startswith("libpulse cannot be loaded: sound is not shown ("), sound
    with Terminal([binary], 100, 30) as terminal:
        terminal.expect("libpulse cannot be loaded")
        terminal.send("q")
        assert terminal.end() == 0


def case_the_screen_needs_a_terminal(binary):
    result = run(binary, status=1)
    assert "terminal" in result.stderr.lower()


def case_a_closed_pipe_ends_it_silently(binary):
    result = subprocess.run(
        ["bash", "-c", f'set -o pipefail; "{binary}" scan --adapter virtual | true'],
        capture_output=True, text=True, timeout=120,
    )
    assert "Fatal" not in result.stderr and "rror" not in result.stderr, result


@long
def case_every_command_has_help_with_an_example(binary):
    top = run(binary, "--help", adapter=False).stdout
    commands = [
        line.split()[0]
        for group in re.findall(r"SUBCOMMANDS:\n(.*?)\n\n", top, re.S)
        for line in group.splitlines()
        if line.startswith("  ") and not line.startswith("   ")
    ]
    assert "status" in commands and "anc" in commands, commands
    for command in commands:
        if command == "help":
            continue
        text = run(binary, command, "--help", adapter=False).stdout
        assert f"earshot {command}" in text, text


def case_firmware_is_made_signed_checked_and_installed(binary):
    with tempfile.TemporaryDirectory() as folder:
        app, image, key = (os.path.join(folder, name) for name in ("app.bin", "a.fw", "maker.key"))
        with open(app, "wb") as file:
            file.write(os.urandom(50_000))
        with open(key, "w") as file:
            file.write(b"earshot virtual maker, no secret".hex())
        run(
            binary, "firmware", "pack", app, "-o", image,
            "--hardware", "0xA102", "--version", "9.0.0", "--security-counter", "9",
            adapter=False,
        )
        refused = run(binary, "firmware", "install", image, "--device", "aurora", status=1)
        assert "not signed by a trusted key" in refused.stderr, refused
        run(binary, "firmware", "sign", image, "--with", key, adapter=False)
        reported = json.loads(run(binary, "firmware", "inspect", image, "--json").stdout)
        assert reported["trusted"] is True and reported["version"] == "9.0.0", reported
        lines = run(
            binary, "firmware", "install", image, "--device", "aurora", "--json"
        ).stdout.splitlines()
        assert json.loads(lines[-1]) == {"schema": 1, "phase": "installed", "version": "9.0.0"}, lines
        phases = [json.loads(line)["phase"] for line in lines]
        assert "transferring" in phases and "confirming" in phases, phases


def configure(text):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w") as file:
        file.write(text)
    return file.name


def case_a_makers_key_counts_for_its_own_kind_of_headphone(binary):
    folder = os.path.dirname(configure("""
[profiles.acme]
name = "Acme buds"
service = "ACE0"
command = "ACE1"
event = "ACE2"
firmware-keys = ["acme.pub"]
"""))
    assert 'firmware-keys = ["acme.pub"]' in run(binary, "config", "show").stdout
    with open(os.path.join(folder, "app.bin"), "wb") as file:
        file.write(os.urandom(5_000))
    for arguments in (
        ("keygen", "acme"), ("keygen", "app"),
        ("pack", "app.bin", "-o", "a.fw", "--hardware", "0xA102", "--version", "9.0.0",
         "--security-counter", "9"),
        ("sign", "a.fw", "--with", "acme.key"),
    ):
        run(binary, "firmware", *arguments, adapter=False, cwd=folder)
    reported = run(binary, "firmware", "inspect", "a.fw", adapter=False, cwd=folder).stdout
    assert "by a key trusted for Acme buds" in reported, reported
    for force in ((), ("--force",)):
        refused = run(binary, "firmware", "install", "a.fw", "--device", "aurora", *force,
                      status=1, cwd=folder)
        assert 'its maker is trusted for "Acme buds", not for "Earshot protocol"' in (
            refused.stderr), refused
        assert "--key" in refused.stderr, refused


def case_a_bad_configuration_is_explained_and_the_rest_applies(binary):
    path = configure('[screen]\ntheme = "red"\n[keys]\nnext-anc = "Y"\nfly = "f"\n')
    checked = run(binary, "config", "check", status=1)
    assert f'{path}:2: "theme" takes one of "standard", ' in checked.stdout, checked
    assert f'{path}:5: there is no command "fly"' in checked.stdout, checked
    keys = {item["command"]: item["keys"] for item in json.loads(
        run(binary, "keys", "--json").stdout)["keys"]}
    assert keys["next-anc"] == ["Y"], keys
    reported = run(binary, "battery")
    assert "config.toml, line 2" in reported.stderr and reported.stdout, reported


def case_virtual_headphones_can_be_the_configured_adapter(binary):
    configure("")
    run(binary, "config", "set", "adapter", "virtual-real", status=64, adapter=False)
    run(binary, "config", "set", "adapter", "virtual-families", adapter=False)
    for option, is_sony in ((), True), (("--adapter", "virtual-quiet"), False):
        found = run(binary, "scan", *option, "--timeout", "2", adapter=False).stdout
        assert ("WH-1000XM4" in found) == is_sony, found


def case_the_configuration_that_is_shown_can_be_used(binary):
    configure('[battery]\nlow = 33\n[keys]\nquit = ["Q", "^C"]\n')
    shown = run(binary, "config", "show").stdout
    assert "low = 33" in shown and 'quit = ["Q", "^C"]' in shown, shown
    path = configure(shown)
    assert run(binary, "config", "check").stdout == f"{path}: ok\n"
    assert run(binary, "config", "show").stdout == shown
    path = configure('[keys]\nrename = "Z"\n')
    said = f'{path}: ok\n{path}:2: Z is "rename" here, and no longer "security"\n'
    assert run(binary, "config", "check").stdout == said
    assert json.loads(run(binary, "config", "check", "--json").stdout)["notes"][0]["line"] == 2
    assert run(binary, "config", "path").stdout == f"{path}\n"


def case_simulated_headphones_are_seen_by_other_processes(binary):
    simulation = subprocess.Popen(
        [binary, "simulate"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, text=True,
    )
    watch = None
    try:
        socket = os.path.join(os.environ["XDG_RUNTIME_DIR"], "earshot", "adapter-virtual.socket")
        while not os.path.exists(socket):
            assert simulation.poll() is None, "the simulation has ended"
        watch = subprocess.Popen(
            [binary, "watch", *VIRTUAL], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

        def see(wanted):
            while not wanted(status := json.loads(watch.stdout.readline())):
                pass
            return status

        see(lambda status: status["control"]["state"] == "ready" and status["wearing"]["left"])
        simulation.stdin.write("aurora level left 9\naurora out left\n\nnonsense\nnobody lid open\n")
        simulation.stdin.flush()
        see(lambda status: status["battery"]["left"] == 9 and status["wearing"]["left"] is False)
        assert run(binary, "battery", "--json").stdout.count('"left":9')
        reported = run(binary, "watch", "--format", "nonsense", status=64)
        assert "tmux" in reported.stderr, reported
        simulation.stdin.write("aurora vanish\n")
        simulation.stdin.flush()
        see(lambda status: status["control"]["state"] != "ready")
        simulation.stdin.write("aurora return\n")
        simulation.stdin.flush()
        see(lambda status: status["control"]["state"] == "ready")
    finally:
        for process in filter(None, (simulation, watch)):
            process.kill()
            process.wait()


def case_a_bar_gets_its_lines(binary):
    for form, wanted in (
        ("plain", "L84 R79 C62 NC"), ("tmux", "L84 R79 C62 NC"), ("polybar", "L84 R79 C62 NC"),
        ("{left|--}% of {name}, {mode|?}", "84% of Aurora Buds, NC"), ("waybar", None),
    ):
        command = [binary, "watch", "--format", form, "--adapter", "virtual-quiet"]
        watch = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            while line := watch.stdout.readline().strip():
                if form != "waybar" and line == wanted:
                    break
                if form == "waybar" and json.loads(line)["text"] == "L84 R79 C62 NC":
                    assert json.loads(line)["class"] == ["ready", "anc-noise-cancelling"], line
                    break
            assert line, f"{form}: never said"
        finally:
            watch.kill()
            watch.wait()


def case_the_log_is_shown_and_followed(binary):
    run(binary, "anc", "off")
    lines = run(binary, "log", "--json", adapter=False).stdout.splitlines()
    assert lines and all(json.loads(line)["schema"] == 1 for line in lines), lines
    assert len(run(binary, "log", "--lines", "2", adapter=False).stdout.splitlines()) == 2
    assert run(binary, "log", "no such words", adapter=False).stdout == ""
    assert run(binary, "log", "--level", "error", adapter=False).stdout == ""
    follower = subprocess.Popen(
        [binary, "log", "--follow", "--lines", "0", "READY AFTER"], stdout=subprocess.PIPE, text=True
    )
    try:
        # The follower may begin before or after the first of these.
        for _ in range(60):
            run(binary, "anc", "next")
            if select.select([follower.stdout], [], [], 0)[0]:
                break
        assert "ready after" in follower.stdout.readline()
    finally:
        follower.kill()
        follower.wait()


def case_a_capture_command_writes_the_link(binary):
    path = os.path.join(os.environ["HOME"], "session.btsnoop")
    capture = subprocess.Popen(
        [binary, "capture", path, "--adapter", "virtual-quiet"], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True,
    )
    try:
        while "writing to" not in (line := capture.stderr.readline()):
            assert line, "the capture has ended"
        # A second process shares the link, and so is captured.
        run(binary, "anc", "off", "--adapter", "virtual-quiet", adapter=False)
        with open(path, "rb") as file:
            written = file.read()
        assert written.startswith(b"btsnoop\0") and len(written) > 1000, len(written)
    finally:
        capture.kill()
        capture.wait()


def case_a_command_that_takes_long_says_on_a_terminal_what_it_waits_for(binary):
    nobody = [binary, "battery", "--device", "nobody", "--timeout", "3", "--adapter", "virtual-quiet"]
    with Terminal(nobody) as terminal:
        terminal.expect_raw(b"looking for headphones...")
        assert terminal.end() == 4
        # The line has made way for what came of it.
        assert "looking for" not in terminal.text() and "not found nearby" in terminal.text()
    nobody[nobody.index("--timeout") + 1] = "1"
    silent = subprocess.run(nobody, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert silent.returncode == 4 and "looking" not in silent.stderr, silent


def case_a_question_of_a_pairing_is_not_overwritten_by_progress(binary):
    with Terminal([binary, "pair", "cipher", "--adapter", "virtual-quiet"]) as terminal:
        terminal.expect("the question", lambda text: "[y/N]" in text)
        # Meanwhile the line of progress would be written, each second.
        run(binary, "scan", "--timeout", "2", "--adapter", "virtual-quiet", adapter=False)
        terminal.send("n\r")
        assert terminal.end() == 6
        assert "pair with the headphone? There is no number to compare [y/N]" in terminal.text(), terminal.text()


@long
def case_the_devices_of_a_headphone_are_managed_by_commands(binary):
    makers = ("00005e00538f", "00005e005390", "00005e005391", "00005e00538c")
    with Agent(binary, ["--adapter", "virtual-families"]):
        for maker in makers:
            def multipoint(*arguments, status=0):
                return run(binary, "multipoint", *arguments, "--device", maker, "--adapter",
                           "virtual-families", adapter=False, status=status)

            def state(name, *arguments):
                lines = multipoint(*arguments).stdout.splitlines()
                return next((line for line in lines if line.startswith(name)), None)

            assert "this computer" in state("ThinkPad"), maker
            assert "not connected" not in state("ThinkPad"), maker
            assert "not connected" in state("Zoë", "disconnect", "zo"), maker
            assert "not connected" not in state("iPad", "connect", "00:00:5e:00:53:a2"), maker
            assert "in that state" in multipoint("connect", "ipad", status=64).stderr, maker
            assert state("Zoë", "forget", "Zoë's Pixel", "--yes") is None, maker
            assert "not paired with" in multipoint("connect", "zo", status=1).stderr, maker
            status = run(binary, "status", "--json", "--device", maker, "--adapter",
                         "virtual-families", adapter=False)
            devices = json.loads(status.stdout)["settings"]["paired-devices"]
            assert [device["name"] for device in devices] == ["ThinkPad", "iPad"], status
        assert "which device" in run(
            binary, "multipoint", "forget", adapter=False, status=64).stderr


def case_single_values_are_read_and_set(binary):
    with Agent(binary):
        for arguments, wanted in (
            (("level", "7"), "7"), (("level",), "7"), (("level", "+2"), "9"), (("level", "-1"), "8"),
            (("volume", "40"), "40"), (("volume",), "40"), (("volume", "+5"), "45"),
            (("volume", "-20%"), "25"), (("mute",), "on"), (("mute", "toggle"), "off"),
            (("battery", "left"), "84"), (("wear-detection", "off"), "off"),
            (("wear-detection",), "off"), (("touch", "left", "hold", "cycle-anc"), "cycle-anc"),
            (("touch", "left", "hold"), "cycle-anc"),
            (("rename", "Kitchen"), "Kitchen"),
        ):
            reported = run(binary, *arguments, "--adapter", "virtual-quiet", adapter=False)
            assert reported.stdout == f"{wanted}\n", f"{arguments}: {reported}"
        reported = run(binary, "volume", "101", "--adapter", "virtual-quiet", adapter=False, status=64)
        assert "0 to 100" in reported.stderr, reported
        reported = run(binary, "reset", "--adapter", "virtual-quiet", adapter=False, status=1)
        assert "pair first" in reported.stderr.lower(), reported
        reported = run(binary, "status", "--all", "--adapter", "virtual-quiet", adapter=False).stdout
        assert "Kitchen" in reported and "Drift Neckband" in reported, reported
        assert len(reported.splitlines()) >= 3, reported


def case_single_values_need_no_agent(binary):
    quiet = ("--adapter", "virtual-quiet")
    run(binary, "connect", *quiet, adapter=False, status=4)
    assert run(binary, "level", "3", *quiet, adapter=False).stdout == "3\n"
    assert run(binary, "volume", "+5", *quiet, adapter=False).stdout == "55\n"
    assert run(binary, "status", "--format", "{left}:{mode}", *quiet, adapter=False).stdout == "84:NC\n"
    assert run(binary, "version", adapter=False).stdout == run(
        binary, "--version", adapter=False).stdout
    reported = run(binary, "watch", "--format", "{lfet}", status=64)
    assert "did you mean {left}?" in reported.stderr, reported


def case_connect_alone_takes_the_headphone_used_last(binary):
    with Agent(binary):
        quiet = ("--adapter", "virtual-quiet")
        # The agent connects one by itself, which counts as used from then on.
        run(binary, "status", *quiet, adapter=False)
        run(binary, "connect", "drift", *quiet, adapter=False)
        run(binary, "disconnect", *quiet, adapter=False)
        connected = run(binary, "connect", *quiet, adapter=False).stdout
        assert "Drift" in run(binary, "status", "-d", connected.strip(), *quiet, adapter=False).stdout


def case_a_scene_sets_everything_at_once(binary):
    path = configure("""
[scenes.desk]
noise-mode = "tr"
ambient-level = 6
equaliser-preset = "bass"
output = "speakers"
[scenes.music]
multipoint = true
output = "headphone"
""")
    quiet = ("--adapter", "virtual-quiet")
    for owner in (contextlib.nullcontext, lambda: Agent(binary)):
        with owner() as agent:
            assert run(binary, "scene", "de", *quiet, adapter=False).stdout == "desk\n"
            if agent:
                # Without an owner the next command has virtual headphones of its own.
                reported = json.loads(run(binary, "status", "--json", *quiet, adapter=False).stdout)
                assert reported["anc"] == "transparency", reported
                assert reported["eq"]["preset"] == "bass-boost", reported
            reported = run(binary, "scene", "music", *quiet, adapter=False)
            assert "without multipoint on" in reported.stderr, reported
            reported = run(binary, "scene", "dsek", *quiet, adapter=False, status=1)
            assert 'no scene "dsek"; did you mean "desk"?' in reported.stderr, reported
    with Agent(binary):
        run(binary, "scene", "desk", *quiet, adapter=False)
        reported = run(binary, "status", "--format", "{output}", *quiet, adapter=False).stdout
        assert reported == "Speakers\n", reported
        assert run(binary, "scene", "save", "now", *quiet, adapter=False).stdout == "now\n"
        run(binary, "scene", "save", "now", *quiet, adapter=False, status=1)
    assert run(binary, "config", "check").stdout == f"{path}: ok\n"
    with open(path) as file:
        assert 'noise-mode = "transparency"' in file.read().split("[scenes.now]")[1]
    assert run(binary, "scene").stdout.splitlines()[0].startswith("desk "), run(binary, "scene")


def case_scenes_of_calls_and_programs_apply_and_give_back_what_was_there(binary):
    configure("""
[scenes.call]
noise-mode = "transparency"
when = "call"
[scenes.film]
noise-mode = "off"
when = "program:mpv"
""")
    quiet = ("--adapter", "virtual-quiet")
    with simulation(binary, "virtual-quiet") as script:
        run(binary, "connect", "aurora", *quiet, adapter=False)
        watch = subprocess.Popen(
            [binary, "watch", "--format", "{anc}", *quiet], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

        def awaits(mode):
            while (told := watch.stdout.readline()).strip() != mode:
                assert told, f"the watch has ended before {mode}"

        def happens(line, mode):
            script.write(line + "\n")
            script.flush()
            awaits(mode)

        try:
            awaits("noise-cancelling")
            happens("aurora play mpv", "off")
            # Of two, the first in the file counts.
            happens("aurora call Zoom", "transparency")
            happens("aurora call off", "off")
            listed = json.loads(run(binary, "audio", "--json", *quiet, adapter=False).stdout)
            assert listed["playing"] == [{"name": "mpv", "file": None}], listed
            happens("aurora play off", "noise-cancelling")
            # What a person sets meanwhile stays.
            happens("aurora call Zoom", "transparency")
            run(binary, "anc", "adaptive", *quiet, adapter=False)
            awaits("adaptive")
            happens("aurora play mpv", "off")
            script.write("aurora call off\n")
            happens("aurora play off", "adaptive")
        finally:
            watch.kill()
            watch.wait()
    refused = run(binary, "fit", "--device", "aurora", *quiet, adapter=False, status=1)
    assert "Aurora Buds has no fit test" in refused.stderr, refused


def case_hooks_run_commands_of_the_owner_only(binary):
    folder = os.environ["HOME"]
    out = os.path.join(folder, "hooks")
    configure(f"""
[hooks]
connected = "echo \\"$EARSHOT_EVENT $EARSHOT_NAME\\" >> {out}; ls -l /proc/$$/fd | tail -n +2 | wc -l"
taken-off = ["sh", "-c", "echo $EARSHOT_EVENT >> {out}; exit 3"]
low-battery = "echo \\"$EARSHOT_EVENT $EARSHOT_PARTS $EARSHOT_LEVEL $EARSHOT_CHARGE\\" >> {out}"
""")

    def wait_for(line):
        for _ in range(600):
            if os.path.exists(out):
                with open(out) as file:
                    if line in file.read().splitlines():
                        return
            time.sleep(0.1)
        raise AssertionError(f"{line}: never")

    # A command that owns the link only while it runs has no hooks.
    run(binary, "battery", "--device", "aurora")
    assert not os.path.exists(out)
    simulation = subprocess.Popen(
        [binary, "simulate", "--device", "aurora"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, text=True,
    )
    try:
        wait_for("connected Aurora Buds")
        simulation.stdin.write("aurora out left\naurora out right\n")
        simulation.stdin.flush()
        wait_for("taken-off")
        simulation.stdin.write("aurora level left 9\n")
        simulation.stdin.flush()
        wait_for("low-battery left 9 critical")
        for _ in range(600):
            log = run(binary, "log", adapter=False).stdout
            if "hook taken-off ended with 3" in log and "hook connected: " in log:
                break
            time.sleep(0.1)
        else:
            raise AssertionError(log)
    finally:
        simulation.kill()
        simulation.wait()


def case_a_terminal_gets_bars_and_a_pipe_does_not(binary):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": ""}
    command = [binary, "battery", "--adapter", "virtual-quiet"]
    with Terminal(command, environment=environment) as terminal:
        assert terminal.end() == 0
        raw = terminal.raw.decode()
    assert "█" in raw and "\x1b[32m" in raw, raw
    with Terminal([*command, "--no-color"], environment=environment) as terminal:
        assert terminal.end() == 0
        raw = terminal.raw.decode()
    assert "█" in raw and "\x1b[32m" not in raw, raw
    assert "█" not in run(binary, "battery").stdout


def completions(binary, command, argument, *words):
    """What the program offers for the last word, as a shell asks it."""
    return subprocess.run(
        [binary, "---completion", *command.split(), "--", argument, str(len(words)), "0", "earshot",
         *words],
        capture_output=True, text=True, timeout=60, check=True,
    ).stdout.splitlines()


@long
def case_completions_know_headphones_presets_scenes_and_outputs(binary):
    configure('[scenes.desk]\nnoise-mode = "nc"\n')
    run(binary, "eq", "save", "evening", "--device", "aurora")
    for command, argument, words, wanted in (
        ("connect", "positional@0", ("--adapter", "virtual", "connect", ""), "Aurora Buds"),
        ("status", "--device", ("status", "--adapter", "virtual", "--device", ""), "Aurora Buds"),
        ("scene use", "positional@0", ("scene", "use", ""), "desk"),
        ("eq set", "positional@0", ("eq", "set", ""), "evening"),
        ("config set", "positional@1", ("config", "set", "screen.theme", ""), "nord"),
        ("setting", "positional@1", ("setting", "noise-mode", ""), "transparency"),
        ("setting", "positional@1", ("setting", "restore", "/etc/host"), "/etc/hostname"),
        ("audio route", "positional@0", ("--adapter", "virtual", "audio", "route", ""), "Speakers"),
    ):
        offered = completions(binary, command, argument, *words)
        assert wanted in offered, f"{command}: {offered}"
    bash = run(binary, "completions", "bash", adapter=False).stdout
    for function, option, wanted in (
        ("_earshot_firmware_install", "case \"${positional_number}\"", "completions -f"),
        ("_earshot_firmware_install", "'--key'", "completions -f"),
        ("_earshot_doctor", "'--report'", "completions -f"), ("_earshot_learn", "'--table'", "completions -f"),
        ("_earshot_log", "'--level'", "'warning'"), ("_earshot_watch", "'--format'", "'waybar'"),
    ):
        offered = bash.split(f"\n{function}() {{", 1)[1].split("\n}", 1)[0].split(option, 1)[1].split(";;", 1)[0]
        assert wanted in offered, f"{function} {option}: {offered}"
    for shell in ("bash", "zsh", "fish"):
        script = run(binary, "--generate-completion-script", shell, adapter=False).stdout
        assert "---completion" in script and "transparency" in script, shell


def case_fish_completes_a_command_by_its_own_lines_alone(binary):
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile")
        script = os.path.join(folder, "earshot.fish")
        with open(script, "w", encoding="utf-8") as file:
            file.write(run(binary, "completions", "fish", adapter=False).stdout)
        for line, wanted, other in (
            ("", "anc", "adaptive"), ("anc ", "adaptive", "anc"), ("anc --", "--device", "--history"),
            ("--device aurora battery --h", "--history", "--device"), ("config set screen.th", "screen.theme", "nord"),
        ):
            fish = subprocess.run(
                ["fish", "--profile", profile, "-c", "source $argv[1]; complete -C $argv[2]", script, f"earshot {line}"],
                env={**os.environ, "HOME": folder}, capture_output=True, text=True, timeout=60, check=True)
            offered = [text.split("\t")[0] for text in fish.stdout.splitlines()]
            assert wanted in offered and other not in offered, f"{line}: {offered} {fish.stderr}"
            with open(profile, encoding="utf-8") as file:
                parses = sum("__earshot_parse_tokens" in text for text in file)
            assert parses < 100, f"{line}: the line is parsed {parses} times"
