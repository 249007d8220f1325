#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway walk on images that the test builds, entry by entry after Intel's SDM: raw, sparse and as cores of QEMU and VirtualBox; every
address, every right, every fault; listings compared with the mapped pages; tables that contain themselves; and every refused image, root
and address."""
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import time
import unittest

from walk_case import WalkTest
from walk_images import A, D, FRAME, G, NX, P, PAT_LARGE, PS, SIZES, U, W, Tables, core, note, qemu_note, sign_extended, vbox_note
from walkway_run import ENOUGH, PROGRAM, SANITIZED, few_resources


class OneWalkTest(WalkTest):
    def test_every_entry_its_bits_and_the_page_are_printed(self):
        t = Tables()
        va = 0xffffffff81234567
        at = t.map(va & ~0x1fffff, 0x40000000, 2, P | A | D | G | PAT_LARGE | 5 << 59)
        t.node(t.root)[511] |= NX
        t.write_raw(self.image, 1 << 30)
        text = self.walk("--memory", self.image, "--root", "0x1000", hex(va)).stdout.splitlines()
        self.assertEqual(text[0], "4 levels from 0x1000, physical addresses of 52 bits")
        self.assertEqual(text[1], "0xffffffff81234567")
        self.assertEqual(text[2].split(), ["l4", "[511]", "0x000000001ff8", "0x8000000000002027", "table", "0x2000", "P", "W",
                                           "U", "A", "XD"])
        self.assertEqual(text[3].split()[:5], ["l3", "[510]", "0x000000002ff0", "0x0000000000003027", "table"])
        self.assertEqual(text[4].split(), ["l2", "[", "9]", f"0x{at:012x}", "0x28000000400011e1", "page", "of", "2.0", "MiB", "P",
                                           "A", "D", "PS", "G", "PAT", "key=5"])
        self.assertEqual(text[5].strip(), "physical 0x40034567, in the page of 2.0 MiB at 0x40000000, -r--, not in the image")
        self.assertEqual(len(text), 6)

    def test_addresses_and_rights_are_those_of_a_brute_force_walk(self):
        """Tables of mixed page sizes, of 4 and 5 levels, with rights removed at every level."""
        for levels in (4, 5):
            rng = random.Random(levels)
            t = random_tables(rng, levels)
            t.write_raw(self.image)
            vas = [sign_extended(rng.getrandbits(64), levels) for _ in range(50)]
            vas += [va + rng.randrange(SIZES[level][1]) for va, _, level, _ in t.mappings()]
            mapped = 0
            for va, walk in zip(vas, self.walks(t, vas), strict=True):
                expect = t.translate(va)
                self.assertEqual(int(walk["va"], 16), va)
                if expect is None:
                    self.assertEqual(walk["fault"]["why"], "absent", walk)
                    continue
                mapped += 1
                pa, level, rights = expect
                self.assertEqual((int(walk["pa"], 16), walk["page"]["bytes"], walk["page"]["rights"]),
                                 (pa, SIZES[level][1], rights))
                self.assertEqual(len(walk["steps"]), levels - level + 1)
                for step in walk["steps"]:
                    node = t.nodes[int(step["pa"], 16) & ~4095]
                    self.assertEqual(int(step["entry"], 16), node[int(step["pa"], 16) % 4096 // 8])
            self.assertGreater(mapped, 100)

    def test_an_address_is_not_present_at_the_level_that_lacks_it(self):
        t = Tables()
        at = t.map(0x7f0000000000, 0x5000)
        t.node(at & ~4095)[1] = 0xabcd000  # absent, with bits for software
        t.write_raw(self.image)
        vas = {4: 0x100000000000, 3: 0x7f0040000000, 2: 0x7f0000200000, 1: 0x7f0000001000}
        for (level, _), walk in zip(vas.items(), self.walks(t, vas.values()), strict=True):
            self.assertEqual((walk["fault"]["why"], walk["fault"]["level"]), ("absent", level))
            self.assertEqual(len(walk["steps"]), 5 - level)
            self.assertNotIn("pa", walk)
        text = self.walk("--memory", self.image, "--root", t.root, hex(vas[1])).stdout
        self.assertIn(f"fault: not present at l1: the entry at {at + 8:#x} is 0xabcd000", text)

    def test_addresses_that_are_not_canonical_fault_without_a_read(self):
        for levels, bad in ((4, (1 << 47, 0xffff << 48, 1 << 63)), (5, (1 << 56, 0xfe << 56, 1 << 63))):
            t = Tables(levels)
            t.write_raw(self.image)
            for walk in self.walks(t, bad):
                self.assertEqual((walk["fault"]["why"], walk["steps"]), ("address", []))
        text = self.walk("--memory", self.image, "--root", "0x1000", hex(0x0000800000000123)).stdout
        self.assertIn("not canonical: bits 63 to 47 are not alike; 0xffff800000000123 has the same lower ones", text)

    def test_reserved_bits_fault_and_say_which_and_why(self):
        t = Tables()
        t.map(0, 1 << 39)
        t.map(1 << 30, 1 << 13 | 1 << 30, 3)
        t.map(1 << 39, 0, 4)
        t.write_raw(self.image)
        says = [w["fault"]["text"] for w in self.walks(t, [1 << 30, 1 << 39])]
        self.assertIn("reserved bits at l3: 0x2000 must be 0", says[0])
        self.assertIn("a page of 1.0 GiB is aligned to its size", says[0])
        self.assertIn("reserved bits at l4: 0x80 must be 0", says[1])
        self.assertIn("no pages of that size", says[1])
        self.assertEqual(int(self.walks(t, [0])[0]["pa"], 16), 1 << 39)
        (walk,) = self.walks(t, [0], "--phys-bits", "39")
        self.assertEqual((walk["fault"]["why"], walk["fault"]["level"]), ("malformed", 1))
        self.assertIn("0x8000000000 must be 0", walk["fault"]["text"])
        self.assertIn("physical addresses have 39 bits", walk["fault"]["text"])

    def test_a_table_outside_the_image_is_a_fault_that_says_where_the_image_ends(self):
        t = Tables()
        t.map(0, 0x5000)
        t.node(t.root)[1] = 0x7654321000 | P
        t.write_raw(self.image, 0x10000)
        (walk,) = self.walks(t, [1 << 39])
        self.assertEqual((walk["fault"]["why"], walk["fault"]["level"]), ("outside", 3))
        self.assertIsNone(walk["steps"][1]["entry"])
        self.assertIn("0x7654321000; the image has 0x0 to 0x10000", walk["fault"]["text"])
        self.assertIn("not in the image\n  fault: outside", self.walk("--memory", self.image, "--root", t.root, 1 << 39).stdout)

    def test_an_image_that_ends_within_a_line_does_not_have_that_line(self):
        t = Tables()
        leaf = t.map(0, 0x5000)
        t.write_raw(self.image)
        for size, why in ((leaf + 64, "pa"), (leaf + 40, "fault")):
            os.truncate(self.image, size)
            (walk,) = self.walks(t, [0])
            self.assertIn(why, walk)
        self.assertEqual((walk["fault"]["why"], walk["fault"]["level"]), ("outside", 1))
        out = self.dump("--root", t.root)
        self.assertEqual((out["ranges"], out["totals"]["outside"]["entries"]), ([], 1))

    def test_addresses_come_from_standard_input_too(self):
        t = Tables()
        t.map(0x400000, 0x5000)
        t.write_raw(self.image)
        words = ("--memory", self.image, "--root", t.root)
        typed = self.walk(*words, "0x400123", "4194304").stdout
        self.assertEqual(self.walk(*words, input="# two\n 0x400123 # one\r\n\n4194304").stdout, typed)
        self.assertEqual(typed.count("physical 0x5"), 2)
        self.refused(*words, input="0x400000\n0x40000g\n", code=1, says="standard input:2: 0x40000g: not an address")
        self.assertEqual(json.loads(self.walk(*words, "--json", input="").stdout)["walks"], [])

    def test_an_address_that_is_none_is_refused_with_what_may_be_meant(self):
        Tables().write_raw(self.image)
        words = ("--memory", self.image, "--root", "0x1000")
        for text, meant in (("ffffffff81000000", "0xffffffff81000000"), ("fffff803`12345678", "0xfffff80312345678"),
                            ("0xffff_8000_0000_0000", "0xffff800000000000")):
            self.refused(*words, text, code=1, says=f"{text}: not an address, which is 0x... or decimal (did you mean '{meant}'?)")
        self.assertNotIn("did you mean", self.refused(*words, "main+4", code=1, says="main+4: not an address"))
        self.refused(*words, "0x10000000000000000", code=1, says="more than 64 bits")

    def test_a_file_that_shrinks_under_the_walk_is_an_error_of_the_file(self):
        t = Tables(root=0x100000)
        t.write_raw(self.image)
        child = self.start("walk", "--memory", self.image, "--root", t.root, stdin=subprocess.PIPE)
        with child:
            self.wait_for(lambda: self.image.name in pathlib.Path(f"/proc/{child.pid}/maps").read_text())
            os.truncate(self.image, 4096)
            _, error = child.communicate("0x1000\n", timeout=ENOUGH)
        self.assertEqual(child.returncode, 2, error)
        self.assertIn("the image cannot be read any more", error)


class RootTest(WalkTest):
    def test_the_low_bits_of_cr3_are_flags_and_that_is_said(self):
        t = Tables()
        t.map(0x400000, 0x5000)
        t.write_raw(self.image)
        done = self.walk("--memory", self.image, "--root", "0x1801", "0x400000")
        self.assertIn("physical 0x5000", done.stdout)
        self.assertIn("the table is at 0x1000; the low 12 bits, 0x801, are flags or a PCID", done.stderr)
        self.assertEqual(self.walk("--memory", self.image, "--root", "0x1000", "0x400000").stderr, "")

    def test_a_root_that_cannot_be_one_is_refused(self):
        Tables().write_raw(self.image)
        words = ("--memory", self.image, "0x0", "--root")
        self.refused(*words, "0x2000", code=1, says="root 0x2000: outside the image: the image has 0x0 to 0x2000")
        self.refused(*words, "0x10000000001000", code=1, says="CR3 has no address bits above physical addresses of 52 bits")
        self.refused(*words, "0xffff888000001000", code=1, says="this is a virtual address of a kernel")
        self.refused(*words, "0x10000001000", "--phys-bits", "40", code=1, says="of 40 bits")
        self.refused(*words, "0x1zz", code=1, says="--root 0x1zz: wants a whole number")
        self.refused(*words[:-1], code=1, says="say where the table's root is, with --root ADDR")

    def test_options_are_refused_by_name(self):
        Tables().write_raw(self.image)
        words = ("--memory", self.image, "--root", "0x1000", "0x0")
        self.refused(*words, "--kind", "radix6", code=1, says=["wants radix4, radix5", "(did you mean 'radix4'?)"])
        for bits in ("31", "53"):
            self.refused(*words, "--phys-bits", bits, code=1, says="from 32 to 52")
        self.refused(*words, "--dump", code=1, says="takes no addresses")
        self.refused(*words, "--shared", "fold", code=1, says="--shared is for --dump")
        self.refused(*words[:-1], "--dump", "--shared", "folt", code=1, says="did you mean 'fold'")
        self.refused(*words, "--base", "0x800", code=1, says="not a multiple of 4096")
        self.refused(*words, "--", "x", code=1, says="runs no program")
        self.refused("0x0", code=1, says="with --memory FILE")
        self.refused(self.image, code=1, says=f"did you mean '--memory {self.image}'?")


class ImageTest(WalkTest):
    def simple(self, root=0x100000):
        t = Tables(root=root)
        t.map(0xffffffff81000000, 0x1234000, flags=P | G)
        return t

    def finds_it(self, *words):
        done = self.walk("--memory", self.image, *words, "0xffffffff81000123")
        self.assertIn("physical 0x1234123, in the page of 4.0 KiB at 0x1234000, -r-x", done.stdout)
        return done.stderr

    def test_a_raw_image_may_begin_anywhere(self):
        t = self.simple()
        t.write_raw(self.image, base=0x100000)
        self.finds_it("--root", "0x100000", "--base", "0x100000")
        self.refused("--memory", self.image, "--root", "0xff000", "--base", "0x100000", "0", code=1,
                     says="outside the image: the image has 0x100000 to 0x104000")
        self.refused("--memory", self.image, "--root", "0x1000", "--base", hex((1 << 52) - 4096), "0",
                     says="reach beyond physical addresses of 52 bits")

    @unittest.skipIf(SANITIZED, "address space is limited")
    def test_a_sparse_terabyte_is_walked_and_listed_at_once_in_little_memory(self):
        t = self.simple(root=(1 << 40) - (1 << 20))
        t.write_raw(self.image, 1 << 40)
        self.assertLess(self.image.stat().st_blocks * 512, 1 << 20)
        self.finds_it("--root", hex(t.root))
        self.assertEqual(self.listed(t), t.ranges())

    def test_a_core_of_qemu_brings_its_root(self):
        t = self.simple()
        memory = t.memory(0x100000, 0x200000)
        segments = [(0, bytes(0xa0000), None), (0x100000, memory, None), (1 << 32, bytes(4096), None)]
        notes = note("CORE", 1, bytes(336)) + qemu_note(0x100000) + note("CORE", 1, bytes(336)) + qemu_note(0x5000)
        core(self.image, segments, notes)
        self.assertIn("CR3 of processor 0 is 0x100000; of the others: 0x5000", self.finds_it())
        self.assertEqual(self.finds_it("--root", "0x100000"), "")
        core(self.image, segments, qemu_note(0x100000, version=2))
        self.refused("--memory", self.image, "0", code=1, says="the core has no note with it")

    def test_a_core_of_virtualbox_brings_its_root(self):
        t = self.simple()
        notes = note("VBCORE", 0xb00, bytes(24), counts_zero=False) + vbox_note(0x100000)
        core(self.image, [(0, t.memory(0, 0x200000), None), (0xe0000000, b"", 0x1000000)], notes)
        self.assertIn("CR3 of processor 0 is 0x100000\n", self.finds_it())

    def test_the_number_of_levels_comes_from_cr4(self):
        t = Tables(levels=5)
        t.map(0xabcdef123456000, 0x5000)
        for cr4, levels in ((0x1020, 5), (0x20, 4)):
            core(self.image, [(0, t.memory(0, 0x10000), None)], qemu_note(0x1000, cr4))
            self.assertIn(f"{levels} levels from 0x1000", self.walk("--memory", self.image, "0").stdout)
        self.assertIn("5 levels", self.walk("--memory", self.image, "--kind", "radix5", "0").stdout)

    def test_segments_may_overlap_where_they_are_the_same_bytes(self):
        """QEMU's dump-guest-memory -p lists memory once for every virtual address."""
        t = self.simple()
        core(self.image, [(0x100000, t.memory(0x100000, 0x104000), None), (0x104000, bytes(4096), None)])
        raw = bytearray(self.image.read_bytes())
        raw[64:120] = struct.pack("<IIQQQQQQ", 1, 7, struct.unpack_from("<Q", raw, 120 + 8)[0] + 4096, 0, 0x101000, 8192, 8192, 0)
        self.image.write_bytes(raw)
        self.finds_it("--root", "0x100000")
        raw[64 + 8:64 + 16] = struct.pack("<Q", 8)
        self.image.write_bytes(raw)
        self.refused("--memory", self.image, "--root", "0x100000", "0", says="the core of a process, not of a machine?")

    def test_more_segments_than_the_header_can_count(self):
        t = self.simple()
        core(self.image, [(0x100000, t.memory(0x100000, 0x104000), None)], phnum=0xffff)
        self.finds_it("--root", "0x100000")
        core(self.image, [(0x100000, b"x", None)], phnum=0xffff, extra=1 << 31)
        self.refused("--memory", self.image, "--root", "0x100000", "0", says="truncated: the table of its segments")

    def test_what_a_core_does_not_hold_is_no_part_of_the_image(self):
        t = self.simple()
        t.node(t.root)[0] = 0x300000 | P
        core(self.image, [(0x100000, t.memory(0x100000, 0x104000), 0x400000), (0x800000, bytes(4096), None)])
        text = self.walk("--memory", self.image, "--root", "0x100000", "0x0").stdout
        self.assertIn("outside the image at l3", text)
        self.assertIn("the image has 0x100000 to 0x104000, then 0x800000 to 0x801000", text)

    def test_bad_cores_are_refused_with_the_reason(self):
        page = [(0, bytes(4096), None)]
        for words, says in (({"elf_class": 1}, "a 32-bit ELF file"), ({"elf_class": 7}, "byte 4 is 7"),
                            ({"data": 2}, "a big-endian ELF file"), ({"data": 9}, "byte 5 is 9"),
                            ({"kind": 2}, "an ELF file, but a program, not a core"), ({"kind": 77}, "of type 77"),
                            ({"machine": 183}, "a core of machine 183, not of x86-64 (62)"),
                            ({"machine": 3}, "not in 64-bit mode")):
            core(self.image, page, **words)
            self.refused("--memory", self.image, "--root", "0", "0", says=[str(self.image), says])
        core(self.image, [])
        self.refused("--memory", self.image, "--root", "0", "0", says="a core without memory: none of its 1 segments")
        core(self.image, [(0xe0000000, b"", 1 << 20)])
        self.refused("--memory", self.image, "--root", "0", "0", says="a core without memory: none of its 2 segments")
        core(self.image, [(1 << 52, b"x", None)])
        self.refused("--memory", self.image, "--root", "0", "0", says="segment 1 reaches beyond")
        core(self.image, page, notes=note("QEMU", 0, bytes(500))[:40])
        self.refused("--memory", self.image, "--root", "0", "0", says="a note would end behind its segment")
        core(self.image, page)
        self.refused("--memory", self.image, "--base", "4096", "--root", "0", "0", says="says itself where its memory lies")
        self.walk("--memory", self.image, "--raw", "--root", "0x0", "0")
        whole = self.image.read_bytes()
        for size, says in ((8, "not even its identification"), (63, "its header would end at byte 64, the file has 63"),
                           (100, "the table of its segments would end at byte 176"),
                           (4000, f"segment 1 would end at byte {176 + 4096}, the file has 4000")):
            self.image.write_bytes(whole[:size])
            self.refused("--memory", self.image, "--root", "0", "0", says=says)
        self.image.write_bytes(whole[:54] + b"\x20\0" + whole[56:])
        self.refused("--memory", self.image, "--root", "0", "0", says="a program header of 32 bytes")

    def test_no_damage_to_a_header_does_more_than_be_refused(self):
        t = self.simple()
        core(self.image, [(0, bytes(4096), None), (0x100000, t.memory(0x100000, 0x104000), None)], qemu_note(0x100000))
        whole, rng = self.image.read_bytes(), random.Random(1)
        for _ in range(60):
            raw = bytearray(whole)
            for _ in range(rng.randrange(1, 4)):
                raw[rng.randrange(4, 64 + 3 * 56 + 16)] = rng.choice((0, 1, 0x7f, 0x80, 0xff, rng.randrange(256)))
            self.image.write_bytes(raw)
            done = subprocess.run([PROGRAM, "walk", "--memory", str(self.image), "0xffffffff81000123"], capture_output=True,
                                  text=True, check=False, preexec_fn=few_resources, timeout=ENOUGH)
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)

    def test_what_is_no_image_is_refused_with_the_reason(self):
        words = ("--root", "0", "0")
        self.image.write_bytes(b"")
        self.refused("--memory", self.image, *words, says="image: empty: no memory in it")
        self.refused("--memory", self.dir, *words, says="a folder, not an image of memory")
        self.refused("--memory", self.dir / "none", *words, says="none: No such file")
        os.mkfifo(self.dir / "pipe")
        self.refused("--memory", self.dir / "pipe", *words, says="a pipe or device")
        self.refused("--memory", "/dev/zero", *words, says="a pipe or device")
        self.image.write_bytes(bytes(8192))
        self.image.chmod(0)
        if os.geteuid() != 0:
            self.refused("--memory", self.image, *words, says="Permission denied")


def random_tables(rng, levels):
    """Makes a few subtrees with pages of all sizes, often next to the previous page in both address spaces."""
    t = Tables(levels, root=0x200000)
    regions = [rng.getrandbits(12 + 9 * levels) & ~((1 << 39) - 1) for _ in range(3)]
    pa = 1 << 40
    for _ in range(400):
        level = rng.choice((1, 1, 1, 1, 2, 2, 3))
        size = SIZES[level][1]
        base = rng.choice(regions) + rng.randrange(3) * (1 << 30) + (rng.randrange(2) << 21) + (rng.randrange(64) << 12)
        flags = P | rng.choice((0, W, U, W | U, W | U | NX, A | D | G | W | 7 << 9))
        for i in range(rng.choice((1, 2, 8))):
            va = (base & ~(size - 1)) + i * size
            node, index = t.root, None
            for l in range(levels, level, -1):  # a large page has no tables below it
                e = t.node(node)[va >> 12 + 9 * (l - 1) & 511]
                if not e & P or e & PS:
                    break
                node = e & FRAME
            if e & P and e & PS:
                continue
            node, index = t.path(va, level)
            if t.node(node)[index] & P:
                continue
            pa = (pa + (0 if rng.randrange(4) else 4096) + size - 1) & ~(size - 1)
            t.map(va, pa, level, flags)
            pa += size
    for entries in list(t.nodes.values()):  # some tables remove rights
        for i, e in enumerate(entries):
            if e & P and not e & PS and rng.randrange(10) == 0:
                entries[i] ^= rng.choice((W, U, NX))
    return t


class DumpTest(WalkTest):
    def test_the_list_is_what_was_built(self):
        sizes = set()
        for levels in (4, 5):
            for seed in range(3):
                t = random_tables(random.Random(seed), levels)
                t.write_raw(self.image)
                expect = t.ranges()
                self.assertEqual(self.listed(t), expect)
                sizes |= {r[3] for r in expect}
                self.assertLess(len(expect), len(list(t.mappings())))
                totals = self.dump("--root", t.root, "--kind", f"radix{levels}")["totals"]
                count = {name: 0 for name, _ in SIZES.values()}
                for _, _, level, _ in t.mappings():
                    count[SIZES[level][0]] += 1
                self.assertEqual(totals["pages"], count)
                self.assertEqual(totals["ranges"], len(expect))
                self.assertEqual(totals["nodes"], len(t.nodes))
        self.assertEqual(sizes, {"4K", "2M", "1G"})

    def test_text_and_json_say_the_same(self):
        t = random_tables(random.Random(5), 4)
        t.write_raw(self.image)
        lines = self.walk("--memory", self.image, "--root", t.root, "--dump").stdout.splitlines()
        ranges = []
        for line in lines[1:lines.index("")]:
            places, pa, count, page, rights = line.split()
            begin, end = (int(text, 16) for text in places.split("-"))
            ranges.append([begin, int(count, 16), int(pa, 16), page, rights])
            self.assertEqual(begin + ranges[-1][1], end)
        self.assertEqual(ranges, t.ranges())
        self.assertIn(f"{len(ranges)} ranges; 4 levels from 0x200000", lines[-1])
        self.assertIn(f"{len(t.nodes)} nodes", lines[-1])

    def test_pages_join_where_addresses_sizes_and_rights_go_on(self):
        t = Tables()
        t.map(0x400000, 0x10000)
        t.map(0x401000, 0x11000, flags=P | W | U | A | D | G)
        t.map(0x402000, 0x12000, flags=P | W)
        t.map(0x403000, 0x14000, flags=P | W)
        t.map(0x405000, 0x16000, flags=P | W)
        for i in range(512):
            t.map(0x600000 + 4096 * i, 0x200000 + 4096 * i)
        t.map(0x800000, 0x400000, 2)
        t.map(0xffffffffffe00000, 0x600000, 2)
        t.map(0x7fffffe00000, 0x800000, 2)
        t.map(0xffff800000000000, 0xa00000, 2)
        t.write_raw(self.image)
        self.assertEqual(self.listed(t), [
            [0x400000, 0x2000, 0x10000, "4K", "urwx"], [0x402000, 0x1000, 0x12000, "4K", "-rwx"],
            [0x403000, 0x1000, 0x14000, "4K", "-rwx"], [0x405000, 0x1000, 0x16000, "4K", "-rwx"],
            [0x600000, 0x200000, 0x200000, "4K", "urwx"], [0x800000, 0x200000, 0x400000, "2M", "urwx"],
            [0x7fffffe00000, 0x200000, 0x800000, "2M", "urwx"], [0xffff800000000000, 0x200000, 0xa00000, "2M", "urwx"],
            [0xffffffffffe00000, 0x200000, 0x600000, "2M", "urwx"]])
        self.assertIn("0xffffffffffe00000-0x10000000000000000 ", self.walk("--memory", self.image, "--root", t.root, "--dump").stdout)

    def test_the_first_byte_of_memory_has_an_address_like_any_other(self):
        """A table at 0 that maps its own page: %#x would print both without 0x."""
        t = Tables(root=0)
        t.map(0x400000, 0)
        t.map(0, 0x5000)
        t.write_raw(self.image, 0x10000)
        dump = self.walk("--memory", self.image, "--root", "0", "--dump").stdout
        self.assertIn("0x0000000000400000-0x0000000000401000  0x0000000000000 ", dump)
        text = self.walk("--memory", self.image, "--root", "0", "0").stdout
        self.assertIn("  l4 [  0]  0x000000000000  0x0000000000001027  table 0x1000", text)

    def test_an_empty_table_maps_nothing(self):
        Tables().write_raw(self.image)
        self.assertEqual(self.dump("--root", "0x1000")["ranges"], [])
        self.assertIn("0 ranges;", self.walk("--memory", self.image, "--root", "0x1000", "--dump").stdout)

    def test_a_root_that_contains_itself_is_listed_as_the_processor_sees_it(self):
        t = Tables()
        t.map(0x400000, 0x10000)
        t.map(0x7f0000000000, 0x20000)
        t.node(t.root)[0x1ed] = t.root | P | W
        t.write_raw(self.image)
        listed = self.listed(t)
        self.assertEqual(listed, t.ranges())
        self.assertIn(0xfffff6fb7dbed000, {r[0] for r in listed})  # the root itself, at the address that Windows uses

    def test_tables_that_contain_nothing_but_themselves_end(self):
        """512^4 pages in one node; 512^4 more in four nodes that point to each other."""
        def folded(t):
            t.write_raw(self.image)
            done = self.walk("--memory", self.image, "--root", t.root, "--dump", "--json")
            self.assertIn("the tables are shared many times over", done.stderr)
            return json.loads(done.stdout)

        t = Tables()
        t.nodes[t.root] = [t.root | P] * 512
        all_of_it = folded(t)
        self.assertEqual(all_of_it["totals"]["pages"], {"4K": 512**4, "2M": 0, "1G": 0})
        self.assertEqual(all_of_it["totals"]["nodes"], 1)
        repeated = [r for r in all_of_it["ranges"] if "same_as" in r]
        self.assertEqual(len(repeated), 3 * 511)
        self.assertEqual(repeated[0], {"va": "0x200000", "bytes": 1 << 21, "same_as": "0x0"})
        self.assertEqual(repeated[-1], {"va": "0xffffff8000000000", "bytes": 1 << 39, "same_as": "0x0"})
        self.assertEqual(sum(r["bytes"] for r in all_of_it["ranges"]), 1 << 48)

        rng = random.Random(3)
        nodes = [0x1000, 0x2000, 0x3000, 0x4000]
        t.nodes = {pa: [rng.choice(nodes) | P | rng.choice((0, W)) for _ in range(512)] for pa in nodes}
        all_of_it = folded(t)
        self.assertEqual(all_of_it["totals"]["pages"]["4K"], 512**4)
        self.assertEqual(sum(r["bytes"] for r in all_of_it["ranges"]), 1 << 48)

    def test_what_is_shared_is_listed_at_each_place_or_folded_as_asked(self):
        t = Tables()
        for i in range(3):
            t.map(0x400000 + 4096 * i, 0x10000 + 8192 * i)
        leaf, l2 = t.path(0x400000, 1)[0], t.path(0x400000, 2)
        for i in range(10, 14):
            t.node(l2[0])[i] = leaf | P | W | U
        t.node(l2[0])[20] = leaf | P | U
        t.map(0x8000000, 0x777000)
        lone, index = t.path(0x8000000, 2)
        t.node(lone)[index + 1] = t.node(lone)[index]  # a table of one page: folding would save nothing
        t.write_raw(self.image)
        self.assertEqual(len(self.listed(t)), 20)
        self.assertEqual(self.listed(t, "--shared", "list"), t.ranges())
        ranges = self.dump("--root", t.root, "--shared", "fold")["ranges"]
        self.assertEqual([r["va"] for r in ranges if "same_as" in r], [hex(i << 21) for i in range(10, 14)])
        self.assertEqual({r["same_as"] for r in ranges if "same_as" in r}, {"0x400000"})
        self.assertEqual([r["rights"] for r in ranges if "rights" in r], ["urwx"] * 3 + ["ur-x"] * 3 + ["urwx"] * 2)
        self.assertIn("0x0000000001400000-0x0000000001600000  as from 0x0000000000400000 on",
                      self.walk("--memory", self.image, "--root", t.root, "--dump", "--shared", "fold").stdout)

    def test_entries_that_map_nothing_though_present_are_counted_with_the_first(self):
        t = Tables()
        t.map(0x400000, 0x10000)
        node, i = t.path(0x600000, 2)
        t.node(node)[i] = 1 << 20 | PS | P
        t.node(t.root)[1] = t.node(t.root)[0] & ~W  # the same subtree again, with fewer rights
        t.node(t.root)[300] = 0x7777000 | P
        t.node(t.root)[301] = 0x8888000 | P
        t.write_raw(self.image)
        out = self.dump("--root", t.root)
        self.assertEqual(len(out["ranges"]), 2)
        self.assertEqual(out["totals"]["malformed"], {"entries": 1, "first": {
            "level": 2, "va": "0x600000", "pa": hex(node + 8 * i), "entry": hex(1 << 20 | PS | P)}})
        self.assertEqual(out["totals"]["outside"], {"entries": 2, "first": {
            "level": 4, "va": "0xffff960000000000", "pa": hex(t.root + 2400), "entry": "0x7777001"}})
        text = self.walk("--memory", self.image, "--root", t.root, "--dump").stdout
        self.assertIn(f"reserved bits set, so that nothing is mapped: 1 entry; the first: l2 of 0x600000, 0x100081 at {node + 8 * i:#x}\n",
                      text)
        self.assertIn("leading to tables that the image does not have: 2 entries; the first: l4 of 0xffff960000000000", text)

    def test_a_reader_that_goes_away_ends_it_without_a_word(self):
        t = Tables()
        for i in range(1 << 14):
            t.map(i << 12, (i * 2) << 12)
        t.write_raw(self.image)
        words = [PROGRAM, "walk", "--memory", str(self.image), "--root", hex(t.root), "--dump"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            child.stdout.readline()
            child.stdout.close()
            self.assertEqual(child.stderr.read(), b"")
        self.assertEqual(child.returncode, -signal.SIGPIPE)


if __name__ == "__main__":
    unittest.main()
