#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway run --memory: an image's memory and page table replace those that the machine lays out. The machine's own table, written into an
image by hand, gives the same run to the last digit; then all page sizes, holes, five levels, the upper half, an image file that no run
writes, and refusals."""
import hashlib
import json
import os
import pathlib
import unittest

import jsonschema

from walk_images import A, D, G, NX, P, PS, U, W, Tables, core, qemu_note
from walkway_run import RunTest

SCHEMA = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "stats.schema.json").read_text())
BUFFER = 1 << 32  # where generators place it
TABLE, DATA = 256 << 20, 1 << 30  # address_space.table_pa, data_pa
PAGE = 4096


class WalkRunTest(RunTest):
    def setUp(self):
        super().setUp()
        self.image = self.dir / "image"

    def stats(self, *words, code=0):
        self.run_it("run", "-q", "-o", "out", *words, code=code)
        result = json.loads((self.dir / "out" / "stats.json").read_text())
        jsonschema.validate(result, SCHEMA)
        return result

    def in_image(self, t, *words, at=0, code=0):
        return self.stats("--memory", self.image, "--root", hex(t.root), "--kind", f"radix{t.levels}", "--at", hex(at), *words, code=code)

    def refused(self, *words, says, code=1):
        self.assertIn(says, self.run_it("run", "-q", *words, code=code).stderr)

    # -- against the machine's own tables

    def is_the_same_run(self, t, trace, *words):
        own = self.stats("--set", "address_space.frames=contiguous", *words, trace)
        image = self.in_image(t, *words, trace)
        self.assertEqual(image["headline"], own["headline"])
        laws = lambda content: [law for law in content["laws"] if not law["name"].startswith("arrays: energy")]
        self.assertEqual(laws(image), laws(own))
        expect, found = own["statistics"], image["statistics"]
        for name in ("account.walk_l5", "walk_unit.pte_reads_l5", "walk_unit.pwc_hits_l5"):  # the machine's own 4 levels list a fifth, always 0
            if t.levels == 4 and name in expect:
                self.assertEqual(expect.pop(name)["value"], 0)
        for name in ("entry_bits", "compared_bits"):  # a walk in an image carries the rights that its path has granted so far
            name = "arrays.walk_unit.coalescing." + name
            if name in expect:
                self.assertEqual(found.pop(name)["value"], expect.pop(name)["value"] + 3)
        for name in [n for n in expect if n.startswith(("arrays.walk_unit.walkers.", "arrays.energy", "arrays.area"))]:  # and so do a walker's registers
            self.assertLessEqual(expect.pop(name)["value"], found.pop(name)["value"], name)
        self.assertEqual(found, expect)
        self.assertEqual(image["image"], {"levels": t.levels, "root": hex(t.root), "phys_bits": 52, "file": "image",
                                          "bytes": self.image.stat().st_size, "at": "0x0"})
        self.assertNotIn("image", own)

    def test_the_machines_own_table_in_an_image_gives_the_same_run(self):
        for levels in (4, 5):
            t = Tables(levels, root=TABLE)
            for i in range(3000):
                t.map(BUFFER + PAGE * i, DATA + PAGE * i)
            t.write_raw(self.image, DATA + 3000 * PAGE)
            for words in ((), ("--set", "walk_unit.coalesce=full"), ("--set", "translation.ideal=perfect_l1")):
                self.is_the_same_run(t, f"gen:uniform,waves=16,accesses=20,stores=30,footprint={3000 * PAGE}", "--set",
                                     f"address_space.levels={levels}", *words)

    def far(self, end=20 << 30):
        t = Tables(root=0x1000)
        for i in range(64):
            t.map(BUFFER + PAGE * i, end - PAGE * (i + 1))
        t.write_raw(self.image, end)
        return t

    def test_memory_is_as_long_as_the_image(self):
        t = self.far()
        told = self.run_it("run", "-q", "-o", "out", "--memory", self.image, "--root", hex(t.root), "--at", hex(BUFFER),
                           f"gen:uniform,waves=4,accesses=8,footprint={64 * PAGE}").stderr
        self.assertIn("address_space.memory_bytes = 20401094656 and dram.row_bits = 17", told)
        result = json.loads((self.dir / "out" / "stats.json").read_text())
        self.assertEqual(result["configuration"]["dram.row_bits"], 17)
        self.assertEqual(result["configuration"]["address_space.memory_bytes"], 19 << 30)
        self.assertGreater(result["statistics"]["dram.reads"]["value"], 0)

    def test_what_the_command_line_says_of_memory_counts(self):
        t = self.far()
        words = ["--memory", self.image, "--root", hex(t.root), "--at", hex(BUFFER), f"gen:uniform,waves=4,footprint={64 * PAGE}"]
        self.refused("--set", "dram.row_bits=16", *words, says="the image ends at 21474836480, above the 9663676416 bytes", code=2)
        self.refused("-p", "apu-micro18:address_space.memory_bytes=2147483648", *words, says="above the 3221225472 bytes", code=2)
        self.refused("-p", "dgpu-pact24:dram.row_bits=14", *words, says="the image ends at", code=2)
        self.run_it("run", "-q", "--set", "dram.row_bits=17", "--set", f"address_space.memory_bytes={19 << 30}", *words)

    def test_its_pages_have_the_sizes_that_they_have(self):
        t = self.far()
        self.refused("--set", "address_space.buffer_pages=0:2m", "--memory", self.image, "--root", hex(t.root), "--at", hex(BUFFER),
                     f"gen:uniform,waves=4,footprint={64 * PAGE}", says="address_space.buffer_pages is for pages that are laid out", code=2)

    def test_more_than_any_machine_has_is_refused(self):
        t = self.far(80 << 30)
        self.refused("--memory", self.image, "--root", hex(t.root), "--at", hex(BUFFER), f"gen:uniform,waves=4,footprint={64 * PAGE}",
                     says="address_space.memory_bytes")

    def test_and_so_with_large_pages(self):
        t = Tables(root=TABLE)
        for i in range(8):
            t.map(BUFFER + (i << 21), DATA + (i << 21), 2)
        t.path(BUFFER + (8 << 21), 1)  # the tail does not fill a large page
        for i in range(100):
            t.map(BUFFER + (8 << 21) + PAGE * i, DATA + (8 << 21) + PAGE * i)
        t.write_raw(self.image, DATA + (9 << 21))
        self.is_the_same_run(t, f"gen:uniform,waves=16,accesses=20,footprint={(8 << 21) + 100 * PAGE}", "--set",
                             "address_space.page=mixed")

    # -- tables that the machine would not lay out

    def walks(self, result):
        return [result["statistics"][f"walk_unit.pte_reads_l{level}"]["value"] for level in range(1, 5)]

    def test_pages_of_all_three_sizes_are_walked_and_probed(self):
        """One page of each size alone, then all: leaves are read at their level."""
        t = Tables(root=0x1000)
        t.map(0x400000, 0x10000, flags=P | W | U | A | D | 7 << 9 | 15 << 59)
        t.map(0xffff888000000000, 0, 3, flags=P | W | G | NX)
        t.map(0xffffffff81000000, 0x2000000, 2, flags=P | W | G | 1 << 12)
        t.write_raw(self.image, 5 << 28)
        for at, level in ((0x400000, 1), (0xffff888000000000, 3), (0xffffffff81000000, 2)):
            reads = self.walks(self.in_image(t, "gen:uniform,waves=1,lanes=1,accesses=4,footprint=4096", at=at))
            self.assertEqual([l for l in range(1, 5) if reads[l - 1]], list(range(level, 5)))
            self.assertEqual(reads[level - 1], 1)
        for words in ((), ("--set", "walk_unit.coalesce=full"), ("--set", "l2_tlb.store=compressed"), ("-p", "apu-micro21"),
                      ("-p", "mmu-hpca14"), ("--set", "translation.ideal=infinite_tlb")):
            result = self.in_image(t, *words, f"gen:uniform,waves=8,accesses=50,footprint={3 << 20}")
            self.assertEqual(result["end"], "complete")
            self.assertEqual(result["statistics"]["coalescer.faults"]["value"], 0)

    def test_a_program_lies_in_the_pages_that_the_image_has(self):
        """Between two pages of memory lie a device's page, in a hole of the core, and a page of which the core has only the beginning."""
        t = Tables(root=0x1000)
        for i, pa in enumerate((0x10000, 0xfee00000, 0x11000, 0x80000000, 0x12000)):
            t.map(0x400000 + PAGE * i, pa)
        core(self.image, [(0, t.memory(0, 0x13000), None), (0x80000000, bytes(64), None)], qemu_note(0x1000))
        result = self.stats("--memory", self.image, "gen:stream,waves=1,accesses=100,footprint=12288")
        self.assertEqual(result["statistics"]["coalescer.faults"]["value"], 0)
        self.assertEqual(result["statistics"]["model.pages"]["value"], 3)
        self.refused("--memory", self.image, "gen:stream,footprint=16384", code=2,
                     says="the program's buffers have 4 pages of 4 KiB; from there on the image's table maps 3 that the image has")
        self.refused("--memory", self.image, "--at", "0x401000", "gen:stream,footprint=12288", code=2, says="maps 2 that")

    def test_a_page_may_lie_in_several_segments(self):
        """As in a core whose segments overlap: the program's page and a line of the table lie in two segments each."""
        t = Tables(root=0x1000)
        t.map(0x400000, 0x10000)
        leaf = t.path(0x400000, 1)[0]
        memory = t.memory(0, 0x11000)
        cuts = [0, leaf + 8, 0x10800, 0x11000]
        core(self.image, [(a, memory[a:b], None) for a, b in zip(cuts, cuts[1:])][::-1], qemu_note(0x1000))
        result = self.stats("--memory", self.image, "gen:stream,waves=1,accesses=100,footprint=4096")
        self.assertEqual((result["statistics"]["coalescer.faults"]["value"], result["statistics"]["model.pages"]["value"]), (0, 1))

    def test_stores_to_pages_that_cannot_be_written_are_denied_by_any_level(self):
        t = Tables(root=0x1000)
        t.map(0x400000, 0x10000)
        t.write_raw(self.image, 0x20000)
        trace = "gen:stream,waves=1,accesses=10,stores=50,footprint=4096"
        self.assertEqual(self.in_image(t, trace)["statistics"]["coalescer.faults"]["value"], 0)
        t.node(t.root)[0] ^= W
        t.write_raw(self.image, 0x20000)
        self.assertEqual(self.in_image(t, trace)["statistics"]["coalescer.faults_denied"]["value"], 5)

    def test_the_file_is_not_written(self):
        t = Tables(root=TABLE)
        for i in range(64):
            t.map(BUFFER + PAGE * i, DATA + PAGE * i)
        t.write_raw(self.image, DATA + 64 * PAGE)
        self.image.chmod(0o444)
        before = hashlib.sha256(self.image.read_bytes()[:TABLE + (1 << 20)]).digest(), self.image.stat().st_mtime_ns
        self.in_image(t, f"gen:uniform,waves=8,accesses=50,stores=100,footprint={64 * PAGE}")
        self.assertEqual((hashlib.sha256(self.image.read_bytes()[:TABLE + (1 << 20)]).digest(), self.image.stat().st_mtime_ns), before)

    def test_what_does_not_go_together_is_refused(self):
        t = Tables(root=0x1000)
        t.map(0x400000, 0x10000)
        t.write_raw(self.image, 0x20000)
        words = ("--memory", self.image, "--root", "0x1000", "gen:stream,footprint=4096")
        self.refused(*words, "--at", "0x800000000000", says="--at 0x800000000000: not canonical")
        self.refused(*words, "--beside", "gen:stream", says="--beside needs pages that are laid out")
        self.refused(*words, "--events", "x", says="--events needs pages that are laid out")
        self.refused(*words, "-p", "apu-micro18", "-p", "apu-micro21", says="--memory is for one run")
        self.refused(*words, "--set", "address_space.map=first_touch", code=2, says="address_space.map is for pages that are laid out")
        self.refused(*words, "--set", "address_space.spaces=2", code=2, says="one page table, and there are 2 address spaces")
        self.refused(*words, "--vcd", self.image, says="the image of memory")
        self.refused("--root", "0x1000", "gen:stream", says="--root is for --memory IMAGE")
        self.refused("--memory", self.image, "gen:stream", says="say where the table's root is")
        os.truncate(self.image, 1 << 40)
        self.refused(*words, says="--memory: address_space.memory_bytes = 1098437885952: is outside the range")


if __name__ == "__main__":
    unittest.main()
