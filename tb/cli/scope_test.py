#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Parts of a trace and windows of a run, from the command line: what is selected, what the result states, what is refused."""
import json
import pathlib
import os
import unittest

import jsonschema

from walkway_run import RunTest

SCHEMA = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "stats.schema.json").read_text())
ATAX = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "waveforms" / "atax-512.wkt" # two kernels of 8 work-groups
GEN = "gen:uniform,waves=48,accesses=20,kernels=3,lanes=8"
TOTALS = ("groups", "waves", "compute")


class ScopeTest(RunTest):
    def info(self, *words):
        return json.loads(self.run_it("trace", "info", "--json", *words).stdout)

    def result(self, *words):
        self.run_it("run", "-q", "-o", "out", *words)
        result = json.loads((self.dir / "out" / "stats.json").read_text())
        jsonschema.validate(result, SCHEMA)
        self.assertTrue(all(law["holds"] for law in result["laws"]))
        return result

    def refused(self, says, *words, code=1):
        self.assertIn(says, self.run_it(*words, code=code).stderr)


class InterruptedTest(ScopeTest):
    def test_an_interrupted_run_says_how_far_it_came_and_that_no_law_applies(self):
        for window in ((), ("--warm-up", "1000000000instructions"), ("--measure", "1000000000instructions")):
            with self.subTest(window=window):
                text = self.interrupted("run", "-q", "-o", "cut", *window,
                                        "gen:uniform,waves=65536,accesses=10000", worked=3)
                self.assertIn("PARTIAL", text)
                self.assertNotIn("BROKEN", text)
                result = json.loads((self.dir / "cut" / "stats.json").read_text())
                jsonschema.validate(result, SCHEMA)
                self.assertEqual(result["end"], "stopped")
                self.assertEqual([law for law in result["laws"] if law.get("applies", True) or not law["holds"]], [])
                if "--warm-up" not in window: # a window that does not open counts nothing
                    self.assertGreater(result["statistics"]["gpu.cycles"]["value"], 1000)
                    self.assertEqual(result["headline"]["cycles"]["value"],
                                     result["statistics"]["gpu.cycles"]["value"])
                    self.assertGreater(result["statistics"]["gpu.instructions"]["value"], 0)
                    answered = result["statistics"]["coalescer.answered"]["value"] # some requests are still in flight
                    self.assertAlmostEqual(result["headline"]["translation_latency_mean"]["value"],
                                           result["statistics"]["account.translation_cycles"]["value"] / answered, places=6)
                    self.assertLess(answered, result["statistics"]["coalescer.translations"]["value"])


class PartTest(ScopeTest):
    def groups(self, *words):
        """Returns (launch, group) in the whole trace of every work-group shown."""
        lines = self.run_it("trace", "cat", "--limit", "100000", *words).stdout.splitlines()
        heads = [line.split() for line in lines if line.startswith("launch ")]
        return [(int(head[1]), int(head[-1])) for head in heads]

    def test_kernels_by_number_range_and_name(self):
        whole = self.info(ATAX)
        names = [launch["kernel"] for launch in whole["launches"]]
        self.assertEqual(len(names), 2)
        for chosen, launches in (("0", [0]), ("1", [1]), ("0-1", [0, 1]), ("1-", [1]), ("0,1", [0, 1]), ("*", [0, 1]),
                                 (names[1], [1]), ("atax_*", [0, 1]), ("????_rows", [0]), (f"0,{names[1]}", [0, 1])):
            part = self.info("--kernels", chosen, ATAX)
            self.assertEqual([launch["kernel"] for launch in part["launches"]], [names[n] for n in launches], chosen)
            self.assertEqual(part["buffers"] if len(launches) == 2 else len(part["buffers"]),
                             whole["buffers"] if len(launches) == 2 else len(whole["buffers"]))
        parts = [self.info("--kernels", n, ATAX)["totals"] for n in "01"]
        for key in TOTALS:
            self.assertEqual(sum(part[key] for part in parts), whole["totals"][key])
        self.assertIn("launch 1 (", self.run_it("trace", "cat", "--kernels", "1", "--limit", "1", ATAX).stdout)

    def test_groups_by_range_and_sample(self):
        def one(*numbers):
            return [(launch, n) for launch in range(3) for n in numbers]
        for chosen, numbers in (("0-2", (0, 1, 2)), ("45-", (45, 46, 47)), ("7", (7,)), ("3,1-2,2", (1, 2, 3)),
                                ("40-1000", range(40, 48)), ("sample:1/16", (0, 16, 32)), ("sample:1/1", range(48)),
                                ("sample:1/100", (0,))):
            self.assertEqual(self.groups("--groups", chosen, GEN), one(*numbers), chosen)
        drawn = self.groups("--groups", "sample:1/16,3", GEN)
        self.assertEqual([(launch, n // 16) for launch, n in drawn], [(l, b) for l in range(3) for b in range(3)])
        self.assertEqual(drawn, self.groups("--groups", "sample:1/16,3", GEN))
        self.assertNotEqual(drawn, self.groups("--groups", "sample:1/16,4", GEN))
        self.assertEqual(self.groups("--kernels", "2", "--groups", "5", GEN), [(2, 5)])

    def test_a_part_runs_as_its_own_trace_would(self):
        part = self.result("--kernels", "1", "--groups", "2-5", ATAX)
        self.assertEqual(part["trace"]["part"], {"kernels": "1", "groups": "2-5"})
        self.assertEqual(part["statistics"]["gpu.groups"]["value"], 4)
        self.run_it("trace", "save", "-o", "part.wkt", "--kernels", "1", "--groups", "2-5", ATAX)
        self.run_it("trace", "check", "part.wkt")
        alone = self.result("part.wkt")
        self.assertEqual(part["statistics"], alone["statistics"])
        self.assertEqual(part["headline"], alone["headline"])
        out = self.run_it("compare", "-q", "-o", "c", "--groups", "0", ATAX, "apu-micro18", ":walk_unit.walkers=1").stdout
        self.assertIn("speed-up", out)
        for folder in (self.dir / "c").glob("*/stats.json"):
            self.assertEqual(json.loads(folder.read_text())["trace"]["part"], {"groups": "0"})
        self.assertIn("PARTIAL: 2 of 16 work-groups, 2 of 2 launches (--groups 0)\n", out)
        self.run_it("run", "-q", "-o", "two", "--groups", "0", ATAX, GEN)
        for folder in (self.dir / "two").glob("*/stats.json"):
            self.assertEqual(json.loads(folder.read_text())["trace"]["part"], {"groups": "0"})

    def test_a_result_says_of_how_much_a_part_ran(self):
        self.assertNotIn("PARTIAL", self.run_it("run", "-q", ATAX).stdout)
        whole = self.result(ATAX)["trace"]
        self.assertEqual(whole["extent"], {"groups": 16, "groups_of": 16, "launches": 2, "launches_of": 2})
        self.assertEqual((whole["saved_part"], whole["lanes_left_out"]), (False, 0))
        part = ("--kernels", "1", "--groups", "2-5")
        of = {"groups": 4, "groups_of": 16, "launches": 1, "launches_of": 2}
        self.assertEqual(self.result(*part, ATAX)["trace"]["extent"], of)
        says = "PARTIAL: 4 of 16 work-groups, 1 of 2 launches (--kernels 1 --groups 2-5)\n"
        for words in (("run", "-q", *part, ATAX), ("trace", "info", *part, ATAX), ("trace", "check", *part, ATAX),
                      ("compare", "-q", *part, ATAX, "apu-micro18", ":walk_unit.walkers=1")):
            self.assertEqual(self.run_it(*words).stdout.count(says), 1, words)
        self.assertIn("(--skip 3groups)", self.run_it("run", "-q", "--skip", "3groups", ATAX).stdout)
        self.assertEqual((self.info(*part, ATAX)["extent"], self.info(*part, ATAX)["part"]),
                         (of, {"kernels": "1", "groups": "2-5"}))
        self.run_it("trace", "save", "-o", "part.wkt", *part, ATAX)
        self.assertEqual((self.info("part.wkt")["extent"], self.info("part.wkt")["saved_part"]), (of, True))
        says = "PARTIAL: 4 of 16 work-groups, 1 of 2 launches (a part of a trace, saved)\n"
        for words in (("run", "-q", "part.wkt"), ("trace", "info", "part.wkt"), ("trace", "check", "part.wkt")):
            self.assertIn(says, self.run_it(*words).stdout, words)
        self.run_it("trace", "save", "-o", "all.wkt", "--groups", "0-", ATAX)
        self.assertFalse(self.info("all.wkt")["saved_part"])
        self.assertIn(": whole.", self.run_it("trace", "check", "all.wkt").stdout)

    def test_what_selects_nothing_names_what_there_is(self):
        self.refused("there are 0-2 uniform", "run", "-q", "--kernels", "3", GEN)
        self.refused("'uniforn' is no kernel of this trace (did you mean 'uniform'?)", "trace", "info", "--kernels",
                     "uniforn", GEN)
        for wrong in ("2-1", "0-3", "x*", "0,,1", "-1"):
            self.refused("is no kernel", "trace", "info", "--kernels", wrong, GEN)
        self.refused("no work-group of the chosen kernels, which have up to 48", "trace", "info", "--groups", "48-", GEN)
        self.refused("--groups 500-600: no work-group of the chosen kernels, which have up to 8", "trace", "info", "--groups", "0-3,500-600", ATAX)
        self.refused("--groups 8: no work-group of", "trace", "info", "--groups", "8,0", ATAX)
        for wrong in ("a", "1-a", "5-4", "sample:1/0", "sample:2/3", "sample:1/3,", "sample:1/3,1,1", "1,"):
            self.refused("wants numbers and ranges", "trace", "info", "--groups", wrong, GEN)
        self.refused("has an empty value", "run", "--kernels", "", GEN)


class WindowTest(ScopeTest):
    def test_skipping_leaves_out_whole_groups_in_the_order_of_dispatch(self):
        whole = self.result(GEN)
        self.assertNotIn("window", whole)
        each = 20 * 5 # instructions per work-group
        for asked, groups in (("50groups", 50), (f"{each * 3 + 99}instructions", 3), (f"{each * 144 - 1}instructions", 143),
                              (f"{each - 1}instructions", 0)):
            result = self.result("--skip", asked, GEN)
            self.assertEqual(result["statistics"]["gpu.groups"]["value"], 144 - groups)
            skipped = {"asked": asked, "groups": groups}
            if "instructions" in asked:
                skipped["instructions"] = groups * each
            self.assertEqual(result["window"], {"skipped": skipped})
        self.refused("nothing is left; the trace has 144 work-groups", "run", "-q", "--skip", "144groups", GEN)
        self.refused("nothing is left", "run", "-q", "--skip", f"{each * 144}instructions", GEN)

    def test_a_result_states_its_window(self):
        whole = self.result(GEN)
        a = self.result("--measure", "20000cycles", GEN)
        b = self.result("--warm-up", "20000cycles", "--measure", "30000cycle", GEN)
        c = self.result("--warm-up", "50000cycles", GEN)
        self.assertEqual([r["end"] for r in (a, b, c)], ["measured", "measured", "complete"])
        self.assertFalse(any(r["partial"] for r in (a, b, c)))
        self.assertEqual(b["window"]["warm_up"]["cycles"], 20000)
        self.assertEqual(b["window"]["measured"]["cycles"], 30000)
        self.assertEqual(b["headline"]["cycles"]["value"], 30000)
        self.assertTrue(b["window"]["measured"]["full"])
        self.assertEqual(c["window"]["measured"].get("full"), False)
        for r in (a, b, c):
            for name in ("instructions", "translations"):
                self.assertEqual(r["window"]["measured"][name], r["headline"][name]["value"])
        self.assertEqual(a["window"]["in_flight"]["translations"]["close"],
                         b["window"]["in_flight"]["translations"]["open"])
        for name, entry in whole["statistics"].items():
            if name in ("walk_unit.backlog_peak", "model.pages", "model.table_nodes"):
                continue
            if name.startswith("arrays.") and entry["unit"] not in ("count", "pJ"):
                continue  # an array's geometry, energy per access, or area
            for field in ("value", "count", "sum"):
                if field in entry:
                    self.assertEqual(sum(r["statistics"][name][field] for r in (a, b, c)), entry[field], name)
        rate = b["headline"]["l2_tlb_hit_rate"]["value"]
        s = b["statistics"]
        self.assertEqual(rate, s["l2_tlb.hits"]["value"] / s["l2_tlb.lookups"]["value"])

    def test_everything_measured_is_the_run_without_options(self):
        whole, all_of_it = self.result(ATAX), self.result("--measure", "1Giinstructions", ATAX)
        for member in whole:
            if member != "laws":
                self.assertEqual(whole[member], all_of_it[member], member)
        self.assertEqual(whole["laws"], all_of_it["laws"][:len(whole["laws"])])
        text = self.run_it("run", "-q", "--warm-up", "5groups", "--measure", "3groups", ATAX).stdout
        self.assertIn("warm-up: ", text)
        self.assertIn("measured: ", text)

    def test_windows_with_other_options(self):
        b = self.result("--kernels", "1", "--skip", "2groups", "--warm-up", "1groups", "--measure", "2groups", ATAX)
        self.assertEqual(b["window"]["skipped"]["groups"], 2)
        self.assertGreaterEqual(b["window"]["measured"]["groups"], 2)
        out = self.run_it("compare", "-q", "--warm-up", "2groups", "--measure", "500translations", ATAX, "apu-micro18",
                          ":walk_unit.coalesce=full").stdout
        self.assertIn("speed-up", out)
        plain = self.result("--measure", "9000cycles", ATAX)
        traced = self.result("--measure", "9000cycles", "--vcd", "w.vcd", "--transactions", "t.json", ATAX)
        self.assertEqual(plain["headline"], traced["headline"])

    def test_what_is_wrong_is_said(self):
        for option in ("skip", "warm-up", "measure"):
            for wrong in ("5", "groups", "", "5.5groups", "-1groups"):
                self.refused(f"--{option} ", "run", "-q", f"--{option}={wrong}", GEN)
            self.refused("did you mean 'cycles'?", "run", "-q", f"--{option}", "10cicles", GEN)
            self.refused("from 1 to 2^48", "run", "-q", f"--{option}", "0groups", GEN)
        self.refused("for cycles and translations there is --warm-up", "run", "-q", "--skip", "10cycles", GEN)
        self.refused("--warm-up 1Gicycles: the run ended before, after", "run", "-q", "--warm-up", "1Gicycles", GEN)

    def test_an_interrupted_window_is_partial(self):
        long = "gen:uniform,waves=40000,accesses=100"
        for words in (["--measure", "1Gicycles"], ["--warm-up", "1Gicycles"]):
            self.interrupted("run", "-q", "-o", "cut", *words, long, worked=0.7)
            result = json.loads((self.dir / "cut" / "stats.json").read_text())
            jsonschema.validate(result, SCHEMA)
            self.assertTrue(result["partial"])
            self.assertEqual(result["end"], "stopped")
            self.assertEqual(result["window"]["measured"]["cycles"] == 0, "--warm-up" in words)
            self.assertEqual(result["headline"]["cycles"]["value"], result["window"]["measured"]["cycles"])


if __name__ == "__main__":
    unittest.main()
