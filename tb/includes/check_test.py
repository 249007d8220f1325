#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/check_includes on small trees: what it reports, and what it does not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_includes"
TREE = {
    "kernels/store/tlb.h": "",
    "model/common/block.hpp": '#include "kernels/store/tlb.h"\nclass block {};\n',
    "model/tlb.hpp": '#include "model/common/block.hpp"\nclass tlb final : public block\n{\n};\n',
    "observe/watch.hpp": '#include "model/common/block.hpp"\n',
    "platforms/CMakeLists.txt": "file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/wirings.inc CONTENT x)\n",
    "platforms/apu.cpp": '#include "wirings.inc"\n#include "model/tlb.hpp"\n#include "observe/watch.hpp"\n',
    "report/table.hpp": "",
    "cli/run.cpp": '#include "report/table.hpp"\n',
}


class CheckTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def judged(self, more=None, *options):
        """Returns the exit code, the output, and the findings."""
        for name, text in {**TREE, **(more or {})}.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, SCRIPT, "--root", self.root, *options], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr.splitlines()

    def test_a_tree_in_order_has_nothing_wrong_and_its_includes_are_counted(self):
        code, said, wrong = self.judged()
        self.assertEqual((code, wrong), (0, []))
        self.assertIn("platforms     model (1), observe (1)\n", said)
        self.assertIn("kernels       -\n", said)

    def test_an_include_of_a_folder_above_is_named_with_its_line(self):
        self.assertEqual(self.judged({"report/up.cpp": '\n#include "cli/up.hpp"\n', "cli/up.hpp": ""})[::2],
                         (1, ["report/up.cpp:2: report/ knows cli/, which stands above it: cli/up.hpp"]))

    def test_a_path_past_the_root_hides_nothing(self):
        self.assertEqual(self.judged({"kernels/up.h": '#  include "../model/tlb.hpp"'})[::2],
                         (1, ["kernels/up.h:1: kernels/ knows model/, which stands above it: model/tlb.hpp"]))

    def test_common_must_not_include_a_block_nor_observers_do(self):
        wrong = self.judged({"model/common/a.hpp": '#include "model/tlb.hpp"\n', "observe/a.hpp": '#include "model/tlb.hpp"\n'})[2]
        self.assertEqual(wrong, ["model/common/a.hpp:1: model/common/ knows model/, which stands above it: model/tlb.hpp",
                                 "observe/a.hpp:1: observe/ knows a block: model/tlb.hpp"])

    def test_the_name_of_a_block_counts_in_words_and_strings_and_not_in_comments(self):
        wrong = self.judged({"model/common/b.hpp": "/* of a tlb,\n or two */ class tlb; // tlb\n",
                             "observe/b.hpp": 'const char *n = "tlb /* ";\nint tlb_entries;\n'})[2]
        self.assertEqual(wrong, ["model/common/b.hpp:2: model/common/ names the block tlb", "observe/b.hpp:1: observe/ names the block tlb"])

    def test_characters_raw_strings_and_separated_digits_begin_no_string_and_no_comment(self):
        self.assertEqual(self.judged({"model/common/b.hpp": "char c = '\"'; // tlb\nint i = 1'000; /* it's a tlb */\nauto r = R\"(\"//)\"; // tlb\n"})[::2], (0, []))
        wrong = self.judged({"model/common/b.hpp": "int i = 1'000; tlb t; // '\nauto r = R\"(//)\"; tlb *u;\nint a/**/tlb;\n"})[2]
        self.assertEqual(wrong, [f"model/common/b.hpp:{line}: model/common/ names the block tlb" for line in (1, 2, 3)])

    def test_an_include_that_is_nowhere_or_outside_the_product_is_wrong(self):
        wrong = self.judged({"run/a.cpp": '#include "run/none.hpp"\n#include "tb/a.hpp"\n', "tb/a.hpp": ""})[2]
        self.assertEqual(wrong[0], 'run/a.cpp:1: there is no "run/none.hpp"')
        self.assertRegex(wrong[1], "^run/a.cpp:2: tb/a.hpp is in none of the folders kernels, ")

    def test_what_the_build_makes_is_there_for_its_own_folder_alone(self):
        wrong = self.judged({"report/page.cpp": '#include "page.inc"\n', "report/CMakeLists.txt": "file(READ page.html contents)\n",
                             "cli/page.cpp": '#include "page.inc"\n', "platforms/b.cpp": '#include "wiring.inc"\n'})[2]
        self.assertEqual(wrong, ['cli/page.cpp:1: there is no "page.inc"', 'platforms/b.cpp:1: there is no "wiring.inc"'])

    def test_the_graph_has_an_edge_for_each_folder_known(self):
        code, said, _ = self.judged(None, "--dot")
        self.assertEqual(code, 0)
        self.assertIn('    "cli" -> "report" [label=1];\n', said)
        self.assertEqual(said.count("->"), 6)


if __name__ == "__main__":
    unittest.main()
