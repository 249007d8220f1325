# SPDX-License-Identifier: MIT
"""The gain of fragments of AMD's GPUs: 64 KiB and 2 MiB against 4 KiB, kept by all TLBs or by the L1 TLB only, as entries of a page table
block or of a directory. No paper has a number for it. docs/model/amdgpu-tables.md."""
from walkway.study import Figure, over

FRAGMENTS = {"64k-l1": "64 KiB, L1 TLB alone", "64k": "64 KiB, all TLBs", "2m-block": "2 MiB, all TLBs, 512 entries", "2m": "2 MiB, all TLBs, one entry of PDB0"}


def gain(r):
    bars = {machine: r.speedup(name, "4k", machine) for machine, name in FRAGMENTS.items()}
    hit = lambda name: lambda run: run.share(f"{name}_tlb.hits", f"{name}_tlb.lookups")
    return Figure("speed-up of larger fragments over 4 KiB", 3, list(bars.values()),
                  [r.bar(f"L1 TLB hits, {machine}", machine, hit("l1")) for machine in ("4k", *FRAGMENTS)], "why",
                  claims=[("the driver: \"large improvements\" under pressure; 64 KiB, mean", over("no number found", 1.0), bars["64k"].mean())],
                  rows=True)


def reads(r):
    return Figure("walks and their reads, over those of 4 KiB", 3,
                  [r.over(f"walks, {name}", "4k", machine, "walk_unit.walks_started", ratio=False) for machine, name in FRAGMENTS.items()],
                  [r.bar(f"reads of a walk, {machine}", machine, lambda run: run.share("walk_unit.pte_reads", "walk_unit.walks_started"))
                   for machine in ("4k", *FRAGMENTS)], "reads", rows=True)


def same(r):
    """Tables that differ from x86-64's, and from each other, only in bits of their entries: times must be equal to the cycle."""
    pairs = [("radix/4k", "4k"), ("radix/64k", "64k"), ("radix/2m", "2m"), ("64k", "gfx12/64k"), ("2m", "gfx12/2m"), ("2m", "further/2m")]
    bars = [r.over(f"{machine} over {base}", base, machine, "gpu.cycles") for base, machine in pairs]
    return Figure("cycles of tables that differ in the bits of their entries", 6, bars, rows=True)


FIGURES = {"gain": gain, "reads": reads, "same": same}
