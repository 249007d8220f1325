#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The whole program on a machine that answers by formula: commands, messages, exit codes, files."""
import csv
import json
import os
import pathlib
import unittest

import jsonschema

from walkway_run import FAKE_NUMBERS, RunTest, make_trace

SCHEMA = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "stats.schema.json"


class ProgramTest(RunTest):
    def setUp(self):
        super().setUp()
        self.platforms = self.dir / "platforms"
        self.platforms.mkdir()
        self.cfg("fake", "[machine]\npath = fake\ntext = answers by formula\n" + FAKE_NUMBERS)
        self.env.update(WALKWAY_PLATFORMS=str(self.platforms), XDG_CACHE_HOME=str(self.dir / "cache"))
        self.trace = make_trace(self.dir / "t.wkt")

    def cfg(self, name, text):
        path = self.platforms / (name + ".cfg")
        path.write_text(text)
        return path

    def run_it(self, *words, code=0):
        done = super().run_it(*words, code=code)
        if code == 0:
            self.assertEqual(done.stderr, "", "silent when stderr is no terminal")
        else:
            self.assertIn("walkway: ", done.stderr)
        return done

    def refused(self, *words, code=1, says=()):
        text = self.run_it(*words, code=code).stderr
        for part in says:
            self.assertIn(part, text)

    def stats(self, folder):
        return json.loads((self.dir / folder / "stats.json").read_text())

    # -- help and names

    def test_every_command_explains_itself(self):
        for command in ("run", "compare", "advise", "capture", "trace", "list", "reproduce", "workloads", "walk"):
            text = self.run_it(command, "--help").stdout
            for part in ("Usage:", "Options:", "Exit codes:", "Example:", "walkway " + command):
                self.assertIn(part, text)
            self.assertEqual(self.run_it("help", command).stdout, text)

    def test_help_about_help_is_the_overview(self):
        overview = self.run_it("--help").stdout
        for words in (["help", "help"], ["--help", "--help"], ["help", "-h"], ["-h", "help", "run"]):
            self.assertEqual(self.run_it(*words).stdout, overview)

    def test_mistyped_names_get_the_nearest_one(self):
        self.refused("rnu", says=["unknown command 'rnu'", "did you mean 'run'"])
        self.refused("run", "--quite", self.trace, says=["did you mean '--quiet'"])
        self.refused("run", "-p", "fkae", self.trace, says=["did you mean 'fake'"])
        self.refused("run", "-p", "fake:walk_unit.walker=3", self.trace, says=["did you mean 'walk_unit.walkers'"])
        self.refused("run", "-p", "fake", "--set", "walkers=3", self.trace, says=["did you mean 'walk_unit.walkers'"])
        self.refused("run", "-p", "fake", "--set", "walk_unit.coalesce=fully", self.trace,
                     says=["did you mean 'full'", "off | leaf | full"])
        self.refused("list", "platform", says=["did you mean 'platforms'"])
        self.refused("trace", "inof", self.trace, says=["did you mean 'info'"])
        self.refused("reproduce", "micro18", "--scale", "ful", says=["did you mean 'full'"])
        self.refused("reproduce", "micro18", "--programs", "ATX,MVTT", says=["--programs MVTT", "did you mean 'MVT'"])
        self.refused("reproduce", "hpca14", "-p", "fake", says=["hpca14 compares machines of its own"])
        self.refused("reproduce", "micro81", says=["there are", "did you mean 'micro18'"])
        self.refused("reproduce", says=["wants one study", "micro18"])

    def test_version_names_the_release(self):
        self.assertRegex(self.run_it("--version").stdout, r"^walkway \d+\.\d+\.\d+ \(git .+\)\n$")

    # -- configuration

    def test_values_come_from_file_then_set_then_specification(self):
        self.cfg("mine", "# a comment\n[machine]\nextends = fake\n\n[walk_unit]\nwalkers = 16 # sixteen\n")
        self.run_it("run", "-p", "mine", "-o", "a", self.trace)
        self.assertEqual(self.stats("a")["configuration"]["walk_unit.walkers"], 16)
        self.assertEqual(self.stats("a")["platform"], {"name": "mine", "path": "fake"})
        self.run_it("run", "-p", "mine:walk_unit.walkers=32", "-o", "b", self.trace)
        self.assertEqual(self.stats("b")["configuration"]["walk_unit.walkers"], 32)
        self.run_it("run", "-p", "mine:walk_unit.coalesce=full", "--set", "walk_unit.walkers=64", "--seed", "7", "-o", "c", self.trace)
        self.assertEqual(self.stats("c")["configuration"]["walk_unit.walkers"], 64)
        self.assertEqual(self.stats("c")["configuration"]["walk_unit.coalesce"], "full")
        self.assertEqual(self.stats("c")["configuration"]["pages.seed"], 7)

    def test_a_platform_is_found_by_path(self):
        path = self.dir / "elsewhere.cfg"
        path.write_text("[machine]\npath = fake\n[walk_unit]\nwalkers = 4Ki\n")
        self.run_it("run", "-p", str(path) + ":walk_unit.buffer_entries=4096", "-o", "a", self.trace)
        self.assertEqual(self.stats("a")["configuration"]["walk_unit.walkers"], 4096)

    def test_mistakes_in_a_file_are_named_with_file_and_line(self):
        head = "[machine]\npath = fake\n[walk_unit]\n"
        rows = [
            (head + "walker = 3\n", ["bad.cfg:4: ", "unknown parameter 'walk_unit.walker'", "'walk_unit.walkers'"]),
            (head + "walkers = 0\n", ["bad.cfg:4: ", "1 ... 4096"]),
            (head + "walkers = many\n", ["bad.cfg:4: ", "not a whole number", "1 ... 4096"]),
            (head + "walkers = -1\n", ["bad.cfg:4: ", "not a whole number"]),
            (head + "walkers =\n", ["bad.cfg:4: ", "not a whole number"]),
            (head + "walkers = 99999999999999999999\n", ["bad.cfg:4: ", "outside the range"]),
            (head + "walkers = 3\n\nwalkers = 4\n", ["bad.cfg:6: ", "a second time", "line 4"]),
            (head + "walkers 3\n", ["bad.cfg:4: ", "neither [section] nor key = value"]),
            (head + "[fault]\ncrash = maybe\n", ["bad.cfg:5: ", "true | false"]),
            ("[machine]\npath = fake\ncolour = red\n", ["bad.cfg:3: ", "unknown key 'machine.colour'"]),
            ("[machine]\npath = faek\n", ["'faek' is of no kind that there is", "did you mean 'fake'"]),
            ("[machine]\ntext = nothing\n", ["wants 'path = ...' or 'extends = ...'"]),
            ("[machine]\nextends = bad\n", ["goes round in a circle"]),
            ("[machine]\nextends = none\n", ["unknown machine 'none'"]),
            (head + "walkers = 300\n", ["walk_unit.buffer_entries is less than walk_unit.walkers"]),
        ]
        for text, says in rows:
            with self.subTest(text=text):
                self.cfg("bad", text)
                self.refused("run", "-p", "bad", self.trace, says=says)

    def test_the_printed_cfg_is_complete_and_reads_back(self):
        text = self.run_it("list", "parameters", "-p", "fake:walk_unit.walkers=5", "--cfg").stdout
        path = self.dir / "dumped.cfg"
        path.write_text(text)
        again = self.run_it("list", "parameters", "-p", path, "--cfg").stdout
        self.assertIn("walkers = 5  # SET by fake:walk_unit.walkers=5; default 8: PAPER", text)
        self.assertRegex(again, r"\nwalkers = 5  # SET by \S*dumped.cfg:\d+; default 8: ")
        values = [[line.split("  #")[0] for line in printed.splitlines()] for printed in (text, again)]
        self.assertEqual(*values)

    # -- run

    def test_results_follow_the_published_schema(self):
        self.run_it("run", "-p", "fake", "-o", "a", self.trace)
        schema = json.loads(SCHEMA.read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        jsonschema.validate(self.stats("a"), schema)
        broken = self.stats("a")
        del broken["statistics"]["walk_unit.pte_reads"]["unit"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)

    def test_headline_and_statistics_are_the_machine_s(self):
        self.run_it("run", "-p", "fake", "-o", "a", self.trace)
        stats = self.stats("a")
        self.assertEqual(stats["headline"]["cycles"]["value"], stats["statistics"]["gpu.cycles"]["value"])
        self.assertEqual(stats["headline"]["translations"]["value"], 24)
        self.assertEqual(stats["headline"]["walk_latency_mean"]["value"], 601.0)
        self.assertEqual(stats["statistics"]["walk_unit.walk_latency"]["count"], 24)
        self.assertEqual(sum(n for _, n in stats["statistics"]["walk_unit.walk_latency"]["buckets"]), 24)
        self.assertEqual(stats["trace"]["file"], "t.wkt")
        self.assertEqual(stats["trace"]["command"], "made 1 2")
        self.assertFalse(stats["partial"])
        self.assertNotIn("l1_tlb_hit_rate", stats["headline"], "this machine has no L1 TLB")

    def test_equal_inputs_give_equal_bytes(self):
        for folder in ("a", "b"):
            self.run_it("run", "-p", "fake", "-o", folder, self.trace)
        self.assertEqual((self.dir / "a/stats.json").read_bytes(), (self.dir / "b/stats.json").read_bytes())
        self.assertIn("peak_memory_bytes", json.loads((self.dir / "a/host.json").read_text()))

    def test_a_broken_law_is_exit_code_3_with_its_story(self):
        self.refused("run", "-p", "fake:fault.break_law=true", "-o", "a", self.trace, code=3,
                     says=["law broken: walk_unit: started = finished: 24 is not 25", "request 7 is lost"])
        self.assertFalse(self.stats("a")["laws"][0]["holds"])
        jsonschema.validate(self.stats("a"), json.loads(SCHEMA.read_text()))

    def test_a_deadlock_is_exit_code_3_with_what_waits_for_what(self):
        self.refused("run", "-p", "fake:fault.deadlock=on", "-o", "a", self.trace, code=3,
                     says=["walk_unit waits for a walker"])
        self.assertEqual(self.stats("a")["end"], "deadlock")

    def test_what_is_empty_is_refused(self):
        for words, says in ((("run", "-p", "fake", ""), "an argument is empty"),
                            (("run", "-p", "fake", "--", ""), "the program's name behind -- is empty"),
                            (("run", "--csv=", self.trace), "option --csv has an empty value; it wants FILE"),
                            (("compare", "--ranges=", self.trace, "fake", "fake"), "option --ranges has an empty value"),
                            (("trace", "info", "--svg", "", self.trace), "option --svg has an empty value"),
                            (("reproduce", "micro18", "--figures", ""), "option --figures has an empty value")):
            self.refused(*words, says=[says])
        self.refused("--version", "extra", says=["--version stands alone, without extra"])

    def test_bad_input_is_exit_code_2(self):
        self.refused("run", "-p", "fake", "nowhere.wkt", code=2, says=["nowhere.wkt"])
        (self.dir / "no.wkt").write_text("not a trace")
        self.refused("run", "-p", "fake", "no.wkt", code=2, says=["no.wkt"])
        (self.dir / "cut.wkt").write_bytes(self.trace.read_bytes()[:-20])
        self.refused("run", "-p", "fake", "cut.wkt", code=2, says=["cut.wkt"])
        self.refused("run", "-p", "fake:fault.refuse_trace=1", self.trace, code=2, says=["larger than a compute unit"])
        self.refused("run", "-p", "fake", says=["give a trace"])
        self.refused("compare", "-x", "fake", self.trace, self.trace, says=["unknown option -x"])

    def test_output_that_cannot_be_written_is_exit_code_4(self):
        (self.dir / "file").write_text("in the way")
        self.refused("run", "-p", "fake", "-o", "file/x", self.trace, code=4, says=["file/x"])
        (self.dir / "a").mkdir()
        (self.dir / "a/stats.json").mkdir()
        self.refused("run", "-p", "fake", "-o", "a", self.trace, code=4, says=["a/stats.json"])
        self.assertEqual([p.name for p in (self.dir / "a").iterdir()], ["stats.json"], "no temporary file stays")

    def test_standard_output_that_is_full_is_exit_code_4(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            with self.start("list", "parameters", "-p", "fake", stdout=full) as child:
                child.communicate()
        self.assertEqual(child.returncode, 4)

    def test_an_interrupted_run_leaves_a_partial_result(self):
        text = self.interrupted("run", "-p", "fake:fault.slow_ms=60000", "-o", "a", self.trace, begun=1)
        self.assertIn("PARTIAL", text)
        self.assertTrue(self.stats("a")["partial"])
        jsonschema.validate(self.stats("a"), json.loads(SCHEMA.read_text()))

    def test_the_summary_fits_one_screen(self):
        text = self.run_it("run", "-p", "fake", "-o", "a", self.trace).stdout
        lines = text.splitlines()
        self.assertLessEqual(len(lines), 40)
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertIn("1 of 1 laws hold (--laws lists them)\n", text)
        self.assertNotIn("walk_unit: started = finished", text)
        for width in (72, 60):
            self.env["COLUMNS"] = str(width)
            narrow = self.run_it("run", "-p", "fake", self.trace).stdout.splitlines()
            self.assertLessEqual(max(map(len, narrow)), width)
        text = self.run_it("run", "-p", "fake", "--laws", self.trace).stdout
        self.assertIn("1 of 1 laws hold:\n  holds   walk_unit: started = finished  (", text)

    def test_a_broken_law_is_always_shown(self):
        text = self.run_it("run", "-p", "fake:fault.break_law=true", self.trace, code=3).stdout
        self.assertIn("0 of 1 laws hold:\n  BROKEN  walk_unit: started = finished  (24 against 25)\n", text)

    def test_a_percentile_that_is_an_edge_says_so(self):
        """The fake's latencies are all equal, so exact; cli/shipped tests the real machine."""
        text = self.run_it("run", "-p", "fake", "-o", "a", self.trace).stdout
        self.assertNotIn("<=", text)
        self.assertNotIn("at_most", self.stats("a")["headline"]["walk_latency_p99"])

    def test_results_are_written_as_comma_separated_values(self):
        self.run_it("run", "-p", "fake", "-o", "a", "--csv", "r.csv", self.trace)
        row, = csv.DictReader((self.dir / "r.csv").read_text().splitlines())
        headline = self.stats("a")["headline"]
        self.assertEqual(row["run"], "fake")
        self.assertEqual(row["end"], "complete")
        for name, entry in headline.items():
            self.assertEqual(float(row[name]), entry["value"], name)
        self.assertEqual(float(row["cycles_per_translation.buffer_wait"]), 501)
        self.assertEqual((row["laws"], row["laws_that_hold"]), ("1", "1"))
        self.assertNotIn("speedup", row)
        done = self.run_it("compare", "--csv", "-", self.trace, "fake", ":walk_unit.coalesce=full", ":fault.crash=1", code=3)
        rows = list(csv.DictReader(done.stdout.splitlines()))
        self.assertEqual([r["end"] for r in rows], ["complete", "complete", "failed"])
        self.assertAlmostEqual(float(rows[1]["speedup"]), 22024 / 14008)
        self.assertEqual(rows[2]["cycles"], "")
        rows = list(csv.DictReader(self.several("b", 2, "--csv", "-").stdout.splitlines()))
        self.assertEqual([r["run"] for r in rows][:2], ["fake on t.wkt", "fake:walk_unit.walkers=16 on t.wkt"])
        self.assertEqual([r["trace"] for r in rows], ["t.wkt", "t.wkt", "u.wkt", "u.wkt"])
        before = self.trace.read_bytes()
        for command in (["run", "-p", "fake", "--csv", self.trace, self.trace],
                        ["compare", "--csv", self.trace, self.trace, "fake", ":walk_unit.walkers=4"]):
            self.run_it(*command, code=1)
        self.assertEqual(self.trace.read_bytes(), before)

    # -- several runs of one command

    def several(self, folder, jobs, *more, code=0):
        other = self.dir / "u.wkt"
        other.write_bytes(self.trace.read_bytes())
        return self.run_it("run", "-j", jobs, "-o", folder, "-p", "fake", "-p", "fake:walk_unit.walkers=16", *more,
                           self.trace, other, code=code)

    def test_every_trace_runs_on_every_machine(self):
        text = self.several("a", 2, "--set", "walk_unit.coalesce=full").stdout
        self.assertEqual(sorted(p.name for p in (self.dir / "a").iterdir()),
                         ["1-t-fake", "2-t-fake-walk_unit.walkers=16", "3-u-fake", "4-u-fake-walk_unit.walkers=16",
                          "manifest.json"])
        rows = ["[1] fake on t.wkt ", "[2] fake:walk_unit.walkers=16 on t.wkt ", "[3] fake on u.wkt ", "[4] fake:walk_unit.walkers=16 on "]
        places = [text.index(row) for row in rows]
        self.assertEqual(places, sorted(places), "one table, in the order of the runs")
        self.assertIn("statistics: in a, a folder for each row", text)
        self.assertEqual(text.count("1/1"), 4, "the laws of each")
        for folder, walkers in (("1-t-fake", 8), ("4-u-fake-walk_unit.walkers=16", 16)):
            self.assertEqual(self.stats("a/" + folder)["configuration"]["walk_unit.walkers"], walkers)
            self.assertEqual(self.stats("a/" + folder)["configuration"]["walk_unit.coalesce"], "full")
            jsonschema.validate(self.stats("a/" + folder), json.loads(SCHEMA.read_text()))

    def test_results_do_not_depend_on_how_many_run_at_a_time(self):
        self.several("one", 1)
        self.several("four", 4)
        for path in sorted((self.dir / "one").rglob("stats.json")):
            other = self.dir / "four" / path.relative_to(self.dir / "one")
            self.assertEqual(path.read_bytes(), other.read_bytes())
        self.run_it("run", "-p", "fake:walk_unit.walkers=16", "-o", "alone", self.trace)
        self.assertEqual((self.dir / "alone/stats.json").read_bytes(),
                         (self.dir / "four/2-t-fake-walk_unit.walkers=16/stats.json").read_bytes())

    def test_a_run_that_fails_does_not_stop_the_others(self):
        done = self.run_it("run", "-j", 2, "-o", "a", "-p", "fake", "-p", "fake:fault.break_law=true", "-p",
                           "fake:fault.crash=true", "-p", "fake:walk_unit.walkers=4", self.trace, code=3)
        self.assertIn("fake:fault.break_law=true: law broken: walk_unit: started = finished: 24 is not 25", done.stderr)
        self.assertIn("fake:fault.crash=true: ended by signal 6", done.stderr)
        self.assertFalse(self.stats("a/2-fake-fault.break_law=true")["laws"][0]["holds"])
        self.assertFalse((self.dir / "a/3-fake-fault.crash=true/stats.json").exists())
        self.assertTrue(self.stats("a/4-fake-walk_unit.walkers=4"))
        self.assertRegex(done.stdout, r"\[2\] fake:fault.break_law=true .* 0/1\n")
        self.assertIn("BROKEN  walk_unit: started = finished  (24 against 25)", done.stdout)
        self.assertRegex(done.stdout, r"\[3\] fake:fault.crash=true +failed\n")
        done = self.run_it("run", "-p", "fake", "nowhere.wkt", self.trace, code=2)
        self.assertIn("fake on nowhere.wkt: ", done.stderr)
        self.assertIn("fake on t.wkt", done.stdout)
        self.refused("run", "-p", "fake", "-p", "fkae", self.trace, says=["did you mean 'fake'"])
        self.refused("run", "-p", "fake", "--vcd", "x.vcd", self.trace, self.trace, says=["--vcd is for one run"])
        self.refused("run", "-p", "fake", "-p", "fake", says=["give a trace"])
        self.refused("run", "-p", "fake", "-j", "0", self.trace, says=["--jobs 0", "from 1 to 1024"])

    def test_several_interrupted_runs_leave_what_each_would_leave_alone(self):
        self.several("a", 1) # an older result must not pass for a run that was not started
        text = self.interrupted("run", "-j", 2, "-o", "a", "-p", "fake:fault.slow_ms=60000", "-p",
                              "fake:fault.slow_ms=50000", "-p", "fake:fault.slow_ms=40000", self.trace, begun=2)
        self.assertEqual(text.count("PARTIAL"), 2)
        for folder in ("1-fake-fault.slow_ms=60000", "2-fake-fault.slow_ms=50000"):
            self.assertTrue(self.stats("a/" + folder)["partial"])
        self.assertFalse((self.dir / "a/3-fake-fault.slow_ms=40000/stats.json").exists())

    # -- compare

    def test_compare_prints_one_table_and_says_why(self):
        text = self.run_it("compare", self.trace, "fake", ":walk_unit.coalesce=full", "fake:translation.ideal=perfect_l1",
                           "-j", 2, "-o", "cmp").stdout
        for part in ("[1] fake", "[3] fake:translation.ideal=perfect_l1", "1.572", "buffer_wait", "501.00", "167.00",
                     "is 1.57 times as fast as fake", "most of it is buffer_wait 501.0 -> 167.0"):
            self.assertIn(part, text)
        comparison = json.loads((self.dir / "cmp/compare.json").read_text())
        self.assertAlmostEqual(comparison["configurations"][1]["speedup"], 22024 / 14008)
        self.assertAlmostEqual(comparison["configurations"][1]["walk_latency_ratio"], 267 / 601)
        folders = sorted(p.name for p in (self.dir / "cmp").iterdir() if p.is_dir())
        self.assertEqual([f[0] for f in folders], ["1", "2", "3"])
        for folder in folders:
            jsonschema.validate(self.stats("cmp/" + folder), json.loads(SCHEMA.read_text()))

    def test_compare_survives_a_machine_that_dies(self):
        done = self.run_it("compare", self.trace, "fake", ":fault.crash=1", ":walk_unit.walkers=16", code=3)
        self.assertIn("ended by signal 6", done.stderr)
        self.assertRegex(done.stdout, r"\[2\] fake:fault.crash=1 +failed")
        self.assertIn("[3] fake:walk_unit.walkers=16", done.stdout)

    def test_compare_refuses_before_it_runs(self):
        self.refused("compare", self.trace, "fake", ":walk_unit.walkers=0", says=["1 ... 4096"])
        self.refused("compare", self.trace, says=["name the machines"])
        self.refused("compare", self.trace, "fake", says=["fake is alone", "walkway run"])
        self.refused("compare", "fake", self.trace, says=["fake is alone"])
        self.refused("compare", self.trace, "fake", "gen:chase", says=[f"gen:chase is a trace among the machines; there is one trace, and {self.trace} is it"])
        self.refused("compare", "gen:chase", "fake", "fake", self.trace, says=[f"{self.trace} is a trace among the machines"])
        self.refused("compare", "fake", ":walk_unit.walkers=4", code=1, says=["a trace"])
        self.refused("compare", "none.wkt", "fake", ":walk_unit.walkers=4", code=2, says=["none.wkt"])

    def test_compare_is_interrupted_as_a_whole(self):
        self.interrupted("compare", self.trace, "fake:fault.slow_ms=60000", ":walk_unit.walkers=4", "-o", "cmp", begun=1)
        self.assertFalse((self.dir / "cmp/compare.json").exists())

    # -- trace and list

    def test_trace_info_and_check(self):
        info = json.loads(self.run_it("trace", "info", "--json", self.trace).stdout)
        self.assertEqual(info["totals"]["kinds"]["load"], {"records": 24, "lanes": 1536})
        self.assertEqual([l["kernel"] for l in info["launches"]], ["kernel_0", "kernel_1"])
        self.assertIn(info["checksum"], self.run_it("trace", "info", self.trace).stdout)
        self.assertIn("whole", self.run_it("trace", "check", self.trace).stdout)
        damaged = bytearray(self.trace.read_bytes())
        damaged[len(damaged) // 3] ^= 0x40
        (self.dir / "damaged.wkt").write_bytes(damaged)
        self.refused("trace", "check", "damaged.wkt", code=2, says=["damaged.wkt"])

    def test_trace_cat_selects_records(self):
        text = self.run_it("trace", "cat", "--launch", 1, "--group", 2, "--wave", 0, self.trace).stdout
        self.assertEqual(text.count("    pc "), 4)
        self.assertIn("launch 1 (kernel_1) work-group 2", text)
        self.assertIn("0x100000000 step 4096", text)
        self.assertEqual(self.run_it("trace", "cat", "--limit", 7, self.trace).stdout.count("    pc "), 7)
        self.assertEqual(self.run_it("trace", "cat", self.trace).stdout.count("    pc "), 48)
        lanes = self.run_it("trace", "cat", "--lanes", "--limit", 1, self.trace).stdout
        self.assertEqual(lanes.count("0x1"), 64)
        self.refused("trace", "cat", "--launch", 2, self.trace, says=["2 launches"])
        self.refused("trace", "cat", "--group", 3, self.trace, says=["no such work-group"])
        self.refused("trace", "check", "--limit", 3, self.trace, says=["no option --limit"])

    def test_list_shows_everything(self):
        self.assertIn("answers by formula", self.run_it("list", "platforms").stdout)
        parameters = json.loads(self.run_it("list", "parameters", "-p", "fake:walk_unit.walkers=9", "--json").stdout)
        self.assertEqual(parameters["walk_unit.walkers"]["value"], 9)
        self.assertEqual(parameters["walk_unit.walkers"]["default"], 8)
        self.assertEqual(parameters["walk_unit.coalesce"]["choices"], ["off", "leaf", "full"])
        self.assertIn("PAPER [M18] Table I", self.run_it("list", "parameters", "-p", "fake").stdout)
        self.assertIn("walk_unit.walk_latency", self.run_it("list", "stats", "-p", "fake").stdout)

    def test_list_takes_patterns(self):
        def names(*words):
            return list(json.loads(self.run_it("list", *words, "-p", "fake", "--json").stdout))
        self.assertEqual(names("parameters", "walkers"), ["walk_unit.walkers"])
        self.assertEqual(names("parameters", "*.walkers", "buffer_"), ["walk_unit.walkers", "walk_unit.buffer_entries"])
        self.assertEqual(names("stats", "walk_latency"), ["walk_unit.walk_latency"])
        self.refused("list", "parameters", "wlakers", "-p", "fake", says=["no parameter is called 'wlakers' (did you mean 'walkers'?)"])
        self.refused("list", "platforms", "x", says=["takes no pattern"])
        self.refused("list", "parameters", "x", "--cfg", "-p", "fake", says=["--cfg is of the whole machine"])

    def test_list_writes_comma_separated_values(self):
        rows = list(csv.DictReader(self.run_it("list", "parameters", "-p", "fake", "--csv", "-").stdout.splitlines()))
        self.assertEqual(rows[0]["parameter"], "walk_unit.walkers")
        self.assertEqual(rows[0]["source"], "PAPER [M18] Table I")
        self.assertEqual(self.run_it("list", "stats", "-p", "fake", "--csv", "s.csv").stdout, "")
        self.assertTrue((self.dir / "s.csv").read_text().startswith("statistic,unit,kind,what it counts\n"))
        self.refused("list", "stats", "--csv", "-", "--json", says=["one of them"])
        self.refused("list", "stats", "-p", "fake", "--csv", "no/such/s.csv", code=4)

    def test_listings_and_helps_fit_the_line(self):
        listings = [["list", "platforms"], ["list", "levels"], ["list", "levels", "tlb"], ["list", "generators"],
                    *(["list", kind, "-p", "fake"] for kind in ("parameters", "stats", "signals"))]
        helps = [[c, "--help"] for c in ("run", "compare", "advise", "capture", "trace", "list", "reproduce", "workloads", "walk")]
        for width in (100, 72):
            self.env["COLUMNS"] = str(width)
            for words in listings + helps:
                with self.subTest(words=words, width=width):
                    lines = self.run_it(*words).stdout.splitlines()
                    usage = [line for line in lines if line.startswith("  walkway ")]
                    self.assertLessEqual(max(len(line) for line in lines if line not in usage), width)


if __name__ == "__main__":
    unittest.main()
