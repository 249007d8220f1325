#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The shared library as a file: its exports and dependencies; and the C example, to the last digit."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

LIBRARY = os.environ["WALKWAY_LIBRARY"]
EXAMPLE = os.environ["WALKWAY_PROGRAM"]
SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])


def said(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


class Library(unittest.TestCase):
    def test_it_exports_what_the_header_declares_and_nothing_else(self):
        symbols = {line.split()[-1].split("@")[0] for line in said("nm", "-D", "--defined-only", LIBRARY).splitlines()}
        header = (SOURCE / "cosim" / "capi" / "walkway.h").read_text()
        declared = set(re.findall(r"^WALKWAY_API [^(]*?(walkway_\w+)\(", header, re.MULTILINE))
        self.assertGreater(len(declared), 25)
        self.assertEqual(symbols - {"WALKWAY_1.0"}, declared)

    def test_it_needs_no_systemc(self):
        self.assertNotIn("systemc", said("ldd", LIBRARY).lower())
        undefined = said("nm", "-D", "--undefined-only", LIBRARY)
        self.assertIn("memcpy", undefined)
        self.assertNotRegex(undefined, "sc_core|tlm")

    def test_its_name_has_its_version(self):
        self.assertIn("Library soname: [libwalkway.so.1]", said("readelf", "-d", LIBRARY))

    def test_installed_by_itself_it_is_found_by_pkg_config(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder) / "prefix"
            said(os.environ["WALKWAY_CMAKE"], "--install", os.environ["WALKWAY_BUILD"], "--component", "c", "--prefix", prefix)
            installed = sorted(p.name for p in prefix.rglob("*") if p.is_file() or p.is_symlink())
            self.assertEqual(installed, ["libwalkway.so", "libwalkway.so.1", "libwalkway.so.1.0", "walkway.h", "walkway.pc"])
            moved = prefix.rename(pathlib.Path(folder) / "elsewhere")  # no file in it contains its path
            pc = next(moved.rglob("walkway.pc")).parent
            environment = {**os.environ, "PKG_CONFIG_PATH": str(pc), "LD_LIBRARY_PATH": str(pc.parent)}
            flags = subprocess.run(["pkg-config", "--cflags", "--libs", "walkway"], check=True, stdout=subprocess.PIPE, text=True,
                                   env=environment).stdout.split()
            program = folder + "/translate"
            subprocess.run(["cc", "-std=c11", SOURCE / "cosim" / "examples" / "c-api" / "translate.c", *flags, "-o", program], check=True)
            self.assertEqual(subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout,
                             said(EXAMPLE))

    def test_the_c_example_is_short_and_says_what_it_says(self):
        source = SOURCE / "cosim" / "examples" / "c-api" / "translate.c"
        self.assertLess(len(source.read_text().splitlines()), 80)
        # cycles of 500 ps: L1 108; L2 40; link 100; TLBs 20; four reads of 160 + 40 and 60 ns; three steps back of 1
        cold = (108 + 40 + 100 + 20 + 4 * 200 + 3) * 500 + 4 * 60000
        # the walk cache holds the last node: one read
        absent = (108 + 40 + 100 + 20 + 200 + 3) * 500 + 60000
        self.assertEqual(said(EXAMPLE), f"""\
unit 0, 0x03abc: 0x123456abc after {cold} ps
unit 0, 0x03ff8: 0x123456ff8 after {108 * 500} ps
unit 1, 0x03abc: 0x123456abc after {(108 + 40 + 1) * 500} ps
unit 0, 0x04000: fault, an entry of the page table is not present after {absent} ps
unit 0, 0x03abc: 0x777777abc after {cold} ps
fault of 0x4000 at level 1, entry at 0x10003020
""")


if __name__ == "__main__":
    unittest.main()
