#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of page-walk stealing from made-up runs."""
import unittest

from made_runs import FiguresTest, MadeStudy, made_run

STEALING = MadeStudy("stealing")


def run(first, second, stolen=0):
    """A run of a pair, or of one program alone."""
    return lambda code: made_run({"gpu.program_0.cycles": first, "gpu.program_1.cycles": second, "walk_unit.vm_0.walks": 10,
                                  "walk_unit.vm_0.others": 20, "walk_unit.vm_1.walks": 10, "walk_unit.vm_1.others": 30,
                                  "walk_unit.walks_started": 20, "walk_unit.walks_stolen_idle": stolen,
                                  "walk_unit.walks_stolen_busy": stolen}) if "+" in code else made_run({"gpu.cycles": 1000})


RUNS = STEALING.runs(run(2000, 4000), {"dws": run(2000, 2000, 2), "static": run(4000, 1000)})


class StealingTest(FiguresTest):
    def test_both_speed_ups_are_added_and_held_against_shared_walkers(self):
        figure = STEALING.figure("throughput", RUNS)
        self.assert_bar(figure.bars, "DWS", 1 / 0.75)
        self.assert_bar(figure.bars, "halved, no stealing", 1.25 / 0.75)
        self.assert_bar(figure.beside, "shared", 0.75)
        self.assertEqual(list(figure.bars[0].values), STEALING.groups["pairs"])

    def test_each_program_is_held_against_itself_alone_with_shared_walkers(self):
        figure = STEALING.figure("slowdown", RUNS)
        self.assert_bar(figure.bars, "shared, of the first", 2)
        self.assert_bar(figure.bars, "halved, no stealing, of the second", 1)
        self.assert_bar(figure.beside, "halved, no stealing", 0.25)

    def test_walks_that_pass_and_walks_that_are_stolen(self):
        figure = STEALING.figure("interleaving", RUNS)
        self.assert_bar(figure.bars, "DWS, of the second", 3)
        self.assert_bar(figure.beside, "DWS", 20)


if __name__ == "__main__":
    unittest.main()
