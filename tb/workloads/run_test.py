#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway workloads run and walkway list workloads: all programs at their demo sizes, and programs that go wrong."""
import json
import os
import re
import signal
import time
import unittest

from walkway_run import ENOUGH, RunTest

NAMES = sorted(os.environ["WALKWAY_NAMES"].split(","))
DESCRIBES = """#!/bin/sh
if [ "$1" = --describe ]; then
    echo '{"name": "%s", "summary": "a test", "suite": "none", "papers": [], "kernels": ["k"], "presets":
           [{"name": "demo", "text": "a test", "values": "1"}, {"name": "odd", "text": "a test", "values": "1"}],
           "footprint_bytes": 12345}'
    exit
fi
%s
"""


class WorkloadsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.env["WALKWAY_WORKLOADS"] = str(self.dir)

    def script(self, name, text):
        path = self.dir / name
        path.write_text(text)
        path.chmod(0o755)

    def program(self, name, body):
        self.script(name, DESCRIBES % (name, body))

    def refused(self, *words, says, code=1):
        done = self.run_it("workloads", *words, code=code)
        for part in says:
            self.assertIn(part, done.stdout + done.stderr)
        return done

    def test_all_programs_are_right_at_their_demo_sizes(self):
        text = self.run_it("workloads", "run", "--all", "--scale", "demo").stdout
        rows = {line.split()[0]: line for line in text.splitlines()[2:] if line and not line[0].isdigit() or " demo " in line}
        for name in NAMES:
            self.assertRegex(rows.get(name, f"{name} is not there"), r"^\S+ +[\d.]+ +demo +right \(")
        self.assertIn(" programs, 0 failed", text)

    def test_names_and_patterns_choose(self):
        for name in ("xa", "xb", "other"):
            self.program(name, f"echo '{name}: n=1 PASS (exact)'")
        text = self.run_it("workloads", "run", "x?", "-j", 2).stdout
        self.assertIn("2 programs, 0 failed", text)
        self.assertNotIn("other", text)
        self.assertIn("1 programs, 0 failed", self.run_it("workloads", "run", "xa", "x[a]", "--scale", "odd").stdout)

    def test_a_program_that_fails_is_named_with_what_it_said(self):
        self.program("wrong", "echo 'wrong: x[3] is 4, must be 5' >&2; exit 1")
        self.program("arguments", "exit 2")
        self.program("device", "exit 3")
        self.program("crashed", "kill -SEGV $$")
        self.program("seven", "exit 7")
        self.program("hung", "sleep 100")
        self.program("good", "echo 'good: PASS (exact)'")
        done = self.refused("run", "wrong", "arguments", "device", "crashed", "seven", "hung", "good", "--timeout", 4, code=2,
                            says=["wrong result", "bad arguments", "failed OpenCL call", "crashed: exit code 7",
                                  "walkway: wrong: wrong result\n    wrong: x[3] is 4, must be 5\n",
                                  "7 programs, 6 failed", "right (exact)"])
        self.assertRegex(done.stdout, r"crashed +\S+ +demo +crashed: signal 11 \(Segmentation fault\)\n")
        hung = re.search(r"hung +(\S+) +demo +hung: no end within 4 s\n", done.stdout)
        self.assertGreaterEqual(float(hung[1]), 4, done.stdout)
        self.assertNotIn("walkway: good", done.stderr)

    def test_what_a_failed_program_says_cannot_command_a_terminal(self):
        self.program("rude", "printf '\\033[2Jgone' >&2; exit 1")
        self.assertIn("\\x1b[2Jgone", self.refused("run", "rude", code=2, says=[]).stderr)

    def test_an_interrupt_ends_what_runs_and_starts_no_more(self):
        for name in ("slow", "slower"):
            self.program(name, "touch started; exec sleep 100")
        with self.start("workloads", "run", "slow", "slower", "-j", 1) as child:
            while not (self.dir / "started").exists():
                time.sleep(0.05)
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=ENOUGH)
        self.assertEqual(child.returncode, 130, out + err)
        self.assertRegex(out, r"slow +[\d.]+ +demo +interrupted\n")
        self.assertRegex(out, r"slower +0 +demo +not run: interrupted\n")

    def test_a_program_that_does_not_describe_itself_fails_and_a_tool_is_left_out(self):
        self.script("mute", "#!/bin/sh\necho nonsense\n")
        self.script("dead", "#!/bin/sh\nkill -SEGV $$\n")
        self.script("tool", "#!/bin/sh\nexit 2\n")
        self.program("good", "echo 'good: PASS (exact)'")
        self.refused("run", "mute", "dead", "good", code=2, says=["1 programs, 2 failed", "walkway: mute: --describe: ",
                                                                  "walkway: dead: --describe: signal 11"])
        self.refused("run", "tool", says=["no workload is called 'tool'"])
        text = self.run_it("list", "workloads").stdout
        self.assertRegex(text, r"mute +cannot be used: --describe: ")
        self.assertNotIn("tool", text)

    def test_an_absent_preset_is_said(self):
        self.program("odd", "echo 'odd: PASS (exact)'")
        text = self.run_it("workloads", "run", "odd", "nn", "--scale", "odd").stdout
        self.assertRegex(text, r"nn +- +(- +)?has no preset of that name")
        self.assertIn("1 programs, 0 failed", text)
        self.refused("run", "nn", "--scale", "dmeo", says=["--scale dmeo: none of these programs has it", "'demo'"])

    def test_mistakes_of_the_command_line(self):
        self.refused("run", says=["wants either --all or names"])
        self.refused("run", "--all", "nn", says=["wants either --all or names"])
        self.refused("walk", says=["wants 'run --all'"])
        self.refused("run", "nnn", says=["no workload is called 'nnn'", "did you mean 'nn'"])
        self.refused("run", "nn", "--timeout", "soon", says=["--timeout soon: wants a whole number"])

    def test_the_list_has_footprints_kernels_and_papers(self):
        listed = {w["name"]: w for w in json.loads(self.run_it("list", "workloads", "--json").stdout)}
        self.assertLessEqual(set(NAMES), set(listed))
        atax = listed["atax"]
        self.assertEqual(atax["kernels"], ["atax_rows", "atax_columns"])
        self.assertEqual(atax["papers"], ["micro18", "micro21", "pact24"])
        self.assertEqual(atax["presets"]["micro18"]["footprint_bytes"], 4 * (4096 * 4096 + 3 * 4096))
        for name in NAMES:
            for preset, what in listed[name]["presets"].items():
                self.assertGreater(what["footprint_bytes"], 0, f"{name} {preset}")
        text = self.run_it("list", "workloads").stdout
        self.assertRegex(text, r"atax +y = A\^T \(A x\).* +atax_rows atax_columns\n")
        self.assertRegex(text, r"workload +demo +default +hpca14 +micro18 +micro21 +pact24 +suite\n")
        self.assertRegex(text, r"atax +\S+ KiB +64\.0 MiB +- +64\.0 MiB +64\.0 MiB +256\.1 MiB +PolyBench\n")


if __name__ == "__main__":
    unittest.main()
