#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Comparisons under perturbations, on a machine that answers by formula. Its only number that may be perturbed is a seed, which adds to
every load's wait."""
import csv
import io
import json
import unittest

from walkway_run import RunTest, make_trace


class RangesTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()
        self.trace = make_trace(self.dir / "t.wkt")

    def compare(self, *words, code=0):
        done = self.run_it("compare", *words, code=code)
        path = self.dir / "c/compare.json"
        return done, json.loads(path.read_text()) if path.exists() else None

    def cycles(self, perturbation, machine):
        folder = self.dir / "c" / (f"perturbed-{perturbation}" if perturbation else "")
        stats = json.loads(next(folder.glob(f"{machine}-*/stats.json")).read_text())
        return stats["headline"]["cycles"]["value"], stats["configuration"]["pages.seed"]

    def test_a_ratio_whose_range_holds_one_has_no_causes(self):
        done, result = self.compare("--ranges=4", "-o", "c", self.trace, "fake", "fake")
        self.assertIn("fake: no difference from fake", " ".join(done.stdout.split()))
        self.assertNotIn("times as fast", done.stdout)
        self.assertIn("no cause to be named", result["configurations"][1]["explanation"])
        done, result = self.compare("--ranges=4", "-o", "c", self.trace, "fake", ":walk_unit.walkers=16")
        self.assertNotIn("no cause to be named", result["configurations"][1]["explanation"])

    def test_ratios_are_of_machines_with_the_same_perturbation(self):
        done, result = self.compare("--ranges=4", "-o", "c", self.trace, "fake", ":walk_unit.walkers=16")
        ratios = []
        for k in range(5):
            (base, base_seed), (other, seed) = self.cycles(k, 1), self.cycles(k, 2)
            self.assertEqual((base_seed, seed), (1 + k, 1 + k))
            ratios.append(base / other)
        self.assertEqual(len(set(ratios)), 5, "each perturbation shows")
        ratios.sort()
        self.assertEqual(result["configurations"][1]["ranges"]["speedup"],
                         {"median": ratios[2], "low": ratios[0], "high": ratios[4], "runs": 5})
        self.assertEqual(result["configurations"][1]["speedup"], self.cycles(0, 1)[0] / self.cycles(0, 2)[0])
        self.assertEqual(result["perturbations"], [[]] + [[f"pages.seed + {k}"] for k in range(1, 5)])
        self.assertIn(f"{ratios[2]:.2f} ({ratios[0]:.2f} ... {ratios[4]:.2f})", done.stdout)

    def test_comma_separated_values_have_median_and_range_of_each_ratio(self):
        done, result = self.compare("--ranges=4", "-o", "c", "--csv", "-", self.trace, "fake", ":walk_unit.walkers=16")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), 2)
        for row, machine in zip(rows, result["configurations"]):
            for ratio, spread in machine["ranges"].items():
                if spread is None:
                    self.assertEqual(row[f"{ratio}_median"], "")
                    continue
                self.assertEqual({what: float(row[f"{ratio}_{what}"]) for what in spread}, spread)
        self.assertEqual(rows[1]["speedup_runs"], "5")
        self.assertNotIn("speedup_median", self.compare("--csv", "-", self.trace, "fake", "fake")[0].stdout)

    def test_seven_perturbations_unless_said_otherwise(self):
        _, result = self.compare("--ranges", "-o", "c", self.trace, "fake", ":walk_unit.walkers=16")
        self.assertEqual(result["configurations"][1]["ranges"]["speedup"]["runs"], 8)
        _, plain = self.compare("-o", "c", self.trace, "fake", ":walk_unit.walkers=16")
        self.assertNotIn("ranges", plain["configurations"][1])
        self.assertNotIn("perturbations", plain)

    def test_the_user_s_settings_are_moved_and_not_replaced(self):
        self.compare("--ranges=1", "-o", "c", "--set", "pages.seed=40", self.trace, "fake", ":pages.seed=90")
        self.assertEqual([self.cycles(1, 1)[1], self.cycles(1, 2)[1]], [41, 91])

    def test_what_one_machine_cannot_take_stays_on_all(self):
        last = 2**64 - 1
        text = self.compare("--ranges=1", self.trace, "fake", f":pages.seed={last}", code=1)[0].stderr
        self.assertIn("perturbation 1 changes nothing that all of these machines have", text)

    def test_how_many_run_at_a_time_changes_nothing(self):
        words = ["--ranges=3", "-o", "c", self.trace, "fake", ":walk_unit.walkers=16"]
        one = self.compare("-j", 1, *words)
        self.assertEqual(self.compare("-j", 5, *words)[1], one[1])

    def test_a_perturbed_run_that_fails_counts_for_nothing_and_is_said(self):
        done, result = self.compare("--ranges=2", "-o", "c", self.trace, "fake", ":walk_unit.walkers=16,fault.crash_at_seed=2",
                                    code=3)
        self.assertIn("perturbation 1: ended by signal 6", done.stderr)
        self.assertEqual(result["configurations"][1]["ranges"]["speedup"]["runs"], 2)
        self.assertRegex(done.stdout, r"\[2\] fake:\S* .* 2\n")

    def test_numbers_that_are_none_are_refused(self):
        for value in ("0", "13", "many"):
            text = self.compare("--ranges=" + value, self.trace, "fake", ":walk_unit.walkers=16", code=1)[0].stderr
            self.assertIn("from 1 to 12", text)


if __name__ == "__main__":
    unittest.main()
