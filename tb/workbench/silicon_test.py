#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The machines p100 and k80 compared with measurements of these GPUs: every plateau, every step, which SMs share, and no step without
translation. The judgement detects: sub-entries that are filled one by one, a data cache whose index adds steps, two entries more (the
measurement is known to within one entry), a neighbour that shares."""
import json
import unittest

from walkway_run import RunTest


class SiliconTest(RunTest):
    def verdicts(self, folder, *options):
        """Returns {figure: {claim: verdict}}."""
        self.run_it("reproduce", "silicon", "-o", folder, *options)
        report = json.loads((self.dir / folder / "reproduce.json").read_text())
        self.assertEqual(report["missing"], 0)
        return {f["id"]: {c["text"]: c["verdict"] for c in f["claims"]} for f in report["figures"]}

    def missed(self, *args):
        return {figure: sorted(text for text, verdict in claims.items() if verdict != "matched") for figure, claims in self.verdicts(*args).items()}

    def test_every_plateau_step_and_sharer_is_as_measured(self):
        verdicts = self.verdicts("all")
        self.assertEqual({name: len(claims) for name, claims in verdicts.items()},
                         {"p100-fitted": 6, "p100-predicted": 12, "p100-flat": 6, "k80-fitted": 6, "k80-predicted": 14, "k80-flat": 6, "sharing": 2})
        self.assertEqual({verdict for claims in verdicts.values() for verdict in claims.values()}, {"matched"})
        text = (self.dir / "all/reproduce.md").read_text()
        self.assertIn("| stride 16 MiB, 2320 to 4992 MiB, cycles | 357 | 357.38 | matched |", text)
        self.assertIn("more; reproduce.json has them all", text)
        self.assertTrue(text.startswith("# Curves of pointer chases and who shares TLBs, measured on a Tesla P100 and a Tesla K80 (2017) at --scale gate\n"))
        self.assertRegex(self.run_it("reproduce", "--help").stdout, r"\d+ made-up traces\n")

    def test_a_miss_that_fills_one_sub_entry_has_no_half_steps(self):
        missed = self.missed("one", "--figures", "p100-predicted,k80-predicted", "--set", "l2_tlb.subentry_fill=one")
        self.assertEqual(missed, {"p100-predicted": ["stride 16 MiB, 2320 to 4992 MiB, cycles"], "k80-predicted": ["stride 1 MiB, 143 to 300 MiB, cycles"]})

    def test_nor_has_the_first_level(self):
        missed = self.missed("one", "--figures", "k80-predicted", "--set", "l1_tlb.subentry_fill=one")
        self.assertEqual(missed, {"k80-predicted": ["stride 64 KiB, 2.0625 to 5 MiB, cycles"]})
        self.assertRegex((self.dir / "one/reproduce.md").read_text(), r"stride 64 KiB, 2.0625 to 5 MiB, cycles \| 245 \| 250\.\d+ \|")

    def test_a_data_cache_that_finds_sets_by_modulo_makes_steps_of_its_own(self):
        missed = self.missed("modulo", "--figures", "p100-flat", "--set", "l2d.index=modulo")
        self.assertIn("stride 16 MiB, slowest - fastest size, cycles", missed["p100-flat"])

    def test_a_step_is_noticed_two_entries_off(self):
        missed = self.missed("entries", "--figures", "k80-fitted,k80-predicted", "--set", "l2_tlb.entries=73", "--set", "l2_tlb.ways=73")
        self.assertIn("stride 2 MiB, from 250 to 305 cycles at, MiB", missed["k80-fitted"])

    def test_who_shares_is_noticed(self):
        missed = self.missed("sharers", "--figures", "sharing", "--set", "l1_tlb.shared_by=1")
        self.assertEqual(missed, {"sharing": ["stride 2 MiB, share of 14 pairs"]})


if __name__ == "__main__":
    unittest.main()
