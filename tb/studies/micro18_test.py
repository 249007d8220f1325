#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of MICRO'18 from made-up runs with known ratios, and the verdicts on the paper's values."""
import unittest

from made_runs import FiguresTest, MadeStudy, claimed, guarded, histogram, made_run, named, verdict

from walkway import study

MICRO18 = MadeStudy("micro18")


def run(cycles, reads, latency, **more):
    """A run of 100 translations and 50 walks, 20 of which have a walker."""
    walk_unit = {"leaf_accesses": 200, "leaf_neighbour_accesses": 80, "upper_accesses": 10, "upper_neighbour_accesses": 5,
                 "pte_reads": reads, "pwc_lookups": 40, "pwc_hits_l2": 10, **more}
    return made_run({"cycles": cycles, "seconds": cycles * 1e-6, "pte_reads": reads, "l2d_hit_rate": 0.25, "walk_latency_mean": latency,
                     **{"walk_unit." + name: value for name, value in walk_unit.items()},
                     "l2_tlb.hits": 3, "l2_tlb.lookups": 4, "model.pages": 25600,
                     "energy.walk_reads": reads * 1e6, "energy.walk_reads_actual": reads * 0.5e6, "energy.cam": 1e6 if reads < 100 else 0},
                    {"walk_unit.walk_latency": histogram({latency: 50}), "walk_unit.backlog_latency": histogram({0.6 * latency: 50}),
                     "walk_unit.buffer_latency": histogram({0.2 * latency: 50}),
                     "walk_unit.service_latency": histogram({0.5 * latency: 20})})


def made_up(**some):
    return MICRO18.runs(run(1000, 100, 200), {"full": run(500, 60, 120), "walkers-32-full": run(800, 60, 120), **some})


class Micro18Test(FiguresTest):
    def test_speedups_ratios_and_fractions_are_what_they_say(self):
        runs = made_up()
        for figure, text, expected in (("9", "mean, full", 2), ("10", "mean, full", 0.6), ("11", "mean, full", 0.6),
                                       ("12", "mean, 32 walkers", 1.25), ("13", "mean at 512 / mean at 128", 1),
                                       ("14", "mean, full / best cache", 2), ("14", "the same, reads merging", 2), ("5", "mean", 0.4),
                                       ("II", "NW", 100)):
            with self.subTest(figure, text=text):
                self.assert_near(claimed(MICRO18.figure(figure, runs), text), expected)
        self.assert_bar(MICRO18.figure("6", runs).bars, "fraction", 0.5)
        self.assert_bar(MICRO18.figure("9", runs).bars, "full", 2)
        self.assert_bar(MICRO18.figure("12", runs).bars, "32", 1.25)

    def test_what_the_paper_states_is_matched_or_missed(self):
        runs = made_up()
        for figure, text, expected in (("9", "mean, full", "missed"), # 2.0 is not within 10 % of 1.7
                                       ("10", "mean, full", "matched"), ("12", "mean, 32 walkers", "matched"),
                                       ("12", "MVT at 32 / MVT at 8", "missed"), ("5", "MVT", "missed"),
                                       ("9", "leaf's share of the gain: ATX", "missed"), # the leaf gains nothing
                                       ("II", "NW", "missed"), ("II", "MVT", "missed")):
            with self.subTest(figure, text=text):
                self.assertEqual(verdict(MICRO18.figure(figure, runs), text), expected)
        stated = lambda figure, code: {text: paper.text for text, paper, _ in MICRO18.figure(figure, runs).claims}[code]
        self.assertEqual((stated("II-regular", "LUD"), stated("II", "ATX")), ("1.2", "64.06"))

    def test_programs_that_exchange_roles_are_missed(self):
        nearly_all, little = run(520, 80, 150), run(900, 80, 150)
        leaf = {"ATX": nearly_all, "BIC": nearly_all, "NW": little, "GEV": little}
        bic, gev = "leaf's share of the gain: BIC", "leaf's share: GEV less ATX, BIC"
        said = lambda: [verdict(MICRO18.figure("9", made_up(leaf=lambda code: leaf.get(code, little))), text) for text in (bic, gev)]
        self.assertEqual(said(), ["matched", "matched"])
        leaf["GEV"], leaf["BIC"] = leaf["BIC"], leaf["GEV"]
        self.assertEqual(said(), ["missed", "missed"])

    def test_the_leaf_s_shares_are_of_the_gain(self):
        figure = MICRO18.figure("9", made_up(leaf=run(800, 80, 150)))
        self.assert_near(claimed(figure, "leaf's share of the gain: ATX"), 0.25)
        self.assert_near(claimed(figure, "leaf's share of the gain: mean"), 0.25)
        self.assert_near(claimed(MICRO18.figure("10", made_up(leaf=run(800, 80, 150))), "leaf's share of the reads spared"), 0.5)

    def test_a_second_outlier_of_figure_5_is_counted(self):
        text, neighbours = "others under half of the mean", {"MVT": 0, "GEV": 50}
        figure = lambda: MICRO18.figure("5", made_up(off=lambda code: run(1000, 100, 200, leaf_neighbour_accesses=neighbours.get(code, 80))))
        self.assertEqual((claimed(figure(), text), verdict(figure(), text)), (0, "matched"))
        neighbours["NW"] = 2
        self.assertEqual((claimed(figure(), text), verdict(figure(), text)), (1, "missed"))

    def test_others_than_mvt_that_rise_with_walkers_are_counted(self):
        """By figure 12 all fall from 2 to 1.25, except these."""
        rising = {"MVT", "ATX"}
        faster = {"walkers-32-full": lambda code: run(400 if code in rising else 800, 60, 120)}
        figure = MICRO18.figure("12", made_up(**faster))
        self.assert_near(claimed(figure, "others that rise from 8 to 32"), 1)
        self.assert_near(claimed(figure, "MVT at 32 / MVT at 8"), 1.25)

    def test_falling_and_rising_are_so_by_a_margin(self):
        for share, fall, rise, others in ((0.97, "matched", "missed", 0), (0.99, "missed", "missed", 0), (1.01, "missed", "missed", 0),
                                          (1.03, "missed", "matched", 4)):
            figure = MICRO18.figure("12", made_up(**{"walkers-32-full": run(500 / share, 60, 120)}))
            self.assertEqual([verdict(figure, text) for text in ("mean at 32 / mean at 8", "MVT at 32 / MVT at 8")], [fall, rise], share)
            self.assertEqual(claimed(figure, "others that rise from 8 to 32"), others, share)
        for gev, expected in ((0.45, "missed"), (0.35, "matched")):
            leaf = {"ATX": 0.5, "BIC": 0.5, "GEV": gev} # of the gain of 1
            figure = MICRO18.figure("9", made_up(leaf=lambda code: run(1000 / (1 + leaf.get(code, 0)), 80, 150)))
            self.assertEqual(verdict(figure, "leaf's share: GEV less ATX, BIC"), expected)

    def test_coalescing_is_over_the_best_of_caches(self):
        figure = MICRO18.figure("14", made_up(**{"pte-cache-1536": run(800, 60, 120), "pte-cache-merge-16384": run(400, 60, 120)}))
        self.assert_near(claimed(figure, "mean, full / best cache"), 1.6)
        self.assert_near(claimed(figure, "the same, reads merging"), 0.8)

    def test_beside_the_bars_stand_hit_rates_and_the_parts_of_the_latency(self):
        runs = made_up()
        nine, eleven, twelve = (MICRO18.figure(identity, runs).beside for identity in ("9", "11", "12"))
        for name in ("walk cache, off", "walk cache, full", "L2D, off", "L2D, ideal"):
            self.assert_bar(nine, name, 0.25)
        self.assertEqual(len(eleven), 6)
        for name, cycles in (("backlog", 120), ("buffer", 40), ("walker", 40)): # per walk, including walks without a walker
            self.assert_bar(eleven, "off: " + name, cycles)
        self.assert_bar(twelve, "L2 TLB, off, 4", 0.75)

    def test_the_regular_programs_have_figures_of_their_own(self):
        runs = made_up(full=lambda code: run(1030 if code == "HOT" else 500, 100, 200))
        figure = MICRO18.figure("9-regular", runs)
        self.assertEqual(list(named(figure.bars, "full").values), ["SSP", "LUD", "CLR", "BCK", "HOT"])
        self.assertEqual(list(named(MICRO18.figure("9", runs).bars, "full").values), ["MVT", "ATX", "NW", "BIC", "GEV"])
        self.assert_near(claimed(figure, "least of the five, leaf"), 1)
        self.assertEqual(verdict(figure, "least of the five, leaf"), "matched")
        self.assert_near(claimed(figure, "least of the five, full"), 1000 / 1030)
        self.assertEqual(verdict(figure, "least of the five, full"), "missed")
        runs["SSP", "full"] = study.NO_RUN
        self.assert_absent(claimed(MICRO18.figure("9-regular", runs), "least of the five, full"))

    def test_sensitivity_is_over_a_baseline_with_the_same_change(self):
        larger = {"walk_unit.pwc_l2:64/off": run(3000, 100, 200), "walk_unit.pwc_l2:64/leaf": run(1000, 100, 200),
                  "walk_unit.pwc_l2:64/full": run(1500, 100, 200), "l2d.index:xor/ideal": run(250, 100, 200)}
        bars = MICRO18.figure("9-sensitivity", made_up(**larger)).bars
        for name, expected in (("walk_unit.pwc_l2=64: leaf", 3), ("walk_unit.pwc_l2=64: full", 2),
                               ("walk_unit.pwc_l2=64: ideal", 3), # over the machine as shipped: 1000 cycles
                               ("walk_unit.pwc_l2=64: walk cache, off", 0.25), ("as shipped: full", 2), ("l2d.index=xor: full", 1),
                               ("l2d.index=xor: ideal", 4)):
            self.assert_bar(bars, name, expected)

    def test_saved_power_is_a_difference_of_powers_and_saved_energy_is_over_the_shorter_time(self):
        figure = MICRO18.figure("III", made_up())
        # 100 reads of 1e6 pJ in 1 ms: 100 mW; 60 of them and 1e6 pJ of CAM in 0.5 ms: 122 mW
        self.assert_near(claimed(figure, "mean"), -22)
        self.assert_bar(figure.bars, "saved power, mW", -22)
        self.assert_bar(figure.bars, "saved energy / time, mW", 78)
        # half of the reads' energy: 50 mW; 31e6 pJ in 0.5 ms: 62 mW
        self.assert_bar(figure.bars, "activations as they happened", -12)
        # at 8 nJ: 0.8 uJ in 1 ms, 0.48 and 1 uJ in 0.5 ms
        self.assert_bar(figure.bars, "8 nJ a read", 0.8 - 2.96)
        self.assertFalse(any(bar.ratio for bar in figure.bars))

    def test_a_missing_run_is_missing_in_all_that_is_made_of_it(self):
        runs = made_up()
        runs["NW", "full"] = study.NO_RUN
        figure = MICRO18.figure("9", runs)
        self.assert_absent(guarded(figure, "NW, full"))
        self.assert_absent(claimed(figure, "mean, full"))
        self.assert_near(guarded(figure, "GEV, full"), 2)
        self.assert_near(claimed(figure, "NW, ideal"), 1)


if __name__ == "__main__":
    unittest.main()
