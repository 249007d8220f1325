#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Hints on real runs: for each kind a run that has the hint, and a run that differs in the hint's cause and does not have it."""
import json
import re
import unittest

from walkway_run import RunTest


class HintsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.env["COLUMNS"] = "10000"

    def hints(self, *words):
        return "\n".join(re.findall("^hint: .*", self.run_it(*words).stdout, re.MULTILINE))

    def run_hints(self, trace, *settings):
        return self.hints("run", "-q", "-p", "apu-micro18", *[word for s in settings for word in ("--set", s)], "-o", "out", trace)

    def test_waves_in_step_and_apart(self):
        """Lanes that all wait for one queue of walks keep their waves in step; waves of one chain each have different latencies and drift
        apart."""
        self.assertIn("waves run in lock-step: at a memory instruction the furthest wave of the kernel is 0.00", self.run_hints("gen:uniform,waves=16,accesses=16"))
        self.assertNotIn("lock-step", self.run_hints("gen:zipf,waves=32,accesses=64,by=wave"))
        self.assertNotIn("lock-step", self.run_hints("gen:uniform,waves=16,accesses=15"))

    def test_one_channel_and_all(self):
        """Every other line of page-table entries is read: all lie in one channel, unless a hash spreads them."""
        trace = "gen:stride,waves=8,lanes=16,accesses=16,stride=65536,footprint=268435456"
        self.assertRegex(self.run_hints(trace, "dram.channel_xor=false"), r"one channel of 2 takes 90\.\d % of the page-table reads \(dram.walk_reads_of.channel0\)")
        self.assertNotIn("channel", self.run_hints(trace))

    def test_a_cycle_and_none(self):
        self.assertIn("the L2 TLB (512 entries) hits 0.0 % of its lookups, and uniform use of the program's 600 pages would hit 85.3 %",
                      self.run_hints("gen:stride,waves=1,accesses=200,footprint=2457600", "l2_tlb.ways=512"))
        self.assertNotIn("cycle", self.run_hints("gen:uniform,waves=1,accesses=200,footprint=2457600", "l2_tlb.ways=512"))
        self.assertNotIn("cycle", self.run_hints("gen:stride,waves=1,accesses=10,footprint=2457600", "l2_tlb.ways=512"))

    def test_what_fits_the_larger_of_two(self):
        def compared(trace, *machines):
            said = self.hints("compare", "-q", "-o", "both", trace, *machines)
            kept = json.loads((self.dir / "both/compare.json").read_text())["hints"]
            self.assertEqual(said, "\n".join("hint: " + hint for hint in kept), "compare.json has what is printed")
            return said
        stride, small, large = "gen:stride,waves=1,accesses=200,footprint=2457600", "apu-micro18:l2_tlb.ways=512", ":l2_tlb.ways=1024,l2_tlb.entries=1024"
        self.assertRegex(compared(stride, small, large), r"between 512 and 1,024 entries of the L2 TLB the working set of 600 pages of a cyclic pattern fits \(misses 100\.0 -> 4\.\d % of lookups\)")
        self.assertNotRegex(compared(stride, small, ":l2_tlb.ways=576,l2_tlb.entries=576"), "between")
        uniform = compared("gen:uniform,waves=4,accesses=200,footprint=2457600", small, large)
        self.assertIn("the working set of 600 pages fits", uniform)
        self.assertNotIn("between", compared(stride, small, large + ",walk_unit.walkers=9"))


if __name__ == "__main__":
    unittest.main()
