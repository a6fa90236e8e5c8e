"""The settings of a headphone in a file and back: `earshot setting save` and `restore`."""

import json
import os
import subprocess
import tempfile

from sets import long
from sharing import Agent, QUIET
from terminal import TIMEOUT

FAMILIES = ["--adapter", "virtual-families"]
# Earshot's own, and other makers' by their identities: both generations of Sony, Soundcore, AirPods.
HEADPHONES = [
    (QUIET, "aurora"), (FAMILIES, "WH-1000XM4"), (FAMILIES, "Soundcore Life Q30"), (FAMILIES, "AirPods"),
]


def of(binary, adapter, device, *arguments, status=0, **options):
    command = [binary, *arguments, "--device", device, *adapter]
    options = {"stdin": subprocess.DEVNULL, **({} if "input" in options else {}), **options}
    if "input" in options:
        del options["stdin"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT * 3, **options)
    assert result.returncode == status, f"{command}: {result}"
    return result


def declared(binary, adapter, device):
    """The settings that can be set, as `earshot setting --json` has them."""
    listed = json.loads(of(binary, adapter, device, "setting", "--json").stdout)["settings"]
    return {
        item["name"]: item for item in listed
        if item["kind"] in ("switch", "choice", "level", "bands", "text") and item["value"] is not None
    }


def words(item):
    """A value other than the present one, as the command line takes it."""
    value, kind = item["value"], item["kind"]
    if kind == "switch":
        return "off" if value else "on"
    if kind == "choice":
        return [value, *(word for word in item["values"] if word != value)][-1]
    if kind == "level":
        return f'{int(item["minimum"] if value != item["minimum"] else item["maximum"])}'
    if kind == "bands":
        return ",".join(f"{gain + (item['step'] if gain < 0 else -item['step']):g}" for gain in value)
    return "Other"


def changed(text, settings):
    """The saved file with another value for each setting."""
    lines = []
    for line in text.splitlines():
        name = line.split(" = ")[0].strip('"')
        if name in settings and " = " in line:
            line = f'{line.split(" = ")[0]} = "{words(settings[name])}"'
        lines.append(line)
    return "\n".join(lines) + "\n"


def values(path):
    """The settings of a saved file by their names, as they are written."""
    with open(path, encoding="utf-8") as file:
        table = file.read().split("[settings]\n", 1)[1]
    return dict(line.split(" = ", 1) for line in table.splitlines() if not line.startswith("#"))


def outcomes(report):
    return {item["name"]: item["outcome"] for item in json.loads(report)["settings"]}


def restored(binary, adapter, device, path):
    """What becomes of each setting; the exit code says whether the headphone has kept all."""
    command = [binary, "setting", "restore", path, "--json", "--device", device, *adapter]
    result = subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT * 3)
    made = outcomes(result.stdout)
    assert result.returncode == (0 if set(made.values()) <= {"set", "same"} else 1), result
    return made


def there_and_back(binary, adapter, device):
    with tempfile.TemporaryDirectory() as folder, Agent(binary, [*adapter, "--device", device]):
        before, other, after = (os.path.join(folder, name) for name in ("before", "other", "after"))
        report = json.loads(of(binary, adapter, device, "setting", "save", before, "--json").stdout)
        with open(before, encoding="utf-8") as file:
            saved = file.read()
        settings = declared(binary, adapter, device)
        assert set(report["settings"]) == set(settings), (report, settings)
        # What is equal is not sent.
        same = restored(binary, adapter, device, before)
        assert set(same.values()) <= {"same"} and list(same) == list(report["settings"]), same
        with open(other, "w", encoding="utf-8") as file:
            file.write(changed(saved, settings))
        made = restored(binary, adapter, device, other)
        # Some exclude each other, such as wind noise reduction and transparency.
        assert "set" in made.values(), made
        assert set(made.values()) <= {"set", "same", "not-kept", "refused"}, made
        of(binary, adapter, device, "setting", "save", after)
        assert values(after) != values(before)
        back = restored(binary, adapter, device, before)
        assert set(back.values()) <= {"set", "same"}, back
        of(binary, adapter, device, "setting", "save", after, "--force")
        # What the headphone reports in another mode only may have come to it.
        assert values(before).items() <= values(after).items(), (saved, values(after), back)


def case_what_was_saved_comes_back(binary):
    for adapter, device in HEADPHONES:
        there_and_back(binary, adapter, device)


@long
def case_what_was_saved_comes_back_on_headphones_of_all_makers(binary):
    for number in (*range(1, 4), 5, 8, 25, 26):
        there_and_back(binary, FAMILIES, f"c0de5e0053{0x80 + number:02x}")
    for number in (*range(10, 25), *range(27, 35)):
        there_and_back(binary, FAMILIES, f"00005e0053{0x80 + number:02x}")


def case_a_file_with_a_mistake_or_of_another_model_sends_nothing(binary):
    aurora = (binary, QUIET, "aurora")
    with tempfile.TemporaryDirectory() as folder, Agent(binary):
        place = os.path.join(folder, "aurora.toml")
        of(*aurora, "setting", "save", place)
        refused = of(*aurora, "setting", "save", place, status=1).stderr
        assert "already exists" in refused and "--force" in refused, refused
        with open(place, encoding="utf-8") as file:
            saved = file.read()
        lines = saved.splitlines()
        noise = next(number for number, line in enumerate(lines, 1) if line.startswith("noise-mode"))
        for text, number, what in (
            (saved.replace("noise-mode = ", "noise-mode "), noise, ""),
            (saved.replace("noise-mode = ", 'noise-mode = "loud" # '), noise, "noise-mode takes no \"loud\""),
            (saved.replace("noise-mode = ", 'noise-moed = "off" # '), noise, 'did you mean "noise-mode"?'),
            (saved.replace("noise-mode = ", "noise-mode = 2026-11-29 # "), noise, "takes a word"),
            (saved.replace("firmware = ", "firmwear = "), None, 'there is no "firmwear"'),
            ("", 1, "[settings]"),
        ):
            # One that would change something, were it sent.
            text = text.replace("equaliser-preset = ", 'equaliser-preset = "vocal" # ')
            result = of(*aurora, "setting", "restore", "-", input=text, status=1)
            assert "nothing was sent" in result.stderr and what in result.stderr, result
            assert number is None or f"line {number}: " in result.stderr, result
            assert not result.stdout, result
        assert of(*aurora, "eq").stdout.startswith("balanced")
        other = saved.replace('model = "Aurora Buds"', 'model = "Drift N1"').replace(
            "noise-mode = ", 'noise-mode = "transparency" # ').replace("touch-left-tap = ", "talk-through = ")
        refused = of(*aurora, "setting", "restore", "-", input=other, status=1).stderr
        assert "standard input is of Drift N1, not of Aurora Buds\n--force restores" in refused, refused
        made = outcomes(of(*aurora, "setting", "restore", "-", "--force", "--json", input=other).stdout)
        assert made["noise-mode"] == "set" and made["talk-through"] == "lacking", made
        assert of(*aurora, "anc").stdout.strip() == "transparency"
        assert "there is no such file" in of(*aurora, "setting", "restore", f"{place}.x", status=1).stderr


def case_settings_are_saved_and_restored_without_an_owner(binary):
    aurora = (binary, QUIET, "aurora")
    printed = of(*aurora, "setting", "save", "-").stdout
    assert 'model = "Aurora Buds"' in printed and "touch-left-tap = " in printed, printed
    text = printed.replace("noise-mode = ", 'noise-mode = "transparency" # ')
    result = of(*aurora, "setting", "restore", "-", input=text)
    rows = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert rows["noise-mode"].endswith("set"), result
    assert rows["touch-left-tap"].endswith("the same already"), result
    for wrong in (("save",), ("restore",), ("noise-mode", "off", "--force")):
        assert "for example: earshot setting" in of(*aurora, "setting", *wrong, status=64).stderr
