#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""./check with stand-ins for its steps: what it counts, what it leaves out when there is no time, and what it then says."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "check"
SCRIPTS = "setup check_format check_purity check_docs check_static check_headers check_coverage check_determinism check_fuzz check_guest check_pages try_slurm"
SUMMARY = "echo '100% tests passed, 0 tests failed out of 3'"
SPARE = "tests of programs, sanitizers, long tests, headers alone, coverage build, fuzzers' build, a guest in the emulator, pages in a browser, a sweep on a cluster"


class GateTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(CHECK, self.dir)
        for folder in ("scripts", "bin"):
            (self.dir / folder).mkdir()
        for name in SCRIPTS.split():
            self.program(f"scripts/{name}", f"echo gate: by {name}")
        self.program("bin/cmake", '[ "$1" = --build ] || mkdir -p "build/$2"')
        self.program("bin/ctest", SUMMARY)

    def program(self, name, text):
        (self.dir / name).write_text(f"#!/bin/bash\n{text}\n")
        (self.dir / name).chmod(0o755)

    def check(self, *words, code=0, after=0):
        """The lines of ./check that began `after` seconds ago."""
        env = {**os.environ, "PATH": f"{self.dir}/bin:{os.environ['PATH']}", "SECONDS": str(after)}
        done = subprocess.run(["./check", *words], cwd=self.dir, env=env, capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return (done.stdout if code != 2 else done.stderr).splitlines()

    def test_steps_and_tests_are_counted(self):
        said = self.check()
        self.assertEqual(said[-1], "8 passed, 0 failed")
        self.assertRegex("\n".join(said), "(?m)^ok +[0-9]+ s  purity of the kernels: by check_purity$")
        self.assertEqual(self.check("--deep")[-1], "23 passed, 0 failed")
        self.program("bin/ctest", "echo '33% tests passed, 2 tests failed out of 3'")
        self.program("scripts/check_format", "echo wrong; exit 1")
        said = self.check(code=1)
        self.assertEqual(said[-1], "5 passed, 3 failed")
        self.assertRegex(said[-2], "failed: format, tests, release$")
        self.assertIn("    wrong", said)

    def test_without_time_what_must_run_runs_and_the_rest_is_named(self):
        said = self.check("--deep", "--minutes", "50", after=3000)
        self.assertEqual(said[-3], f"PARTIAL: no time was left for {SPARE}")
        self.assertEqual(said[-1], "9 passed, 0 failed")
        self.assertEqual([folder.name for folder in (self.dir / "build").iterdir() if folder.name != "check"], ["release"])
        said = "\n".join(self.check("--deep", "--minutes", "50"))
        self.assertNotIn("PARTIAL", said)
        self.assertIn("23 passed, 0 failed", said)

    def test_what_runs_at_the_limit_is_ended(self):
        self.program("bin/ctest", f'[[ "$*" != *" -L "* ]] || {{ trap "" TERM; for i in {{1..60}}; do sleep 1; done; }}; {SUMMARY}')
        self.assertEqual(self.check("--deep", "--minutes", "50", after=2998)[-3], f"PARTIAL: no time was left for {SPARE}")
        self.program("scripts/check_static", "sleep 3") # but not what must run
        self.assertEqual(self.check("--deep", "--minutes", "50", after=2998)[-1], "9 passed, 0 failed")

    def test_tests_that_failed_before_the_limit_have_failed(self):
        self.program("bin/ctest", f'[[ "$*" != *" -L "* ]] || {{ echo "1/3 Test #1: a/b ...***Failed 1 sec"; sleep 60; }}; {SUMMARY}')
        said = self.check("--deep", "--minutes", "50", after=2980, code=1)
        self.assertRegex(said[-2], "failed: tests of programs, sanitizers$")
        self.assertEqual(said[-1], "9 passed, 1 failed")

    def test_a_failure_is_a_failure_without_time_too(self):
        self.program("scripts/check_determinism", "exit 124") # not mistaken for the limit's own code
        self.assertEqual(self.check("--deep", "--minutes", "50", after=3000, code=1)[-1], "8 passed, 1 failed")
        self.program("scripts/check_determinism", "true")
        self.program("scripts/check_fuzz", "exit 124")
        for limit in ((), ("--minutes", "50")):
            self.assertEqual(self.check("--deep", *limit, code=1)[-1], "22 passed, 1 failed")

    def test_words_that_are_wrong(self):
        for words, said in ((("--minutes", "5"), "--minutes goes with --deep"), (("--deep", "--minutes"), "a number of minutes, got ''"),
                            (("--deep", "--minutes", "0"), "a number of minutes, got '0'"), (("--quick",), "unknown option '--quick'")):
            self.assertIn(said, self.check(*words, code=2)[0])


if __name__ == "__main__":
    unittest.main()
