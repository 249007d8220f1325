#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The real program: the shipped machine files are complete, results follow the schema and repeat to the byte."""
import json
import os
import pathlib
import re
import unittest

import jsonschema

from walkway_run import RunTest, make_trace, of_today, run

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
SCHEMA = json.loads((SOURCE / "docs" / "develop" / "stats.schema.json").read_text())
SHIPPED = sorted((SOURCE / "platforms").glob("*.cfg"))

# Chosen after results were known: docs/results/reproduction.md lists them.
CHOSEN = {"cu.issue_cycles", "l1_tlb.mshrs", "l1_tlb.merges", "l2_tlb.mshrs", "l2_tlb.merges", "walk_unit.backlog_entries",
          "walk_unit.read_cycles", "walk_unit.reply_cycles", "dram.channel_xor", "dram.read_entries", "dram.hit_cap",
          "dram.row_policy"}


def keys_of(path):
    """Returns {section.key} of a machine file; None if it extends another."""
    section, keys = "", set()
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif line:
            keys.add(section + "." + line.split("=")[0].strip())
    return None if "machine.extends" in keys else keys


class ShippedTest(RunTest):
    def setUp(self):
        super().setUp()
        self.env.pop("WALKWAY_PLATFORMS", None)
        self.trace = make_trace(self.dir / "t.wkt")

    def run_it(self, *words):
        return super().run_it(*words).stdout

    def test_there_are_platforms(self):
        names = [p.stem for p in SHIPPED]
        self.assertIn("apu-micro18", names)
        for name in names:
            self.assertIn(name, self.run_it("list", "platforms"))

    def test_platform_files_are_complete(self):
        for path in SHIPPED:
            with self.subTest(platform=path.stem):
                written = keys_of(path)
                if written is None:
                    continue
                known = set(json.loads(self.run_it("list", "parameters", "-p", path, "--json")))
                hidden = known - written
                self.assertEqual(hidden, set(), "values that the file leaves to the code")

    def test_what_cfg_prints_is_the_machine_whole(self):
        """Read again it gives the same values and origins; origins from an extended machine name that machine."""
        for path in of_today(SHIPPED, 4):
            with self.subTest(platform=path.stem):
                whole = self.run_it("list", "parameters", "-p", path.stem, "--cfg")
                self.assertNotIn("extends", whole)
                (self.dir / "whole.cfg").write_text(whole)
                self.assertEqual(self.run_it("list", "parameters", "-p", "./whole.cfg", "--cfg"), whole)
                self.assertEqual(self.run_it("list", "parameters", "-p", "./whole.cfg", "--json"),
                                 self.run_it("list", "parameters", "-p", path.stem, "--json"))
        text = self.run_it("list", "parameters", "-p", "uvm-pact20", "l1_tlb.merges", "l2_tlb.store", "--json")
        uvm = {name: (p["origin"], p["source"]) for name, p in json.loads(text).items()}
        self.assertEqual(uvm["l2_tlb.store"], ("PAPER", "a summary of [P20]"))
        self.assertEqual(uvm["l1_tlb.merges"][0], "CHOSEN")
        self.assertTrue(uvm["l1_tlb.merges"][1].startswith("(apu-micro18) "))

    def test_a_file_holds_what_differs_from_the_one_that_it_extends(self):
        whole = [path.stem for path in SHIPPED if "extends = " not in path.read_text()]
        self.assertEqual(whole, ["apu-micro18"])
        lines = {path.stem: len(path.read_text().splitlines()) for path in SHIPPED}
        others = [count for name, count in lines.items() if name not in whole]
        self.assertLessEqual(sum(others), 60 * len(others))
        self.assertLessEqual(lines["uvm-pact20"], 40)
        for path in SHIPPED:
            for line in path.read_text().splitlines():
                if " = " in line and not line.startswith(("#", "path", "extends", "parameters", "text")):
                    self.assertIn("  @ ", line, path.stem)

    def parameters_of(self, name):
        listed = json.loads(self.run_it("list", "parameters", "-p", name, "--json"))
        return {key: p["value"] for key, p in listed.items()}

    def test_who_has_more_mshrs_than_could_be_built_has_a_variant_that_has_not(self):
        """docs/results/bounded-mshrs.md. The L2 data cache has a file of MSHRs per port."""
        most, seen = 256, 0
        for name in (path.stem for path in SHIPPED):
            with self.subTest(platform=name):
                values = self.parameters_of(name)
                over = {key for key in values if key.endswith(".mshrs")
                        and values[key] > most * (values["l2d.ports"] if key == "l2d.mshrs" else 1)}
                if name.endswith("-bounded"):
                    self.assertEqual(over, set())
                elif over:
                    bounded = self.parameters_of(name + "-bounded")
                    changed = {key for key in values if bounded[key] != values[key]}
                    self.assertLessEqual(over, changed)
                    for key in changed:
                        self.assertIn(key.split(".")[1], ("mshrs", "merges", "backlog_entries", "buffer_entries"))
                        self.assertLess(bounded[key], values[key], key)
                    seen += 1
        self.assertGreaterEqual(seen, 10)

    def test_settings_in_files_that_no_test_runs_are_known(self):
        """The demo, benchmarks, scripts, the notebook: otherwise only their users would find that a parameter was renamed."""
        names = [path.stem for path in SHIPPED]
        known = set()
        for name in names:
            known |= set(json.loads(self.run_it("list", "parameters", "-p", name, "--json")))
        sections = {name.split(".")[0] for name in known} | {"iommu"}
        setting = re.compile(r"(?:--set[ =]|[a-z0-9]:|[ \"',]:|,)((?:%s)\.[a-z0-9_]+)=" % "|".join(sorted(sections)))
        files = [SOURCE / "demo"] + [p for folder in ("tb/bench", "scripts", "tool/python", "cosim/examples") for p in (SOURCE / folder).rglob("*") if p.is_file()]
        seen = set()
        for path in files:
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                continue
            for key in setting.findall(text):
                seen.add(key)
                self.assertIn(key, known, path)
        self.assertIn("walk_unit.coalesce", seen)

    def test_each_number_says_where_it_comes_from(self):
        parameters = json.loads(self.run_it("list", "parameters", "-p", "apu-micro18", "--json"))
        for name, p in parameters.items():
            self.assertIn(p["origin"], ("PAPER", "DERIVED", "ASSUMED", "CHOSEN"), name)
            self.assertTrue(p["source"] or p["origin"] == "ASSUMED", name)
            others = "[M21]" in p["source"] or (p["origin"] == "PAPER" and "[P24]" in p["source"])
            self.assertEqual("another machine" in p["source"], others, name)
        self.assertEqual({name for name, p in parameters.items() if p["origin"] == "CHOSEN"}, CHOSEN)
        page = (SOURCE / "docs" / "results" / "reproduction.md").read_text()
        for name in CHOSEN:
            self.assertIn(f"`{name}`", page, "chosen after seeing results, and not said there")

    def test_every_platform_runs_and_follows_the_schema(self):
        for path in of_today(SHIPPED, 4):
            with self.subTest(platform=path.stem):
                self.run_it("run", "-p", path, "-o", path.stem, self.trace)
                stats = json.loads((self.dir / path.stem / "stats.json").read_text())
                jsonschema.validate(stats, SCHEMA)
                self.assertEqual(stats["end"], "complete")
                self.assertTrue(stats["laws"])
                self.assertTrue(all(law["holds"] for law in stats["laws"]))

    def test_the_headline_of_the_apu_is_whole(self):
        self.run_it("run", "-p", "apu-micro18", "-o", "a", self.trace)
        headline = json.loads((self.dir / "a" / "stats.json").read_text())["headline"]
        for name in ("cycles", "translations", "pte_reads", "walks", "walk_latency_mean", "walk_latency_p99",
                     "translation_latency_mean", "l1_tlb_hit_rate", "l2_tlb_hit_rate", "l1d_hit_rate",
                     "l2d_hit_rate", "dram_row_hit_rate"):
            self.assertIn(name, headline)
        self.assertGreater(headline["pte_reads"]["value"], 0)

    def test_a_percentile_that_is_an_edge_of_a_bucket_says_so(self):
        text = self.run_it("run", "-q", "-p", "apu-micro18", "-o", "a", SOURCE / "waveforms" / "atax-512.wkt")
        stats = json.loads((self.dir / "a" / "stats.json").read_text())
        entry, latency = stats["headline"]["walk_latency_p50"], stats["statistics"]["walk_unit.walk_latency"]
        self.assertTrue(entry["at_most"])
        self.assertEqual(entry["value"], latency["p50"])
        self.assertNotIn(entry["value"], [low for low, _ in latency["buckets"]])
        self.assertRegex(text, rf"walk_latency_p50 +<= {entry['value']:,} cycles")
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 40)
        self.assertLessEqual(max(map(len, lines)), 100)

    def test_equal_inputs_give_equal_bytes(self):
        for folder in ("a", "b"):
            self.run_it("run", "-p", "apu-micro18:walk_unit.coalesce=full", "-o", folder, self.trace)
        self.assertEqual((self.dir / "a/stats.json").read_bytes(), (self.dir / "b/stats.json").read_bytes())

    def test_the_account_sums_to_the_whole(self):
        self.run_it("run", "-p", "apu-micro18", "-o", "a", self.trace)
        statistics = json.loads((self.dir / "a" / "stats.json").read_text())["statistics"]
        for prefix, whole in (("account.", "account.translation_cycles"),
                              ("gpu.wave_stall.", "gpu.wave_stall.wave_cycles")):
            parts = [s["value"] for path, s in statistics.items() if path.startswith(prefix) and path != whole]
            self.assertGreater(statistics[whole]["value"], 0)
            self.assertLessEqual(abs(sum(parts) - statistics[whole]["value"]), len(parts), "rounding to cycles")

    def test_a_machine_meets_the_page_accesses_that_trace_info_counts(self):
        """Order and latencies do not change the number of accesses, nor their lanes and pages."""
        trace = SOURCE / "waveforms" / "atax-512.wkt"
        for page in ("4k", "64k", "2m"):
            self.run_it("run", "-p", "apu-micro18", "--set", f"address_space.page={page}", "-o", page, trace)
            statistics = json.loads((self.dir / page / "stats.json").read_text())["statistics"]
            whole = json.loads(self.run_it("trace", "info", "--page", page, "--json", trace))["pages"]["whole"]
            self.assertEqual(statistics["coalescer.instructions"]["value"], whole["instructions"])
            self.assertEqual(statistics["coalescer.lanes"]["value"], sum(k["lanes"] for k in whole["kinds"].values()))
            self.assertEqual(statistics["coalescer.translations"]["value"], whole["page_accesses"])
            pages = statistics["coalescer.pages_per_instruction"]
            self.assertEqual((pages["count"], pages["sum"]), (whole["instructions"], whole["page_accesses"]))

    def refusal(self, *words, code=1):
        return super().run_it(*words, code=code).stderr

    def studies(self):
        """Returns each study with its figures, as the program names them."""
        names = self.refusal("reproduce").split("one study: ")[1].split(", or a folder")[0].split(", ")
        self.assertGreaterEqual(set(names), {"combinations", "micro18", "micro21", "pact20"})
        figures = {name: self.refusal("reproduce", name, "--figures", "none") for name in names}
        all_of_them = [(name, text.split("there are ")[1].strip().split(", ")) for name, text in figures.items()]
        return dict(of_today(all_of_them, 3))

    def test_every_machine_of_a_study_is_one(self):
        """Machines are made before anything is written, so that only the folder is refused here."""
        for name, figures in self.studies().items():
            words = ("reproduce", name, "--figures", ",".join(figures), "-o", self.trace / "no-folder")
            self.assertIn("no-folder", self.refusal(*words, code=4))

    def test_a_study_without_any_run_is_printed_whole(self):
        for name, figures in self.studies().items():
            text = self.run_it("reproduce", name, "--kept", "-o", name, "--figures", ",".join(figures))
            report = json.loads((self.dir / name / "reproduce.json").read_text())
            self.assertEqual([f["id"] for f in report["figures"]], figures)
            self.assertEqual(report["missing"], len(report["runs"]))
            self.assertIn(f"{len(report['runs'])} runs, {len(report['runs'])} WITHOUT RESULT", text)
            values = [v for f in report["figures"] for b in f["bars"] for v in b["values"].values()]
            self.assertEqual(set(values), {None})
            self.assertEqual([c for f in report["figures"] for c in f["claims"] if c["ours"] is not None], [])

    def test_perturbations_are_small_and_all_different(self):
        self.run_it("compare", "--ranges=12", "-o", "c", self.trace, "apu-micro18", ":walk_unit.coalesce=full")
        result = json.loads((self.dir / "c/compare.json").read_text())
        self.assertEqual(result["configurations"][1]["ranges"]["speedup"]["runs"], 13)
        before = json.loads((self.dir / "c/1-apu-micro18/stats.json").read_text())["configuration"]
        seen = set()
        for k in range(1, 13):
            after = json.loads((self.dir / f"c/perturbed-{k}/1-apu-micro18/stats.json").read_text())["configuration"]
            changed = {name: after[name] - before[name] for name in before if after[name] != before[name]}
            self.assertEqual(changed.pop("dispatcher.launch_cycles"), 17 * k)
            self.assertEqual(changed.pop("address_space.data_pa"), 4096 * k)
            self.assertEqual({changed.pop(name) for name in list(changed) if name.endswith(".seed")}, {k})
            self.assertEqual([abs(by) for by in changed.values()], [1], "one latency by one cycle")
            seen.add(tuple(changed.items()))
        self.assertEqual(len(seen), 12)

    def test_machines_with_walk_units_and_larger_pages_are_perturbed_alike(self):
        self.run_it("compare", "--ranges=4", "-o", "c", self.trace, "mmu-hpca14", ":address_space.page=64k", ":address_space.page=2m")
        of = lambda within: json.loads(next((self.dir / "c").glob(within + "/stats.json")).read_text())["configuration"]
        latencies = {1: ("walk_unit.response_cycles", 1), 3: ("l2_tlb.response_cycles", 1), 4: ("walk_unit.reply_cycles", -1)}
        for folder in ("1-*", "3-*"):
            before = of(folder)
            for k, (name, by) in latencies.items():
                after = of(f"perturbed-{k}/{folder}")
                self.assertEqual(after["address_space.data_pa"] - before["address_space.data_pa"], k * (2 << 20))
                if before[name] + by >= 0:
                    self.assertEqual(after[name] - before[name], by, name)

    def test_perturbing_a_study_asks_every_machine_that_its_figures_need(self):
        text = self.run_it("reproduce", "hpca14", "--ranges=1", "--kept", "-o", "r")
        self.assertIn("address_space.data_pa + 2097152", text) # section 6.4 uses pages of 2 MiB
        text = self.run_it("reproduce", "hpca14", "--figures", "8", "--ranges=1", "--kept", "-o", "r")
        self.assertIn("address_space.data_pa + 4096", text)

    def test_every_listed_statistic_is_described(self):
        for path, entry in json.loads(self.run_it("list", "stats", "-p", "apu-micro18", "--json")).items():
            self.assertRegex(path, r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$")
            self.assertTrue(re.search(r"[a-z]", entry["description"]), path)


if __name__ == "__main__":
    unittest.main()
