"""The security check, on virtual headphones with a flaw each."""

import json
import shlex
import subprocess

from command_line import run
from sharing import Agent
from terminal import Terminal

FLAWS = ["--adapter", "virtual-flaws"]
PARTS = {
    "headphone": ["debug-service", "fast-pair", "firmware", "tracking", "pairing-mode"],
    "link": ["key-size", "encryption", "legacy-pairing", "link-key"],
    "computer": [
        "bluetoothd", "bonded-input", "pairable", "discoverable", "just-works", "kernel", "radio-switch",
        "adapter-access",
    ],
}


def check(binary, *arguments, statuses=(0, 1)):
    """The findings of a headphone by their check; the computer's may be anything."""
    result = subprocess.run(
        [binary, "security", *arguments, "--json", *FLAWS], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=120,
    )
    assert result.returncode in statuses, result
    report = json.loads(result.stdout.splitlines()[0])
    assert report["schema"] == 1, report
    names = {}
    for item in report["findings"]:
        assert item["check"] in PARTS[item["part"]], item
        assert set(item) == {
            "part", "check", "verdict", "what", "identifiers", "since", "source", "advice",
        }, item
        assert item["verdict"] in ("ok", "maybe", "act", "unknown"), item
        assert item["identifiers"] and item["what"], item
        assert item["verdict"] == "ok" or item["advice"], item
        names.setdefault(item["check"], []).append(item)
    assert list(names) == [name for part in PARTS.values() for name in part], list(names)
    acts = any(item["verdict"] == "act" for item in report["findings"])
    assert result.returncode == (1 if acts else 0) or result.returncode in statuses[2:], result
    return names


def case_security_finds_each_flaw_of_a_headphone(binary):
    found = check(binary, "Debug Buds")["debug-service"]
    assert [item["verdict"] for item in found] == ["maybe", "maybe"], found
    assert "5052494D-2DAB-0341-6972-6F6861424C45" in found[0]["what"], found
    assert "CVE-2025-20700" in found[0]["identifiers"] and found[0]["since"] == "2025-12-27", found
    claim = check(binary, "Unclaimed Buds")["fast-pair"][0]
    assert claim["verdict"] == "act" and claim["identifiers"] == ["CVE-2025-36911"], claim
    old = check(binary, "WH-1000XM3")["firmware"][0]
    assert old["verdict"] == "act" and "4.5.2" in old["what"], old
    assert old["identifiers"] == ["CVE-2020-5589"] and old["advice"].startswith("install 4.5.2"), old
    other = check(binary, "Eager Buds")
    # Each has its own flaw only, and none has a link key before it is paired.
    for name, verdict in [("debug-service", "ok"), ("fast-pair", "ok"), ("firmware", "ok"), ("link-key", "unknown")]:
        assert [item["verdict"] for item in other[name]] == [verdict], other[name]
    assert other["encryption"][0]["verdict"] == "maybe", other
    assert other["encryption"][0]["advice"] == "earshot pair 'Eager Buds'", other


def case_security_sees_how_a_paired_headphone_was_paired(binary):
    """The keys of virtual headphones live as long as the process that paired them."""
    flaws = {
        "Eager Buds": ("pairing-mode", "act"), "Short Key": ("key-size", "act"),
        "Old Pairing": ("legacy-pairing", "maybe"), "Debug Key": ("link-key", "act"),
    }
    with Agent(binary, FLAWS):
        for name, (flaw, verdict) in flaws.items():
            run(binary, "pair", name, "--yes", *FLAWS, adapter=False)
            found = check(binary, name)
            assert found[flaw][0]["verdict"] == verdict, (name, found[flaw])
            assert found["encryption"][0]["verdict"] == "ok", (name, found["encryption"])
            if name != "Short Key":
                assert found["key-size"][0]["what"].startswith("16 bytes on the controls' link"), found["key-size"]


def case_security_without_a_headphone_checks_the_computer(binary):
    """On a machine without an adapter, and for a name that nobody has."""
    result = run(binary, "security", "nobody", "--timeout", "1", *FLAWS, adapter=False, status=4)
    assert "Computer" in result.stdout and "no headphone" in result.stdout, result
    assert "not found" in result.stderr, result
    result = subprocess.run(
        [binary, "security", "--timeout", "1"], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=60,
    )
    assert result.returncode in (0, 1), result
    assert "Computer" in result.stdout and "\x1b" not in result.stdout, result


def case_every_earshot_command_of_an_advice_is_understood(binary):
    advices = set()
    for name in ("Debug Buds", "Eager Buds"):
        for items in check(binary, name).values():
            advices |= {item["advice"] for item in items if item["advice"]}
    commands = [advice for advice in advices if advice.startswith("earshot pair '")]
    assert commands, advices
    for command in commands:
        result = subprocess.run(
            [binary, *shlex.split(command)[1:], *FLAWS], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=60,
        )
        # It asks, and there is nobody here to answer.
        assert result.returncode == 6, (command, result)


def case_the_security_page_shows_the_findings_and_closes(binary):
    with Terminal([binary, *FLAWS, "--device", "Unclaimed Buds"], columns=110, rows=50) as terminal:
        terminal.expect("the headphone", lambda text: "Unclaimed Buds" in text)
        terminal.send("Z")
        terminal.expect(
            "the findings", lambda text: "SECURITY" in text and "CVE-2025-36911" in text and "Key size" in text)
        terminal.send("r")
        terminal.expect("them again", lambda text: "a stranger can claim it" in text)
        terminal.send("Z")
        terminal.expect("the main page", lambda text: "CONTROL LINK" in text)
