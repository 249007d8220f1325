#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/check_words on small files: the glossary's words, where they count, and where they do not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_words"


class WordsTest(unittest.TestCase):
    def found(self, name, text, *expected):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, SCRIPT, file], capture_output=True, text=True, check=False)
            hits = [line.removeprefix(f"{file}:") for line in done.stdout.splitlines()[:-1]]
            self.assertEqual((done.returncode, hits), (int(bool(expected)), list(expected)), text + done.stderr)

    def test_words_of_a_page_are_found_by_line(self):
        self.found("a.md", "# A\nThe asking end is told.\n\nWhoever\n", "2: asking end", "2: told", "4: Whoever")
        self.found("a.md", "two serving\nends, the look-ups\n", "1: serving ends", "2: look-ups")
        self.found("a.md", "The initiator is notified of a number of lookups; an untold stolid whateverness.\n")

    def test_code_of_a_page_is_not_judged(self):
        self.found("a.md", "`told` and `so\nmany`:\n```sh\nwhoever\n```\n    nobody\n", "6: nobody")

    def test_comments_of_a_header_are_found_and_its_code_is_not(self):
        self.found("a.h", "int told; /* a block is told */\nint nobody; // so many\n", "1: told", "2: so many")
        self.found("a.hpp", "/* A link of so\n * many slots, `nobody` of `told`. */\nint whoever;\n", "1: so many")
        self.found("a.hpp", 'auto s = "/* told */"; /* a \'quote" */ char c = \'"\'; // whatever\n', "1: whatever")
        self.found("a.hpp", "int i = 1'000; // it's told\nauto r = R\"(/* told */ \" // told)\"; // whatever\n", "1: told", "2: whatever")


if __name__ == "__main__":
    unittest.main()
