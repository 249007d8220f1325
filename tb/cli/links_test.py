#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway list links: the bindings of a machine as text, as comma-separated values, as JSON and as a graph."""
import csv
import json
import re
import unittest

from walkway_run import RunTest


class LinksTest(RunTest):
    def listed(self, *words):
        return json.loads(self.run_it("list", "links", "--json", *words).stdout)

    def refused(self, *words, says):
        err = self.run_it(*words, code=1).stderr
        for part in says:
            self.assertIn(part, err)

    def rows(self, *words):
        return list(csv.DictReader(self.run_it("list", "links", "--csv", "-", *words).stdout.splitlines()))

    def test_every_link_of_the_machine_is_there_once(self):
        links = self.listed("-p", "apu-micro18", "--set", "gpu.cus=3")
        ends = {(l["from"], l["to"], l["carries"]) for l in links}
        self.assertEqual(len(ends), len(links))
        expected = {("l2_tlb.down", "iommu_tlb.up_0", "translation"), ("iommu_tlb.down", "walk_unit.up_0", "translation"),
                    ("l2d.down", "dram.up_0", "memory"),
                    ("walk_unit.mem", "dram.up_1", "memory")}
        for n in ("0", "1", "2"):
            expected |= {("cu_" + n + ".mem", "coalescer_" + n + ".up", "access"),
                         ("coalescer_" + n + ".xlat", "l1_tlb_" + n + ".up_0", "translation"),
                         ("coalescer_" + n + ".mem", "l1d_" + n + ".up_0", "memory"),
                         ("l1_tlb_" + n + ".down", "l2_tlb.up_" + n, "translation"),
                         ("l1d_" + n + ".down", "l2d.up_" + n, "memory")}
        self.assertEqual(ends, expected)

    def test_links_that_differ_in_numbers_are_one_row(self):
        rows = {r["from"]: r for r in self.rows("-p", "apu-micro18")}
        self.assertEqual(len(rows), 9)
        self.assertEqual(rows["l1_tlb_0..7.down"]["to"], "l2_tlb.up_0..7")
        self.assertEqual(rows["l1_tlb_0..7.down"]["links"], "8")
        text = self.run_it("list", "links", "-p", "apu-micro18").stdout
        self.assertRegex(text, r"l1_tlb_0\.\.7\.down +l2_tlb\.up_0\.\.7 +translation +8 ")

    def test_slots_follow_queues_and_the_senders_pipelines(self):
        settings = ["l2_tlb.queue_entries=7", "l1_tlb.ports=3", "l1_tlb.hit_cycles=10", "l1_tlb.link_cycles=5",
                    "l1d.ports=2", "l1d.hit_cycles=4", "l1d.link_cycles=1", "walk_unit.walk_path=l2d", "l2d.queue_entries=9"]
        words = ["-p", "apu-micro18"] + [w for s in settings for w in ("--set", s)]
        slots = {l["from"]: (l["queue_slots"], l["wire_slots"]) for l in self.listed(*words)}
        self.assertEqual(slots["l1_tlb_4.down"], (7, 3 * 15))
        self.assertEqual(slots["l1d_4.down"], (9, 2 * 5))
        self.assertEqual(slots["walk_unit.mem"], (9, 2 * 5), "every requester of a block has the same")
        self.assertEqual(slots["iommu_tlb.down"], (1, 2 * 21), "a cycle more: places free in one are there in the next")
        self.assertEqual(slots["coalescer_4.xlat"][1], 0)

    def test_an_iommu_without_tlbs_is_a_walk_unit(self):
        none = ["-p", "apu-micro18", "--set", "iommu_tlb.tlb1_entries=0", "--set", "iommu_tlb.tlb2_entries=0"]
        ends = {l["from"]: l["to"] for l in self.listed(*none)}
        self.assertEqual(ends["l2_tlb.down"], "walk_unit.up_0")
        self.assertNotIn("iommu_tlb.down", ends)

    def test_a_pattern_chooses(self):
        self.assertEqual({l["from"] for l in self.listed("dram", "-p", "apu-micro18")}, {"l2d.down", "walk_unit.mem"})
        self.refused("list", "links", "dramm", "-p", "apu-micro18", says=["no link", "dramm"])

    def test_options_of_one_list_are_refused_by_the_others(self):
        for option, of in ((("--dot",), "links"), (("--cfg",), "parameters"), (("--filters", "made"), "signals")):
            for kind in {"machines", "levels", "workloads", "generators", "parameters", "stats", "signals", "links"} - {of}:
                self.refused("list", kind, *option, says=[f"{option[0]} is of 'list {of}'"])
            for form in (("--json",), ("--csv", "x.csv")):
                self.refused("list", of, *option, *form, says=[f"{option[0]} and --json or --csv: one of them"])
        for kind in ("machines", "levels", "workloads", "generators"):
            self.refused("list", kind, "-p", "apu-micro18", says=[f"list {kind}: --platform is of lists of one machine's parts"])
            self.refused("list", kind, "--set", "gpu.cus=3", says=[f"list {kind}: --set is of lists of one machine's parts"])
        self.assertFalse((self.dir / "made").exists())

    def test_the_graph_has_every_block_and_every_arrow(self):
        dot = self.run_it("list", "links", "--dot", "-p", "apu-micro18").stdout
        self.assertTrue(dot.startswith("digraph machine {\n"))
        self.assertTrue(dot.endswith("}\n"))
        boxes = set(re.findall(r'^  "([^"]+)" \[label=', dot, re.M))
        arrows = re.findall(r'^  "([^"]+)" -> "([^"]+)" \[label="([^"]+)"\];$', dot, re.M)
        self.assertEqual(len(boxes), 9)
        self.assertEqual(len(arrows), 9)
        self.assertEqual({end for a in arrows for end in a[:2]}, boxes)
        self.assertIn(("l1_tlb_*", "l2_tlb", "translation x 8"), arrows)

    def test_forms_exclude_each_other(self):
        self.refused("list", "links", "--dot", "--json", says=["one of them"])
        self.refused("list", "signals", "--dot", says=["list links"])


if __name__ == "__main__":
    unittest.main()
