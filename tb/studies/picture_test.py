#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The picture of a study's report: a bar for each mean, a mark for each program, and a note of missing runs."""
import unittest

from made_runs import ReportTest

from walkway import figure


class PictureTest(ReportTest):
    def drawn(self, report):
        """Returns (bars: (left, width) by name, marks by name, other texts, title) of the first panel."""
        picture = figure.report(dict(report, title="a title"))
        axes = picture.axes[0]
        names = [label.get_text() for label in axes.get_yticklabels()]
        bars = {name: (bar.get_x(), bar.get_width()) for name, bar in zip(names, axes.patches)}
        marks = {name: list(line.get_xdata()) for name, line in zip(names, (line for line in axes.lines if line.get_marker() == "s"))}
        return bars, marks, [text.get_text() for text in axes.texts], [text.get_text() for text in picture.texts]

    def test_it_has_a_bar_for_each_mean_and_a_mark_for_each_program(self):
        self.cycles.update({("A", "base"): 2000, ("B", "fast"): 3200})
        _, report, _ = self.report("9", "table-2")
        bars, marks, texts, title = self.drawn(report)
        self.assertEqual(marks, {"fast": [4, 0.25]})
        self.assertEqual(bars["fast"][0] + bars["fast"][1], 1) # the geometric mean; bars of ratios start at 1
        self.assertEqual((texts, title), ([], ["a title"]))
        self.cycles["B", "fast"] = 800
        bars, *_ = self.drawn(self.report("9")[1])
        self.assertEqual(bars["fast"], (1, 1))
        bars, *_ = self.drawn(self.report("section-6.3.1")[1])
        self.assertEqual(len(bars), 6)
        self.assertEqual(set(bars.values()), {(0, 1400)}) # bars of numbers that are not ratios start at 0

    def test_what_is_missing_is_said(self):
        _, report, _ = self.report("9", none=["A base 0"])
        bars, _, texts, title = self.drawn(report)
        self.assertEqual((list(bars), texts), (["fast"], ["no mean"]))
        self.assertEqual(title, ["a title\nPARTIAL: 1 of 4 runs are missing."])

    def test_the_line_of_a_bar_is_the_mean_s_half_width(self):
        self.errors["A", "fast"] = ("w", 0.02, "[0.06, 0.08]")
        picture = figure.report(self.report("9", sampled="windows=2")[1])
        [[low, high]] = [[x for x, _ in path] for lines in picture.axes[0].collections for path in lines.get_segments()]
        self.assert_near(high - 2, 0.1)
        self.assert_near(2 - low, 0.1)


if __name__ == "__main__":
    unittest.main()
