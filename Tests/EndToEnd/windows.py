"""What a terminal has beside its cells: whole frames, title, focus, colours."""

import signal

from terminal import Failure, Terminal

MODES = (1002, 1004, 1006, 2004, 2031)


def start(binary, kind="xterm-256color", **variables):
    """Earshot in a terminal that the emulator need not know: only the bytes count."""
    terminal = Terminal(
        [binary, "--adapter", "virtual-quiet"], 100, 30, environment={"TERM": kind, **variables})
    terminal.expect_raw(b"CONTROL LINK")
    return terminal


def is_restored(terminal):
    """Whatever was switched on was switched off afterwards."""
    raw = terminal.raw
    for mode in MODES:
        on, off = raw.rindex(b"\x1b[?%dh" % mode), raw.rindex(b"\x1b[?%dl" % mode)
        assert on < off, f"mode {mode} stays on"
    end = raw[raw.rindex(b"\x1b]2;"):]
    for sequence in (b"\x1b[?2026l", b"\x1b[23;2t", b"\x1b[?1049l"):
        assert sequence in end, f"never wrote {sequence!r}"


def case_a_terminal_that_answers_shows_whole_frames(binary):
    with start(binary) as terminal:
        terminal.expect_raw(b"\x1b[?2026$p")
        terminal.send(b"\x1b[?2026;2$y")
        terminal.send("1")
        terminal.expect_raw(b"\x1b[?2026l")
        terminal.expect_raw(b"\x1b]2;Aurora Buds ")
        asked = terminal.raw.count(b"\x1b]11;?")
        terminal.send(b"\x1b[O\x1b[I")
        terminal.expect_raw(b"\x1b]11;?", asked + 1)
        # The desktop became light, and the terminal does not say what its background is.
        terminal.send(b"\x1b[?997;2n")
        terminal.expect_raw(b"38;5;236m")
        terminal.send("q")
        assert terminal.end() == 0
        assert terminal.raw.count(b"\x1b[?2026$p") == 1, "asked more than once"
        # One more at the end, in case that a frame was not finished.
        assert terminal.raw.count(b"\x1b[?2026l") == terminal.raw.count(b"\x1b[?2026h") + 1
        is_restored(terminal)


def case_a_terminal_that_never_answers_is_not_waited_for(binary):
    with start(binary) as terminal:
        terminal.send("1")
        terminal.expect_raw(b"\x1b]2;Aurora Buds ")
        terminal.send("q")
        assert terminal.end() == 0
        assert b"\x1b[?2026h" not in terminal.raw
        is_restored(terminal)


def case_a_terminal_is_given_back_however_the_program_ends(binary):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGABRT, signal.SIGSEGV):
        with start(binary, TERM_PROGRAM="ghostty") as terminal:
            terminal.expect_raw(b"\x1b]2;Aurora Buds ")
            terminal.signal(number)
            assert terminal.end() == -number
            is_restored(terminal)
            assert b"\x1b]9;4;0\x07" in terminal.raw


def case_a_stopped_program_leaves_nothing_on(binary):
    with start(binary) as terminal:
        terminal.expect_raw(b"\x1b]2;Aurora Buds ")
        taken = terminal.raw.count(b"\x1b[?1004h")
        # A program without a shell is not stopped, but gives the terminal back and takes it again.
        terminal.send("\x1a")
        terminal.expect_raw(b"\x1b[?1004h", taken + 1)
        between = terminal.raw[:terminal.raw.rindex(b"\x1b[?1004h")]
        assert between.rindex(b"\x1b[?1004l") > between.rindex(b"\x1b[?1004h")
        terminal.expect_raw(b"\x1b]2;Aurora Buds ", 2)
        terminal.send("q")
        assert terminal.end() == 0
        is_restored(terminal)


def case_a_console_is_asked_for_nothing(binary):
    for kind in ("linux", "vt100"):
        with start(binary, kind) as terminal:
            terminal.send("q")
            assert terminal.end() == 0
            for sequence in (b"$p", b"?1004", b"?2031", b"?2026", b"]2;", b"]9;"):
                if sequence in terminal.raw:
                    raise Failure(f"{kind} got {sequence!r}\n{terminal.raw!r}")
