"""The commands, as scripts use them."""

import json
import os
import subprocess
import tempfile

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


def case_an_unknown_device_is_exit_code_4(binary):
    result = run(binary, "battery", "--device", "no-such-headphone", "--timeout", "2", status=4)
    assert result.stdout == "" and "no-such-headphone" in result.stderr


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
        assert json.loads(lines[-1]) == {"phase": "installed", "version": "9.0.0"}, lines
        phases = [json.loads(line)["phase"] for line in lines]
        assert "transferring" in phases and "confirming" in phases, phases


def configure(text):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w") as file:
        file.write(text)
    return file.name


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
