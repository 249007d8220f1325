#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The study of page faults: it has every workload, and compares each way of mapping with all pages mapped."""
import os
import pathlib
import unittest

from made_runs import FiguresTest, MadeStudy, made_run

FAULTS = MadeStudy("faults")


def run(cycles):
    return made_run({"cycles": cycles, "gpu.cycles": cycles, "pager.pages_mapped": 20, "pager.faults": 30, "walk_unit.fault_table_peak": 7})


class FaultsTest(FiguresTest):
    def test_faults_are_held_against_the_same_program_with_every_page_mapped(self):
        figure = FAULTS.figure("cycles", FAULTS.runs(run(1000), {"half": run(2500), "first_touch": lambda code: run(500 if code == "ATX" else 4000)}))
        by_program = lambda atax, others: {code: atax if code == "ATX" else others for code in FAULTS.groups["all"]}
        self.assertEqual([bar.name for bar in figure.bars], ["half", "first_touch"])
        self.assert_bar(figure.bars, "half", 2.5)
        self.assert_bar(figure.bars, "first_touch", by_program(0.5, 4))
        self.assertEqual(len(figure.beside), 4)
        for name, expected in (("pages mapped", 20), ("faults at the pager", 30), ("most in a fault table", 7),
                               ("cycles for each page mapped", by_program(25, 200))):
            self.assert_bar(figure.beside, name, expected)

    def test_every_workload_is_in_it(self):
        """A workload is a folder with a kernel of its name."""
        there = {folder.name for folder in pathlib.Path(os.environ["WALKWAY_SOURCE"], "workloads").iterdir() if (folder / (folder.name + ".cl")).exists()}
        self.assertGreater(len(there), 20)
        of_code = {code: words.split()[1] for code, words in FAULTS.config["workloads"].items()}
        self.assertEqual({of_code[code] for code in FAULTS.programs("cycles")}, there)


if __name__ == "__main__":
    unittest.main()
