#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random streams through the IOMMU and through the reference: each request is answered in the same cycle, with the same result
and the same account of its time, and the counters agree.

    reference_test.py [--cases N] [--first SEED] [--keep FOLDER]     WALKWAY_PROGRAM: walk_unit_driver

A case is a function of its seed. One that differs is shrunk to the fewest requests that still differ, and printed."""
import argparse
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import reference

ROOT = 256 << 20
BATCH = 100  # cases per process of the driver


def some_parameters(rng):
    """Small structures and short times, so that all cases of contention occur; sometimes a structure is absent or large."""
    lines = rng.choice([0, 0, 0, 1, 2, 4, 8, 24, 64])
    ways = rng.choice([ways for ways in (0, 1, 2, 4, 8) if not ways or lines % ways == 0 and
                       bin(lines // ways).count("1") == 1] if lines else [0])
    sets, tlb_ways = rng.choice([1, 2, 4]), rng.choice([1, 2, 3, 4])
    first, second = rng.choice([1, 1, 2, 4, 8]), rng.choice([0, 1, 1, 1, 1]) * sets * tlb_ways
    pwc_ways = rng.choice([0, 0, 1, 2])
    clock = rng.choice([500, 500, 333, 714, 1000])
    merge = rng.choice(["false", "true"]) if lines else "false"
    holds = rng.choice(["all", "all", "inner"])
    return {
        "levels": rng.choice([4, 4, 5]), "page_shifts": "12 16 21 30", "clock_ps": clock,
        "memory_ps": rng.choice([0, clock * rng.randrange(1, 100), rng.randrange(1, 60000)]),
        "tlb1_entries": first if not second else rng.choice([0, first, first, first]), "tlb1_cycles": rng.randrange(1, 7),
        "tlb2_entries": second, "tlb2_ways": tlb_ways, "tlb2_cycles": rng.randrange(1, 25),
        "ports": rng.choice([1, 1, 2, 3, 8]), "walk_queue_entries": rng.choice([1, 1, 2, 5, 30, 1000]),
        "backlog_entries": rng.choice([0, 0, 1, 2, 3, 5, 10, 20, 1000]),
        "buffer_entries": rng.choice([1, 2, 2, 3, 4, 6, 8, 16, 32, 64]), "walkers": rng.choice([1, 2, 2, 3, 4, 5, 6, 7, 8]),
        "coalesce": rng.choice(["off", "leaf", "full", "full"]), "schedule": rng.choice(["fcfs", "fcfs", "sjf", "batch", "rr_cu"]),
        "pwc_ways": pwc_ways, "pwc_index": rng.choice(["modulo", "xor"]), "pwc_ideal": rng.choice(["false", "false", "false", "true"]),
        "pwc_merge": rng.choice(["false", "false", "true"]) if merge == "false" else "false",
        "pwc_l5": rng.choice([0, 1, 2, 4]), "pwc_l4": rng.choice([0, 1, 2, 4]), "pwc_l3": rng.choice([0, 1, 2, 4, 8]),
        "pwc_l2": rng.choice([0, 1, 2, 4, 8, 32] if pwc_ways else [0, 1, 2, 3, 4, 8, 32]), "pwc_cycles": rng.choice([0, 0, 0, 1, 2, 5]),
        "pte_cache_bytes": lines * 64, "pte_cache_ways": ways, "pte_cache_cycles": rng.choice([0, 1, 2, 2, 5]),
        "pte_cache_merge": merge,
        "pte_cache_holds": holds, "match_cycles": rng.choice([0, 0, 0, 1, 3, 20, 90]),
        "line_reads": "together" if merge == "true" and holds == "all" else rng.choice(["together", "together", "in_turn"]),
        "read_cycles": rng.choice([0, 1, 2, 5, 10, 30]), "reply_cycles": rng.choice([0, 1, 2, 5, 10]),
        "response_cycles": rng.randrange(1, 4)}


class Table:
    """A page table that grows with its lookups: each entry's kind is drawn once."""

    def __init__(self, rng, levels):
        self.rng, self.levels, self.words = rng, levels, {}
        self.frames = {ROOT >> 12}
        self.node_span = rng.choice([1 << 10, 1 << 16])  # close to each other, or anywhere
        self.absent, self.large, self.marked = (rng.choice([0, .03, .15]) for _ in range(3))
        self.large = self.large * 2
        self.marked = min(1, self.marked * 4)

    def new_node(self):
        while True:
            frame = (ROOT >> 12) + self.rng.randrange(self.node_span)
            if frame not in self.frames:
                self.frames.add(frame)
                return frame << 12

    def junk(self):
        """Returns ignored bits: US, PWT, PCD, A, D, G, software, keys."""
        return self.rng.getrandbits(64) & 0x7ff000000000067c & ~(1 << 11)

    def leaf(self, level):
        rights = self.rng.choice([0, 2]) | self.rng.choice([0, 1 << 63]) | 1
        return self.rng.randrange(1 << 24) << 12 | rights | self.junk() | (1 << 7 if level > 1 else self.rng.choice([0, 1 << 7]))

    def touch(self, va):
        node = ROOT
        for level in range(self.levels, 0, -1):
            address = reference.Iommu.address(None, va, level, node)
            if address not in self.words:
                self.make(address, level)
            word = self.words[address]
            if not word & 1 or level == 1 or word >> 7 & 1:
                return
            node = word & 0x000ffffffffff000

    def make(self, address, level):
        if self.rng.random() < self.absent / (1 if level < 3 else 4):
            self.words[address] = self.rng.choice([0, self.leaf(level) & ~1])
        elif level == 1 and self.rng.random() < self.marked:
            word = self.leaf(1) & ~0xf000              # 16 aligned entries, contiguous frames
            first = address & ~127
            if not any(first + 8 * i in self.words for i in range(16)):
                for i in range(16):
                    self.words[first + 8 * i] = word | i << 12 | 1 << 11
            else:
                self.words[address] = self.leaf(1)
        elif level == 1 or level < 4 and self.rng.random() < self.large or self.rng.random() < self.absent / 20:
            self.words[address] = self.leaf(level)     # above L3: a fault
        else:
            self.words[address] = self.new_node() | 3 | self.junk()


def some_addresses(rng, levels):
    """Addresses that are neighbours at every level: each index is one of a few, most of them in one line."""
    few = {}
    for level in range(1, levels + 1):
        line = 8 * rng.randrange(64)
        few[level] = [line + rng.randrange(8) for _ in range(rng.choice([1, 1, 2, 4, 8]))]
        few[level] += [rng.randrange(512) for _ in range(rng.choice([0, 1, 2]))]
    few[1] += [8 * rng.randrange(64) + rng.randrange(8) for _ in range(rng.choice([0, 4, 16]))]
    pages = rng.choice([4, 10, 30, 100])
    return [sum(rng.choice(few[level]) << reference.shift_of(level) for level in few) + rng.randrange(4096) for _ in range(pages)]


def make_case(seed):
    rng = random.Random(seed)
    p = some_parameters(rng)
    table, addresses = Table(rng, p["levels"]), some_addresses(rng, p["levels"])
    vms = rng.choice([[0], [0], [0, 1], [0, 1, 3, 65535]])
    cus, instructions = rng.choice([1, 3, 8]), rng.choice([1, 4, 16])
    burst, gap = rng.choice([1, 2, 8, 64]), rng.choice([1, 5, 30, 200])
    requests, cycle = [], rng.randrange(3)
    for _ in range(rng.choice([3, 10, 20, 40, 40, 80])):
        if rng.randrange(burst) == 0:
            cycle += rng.randrange(gap) + 1
        va, instruction = rng.choice(addresses), rng.randrange(instructions)
        table.touch(va)
        requests.append("request %d 0x%x %d %d %d" % (cycle, va, rng.choice(vms), rng.randrange(cus), instruction))
    head = ["%s %s" % item for item in p.items()] + ["root %d %d" % (vm, ROOT) for vm in vms]
    return head + ["word 0x%x 0x%x" % item for item in table.words.items()], requests


def play(paths, late):
    """Plays cases in the driver; returns an error message or None."""
    words = [os.environ["WALKWAY_PROGRAM"]] + ["--late"] * late + [str(path) for path in paths]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "%s\n%s: exit code %d" % (done.stderr.strip(), " ".join(words), done.returncode)
    return None


def parts(lines):
    """Returns a result's lines about requests, and its counters by name."""
    totals = dict(line.split()[1:] for line in lines if line.startswith("total "))
    return [line for line in lines if not line.startswith("total ")], totals


def difference(path, seen=None):
    """Returns the first line in which the reference and the model differ, or None. Counters that the reference does not have are not
    compared. `seen` collects the names of values above zero."""
    ours, our_totals = parts(pathlib.Path(str(path) + ".model").read_text(encoding="ascii").splitlines())
    theirs, totals = parts(reference.simulate(path))
    theirs += [f"total {name} {count}" for name, count in totals.items()]
    ours += [f"total {name} {our_totals.get(name)}" for name in totals]
    for wanted, got in itertools.zip_longest(theirs, ours, fillvalue="nothing"):
        if wanted != got:
            return "reference: %s\nmodel:     %s" % (wanted, got)
    if seen is not None:
        seen.update(name for name, count in totals.items() if count != "0")
        seen.update(word.partition("=")[0] for line in theirs for word in line.split() if "=" in word or word == "fault")
    return None


def differs(path, head, requests, late):
    path.write_text("\n".join(head + requests) + "\n", encoding="ascii")
    return play([path], late) or difference(path)


def shrink(path, head, requests, late):
    """Returns the fewest requests, then table words, that still differ: removes halves first, then single ones."""
    for part in (0, 1):
        lists = [head, requests]
        size = len(lists[1 - part])
        while size:
            kept, at = lists[1 - part], 0
            while at < len(kept):
                fewer = kept[:at] + kept[at + size:]
                trial = [head, fewer] if part == 0 else [fewer, requests]
                whole = all(line.startswith("word") for line in kept[at:at + size]) if part else fewer
                if whole and differs(path, *trial, late):
                    kept = fewer
                else:
                    at += size
            lists[1 - part] = kept
            head, requests = lists
            size //= 2
    return differs(path, head, requests, late)


def check(folder, seeds, late, seen):
    cases = {seed: make_case(seed) for seed in seeds}
    paths = {seed: folder / ("case%d" % seed) for seed in seeds}
    for seed, (head, requests) in cases.items():
        paths[seed].write_text("\n".join(head + requests) + "\n", encoding="ascii")
    stopped = play(paths.values(), late)
    for seed in seeds:
        path = paths[seed]
        if stopped:
            if not play([path], late):
                continue
        elif not difference(path, seen):
            path.unlink()
            pathlib.Path(str(path) + ".model").unlink()
            continue
        first = differs(path, *cases[seed], late)
        least = shrink(path, *cases[seed], late)
        print("seed %d%s\n%s\nwith the fewest requests:\n%s\n%s" %
              (seed, ", memory tells late" if late else "", first, path.read_text(encoding="ascii"), least))
        return False
    return not stopped


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--cases", type=int, default=400)
    options.add_argument("--first", type=int, default=1)
    options.add_argument("--keep", type=pathlib.Path, help="folder for the case that differs")
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        last, seen = options.first + options.cases, set()
        for first in range(options.first, last, BATCH):
            if not check(folder, range(first, min(first + BATCH, last)), late=first // BATCH % 2, seen=seen):
                return 1
    never = {*reference.TOTALS, *reference.CAUSES, "fault"} - seen
    if never and options.cases >= BATCH:
        print("never above zero in %d cases: %s" % (options.cases, ", ".join(sorted(never))))
        return 1
    print("%d cases agree" % options.cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
