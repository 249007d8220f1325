#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The report of a study from made-up results: its numbers, ranges and verdicts as JSON, text and Markdown."""
import json
import subprocess
import sys
import unittest

import numpy

from made_runs import STUDIES, MadeStudy, ReportTest

from walkway import reproduce, study


class OneRunTest(ReportTest):
    def test_numbers_of_a_single_run_are_plain(self):
        _, report, _ = self.report("9", changes=["l2_tlb.entries=4"])
        self.assertEqual(report["figures"], [{
            "id": "9", "title": "made up",
            "bars": [{"name": "fast", "values": {"A": 2, "B": 2}, "arithmetic_mean": 2, "geometric_mean": 2}],
            "beside": [{"name": "reads", "values": {"A": 50, "B": 40}, "arithmetic_mean": 45}],
            "claims": [{"text": "mean | of two", "paper": "around 2", "ours": 2, "rule": "within 10 %", "verdict": "matched"},
                       {"text": "B", "paper": "more", "ours": 2, "rule": "over 1.00", "verdict": "matched"}],
            "guard_bands": [{"text": "in it", "ours": 2, "low": 1, "high": 3, "in_band": True},
                            {"text": "not in it", "ours": 2, "low": 0, "high": 1, "in_band": False},
                            {"text": "no end", "ours": 2, "low": 1, "high": None, "in_band": True},
                            {"text": "B", "ours": 2, "low": 1, "high": 3, "in_band": True}]}])
        self.assertEqual((report["missing"], report["study"], report["changes"]), (0, "mine", ["l2_tlb.entries=4"]))
        self.assertEqual(len(report["runs"]), 4)

    def test_text_has_every_number_and_what_the_paper_states(self):
        text, _, _ = self.report("9", changes=["l2_tlb.entries=4"])
        self.assertTrue(text.startswith("""MINE'26, On Nothing, reproduced on apu at --scale full

Changed: l2_tlb.entries=4

   program and size
--------------------------
A  atax 64
B  bfs 8 beside A beside C

4 runs. Speed-ups are ratios of time. matched: the median"""), text)
        self.assertTrue(text.endswith("""
Figure 9: made up

                fast
--------------------
A               2.00
B               2.00
mean            2.00
geometric mean  2.00

Beside it: what explains it

      reads
-----------
A     50.00
B     40.00
mean  45.00

               the paper  ours           matched when
-----------------------------------------------------
mean | of two   around 2  2.00  matched   within 10 %
B                   more  2.00  matched     over 1.00

guard bands, ours  ours          band
------------------------------------------
in it              2.00  1.00 to 3.00   in
not in it          2.00  0.00 to 1.00  OUT
no end             2.00     over 1.00   in
B                  2.00  1.00 to 3.00   in

"""), text)
        for word in ("soft", "WITHOUT RESULT", "median (low", "PARTIAL", "SAMPLED", "perturbation"):
            self.assertNotIn(word, text)

    def test_markdown_has_the_same(self):
        _, _, markdown = self.report("9")
        for part in ("# MINE'26, On Nothing, reproduced on apu at --scale full\n", "## Figure 9: made up\n", "|  | program and size |\n| --- | --- |\n| A | atax 64 |\n",
                     "|  | fast |\n| --- | ---: |\n| A | 2.00 |\n", "| mean \\| of two | around 2 | 2.00 | matched | within 10 % |\n",
                     "| not in it | 2.00 | 0.00 to 1.00 | OUT |\n"):
            self.assertIn(part, markdown)

    def test_titles_say_what_a_figure_is_called(self):
        text, report, _ = self.report("IV", "table-2", "section-6.3.1")
        for title in ("Table IV: on a guess", "Table 2: gains", "Section 6.3.1: wide"):
            self.assertIn("\n" + title + "\n", text)
        self.assertEqual([f["id"] for f in report["figures"]], ["IV", "table-2", "section-6.3.1"])

    def test_softness_is_explained_where_it_is(self):
        text, report, _ = self.report("9", "IV")
        self.assertIn("soft: outside the rule", " ".join(text.split()))
        self.assertEqual(report["figures"][1]["claims"][0]["verdict"], "soft")
        self.assertIn("mean   around 3  2.000  soft   within 10 %\n", text)

    def test_gains_are_of_speedups_alone(self):
        self.cycles.update({("A", "base"): 550, ("B", "base"): 560})
        text, report, _ = self.report("table-2")
        speedup, ratio, number = report["figures"][0]["bars"]
        self.assert_near(speedup["gain_mean_percent"], 20)
        self.assertNotIn("gain_mean_percent", ratio, "a ratio that is no speed-up")
        self.assertNotIn("geometric_mean", number)
        self.assertIn("gains, %, geometric  20.0\n", text)
        self.assertIn("\nmean                 1.25  0.81  45.00\ngeometric mean       1.24  0.81\n", text)

    def test_what_does_not_fit_a_line_follows_below(self):
        text, _, markdown = self.report("section-6.3.1")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        heads = [line for line in text.splitlines() if "a name of 21 letters" in line]
        self.assertEqual([line.count("a name") for line in heads], [3, 3])
        self.assertEqual(text.count("\nmean"), 2)
        self.assertEqual([line.count("a name") for line in markdown.splitlines() if "a name" in line], [6])

    def test_many_bars_are_rows(self):
        text, _, markdown = self.report("rows")
        self.assertIn("                               A      B   mean\n", text)
        self.assertIn("5: a name of 21 letters  1,000.0  800.0  900.0\n", text)
        self.assertIn("| 5: a name of 21 letters | 1,000.0 | 800.0 | 900.0 |\n", markdown)

    def test_missing_results_show_as_missing(self):
        text, report, markdown = self.report("9", "table-2", none=["B fast 0"])
        self.assertIn("PARTIAL: 1 of 4 runs are missing.\n", text)
        self.assertIn("4 runs, 1 WITHOUT RESULT. ", text)
        for part in ("| B | - |\n", "| mean | - |\n", "| B | more | - |  | over 1.00 |\n", "| B | - | 1.00 to 3.00 |  |\n", "| in it | 2.00 | 1.00 to 3.00 | in |\n"):
            self.assertIn(part, markdown)
        made, gains = report["figures"]
        self.assertEqual(report["missing"], 1)
        self.assertEqual(made["bars"][0], {"name": "fast", "values": {"A": 2, "B": None}, "arithmetic_mean": None, "geometric_mean": None})
        self.assertEqual(made["claims"][1], {"text": "B", "paper": "more", "ours": None, "rule": "over 1.00", "verdict": ""})
        self.assertEqual(made["guard_bands"][3], {"text": "B", "ours": None, "low": 1, "high": 3, "in_band": False})
        self.assertIsNone(gains["bars"][0]["gain_mean_percent"])

    def test_without_any_results_all_is_missing(self):
        self.write(self.order("9"))
        self.results.unlink()
        text, report, _ = self.made()
        self.assertIn("4 WITHOUT RESULT", text)
        self.assertEqual(report["figures"][0]["bars"][0]["values"], {"A": None, "B": None})

    def test_a_study_of_no_paper_has_what_is_stated(self):
        own = {"paper": "Curves of my own", "judged_scale": "gate full", "judged": False, "platform_of_all": False}
        text, report, markdown = self.report("9", **own)
        self.assertIn("# Curves of my own at --scale full\n", markdown)
        self.assertIn("|  | stated | ours |\n", markdown)
        self.assertIn("Stated values are those of whole runs of --scale gate or full.", " ".join(text.split()))
        self.assertEqual(report["stated_by"], "")
        self.assertIn("what is stated lies in the range", " ".join(self.report("9", **{**own, "judged": True})[0].split()))
        for word in ("paper", "reproduced"):
            self.assertNotIn(word, text)
        self.assertIn("# Curves of my own on apu at --scale full\n", self.report("9", **{**own, "platform_of_all": True})[2])

    def test_what_is_not_of_whole_runs_at_the_paper_s_sizes_is_not_judged(self):
        """Bands are not judged either, since they apply to the same sizes."""
        for changes in ({}, {"windows": {"B": "--measure 5cycles"}}, {"judged_scale": ""}):
            text, report, _ = self.report("9", "IV", judged=False, **changes)
            for word in ("missed", "matched", "soft", "guard", "within"):
                self.assertNotIn(word, text)
            self.assertEqual("The paper's values are those of whole runs of --scale full." in " ".join(text.split()), "judged_scale" not in changes)
            self.assertEqual("The paper's values" in text, "judged_scale" not in changes)
            self.assertNotIn("guard_bands", report["figures"][0])
            self.assertEqual(report["figures"][0]["claims"][0], {"text": "mean | of two", "paper": "around 2", "ours": 2})
            self.assertIn("mean | of two   around 2  2.00\n", text)

    def test_what_the_numbers_are_not_of_is_said_first(self):
        text, _, markdown = self.report("9", windows={"B": "--measure 5cycles"}, programs_left_out=3, sampled="windows=10", sample_notes=["SAMPLED: A was run whole, too"])
        for part in ("PARTIAL: 2 of the study's 5 programs; means are of those.", "PARTIAL: a window of 1 program, as its line says; docs/use/windows.md.",
                     "SAMPLED: runs by windows of their programs (docs/use/sampling.md)", "SAMPLED: A was run whole, too"):
            for of in (text, markdown):
                self.assertIn(part, of)
                self.assertLess(of.index(part), of.index("program and size"))
        self.assertIn("B  bfs 8 beside A beside C; --measure 5cycles\n", text)
        self.assertIn("PARTIAL: a window of 2 programs, as their lines say; docs/use/windows.md.", self.report("9", windows={"A": "x", "B": "y"})[0])

    def test_a_figure_that_figures_py_lacks_is_refused(self):
        self.write(self.order("9", "10", "V"))
        with self.assertRaises(SystemExit) as refused:
            reproduce.main(str(self.dir), str(self.figures))
        self.assertEqual(refused.exception.code, f"{self.figures}: no figure 10, V in FIGURES, which study.cfg has; there are 9, IV, table-2, section-6.3.1, rows")
        self.assertFalse((self.dir / "reproduce.json").exists())

    def test_it_can_be_made_again_by_hand(self):
        text, report, _ = self.report("9")
        (self.dir / "reproduce.json").unlink()
        call = lambda: subprocess.run([sys.executable, "-I", "-B", reproduce.__file__, self.dir, self.figures], capture_output=True, text=True, check=False)
        done = call()
        self.assertEqual((done.returncode, done.stdout), (0, text), done.stderr)
        self.assertEqual(json.loads((self.dir / "reproduce.json").read_text()), report)
        self.write(self.order("12"))
        refused = call()
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertIn("no figure 12 in FIGURES", refused.stderr.splitlines()[-1])


class SampledTest(ReportTest):
    """A is sampled on both machines, by the same two windows, and B runs whole."""

    def setUp(self):
        super().setUp()
        self.errors = {("A", "base"): ("w", 0.02, "[0.03, 0.04]"), ("A", "fast"): ("w", 0.02, "[0.03, -0.08]")}

    def figure(self, *figures):
        text, report, markdown = self.report(*figures, sampled="windows=2")
        return text, report["figures"][0], markdown

    def test_numbers_have_half_of_their_interval(self):
        text, made, _ = self.figure("9")
        bar, of_a = made["bars"][0], 2 * 0.12 # both are off alike in the first window
        self.assertEqual(set(bar["half_widths"]), {"A", "arithmetic_mean", "geometric_mean"}, "B is exact")
        self.assert_near(bar["half_widths"]["A"], of_a)
        self.assert_near(bar["half_widths"]["arithmetic_mean"], of_a / 2)
        self.assert_near(bar["half_widths"]["geometric_mean"], of_a / 2)
        self.assert_near(made["claims"][0]["half_width"], of_a / 2)
        self.assertNotIn("half_width", made["claims"][1])
        for part in ("A               2.00 +- 0.24\n", "B                       2.00\n", "mean            2.00 +- 0.12\n", "mean | of two   around 2  2.00 +- 0.12  matched   within 10 %\n"):
            self.assertIn(part, text)

    def test_other_windows_err_independently_and_no_half_width_is_less_than_the_least(self):
        self.errors["A", "fast"] = ("v", 0.02, "[0.03, -0.08]")
        self.assert_near(self.figure("9")[1]["bars"][0]["half_widths"]["A"], 2 * (0.05**2 + 0.03**2 + 0.08**2)**0.5)
        self.errors["A", "fast"] = self.errors["A", "base"]
        made = self.figure("9")[1]["bars"][0]
        self.assert_near(made["half_widths"]["A"], 2 * 0.02)
        self.assert_near(made["half_widths"]["arithmetic_mean"], 2 * 0.02)
        self.errors["B", "fast"] = ("w", 0.01, "[0.05, 0.05]") # a program's windows are its own
        self.errors["A", "fast"] = ("w", 0.02, "[0.03, -0.08]")
        self.assert_near(self.figure("9")[1]["bars"][0]["half_widths"]["arithmetic_mean"], (0.24**2 + (2 * 0.05)**2 + (2 * 0.05)**2)**0.5 / 2)

    def test_only_machines_of_the_figure_are_changed(self):
        made = []

        def make(r):
            made.append(r)
            return study.Figure("x", 2, [r.bar("x", "base", lambda run: run["cycles"])])

        error = study.Error("w", 0.02, numpy.array([0.1]))
        runs = {("A", machine): study.Run({"cycles": 100}, {}, {}, error) for machine in ("base", "fast", "other")}
        study.Samples(make, [runs], ["A"], {}, ["base"])
        self.assertEqual(len(made), 4, "as it is, without sampled runs, and base slower and faster")

    def test_the_base_over_itself_is_exact(self):
        self.figures.write_text("from walkway.study import Figure, about\n\n\ndef f(r):\n    bar = r.speedup('x', 'base', 'base')\n"
                                "    return Figure('x', 2, [bar], claims=[('x', about('1', 1), bar['A'])])\n\n\nFIGURES = {'9': f}\n")
        made = self.figure("9")[1]
        self.assertNotIn("half_widths", made["bars"][0])
        self.assertNotIn("half_width", made["claims"][0])

    def judged(self, stated, value="bar['A']"):
        self.figures.write_text("from walkway.study import Figure, about, between, over, under\n\n\ndef f(r):\n    bar = r.speedup('x', 'base', 'fast')\n"
                                f"    return Figure('x', 2, [bar], claims=[('x', {stated}, {value})], guards=[('x', bar['A'], 1.5, 2.3)])\n\n\nFIGURES = {{'9': f}}\n")
        text, made, markdown = self.figure("9")
        verdict = made["claims"][0]["verdict"]
        self.assertIn(f"| {verdict} |", markdown)
        self.assertIn("undecided: the interval", " ".join(text.split()))
        return verdict

    def test_the_whole_interval_is_judged(self):
        """It is 1.76 to 2.24."""
        for stated, verdict in (("about('', 2, 0.13)", "matched"), ("about('', 2, 0.11)", "undecided"), ("over('', 1.7)", "matched"), ("over('', 1.8)", "undecided"),
                                ("over('', 2.3)", "missed"), ("under('', 1.7)", "missed"), ("under('', 2.3)", "matched"), ("about('', 2.2, 0.01)", "undecided"),
                                ("about('', 3, 0.2)", "missed"), ("about('', 2.6, 0.1).soft()", "soft"), ("about('', 2.4, 0.1).soft()", "undecided"),
                                ("about('', 3, 0.1).soft()", "undecided"), ("between('', 4, 5).soft()", "missed"), ("about('', 2, 0.001)", "undecided")):
            self.assertEqual(self.judged(stated), verdict, stated)

    def test_bands_are_for_the_whole_interval(self):
        bands = lambda: [line.split("| ")[-1] for line in self.figure("9")[2].split("| guard bands")[1].splitlines()[2:6]]
        self.assertEqual(bands(), ["in |", "OUT |", "in |", "in |"])
        self.errors["A", "fast"] = ("w", 0.02, "[0.03, -0.8]")
        self.assertEqual(bands(), ["undecided |", "undecided |", "undecided |", "in |"])
        self.assertEqual([band["in_band"] for band in self.figure("9")[1]["guard_bands"]], [False, False, False, True])

    def test_what_is_counted_besides_cycles_is_not_judged(self):
        reads = "r.bar('n', 'fast', lambda run: run['reads'])"
        self.assertEqual(self.judged("about('', 50)", f"{reads}['A']"), "not judged")
        self.assertEqual(self.judged("about('', 45)", f"{reads}.mean()"), "not judged")
        self.assertEqual(self.judged("about('', 40)", f"{reads}['B']"), "matched", "B is not sampled")


class RangesTest(ReportTest):
    """Runs of the machine as it is and of two perturbations: A is 2.0, 2.5 and 1.6 times as fast, B always the same."""

    def setUp(self):
        super().setUp()
        self.repetitions = {("A", "fast", 1): 400, ("A", "fast", 2): 625}
        self.perturbations = ["a + 1", "b - 1"]

    def test_numbers_are_medians_with_ranges(self):
        text, report, markdown = self.report("9", perturbations=self.perturbations)
        made = report["figures"][0]
        bar, beside = made["bars"][0], made["beside"][0]
        self.assertEqual(bar["values"]["A"], {"median": 2, "low": 1.6, "high": 2.5, "runs": 3})
        self.assertEqual(bar["values"]["B"], {"median": 2, "low": 2, "high": 2, "runs": 3})
        self.assertEqual(bar["arithmetic_mean"], {"median": 2, "low": 1.8, "high": 2.25, "runs": 3}) # per perturbation
        self.assert_near(bar["geometric_mean"]["high"], 5**0.5)
        self.assertEqual(beside["values"]["A"], {"median": 50, "low": 40, "high": 62.5, "runs": 3})
        self.assertEqual(made["claims"][0]["ours"], {"median": 2, "low": 1.8, "high": 2.25, "runs": 3})
        self.assertEqual(made["guard_bands"][0]["ours"]["low"], 1.6)
        for part in ("A               2.00 (1.60 ... 2.50)\n", "mean            2.00 (1.80 ... 2.25)\n", "A     50.00 (40.00 ... 62.50)\n",
                     "perturbation 1: a + 1\nperturbation 2: b - 1\n", "12 runs. "):
            self.assertIn(part, text)
        self.assertIn("Each number is a median (low ... high) over the machine as it is and 2 perturbations, alike on all machines.", " ".join(text.split()))
        self.assertIn("- perturbation 2: b - 1\n", markdown)
        self.assertIn("| A | 2.00 (1.60 ... 2.50) |\n", markdown)

    def test_what_the_paper_states_is_matched_in_the_range(self):
        self.cycles["A", "fast"] = 1000
        self.repetitions = {("A", "fast", 1): 1000, ("A", "fast", 2): 500}
        _, report, _ = self.report("9", perturbations=self.perturbations)
        claim = report["figures"][0]["claims"][0]
        self.assertEqual((claim["ours"]["median"], claim["verdict"]), (1.5, "matched"))

    def test_bands_are_for_the_median(self):
        self.cycles["A", "fast"] = 1000
        self.repetitions = {("A", "fast", 1): 250, ("A", "fast", 2): 2000}
        bands = self.report("9", perturbations=self.perturbations)[1]["figures"][0]["guard_bands"]
        self.assertEqual(bands[0]["ours"], {"median": 1, "low": 0.5, "high": 4, "runs": 3})
        self.assertEqual([band["in_band"] for band in bands[:3]], [True, True, True])

    def test_missing_runs_are_left_out_of_a_range(self):
        text, report, _ = self.report("9", perturbations=self.perturbations, none=["A fast 1", "B base 0", "B base 1", "B base 2"])
        bar = report["figures"][0]["bars"][0]
        self.assertEqual(bar["values"], {"A": {"median": 1.8, "low": 1.6, "high": 2, "runs": 2}, "B": {"median": None, "low": None, "high": None, "runs": 0}})
        self.assertEqual(bar["arithmetic_mean"]["runs"], 0)
        self.assertIn("12 runs, 4 WITHOUT RESULT. ", text)
        self.assertIn("A               1.80 (1.60 ... 2.00)\nB                                  -\n", text)


class PaperTest(ReportTest):
    def test_a_paper_s_report(self):
        micro18 = MadeStudy("micro18")
        self.figures = STUDIES / "micro18/figures.py"
        programs = micro18.programs("9")
        self.cycles = {(p, m): 500 if m == "full" else 1000 for p, m in micro18.needed("9")}
        self.repetitions = {("NW", "full", 1): 400, ("NW", "full", 2): 625}
        head = {"groups": micro18.groups, "programs": [{"code": p, "command": p.lower(), "beside": []} for p in programs],
                "figures": [{"id": "9", "programs": programs, "machines": sorted({m for _, m in self.cycles})}]}
        text, report, _ = self.report(perturbations=["a + 1", "b - 1"], **head)
        for part in ("NW              1.00 (1.00 ... 1.00)  2.00 (1.60 ... 2.50)  1.00 (1.00 ... 1.00)\n", "2.00 (1.92 ... 2.10)", "guard bands, ours"):
            self.assertIn(part, text)
        full = report["figures"][0]["bars"][1]
        self.assertEqual(full["values"]["NW"], {"median": 2, "low": 1.6, "high": 2.5, "runs": 3})
        self.assert_near(full["arithmetic_mean"]["low"], 1.92)
        self.assertIn("| NW | 1.00 | - | 1.00 |\n", self.report(none=["NW full 0"], **head)[2])


if __name__ == "__main__":
    unittest.main()
