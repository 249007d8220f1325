#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program states how much host memory a machine needs before it allocates any; the statement is close to the actual use."""
import json
import subprocess
import unittest

from walkway_run import ENOUGH, SANITIZED, RunTest, call, few_resources, make_trace

HUGE = "apu-micro18:gpu.cus=250,l1d.bytes=1073741824"


class MemoryTest(RunTest):
    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")

    @unittest.skipIf(SANITIZED, "memory of the sanitizers")
    def test_the_estimate_is_near_the_peak(self):
        far = "address_space.frames=random"
        rows = (("", self.trace), ("gpu.cus=64", self.trace), ("l1d.bytes=67108864", self.trace),
                ("l2d.bytes=1073741824", self.trace), ("l2_tlb.entries=4194304,l2_tlb.ways=64", self.trace),
                ("l1_tlb.mshrs=524288,l1_tlb.merges=524288", self.trace), ("l2d.mshrs=524288", self.trace),
                ("l1_tlb.link_cycles=10000,l1_tlb.ports=64", self.trace), ("l1d.link_cycles=10000,l1d.ports=64", self.trace),
                ("l2_tlb.link_cycles=100000,l2_tlb.ports=64", self.trace), ("l2d.link_cycles=100000,l2d.ports=64", self.trace),
                ("cu.simds=16,cu.waves_per_simd=64,gpu.cus=64", self.trace), ("coalescer.instructions=1024,gpu.cus=64", self.trace),
                ("iommu_tlb.tlb2_entries=1048576", self.trace), (far, "gen:uniform,waves=1,accesses=4,footprint=4294967296"))
        for changes, trace in rows:
            with self.subTest(changes=changes):
                self.run_it("run", "-q", "-o", "out", "-p", "apu-micro18" + (":" + changes if changes else ""), trace)
                host = json.loads((self.dir / "out/host.json").read_text())
                factor = host["peak_memory_bytes"] / host["expected_memory_bytes"]
                self.assertTrue(0.6 < factor < 1.6, f"{changes}: {host}")

    def test_a_machine_above_the_limit_is_refused_before_it_is_made(self):
        for words in (("run", "-p", HUGE, self.trace), ("compare", self.trace, "apu-micro18", HUGE),
                      ("run", "-p", HUGE, "--", "no-such-program"), ("list", "stats", "-p", HUGE),
                      ("list", "signals", "-p", HUGE), ("reproduce", "micro18", "-o", "r", "-p", HUGE)):
            try:
                done = call(*words, cwd=self.dir, env=self.env, timeout=ENOUGH, preexec_fn=few_resources)
            except subprocess.TimeoutExpired:
                self.fail(f"{words}: was made")
            if words[-2] == "--": # the machine is not made for a program that does not exist either
                self.assertIn(done.returncode, (1, 2))
                continue
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, r"would take some [0-9.]+ GiB of memory here, and 4\.0 GiB are allowed")
            self.assertIn("--memory-limit", done.stderr)

    def test_the_page_table_of_the_trace_counts(self):
        trace = "gen:uniform,waves=1,accesses=4,footprint=8589934592"
        err = self.run_it("run", "--memory-limit", "40Mi", trace, code=1).stderr
        self.assertRegex(err, r"would take some [0-9.]+ MiB of memory here, and 40\.0 MiB are allowed")
        self.run_it("run", "-q", "--memory-limit", "40Mi", self.trace)

    def test_the_limit_is_lifted_and_much_is_said(self):
        machine = "apu-micro18:gpu.cus=6,l1d.bytes=1073741824"
        err = self.run_it("run", "--memory-limit", "1000Mi", "-p", machine, self.trace, code=1).stderr
        self.assertIn("1000.0 MiB are allowed", err)
        err = self.run_it("run", "-q", "--memory-limit", "8Gi", "-p", machine, self.trace).stderr
        self.assertRegex(err, r"takes some 1\.[0-9] GiB of memory\n$")
        for bad in ("0", "-1", "4G", "", "99999999999999999999999"):
            self.assertIn("--memory-limit", self.run_it("run", "--memory-limit", bad, self.trace, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
