#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of HPCA'14 from made-up runs with known ratios: a design's share of the ideal, its average over all programs run one after
another, miss rates, bursts, sharers, energy and area."""
import unittest

from made_runs import FiguresTest, MadeStudy, claimed, histogram, made_run, named, verdict

from walkway import study

HPCA14 = MadeStudy("hpca14")
UNITS = 16


def run(seconds, misses=100, latency=50, more=None, histograms=None):
    return made_run({"cycles": seconds * 1e9, "walk_latency_mean": latency, "l1_tlb.misses": misses, "l1_tlb.lookups": 1000,
                     **(more or {})}, histograms, {"gpu.cus": UNITS})


def ideal(code):
    """Returns seconds: bfs takes ten times as long as the others."""
    return 10 if code == "bfs" else 1


def made_up(**some):
    """Speeds relative to the ideal: design 1 a quarter (bfs: a tenth), design 2 a half, design 3 all."""
    return HPCA14.runs(lambda code: run(ideal(code)), {
        "design-1": lambda code: run(100 if code == "bfs" else 4, 670 if code == "nw" else 250, 1000),
        "design-1-2m": lambda code: run(ideal(code), 50 if code == "gaussian" else 1, 1000),
        "design-2": lambda code: run(2 * ideal(code), 250, 1000),
        **{name.replace("_", "-"): of for name, of in some.items()}})


class Hpca14Test(FiguresTest):
    def assert_claims(self, figure, expected):
        for text, value in expected.items():
            self.assert_near(claimed(figure, text), value, f"{text}: {claimed(figure, text)} is not {value}")

    def test_averages_are_those_of_all_programs_in_turn(self):
        figure = HPCA14.figure("6", made_up())
        self.assert_claims(figure, {"all in turn, design 1": 17 / (100 + 7 * 4), "all in turn, design 2": 0.5, "all in turn, design 3": 1,
                                    "bfs, design 1": 0.1, "bfs, design 2 / design 1": 5, "nw, design 2 / design 1": 2,
                                    "walk latency, design 3 of 2": 0.05})
        self.assert_bar(figure.bars, "design 1", {code: 0.1 if code == "bfs" else 0.25 for code in HPCA14.groups["all"]})

    def test_what_a_shared_walker_does_one_after_the_other_is_beside_design_1(self):
        figure = HPCA14.figure("section-4.3", made_up(design_2_lines_in_turn=lambda code: run(200 if code == "bfs" else 2)))
        self.assert_claims(figure, {"bfs, design 2, reads of a line in turn / design 1": 0.5, "nw, design 2, reads of a line in turn / design 1": 2,
                                    "nw, design 2, fcfs / design 1": 2, "all in turn, design 2, reads of a line in turn": 17 / 214,
                                    "all in turn, design 3, reads of a line in turn": 1})
        self.assertEqual([verdict(figure, f"{p}, design 2, reads of a line in turn / design 1") for p in ("bfs", "nw")], ["matched", "missed"])

    def test_one_cycle_hits_are_beside_walks_of_no_time(self):
        figure = HPCA14.figure("section-4", made_up(ideal_1_cycle=lambda code: run(2 * ideal(code))))
        self.assert_bar(figure.bars, "one-cycle hits", 0.5)

    def test_an_average_without_one_program_is_none(self):
        runs = made_up()
        runs["nn", "design-3"] = study.NO_RUN
        figure = HPCA14.figure("6", runs)
        self.assert_absent(claimed(figure, "all in turn, design 3"))
        self.assert_near(claimed(figure, "all in turn, design 2"), 0.5)

    def test_miss_rates_are_of_lookups_and_of_large_pages_beside_small_ones(self):
        self.assert_claims(HPCA14.figure("8", made_up()), {"nw": 0.67, "mean": (7 * 0.25 + 0.67) / 8})
        self.assert_claims(HPCA14.figure("section-6.4", made_up()), {"gaussian": 0.2, "bfs": 0.004})

    def test_other_machines_are_beside_design_3(self):
        figure = HPCA14.figure("11", made_up(ideal_pwc=lambda code: run(5 if code == "bfs" else 1)))
        self.assert_claims(figure, {"bfs, ideal PWC / design 3": 2, "all in turn, ideal PWC / design 3": 17 / 12,
                                    "all in turn, shared L2 & PWC / design 3": 1})

    def test_a_shared_l2_tlb_is_judged_beside_design_3(self):
        """Its text compares it with a walk cache, not with the ideal."""
        text = "all in turn, shared L2 / design 3"
        for slower, expected in ((3, "missed"), (5, "matched")): # of the ideal a third and a fifth, of design 3 two thirds and two fifths
            figure = HPCA14.figure("11", made_up(shared_l2=lambda code, slower=slower: run(slower * ideal(code)), design_3=lambda code: run(2 * ideal(code))))
            self.assert_claims(figure, {text: 2 / slower})
            self.assertEqual(verdict(figure, text), expected)

    def test_worse_and_more_are_so_by_a_margin(self):
        for share, expected in ((0.97, "matched"), (0.99, "missed")):
            figure = HPCA14.figure("6", made_up(design_1=run(1), design_2=run(1 / share)))
            self.assertEqual([verdict(figure, f"{p}, design 2 / design 1") for p in ("bfs", "nw")], [expected] * 2, share)
            figure = HPCA14.figure("section-4.3", made_up(design_1=run(1), design_2_matched=run(1 / share)))
            self.assertEqual(verdict(figure, "bfs, design 2, 20 cycles a reply / design 1"), expected, share)
        arrays = lambda energy, area: run(1, more={"arrays.l1_tlb.entries." + what: energy if "energy" in what else area
                                                   for what in ("energy", "energy_low", "energy_high", "area", "area_low", "area_high")})
        for energy, area, expected in ((1.26, 1.03, "matched"), (1.24, 1.01, "missed")):
            figure = HPCA14.figure("12", made_up(design_2=arrays(1, area), shared_l2=arrays(energy, area), shared_l2_pwc=arrays(1, 1)))
            for text in ("all in turn, shared L2 / shared L2 & PWC", "area, shared L2 & PWC / shared L2", "area, shared L2 & PWC"):
                self.assertEqual(verdict(figure, text), expected, (text, energy))

    def test_what_the_text_leaves_open_is_beside_what_was_chosen(self):
        runs = made_up(design_2_in_turn=lambda code: run(4 * ideal(code)), design_3_inner=lambda code: run(2 * ideal(code)))
        figure = HPCA14.figure("section-4.3", runs)
        self.assert_bar(figure.bars, "design 2, by unit in turn", 0.25)
        self.assert_bar(figure.bars, "design 2, fcfs", 0.5)
        self.assert_bar(HPCA14.figure("section-4.4", runs).bars, "inner lines", 0.5)
        self.assert_claims(HPCA14.figure("section-4.4", runs), {"all in turn, inner lines": 0.5})
        self.assertFalse(named(HPCA14.figure("section-4.4", runs).bars, "inner lines").speedup, "a share of the ideal is no gain")

    def test_operations_are_per_thousand_cycles_of_a_compute_unit_and_add_up_in_turn(self):
        """bfs takes 9 times the cycles of any other, so it dominates the average."""
        def busy(code):
            bfs = code == "bfs"
            return run(1, 670 if code == "nw" else 250, more={"gpu.cycles": 9000 if bfs else 1000, "gpu.local_lanes": 0 if bfs else 1600,
                                                              "coalescer.lanes": 3200, "coalescer.lines": 800 if bfs else 400})

        runs = made_up(ideal=busy, design_1=busy)
        figure = HPCA14.figure("4", runs)
        self.assert_near(named(figure.bars, "scratchpad lanes")["backprop"], 100)
        self.assert_near(named(figure.bars, "global lanes")["bfs"], 3200 / (9 * 16))
        self.assert_claims(figure, {"all in turn, scratchpad lane instructions": 7 * 1600 / (16 * 16),
                                    "all in turn, global lane instructions": 8 * 3200 / (16 * 16),
                                    "all in turn, global accesses": (800 + 7 * 400) / (16 * 16),
                                    "all in turn, accesses of global lane instructions": 3600 / (8 * 3200),
                                    "all in turn, L1 TLB misses": (7 * 250 + 670) / (16 * 16), "most L1 TLB misses": 670 / 16})
        runs["nn", "ideal"] = study.NO_RUN
        self.assert_absent(claimed(HPCA14.figure("4", runs), "all in turn, global accesses"))

    def test_bursts_are_of_all_walks_and_a_gap_that_may_be_over_500_is_none_within(self):
        def bursts(code):
            there = {1: 60, 101: 140} if code == "nw" else {1: 10, 101: 10}
            return run(1, histograms={"walk_unit.walks_in_flight": histogram(there),
                                      "walk_unit.walk_gap": histogram({1: 80, 448: 10, 480: 7, 512: 3})})

        self.assert_claims(HPCA14.figure("7", made_up(design_1=bursts)),
                           {"worst program, average": 71, "worst program, maximum": 101,
                            "all in turn, average": (60 + 140 * 101 + 7 * (10 + 1010)) / 340,
                            "all in turn, within 500 cycles of the one before": 0.9})

    def test_sharers_are_entries_by_the_number_of_their_units(self):
        """Ten entries: two used by one unit, three by three, five by all 16."""
        comers = {1: 10, 2: 8, 3: 8, **dict.fromkeys(range(4, UNITS + 1), 5)}
        shared = lambda code: run(1, histograms={"l2_tlb.sharers": histogram({1: 7} if code == "nn" else comers)})
        figure = HPCA14.figure("10", made_up(shared_l2_pwc=shared))
        self.assert_claims(figure, {"nn": 1, "most in a program, of 16": (2 + 3 * 3 + 5 * 16) / 10})
        for name, share in (("1", 0.2), ("2 to 4", 0.3), ("5 to 8", 0), ("9 to 15", 0), ("16", 0.5)):
            self.assert_near(named(figure.beside, name)["bfs"], share)
        self.assert_near(named(figure.beside, "1")["nn"], 1)

    def test_what_a_prefetcher_gains_is_of_all_programs_in_turn(self):
        """bfs, with ten of 17 seconds, is twice as fast."""
        found = {"prefetch.lookups": 200, "prefetch.hits": 50, "prefetch.merged": 20}
        figure = HPCA14.figure("section-6.3", made_up(design_3_ahead=lambda code: run(5 if code == "bfs" else 1, more=found)))
        self.assert_claims(figure, {"all in turn": 17 / 12})
        self.assert_bar(figure.bars, "speed-up", {code: 2 if code == "bfs" else 1 for code in HPCA14.groups["all"]})
        self.assert_bar(figure.beside, "found", 0.25)
        self.assert_bar(figure.beside, "under way", 0.1)

    def test_energy_and_area_are_of_tlbs_and_walk_cache_beside_design_2(self):
        """Design 2 has L1 TLBs only. bfs takes 9 times the energy of any other, so it dominates the average of energy, but not of area."""
        def arrays(**some):
            """Makes arrays of (energy, energy of bfs, area) each; low is half of it, high twice."""
            def made(code):
                more = {}
                for name, (energy, of_bfs, area) in some.items():
                    for suffix, by in (("", 1), ("_low", 0.5), ("_high", 2)):
                        prefix = "arrays." + name.replace("__", ".")
                        more[f"{prefix}.energy{suffix}"] = (of_bfs if code == "bfs" else energy) * by
                        more[f"{prefix}.area{suffix}"] = area * by
                return run(1, more=more)
            return made

        l1 = lambda energy, area: {"l1_tlb__entries": (energy, 9 * energy, area)}
        l2 = lambda energy, area: {"l2_tlb__entries": (energy, 9 * energy, area)}
        runs = made_up(design_2=arrays(**l1(100, 1000), walk_unit__walk_buffer=(5000, 5000, 5000)), # not counted
                       design_3=arrays(**l1(50, 500), walk_unit__pte_cache=(30, 90, 200)),
                       shared_l2=arrays(**l1(50, 500), **l2(150, 400)),
                       shared_l2_pwc=arrays(**l1(25, 250), **l2(75, 200), walk_unit__pte_cache=(25, 225, 200)),
                       shared_l2_associative=arrays(**l1(50, 500), **l2(250, 600)),
                       shared_l2_pwc_associative=arrays(**l1(25, 250), **l2(95, 300)))
        figure = HPCA14.figure("12", runs)
        energy = {code: 0.6 if code == "bfs" else 0.8 for code in HPCA14.groups["all"]}
        for name in ("design 3", "design 3, low", "design 3, high"): # low over low, high over high
            self.assert_bar(figure.bars, name, energy)
        self.assert_bar(figure.beside, "design 3", 0.7)
        self.assert_claims(figure, {"all in turn, design 3": (540 + 7 * 80) / 1600, "all in turn, shared L2 & PWC": 1.25,
                                    "all in turn, shared L2 / shared L2 & PWC": 1.6, "all in turn, associative shared L2 & PWC": 1.2,
                                    "all in turn, associative shared L2 / the same & PWC": 2.5, "area, associative shared L2": 1.1,
                                    "area, associative shared L2 & PWC": 0.55, "area, design 3": 0.7, "area, shared L2": 0.9,
                                    "area, shared L2 & PWC": 0.65, "area, shared L2 & PWC / design 3": 0.65 / 0.7,
                                    "area, shared L2 & PWC / shared L2": 0.65 / 0.9})
        runs["nw", "design-2"] = run(1, more={f"arrays.l1_tlb.entries.{what}": 100 for what in ("energy", "energy_low", "area", "area_low")})
        self.assert_near(named(HPCA14.figure("12", runs).bars, "design 3, low")["nw"], 0.4)
        runs["nn", "design-3"] = study.NO_RUN
        self.assert_absent(claimed(HPCA14.figure("12", runs), "all in turn, design 3"))


if __name__ == "__main__":
    unittest.main()
