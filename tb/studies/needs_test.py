#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every study: its figures use the runs that study.cfg names for them, and have no number without runs."""
import math
import unittest

from made_runs import STUDIES, MadeStudy

from walkway import study


class Asked(dict):
    """Has no runs, and records which are requested."""

    def __init__(self):
        super().__init__()
        self.wanted = set()

    def get(self, key, default=None):
        self.wanted.add(key)
        return default


class NeedsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studies = {file.parent.name: MadeStudy(file.parent.name) for file in sorted(STUDIES.glob("*/figures.py"))}
        cls.figures, cls.asked = {}, {}
        for name, made in cls.studies.items():
            for identity in made.functions:
                runs = Asked()
                cls.figures[name, identity] = made.figure(identity, runs)
                cls.asked[name, identity] = runs.wanted

    def each(self):
        """Yields (study, figure's name, figure, label for messages)."""
        for (name, identity), figure in self.figures.items():
            yield self.studies[name], identity, figure, f"{name} {identity}"

    def test_the_papers_are_there(self):
        self.assertLessEqual({"combinations", "faults", "hpca14", "micro18", "micro21", "pact20", "pact24", "processes", "shootdown"}, set(self.studies))

    def test_both_files_of_a_study_have_the_same_figures(self):
        for name, made in self.studies.items():
            self.assertEqual(sorted(made.functions), sorted(made.figures), name)

    def test_figures_are_made_of_runs_that_are_made_for_them(self):
        for made, identity, _, whose in self.each():
            self.assertLessEqual(self.asked[made.name, identity], made.needed(identity), whose)

    def test_every_figure_has_runs_and_every_machine_is_shown(self):
        for made in self.studies.values():
            self.assertEqual(len(set(made.machines)), len(made.machines), made.name)
            self.assertTrue(all(made.needed(identity) for identity in made.figures), made.name)
            shown = {machine for identity in made.figures for _, machine in self.asked[made.name, identity]}
            self.assertEqual(shown, set(made.machines), made.name)

    def test_bars_are_of_the_figure_s_programs(self):
        for made, identity, figure, whose in self.each():
            self.assertTrue(figure.title and figure.bars, whose)
            self.assertEqual(bool(figure.beside), bool(figure.beside_title), whose)
            for bar in figure.bars + figure.beside:
                self.assertEqual(list(bar.values), made.programs(identity), f"{whose}: {bar.name}")

    def test_no_name_is_there_twice(self):
        for _, _, figure, whose in self.each():
            for names in ([bar.name for bar in figure.bars], [bar.name for bar in figure.beside], [claim[0] for claim in figure.claims],
                          [guard[0] for guard in figure.guards]):
                self.assertEqual(len(set(names)), len(names), f"{whose}: {names}")

    def test_what_is_stated_is_an_interval(self):
        for _, _, figure, whose in self.each():
            for text, paper, _ in figure.claims:
                self.assertIsInstance(paper, study.Stated, f"{whose}: {text}")
                self.assertLessEqual(paper.low, paper.high, f"{whose}: {text}")
            for text, _, low, high in figure.guards:
                self.assertLess(low, high, f"{whose}: {text}")

    def test_without_runs_there_is_no_number(self):
        for _, _, figure, whose in self.each():
            for bar in figure.bars + figure.beside:
                self.assertTrue(all(math.isnan(value) for value in bar.values.values()), f"{whose}: {bar.name}")
            for text, number in [(claim[0], claim[2]) for claim in figure.claims] + [guard[:2] for guard in figure.guards]:
                self.assertTrue(math.isnan(number), f"{whose}: {text}")


if __name__ == "__main__":
    unittest.main()
