#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway walk --kind NAME: tables of NVIDIA's formats in an image that the test builds word by word from the drivers' headers; every
address is compared with a walk in Python; names of entries, and refusals."""
import json
import os
import pathlib
import random
import struct
import unittest

import jsonschema

from walk_case import WalkTest

SCHEMA = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "walk.schema.json").read_text())
SPARSE, HIDDEN = {2: 8, 3: 8}, {2: 32, 3: 24} # entries of tables that map nothing


class Nvidia:
    """A table in memory: words by physical address. A level is (bits of the index, log2 of the bytes that an entry maps)."""

    def __init__(self, version, root=0x1000):
        self.version, self.root, self.words, self.free = version, root, {}, root + 4096
        self.levels = [(2, 47), (9, 38), (9, 29), (8, 21)] if version == 2 else [(1, 56), (9, 47), (9, 38), (9, 29), (8, 21)]
        self.va_bits = 49 if version == 2 else 57

    def table(self, pa):
        return (pa >> 4 if self.version == 2 else pa) | 1 << 1 | 1 << 3

    def page(self, pa, read_only=False):
        bit = 6 if self.version == 2 else 5
        return (pa >> 4 if self.version == 2 else pa) | 1 | (1 << bit if read_only else 0)

    def take(self, size):
        pa, self.free = self.free, self.free + size
        return pa

    def down(self, word_pa, size):
        """Returns the table that a word points to; adds one if there is none."""
        if word_pa not in self.words:
            self.free = -(-self.free // size) * size
            self.words[word_pa] = self.table(self.take(size))
        word = self.words[word_pa] & ~(0xfff if self.version == 3 and size == 4096 else 0xf if self.version == 2 else 0xff)
        return word << 4 if self.version == 2 else word

    def place(self, va, shift):
        """Returns the address of the word of a page of this size."""
        pa = self.root
        for bits, reach in self.levels:
            at = pa + (va >> reach & (1 << bits) - 1) * (16 if reach == 21 else 8)
            if reach == shift:
                return at
            pa = self.down(at, 4096) if reach != 21 else self.down(at + (8 if shift == 12 else 0), 4096 if shift == 12 else 256)
        return pa + (va >> shift & (31 if shift == 16 else 511)) * 8

    def write(self, file):
        with open(file, "wb") as image:
            for pa, word in self.words.items():
                image.seek(pa)
                image.write(struct.pack("<Q", word))
            image.truncate(1 << 26)


class KindsTest(WalkTest):
    def of(self, t, vas, *words):
        done = self.walk("--memory", self.image, "--root", hex(t.root), "--kind", f"nvidia_v{t.version}", "--json", *words,
                         input="\n".join(map(hex, vas)))
        answer = json.loads(done.stdout)
        jsonschema.validate(answer, SCHEMA)
        return answer["walks"]

    def test_addresses_are_those_that_were_put_in(self):
        for version in (2, 3):
            rng = random.Random(version)
            t, pages, taken = Nvidia(version), {}, set()
            for _ in range(300):
                shift = rng.choice((12, 12, 16, 16, 21, 29))
                va = (rng.randrange(3) << 46 | rng.randrange(2) << 30 | rng.randrange(4) << 21 | rng.randrange(32) << 12) >> shift << shift
                units = {va + i for i in range(0, 1 << shift, 1 << 12)} if shift < 29 else {va + i for i in range(0, 1 << 29, 1 << 21)}
                regions = {u >> 21 for u in units}
                inside = any(v <= va < v + (1 << s) for v, (_, s, _) in pages.items()) or any(va <= v < va + (1 << shift) for v in pages)
                if inside or units & taken or (shift == 21 and any(u >> 21 in regions for u in taken)):
                    continue
                taken |= units
                pages[va] = pa, _, _ = rng.randrange(1 << 6) << shift, shift, rng.random() < 0.3
                t.words[t.place(va, shift)] = t.page(pa, pages[va][2])
            t.write(self.image)
            vas = [va + rng.randrange(1 << shift) for va, (_, shift, _) in pages.items()]
            vas += [rng.randrange(3) << 46 | rng.randrange(1 << 24) for _ in range(200)] + [1 << t.va_bits]
            found = 0
            for va, walk in zip(vas, self.of(t, vas)):
                inside = [(v, *page) for v, page in pages.items() if v <= va < v + (1 << page[1])]
                if not inside:
                    self.assertIn(walk["fault"]["why"], ("absent", "address"), hex(va))
                    continue
                v, pa, shift, read_only = inside[0]
                self.assertEqual(int(walk["pa"], 16), pa + va - v, hex(va))
                self.assertEqual(walk["page"], {"pa": hex(pa), "bytes": 1 << shift, "rights": "r-x" if read_only else "rwx"})
                found += 1
            self.assertGreater(found, 60)

    def test_both_tables_of_a_directory_entry_are_shown(self):
        t = Nvidia(2)
        t.words[t.place(0x0000, 16)] = t.page(0x200000)
        t.words[t.place(0x13000, 12)] = t.page(0x7000, True) | 1 << 3
        t.words[t.place(0x20000, 16)] = HIDDEN[2]
        t.words[t.place(0x20000, 12)] = t.page(0x9000)
        t.words[t.place(0x30000, 16)] = SPARSE[2]
        t.write(self.image)
        walks = self.of(t, [0x13210, 0x20000, 0x30000])
        self.assertEqual([s["step"] for s in walks[0]["steps"]], ["l5", "l4", "l3", "l2", "big", "l1"])
        self.assertEqual([s["index"] for s in walks[0]["steps"]], [0, 0, 0, 0, 1, 19])
        self.assertIn("tables 0x", walks[0]["steps"][3]["meaning"])
        self.assertIn("high", walks[0]["steps"][3])
        self.assertEqual(walks[0]["steps"][5]["flags"], ["volatile", "read-only"])
        self.assertEqual(walks[0]["pa"], "0x7210")
        self.assertEqual(walks[1]["fault"]["why"], "absent")
        self.assertIn("nor is any 4K page behind it", walks[1]["fault"]["text"])
        self.assertEqual(walks[2]["fault"]["why"], "sparse")
        text = self.walk("--memory", self.image, "--root", "0x1000", "--kind", "nvidia_v2", "0x13210").stdout
        self.assertIn("a table of kind nvidia_v2 from 0x1000: 6 steps, virtual addresses of 49 bits\n", text)
        self.assertIn("  page of 4K  volatile read-only\n", text)
        self.assertIn("  physical 0x7210, in the page of 4.0 KiB at 0x7000, r-x\n", text)
        self.assertIn("  fault: sparse at big: the entry at 0x", self.walk("--memory", self.image, "--root", "0x1000", "--kind",
                                                                           "nvidia_v2", "0x30000").stdout)

    def test_what_lies_outside_the_image_is_said(self):
        t = Nvidia(3)
        t.words[t.root] = t.table(1 << 30)
        t.write(self.image)
        walk = self.of(t, [0])[0]
        self.assertEqual(walk["fault"]["why"], "outside")
        self.assertIsNone(walk["steps"][1]["entry"])

    def test_rows_have_the_step_that_faults(self):
        t = Nvidia(3)
        t.words[t.place(0x5000, 12)] = t.page(0x7000)
        t.write(self.image)
        rows = self.walk("--memory", self.image, "--root", "0x1000", "--kind", "nvidia_v3", "--csv", "-", "0x5000", "0x6000").stdout
        self.assertEqual(rows.splitlines(), ["va,pa,page_pa,page_bytes,rights,fault,fault_step", "0x5000,0x7000,0x7000,4096,rwx,,",
                                             "0x6000,,,,,absent,l1"])

    def test_what_does_not_belong_to_a_kind_is_refused(self):
        t = Nvidia(2)
        t.place(0, 12)
        t.write(self.image)
        words = ("--memory", self.image, "--kind", "nvidia_v2", "--root", "0x1000")
        self.refused(*words, "--dump", code=1, says="--dump lists x86-64's tables so far")
        self.refused(*words, "--phys-bits", "40", "0", code=1, says="--phys-bits is for x86-64's tables")
        self.refused(*words, "--encryption-bits", "47", "0", code=1, says="--encryption-bits is for x86-64's tables")
        self.refused(*words[:-2], "0", code=1, says="say where the table's root is")
        self.refused(*words[:-1], "0x1001", "0", code=1, says="did you mean '0x1000'?")
        self.refused(*words[:-1], "0x10000000000000", "0", code=1, says="below 2^52")
        self.refused(*words[:-1], "0x40000000", "0", code=1, says="outside the image")
        for kind in ("amdgpu", "amdgpu_gfx12"):
            self.refused("--memory", self.image, "--base", "0x1000000000000", "--kind", kind, "--root", "0x1000000000000", "0", code=1,
                         says=["a multiple of 4096, below 2^48", "did you mean '0x0'?"])
        self.assertIn("an x86-64 machine's so far", self.run_it("run", "--memory", self.image, "--kind", "nvidia_v2", "--root", "0x1000",
                                                                "gen:chase", code=1).stderr)
        self.refused("--memory", self.image, "--kind", "nvidia_v4", "0", code=1,
                     says=["wants radix4, radix5", "nvidia_v2", "nvidia_v3", "did you mean 'nvidia_v"])


if __name__ == "__main__":
    unittest.main()
