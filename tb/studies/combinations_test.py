#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of the combinations of four papers' mechanisms from made-up runs with known ratios."""
import unittest

from made_runs import FiguresTest, MadeStudy, made_run

COMBINATIONS = MadeStudy("combinations")
FOUR = ("walking", "reach", "compression", "hashed")
THREE = FOUR[:3]


def run(cycles, reads):
    return made_run({"cycles": cycles, "walk_unit.pte_reads": reads})


def machine(place, have, *on):
    return place + "/" + "".join(("+" if m in on else "-") + m for m in have)


def made_up(some):
    return COMBINATIONS.runs(run(1000, 640), some)


class CombinationsTest(FiguresTest):
    def test_what_remains_of_a_gain_is_over_the_machine_that_has_the_others(self):
        runs = made_up({machine("contiguous", THREE, "walking"): run(500, 320), machine("contiguous", THREE, "reach"): run(250, 160),
                        machine("contiguous", THREE, "walking", "reach"): run(200, 64), machine("fragmented", THREE): run(900, 640),
                        machine("fragmented", THREE, "compression"): run(600, 640)})
        bars = lambda identity: COMBINATIONS.figure(identity, runs).bars
        for identity, name, expected in (("remains", "walking alone", 2), ("remains", "walking beside reach", 1.25),
                                         ("remains", "reach beside walking", 2.5), ("speedups", "walking + reach", 5),
                                         ("speedups", "compression", 1), ("speedups-fragmented", "compression", 1.5),
                                         ("product", "walking + reach", 5 / 8), ("product-fragmented", "walking + reach", 10 / 9),
                                         ("walks", "walking + reach", 0.1)):
            with self.subTest(identity, name=name):
                self.assert_bar(bars(identity), name, expected)
        self.assertEqual([len(bars(identity)) for identity in ("speedups", "remains", "product", "walks")], [7, 12, 4, 7])

    def test_machines_are_compared_with_themselves(self):
        """On four machines: none, each of three or four mechanisms, all but each, and all."""
        all_but = lambda without: machine("apu-micro21", FOUR, *(m for m in FOUR if m != without))
        without_compression = ("walking", "reach", "hashed")
        runs = made_up({machine("apu-micro21", FOUR): run(3000, 640), machine("apu-micro21", FOUR, "walking"): run(1500, 320),
                        machine("apu-micro21", FOUR, *FOUR): run(500, 64), all_but("hashed"): run(600, 80),
                        machine("mmu-hpca14-design3", without_compression, *without_compression): run(100, 64)})
        speedups, remains, walks = (COMBINATIONS.figure(identity, runs).bars for identity in ("machines", "machines-remains", "machines-walks"))
        self.assertEqual(len(speedups), 3 * 5 + 4)
        self.assertEqual(len(remains), 3 * 4 + 3)
        for bars, name, expected in ((speedups, "IOMMU: walking", 2), (speedups, "IOMMU: all", 6), (speedups, "TLBs per core: all", 10),
                                     (speedups, "46 SMs: hashed", 1), (remains, "IOMMU: hashed", 1.2), (remains, "TLBs per core: reach", 10),
                                     (walks, "IOMMU: all", 0.1)):
            self.assert_bar(bars, name, expected)

    def test_a_gain_in_percent_is_only_that_of_speedups_over_none(self):
        runs = made_up({})
        self.assertEqual([identity for identity in COMBINATIONS.figures if COMBINATIONS.figure(identity, runs).gains],
                         ["speedups", "speedups-fragmented"])
        self.assertFalse(any(bar.ratio for bar in COMBINATIONS.figure("walks", runs).bars), "reads may be nought")
        self.assertTrue(all(bar.ratio and not bar.speedup for bar in COMBINATIONS.figure("product", runs).bars))


if __name__ == "__main__":
    unittest.main()
