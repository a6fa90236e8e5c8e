"""Every command while another process owns the link: each is done there, none fights for it."""

import json
import os
import subprocess

from terminal import Terminal

QUIET = ["--adapter", "virtual-quiet"]


class Agent:
    """`earshot agent` on virtual headphones that do nothing by themselves."""

    def __init__(self, binary, adapter=QUIET):
        self.binary = binary
        self.process = subprocess.Popen(
            [binary, "agent", *adapter], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        while "keeps the link" not in (line := self.process.stderr.readline()):
            assert line, "the agent has ended"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def asked(self, *arguments, status=0, **options):
        """Runs a command of another process."""
        result = subprocess.run(
            [self.binary, *arguments, *QUIET], capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=120, **options,
        )
        assert result.returncode == status, f"{arguments}: {result}"
        return result


def case_attributes_are_read_and_written_over_the_owners_link(binary):
    with Agent(binary) as agent:
        before = agent.asked("read", "FFF1").stdout.strip()
        assert before == "01", before
        assert agent.asked("write", "FFF1", "02").stdout
        # It is the owner's headphone that was written, and what it tells of it comes.
        assert agent.asked("read", "FFF1").stdout.strip() == "02"
        assert agent.asked("anc").stdout.strip() == "transparency"
        found = json.loads(agent.asked("inspect", "--json").stdout)
        assert {"180F", "180A", "FFF0"} <= {item["uuid"] for item in found["services"]}, found
        refused = agent.asked("write", "2A26", "00", status=6)
        assert "Write Not Permitted" in refused.stderr, refused
        absent = agent.asked("read", "FFF9", status=1)
        assert "no characteristic has the type FFF9" in absent.stderr, absent
        # One that the owner has no link with gets one for as long as it takes.
        assert agent.asked("read", "2A24", "--device", "drift").stdout
        # What was looked at by hand has not disturbed the owner.
        assert agent.asked("anc", "off", "--json").stdout.count('"off"')


def case_a_scan_beside_the_owner_lists_what_it_is_linked_with_too(binary):
    with Agent(binary) as agent:
        agent.asked("status", "--device", "aurora")
        found = json.loads(agent.asked("scan", "--json", "--timeout", "2").stdout)
        names = {item["name"] for item in found["headphones"]}
        assert {"Aurora Buds", "Drift Neckband"} <= names, found
        lines = agent.asked("scan", "--timeout", "1").stdout
        assert "Aurora Buds" in lines, lines


def case_headphones_are_forgotten_and_pinned_in_the_owner(binary):
    with Agent(binary) as agent:
        agent.asked("battery", "--device", "drift")
        assert "Drift" in agent.asked("devices").stdout
        reported = agent.asked("audio", "pin", "00:11:22:33:44:55", "--device", "drift", "--json")
        assert json.loads(reported.stdout)["pin"] == "00:11:22:33:44:55", reported
        agent.asked("audio", "unpin", "--device", "drift")
        unanswered = agent.asked("forget", "drift", status=1)
        assert "--yes" in unanswered.stderr and "Drift" in agent.asked("devices").stdout, unanswered
        forgotten = agent.asked("forget", "drift", "--yes", "--json")
        assert json.loads(forgotten.stdout)["forgotten"], forgotten
        assert "Drift" not in agent.asked("devices").stdout
        agent.asked("forget", "nobody", "--yes", status=4)


def case_outputs_are_listed_as_the_owner_has_routed_them(binary):
    with Agent(binary) as agent:
        def current():
            reported = json.loads(agent.asked("audio", "--json").stdout)
            return [device["name"] for device in reported["devices"] if device["default"]]

        assert current() == ["Aurora Buds"], current()
        agent.asked("audio", "route", "speakers")
        assert current() == ["Speakers"], current()


def case_a_pairing_is_asked_where_the_command_was_typed(binary):
    with Agent(binary) as agent:
        command = [binary, "pair", "cipher", *QUIET]
        with Terminal(command, environment={"TERM": "screen-256color"}) as terminal:
            terminal.expect("the question", lambda text: "[y/N]" in text or "number" in text)
            terminal.send("n\n")
            assert terminal.end() != 0
        paired = agent.asked("pair", "cipher", "--yes", "--json")
        assert json.loads(paired.stdout)["paired"], paired


def case_firmware_goes_over_the_owners_link(binary):
    folder = os.environ["HOME"]
    with open(os.path.join(folder, "app.bin"), "wb") as file:
        file.write(os.urandom(40_000))
    with open(os.path.join(folder, "virtual.key"), "w") as file:
        file.write(b"earshot virtual maker, no secret".hex())
    with Agent(binary) as agent:
        def firmware(*arguments, **options):
            return agent.asked("firmware", *arguments, cwd=folder, **options)

        running = json.loads(firmware("status", "--json").stdout)["running"]
        firmware("pack", "app.bin", "-o", "a.fw", "--hardware", "0xA102", "--version", "9.0.0",
                 "--security-counter", "9")
        refused = firmware("install", "a.fw", status=1)
        assert "not signed by a trusted key" in refused.stderr, refused
        firmware("sign", "a.fw", "--with", "virtual.key")
        lines = [json.loads(line) for line in firmware("install", "a.fw", "--json").stdout.split("\n")
                 if line]
        assert lines[-1] == {"schema": 1, "phase": "installed", "version": "9.0.0"}, lines
        assert any(line["phase"] == "transferring" for line in lines), lines
        after = json.loads(firmware("status", "--json").stdout)["running"]
        assert (running, after) == ("1.4.2", "9.0.0"), (running, after)
        firmware("install", "no-such.fw", status=1)


def case_commands_that_need_no_link_leave_the_owner_alone(binary):
    with Agent(binary) as agent:
        for arguments in (("keys",), ("devices",), ("config", "path"), ("log",)):
            agent.asked(*arguments)
        busy = agent.asked("capture", os.path.join(os.environ["HOME"], "a.btsnoop"), status=1)
        assert "another earshot has the link" in busy.stderr, busy
        busy = agent.asked(
            "anc", "--capture", os.path.join(os.environ["HOME"], "b.btsnoop"), status=1)
        assert "another earshot has the link" in busy.stderr, busy
        assert agent.asked("battery").stdout


def configure(text):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "new"), "w") as file:
        file.write(text)
    os.rename(os.path.join(folder, "new"), os.path.join(folder, "config.toml"))


def case_a_watch_takes_on_a_changed_configuration(binary):
    # Alone, and beside an agent, which then is the one that reads the file.
    for beside in (False, True):
        configure("[battery]\nlow = 10\ncritical = 5\n")
        agent = Agent(binary) if beside else None
        watch = subprocess.Popen(
            [binary, "watch", "--format", "waybar", *QUIET], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )
        try:
            def see(classes):
                for line in watch.stdout:
                    found = json.loads(line)["class"]
                    if [it for it in found if not it.startswith("anc-")] == classes:
                        return
                raise AssertionError("the watch has ended")

            see(["ready"])
            configure("[battery]\nlow = 90\ncritical = 5\n")
            see(["ready", "low"])
            configure("[battery]\nlow = 90\ncritical = 80\nmiddle = 3\n")
            see(["ready", "critical"])
            teller = agent.process if beside else watch
            while 'there is no "middle"' not in (line := teller.stderr.readline()):
                assert line, "it never reported the mistake"
        finally:
            watch.kill()
            watch.wait()
            if agent:
                agent.__exit__()
