#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of PACT'24 from made-up runs with known ratios: means of the irregular programs only, with NW, and by misses; misses of the
level-2 walk cache, references per walk, collisions of the design without a step cache; by what rule a gain is judged."""
import unittest

from made_runs import FiguresTest, MadeStudy, claimed, guarded, made_run, named, verdict

PACT24 = MadeStudy("pact24")
IRREGULAR = PACT24.groups["I"]
OFTEN = ("GEV", "SYK", "BFS", "SP", "NW") # over 1 % in the victim buffer, by the text


def run(cycles, latency, reads, walk_cache_hits, walks=1000, victims=44, last=50):
    return made_run({"cycles": cycles, "walk_latency_mean": latency, "walk_unit.walks_finished": walks, "walk_unit.pte_reads": reads,
                     "walk_unit.pte_reads_steps": (reads - 1000) / 2, "walk_unit.pwc_lookups": 1000,
                     "walk_unit.pwc_hits_l2": walk_cache_hits, "walk_unit.pte_reads_v1": victims, "walk_unit.pwc_hits_steps": 995,
                     "driver.remote_live_1": 200, "driver.remote_live_10": last, "driver.remote_live_cycles": walks,
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

    def assert_verdicts(self, identity, expected, runs):
        figure = PACT24.figure(identity, runs)
        self.assertEqual({text: verdict(figure, text) for text in expected}, expected)

    def test_means_are_those_of_the_irregular_programs_and_of_the_regular_ones_apart(self):
        figure = self.assert_claims("13", {"mean, irregular, FS-HPT, gain in %": 40, "mean, regular, FS-HPT": 1,
                                           "mean, irregular, FS-HPT / ideal PWC": 1, "BC, gain in %": 40})
        self.assert_near(guarded(figure, "NW"), 1)
        self.assertEqual(list(named(figure.bars, "FS-HPT").values), [code for group in "INRU" for code in PACT24.groups[group]])
        self.assert_claims("5", {"mean, irregular, gain in %": 40})

    def test_an_ideal_walk_cache_is_another_machine_than_the_hashed_one(self):
        runs = made_up(**{"ideal": run(800, 200, 1000, 1000), "ideal/64k": run(750, 300, 1000, 1000)})
        self.assert_claims("13", {"mean, irregular, FS-HPT, gain in %": 40, "mean, irregular, FS-HPT / ideal PWC": 0.8}, runs)
        self.assert_claims("15", {"mean, irregular, FS-HPT": 0.75, "mean, irregular, ideal PWC": 0.5}, runs)
        self.assert_claims("18", {"mean, irregular, FS-HPT, gain in %": 20}, runs)

    def test_nw_has_a_mean_of_its_own(self):
        self.assertEqual((len(IRREGULAR), PACT24.groups["N"]), (6, ["NW"]))
        runs = made_up(rpt=lambda code: run(2100 if code == "NW" else 1400, 400, 1400, 600))
        for identity, name, six, nw in (("13", ", FS-HPT, gain in %", 40, 110), ("5", ", gain in %", 40, 110), ("17", ", 4 %, gain in %", 40, 110)):
            self.assert_claims(identity, {f"mean, irregular{name}": six, f"mean, irregular and NW{name}": (6 * six + nw) / 7}, runs)

    def test_misses_are_of_the_level_2_cache_and_references_those_of_a_walk(self):
        self.assert_claims("4", {"mean, irregular": 0.4, "mean, regular, %": 0.4, "ATX is irregular": 0.4})
        figure = self.assert_claims("14", {"mean, over 20 % of misses, RPT": 1.4, "mean, irregular, RPT": 1.4, "mean, irregular, FS-HPT": 1.01,
                                           "mean, irregular, PWC hits": 0.6, "CC, step cache hits": 0.995})
        self.assert_near(guarded(figure, "mean, irregular, RPT - 1 - misses"), 0)
        self.assert_claims("15", {"mean, irregular, FS-HPT": 0.75})

    def test_every_figure_of_speed_ups_has_the_mean_of_the_programs_that_miss(self):
        by_rule = made_up(rpt=lambda code: run(1400, 400, 1400, 600) if code in ("BC", "CC") else run(1000, 300, 1000, 800 if code == "KC" else 996),
                          **{"hpt/64k": lambda code: run(1000 if code in ("BC", "CC") else 600, 300, 1000, 900),
                             "rpt/64k": run(1200, 300, 1100, 900, 250), "rpt/150": lambda code: run(1300 if code in ("BC", "CC") else 1000, 300, 1400, 900),
                             "rpt/nha": run(1250, 300, 1100, 900), "hpt/nha": run(875, 300, 1100, 900)})
        over = "mean, over 20 % of misses"
        self.assert_claims("4", {over: 0.4, "mean, irregular": (0.4 + (len(IRREGULAR) - 1) * 0.004) / len(IRREGULAR)}, by_rule)
        self.assert_claims("5", {over + ", gain in %": 40}, by_rule)
        self.assert_claims("13", {over + ", FS-HPT, gain in %": 40, over + ", FS-HPT / ideal PWC": 1}, by_rule)
        self.assert_claims("14", {over + ", RPT": 1.4, over + ", FS-HPT": 1.01, over + ", PWC hits": 0.6}, by_rule)
        self.assert_claims("15", {over + ", FS-HPT": 0.75, over + ", ideal PWC": 0.75}, by_rule)
        self.assert_claims("16", {over + ", m = 1.2, gain in %": 30}, by_rule)
        self.assert_claims("17", {over + ", 4 %, gain in %": 40}, by_rule)
        self.assert_claims("18", {over + ", FS-HPT, gain in %": 20}, by_rule)
        self.assert_claims("19", {over + ", FS-HPT with NHA, gain in %": 60, over + ", FS-HPT / RPT with NHA, gain in %": 25,
                                  over + ", FS-HPT / ideal PWC, both with NHA": 1000 / 875}, by_rule)

    def test_a_gain_is_judged_by_a_tenth_of_itself(self):
        of = lambda cycles: made_up(rpt=run(cycles, 400, 1400, 600)) # over 1000
        for cycles, expected in ((1249, "missed"), (1251, "matched"), (1305, "matched"), (1307, "missed")):
            self.assert_verdicts("13", {"mean, irregular, FS-HPT, gain in %": expected}, of(cycles))
        latency = lambda cycles: made_up(rpt=run(1400, 1000, 1400, 600), hpt=run(1000, cycles, 1010, 995))
        for cycles, expected in ((801, "missed"), (799, "matched"), (757, "matched"), (755, "missed")):
            self.assert_verdicts("15", {"mean, irregular, FS-HPT": expected}, latency(cycles))
        reads = lambda missed: made_up(rpt=lambda code: run(1000, 300, 1000, 1000 - (missed if code in PACT24.groups["R"] else 400)))
        for missed, expected in ((0, "matched"), (4, "matched"), (5, "missed")):
            self.assert_verdicts("4", {"mean, regular, %": expected}, reads(missed))
        self.assert_verdicts("19", {"KC, RPT with NHA": "missed"}, made_up(**{"rpt/nha": run(990, 300, 1100, 900)}))
        self.assert_verdicts("19", {"KC, RPT with NHA": "matched"}, made_up(**{"rpt/nha": run(970, 300, 1100, 900)}))

    def test_a_table_without_a_step_cache_is_compared_by_its_size(self):
        figure = self.assert_claims("17", {"mean, irregular, 0.5 %, gain in %": 100 * (1400 / 1450 - 1), "mean, irregular, 4 %, gain in %": 40})
        self.assertEqual(len(figure.bars), 4)
        self.assert_near(guarded(figure, "1 % / the size before"), 1450 / 1000)
        self.assert_near(guarded(figure, "4 % / the size before"), 1)
        self.assert_bar(figure.beside, "0.5 %", 0.4) # 1000 walks, 1800 reads: 400 walks needed two more

    def test_thresholds_are_compared_with_a_radix_table_that_is_as_short_of_memory(self):
        figure = self.assert_claims("16", {"mean, irregular, m = 1.0, gain in %": 30, "mean, irregular, m = 1.1, gain in %": 62.5,
                                           "NW, m = 1.2, % in the victim buffer": 4.4,
                                           "mean, irregular, m = 1.5 / without oversubscription": 1.3 / 1.4})
        self.assertEqual(len(figure.bars), 6)
        self.assert_near(guarded(figure, "m = 1.1 / the one before"), 1000 / 800)
        self.assert_near(guarded(figure, "m = 1.5 / without oversubscription"), 1.3 / 1.4)

    def test_the_victim_buffer_s_share_has_two_bounds_and_is_that_of_five_programs(self):
        in_it = "{}, m = 1.2, % in the victim buffer".format
        of = lambda share, others=0: made_up(**{"hpt/150/1.2": lambda code: run(1000, 300, 1010, 995, victims=share if code in OFTEN else others)})
        for share, bfs, nw in ((12, "missed", "missed"), (14, "matched", "missed"), (44, "matched", "matched"), (80, "missed", "missed")):
            self.assert_verdicts("16", {in_it("BFS"): bfs, in_it("SYK"): bfs, in_it("NW"): nw}, of(share))
        others = "highest of the others, m = 1.2, % in the victim buffer"
        self.assert_verdicts("16", {others: "matched"}, of(44, 10))
        self.assert_verdicts("16", {others: "missed"}, of(44, 11))
        self.assert_absent(claimed(PACT24.figure("16", {}), others))

    def test_two_programs_lose_where_all_remote_entries_are_in_the_victim_buffer_and_none_is_in_it_at_1_5(self):
        of = lambda cycles, victims: made_up(**{"rpt/150": run(1000, 300, 1400, 900), "hpt/150/1.0": run(cycles, 300, 1010, 995),
                                                "hpt/150/1.5": lambda code: run(1000, 300, 1010, 995, victims=victims if code == "LU" else 0)})
        none, roomy = "highest, m = 1.5, % in the victim buffer", "mean, irregular, m = 1.5 / without oversubscription"
        self.assert_verdicts("16", {roomy: "missed"}, made_up()) # 1.3 / 1.4
        self.assert_verdicts("16", {roomy: "matched"}, made_up(**{"rpt/150": run(1370, 300, 1400, 900)}))
        self.assert_verdicts("16", {"NW, m = 1.0": "matched", "KC, m = 1.0": "matched", none: "matched"}, of(1030, 0))
        self.assert_verdicts("16", {"NW, m = 1.0": "missed", "KC, m = 1.0": "missed", none: "missed"}, of(1010, 1))

    def test_live_remote_mappings_are_counted_where_memory_is_short(self):
        twice = lambda code: run(1000, 300, 1400, 900, 2000 if code == "CC" else 1000)
        runs = made_up(**{"rpt/150": twice})
        self.assert_claims("6", {"BFS, tenth 10 / tenth 1": 0.25}, runs)
        programs = len(PACT24.programs("7"))
        figure = self.assert_claims("7", {"highest": 0.2, "mean": (0.1 * (programs - 1) + 0.2) / programs}, runs)
        self.assert_bar(figure.beside, "mappings used", 3)
        self.assert_absent(claimed(PACT24.figure("7", {}), "highest"))
        for last, expected in ((197, "missed"), (195, "matched")):
            self.assert_verdicts("6", {"BFS, tenth 10 / tenth 1": expected}, made_up(**{"rpt/150": run(1000, 300, 1400, 900, last=last)}))

    def test_large_pages_neighbourhoods_and_five_levels_have_their_own_base(self):
        large = self.assert_claims("18", {"mean, irregular, FS-HPT, gain in %": 20}) # over the radix table with pages of this size
        self.assert_bar(large.beside, "RPT", 0.25)
        self.assert_claims("19", {"mean, irregular, FS-HPT / RPT with NHA, gain in %": 25, "mean, irregular, FS-HPT with NHA, gain in %": 60,
                                  "ATX, RPT with NHA": 1.12, "KC, RPT with NHA": 1})
        levels = PACT24.figure("levels", made_up())
        self.assert_near(named(levels.bars, "five levels over four")["BC"], 1400 / 1500)
        self.assert_near(named(levels.bars, "FS-HPT over five levels")["BC"], 1.5)
        self.assert_bar(levels.beside, "five levels", 1.5)


if __name__ == "__main__":
    unittest.main()
