"""Owners of the link that leave, freeze or are not read, in the middle of another's command."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
import time

from sets import long
from sharing import Agent
from terminal import TIMEOUT, Terminal

QUIET = ["--adapter", "virtual-quiet"]


def place():
    """The socket at which the processes meet."""
    folder = os.path.join(os.environ["XDG_RUNTIME_DIR"], "earshot")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, "adapter-virtual-quiet.socket")


@contextlib.contextmanager
def owner(*answers, successor=()):
    """An owner that gives a command these answers and leaves, as its successor does; yields the requests."""
    path = place()
    # A command that did the rest itself has left nothing behind.
    assert not os.path.exists(path)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    requests = []

    def serve():
        lives = [answers, successor] if successor else [answers]
        for life in lives:
            visitor, _ = listener.accept()
            lines = visitor.makefile()
            requests.append(json.loads(lines.readline()))
            for answer in life:
                visitor.sendall(json.dumps(answer).encode() + b"\n")
            if life is lives[-1]:
                listener.close()
                os.unlink(path)
            lines.close()
            visitor.close()

    serving = threading.Thread(target=serve, daemon=True)
    serving.start()
    yield requests
    serving.join(TIMEOUT)
    assert not serving.is_alive()


def run(binary, *arguments):
    return subprocess.run(
        [binary, *arguments, *QUIET], capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=120,
    )


BEGUN = {"begun": True}


def step(seconds=20):
    """What an owner says first of a command with a step."""
    return {"command": {"step": True, "limit": seconds * 1000}}


def resolved(value):
    return [step(), BEGUN, {"resolved": value}]


def case_a_step_of_an_owner_that_leaves_is_done_once(binary):
    # Not resolved yet: the headphone, which is at noise-cancelling, goes on to the next.
    with owner(step(), BEGUN):
        assert run(binary, "anc", "next").stdout.strip() == "transparency"
    # Resolved, and then the owner has left: the same value, whether it was set or not.
    with owner(*resolved("adaptive"), successor=[BEGUN]) as requests:
        assert run(binary, "anc", "cycle").stdout.strip() == "adaptive"
    assert [(r["handOver"], r["as"]) for r in requests] == [(True, None), (False, "adaptive")], requests
    with owner(*resolved("vocal"), successor=[BEGUN]):
        assert run(binary, "eq", "next", "--json").stdout.count('"vocal"')
    # Done and reported.
    with owner(*resolved("adaptive"), {"output": "adaptive"}):
        reported = run(binary, "anc", "next")
        assert (reported.returncode, reported.stdout) == (0, "adaptive\n"), reported
    # What was asked for in so many words is what it is.
    with owner(BEGUN):
        assert run(binary, "anc", "off").stdout.strip() == "off"


def case_a_step_goes_to_an_owner_as_one_value(binary):
    done = [BEGUN, {"output": "off"}, {"status": 0}]
    with owner(*resolved("off"), successor=done) as requests:
        assert run(binary, "anc", "next").stdout == "off\n"
    assert [request["as"] for request in requests] == [None, "off"], requests
    assert all(request["arguments"][:2] == ["anc", "next"] for request in requests), requests
    # An owner that declines the words gets them parsed.
    with owner({"declined": True}, successor=done) as requests:
        assert run(binary, "anc", "off").stdout == "off\n"
    assert [request["handOver"] for request in requests] == [True, False], requests
    # A real owner says what the step comes to, and takes the value for the step.
    with Agent(binary):
        def ask(**fields):
            request = {"earshot": 1, "arguments": ["anc", "next", *QUIET], **fields}
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(place())
                client.sendall(json.dumps(request).encode() + b"\n")
                return [json.loads(line) for line in client.makefile()]

        before = run(binary, "anc").stdout
        answers = ask(resolve=True)
        assert {"resolved": "transparency"} in answers and answers[-1] == {"status": 0}, answers
        assert run(binary, "anc").stdout == before
        answers = ask(**{"as": "off"})
        assert {"output": "off"} in answers and answers[-1] == {"status": 0}, answers
        answers = ask(handOver=True)
        kinds = [next(iter(answer)) for answer in answers]
        assert kinds[:2] == ["command", "begun"] and kinds.index("resolved") < kinds.index("output"), answers
        assert answers[0]["command"]["step"] and answers[-1] == {"status": 0}, answers


def case_what_may_have_been_done_is_not_done_twice(binary):
    for command in (("write", "FFF1", "02"), ("forget", "aurora", "--yes")):
        with owner(BEGUN):
            reported = run(binary, *command)
        assert reported.returncode == 5 and not reported.stdout, reported
        assert "may or may not have been done" in reported.stderr, reported


READING = (
    ("status",), ("battery",), ("anc",), ("volume",), ("setting",), ("firmware", "status"), ("inspect",), ("audio",),
    ("devices",), ("audio", "connect"), ("scan", "--timeout", "1"),
)
CHANGING = (
    ("anc", "off"), ("anc", "next"), ("eq", "vocal"), ("rename", "Nova"), ("find", "left"), ("write", "FFF1", "02"),
    ("forget", "aurora", "--yes"),
)


def killed(binary, commands, pauses):
    """Each command ends as without an owner, or says what may have been done, and the next one works."""
    for command in commands:
        alone = run(binary, *command)
        for pause in pauses:
            with Agent(binary) as agent:
                began = time.monotonic()
                process = subprocess.Popen(
                    [binary, *command, *QUIET], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True)
                time.sleep(pause)
                agent.process.kill()
                _, messages = process.communicate(timeout=120)
            where = (command, pause, process.returncode, messages)
            assert time.monotonic() - began < 45, where
            if process.returncode != alone.returncode:
                assert process.returncode == 5 and command in CHANGING, where
                assert "may or may not have been done" in messages, where
            assert run(binary, "battery").returncode == 0, where


def case_commands_whose_owner_is_killed_end_as_without_it(binary):
    killed(binary, (("status",), ("anc", "next"), ("write", "FFF1", "02")), (0.02,))


@long
def case_all_commands_whose_owner_is_killed_at_any_moment_end_as_without_it(binary):
    killed(binary, READING + CHANGING, (0, 0.005, 0.02, 0.05, 0.1, 0.3))


def case_a_refusal_through_an_owner_stays_one(binary):
    with Agent(binary):
        for _ in range(2):
            reported = run(binary, "anc", "adaptive", "--device", "drift")
            assert reported.returncode == 1 and not reported.stdout, reported
            assert "no noise control mode" in reported.stderr, reported


def case_a_link_that_was_dropped_is_not_brought_back_by_a_question(binary):
    with Agent(binary) as agent:
        agent.asked("connect", "drift")
        # It is the one that is meant from then on.
        assert "Drift" in agent.asked("status").stdout
        assert json.loads(agent.asked("disconnect", "--json").stdout)["disconnected"]
        for command in ("battery", "status", "battery"):
            reported = agent.asked(command, status=5)
            assert "disconnected by you" in reported.stderr, reported
        agent.asked("connect", "drift")
        assert agent.asked("battery").stdout


def case_a_headphone_that_wants_pairing_is_the_same_with_and_without_an_owner(binary):
    alone = run(binary, "battery", "--device", "cipher")
    assert alone.returncode == 6 and "it wants to be paired: earshot pair" in alone.stderr, alone
    with Agent(binary) as agent:
        began = time.monotonic()
        reported = agent.asked("battery", "--device", "cipher", status=alone.returncode)
        assert reported.stdout == alone.stdout and time.monotonic() - began < 15, reported
        # Nobody's question stands in the way of other commands.
        assert agent.asked("battery", "--device", "aurora").stdout


def case_a_watch_of_another_headphone_than_the_owners_has_its_values(binary):
    with Agent(binary) as agent:
        agent.asked("battery", "--device", "aurora")
        watch = subprocess.Popen(
            [binary, "watch", "--device", "drift", *QUIET], stdout=subprocess.PIPE, text=True)
        try:
            for line in watch.stdout:
                reported = json.loads(line)
                if reported["control"]["state"] == "ready" and reported["anc"]:
                    break
            assert reported["device"]["name"] == "Drift Neckband", reported
        finally:
            watch.kill()
            watch.wait()


def case_a_full_house_is_reported(binary):
    with owner({"message": "32 others share the link already"}, {"status": 1}):
        reported = run(binary, "anc")
        assert reported.returncode == 1 and "32 others" in reported.stderr, reported


def case_a_screen_whose_owner_serves_nobody_waits_between_tries_and_is_reported(binary):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place())
    listener.listen()
    visits = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                visitor, _ = listener.accept()
                visits.append(time.monotonic())
                visitor.close()

    threading.Thread(target=serve, daemon=True).start()
    began = time.monotonic()
    with Terminal([binary, *QUIET]) as terminal:
        code = terminal.end()
        text = terminal.text()
    took = time.monotonic() - began
    listener.close()
    os.unlink(place())
    assert code == 1 and "does not answer" in text, (code, text)
    assert 3 <= len(visits) <= 20 and took >= 4, (len(visits), took)


def frozen(binary, command, *answers):
    """Runs a command at an owner that is stopped after these answers; how it ended."""
    script = (
        "import os, signal, socket, sys\n"
        "listener = socket.socket(socket.AF_UNIX)\n"
        "listener.bind(sys.argv[1])\n"
        "listener.listen()\n"
        "print('listening', flush=True)\n"
        "visitor, _ = listener.accept()\n"
        "visitor.makefile().readline()\n"
        "visitor.sendall(sys.argv[2].encode())\n"
        "os.kill(os.getpid(), signal.SIGSTOP)\n"
    )
    path = place()
    lines = "".join(json.dumps(answer) + "\n" for answer in answers)
    process = subprocess.Popen(
        ["/usr/bin/python3", "-c", script, path, lines], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "listening\n"
        return process.pid, run(binary, *command, "--timeout", "2")
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        os.unlink(path)


def case_an_owner_that_freezes_is_reported_and_given_up(binary):
    number, reported = frozen(binary, ("anc", "next"), step(2), BEGUN)
    assert reported.returncode == 5 and not reported.stdout, reported
    assert f"process {number}) is suspended" in reported.stderr, reported
    assert f"kill -CONT {number}" in reported.stderr and "nothing was done" in reported.stderr, reported
    number, reported = frozen(binary, ("anc", "off"), {"command": {"limit": 2000}}, BEGUN)
    assert reported.returncode == 5 and "may or may not have been done" in reported.stderr, reported


def case_an_owner_that_hangs_is_reported_and_given_up(binary):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(place())
    listener.listen()
    asked = []

    def serve():
        visitor, _ = listener.accept()
        lines = visitor.makefile()
        lines.readline()
        for answer in (step(1), BEGUN):
            visitor.sendall(json.dumps(answer).encode() + b"\n")
        # Awake at first, and then not.
        asked.append(json.loads(lines.readline()))
        visitor.sendall(b'{"alive": true}\n')
        asked.append(json.loads(lines.readline()))
        asked.append(lines.readline())

    serving = threading.Thread(target=serve, daemon=True)
    serving.start()
    reported = run(binary, "anc", "next", "--timeout", "1")
    serving.join(TIMEOUT)
    listener.close()
    os.unlink(place())
    assert asked == [{"ping": True}, {"ping": True}, ""], asked
    assert reported.returncode == 5 and not reported.stdout, reported
    silent = f"(process {os.getpid()}) does not answer"
    # Once while it waits, and once in the end.
    assert reported.stderr.count(silent) == 2 and "nothing was done" in reported.stderr, reported


def case_commands_that_come_together_have_the_link_one_after_the_other(binary):
    together = [
        subprocess.Popen(
            [binary, *command, *QUIET], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        for command in (["anc", "off"], ["battery"], ["eq", "vocal"], ["status"])
    ]
    for command in together:
        out, messages = command.communicate(timeout=120)
        assert command.returncode == 0 and out, (command.args, messages)
    assert not os.path.exists(place())


def case_who_comes_while_a_command_has_the_link_waits_for_it(binary):
    # Nobody has this name, so the command has the link for as long as it looks.
    first = subprocess.Popen(
        [binary, "battery", "--device", "nobody", "--timeout", "3600", *QUIET],
        stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + TIMEOUT
    while not os.path.exists(place()):
        assert first.poll() is None and time.monotonic() < deadline, "the command has ended"
    try:
        reported = run(binary, "anc", "--timeout", "1")
        assert reported.returncode == 5 and not reported.stdout, reported
        assert f"another command (process {first.pid}) has the link" in reported.stderr, reported
        # What needs no link waits for nobody.
        assert "Aurora" in run(binary, "scan", "--timeout", "1").stdout
        assert "nothing to disconnect" in run(binary, "disconnect").stderr
        with Terminal([binary, "battery", *QUIET]) as second:
            second.expect("what it waits for", lambda text: f"(process {first.pid})" in text)
            with Terminal([binary, *QUIET]) as screen:
                screen.expect("what it waits for", lambda text: "LINK IS IN USE" in text)
                first.terminate()
                assert first.wait(TIMEOUT) == -signal.SIGTERM
                screen.expect("the link", lambda text: "● ready" in text)
                assert second.end() == 0
                assert "left" in second.text() and "has the link" not in second.text(), second.text()
    finally:
        first.kill()


def case_an_agent_whose_messages_nobody_reads_keeps_its_links(binary):
    # A pipe that is full, and a terminal that is stopped.
    end, full = os.pipe()
    os.set_blocking(full, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(full, b"x" * 4096)
    os.set_blocking(full, True)
    agent = subprocess.Popen([binary, "agent", "--verbose", *QUIET], stderr=full)
    try:
        works(binary)
    finally:
        agent.kill()
        agent.wait()
        os.close(end)
        os.close(full)
    command = ["sh", "-c", f"exec {binary} agent --verbose {' '.join(QUIET)}"]
    with Terminal(command) as terminal:
        terminal.expect("keeps the link")
        terminal.stall()
        works(binary)


def works(binary):
    """Commands are done by the agent, however much it has to say."""
    deadline = time.monotonic() + TIMEOUT
    while (reported := run(binary, "disconnect")).returncode == 1 and "nothing to disconnect" in reported.stderr:
        assert time.monotonic() < deadline, reported
    for _ in range(20):
        for mode in ("adaptive", "transparency"):
            reported = run(binary, "anc", mode)
            assert reported.stdout.strip() == mode, reported
