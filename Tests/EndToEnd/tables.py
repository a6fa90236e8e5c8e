"""Tables of the documentation that are made from the program: docs/cli.md.

    UPDATE_SCREENS=1 Tests/EndToEnd/run.py .build/debug/earshot tables.

writes them again.
"""

import json
import os
import re
import subprocess

from walkthrough import ROOT

OPTIONS_OF_ALL = "Common options"


def output(binary, *words):
    return subprocess.run(
        [binary, *words], capture_output=True, text=True, check=True, timeout=60).stdout


def own(command):
    """Its arguments without those that all commands have."""
    return [
        it for it in command.get("arguments", [])
        if it.get("sectionTitle") != OPTIONS_OF_ALL and it["valueName"] not in ("help", "version")
    ]


def shown(argument):
    """An argument in a line of usage: [left|right], FILE."""
    text = "|".join(argument.get("allValues", [])) or argument["valueName"].upper()
    return f"[{text}]" if argument["isOptional"] else text


def about(command):
    """Its line in the help, and the first paragraph below."""
    first = command.get("discussion", "").split("\n\n")[0]
    return [command["abstract"], *([] if first.startswith("EXAMPLES:") else first.split())]


def words(command, *before):
    """What it does, and what its options and arguments are."""
    explained = [
        f"`{'/'.join(named(it))}`: {it['abstract']}" for it in own(command)
        if it["kind"] != "positional" or not it.get("allValues") and it["valueName"] != "headphone"
    ]
    return " ".join([*before, *about(command), *explained])


def named(argument):
    """The long names of an option, or the name of an argument in the usage."""
    names = [f"--{name['name']}" for name in argument.get("names", []) if name["kind"] == "long"]
    return names or [argument["valueName"].upper()]


def rows(command, path="", *before):
    name = f"{path} {command['commandName']}".strip()
    below = [it for it in command.get("subcommands", []) if it["commandName"] != "help"]
    usual = command.get("defaultSubcommand")
    if not below:
        usage = [name, *(shown(it) for it in own(command) if it["kind"] == "positional")]
        yield " ".join(usage), words(command, *before)
    for it in below:
        if it["commandName"] == usual:
            for usage, does in rows(it, name, *about(command)):
                yield usage.replace(f"{name} {usual}", f"{name} [{usual}]"), does
        else:
            yield from rows(it, name)


def table(head, lines):
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *cells])


def commands(binary):
    """A table for each group of the help."""
    every = json.loads(output(binary, "--experimental-dump-help"))["command"]["subcommands"]
    groups = re.findall(
        r"^([A-Z]+) SUBCOMMANDS:\n(.*?)\n\n", output(binary, "--help"), re.MULTILINE | re.DOTALL)
    assert len(groups) >= 4, groups
    for title, lines in groups:
        names = re.findall(r"^  (\S+)", lines, re.MULTILINE)
        found = [row for it in every if it["commandName"] in names for row in rows(it)]
        yield f"### {title.capitalize()}\n\n" + table(
            ["command", "does"], [(f"`{usage}`", does) for usage, does in found])


def check(name, start, end, wanted):
    """The part of a page between two texts is as wanted; or is written so."""
    path = os.path.join(ROOT, "docs", name)
    with open(path) as file:
        page = file.read()
    before, rest = page.split(start, 1)
    _, after = rest.split(end, 1)
    made = before + start + wanted + end + after
    if os.environ.get("UPDATE_SCREENS"):
        with open(path, "w") as file:
            file.write(made)
    assert made == page or os.environ.get("UPDATE_SCREENS"), (
        f"docs/{name} differs from the program: UPDATE_SCREENS=1 writes it again")


def case_the_commands_of_the_documentation_are_those_of_the_program(binary):
    check(
        "cli.md", "is found in [audio.md](audio.md).\n\n", "\n\nA command that changes something returns",
        "\n\n".join(commands(binary)))
