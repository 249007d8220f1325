#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""No command overwrites its input, under any name: the same, another spelling, a link, a hard link."""
import os
import pathlib
import unittest

from walkway_run import RunTest, make_trace

KERNEL = """-kernel name = k
-kernel id = 1
-grid dim = (1,1,1)
-block dim = (32,1,1)
-shmem = 0
-nregs = 8
-binary version = 70
-cuda stream id = 0
-shmem base_addr = 0x00007f0000000000
-local mem base_addr = 0x00007f2000000000
-nvbit version = 1.5.5
-accelsim tracer version = 4

#BEGIN_TB
thread block = 0,0,0
warp = 0
insts = 1
0000 ffffffff 0 EXIT 0 0
#END_TB
"""


class OverwriteTest(RunTest):
    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")
        (self.dir / "m.cfg").write_text("[machine]\nextends = apu-micro18\n")
        (self.dir / "d").mkdir()

    def names_of(self, path):
        """Yields names of a file; makes each link only once the one before is removed."""
        yield path.name
        yield str(path)
        yield "d/../" + path.name
        (self.dir / "soft").symlink_to(path.name)
        yield "soft"
        (self.dir / "soft").unlink()
        os.link(path, self.dir / "hard")
        yield "hard"
        (self.dir / "hard").unlink()

    def kept(self, path, *words, code=1, says="would overwrite"):
        """Checks that an output `{}` in the words is refused, and that the file is unchanged."""
        before = path.read_bytes()
        for name in self.names_of(path):
            err = self.run_it(*[str(w).replace("{}", name) for w in words], code=code).stderr
            self.assertIn(says, err)
            self.assertIn(name, err)
            self.assertEqual(path.read_bytes(), before, words)
            if name == "hard":
                self.assertTrue((self.dir / name).samefile(path), "the other name is the same file still")

    def test_traces(self):
        self.kept(self.trace, "trace", "save", "-o", "{}", "t.wkt")
        self.kept(self.trace, "trace", "info", "--svg", "{}", "t.wkt")
        self.kept(self.trace, "run", "-q", "--vcd", "{}", "t.wkt")
        self.kept(self.trace, "run", "-q", "--transactions", "{}", "t.wkt")

    def test_a_trace_that_lies_where_a_result_will_be(self):
        for words in (("run", "-q", "-o", "d"), ("run", "-q", "-o", ".", "-p", "apu-micro18", "-p", "apu-micro18")):
            for name in ("stats.json", "host.json"):
                folder = self.dir / ("d" if "d" in words else "1-apu-micro18")
                folder.mkdir(exist_ok=True)
                place = make_trace(folder / name)
                before = place.read_bytes()
                self.assertIn("would overwrite the trace", self.run_it(*words, place, code=1).stderr)
                self.assertEqual(place.read_bytes(), before)
                place.unlink()
        for name in ("compare.json", "1-apu-micro18/stats.json", "2-apu-micro18/host.json"):
            (self.dir / "c" / name).parent.mkdir(parents=True, exist_ok=True)
            place = make_trace(self.dir / "c" / name)
            before = place.read_bytes()
            err = self.run_it("compare", "-q", "-o", "c", place, "apu-micro18", "apu-micro18", code=1).stderr
            self.assertIn("would overwrite the trace", err)
            self.assertEqual(place.read_bytes(), before)
            place.unlink()

    def test_platform_files_also_those_that_are_extended(self):
        (self.dir / "n.cfg").write_text("[machine]\nextends = m\n")
        for option in ("--vcd", "--transactions"):
            self.kept(self.dir / "m.cfg", "run", "-q", "-p", "./n.cfg", option, "{}", "t.wkt")

    def test_accelsim_lists_and_the_kernels_that_they_name(self):
        (self.dir / "kernelslist.g").write_text("kernel-1.traceg\n")
        (self.dir / "kernel-1.traceg").write_text(KERNEL)
        for name in ("kernelslist.g", "kernel-1.traceg"):
            for source in ("kernelslist.g", "."):
                self.kept(self.dir / name, "trace", "import-accelsim", "-q", "-o", "{}", source)

    def test_programs_and_what_they_are_given(self):
        program, graph = self.dir / "prog", self.dir / "graph"
        program.write_bytes(pathlib.Path("/bin/true").read_bytes())
        program.chmod(0o755)
        graph.write_text("0 1\n")
        for path in (program, graph):
            self.kept(path, "capture", "-o", "{}", "--", "./prog", "graph")
            self.kept(path, "run", "--vcd", "{}", "--", "./prog", "--graph=graph")

    def test_results_beside_each_other(self):
        (self.dir / "old").write_text("")
        os.link(self.dir / "old", self.dir / "also")
        err = self.run_it("run", "--vcd", "old", "--transactions", "also", "t.wkt", code=1).stderr
        self.assertIn("want the same file", err)

    def test_another_machine_s_result_is_not_replaced_without_a_word(self):
        trace = "gen:uniform,waves=1,accesses=1"
        self.assertEqual(self.run_it("run", "-q", "-o", "r", trace).stderr, "")
        self.assertEqual(self.run_it("run", "-q", "-o", "r", trace).stderr, "", "the same again")
        said = self.run_it("run", "-q", "-o", "r", trace, ":walk_unit.walkers=4").stderr
        self.assertEqual(said, "walkway: r: the result of apu-micro18 is replaced by one of apu-micro18:walk_unit.walkers=4\n")
        self.run_it("run", "-q", "-o", "s", trace, "gen:chase,waves=1,accesses=1")
        said = self.run_it("run", "-q", "-o", "s", trace, "gen:chase,waves=1,accesses=1", ":gpu.cus=4").stderr
        self.assertEqual(said.count("the result of apu-micro18 is replaced by one of apu-micro18:gpu.cus=4"), 2)


if __name__ == "__main__":
    unittest.main()
