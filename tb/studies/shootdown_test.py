#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of translations taken back from made-up runs: each has ten events, all of which must be acknowledged."""
import unittest

from made_runs import FiguresTest, MadeStudy, histogram, made_run, named

SHOOTDOWN = MadeStudy("shootdown")


def run(cycles, acknowledged=10):
    return made_run({"gpu.cycles": cycles, "os.acknowledged": acknowledged, "l1_tlb.invalidated": 30, "l2_tlb.invalidated": 70},
                    {"os.latency": histogram({200: 5, 400: 5}), "walk_unit.invalidate_latency": histogram({90: 10})})


class ShootdownTest(FiguresTest):
    def setUp(self):
        self.runs = SHOOTDOWN.runs(run(1000), {"8-none": run(1200), "8-page": run(1500), "64-all": lambda code: run(3000, 9 if code == "NW" else 10)})

    def test_a_latency_is_that_of_ten_events(self):
        figure = SHOOTDOWN.figure("latency", self.runs)
        self.assertEqual(len(figure.bars), 3 * 5)
        self.assert_bar(figure.bars, "a page moves, 8 units", 300)
        self.assert_bar(figure.beside, "a page moves, 8 units", 90)
        flushes = named(figure.bars, "everything is flushed, 64 units")
        self.assert_near(flushes["ATX"], 300)
        self.assert_absent(flushes["NW"]) # the run ended before the tenth

    def test_the_program_s_loss_is_over_the_same_machine_without_events(self):
        figure = SHOOTDOWN.figure("stalled", self.runs)
        self.assert_bar(figure.bars, "a page moves, 8 units", 30)
        self.assert_bar(figure.bars, "everything is flushed, 64 units", 200)
        self.assert_bar(figure.bars, "512 pages move, 4 units", 0)
        self.assert_bar(figure.beside, "512 pages move, 4 units", 10)


if __name__ == "__main__":
    unittest.main()
