"""What is sent to a maintainer: captures, logs and reports without names, and what the doctor mends."""

import os
import shutil
import stat
import subprocess

from terminal import Terminal

QUIET = ["--adapter", "virtual-quiet"]
# What the virtual showroom would be known by.
SECRETS = (
    b"Aurora", b"AB-0001-7F3C", bytes.fromhex("C0DE5E005301"), bytes.fromhex("0153005EDEC0"),
    bytes.fromhex("0153005E0000"),
    b"C0:DE:5E:00:53:01", b"00005e005301", b"00:00:5E:00:53:01",
)


def run(binary, *arguments, allowed=(0,), adapter=True, **options):
    result = subprocess.run(
        [binary, *arguments, *(QUIET if adapter else [])], capture_output=True,
        stdin=subprocess.DEVNULL, timeout=120, **options,
    )
    assert result.returncode in allowed, f"{arguments}: {result}"
    return result


def hidden(data, what):
    found = [secret for secret in SECRETS if secret in data]
    assert not found, f"{what} still has {found}"


def case_a_redacted_capture_tells_nobodys_name_and_is_whole(binary):
    home = os.environ["HOME"]
    for name, options in (("open", []), ("redacted", ["--redact"])):
        path = os.path.join(home, f"{name}.btsnoop")
        run(binary, "status", "--device", "aurora", "--capture", path, *options)
        with open(path, "rb") as file:
            data = file.read()
        if name == "open":
            whole = len(data)
            assert b"Aurora" in data and bytes.fromhex("0153005EDEC0") in data, "nothing to hide"
        else:
            hidden(data, path)
            # The first run has found out what is where, so the second one asks less.
            assert 500 < len(data) <= whole, (len(data), whole)
    if not shutil.which("tshark"):
        return
    for name in ("open", "redacted"):
        path = os.path.join(home, f"{name}.btsnoop")
        bad = subprocess.run(
            ["tshark", "-r", path, "-Y", "_ws.malformed"], capture_output=True, text=True,
            timeout=120,
        )
        assert bad.returncode == 0 and not bad.stdout, f"{name}: {bad}"
    read = subprocess.run(
        ["tshark", "-r", os.path.join(home, "redacted.btsnoop"), "-Y", "btatt"],
        capture_output=True, text=True, timeout=120,
    ).stdout
    assert "Write Request" in read, read


def case_a_redacted_log_tells_nobodys_name(binary):
    run(binary, "status", "--device", "aurora")
    assert b"00005e005301" in run(binary, "log", adapter=False).stdout
    for options in ([], ["--json"]):
        shown = run(binary, "log", "--redact", *options, adapter=False).stdout
        hidden(shown, "the log")
        assert b"000000000001" in shown, shown


CONFIGURATION = """
[hooks]
connected = "curl -H 'Authorization: Bearer SECRET' example.org"
conected = "SECRET"
[connection]
auto = "Jane's WH-1000XM4"
[headphones."Bob Miller's buds"]
volume-ceiling = 80
[corrections]
"AB:CD:EF:FE:DC:BA" = "Sony WH-1000XM4"
[scenes.desk-of-jane]
output = "Salon"
noise-mode = "nc"
"""


def case_the_doctors_report_has_nobody_of_the_configuration(binary):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w") as file:
        file.write(CONFIGURATION)
    path = os.path.join(os.environ["HOME"], "report.txt")
    run(binary, "doctor", "--report", path, adapter=False, allowed=(0, 1, 3))
    with open(path) as file:
        report = file.read()
    for secret in ("SECRET", "curl", "Jane", "jane", "Bob", "Miller", "AB:CD:EF", "Salon"):
        assert secret not in report, f"{secret}: {report}"
    for kept in ("connected = ", "volume-ceiling = 80", "Sony WH-1000XM4", "noise-mode"):
        assert kept in report, f"{kept}: {report}"
    run(binary, "doctor", "--report", path, "--unredacted", adapter=False, allowed=(0, 1, 3))
    with open(path) as file:
        assert "Bearer SECRET" in file.read()


def case_a_report_is_written_as_a_shell_would(binary):
    home = os.environ["HOME"]

    def written(path, **options):
        return run(binary, "doctor", "--report", path, adapter=False, allowed=(0, 1, 3), **options)

    # A link stays one.
    target, link = os.path.join(home, "target.txt"), os.path.join(home, "link.txt")
    with open(target, "w") as file:
        file.write("old")
    os.chmod(target, 0o644)
    os.symlink(target, link)
    written(link)
    assert os.path.islink(link) and os.stat(target).st_mode & 0o777 == 0o600
    with open(target) as file:
        assert "== versions" in file.read()
    # A pipe takes it.
    pipe = os.path.join(home, "pipe")
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    written(pipe)
    assert b"== versions" in reader.communicate(timeout=60)[0] and stat.S_ISFIFO(os.stat(pipe).st_mode)
    # So does a descriptor, and standard output.
    assert b"== versions" in written("/dev/stdout").stdout
    # A folder is not made.
    missing = os.path.join(home, "no", "report.txt")
    result = run(binary, "doctor", "--report", missing, adapter=False, allowed=(1,))
    assert b"does not exist" in result.stderr and not os.path.exists(os.path.dirname(missing)), result


def case_the_doctors_report_has_what_is_needed_and_no_names(binary):
    home = os.environ["HOME"]
    run(binary, "status", "--device", "aurora")
    path = os.path.join(home, "report.txt")
    result = run(binary, "doctor", "--report", path, adapter=False, allowed=(0, 1, 3))
    assert b"without names" in result.stderr, result
    assert os.stat(path).st_mode & 0o777 == 0o600
    with open(path, "rb") as file:
        report = file.read()
    hidden(report, path)
    assert home.encode() not in report, report
    for part in ("versions", "doctor", "configuration", "headphones", "links", "log"):
        assert f"\n== {part}\n".encode() in report, part
    assert b"0.1.0" in report and os.uname().release.encode() in report and b"ready after" in report
    run(binary, "doctor", "--report", path, "--unredacted", adapter=False, allowed=(0, 1, 3))
    with open(path, "rb") as file:
        assert b"00005e005301" in file.read()
    run(binary, "doctor", "--report", f"{path}/a", adapter=False, allowed=(1,))
    run(binary, "doctor", "--unredacted", adapter=False, allowed=(64,))


def case_the_doctor_asks_before_it_mends(binary):
    state = os.path.join(os.environ["XDG_STATE_HOME"], "earshot")
    os.makedirs(state)
    os.chmod(state, 0o755)

    def is_open():
        return bool(os.stat(state).st_mode & 0o077)

    # Nobody to ask: nothing is run.
    result = run(binary, "doctor", "--fix", adapter=False, allowed=(0, 1, 3))
    assert is_open() and b"skipped, needs a terminal" in result.stderr and b"chmod 700" in result.stderr, result
    # As root every command would be root's: a yes that was given beforehand does not count.
    if os.geteuid() == 0:
        result = run(binary, "doctor", "--fix", "--yes", adapter=False, allowed=(0, 1, 3))
        assert is_open() and b"skipped, needs a terminal" in result.stderr, result
    for answer in ("n", "y"):
        with Terminal([binary, "doctor", "--fix"], columns=200, rows=60) as terminal:
            answered = 0
            while True:
                terminal.expect(
                    "a question or the findings",
                    lambda text: text.count("[y/N]") > answered or "state-folder" in text)
                text = terminal.text()
                if "state-folder" in text:
                    break
                asked = text.split("[y/N]")[answered]
                terminal.send((answer if "chmod" in asked else "n") + "\n")
                answered += 1
            terminal.end()
        assert is_open() == (answer == "n"), terminal.text()


FAKE_CHMOD = """#!/bin/sh
echo "may I?"
read answer
[ "$answer" = yes ] || exit 3
/bin/chmod "$@"
"""


def case_enter_on_a_finding_runs_its_fix_with_the_terminal(binary):
    home = os.environ["HOME"]
    fake = os.path.join(home, "chmod")
    with open(fake, "w") as file:
        file.write(FAKE_CHMOD)
    os.chmod(fake, 0o755)
    path = {"PATH": f"{home}:{os.environ['PATH']}"}
    state = os.path.join(os.environ["XDG_STATE_HOME"], "earshot")
    with Terminal([binary, *QUIET], environment=path) as owner:
        owner.expect("CONTROL LINK")
        with Terminal([binary, *QUIET], environment=path) as client:
            for terminal in (owner, client):
                os.chmod(state, 0o755)
                terminal.expect("CONTROL LINK")
                terminal.send("D")
                terminal.expect("the findings", lambda text: "Bluetooth in Linux" in text)
                # It is below the screen where others have many words.
                terminal.send("/state folder\r")
                terminal.expect("the finding", lambda text: "chmod 700" in text and "Enter Fix" in text)
                for refusal in ("\r", "n", "\x1b"):
                    terminal.send("\r")
                    terminal.expect("a question", lambda text: "RUN THIS FIX?" in text)
                    terminal.send(refusal)
                    terminal.expect("no question", lambda text: "RUN THIS FIX?" not in text)
                for answer in ("no", "yes"):
                    terminal.send("\ry")
                    terminal.expect("the command's own words", lambda text: "may I?" in text)
                    assert os.stat(state).st_mode & 0o077
                    terminal.send(answer + "\n")
                    if answer == "no":
                        terminal.expect("its status", lambda text: "Exit status 3" in text)
                        terminal.send("\n")
                    terminal.expect("the page again", lambda text: "DOCTOR" in text and (
                        ("chmod 700" in text) == (answer == "no")) and "may I" not in text)
                assert os.stat(state).st_mode & 0o077 == 0
                terminal.send("\x1b")
                terminal.expect("CONTROL LINK")
            client.send("q")
            assert client.end() == 0
        owner.send("q")
        assert owner.end() == 0
