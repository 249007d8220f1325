#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway report: the page's data equal the results, the page needs no other file, and its sentences name the axis's knee."""
import json
import re
import sqlite3
import unittest

from study_run import StudyTest
from walkway_run import run

REAL = """[study]
text = Which <walker> count & mode?
[workloads]
chase = gen:chase,waves=8,accesses=16
near = gen:neighbourhood,waves=4,accesses=16
[axes]
walk_unit.walkers = 1 2 64 128
walk_unit.coalesce = off full
"""


class ReportTest(StudyTest):
    def setUp(self):
        super().setUp()
        (self.dir / "plotly.js").write_text("const tag = '</script>';")
        self.env["WALKWAY_PLOTLY"] = str(self.dir / "plotly.js")
        self.env.pop("WALKWAY_PLATFORMS")

    def page(self, *words):
        self.run_it("report", "r.db", *words, "-o", "page.html")
        return (self.dir / "page.html").read_text(encoding="utf-8")

    def data(self, *words):
        return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', self.page(*words), re.DOTALL).group(1))

    def test_the_data_are_the_results(self):
        self.sweep(REAL)
        data = self.data()
        self.assertEqual(data["counts"], {"done": 16, "failed": 0, "missing": 0})
        cycles = [m["name"] for m in data["metrics"]].index("cycles")
        self.assertEqual([r["values"][cycles] for r in data["rows"]],
                         [v for v, in self.ask("SELECT value FROM measured m JOIN results r USING (run) WHERE m.name = 'cycles' ORDER BY point")])
        self.assertEqual([(a["name"], a["unit"]) for a in data["axes"]], [("walk_unit.walkers", "walkers"), ("walk_unit.coalesce", "")])
        self.assertEqual(data["axes"][0]["text"], "independent page-table walkers")
        self.assertEqual({r["repetition"] for r in data["rows"]}, {0})
        for row in data["rows"]: # an account sums to the latency
            name = [m["name"] for m in data["metrics"]].index("translation_latency_mean")
            self.assertAlmostEqual(sum(row["account"]), row["values"][name], delta=1e-6 * row["values"][name])
        energy = [m["name"] for m in data["metrics"]].index("energy")
        parts = "SELECT sum(m.value) FROM measured m JOIN results r USING (run) WHERE m.name IN ('arrays.energy', 'energy.walk_reads_actual') GROUP BY point ORDER BY point"
        self.assertEqual([r["values"][energy] for r in data["rows"]], [v for v, in self.ask(parts)])
        self.assertEqual(data["metrics"][energy]["unit"], "pJ")
        self.assertEqual(len(data["histograms"]), 4)
        self.assertIn("conservation laws were checked in 16 runs; all hold", data["laws"])
        checksums = [row[2] for row in data["provenance"][0]["rows"]]
        self.assertEqual(checksums, [c for c, in self.ask("SELECT checksum FROM workloads")])
        self.assertIn("walk_unit.walkers = 1 2 64 128", data["studies"][0]["contents"])

    def test_a_cost_of_the_user_is_a_metric_of_the_page(self):
        self.sweep(REAL)
        names = [m["name"] for m in self.data()["metrics"]]
        self.assertEqual(([n for n in names if n in ("cost", "energy")], names[-1]), (["energy"], "energy"))
        formula = "area + walk_unit.walkers * 0.02"
        data = self.data("--cost", formula)
        self.assertEqual([m for m in data["metrics"] if m["name"] == "cost"], [{"name": "cost", "unit": "", "text": formula}])
        names = [m["name"] for m in data["metrics"]]
        self.assertEqual((names[-1], data["metrics"][-1]["unit"]), ("energy", "pJ"))
        for row in data["rows"]:
            self.assertAlmostEqual(row["values"][names.index("cost")], row["values"][names.index("area")] + 0.02 * int(row["at"][0]), places=9)
        said = self.run_it("report", "r.db", "--cost", "aera * 2", "-o", "other.html", code=1).stderr
        self.assertIn("no metric or parameter 'aera'", said)
        with sqlite3.connect(self.dir / "r.db") as file:
            file.execute("UPDATE runs SET status = 'failed'")
        file.close()
        said = self.run_it("report", "r.db", "--cost", formula, "-o", "other.html", code=2).stderr
        self.assertIn("no run is done: there is nothing to report", said)
        self.assertFalse((self.dir / "other.html").exists())

    def test_what_changed_is_what_compare_says(self):
        self.sweep(REAL)
        first, best = self.data()["pairs"][0]
        machine = lambda key: "apu-micro18:walk_unit.walkers={2},walk_unit.coalesce={3}".format(*key.split(" · "))
        said = run("compare", "-q", "gen:chase,waves=8,accesses=16", machine(first), machine(best), cwd=self.dir, env={**self.env, "COLUMNS": "10000"}).stdout
        why = [w["text"] for w in self.data()["why"] if w["workload"] == "chase"][0]
        compared = said.replace(machine(first), first).replace(machine(best), best)
        lines = [line.strip() for line in why.splitlines()]
        self.assertGreater(len(lines), 3)
        for line in lines:
            self.assertIn(line.split("(")[0].strip(), compared)

    def test_knees(self):
        self.sweep(REAL)
        knees = {(k["workload"], k["axis"]): k["text"] for k in self.data()["knees"]}
        self.assertEqual(len(knees), 4)
        self.assertRegex(knees["chase", "walk_unit.walkers"], r"walk_unit.walkers: at the best point levels off at 64 \(2 to 64: [\d.]+ times as fast; from there to 128: no difference\)")
        self.assertRegex(knees["chase", "walk_unit.walkers"], "Why: from . to .+, .*walk")

    def test_machines_are_an_axis(self):
        self.sweep("[study]\nplatforms = apu-micro18 :walk_unit.walkers=32 mmu-hpca14\n[workloads]\nchase = gen:chase,waves=8,accesses=8\n")
        data = self.data()
        self.assertEqual(data["machines"], ["apu-micro18", "apu-micro18:walk_unit.walkers=32", "mmu-hpca14"])
        said = [k["text"] for k in data["knees"] if k["axis"] == "machine"]
        seconds = [m["name"] for m in data["metrics"]].index("seconds")
        base, other, mmu = (r["values"][seconds] for r in data["rows"])
        self.assertEqual(len(said), 2)
        self.assertIn(f"apu-micro18:walk_unit.walkers=32 is {base / other:.2f} times as fast as apu-micro18, the first one", said[0])
        self.assertIn(f"mmu-hpca14 is {base / mmu:.2f} times as fast as apu-micro18", said[1])
        self.assertEqual(data["machine_values"]["walk_unit.walkers"], {"apu-micro18": "8", "apu-micro18:walk_unit.walkers=32": "32", "mmu-hpca14": "1"})
        differ = [p for p, of in data["machine_values"].items() if of.get("apu-micro18") != of.get("apu-micro18:walk_unit.walkers=32")]
        self.assertEqual(differ, ["walk_unit.walkers"], "one factor")
        self.assertEqual([p[0] for p in data["pairs"]], ["chase · apu-micro18"] * 2)
        self.assertTrue(all(p[0] != p[1] for p in data["pairs"]), "nothing beside itself")
        self.assertEqual(len(data["why"]), 2)

    def test_a_knee_where_the_working_set_fits(self):
        self.sweep("[workloads]\nround = gen:stride,waves=1,accesses=200,footprint=2457600\n[axes]\nl2_tlb.entries,l2_tlb.ways = 256,256 512,512 1024,1024\n")
        knee, = [k["text"] for k in self.data()["knees"]]
        self.assertIn("Why: between 512 and 1,024 entries of the L2 TLB the working set of 600 pages of a cyclic pattern fits (misses 100.0 -> 4.7 % of lookups); "
                      "from 512,512 to 1024,1024, misses of the L2 TLB", knee)

    def test_energy_of_which_no_run_has_both_parts_is_no_metric(self):
        self.sweep(REAL)
        part = "DELETE FROM run_statistics WHERE run % 2 = ? AND statistic = (SELECT id FROM statistics WHERE name = ?)"
        for some, whole in ((0, True), (1, False)):
            with sqlite3.connect(self.dir / "r.db") as file:
                file.execute(part, (some, ("arrays.energy", "energy.walk_reads_actual")[some]))
            self.assertEqual("energy" in [m["name"] for m in self.data()["metrics"]], whole, "of half of the runs" if whole else "of none")

    def test_where_in_the_program(self):
        by = REAL.replace("text", "by = kernel buffer instruction\ntext")
        self.sweep(REAL)
        self.assertEqual(self.data()["places"], [], "not asked for")
        self.sweep(by) # its keys differ, so that all runs are made
        data = self.data()
        shown = {p["key"]: p["tables"] for p in data["places"]}
        first, best = next((first, best) for first, best in data["pairs"] if first in shown)
        self.assertEqual(len(shown), 4)
        self.assertEqual(set(shown[best]), {"kernels", "buffers", "instructions"})
        machine = "apu-micro18:walk_unit.walkers={2},walk_unit.coalesce={3}".format(*best.split(" · "))
        self.run_it("run", "-q", "-p", machine, "--by-kernel", "--by-buffer", "--by-instruction", "-o", "one", "gen:chase,waves=8,accesses=16")
        stats = json.loads((self.dir / "one/stats.json").read_text())
        for kind, place in (("buffers", stats["buffers"][0]["counted"]), ("instructions", stats["instructions"][0]["counted"]),
                            ("kernels", {n: s.get("value") for n, s in stats["kernels"][0]["statistics"].items()})):
            row = dict(zip(shown[best][kind]["head"], shown[best][kind]["rows"][0]))
            self.assertEqual([row[h] for h in ("translations", "L2 TLB misses", "walks", "cycles")],
                             [f"{place[n]:,}" for n in ("coalescer.answered", "l2_tlb.misses", "walk_unit.walks_started", "account.translation_cycles")], kind)
        self.assertEqual(shown[best]["kernels"]["rows"][0][0], "chase")
        self.assertEqual(self.ask("SELECT count(*) FROM places")[0][0], 3 * 16)
        self.sweep(by.replace("kernel buffer instruction", "instruction kernel buffer kernel"))
        self.assertEqual(self.ask("SELECT count(*) FROM runs")[0][0], 2 * 16, "the same runs")

    def test_a_page_that_stands_alone(self):
        self.sweep(REAL)
        page = self.page()
        self.assertIn("default-src 'none'", page)
        self.assertEqual(page.count("</script>"), 4) # data, figures, plotly, drawing
        self.assertIn(r"const tag = '<\/script>';", page)
        self.assertNotIn("<walker>", page)
        self.assertNotIn("@DATA@", page)
        self.assertFalse(re.search(r'(src|href)\s*=\s*"', page))
        self.assertEqual(self.data()["studies"][0]["question"], "Which <walker> count & mode?")

    def test_a_paper_s_figures(self):
        self.run_it("reproduce", "hpca14", "--figures", "6,8", "--kept", "-o", "r", "--report", "page.html")
        page = (self.dir / "page.html").read_text(encoding="utf-8")
        self.assertIn("default-src 'none'", page)
        self.assertEqual(page.count("</script>"), 3)
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL).group(1))
        self.assertEqual(data, json.loads((self.dir / "r/reproduce.json").read_text()))
        self.assertEqual([f["id"] for f in data["figures"]], ["6", "8"])
        self.assertGreater(data["missing"], 0) # the page says PARTIAL
        self.assertEqual([t["program"] for t in data["traces"]], [p["code"] for p in data["programs"]])
        self.assertIn("would overwrite the drawing library",
                      self.run_it("reproduce", "hpca14", "--kept", "-o", "r", "--report", "plotly.js", code=1).stderr)
        self.env["WALKWAY_PLOTLY"] = "none.js"
        self.assertIn("install python3-plotly", self.run_it("reproduce", "hpca14", "--kept", "-o", "q", "--report", "p", code=2).stderr)
        self.assertFalse((self.dir / "q").exists())

    def test_what_was_not_recorded_is_not_shown(self):
        self.sweep(REAL.replace("text", "record = walk_unit.pte_reads\ntext"))
        data = self.data()
        self.assertTrue(all(r.get("account") is None for r in data["rows"]))
        self.assertEqual([len(w["text"].splitlines()) for w in data["why"]], [1, 1], "how much faster, and no cause")
        self.assertTrue(all("Why" not in k["text"] for k in data["knees"]))

    def test_bad_calls(self):
        self.sweep(REAL)
        for words, says, code in ((("r.db",), "--output names the page", 1), (("r.db", "-o", "r.db"), "would overwrite the results", 1), (("none.db", "-o", "p"), "no such file of results", 2),
                                  (("r.db", "-o", "plotly.js"), "would overwrite the drawing library", 1)):
            self.assertIn(says, self.run_it("report", *words, code=code).stderr)
        self.env["WALKWAY_PLOTLY"] = "none.js"
        self.assertIn("install python3-plotly", self.run_it("report", "r.db", "-o", "p", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
