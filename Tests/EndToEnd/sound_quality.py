"""`earshot doctor --sound`, on virtual headphones whose computer has SBC alone."""

import json
import shlex
import subprocess

from command_line import run
from sharing import Agent

FAMILIES = ["--adapter", "virtual-families"]
HUAWEI = "FreeBuds Pro"


def report(binary, *arguments, adapter=FAMILIES, status=0):
    result = subprocess.run(
        [binary, "doctor", "--sound", "--json", *arguments, *adapter], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=120,
    )
    assert result.returncode == status, result
    found = json.loads(result.stdout.splitlines()[0])
    assert found["schema"] == 1, found
    assert [item["part"] for item in found["findings"]][:3] == ["computer", "headphone", "in-use"], found
    for item in found["findings"]:
        assert set(item) == {"part", "state", "what", "advice"} and item["what"], item
        assert item["state"] == "ok" or item["advice"], item
    return found


def advices(found):
    return [item["advice"] for item in found["findings"] if item["advice"]]


def case_doctor_sound_tells_both_sides_and_what_is_in_use(binary):
    found = report(binary, "--device", HUAWEI)
    assert found["headphone"] == HUAWEI and found["computer"] == ["sbc"], found
    assert [item["codec"] for item in found["offered"]] == ["aac", "sbc"], found
    assert found["profile"] == "a2dp" and found["codec"] == "sbc", found
    assert found["stream"] == {"codec": "sbc", "rates": [44100], "bitpool": 53, "bitRate": 328}, found
    assert any("offers AAC" in item["what"] for item in found["findings"]), found
    text = run(binary, "doctor", "--sound", "--device", HUAWEI, *FAMILIES, adapter=False).stdout
    assert f"Sound of {HUAWEI}" in text and "44.1 kHz, bitpool up to 53" in text, text


def case_doctor_sound_advises_a_setting_that_then_helps(binary):
    """Every command of an advice is one that Earshot has, and the reason goes with it."""
    with Agent(binary, FAMILIES):
        run(
            binary, "setting", "connection-priority", "stability", "--device", HUAWEI, *FAMILIES,
            adapter=False)
        commands = [it for it in advices(report(binary, "--device", HUAWEI)) if it.startswith("earshot ")]
        assert any("connection-priority quality" in it for it in commands), commands
        for command in commands:
            run(binary, *shlex.split(command)[1:], *FAMILIES, adapter=False)
        after = advices(report(binary, "--device", HUAWEI))
        assert not any("connection-priority" in it for it in after), after


def case_doctor_sound_shows_what_the_log_has_of_the_sound(binary):
    with Agent(binary, FAMILIES):
        report(binary, "--device", HUAWEI)
        run(binary, "audio", "profile", "calls", "--device", HUAWEI, *FAMILIES, adapter=False)
        call = report(binary, "--device", HUAWEI)
        assert call["profile"] == "hfp", call
        assert any(item["part"] == "in-use" and item["state"] == "warning" for item in call["findings"]), call
        run(binary, "audio", "profile", "music", "--device", HUAWEI, *FAMILIES, adapter=False)
    # By another process, from the file alone.
    changes = report(binary, "--device", HUAWEI)["changes"]
    words = [item["what"] for item in changes if item["kind"] == "profile"]
    assert words == [
        "profile: music (A2DP), SBC to calls (HFP), CVSD", "profile: calls (HFP), CVSD to music (A2DP), SBC",
    ], changes


def case_doctor_sound_without_a_headphone_tells_of_the_computer(binary):
    """On a machine without an adapter, and for a name that nobody has."""
    result = subprocess.run(
        [binary, "doctor", "--sound"], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert result.returncode == 0 and "no headphone" in result.stdout, result
    result = run(binary, "doctor", "--sound", "--device", "nobody", "--timeout", "1", *FAMILIES, adapter=False, status=4)
    assert "not found" in result.stderr, result


def case_doctor_sound_stands_alone(binary):
    for other in ("--fix", "--le-audio", "--report=x"):
        result = run(binary, "doctor", "--sound", other, adapter=False, status=64)
        assert "separate report" in result.stderr, result
