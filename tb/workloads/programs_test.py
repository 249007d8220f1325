#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every OpenCL program ($WALKWAY_NAMES): its description equals what it allocates and launches, its check finds errors, its
presets are valid, and explicit arguments override them."""
import json
import os
import pathlib
import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from walkway_run import ENOUGH, RunTest

WORKLOADS = pathlib.Path(os.environ["WALKWAY_WORKLOADS"])
NAMES = os.environ["WALKWAY_NAMES"].split(",")
# Faster than the demo preset, but with every kernel; a program that is not here runs its demo.
SMALL = {
    "2dconv": ["40", "70"], "atax": ["64"], "backprop": ["64"], "bfs": ["--graph", "rodinia:600"], "bicg": ["64"], "corr": ["40"],
    "gaussian": ["40"], "gesummv": ["64"], "hotspot": ["30", "--iterations", "5"], "lu": ["40"], "lud": ["48"],
    "mvt": ["64"], "nn": ["300"], "nw": ["32"], "pathfinder": ["500", "30"], "srad": ["30", "20", "--iterations", "1"],
    "syrk": ["40"],
}
PAPERS = ("hpca14", "micro18", "micro21", "pact24")


def arguments_of(name):
    return SMALL.get(name, ["--preset", "demo"])


def program(name, *words, under=(), **environment):
    return subprocess.run([*under, WORKLOADS / name, *words], capture_output=True, text=True, check=False, timeout=ENOUGH,
                          env={**os.environ, "OCLGRIND_LOCAL_MEM_SIZE": "65536", **environment})


def described(name, *words):
    done = program(name, "--describe", *words)
    if done.returncode != 0:
        raise AssertionError(f"{name} {words}: {done.stderr}")
    return json.loads(done.stdout)


class ProgramsTest(RunTest):
    def for_each(self, check):
        """Runs two at a time, because each spends its time in another process."""
        with ThreadPoolExecutor(2) as pool:
            for name, done in [(name, pool.submit(check, name)) for name in NAMES]:
                with self.subTest(program=name):
                    done.result()

    def test_a_program_describes_what_it_allocates_and_launches(self):
        def check(name):
            words = arguments_of(name)
            self.run_it("capture", "-q", "-o", name + ".wkt", "--", WORKLOADS / name, *words)
            trace = json.loads(self.run_it("trace", "info", "--json", name + ".wkt").stdout)
            said = described(name, *words)
            self.assertEqual(said["name"], name)
            self.assertEqual([b["bytes"] for b in said["buffers"]], [b["bytes"] for b in trace["buffers"]])
            self.assertEqual(said["footprint_bytes"], sum(b["bytes"] for b in said["buffers"]))
            self.assertEqual(set(said["kernels"]), {launch["kernel"] for launch in trace["launches"]})
        self.for_each(check)

    def test_a_spoilt_result_is_found(self):
        def check(name):
            done = program(name, *arguments_of(name), under=["oclgrind"], WALKWAY_BREAK_CHECK="1")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stderr, rf"{name}: .* FAIL\n$")
        self.for_each(check)

    def test_every_preset_is_valid_and_a_paper_s_name_says_that_it_uses_the_program(self):
        for name in NAMES:
            with self.subTest(program=name):
                said = described(name)
                presets = [p["name"] for p in said["presets"]]
                self.assertEqual(len(set(presets)), len(presets), "each once")
                self.assertLessEqual({"demo", "default"}, set(presets))
                self.assertLessEqual(set(presets), {"demo", "default", *PAPERS}, "no other names")
                self.assertEqual(said["papers"], [p for p in presets if p in PAPERS])
                self.assertNotIn("preset", said)
                help_text = program(name, "--help").stdout
                for preset in said["presets"]:
                    again = described(name, "--preset", preset["name"])
                    self.assertEqual(again["preset"], preset["name"])
                    self.assertEqual(again["footprint_bytes"],
                                     described(name, *preset["values"].split())["footprint_bytes"])
                    self.assertIn(f"{preset['text']}: {name} {preset['values']}\n", help_text)

    def test_the_papers_footprints(self):
        """MICRO'18, Table II, minus the 16 KiB that every number there includes. Its MB are MiB."""
        table = {"mvt": 128.14, "atax": 64.06, "bicg": 128.11, "gesummv": 128.06, "backprop": 108.03, "hotspot": 12.02}
        for name, megabytes in table.items():
            pages = sum(-(-b["bytes"] // 4096) for b in described(name, "--preset", "micro18")["buffers"])
            self.assertAlmostEqual((pages + 4) / 256, megabytes, delta=0.0051, msg=name)

    def test_the_page_on_programs_has_every_one_with_its_suite(self):
        page = (pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "use" / "workloads.md").read_text()
        for name in NAMES:
            suite = described(name)["suite"]
            self.assertIn(f"\n- `{name}`: {suite};", page)

    # -- explicit arguments and presets

    def test_what_is_given_explicitly_wins_wherever_it_stands(self):
        for words in (["--preset", "demo", "96", "--type=double"], ["96", "--type", "double", "--preset=demo"],
                      ["--type", "double", "--preset", "demo", "96"]):
            given = described("atax", *words)["arguments"]
            self.assertEqual((given["N"], given["M"], given["--type"]), (96, 1024, "double"), words)
        demo = described("mvt", "--type", "float", "--preset", "micro18")
        self.assertEqual((demo["arguments"]["N"], demo["arguments"]["--type"]), (4096, "float"))

    def test_a_mistaken_preset_is_refused_with_the_nearest(self):
        rows = [(["--preset", "mirco18"], "unknown preset 'mirco18', did you mean 'micro18'?"),
                (["--preset", "no-such-thing-at-all"], "unknown preset 'no-such-thing-at-all' (see"),
                (["--preset"], "--preset needs a value"),
                (["--preset=demo", "--preset", "demo"], "--preset is given twice"),
                (["--prest", "demo"], "unknown option '--prest', did you mean '--preset'?"),
                (["--describe=1"], "--describe takes no value"),
                (["--preset", "demo", "--type", "half"], "--type cannot be 'half'")]
        for words, says in rows:
            done = program("atax", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(says, done.stderr)

    def test_sizes_that_contradict_each_other_are_refused(self):
        rows = [("backprop", ["40"], "N must be a multiple of 16, not 40"),
                ("bfs", ["--graph", "no-such-file"], "no-such-file: "),
                ("bfs", ["--graph", "grid:0x3"], "grid"),
                ("bfs", ["--graph", "grid:3x3", "--source", "9"], "--source is 9, grid:3x3 has vertices 0 to 8"),
                ("gaussian", ["10", "--steps", "10"], "S = 10 has 9 steps, not 10"),
                ("hotspot", ["10", "--pyramid", "8"], "--pyramid must be 1 to 7, not 8"),
                ("lu", ["10", "--steps", "10"], "N = 10 has 9 steps, not 10"),
                ("lud", ["40"], "D must be a multiple of 16, not 40"),
                ("lud", ["32", "--steps", "3"], "D = 32 has 2 steps, not 3"),
                ("pathfinder", ["--group", "40"], "--group must be more than twice --pyramid, not 40"),
                ("pathfinder", ["16777216", "65536"], "COLUMNS x ROWS must be less than 2^32"),
                ("srad", ["1", "5"], "ROWS must be 2 to 32768, not 1")]
        for name, words, says in rows:
            done = program(name, *words)
            self.assertEqual(done.returncode, 2, (name, words, done.stdout))
            self.assertIn(says, done.stderr)

    def test_time_names_every_kernel(self):
        done = program("atax", "8", "--time", under=["oclgrind"])
        for kernel in ("atax_rows", "atax_columns"):
            self.assertRegex(done.stdout, rf"atax: {kernel}: 1 launches, \d+\.\d+ s\n")

    def test_a_graph_comes_from_a_file_too(self):
        path = self.dir / "g.txt"
        path.write_text("3\n0 2\n2 1\n3 1\n\n0\n\n4\n1 1\n2 1\n0 1\n0 1\n") # Rodinia's format: a star with two leaves
        done = program("bfs", "--graph", path, under=["oclgrind"])
        self.assertRegex(done.stdout, re.escape("bfs: 3 vertices, 4 arcs, 2 levels, group 256 PASS (exact)"))


if __name__ == "__main__":
    unittest.main()
