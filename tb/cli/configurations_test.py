#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/compare_configurations: the list is complete, and every difference between two programs is reported."""
import gzip
import json
import os
import pathlib
import subprocess
import sys
import unittest

from walkway_run import PROGRAM, RunTest, run

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
sys.path.insert(0, str(SOURCE / "scripts"))
from configurations import read_list  # noqa: E402

NO_SMALL_TRACE_SHOWS_IT = {"cu.unknown_use"}  # only large programs and imports have loads whose use is unknown

# Runs the real program, then changes its results: `change` is Python code that sees the words and the result.
DOCTOR = """#!/usr/bin/python3
import json, subprocess, sys
words = [%(words)s for w in sys.argv[1:]]
code = subprocess.run([%(program)r] + words).returncode
if code == 0 and words[0] == "run":
    path = words[words.index("-o") + 1] + "/stats.json"
    result = json.load(open(path))
    s = result["statistics"]
    %(change)s
    json.dump(result, open(path, "w"))
sys.exit(code)
"""
LIST = """
trace a gen:neighbourhood,waves=4,accesses=4
trace b gen:stream,waves=8,accesses=4   # with a comment
off    a
full   a walk_unit.coalesce=full walk_unit.walkers=2 iommu_tlb.ports=1
stream b --groups 0-3
"""


class ListTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.traces, cls.all = read_list(SOURCE / "scripts" / "configurations.txt")
        cls.parameters = json.loads(run("list", "parameters", "--json", "-p", "apu-micro18").stdout)
        cls.given = {}
        for one in cls.all:
            for setting in one.settings:
                key, value = setting.split("=", 1)
                cls.given.setdefault(key, set()).add(value)

    def test_every_parameter_takes_another_value(self):
        for key, entry in self.parameters.items():
            if key in NO_SMALL_TRACE_SHOWS_IT:
                continue
            value = entry["value"]
            shipped = str(value).lower() if isinstance(value, bool) else str(value)
            self.assertTrue(self.given.get(key, set()) - {shipped}, key + " is never changed")

    def test_every_choice_is_there(self):
        for key, entry in self.parameters.items():
            for choice in entry.get("choices", []):
                if choice != str(entry["value"]).lower():
                    self.assertIn(choice, self.given.get(key, set()), key)

    def test_the_machine_takes_each_configuration(self):
        for one in self.all:
            run("list", "parameters", "-p", "apu-micro18", *sum((["--set", s] for s in one.settings), []))

    def test_every_trace_is_used_and_parts_and_windows_too(self):
        self.assertEqual(set(self.traces), {one.trace for one in self.all})
        options = {word for one in self.all for word in one.options}
        self.assertLessEqual({"--groups", "--kernels", "--skip", "--warm-up", "--measure"}, options)


class CompareTest(RunTest):
    def setUp(self):
        super().setUp()
        (self.dir / "list").write_text(LIST)

    def doctored(self, change="pass", words="w", name="doctored"):
        path = self.dir / name
        path.write_text(DOCTOR % {"program": PROGRAM, "change": change, "words": words})
        path.chmod(0o755)
        return path

    def compare(self, *words, code=0, list_="list"):
        done = subprocess.run([SOURCE / "scripts" / "compare_configurations", "--list", self.dir / list_, "-j", "2", *words],
                              capture_output=True, text=True, check=False, cwd=self.dir)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def map(self, *lines):
        (self.dir / "map").write_text("\n".join(lines) + "\n")
        return "--map", self.dir / "map"

    def test_a_program_is_the_same_as_itself(self):
        said = self.compare(PROGRAM, pathlib.Path(PROGRAM).parent)  # a program, or the folder it is in
        self.assertRegex(said, r"\n3 of 3 the same, [1-9][\d,]{2,} values\n$")

    def test_one_read_more_in_one_configuration_is_found_and_named(self):
        other = self.doctored("s['walk_unit.pte_reads']['value'] += 'walk_unit.coalesce=full' in words")
        said = self.compare(PROGRAM, other, code=1)
        self.assertRegex(said, r"full: 1 of \d+ statistics differ  \(a walk_unit.coalesce=full walk_unit.walkers=2 iommu_tlb.ports=1\)\n"
                               r"    walk_unit.pte_reads  [\d,]+ -> [\d,]+\n")
        self.assertIn("\n2 of 3 the same", said)

    def test_what_stands_in_a_bucket_the_headline_a_window_or_a_law_is_found(self):
        for change, name in [
                ("s['walk_unit.walk_latency']['buckets'][0][1] += 1", "walk_unit.walk_latency.buckets"),
                ("s['walk_unit.walk_latency']['p99'] += 1", "walk_unit.walk_latency.p99"),
                ("s['gpu.cycles']['value'] += 0.5", "gpu.cycles"),
                ("s['gpu.cycles']['value'] = True", "gpu.cycles"),
                ("result['headline']['cycles']['value'] += 1", "headline.cycles"),
                ("result['window'] = {'measured': {'cycles': 5}}", "window.measured.cycles"),
                ("result['laws'][0]['holds'] = False", "laws broken"),
                ("del s['energy.cam']", "energy.cam"),
                ("s['energy.new'] = {'value': 0}", "energy.new"),
                ("result['end'] = 'stopped'", "end"),
                ("result['trace']['checksum'] = '0'", "trace")]:
            with self.subTest(change):
                said = self.compare("--only", "off", PROGRAM, self.doctored(change), code=1)
                self.assertIn("off: 1 of ", said)
                self.assertIn("\n    " + name + "  ", said)

    def test_the_simulators_own_counters_and_texts_are_left_out(self):
        other = self.doctored("s['model.activations']['value'] += 1; s['model.activations_cu']['value'] += 1; "
                              "s['model.requests_sent']['value'] += 1; s['gpu.cycles']['description'] = 'x'")
        said = self.compare(PROGRAM, other)
        self.assertIn("not compared: model.activations, model.activations_*, model.requests_sent", said)
        self.compare(PROGRAM, self.doctored("s['model.pages']['value'] += 1"), code=1)

    def test_only_the_first_differences_are_printed(self):
        other = self.doctored("for x in ('cycles', 'groups', 'waves'): s['gpu.' + x]['value'] += 1")
        said = self.compare("--only", "off", "--show", "2", PROGRAM, other, code=1)
        self.assertIn("\n    gpu.cycles  ", said)
        self.assertNotIn("gpu.waves", said)
        self.assertIn("\n    and 1 more\n", said)

    def test_a_map_names_what_was_renamed_came_went_or_may_differ(self):
        other = self.doctored("s['walks.walk_time'] = s.pop('walk_unit.walk_latency'); s['walks.reads'] = s.pop('walk_unit.pte_reads'); "
                              "del s['energy.cam']; s['energy.new'] = {'value': 1}; s['dram.reads']['value'] += 1")
        lines = ["renamed walk_unit.walk_latency walks.walk_time", "renamed walk_unit.pte_reads walks.reads", "removed energy.cam",
                 "added energy.n*", "changed dram.reads"]
        said = self.compare(*self.map(*lines, "changed dram.writes # or not"), PROGRAM, other)
        self.assertIn("map, line 5: changed dram.reads: 3 times\n", said)
        self.assertIn("map, line 6: changed dram.writes: not needed\n", said)
        for line in lines:  # each is needed
            self.compare(*self.map(*(l for l in lines if l != line)), PROGRAM, other, code=1)

    def test_a_renamed_statistic_is_still_compared(self):
        other = self.doctored("s['walks.reads'] = s.pop('walk_unit.pte_reads'); s['walks.reads']['value'] += 1")
        said = self.compare(*self.map("renamed walk_unit.pte_reads walks.reads"), PROGRAM, other, code=1)
        self.assertIn("\n    walks.reads  ", said)

    def test_a_map_names_what_only_the_second_can_run_and_renamed_parameters(self):
        old = self.doctored(words="w.replace('walks.servants', 'walk_unit.walkers') if 'servants' in w else "
                                  "w.replace('walk_unit.walkers', 'walks.no') if 'walkers' in w else w", name="old")
        said = self.compare(old, PROGRAM, code=1)
        self.assertIn("full: cannot be compared\n    before  ended with 1: ", said)
        self.compare(*self.map("parameter walks.servants walk_unit.walkers"), old, PROGRAM)
        self.assertIn("2 of 2 the same", self.compare(*self.map("new full"), old, PROGRAM))

    def test_a_line_of_the_map_holds_on_its_machine_only(self):
        other = self.doctored("s['walks.reads'] = s.pop('walk_unit.pte_reads')")
        self.compare(*self.map("on apu-* renamed walk_unit.pte_reads walks.reads"), PROGRAM, other)
        said = self.compare(*self.map("on mmu-* renamed walk_unit.pte_reads walks.reads"), PROGRAM, other, code=1)
        self.assertIn("map, line 1: on mmu-* renamed walk_unit.pte_reads walks.reads: not needed\n", said)

    def test_a_statistic_that_became_two_is_their_sum(self):
        split = ("h = s['walk_unit.walk_latency']; a = dict(h, count=1, sum=h['sum'] - 7, buckets=[[b, 1] for b, n in h['buckets'][:1]]); "
                 "b = dict(h, count=h['count'] - 1, sum=7, buckets=[[b, n - (i == 0)] for i, (b, n) in enumerate(h['buckets'])]); "
                 "del s['walk_unit.walk_latency']; s['walks.l.walk_latency'] = a; s['walks.m'] = b; "
                 "n = s.pop('walk_unit.pte_reads'); s['walks.l.pte_reads'] = dict(n, value=n['value'] - 2); s['walks.o'] = dict(n, value=%s)")
        lines = ["sum walk_unit.walk_latency walks.l.walk_latency walks.m", "sum walk_unit.pte_reads walks.l.pte_reads walks.o"]
        self.compare(*self.map(*lines), PROGRAM, self.doctored(split % 2))
        said = self.compare(*self.map(*lines), PROGRAM, self.doctored(split % 3), code=1)
        self.assertRegex(said, r"full: 1 of \d+ statistics differ .*\n    walk_unit.pte_reads  ")
        self.compare(*self.map(lines[0]), PROGRAM, self.doctored(split % 2), code=1)
        said = self.compare(*self.map(*lines), PROGRAM, self.doctored(split % 2 + "; s['walks.m']['buckets'][-1][1] += 1"), code=1)
        self.assertRegex(said, r"full: 1 of \d+ statistics differ .*\n    walk_unit.walk_latency.buckets  ")

    def test_what_is_gone_since_it_never_counted_has_to_be_zero(self):
        gone = self.doctored("del s['walk_unit.pte_reads']; del s['walk_unit.walks_restarted']", name="gone")
        self.compare(*self.map("zero walk_unit.*"), "--only", "off", PROGRAM, self.doctored("del s['walk_unit.walks_restarted']"))
        said = self.compare(*self.map("zero walk_unit.*"), "--only", "off", PROGRAM, gone, code=1)
        self.assertIn("off: 1 of ", said)
        self.assertIn("\n    walk_unit.pte_reads  ", said)

    def test_a_parameter_that_became_two_wants_one_value_for_both(self):
        old = self.doctored(words="w.replace('walks.waiters', 'walk_unit.walkers') if 'waiters' in w else w", name="old")
        split = self.map("parameter walks.waiters walk_unit.walkers walk_unit.buffer_entries")
        (self.dir / "two").write_text("trace a gen:neighbourhood,waves=4,accesses=4\nfull a walk_unit.walkers=16 walk_unit.buffer_entries=16\n")
        said = self.compare(*split, old, PROGRAM, list_="two", code=1)  # our program has both parameters, so in `old` the buffer keeps its default
        self.assertRegex(said, r"full: \d\d of ")
        self.assertIn("\n    walk_unit.backlog_peak  0 -> ", said)
        for values, says in [("walk_unit.walkers=16 walk_unit.buffer_entries=32", "walks.waiters was one parameter with one value"),
                             ("walk_unit.walkers=16", "walks.waiters was one parameter: walk_unit.buffer_entries has to be set, too")]:
            (self.dir / "two").write_text("trace a gen:neighbourhood,waves=4,accesses=4\nfull a %s\n" % values)
            self.assertIn(says, self.compare(*split, old, PROGRAM, list_="two", code=1))

    def test_a_new_parameter_with_the_value_of_before_is_left_out_there(self):
        old = self.doctored(words="w if 'backlog_entries' not in w else sys.exit(1)", name="old")
        (self.dir / "two").write_text("trace a gen:neighbourhood,waves=4,accesses=4\nfull a walk_unit.backlog_entries=20480\n")
        self.compare(old, PROGRAM, list_="two", code=1)
        self.compare(*self.map("default walk_unit.backlog_entries"), old, PROGRAM, list_="two")

    def test_a_ratio_of_nothing_was_nought_and_is_null(self):
        old = self.doctored("result['headline']['l2_tlb_hit_rate']['value'] = 0")
        none = self.doctored("result['headline']['l2_tlb_hit_rate']['value'] = None", name="none")
        self.compare(old, none, code=1)
        self.compare(*self.map("null headline.*"), old, none)
        lost = self.doctored("result['headline']['cycles']['value'] = None", name="lost")
        self.compare(*self.map("null headline.*"), PROGRAM, lost, code=1)

    def test_names_of_an_older_program_need_no_map(self):
        old = self.doctored("s['iommu.pte_reads'] = s.pop('walk_unit.pte_reads'); s['iommu.tlb_misses'] = s.pop('iommu_tlb.tlb_misses'); "
                            "s['arrays.iommu.tlb2.reads'] = s.pop('arrays.iommu_tlb.tlb2.reads')", name="old")
        self.compare(old, PROGRAM)
        self.assertIn("walk_unit.pte_reads", self.compare(old, self.doctored("s['walk_unit.pte_reads']['value'] += 1"), code=1))

    def test_further_machines_run_what_they_have_parameters_for(self):
        fails = self.doctored("sys.exit(1)", name="fails")
        said = self.compare("--platform", "apu-micro18", "--platform", "mmu-hpca14", PROGRAM, PROGRAM)
        self.assertIn("5 of 5 the same", said)
        (self.dir / "more").write_text(LIST + "no.such a none.such=1\n")
        said = self.compare("--platform", "apu-micro18", "--platform", "mmu-hpca14", PROGRAM, PROGRAM, list_="more", code=1)
        self.assertIn("no.such: cannot be compared", said)
        self.assertIn("5 of 6 the same", said)
        said = self.compare("--platform", "apu-micro18", "--platform", "mmu-hpca14", fails, fails, code=1)
        self.assertIn("0 of 3 the same, 0 values; 2 that both refuse", said)
        other = self.doctored("s['gpu.cycles']['value'] += 'mmu-hpca14' in words")
        said = self.compare("--platform", "apu-micro18", "--platform", "mmu-hpca14", PROGRAM, other, code=1)
        self.assertIn("off on mmu-hpca14: 1 of ", said)
        self.assertIn("3 of 5 the same", said)
        self.compare("--platform", "apu-micro18", "--platform", "mmu-hpca14", "--save", "kept", PROGRAM)
        said = self.compare("--platform", "apu-micro18", "--platform", "mmu-hpca14", "kept", other, code=1)
        self.assertIn("3 of 5 the same", said)

    def changed(self, key, name):
        """Writes a copy of `kept` with one number one higher; returns its name."""
        content = json.loads(gzip.decompress((self.dir / "kept").read_bytes()))
        content["runs"][key]["values"][name] += 1
        (self.dir / "other").write_bytes(gzip.compress(json.dumps(content).encode()))
        return "other"

    def check_chain(self, through, name, says):
        (self.dir / "more").write_text(LIST + "small a l1_tlb.entries=8 l1_tlb.ways=8 walk_unit.walkers=2\nno a l2_tlb.store=compressed\n")
        words = ["--through", through]
        self.compare(*words, "--save", "kept", PROGRAM, list_="more")
        said = self.compare(*words, "kept", PROGRAM, list_="more")
        self.assertIn("\n3 of 3 the same, ", said)  # `stream` is left out: it has an option, and accesses are not those of its trace
        self.assertIn("; 1 that both refuse\n", said)
        self.assertIn("refused by both, 1 times: ended with 1: " + says, said)
        said = self.compare(*words, self.changed("small", name), PROGRAM, code=1, list_="more")
        self.assertRegex(said, r"\nsmall: [12] of \d+ statistics differ ")
        self.assertIn("\n    " + name + "  ", said)
        self.assertIn("nothing could be compared", self.compare(*words, "--only", "no", "kept", PROGRAM, code=2, list_="more"))

    @unittest.skipUnless((pathlib.Path(PROGRAM).parent / "capi" / "libwalkway.so").exists(), "no C library in this build")
    def test_the_c_library_by_its_statistics_answers_and_state(self):
        self.check_chain("library", "l1_tlb.hits", "settings: l2_tlb: ")
        content = json.loads(gzip.decompress((self.dir / "kept").read_bytes()))["runs"]
        self.assertEqual(content["off"]["values"]["settings without effect"], 0)
        self.assertEqual(content["full"]["values"]["settings without effect"], 3, "walk_unit.coalesce, walk_unit.walkers, iommu_tlb.ports")
        self.assertEqual(content["off"]["values"]["states"], content["full"]["values"]["states"])
        self.assertNotEqual(content["off"]["values"]["states"], content["small"]["values"]["states"])
        self.assertGreater(content["off"]["values"]["faults.absent"], 0)

    def test_a_guests_chain(self):
        self.check_chain("guest", "plain.timed.walks.lookups", "walkway: l2_tlb: tag and frame do not fit a ...")

    def test_two_programs_that_both_fail_are_not_the_same(self):
        (self.dir / "bad").write_text(LIST + "bad a walk_unit.walkers=0\n")
        said = self.compare(PROGRAM, PROGRAM, code=1, list_="bad")
        self.assertIn("bad: cannot be compared\n", said)
        self.assertIn("3 of 4 the same", said)

    def test_what_one_program_gave_is_kept_and_compared_later(self):
        said = self.compare("--save", "kept", PROGRAM)
        self.assertRegex(said, "3 of 3 configurations saved, digest [0-9a-f]{16}\n")
        self.assertEqual(said, self.compare("--save", "again", PROGRAM))
        self.assertEqual((self.dir / "kept").read_bytes(), (self.dir / "again").read_bytes())
        self.assertIn("3 of 3 the same", self.compare("kept", PROGRAM))
        other = self.doctored("s['gpu.cycles']['value'] += 'walk_unit.coalesce=full' in words")
        self.assertIn("2 of 3 the same", self.compare("kept", other, code=1))
        (self.dir / "list").write_text(LIST.replace("walkers=2", "walkers=3") + "more b\n")
        said = self.compare("kept", PROGRAM, code=1)
        self.assertIn("saved was 'a walk_unit.coalesce=full walk_unit.walkers=2 iommu_tlb.ports=1', the list has 'a walk_unit.coalesce=full walk_unit.walkers=3 iommu_tlb.ports=1'", said)
        self.assertIn("more: cannot be compared\n    before  not in the file\n", said)
        self.assertIn("2 of 4 the same", said)

    def test_a_setting_without_effect_is_named(self):
        (self.dir / "idle").write_text(LIST + "idle b walk_unit.coalesce=full l1_tlb.seed=5\n")
        said = self.compare("--audit", PROGRAM, "--only", "idle", "--only", "full", code=1, list_="idle")
        self.assertIn("idle: l1_tlb.seed=5 has no effect\n", said)
        self.assertNotIn("full: ", said)

    def test_what_cannot_be_compared_is_refused(self):
        for words, says in [(["--only", "nothing", PROGRAM, PROGRAM], "no configuration of such a name"),
                            ([self.dir, PROGRAM], "no walkway program"), ([self.dir / "list", PROGRAM], "no walkway program"),
                            ([PROGRAM], "wants BEFORE and AFTER")]:
            self.assertIn(says, self.compare(*words, code=2))
        for line, says in [("rename a b", "map:1: no such line"), ("new *", "no configuration is left")]:
            self.assertIn(says, self.compare(*self.map(line), PROGRAM, PROGRAM, code=2))
        (self.dir / "broken").write_bytes(b"\x1f\x8b broken")
        self.assertIn("not a file that --save wrote", self.compare(self.dir / "broken", PROGRAM, code=2))
        for text, says in [("x a\n", "wants the name of a trace"), (LIST + "off a\n", "a second configuration"),
                           (LIST + "x a --groups\n", "--groups wants a value"), (LIST + "x a walkers\n", "is no SECTION.KEY=VALUE"),
                           ("trace a\n", "trace NAME")]:
            (self.dir / "wrong").write_text(text)
            self.assertIn(says, self.compare(PROGRAM, PROGRAM, code=2, list_="wrong"))

    @unittest.skipUnless((pathlib.Path(os.environ["WALKWAY_WORKLOADS"]) / "gups").exists() and
                         (pathlib.Path(PROGRAM).parent / "capture" / "libwalkway-capture.so").exists(), "no capture in this build")
    def test_programs_are_captured_once_and_kept(self):
        (self.dir / "captured").write_text("trace g gups 10 --threads 64 --updates 1\noff g\nfull g walk_unit.coalesce=full\n")
        words = ["--traces", "kept", "--workloads", os.environ["WALKWAY_WORKLOADS"], PROGRAM, PROGRAM]
        self.assertIn("2 of 2 the same", self.compare(*words, list_="captured"))
        kept = self.dir / "kept" / "g.wkt"
        made = kept.stat().st_mtime_ns
        self.compare(*words, list_="captured")
        self.assertEqual(kept.stat().st_mtime_ns, made)
        kept.write_bytes(b"")
        self.assertIn("0 of 2 the same", self.compare(*words, code=1, list_="captured"))


if __name__ == "__main__":
    unittest.main()
