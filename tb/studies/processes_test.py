#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of two programs on one GPU from made-up runs: each is compared with itself alone."""
import unittest

from made_runs import FiguresTest, MadeStudy, made_run

PROCESSES = MadeStudy("processes")


def alone(cycles):
    return made_run({"gpu.cycles": cycles, "l2_tlb.misses": 10, "coalescer.translations": 100})


def together(first, second, cycles=0, misses=40):
    """The second starts again: it has twice the translations that it has alone."""
    return made_run({"gpu.program_0.cycles": first, "gpu.program_1.cycles": second, "gpu.cycles": cycles, "l2_tlb.vm_0.misses": 20,
                     "coalescer.vm_0.translations": 100, "l2_tlb.vm_1.misses": 60, "coalescer.vm_1.translations": 200,
                     "gpu.switches": 5, "l2_tlb.misses": misses})


def made_up(**some):
    return PROCESSES.runs(lambda code: together(2000, 4000, 3000) if "+" in code else alone(1000),
                          {name.replace("_", "-"): of for name, of in some.items()})


class ProcessesTest(FiguresTest):
    def test_a_program_beside_another_is_held_against_itself_alone(self):
        figure = PROCESSES.figure("halves", made_up())
        for name, expected in (("slowdown of the first", 2), ("of the second", 4), ("weighted speed-up, 2 without interference", 0.75),
                               ("fairness, 1 where both suffer alike", 0.5)):
            self.assert_bar(figure.bars, name, expected)
        self.assert_bar(figure.beside, "L2 TLB misses of the first", 2)
        self.assert_bar(figure.beside, "of the second", 3)
        self.assertEqual(list(figure.bars[0].values), PROCESSES.groups["pairs"])

    def test_turns_are_held_against_the_sum_of_both(self):
        figure = PROCESSES.figure("turns", made_up(turns_flush=lambda code: together(0, 0, 5000, 120) if "+" in code else alone(7)))
        self.assert_bar(figure.bars, "TLBs keep all entries", 1.5)
        self.assert_bar(figure.bars, "TLBs are flushed", 2.5)
        self.assert_bar(figure.beside, "switches", 5)
        self.assert_bar(figure.beside, "L2 TLB misses, flushed over kept", 3)

    def test_a_mechanism_s_gain_is_the_mean_of_both_programs(self):
        figure = PROCESSES.figure("gains", made_up(halves_walking=lambda code: together(500, 4000) if "+" in code else alone(800)))
        self.assert_bar(figure.bars, "walking, each alone on a half", 1.25)
        self.assert_bar(figure.bars, "walking, beside each other", 2) # geometric mean of 4 and 1
        self.assert_bar(figure.bars, "reach, beside each other", 1)


if __name__ == "__main__":
    unittest.main()
