#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The options of a dump: invalid or unknown ones are refused by name, and no file is left incomplete."""
import os
import signal
import time
import unittest

from vcd import Dump
from walkway_run import ENOUGH, WritingOptionsTest, call, tiny_files


class OptionsTest(WritingOptionsTest):
    writes = ("--vcd", "x.vcd")

    def test_times_that_are_none(self):
        for text in ("10", "us", "-3us", "1.2.3us", ".us"):
            self.refused("--vcd-from=" + text, says=["--vcd-from " + text, "10us"])
        self.refused("--vcd-to", "10usec", says=["10usec", "units are"])
        self.refused("--vcd-for", "10cycels", says=["did you mean 'cycles'?"])
        self.refused("--vcd-for", "0ns", says=["--vcd-for 0ns"])
        self.refused("--vcd-from", "3us", "--vcd-to", "3us", says=["--vcd-to 3us", "not after --vcd-from 3us"])
        self.refused("--vcd-to", "0ns", says=["--vcd-to 0ns", "not after --vcd-from, time zero"])
        self.refused("--vcd-from", "99999999999999s", says=["--vcd-from 99999999999999s", "beyond"])

    def test_names_that_are_none(self):
        self.refused("--vcd-blocks", "walk_unit,l3_tlb", says=["l3_tlb", "did you mean 'l2_tlb'?"])
        self.refused("--vcd-blocks", "x*", says=["x*", "list signals"])
        self.refused("--vcd-blocks", "walk_unit.buffer", says=["'walk_unit.buffer'", "did you mean 'walk_unit'?"])
        self.refused("--vcd-blocks", "walk_unit,", says=["--vcd-blocks '': no block"])
        self.refused("--vcd-trigger", "walk_unit.bufer.occupancy>3", says=["did you mean 'walk_unit.buffer.occupancy'?"])
        self.refused("--vcd-trigger", "buffer.occupancy>3", says=["did you mean 'walk_unit.buffer.occupancy'?"])
        for text in ("walk_unit.buffer.occupancy", "walk_unit.buffer.occupancy>", "walk_unit.buffer.occupancy>x", ">3"):
            self.refused("--vcd-trigger", text, says=["wants SIGNAL>N"])

    def test_the_other_options_want_a_file(self):
        error = self.run_it("--vcd-from", "3us", code=1).stderr
        self.assertIn("--vcd-from wants --vcd FILE", error)

    def test_a_dump_that_never_begins_is_told_after_the_results(self):
        self.refused("--vcd-from", "1s", says=["before the dump was to begin"], code=4)
        done = self.run_it("--vcd", "x.vcd", "--vcd-trigger", "walk_unit.buffer.occupancy>256", "-o", "out", code=4)
        self.assertIn("walk_unit.buffer.occupancy never passed 256; the highest value was 2", done.stderr)
        self.assertIn("translations", done.stdout)
        self.assertTrue((self.dir / "out" / "stats.json").exists())
        self.assertFalse((self.dir / "x.vcd").exists())

    def test_a_trigger_that_comes_behind_the_end(self):
        self.run_it("--vcd", "whole.vcd", "--vcd-trigger", "l2_tlb.miss>0")
        begin = Dump(self.dir / "whole.vcd").first
        (self.dir / "whole.vcd").unlink()
        trigger = ("--vcd-trigger", "l2_tlb.miss>0", "--vcd-to")
        self.refused(*trigger, f"{begin}ps", says=[f"l2_tlb.miss never passed 0 before {begin} ps", "the highest value was 0"], code=4)
        self.run_it("--vcd", "x.vcd", *trigger, f"{begin + 1}ps")
        dump = Dump(self.dir / "x.vcd")
        self.assertEqual((dump.first, dump.last), (begin, begin + 1))

    def test_files_that_cannot_be_written(self):
        error = self.run_it("--vcd", "no/such/x.vcd", code=4).stderr
        self.assertIn("no/such/x.vcd", error)
        error = self.run_it("--vcd", "/dev/full", "--vcd-blocks", "walk_unit", code=4).stderr
        self.assertIn("/dev/full: No space left on device", error)

    def test_it_takes_nothings_place(self):
        error = self.run_it("--vcd", self.TRACE, code=1).stderr
        self.assertIn("would overwrite the trace", error)
        error = self.run_it("--vcd", "out/stats.json", "-o", "out", code=1).stderr
        self.assertIn("--vcd and --output want the same file", error)
        (self.dir / "link.json").symlink_to("x.vcd")
        error = self.run_it("--vcd", "x.vcd", "--transactions", "link.json", code=1).stderr
        self.assertIn("want the same file", error)
        (self.dir / "link.vcd").symlink_to("out/x.vcd")
        self.run_it("--vcd", "link.vcd", "--vcd-for", "1us")
        self.assertTrue((self.dir / "link.vcd").is_symlink())
        self.assertEqual(Dump(self.dir / "out" / "x.vcd").last, 1000000)

    def test_a_reader_that_goes_away_costs_the_dump_alone(self):
        pipe = self.dir / "pipe"
        os.mkfifo(pipe)
        with self.start("--vcd", pipe, "--transactions", "x.json", "-o", "out") as run:
            with open(pipe, "rb") as reader:
                self.assertTrue(reader.read(1000))
            _, error = run.communicate(timeout=ENOUGH)
        self.assertEqual(run.returncode, 4)
        self.assertIn("pipe: Broken pipe", error)
        self.assertEqual(sorted(p.name for p in self.dir.iterdir()), ["out", "pipe", "x.json"])
        self.assertTrue((self.dir / "out" / "stats.json").exists())

    def test_a_limit_of_the_file_size_costs_the_dump_alone(self):
        done = call("run", "-q", "--vcd", "x.vcd", "-o", "out", self.TRACE, cwd=self.dir, preexec_fn=tiny_files(150000))
        self.assertEqual(done.returncode, 4)
        self.assertIn("x.vcd: File too large", done.stderr)
        self.assertEqual([p.name for p in self.dir.iterdir()], ["out"])
        self.assertTrue((self.dir / "out" / "stats.json").exists())

    def test_a_pipe_takes_a_dump(self):
        pipe = self.dir / "pipe"
        os.mkfifo(pipe)
        with self.start("--vcd", pipe, "--vcd-for", "1us") as run:
            text = pipe.read_text()
            self.assertEqual(run.wait(), 0)
        (self.dir / "x.vcd").write_text(text)
        self.assertEqual(Dump(self.dir / "x.vcd").last, 1000000)
        self.assertTrue(pipe.is_fifo())

    def start_slow(self):
        """Starts a run of some seconds; returns it once its dump grows under a temporary name."""
        run = self.start("--vcd", "x.vcd", "--set", "l1_tlb.entries=1", "--set", "l1_tlb.ways=1", "--set",
                         "l2_tlb.entries=16", "--set", "l2_tlb.ways=16", "--set", "iommu_tlb.tlb1_entries=1", "--set",
                         "iommu_tlb.tlb2_entries=16", "--set", "walk_unit.walkers=1")
        deadline = time.time() + 60
        while not any(p.stat().st_size > 3000000 for p in self.dir.iterdir()) and time.time() < deadline:
            time.sleep(0.01)
        self.assertIsNone(run.poll(), "still running")
        self.assertFalse((self.dir / "x.vcd").exists())
        return run

    def test_an_interrupted_run_leaves_a_whole_dump(self):
        run = self.start_slow()
        run.send_signal(signal.SIGINT)
        run.communicate()
        self.assertEqual(run.returncode, 130)
        dump = Dump(self.dir / "x.vcd")
        self.assertEqual([p.name for p in self.dir.iterdir()], ["x.vcd"])
        self.assertGreater(dump.last, 1000000)

    def test_a_killed_run_leaves_nothing_under_the_name(self):
        run = self.start_slow()
        run.kill()
        run.communicate()
        self.assertFalse((self.dir / "x.vcd").exists())


if __name__ == "__main__":
    unittest.main()
