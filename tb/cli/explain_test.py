#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`walkway compare` names the causes of real differences: two of ATAX with known causes, and a bound."""
import json
import os
import pathlib
import unittest

from walkway_run import CAPTURES, RunTest, run, scratch_folder

ATAX = pathlib.Path(os.environ["WALKWAY_WORKLOADS"]) / "atax"


class ExplainTest(RunTest):
    def setUp(self):
        super().setUp()
        self.env["COLUMNS"] = "100"

    def compare(self, *words):
        """Returns (the lines of the explanation, the second machine's entry of compare.json)."""
        text = self.run_it("compare", "-q", "-o", "out", *words).stdout
        text = text[text.rindex("\nsum "):]
        lines = text.split("\n\n")[1].splitlines()
        for line in lines:
            self.assertLessEqual(len(line), 100, line)
        return lines, json.loads((self.dir / "out" / "compare.json").read_text())["configurations"][1]

    def first_cause(self, lines):
        self.assertRegex(lines[1], "^Causes, as factors of the run's time")
        return lines[2]

    def assert_product(self, entry):
        product = 1.0
        for factor in entry["walk_factors"]:
            product *= factor["times"]
        self.assertAlmostEqual(product * entry["speedup"], 1.0, delta=0.001)

    def test_a_bound_is_named_before_the_time(self):
        lines, entry = self.compare("gen:neighbourhood,waves=32,accesses=10,neighbourhoods=16,density=4", "apu-micro18",
                                    ":l2_tlb.mshrs=4")
        text = "\n".join(lines)
        self.assertRegex(self.first_cause(lines), r"^  x \d\.\d\d    walkers busy at a time 7\.\d+ -> 1\.\d+ ")
        self.assertRegex(text, r"l2_tlb\.stall_mshr_cycles 0\.0 -> (9\d\.\d|100\.0) % ")
        self.assertLess(text.index("Bounds that held"), text.index("Time: "))
        self.assertEqual(entry["explanation"].splitlines()[0], lines[0])
        self.assert_product(entry)


@unittest.skipUnless(CAPTURES and ATAX.exists(), "no capture in this build")
class AtaxTest(ExplainTest):
    @classmethod
    def setUpClass(cls):
        cls.traces = scratch_folder(cls.addClassCleanup)
        run("capture", "-q", "-o", cls.traces / "atax.wkt", "--", ATAX, "1024")
        run("capture", "-q", "-o", cls.traces / "alone.wkt", "--", ATAX, "1024", "--accumulate", "reg", "--group", "64")

    def test_an_l2_tlb_that_holds_all_pages_is_faster_because_it_hits(self):
        lines, entry = self.compare("--kernels", "0", "--warm-up", "3000instructions", "--measure", "8000instructions", self.traces / "atax.wkt", "apu-micro18",
                                    ":l2_tlb.entries=1024")
        self.assertGreater(entry["speedup"], 4)
        self.assertRegex(self.first_cause(lines), r"^  x 0\.0\d+  misses of the L2 TLB per lookup ")
        text = " ".join(" ".join(lines).split())
        self.assertRegex(text, r"L2 TLB per lookup 0\.\d+ -> 0\.00\d+ \(hits \d\d\.\d -> 99\.\d %, l2_tlb\.entries 512 -> 1024, "
                               r"pages 1,0\d\d\)")
        self.assertIn("no longer the limit", text)

    def test_full_coalescing_that_makes_a_tlb_thrash_is_slower_because_of_the_tlb(self):
        """1024 rows in step need 1024 pages of an L2 TLB of 512 entries; coalesced walks serve three of four of its misses."""
        lines, entry = self.compare("--kernels", "0", self.traces / "alone.wkt", "apu-micro18", ":walk_unit.coalesce=full")
        self.assertLess(entry["speedup"], 0.7)
        first = self.first_cause(lines)
        self.assertRegex(first, r"^  x \d\.\d\d    misses of the L2 TLB per lookup 0\.1\d+ -> 0\.8\d+ \(hits 8\d\.\d -> 1\d\.\d %")
        text = " ".join(" ".join(lines).split())
        self.assertRegex(text, r"x 0\.2\d\d walks per request for one 1\.00 -> 0\.2\d\d \(coalesced 0\.0 -> 7\d\.\d %, "
                               r"walk_unit\.coalesce off -> full\)")
        self.assertLess(text.index("L2 TLB per lookup"), text.index("walks per request for one"))
        self.assertLess(text.index("walks per request for one"), text.index("Time: "))
        self.assert_product(entry)

    def test_with_room_for_all_pages_full_coalescing_is_not_slower(self):
        _, entry = self.compare("--kernels", "0", self.traces / "alone.wkt", "apu-micro18:l2_tlb.entries=1024",
                                "apu-micro18:l2_tlb.entries=1024,walk_unit.coalesce=full")
        self.assertGreater(entry["speedup"], 1.0)


if __name__ == "__main__":
    unittest.main()
