#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of PACT'24 from made-up runs with known ratios: means of the irregular programs only, misses of the level-2 walk cache,
references per walk, collisions of the design without a step cache."""
import unittest

from made_runs import FiguresTest, MadeStudy, claimed, guarded, made_run, named

PACT24 = MadeStudy("pact24")
IRREGULAR = PACT24.groups["I"]


def run(cycles, latency, reads, walk_cache_hits, walks=1000):
    return made_run({"cycles": cycles, "walk_latency_mean": latency, "walk_unit.walks_finished": walks, "walk_unit.pte_reads": reads,
                     "walk_unit.pte_reads_steps": (reads - 1000) / 2, "walk_unit.pwc_lookups": 1000,
                     "walk_unit.pwc_hits_l2": walk_cache_hits, "walk_unit.pte_reads_v1": 44, "walk_unit.pwc_hits_steps": 995,
                     "driver.remote_live_1": 200, "driver.remote_live_10": 50, "driver.remote_live_cycles": walks,
                     "driver.mapped_cycles": 10000, "driver.remote_used": 3})


def irregular(some, others):
    return lambda code: some if code in IRREGULAR else others


def cycles(some, *more):
    """Cycles of the irregular programs; the others take 1000."""
    return irregular(run(some, *more), run(1000, *more))


def made_up(**some):
    """Irregular programs: 1400 cycles with a radix table, with 40 % of the walks missing; 1000 with a hashed one. The others gain nothing
    and miss nothing."""
    return PACT24.runs(run(1000, 300, 1010, 995), {
        "rpt": irregular(run(1400, 400, 1400, 600), run(1000, 300, 1004, 996)),
        "rpt/64k": cycles(1200, 300, 1100, 900, 250), "rpt/nha": cycles(1250, 300, 1100, 900), "hpt/nha": cycles(875, 300, 1100, 900),
        "rpt/150": cycles(1300, 300, 1400, 900), "hpt/150/1.1": cycles(800, 300, 1400, 900),
        "rpt/levels-5": cycles(1500, 300, 1500, 900), "stepless-0.5": cycles(1450, 300, 1800, 0), **some})


class Pact24Test(FiguresTest):
    def assert_claims(self, identity, expected, runs=None):
        figure = PACT24.figure(identity, runs or made_up())
        for text, value in expected.items():
            self.assert_near(claimed(figure, text), value, f"{text}: {claimed(figure, text)} is not {value}")
        return figure

    def test_means_are_those_of_the_irregular_programs_and_of_the_regular_ones_apart(self):
        figure = self.assert_claims("13", {"mean, irregular, FS-HPT": 1.4, "mean, regular, FS-HPT": 1, "FS-HPT of ideal PWC": 1, "BC": 1.4})
        self.assert_near(guarded(figure, "NW"), 1.4)
        self.assertEqual(list(named(figure.bars, "FS-HPT").values), [code for group in "IRU" for code in PACT24.groups[group]])
        self.assert_claims("5", {"mean, irregular": 1.4})

    def test_misses_are_of_the_level_2_cache_and_references_those_of_a_walk(self):
        self.assert_claims("4", {"mean, irregular": 0.4, "mean, regular": 0.004, "ATX is irregular": 0.4})
        by_rule = made_up(rpt=lambda code: run(1400, 400, 1400, 600) if code in ("BC", "CC") else run(1000, 300, 1000, 800 if code == "KC" else 996))
        self.assert_claims("4", {"mean, over 20 % of misses": 0.4, "mean, irregular": (0.4 + (len(IRREGULAR) - 1) * 0.004) / len(IRREGULAR)}, by_rule)
        self.assert_claims("13", {"mean, over 20 % of misses, FS-HPT": 1.4}, by_rule)
        self.assert_claims("5", {"mean, over 20 % of misses": 1.4}, by_rule)
        self.assert_claims("15", {"mean, over 20 % of misses, FS-HPT": 0.75}, by_rule)
        figure = self.assert_claims("14", {"mean, over 20 % of misses, RPT": 1.4, "mean, irregular, RPT": 1.4, "mean, irregular, FS-HPT": 1.01, "mean, irregular, PWC hits": 0.6,
                                           "CC, step cache hits": 0.995})
        self.assert_near(guarded(figure, "mean, irregular, RPT - 1 - misses"), 0)
        self.assert_claims("15", {"mean, irregular, FS-HPT": 0.75})

    def test_a_table_without_a_step_cache_is_compared_by_its_size(self):
        figure = self.assert_claims("17", {"mean, irregular, 0.5 %": 1400 / 1450, "mean, irregular, 4 %": 1.4})
        self.assertEqual(len(figure.bars), 4)
        self.assert_near(guarded(figure, "1 % / the size before"), 1450 / 1000)
        self.assert_near(guarded(figure, "4 % / the size before"), 1)
        self.assert_bar(figure.beside, "0.5 %", 0.4) # 1000 walks, 1800 reads: 400 walks needed two more

    def test_thresholds_are_compared_with_a_radix_table_that_is_as_short_of_memory(self):
        figure = self.assert_claims("16", {"mean, irregular, m = 1.0": 1.3, "mean, irregular, m = 1.1": 1300 / 800,
                                           "NW, m = 1.2, victim buffer": 0.044})
        self.assertEqual(len(figure.bars), 6)
        self.assert_near(guarded(figure, "m = 1.1 / the one before"), 1000 / 800)
        self.assert_near(guarded(figure, "m = 1.5 / without oversubscription"), 1.3 / 1.4)

    def test_live_remote_mappings_are_counted_where_memory_is_short(self):
        twice = lambda code: run(1000, 300, 1400, 900, 2000 if code == "CC" else 1000)
        runs = made_up(**{"rpt/150": twice})
        self.assert_claims("6", {"BFS, tenth 10 / tenth 1": 0.25}, runs)
        programs = len(PACT24.programs("7"))
        figure = self.assert_claims("7", {"highest": 0.2, "mean": (0.1 * (programs - 1) + 0.2) / programs}, runs)
        self.assert_bar(figure.beside, "mappings used", 3)
        self.assert_absent(claimed(PACT24.figure("7", {}), "highest"))

    def test_large_pages_neighbourhoods_and_five_levels_have_their_own_base(self):
        large = self.assert_claims("18", {"mean, irregular, FS-HPT": 1.2}) # over the radix table with pages of this size
        self.assert_bar(large.beside, "RPT", 0.25)
        self.assert_claims("19", {"mean, irregular, FS-HPT / RPT with NHA": 1.25, "mean, irregular, FS-HPT with NHA": 1.6,
                                  "ATX, RPT with NHA": 1.12, "KC, RPT with NHA": 1})
        levels = PACT24.figure("levels", made_up())
        self.assert_near(named(levels.bars, "five levels over four")["BC"], 1400 / 1500)
        self.assert_near(named(levels.bars, "FS-HPT over five levels")["BC"], 1.5)
        self.assert_bar(levels.beside, "five levels", 1.5)


if __name__ == "__main__":
    unittest.main()
