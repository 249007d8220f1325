#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A run over time: on every machine rows add up to the run's statistics; steps have the requested length; what is in flight at their ends
balances; the run itself does not change; an interrupted run is marked."""
import csv
import json
import os
import pathlib
import re
import unittest

from walkway_run import RunTest, of_today

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
ATAX = SOURCE / "waveforms" / "atax-512.wkt"
GEN = "gen:uniform,waves=48,accesses=20,kernels=3,lanes=8"
OWN = re.compile(rb'^ *"model\.[^"]*": \{[^{}]*\},?\n', re.MULTILINE)
FLOWS = ("waves", "translations", "walks", "memory_reads")


class SeriesTest(RunTest):
    def series(self, *words, every):
        """Returns the rows by column, and the run's result."""
        self.run_it("run", "-q", "-o", "out", "--series", "run.csv", "--every", every, *words)
        with open(self.dir / "run.csv", encoding="ascii", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertTrue(all(None not in row and None not in row.values() for row in rows), "as many cells as columns")
        return rows, json.loads((self.dir / "out" / "stats.json").read_text())

    @staticmethod
    def total(rows, column):
        return sum(int(row[column]) for row in rows)

    @staticmethod
    def statistic_of(column, stats):
        """Returns the statistic that a column of counts adds up to, or None."""
        known = {"cycles": "gpu.cycles", "instructions": "gpu.instructions", "translations": "coalescer.answered",
                 "launches": "gpu.launches"}
        if column in known:
            return known[column]
        for section in sorted({name.split(".")[0] for name in stats}, key=len, reverse=True):
            if column.startswith(section + "_"):
                count = column[len(section) + 1:]
                for name in (count, {"lookups": "requests", "misses": "tlb_misses"}.get(count, count)):
                    if "value" in stats.get(section + "." + name, {}):
                        return section + "." + name
        return None

    def check(self, rows, result):
        """Checks the laws of every series."""
        stats = result["statistics"]
        seen = set()
        for column in rows[0]:
            statistic = self.statistic_of(column, stats)
            if statistic is not None:
                self.assertEqual(self.total(rows, column), stats[statistic]["value"], column)
                seen.add(statistic)
        self.assertEqual(int(rows[-1]["to_cycle"]) - int(rows[0]["from_cycle"]), self.total(rows, "cycles"))
        for before, after in zip(rows, rows[1:]):
            self.assertEqual(before["to_cycle"], after["from_cycle"])
            for flow in FLOWS:
                self.assertEqual(int(before[flow + "_in_flight"]) + int(after[flow + "_begun"]),
                                 int(after[flow + "_ended"]) + int(after[flow + "_in_flight"]), flow)
        for row in rows:
            for column, cell in row.items():
                if column.endswith("_hit_rate"):
                    level = column[:-len("_hit_rate")]
                    lookups, missed = int(row[level + "_lookups"]), int(row[level + "_misses"])
                    others = missed + int(row.get(level + "_merged", 0))
                    self.assertEqual(cell, "%.6f" % ((lookups - others) / lookups) if lookups else "", column)
        return seen

    def test_rows_add_up_to_the_runs_statistics_on_every_machine(self):
        listed = json.loads(self.run_it("list", "machines", "--json").stdout)
        machines = [row["machine"] for row in listed["rows"]]
        self.assertIn("apu-micro21", machines)
        for machine in of_today(machines, 4):
            with self.subTest(machine=machine):
                rows, result = self.series("-p", machine, GEN, every="1500cycles")
                self.assertGreater(len(rows), 3)
                seen = self.check(rows, result)
                self.assertLessEqual({"gpu.cycles", "gpu.instructions", "coalescer.answered", "gpu.launches", "dram.reads",
                                      "l1_tlb.lookups", "l1_tlb.misses"}, seen)
                self.assertTrue(any(name.endswith(".walks_started") for name in seen))
                levels = set(result["platform"]["path"].split()) & {name.split(".")[0] for name in result["statistics"]}
                self.assertEqual(levels, {name.split(".")[0] for name in seen} & levels, "a level without columns")
                self.assertEqual({row["cycles"] for row in rows[:-1]}, {"1500"})
                self.assertGreater(int(rows[-1]["cycles"]), 0)
                self.assertEqual(rows[-1]["waves_in_flight"], "0")

    def test_a_hit_rate_over_one_step_is_the_headline(self):
        rows, result = self.series(ATAX, every="1000000000cycles")
        self.assertEqual(len(rows), 1)
        for level in ("l1_tlb", "l2_tlb"):
            self.assertEqual(rows[0][level + "_hit_rate"], "%.6f" % result["headline"][level + "_hit_rate"]["value"])
        self.assertEqual(rows[0]["walk_unit_walk_latency_mean"], "%.6f" % result["headline"]["walk_latency_mean"]["value"])
        self.assertEqual(rows[0]["walk_unit_buffer_mean"],
                         "%.6f" % result["statistics"]["walk_unit.buffer_occupancy"]["mean"])

    def test_a_step_in_counts_ends_with_the_edge_that_reaches_it(self):
        for every, column, most_late in (("700translations", "translations", 64), ("200instructions", "instructions", 64)):
            rows, result = self.series(GEN, every=every)
            self.check(rows, result)
            self.assertGreater(len(rows), 3)
            step, so_far = int(re.match(r"\d+", every)[0]), 0
            for n, row in enumerate(rows[:-1]):
                so_far += int(row[column])
                self.assertLessEqual((n + 1) * step, so_far)
                self.assertLess(so_far, (n + 1) * step + most_late)

    def test_a_window_has_its_own_series(self):
        for measure in ("9000cycles", "2500translations"):
            for every in ("3000cycles", "500translations"):
                with self.subTest(measure=measure, every=every):
                    rows, result = self.series("--warm-up", "1000translations", "--measure", measure, GEN, every=every)
                    self.check(rows, result)
                    window = result["window"]
                    self.assertEqual(int(rows[0]["from_cycle"]), window["warm_up"]["cycles"])
                    self.assertEqual(self.total(rows, "cycles"), window["measured"]["cycles"])
                    self.assertEqual(rows[-1]["walks_in_flight"], str(window["in_flight"]["walks"]["close"]))
                    self.assertGreater(self.total(rows, "cycles"), 0)
        rows, _ = self.series("--warm-up", "1000translations", "--measure", "9000cycles", GEN, every="3000cycles")
        self.assertEqual([row["cycles"] for row in rows], ["3000"] * 3, "no row without time")

    def test_what_is_there_at_an_end_is_what_a_dump_shows_then(self):
        """At each step's end buffer, backlog and walkers have the values of the dump."""
        crowded = ["--set", "walk_unit.buffer_entries=16", "--set", "walk_unit.walkers=4", GEN]
        rows, _ = self.series("--vcd", "run.vcd", "--vcd-blocks", "walk_unit", *crowded, every="777cycles")
        watched = (self.dir / "run.csv").read_bytes()
        self.series(*crowded, every="777cycles")
        self.assertEqual((self.dir / "run.csv").read_bytes(), watched)
        signals = {"buffer": "occupancy", "backlog": "backlog", "busy": "busy"}
        text = (self.dir / "run.vcd").read_text()
        for column, signal in signals.items():
            code = re.search(r"\$var wire \d+ (\S+) %s " % signal, text)[1]
            now, changes = 0, []
            for line in text.split("$enddefinitions $end\n")[1].splitlines():
                if line[0] == "#":
                    now = int(line[1:])
                elif line[0] == "b" and line.split()[1] == code:
                    changes.append((now, int(line.split()[0][1:], 2)))
            for row in rows[:-1]:
                shown = [v for t, v in changes if t <= int(row["to_cycle"]) * 500][-1]
                self.assertEqual(int(row["walk_unit_" + column]), shown, (column, row["to_cycle"]))
            self.assertGreater(max(int(row["walk_unit_" + column]) for row in rows), 1, column)

    def test_results_are_the_same_with_and_without(self):
        for words in ([GEN], ["--warm-up", "1000translations", "--measure", "2000translations", GEN]):
            self.run_it("run", "-q", "-o", "alone", *words)
            alone = (self.dir / "alone" / "stats.json").read_bytes()
            for every in ("977cycles", "300translations", "100instructions", "5groups"):
                self.series(*words, every=every)
                told = (self.dir / "out" / "stats.json").read_bytes()
                self.assertEqual(OWN.sub(b"", told).decode().splitlines(), OWN.sub(b"", alone).decode().splitlines(), every)

    def test_equal_runs_give_equal_files(self):
        self.series(GEN, every="1000cycles")
        first = (self.dir / "run.csv").read_bytes()
        self.series(GEN, every="1000cycles")
        self.assertEqual((self.dir / "run.csv").read_bytes(), first)

    def test_an_interrupted_run_says_partial_in_the_last_line(self):
        self.interrupted("run", "-q", "--series", "cut.csv", "--every", "1000cycles",
                         "gen:uniform,waves=65536,accesses=10000", worked=3)
        lines = (self.dir / "cut.csv").read_text().splitlines()
        self.assertEqual(lines[-1], "# PARTIAL: the run did not reach the end of the trace")
        self.assertGreater(len(lines), 3)
        self.assertTrue(all(line[0] != "#" for line in lines[:-1]))
        self.assertEqual(len({line.count(",") for line in lines[:-1]}), 1)
        self.series(GEN, every="1000cycles")
        self.assertNotIn("PARTIAL", (self.dir / "run.csv").read_text())

    def test_what_is_refused(self):
        for says, *words in (("--every wants --series FILE", "--every", "5cycles", GEN),
                             ("wants a count such as", "--series", "run.csv", "--every", "5 miles", GEN),
                             ("did you mean 'cycles'", "--series", "run.csv", "--every", "5cylces", GEN),
                             ("from 1 to 2^48", "--series", "run.csv", "--every", "0cycles", GEN),
                             ("--series is for one run", "--series", "run.csv", GEN, ATAX),
                             ("--series is for one run", "--series", "run.csv", GEN, "apu-micro18", "apu-micro21"),
                             ("--series: a sampled run", "--series", "run.csv", "--sample=windows=8", GEN),
                             ("--vcd: a sampled run", "--vcd", "run.csv", "--sample=windows=8", GEN),
                             ("want the same file", "--series", "run.csv", "--vcd", "run.csv", GEN),
                             ("want the same file", "--series", "run.csv", "--transactions", "run.csv", GEN),
                             ("--series has an empty value", "--series", "", GEN)):
            with self.subTest(words=words):
                self.assertIn(says, self.run_it("run", "-q", *words, code=1).stderr)
                self.assertFalse((self.dir / "run.csv").exists())
        self.assertIn("there is no folder", self.run_it("run", "-q", "--series", "no/run.csv", GEN, code=4).stderr)
        self.assertIn("--series: /dev/full", self.run_it("run", "-q", "--series", "/dev/full", GEN, code=4).stderr)
        self.run_it("run", "-q", "--series", "run.csv", "--warm-up", "1000000groups", GEN, code=1)
        self.assertFalse((self.dir / "run.csv").exists(), "of a run that ended in its warm-up")

    def test_rows_are_counters_of_the_file_of_translations(self):
        rows, _ = self.series("--transactions", "t.json", ATAX, every="20000cycles")
        told = json.loads((self.dir / "t.json").read_text(), parse_float=str)
        cycle, counters = told["otherData"]["cycle_ps"], {}
        for event in told["traceEvents"]:
            if event["ph"] == "C":
                counters.setdefault(event["name"], {})[round(float(event["ts"]) * 1e6)] = str(event["args"]["value"])
        self.assertEqual(set(counters), {c for c in rows[0] if any(row[c] for row in rows)} - {"from_cycle", "to_cycle", "cycles"})
        for name, of in counters.items():
            self.assertEqual(of, {int(row["from_cycle"]) * cycle: row[name] for row in rows if row[name]}, name)
        self.run_it("run", "-q", "--transactions", "t.json", GEN)
        self.assertNotIn('"ph":"C"', (self.dir / "t.json").read_text())

    def test_a_figure_of_it(self):
        words = ("run", "-q", "--series", "run.csv", "--every", "20000cycles", ATAX, "--series-figure")
        self.assertIn("figure: a.svg", self.run_it(*words, "a.svg").stdout)
        self.run_it(*words, "b.svg")
        picture = (self.dir / "a.svg").read_text()
        self.assertEqual(picture, (self.dir / "b.svg").read_text())
        for text in ("hit rates", "l1_tlb_hit_rate", "translations_in_flight", "dram_reads", "GPU cycles"):
            self.assertIn(f">{text}<", picture)
        self.assertNotIn("page_faults", picture)
        self.run_it(*words, "a.pdf")
        self.assertTrue((self.dir / "a.pdf").read_bytes().startswith(b"%PDF"))
        self.assertIn("wants a name that ends in .svg, .pdf or .png", self.run_it(*words, "a.jpg", code=1).stderr)
        (self.dir / "t.svg").write_bytes(ATAX.read_bytes())
        for more, says in ((("--series", "a.svg", "--series-figure", "a.svg"), "want the same file, a.svg"), (("--series", "s.csv", "--transactions", "t.svg", "--series-figure", "t.svg"), "want the same file"),
                           (("--series", "s.csv", "--csv", "u.svg", "--series-figure", "u.svg"), "--series-figure and --csv want the same file")):
            self.assertIn(says, self.run_it("run", "-q", *more, GEN, code=1).stderr)
        self.assertIn("would overwrite", self.run_it("run", "-q", "--series", "s.csv", "--series-figure", "t.svg", "t.svg", code=1).stderr)
        self.assertEqual((self.dir / "t.svg").read_bytes(), ATAX.read_bytes())
        self.assertIn("there is no folder nodir", self.run_it("run", "-q", "--series", "s.csv", "--series-figure", "nodir/x.svg", GEN, code=4).stderr)
        for option in ("--series", "--vcd", "--transactions"):
            self.assertIn(f"{option} -: is a file here, not standard output", self.run_it("run", "-q", option, "-", GEN, code=1).stderr)
        self.assertIn("--series-figure wants --series FILE", self.run_it("run", "--series-figure", "a.svg", GEN, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
