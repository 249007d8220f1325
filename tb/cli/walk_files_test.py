#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The files that walkway walk takes memory from: cores whose segments name the same memory several times, or none; files that
are no memory, by what they begin with; raw files with holes."""
import random
import unittest

from walk_case import WalkTest
from walk_images import NO_ADDRESS, P, Tables, core, qemu_note


class CoreTest(WalkTest):
    END = 0x40000

    def tables(self):
        t = Tables()
        for va, pa in ((0x400000, 0x30000), (0x7f0000000000, 0x31000), (0xffffffff81000000, 0x32000)):
            t.map(va, pa)
        return t

    def cut(self, memory, rng):
        """All of it in pieces that overlap: (pa, bytes), in any order, few of them at the boundary of a page or a line."""
        places = [0, *sorted(rng.sample(range(1, self.END), 40)), self.END]
        pieces = [(a, memory[a:b]) for a, b in zip(places, places[1:])]
        for _ in range(30):
            a, b = sorted(rng.sample(range(self.END + 1), 2))
            pieces.append((a, memory[a:b]))
        pieces += rng.sample(pieces, 5)
        rng.shuffle(pieces)
        return pieces

    def write(self, pieces):
        core(self.image, [(pa, bytes_, None) for pa, bytes_ in pieces], qemu_note(0x1000))

    def test_equal_bytes_at_one_address_are_one_memory_in_any_order_and_overlap(self):
        t = self.tables()
        for seed in range(12):
            rng = random.Random(seed)
            memory = bytearray(rng.randbytes(self.END))
            memory[:0x10000] = t.memory(0, 0x10000)
            self.write(self.cut(memory, rng))
            self.assertEqual(self.listed(t), t.ranges())
            self.refused("--memory", self.image, "--root", hex(self.END), "0", code=1,
                         says="outside the image: the image has 0x0 to 0x40000\n")

    def test_one_different_byte_at_one_address_is_refused_with_the_address(self):
        memory = bytes(self.END)
        for seed in range(24):
            rng = random.Random(seed)
            pieces = self.cut(memory, rng)
            at = rng.choice(pieces)  # the first byte of a piece, its last, or any
            place = (at[0], at[0] + len(at[1]) - 1, rng.randrange(self.END))[seed % 3]
            having = [i for i, (pa, bytes_) in enumerate(pieces) if pa <= place < pa + len(bytes_)]
            if len(having) == 1:
                continue
            changed = rng.choice(having)
            pa, bytes_ = pieces[changed]
            pieces[changed] = (pa, bytes_[:place - pa] + b"\1" + bytes_[place - pa + 1:])
            self.write(pieces)
            error = self.refused("--memory", self.image, "0", says=f"have different bytes at the same physical address, {place:#x}:")
            self.assertRegex(error, rf"segment {changed + 1} and |and segment {changed + 1} have")  # the first is the notes

    def test_the_kernel_may_have_a_place_of_its_own_in_a_core_as_in_vmcore(self):
        """Its text first, then all RAM, which holds it once more; and the other way round."""
        t = self.tables()
        ram = bytearray(t.memory(0, self.END))
        text = bytes(ram[0x1000:0x3000])
        for segments in ([(0x1000, text), (0, bytes(ram))], [(0, bytes(ram)), (0x1000, text)]):
            self.write(segments)
            self.assertEqual(self.listed(t), t.ranges())

    def test_a_segment_without_a_physical_address_is_left_out_and_that_is_said_once(self):
        t = self.tables()
        ram = (0, t.memory(0, self.END), None)
        for before, says in (([(NO_ADDRESS, 1 << 45, None)], "image: segment 1 has no physical address (p_paddr is all ones): left out"),
                             ([(NO_ADDRESS, 1 << 45, None), (NO_ADDRESS, b"x", None)],
                              "image: 2 segments, the first segment 1, have no physical address")):
            core(self.image, [*before, ram], qemu_note(0x1000))
            done = self.walk("--memory", self.image, "0x400000", "0x7f0000000000")
            self.assertIn("physical 0x30000", done.stdout)
            self.assertEqual(done.stderr.count("no physical address"), 1)
            self.assertIn(says, done.stderr)
        core(self.image, [(NO_ADDRESS, b"x", None)], qemu_note(0x1000))
        self.refused("--memory", self.image, "0", says=["none of its 2 segments holds any; segment 1 has no physical address"])
        core(self.image, [(NO_ADDRESS - 1, b"x", None), ram], qemu_note(0x1000))
        self.refused("--memory", self.image, "0", says="segment 1 reaches beyond physical addresses of 52 bits")


if __name__ == "__main__":
    unittest.main()
