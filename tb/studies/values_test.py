#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Parts of figures: missing values stay missing, means are what they claim to be, and a paper's value is matched by rule or by range."""
import math
import unittest

import numpy
from made_runs import FiguresTest, ReportTest, histogram, made_run, write_results

from walkway import study
from walkway.study import NO_RUN, NONE, Bar, Results, Spread, about, between, over, under

GROUPS = {"some": ["A", "B"], "others": ["C"], "none": []}


def spread(*values):
    return Spread.over(values)


class RunTest(FiguresTest):
    def setUp(self):
        self.run_of = made_run({"cycles": 200, "hits": 3, "lookups": 4, "nothing": 0}, {"latency": histogram({1: 5, 8: 3, 64: 2})},
                               {"gpu.cus": 16, "walk_unit.coalesce": "off", "gpu.clock_ps": 500})

    def test_numbers_are_those_measured(self):
        self.assertEqual(self.run_of["hits"], 3)
        self.assertEqual(self.run_of.share("hits", "lookups"), 0.75)
        self.assertEqual(self.run_of.setting("gpu.cus"), 16)
        self.assertEqual([self.run_of.of("latency", field) for field in ("count", "sum", "min", "max", "mean")], [10, 157, 1, 64, 15.7])

    def test_what_is_not_there_is_no_number(self):
        for value in (self.run_of["misses"], self.run_of.share("hits", "misses"), self.run_of.share("misses", "lookups"),
                      self.run_of.share("hits", "nothing"), self.run_of.of("gap", "mean"), self.run_of.below("gap", 9),
                      self.run_of.setting("gpu.waves"), self.run_of.setting("walk_unit.coalesce"), NO_RUN.time(), NO_RUN["cycles"]):
            self.assert_absent(value)

    def test_no_operation_ends_the_report(self):
        self.assertEqual(self.run_of["hits"] / self.run_of["nothing"], math.inf)
        self.assert_absent(self.run_of["nothing"] / self.run_of["nothing"])

    def test_values_below_are_those_of_whole_buckets(self):
        self.assertEqual([self.run_of.below("latency", edge) for edge in (1, 2, 8, 9, 1000)], [0, 5, 5, 8, 10])

    def test_time_is_cycles_of_the_machine_s_clock(self):
        self.assertEqual(self.run_of.time(), 200 * 500)
        self.assertEqual(made_run({"cycles": 200}).time(), 200)


class MeansTest(FiguresTest):
    def test_means_pass_missing_values_on(self):
        self.assertEqual(study.mean([1, 2, 6]), 3)
        self.assert_near(study.geometric([1, 2, 4]), 2)
        for of in (study.mean, study.geometric, study.gains):
            self.assert_absent(of([1, NONE]))
            self.assert_absent(of([]))

    def test_gains_are_averaged_in_percent_with_a_floor(self):
        self.assert_near(study.gains([1.1, 1.4]), 20)
        self.assert_near(study.gains([1.1, 0.9]), 1) # 10 and 0.1
        self.assert_near(study.gains([1.1, 1.0005]), 1) # under a tenth of a percent counts as a tenth
        self.assert_near(study.gains([1.1, 1.001]), 1)
        self.assert_near(study.gains([1.1, 1.004]), 2)
        self.assert_absent(study.gains([1.1, NONE]))

    def test_least_and_most_pass_missing_values_on(self):
        self.assertEqual((study.least([2.0, 1.0, 3.0]), study.most([2.0, 1.0, 3.0])), (1, 3))
        self.assertEqual((study.least([]), study.most([])), (math.inf, -math.inf))
        for of in (study.least, study.most):
            self.assert_absent(of([2.0, NONE, 3.0]))
            self.assert_absent(of(iter([NONE, 3.0])))


class ResultsTest(FiguresTest):
    def setUp(self):
        run = lambda cycles, clock=1: made_run({"cycles": cycles, "reads": cycles / 10, "misses": 7 * (cycles == 50)}, {}, {"gpu.clock_ps": clock})
        self.runs = {("A", "base"): run(100), ("A", "fast"): run(50), ("B", "base"): run(100), ("B", "fast"): run(100, 0.25), ("C", "base"): run(8)}
        self.results = Results(self.runs, ["A", "B", "C"], GROUPS)

    def test_a_speedup_is_of_time_whatever_the_clocks(self):
        bar = self.results.speedup("fast", "base", "fast")
        self.assertEqual((bar.name, bar["A"], bar["B"], bar.ratio, bar.speedup), ("fast", 2, 4, True, True))
        self.assert_absent(bar["C"])
        self.assert_absent(bar["D"])
        self.assertFalse(self.results.speedup("share", "base", "fast", speedup=False).speedup)

    def test_a_statistic_is_over_that_of_the_base(self):
        bar = self.results.over("reads", "base", "fast", "reads")
        self.assertEqual((bar["A"], bar["B"], bar.ratio, bar.speedup), (0.5, 1, True, False))
        self.assert_absent(self.results.over("misses", "base", "fast", "misses")["A"])
        self.assertFalse(self.results.over("reads", "base", "fast", "reads", ratio=False).ratio)

    def test_means_are_of_groups_or_of_all(self):
        bar = self.results.bar("cycles", "base", lambda run: run["cycles"])
        self.assertEqual((bar.mean("some"), bar.mean("others"), bar.mean("some", "others")), (100, 8, 208 / 3))
        self.assertEqual(bar.mean(), 208 / 3)
        self.assertEqual(bar.of("others"), [8])
        self.assert_absent(bar.mean("none"))
        self.assertFalse(bar.ratio)
        speedup = self.results.speedup("fast", "base", "fast")
        self.assert_near(speedup.gains("some"), math.sqrt(100 * 300))
        self.assert_absent(speedup.gains())
        self.assert_absent(speedup.geometric())
        self.assert_near(Bar("ratio", {"A": 2, "B": 8}, GROUPS).geometric(), 4)

    def test_a_figure_shows_its_programs_only(self):
        some = Results(self.runs, ["B", "C"], GROUPS)
        self.assertEqual(list(some.speedup("fast", "base", "fast").values), ["B", "C"])
        self.assertEqual((some.group("some"), some.group("others")), (["B"], ["C"]))
        self.assertEqual(some.of_programs("letter", ord).values, {"B": 66, "C": 67})


class StatedTest(unittest.TestCase):
    def test_a_verdict_is_by_a_tenth_or_by_our_range(self):
        paper = about("around 1.7", 1.7)
        for values, expected in (((1.54,), "matched"), ((1.52,), "missed"), ((1.88,), "missed"), ((1.4, 1.4, 1.71), "matched"), # in the range
                                 ((1.4, 1.4, 1.7), "matched"), ((1.4, 1.4, 1.69), "missed"), ((1.7, 2.2, 2.2), "matched"), ((), ""), ((NONE,), "")):
            self.assertEqual(paper.verdict(spread(*values)), expected, values)
        paper = between("3 to 4", 3, 4)
        for value, expected in ((2.7, "matched"), (2.69, "missed"), (4.4, "matched"), (4.41, "missed")):
            self.assertEqual(paper.verdict(spread(value)), expected, value)
        self.assertEqual(about("a loss", -10).verdict(spread(-10.9)), "matched")
        self.assertEqual(about("a loss", -10).verdict(spread(-8.9)), "missed")

    def test_without_tolerance_the_median_has_to_satisfy_it(self):
        """A range does not change the verdict of the median."""
        for paper, values, expected in ((over("more", 1), (1,), "matched"), (over("more", 1), (0.999,), "missed"),
                                        (over("more", 1), (0.9, 0.99, 1.2), "missed"), (over("more", 1), (0.8, 0.9, 1), "missed"),
                                        (over("more", 1), (0.8, 1, 1.1), "matched"), (under("less", 1), (0.99,), "matched"),
                                        (under("less", 1), (1,), "matched"), (under("less", 1), (1, 1.1, 1.2), "missed"),
                                        (between("equal", 0.4, 0.6, 0), (0.6,), "matched"), (between("equal", 0.4, 0.6, 0), (0.61,), "missed"),
                                        (between("equal", 0.4, 0.6, 0), (0.5, 0.7, 0.8), "missed"), (about("four", 4, 0), (4,), "matched"),
                                        (about("four", 4, 0), (4.001,), "missed")):
            self.assertEqual(paper.verdict(spread(*values)), expected, (paper.text, values))

    def test_soft_is_what_hangs_on_what_the_paper_does_not_give(self):
        paper = about("around 1.7", 1.7)
        self.assertEqual([paper.soft().verdict(spread(value)) for value in (1.52, 1.54, NONE)], ["soft", "matched", ""])
        self.assertEqual(over("more", 1).soft().verdict(spread(0.9)), "soft")

    def test_soft_has_a_band_of_a_third_and_is_missed_beyond(self):
        share = about("-72.9 %", 0.271).soft()
        self.assertEqual([share.verdict(spread(value)) for value in (0.455, 0.362, 0.36, 0.29, 0.19, 0.18)],
                         ["missed", "missed", "soft", "matched", "soft", "missed"])
        self.assertEqual(share.verdict(spread(0.2, 0.455, 0.5)), "matched") # the stated value is in the range
        self.assertEqual([under("no gain", 1.02).soft().verdict(spread(value)) for value in (1.3, 1.4)], ["soft", "missed"])
        self.assertEqual([about("a loss", -10).soft().verdict(spread(value)) for value in (-13, -14)], ["soft", "missed"])

    def test_what_is_spared_is_within_shares_of_the_smaller_part(self):
        for share, cases in ((0.041, ((0.959, "matched"), (0.956, "matched"), (0.954, "soft"), (0.972, "soft"), (0.973, "missed"), (0.763, "missed"), (1, "missed"))),
                             (0.729, ((0.296, "matched"), (0.3, "soft"), (0.36, "soft"), (0.362, "missed"), (0.455, "missed"), (0.18, "missed")))):
            for left, expected in cases:
                self.assertEqual(study.spared(share).soft().verdict(spread(left)), expected, (share, left))
        self.assertEqual((study.spared(0.041).verdict(spread(0.954)), study.spared(0.5, 0.2).verdict(spread(0.41))), ("missed", "matched"))
        self.assertEqual((study.spared(0.041).text, study.spared(0.041).rule()), ("-4.1 %", "0.955 to 0.963"))

    def test_soft_says_what_of_the_paper_it_is(self):
        paper = about("around 1.7", 1.7)
        self.assertEqual((paper.is_soft, paper.soft().is_soft, paper.soft().rule()), (False, True, "within 10 %"))

    def test_rules_are_said(self):
        for paper, expected in ((about("", 1.7), "within 10 %"), (between("", 3, 4, 0.05), "within 5 %"),
                                (over("", 1), "over 1.00"), (over("", 1000), "over 1,000.00"), (under("", 0.5), "under 0.50"),
                                (between("", 0.4, 0.6, 0), "0.40 to 0.60"), (about("", 4, 0), "4.00 to 4.00")):
            self.assertEqual(paper.rule(), expected)


class SpreadTest(FiguresTest):
    def test_it_is_median_and_range_of_the_runs_there_are(self):
        self.assertEqual(spread(3, 1, NONE, 2, math.inf), Spread(2, 1, 3, 3))
        self.assertEqual(spread(4, 1, 2, 3), Spread(2.5, 1, 4, 4))
        self.assertEqual(spread(numpy.float64(7)), Spread(7, 7, 7, 1))
        self.assertEqual(spread(NONE).runs, 0)
        for number in (spread().median, spread().low, spread().high):
            self.assert_absent(number)

    def test_it_is_a_number_with_its_range_if_there_is_one(self):
        for values, decimals, text in (((3, 1, NONE, 2), 2, "2.00 (1.00 ... 3.00)"), ((1.5,), 2, "1.50"), ((1.5, NONE), 2, "1.50"), ((NONE,), 2, "-"),
                                       ((12345.6,), 1, "12,345.6"), ((-1234.5,), 0, "-1,234"), ((2, 2), 0, "2 (2 ... 2)")):
            self.assertEqual(spread(*values).text(decimals), text)

    def test_of_a_single_run_its_json_is_a_number(self):
        self.assertEqual(spread(1.5).json(1), 1.5)
        self.assertIsNone(spread(NONE).json(1))
        self.assertEqual(spread(4, 1, 2, 3).json(4), {"median": 2.5, "low": 1, "high": 4, "runs": 4})
        self.assertEqual(spread(1.5, NONE, NONE).json(3), {"median": 1.5, "low": 1.5, "high": 1.5, "runs": 1})
        self.assertEqual(spread(NONE, NONE).json(2), {"median": None, "low": None, "high": None, "runs": 0})


class ReadTest(ReportTest):
    def test_runs_are_read_as_they_were_kept(self):
        write_results(self.results, {"k": {"values": {"cycles": 200, "rate": 0.25}, "histograms": {"latency": histogram({1: 5, 8: 3})},
                                        "machine": {"gpu.cus": 8, "gpu.clock_ps": 500, "walk_unit.coalesce": "off"}, "changes": {"gpu.cus": 16}}})
        run = study.runs_in(self.results, ["k"])["k"]
        self.assertEqual((run["cycles"], run["rate"], run.time()), (200, 0.25, 100000))
        self.assertEqual((run.of("latency", "sum"), run.of("latency", "max"), run.below("latency", 8)), (29, 8, 5))
        self.assertEqual(run.setting("gpu.cus"), 16, "what this run changed")
        self.assert_absent(run.setting("walk_unit.coalesce"))
        self.assert_absent(run["latency"])

    def test_only_runs_that_are_done_and_wanted_are_read(self):
        write_results(self.results, {key: {"values": {"cycles": 1}} for key in ("done", "failed", "other")}, failed=["failed"])
        self.assertEqual(list(study.runs_in(self.results, ["done", "failed", "missing"])), ["done"])


if __name__ == "__main__":
    unittest.main()
