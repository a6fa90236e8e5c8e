"""Tests of scripts/parts.py and scripts/swift_tests.py, with tables of their own."""

import contextlib
import dataclasses
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import parts  # noqa: E402
import swift_tests  # noqa: E402
from parts import Part, Run  # noqa: E402


class RunTests(unittest.TestCase):
    def run_parts(self, wanted, table, steps=None):
        """The report, the status, what was printed, and the words in the file ORDER."""
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as printed, \
                contextlib.redirect_stderr(io.StringIO()):
            order = pathlib.Path(folder) / "order"

            def here(declared):
                return {name: dataclasses.replace(part, command=part.command.replace("ORDER", str(order)))
                        for name, part in declared.items()}

            run = Run(wanted.split(), pathlib.Path(folder), here(table), here(steps or {}))
            report, status = run.run()
            order = order.read_text().split() if order.exists() else []
            return report, status, printed.getvalue(), order

    def test_the_last_count_is_reported(self):
        report, status, printed, _ = self.run_parts("a", {"a": Part("echo 3 tests; echo '12 passed, 0 failed'; echo end")})
        self.assertEqual((report, status), (["a: passed in 0 s: 12 passed, 0 failed"], 0))
        self.assertEqual(printed, "3 tests\n12 passed, 0 failed\nend\n")

    def test_a_part_that_failed_fails_the_run_and_the_others_run(self):
        report, status, _, _ = self.run_parts("a b", {"a": Part("echo x: error: wrong; exit 3"), "b": Part("echo no findings")})
        self.assertEqual(status, 1)
        self.assertEqual(report, ["a: FAILED in 0 s: ", "  x: error: wrong", "b: passed in 0 s: no findings"])

    def test_a_run_of_nothing_is_no_success(self):
        table = {"a": Part("echo not run here; exit 77"), "b": Part("true")}
        self.assertEqual(self.run_parts("a", table)[:2], (["a: NOT RUN in 0 s: not run here"], 77))
        self.assertEqual(self.run_parts("a b", table)[1], 0)

    def test_what_is_needed_runs_once_and_before(self):
        table = {name: Part(f"echo {name} >> ORDER", "build") for name in "ab"}
        _, status, _, order = self.run_parts("a b", table, {"build": Part("echo build >> ORDER"), "other": Part("false")})
        self.assertEqual((status, order[0], sorted(order)), (0, "build", ["a", "b", "build"]))

    def test_a_build_that_failed_is_reported_and_fails_what_needs_it(self):
        table = {"a": Part("echo a >> ORDER", "build"), "b": Part("echo b >> ORDER")}
        report, status, _, order = self.run_parts("a b", table, {"build": Part("echo 'f.swift:1: error: no'; false")})
        self.assertEqual((status, order), (1, ["b"]))
        self.assertEqual(report, ["build: FAILED in 0 s: ", "  f.swift:1: error: no", "a: FAILED in 0 s: ",
                                  "  error: no build", "b: passed in 0 s: "])

    def test_a_part_waits_for_another_only_where_that_is_wanted(self):
        table = {"a": Part("echo a >> ORDER", after="b"), "b": Part("echo b >> ORDER; false")}
        self.assertEqual(self.run_parts("a", table)[3], ["a"])
        self.assertEqual(self.run_parts("a b", table)[3], ["b", "a"])

    def test_a_step_that_only_saves_time_may_fail(self):
        report, status, _, order = self.run_parts(
            "a", {"a": Part("echo a >> ORDER", after="root")}, {"root": Part("echo root >> ORDER; false")})
        self.assertEqual((report, status, order), (["a: passed in 0 s: "], 0, ["root", "a"]))

    def test_parts_run_beside_each_other(self):
        """Each ends only when the other has begun."""
        table = {name: Part(f"touch ORDER-{name}; until [ -e ORDER-{other} ]; do sleep 0.01; done")
                 for name, other in ("ab", "ba")}
        self.assertEqual(self.run_parts("a b", table)[1], 0)

    def test_what_passed_only_again_is_told(self):
        log = "printf 'passed only when run again:\\n  one\\n  two\\nreal kernel: 2 passed, 0 failed\\n'"
        report, status, _, _ = self.run_parts("a", {"a": Part(log)})
        self.assertEqual((report[1:], status), (["  again: one", "  again: two"], 0))


class TableTests(unittest.TestCase):
    def test_every_name_is_declared(self):
        known = {*parts.STEPS, *parts.PARTS}
        for part in [*parts.STEPS.values(), *parts.PARTS.values()]:
            self.assertLessEqual({*part.needs.split(), *part.after.split()}, known)
            self.assertLessEqual({*part.needs.split()}, {*parts.STEPS})
        self.assertLessEqual({*parts.FIRST.split(), *parts.REST.split()}, {*parts.PARTS})

    def test_every_part_is_in_the_help(self):
        text = (pathlib.Path(parts.__file__).parent / "test").read_text()
        for name in parts.PARTS:
            self.assertRegex(text, rf"\b{name}\b")

    def test_rig_leaves_out_what_runs_on_another_system(self):
        run = Run(["rig", "trixie"], pathlib.Path("."))
        run.status = {"trixie_root": 0}
        self.assertIn(f"-{parts.VERSIONS}", parts.rig(run))
        run.status = {"trixie_root": 1}
        self.assertNotIn(parts.VERSIONS, parts.rig(run))

    def test_an_unknown_part_is_wrong_usage(self):
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual(parts.main(["unit", "nothing"]), 2)
        self.assertIn("unknown part: nothing", errors.getvalue())


class FailuresTests(unittest.TestCase):
    def test_failures_are_one_line_each(self):
        log = """\
◇ Test "one" started.
✘ Test "one" recorded an issue at A.swift:3:5: Expectation failed
   left: 1
✔ Test "two" passed after 0.1 seconds.
FAILED  a case  (3.0 s)
Traceback:
  AssertionError: no

passed  another
/src/B.swift:9:1: error: cannot find 'x'
end to end: 1 passed, 1 failed
"""
        self.assertEqual(parts.failures(log), [
            '✘ Test "one" recorded an issue at A.swift:3:5: Expectation failed left: 1',
            "FAILED a case (3.0 s) Traceback: AssertionError: no ",
            "/src/B.swift:9:1: error: cannot find 'x'",
        ])

    def test_a_long_failure_keeps_its_beginning_and_its_end(self):
        line = parts.failures("FAILED begin " + "x" * 2_000 + " end")[0]
        self.assertEqual((line[:12], line[-3:], len(line)), ("FAILED begin", "end", 703))

    def test_only_the_last_twenty_are_told(self):
        self.assertEqual(len(parts.failures("\n".join(f"a: error: {n}" for n in range(30)))), 20)


class SwiftTests(unittest.TestCase):
    LINES = [
        '{"kind":"event","payload":{"kind":"testStarted","testID":"M.S/a()/F.swift:1:2"}}',
        '{"kind":"event","payload":{"kind":"testStarted","testID":"M.S/b()/F.swift:5:2"}}',
        '{"kind":"event","payload":{"kind":"testStarted","testID":"M.S"}}',
        '{"kind":"test","payload":{"id":"M.S/a()/F.swift:1:2"}}',
        '{"kind":"event","payload":{"kind":"testEnded","testID":"M.S/a()/F.swift:1:2"}}',
        '{"kind":"event","payload":{"kind":"testEn',
    ]

    def test_what_a_run_waited_for_is_named(self):
        self.assertEqual(swift_tests.unfinished(self.LINES), ["M.S/b()/F.swift:5:2"])

    def test_what_failed_is_named_once(self):
        issue = '{"kind":"event","payload":{"kind":"issueRecorded","testID":"M.S/a()/F.swift:1:2"}}'
        self.assertEqual(swift_tests.failed([*self.LINES, issue, issue]), ["M.S/a()/F.swift:1:2"])


class EnvironmentTests(unittest.TestCase):
    def test_the_environment_is_the_same_everywhere(self):
        hostile = {"TERM": "dumb", "LANG": "de_DE", "LC_ALL": "tr_TR.UTF-8", "LC_TIME": "de", "NO_COLOR": "1", "PATH": "/bin",
                   "XDG_RUNTIME_DIR": "/run/user/1", "TZ": "Asia/Kathmandu", "COLUMNS": "7", "HOME": "/home/a"}
        parts.normalize(hostile)
        self.assertEqual(hostile, {"PATH": "/bin", "HOME": "/home/a", "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                                   "TZ": "UTC0"})
        cron = {}
        parts.normalize(cron)
        self.assertIn("HOME", cron)


if __name__ == "__main__":
    unittest.main()
