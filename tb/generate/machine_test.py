#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tests the machine on synthetic traces: the reach of a TLB, the cost of a dependent chain, equal results of a specification
and of the file saved from it, and the messages about wrong specifications."""
import json
import unittest

from walkway_run import RunTest

ONE = "waves=1,lanes=1"


class MachineTest(RunTest):
    def stats(self, trace, *options, whole=False):
        self.run_it("run", "-q", "-o", "out", *options, trace)
        result = json.loads((self.dir / "out" / "stats.json").read_text())
        return result if whole else result["statistics"]

    def counts(self, stats, *names):
        return [stats[name]["value"] for name in names]

    def test_the_reach_of_the_l1_tlb_ends_after_its_last_entry(self):
        for pages, hits in ((31, 969), (32, 968), (33, 0)):
            s = self.stats(f"gen:stride,{ONE},accesses=1000,footprint={pages * 4096}")
            self.assertEqual(self.counts(s, "l1_tlb.lookups", "l1_tlb.hits", "l1_tlb.misses", "l1_tlb.merged"),
                             [1000, hits, 1000 - hits, 0])

    def test_the_reach_of_the_l2_tlb_ends_after_its_last_entry(self):
        for pages, hits in ((511, 1489), (512, 1488), (513, 0)):
            s = self.stats(f"gen:stride,{ONE},accesses=2000,footprint={pages * 4096}", "--set", "l2_tlb.ways=512")
            self.assertEqual(self.counts(s, "l1_tlb.hits", "l2_tlb.lookups", "l2_tlb.hits", "l2_tlb.misses"),
                             [0, 2000, hits, 2000 - hits])

    def test_a_chain_of_dependent_loads_shows_the_whole_latency_of_each(self):
        n = 500
        s = self.stats(f"gen:chase,{ONE},compute=0,accesses={n},footprint=4Mi")
        value = {name: entry["value"] for name, entry in s.items() if "value" in entry}
        self.assertEqual(value["account.l1_lookup"], n * 108)
        self.assertEqual(value["account.l2_lookup"], n * 188)
        self.assertEqual(value["walk_unit.walks_finished"], n, "no page is met twice")
        self.assertEqual(s["gpu.load_latency"]["sum"], value["gpu.wave_stall.wave_cycles"], "one after the other")
        parts = [value["gpu.wave_stall." + part] for part in ("issue", "translation", "data")]
        self.assertEqual(sum(parts), value["gpu.wave_stall.wave_cycles"])
        self.assertEqual(parts[0], n * 4)
        # a wave waits for the latency of the translation, less the cycles that overlap the instruction's issue
        self.assertEqual(value["account.translation_cycles"] - parts[1], n * 3)

    def test_chains_of_other_waves_hide_it(self):
        alone = self.stats(f"gen:chase,{ONE},accesses=200")["gpu.cycles"]["value"]
        many = self.stats("gen:chase,waves=8,lanes=1,accesses=25")["gpu.cycles"]["value"]
        self.assertLess(many * 6, alone)

    def test_a_specification_and_its_file_give_the_same(self):
        for pattern in ("uniform", "neighbourhood", "phases"):
            spec = f"gen:{pattern},waves=16,group_waves=3,accesses=40,stores=20,kernels=2"
            made = self.stats(spec, whole=True)
            self.run_it("trace", "save", "-o", "saved.wkt", spec)
            read = self.stats("saved.wkt", whole=True)
            self.assertEqual(made["trace"].pop("file"), spec)
            self.assertEqual(read["trace"].pop("file"), "saved.wkt")
            self.assertNotEqual(made["trace"].pop("checksum"), read["trace"].pop("checksum"))
            self.assertEqual(made, read)
            info = [json.loads(self.run_it("trace", "info", "--json", name).stdout) for name in (spec, "saved.wkt")]
            self.assertEqual(info[0]["totals"], info[1]["totals"])

    def test_every_command_that_takes_a_trace_takes_a_specification(self):
        spec = "gen:zipf,waves=4,accesses=20"
        self.assertIn("made on demand", self.run_it("trace", "info", spec).stdout)
        self.assertIn("load", self.run_it("trace", "cat", "--limit", "3", spec).stdout)
        self.assertIn("whole", self.run_it("trace", "check", spec).stdout)
        self.assertIn("speed-up", self.run_it("compare", "-q", spec, "apu-micro18", ":walk_unit.walkers=1").stdout)
        self.run_it("run", "-q", "-o", "both", spec, "gen:chase,waves=4,accesses=20")
        self.assertEqual(len(list((self.dir / "both").glob("*/stats.json"))), 2)

    def test_the_listing_has_every_generator_and_parameter(self):
        text = self.run_it("list", "generators").stdout
        listed = json.loads(self.run_it("list", "generators", "--json").stdout)
        self.assertEqual(list(listed), ["stream", "stride", "uniform", "zipf", "chase", "neighbourhood", "phases"])
        for name, entry in listed.items():
            self.assertIn(name, text)
            defaults = ",".join(f"{key}={p['default']}" for key, p in entry["parameters"].items())
            done = self.run_it("trace", "info", "--json", f"gen:{name},{defaults}")
            plain = self.run_it("trace", "info", "--json", f"gen:{name}")
            self.assertEqual(json.loads(done.stdout)["checksum"], json.loads(plain.stdout)["checksum"])

    def test_what_is_wrong_is_said(self):
        for spec, says in (("gen:strid", "did you mean 'stride'?"),
                           ("gen:", "there is no generator ''"),
                           ("gen:stride,wave=3", "unknown parameter 'wave' (did you mean 'waves'?)"),
                           ("gen:stride,exponent=3", "unknown parameter 'exponent'"),
                           ("gen:stride,waves", "waves"),
                           ("gen:stride,", "gen:stride"),
                           ("gen:stride,waves=0", "waves = 0: is outside the range; valid: 1 ... 1048576"),
                           ("gen:stride,waves=two", "waves = two: is not a whole number"),
                           ("gen:stride,bytes=3", "valid: 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128"),
                           ("gen:chase,by=lanes", "did you mean 'lane'?"),
                           ("gen:neighbourhood,lanes=3", "neighbourhoods: more than lanes")):
            self.assertIn(says, self.run_it("trace", "info", spec, code=1).stderr)
        error = self.run_it("run", "-q", "gen:stream,group_waves=41", code=2).stderr
        self.assertIn("does not fit an empty compute unit", error)
        error = self.run_it("run", "-q", "gen:stream,footprint=1024Gi", code=2).stderr
        self.assertIn("address_space.memory_bytes", error)

    def test_saving(self):
        self.assertIn("-o FILE", self.run_it("trace", "save", "gen:stream", code=1).stderr)
        self.assertIn("cannot create", self.run_it("trace", "save", "-o", "no/x.wkt", "gen:stream", code=4).stderr)
        self.assertIn("has no option", self.run_it("trace", "info", "-o", "x.wkt", "gen:stream", code=1).stderr)
        self.assertIn("cannot open", self.run_it("trace", "save", "-o", "x.wkt", "none.wkt", code=2).stderr)
        self.run_it("trace", "save", "-o", "gen:x", "gen:stream,waves=1")
        self.run_it("trace", "check", "./gen:x")


if __name__ == "__main__":
    unittest.main()
