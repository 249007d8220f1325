#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""run --by-kernel: the parts add up to the run for each statistic, and do not change the run."""
import json
import os
import pathlib
import unittest

import jsonschema

from walkway_run import RunTest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
SCHEMA = json.loads((SOURCE / "docs" / "develop" / "stats.schema.json").read_text())
ATAX = SOURCE / "waveforms" / "atax-512.wkt"  # two kernels of 8 work-groups
GEN = "gen:uniform,waves=48,accesses=20,kernels=3,lanes=8,stores=30"


class ByKernelTest(RunTest):
    def result(self, *words):
        said = self.run_it("run", "-q", "-o", "out", *words).stdout
        content = json.loads((self.dir / "out" / "stats.json").read_text())
        jsonschema.validate(content, SCHEMA)
        return said, content

    def check_sums(self, content):
        parts = content["kernels"]
        sums = 0
        for name, whole in content["statistics"].items():
            of = [k["statistics"][name] for k in parts]
            if name.startswith("model."):
                continue
            if "buckets" in whole:
                buckets = {}
                for part in of:
                    for low, count in part["buckets"]:
                        buckets[low] = buckets.get(low, 0) + count
                self.assertEqual(sorted(map(list, buckets.items())), whole["buckets"], name)
                self.assertEqual(sum(p["sum"] for p in of), whole["sum"], name)
                sums += 1
            elif whole["unit"] not in ("1",) and isinstance(whole["value"], int):
                total = sum(p["value"] for p in of)
                if total != whole["value"]:  # a peak or a constant: the largest part equals it
                    self.assertEqual(max(p["value"] for p in of), whole["value"], name)
                else:
                    sums += 1
        self.assertGreater(sums, 100)
        self.assertEqual(sum(k["headline"]["cycles"]["value"] for k in parts), content["headline"]["cycles"]["value"])
        self.assertEqual(sum(k["headline"]["translations"]["value"] for k in parts), content["headline"]["translations"]["value"])

    def test_parts_add_up(self):
        for machine in ("apu-micro18", "apu-micro21", "mmu-hpca14", "dgpu-pact24", "uvm-pact20"):
            with self.subTest(machine=machine):
                said, content = self.result("--by-kernel", machine, ATAX)
                self.assertEqual([(k["name"], k["launches"]) for k in content["kernels"]], [("atax_rows", 1), ("atax_columns", 1)])
                self.check_sums(content)
                self.assertRegex(said, r"\n *kernel +launches +cycles .*\n[ -]*\n? *atax_rows +1 ")
                for k in content["kernels"]:
                    self.assertGreater(k["statistics"]["account.translation_cycles"]["value"], 0)

    def test_launches_of_one_name_are_one(self):
        _, content = self.result("--by-kernel", GEN)
        self.assertEqual([k["launches"] for k in content["kernels"]], [3])
        self.check_sums(content)

    def test_the_run_is_the_same(self):
        plain, split = self.result(ATAX)[1], self.result("--by-kernel", ATAX)[1]
        self.assertEqual(len(split.pop("kernels")), 2)
        self.assertEqual(plain, split)

    def test_several_runs_have_it_in_their_results(self):
        self.run_it("run", "-q", "--by-kernel", "-o", "all", ATAX, "apu-micro18", "mmu-hpca14")
        for stats in self.dir.glob("all/*/stats.json"):
            self.assertEqual(len(json.loads(stats.read_text())["kernels"]), 2)
        self.assertEqual(len(list(self.dir.glob("all/*/stats.json"))), 2)
        self.assertIn("by-kernel", self.run_it("compare", "--by-kernel", ATAX, "apu-micro18", "mmu-hpca14", code=1).stderr)

    def test_what_has_no_kernels_of_its_own_is_refused(self):
        for words, says in ((("--measure", "500cycles"), "--measure of a part"), (("--sample",), "--sample of a part"),
                            (("--beside", GEN), "several programs' kernels run at the same time"),
                            (("apu-micro18", "mmu-hpca14"), "give --output")):
            with self.subTest(words=words):
                self.assertIn(says, self.run_it("run", "-q", "--by-kernel", *words, GEN, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
