#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Builds the RTL bus master of the examples with Verilator and runs it; it compares each address itself."""
import os
import pathlib
import subprocess
import tempfile
import unittest

LIBRARY = pathlib.Path(os.environ["WALKWAY_LIBRARY"])
SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])


class Verilator(unittest.TestCase):
    def test_a_bus_master_translates_each_address_through_the_library(self):
        examples = SOURCE / "cosim" / "examples" / "c-api"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["verilator", "--binary", "--timing", "-j", "1", "--top-module", "bus_master", "--Mdir", folder,
                            examples / "bus_master.sv", examples / "translate_dpi.cpp", "-CFLAGS", f"-O0 -I{SOURCE / 'cosim/capi'}",
                            "-LDFLAGS", f"-L{LIBRARY.parent} -lwalkway"], check=True, stdout=subprocess.DEVNULL)
            said = subprocess.run([folder + "/Vbus_master"], check=True, stdout=subprocess.PIPE, text=True, timeout=60,
                                  env={"LD_LIBRARY_PATH": str(LIBRARY.parent)}).stdout
        # one page in eight of 64 is not mapped; four beats per page
        self.assertRegex(said, r"^256 beats, 32 faults, \d+ cycles\n")


if __name__ == "__main__":
    unittest.main()
