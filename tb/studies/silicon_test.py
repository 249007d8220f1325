#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of the chases on two GPUs from made-up runs: with the measured values, and with other ones."""
import unittest

from made_runs import FiguresTest, MadeStudy, claimed, made_run, named, verdict

SILICON = MadeStudy("silicon")
MEASURED, SHARED = SILICON.functions["p100-fitted"].func.__globals__["measured"], SILICON.functions["sharing"].__globals__["shared"]


def run(cycles):
    return made_run({}, {"gpu.load_latency": {"mean": float(cycles)}})


def as_measured(code):
    """Returns a run with the cycles of the file; a pair of SMs has those of its matrix."""
    what, *numbers = code.split("-")
    if what == "share":
        stride, *pair = map(int, numbers)
        return run({2048: (293, 302), 32768: (302, 412)}[stride][tuple(pair) in SHARED(stride)])
    return run(MEASURED((what, int(numbers[0])))[int(numbers[1]) / 1024])


class SiliconTest(FiguresTest):
    def setUp(self):
        self.runs = SILICON.runs(as_measured, {"p100/ideal": run(200), "k80/ideal": run(200)})

    def figure(self, identity, **others):
        return SILICON.figure(identity, {**self.runs, **{(code.replace("_", "-"), "p100"): run(cycles) for code, cycles in others.items()}})

    def test_what_was_measured_matches_itself(self):
        for identity in SILICON.figures:
            figure = SILICON.figure(identity, self.runs)
            for text, *_ in figure.claims:
                self.assertEqual(verdict(figure, text), "matched", text)
        self.assertEqual(set(named(self.figure("p100-predicted").bars, "over the measured").values.values()), {0})
        self.assertEqual(claimed(self.figure("p100-fitted"), "stride 32 MiB, from 302 to 412 cycles at, MiB"), 2336)
        self.assertEqual(claimed(SILICON.figure("k80-predicted", self.runs), "stride 64 KiB, from 241 to 245 cycles at, MiB"), 2.0625)

    def test_a_plateau_is_judged_by_its_furthest_point(self):
        text = "stride 1 MiB, 33 to 80 MiB, cycles"
        for cycles, wanted in ((298, "matched"), (298.1, "missed"), (296, "matched"), (295.9, "missed")):
            figure = self.figure("p100-predicted", p100_1024_65536=cycles)
            self.assertEqual((claimed(figure, text), verdict(figure, text)), (cycles, wanted))

    def test_a_step_may_be_one_stride_off(self):
        text = "stride 4 MiB, from 293 to 301 cycles at, MiB"
        for sizes, wanted in (((), "matched"), ((61440, 65536), "missed"), ((65536,), "matched")):
            figure = self.figure("p100-predicted", **{f"p100_4096_{size}": 301 for size in sizes})
            self.assertEqual(verdict(figure, text), wanted, sizes)

    def test_a_step_is_where_all_later_sizes_are_above_it(self):
        text = "stride 4 MiB, from 293 to 301 cycles at, MiB"
        for others, wanted in (({"p100_4096_40960": 301}, 68), ({"p100_4096_73728": 293}, 80), ({"p100_4096_81920": 293}, None), ({"p100_4096_73728": float("nan")}, None)):
            ours = claimed(self.figure("p100-predicted", **others), text)
            (self.assert_absent(ours) if wanted is None else self.assertEqual(ours, wanted))

    def test_where_there_is_no_plateau_nothing_is_judged(self):
        figure = self.figure("p100-predicted", p100_16384_2359296=302)
        self.assertEqual({verdict(figure, text) for text, *_ in figure.claims}, {"matched"})

    def test_one_size_that_is_slower_without_translation_is_no_flat_curve(self):
        figure = SILICON.figure("p100-flat", {**self.runs, ("p100-1024-12288", "p100/ideal"): run(200.5)})
        self.assertEqual(verdict(figure, "stride 1 MiB, slowest - fastest size, cycles"), "missed")
        self.assertEqual(verdict(figure, "stride 2 MiB, slowest - fastest size, cycles"), "matched")

    def test_one_pair_of_SMs_that_is_not_as_in_the_file_is_missed(self):
        figure = self.figure("sharing", **{"share_32768_35_22": 302})
        self.assertEqual(named(figure.bars, "as in the file")["share-32768-35-22"], 0)
        self.assertEqual(verdict(figure, "stride 32 MiB, share of 20 pairs"), "missed")
        self.assertEqual(verdict(figure, "stride 2 MiB, share of 14 pairs"), "matched")
        self.assertIn("fitted", figure.title)
        self.assertEqual(len(SHARED(2048)), 112)
        self.assertEqual(len(SHARED(32768)), 4 * 100 + 2 * 64)


if __name__ == "__main__":
    unittest.main()
