#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Watching does not change a result: stats.json of a run with a dump (of the whole or a part, of all blocks or some) or with followed
transactions equals that of the same run alone byte for byte, except for the simulator's own counters."""
import re
import unittest

from walkway_run import run, scratch_folder

OWN = re.compile(rb'^ *"model\.[^"]*": \{[^{}]*\},?\n', re.MULTILINE)
# Write-backs from the caches, queues that fill, drains, a memory clock that does not fit the GPU's cycles, idle times with refreshes; then
# the shipped machine.
CROWDED = ["--set", "dram.read_entries=2", "--set", "dram.write_entries=3", "--set", "dram.write_high=2", "--set",
           "dram.write_low=0", "--set", "dram.queue_entries=2", "--set", "dram.ports=1", "--set", "dram.refi=700", "--set",
           "l2d.bytes=32768", "--set", "l2d.write=back", "--set", "gpu.cus=3"]
RUNS = {
    "crowded": [*CROWDED, "gen:uniform,waves=12,accesses=24,stores=50,footprint=4194304"],
    "no delay to memory": [*CROWDED, "--set", "dram.tck_ps=500", "--set", "l2d.link_cycles=0", "--set", "walk_unit.read_cycles=0",
                           "gen:uniform,waves=12,accesses=24,stores=50,footprint=4194304"],
    "shipped": ["--set", "walk_unit.coalesce=full", "gen:neighbourhood,waves=32,accesses=16,stores=30"],
    "a window of the run": ["--warm-up", "2000translations", "--measure", "4000translations", *CROWDED,
                            "gen:uniform,waves=12,accesses=24,stores=50,footprint=4194304"],
}


class UnchangedTest(unittest.TestCase):
    def setUp(self):
        self.dir = scratch_folder(self.addCleanup)

    def result(self, words, *watching):
        """Returns stats.json without the simulator's counters, and their names."""
        run("run", "-q", "-o", self.dir / "run", *watching, *words)
        whole = (self.dir / "run" / "stats.json").read_bytes()
        return OWN.sub(b"", whole), [line.split(b'"')[1].decode() for line in OWN.findall(whole)]

    def test_stats_json_is_the_same_to_the_byte_whatever_watches(self):
        dump, follow = ["--vcd", self.dir / "run.vcd"], ["--transactions", self.dir / "run.trace"]
        ways = {
            "all blocks": dump,
            "memory": [*dump, "--vcd-blocks", "dram"],
            "all but memory": [*dump, "--vcd-blocks", "l?d*,walk_unit,*tlb*,cu*"],
            "a window": [*dump, "--vcd-from", "4us", "--vcd-for", "3us"],
            "a window between two edges": [*dump, "--vcd-from", "4000129ps", "--vcd-for", "1001cycles"],
            "transactions": follow,
            "transactions of a window": [*follow, "--transactions-window", "4us..6us"],
            "both": [*dump, *follow],
        }
        for name, words in RUNS.items():
            alone, own = self.result(words)
            self.assertIn("model.activations", own)
            self.assertNotIn(b'"model.', alone)
            self.assertIn(b'"dram.activates"', alone)
            for way, watching in ways.items():
                with self.subTest(run=name, watched=way):
                    watched, counters = self.result(words, *watching)
                    self.assertEqual(counters, own)
                    self.assertEqual(watched.decode().splitlines(), alone.decode().splitlines())
                    self.assertEqual(watched, alone)


if __name__ == "__main__":
    unittest.main()
