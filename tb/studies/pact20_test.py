#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of PACT'20 from made-up runs with known ratios: compressed over plain with the same frames."""
import unittest

from made_runs import FiguresTest, MadeStudy, guarded, made_run

PACT20 = MadeStudy("pact20")


def run(cycles, walks):
    return made_run({"cycles": cycles, "walk_unit.walk_requests": walks, "l2_tlb.lookups": 900, "l2_tlb.hits": 225, "l2_tlb.misses": walks,
                     "l2_tlb.held": 600, "l2_tlb.capacity": 700, "l2_tlb.slots": 400, "l2_tlb.slots_used": 300, "l2_tlb.kept_compressed": 75,
                     "l2_tlb.kept_plain": 25})


class Pact20Test(FiguresTest):
    def setUp(self):
        self.runs = PACT20.runs(run(1000, 640), {"random/plain": run(900, 100), "random/compressed": run(1000, 125),
                                                "rebase_after:64/random": run(600, 50)})

    def test_a_figure_needs_its_machines_and_no_others(self):
        """A * also matches names with a /; those of rebase_after run on demand."""
        layouts = ("contiguous", "fragmented", "random")
        of = lambda *kinds: {f"{layout}/{kind}" for layout in layouts for kind in kinds}
        wanted = {"performance": of("plain", "compressed"), "misses": of("plain", "compressed"), "ratio": of("compressed"),
                  "rebasing": of("plain") | {f"rebase_after:{n}/{layout}" for n in (4, 16, 64, 256, 65535) for layout in layouts},
                  "capacity": {"contiguous/plain", "contiguous/larger", "contiguous/compressed", "contiguous/as-many", "rebase_after:65535/contiguous"}}
        self.assertEqual({identity: {machine for _, machine in PACT20.needed(identity)} for identity in PACT20.figures}, wanted)

    def test_compressed_and_plain_have_the_same_frames(self):
        figure = PACT20.figure("performance", self.runs)
        self.assert_bar(figure.bars, "contiguous", 1)
        self.assert_bar(figure.bars, "random", 0.9)
        self.assert_bar(figure.beside, "random", 1.25)
        misses = PACT20.figure("misses", self.runs)
        self.assert_bar(misses.bars, "random", 1.25)
        self.assert_bar(misses.beside, "random, plain", 0.25)

    def test_entries_are_counted_for_each_slot(self):
        figure = PACT20.figure("ratio", self.runs)
        self.assert_bar(figure.bars, "room", 1.75)
        self.assert_bar(figure.bars, "held, random", 1.5)
        self.assert_bar(figure.beside, "random, a slot in use", 2)
        self.assert_bar(figure.beside, "random, of fills two a slot", 0.75)
        self.assert_near(guarded(figure, "room for entries, for each slot"), 1.75) # not the entries held
        self.assertFalse(figure.claims, "the machine's parameters decide it")

    def test_each_value_of_the_counter_is_beside_the_plain_one_with_the_same_frames(self):
        figure = PACT20.figure("rebasing", self.runs)
        self.assert_bar(figure.bars, "random, 64", 1.5)
        self.assert_bar(figure.beside, "random, 64", 0.5)
        self.assert_bar(figure.bars, "random, never", 0.9)
        self.assert_bar(figure.bars, "contiguous, 64", 1)

    def test_room_is_parted_from_how_it_is_divided(self):
        runs = PACT20.runs(run(1000, 640), {"contiguous/larger": run(800, 320), "contiguous/as-many": run(1250, 1280),
                                         "rebase_after:65535/contiguous": run(500, 160)})
        figure = PACT20.figure("capacity", runs)
        for name, speedup, fewer in (("larger plain", 1.25, 0.5), ("compressed", 1, 1), ("never rebased", 2, 0.25), ("compressed, no more room", 0.8, 2)):
            self.assert_bar(figure.bars, name, speedup)
            self.assert_bar(figure.beside, name, fewer)


if __name__ == "__main__":
    unittest.main()
