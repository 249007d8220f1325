#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Machines that are defined by a file with a path only: three levels in groups by number, two victim TLBs, a prefetcher below the L2 TLB,
no L2 TLB, four levels, walks alone. Each runs with all laws, windows, waveforms, files of translations, page changes and faults, and is
compared with a shipped one."""
import json
import os
import pathlib
import unittest

from walkway_run import RunTest, make_trace

HEAD = "[machine]\nextends = apu-micro18\npath = {}\n[gpu]\ncus = 12\n[l2d]\nbytes = 65536\nways = 4\n"
SMALL = "[{}]\nentries = {}\nways = {}\nshared_by = {}  @ assumed\n"
OWN = "hit_cycles = 30\nports = 2\nqueue_entries = 16\n"  # of a level that no shipped machine has
TLB = OWN + "mshrs = 256\nmerges = 1024\n"
GROUPS = "0 1 6 7 | 2 3 8 9 | 4 5 10 11"
MACHINES = {
    "gpu3": HEAD.format("l1_tlb l2_tlb l3_tlb walk_unit") + SMALL.format("l1_tlb", 4, 4, 2) + SMALL.format("l2_tlb", 8, 4, GROUPS)
    + SMALL.format("l3_tlb", 32, 4, "all") + TLB,
    "victims": HEAD.format("l1_tlb victim l2_tlb far_victim walk_unit") + SMALL.format("l1_tlb", 4, 4, 1) + SMALL.format("victim", 8, 8, 4)
    + SMALL.format("l2_tlb", 8, 4, "all") + SMALL.format("far_victim", 16, 4, "all") + OWN + "fills = 8\n",
    "ahead": HEAD.format("l1_tlb l2_tlb prefetch walk_unit") + SMALL.format("l1_tlb", 4, 4, 1) + SMALL.format("l2_tlb", 8, 4, 4)
    + "[prefetch]\nentries = 8\nshared_by = 4\n[walk_unit]\nwalk_path = l2d\nshared_by = 4\n",
    "no_l2": HEAD.format("l1_tlb iommu_tlb walk_unit") + SMALL.format("l1_tlb", 4, 4, 3),
    "four": HEAD.format("a_tlb b_tlb c_tlb d_tlb memory_tlb walk_unit") + "".join(SMALL.format(name + "_tlb", 4 << n, 4, 1 << n) + TLB for n, name in enumerate("abc"))
    + SMALL.format("d_tlb", 64, 4, "all") + TLB + "[memory_tlb]\nentries = 4096\n",
    "walks": HEAD.format("walk_unit") + "[walk_unit]\nshared_by = 6\n",
}


class PathTest(RunTest):
    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")
        for name, text in MACHINES.items():
            (self.dir / (name + ".cfg")).write_text(text)

    def run_on(self, name, *words):
        done = self.run_it("run", "-q", "-p", "./" + name + ".cfg", self.trace, "--json", *words)
        found = json.loads(done.stdout)
        self.assertEqual([law["name"] for law in found["laws"] if not law["holds"]], [], (name, words))
        self.assertEqual(found["end"], "complete")
        return {key: entry.get("value") for key, entry in found["statistics"].items()}

    def test_each_runs_with_all_laws_on_every_rung(self):
        for name in MACHINES:
            for rung in ("off", "unlimited_walkers", "zero_walk", "infinite_tlb", "perfect_l1", "none"):
                with self.subTest(machine=name, rung=rung):
                    self.run_on(name, "--set", "translation.ideal=" + rung)

    def test_each_level_is_asked_and_what_misses_is_looked_up_below(self):
        of = {name: self.run_on(name) for name in MACHINES}
        for name, levels in (("gpu3", ("l1_tlb", "l2_tlb", "l3_tlb")), ("victims", ("l1_tlb", "victim", "l2_tlb", "far_victim")), ("no_l2", ("l1_tlb",)),
                             ("four", ("a_tlb", "b_tlb", "c_tlb", "d_tlb", "memory_tlb"))):
            asked = of[name]["coalescer.translations"]
            for level in levels:
                self.assertEqual(of[name][level + ".lookups"], asked, (name, level))
                asked = of[name][level + ".misses"]
        self.assertGreater(of["victims"]["far_victim.fills_kept"], 0)
        self.assertGreater(of["ahead"]["prefetch.prefetches"], 0)
        self.assertEqual(of["walks"]["walk_unit.walk_requests"], of["walks"]["coalescer.translations"])

    def test_pages_come_and_go(self):
        for name in MACHINES:
            with self.subTest(machine=name):
                stats = self.run_on(name, "--set", "address_space.map=first_touch", "--set", "pager.mean_cycles=200")
                self.assertGreater(stats["pager.faults"], 0)

    def test_windows_waves_and_translations(self):
        for name in MACHINES:
            with self.subTest(machine=name):
                self.run_it("run", "-q", "-p", "./" + name + ".cfg", self.trace, "--warm-up", "500cycles", "--measure", "1000cycles")
                self.run_it("run", "-q", "-p", "./" + name + ".cfg", self.trace, "--vcd", "w.vcd", "--transactions", "t.json")
                json.loads((self.dir / "t.json").read_text())
                (self.dir / "w.vcd").unlink()
                (self.dir / "t.json").unlink()

    def test_beside_a_shipped_one_and_as_a_picture(self):
        said = self.run_it("compare", "-q", self.trace, "apu-micro18", "./gpu3.cfg").stdout
        self.assertIn("gpu3", said)
        dot = self.run_it("list", "links", "--dot", "-p", "./gpu3.cfg").stdout
        self.assertIn("l3_tlb", dot)

    def test_kinds_are_listed_as_paths_may_name_them(self):
        kinds = json.loads(self.run_it("list", "levels", "--json").stdout)
        used = {word for text in MACHINES.values() for word in text.splitlines()[2].removeprefix("path = ").split()}
        for kind in kinds: # its parameters are those of a section with its name
            where = "" if kind == "walk_unit" else " walk_unit"
            keys = {key: (p.get("choices") or [max(p["value"] if isinstance(p["value"], int) else 1, p.get("minimum", 1))])[0]
                    for key, p in kinds[kind]["parameters"].items()}
            text = f"[machine]\nextends = apu-micro18\npath = {kind}{where}\n"
            if kind == "tlb": # the shipped machine has no section with its name
                text += f"[{kind}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items() if key not in ("victims", "fills"))
            (self.dir / "one.cfg").write_text(text)
            of_machine = json.loads(self.run_it("list", "parameters", "-p", "./one.cfg", "--json").stdout)
            of_section = [name.partition(".")[2] for name in of_machine if name.startswith(kind + ".")]
            listed = list(kinds[kind]["parameters"])
            self.assertEqual([key for key in listed if key in of_section], of_section)
            self.assertLessEqual(set(listed) - set(of_section), {"victims", "fills"}) # only levels next to ones that pass or take victims have these
        self.assertEqual([name for name in used if not any(name == kind or name.endswith("_" + kind) for kind in kinds)], [])
        self.assertEqual(kinds["lds_tx"]["needs"][0], "lds.banks")
        self.assertIn("in time only", self.run_it("list", "levels", "prefetch").stdout)
        self.assertIn("associativity", self.run_it("list", "levels", "victim").stdout)
        done = self.run_it("list", "levels", "victm", code=1)
        self.assertIn("no kind of level", done.stderr)
        self.assertIn("victim", done.stderr)

    def test_instances_are_those_of_the_groups(self):
        links = json.loads(self.run_it("list", "links", "--json", "-p", "./gpu3.cfg").stdout)
        ends = {(link["from"], link["to"]) for link in links if link["carries"] == "translation"}
        for pair, group in ((0, 0), (1, 1), (2, 2), (3, 0), (4, 1), (5, 2)):  # compute units 0 1, 2 3, 4 5, 6 7 ...
            port = 0 if pair < 3 else 1
            self.assertIn((f"coalescer_{2 * pair}.xlat", f"l1_tlb_{pair}.up_0"), ends)
            self.assertIn((f"coalescer_{2 * pair + 1}.xlat", f"l1_tlb_{pair}.up_1"), ends)
            self.assertIn((f"l1_tlb_{pair}.down", f"l2_tlb_{group}.up_{port}"), ends)
        self.assertIn(("l3_tlb.down", "walk_unit.up_0"), ends)


EXAMPLES = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "platforms" / "examples"
LEVELS = {"gpu3": ("l1_tlb", "l2_tlb", "l3_tlb"), "two-victims": ("l1_tlb", "victim", "l2_tlb", "prefetch", "far_victim")}
EVENTS = "at cycle 3000 unmap buffer:0 pages 4\nat cycle 4000 remap buffer:0 pages 2\nat cycle 4500 flush all\n"
STUDY = """[study]
text = how large a last TLB
platforms = {0}
[workloads]
t = t.wkt
[axes]
{1}.entries = 64 256
"""


class ExamplesTest(RunTest):
    """Machines of users in platforms/examples/: each is a file of at most 60 lines, and has all features of shipped ones."""

    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")

    def each(self):
        return [(str(EXAMPLES / (name + ".cfg")), levels) for name, levels in LEVELS.items()]

    def stats(self, *words):
        found = json.loads(self.run_it("run", "-q", self.trace, "--json", *words).stdout)
        self.assertEqual([law["name"] for law in found["laws"] if not law["holds"]], [], words)
        self.assertEqual(found["end"], "complete")
        return {key: entry.get("value") for key, entry in found["statistics"].items()}

    def test_they_are_short(self):
        self.assertEqual(sorted(p.stem for p in EXAMPLES.iterdir()), sorted(LEVELS))
        for path, _ in self.each():
            self.assertLessEqual(len(pathlib.Path(path).read_text().splitlines()), 60)

    def test_every_level_has_statistics_energy_and_a_part_of_the_account(self):
        for path, levels in self.each():
            stats = self.stats("-p", path)
            for level in levels:
                self.assertGreater(stats[level + ".lookups"], 0, level)
                if level != "prefetch":  # its buffer is not a counted array
                    self.assertGreater(stats[f"arrays.{level}.entries.energy"], 0, level)
                self.assertGreater(stats[f"account.{level.removesuffix('_tlb')}_lookup"], 0, level)
            text = self.run_it("run", "-q", "--energy", self.trace, "-p", path).stdout
            self.assertIn(levels[-1] + ".entries", text)

    def test_pages_come_go_and_move(self):
        (self.dir / "list.txt").write_text(EVENTS)
        for path, _ in self.each():
            for pages in ("first_touch", "half", "all_paged"):
                stats = self.stats("-p", path, "--set", "address_space.map=" + pages, "--set", "pager.mean_cycles=200", "--events", "list.txt")
                self.assertEqual(stats["os.asked"], stats["os.acknowledged"])
                self.assertGreater(stats["os.asked"], 0)
            stats = self.stats("-p", path, "--set", "address_space.map=first_touch", "--set", "driver.oversubscription=200")
            self.assertGreater(stats["pager.faults"], 0)

    def test_windows_waves_and_translations(self):
        for path, levels in self.each():
            self.run_it("run", "-q", "-p", path, self.trace, "--warm-up", "500cycles", "--measure", "1000cycles")
            self.run_it("run", "-q", "-p", path, self.trace, "--vcd", "w.vcd", "--transactions", "t.json")
            self.assertIn(levels[-1], (self.dir / "w.vcd").read_text())
            self.assertIn(levels[-1], json.dumps(json.loads((self.dir / "t.json").read_text())))
            (self.dir / "w.vcd").unlink()
            (self.dir / "t.json").unlink()

    def test_beside_shipped_ones_and_in_a_sweep(self):
        for path, levels in self.each():
            said = self.run_it("compare", "-q", self.trace, "apu-micro18", "mmu-hpca14", path).stdout
            self.assertIn(pathlib.Path(path).stem, said)
            (self.dir / "study.cfg").write_text(STUDY.format(path, levels[-1]))
            self.run_it("sweep", "-q", "study.cfg", "-o", "r.db")
            said = self.run_it("results", "r.db", "--best", "cycles", "-n", "9", "--csv", "-").stdout
            self.assertEqual(len(said.splitlines()), 3, said)
            (self.dir / "r.db").unlink()


if __name__ == "__main__":
    unittest.main()
