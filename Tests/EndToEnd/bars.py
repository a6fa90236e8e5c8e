"""The recipes of docs/bars.md, as the bars read them: each command that a recipe names is run, and what it writes is
what that bar expects."""

import configparser
import json
import os
import re
import shlex
import subprocess

from terminal import Terminal
from walkthrough import ROOT, Place, blocks

PAGE = os.path.join(ROOT, "docs", "bars.md")
WANTED = "L84 R79 C62 NC"


def recipe(heading):
    """The blocks below a heading."""
    with open(PAGE) as file:
        lines = file.read().splitlines()
    start = lines.index(f"## {heading}") + 1
    end = next((number for number, line in enumerate(lines, 1) if number > start and line.startswith("## ")), len(lines))
    found = [block for block in blocks() if block.page == PAGE and start < block.line < end]
    assert found, heading
    return found


def written(place, command, until):
    """The lines of a command up to the one that is waited for."""
    with subprocess.Popen(
        ["sh", "-c", f"exec {command}"], cwd=place.folder, env=place.environment, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as process:
        lines = []
        try:
            for line in process.stdout:
                lines.append(line.rstrip("\n"))
                if until(lines[-1]):
                    return lines
        finally:
            process.kill()
    raise AssertionError(f"{command}: it ended with {lines[-3:]}")


def done(place, commands):
    """Each click of a recipe is a command that succeeds."""
    assert commands
    for command in commands:
        # A headphone without a volume of its own, and no output here that has one.
        allowed = (0, 1) if " volume " in command else (0,)
        result = place.run(command)
        assert result.returncode in allowed, f"{command}: {result}"


def case_waybar_gets_what_it_reads(binary):
    [module, style] = recipe("Waybar")
    [(name, settings)] = json.loads("{" + module.text + "}").items()
    # waybar-custom(5): with return-type json, lines of an object of text, alt, tooltip, class and percentage.
    assert name == "custom/earshot" and settings["return-type"] == "json", settings
    place = Place(binary)
    lines = [json.loads(line) for line in written(place, settings["exec"], lambda line: json.loads(line)["text"] == WANTED)]
    for line in lines:
        assert set(line) == {"text", "alt", "tooltip", "class", "percentage"}, line
        assert isinstance(line["text"], str) and isinstance(line["alt"], str), line
        assert all(re.fullmatch(r"[\w-]+", it) for it in line["class"]), line
        assert line["percentage"] is None or 0 <= line["percentage"] <= 100, line
        # Pango refuses markup that is not closed.
        assert not re.search(r"[<>]|&(?!amp;|lt;|gt;)", line["tooltip"]), line
    assert lines[-1]["alt"] in settings["format-icons"] and lines[-1]["percentage"] == 79, lines[-1]
    classes = re.findall(r"#custom-earshot\.([\w-]+)", style.text)
    known = {"low", "critical", "charging", *(f"anc-{mode}" for mode in ("off", "noise-cancelling", "transparency", "adaptive"))}
    assert classes and set(classes) <= known, classes
    done(place, [command for key, command in settings.items() if key.startswith("on-")])


def sections(heading):
    [block] = recipe(heading)
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(block.text)
    return {name: dict(parser[name]) for name in parser.sections()}


def case_polybar_gets_what_it_reads(binary):
    [(name, module)] = sections("Polybar").items()
    # Its documentation of modules: a script with `tail` is read line by line.
    assert name.startswith("module/") and module["type"] == "custom/script" and module["tail"] == "true", module
    place = Place(binary)
    for line in written(place, module["exec"], WANTED.__eq__):
        # Tags for colours, each closed.
        assert "%{" not in re.sub(r"%\{F#[0-9a-f]{6}\}[^%]*%\{F-\}", "", line), line
    done(place, [command for key, command in module.items() if key.startswith(("click-", "scroll-"))])


def case_i3blocks_gets_what_it_reads(binary):
    [block] = sections("i3blocks").values()
    assert block["interval"] == "persist" and block["format"] == "json", block
    lines = written(Place(binary), block["command"], lambda line: json.loads(line)["full_text"] == WANTED)
    for line in map(json.loads, lines):
        # The i3bar protocol.
        assert isinstance(line["full_text"], str) and isinstance(line["short_text"], str), line
        assert line["color"] is None or re.fullmatch(r"#[0-9a-f]{6}", line["color"]), line


def case_tmux_shows_the_newest_line(binary):
    [block] = recipe("tmux")
    place = Place(binary)
    # With its colours, of which a charge that is low needs one.
    [command] = re.findall(r"#\((.*)\)", block.text)
    for line in written(place, command, WANTED.__eq__):
        assert "#[" not in re.sub(r"#\[fg=\w+(?:,bold)?\][^#]*#\[default\]", "", line), line
    configuration = os.path.join(place.folder, "tmux.conf")
    with open(configuration, "w") as file:
        file.write(block.text + "\n")
    command = ["tmux", "-S", os.path.join(place.folder, "tmux"), "-f", configuration]
    try:
        with Terminal([*command, "new-session", "sleep 600"], 80, 24, place.environment) as terminal:
            terminal.expect(WANTED)
    finally:
        subprocess.run([*command, "kill-server"], capture_output=True, timeout=60)


def case_quickshell_gets_what_it_reads(binary):
    [widget] = recipe("Quickshell")
    commands = [json.loads(it) for it in re.findall(r"command: (\[.*\])", widget.text)]
    assert ["earshot", "watch"] in commands, commands
    place = Place(binary)
    lines = written(place, "earshot watch", lambda line: json.loads(line)["control"]["state"] == "ready")
    # Every value that the widget names is there in each line, or null.
    paths = set(re.findall(r"root\.status\.([\w.]+)", widget.text))
    assert {"battery.left", "anc"} <= paths, paths
    for line in map(json.loads, lines):
        for path in paths | {"control.state"}:
            value = line
            for member in path.split("."):
                assert member in value, f"{path}: {line}"
                value = value[member]
    done(place, [shlex.join(command) for command in commands if command != ["earshot", "watch"]])


def case_other_bars_get_what_they_read(binary):
    with open(PAGE) as file:
        table = file.read().split("## Others", 1)[1]
    place = Place(binary)
    seen = 0
    for template in re.findall(r"--format '([^']*)'", table.replace("\\|", "|")):
        result = place.run(f"earshot status --format '{template}'")
        assert result.returncode == 0 and re.search(r"\d", result.stdout), f"{template}: {result}"
        seen += 1
    assert seen >= 3, seen
