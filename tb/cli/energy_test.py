#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway run --energy: prints a row per array, their sum, and main memory; the results have the same numbers."""
import csv
import json
import unittest

from walkway_run import RunTest, make_trace


class EnergyTest(RunTest):
    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")

    def ran(self, *options):
        text = self.run_it("run", "-q", "-o", "out", "--energy", self.trace, *options).stdout
        stats = json.loads((self.dir / "out/stats.json").read_text())["statistics"]
        rows = {}
        for line in text.splitlines():
            cells = line.split()
            if cells and ("." in cells[0] and len(cells) == 8):
                rows[cells[0]] = [float(c.replace(",", "")) for c in cells[1:]]
        return text, rows, {name: s["value"] for name, s in stats.items() if "value" in s}

    def test_every_array_is_a_row_with_its_statistics(self):
        text, rows, stats = self.ran("--set", "walk_unit.coalesce=full")
        self.assertEqual(list(rows), [name[7:-7] for name in stats if name.startswith("arrays.") and name.endswith(".copies")])
        self.assertIn("walk_unit.coalescing", rows)
        for name, row in rows.items():
            of = lambda what: stats[f"arrays.{name}.{what}"]
            self.assertEqual(row[:3], [of("copies"), of("reads"), of("writes")], name)
            self.assertAlmostEqual(row[3], of("read_energy") / 1e3, delta=0.051)
            self.assertAlmostEqual(row[4], of("write_energy") / 1e3, delta=0.051)
            self.assertAlmostEqual(row[5], of("energy") / 1e3, delta=0.051 if of("energy") < 100000 else 0.501)
            self.assertAlmostEqual(row[6], of("area") / 1e6, delta=0.000051)
        self.assertEqual(rows["walk_unit.coalescing"][3:5], [41.0, 196.0])
        self.assertIn("Not modelled: leakage", text)

    def test_the_sums_are_those_of_the_rows_and_memory_stands_below(self):
        text, rows, stats = self.ran()
        line = next(l.split() for l in text.splitlines() if l.startswith("all arrays "))
        nj, mm2 = (float(c.replace(",", "")) for c in line[2:])
        self.assertAlmostEqual(nj, sum(r[5] for r in rows.values()), delta=len(rows))
        self.assertAlmostEqual(nj, stats["arrays.energy"] / 1e3, delta=1)
        self.assertAlmostEqual(mm2, sum(r[6] for r in rows.values()), delta=0.001)
        line = next(l.split() for l in text.splitlines() if l.startswith("main memory "))
        self.assertEqual([int(c.replace(",", "")) for c in line[2:4]], [stats["dram.column_reads"], stats["dram.column_writes"]])
        self.assertAlmostEqual(float(line[4].replace(",", "")), stats["energy.dram"] / 1e3, delta=0.501)

    def test_without_the_option_there_is_a_line_and_no_table(self):
        text = self.run_it("run", "-q", self.trace).stdout
        self.assertEqual(text.count("energy: accesses of on-chip arrays "), 1)
        self.assertNotIn("l2d.data", text)

    def test_several_runs_have_a_table_each(self):
        text = self.run_it("run", "-q", "--energy", self.trace, "-p", "apu-micro18", "-p", "apu-micro18:victim.entries=64").stdout
        tables = text.split("pJ per read")
        self.assertEqual(len(tables), 3)
        self.assertNotIn("victim.entries ", tables[1])
        self.assertIn("victim.entries ", tables[2])

    def test_an_ideal_machine_says_that_it_has_none(self):
        text = self.run_it("run", "-q", "--energy", self.trace, "--set", "translation.ideal=perfect_l1").stdout
        self.assertIn("this machine is no hardware (translation.ideal)", text)
        self.assertNotIn("energy: accesses", text)

    def test_comma_separated_values_have_it_too(self):
        self.run_it("run", "-q", "-o", "out", "--csv", "t.csv", self.trace)
        stats = json.loads((self.dir / "out/stats.json").read_text())["statistics"]
        with open(self.dir / "t.csv", newline="") as file:
            row = next(csv.DictReader(file))
        for name in ("energy.dram", "arrays.energy", "arrays.area", "arrays.l2_tlb.entries.energy"):
            self.assertEqual(int(row[name]), stats[name]["value"])


if __name__ == "__main__":
    unittest.main()
