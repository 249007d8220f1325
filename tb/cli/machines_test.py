#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""All features of `walkway run`, with a program, on every shipped machine; and two machines side by side."""
import json
import os
import pathlib
import re
import unittest

from walkway_run import SANITIZED, RunTest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
SHIPPED = sorted(p.stem for p in (SOURCE / "platforms").glob("*.cfg"))[::4 if SANITIZED else 1]
ATAX = SOURCE / "waveforms" / "atax-512.wkt"


class MachinesTest(RunTest):
    def setUp(self):
        super().setUp()
        self.env.pop("WALKWAY_PLATFORMS", None)

    def stats(self, folder):
        return json.loads((self.dir / folder / "stats.json").read_text())

    def each(self):
        for name in SHIPPED:
            with self.subTest(platform=name):
                yield name

    def test_a_program_runs_with_all_laws_and_a_whole_headline(self):
        for name in self.each():
            self.run_it("run", "-q", "-p", name, "-o", name, ATAX)
            stats = self.stats(name)
            self.assertEqual(stats["end"], "complete")
            self.assertGreater(len(stats["laws"]), 30)
            self.assertEqual([law for law in stats["laws"] if not law["holds"]], [])
            for entry in ("pte_reads", "walks", "walk_latency_mean", "walk_latency_p99", "l1_tlb_hit_rate", "l2d_hit_rate"):
                self.assertGreater(stats["headline"][entry]["value"], 0, entry)

    def test_a_dump_and_lives_of_translations_change_no_result(self):
        for name in self.each():
            self.run_it("run", "-q", "-p", name, "-o", name + "-alone", ATAX)
            self.run_it("run", "-q", "-p", name, "-o", name + "-seen", "--vcd", name + ".vcd", "--vcd-to", "20us",
                        "--transactions", name + ".json", "--transactions-slowest", "50", ATAX)
            self.assertEqual(self.stats(name + "-alone")["headline"], self.stats(name + "-seen")["headline"])
            dump = (self.dir / (name + ".vcd")).read_text()
            self.assertGreater(dump.count("\n#"), 100)
            events = json.loads((self.dir / (name + ".json")).read_text())["traceEvents"]
            self.assertGreater(len(events), 100)
            blocks = {link["from"].split(".")[0] for link in json.loads(self.run_it("list", "links", "-p", name, "--json").stdout)}
            for block in blocks:
                self.assertIn(f" {block} ", dump, "its scope")

    def test_a_window_counts_a_part(self):
        for name in self.each():
            self.run_it("run", "-q", "-p", name, "-o", name, "--warm-up", "20000instructions", "--measure", "30000instructions", ATAX)
            stats = self.stats(name)
            self.assertEqual(stats["end"], "measured")
            self.assertEqual([law for law in stats["laws"] if not law["holds"]], [])
            self.assertAlmostEqual(stats["statistics"]["gpu.instructions"]["value"], 30000, delta=3000)

    def test_waves_of_fewer_lanes_are_said(self):
        text = self.run_it("run", "-q", "-p", "mmu-hpca14", "-o", "a", ATAX).stdout
        self.assertIn("16 waves of 64 lanes ran as two of 32 lanes each (cu.wave_lanes): 32 waves in all\n", text)
        self.assertEqual(self.stats("a")["statistics"]["gpu.split_waves"]["value"], 16)
        self.assertNotIn("64 lanes", self.run_it("run", "-q", "-p", "apu-micro18", ATAX).stdout)

    def test_two_machines_are_compared_by_time_and_by_what_each_has(self):
        text = self.run_it("compare", "-q", "-o", "c", ATAX, "apu-micro18", "mmu-hpca14").stdout
        self.assertIn("The machines' clocks differ (500, 714 ps): the speed-up is one of time", " ".join(text.split()))
        self.assertRegex(text, r"l2_tlb\.entries +39,424 +0\n")
        self.assertRegex(text, r"iommu_tlb\.tlb2 +[1-9][\d,]* +0\n")
        entry = json.loads((self.dir / "c" / "compare.json").read_text())["configurations"][1]
        seconds = [self.stats(folder)["headline"]["seconds"]["value"] for folder in ("c/1-apu-micro18", "c/2-mmu-hpca14")]
        self.assertAlmostEqual(entry["speedup"], seconds[0] / seconds[1], delta=1e-4)
        product = 1.0
        for factor in entry["walk_factors"]:
            product *= factor["times"]
        self.assertAlmostEqual(product * entry["speedup"], 1.0, delta=0.001)
        self.assertNotRegex(self.run_it("compare", "-q", ATAX, "mmu-hpca14", ":walk_unit.walkers=2").stdout, "clocks differ")
        self.assertTrue(re.search(r"x \d", text))


if __name__ == "__main__":
    unittest.main()
