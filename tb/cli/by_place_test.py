#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""run --by-buffer and --by-instruction: counts of a trace made by hand; rows add up to the run for each statistic, on machines of all
kinds, and do not change the run."""
import csv
import json
import os
import pathlib
import subprocess
import unittest

import jsonschema

from walk_images import Tables
from walkway_run import RunTest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
SCHEMA = json.loads((SOURCE / "docs" / "develop" / "stats.schema.json").read_text())
ATAX = SOURCE / "waveforms" / "atax-512.wkt"
GEN = "gen:uniform,waves=48,accesses=20,kernels=3,lanes=8,stores=30"
BOTH = ("--by-buffer", "--by-instruction")
WAITED = "account.translation_cycles"
MACHINES = ("apu-micro18", "apu-micro21", "mmu-hpca14", "dgpu-pact24", "uvm-pact20", SOURCE / "platforms" / "examples" / "gpu3.cfg",
            "apu-micro18:translation.ideal=perfect_l1", "apu-micro18:walk_unit.coalesce=full,coalescer.window=16",
            "apu-micro18:address_space.map=first_touch", "mmu-hpca14:prefetch.entries=64", "uvm-pact20:driver.oversubscription=150,address_space.map=all_paged")


class ByPlaceTest(RunTest):
    def result(self, *words):
        said = self.run_it("run", "-q", "-o", "out", *words).stdout
        content = json.loads((self.dir / "out" / "stats.json").read_text())
        jsonschema.validate(content, SCHEMA)
        return said, content

    def places(self, more=0):
        """Returns the trace made by hand and a machine with one compute unit, so that the second kernel hits the first one's entries."""
        subprocess.run([os.environ["WALKWAY_MAKE_PLACES"], self.dir / "places.wkt", str(more)], check=True)
        return ("apu-micro18:gpu.cus=1", self.dir / "places.wkt")

    def test_nothing_that_a_trace_says_is_obeyed_by_the_terminal(self):
        subprocess.run([os.environ["WALKWAY_MAKE_PLACES"], self.dir / "hostile.wkt", "1", "hostile"], check=True)
        for words in (("run", "-q", *BOTH), ("run", "-q"), ("trace", "info"), ("trace", "cat"), ("trace", "info", "--pages")):
            with self.subTest(words):
                said = self.run_it(*words, "hostile.wkt").stdout
                self.assertFalse([c for c in said if ord(c) < 32 and c != "\n"], said)
                if "run" not in words or BOTH[0] in words:
                    self.assertIn("\\x1b]0;owned\\x07\\x1b[2Jfirst", said)
                if BOTH[0] in words:
                    self.assertIn("\\x1b]0;owned\\x07\\x1b[2Ja.cl:12: \\x1b]0;owned\\x07\\x1b[2J" + "x" * 150 + "\n", said, "and nothing is cut")

    @staticmethod
    def counts(row):
        names = ("coalescer.answered", "l1_tlb.misses", "l2_tlb.misses", "walk_unit.walk_requests", "walk_unit.walks_started")
        return tuple(row["counted"][name] for name in names)

    def test_buffers_by_hand(self):
        said, content = self.result("--by-buffer", *self.places())
        rows = {row["buffer"]: row for row in content["buffers"]}
        self.assertEqual({name: self.counts(row) for name, row in rows.items()},
                         {0: (32, 16, 16, 16, 16), 1: (1, 1, 1, 1, 1), 2: (0, 0, 0, 0, 0), 3: (11, 0, 0, 0, 0),
                          "other": (1, 1, 1, 1, 1)})
        self.assertEqual([(rows[b]["base"], rows[b]["bytes"]) for b in (0, 1, 2, 3)],
                         [("0x100000000", 65536), ("0x100010000", 16384), ("0x100015000", 4096), ("0x100000000", 32768)])
        self.assertNotIn("base", rows["other"])
        waited = [row["counted"][WAITED] for row in content["buffers"]]
        self.assertEqual(waited, sorted(waited, reverse=True))
        self.assertRegex(said, r"\nbuffer +base +bytes +translations .*\n-+\n0 +0x100000000 +64.0 KiB +32 +16 +16 +16 ")
        self.assertNotIn("instructions", content)

    def test_instructions_by_hand(self):
        said, content = self.result("--by-instruction", *self.places())
        rows = {(row["kernel"], row["pc"], row["access"]): row for row in content["instructions"]}
        self.assertEqual({name: (row["counted"]["gpu.memory"], *self.counts(row)) for name, row in rows.items()},
                         {("first", 0, "load"): (2, 32, 16, 16, 16, 16), ("first", 3, "store"): (1, 1, 1, 1, 1, 1),
                          ("first", 6, "load"): (1, 1, 1, 1, 1, 1), ("again", 0, "load"): (1, 8, 0, 0, 0, 0),
                          ("again", 0, "atomic"): (3, 3, 0, 0, 0, 0)})
        stood = {name: row["counted"]["gpu.wave_stall.translation"] for name, row in rows.items()}
        self.assertEqual(stood["first", 3, "store"], 0, "nobody waits for a store's value")
        self.assertGreater(stood["first", 0, "load"], stood["first", 6, "load"])
        self.assertRegex(said, r"\ninstruction +translations .*\n-+\nfirst 0 load +32 +16 +16 +16 ")
        self.assertNotIn("buffers", content)

    def test_cycles_by_hand(self):
        """With a perfect L1 TLB a translation takes 2 cycles: one to be sent and one in the TLB. Per cycle the coalescer compares the lanes
        of 4 of 16 pages and sends 2 translations; these wait for 0, 0, 1, 1, 1, 1, 2, 2, ... cycles, 32 in all."""
        machine, trace = self.places()
        content = self.result(*BOTH, machine + ",translation.ideal=perfect_l1", trace)[1]
        self.assertEqual([(row["buffer"], row["counted"][WAITED]) for row in content["buffers"]],
                         [(0, 2 * (16 * 2 + 32)), (3, 8 * 2 + 3 * 2), (1, 2), ("other", 2), (2, 0)])
        self.assertEqual([(row["kernel"], row["pc"], row["access"], row["counted"][WAITED]) for row in content["instructions"]],
                         [("first", 0, "load", 2 * (16 * 2 + 32)), ("again", 0, "load", 8 * 2), ("again", 0, "atomic", 3 * 2),
                          ("first", 3, "store", 2), ("first", 6, "load", 2)], "ties in the order of their first accesses")

    def test_rows_add_up_and_the_run_is_the_same(self):
        for machine in MACHINES:
            for trace in (ATAX, GEN):
                with self.subTest(machine=machine, trace=trace):
                    plain, split = self.result(machine, trace)[1], self.result(*BOTH, machine, trace)[1]
                    for member in ("buffers", "instructions"):
                        rows = split.pop(member)
                        self.assertGreater(rows[0]["counted"][WAITED], 0)
                        for name in rows[0]["counted"]:
                            self.assertEqual(sum(row["counted"][name] for row in rows), split["statistics"][name]["value"], name)
                    self.assertEqual(plain, split)

    def test_launches_of_one_name_are_one(self):
        content = self.result("--by-instruction", GEN)[1]
        self.assertEqual(sorted((row["kernel"], row["access"]) for row in content["instructions"]), [("uniform", "load"), ("uniform", "store")])

    def test_instructions_in_an_image(self):
        """The image's addresses differ from those of the trace."""
        tables = Tables(root=0x1000)
        for i in range(64):
            tables.map((1 << 32) + 4096 * i, (1 << 30) - 4096 * (i + 1))
        tables.write_raw(self.dir / "image", 1 << 30)
        content = self.result("--by-instruction", "--memory", self.dir / "image", "--root", hex(tables.root), "--at", hex(1 << 32),
                              f"gen:uniform,waves=4,accesses=8,footprint={64 * 4096}")[1]
        self.assertEqual(len(content["instructions"]), 1)
        for name, n in content["instructions"][0]["counted"].items():
            self.assertEqual(n, content["statistics"][name]["value"], name)

    def test_every_cause_is_a_column(self):
        content = self.result(*BOTH, ATAX)[1]
        causes = {name for name in content["statistics"] if name.startswith("account.")}
        for member in ("buffers", "instructions"):
            row = content[member][0]["counted"]
            self.assertEqual({name for name in row if name.startswith("account.")}, causes)
            self.assertEqual(sum(row[name] for name in causes - {WAITED}), row[WAITED], "causes of a place add up, too")

    def test_prefetches_are_of_no_instruction(self):
        content = self.result("--by-instruction", "mmu-hpca14:prefetch.entries=64", ATAX)[1]
        rows = [row for row in content["instructions"] if row["access"] == "prefetch"]
        self.assertEqual(len(rows), 1)
        self.assertNotIn("kernel", rows[0])
        self.assertEqual(rows[0]["counted"]["walk_unit.walks_started"], content["statistics"]["prefetch.prefetches"]["value"])
        self.assertEqual(rows[0]["counted"]["coalescer.answered"], 0)

    def test_text_has_ten_and_programs_all(self):
        machine, trace = self.places(9)
        said, content = self.result("--by-instruction", machine, trace)
        self.assertEqual(len(content["instructions"]), 5 + 9)
        shown = said.split("\ninstruction ")[1].split("\nWalks: ")[0].splitlines()[2:]
        self.assertEqual(len(shown), 11)
        rest = content["instructions"][10:]
        self.assertEqual(shown[-1].split()[:3], ["4", "more", str(sum(row["counted"]["coalescer.answered"] for row in rest))])
        table = list(csv.DictReader(self.run_it("run", "-q", "--by-instruction", "--csv", "-", machine, trace).stdout.splitlines()))
        self.assertEqual([[row["kernel"], row["pc"], row["access"]] for row in table],
                         [[row["kernel"], str(row["pc"]), row["access"]] for row in content["instructions"]])
        for row, cells in zip(content["instructions"], table):
            self.assertEqual({name: str(n) for name, n in row["counted"].items()}, dict(list(cells.items())[3:]))
        table = list(csv.DictReader(self.run_it("run", "-q", "--by-buffer", "--csv", "-", machine, trace).stdout.splitlines()))
        self.assertEqual([(row["buffer"], row["base"], row["bytes"]) for row in table if row["buffer"] in ("0", "other")],
                         [("0", "0x100000000", "65536"), ("other", "", "")])

    def test_with_kernels(self):
        content = self.result("--by-kernel", *BOTH, ATAX)[1]
        for kernel in content["kernels"]:
            of = [row for row in content["instructions"] if row["kernel"] == kernel["name"]]
            for name in ("gpu.memory", "coalescer.answered", WAITED):
                self.assertEqual(sum(row["counted"][name] for row in of), kernel["statistics"][name]["value"], name)

    def test_several_runs_have_it_in_their_results(self):
        self.run_it("run", "-q", *BOTH, "-o", "all", ATAX, "apu-micro18", "mmu-hpca14")
        for stats in self.dir.glob("all/*/stats.json"):
            content = json.loads(stats.read_text())
            self.assertEqual((len(content["buffers"]), len(content["instructions"])), (4, 8))
        self.assertEqual(len(list(self.dir.glob("all/*/stats.json"))), 2)

    def test_refusals(self):
        for option in BOTH:
            for words, says in ((("--measure", "500cycles"), "--measure of a part"), (("--sample",), "--sample of a part"),
                                (("--beside", GEN), "several programs lie at the same addresses"),
                                (("--transactions", "t.json"), "and --transactions both follow every translation"),
                                (("apu-micro18", "mmu-hpca14"), "give --output")):
                with self.subTest(option=option, words=words):
                    error = self.run_it("run", "-q", option, *words, GEN, code=1).stderr
                    self.assertIn(option, error)
                    self.assertIn(says, error)
        self.assertIn("--by-instruction goes", self.run_it("run", "-q", "--by-buffer", "--memory", "x", GEN, code=1).stderr)
        self.assertIn("--csv has one table", self.run_it("run", "-q", *BOTH, "--csv", "-", GEN, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
