#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/check_results on small pages: what it reports, and what it does not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_results"
TABLE = "| | a | b |\n|---|---|---|\n| x | 1.04 | 1,371 |\n| y | .455 | 3 % |\n"


class CheckTest(unittest.TestCase):
    def judged(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, page], capture_output=True, text=True, check=False)
            return done.returncode, [line.split("page.md:")[1] for line in done.stdout.splitlines()[:-1]]

    def wrong(self, text, *expected):
        self.assertEqual(self.judged(text), (int(bool(expected)), list(expected)), text)

    def test_a_table_beside_command_and_model_is_right(self):
        for command in ("`walkway reproduce pact20 --scale full`", "`--scale demo --figures 12`", "    walkway compare a b"):
            for model in ("model `705f1f7601f8`", "Model `705f1f7`, single runs", "runs of 2026-11-24"):
                self.wrong(f"# A\n{command}\n\n{model}:\n\n{TABLE}")

    def test_what_is_missing_is_named_with_the_tables_line(self):
        no_command, no_model = "a table of results without a command beside it", "a table of results without a model or day of the runs beside it"
        self.wrong(f"# A\nruns of 2026-11-24\n\n{TABLE}", f"4: {no_command}")
        self.wrong(f"# A\n`walkway run`\n{TABLE}", f"3: {no_model}")
        self.wrong(f"# A\nwalkway is fast, `l2_tlb.entries=4`\n{TABLE}", f"3: {no_command}", f"3: {no_model}")

    def test_a_section_has_what_those_that_it_stands_in_say_and_not_what_their_other_parts_do(self):
        said = "`walkway reproduce x`, runs of 2026-11-24\n"
        self.wrong(f"# A\n{said}## B\n### C\n{TABLE}")
        self.assertEqual(len(self.judged(f"# A\n## B\n{said}## C\n{TABLE}")[1]), 2)
        self.assertEqual(len(self.judged(f"# A\n## B\n{TABLE}{said}")[1]), 2) # a command after the table does not count
        self.wrong(f"# A\n{said}```sh\n# a comment is no heading\n```\n## B\n{TABLE}")

    def test_widths_and_words_are_no_results(self):
        self.wrong("# A\n| width | 2 GB |\n|---|---|\n| tag | 31 |\n| frame | 19, 1.5 times |\n| ratio | about 1.5 |\n| LDS | 12 |\n")
        self.wrong("# A\n```\n" + TABLE + "```\n")

    def test_a_row_of_results_in_a_list_is_refused(self):
        said = "a row of results in a list: a table says what each is"
        self.wrong("# A\n*a; b; c*\n\n- x: 1.04; 1,371; .455\n- y: fast; 3 %; 1.5,\n  and more; 2.5\n", f"4: {said}", f"5: {said}")
        self.wrong("# A\n- x: 1.04; 1,371; slow\n- y: 32; 16; 8\n- of 1.5; 2.5\n")


if __name__ == "__main__":
    unittest.main()
