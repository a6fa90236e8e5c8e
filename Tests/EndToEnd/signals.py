"""How commands end when somebody ends them: each kind of command, each signal."""

import json
import os
import select
import signal
import subprocess
import time

from sets import long
from terminal import TIMEOUT

QUIET = ["--adapter", "virtual-quiet"]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A command, and the words on either stream that tell that it is at work.
LASTING = {
    "agent": "keeps the link",
    "watch": '"schema":1',
    "connect aurora": "00005e005301",
    "scan --timeout 60": "Aurora",
    "capture HOME/a.btsnoop": "writing to",
    "log --follow": None,
    "simulate": "these headphones are virtual",
    "battery --device nobody": "these headphones are virtual",
    "firmware install HOME/a.fw --json": '"transferring"',
}


def words(line):
    return line.replace("HOME", os.environ["HOME"]).split()


def begin(binary, line):
    """The command at work, in a group of its own as a shell has it."""
    adapter = [] if line == "simulate" else QUIET
    process = subprocess.Popen(
        [binary, *words(line), *adapter], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
    )
    expected, seen = LASTING[line], b""
    deadline = time.monotonic() + TIMEOUT
    while expected and expected.encode() not in seen:
        ready, _, _ = select.select([process.stdout], [], [], max(0, deadline - time.monotonic()))
        assert ready, f"{line}: never said {expected}: {seen!r}"
        part = os.read(process.stdout.fileno(), 65536)
        assert part, f"{line}: ended: {seen!r}"
        seen += part
    return process


def image(binary):
    """Firmware that is on its way long enough to be stopped there."""
    home = os.environ["HOME"]
    with open(os.path.join(home, "app.bin"), "wb") as file:
        file.write(os.urandom(400_000))
    with open(os.path.join(home, "virtual.key"), "w") as file:
        file.write(b"earshot virtual maker, no secret".hex())
    for line in (
        "firmware pack HOME/app.bin -o HOME/a.fw --hardware 0xA102 --version 9.0.0 "
        "--security-counter 9",
        "firmware sign HOME/a.fw --with HOME/virtual.key",
    ):
        subprocess.run([binary, *words(line)], check=True, timeout=60)


def works(binary, line):
    """Whatever was ended, the next command is as good as ever."""
    after = subprocess.run(
        [binary, "battery", "--device", "aurora", "--json", *QUIET], capture_output=True,
        text=True, stdin=subprocess.DEVNULL, timeout=120,
    )
    assert after.returncode == 0, f"after {line}: {after}"
    assert json.loads(after.stdout)["battery"]["left"] == 84, after


def quiet(text, what):
    for word in (b"Fatal", b"rror:", b"Backtrace", b"*** "):
        assert word not in text, f"{what}: {text!r}"


@long
def case_every_command_ends_at_every_signal(binary):
    image(binary)
    for line in LASTING:
        for number in SIGNALS:
            process = begin(binary, line)
            os.killpg(process.pid, number)
            rest, _ = process.communicate(timeout=TIMEOUT)
            what = f"{line}, {number.name}"
            # As whoever sent the signal expects: a shell stops its script at ^C by that alone.
            assert process.returncode == -number, f"{what}: {process.returncode} {rest!r}"
            quiet(rest, what)
        works(binary, line)


def case_an_owner_without_a_screen_ends_in_order(binary):
    home = os.environ["HOME"]
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder)
    with open(os.path.join(folder, "config.toml"), "w") as file:
        file.write(f'[hooks]\nconnected = "echo $$ >{home}/new && mv {home}/new {home}/hook && exec sleep 600"\n')
    for line in ("agent --device aurora", "watch --device aurora", "connect aurora"):
        for number in SIGNALS:
            process = subprocess.Popen(
                [binary, *line.split(), *QUIET], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            deadline = time.monotonic() + TIMEOUT
            while not os.path.exists(f"{home}/hook"):
                assert time.monotonic() < deadline and process.poll() is None, f"{line}: no hook"
                time.sleep(0.05)
            with open(f"{home}/hook") as file:
                hook = file.read().strip()
            os.remove(f"{home}/hook")
            begun = time.monotonic()
            process.send_signal(number)
            _, errors = process.communicate(timeout=TIMEOUT)
            what = f"{line}, {number.name}"
            assert process.returncode == -number, f"{what}: {process.returncode} {errors!r}"
            quiet(errors, what)
            assert time.monotonic() - begun < 10, f"{what}: {time.monotonic() - begun} s"
            # The hook has a process group of its own, and ends with its owner all the same.
            assert not os.path.exists(f"/proc/{hook}"), f"{what}: the hook lives on"


def case_an_owner_whose_reader_has_gone_finishes_the_commands_of_others(binary):
    image(binary)
    watch = subprocess.Popen(
        [binary, "watch", "--device", "aurora", *QUIET], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert b"Aurora" in watch.stdout.readline()
    install = begin(binary, "firmware install HOME/a.fw --json")
    watch.stdout.close()
    rest, _ = install.communicate(timeout=TIMEOUT)
    assert install.returncode == 0 and b'"restarting"' in rest, rest
    errors = watch.stderr.read()
    watch.wait(timeout=TIMEOUT)
    assert watch.returncode == -signal.SIGPIPE, f"{watch.returncode} {errors!r}"
    quiet(errors, "watch")


def case_an_agent_whose_messages_have_no_reader_any_more_goes_on(binary):
    agent = subprocess.Popen([binary, "agent", "--verbose", *QUIET], stderr=subprocess.PIPE)
    try:
        assert agent.stderr.readline()
        agent.stderr.close()
        works(binary, "agent")
        change(binary)
        assert agent.poll() is None, agent.returncode
    finally:
        agent.kill()
        agent.wait()


def case_an_update_that_was_ended_is_remembered(binary):
    image(binary)

    def unfinished():
        result = subprocess.run(
            [binary, "firmware", "status", "--json", *QUIET], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=120,
        )
        assert result.returncode == 0, result
        return json.loads(result.stdout)["unfinished"]

    assert unfinished() is None
    process = begin(binary, "firmware install HOME/a.fw --json")
    # A phase is reported before it is written down, and each further line after that.
    assert process.stdout.readline() and process.stdout.readline()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=TIMEOUT)
    path = os.path.join(os.environ["HOME"], "a.fw")
    left = unfinished()
    assert os.path.samefile(left["path"], path) and left["file"] == "there", left
    assert left["version"] == "9.0.0" and left["bytes"] < left["total"] == 400_000, left
    os.remove(path)
    assert unfinished()["file"] == "gone"


def case_a_pipe_that_is_closed_ends_every_command_that_goes_on(binary):
    def ends(line):
        process = subprocess.Popen(
            [binary, *line.split(), *QUIET], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        process.stdout.read(1)
        process.stdout.close()
        if line.startswith("scan"):
            # It writes when it hears something new; until then nothing can tell it.
            os.kill(process.pid, signal.SIGPIPE)
        errors = process.stderr.read()
        process.wait(timeout=TIMEOUT)
        assert process.returncode == -signal.SIGPIPE, f"{line}: {process.returncode} {errors!r}"
        quiet(errors, line)

    # Nothing happens after the first line of a watch, which ends all the same.
    for line in ("watch", "scan --timeout 60", "watch --format plain", "battery --watch", "log --follow"):
        ends(line)
    agent = begin(binary, "agent")
    for line in ("watch", "battery --watch"):
        ends(line)
    agent.terminate()
    agent.communicate(timeout=TIMEOUT)


def change(binary):
    """Something that a watch tells."""
    for mode in ("off", "adaptive"):
        subprocess.run(
            [binary, "anc", mode, "--device", "aurora", *QUIET], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120,
        )


def case_commands_in_a_pipe_write_nothing_but_data(binary):
    for line in ("battery", "anc", "devices", "status"):
        result = subprocess.run(
            [binary, *line.split(), *QUIET], capture_output=True, stdin=subprocess.DEVNULL,
            timeout=120,
        )
        assert result.returncode == 0 and b"\x1b" not in result.stdout + result.stderr, result
        assert b"\r" not in result.stderr, result


def case_exit_codes_are_as_the_page_says(binary):
    expected = {
        0: "battery --device aurora", 1: "read FFF9 --device aurora", 4: "battery --device nobody --timeout 1",
        6: "find left --device aurora", 64: "anc louder",
    }
    for code, line in expected.items():
        result = subprocess.run(
            [binary, *line.split(), *QUIET], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=120,
        )
        assert result.returncode == code, f"{line}: {result}"
        assert bool(result.stdout) == (code == 0), f"{line}: {result}"
        assert "\n" in result.stderr and "Fatal" not in result.stderr, f"{line}: {result}"


def case_data_that_nobody_gets_are_reported(binary):
    for line in ("battery", "keys", "--help", "scan --timeout 1", "watch"):
        with open("/dev/full", "w") as full:
            result = subprocess.run(
                [binary, *line.split(), *([] if line == "--help" else QUIET)], stdout=full,
                stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, timeout=120,
            )
        assert result.returncode == 1, f"{line}: {result}"
        assert "standard output: No space left on device" in result.stderr, f"{line}: {result}"


def case_nobody_is_reported_as_nobody(binary):
    for line, words in {
        "connect nobody --timeout 1": "not found nearby",
        "forget nobody --yes": "`earshot devices` lists",
        "audio unpin --device nobody": "`earshot devices` lists",
    }.items():
        result = subprocess.run(
            [binary, *line.split(), *QUIET], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=120,
        )
        assert (result.returncode, result.stdout) == (4, ""), f"{line}: {result}"
        assert words in result.stderr, f"{line}: {result}"
