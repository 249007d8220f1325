#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway compare: bits of the structures that differ between machines."""
import json
import re
import unittest

from walkway_run import RunTest, make_trace


class StorageTest(RunTest):
    def compared(self, *machines):
        trace = make_trace(self.dir / "t.wkt")
        text = self.run_it("compare", "-q", "-o", "cmp", trace, *machines).stdout
        rows = {m[1]: [int(n.replace(",", "")) for n in m[2].split()]
                for m in re.finditer(r"^((?:l1_tlb|l2_tlb|walk_unit|l1d|l2d)\.\w+|all structures)((?: +[\d,]+)+)$", text, re.M)}
        machines = json.loads((self.dir / "cmp/compare.json").read_text())["configurations"]
        return text, rows, [m["storage_bits"] for m in machines]

    def test_structures_that_differ_are_rows_and_the_others_are_not(self):
        _, rows, bits = self.compared("apu-micro18", ":walk_unit.coalesce=full", ":l2_tlb.entries=1024")
        self.assertEqual(set(rows), {"walk_unit.coalescing", "l2_tlb.entries", "all structures"})
        self.assertEqual(rows["walk_unit.coalescing"], [0, 11576, 0])
        self.assertEqual([b.get("walk_unit.coalescing", 0) for b in bits], [0, 11576, 0])
        small, same, large = rows["l2_tlb.entries"]
        self.assertEqual(small, same)
        self.assertEqual(large, 2 * small - 1024, "twice the entries, a bit less of tag in each")
        self.assertEqual(rows["all structures"], [b["all"] for b in bits])
        for b in bits:
            self.assertEqual(b["all"], sum(n for name, n in b.items() if name != "all"))

    def test_each_block_of_a_kind_counts(self):
        _, rows, bits = self.compared("apu-micro18:gpu.cus=2", "apu-micro18:gpu.cus=6")
        self.assertEqual(rows["l1_tlb.entries"][1], 3 * rows["l1_tlb.entries"][0])
        self.assertEqual(rows["l1d.tags"][1], 3 * rows["l1d.tags"][0])
        self.assertNotIn("l2d.tags", rows)
        self.assertEqual(bits[0]["l2d.tags"], bits[1]["l2d.tags"])

    def test_nothing_is_said_where_no_structure_differs(self):
        text, rows, _ = self.compared("apu-micro18", ":iommu_tlb.tlb2_cycles=30", ":translation.ideal=infinite_tlb")
        self.assertEqual(rows, {})
        self.assertNotIn("bits", text)

    def test_widths_follow_memory_and_address_space(self):
        _, rows, _ = self.compared("apu-micro18", ":dram.ranks=4,address_space.memory_bytes=17179869184", ":address_space.levels=5")
        lines = 4 << 20 >> 6
        self.assertEqual(rows["l2d.tags"][1] - rows["l2d.tags"][0], lines, "a bit more of address")
        self.assertEqual(rows["l2d.tags"][2], rows["l2d.tags"][0])
        self.assertEqual(rows["l2_tlb.entries"][2] - rows["l2_tlb.entries"][0], 512 * 9)


if __name__ == "__main__":
    unittest.main()
