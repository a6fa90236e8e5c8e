"""The screen, in a pseudo-terminal."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time

from sets import long
from sharing import Agent
from terminal import Failure, Terminal

VIRTUAL = ["--adapter", "virtual"]


def start(binary, **options):
    """Earshot on the virtual headphones, connected and with its first values on the screen."""
    terminal = Terminal([binary, *VIRTUAL], **options)
    terminal.expect("CONTROL LINK")
    terminal.expect("ready", lambda text: "ready" in text.lower())
    return terminal


def case_the_first_screen_has_both_panels(binary):
    with start(binary) as terminal:
        text = terminal.text()
        for word in ("AUDIO ROUTE", "CONTROL LINK", "virtual"):
            if word not in text:
                raise Failure(f"no {word}\n{text}")
        terminal.send("q")
        assert terminal.end() == 0


def case_keys_switch_noise_control_and_equaliser(binary):
    with start(binary) as terminal:
        for key, segment in (("3", "▐3"), ("1", "▐1"), ("4", "▐4"), ("a", "▐1"), ("t", "▐3")):
            terminal.send(key)
            terminal.expect(f"{segment} confirmed", lambda text: confirmed(text, segment))
        terminal.send("e")
        terminal.expect("EQ confirmed", lambda text: confirmed(text, "▐Bass"))
        terminal.send("q")
        assert terminal.end() == 0


def case_a_key_acts_on_the_headphone_that_the_screen_shows(binary):
    def of(name):
        """Whether header, list and panels show this headphone, and no other row has the cursor."""
        return lambda text: (name in text.splitlines()[0] and f"▸{name}" in text
                             and sum("▸" in line for line in text.splitlines()) == 1)

    def shown(terminal, name):
        terminal.expect(f"{name}, ready", lambda text: of(name)(text) and "● ready" in text and "▐" in text)

    with Terminal([binary, "--adapter", "virtual-quiet"], 100, 30) as terminal:
        terminal.expect("the first values", lambda text: "● ready" in text and "▐2" in text)
        terminal.expect("the other headphone", lambda text: "Drift Neckband" in text)
        terminal.send("\t")
        shown(terminal, "Aurora Buds")
        terminal.send("j")
        terminal.expect("the next one", of("Drift Neckband"))
        terminal.send("\r")
        shown(terminal, "Drift Neckband")
        terminal.send("k")
        shown(terminal, "Aurora Buds")
        terminal.send("1")
        terminal.expect("its noise control off", lambda text: of("Aurora Buds")(text) and confirmed(text, "▐1"))
        terminal.send("/dri\r")
        shown(terminal, "Drift Neckband")
        # Its own mode is as it was: the key went to the headphone that was shown.
        terminal.expect("its noise control", lambda text: not confirmed(text, "▐1"))
        terminal.send("X")
        terminal.expect("the question", lambda text: "Forget Drift Neckband?" in text)
        terminal.send("n")
        shown(terminal, "Drift Neckband")
        terminal.send("q")
        assert terminal.end() == 0


def confirmed(text, segment):
    """Whether `segment` is chosen, and no longer marked as pending."""
    return any(segment in line and "…" not in line for line in text.splitlines())


def case_help_opens_and_escape_closes_it_but_never_quits(binary):
    with start(binary) as terminal:
        terminal.send("?")
        terminal.expect("help", lambda text: "KEYS" in text and "next noise" in text)
        terminal.send("\x1b")
        terminal.expect("help closed", lambda text: "next noise" not in text)
        terminal.send("\x1b\x1b")
        terminal.send("q")
        assert terminal.end() == 0


def case_devices_of_a_headphone_are_listed_and_managed(binary):
    bose = ["--adapter", "virtual-families", "--device", "00005e00538f"]

    def row(text, name):
        return next((line for line in text.splitlines() if name in line), "")

    with Terminal([binary, *bose]) as terminal:
        terminal.expect("ready", lambda text: "● ready" in text)
        terminal.send("G")
        terminal.expect("the last row", lambda text: row(text, "Paired devices"))
        terminal.send("C")
        terminal.expect("list", lambda text: "playing, this computer" in row(text, "ThinkPad"))
        terminal.send("j\r")
        terminal.expect("ended", lambda text: "not connected" in row(text, "Zoë's Pixel"))
        terminal.send("j\r")
        terminal.expect("connected", lambda text: {"iPad", "connected"} <= set(row(text, "iPad").split())
                        and "not" not in row(text, "iPad"))
        terminal.send("o")
        terminal.expect("playing", lambda text: "playing" in row(text, "iPad"))
        # This computer, and keys, only after a question.
        terminal.send("g\r")
        terminal.expect("question", lambda text: "DISCONNECT THIS COMPUTER?" in text)
        terminal.send("n")
        terminal.expect("kept", lambda text: "THIS COMPUTER?" not in text)
        assert "this computer" in row(terminal.text(), "ThinkPad") and "not" not in row(
            terminal.text(), "ThinkPad"), terminal.text()
        terminal.send("jX")
        terminal.expect("forget", lambda text: "FORGET THIS DEVICE?" in text)
        terminal.send("y")
        terminal.expect("forgotten", lambda text: not row(text, "Pixel"))
        terminal.send("C")
        terminal.expect("main page", lambda text: "CONTROL LINK" in text)
        terminal.send("q")
        assert terminal.end() == 0


def case_every_size_is_drawn_and_survived(binary):
    with start(binary) as terminal:
        for columns, rows in ((120, 40), (40, 12), (19, 4), (3, 1), (200, 60), (80, 24)):
            terminal.resize(columns, rows)
            if columns >= 40:
                terminal.expect("CONTROL", lambda text: "CONTROL" in text or "LINK" in text)
        terminal.expect("AUDIO ROUTE")
        terminal.send("q")
        assert terminal.end() == 0


def case_pages_have_the_size_of_the_terminal_however_they_look_at_it(binary):
    with start(binary) as terminal:
        terminal.resize(120, 40)
        terminal.expect("the wide page", lambda text: "E Edit EQ" in text)
        terminal.send("D")
        # The lower right corner of a page that fills the screen.
        terminal.expect("findings", lambda text: "kernel" in text and corner(terminal) == "╯")
        terminal.send("\x1b")
        terminal.expect("the wide page", lambda text: "E Edit EQ" in text)
        terminal.send("q")
        assert terminal.end() == 0


def corner(terminal):
    return terminal.screen.display[-2][-1]


def restored(terminal):
    """Whether the program gave the terminal back: main screen, visible cursor."""
    tail = terminal.raw.rsplit(b"\x1b[?1049h", 1)[-1]
    return b"\x1b[?1049l" in tail and terminal.raw.rfind(b"\x1b[?25h") > terminal.raw.rfind(
        b"\x1b[?25l"
    )


def case_signals_end_it_and_give_the_terminal_back(binary):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGSEGV, signal.SIGABRT):
        with start(binary) as terminal:
            terminal.signal(number)
            status = terminal.end()
            assert status != 0, f"{number!r} ended with 0"
            if not restored(terminal):
                raise Failure(f"{number!r}: terminal not restored: {terminal.raw[-200:]!r}")


def case_the_terminal_settings_are_the_same_after_quitting(binary):
    script = f'before=$(stty -g); "{binary}" --adapter virtual; test "$before" = "$(stty -g)"'
    with Terminal(["sh", "-c", script + " && echo settings-same"]) as terminal:
        terminal.expect("CONTROL LINK")
        terminal.send("q")
        terminal.expect("settings-same")


def case_control_z_suspends_and_fg_resumes(binary):
    with Terminal(["bash", "--norc", "-i"], environment={"PS1": "shell> "}) as terminal:
        terminal.expect("shell>")
        terminal.send(f"'{binary}' --adapter virtual\n")
        terminal.expect("CONTROL LINK")
        terminal.send("\x1a")
        terminal.expect("Stopped")
        terminal.send("clear; fg\n")
        terminal.expect("AUDIO ROUTE")
        terminal.send("q")
        # Once for ^Z, once for good: what is typed before that is the program's.
        terminal.expect_raw(b"\x1b[?1049l", count=2)
        terminal.send("exit\n")
        terminal.end()


def case_a_closed_terminal_ends_it(binary):
    terminal = start(binary)
    terminal.hang_up()
    _, status = os.waitpid(terminal.pid, 0)
    terminal.status = status


def case_no_colour_means_no_colour(binary):
    with start(binary, environment={"NO_COLOR": "1"}) as terminal:
        terminal.send("q")
        terminal.end()
        for code in (b"\x1b[3", b"\x1b[9"):
            for digit in b"01234567":
                assert code + bytes([digit]) + b"m" not in terminal.raw, "a colour was set"


def case_a_locale_without_utf8_gets_plain_letters(binary):
    with start(binary, environment={"LC_ALL": "C"}) as terminal:
        terminal.send("q")
        terminal.end()
        assert all(byte < 0x80 for byte in terminal.raw), "bytes above 7F in the C locale"


def case_an_unknown_terminal_is_reported_in_words(binary):
    with Terminal([binary, *VIRTUAL], environment={"TERM": "no-such-terminal"}) as terminal:
        assert terminal.end() == 1
        assert "TERM" in terminal.text(), terminal.text()


def case_a_changed_configuration_is_taken_on_at_once(binary):
    with start(binary) as terminal:
        configure('[keys]\nnext-anc = "Y"\nfly = "f"\n')
        terminal.expect("the new key", lambda text: "Y Noise" in text)
        terminal.expect("the mistake", lambda text: 'there is no command "fly"' in text)
        terminal.send("q")
        assert terminal.end() == 0


def case_mistakes_of_the_configuration_stay_until_they_are_read_or_mended(binary):
    configure('[keys]\nfly = "f"\n[screen]\ntheme = "red"\n')
    with start(binary) as terminal:
        def wrong(text):
            return "`earshot config check` lists all 2 mistakes" in " ".join(text.split())

        terminal.expect("the mistakes", wrong)
        # News of the start does not take their place.
        terminal.send("t")
        terminal.expect("a change", lambda text: wrong(text) and confirmed(text, "▐3"))
        configure("")
        terminal.expect("nothing", lambda text: "line 2" not in text)
        configure('[keys]\nfly = "f"\n')
        terminal.expect("a mistake", lambda text: "line 2" in text)
        terminal.send("\x1b")
        # It is still the newest event.
        terminal.expect("nothing", lambda text: "\n ✗" not in text)


def case_auto_pause_of_the_configuration_counts_for_a_process_without_a_screen(binary):
    configure('[auto-pause]\nmode = "cork"\n')
    with simulation(binary) as script, start(binary, columns=120, rows=40) as terminal:
        terminal.expect("both in ear", lambda text: "● ready" in text and "left in ear" in text)
        script.write("aurora out left\naurora out right\n")
        script.flush()
        terminal.expect("the sound held", lambda text: "playback is paused" in text)
        terminal.send("q")
        assert terminal.end() == 0


def case_auto_pause_is_taken_on_when_the_configuration_changes(binary):
    configure("")
    with simulation(binary) as script, start(binary, columns=120, rows=40) as terminal:
        terminal.expect("both in ear", lambda text: "● ready" in text and "left in ear" in text)
        script.write("aurora out left\naurora out right\n")
        script.flush()
        terminal.expect("both out", lambda text: "left out" in text and "right out" in text)
        script.write("aurora in left\naurora in right\n")
        script.flush()
        terminal.expect("both in ear", lambda text: "left in ear" in text and "right in" in text)
        assert "playback is paused" not in terminal.text(), terminal.text()
        # The key tells when the file has been read.
        configure('[auto-pause]\nmode = "cork"\n[keys]\nnext-anc = "Y"\n')
        terminal.expect("the new key", lambda text: "Y Noise" in text)
        script.write("aurora out left\naurora out right\n")
        script.flush()
        terminal.expect("the sound held", lambda text: "playback is paused" in text)
        terminal.send("q")
        assert terminal.end() == 0


def configure(text):
    """Writes the configuration file, as an editor does: a whole one takes the place of the old."""
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "config.toml")
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


@contextlib.contextmanager
def simulation(binary, adapter="virtual"):
    """Virtual headphones that live by the script written to them, for other processes."""
    process = subprocess.Popen(
        [binary, "simulate", "--adapter", adapter], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, text=True,
    )
    try:
        place = os.path.join(os.environ["XDG_RUNTIME_DIR"], "earshot", f"adapter-{adapter}.socket")
        while not os.path.exists(place):
            assert process.poll() is None, "the simulation has ended"
        yield process.stdin
    finally:
        process.kill()
        process.wait()


def runs_beside(binary, *arguments, **options):
    """A command of the shell, while a screen keeps the link."""
    return subprocess.run(
        [binary, *arguments, *VIRTUAL], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=60, **options
    )


def case_two_screens_and_a_watch_share_one_headphone(binary):
    with start(binary) as first, start(binary, columns=60, rows=30) as second:
        watch = subprocess.Popen(
            [binary, "watch", *VIRTUAL], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            known = json.loads(watch.stdout.readline())
            assert known["control"]["state"] == "ready", known
            second.send("4")
            for screen in (first, second):
                screen.expect("adaptive", lambda text: confirmed(text, "▐4"))
            while known["anc"] != "adaptive":
                known = json.loads(watch.stdout.readline())
            changed = runs_beside(binary, "anc", "off", "--json")
            assert json.loads(changed.stdout)["anc"] == "off", changed
            for screen in (first, second):
                screen.expect("off", lambda text: confirmed(text, "▐1"))
            while known["anc"] != "off":
                known = json.loads(watch.stdout.readline())
            # Each has pages of its own.
            second.send("?")
            second.expect("help", lambda text: "KEYS" in text)
            assert "KEYS" not in first.text()
            second.send("\x1b")
            # What one says to the link, the others see.
            first.send("d")
            for screen in (first, second):
                screen.expect("dropped", lambda text: "● ready" not in text)
            second.send("c")
            for screen in (first, second):
                screen.expect("connected", lambda text: "● ready" in text)
            # Who is not the owner goes without consequence.
            second.send("q")
            assert second.end() == 0
            reported = runs_beside(binary, "anc")
            assert reported.stdout.strip() == "off", reported
            # The headphone is still there, not only what was known of it.
            first.send("3")
            first.expect("transparency", lambda text: confirmed(text, "▐3"))
            first.send("q")
            assert first.end() == 0
            # The watch takes over: with a link of its own, to headphones that start from the beginning.
            while known["anc"] != "noise-cancelling":
                known = json.loads(watch.stdout.readline())
        finally:
            watch.kill()
            watch.wait()


def case_a_screen_beside_an_owner_looks_at_the_headphone_that_it_is_for(binary):
    with start(binary) as first:
        with Terminal([binary, "--device", "cipher", *VIRTUAL]) as second:
            # It wants to be paired, and asks on the screen that it is for.
            second.expect("the question", lambda text: "Yes" in text and "No" in text)
            second.answer("y")
            second.expect("the other headphone", lambda text: "Cipher Studio 3/4" in text)
            second.expect("its link", lambda text: "● ready" in text)
        assert "Aurora Buds 1/4" in first.text()


def case_a_watch_goes_on_when_the_screen_that_has_the_link_is_quit(binary):
    with start(binary) as screen:
        watch = subprocess.Popen(
            [binary, "watch", *VIRTUAL], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            known = json.loads(watch.stdout.readline())
            assert known["control"]["state"] == "ready", known
            screen.send("q")
            assert screen.end() == 0
            # With a link of its own.
            while known["control"]["state"] == "ready":
                known = json.loads(watch.stdout.readline())
            while known["control"]["state"] != "ready":
                known = json.loads(watch.stdout.readline())
        finally:
            watch.kill()
            watch.wait()


def case_a_screen_takes_over_when_the_owner_is_killed(binary):
    with start(binary) as first:
        with start(binary) as second:
            second.send("3")
            second.expect("transparency", lambda text: confirmed(text, "▐3"))
            os.kill(first.pid, signal.SIGKILL)
            second.expect("a link of its own", lambda text: confirmed(text, "▐2"))
            assert runs_beside(binary, "anc").stdout.strip() == "noise-cancelling"
            second.send("q")
            assert second.end() == 0
        first.end()


def case_a_key_at_the_moment_when_an_agent_is_killed_is_carried_out_or_told(binary):
    for pause in (0, 0.01, 0.05, 0.2):
        with Agent(binary, VIRTUAL) as agent, start(binary) as screen:
            screen.expect("a value", lambda text: confirmed(text, "▐2"))
            screen.send("3")
            time.sleep(pause)
            agent.process.kill()
            screen.expect(
                "the key, or a word on it",
                lambda text: "press your last key again" in text or confirmed(text, "▐3"))


def case_hostile_visitors_do_no_harm(binary):
    with start(binary) as terminal:
        path = os.path.join(os.environ["XDG_RUNTIME_DIR"], "earshot", "adapter-virtual.socket")

        def visit(data):
            visitor = socket.socket(socket.AF_UNIX)
            visitor.settimeout(30)
            visitor.connect(path)
            try:
                visitor.sendall(data)
            except OSError:
                pass
            return visitor

        def answers(visitor):
            received = b""
            try:
                while part := visitor.recv(65536):
                    received += part
            except ConnectionError:
                pass
            visitor.close()
            return received.decode()

        for garbage in (
            b"GET / HTTP/1.1\r\n\r\n", b"\x00\xff\xfe\n", b"{}\n", b"[" * 60000 + b"\n",
            b'{"earshot":99,"arguments":[]}\n', b'{"earshot":1,"arguments":[1]}\n',
            b'{"earshot":1,"arguments":[],"screen":{"size":[100000,100000],"symbols":"ascii"}}\n',
        ):
            reported = answers(visit(garbage))
            assert '"status":1' in reported and '"message"' in reported, (garbage[:40], reported)
        for command in ("", "firmware", "write", "agent", "no-such-command", "doctor"):
            request = {"earshot": 1, "arguments": [command] if command else []}
            reported = answers(visit(json.dumps(request).encode() + b"\n"))
            assert '"status":64' in reported, (command, reported)
        assert answers(visit(b"x" * 200000)) == ""
        # Those that never listen, never speak, or speak nonsense in the place of keys.
        screen = b'{"earshot":1,"arguments":[],"screen":{"size":[200,100],"symbols":"unicode"}}\n'
        sleepers = [visit(screen + b'{"key":"?"}\n{"key":"Esc"}\n' * 500) for _ in range(5)]
        sleepers += [visit(b"") for _ in range(5)]
        sleepers += [visit(screen + b'nonsense\n{"size":[-1,2]}\n{"mouse":["press",9e9,1]}\n')]
        for key, segment in (("3", "▐3"), ("1", "▐1"), ("4", "▐4")):
            terminal.send(key)
            terminal.expect(f"{segment} confirmed", lambda text: confirmed(text, segment))
        assert runs_beside(binary, "anc").stdout.strip() == "adaptive"
        for sleeper in sleepers:
            sleeper.close()
        terminal.send("q")
        assert terminal.end() == 0


def case_a_suspended_owner_is_reported_and_not_waited_for(binary):
    with start(binary) as terminal:
        os.kill(terminal.pid, signal.SIGSTOP)
        reported = runs_beside(binary, "battery")
        assert reported.returncode == 5 and "suspended" in reported.stderr, reported
        os.kill(terminal.pid, signal.SIGCONT)
        assert runs_beside(binary, "battery").returncode == 0
        terminal.send("q")
        assert terminal.end() == 0


def case_screens_of_a_stopped_owner_say_so(binary):
    def stopped(text):
        return "OTHER EARSHOT IS PAUSED" in text

    def going(text):
        # The page shines through beside the dialog.
        return "● ready" in text and not stopped(text)

    with start(binary) as owner, start(binary) as second:
        # Whoever stops it does not tell: it shows when a key is not answered.
        os.kill(owner.pid, signal.SIGSTOP)
        second.send("a")
        second.expect("noticed", stopped)
        second.expect(f"process {owner.pid}")
        with Terminal([binary, *VIRTUAL]) as third:
            third.expect("noticed at once", stopped)
            third.send("q")
            assert third.end() == 0
        os.kill(owner.pid, signal.SIGCONT)
        second.expect("going on", going)
        # Who stops itself tells before.
        os.kill(owner.pid, signal.SIGTSTP)
        second.expect("noticed before", stopped)
        os.kill(owner.pid, signal.SIGCONT)
        second.expect("going on", going)
        second.send("q")
        assert second.end() == 0
        owner.send("q")
        assert owner.end() == 0


def stall(binary, terminal):
    """Draws on a terminal that reads nothing until it is full; commands go on all the while."""
    terminal.stall()
    for columns in range(190, 200):
        terminal.resize(columns, 60)
        assert runs_beside(binary, "battery").returncode == 0, columns


def case_an_owner_whose_terminal_reads_nothing_holds_up_nobody(binary):
    with start(binary, columns=200, rows=60) as owner, start(binary) as second:
        stall(binary, owner)
        assert runs_beside(binary, "anc", "adaptive").stdout.strip() == "adaptive"
        second.expect("adaptive", lambda text: confirmed(text, "▐4"))
        second.send("3")
        second.expect("transparency", lambda text: confirmed(text, "▐3"))
        # When it reads again it shows what is true now.
        owner.go_on()
        owner.expect("transparency", lambda text: confirmed(text, "▐3"))
        owner.expect("one whole screen", lambda text: text.count("AUDIO ROUTE") == 1)
        second.send("q")
        assert second.end() == 0
        owner.send("q")
        assert owner.end() == 0
        assert restored(owner), owner.raw[-200:]


def case_a_terminal_that_reads_nothing_is_given_back(binary):
    with start(binary, columns=200, rows=60) as terminal:
        stall(binary, terminal)
        terminal.signal(signal.SIGTERM)
        _, status = os.waitpid(terminal.pid, 0)
        terminal.status = os.waitstatus_to_exitcode(status)
        assert terminal.status == -signal.SIGTERM, terminal.status
        terminal.go_on()
        terminal.expect_raw(b"\x1b[?1049l")
        assert restored(terminal), terminal.raw[-200:]


@long
def case_commands_that_follow_each_other_tell_their_own_value(binary):
    with start(binary) as terminal:
        for mode in ("off", "adaptive") * 15:
            reported = runs_beside(binary, "anc", mode)
            assert reported.stdout.strip() == mode, (mode, reported)
        terminal.send("q")
        assert terminal.end() == 0


def case_a_watch_that_nobody_reads_holds_up_nobody(binary):
    watch = subprocess.Popen(
        [binary, "watch", *VIRTUAL], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        pipesize=4096,
    )
    try:
        assert json.loads(watch.stdout.readline())
        for mode in ("off", "adaptive") * 8 + ("transparency",):
            reported = runs_beside(binary, "anc", mode)
            assert reported.stdout.strip() == mode, (mode, reported)
        # Of all that it has missed it gets the newest.
        while json.loads(watch.stdout.readline())["anc"] != "transparency":
            pass
    finally:
        watch.kill()
        watch.wait()


def case_the_equaliser_is_edited_and_taken_back(binary):
    with start(binary) as terminal:
        terminal.send("E")
        terminal.expect("the editor", lambda text: "EQUALISER" in text)
        terminal.send("kkk")
        terminal.expect("+1.5 dB", lambda text: confirmed(text, "+1.5 dB"))
        terminal.send("\x1b")
        terminal.expect("what is kept", lambda text: confirmed(text, "▐Cust"))
        for _ in range(3):
            terminal.send("u")
        terminal.expect("balanced", lambda text: confirmed(text, "▐Bal"))
        terminal.send("q")
        assert terminal.end() == 0


def case_the_inspector_reads_and_writes(binary):
    with start(binary) as terminal:
        terminal.send("ii")
        terminal.expect("attributes", lambda text: "GATT" in text and "(180" in text)
        terminal.send("i")
        terminal.expect("the main page", lambda text: "CONTROL LINK" in text)
        terminal.send("q")
        assert terminal.end() == 0


def case_an_agent_keeps_the_link_for_commands(binary):
    agent = subprocess.Popen(
        [binary, "agent", *VIRTUAL], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        while "keeps the link" not in (line := agent.stderr.readline()):
            assert line, "the agent has ended"
        assert runs_beside(binary, "anc", "transparency").stdout.strip() == "transparency"
        # A process of its own would have headphones that start from the beginning.
        assert runs_beside(binary, "anc").stdout.strip() == "transparency"
        assert json.loads(runs_beside(binary, "connect", "drift", "--json").stdout)["connected"]
        gone = runs_beside(binary, "disconnect", "--device", "drift")
        assert gone.returncode == 0 and gone.stdout, gone
        assert runs_beside(binary, "disconnect", "--device", "drift").returncode == 4
        refused = runs_beside(binary, "find", "left", "--device", "aurora")
        assert refused.returncode == 6 and refused.stderr, refused
        missing = runs_beside(binary, "battery", "--device", "nobody", "--timeout", "1")
        assert missing.returncode == 4 and "nobody" in missing.stderr, missing
        with Terminal([binary, "--device", "aurora", *VIRTUAL]) as terminal:
            terminal.expect("what the agent has", lambda text: confirmed(text, "▐3"))
            terminal.send("q")
            assert terminal.end() == 0
    finally:
        agent.terminate()
        agent.wait()
    assert runs_beside(binary, "disconnect").returncode == 1
