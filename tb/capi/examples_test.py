#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The Python example prints what the C API returns, and every example is short."""
import os
import pathlib
import subprocess
import unittest

LIBRARY = pathlib.Path(os.environ["WALKWAY_LIBRARY"])
EXAMPLES = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "cosim" / "examples" / "c-api"


class Examples(unittest.TestCase):
    def test_each_is_under_80_lines(self):
        for name in "translate.c", "translate.py", "bus_master.sv", "translate_dpi.cpp":
            self.assertLess(len((EXAMPLES / name).read_text().splitlines()), 80, name)

    def test_python_by_ctypes(self):
        said = subprocess.run(["/usr/bin/python3", "-B", EXAMPLES / "translate.py"], check=True, stdout=subprocess.PIPE, text=True,
                              env={"LD_LIBRARY_PATH": str(LIBRARY.parent)}).stdout
        # 64 pages in turn, four times: LRU keeps none of them in fewer than 64 entries. Each page reads its line of eight entries
        # again; the three nodes above are read once. Cycles of 500 ps, and 60 ns per read.
        read = 200 + 120
        first = 108 + 188 + 100 + 20 + 3
        walks, l2 = 64 * first + 67 * read, 108 + 188 + 1
        small = (walks + 192 * l2) / 256 / 2
        large = (walks + 192 * 108) / 256 / 2
        self.assertEqual(said, f"""\
16 entries: 0 of 256 hit, 67 reads, {small:.1f} ns an access
32 entries: 0 of 256 hit, 67 reads, {small:.1f} ns an access
64 entries: 192 of 256 hit, 67 reads, {large:.1f} ns an access
""")


if __name__ == "__main__":
    unittest.main()
