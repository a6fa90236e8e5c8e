"""The screen, in a pseudo-terminal."""

import os
import signal

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


def case_every_size_is_drawn_and_survived(binary):
    with start(binary) as terminal:
        for columns, rows in ((120, 40), (40, 12), (19, 4), (3, 1), (200, 60), (80, 24)):
            terminal.resize(columns, rows)
            if columns >= 40:
                terminal.expect("CONTROL", lambda text: "CONTROL" in text or "LINK" in text)
        terminal.expect("AUDIO ROUTE")
        terminal.send("q")
        assert terminal.end() == 0


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
    os.close(terminal.fd)
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


def case_an_unknown_terminal_is_told_in_words(binary):
    with Terminal([binary, *VIRTUAL], environment={"TERM": "no-such-terminal"}) as terminal:
        assert terminal.end() == 1
        assert "TERM" in terminal.text(), terminal.text()


def case_a_changed_configuration_is_taken_on_at_once(binary):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    with start(binary) as terminal:
        os.makedirs(folder)
        with open(os.path.join(folder, "new"), "w") as file:
            file.write('[keys]\nnext-anc = "Z"\nfly = "f"\n')
        os.rename(os.path.join(folder, "new"), os.path.join(folder, "config.toml"))
        terminal.expect("the new key", lambda text: "Z Noise" in text)
        terminal.expect("the mistake", lambda text: 'there is no command "fly"' in text)
        terminal.send("q")
        assert terminal.end() == 0
