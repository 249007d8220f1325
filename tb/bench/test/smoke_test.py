#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The benchmarks on a tiny trace: every driver runs, and counts what the model counts where the order of accesses does not matter. Times
are not checked."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
BUILD = pathlib.Path(os.environ["WALKWAY_BUILD"])
WALKWAY = BUILD / "walkway"
WHOLE = SOURCE / "waveforms" / "atax-512.wkt"


class SmokeTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.dir = pathlib.Path(self.scratch.name)
        self.traces = self.dir / "traces"
        self.traces.mkdir()
        self.trace = self.traces / "atax.wkt"
        self.shorten(WHOLE, 16, self.trace)

    def tearDown(self):
        self.scratch.cleanup()

    def call(self, *words, code=0):
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=False, cwd=self.dir)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def shorten(self, trace, divisor, path):
        self.call(BUILD / "bench/bench_shorten", trace, divisor, path)

    def info(self, trace):
        return json.loads(self.call(WALKWAY, "trace", "info", "--json", trace))

    def model(self, trace, *more):
        self.call(WALKWAY, "run", "-q", "-o", self.dir / "run", *more, trace)
        return json.loads((self.dir / "run/stats.json").read_text())

    def kernels(self, trace, *more):
        return json.loads(self.call(BUILD / "bench/bench_kernels", trace, *more))

    def test_a_shortened_trace_keeps_waves_and_addresses(self):
        self.assertIn("whole", self.call(WALKWAY, "trace", "check", self.trace))
        whole, short = self.info(WHOLE), self.info(self.trace)
        self.assertEqual(short["buffers"], whole["buffers"])
        self.assertEqual(short["totals"]["waves"], whole["totals"]["waves"])
        loads = [t["totals"]["kinds"]["load"]["records"] for t in (whole, short)]
        self.assertAlmostEqual(loads[0] / loads[1], 16, delta=0.5)
        self.shorten(WHOLE, 1, self.dir / "same.wkt")
        same = self.info(self.dir / "same.wkt")
        self.assertEqual(same["totals"], whole["totals"])
        self.call(BUILD / "bench/bench_shorten", self.trace, 0, self.dir / "x.wkt", code=1)
        self.assertFalse((self.dir / "x.wkt").exists())

    def test_the_bare_kernels_count_what_the_model_counts(self):
        for trace, units, in_a_row in ((self.trace, 8, 1), (WHOLE, 3, 4)):
            with self.subTest(trace=trace.name):
                bare = self.kernels(trace, units, in_a_row)["counts"]
                run = self.model(trace, "--set", "coalescer.window=0", "--set", "gpu.cus=%d" % units)
                ours = {k: v["value"] for k, v in run["statistics"].items() if "value" in v}
                for name in ("coalescer.instructions", "coalescer.lines", "l1_tlb.lookups", "l1d.reads", "l1d.writes",
                             "l2d.writes"):
                    self.assertEqual(bare[name], ours[name], name)
                self.assertEqual(bare["coalescer.pages"], ours["coalescer.translations"])
                self.assertEqual(bare["l2_tlb.lookups"], bare["l1_tlb.lookups"] - bare["l1_tlb.hits"])
                self.assertEqual(bare["iommu_tlb.requests"], bare["l2_tlb.lookups"] - bare["l2_tlb.hits"])
                # The L2 TLB holds every page of this trace: each page is walked once, in any order.
                self.assertEqual(bare["iommu_tlb.tlb_misses"], ours["walk_unit.walks_started"])
                self.assertGreaterEqual(bare["dram.reads"], bare["walk_unit.pte_reads"])

    def test_the_bare_kernels_have_the_shipped_sizes(self):
        shipped = self.model(self.trace)["configuration"]
        for name, value in self.kernels(self.trace)["configuration"].items():
            self.assertEqual(value, shipped[name], name)

    def test_the_event_loop_does_what_it_was_asked(self):
        done = json.loads(self.call(BUILD / "bench/bench_events", 37, 5000, 12345))
        self.assertEqual((done["activations"], done["requests"], done["answers"]), (5000, 12345, 12345))
        self.call(BUILD / "bench/bench_events", 37, 5, 5, code=1)

    def test_drivers_refuse_what_is_no_trace(self):
        (self.dir / "no.wkt").write_text("no")
        self.assertIn("no.wkt", self.call(BUILD / "bench/bench_kernels", "no.wkt", code=1))
        self.assertIn("no.wkt", self.call(BUILD / "bench/bench_shorten", "no.wkt", 2, "x.wkt", code=1))

    def test_one_command_makes_every_table(self):
        words = [SOURCE / "tb/bench/run", "--no-build", "--build", BUILD, "--traces", self.traces, "--programs", "atax", "-q",
                 "--rounds", 2, "-o", self.dir / "out"]
        text = self.call(*words)
        result = json.loads((self.dir / "out/bench.json").read_text())
        self.assertEqual((self.dir / "out/bench.md").read_text() + "\n", text)
        self.assertEqual([t["section"] for t in result["tables"]],
                         ["speed", "kernels", "kernels", "events", "flat", "coalescing", "observation"])
        for table in result["tables"]:
            self.assertTrue(table["rows"])
            for column in table["columns"]:
                self.assertTrue(column["definition"])
                self.assertIn("- *%s*: %s." % (column["name"], column["definition"]), text)
        for key, samples in result["samples"].items():
            self.assertEqual(len(samples), 2, key)
        self.assertFalse(list((self.dir / "out").glob("*.vcd")))
        self.assertIn("has no trace", self.call(*words, "--programs", "mvt", code=1))


if __name__ == "__main__":
    unittest.main()
