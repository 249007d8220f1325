#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files of translations of the real program: they follow the format, every picosecond of a translation belongs to one segment, the sums are
the run's account, and each selection agrees with the whole of the same run."""
import collections
import json
import os
import pathlib
import re
import unittest

from trace_events import TraceFile
from walkway_run import make_trace, run, scratch_folder

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
TRACE = SOURCE / "waveforms" / "atax-512.wkt"
CYCLE = 500
FULL = ["--set", "walk_unit.coalesce=full"]

# the place where each cause is spent, as in docs/use/transactions.md
TRACKS = {"l1_queue": "{l1}_{cu}", "l1_lookup": "{l1}_{cu}", "l1_merged": "{l1}_{cu}", "l2_queue": "l2_tlb",
          "l2_lookup": "l2_tlb", "l2_merged": "l2_tlb", "iommu_queue": "iommu_tlb", "iommu_lookup": "iommu_tlb",
          "backlog": "walk_unit.backlog", "buffer": "walk_unit.buffer", "held": "walk_unit.buffer", "walk_cache": "walk_unit.walker_{w}",
          "walk_l5": "walk_unit.walker_{w}", "walk_l4": "walk_unit.walker_{w}", "walk_l3": "walk_unit.walker_{w}",
          "walk_l2": "walk_unit.walker_{w}", "walk_l1": "walk_unit.walker_{w}", "response": "coalescer_{cu}"}
PROCESSES = {"l2_tlb": "l2_tlb", "iommu_tlb": "iommu_tlb", "walk_unit": "walk_unit"}


def account_of(t):
    sums = collections.Counter()
    for s in t.segments:
        sums[s.name] += s.ps
    return dict(sums)


class FileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = scratch_folder(cls.addClassCleanup)
        cls.small = make_trace(cls.dir / "made.wkt")
        cls.whole = cls.follow(cls.small, "--transactions-sample", 1, "-o", cls.dir / "whole")
        cls.stats = cls.numbers(cls.dir / "whole")

    @staticmethod
    def run_it(*words):
        return run("run", "-q", *words).stdout

    @classmethod
    def follow(cls, trace, *options):
        file = cls.dir / "x.json"
        cls.said = cls.run_it(*options, "--transactions", file, trace)
        made = TraceFile(file)
        file.unlink()
        return made

    @staticmethod
    def numbers(folder):
        stats = json.loads((folder / "stats.json").read_text())["statistics"]
        return {k: v["value"] for k, v in stats.items() if "value" in v}

    def check(self, made, first="l1_tlb"):
        """Checks what holds for every file."""
        for number, t in made.translations.items():
            a = t.args
            self.assertEqual(number, a["translation"])
            self.assertEqual(t.whole.ps, a["latency_ps"])
            self.assertEqual(a["latency_ps"] // CYCLE, a["latency_cycles"])
            at = t.whole.begin
            for s in t.segments:  # without a gap or an overlap, from the beginning to the end
                self.assertEqual(s.begin, at)
                self.assertEqual((s.ps, s.ps // CYCLE), (s.args["ps"], s.args["cycles"]))
                self.assertEqual(s.args["va"], a["va"])
                self.assertEqual(int(s.args["vpn"], 16), int(a["va"], 16) >> 12)
                at = s.end
                track = TRACKS[s.name].format(cu=a["cu"], w=a.get("walker"), l1=first)
                self.assertEqual(re.sub(r" #\d+$", "", made.threads[s.tid]), track)
                self.assertEqual(made.processes[s.pid], PROCESSES.get(track.split(".")[0], "cu_%d" % a["cu"]))
                self.assertEqual(s.args.get("level"), int(s.name[6]) if s.name.startswith("walk_l") else None)
            self.assertEqual(at, t.whole.end)
            stages = [TRACKS[s.name].format(cu=a["cu"], w=0, l1=first).split(".")[0] for s in t.segments if s.name != "response"]
            self.assertEqual(a.get("answered_by"), stages[-1] if stages else None)
            self.assertEqual(int(a["vpn"], 16), int(a["va"], 16) >> 12)
            self.assertEqual(account_of(t), a["account_ps"])
            self.assertEqual(sum(a["account_ps"].values()), a["latency_ps"])
            self.assertEqual(made.threads[t.whole.tid].split(" ")[0], "coalescer_%d" % a["cu"])
            if not a.get("fault"):
                va, pa, size = int(a["va"], 16), int(a["result_pa"], 16), a["page_bytes"]
                self.assertEqual(va % size, pa % size)
                self.assertEqual((int(a["page_va"], 16), int(a["page_pa"], 16)), (va - va % size, pa - pa % size))
            walked = any(s.name.startswith("walk_") for s in t.segments)
            buffered = walked or any(s.name in ("buffer", "held") for s in t.segments)
            self.assertEqual("walker" in a and not a["coalesced"], walked)
            self.assertTrue("walker" in a or not buffered, "every stay in the buffer ends by a walker")

    def test_a_whole_run_is_the_runs_account(self):
        self.check(self.whole)
        self.assertFalse(self.whole.about["partial"])
        self.assertEqual(len(self.whole.translations), self.stats["coalescer.translations"])
        self.assertEqual(sorted(self.whole.translations), list(range(1, len(self.whole.translations) + 1)))
        ends = [t.whole.end for _, t in sorted(self.whole.translations.items())]
        self.assertEqual(ends, sorted(ends), "numbered in the order of their answers")
        sums = collections.Counter()
        for t in self.whole.translations.values():
            sums.update(account_of(t))
        for name, value in self.stats.items():
            group, _, cause = name.partition(".")
            if group == "account" and cause != "translation_cycles":
                self.assertEqual(sums.pop(cause, 0) // CYCLE, value, name)
        self.assertFalse(sums, "a cause that the account does not know")
        self.assertEqual(sum(t.whole.ps for t in self.whole.translations.values()) // CYCLE,
                         self.stats["account.translation_cycles"])

    def test_who_answers_adds_up_to_hits(self):
        """Translations that the L2 TLB answers are those that hit there or merge with a miss in flight."""
        by = collections.Counter(t.args["answered_by"] for t in self.whole.translations.values())
        self.assertEqual(by["l2_tlb"], self.stats["l2_tlb.hits"] + self.stats["l2_tlb.merged"])
        self.assertEqual(sum(n for stage, n in by.items() if stage.startswith("l1_tlb_")),
                         self.stats["l1_tlb.hits"] + self.stats["l1_tlb.merged"])
        self.assertEqual(by["iommu_tlb"], self.stats["iommu_tlb.tlb1_hits"] + self.stats["iommu_tlb.tlb2_hits"])
        self.assertGreater(min(by["l2_tlb"], by["walk_unit"]), 10)

    def test_a_segment_of_any_length_is_one(self):
        """With a clock of 10 MHz and one slow walker, some wait several times longer than 32 bits of picoseconds."""
        made = self.follow(TRACE, "--transactions-slowest", 50, "--set", "gpu.clock_ps=100000", "--set", "walk_unit.walkers=1",
                           "--set", "walk_unit.read_cycles=10000")
        for t in made.translations.values():
            self.assertEqual(sum(s.ps for s in t.segments), t.whole.ps)
            names = [s.name for s in t.segments]
            self.assertTrue(all(a != b for a, b in zip(names, names[1:])), names)
        self.assertGreater(max(s.ps for t in made.translations.values() for s in t.segments), 3 << 32)

    def test_walks_are_the_iommus(self):
        made = self.follow(self.small, "--transactions-sample", 1, "-o", self.dir / "full", *FULL)
        self.check(made)
        stats = self.numbers(self.dir / "full")
        walks = collections.Counter(t.args["coalesced"] for t in made.translations.values() if "walker" in t.args)
        self.assertEqual(walks, {False: stats["walk_unit.walks_started"], True: stats["walk_unit.walks_coalesced"]})
        self.assertGreater(walks[True], 100)
        levels = collections.Counter(s.args["level"] for t in made.translations.values() for s in t.segments
                                     if "level" in s.args)
        self.assertEqual(levels, +collections.Counter({n: stats["walk_unit.pte_reads_l%d" % n] for n in range(1, 6)}))

    def test_nothing_changes_when_somebody_looks(self):
        for machine in ([], FULL):
            self.run_it(*machine, "-o", self.dir / "plain", TRACE)
            self.follow(TRACE, *machine, "-o", self.dir / "watched")
            plain, watched = ((self.dir / d / "stats.json").read_bytes() for d in ("plain", "watched"))
            self.assertEqual(plain, watched)

    def test_equal_runs_give_equal_bytes(self):
        options = [*FULL, "--transactions-window", "1us..2us"]
        self.assertEqual(self.follow(TRACE, *options).text, self.follow(TRACE, *options).text)

    def test_selections_of_one_run(self):
        window = ["--transactions-window", "0.6us..6us"]
        every = self.follow(TRACE, *FULL, *window)
        self.check(every)
        self.assertGreater(len(every.translations), 1000)
        self.assertEqual(every.about["in_window"], len(every.translations))
        for t in every.translations.values():
            self.assertTrue(t.whole.begin < 6000000 and t.whole.end > 600000)

        inside = self.follow(TRACE, *FULL, "--transactions-window", "1300cycles..2us")
        self.assertEqual(set(inside.translations), {n for n, t in every.translations.items()
                                                    if t.whole.begin < 2000000 and t.whole.end > 650000})
        sample = self.follow(TRACE, *FULL, *window, "--transactions-sample", 7)
        self.assertEqual(sorted(sample.translations), sorted(every.translations)[6::7])

        slowest = self.follow(TRACE, *FULL, *window, "--transactions-slowest", 50)
        ranked = sorted(every.translations, key=lambda n: (-every.translations[n].whole.ps, n))
        self.assertEqual(set(slowest.translations), set(ranked[:50]))
        self.assertEqual(every.translations[ranked[49]].whole.ps, every.translations[ranked[50]].whole.ps, "a tie")
        self.assertIn("the 50 slowest of ", self.said)
        for made in (inside, sample, slowest):
            self.check(made)
            for n, t in made.translations.items():
                self.assertEqual(t.args, every.translations[n].args)

    def test_open_windows_are_the_run(self):
        early = self.follow(self.small, "--transactions-window", "..3us")
        late = self.follow(self.small, "--transactions-window", "3us..")
        both = set(early.translations) & set(late.translations)
        self.assertEqual(set(early.translations) | set(late.translations), set(self.whole.translations))
        for n, t in self.whole.translations.items():
            self.assertEqual(n in both, t.whole.begin < 3000000 < t.whole.end)

    def test_without_a_selection_the_slowest_hundred(self):
        made = self.follow(self.small)
        ranked = sorted(self.whole.translations, key=lambda n: (-self.whole.translations[n].whole.ps, n))
        self.assertEqual(set(made.translations), set(ranked[:100]))
        self.assertIn("the 100 slowest of 2,304 translations", self.said)

    def test_a_limit_that_bites_is_told(self):
        made = self.follow(self.small, "--transactions-sample", 2, "--transactions-limit", 10)
        self.assertEqual(sorted(made.translations), list(range(2, 21, 2)))
        self.assertEqual((made.about["written"], made.about["left_out"]), (10, 1152 - 10))
        self.assertIn("10, every 2nd of 2,304 translations", self.said)
        self.assertIn("--transactions-limit 10 left out 1,142", self.said)
        first = self.whole.translations[22].whole.end
        self.assertIn("answered from {:,} ps on".format(first), self.said)

    def test_tracks_are_no_more_than_needed_at_once(self):
        """A small run is written in the order of beginnings: a coalescer has as many lanes as translations in flight at once."""
        edges, most, now = [], collections.Counter(), collections.Counter()
        for t in self.whole.translations.values():
            edges += [(t.whole.begin, 1, t.args["cu"]), (t.whole.end, -1, t.args["cu"])]
        for _, step, cu in sorted(edges):
            now[cu] += step
            most[cu] = max(most[cu], now[cu])
        lanes = collections.Counter()
        for name in self.whole.threads.values():
            if name.startswith("coalescer_"):
                lanes[int(re.match(r"coalescer_(\d+)", name).group(1))] += 1
        self.assertEqual(lanes, most)

    def test_machines_with_less_or_more_in_them(self):
        for machine in (["translation.ideal=perfect_l1"], ["translation.ideal=none"], ["translation.ideal=zero_walk"],
                        ["address_space.levels=5"], ["gpu.cus=1", "walk_unit.walkers=100"], ["walk_unit.buffer_entries=8"],
                        ["walk_unit.pte_cache_bytes=4096", "walk_unit.coalesce=leaf"]):
            with self.subTest(machine=machine):
                made = self.follow(self.small, "--transactions-sample", 1, *(w for s in machine for w in ("--set", s)))
                self.assertEqual(len(made.translations), made.about["translations"])
                if machine == ["translation.ideal=zero_walk"]:  # has walkers, but they take no time
                    self.assertFalse(any("walker" in name for name in made.threads.values()))
                else:
                    ideal = machine[0] in ("translation.ideal=perfect_l1", "translation.ideal=none")
                    self.check(made, "perfect_l1" if ideal else "l1_tlb")

    def test_the_page_reads_the_files_right(self):
        text = (SOURCE / "docs" / "use" / "transactions.md").read_text()
        tables = re.findall(r"(?:^\| *[\d,]+ \| `\w.*\n)+", text, re.MULTILINE)
        off = self.follow(TRACE, "--transactions-slowest", 1).translations
        full = self.follow(TRACE, *FULL, "--transactions-slowest", 3)
        for table, number, made in ((tables[0], 304, off), (tables[1], 265, full.translations)):
            rows = re.findall(r"^\| *([\d,]+) \| `([\w.]+)` \| `(\w+)` \| ([\d,]+) \|", table, re.MULTILINE)
            read = [(int(at.replace(",", "")), track, name, int(cycles.replace(",", "")))
                    for at, track, name, cycles in rows]
            t = made[number]
            self.assertEqual(read, [(s.begin, TRACKS[s.name].format(cu=t.args["cu"], w=t.args["walker"], l1="l1_tlb"),
                                     s.name, s.args["cycles"]) for s in t.segments])
            said = "translation %d,\\s+page %s of compute unit %d" % (number, t.args["va"], t.args["cu"])
            self.assertRegex(text, said)
            self.assertIn(str(t.args["latency_cycles"]), text)
        self.assertEqual(set(full.translations), {265, 266, 267})
        for number in (266, 267):
            t = full.translations[number]
            self.assertEqual((t.args["walker"], t.args["coalesced"]), (6, True))
            self.assertEqual(t.whole.end, full.translations[265].whole.end)
        self.assertEqual([s.args["cycles"] for s in full.translations[266].segments if s.name in ("held", "buffer")],
                         [1102, 1310])


if __name__ == "__main__":
    unittest.main()
