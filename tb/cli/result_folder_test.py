#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The folder of -o: one command uses it at a time; a manifest lists what belongs together; the program names all results of earlier
commands in it."""
import concurrent.futures
import json
import pathlib
import signal
import time
import unittest

from walkway_run import ENOUGH, PROGRAM, RunTest, make_trace

SLOW = "fake:fault.slow_ms=60000"


class ResultFolderTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()
        self.trace = make_trace(self.dir / "t.wkt")

    def manifest(self, folder="out"):
        return json.loads((self.dir / folder / "manifest.json").read_text())

    def names(self, folder="out"):
        return sorted(str(p.relative_to(self.dir / folder)) for p in (self.dir / folder).rglob("*") if p.is_file())

    def refused_beside(self, *words):
        """Returns the refusal of a command while another one writes to out/."""
        return self.run_it(*words, code=4).stderr

    # -- lock

    def test_two_commands_do_not_share_a_folder(self):
        (self.dir / "link").symlink_to("out")
        program = PROGRAM.rpartition("/")[2]
        commands = (("run", "-q", "-p", SLOW, "-o", "out", "t.wkt"),
                    ("run", "-q", "-p", SLOW, "-p", "fake", "-o", "out", "t.wkt"),
                    ("compare", "-q", "-o", "out", "t.wkt", SLOW, "fake"))
        for first in commands:
            before = self.begun()
            with self.start(*first) as child:
                self.wait_for(lambda before=before: self.begun() > before)
                for folder in ("out", "./out/", "link"):
                    for second in (("run", "-q", "-p", "fake", "-o", folder, self.trace),
                                   ("compare", "-q", "-o", folder, self.trace, "fake", "fake"),
                                   ("reproduce", "micro18", "-q", "-p", "fake", "--figures", "9", "-o", folder)):
                        err = self.refused_beside(*second)
                        self.assertIn(f"{folder}: another walkway writes its results there (process {child.pid}: {program} {' '.join(first)})", err)
                child.send_signal(signal.SIGKILL)
                child.communicate(timeout=ENOUGH) # the jobs are gone too
            self.run_it("run", "-q", "-p", "fake", "-o", "out", self.trace)

    def test_a_bad_command_does_not_lock(self):
        self.run_it("run", "-q", "-p", "fake", "-o", "out", "none.wkt", code=2)
        self.run_it("run", "-q", "-p", "fake", "-o", "out", self.trace)
        self.assertEqual(self.names(), ["host.json", "stats.json"])

    # -- manifest

    def test_the_manifest_of_a_comparison_says_what_is_of_it(self):
        self.run_it("compare", "-q", "-o", "out", self.trace, "fake", ":walk_unit.walkers=4")
        m = self.manifest()
        self.assertEqual(m["command"][:4], ["compare", "-q", "-o", "out"])
        self.assertEqual(m["program"]["name"], "walkway")
        self.assertRegex(m["started"] + m["finished"], r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ){2}$")
        self.assertTrue(m["complete"])
        self.assertEqual(m["files"], ["compare.json"])
        self.assertEqual([(r["folder"], r["machine"], r["exit_code"], r["partial"]) for r in m["results"]],
                         [("1-fake", "fake", 0, False), ("2-fake-walk_unit.walkers=4", "fake:walk_unit.walkers=4", 0, False)])
        info = json.loads(self.run_it("trace", "info", "--json", self.trace).stdout)
        self.assertEqual({r["trace_checksum"] for r in m["results"]}, {info["checksum"]})
        self.assertEqual(len({r["configuration_hash"] for r in m["results"]}), 2)
        again = self.manifest_of_equal_run()
        for key in ("configuration_hash", "stats_hash"):
            self.assertEqual([r[key] for r in m["results"]], [r[key] for r in again["results"]], "equal results, equal hashes")

    def manifest_of_equal_run(self):
        self.run_it("compare", "-q", "-o", "again", self.trace, "fake", ":walk_unit.walkers=4")
        return self.manifest("again")

    def test_runs_that_failed_are_not_complete(self):
        self.run_it("run", "-q", "-o", "out", "-p", "fake", "-p", "fake:fault.crash=true", self.trace, code=3)
        m = self.manifest()
        self.assertFalse(m["complete"])
        self.assertEqual([r["exit_code"] for r in m["results"]], [0, 3])
        self.assertNotIn("stats_hash", m["results"][1])

    def test_a_killed_and_an_interrupted_command_are_not_complete(self):
        for number in (signal.SIGKILL, signal.SIGINT):
            before = self.begun()
            with self.start("compare", "-q", "-o", "out", self.trace, SLOW, "fake") as child:
                self.wait_for(lambda before=before: self.begun() > before)
                child.send_signal(number)
                out, err = child.communicate(timeout=ENOUGH)
            m = self.manifest()
            self.assertFalse(m["complete"])
            self.assertEqual([r["machine"] for r in m["results"]], [SLOW, "fake"])
            self.assertEqual("finished" in m, number == signal.SIGINT)
            (self.dir / "out" / "manifest.json").unlink()
        self.assertIn("interrupted: nothing is compared; what was reached is in the folders of out", err)

    def test_an_interrupted_comparison_without_a_folder_says_so(self):
        self.assertIn("walkway: interrupted: nothing is compared", self.interrupted("compare", self.trace, SLOW, "fake", begun=1))

    # -- results of earlier commands

    def test_results_of_an_earlier_command_go_and_are_named(self):
        self.run_it("compare", "-q", "-o", "out", self.trace, "fake", ":walk_unit.walkers=4", ":walk_unit.walkers=2")
        (self.dir / "out/3-fake-walk_unit.walkers=2/mine.txt").write_text("kept")
        (self.dir / "out/notes.txt").write_text("kept")
        err = self.run_it("compare", "-q", "-o", "out", self.trace, "fake", ":walk_unit.walkers=8").stderr
        self.assertEqual(err, "walkway: out: results of an earlier compare are gone: 2-fake-walk_unit.walkers=4, "
                              "3-fake-walk_unit.walkers=2\n")
        self.assertEqual(self.names(), ["1-fake/host.json", "1-fake/stats.json", "2-fake-walk_unit.walkers=8/host.json",
                                        "2-fake-walk_unit.walkers=8/stats.json", "3-fake-walk_unit.walkers=2/mine.txt", "compare.json",
                                        "manifest.json", "notes.txt"])
        err = self.run_it("run", "-q", "-p", "fake", "-o", "out", self.trace).stderr
        self.assertIn("results of an earlier compare are gone: 1-fake, 2-fake-walk_unit.walkers=8", err)
        self.assertEqual(self.names(), ["3-fake-walk_unit.walkers=2/mine.txt", "host.json", "notes.txt", "stats.json"])

    def test_results_that_no_manifest_lists_stay_and_are_named(self):
        self.run_it("run", "-q", "-p", "fake", "-o", "out/7-old", self.trace)
        self.run_it("run", "-q", "-p", "fake", "-o", "out", self.trace)
        err = self.run_it("compare", "-q", "-o", "out", self.trace, "fake", ":walk_unit.walkers=8").stderr
        self.assertEqual(err, "walkway: out: results that are not of this command stay: 7-old, stats.json\n")
        self.assertIn("7-old/stats.json", self.names())

    def test_the_same_command_again_is_silent(self):
        for _ in range(2):
            done = self.run_it("run", "-q", "-p", "fake", "-p", "fake", "-o", "out", self.trace)
            self.assertEqual(done.stderr, "")

    def test_what_others_wrote_is_not_taken_away(self):
        out = self.dir / "out"
        (out / "1-fake").mkdir(parents=True)
        (out / "manifest.json").write_text("{}")
        err = self.run_it("compare", "-q", "-o", "out", self.trace, "fake", "fake", code=4).stderr
        self.assertIn("out/manifest.json: is no manifest of this program", err)
        for folder in ("..", "../far", "x/../../far", str(self.dir / "far"), "."):
            (self.dir / "far").mkdir(exist_ok=True)
            self.run_it("run", "-q", "-p", "fake", "-o", "far", self.trace)
            (out / "manifest.json").write_text(json.dumps({"command": ["compare"], "results": [{"folder": folder}, 7, {}]}))
            self.run_it("run", "-q", "-p", "fake", "-o", "out", self.trace)
            self.assertEqual(self.names("far"), ["host.json", "stats.json"])
        (out / "9-mine").mkdir()
        for foreign in ('{"program": {"name": 5}, "statistics": {}}', '{"program": 5, "statistics": {}}', "my own"):
            (out / "9-mine" / "stats.json").write_text(foreign)
            (out / "manifest.json").write_text(json.dumps({"command": ["compare"], "results": [{"folder": "9-mine"}]}))
            self.run_it("run", "-q", "-p", "fake", "-o", "out", self.trace)
            self.assertEqual((out / "9-mine" / "stats.json").read_text(), foreign)

    # -- results that another command would replace

    def test_a_result_of_another_trace_is_not_replaced_without_a_word(self):
        other = "gen:uniform,waves=1,accesses=9"
        commands = {"one": ("run", "-q", "-o", "one", "-p", "fake"), "two/1-fake": ("compare", "-q", "-o", "two", "fake", ":walk_unit.walkers=4"),
                    "three/2-fake": ("run", "-q", "-o", "three", "-p", "fake:walk_unit.walkers=4", "-p", "fake")}
        for place, words in commands.items():
            for _ in range(2):
                self.assertEqual(self.run_it(*words, self.trace).stderr, "")
            said = self.run_it(*words, other).stderr
            self.assertIn(f"walkway: {place}: the result of fake on t.wkt is replaced by one of fake on {other}\n", said)
            self.assertEqual(said.count("t.wkt is replaced by"), 1 if place == "one" else 2)

    def test_perturbed_runs_are_not_other_machines(self):
        for _ in range(2):
            self.assertEqual(self.run_it("compare", "-q", "--ranges=2", "-o", "out", self.trace, "fake", ":walk_unit.walkers=4").stderr, "")
        self.assertIn("fake, perturbation 2", [r["machine"] for r in self.manifest()["results"]])

    def test_a_study_s_report_is_not_replaced_without_a_word(self):
        (self.dir / "other.cfg").write_text("[machine]\nextends = fake\n")
        words = ("reproduce", "micro18", "-q", "--figures", "9", "--kept", "-o", "out")
        commands = {"micro18 on fake at scale demo": ("-p", "fake"), "micro18 on other at scale demo": ("-p", "other"),
                    "micro18 on other at scale demo, walk_unit.walkers=4": ("-p", "other", "--set", "walk_unit.walkers=4"),
                    "micro18 on other at scale quarter": ("-p", "other", "--scale", "quarter")}
        before = None
        for report, more in commands.items():
            said = self.run_it(*words, *more).stderr
            self.assertEqual("" if before is None else f"walkway: out: the report of {before} is replaced by one of {report}; the runs of both are kept\n", said)
            self.assertEqual(self.run_it(*words, *more).stderr, "", "the same again")
            self.assertIn(f"reproduced on {more[1]} at --scale", (self.dir / "out/reproduce.md").read_text())
            before = report

    # -- results without -o

    def kept_place(self, *words, code=0, **more):
        """Returns the folder in which a command says it keeps its results, or None."""
        said = self.run_it(*words, code=code, **more).stderr
        return pathlib.Path(said.split("are kept in ")[1].split(";")[0]) if "are kept in" in said else None

    def test_long_commands_without_a_place_for_results_keep_them(self):
        slow, slower = "fake:fault.slow_ms=5200", "fake:fault.slow_ms=5300"
        (self.dir / "other").mkdir()
        make_other = ("trace", "save", "-o", self.dir / "other/t.wkt", "gen:uniform,waves=1,accesses=9")
        self.run_it(*make_other)
        commands = {
            "run": ("run", "-q", "-p", slow, self.trace),
            "again": ("run", "-q", "-p", slow, self.trace),
            "another trace of the name": ("run", "-q", "-p", slow, "other/t.wkt"),
            "several": ("run", "-q", "-p", slow, "-p", "fake", self.trace),
            "others": ("run", "-q", "-p", slow, "-p", slower, self.trace),
            "compare": ("compare", "-q", self.trace, slow, "fake"),
            "another compare": ("compare", "-q", self.trace, slow, slower),
            "half failed": ("run", "-q", "-p", slow, "-p", "fake:fault.crash=true", "-j", "2", self.trace),
            "all failed": ("run", "-q", "-p", "fake:fault.crash=true,fault.slow_ms=5200", "-p", "fake:fault.crash=true", self.trace),
            "short": ("run", "-q", "-p", "fake", self.trace),
        }
        codes = {"half failed": 3, "all failed": 3}
        with concurrent.futures.ThreadPoolExecutor(len(commands)) as at_once:
            started = {what: at_once.submit(self.kept_place, *words, code=codes.get(what, 0)) for what, words in commands.items()}
            places = {what: place.result() for what, place in started.items()}
        self.assertIsNone(places.pop("short"))
        self.assertIsNone(places.pop("all failed"), "there is nothing to keep")
        self.assertEqual(places["run"], places.pop("again"), "equal results are one")
        self.assertEqual(len(set(places.values())), len(places), "no result takes another's place")
        for place in places.values():
            self.assertEqual(place.parent, self.dir / "cache/walkway/results")
        folders = {what: sorted(str(p.parent.relative_to(place)) for p in place.rglob("stats.json")) for what, place in places.items()}
        self.assertEqual(folders, {"run": ["."], "another trace of the name": ["."], "several": ["1-fake-fault.slow_ms=5200", "2-fake"],
                                   "others": ["1-fake-fault.slow_ms=5200", "2-fake-fault.slow_ms=5300"],
                                   "compare": ["1-fake-fault.slow_ms=5200", "2-fake"],
                                   "another compare": ["1-fake-fault.slow_ms=5200", "2-fake-fault.slow_ms=5300"],
                                   "half failed": ["1-fake-fault.slow_ms=5200"]})
        for place in places.values():
            for stats in place.rglob("stats.json"):
                self.assertIn("statistics", json.loads(stats.read_text()))
        self.assertEqual(len(list((self.dir / "cache/walkway/results").iterdir())), len(places), "nothing unfinished")

    def test_a_long_run_that_cannot_be_kept_says_so(self):
        (self.dir / "cache").write_text("no folder")
        said = self.run_it("run", "-q", "-p", "fake:fault.slow_ms=5200", self.trace).stderr
        self.assertIn(f"its statistics are not kept: {self.dir}/cache/walkway cannot be written; --output chooses another place", said)

    def test_an_interrupted_long_comparison_keeps_what_was_reached(self):
        with self.start("compare", "-q", self.trace, SLOW, "fake") as child:
            self.wait_for(self.begun)
            time.sleep(5.5) # a run of 5 seconds counts as long
            child.send_signal(signal.SIGINT)
            _, error = child.communicate(timeout=ENOUGH)
        place = pathlib.Path(error.split("are kept in ")[1].split(";")[0])
        self.assertTrue(json.loads((place / "1-fake-fault.slow_ms=60000/stats.json").read_text())["partial"])


if __name__ == "__main__":
    unittest.main()
