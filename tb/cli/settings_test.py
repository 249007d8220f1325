#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Settings of one parameter from several places: the more specific one applies and stderr names the other; two equally specific ones are
refused. No setting is dropped silently."""
import csv
import io
import json
import os
import pathlib
import unittest

import jsonschema
from walkway_run import RunTest, make_trace

SELF = "where the machine sets it itself"
NOTHING = ":translation.ideal=perfect_l1" # no request reaches the L2 TLB, and there are no walks


class SettingsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")

    def configurations(self, *words):
        """Returns each machine's configuration in a comparison, and stderr."""
        said = self.run_it("compare", "-q", "-o", "c", *words).stderr
        folders = sorted(p for p in (self.dir / "c").iterdir() if p.is_dir())
        return [json.loads((p / "stats.json").read_text())["configuration"] for p in folders], said

    def refused(self, *words, says=()):
        err = self.run_it(*words, code=1).stderr
        for part in says:
            self.assertIn(part, err)

    def test_a_machine_s_own_setting_counts_and_set_is_said_not_to(self):
        machines, said = self.configurations("--set", "walk_unit.coalesce=full", self.trace, "apu-micro18", ":walk_unit.coalesce=off")
        self.assertEqual([m["walk_unit.coalesce"] for m in machines], ["full", "off"])
        self.assertEqual(said, f"walkway: walk_unit.coalesce=full (--set) does not count {SELF}: apu-micro18:walk_unit.coalesce=off\n")
        for command in (("run", "-q", "-p", "apu-micro18:walk_unit.walkers=4", "--set", "walk_unit.walkers=16", self.trace),
                        ("list", "parameters", "--json", "-p", "apu-micro18:walk_unit.walkers=4", "--set", "walk_unit.walkers=16")):
            done = self.run_it(*command)
            self.assertIn(f"walk_unit.walkers=16 (--set) does not count {SELF}", done.stderr)
        self.assertEqual(json.loads(done.stdout)["walk_unit.walkers"]["value"], 4)

    def test_equal_settings_are_no_contradiction(self):
        machines, said = self.configurations("--set", "walk_unit.walkers=4", self.trace, "apu-micro18:walk_unit.walkers=4", "apu-micro18")
        self.assertEqual([m["walk_unit.walkers"] for m in machines], [4, 4])
        self.assertEqual(said, "")

    def test_a_seed_of_its_own_counts_more_than_the_seed_of_all(self):
        machines, said = self.configurations("--seed", "7", "--set", "l1_tlb.seed=8", self.trace, "apu-micro18",
                                             ":l2_tlb.seed=9")
        self.assertEqual([[m[s + ".seed"] for s in ("l1_tlb", "l2_tlb", "address_space")] for m in machines],
                         [[8, 7, 7], [8, 9, 7]])
        self.assertIn("l1_tlb.seed=7 (--seed) does not count where --set gives it: apu-micro18; apu-micro18:l2", said)
        self.assertIn(f"l2_tlb.seed=7 (--seed) does not count {SELF}: apu-micro18:l2_tlb.seed=9", said)
        self.refused("run", "--seed", "", self.trace, says=["--seed has an empty value"])

    def test_the_same_key_twice_is_refused(self):
        for words in (("-p", "apu-micro18:walk_unit.walkers=8,walk_unit.walkers=16"), ("-p", "apu-micro18:walk_unit.walkers=8,walk_unit.walkers=8"),
                      ("--set", "walk_unit.walkers=8", "--set", "walk_unit.walkers = 16")):
            self.refused("run", *words, self.trace, says=["'walk_unit.walkers' is there a second time, first as 8"])
        self.refused("compare", self.trace, "apu-micro18", ":walk_unit.walkers=8,walk_unit.walkers=16", says=["a second time"])
        self.refused("run", "gen:uniform,waves=4,waves=8", says=["'waves' is there a second time, first as 4"])
        for empty in ("apu-micro18:", "apu-micro18:walk_unit.walkers=8,", "apu-micro18:,walk_unit.walkers=8"):
            self.refused("run", "-p", empty, self.trace, says=["'': wants section.key=value"])

    def test_an_option_with_one_value_given_twice_is_refused(self):
        self.refused("run", "-o", "a", "--output=b", self.trace, says=["--output is there a second time, first as a"])
        self.refused("compare", "--seed", "1", "--seed", "1", self.trace, "apu-micro18", says=["--seed is there a second time"])
        self.refused("list", "stats", "-p", "apu-micro18", "-p", "apu-micro18", says=["--platform is there a second time"])
        self.run_it("run", "-q", "-q", self.trace) # a switch may be repeated

    def test_what_the_ideal_ladder_overrules_is_refused_beside_it(self):
        for words in (("--set", "walk_unit.walkers=16", "--set", "translation.ideal=unlimited_walkers"),
                      ("-p", "apu-micro18:walk_unit.walkers=16,translation.ideal=unlimited_walkers"),
                      ("-p", "apu-micro18:walk_unit.walkers=16", "--set", "translation.ideal=unlimited_walkers")):
            self.refused("run", *words, self.trace,
                         says=["walk_unit.walkers = 16 has no effect with translation.ideal = unlimited_walkers"])
        (self.dir / "mine.cfg").write_text("[machine]\nextends = apu-micro18\n[translation]\nideal = perfect_l1\n")
        self.refused("run", "--set", "l2_tlb.entries=1024", "-p", "mine.cfg", self.trace, says=["translation.ideal = perfect_l1"])

    def test_what_a_victim_tlb_overrules_is_refused_beside_it(self):
        self.refused("run", "--set", "victim.entries=64", "--set", "l1_tlb.victims=pass", self.trace,
                     says=["l1_tlb.victims = pass has no effect with victim.entries = 64: leave one of them out"])

    def test_what_the_ideal_ladder_of_one_machine_overrules_is_said(self):
        machines, said = self.configurations("--set", "walk_unit.walkers=16", self.trace, "apu-micro18",
                                             ":translation.ideal=unlimited_walkers", ":translation.ideal=zero_walk")
        self.assertEqual([m["walk_unit.walkers"] for m in machines], [16, 16, 16])
        for rung in ("unlimited_walkers", "zero_walk"):
            self.assertIn(f"walk_unit.walkers=16 (--set) does not count where translation.ideal = {rung} overrules it: "
                          f"apu-micro18:translation.ideal={rung}\n", said)

    def test_what_is_listed_without_a_machine_is_what_run_uses(self):
        self.run_it("run", "-q", "-o", "r", self.trace)
        used = json.loads((self.dir / "r" / "stats.json").read_text())
        listed = json.loads(self.run_it("list", "parameters", "--json").stdout)
        self.assertEqual({name: entry["value"] for name, entry in listed.items()}, used["configuration"])
        statistics = json.loads(self.run_it("list", "stats", "--json").stdout)
        self.assertEqual(set(statistics), set(used["statistics"]))
        for kind in ("parameters", "stats", "signals", "links"):
            self.assertEqual(self.run_it("list", kind).stdout.splitlines()[0], "machine: apu-micro18 (the default; -p names another)")
            self.assertEqual(self.run_it("list", kind, "-p", "mmu-hpca14").stdout.splitlines()[0], "machine: mmu-hpca14")

    def test_what_a_machine_has_is_listed_where_its_program_would_fit_and_else_the_reason(self):
        for driver in ("101", "150,address_space.page=2m", "1000,driver.policy=uvm", "10000,driver.policy=uvm"):
            machine = f"apu-micro18:driver.oversubscription={driver},address_space.map=first_touch"
            self.assertIn("driver.frames", self.run_it("list", "stats", "-p", machine, "driver.*").stdout)
        machine = "apu-micro18:address_space.table=hashed,address_space.table_pa=1073741824,address_space.data_pa=1073745920"
        self.assertIn(f"{machine}: the page table needs ", self.run_it("list", "stats", "-p", machine, code=2).stderr)

    def test_a_value_that_is_written_otherwise_gets_what_would_be_right(self):
        for wrong, right in (("1K", "1Ki', which is 1024"), ("1k", "1Ki', which"), ("2KiB", "2Ki', which is 2048"), ("1 M", "1Mi', which"),
                             ("64 entries", "64'"), ("1_024", "1024'")):
            self.refused("run", "-p", f"apu-micro18:l2_tlb.entries={wrong}", self.trace, says=[f"(did you mean '{right}"])
        self.refused("run", "--set", "address_space.page=64KiB", self.trace, says=["(did you mean '64k'?)"])
        self.refused("run", "--set", "walk_unit.coalesce=Full", self.trace, says=["(did you mean 'full'?)"])
        self.refused("run", "-j", "2K", self.trace, says=["did you mean '2Ki'"])
        self.refused("run", "gen:uniform,waves=1K", says=["did you mean '1Ki'"])

    def test_pages_by_buffer_stand_wherever_a_parameter_may(self):
        trace = "gen:uniform,waves=4,accesses=4,footprint=4194304"
        self.run_it("compare", "-q", "-o", "c", trace, "apu-micro18:address_space.buffer_pages=0:2m,walk_unit.walkers=4", ":address_space.page=2m,walk_unit.walkers=4")
        runs = json.loads((self.dir / "c" / "compare.json").read_text())["configurations"]
        self.assertEqual(runs[0]["headline"], runs[1]["headline"])
        listed = self.run_it("list", "parameters", "--json", "-p", "apu-micro18:address_space.buffer_pages=3:64k+1-2:64k").stdout
        self.assertEqual(json.loads(listed)["address_space.buffer_pages"]["value"], "1-3:64k")
        for wrong, why in (("0:3m", "has a part whose size is none"), ("2m", "is neither 'none' nor parts"), ("0:2m+0:4k", "names buffer 0 twice"),
                           ("2-1:4k", "names neither a buffer")):
            self.refused("run", "--set", f"address_space.buffer_pages={wrong}", trace,
                         says=[f"address_space.buffer_pages = {wrong}", why, "valid: none | sizes by buffer such as 0:64k+2-5:2m, of 4k, 64k, 2m, mixed"])
        self.assertIn("the program has one buffer, 0; 'walkway trace info' has them",
                      self.run_it("run", "--set", "address_space.buffer_pages=1:2m", trace, code=2).stderr)

    def test_two_settings_in_one_option_are_told_apart(self):
        self.refused("run", "--set", "l2_tlb.entries=512,l2_tlb.ways=4", self.trace,
                     says=["write each on its own: --set l2_tlb.entries=512 --set l2_tlb.ways=4"])

    def test_a_word_that_belongs_to_another_command_is_found_there(self):
        for word, right in (("info", "trace info"), ("check", "trace check"), ("machines", "list machines"), ("platforms", "list machines"), ("x.wkt", "run x.wkt"),
                            ("x.db", "results x.db"), ("comapre", "compare")):
            self.refused(word, says=[f"(did you mean '{'' if right == 'compare' else 'walkway '}{right}'?)"])
        self.refused("report", "x.db", says=["walkway report x.db -o x.html"])

    def test_the_first_machine_may_be_the_default_s(self):
        machines, _ = self.configurations(self.trace, ":walk_unit.walkers=4")
        self.assertEqual([m["walk_unit.walkers"] for m in machines], [8, 4])
        self.run_it("run", "-q", "-o", "r", self.trace, ":walk_unit.walkers=4")
        self.assertEqual(json.loads((self.dir / "r" / "stats.json").read_text())["configuration"]["walk_unit.walkers"], 4)

    def test_a_rate_of_nothing_is_no_rate(self):
        text = self.run_it("run", "-q", self.trace, ":translation.ideal=perfect_l1").stdout
        self.assertRegex(text, r"walk_latency_p50 +-\n")
        said = self.run_it("compare", "-q", self.trace, "apu-micro18", ":translation.ideal=perfect_l1", env={"COLUMNS": "200"}).stdout
        row = next(line for line in said.splitlines() if line.startswith("[2]")).split()
        self.assertEqual(row[-3], "-", row)

    def test_a_rate_of_nothing_is_null_and_an_empty_cell(self):
        machine = NOTHING
        schema = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "stats.schema.json").read_text())
        run = json.loads(self.run_it("run", "-q", self.trace, machine, "--json").stdout)
        jsonschema.validate(run, schema)
        row, = csv.DictReader(io.StringIO(self.run_it("run", "-q", self.trace, machine, "--csv", "-").stdout))
        compared = json.loads(self.run_it("compare", "-q", self.trace, "apu-micro18", machine, "--json").stdout)
        compared_row = list(csv.DictReader(io.StringIO(self.run_it("compare", "-q", self.trace, "apu-micro18", machine, "--csv", "-").stdout)))[1]
        text = self.run_it("run", "-q", self.trace, machine, env={"COLUMNS": "70"}).stdout
        for name in ("walk_latency_mean", "walk_latency_p50", "walk_latency_p99"):
            for headline in (run["headline"], compared["configurations"][1]["headline"]):
                self.assertIsNone(headline[name]["value"], name)
            for cells in (row, compared_row):
                self.assertEqual(cells[name], "", name)
            self.assertRegex(text, rf"(?m)^  {name} +-$")
        self.assertIsNone(compared["configurations"][1]["walk_latency_ratio"])
        self.assertEqual(compared_row["walk_latency_mean_ratio"], "")
        self.assertNotIn("null", json.dumps(row) + json.dumps(compared_row))
        self.assertEqual(run["headline"]["l1_tlb_hit_rate"]["value"], 1.0)
        self.assertEqual(row["pte_reads"], "0", "a count of nothing is a number")

    def test_a_result_without_a_rate_is_a_row_of_results_without_it(self):
        (self.dir / "s.cfg").write_text(f"[study]\nplatforms = apu-micro18{NOTHING}\n[workloads]\nt = {self.trace}\n")
        self.run_it("sweep", "s.cfg", "-q", "-o", "r.db")
        row, = json.loads(self.run_it("results", "r.db", "--json").stdout)["rows"]
        self.assertEqual((row["status"], row["l1_tlb_hit_rate"], row.get("l2_tlb_hit_rate")), ("done", 1, None))

    def test_every_wrong_key_is_named(self):
        three = {"walk_unit.wlakers": "3", "l2_tlb.entries": "1K", "no.such": "1"}
        (self.dir / "mine.cfg").write_text("[machine]\nextends = apu-micro18\n" +
                                           "".join("[{}]\n{} = {}\n".format(*k.split("."), v) for k, v in three.items()))
        settings = [f"{k}={v}" for k, v in three.items()]
        for words in (("run", *(w for s in settings for w in ("--set", s))), ("run", "-p", "apu-micro18:" + ",".join(settings)),
                      ("compare", "apu-micro18:" + ",".join(settings), "apu-micro18"), ("run", "-p", "mine.cfg")):
            self.refused(*words, self.trace, says=["did you mean 'walk_unit.walkers'", "did you mean '1Ki'", "'no.such'"])
        self.refused("run", "gen:uniform,wavse=1,acceses=2", says=["did you mean 'waves'", "did you mean 'accesses'"])


if __name__ == "__main__":
    unittest.main()
