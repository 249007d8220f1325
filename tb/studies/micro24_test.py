#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of MICRO'24 from made-up runs with known ratios: all are relative to one page per answer."""
import unittest

from made_runs import FiguresTest, MadeStudy, made_run, verdict

MICRO24 = MadeStudy("micro24")


def run(cycles, first, second, misses, **others):
    values = {"cycles": cycles, "gpu.cycles": cycles, "gpu.program_0.cycles": first, "gpu.program_1.cycles": second, "l2_tlb.misses": misses,
              "l2_tlb.fills": misses, "l2_tlb.evictions": 90, "l2_tlb.places_evicted": 20, "arrays.l2_tlb.entries.entries": 64,
              "arrays.l2_tlb.entries.entry_bits": 512}
    return made_run({**values, **others})


class Micro24Test(FiguresTest):
    def setUp(self):
        shared = run(800, 400, 450, 50, **{"l2_tlb.shared": 5, "l2_tlb.ousted": 10})
        self.runs = MICRO24.runs(run(1000, 800, 900, 100), {"share-half": shared, "plain-64": run(2000, 1600, 900, 400)})

    def test_of_two_programs_it_is_the_geometric_mean_of_when_each_ends(self):
        figure = MICRO24.figure("pairs", self.runs)
        self.assert_bar(figure.bars, "shared, at most 8 pages", 2)
        self.assert_bar(figure.bars, "plain, as many tags", 0.5 ** 0.5)
        self.assert_bar(figure.bars, "twice the places", 1)
        self.assert_bar(figure.beside, "shared, at most 8 pages", 0.5)
        self.assert_bar(figure.beside, "plain, as many tags", 4)
        self.assertEqual(verdict(figure, "sharing, mean of two programs"), "missed")

    def test_alone_it_is_the_machine_s_time(self):
        figure = MICRO24.figure("alone", self.runs)
        self.assert_bar(figure.bars, "shared, at most 8 pages", 1.25)

    def test_pages_that_were_ousted_left_with_no_place(self):
        figure = MICRO24.figure("use", self.runs)
        self.assert_bar(figure.bars, "pages of 16 that leave with a place", 4.5)
        self.assert_bar(figure.bars, "shared, at most 8 pages: pages that leave with a place", 4)
        self.assert_bar(figure.bars, "shared, at most 8 pages: of fills begin to share, %", 10)
        self.assert_bar(figure.bars, "shared, at most 8 pages: of fills oust a page, %", 20)
        self.assert_bar(figure.beside, "shared", 32)


if __name__ == "__main__":
    unittest.main()
