#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Dumps of the real program: they parse, they agree with the statistics of the run, the shipped views and filters fit them, and they show a
coalesced walk as the guide describes it."""
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import unittest

from vcd import Dump
from walkway_run import SHORT, run, scratch_folder

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
WAVES = SOURCE / "waveforms"
TRACE = WAVES / "atax-512.wkt"
GPU_PS, DRAM_PS = 500, 1250
BLOCK_CLOCK = {"dram": DRAM_PS}


def results_of(folder):
    """Returns what is simulated, without the simulator's own counts (activations, calls), which may differ if a run is watched."""
    stats = json.loads((folder / "stats.json").read_text())
    stats["statistics"] = {k: v for k, v in stats["statistics"].items() if not k.startswith("model.")}
    return stats


# A stage shows its lookups and evictions only in their own cycle, like a pulse: a dump that opens in the middle of the cycle does not show
# what was before.
OF_A_CYCLE = re.compile(r".*\.(lookup_\d+\.(vpn|result)|victim\.vpn)")


def signal_of(line):
    """Returns the signal of a view's line: "top.a.b[3:0]" or "+{shown as} top.a.b[3:0]"."""
    found = re.fullmatch(r"(?:\+\{[^}]*\} )?(top\..*)", line)
    return found and found.group(1)


class DumpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = scratch_folder(cls.addClassCleanup)
        full = ["run", "-q", "--set", "walk_unit.coalesce=full"]
        run(*full, "-o", cls.dir / "plain", TRACE)
        run(*full, "-o", cls.dir / "whole", "--vcd", cls.dir / "whole.vcd", TRACE)
        # for hits of the IOMMU's own TLBs, which that run does not have
        run(*full, "--set", "l2_tlb.entries=64", "--set", "l2_tlb.ways=16", "--set", "iommu_tlb.tlb1_entries=256",
            "--vcd", cls.dir / "small.vcd", "--vcd-blocks", "walk_unit*,iommu_tlb", TRACE)
        cls.whole = Dump(cls.dir / "whole.vcd")
        cls.small = Dump(cls.dir / "small.vcd")
        # faults, so many at a time that some stay in their walkers
        faults = "address_space.map=first_touch"
        run("run", "-q", "--set", faults, "--set", "walk_unit.fault_entries=16", "--set", "pager.mean_cycles=500",
            "--vcd", cls.dir / "faults.vcd", "--vcd-to", "100000cycles", "--vcd-blocks", "walk_unit,pager,l2_tlb", TRACE)
        cls.faults = Dump(cls.dir / "faults.vcd")
        # a change that is written, one with faults after it, and one of no page
        (cls.dir / "events").write_text("at cycle 4000 remap buffer:0 pages 16\n"
                                        "at cycle 12000 unmap buffer:0+64Ki pages 64\nat cycle 20000 flush all\n")
        run("run", "-q", "--set", "address_space.map=all_paged", "--events", cls.dir / "events", "--vcd",
            cls.dir / "shootdown.vcd", "--vcd-to", "100000cycles", "--vcd-blocks",
            "os,pager,coalescer_0,l1_tlb_0,l2_tlb,walk_unit", TRACE)
        cls.shootdown = Dump(cls.dir / "shootdown.vcd")
        # both structures are small, so that translations are evicted and instructions take lines
        run("run", "-q", "-p", "apu-micro21:cu.lds_bytes=1024,l1_tlb.entries=8,l1_tlb.ways=8,icache.entries=32",
            "--vcd", cls.dir / "reach.vcd", "--vcd-blocks", "l1_tlb_0,lds_tx_0,icache_0,icache_tx_0,l2_tlb", TRACE)
        cls.reach = Dump(cls.dir / "reach.vcd")
        # a prefetcher and a victim TLB between the TLBs
        between = "apu-micro18:victim.entries=16,victim.ways=16,prefetch.entries=8"
        run("run", "-q", "-p", between + ",l1_tlb.entries=8,l1_tlb.ways=8", "--vcd", cls.dir / "victims.vcd",
            "--vcd-blocks", "l1_tlb_0,prefetch_0,victim_0", TRACE)
        cls.victims = Dump(cls.dir / "victims.vcd")
        cls.listed_with_victims = json.loads(run("list", "signals", "-p", between, "--json").stdout)
        cls.listed_with_reach = json.loads(run("list", "signals", "-p", "apu-micro21", "--json").stdout)
        cls.listed_with_faults = json.loads(run("list", "signals", "-p", "apu-micro18:" + faults, "--json").stdout)
        cls.stats = {k: v.get("value", v) for k, v in
                     json.loads((cls.dir / "whole" / "stats.json").read_text())["statistics"].items()}
        cls.listed = json.loads(run("list", "signals", "-p", "apu-micro18", "--json").stdout)

    def total(self, pattern):
        """Returns a pulse's count over the whole run and all instances."""
        found = [name for name in self.whole.names if re.fullmatch(r"top\." + pattern, name)]
        self.assertTrue(found, pattern)
        return sum(self.whole.count(name, BLOCK_CLOCK.get(name.split(".")[1], GPU_PS)) for name in found)

    def test_the_results_are_the_same_with_and_without(self):
        self.assertEqual(results_of(self.dir / "plain"), results_of(self.dir / "whole"))

    def test_equal_runs_give_equal_dumps(self):
        again = self.dir / "again.vcd"
        run("run", "-q", "--set", "walk_unit.coalesce=full", "--vcd", again, TRACE)
        self.assertEqual(again.read_bytes(), (self.dir / "whole.vcd").read_bytes())
        again.unlink()

    def test_every_listed_signal_is_in_the_dump_with_its_width_and_no_other(self):
        self.assertEqual({"top." + name: entry["bits"] for name, entry in self.listed.items()},
                         {name: self.whole.widths[code] for name, code in self.whole.names.items()})
        for name, entry in self.listed.items():
            self.assertRegex(name, r"^[a-z0-9_]+(\.[a-z0-9_]+)+$")
            self.assertRegex(entry["description"], "[a-z]")

    def test_events_add_up_to_the_statistics(self):
        for pattern, names in (
                (r"l1_tlb_\d+\.hit", "l1_tlb.hits"), (r"l1_tlb_\d+\.miss", "l1_tlb.misses"),
                (r"l1_tlb_\d+\.merge", "l1_tlb.merged"), (r"l1_tlb_\d+\.fill", "l1_tlb.fills"),
                (r"l1_tlb_\d+\.evict", "l1_tlb.evictions"), (r"l2_tlb\.hit", "l2_tlb.hits"),
                (r"l2_tlb\.miss", "l2_tlb.misses"), (r"l2_tlb\.merge", "l2_tlb.merged"),
                (r"iommu_tlb\.hit_1", "iommu_tlb.tlb1_hits"), (r"iommu_tlb\.miss", "iommu_tlb.tlb_misses"),
                (r"walk_unit\.walks\.started", "walk_unit.walks_started"),
                (r"walk_unit\.walks\.finished", "walk_unit.walks_finished"),
                (r"walk_unit\.walks\.coalesced", "walk_unit.walks_coalesced"),
                (r"walk_unit\.walks\.advanced", "walk_unit.partial_coalesced"),
                (r"walk_unit\.walks\.answered", "walk_unit.walk_requests"), (r"walk_unit\.walks\.reads", "walk_unit.pte_reads"),
                (r"coalescer_\d+\.page", "coalescer.translations"),
                (r"coalescer_\d+\.translated", "coalescer.answered"), (r"coalescer_\d+\.line", "coalescer.lines"),
                (r"cu_\d+\.instruction", "gpu.instructions"), (r"cu_\d+\.memory", "gpu.memory"),
                (r"cu_\d+\.wave_end", "gpu.waves"), (r"l1d_\d+\.read_hit", "l1d.read_hits"),
                (r"l1d_\d+\.read_miss", "l1d.read_misses"), (r"l2d\.read_hit", "l2d.read_hits"),
                (r"l2d\.read_miss", "l2d.read_misses"), (r"l2d\.write_hit", "l2d.write_hits"),
                (r"l2d\.fill", "l2d.fills"), (r"dram\.channel_\d+\.rd", "dram.column_reads"),
                (r"dram\.channel_\d+\.act", "dram.activates"), (r"dram\.channel_\d+\.row_hit", "dram.row_hits")):
            with self.subTest(signal=pattern):
                self.assertEqual(self.total(pattern), self.stats[names])

    def test_every_lookup_is_shown_with_its_page_and_result(self):
        """Cycle by cycle there are as many pages as lookups, each with the result that the pulses show, at every stage that holds
        translations; nothing is shown in other cycles."""
        for dump, machine, seen_too in ((self.whole, self.listed, {"l1_tlb_0", "l2_tlb", "iommu_tlb"}),
                                        (self.small, self.listed, {"iommu_tlb"}),
                                        (self.reach, self.listed_with_reach, {"l1_tlb_0", "lds_tx_0", "icache_tx_0", "l2_tlb"}),
                                        (self.victims, self.listed_with_victims, {"l1_tlb_0", "prefetch_0", "victim_0"})):
            seen, seen_results = set(), set()
            for stage in {name.split(".")[1] for name in dump.names if name.endswith(".lookup_0.vpn")}:
                if SHORT and re.fullmatch(r".*_[1-9]\d*", stage): # the first of equal blocks is enough
                    continue
                result_names = machine[stage + ".lookup_0.result"]["states"]
                shown = [collections.Counter() for _ in result_names]
                for n in range(sum(name.startswith("top.%s.lookup_" % stage) for name in dump.names) // 2):
                    lookup = "top.%s.lookup_%d." % (stage, n)
                    pages = {t: v is None for t, v in dump.of(lookup + "vpn")}
                    results = {t: v for t, v in dump.of(lookup + "result")}
                    empty = code = None
                    for t in sorted(set(pages) | set(results)):
                        empty, code = pages.get(t, empty), results.get(t, code)
                        self.assertEqual(empty, result_names[code] == "NONE", (lookup, t))
                    for begin, end, code in dump.spans(lookup + "result"):
                        if result_names[code] == "NONE":
                            continue
                        for t in range(begin, end, GPU_PS):
                            shown[code][t] += 1
                for code, result in enumerate(result_names):
                    pulses = [name for name in dump.names if re.fullmatch(
                        r"top\.%s\.%s(_\d)?" % (stage, result.lower()), name)]
                    counted = collections.Counter()
                    for name in pulses:
                        for begin, end, value in dump.spans(name):
                            for t in range(begin, end, GPU_PS):
                                counted[t] += value
                    if result != "NONE":
                        self.assertEqual(+counted, shown[code], (stage, result))
                        seen_results |= {result} if counted.total() else set()
                seen.add(stage)
            self.assertLessEqual(seen_too, seen)
            self.assertLessEqual({"HIT", "MISS"}, seen_results)

    def test_a_page_that_leaves_is_shown_when_one_does(self):
        left = 0
        for dump in (self.whole, self.reach, self.victims):
            for name in dump.names:
                evicts = name.replace("victim.vpn", "evict")
                if not name.endswith(".victim.vpn") or evicts not in dump.names:
                    continue
                cycles = lambda spans: {t for begin, end in spans for t in range(begin, end, GPU_PS)}
                shown = cycles((b, e) for b, e, v in dump.spans(name) if v is not None)
                self.assertEqual(shown, cycles((b, e) for b, e, v in dump.spans(evicts) if v), name)
                left += len(shown)
        self.assertGreater(left, 1000)

    def test_pages_go_from_level_to_level(self):
        """The level below looks up what the L1 TLB misses, in its order; evicted pages had been filled."""
        pages = lambda dump, name: [v for _, v in dump.of(name) if v is not None]
        missed = set(pages(self.reach, "top.l1_tlb_0.lookup_0.vpn")) | set(pages(self.reach, "top.l1_tlb_0.lookup_1.vpn"))
        below = set(pages(self.reach, "top.lds_tx_0.lookup_0.vpn"))
        self.assertGreater(len(below), 100)
        self.assertLessEqual(below, missed)
        self.assertLessEqual(set(pages(self.reach, "top.l1_tlb_0.victim.vpn")), missed)
        self.assertTrue(all(0x100000 <= page < 0x200000 for page in missed), "pages of the program")

    def test_times_add_up_to_the_statistics(self):
        weigh = lambda name: sum((end - begin) * (value or 0) for begin, end, value in self.whole.spans(name))
        self.assertEqual(weigh("top.walk_unit.buffer.occupancy") // GPU_PS,
                         self.stats["walk_unit.buffer_occupancy"]["sum"])
        self.assertEqual(weigh("top.walk_unit.walks.busy"), self.stats["walk_unit.walker_busy_ps"])
        self.assertEqual(max(v for _, v in self.whole.of("top.walk_unit.buffer.occupancy")),
                         self.stats["walk_unit.buffer_occupancy"]["max"])

    def test_walkers_and_buffer_are_what_they_say(self):
        dump = self.whole
        times = sorted({t for name in dump.names if name.startswith("top.walk_unit.") for t, _ in dump.of(name)})
        held_seen = False
        walkers = range(8)
        tracks = {name: dict(dump.of(name)) for name in dump.names if name.startswith("top.walk_unit.")}
        now = {}
        for t in times:
            for name, track in tracks.items():
                if t in track:
                    now[name] = track[t]
            get = lambda name: now["top.walk_unit." + name]
            busy = [w for w in walkers if get("walker_%d.state" % w) != 0]
            self.assertEqual(get("walks.busy"), len(busy))
            self.assertLessEqual(get("buffer.held"), get("buffer.occupancy"))
            self.assertLessEqual(get("buffer.occupancy"), 256)
            held_seen = held_seen or get("buffer.held") > 0
            for w in walkers:
                fields = [get("walker_%d.%s" % (w, f)) for f in ("level", "vpn", "pte_pa")]
                self.assertEqual([f is None for f in fields], [w not in busy] * 3, "X where nothing is")
                self.assertEqual(get("pwst.entry_%d.valid" % w), int(w in busy))
                if w in busy:
                    level, vpn, pte_pa = fields
                    self.assertEqual(get("pwst.entry_%d.level" % w), level)
                    self.assertEqual(get("pwst.entry_%d.nbhd" % w), vpn >> (9 * (level - 1) + 3))
                    self.assertEqual(pte_pa % 4096 // 8, vpn >> 9 * (level - 1) & 511)
            self.assertEqual(get("buffer.oldest.vpn") is None, get("buffer.occupancy") == 0)
            self.assertEqual(get("buffer.youngest.vpn") is None, get("buffer.occupancy") == 0)
        self.assertTrue(held_seen)

    def test_at_the_end_nothing_is_left(self):
        for name in self.whole.names:
            if re.search(r"\.(occupancy|held|busy|mshrs|waiters|translations|reads|waves|queue|backlog|running)$", name):
                self.assertEqual(self.whole.of(name)[-1][1], 0, name)
        self.assertEqual(self.whole.of("top.dispatcher.groups_done")[-1][1], self.stats["gpu.groups"])
        self.assertEqual(self.whole.of("top.dispatcher.launch")[-1][1], 2)
        busy = [t for name in self.whole.names if re.fullmatch(r"top\.cu_\d+\.waves", name) for t, _ in self.whole.of(name)]
        self.assertLessEqual(self.whole.of("top.dispatcher.running")[-1][0], max(busy) + GPU_PS)

    def test_banks_have_a_row_where_they_say_so(self):
        for name in self.whole.names:
            if not name.endswith(".state") or ".bank_" not in name:
                continue
            row = dict(self.whole.of(name[:-5] + "row"))
            state = dict(self.whole.of(name))
            open_row = value = None
            for t in sorted(set(row) | set(state)):
                open_row, value = row.get(t, open_row), state.get(t, value)
                self.assertLess(value, 6)
                if value in (0, 1):
                    self.assertIsNone(open_row, "%s at %d" % (name, t))
                elif value in (2, 3, 4):
                    self.assertIsNotNone(open_row, "%s at %d" % (name, t))

    def test_a_window_shows_what_the_whole_shows_there(self):
        path = self.dir / "window.vcd"
        run("run", "-q", "--set", "walk_unit.coalesce=full", "--vcd", path, "--vcd-from", "1.1us", "--vcd-for",
            "400cycles", "--vcd-blocks", "iommu_tlb,walk_unit,l?_tlb*", TRACE)
        part = Dump(path)
        self.assertEqual((part.first, part.last), (1100000, 1300000))
        self.assertEqual(len({name.split(".")[1] for name in part.names}), 11)
        for name in part.names:
            self.assertEqual(part.of(name)[0][1], self.whole.at(name, part.first), name)
            self.assertEqual(part.of(name)[1:], [c for c in self.whole.of(name) if part.first < c[0] < part.last])

    def test_windows_of_all_blocks_show_what_the_whole_shows_there(self):
        """In windows that open anywhere, also between two edges. A coalescer learns of its lines when their time is known, which may be
        earlier in a run that is not watched: until those lines arrive, a window shows fewer of them in flight. A queue's new entries show
        with the block's next step, and all blocks step when a window opens."""
        path = self.dir / "window.vcd"
        edges = random.Random(11).sample(range(2000, self.whole.last // GPU_PS - 1000), 2 if SHORT else 6)
        for begin in [e * GPU_PS for e in edges] + [edges[0] * GPU_PS + 129, edges[1] * GPU_PS + 377]:
            run("run", "-q", "--set", "walk_unit.coalesce=full", "--vcd", path, "--vcd-from", f"{begin}ps", "--vcd-for",
                "400cycles", TRACE)
            part = Dump(path)
            self.assertEqual(part.first, begin)
            for name in part.names:
                if re.fullmatch(r"top\.(coalescer_\d+\.lines|.*queue)", name):
                    continue
                shown, first = part.of(name), begin
                period = BLOCK_CLOCK.get(name.split(".")[1], GPU_PS)
                if begin % period and (self.listed[name[4:]]["kind"] == "pulse" or OF_A_CYCLE.fullmatch(name)):
                    first += period # the value of a cycle that had already begun
                else:
                    self.assertEqual(shown[0][1], self.whole.at(name, begin), f"{name} at {begin}")
                self.assertEqual([c for c in shown[1:] if first < c[0]],
                                 [c for c in self.whole.of(name) if first < c[0] < part.last], f"{name} from {begin}")

    def test_a_walker_leaves_the_port_in_any_window(self):
        """Reads wait for memory's port, and windows open as one of them is sent."""
        crowded = ["--set", "walk_unit.coalesce=full", "--set", "gpu.cus=3", "--set", "walk_unit.walkers=64", "--set",
                   "dram.queue_entries=1", "--set", "dram.ports=1", "--set", "l2d.hit_cycles=1", "--set", "l2d.ports=1",
                   "--set", "dram.tck_ps=5000", "--vcd", self.dir / "port.vcd", "--vcd-blocks", "walk_unit"]
        run("run", "-q", *crowded, TRACE)
        whole = Dump(self.dir / "port.vcd")
        states = {name: whole.of(name) for name in whole.names if re.fullmatch(r".*\.walker_\d+\.state", name)}
        leaves = sorted({after[0] for changes in states.values() for before, after in zip(changes, changes[1:])
                         if (before[1], after[1]) == (1, 2)})
        self.assertGreater(len(leaves), 10, "reads that waited at the port")
        for begin in random.Random(5).sample(leaves, 4):
            run("run", "-q", *crowded, "--vcd-from", f"{begin}ps", "--vcd-for", "300cycles", TRACE)
            part = Dump(self.dir / "port.vcd")
            for name, changes in states.items():
                self.assertEqual(part.of(name), [(begin, whole.at(name, begin))] +
                                 [c for c in changes if begin < c[0] < part.last], f"{name} from {begin}")

    def test_pulses_of_thousands_of_walkers_are_wide_enough(self):
        wide = ["--set", "translation.ideal=unlimited_walkers", "--set", "walk_unit.coalesce=full", "-o", self.dir / "wide",
                "gen:uniform,waves=64,accesses=8"]
        run("run", "-q", "--vcd", self.dir / "wide.vcd", "--vcd-blocks", "walk_unit", *wide)
        dump = Dump(self.dir / "wide.vcd")
        stats = json.loads((self.dir / "wide" / "stats.json").read_text())["statistics"]
        self.assertGreater(max(v for _, v in dump.of("top.walk_unit.walks.started")), 255)
        for pulse in ("started", "finished", "coalesced"):
            self.assertEqual(dump.count(f"top.walk_unit.walks.{pulse}", GPU_PS), stats[f"walk_unit.walks_{pulse}"]["value"], pulse)

    def test_some_blocks_show_what_they_show_among_all(self):
        """This also holds if the blocks that notify them are not dumped."""
        path = self.dir / "some.vcd"
        for blocks in ("coalescer_*", "l1d_*,l2d", "dram"):
            run("run", "-q", "--set", "walk_unit.coalesce=full", "--vcd", path, "--vcd-blocks", blocks, TRACE)
            part = Dump(path)
            self.assertTrue(part.names)
            for name in part.names:
                self.assertEqual(part.of(name), self.whole.of(name), name)
        run("run", "-q", "--set", "walk_unit.coalesce=full", "--vcd", path, "--vcd-from", "1.1us", "--vcd-blocks",
            "coalescer_*", TRACE)
        part = Dump(path)
        for name in part.names:
            self.assertEqual(part.of(name)[1:], [c for c in self.whole.of(name) if part.first < c[0]], name)

    def test_a_trigger_begins_where_the_value_passes(self):
        path = self.dir / "trigger.vcd"
        run("run", "-q", "--set", "walk_unit.coalesce=full", "--vcd", path, "--vcd-trigger",
            "walk_unit.buffer.occupancy>200", "--vcd-for", "100ns", TRACE)
        part = Dump(path)
        when = next(t for t, v in self.whole.of("top.walk_unit.buffer.occupancy") if v > 200)
        self.assertEqual((part.first, part.last), (when, when + 100000))
        for name in part.names:
            # in that cycle other blocks may still have to step: this affects their pulses and queues
            if self.listed[name[4:]]["kind"] != "pulse" and not name.endswith("queue") and not OF_A_CYCLE.fullmatch(name):
                self.assertEqual(part.of(name), [(when, self.whole.at(name, when))] +
                                 [c for c in self.whole.of(name) if when < c[0] < part.last], name)

    def views(self):
        # the device's view is for SystemC's own dumps: device/trace_device_test
        paths = [p for p in sorted(WAVES.glob("*.gtkw")) if p.stem != "device"]
        self.assertGreaterEqual(len(paths), 3)
        for path in paths:
            yield path, path.read_text().splitlines()

    def dumps(self, path):
        """Returns the dumps of the machine that a view is for."""
        return {"faults": [self.faults], "shootdown": [self.shootdown], "lds-translations": [self.reach],
                "icache-translations": [self.reach]}.get(path.stem, [self.whole, self.small])

    def test_a_shootdown_is_seen_from_its_order_to_its_acknowledgement(self):
        """Its lines are written, then every stage drops the old translations."""
        dump = self.shootdown
        states = self.listed_with_faults["pager.state"]["states"]
        took = [(t, states[v]) for t, v in dump.of("top.pager.state")]
        asked = [t for t, v in dump.of("top.os.asked") if v == 1]
        done = [t for t, v in dump.of("top.os.acknowledged") if v == 1]
        self.assertEqual(asked, [4000 * GPU_PS, 12000 * GPU_PS, 20000 * GPU_PS])
        self.assertEqual(len(done), 3)
        for at, end in zip(asked[:2], done):
            seen = [(t, s) for t, s in took if at <= t <= end]
            self.assertEqual([s for _, s in seen], ["WRITE", "INVALIDATE", "IDLE"])
            self.assertLessEqual(end - seen[-1][0], 2 * GPU_PS) # the script is notified
            self.assertEqual(dump.at("top.os.open", at), 1)
            self.assertEqual(dump.at("top.os.open", end), 0)

    def test_what_an_l1_tlb_misses_is_looked_up_in_local_memory(self):
        lookups = sum(self.reach.count("top.lds_tx_0." + what, GPU_PS) for what in ("hit", "miss", "merge"))
        self.assertEqual(self.reach.count("top.l1_tlb_0.miss", GPU_PS), lookups)
        self.assertGreater(lookups, 1000)

    def test_every_signal_of_the_views_exists_and_changes(self):
        for path, lines in self.views():
            dumps = self.dumps(path)
            shown = [signal_of(line) for line in lines if signal_of(line)]
            self.assertGreater(len(shown), 10)
            for line in shown:
                name = re.sub(r"\[.*", "", line)
                with self.subTest(view=path.name, signal=name):
                    bits = dumps[0].widths[dumps[0].names[name]]
                    self.assertEqual(line, name + ("" if bits == 1 else "[%d:0]" % (bits - 1)))
                    self.assertTrue(any(name in d.names and d.changed(name) for d in dumps))

    def test_the_pane_has_room_for_the_widest_value_at_the_marker(self):
        """GTKWave 3.3 keeps about 220 pixels of it for names, and needs 8 per digit."""
        for path, lines in self.views():
            dump = self.dumps(path)[0]
            digits, flags = 0, 0
            for line in lines:
                if line.startswith("@"):
                    flags = int(line[1:], 16)
                elif signal_of(line) and flags & 2:
                    bits = dump.widths[dump.names[re.sub(r"\[.*", "", signal_of(line))]]
                    digits = max(digits, (bits + 3) // 4)
            width = next(int(line.split()[1]) for line in lines if line.startswith("[signals_width]"))
            self.assertGreaterEqual(width, 220 + 8 * (1 + digits), path.name)

    def test_states_in_the_views_have_their_filters(self):
        for path, lines in self.views():
            known, flags = {}, None
            # GTKWave takes file names relative to this one and replaces it by the view's own folder
            self.assertIn('[savefile] "/walkway/waveforms/%s"' % path.name, lines)
            for before, line in zip([""] + lines, lines):
                if line.startswith("@"):
                    flags = int(line[1:], 16)
                elif line.startswith("^"):
                    number, file = line[1:].split(" ")
                    known.setdefault(number, file)
                    self.assertEqual(known[number], file)
                elif signal_of(line):
                    name = re.sub(r"\[.*", "", signal_of(line)[4:])
                    # only --events adds the script, which has no states
                    entry = {"kind": "value"} if name.startswith("os.") else {**self.listed_with_reach, **self.listed_with_faults}[name]
                    self.assertEqual(bool(flags & 0x2000), entry["kind"] == "state", (path.name, line))
                    if entry["kind"] == "state":
                        self.assertTrue(flags & 2, "filters compare the hexadecimal text")
                        self.assertEqual(before.split(" ")[1], "/walkway/waveforms/filters/%s.txt" % entry["filter"])
            self.assertEqual(len(set(known.values())), len(known))

    def test_filters_are_those_of_the_model(self):
        machine = "apu-micro18:address_space.map=first_touch"  # has every block with states
        run("list", "signals", "-p", machine, "--filters", self.dir / "made")
        listed = json.loads(run("list", "signals", "-p", machine, "--json").stdout)
        kinds = {entry["filter"]: entry["states"] for entry in listed.values() if "filter" in entry}
        for folder in ("filters", "surfer"):
            made = {p.name: p.read_text() for p in (self.dir / "made" / folder).iterdir()}
            shipped = {p.name: p.read_text() for p in (WAVES / folder).iterdir()}
            self.assertEqual(made, shipped)
            self.assertEqual(set(made), {kind + ".txt" for kind in kinds})
        for kind, states in kinds.items():
            lines = [line for line in (WAVES / "filters" / (kind + ".txt")).read_text().splitlines()
                     if not line.startswith("#")]
            self.assertEqual(lines, ["%X %s" % (code, name) for code, name in enumerate(states)])
            mapping = (WAVES / "surfer" / (kind + ".txt")).read_text().splitlines()
            self.assertEqual(mapping[0], "Name = " + kind)
            self.assertEqual(mapping[2:], ["%d %s" % pair for pair in enumerate(states)])

    def test_the_states_are_those_of_the_sources(self):
        """Reads the X-macros as text: the filters' codes are the C enums' values."""
        for file, macro, kind in (("kernels/dram/dram.h", "WW_DRAM_BANK_LIST", "dram_bank_state"),
                                  ("model/common/lookups.hpp", "WALKWAY_LOOKUP_RESULT_LIST", "lookup_result"),
                                  ("model/walk_unit.hpp", "WALKWAY_WALKER_STATE_LIST", "walker_state")):
            text = (SOURCE / file).read_text()
            body = re.search(r"#define %s\(X\)((?:.*\\\n)*.*\n)" % macro, text).group(1)
            names = re.findall(r"X\((\w+),", body)
            shown = next(e["states"] for e in self.listed.values() if e.get("filter") == kind)
            self.assertEqual(names, shown)

    def test_the_guide_reads_the_dump_right(self):
        rows = re.findall(r"^- ([\d,]+): `([a-z0-9_.]+)`; ([^ ;]+)", (WAVES / "README.md").read_text(),
                          re.MULTILINE)
        self.assertGreater(len(rows), 12)
        for time, name, value in rows:
            with self.subTest(time=time, signal=name):
                time = int(time.replace(",", ""))
                now = self.whole.of("top." + name)
                self.assertIn(time, [t for t, _ in now], "changes then")
                states = self.listed[name].get("states", [])
                number = states.index(value) if value in states else int(value, 0)
                self.assertEqual(dict(now)[time], number)

    def test_vcd2fst_takes_the_dump(self):
        tool = shutil.which("vcd2fst")
        self.assertIsNotNone(tool, "of the package gtkwave")
        fst = self.dir / "whole.fst"
        done = subprocess.run([tool, self.dir / "whole.vcd", fst], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(fst.stat().st_size, 10000)
        back = subprocess.run([shutil.which("fst2vcd"), fst], capture_output=True, text=True, check=True).stdout
        self.assertEqual(back.count("$var "), len(self.whole.names))


if __name__ == "__main__":
    unittest.main()
