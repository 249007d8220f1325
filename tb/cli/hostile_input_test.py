#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The real program with malformed machine files, settings and traces (docs/use/errors.md). Every refusal has its exit code, its place and,
for a name, the nearest valid one; nothing crashes, hangs or is ignored."""
import json
import os
import subprocess
import unittest

from walkway_run import ENOUGH, CAPTURES, PROGRAM, RunTest, call, few_resources, make_trace

MAKE_ABSURD = os.environ["WALKWAY_MAKE_ABSURD"]
PATH = b"path = l1_tlb probe prefetch lds_tx icache_tx victim l2_tlb memory_tlb iommu_tlb walk_unit\n"
HEAD = b"[machine]\n" + PATH


class HostileInputTest(RunTest):
    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")

    def call(self, *words):
        return call(*words, text=False, cwd=self.dir, timeout=ENOUGH, preexec_fn=few_resources)

    def run_it(self, *words, code):
        done = self.call(*words)
        text = done.stderr.decode(errors="replace")
        if code is not None:
            self.assertEqual(done.returncode, code, f"{words}: {text[-2000:]}")
        self.assertNotIn("internal error", text, words)
        if code != 0:
            self.assertTrue(text.startswith("walkway: "), f"{words}: {text}")
            self.assertLess(len(text), 1000, "a message, not a dump")
            self.assertFalse(any(ord(c) < 32 and c != "\n" for c in text), f"{words}: {text!r}")
        return text

    def refused(self, content, *says):
        (self.dir / "m.cfg").write_bytes(content)
        text = self.run_it("run", "-p", "./m.cfg", self.trace, code=1)
        for part in says:
            self.assertIn(part, text, content[:80])

    # -- machine files

    def test_values_of_the_wrong_type_or_size(self):
        for value in ("-1", "1.5", "", "four", "4 5", "4;", "0x", "0xg", "1e3", "Ki", "+4", "'4'"):
            self.refused(HEAD + b"[walk_unit]\nwalkers = " + value.encode() + b"\n", "./m.cfg:4", "walk_unit.walkers",
                         "is not a whole number", "1 ... 4096")
            text = self.run_it("run", "--set", "walk_unit.walkers=" + value, self.trace, code=1)
            self.assertIn("1 ... 4096", text)
        for value in ("0", "4097", "4294967300", "0xffffffffffffffff", "99999999999999999999999", "0x1" + 16 * "0", "99999999999999999Gi"):
            self.refused(HEAD + b"[walk_unit]\nwalkers = " + value.encode() + b"\n", "./m.cfg:4", "outside the range")
        self.refused(HEAD + b"[walk_unit]\ncoalesce = ful\n", "./m.cfg:4", "did you mean 'full'", "off | leaf | full")

    def test_a_level_is_what_the_help_says(self):
        for command in ("capture", "trace"):
            self.assertRegex(self.call(command, "--help").stdout.decode(), "1 to\\s+19")
        for level in ("0", "20"):
            for words in (("capture", "--level", level, "-o", "x.wkt", "--", "/bin/true"),
                          ("trace", "import-accelsim", "--level", level, "-o", "x.wkt", "none.g")):
                self.assertIn("from 1 to 19", self.run_it(*words, code=1))

    @unittest.skipUnless(CAPTURES, "no capture in this build")
    def test_what_is_no_program(self):
        (self.dir / "text").write_text("no program")
        (self.dir / "folder").mkdir()
        for name, says in (("./text", "is a file that cannot be executed"), ("./folder", "is a folder, no program"),
                           ("text", "the file here is ./text"), ("./none", "no such program: neither a file, a workload, nor in $PATH")):
            self.assertIn(f"{name}: {says}" if name[0] == "." else says, self.run_it("run", "--", name, code=2))

    def test_a_name_that_is_right_is_not_proposed(self):
        (self.dir / "kernelslist.g").write_text("kernel-1.traceg\n")
        (self.dir / "kernel-1.traceg").mkdir()
        for words in (("trace", "import-accelsim", "-o", "x.wkt", "kernelslist.g"), ("run", "-p", "./folder.cfg", self.trace)):
            (self.dir / "folder.cfg").mkdir(exist_ok=True)
            self.assertNotIn("did you mean", self.run_it(*words, code=None))

    def test_names_that_are_not_there(self):
        self.refused(HEAD + b"[walk_unit]\nwalker = 4\n", "./m.cfg:4", "did you mean 'walk_unit.walkers'")
        self.refused(HEAD + b"[iomu]\nwalkers = 4\n", "./m.cfg:4", "did you mean 'walk_unit.walkers'")
        self.refused(b"walkers = 4\n" + HEAD, "./m.cfg:1", "did you mean 'walk_unit.walkers'")
        self.refused(HEAD + b"pathh = 4\n", "./m.cfg:3", "did you mean 'machine.path'")
        self.refused(HEAD + b"[*]\n* = 4\n", "./m.cfg:4", "unknown parameter")
        self.refused(b"[platform]\nwiring = mmu\n", "./m.cfg:2", "a machine is a path of levels now", "extends = mmu-hpca14")
        self.refused(b"[platform]\nextends = apu-micro18\n", "./m.cfg:2", "the section [platform] is called [machine] now")
        self.refused(b"[machine]\nextends = apu-micro1\n", "./m.cfg:2", "did you mean 'apu-micro18'")
        self.assertIn("did you mean 'walk_unit.walkers'", self.run_it("run", "--set", "walk_unit.walker=4", self.trace, code=1))
        self.assertIn("did you mean './m.cfg'", self.run_it("run", "-p", "./n.cfg", self.trace, code=1))

    def test_names_that_were(self):
        now = "(it is called 'walk_unit.walkers' now)"
        self.refused(HEAD + b"[iommu]\nwalkers = 4\n", "./m.cfg:4", now)
        for words in (("run", "--set", "iommu.walkers=4", self.trace), ("compare", self.trace, "apu-micro18", ":iommu.walkers=4"),
                      ("list", "parameters", "iommu.walkers"), ("list", "stats", "iommu.walks_started")):
            self.assertIn(now.replace("walkers", words[-1].split(".")[-1]) if words[0] == "list" else now, self.run_it(*words, code=1))

    def test_what_a_file_inherits(self):
        head = b"[machine]\nextends = apu-micro18\n"
        self.refused(head + b"[walk_unit]\nwalkers = 8\n", "./m.cfg:4: walk_unit.walkers = 8: ", "apu-micro18.cfg:",
                     "has this already: leave it out, or say where it comes from ('@ assumed ...')")
        (self.dir / "m.cfg").write_bytes(head + b"[walk_unit]\nwalkers = 8  @ assumed as there\nbuffer_entries = 64\n")
        said = json.loads(self.call("list", "parameters", "-p", "./m.cfg", "walk_unit.", "gpu.cus", "l1_tlb.mshrs", "--json").stdout)
        self.assertEqual([(p["origin"], p["source"]) for p in (said["walk_unit.walkers"], said["gpu.cus"])],
                         [("ASSUMED", "as there"), ("PAPER", "(apu-micro18) [M18] Table I")])
        self.assertEqual(said["l1_tlb.mshrs"]["origin"], "CHOSEN")
        self.assertEqual([said["walk_unit.buffer_entries"][k] for k in ("origin", "source", "default", "default_origin")],
                         ["SET", "./m.cfg:5", 256, "PAPER"])

    def test_an_origin_of_no_known_kind(self):
        self.refused(HEAD + b"[walk_unit]\nwalkers = 4  @ papr [X]\n", "./m.cfg:4: '@ papr'", "did you mean 'paper'?",
                     "valid: paper | derived | assumed | chosen")
        self.refused(HEAD + b"[walk_unit]\nwalkers = 4  @\n", "./m.cfg:4: '@ '", "valid: paper | derived")

    def test_another_path_than_that_of_the_extended_file(self):
        head = b"[machine]\nextends = apu-micro18\npath = l1_tlb l2_tlb walk_unit\n"
        (self.dir / "m.cfg").write_bytes(head + b"[l2_tlb]\nentries = 0  @ assumed\n")
        names = set(json.loads(self.call("list", "parameters", "-p", "./m.cfg", "--json").stdout))
        self.assertEqual({name.split(".")[0] for name in names} & {"memory_tlb", "iommu_tlb", "walk_unit"}, {"walk_unit"})
        self.refused(head + b"[memory_tlb]\nentries = 0\n", "./m.cfg:5: unknown parameter 'memory_tlb.entries'")
        (self.dir / "m.cfg").write_bytes(b"[machine]\nextends = mmu-hpca14\n" + PATH + b"[walk_unit]\nshared_by = all\n")
        self.run_it("run", "-q", "-p", "./m.cfg", self.trace, code=0)
        self.refused(b"[machine]\nextends = m\n", "'extends' goes round in a circle")

    def test_of_path_and_extends_the_line_at_fault_is_named(self):
        path = b"path = l1_tlb l1_tlb walk_unit\n"
        self.refused(b"[machine]\n" + path + b"extends = apu-micro18\n", "./m.cfg:2: ", "'l1_tlb' is there twice")
        self.refused(b"[machine]\nextends = apu-micro81\n" + PATH, "./m.cfg:2: extends: ", "did you mean 'apu-micro18'?")
        self.refused(b"[machine]\nextends = m\n" + PATH, "./m.cfg:2: 'extends' goes round in a circle")

    def test_what_is_no_path(self):
        for path, why in (("l1_tlb l2_tbl walk_unit", "'l2_tbl' is of no kind that there is: icache_tx | iommu_tlb | "), ("l1_tlb l1_tlb walk_unit", "'l1_tlb' is there twice"),
                          ("l1_tlb l2_tlb", "ends with 'l2_tlb', and what a path ends with is a walk_unit"),
                          ("l1_tlb walk_unit l2_tlb walk_unit", "'walk_unit' is not last"), ("l1_tlb dram walk_unit", "'dram' cannot be a level's name"),
                          ("copy_engine walk_unit", "'copy_engine' cannot be a level's name"), ("account walk_unit", "'account' cannot be a level's name"),
                          ("l1_tlb ../x_tlb walk_unit", "cannot be a level's name"), ("", "wants 'path")):
            self.refused(b"[machine]\npath = " + path.encode() + b"\n", "./m.cfg", why)
        own = b"[machine]\nextends = apu-micro18\npath = l1_tlb l3_tlb far_victim walk_unit\n[far_victim]\nentries = 0\n[l3_tlb]\nshared_by = all\nentries = 64\n"
        own += b"ways = 4\nports = 2\nmshrs = 8\nmerges = 8\n"
        self.refused(own, "./m.cfg: has no value for l3_tlb.hit_cycles, l3_tlb.queue_entries, and none is neutral: give them, or extend a machine that has")
        self.refused(HEAD, "./m.cfg: has no value for gpu.cus, gpu.clock_ps, dispatcher.dispatch_cycles", " more, and none is neutral")
        own += b"hit_cycles = 9\nqueue_entries = 4\n"
        (self.dir / "m.cfg").write_bytes(own)
        self.run_it("list", "parameters", "-p", "./m.cfg", code=0)
        self.assertIn("./m.cfg: has no value for far_victim.shared_by, far_victim.hit_cycles, far_victim.ports",
                      self.run_it("run", "-p", "./m.cfg:far_victim.entries=4", "gen:zipf", code=1))
        self.refused(b"[machine]\nextends = apu-micro18\npath = l1_tlb walk_unit\n[l3_tlb]\nentries = 4\n", "./m.cfg:5: unknown parameter 'l3_tlb.entries'")

    def test_groups_that_do_not_fit(self):
        head = b"[machine]\nextends = apu-micro18\n[gpu]\ncus = 4\n[l1_tlb]\nshared_by = "
        for groups, why in (("0 1 | 2", "leaves out compute unit 3 of gpu.cus = 4"), ("0 1 | 1 2 3", "names compute unit 1 twice"),
                            ("0 1 | 2 3 4", "names compute unit 4, and gpu.cus = 4"), ("0 1 | | 2 3", "has a group without a compute unit"),
                            ("0 1, 2 3", "is neither a number, nor 'all', nor groups"), ("0", "an instance has one compute unit or more"),
                            ("251", "valid: 1 ... 250 | all | groups such as 0 1 | 2 3")):
            self.refused(head + groups.encode() + b"\n", "./m.cfg:6: l1_tlb.shared_by", why)
        self.refused(head + b"2\n[l2_tlb]\nshared_by = 0 2 | 1 3\n", "./m.cfg:8: l2_tlb.shared_by = 0 2 | 1 3: compute units 0 and 1 share an instance above", "'l1_tlb'")
        self.refused(b"[machine]\nextends = apu-micro18\npath = victim l2_tlb walk_unit\n[victim]\nentries = 4\n", "./m.cfg:5: victim.entries: what it keeps",
                     "none stands there")
        self.refused(b"[machine]\nextends = apu-micro18\npath = l1_tlb iommu_tlb victim walk_unit\n[victim]\nshared_by = all\nentries = 4\n",
                     "./m.cfg:6: victim.entries", "'iommu_tlb' hands nothing on")
        self.refused(b"[machine]\nextends = apu-micro18\npath = prefetch l2_tlb walk_unit\n[prefetch]\nentries = 4\n", "./m.cfg:5: prefetch.entries: it looks at",
                     "there is none")
        self.refused(b"[machine]\nextends = apu-micro18\n[lds_tx]\ntranslations = on\n", "./m.cfg:4: lds_tx.translations", "lds.banks")
        self.refused(b"[machine]\nextends = apu-micro18\n[l2_tlb]\nentries = 48\n", "./m.cfg:4: l2_tlb: entries / ways is not a power of two")
        (self.dir / "m.cfg").write_bytes(b"[machine]\nextends = apu-micro18\n[l2_tlb]\nways = 32\n")
        self.assertIn("./m.cfg: l2_tlb: entries", self.run_it("run", "-p", "./m.cfg", "--set", "l2_tlb.entries=48", "gen:zipf", code=1)) # no line of a file is to blame

    def test_syntax(self):
        self.refused(HEAD + b"[iommu\nwalkers = 4\n", "./m.cfg:3")
        self.refused(HEAD + b"[walk_unit]x\nwalkers = 4\n", "./m.cfg:3")
        self.refused(HEAD + b"[walk_unit]\nwalkers 4\n", "./m.cfg:4")
        self.refused(HEAD + b"[walk_unit]\nwalkers = 4\n[gpu]\ncus = 1\n[walk_unit]\nwalkers = 4\n", "./m.cfg:8", "first in line 4")
        self.refused(b"[walk_unit]\nwalkers = 4\n", "path", "extends")
        self.refused(b"", "path", "extends")
        self.refused(HEAD + b"[walk_unit]\nwalkers = 4\0\n", "./m.cfg:4", "byte 0 ")
        self.refused(HEAD + b"\x1b]0;owned\x07 = 4\n", "./m.cfg:3", "byte 27 ")
        self.refused(HEAD + b"w" * 500000 + b" = 4\n", "./m.cfg:3")
        self.refused(HEAD + b"[walk_unit]\nwalkers = " + b"4" * 500000 + b"\n", "./m.cfg:4", "...")
        self.refused(HEAD + b"#" * (2 << 20), "no machine file")
        for option in ("walk_unit.walkers", "=4", "=", ""):
            self.run_it("run", "--set", option, self.trace, code=1)

    def test_a_file_that_was_printed_whole_and_cut_off(self):
        whole = self.call("list", "parameters", "-p", "apu-micro18", "--cfg").stdout
        self.refused(whole[:-1], "./m.cfg:", "ends within a line")
        lines = whole.splitlines(keepends=True)
        promise = next(i for i, line in enumerate(lines) if line.startswith(b"parameters = "))
        self.assertLess(promise, lines.index(PATH), "without its path a file is refused anyway")
        for end in range(promise + 2, len(lines) - 1, 23):
            lost = any(b"=" in line.split(b"#")[0] for line in lines[end:])
            self.assertTrue(lost)
            self.refused(b"".join(lines[:end]), f"./m.cfg:{end}: ends after ", f"./m.cfg:{promise + 1} says", "cut off")
        for end in range(len(whole) // 3, len(whole), 4001):
            self.refused(whole[:end], "./m.cfg:")
        fewer = [line for line in lines if not line.startswith(b"cus = ")]
        self.assertEqual(len(fewer) + 1, len(lines))
        self.refused(b"".join(fewer), "parameters, and ./m.cfg:")
        self.refused(HEAD + b"parameters = some\n", "./m.cfg:3", "not a whole number")
        (self.dir / "m.cfg").write_bytes(whole)
        self.run_it("run", "-q", "-p", "./m.cfg", self.trace, code=0)

    def test_what_editors_add_is_accepted(self):
        text = b"\xef\xbb\xbf" + (b"[machine]\nextends = apu-micro18\n[walk_unit] # few\nwalkers=4\t\n").replace(b"\n", b"\r\n")
        (self.dir / "m.cfg").write_bytes(text)
        self.run_it("run", "-q", "-p", "./m.cfg", self.trace, code=0)

    def test_files_that_extend_in_circles(self):
        (self.dir / "b.cfg").write_text("[machine]\nextends = m\n")
        self.refused(b"[machine]\nextends = m\n", "./m.cfg:2", "circle")
        self.refused(b"[machine]\nextends = b\n", "circle")

    def test_what_is_no_file(self):
        (self.dir / "folder.cfg").mkdir()
        os.mkfifo(self.dir / "fifo.cfg")
        for name in ("./folder.cfg", "./fifo.cfg", "/dev/zero", "/dev/null", "", "/", "x" * 5000):
            self.run_it("run", "-p", name, self.trace, code=1)
        if os.geteuid() != 0:
            path = self.dir / "secret.cfg"
            path.write_bytes(HEAD)
            path.chmod(0)
            self.run_it("run", "-p", "./secret.cfg", self.trace, code=1)

    def test_a_parameter_of_another_machine(self):
        self.assertIn("unknown parameter 'apu.coalesce' (did you mean 'walk_unit.coalesce'?); "
                      "'walkway list parameters -p dgpu-pact24' has them all",
                      self.run_it("run", "-p", "dgpu-pact24", "--set", "apu.coalesce=full", self.trace, code=1))
        self.assertNotIn("did you mean", self.run_it("run", "--set", "none.such_key_is_known_anywhere=1", self.trace, code=1))

    def test_contradictions(self):
        for changes, says in ((["l1_tlb.ways=3"], "l1_tlb: entries / ways is not a power of two: entries = 24 or 48 would be"),
                              (["l2_tlb.entries=48", "l2_tlb.ways=16"], "power of two"),
                              (["l1_tlb.entries=1", "l1_tlb.ways=2"], "l1_tlb"),
                              (["address_space.table_pa=1"], "table_pa"),
                              (["address_space.table_pa=2Gi"], "table_pa lies inside"),
                              (["address_space.page=2m", "address_space.data_pa=4096"], "page size"),
                              (["address_space.memory_bytes=64Gi"], "above")):
            words = [w for c in changes for w in ("--set", c)]
            self.assertIn(says, self.run_it("run", *words, self.trace, code=1))

    def test_times_far_apart(self):
        """No event occurs for longer than a slice of the run."""
        for change in ("dispatcher.launch_cycles=10000000", "gpu.clock_ps=100000", "l2_tlb.hit_cycles=100000",
                       "l1_tlb.mshrs=524288", "l2_tlb.merges=524288"):
            self.run_it("run", "-q", "--set", change, self.trace, code=0)

    # -- traces

    def damaged(self, content, *also):
        (self.dir / "bad.wkt").write_bytes(content)
        for words in (("run", "-q"), ("trace", "check"), *also):
            text = self.run_it(*words, "bad.wkt", code=2)
            self.assertIn("bad.wkt", text)

    def test_flipped_and_shortened_traces(self):
        """Damages the trace at places of every kind; tb/trace/damage_test.cpp covers every byte, in the reader only."""
        good = self.trace.read_bytes()
        for at in [*range(0, 32), *range(32, len(good) - 48, 61), *range(len(good) - 44, len(good), 2)]:
            bad = bytearray(good)
            bad[at] ^= 1 << at % 8
            self.damaged(bad)
        for length in (0, 1, 7, 8, 23, 24, 63, 64, 65, len(good) // 2, len(good) - 40, len(good) - 1):
            self.damaged(good[:length], ("trace", "info"), ("trace", "cat"))
        self.damaged(good + b"\0")
        self.damaged(good + good)

    def test_what_is_no_trace(self):
        os.mkfifo(self.dir / "fifo.wkt")
        for name in ("fifo.wkt", ".", "/dev/zero", "/dev/null", "none.wkt", "t.wkt/x", "x" * 5000, PROGRAM):
            for words in (("run",), ("trace", "check"), ("trace", "info"), ("trace", "cat")):
                self.run_it(*words, name, code=2)
        folder = self.dir / "traces"
        folder.mkdir()
        self.assertIn("traces: a folder, not a wavefront trace\n", self.run_it("run", folder, code=2))
        (folder / "kernelslist.g").write_text("kernel-1.traceg\n")
        self.assertIn("; 'walkway trace import-accelsim' makes one of its kernelslist.g", self.run_it("run", folder, code=2))

    def test_absurd_contents_under_right_checksums(self):
        cases = subprocess.run([MAKE_ABSURD], capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(cases), 15)
        says = {"group-larger-than-a-unit": "cu.waves_per_simd", "lds-4294967295": "cu.lds_bytes",
                "buffer-of-2-to-62": "address_space.levels", "buffer-beyond-48-bits": "buffer 0",
                "group-of-no-waves": "0 waves", "buffers-that-overlap": "buffer 1 (0x100000000, 4194304 bytes) overlap", "address-beyond-57-bits": "beyond the 48 bits"}
        for case in cases:
            subprocess.run([MAKE_ABSURD, self.trace, case, self.dir / "bad.wkt"], check=True)
            text = self.run_it("run", "-q", "-o", "out", "bad.wkt", code=2)
            self.assertIn(says.get(case, "bad.wkt"), text, case)
            self.assertEqual(list((self.dir / "out").iterdir()), [], "no result of a damaged trace")
            for words in (("trace", "check"), ("trace", "info"), ("trace", "cat"),
                          ("trace", "info", "--svg", "bad.svg")): # some commands accept it; none may crash
                self.assertIn(self.call(*words, "bad.wkt").returncode, (0, 2), case)


if __name__ == "__main__":
    unittest.main()
