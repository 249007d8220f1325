#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Programs that commands capture before they run, on a machine that answers by formula: cache, failures, and a whole reproduction."""
import contextlib
import json
import os
import pathlib
import pty
import shutil
import signal
import sqlite3
import unittest

from walkway_run import ENOUGH, RunTest

WORKLOADS = pathlib.Path(os.environ["WALKWAY_WORKLOADS"])
PROBE = WORKLOADS.parent / "tb" / "capture" / "capture_probe"


class CaptureTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()

    def kept(self):
        cache = self.dir / "cache"
        return sorted((cache / "walkway").glob("*")) if cache.exists() else []

    def test_a_program_in_a_traces_place(self):
        for command in (("run", "-p", "fake", "atax", "256"), ("compare", "atax", "fake", ":walk_unit.walkers=4")):
            said = self.run_it(*command, code=2).stderr
            self.assertIn("atax: no such trace; the program of that name stands behind '--': -- atax ARGUMENTS", said)

    def test_a_capture_is_a_whole_trace_under_its_name(self):
        self.run_it("capture", "-o", "x.wkt", "--", WORKLOADS / "atax", 32)
        info = json.loads(self.run_it("trace", "info", "--json", "x.wkt").stdout)
        self.assertEqual(len(info["launches"]), 2)
        self.assertFalse(info["partial"])
        self.run_it("trace", "check", "x.wkt")
        self.assertEqual(sorted(p.name for p in self.dir.glob("x.*")), ["x.wkt"])

    # -- only the first launches

    def test_the_first_launches_only(self):
        self.run_it("capture", "-q", "-o", "whole.wkt", "--", PROBE, "two")
        done = self.run_it("capture", "--max-launches", 2, "-o", "two.wkt", "--", PROBE, "two")
        self.assertIn("two.wkt: 2 launches", done.stdout)
        self.assertIn("PARTIAL: 3 of 3 work-groups, 2 of at least 2 launches (the capture was stopped early)", done.stdout)
        self.assertIn("output of the program", done.stderr, "of a program that is ended")
        for words in (("trace", "info", "two.wkt"), ("trace", "check", "two.wkt"), ("run", "-q", "-p", "fake", "two.wkt")):
            self.assertIn("PARTIAL: ", self.run_it(*words).stdout)
        self.assertTrue(json.loads(self.run_it("trace", "info", "--json", "two.wkt").stdout)["partial"])
        self.run_it("trace", "save", "--kernels", "0-1", "-o", "part.wkt", "whole.wkt")
        self.assertEqual(self.run_it("trace", "cat", "two.wkt").stdout, self.run_it("trace", "cat", "part.wkt").stdout)
        for most in (3, 4):
            self.run_it("capture", "-q", "--max-launches", most, "-o", "all.wkt", "--", PROBE, "two")
            self.assertFalse(json.loads(self.run_it("trace", "info", "--json", "all.wkt").stdout)["partial"])
            self.assertEqual(self.run_it("trace", "cat", "all.wkt").stdout, self.run_it("trace", "cat", "whole.wkt").stdout)

    def test_what_starts_the_program_goes_on(self):
        done = self.run_it("capture", "--max-launches", 1, "-o", "x.wkt", "--", "/bin/sh", "-c", f"{PROBE} two; echo behind it: $?; exit 3")
        self.assertIn("behind it: 0", done.stderr)
        self.assertIn("x.wkt: 1 launches", done.stdout)
        self.assertIn("PARTIAL", done.stdout)

    def test_launches_of_nothing_do_not_count(self):
        self.assertNotIn("PARTIAL", self.run_it("capture", "--max-launches", 2, "-o", "x.wkt", "--", PROBE, "empty").stdout)

    def test_numbers_of_launches_and_threads_that_are_none(self):
        for words, says in ((("--max-launches", 0), "--max-launches 0: wants a whole number from 1"), (("--threads", "many"), "--threads many: wants"), (("--threads", 0), "--threads 0: wants")):
            self.assertIn(says, self.run_it("capture", *words, "-o", "x.wkt", "--", PROBE, "two", code=1).stderr)
        self.assertFalse((self.dir / "x.wkt").exists())

    def test_all_threads_record_the_same(self):
        for threads in (1, 3, "all"):
            self.run_it("capture", "-q", "--threads", threads, "-o", f"{threads}.wkt", "--", WORKLOADS / "atax", 1024)
        self.assertEqual((self.dir / "1.wkt").read_bytes(), (self.dir / "3.wkt").read_bytes())
        self.assertEqual((self.dir / "1.wkt").read_bytes(), (self.dir / "all.wkt").read_bytes())

    # -- the progress line

    def screen(self, *words):
        """Returns the lines that a terminal finally shows, and everything that was sent to it."""
        ours, theirs = pty.openpty()
        with self.start("capture", "-o", "x.wkt", *words, stdout=theirs, stderr=theirs) as child:
            os.close(theirs)
            sent = b""
            try:
                while piece := os.read(ours, 4096):
                    sent += piece
            except OSError: # the other end is closed
                pass
        os.close(ours)
        self.assertEqual(child.returncode, 0, sent)
        rows, row, column, kept, text, at = [""], 0, 0, (0, 0), sent.decode(), 0
        while at < len(text):
            for code in ("\r", "\n", "\x1b7", "\x1b8", "\x1b[K", "\x1b[?7l", "\x1b[?7h", text[at]):
                if text.startswith(code, at):
                    break
            at += len(code)
            if code == "\r":
                column = 0
            elif code == "\n":
                row += 1
                rows += [""] * (row == len(rows))
            elif code == "\x1b7":
                kept = row, column
            elif code == "\x1b8":
                row, column = kept
            elif code == "\x1b[K":
                rows[row] = rows[row][:column]
            elif code[0] != "\x1b":
                rows[row] = rows[row][:column].ljust(column) + code + rows[row][column + 1:]
                column += 1
        return rows, text

    def test_the_progress_line_leaves_the_programs_text_alone(self):
        rows, sent = self.screen("--", PROBE, "half-line")
        self.assertRegex(sent, r"\[capturing launch 1, vadd: work-group [012] of 2\]")
        self.assertEqual(rows[:3], ["output of the program", "half a line, and the other half", "a line without end" + rows[2][18:]])
        self.assertNotIn("capturing", "".join(rows))
        self.assertRegex(rows[2][18:] + rows[3], "^x.wkt: 2 launches")

    def test_there_is_none_while_a_kernel_may_print(self):
        rows, sent = self.screen("--", PROBE, "prints")
        self.assertEqual([r for r in rows if "group" in r and "launches" not in r], [f"group {i} prints" for i in range(4)])
        self.assertNotIn("capturing", sent)

    def test_there_is_none_without_a_terminal(self):
        self.assertNotIn("capturing", self.run_it("capture", "-o", "x.wkt", "--", PROBE, "half-line").stderr)
        self.assertNotIn("capturing", self.screen("-q", "--", PROBE, "half-line")[1])

    def test_the_second_run_takes_the_trace_from_the_cache(self):
        first = self.run_it("run", "-p", "fake", "-o", "a", "--", "atax", 32)
        self.assertIn("PASS", first.stderr, "what the program prints")
        self.assertEqual(len(self.kept()), 1)
        second = self.run_it("run", "-p", "fake", "-o", "b", "--", "atax", 32)
        self.assertNotIn("PASS", second.stderr)
        self.assertEqual((self.dir / "a/stats.json").read_bytes(), (self.dir / "b/stats.json").read_bytes())
        self.run_it("run", "-p", "fake", "--", "atax", 33)
        self.assertEqual(len(self.kept()), 2, "other arguments, another trace")

    def test_a_damaged_trace_in_the_cache_is_captured_again(self):
        self.run_it("run", "-p", "fake", "--", "atax", 32)
        self.kept()[0].write_bytes(b"damaged")
        self.assertIn("PASS", self.run_it("run", "-p", "fake", "--", "atax", 32).stderr)
        self.run_it("trace", "check", self.kept()[0])

    def test_a_partial_trace_in_the_cache_is_captured_again(self):
        self.run_it("run", "-p", "fake", "--", "atax", 32)
        kept, = self.kept()
        partial = self.dir / "p.wkt"
        self.run_it("capture", "-q", "-o", partial, "--", PROBE, "fatal", code=2)
        part = self.dir / "part.wkt"
        self.run_it("trace", "save", "--kernels", 0, "-o", part, kept)
        for other in (partial, part):
            shutil.copy(other, kept)
            text = self.run_it("run", "-p", "fake", "--", "atax", 32)
            self.assertIn("PASS", text.stderr)
            self.assertNotIn("PARTIAL", text.stdout)
            self.assertIn(": whole.", self.run_it("trace", "check", kept).stdout)

    def test_no_cache_keeps_nothing(self):
        for _ in range(2):
            self.assertIn("PASS", self.run_it("run", "-p", "fake", "--no-cache", "--", "atax", 32).stderr)
        self.assertEqual(self.kept(), [])

    def test_compare_captures_once(self):
        text = self.run_it("compare", "fake", ":walk_unit.walkers=4", "--", "atax", 32)
        self.assertEqual(text.stderr.count("PASS"), 1)
        self.assertIn("[2] fake:walk_unit.walkers=4", text.stdout)

    def test_programs_that_fail_are_exit_code_2(self):
        self.assertIn("no-such-program", self.run_it("run", "-p", "fake", "--", "no-such-program", code=2).stderr)
        self.run_it("run", "-p", "fake", "--", "atax", "many", code=2)
        self.run_it("capture", "-o", "x.wkt", "--", "/bin/true", code=2)
        self.assertFalse((self.dir / "x.wkt").exists())
        self.assertEqual(self.kept(), [])

    def test_a_study_runs_resumes_and_reports(self):
        words = ["reproduce", "micro18", "-p", "fake", "--figures", "9,5", "-o", "r", "-j", 2]
        first = self.run_it(*words)
        self.assertIn("20 runs, 0 of them kept", first.stderr)
        report = json.loads((self.dir / "r/reproduce.json").read_text())
        self.assertEqual([f["id"] for f in report["figures"]], ["5", "9"])
        bars = {b["name"]: b for b in report["figures"][1]["bars"]}
        self.assertEqual(sorted(bars), ["full", "ideal", "leaf"])
        self.assertGreater(bars["full"]["values"]["ATX"], bars["leaf"]["values"]["ATX"])
        self.assertEqual(report["missing"], 0)
        captured = [(path, path.stat().st_ino) for path in self.kept()]
        self.assertEqual(len(captured), 5)
        self.assertIn("## Figure 9", (self.dir / "r/reproduce.md").read_text())

        [key] = [r["key"] for r in report["runs"] if (r["program"], r["machine"]) == ("ATX", "leaf")]
        with sqlite3.connect(self.dir / "r/results.db") as results:
            results.execute("DELETE FROM runs WHERE key = ?", (key,))
        under_way = self.run_it(*words, "--kept")
        self.assertNotIn("runs,", under_way.stderr)
        self.assertIn("1 WITHOUT RESULT", under_way.stdout)
        again = self.run_it(*words)
        self.assertEqual([(path, path.stat().st_ino) for path in self.kept()], captured, "nothing is captured again")
        self.assertIn("20 runs, 19 of them kept", again.stderr)
        self.assertEqual(json.loads((self.dir / "r/reproduce.json").read_text()), report)
        two = self.run_it(*words, "--programs", "MVT,ATX", "--svg", "two.svg")
        self.assertIn("8 runs, 8 of them kept", two.stderr)
        self.assertIn("PARTIAL: 2 of the study's 5 programs", " ".join(two.stdout.split()))
        self.assertIn("PARTIAL: 2 of the study's 5 programs", (self.dir / "two.svg").read_text())
        some = json.loads((self.dir / "r/reproduce.json").read_text())
        self.assertEqual(some["programs_left_out"], 3)
        values = some["figures"][1]["bars"][0]["values"]
        self.assertEqual(sorted(values), ["ATX", "MVT"])
        self.assertAlmostEqual(some["figures"][1]["bars"][0]["arithmetic_mean"], sum(values.values()) / 2)
        more = self.run_it("reproduce", "micro18", "-p", "fake", "--figures", "III", "-o", "r")
        self.assertIn("10 runs, 10 of them kept", more.stderr)
        self.assertIn("103.51", more.stdout)
        ranged = self.run_it("reproduce", "micro18", "-p", "fake", "--figures", "III", "--ranges=2", "-o", "r")
        self.assertIn("30 runs, 10 of them kept", ranged.stderr)
        report = json.loads((self.dir / "r/reproduce.json").read_text())
        self.assertEqual(report["perturbations"], ["pages.seed + 1", "pages.seed + 2"])
        self.assertEqual({r["repetition"] for r in report["runs"]}, {0, 1, 2})
        self.assertEqual([r["repetition"] for r in report["runs"]], [0] * 10 + [1] * 10 + [2] * 10, "one after the other")
        saved = report["figures"][0]["bars"][0]["values"]["ATX"]
        self.assertEqual(saved["runs"], 3)
        self.assertLess(saved["low"], saved["high"])

    def stopped(self, words, by, ready):
        """Sends a study the signal once `ready()` holds; returns its stderr."""
        with self.start(*words) as child:
            self.wait_for(ready)
            child.send_signal(by)
            _, error = child.communicate(timeout=ENOUGH) # its jobs hold the pipes, too
        self.assertEqual(child.returncode, -9 if by == signal.SIGKILL else 130, error)
        self.assertFalse((self.dir / "r/reproduce.json").exists())
        return error

    def runs_done(self):
        """Counts finished runs in the file of results, or left beside it."""
        left = [path for path in self.dir.glob("r/results.db.runs/*.run") if path.stat().st_size]
        with contextlib.closing(sqlite3.connect(self.dir / "r/results.db")) as results:
            return len(left) + results.execute("SELECT count(*) FROM runs WHERE status = 'done'").fetchone()[0]

    def test_a_study_that_is_stopped_goes_on(self):
        words = ["reproduce", "micro18", "-p", "fake", "--figures", "5", "-o", "r", "-j", 2]
        for by in (signal.SIGKILL, signal.SIGINT):
            before = self.kept()
            self.stopped(words, by, lambda before=before: self.kept() != before)
        captured = self.kept()
        nothing = self.run_it(*words, "--kept")
        self.assertIn("5 runs, 5 WITHOUT RESULT", nothing.stdout)
        self.assertEqual(self.kept(), captured)
        (self.dir / "r/reproduce.json").unlink()
        self.run_it(*words, "-q")
        (self.dir / "r/reproduce.json").unlink()
        words += ["--set", "fault.slow_ms=1000"] # another machine, so no result is reused
        self.assertEqual(self.runs_done(), 5)
        for by in (signal.SIGINT, signal.SIGKILL):
            before = self.runs_done()
            self.stopped(words, by, lambda before=before: self.runs_done() > before)
        kept = self.runs_done() - 5
        self.assertLess(kept, 5)
        self.assertIn(f"5 runs, {kept} of them kept", self.run_it(*words).stderr)
        report = json.loads((self.dir / "r/reproduce.json").read_text())
        self.assertEqual(report["missing"], 0)


if __name__ == "__main__":
    unittest.main()
