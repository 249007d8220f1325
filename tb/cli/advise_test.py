#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway advise: finds the best answer where it is known; each gain equals that of `walkway compare`."""
import csv
import io
import json
import os
import pathlib
import subprocess
import unittest

from walkway_run import RunTest

ATAX = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "waveforms" / "atax-512.wkt"  # a matrix of 1 MiB, three vectors of 2 KiB
MIB = 1 << 20


class AdviseTest(RunTest):
    def setUp(self):
        super().setUp()
        self.env["COLUMNS"] = "400"

    def made(self, *buffers, waves=16, loads=12):
        """Makes a trace whose waves load from each of the buffers in turn."""
        path = self.dir / "made.wkt"
        subprocess.run([os.environ["WALKWAY_MAKE_BUFFERS"], path, str(waves), str(loads), *buffers], check=True)
        return path

    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.run_it("advise", "-q", "--csv", "-", *words).stdout)))

    def chosen(self, rows):
        return [row["setting"].split("=")[1] for row in rows if row["chosen"]]

    def gains_are_those_of_compare(self, rows, trace, machine="apu-micro18"):
        runs = [row for row in rows if row["cycles"] and row["advice"] != "padding"]
        self.assertEqual(runs[0]["advice"], "baseline")
        behind = "," if ":" in machine else ":"
        self.run_it("compare", "-q", "-o", "c", trace, machine, *(machine + behind + row["setting"] for row in runs[1:]))
        found = json.loads((self.dir / "c" / "compare.json").read_text())["configurations"]
        self.assertEqual([int(row["cycles"]) for row in runs], [run["headline"]["cycles"]["value"] for run in found])
        for row in runs:
            self.assertAlmostEqual(float(row["speed-up"]), int(runs[0]["cycles"]) / int(row["cycles"]), places=5)

    def test_pages_may_waste_an_eighth_where_nothing_else_is_said(self):
        self.assertIn("best of at most 129.5 KiB wasted: ", self.run_it("advise", "-q", ATAX).stdout)

    def test_of_one_large_scattered_buffer_pages_of_2_mib_help_most(self):
        rows = self.rows("gen:uniform,waves=16,accesses=8,footprint=33554432")
        self.assertEqual(self.chosen(rows), ["0:2m"])
        best = rows[1]
        self.assertEqual((best["advice"], best["setting"], best["wasted bytes"]), ("pages", "address_space.buffer_pages=0:2m", "0"))
        self.assertGreater(float(best["speed-up"]), 1.5)
        self.assertEqual([row["setting"] for row in rows if row["advice"] == "order of work-groups"], ["dispatcher.policy=compact"])

    def test_where_one_page_is_all_there_is_nothing_is_chosen(self):
        trace = "gen:stride,waves=4,accesses=200,footprint=4096,stride=4"
        self.assertEqual(self.chosen(self.rows(trace)), [])
        self.assertIn("wasted: 4 KiB for all\n", self.run_it("advise", "-q", trace).stdout)

    def test_what_is_wasted_is_bounded(self):
        rows = self.rows(ATAX)
        self.assertEqual(self.chosen(rows), ["0:64k"])
        self.assertEqual({row["setting"]: row["wasted bytes"] for row in rows if row["advice"] == "pages" and row["setting"]},
                         {"address_space.buffer_pages=0:64k": "0", "address_space.buffer_pages=0:2m": str(2 * MIB - MIB - 3 * 4096)})
        self.assertEqual([(row["buffer"], row["left out"]) for row in rows if not row["cycles"]],
                         [("1", "0.4 % of the misses"), ("2", "0.0 % of the misses"), ("3", "0.4 % of the misses")])
        self.assertEqual(self.chosen(self.rows("--waste", "2Mi", ATAX)), ["0:2m"])
        self.assertEqual(self.chosen(self.rows("--waste", "1036287", ATAX)), ["0:64k"])
        self.gains_are_those_of_compare(rows, ATAX)

    def test_several_buffers_are_chosen_together_and_that_is_run(self):
        trace = self.made(f"{8 * MIB}:scattered", "65536:near", f"{16 * MIB}:scattered")
        rows = self.rows(trace)
        self.assertEqual([row["setting"] for row in rows if row["advice"] == "pages together"], ["address_space.buffer_pages=0:2m+2:2m"])
        self.assertEqual(sorted(self.chosen(rows)), ["0:2m", "2:2m"])
        self.gains_are_those_of_compare(rows, trace)
        alone = [float(row["speed-up"]) for row in rows if row["chosen"]]
        self.assertEqual(rows[1]["advice"], "pages together", "the largest gain")
        self.assertGreater(float(rows[1]["speed-up"]), max(alone))
        text = self.run_it("advise", "-q", trace).stdout
        self.assertIn("made.wkt on apu-micro18 with pages of 4 KiB: ", text)
        self.assertIn("--set address_space.buffer_pages=0:2m+2:2m: ", text)

    def test_buffers_that_are_not_worth_it_are_not_run(self):
        trace = self.made(f"{4 * MIB}:scattered", "65536:near", f"{16 * MIB}:scattered", f"{2 * MIB}:scattered")
        tried = {row["buffer"] for row in self.rows(trace) if row["advice"] == "pages" and row["cycles"]}
        self.assertEqual(tried, {"0", "2", "3"})
        left = {row["buffer"]: row["left out"] for row in self.rows("--buffers", "1", trace) if row["left out"] and row["advice"] == "pages"}
        self.assertEqual(left.keys(), {"0", "1", "3"})
        self.assertEqual(left["0"], "1 other has as many misses or more")
        self.assertNotIn("pages", {row["advice"] for row in self.rows("--buffers", "0", trace) if row["cycles"]})
        self.assertIn("1", {row["buffer"] for row in self.rows("--misses", "0", trace) if row["cycles"]})

    def test_the_machine_is_the_one_that_is_named_with_pages_of_4_kib(self):
        trace = "gen:uniform,waves=8,accesses=8,footprint=16777216"
        rows = self.rows(trace, "mmu-hpca14:walk_unit.walkers=2")
        self.gains_are_those_of_compare(rows, trace, "mmu-hpca14:walk_unit.walkers=2")
        done = self.run_it("advise", "-q", "--csv", "-", "-p", "mmu-hpca14:walk_unit.walkers=2,address_space.page=2m", trace)
        self.assertEqual(rows, list(csv.DictReader(io.StringIO(done.stdout))))
        self.assertIn("address_space.page=2m", done.stderr)
        compact = self.rows(trace, "--set", "dispatcher.policy=compact")
        self.assertEqual([row["setting"] for row in compact if row["advice"].startswith("order")], ["dispatcher.policy=round_robin"])

    def test_a_part_of_a_program_and_its_results_are_kept_where_they_shall_be(self):
        rows = self.rows("--kernels", "atax_rows", "-o", "kept", ATAX)
        whole = self.rows(ATAX)
        self.assertLess(int(rows[0]["cycles"]), int(whole[0]["cycles"]))
        manifest = json.loads((self.dir / "kept" / "manifest.json").read_text())
        folders = [result["folder"] for result in manifest["results"]]
        self.assertEqual(len(folders), len([row for row in rows if row["cycles"]]))
        cycles = [json.loads((self.dir / "kept" / f / "stats.json").read_text())["headline"]["cycles"]["value"] for f in folders]
        self.assertEqual(sorted(cycles), sorted(int(row["cycles"]) for row in rows if row["cycles"]))
        self.assertEqual({p.name for p in self.dir.iterdir()}, {"kept"}, "and nothing else anywhere")
        self.assertEqual(self.rows("-j", "1", ATAX), whole)

    def test_rows_whose_pitch_is_a_power_of_two_are_made_longer(self):
        """Each lane reads its own row, all at the same column: these use few sets of caches and TLBs."""
        rows = self.rows("gen:stride,waves=8,accesses=40,stride=65536,step=64,footprint=33554432")
        longer = {row["setting"]: row for row in rows if row["advice"] == "padding"}
        self.assertEqual(longer.keys(), {"rows of 65536 + 64 bytes", "rows of 65536 + 4096 bytes"})
        self.assertGreater(float(longer["rows of 65536 + 4096 bytes"]["speed-up"]), 1.05, "translations of more sets")
        self.assertEqual(longer["rows of 65536 + 64 bytes"]["wasted bytes"], str(511 * 64))
        for trace, why in (("gen:uniform,waves=8,accesses=10,footprint=8388608", "no pitch of rows is found"),
                           ("gen:stride,waves=8,accesses=10,stride=3000,footprint=8388608", "rows of 3,000 bytes, no multiple of 2 KiB")):
            self.assertEqual([row["left out"] for row in self.rows(trace) if row["advice"] == "padding"], [why])
            self.assertIn(f"left out: buffer 0: {why}\n", self.run_it("advise", "-q", trace).stdout)

    def test_what_cannot_be_is_refused(self):
        for words, why in ((("gen:zipf", "apu-micro18", "mmu-hpca14"), "is of one machine, and mmu-hpca14 is another"),
                           (("gen:zipf", "-p", "apu-micro18:driver.oversubscription=150,address_space.map=first_touch"), "address_space.buffer_pages"),
                           (("--waste", "much", "gen:zipf"), "--waste"), (("--misses", "101", "gen:zipf"), "--misses"), ((), "a trace")):
            self.assertIn(why, self.run_it("advise", "-q", *words, code=1).stderr)
        self.assertIn("none.wkt", self.run_it("advise", "-q", "none.wkt", code=2).stderr)

    def test_an_interrupt_advises_nothing(self):
        said = self.interrupted("advise", "-q", "gen:uniform,waves=65536,accesses=1000,footprint=4096", worked=3)
        self.assertIn("interrupted", said)
        self.assertNotIn("cycles", said)


if __name__ == "__main__":
    unittest.main()
