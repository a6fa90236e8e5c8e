"""Hearing aids, and whether LE Audio works here."""

import json
import subprocess

from command_line import run
from sharing import Agent

AIDS = ["--adapter", "virtual-le-audio"]


def aids(binary, *arguments, status=0):
    return run(binary, *arguments, *AIDS, status=status, adapter=False)


def settings(binary, *arguments):
    return {
        item["name"]: item
        for item in json.loads(aids(binary, "setting", *arguments, "--json").stdout)["settings"]
    }


def case_two_hearing_aids_are_one_headphone_with_presets(binary):
    with Agent(binary, AIDS):
        # The second aid is linked while the first one is ready already.
        for _ in range(50):
            status = json.loads(aids(binary, "status", "--json").stdout)
            if status["battery"]["left"] and status["battery"]["right"]:
                break
        assert status["battery"]["left"] == 71 and status["battery"]["right"] == 68, status
        assert status["control"]["state"] == "ready", status
        all_settings = settings(binary)
        assert all_settings["preset"]["values"] == ["everyday", "restaurant", "outdoors", "music"], all_settings
        assert {"offset-left", "offset-right", "microphone-muted", "asha"} <= set(all_settings), all_settings
        assert aids(binary, "setting", "preset", "rest").returncode == 0
        assert settings(binary, "preset")["preset"]["value"] == "restaurant"
        aids(binary, "setting", "offset-right", "-30")
        assert settings(binary, "offset-right")["offset-right"]["value"] == -30
        assert settings(binary, "offset-left")["offset-left"]["value"] == 0
        refused = aids(binary, "setting", "preset", "telephone", status=64)
        assert "restaurant" in refused.stderr, refused


def case_the_doctor_says_whether_le_audio_works(binary):
    command = [binary, "doctor", "--le-audio", "--json"]
    told = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    findings = {item["check"]: item for item in json.loads(told.stdout)["findings"]}
    checks = ["le-adapter", "le-kernel", "le-bluetoothd", "le-sound", "le-headphones"]
    assert list(findings)[-5:] == checks, list(findings)
    for check in checks:
        item = findings[check]
        assert item["state"] in ("ok", "warning", "unknown"), item
        assert item["state"] == "ok" or item["remedy"], item
