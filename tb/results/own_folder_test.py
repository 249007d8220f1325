#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A test program, whichever entry it has, works in a folder of its own and leaves nothing behind."""
import os
import pathlib
import subprocess
import tempfile
import unittest


class OwnFolderTest(unittest.TestCase):
    def leaves_nothing(self, program):
        with tempfile.TemporaryDirectory() as dir:
            place, temporary = pathlib.Path(dir, "place"), pathlib.Path(dir, "temporary")
            place.mkdir()
            temporary.mkdir()
            # The folder it starts in is gone: a file written there is an error, for root too.
            command = ["sh", "-c", 'rmdir "$PWD" && exec "$0"', program]
            env = {**os.environ, "TMPDIR": str(temporary)}
            done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(os.listdir(temporary), [])

    def test_of_programs_that_do_not_simulate(self):
        self.leaves_nothing(os.environ["WALKWAY_UNIT_TEST"])

    def test_of_programs_that_simulate(self):
        self.leaves_nothing(os.environ["WALKWAY_SIMULATING_TEST"])


if __name__ == "__main__":
    unittest.main()
