#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Actions of an operating system during a run, from a file: what is printed and kept of each event; every wrong line is refused."""
import json
import os
import pathlib
import unittest

import jsonschema

from walkway_run import RunTest

SCHEMA = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "stats.schema.json").read_text())
ATAX = str(pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "waveforms" / "atax-512.wkt")  # buffers: one of 1 MiB, three of 2 KiB
PAGED = ("--set", "address_space.map=all_paged")


class EventsTest(RunTest):
    def run_with(self, text, *words, code=0):
        (self.dir / "list.txt").write_text(text)
        return self.run_it("run", "-q", "-o", "out", "--events", "list.txt", *words, ATAX, code=code)

    def result(self, text, *words):
        said = self.run_with(text, *words).stdout
        result = json.loads((self.dir / "out" / "stats.json").read_text())
        jsonschema.validate(result, SCHEMA)
        self.assertTrue(all(law["holds"] for law in result["laws"]))
        return result, said

    def refused(self, says, text, *words, code=2):
        self.assertIn(says, self.run_with(text, *words, code=code).stderr)

    def test_each_event_is_reported(self):
        result, said = self.result("# a list\n\nat cycle 20000 unmap buffer:0 pages 16 # pages\nat cycle 0x10000 flush all\n"
                                   "at launch 1 remap buffer:0+64Ki\nat cycle 999999999 root 0\n", *PAGED)
        events = result["events"]
        self.assertEqual([e["event"] for e in events],
                         ["at cycle 20000 unmap buffer:0 pages 16", "at cycle 0x10000 flush all",
                          "at launch 1 remap buffer:0+64Ki", "at cycle 999999999 root 0"])
        self.assertEqual(events[0]["pages_changed"], 16)
        self.assertEqual(events[0]["lines_written"], 2)
        self.assertEqual(events[1]["asked_cycle"], 65536)
        self.assertGreater(events[1]["dropped"]["walk_cache"], 0)
        self.assertIn("{:,} tlb, ".format(events[1]["dropped"]["tlb"]), " ".join(said.split()))
        self.assertNotIn("lds", events[1]["dropped"])
        self.assertNotIn("dropped", events[3])
        self.assertEqual(events[2]["pages_changed"], 1)
        self.assertFalse(events[3]["due"])
        self.assertIn("NOT DUE: the run ended before, 1 of 4 events.", said)
        for e in events[:3]:
            self.assertGreater(e["acknowledged_cycle"], e["asked_cycle"])
            self.assertIn(e["event"], said)

    def test_a_buffer_is_an_address(self):
        by_name, _ = self.result("at cycle 20000 unmap buffer:0+0x3000 pages 5", *PAGED)
        info = json.loads(self.run_it("trace", "info", "--json", ATAX).stdout)
        base = info["buffers"][0]["base_va"]
        address = int(base, 0) if isinstance(base, str) else base
        by_address, _ = self.result("at cycle 20000 unmap %#x pages 5" % (address + 0x3000), *PAGED)
        self.assertEqual(by_name["statistics"], by_address["statistics"])

    def test_a_flush_needs_no_pager_and_a_change_does(self):
        result, _ = self.result("at cycle 30000 flush range buffer:0 256Ki\nat cycle 30000 flush space 0\n")
        self.assertEqual(result["statistics"]["walk_unit.invalidates"]["value"], 2)
        self.refused("list.txt:1: tables are changed by a pager", "at cycle 30000 unmap buffer:0")

    def test_tables_are_exchanged_among_address_spaces_of_one_program(self):
        two = (*PAGED, "--set", "address_space.spaces=2", "--set", "dispatcher.space=group")
        result, said = self.result("at cycle 20000 switch root 1 0", *two)
        self.assertEqual(result["statistics"]["pager.exchanged"]["value"], 1)
        self.assertEqual(result["statistics"]["walk_unit.invalidates"]["value"], 1)
        self.assertIn("at cycle 20000 switch root 1 0", said)
        self.refused("list.txt:1: tables are changed by a pager", "at cycle 20000 switch root 0 1")
        self.refused("list.txt:1: VM-IDs 0 and 1 run programs of their own", "at cycle 3 switch root 0 1", *PAGED,
                     "--beside", "gen:uniform,waves=4")

    def test_wrong_lines_are_named(self):
        for text, says in (
                ("after cycle 3 flush all", "list.txt:1: 'after': a line begins with 'at'"),
                ("\nat cylce 3 flush all", "list.txt:2: 'cylce': a moment is 'cycle' or 'launch' (did you mean 'cycle'?)"),
                ("at cycle x flush all", "'x' is not the number of a cycle"),
                ("at cycle 3", "the line ends where 'map', 'unmap'"),
                ("at cycle 3 unmpa buffer:0", "'unmpa': what happens is 'map', 'unmap', 'remap', 'protect', 'permit', 'fetch', 'flush', 'root' or 'switch' "
                                              "(did you mean 'unmap'?)"),
                ("at cycle 3 flush everything", "a flush is of 'all', 'space', 'page' or 'range'"),
                ("at cycle 3 flush all now", "'now' is too much"),
                ("at cycle 3 unmap buffer:0 pages 0", "0 pages: there are 1 to"),
                ("at cycle 3 unmap buffer:9", "'buffer:9': the trace has"),
                ("at cycle 3 unmap buffer:0+1Gi", "'buffer:0+1Gi': the buffer has"),
                ("at cycle 3 unmap here", "'here' is not an address, or buffer:N"),
                ("at cycle 3 unmap 0x10", "list.txt:1: no page of VM-ID 0 holds this address"),
                ("at cycle 3 unmap buffer:0 of 70000", "VM-ID 70000 is above 65535"),
                ("at cycle 3 flush space 1", "list.txt:1: VM-ID 1, and there is 0 only"),
                ("at cycle 3 switch roots 0 1", "'roots': a switch is of the 'root'"),
                ("at cycle 3 switch root 0", "the line ends where a VM-ID should be"),
                ("at cycle 3 switch root 0 0", "VM-ID 0 has its own table"),
                ("at cycle 3 switch root 0 1", "list.txt:1: VM-ID 1, and there is 0 only"),
                ("at cycle 3 flush range buffer:0 0", "a range has at least one byte"),
                ("# nothing\n", "list.txt: no event is in it")):
            with self.subTest(text=text):
                self.refused(says, text, *PAGED)

    def test_what_cannot_be_is_refused(self):
        (self.dir / "list.txt").write_text("at cycle 3 flush all")
        self.assertIn("--events is for one run", self.run_it("run", "--events", "list.txt", ATAX, ATAX, code=1).stderr)
        self.assertIn("no-such: cannot be read", self.run_it("run", "--events", "no-such", ATAX, code=2).stderr)
        self.assertIn("would overwrite", self.run_it("run", "--events", "list.txt", "--vcd", "list.txt", ATAX, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
