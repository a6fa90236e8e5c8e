"""The documentation, word by word: every command that it shows is run, every answer compared.

A fenced block that is marked `sh` is run line by line in a folder of its own, with `earshot` on the
path and without the person's real adapter. A comment before it says what it needs:

    <!-- walk: with a.fw maker.pub -->    these files are there
    <!-- walk: dry, needs root -->        it is not run; each `earshot` in it is only understood
    <!-- answer: earshot status --json --> the block below is what this command answers
"""

import functools
import glob
import json
import os
import re
import shlex
import shutil
import subprocess

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGES = [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))]
# What a block may be that holds no commands.
DATA = {"json", "toml", "ini", "css", "qml", "python", "text", "swift", ""}
# Exit codes of what depends on the machine: nothing here has Bluetooth, and no virtual headphone was measured for a correction.
VERDICTS = {"doctor": (0, 1, 3), "security": (0, 1), "correction": (0, 1)}
VIRTUAL_KEY = b"earshot virtual maker, no secret".hex()


class Block:
    def __init__(self, page, line, language, mark, text):
        self.page, self.line, self.language, self.text = page, line, language, text
        mark = mark or ""
        self.walk = mark.removeprefix("walk:").strip() if mark.startswith("walk:") else ""
        self.answer = mark.removeprefix("answer:").strip() if mark.startswith("answer:") else ""

    def __str__(self):
        return f"{os.path.relpath(self.page, ROOT)}:{self.line}"

    def lines(self):
        """Its commands, each on one line."""
        return [line for line in self.text.replace("\\\n", " ").splitlines() if line.strip()]


def blocks():
    for page in PAGES:
        with open(page) as file:
            lines = file.read().splitlines()
        mark, start = None, None
        for number, line in enumerate(lines, 1):
            if start is not None:
                if line == "```":
                    yield Block(page, start, language, mark, "\n".join(lines[start:number - 1]))
                    mark, start = None, None
            elif line.startswith("```"):
                language, start = line[3:].strip(), number
            elif comment := re.fullmatch(r"<!-- (walk:.*|answer:.*) -->", line):
                mark = comment[1]
            elif line.strip():
                mark = None


@functools.cache
def commands(binary):
    """Every command and every one below it, as `words`."""
    names = []
    for name in below(binary):
        under = below(binary, name)
        names += [f"{name} {word}" for word in under]
        if not under or usual(binary, name):
            names.append(name)
    return names


@functools.cache
def usual(binary, name):
    """What a command does that is given no word more; None: it wants one."""
    page = subprocess.run(
        [binary, name, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
    default = re.search(r"^  (\S+) \(default\)", page, re.M)
    return default[1] if default else None


@functools.cache
def below(binary, *words):
    text = subprocess.run(
        [binary, *words, "--help"], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    return [
        line.split()[0]
        for group in re.findall(r"SUBCOMMANDS:\n(.*?)\n\n", text, re.S)
        for line in group.splitlines()
        if re.match(r"  \S", line) and line.split()[0] != "help"
    ]


class Place:
    """A folder, and `earshot` on the path that uses virtual headphones unless --adapter says otherwise."""

    def __init__(self, binary):
        home = os.environ["HOME"]
        self.binary = binary
        self.folder = os.path.join(home, "walk")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        programs = os.path.join(home, "bin")
        os.makedirs(programs, exist_ok=True)
        self.shim = os.path.join(programs, "earshot")
        with open(self.shim, "w") as file:
            file.write(
                "#!/bin/bash\n"
                'case " $* " in *" --adapter "*|*" --generate-completion-script "*)\n'
                f'  exec {shlex.quote(binary)} "$@" ;;\n'
                "esac\n"
                f'exec {shlex.quote(binary)} "$@" --adapter virtual-quiet\n'
            )
        os.chmod(self.shim, 0o755)
        self.environment = {
            **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "EDITOR": "true",
        }

    def run(self, line, timeout=120):
        return subprocess.run(
            ["bash", "-c", f"set -o pipefail\n{line}"], cwd=self.folder, env=self.environment,
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=timeout,
        )

    def line(self, command, wanted):
        """The first line that is as wanted, of a command that goes on; else the last one."""
        line = ""
        with subprocess.Popen(
            shlex.split(command), cwd=self.folder, env=self.environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, executable=self.shim,
        ) as process:
            try:
                for line in process.stdout:
                    if line.strip() == wanted:
                        break
            finally:
                process.kill()
        return line.strip()

    def provide(self, names):
        """Files that the page has let the reader make before."""
        for name in names:
            path = os.path.join(self.folder, name)
            if name.endswith(".bin"):
                with open(path, "wb") as file:
                    file.write(bytes(range(256)) * 100)
            elif name.endswith(".key"):
                with open(path, "w") as file:
                    file.write(VIRTUAL_KEY)
            elif name.endswith(".pub"):
                with open(path, "w") as file:
                    file.write("d37be189695e5788f4bb89df4aaab52dc584da4b15ec5af43d8bb895b2f6f7ca\n")
            elif name.endswith(".fw"):
                self.provide(["fixture.bin", "fixture.key"])
                for line in (
                    f"earshot firmware pack fixture.bin -o {name} --hardware 0xA102 "
                    "--version 1.5.0 --security-counter 2",
                    f"earshot firmware sign {name} --with fixture.key",
                ):
                    result = self.run(line)
                    assert result.returncode == 0, result
            elif name.endswith("/"):
                os.makedirs(path, exist_ok=True)
            else:
                raise AssertionError(f"nobody knows how to make {name}")


def case_every_command_of_the_documentation_works(binary):
    ran = 0
    for block in blocks():
        if block.language != "sh" or block.walk.startswith("dry"):
            continue
        place = Place(binary)
        place.provide(block.walk.removeprefix("with ").split())
        for line in block.lines():
            result = place.run(line)
            verb = re.match(r"earshot (\S+)", line)
            allowed = VERDICTS.get(verb[1] if verb else "", (0,))
            assert result.returncode in allowed, f"{block}: {line}\n{result}"
            ran += 1
    assert ran >= 15, f"only {ran} lines were run"


def case_every_command_that_is_not_run_is_understood(binary):
    """Of blocks that need root or hardware, and of configurations of other programs."""
    seen = 0
    for block in blocks():
        if block.language == "sh" and not block.walk.startswith("dry"):
            continue
        assert block.language in DATA | {"sh"}, f"{block}: {block.language} is not known here"
        for match in re.finditer(r"(?:^|[\"(=] ?|&& |\$ )(earshot [\w-][^\"\n)|#>&]*)", block.text, re.M):
            understand(binary, match[1], block)
            seen += 1
        for script in re.findall(r"^(?:\$ )?((?:scripts|Tests)/[\w/]+)", block.text, re.M):
            path = os.path.join(ROOT, script)
            assert os.access(path, os.X_OK), f"{block}: there is no {script} to run"
            seen += 1
    assert seen >= 10, f"only {seen} were seen"


def case_every_command_has_examples_that_are_understood(binary):
    for name in commands(binary):
        text = subprocess.run(
            [binary, *name.split(), "--help"], capture_output=True, text=True, check=True,
            timeout=60,
        ).stdout
        assert "EXAMPLES:" in text, f"{name} has no examples"
        examples = re.findall(r"^  +(earshot .*)$", text.split("EXAMPLES:")[1], re.M)
        assert examples, f"{name} has no examples"
        for example in examples:
            line = re.split(r" [|>&] |\s{2,}|\\$", example)[0]
            understand(binary, line, f"{name} --help")


def case_every_command_in_the_text_is_understood(binary):
    seen = 0
    for page in PAGES:
        with open(page) as file:
            text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.M | re.S)
        for match in re.finditer(r"`(earshot [^`\n]*)`", text):
            understand(binary, match[1], os.path.relpath(page, ROOT))
            seen += 1
    assert seen >= 15, f"only {seen} were seen"


def understand(binary, line, where):
    """The command exists, and so do its options; words in capitals stand for the reader's."""
    words = shlex.split(re.sub(r"[…\[\]]", "", re.split(r"\s\|\s", line)[0]))[1:]
    if words[:1] == ["demo"]:  # before any command, and without one
        words = words[1:] or ["--help"]
    names = [name.split() for name in commands(binary)]
    groups = {name[0] for name in names if len(name) > 1}
    plain = [word for word in words if not word.startswith("-")]
    path = []
    if plain and plain[0].isupper():
        return
    if plain:
        if plain[0] in groups and len(plain) > 1 and plain[:2] in names:
            path = plain[:2]
        elif plain[:1] in names or plain[0] in groups:
            # A group's own options are those of what it does without a word more.
            path = plain[:1] + ([usual(binary, plain[0])] if usual(binary, plain[0]) else [])
        elif not words[0].startswith("-"):
            assert plain[0] == "help", f"{where}: there is no {' '.join(words)}"
    page = subprocess.run(
        [binary, *path, "--help-hidden"], capture_output=True, text=True, check=True, timeout=60
    ).stdout + "--generate-completion-script --help --version"
    for word in words:
        if word.startswith("--"):
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", page), f"{where}: {line}: {word}"


def case_every_answer_in_the_documentation_is_the_programs(binary):
    compared = 0
    for block in blocks():
        if not block.answer:
            continue
        place = Place(binary)
        if block.answer.startswith("earshot watch"):
            given = place.line(block.answer, block.text.strip())
        else:
            given = place.run(block.answer).stdout.strip()
        if "--json" in block.answer:
            given, shown = steady(json.loads(given)), steady(json.loads(block.text))
        else:
            shown = block.text.strip()
        assert given == shown, f"{block}: {block.answer}\nshown {shown}\ngiven {given}"
        compared += 1
    assert compared >= 2, f"only {compared} were compared"


def case_every_screen_in_the_documentation_is_the_programs(binary):
    check = [os.path.join(ROOT, "scripts", "screens"), "--check", binary]
    result = subprocess.run(check, capture_output=True, text=True)
    assert result.returncode == 0, f"{result.stdout}{result.stderr}\nscripts/screens draws them again"


def steady(value):
    """Without what differs from run to run: the signal."""
    if isinstance(value, dict):
        return {key: None if key == "rssi" else steady(item) for key, item in value.items()}
    return [steady(item) for item in value] if isinstance(value, list) else value
