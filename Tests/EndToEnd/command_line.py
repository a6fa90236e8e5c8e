"""The commands, as scripts use them."""

import json
import os
import select
import subprocess
import tempfile

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
    run(binary, "status", "--device", "soundcore", "--adapter", "virtual-families", **families)
    assert "Soundcore" not in run(binary, "devices").stdout


def case_an_unknown_device_is_exit_code_4(binary):
    result = run(binary, "battery", "--device", "no-such-headphone", "--timeout", "2", status=4)
    assert result.stdout == "" and "no-such-headphone" in result.stderr


def case_a_pipe_is_no_firmware_image_and_holds_up_nothing(binary):
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "pipe.fw")
        os.mkfifo(pipe)
        for command in (("firmware", "inspect"), ("firmware", "install"), ("eq", "import")):
            told = run(binary, *command, pipe, status=1)
            assert told.stdout == "" and pipe in told.stderr, told


def case_wrong_usage_is_a_usage_error(binary):
    for arguments in (("anc", "louder"), ("eq", "--bands", "99"), ("no-such-command",)):
        result = subprocess.run(
            [binary, *arguments, *VIRTUAL], capture_output=True, text=True, timeout=60
        )
        assert result.returncode in (2, 64), f"{arguments}: {result}"
        assert result.stdout == "" and result.stderr


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
    told = json.loads(result.stdout)
    assert told["schema"] == 1, told
    findings = {item["check"]: item for item in told["findings"]}
    assert list(findings) == [
        "kernel", "adapter", "rfkill", "power", "low-energy", "cap-net-raw", "cap-net-admin",
        "bluetoothd", "kernel-release", "sound-server", "terminal", "locale", "state-folder",
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


def case_the_screen_needs_a_terminal(binary):
    result = run(binary, status=1)
    assert "terminal" in result.stderr.lower()


def case_a_closed_pipe_ends_it_silently(binary):
    result = subprocess.run(
        ["bash", "-c", f'set -o pipefail; "{binary}" scan --adapter virtual | true'],
        capture_output=True, text=True, timeout=120,
    )
    assert "Fatal" not in result.stderr and "rror" not in result.stderr, result


def case_every_command_has_help_with_an_example(binary):
    top = run(binary, "--help", adapter=False).stdout
    commands = [
        line.split()[0]
        for line in top.split("SUBCOMMANDS:")[1].split("\n\n")[0].splitlines()
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
        assert "no trusted key has signed" in refused.stderr, refused
        run(binary, "firmware", "sign", image, "--with", key, adapter=False)
        told = json.loads(run(binary, "firmware", "inspect", image, "--json").stdout)
        assert told["trusted"] is True and told["version"] == "9.0.0", told
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
    told = run(binary, "firmware", "inspect", "a.fw", adapter=False, cwd=folder).stdout
    assert "by a key trusted for Acme buds" in told, told
    for force in ((), ("--force",)):
        refused = run(binary, "firmware", "install", "a.fw", "--device", "aurora", *force,
                      status=1, cwd=folder)
        assert 'its maker is trusted for "Acme buds", and this headphone is "Earshot protocol"' in (
            refused.stderr), refused
        assert "--key" in refused.stderr, refused


def case_a_bad_configuration_is_explained_and_the_rest_applies(binary):
    path = configure('[screen]\ntheme = "red"\n[keys]\nnext-anc = "Z"\nfly = "f"\n')
    checked = run(binary, "config", "check", status=1)
    assert f'{path}:2: "theme" takes one of "standard", ' in checked.stdout, checked
    assert f'{path}:5: there is no command "fly"' in checked.stdout, checked
    keys = {item["command"]: item["keys"] for item in json.loads(
        run(binary, "keys", "--json").stdout)["keys"]}
    assert keys["next-anc"] == ["Z"], keys
    told = run(binary, "battery")
    assert "config.toml, line 2" in told.stderr and told.stdout, told


def case_the_configuration_that_is_shown_can_be_used(binary):
    configure('[battery]\nlow = 33\n[keys]\nquit = ["Q", "^C"]\n')
    shown = run(binary, "config", "show").stdout
    assert "low = 33" in shown and 'quit = ["Q", "^C"]' in shown, shown
    path = configure(shown)
    assert run(binary, "config", "check").stdout == f"{path}: ok\n"
    assert run(binary, "config", "show").stdout == shown
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
        told = run(binary, "watch", "--format", "nonsense", status=64)
        assert "tmux" in told.stderr, told
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
    for form, wanted in (("plain", "L84 R79 C62 NC"), ("tmux", "L84 R79 C62 NC"), ("waybar", None)):
        command = [binary, "watch", "--format", form, "--adapter", "virtual-quiet"]
        watch = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            while line := watch.stdout.readline().strip():
                if form != "waybar" and line == wanted:
                    break
                if form == "waybar" and json.loads(line)["text"] == "L84 R79 C62 NC":
                    assert json.loads(line)["class"] == ["ready"], line
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
        assert "looking for" not in terminal.text() and "was heard" in terminal.text()
    silent = subprocess.run(nobody, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert silent.returncode == 4 and "looking" not in silent.stderr, silent
