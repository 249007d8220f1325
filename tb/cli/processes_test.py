#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Several programs at a time, from the command line: what is printed and kept of each, partial results, and refusals."""
import json
import os
import pathlib
import unittest

import jsonschema

from walkway_run import RunTest

SCHEMA = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "stats.schema.json").read_text())
ATAX = str(pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "waveforms" / "atax-512.wkt")
GEN = "gen:uniform,waves=16,accesses=40,kernels=3,lanes=8"


class ProcessesTest(RunTest):
    def result(self, *words):
        said = self.run_it("run", "-q", "-o", "out", *words).stdout
        result = json.loads((self.dir / "out" / "stats.json").read_text())
        jsonschema.validate(result, SCHEMA)
        self.assertTrue(all(law["holds"] for law in result["laws"]))
        return result, said

    def refused(self, says, *words, code=1):
        self.assertIn(says, self.run_it("run", "-q", *words, code=code).stderr)

    def test_each_program_has_a_line_and_statistics(self):
        result, said = self.result("--set", "dispatcher.shares=2", "--beside", GEN, ATAX)
        self.assertEqual([p["file"] for p in result["beside"]], [GEN])
        lines = [line.split() for line in said.splitlines()]
        numbers = result["statistics"]
        for i, name in enumerate(("atax-512.wkt", "gen:uniform")):
            line = next(w for w in lines if w[:1] == [str(i)] and w[1].startswith(name))
            cycles = numbers["gpu.program_%d.cycles" % i]["value"]
            self.assertIn("{:,}".format(cycles), line)
            self.assertLessEqual(cycles, numbers["gpu.cycles"]["value"])
        self.assertIn("beside gen:uniform", " ".join(said.split()))

    def test_alone_nothing_of_it_is_there(self):
        result, said = self.result(ATAX)
        self.assertNotIn("beside", result)
        self.assertNotIn("beside", said)

    def test_a_part_of_another_program_is_partial_too(self):
        self.run_it("trace", "save", "--groups", "0-1", "-o", "part.wkt", ATAX)
        _, said = self.result("--beside", "part.wkt", GEN)
        self.assertIn("part.wkt: PARTIAL: 4 of 16 work-groups", said)

    def test_what_cannot_be_is_refused(self):
        self.refused("--beside is for one run", "--beside", GEN, ATAX, GEN)
        self.refused("--beside is for one run", "--beside", GEN, "-p", "apu-micro18", "-p", "apu-micro21", ATAX)
        for option in (("--groups", "0-1"), ("--skip", "2groups")):
            self.refused("--beside: which part of which program?", "--beside", GEN, *option, ATAX)
        self.refused("no-such.wkt", "--beside", "no-such.wkt", ATAX, code=2)
        self.run_it("trace", "save", "-o", "mine.wkt", ATAX)
        self.refused("would overwrite", "--vcd", "mine.wkt", "--beside", "mine.wkt", ATAX)
        self.refused("4 programs at a time: dispatcher.shares = 2", "--set", "dispatcher.shares=2", "--beside", GEN, "--beside", GEN,
                     "--beside", GEN, ATAX, code=2)
        self.refused("2 programs at a time: address_space.buffer_pages = 0:2m names buffers of one", "--set", "address_space.buffer_pages=0:2m",
                     "--beside", GEN, ATAX, code=2)


if __name__ == "__main__":
    unittest.main()
