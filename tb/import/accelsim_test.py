#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The import of Accel-Sim traces: each record of small hand-written traces (traces/) is in the imported file, literally.
verify-accelsim, whose code to read the source is its own, confirms it for these and, if they are there, for captures of real GPUs
($WALKWAY_ACCELSIM, or shared/data/accelsim beside the source)."""
import collections
import gzip
import json
import lzma
import os
import pathlib
import re
import shutil
import signal
import tarfile
import time
import unittest

from walkway_run import ENOUGH, PROGRAM, SANITIZED, RunTest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
TRACES = SOURCE / "tb" / "import" / "traces"
ARCHIVES = pathlib.Path(os.environ.get("WALKWAY_ACCELSIM", SOURCE.parent / "shared" / "data" / "accelsim"))
GRAPH = ARCHIVES.parent / "graphs" / "rodinia-graph4096.txt"


def step(base, stride, lanes=32):
    return [base + i * stride for i in range(lanes)]


def local(offset, thread=0):
    """The address of a thread's local memory according to docs/use/accelsim.md."""
    return (1 << 47) + 4 * ((1 << 18) * (offset // 4) + thread) + offset % 4


# By work-group and wave: (pc / 8, instructions before, kind, bytes, distance to first use, addresses by active lane), then
# the number of instructions after the last record.
V3 = 0x7fc841500000
V4 = 0x7f2b2d500000
EXPECTED = {
    "version-1": {
        (0, 0): ([(2, 1, "load", 8, "3", [0x7f0000000000 + i * 7 % 32 * 8 for i in range(32)]),
                  (4, 0, "load", 4, "-", step(0x7f0000000800, 4)),
                  (8, 1, "store", 4, "-", step(0x7f0000001000, 0))], 1),
        (0, 1): ([(2, 0, "load", 8, "-", [0x7f0000000000 + i for i in (0x200, 0x100, 0x300, 8, 16, 24, 32, 0xff8)])], 1),
        (1, 0): ([(2, 0, "load", 8, "-", step(0x7f0000000400, -16, 7))], 1),
        (1, 1): ([], 0)},
    "version-3": {
        (0, 0): ([(2, 1, "load", 4, "4", [V3 + 4, V3 + 8, V3, V3 + 1000]),
                  (4, 0, "load", 4, "-", [V3 + 0x400]),
                  (6, 0, "load", 4, "2", [V3, V3 + 98304])], 3),
        (1, 0): ([(2, 0, "load", 16, "-", step(V3 + 0x8000, 16, 16) + step(V3 + 0x8000 + 16, 16, 16))], 1),
        (2, 0): ([], 1)},
    "version-4": {
        (0, 0): ([(1, 0, "load", 4, "2", step(V4 + 0xffe, 4, 8)),
                  (2, 0, "load", 1, "2", step(V4 + 0x200, 0, 8)), # .S8: one byte, although the tracer says 4
                  (3, 0, "store", 4, "-", [V4 + 0x400, V4 + 0xfffff]),
                  (5, 0, "store", 4, "-", [V4 + 0x800])], 1)},
    "version-5": {
        (0, 0): ([(4, 2, "load", 8, "1", step(0x302000000, 8)),
                  (6, 0, "load", 4, "3", step(0x302001000, 4, 16)),
                  (8, 0, "load", 4, "2", step(0x302002000, 4, 16)),
                  (10, 0, "barrier", 0, "-", [])], 2),
        (0, 1): ([(6, 0, "load", 4, "-", [0x302080000]), (10, 0, "barrier", 0, "-", [])], 1),
        (1, 0): ([], 0),
        (1, 1): ([(10, 0, "barrier", 0, "-", [])], 1)},
    "spaces": {
        (0, 0): ([(0, 0, "load", 16, "2", step(0x7f0000000000, 16)), # LDGSTS; DEPBAR uses it
                  (6, 2, "local-load", 8, "1", step(0x40, 8)),
                  (8, 0, "local-store", 4, "-", step(0, 4)),
                  (10, 0, "local-load", 2, "2", step(0, 16)), # LDSM .4 loads R8 to R11; STL.64 reads R8
                  (12, 0, "local-atomic", 4, "5", step(0x10, 0)), # R5, which ATOMG.64 reads with R4
                  (14, 0, "store", 4, "-", [local(0xfffbc8, 0), local(0xfffbc8, 1)]),
                  (14, 0, "store", 4, "-", [local(0xfffbcc, 0), local(0xfffbcc, 1)]),
                  (16, 0, "load", 4, "8", [local(0xfffbc8, 0), local(0xfffbcc, 1)]),
                  (18, 0, "atomic", 4, "-", step(0x7f0000000100, 0)),
                  (20, 0, "atomic", 8, "6", [0x7f0000000108]), # R13 and R14; LD overwrites R14, ST.E.128 reads R13
                  (22, 0, "local-load", 4, "3", [0x10]), # one LD: lane 0 in shared memory,
                  (22, 0, "load", 4, "2", [local(0xfffbc8, 1)]), # lane 1 in local memory,
                  (22, 0, "load", 4, "1", [0x7f0000000010]), # lane 2 in global memory
                  (24, 0, "local-store", 4, "-", [0x20]),
                  (26, 0, "atomic", 4, "1", [0x7f0000000020])]
                 + [(28, 0, "store", 4, "-", [local(0xfffbd0 + 4 * i)]) for i in range(4)]
                 + [(36, 3, "barrier", 0, "-", [])], 4)},
}


def parse_cat(text):
    """Returns the output of `trace cat --lanes` in the form of EXPECTED."""
    waves, launch_groups, groups = {}, [], -1
    records = None
    for line in text.splitlines():
        words = line.split()
        if words[0] == "launch":
            groups += 1
            launch_groups.append((int(words[1]), int(words[-1])))
        elif words[0] == "wave":
            records = []
            waves[(groups, int(words[1].rstrip(":")))] = records
        elif words[0] == "pc":
            at = words.index("use")
            records.append((int(words[1]), int(words[2]), words[3], int(words[4]), words[at + 1],
                            [int(w, 16) for w in words[at + 2:]]))
        else:
            waves[(groups, max(w for g, w in waves if g == groups))] = (records, int(words[0]))
    return waves


class AccelsimTest(RunTest):
    def imported(self, source, name="x.wkt"):
        said = self.run_it("trace", "import-accelsim", source, "-o", name).stdout
        self.run_it("trace", "check", name)
        proof = self.run_it("trace", "verify-accelsim", source, name).stdout
        self.assertIn("and there is no other", proof)
        return said

    def copy(self, name):
        return pathlib.Path(shutil.copytree(TRACES / name, self.dir / name))

    def checksum(self, source, name="y.wkt"):
        """What the file contains, without the names of program and command, which differ."""
        self.imported(source, name)
        info = json.loads(self.run_it("trace", "info", "--json", name).stdout)
        return [info[key] for key in ("totals", "launches", "buffers", "raw_bytes")], \
            self.run_it("trace", "cat", "--lanes", name).stdout

    def test_every_record_is_where_the_source_has_it(self):
        for name, waves in EXPECTED.items():
            with self.subTest(name):
                self.imported(TRACES / name)
                got = parse_cat(self.run_it("trace", "cat", "--lanes", "x.wkt").stdout)
                self.assertEqual(set(got), set(waves))
                for key, (records, tail) in waves.items():
                    self.assertEqual(got[key], (records, tail), key)

    def test_launches_and_buffers(self):
        self.imported(TRACES / "version-1")
        info = json.loads(self.run_it("trace", "info", "--json", "x.wkt").stdout)
        self.assertEqual(info["wave_lanes"], 32)
        self.assertEqual(info["program"], "version-1")
        self.assertEqual(info["launches"], [{"kernel": "_Z3onev", "grid": [8, 12, 1], "group": [8, 6, 1], "groups": 2, "groups_of": 2,
                                             "lds_bytes": 0, "code_bytes": 0x60}])
        # the program uses the copied page and the page after it, to which nothing was copied
        self.assertEqual([(b["base_va"], b["bytes"]) for b in info["buffers"]],
                         [(0x7f0000000000, 4096), (0x7f0000001000, 4096)])
        self.imported(TRACES / "version-3")
        info = json.loads(self.run_it("trace", "info", "--json", "x.wkt").stdout)
        self.assertEqual([(l["kernel"], l["groups"], l["lds_bytes"]) for l in info["launches"]],
                         [("_Z5threev", 3, 128), ("_Z5emptyv", 0, 0)])
        self.assertEqual([(b["base_va"], b["bytes"], b["first_launch"], b["end_launch"]) for b in info["buffers"]],
                         [(0x7fc841500000, 32768, 0, 2), (0x7fc841508000, 98304, 0, 2)])
        self.imported(TRACES / "version-4")
        info = json.loads(self.run_it("trace", "info", "--json", "x.wkt").stdout)
        self.assertEqual(info["launches"][0]["code_bytes"], 0x38) # sm_61: 8 bytes per instruction
        # one access straddles two pages, another ends a run: pages 500 and 501, 5ff and 600
        self.assertEqual([(b["base_va"], b["bytes"]) for b in info["buffers"]],
                         [(0x7f2b2d500000, 0x2000), (0x7f2b2d5ff000, 0x2000)])

    def test_what_is_left_out_is_said(self):
        said = self.imported(TRACES / "spaces")
        for part in ("1 memory instructions without an active lane", "1 accesses to constant memory left out",
                     "1 accesses to memory of unknown kind left out, the first of them TEX.SCR.LL",
                     "8 records of local memory", "1 generic accesses to several spaces", "1 lines of the list"):
            self.assertIn(part, said)
        self.assertIn("1 accesses of version 1 by base and stride", self.imported(TRACES / "version-1"))
        said = self.imported(TRACES / "version-3")
        self.assertIn("2 thread blocks of the grids are not in the trace", said)
        extent = json.loads(self.run_it("trace", "info", "--json", "x.wkt").stdout)["extent"]
        self.assertEqual(extent["groups_of"] - extent["groups"], 2)
        self.assertIn("PARTIAL: ", self.run_it("trace", "check", "x.wkt").stdout)
        self.assertIn("1 thread blocks out of the grid's order", said)
        self.assertEqual(self.run_it("trace", "import-accelsim", "-q", TRACES / "spaces", "-o", "x.wkt").stdout, "")

    def test_version_2_is_as_1(self):
        folder = self.copy("version-1")
        file = folder / "kernel-1.traceg"
        file.write_text(file.read_text().replace("version = 1.2", "version = 2"))
        self.assertEqual(self.checksum(folder), self.checksum(TRACES / "version-1"))

    def test_xz_carriage_returns_and_blanks_change_nothing(self):
        want = self.checksum(TRACES / "version-3")
        folder = self.copy("version-3")
        for file in folder.glob("*.traceg"): # packed as two streams; the list names the .traceg files
            text = file.read_bytes()
            file.with_name(file.name + ".xz").write_bytes(lzma.compress(text[:200]) + lzma.compress(text[200:]))
            file.unlink()
        self.assertEqual(self.checksum(folder), want)
        self.assertEqual(self.checksum(folder / "kernelslist.g"), want)
        file = folder / "kernelslist.g"
        file.write_text(file.read_text().replace(".traceg", ".traceg.xz"))
        self.assertEqual(self.checksum(folder), want)
        for file in folder.glob("*.xz"): # the list names .xz files, but these are packed by gzip
            text = lzma.decompress(file.read_bytes())
            gzip_form = file.with_name(file.name[:-3] + ".gz")
            gzip_form.write_bytes(gzip.compress(text[:300]) + gzip.compress(text[300:]))
            file.rename(file.with_suffix(".kept"))
        self.assertEqual(self.checksum(folder), want)
        for file in folder.glob("*.kept"):
            file.rename(file.with_suffix(".xz"))
            file.with_name(file.name[:-5] + ".gz").unlink()
        for file in folder.glob("*.xz"): # the list names .xz files
            text = lzma.decompress(file.read_bytes()).replace(b"\n", b"\r\n\r\n").replace(b"insts = ", b" insts=\t")
            file.with_name(file.name[:-3]).write_bytes(text.replace(b" LDG.E ", b"  LDG.E\t").rstrip())
            file.unlink()
        self.assertEqual(self.checksum(folder), want)

    def test_branches_that_load_the_same_register(self):
        lines = ["0000 0000ffff 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4 0", "0010 ffff0000 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4 0",
                 "0020 0000ff00 1 R4 MOV 0 0 0", "0030 0000ff00 0 FADD 1 R4 0 0", "0040 00000000 0 FADD 1 R4 0 0",
                 "0050 ffffffff 0 FADD 1 R4 0 0", "0060 ffffffff 0 FADD 1 R4 0 0", "0070 ffffffff 0 EXIT 0 0 0"]
        self.assertEqual(self.uses([lines]), [["5", "4"]])

    def test_more_divided_loads_than_are_remembered_are_unknown(self):
        lines = [f"{16 * i:04x} {1 << i % 32:08x} 1 R{4 + i // 32} LDG.E 1 R2 4 2 0x7f0000000000 0" for i in range(96)]
        uses = self.uses([lines + ["1000 ffffffff 0 FADD 3 R4 R5 R6 0 0"]])[0]
        self.assertEqual(uses.count("?"), 31 * 3 - 64)
        self.assertEqual([u for u in uses if u != "?"], [str(96 - i) for i, u in enumerate(uses) if u != "?"])

    def test_a_load_of_unknown_use_is_unknown_in_all_its_registers(self):
        load, word = "0010 {:08x} 1 R{} LDG.E.128 1 R2 16 1 0x7f0000000000 16 0", "0018 {:08x} 1 R{} LDG.E 1 R2 4 1 0x7f0000000000 4 0"
        pairs = [load.format(mask, 4 * i) for i in range(1, 18) for mask in (1, 2)]  # the last one divides R68: there is no more room
        read = "0020 00000003 0 FADD 1 R{} 0 0"
        for register in range(4, 8):
            uses = self.uses([pairs + [read.format(register), read.format(9), "0030 00000001 0 EXIT 0 0 0"]])[0]
            self.assertEqual((uses[0], uses[2]), ("?", "33"))
        words = [word.format(2, 4)] + [word.format(mask, i) for i in range(8, 71) for mask in (1, 2)]  # with R4, all that there is room for
        uses = self.uses([[load.format(3, 4)] + words + [word.format(2, 5), read.format(5), read.format(8)]])[0]
        self.assertEqual((uses[0], uses[2], uses[128]), ("?", "128", "1"))

    def test_registers_that_an_operand_takes(self):
        load = "0000 ffffffff 1 R{} {} 1 R2 {} 1 0x7f0000000000 4 0"
        cases = (
            (5, "LDG.E", 4, "0 STG.E.64 2 R8 R4 8 1 0x7f0000000000 8 0", "1"),
            (5, "LDG.E", 4, "0 STG.E 2 R8 R4 4 1 0x7f0000000000 8 0", "-"),
            (9, "LDG.E", 4, "0 STG.E 2 R8 R4 4 1 0x7f0000000000 8 0", "1"), # a 64-bit address
            (9, "LDG.E", 4, "0 STS 2 R8 R4 4 1 0x0 8 0", "-"),
            (5, "LDG.E", 4, "1 R10 DADD 2 R4 R8 0 0", "1"),
            (7, "LDS", 4, "1 R12 HMMA.16816.F32 3 R4 R8 R12 0 0", "1"),
            (10, "LDS", 4, "1 R12 HMMA.16816.F32 3 R4 R8 R14 0 0", "-"),
            (17, "LDS", 4, "1 R12 HMMA.16816.F32 3 R4 R8 R14 0 0", "1"),
            (9, "LDG.E", 4, "1 R4 IMAD.WIDE 2 R6 R8 0 0", "1"),
            (7, "LDG.E", 4, "1 R4 IMAD.WIDE 2 R6 R8 0 0", "-"),
            (5, "LDG.E", 4, "1 R4 I2F.F64 1 R4 0 0", "1"),
            (252, "LDG.E.128", 16, "1 R4 FADD 1 R254 0 0", "1"), # R255 is not a register
            (4, "LDG.E.64", 8, "1 R5 FADD 1 R5 0 0", "1"),
            (4, "LDG.E.U8", 1, "1 R5 FADD 1 R5 0 0", "-"))
        warps = self.uses([[load.format(*case[:3]), "0010 ffffffff " + case[3]] for case in cases])
        for case, uses in zip(cases, warps):
            self.assertEqual(uses[0], case[4], case)

    def test_a_line_of_each_reference_of_ldgsts(self):
        load, store = "16 1 0x7f0000000000 16 0", "16 1 0x80 16 0"
        for base, shared in (("", store), ("-shmem base_addr = 0x00007f4002000000\n", "16 1 0x7f4002000080 16 0")):
            for pair in ((shared, load), (load, shared)): # tracers differ in the order
                lines = ["7 0010 ffffffff 0 LDGSTS.E.128 2 R8 R2 " + side for side in pair] + ["7 0020 ffffffff 0 DEPBAR.LE 0 0 0"]
                records, _ = self.block([lines], base + "-enable lineinfo = 1\n")[(0, 0)]
                self.assertEqual(sorted(records), sorted(
                    [(2, 0, "load", 16, "2" if pair[0] == load else "1", step(0x7f0000000000, 16)),
                     (2, 0, "local-store", 16, "-", step(0x80, 16))]))

    def test_version_1_lists_lanes_that_the_predicate_turned_off(self):
        listed = " ".join(f"0x{0x7f0000000000 + 8 * i * i:016x}" for i in range(32))
        head, tail = "0 0 0 0 0010 ", " 1 R4 LDG.E.64.SYS 1 R2 8 0 "
        got = self.block([[head + "00010006" + tail + listed, head + "00000000" + tail + listed,
                           head + "00000000" + tail + listed[:37], head + "00000002" + tail + listed[:18]]], version="1.2")
        self.assertEqual([r[5] for r in got[(0, 0)][0]],
                         [[0x7f0000000000 + 8 * i * i for i in (1, 2, 16)], [0x7f0000000000]])

    def test_widths_that_the_tracer_does_not_see(self):
        widths = {"LDG.E.S8": 1, "LDG.E.S16.SYS": 2, "RED.E.ADD.F64.RN.STRONG.GPU": 8, "ATOMG.E.MIN.S64.STRONG.GPU": 8,
                  "ATOMG.E.MIN.S32.STRONG.GPU": 4, "RED.E.ADD.F16x2.RN.STRONG.GPU": 4, "LDG.E.LTC128B": 4}
        got = self.block([[f"0010 00000001 0 {opcode} 1 R2 4 2 0x7f0000000fff 0" for opcode in widths]])
        self.assertEqual([r[3] for r in got[(0, 0)][0]], list(widths.values()))

    def uses(self, warps):
        """The use distances of the records of each warp."""
        waves = self.block(warps)
        return [[r[4] for r in waves[(0, w)][0]] for w in range(len(warps))]

    def block(self, warps, header="", version=5, copies=""):
        """Imports one thread block that has these lines for each warp; returns its records."""
        folder = self.dir / "one"
        folder.mkdir(exist_ok=True)
        (folder / "kernelslist.g").write_text(copies + "kernel-1.traceg\n")
        (folder / "kernel-1.traceg").write_text(
            f"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,{len(warps)},1)\n-accelsim tracer version = {version}\n"
            + header + "#traces format\n#BEGIN_TB\nthread block = 0,0,0\n"
            + "".join(f"warp = {w}\ninsts = {len(lines)}\n" + "\n".join(lines) + "\n" for w, lines in enumerate(warps))
            + "#END_TB\n")
        self.imported(folder)
        return parse_cat(self.run_it("trace", "cat", "--lanes", "x.wkt").stdout)

    def test_a_comment_that_ends_the_header_may_be_any(self):
        folder = self.copy("version-3")
        file = folder / "kernel-1.traceg"
        text = file.read_text()
        self.assertEqual(text.count("#traces format"), 1)
        before = self.checksum(TRACES / "version-3")[0]
        for comment in ("#", "#BEGIN_TBS", "#BEGIN_TB of what follows"):
            file.write_text(re.sub("#traces format.*", comment, text))
            self.assertEqual(self.checksum(folder)[0], before)

    def test_an_access_from_one_buffer_into_the_next(self):
        copy = 0x7f0000000000
        self.block([["0010 00000003 0 LDG.E 1 R2 4 1 0x7f0000000ffe 16"]], copies=f"MemcpyHtoD,{copy:#x},4097\n")
        info = json.loads(self.run_it("trace", "info", "--json", "x.wkt").stdout)
        self.assertEqual([(b["base_va"], b["bytes"]) for b in info["buffers"]], [(copy, 4097), (copy + 4097, 4095)])
        self.assertIn("; 0 lane addresses outside every buffer", self.run_it("trace", "check", "x.wkt").stdout)

    def test_local_memory_of_a_later_block_has_slots_of_its_own(self):
        folder = self.dir / "two"
        folder.mkdir()
        (folder / "kernelslist.g").write_text("kernel-1.traceg\n")
        block = ("#BEGIN_TB\nthread block = {},0,0\nwarp = 1\ninsts = 1\n0000 80000001 0 STL.U8 2 R1 R4 1 2 "
                 "0x7f4000000006 1 0\n#END_TB\n")
        (folder / "kernel-1.traceg").write_text(
            "-kernel name = k\n-grid dim = (10000,1,1)\n-block dim = (64,1,1)\n-local mem base_addr = 0x7f4000000000\n"
            "-accelsim tracer version = 5\n#traces format\n" + block.format(3) + block.format(9999))
        self.imported(folder)
        got = parse_cat(self.run_it("trace", "cat", "--lanes", "x.wkt").stdout)
        for group, number in ((0, 3), (1, 9999)):
            thread = (number * 2 + 1) * 32
            self.assertEqual(got[(group, 1)][0][0][5],
                             [local(6, thread % (1 << 18)), local(7, (thread + 31) % (1 << 18))])

    def test_verify_finds_what_differs(self):
        self.imported(TRACES / "version-3")
        for line, text, says in (
                (25, "0010 0000000f 1 R2 LDG.E 1 R4 4 2 0x7fc841500004 4 -8 1001", "lane 3: 0x7fc8415003e9 in the source"),
                (25, "0010 0000000f 1 R2 LDG.E 1 R4 4 2 0x7fc841500008 0 -8 1000", "lane 0: 0x7fc841500008"),
                (25, "0010 0000000e 1 R2 LDG.E 1 R4 4 2 0x7fc841500004 4 -8", "load of 4 bytes at pc 2 by lanes 0000000e"),
                (25, "0010 0000000f 1 R2 LDG.E.64 1 R4 8 2 0x7fc841500004 4 -8 1000", "load of 8 bytes"),
                (25, "0010 0000000f 0 STG.E 1 R4 4 2 0x7fc841500004 4 -8 1000", "store of 4 bytes"),
                (25, "0018 0000000f 1 R2 LDG.E 1 R4 4 2 0x7fc841500004 4 -8 1000", "at pc 3"),
                (24, "0000 ffffffff 1 R1 NOP 0 0\n0008 ffffffff 1 R1 NOP 0 0", "has 2 instructions before this"),
                (30, "0060 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7fc841500004 4", "the trace's wave ends before"),
                (27, "0030 80000001 1 R5 NOP 0 0", "here the warp ends; the trace's wave goes on"),
                (20, "thread block = 3,0,0", None), # another block of the grid with the same contents
                (3, "-grid dim = (5,1,1)", "another grid"),
                (4, "-block dim = (31,1,1)", "another grid or block"),
                (5, "-shmem = 129", "another kernel's name or shared memory"),
                (1, "-kernel name = _Z4threev", "another kernel's name"),
                (5, "-shmem =", "cannot be read"),
                (22, "=", "cannot be read"),
                (23, "= =", "cannot be read"),
                (22, "wrap = 0", "cannot be read")):
            folder = pathlib.Path(shutil.copytree(TRACES / "version-3", self.dir / "other", dirs_exist_ok=True))
            file = folder / "kernel-1.traceg"
            lines = (TRACES / "version-3" / "kernel-1.traceg").read_text().split("\n")
            lines[line - 1] = text
            file.write_text("\n".join(lines))
            done = self.run_it("trace", "verify-accelsim", folder, "x.wkt", code=0 if says is None else 2)
            if says is not None:
                self.assertIn(says, done.stderr)
                self.assertIn("kernel-1.traceg:", done.stderr)
        shutil.copytree(TRACES / "version-3", folder, dirs_exist_ok=True)
        for text, says in (("kernel-1.traceg\n", "has 2 launches, the list 1"),
                           ("kernel-1.traceg\nkernel-2.traceg\nkernel-2.traceg\n", "has only 2 launches"),
                           ("MemcpyHtoD,0x1000,1\nkernel-1.traceg\nkernel-2.traceg\n", "not in the trace's buffers"),
                           ("kernel-2.traceg\nkernel-1.traceg\n", "kernel-2.traceg:")):
            (folder / "kernelslist.g").write_text(text)
            self.assertIn(says, self.run_it("trace", "verify-accelsim", folder, "x.wkt", code=2).stderr)
        shutil.copy(SOURCE / "waveforms" / "atax-512.wkt", self.dir)
        self.assertIn("64 lanes: not an import",
                      self.run_it("trace", "verify-accelsim", TRACES / "version-3", "atax-512.wkt", code=2).stderr)

    def platforms(self):
        rows = self.run_it("list", "platforms").stdout.splitlines()[2:] # after the header and its rule
        rows = [row for row in rows if row[:1].strip()] # continuation lines are indented
        self.assertIn("apu-micro18", [row.split()[0] for row in rows])
        return [row.split()[0] for row in rows]

    def test_they_run_on_every_platform(self):
        for name in EXPECTED:
            self.imported(TRACES / name, f"{name}.wkt")
        for platform in self.platforms()[::5 if SANITIZED else 1]:
            for name in EXPECTED:
                with self.subTest(f"{platform} {name}"):
                    self.run_it("run", "-q", "-p", platform, f"{name}.wkt")

    @unittest.skipUnless(ARCHIVES.is_dir(), "the captures of real GPUs are not there")
    def test_captures_of_real_gpus(self):
        for archive, lanes in (("simple-trace-example", "150,000"), ("vectoradd-100-32", "300"),
                               ("bfs-rodinia-2.0-ft", "181,816")):
            with tarfile.open(ARCHIVES / f"{archive}.tar.xz") as tar:
                tar.extractall(self.dir)
            self.imported(archive, f"{archive}.wkt")
            self.assertIn(f"the {lanes} lane addresses",
                          self.run_it("trace", "verify-accelsim", archive, f"{archive}.wkt").stdout)
            if not SANITIZED:
                for platform in self.platforms():
                    self.run_it("run", "-q", "-p", platform, f"{archive}.wkt")

    @unittest.skipUnless(GRAPH.is_file() and ARCHIVES.is_dir(), "the capture of bfs and its graph are not there")
    def test_what_bfs_accesses_follows_from_its_graph(self):
        """Tests the one capture whose accesses follow from its input alone: breadth-first search, level by level."""
        with tarfile.open(ARCHIVES / "bfs-rodinia-2.0-ft.tar.xz") as tar:
            tar.extractall(self.dir)
        self.imported("bfs-rodinia-2.0-ft")
        got = [collections.Counter() for _ in range(16)] # lanes by (kind, address), for each launch
        launch = -1
        for line in self.run_it("trace", "cat", "--lanes", "x.wkt").stdout.splitlines():
            words = line.split()
            if words[0] == "launch":
                launch = int(words[1])
            elif words[0] == "pc":
                got[launch].update((words[3], int(word, 16)) for word in words[words.index("use") + 2:])
        numbers = [int(word) for word in GRAPH.read_text().split()]
        n = numbers[0]
        first_edges = numbers[1:1 + 2 * n:2]
        degrees = numbers[2:2 + 2 * n:2]
        edges = numbers[3 + 2 * n::2]
        nodes, arcs, mask, update, seen, cost, over = (0x7fc841500000 + offset for offset in (
            0, 0x8000, 0x20000, 0x21000, 0x22000, 0x23000, 0x27000)) # the buffers' addresses in kernelslist.g
        active = visited = {numbers[1 + 2 * n]}
        for level in range(8):
            first = collections.Counter(("load", mask + i) for i in range(n))
            found = set()
            for i in active:
                first["store", mask + i] += 1
                for e in range(first_edges[i], first_edges[i] + degrees[i]):
                    first["load", arcs + 4 * e] += 1
                    first["load", seen + edges[e]] += 1
                    if edges[e] not in visited:
                        first.update([("load", cost + 4 * i), ("store", cost + 4 * edges[e]), ("store", update + edges[e])])
                        found.add(edges[e])
            # the compiler chooses how often a thread reads its own node's two words
            own = {("load", nodes + 8 * i + word) for i in active for word in (0, 4)}
            self.assertEqual({key for key in got[2 * level] if nodes <= key[1] < arcs} - own, set())
            self.assertEqual({k: v for k, v in got[2 * level].items() if k[1] >= arcs}, first, level)
            second = collections.Counter(("load", update + i) for i in range(n))
            for i in found:
                second.update([("store", mask + i), ("store", seen + i), ("store", over), ("store", update + i)])
            self.assertEqual(got[2 * level + 1], second, level)
            active, visited = found, visited | found
        self.assertEqual(active, set())

    def long_list(self, times):
        """Like a trace of hours: one kernel many times."""
        folder = self.copy("version-1")
        (folder / "kernelslist.g").write_text("MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\n" * times)
        return folder

    @unittest.skipIf(SANITIZED, "the sanitizers' memory is larger")
    def test_memory_does_not_grow_with_the_trace(self):
        folder = self.dir / "large"
        folder.mkdir()
        (folder / "kernelslist.g").write_text("kernel-1.traceg\n")
        line = "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4 0\n"
        with open(folder / "kernel-1.traceg", "w", encoding="ascii") as file:
            file.write("-kernel name = k\n-grid dim = (512,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n#\n")
            for block in range(512):
                file.write(f"#BEGIN_TB\nthread block = {block},0,0\nwarp = 0\ninsts = 1000\n" + line * 1000 + "#END_TB\n")
        self.assertGreater((folder / "kernel-1.traceg").stat().st_size, 25 << 20)
        child = os.spawnv(os.P_NOWAIT, PROGRAM, [PROGRAM, "trace", "import-accelsim", "-q", str(folder), "-o",
                                                 str(self.dir / "x.wkt")])
        _, status, used = os.wait4(child, 0)
        self.assertEqual(status, 0)
        self.assertLess(used.ru_maxrss, 24 << 10, "KiB, of which the program itself is some 10 MiB")

    def test_an_interrupt_leaves_no_file(self):
        folder = self.long_list(20000)
        for by in (signal.SIGINT, signal.SIGTERM):
            with self.start("trace", "import-accelsim", folder, "-o", "x.wkt") as child:
                deadline = time.time() + 60
                while not (self.dir / "x.wkt.partial").exists() and time.time() < deadline:
                    time.sleep(0.01)
                child.send_signal(by)
                said = child.communicate(timeout=ENOUGH)[1]
            self.assertEqual(child.returncode, 130, said)
            self.assertIn("import interrupted; there is no x.wkt", said)
            self.assertEqual([f.name for f in self.dir.glob("*.wkt*")], [])


if __name__ == "__main__":
    unittest.main()
