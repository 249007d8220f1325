#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Results that cannot be written, and runs that are ended from outside: afterwards each file is whole, marked partial, or absent
(docs/use/errors.md)."""
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import unittest

from walkway_run import ENOUGH, handles, RunTest, damaged, make_trace, tiny_files


class HostileOutputTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()
        (self.dir / "tmp").mkdir()
        self.env["TMPDIR"] = str(self.dir / "tmp")
        self.trace = make_trace(self.dir / "t.wkt")

    def run_it(self, *words, code, **more):
        err = super().run_it(*words, code=code, timeout=ENOUGH, **more).stderr
        self.assertNotIn("internal error", err)
        return err

    def files(self, folder):
        return sorted(str(p.relative_to(self.dir / folder)) for p in (self.dir / folder).rglob("*") if p.is_file())

    def test_a_full_disk(self):
        err = self.run_it("run", "-p", "fake", "-o", "a", self.trace, code=4, preexec_fn=tiny_files(100))
        self.assertIn("a/stats.json", err)
        self.assertIn("File too large", err)
        self.assertEqual(self.files("a"), [])
        self.run_it("compare", "-o", "b", self.trace, "fake", ":walk_unit.walkers=4", code=4, preexec_fn=tiny_files(100))
        self.assertEqual(self.files("b"), [])
        self.run_it("run", "-o", "c", self.trace, self.trace, "-p", "fake", code=4, preexec_fn=tiny_files(100))
        self.assertEqual(self.files("c"), [])

    def test_whose_fault_it_is_that_a_trace_is_not_saved(self):
        long = "x" * 200 + "/" + "y" * 100
        (self.dir / long).parent.mkdir()
        for source, place in (("a.wkt", "a"), (long + ".wkt", long + ".copy")):
            damaged(self.trace, self.dir / source)
            self.assertIn("is damaged", self.run_it("trace", "save", "-o", place, source, code=2))
            self.run_it("trace", "save", "-o", place, self.trace, code=4, preexec_fn=tiny_files(100))
            self.assertFalse((self.dir / place).exists())

    def test_folders_that_are_none(self):
        (self.dir / "file").write_text("in the way")
        for command in (("run", "-p", "fake", "-o", "{}", self.trace), ("compare", "-o", "{}", self.trace, "fake", ":walk_unit.walkers=4")):
            for folder in ("file", "file/x", "/proc/x", "x" * 300):
                self.run_it(*[folder if w == "{}" else w for w in command], code=4)
        self.run_it("run", "-p", "fake", "-o", "", self.trace, code=1)
        if os.geteuid() != 0:
            (self.dir / "closed").mkdir(mode=0o500)
            self.run_it("run", "-p", "fake", "-o", "closed", self.trace, code=4)

    def test_an_old_comparison_does_not_outlive_its_folders(self):
        self.run_it("compare", "-o", "c", self.trace, "fake", ":walk_unit.walkers=4", code=0)
        self.assertIn("compare.json", self.files("c"))
        self.interrupted("compare", "-o", "c", self.trace, "fake:fault.slow_ms=60000", ":walk_unit.walkers=4", begun=1)
        self.assertNotIn("compare.json", self.files("c"))

    def test_a_bad_option_takes_no_comparison_away(self):
        self.run_it("compare", "-o", "c", self.trace, "fake", ":walk_unit.walkers=4", code=0)
        before = self.files("c")
        self.run_it("compare", "-o", "c", "-j", "0", self.trace, "fake", ":walk_unit.walkers=4", code=1)
        self.run_it("compare", "-o", "c", "nowhere.wkt", "fake", ":walk_unit.walkers=4", code=2)
        self.run_it("compare", "-o", "", self.trace, "fake", ":walk_unit.walkers=4", code=1)
        self.assertEqual(self.files("c"), before)

    def test_no_folder_for_temporary_files(self):
        err = self.run_it("compare", self.trace, "fake", ":walk_unit.walkers=4", code=4, env={"TMPDIR": "/nowhere"})
        self.assertIn("$TMPDIR = /nowhere", err)

    def test_nothing_but_files_is_replaced(self):
        os.mkfifo(self.dir / "pipe")
        (self.dir / "folder").mkdir()
        for place, says in (("pipe", "no ordinary file"), ("folder", "is a folder"), ("", "has an empty value")):
            for command in (("capture", "-o", place, "--", "/bin/true"), ("trace", "save", "-o", place, self.trace),
                            ("trace", "import-accelsim", "-o", place, "list")):
                self.assertIn(says, self.run_it(*command, code=4 if place else 1))
        self.assertTrue((self.dir / "pipe").is_fifo())
        self.run_it("trace", "info", "--svg", "/dev/null", self.trace, code=1)
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        kept = self.trace.read_bytes()
        self.assertIn("overwrite", self.run_it("trace", "info", "--svg", self.trace, self.trace, code=1))
        self.assertEqual(self.trace.read_bytes(), kept)

    def test_a_file_behind_a_link(self):
        (self.dir / "far").mkdir()
        for name in ("there", "to-come"): # a link to a file that exists, and one to a file that does not exist yet
            (self.dir / f"{name}.svg").symlink_to(f"far/{name}.svg")
        (self.dir / "far" / "there.svg").write_text("old")
        for name in ("there", "to-come"):
            self.run_it("trace", "info", "--svg", f"{name}.svg", self.trace, code=0)
            self.assertTrue((self.dir / f"{name}.svg").is_symlink())
            self.assertIn("<svg", (self.dir / "far" / f"{name}.svg").read_text())

    def test_reading_a_trace_can_be_interrupted(self):
        endless = "gen:uniform,waves=4096,accesses=4000"
        for command in (("trace", "save", "-o", "big.wkt", endless), ("trace", "check", endless)):
            self.interrupted(*command, worked=0.3)
        self.assertEqual([n for n in self.files(".") if "big" in n], [])

    def prove(self, folder):
        """Checks that every result is whole JSON, and that one that stopped early says so."""
        for name in self.files(folder):
            if ".tmp" in name:
                continue
            result = json.loads((self.dir / folder / name).read_text())
            if name.endswith("stats.json"):
                self.assertEqual(result["partial"], result["end"] != "complete", name)

    def test_signals_at_any_time(self):
        random.seed(7)
        commands = (("run", "-p", "fake:fault.slow_ms=300", "-o", "{}", self.trace),
                    ("compare", "-o", "{}", self.trace, "fake:fault.slow_ms=200", ":fault.slow_ms=400"),
                    ("run", "-p", "fake:fault.slow_ms=200", "-p", "fake:fault.slow_ms=400", "-o", "{}", self.trace))
        for turn in range(27):
            number = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)[turn % 3]
            folder = "out%d" % turn
            with self.start(*[folder if w == "{}" else w for w in commands[turn // 3 % 3]]) as child:
                self.wait_for(lambda: handles(child.pid, signal.SIGINT) or child.poll() is not None)
                time.sleep(random.uniform(0.1, 0.5))
                child.send_signal(number)
                out, err = child.communicate(timeout=ENOUGH)
            if number == signal.SIGKILL:
                self.assertIn(child.returncode, (-9, 0), out + err)
            else:
                self.assertIn(child.returncode, (130, 0), out + err)
                leftovers = [n for n in (self.files(folder) if (self.dir / folder).exists() else []) if ".tmp" in n]
                self.assertEqual(leftovers, [])
                self.assertEqual(list((self.dir / "tmp").iterdir()), [], "temporary files")
            if (self.dir / folder).exists():
                self.prove(folder)
            for path in (self.dir / "tmp").iterdir(): # left by a killed command
                subprocess.run(["rm", "-r", path], check=True)

    def test_a_second_interrupt_ends_at_once(self):
        with self.start("run", "-p", "fake:fault.slow_ms=60000,fault.deaf=true", "-o", "a", self.trace) as child:
            self.wait_for(self.begun)
            self.ends_at_the_second_interrupt(child)
        self.assertEqual(self.files("a"), [])

    def test_jobs_do_not_outlive_the_program(self):
        for command in (("compare", self.trace, "fake:fault.slow_ms=60000", ":walk_unit.walkers=4"),
                        ("run", "-p", "fake:fault.slow_ms=60000", self.trace, self.trace)):
            before = self.begun()
            with self.start(*command) as child:
                self.wait_for(lambda before=before: self.begun() > before)
                child.kill()
                child.communicate(timeout=ENOUGH) # the jobs hold the pipes, so they have ended, too

    def test_ends_of_jobs_are_seen_whatever_the_starter_ignores(self):
        self.run_it("compare", self.trace, "fake", ":fault.crash=true", code=3,
                    preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))


if __name__ == "__main__":
    unittest.main()
