#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The OpenCL programs that run on graphs, GUPS and the sort: results are right for odd graphs of every kind, an error in a file
is reported with its line, and sizes are those of the papers."""
import json
import os
import pathlib
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

from walkway_run import ENOUGH, RunTest

WORKLOADS = pathlib.Path(os.environ["WALKWAY_WORKLOADS"])
GRAPHBIG = ["graphbig_bc", "graphbig_bfs", "graphbig_cc", "graphbig_kc", "graphbig_sp"]
GRAPH_PROGRAMS = ["color", "pagerank", "sssp", *GRAPHBIG]
# loops, repeated arcs with other weights, arcs in one direction only, three components, ids far apart, vertices without outgoing arcs
ODD = "5 5 3\n5 9 2\n5 9 7\n9 100 4\n100 5 1\n7 1000000 6\n1000000 7 6\n1000000 8 1\n3 3 1\n"
MIB = 1 << 20


def program(name, *words, under=()):
    return subprocess.run([*under, WORKLOADS / name, *map(str, words)], capture_output=True, text=True, check=False,
                          timeout=ENOUGH)


def run_right(name, *words):
    done = program(name, *words, under=["oclgrind"])
    if done.returncode != 0 or not done.stdout.startswith(f"{name}: ") or " PASS " not in done.stdout or done.stderr:
        raise AssertionError(f"{name} {words}: {done.stdout}{done.stderr}")
    return done.stdout


def footprint(name, *words):
    return json.loads(program(name, "--describe", *words).stdout)["footprint_bytes"]


class GraphsTest(RunTest):
    def for_each(self, cases):
        """Runs two at a time, because each spends its time in another process."""
        with ThreadPoolExecutor(2) as pool:
            for case, done in [(case, pool.submit(run_right, *case)) for case in cases]:
                with self.subTest(case=case):
                    done.result()

    def file(self, text, name="g.el"):
        path = self.dir / name
        path.write_text(text)
        return path

    def test_an_odd_graph_is_computed_right(self):
        odd = self.file(ODD)
        self.for_each([(name, "--graph", odd) for name in GRAPH_PROGRAMS] + [
            ("sssp", "--graph", odd, "--arcs", "both", "--source", 4), ("sssp", "--graph", odd, "--arcs", "as-is"),
            ("graphbig_bc", "--graph", odd, "--roots", 7), ("graphbig_kc", "--graph", odd, "--k", 2),
            ("graphbig_sp", "--graph", odd, "--source", 6), ("graphbig_bfs", "--graph", odd, "--arcs", "reversed"),
            ("pagerank", "--graph", odd, "--arcs", "both", "--iterations", 1)])

    def test_a_lone_edge_and_groups_of_every_size_are_computed_right(self):
        self.for_each([(name, "--graph", "grid:2x1", "--group", group) for name, group in
                       zip(GRAPH_PROGRAMS, (1, 3, 64, 100, 256, 512, 1000, 1024))])

    def test_a_shortest_path_goes_round_where_that_is_shorter(self):
        path = self.file("p sp 4 4\na 1 2 10\na 2 3 10\na 1 4 1\na 4 3 2\n", "g.gr")
        self.assertIn("rounds 3", run_right("sssp", "--graph", path))
        self.assertIn("source 2 rounds 1", run_right("sssp", "--graph", path, "--source", 2))
        self.assertIn("rounds 3", run_right("graphbig_sp", "--graph", path))

    def test_a_run_that_ends_early_is_compared_with_as_many_rounds(self):
        self.assertIn("rounds 2", run_right("sssp", "--graph", "grid:6x6", "--iterations", 2))
        self.assertIn("rounds 11", run_right("sssp", "--graph", "grid:6x6", "--iterations", 100))
        self.assertIn("2 levels", run_right("bfs", "--graph", "grid:6x6", "--iterations", 2))
        self.assertIn("11 levels", run_right("bfs", "--graph", "grid:6x6", "--iterations", 100))
        self.assertIn("passes 2,", run_right("color", "--graph", "grid:20x20", "--iterations", 2))

    def test_the_core_of_a_triangle_is_all_or_nothing(self):
        path = self.file("3 3\n2 3\n1 3\n1 2\n", "g.graph")
        self.assertIn("rounds 1", run_right("graphbig_kc", "--graph", path, "--k", 2))
        self.assertIn("rounds 2", run_right("graphbig_kc", "--graph", path, "--k", 3))

    def test_updates_and_sorts_of_every_shape_are_right(self):
        self.for_each([("gups", 4, "--threads", 1, "--updates", 64), ("gups", 10, "--threads", 37, "--updates", 5),
                       ("gups", 16, "--threads", 64, "--updates", 4, "--access", "load-store"),
                       ("sort", 2, "--group", 1), ("sort", 2, "--stages", "global"),
                       ("sort", 256, "--group", 128), ("sort", 512, "--group", 32, "--stages", "global")])

    def test_what_is_wrong_with_a_graph_is_told_by_every_program(self):
        path = self.file("0 1\n1 two\n")
        for name in GRAPH_PROGRAMS + ["bfs"]:
            done = program(name, "--graph", path)
            self.assertEqual(done.returncode, 2, name)
            self.assertEqual(done.stderr, f"{name}: {path}:2: a vertex is 'two', not a number (see {name} --help)\n")

    def test_arguments_that_do_not_fit_the_graph_or_each_other_are_refused(self):
        heavy = self.file("0 1 99999999\n")
        rows = [("sssp", ["--graph", "grid:2x2", "--source", "4"], "--source is 4, grid:2x2 has vertices 0 to 3"),
                ("sssp", ["--graph", "grid:1x1"], "grid:1x1: a graph without arcs"),
                ("sssp", ["--graph", str(heavy)], "a weight of 99999999: at most 99999998 goes"),
                ("sssp", ["--graph", str(heavy), "--format", "metis"], f"{heavy}:1: a graph without vertices"),
                ("sssp", ["--graph", "ring:5"], "ring:5: cannot open: No such file or directory"),
                ("color", ["--describe", "--graph", "grid:5000x4000"], "at most 16777216 vertices, not 20000000"),
                ("graphbig_bc", ["--graph", "grid:3x3", "--source", "7", "--roots", "3"],
                 "3 roots from 7 on, of 9 vertices"),
                ("graphbig_bc", ["--graph", "grid:20x20", "--roots", "1"],
                 "from vertex 0 there are more shortest paths than 32 bits count"),
                ("gups", ["4", "--threads", "20", "--updates", "4"],
                 "--updates is 4: each of 20 threads has 3 of 4 * 2^4"),
                ("sort", ["48", "--group", "8"], "N and --group must be powers of two, not 48 and 8"),
                ("sort", ["64", "--group", "48"], "N and --group must be powers of two, not 64 and 48"),
                ("sort", ["64", "--group", "64"], "N must be at least twice --group, or --stages global")]
        for name, words, says in rows:
            done = program(name, *words)
            self.assertEqual(done.returncode, 2, (name, words, done.stdout))
            self.assertIn(says, done.stderr)

    def test_graphinfo_measures_files_and_rules(self):
        done = program("graphinfo", self.file(ODD))
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("vertices      7", "arcs          9, 1.286 a vertex", "degree        0 to 3", "loops         2",
                     "repeated arcs 1", "one-way arcs  5", "weights       1 to 7",
                     "from vertex 0 1 vertices, 14.3 %, in at most 0 hops"):
            self.assertIn(line + "\n", done.stdout)
        self.assertIn("weights       none\n", program("graphinfo", "grid:3x3").stdout)
        rows = [(["--format", "gml", "grid:3x3"], "graphinfo: no format is named 'gml'\n"),
                (["no-such-file"], "graphinfo: no-such-file: cannot open: No such file or directory\n"), ([], "Usage: graphinfo"),
                (["--unknown"], "Usage: graphinfo"), (["grid:3x3", "grid:3x3"], "Usage: graphinfo")]
        for words, says in rows:
            done = program("graphinfo", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertTrue(done.stderr.startswith(says), done.stderr)
        self.assertIn("edges metis rodinia\n", program("graphinfo", "--help").stdout)

    def test_a_pipe_is_a_file_too_if_its_format_is_given(self):
        for words, code, says in ((["--format", "edges"], 0, "arcs          1,"),
                                  ([], 2, "/dev/stdin: is read once only, so that --format must be given")):
            done = subprocess.run([WORKLOADS / "graphinfo", *words, "/dev/stdin"], input="7 8\n", capture_output=True,
                                  text=True, check=False, timeout=ENOUGH)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(says, done.stdout + done.stderr)

    def test_footprints_are_those_of_the_tables(self):
        """Tests the MiB of the papers' presets, counted by hand from sizes and element types (docs/use/graphs.md)."""
        table = [("color", "micro18", 30.53), ("sssp", "micro21", 35.5), ("sssp", "micro18", 105.7),
                 ("pagerank", "micro21", 10.9), ("graphbig_bfs", "pact24", 234.2), ("graphbig_kc", "pact24", 233.2),
                 ("graphbig_bc", "pact24", 242.8), ("graphbig_sp", "pact24", 346.03), ("graphbig_cc", "pact24", 490.13),
                 ("gups", "micro21", 512.2), ("sort", "hpca14", 216.0)]
        for name, preset, mebibytes in table:
            self.assertAlmostEqual(footprint(name, "--preset", preset) / MIB, mebibytes, delta=0.06, msg=name)


if __name__ == "__main__":
    unittest.main()
