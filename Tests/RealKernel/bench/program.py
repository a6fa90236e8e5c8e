"""Earshot's commands: run to their end, with what they printed."""

import json
import os
import shlex
import shutil
import struct
import subprocess

from .failure import TIMEOUT, Failure, equal

NOBODY = 65534
HOMES = "/run/home"

CAPABILITY_ATTRIBUTE = "security.capability"
CAPABILITY_REVISION_2 = 0x02000000
EFFECTIVE = 1
CAPABILITIES = {"net_admin": 12, "net_raw": 13}


def install(binary):
    """A copy in RAM: an unprivileged user may not reach the folder that it was built in."""
    os.makedirs("/run/earshot", mode=0o755)
    copy = shutil.copy(binary, "/run/earshot/earshot")
    os.chmod(copy, 0o755)
    return copy


class Result:
    def __init__(self, command, status, output, messages):
        self.command = command
        self.status = status
        self.output = output
        self.messages = messages

    @property
    def json(self):
        try:
            return json.loads(self.output)
        except ValueError:
            raise Failure(f"no JSON from {self}") from None

    def __str__(self):
        return (
            f"{self.command} (exit status {self.status})\n"
            f"  output: {self.output.strip()[:2000]}\n  messages: {self.messages.strip()[:2000]}"
        )

    def succeeded(self):
        equal(self.status, 0, f"exit status of {self}")
        return self


class Program:
    """The binary, in a home of its own; what its runs say is kept in the case's folder."""

    def __init__(self, binary, folder):
        self.binary = binary
        self.folder = folder
        # Short: PipeWire refuses a socket whose path has more than 107 bytes.
        os.makedirs(HOMES, exist_ok=True)
        self.home = f"{HOMES}/{len(os.listdir(HOMES))}"
        self.runs = 0
        self.screens = self.pictures = 0
        """Terminals that were opened, and pictures of them that were kept."""
        self.make_home(self.home, 0)

    @staticmethod
    def make_home(home, owner):
        for part in ("", "config", "state", "runtime"):
            path = os.path.join(home, part)
            os.makedirs(path, mode=0o700, exist_ok=True)
            os.chown(path, owner, owner)

    def give_capabilities(self, *names):
        """Lets whoever runs the binary have these capabilities, as `setcap` does; default: both."""
        bits = sum(1 << CAPABILITIES[name] for name in names or CAPABILITIES)
        value = struct.pack("<5I", CAPABILITY_REVISION_2 | EFFECTIVE, bits, 0, 0, 0)
        os.setxattr(self.binary, CAPABILITY_ATTRIBUTE, value)

    def take_capabilities(self):
        if CAPABILITY_ATTRIBUTE in os.listxattr(self.binary):
            os.removexattr(self.binary, CAPABILITY_ATTRIBUTE)

    def environment(self, home=None):
        home = home or self.home
        return {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "LC_ALL": "C.UTF-8",
            "TERM": "tmux-256color",
            # That of a user without capabilities lets nobody in.
            "SHELL": "/bin/sh",
            "HOME": home,
            "XDG_CONFIG_HOME": f"{home}/config",
            "XDG_STATE_HOME": f"{home}/state",
            "XDG_RUNTIME_DIR": f"{home}/runtime",
            "SWIFT_BACKTRACE": "enable=no",
        }

    def start(self, *arguments, unprivileged=False, **options):
        """Begins a command; the caller reads what it says and waits for its end."""
        return subprocess.Popen(
            [self.binary, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            **{"stderr": subprocess.PIPE, "text": True, **self.runner(unprivileged), **options},
        )

    def runner(self, unprivileged):
        """Who runs a command and where: root, or a user without any capability and a home of its
        own.
        """
        if not unprivileged:
            return {"env": self.environment(), "cwd": self.home}
        home = f"{self.home}-nobody"
        self.make_home(home, NOBODY)
        whom = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        return {"env": self.environment(home), "cwd": home, **whom}

    def __call__(self, *arguments, unprivileged=False):
        """Runs a command to its end, as root or as a user without any capability."""
        command = shlex.join(["earshot", *arguments])
        try:
            done = subprocess.run(
                [self.binary, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="surrogateescape",
                timeout=TIMEOUT,
                **self.runner(unprivileged),
            )
        except subprocess.TimeoutExpired as expired:
            texts = [
                (text or b"").decode(errors="replace") for text in (expired.output, expired.stderr)
            ]
            raise Failure(
                f"did not end in {TIMEOUT:.0f} s: {Result(command, 'none', *texts)}"
            ) from None
        result = Result(command, done.returncode, done.stdout, done.stderr)
        self.runs += 1
        with open(f"{self.folder}/run-{self.runs}.txt", "w", errors="surrogateescape") as log:
            log.write(f"{result.command}\nexit status {result.status}\n")
            log.write(f"--- output\n{result.output}--- messages\n{result.messages}")
        return result
