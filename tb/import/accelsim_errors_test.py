#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Malformed Accel-Sim traces: every kind of fault is refused with its file, its line and the nearest valid name (the table of
docs/use/accelsim.md), and leaves no file."""
import json
import lzma
import os
import unittest
import zlib

from walkway_run import RunTest, few_resources, tiny_files

KERNEL = """\
-kernel name = k
-kernel id = 1
-grid dim = (2,2,1)
-block dim = (48,1,1)
-shmem = 0
-binary version = 80
-shmem base_addr = 0x00007f4002000000
-local mem base_addr = 0x00007f4000000000
-accelsim tracer version = 5
-enable lineinfo = 0

#traces format = x
#BEGIN_TB
thread block = 0,0,0
warp = 0
insts = 3
0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4 0
0020 0000000f 1 R5 LDG.E 1 R2 4 2 0x7f0000000000 4 4 4 0
0030 00000003 0 STG.E 2 R2 R4 4 0 0x00007f0000000000 0x00007f0000000008 0
warp = 1
insts = 1
0040 0000ffff 0 EXIT 0 0 0
#END_TB
"""
LIST = "MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\n"


class AccelsimErrorsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.folder = self.dir / "traces"
        self.folder.mkdir()
        (self.folder / "kernelslist.g").write_text(LIST)
        (self.folder / "kernel-1.traceg").write_text(KERNEL)

    def refused(self, *says, source=None, code=2, **more):
        done = self.run_it("trace", "import-accelsim", source or self.folder / "kernelslist.g", "-o", "x.wkt", code=code, **more)
        text = done.stderr
        self.assertTrue(text.startswith("walkway: "), text)
        self.assertNotIn("internal error", text)
        self.assertLess(len(text), 600, "a message, not a dump")
        self.assertFalse(any(ord(c) < 32 and c != "\n" for c in text), repr(text))
        for part in says:
            self.assertIn(part, text)
        self.assertEqual([f.name for f in self.dir.glob("x.wkt*")], [], "no file")

    def line(self, number, text, *says, at=None):
        """Tests the kernel's trace with line `number` replaced (None: deleted)."""
        lines = KERNEL.split("\n")
        lines[number - 1:number] = [] if text is None else [text]
        (self.folder / "kernel-1.traceg").write_bytes("\n".join(lines).encode("latin-1"))
        with self.subTest(text if text is not None else f"without line {number}"):
            self.refused(f"kernel-1.traceg:{number if at is None else at}: " if at != 0 else "kernel-1.traceg: ", *says)

    def list(self, text, number, *says):
        (self.folder / "kernelslist.g").write_bytes(text.encode("latin-1"))
        with self.subTest(text):
            self.refused(f"kernelslist.g:{number}: " if number else "kernelslist.g: ", *says)

    def test_what_they_are_before_they_are_changed(self):
        self.run_it("trace", "import-accelsim", self.folder, "-o", "x.wkt")
        self.run_it("trace", "verify-accelsim", self.folder, "x.wkt")

    def test_lists(self):
        self.list("kernal-1.traceg\n", 1, "'kernal' is neither", "did you mean 'kernel'?")
        self.list(LIST + "\nMemcpyHtod,0x1000,1\n", 4, "did you mean 'MemcpyHtoD'?")
        self.list("MemcpyHtoD,1000,1\n" + LIST, 1, "without an address 0x")
        self.list("MemcpyHtoD,0xg,1\n" + LIST, 1, "without an address 0x")
        self.list("MemcpyHtoD,0x1000\n" + LIST, 1, "a comma behind it")
        self.list("MemcpyHtoD,0x1000,ten\n" + LIST, 1, "no decimal number of bytes")
        self.list("MemcpyHtoD,0x1000,10 20\n" + LIST, 1, "no decimal number of bytes")
        self.list("MemcpyHtoD,0x1000,99999999999999999999\n" + LIST, 1, "no decimal number of bytes")
        self.list("MemcpyHtoD,0x200000000000000,1\n" + LIST, 1, "beyond the 57 bits")
        self.list("MemcpyHtoD,0x1000,144115188075855872\n" + LIST, 1, "beyond the 57 bits")
        self.list("kernel-2.traceg\n", 1, "'kernel-2.traceg' is not there", "did you mean 'kernel-1.traceg'?")
        self.list("kernel-1.trace\n", 1, "a raw trace", "post-traces-processing")
        self.list("kernel-1.trace.xz\n", 1, "a raw trace")
        self.list("kernel-1.trace.gz\n", 1, "a raw trace")
        self.list("kernel-1.tracez\n", 1, "'kernel-1.tracez' is a binary trace", "*.traceg")
        self.list("MemcpyHtoDAsymc,0x1000,1\n", 1, "'MemcpyHtoDAsymc' is neither", "did you mean 'MemcpyHtoD'?")
        self.list("kernel-\0.traceg\n", 1, "a byte 0")
        self.list("", 0, "no kernel in this list")
        self.list("MemcpyHtoD,0x1000,1\n", 0, "no kernel in this list")
        self.list("\x1b]0;owned\x07\n", 0, "no kernel")

    def test_a_list_names_files_of_its_own_folder(self):
        """An import of a foreign archive must not read files elsewhere."""
        (self.folder / "kernel-d").mkdir()
        for name in ("kernel-1.traceg", "kernel-d/kernel-1.traceg"):
            (self.folder / name).write_text(KERNEL)
        outside = self.dir / "kernel-1.traceg"
        outside.write_text(KERNEL)
        up = f"../{self.folder.name}"
        for name in (f"kernel-d/../../{outside.name}", f"kernel-d/../{up}/kernel-1.traceg", "kernel-d/../kernel-1.traceg",
                     "kernel-d/.."):
            self.list(f"MemcpyHtoD,0x1000,1\n{name}\n", 2, f"'{name}' leads out of the list's folder")
        for name in (outside, f"../{outside.name}", "./kernel-1.traceg", "d/kernel-1.traceg", "x-1.traceg.gz"):
            self.list(f"{name}\n", 1, "lies in the list's folder, under a name that begins with 'kernel'")
        (self.folder / "kernel-..2.traceg").write_text(KERNEL)
        for name in ("kernel-d/kernel-1.traceg", "kernel-..2.traceg"): # valid: in a folder below, or two dots within a name
            (self.folder / "kernelslist.g").write_text(f"{name}\n")
            self.run_it("trace", "import-accelsim", "-q", self.folder, "-o", "x.wkt")
        self.assertNotEqual(self.run_it("trace", "verify-accelsim", self.folder, "x.wkt"), None)
        (self.folder / "kernel-link.traceg").symlink_to(outside) # a link is part of the folder, not of the list
        (self.folder / "kernelslist.g").write_text("kernel-link.traceg\n")
        self.run_it("trace", "import-accelsim", "-q", self.folder, "-o", "x.wkt")

    def test_commands_of_others_are_skipped_and_counted(self):
        others = ["MemcpyDtoH,0x1000,1", "MemcpyDtoD,0x1000,0x2000,1", "MemcpyHtoA,0x1000,1", "MemcpyPeer,1,2",
                  "MemcpyAsync,0x1000,1", "Memset,0x1000,1", "cudaMemcpyAsyncHtoD,0x00007fb50a800000",
                  "cudaMalloc,0x00007fb50a800000,8000000", "cudaFree,0x00007fb50a800000", "ncclGroupStart", "\x1b[2J"]
        (self.folder / "kernelslist.g").write_text(
            LIST + "\n".join(others) + "\nMemcpyHtoD,0x1000,0\nMemcpyHtoDAsync,0x1234000,8\n")
        self.assertIn(f"{len(others)} lines of the list", self.run_it("trace", "import-accelsim", self.folder, "-o", "x.wkt").stdout)
        buffers = json.loads(self.run_it("trace", "info", "--json", "x.wkt").stdout)["buffers"]
        self.assertEqual((buffers[0]["base_va"], buffers[0]["bytes"]), (0x1234000, 8))

    def test_keys_of_others_are_skipped_and_numbers_may_be_of_any_kind(self):
        text = KERNEL.replace("-shmem = 0\n", "-cluster dim = (2,1,1)\n-max cluster rank = 2\n-shmem = 0\n-nregs = -21955\n"
                              "-cuda stream id = -1430257136\n").replace("kernel id = 1", "kernel id = 18446744073709551615")
        (self.folder / "kernel-1.traceg").write_text(text.replace("version = 80", "version = 0"))
        self.run_it("trace", "import-accelsim", self.folder, "-o", "x.wkt")
        self.run_it("trace", "verify-accelsim", self.folder, "x.wkt")

    def test_what_is_no_list(self):
        self.refused("No such file", source="nowhere")
        self.refused("File name too long", source="x" * 300)
        (self.dir / "loop").symlink_to("loop")
        self.refused("Too many levels of symbolic links", source="loop")
        self.refused("there is no kernelslist.g in it", source=self.dir)
        (self.dir / "kernelslist").write_text("kernel-1.trace\n")
        self.refused("raw traces", source=self.dir)
        (self.dir / "kernelslist").rename(self.dir / "kernelslist_ctx_0x55c2")
        self.refused("raw traces", source=self.dir)
        for context in ("0x66", "0x55c2"):
            (self.dir / f"kernelslist_ctx_{context}.g").write_text("kernel-1.traceg\n")
        self.refused("no kernelslist.g in it, but kernelslist_ctx_0x55c2.g: give that", source=self.dir)
        self.refused("an archive", "tar xf", source="bfs.tar.xz")
        os.mkfifo(self.dir / "fifo")
        self.refused("not a regular file", source="fifo")
        (self.folder / "kernel-1.traceg").unlink()
        os.mkfifo(self.folder / "kernel-1.traceg")
        self.refused("kernel-1.traceg: not a regular file")
        (self.folder / "kernel-1.traceg").unlink()
        (self.folder / "kernel-1.traceg").mkdir()
        self.refused("kernel-1.traceg: not a regular file")

    def test_headers(self):
        self.line(3, "-gird dim = (2,2,1)", "'gird dim' is no key of the header", "did you mean 'grid dim'?")
        self.line(1, None, "the header has no '-kernel name = '", at=11)
        self.line(3, None, "the header has no '-grid dim = '", at=11)
        self.line(4, None, "the header has no '-block dim = '", at=11)
        self.line(9, None, "the header has no '-accelsim tracer version = '", at=11)
        self.line(2, "-shmem = 0", "'shmem' stands here a second time", at=5)
        self.line(1, "-kernel name = ", "kernel name is '', not a name")
        self.line(2, "-kernel id = one", "kernel id is 'one', not a decimal number")
        self.line(3, "-grid dim = (2,2)", "grid dim is '(2,2)', not (x,y,z)")
        self.line(3, "-grid dim = (2,0,1)", "none of them 0")
        self.line(3, "-grid dim = (2,2,1) 4", "not that alone")
        self.line(3, "-grid dim = (1,65536,1)", "more than 65535 thread blocks in y or z", at=0)
        self.line(3, "-grid dim = (100000000,1,1)", "more than 4294967295 threads", at=0)
        self.line(4, "-block dim = 48,1,1", "not (x,y,z)")
        self.line(4, "-block dim = (48,22,1)", "more than 1024 threads", at=0)
        self.line(4, "-block dim = (1025,1,1)", "more than 1024 threads", at=0)
        self.line(5, "-shmem = -1", "not a decimal number of bytes")
        self.line(5, "-shmem = 4294967296", "not a decimal number of bytes")
        self.line(6, "-binary version = sm_80", "not a decimal number")
        self.line(7, "-shmem base_addr = 7f40", "not an address 0x")
        self.line(8, "-local mem base_addr = 0x1ffffffffffffffff", "not an address 0x")
        self.line(9, "-accelsim tracer version = 6", "1 to 5: version 6 is not read")
        self.line(9, "-accelsim tracer version = 0", "not one of 1 to 5")
        self.line(9, "-accelsim tracer version = 7", "not one of 1 to 5")
        self.line(9, "-accelsim tracer version = 5.x", "not a number")
        self.line(10, "-enable lineinfo = 2", "not 0 or 1")
        self.line(10, "-enable lineinfo", "without '='")
        self.line(11, "0010 ffffffff 0 EXIT 0 0", "in the header stands '0010 ffffffff 0 EXIT 0 0'")
        for text, says in ((b"", "the file is empty"), (b"-kernel name = k\n", "the file ends in its header"),
                           (b"\x1b]0;owned\x07" * 9, "in the header stands"), (b"x" * 70000, "longer than 65536 bytes"),
                           (b"\0" * (3 << 20), "longer than 65536 bytes")):
            (self.folder / "kernel-1.traceg").write_bytes(text)
            self.refused("kernel-1.traceg", says)

    def test_bodies(self):
        self.line(13, "#BEGIN_BT", "'#BEGIN_BT' is not the begin of a thread block", "did you mean '#BEGIN_TB'?")
        self.line(11, "#BEGIN_TBS\nthread block = 0,0,0", "'thread block' is not the begin of a thread block", at=12)
        self.line(13, "0010 ffffffff 0 EXIT 0 0", "outside a thread block", "raw trace")
        self.line(14, "thread blok = 0,0,0", "did you mean 'thread block'?")
        self.line(14, None, "'warp' is not 'thread block = x,y,z'")
        self.line(14, "thread block = 0,0", "three decimal numbers")
        self.line(14, "thread block = 0,0,0,0", "three decimal numbers")
        self.line(14, "thread block = 2,0,0", "thread block 2,0,0 is not of the grid (2,2,1)")
        self.line(14, "thread block = 0,2,0", "not of the grid")
        self.line(14, "thread block = 0,0,1", "not of the grid")
        self.line(15, "wrap = 0", "neither 'warp = n' nor #END_TB", "did you mean 'warp'?")
        self.line(15, "warp = 2", "no decimal number from 0 to 1")
        self.line(15, "warp = -1", "no decimal number from 0 to 1")
        self.line(20, "warp = 0", "warp 0 stands here a second time")
        self.line(16, "inst = 3", "'inst' is not 'insts = n'", "did you mean 'insts'?")
        self.line(16, "insts = many", "insts is no decimal number")
        self.line(16, "insts = 4", "warp 0 states 4 instructions; 1 of them are missing here", at=20)
        self.line(16, "insts = 2", "warp 0 has more instructions than the 2 it states", at=19)
        self.line(23, "#END_BT", "did you mean '#END_TB'?")
        self.line(23, None, "the file ends inside a thread block", at=22)
        self.line(23, "#END_TB\n#BEGIN_TB\nthread block = 0,0,0", "thread block 0,0,0 stands here a second time", at=25)

    def test_instructions(self):
        def instruction(text, *says):
            self.line(17, text, *says)
        instruction("001x ffffffff 0 NOP 0 0", "the pc is '001x', not a hexadecimal number")
        instruction("100000000 ffffffff 0 NOP 0 0", "up to 32 bits")
        instruction("0010", "the line ends where the mask should be")
        instruction("0010 fffffff 0 NOP 0 0", "the mask is 'fffffff', not 8 hexadecimal digits")
        instruction("0010 0ffffffff 0 NOP 0 0", "the mask is '0ffffffff'")
        instruction("0010 ffffffff x NOP 0 0", "the number of destinations is 'x'")
        instruction("0010 ffffffff 9 NOP 0 0", "the number of destinations is '9', not a number up to 8")
        instruction("0010 ffffffff 1 NOP 0 0", "an operand is 'NOP', not a register R<n>")
        instruction("0010 ffffffff 1 R256 NOP 0 0", "an operand is 'R256'")
        instruction("0010 ffffffff 0 nop 0 0", "the opcode is 'nop'")
        instruction("0010 ffffffff 0 NOP", "the line ends where the number of sources should be")
        instruction("0010 ffffffff 0 NOP 2 R1 0", "an operand is '0'")
        instruction("0010 ffffffff 0 NOP 0", "the line ends where the access size should be")
        instruction("0010 ffffffff 0 NOP 0 129", "the access size is '129', not bytes per lane, 0 to 128")
        instruction("0010 ffffffff 0 STG 0 4", "the line ends where the address mode should be")
        instruction("0010 ffffffff 0 STG 0 4 3 0x1000", "the address mode is '3', not 0 (list), 1 (base and stride) or 2")
        instruction("0010 00000003 0 STG 0 4 0 0x1000", "the line ends where an address should be")
        instruction("0010 00000003 0 STG 0 4 0 0x1000 0", "an address is '0', not 0x... for each active lane")
        instruction("0010 00000001 0 STG 0 4 0 0x1000 0x2000", "more addresses than lanes")
        with self.subTest("version 1"):
            (self.folder / "kernel-1.traceg").write_text(KERNEL.replace("version = 5", "version = 1").replace(
                "0010 ffffffff", "0 0 0 0 0010 00000005").replace("4 1 0x7f0000000000 4 0", "4 0 0x1000 0x1004 0x1008"))
            self.refused("traceg:17: ", "3 addresses for 2 active lanes: version 1 lists those of lanes that the predicate turned off")
        instruction("0010 00000003 0 STG 0 4 1 4096 4", "the base address is '4096', not 0x")
        instruction("0010 00000003 0 STG 0 4 1 0x1000", "the line ends where the stride should be")
        instruction("0010 00000003 0 STG 0 4 1 0x1000 0x4", "the stride is '0x4', not a decimal number")
        instruction("0010 00000005 0 STG 0 4 1 0x1000 4 0", "mode 1) for the lanes 00000005: they are not in one run")
        instruction("0010 00000003 0 STG 0 4 2 0x10000000000000000 4 0", "the base address is '0x10000000000000000'")
        instruction("0010 0000000f 0 STG 0 4 2 0x1000 4 4", "the line ends where a delta should be")
        instruction("0010 00000003 0 STG 0 4 2 0x1000 9223372036854775808 0", "a delta is '9223372036854775808'")
        instruction("0010 00000003 0 STG 0 4 2 0x1000 4 4 4 4", "what ends the line is '4', not one or two immediates")
        instruction("0010 ffffffff 0 NOP 0 0 0 junk", "what ends the line is 'junk'")
        instruction("0010 ffffffff 0 UTMALDG.2D 0 0 0", "UTMALDG.2D: the bulk copies of TMA cannot be imported")
        instruction("0010 00000001 0 STG 0 4 2 0x200000000000000 0", "an address beyond 57 bits")
        instruction("0010 00000001 0 STG 0 4 2 0x1fffffffffffffe 0", "an address beyond 57 bits")
        instruction("0010 00000001 0 STL 0 4 2 0x1000000 0", "beyond the 16 MiB of a thread's local memory")
        instruction("0010 ffffffff 0 \x1b[2J 0 0", "the opcode is '?[2J'")
        instruction("0010 ffffffff 0 " + "X" * 3000 + " 0 x", "the access size is 'x'")
        instruction("0010 " + "f" * 70000, "the mask is 'ffffffff")
        self.line(22, "0040 00010000 0 EXIT 0 0 0", "active lanes 00010000, but only 0000ffff of warp 1 have a thread")

    def test_lines_of_versions_1_and_2_say_where_they_belong(self):
        old = KERNEL.replace("version = 5", "version = 2").replace("\n00", "\n0 0 0 0 00").replace("0 0 0 0 0040", "0 0 0 1 0040")
        for change, says in (("", None), ("0 0 0 1 0020", "another warp"), ("0 1 0 0 0020", "another thread block"),
                             ("0020", "another thread block"), ("0 0 0 x 0020", "block or warp is 'x'")):
            (self.folder / "kernel-1.traceg").write_text(old.replace("0 0 0 0 0020", change) if change else old)
            if says is None:
                self.run_it("trace", "import-accelsim", self.folder, "-o", "x.wkt")
                (self.dir / "x.wkt").unlink()
            else:
                self.refused("kernel-1.traceg:18: ", says)

    def test_line_numbers_of_the_program(self):
        (self.folder / "kernel-1.traceg").write_text(KERNEL.replace("lineinfo = 0", "lineinfo = 1"))
        self.refused("kernel-1.traceg:17: ", "the mask is '1', not 8 hexadecimal digits") # the pc was read as the source line
        (self.folder / "kernel-1.traceg").write_text(
            KERNEL.replace("lineinfo = 0", "lineinfo = 1").replace("0010 ffffffff", "a 0010 ffffffff"))
        self.refused("kernel-1.traceg:17: ", "the source line is 'a', not a decimal number")

    def test_packed_files(self):
        file = self.folder / "kernel-1.traceg"
        packed = lzma.compress(KERNEL.encode())
        for bad, says in ((packed[:-1], "it is cut off"), (packed[:40], "it is cut off"), (packed + b"more", "cannot unpack"),
                          (packed[:60] + bytes([packed[60] ^ 255]) + packed[61:], "cannot unpack: it is damaged"),
                          (packed[:6], "it is cut off"), (b"\xfd7zXZ\0" + b"x" * 30, "cannot unpack")):
            file.write_bytes(bad)
            self.refused("kernel-1.traceg:", says)
        head = bytearray(packed[12:12 + 4 * (packed[12] + 1)]) # the block's header, which now states a dictionary of 4 GiB
        head[head.index(b"\x21\x01") + 2] = 40
        head[-4:] = zlib.crc32(head[:-4]).to_bytes(4, "little")
        file.write_bytes(packed[:12] + head + packed[12 + len(head):])
        self.refused("more than 1 GiB to be unpacked")

    def test_the_output(self):
        (self.dir / "x.wkt.partial").mkdir()
        done = self.run_it("trace", "import-accelsim", self.folder, "-o", "x.wkt", code=4)
        self.assertIn("x.wkt.partial: cannot create", done.stderr)
        (self.dir / "x.wkt.partial").rmdir()
        self.refused("cannot write", source=self.folder, code=4, preexec_fn=tiny_files(100))

    def test_command_lines(self):
        for words, says in ((["import-accelsim", self.folder], "wants -o TRACE.wkt"),
                            (["import-accelsim", "-o", "x.wkt"], "import-accelsim: wants one file"),
                            (["import-accelsim", "-o", "x.wkt", "a", "b"], "wants one file"),
                            (["verify-accelsim", self.folder], "verify-accelsim: wants two files"),
                            (["verify-accelsim", "-q", "a", "b"], "has no option --quiet"),
                            (["import-accelsim", "--lanes", "-o", "x.wkt", "a"], "has no option --lanes"),
                            (["import-accelsm", "a"], "did you mean 'import-accelsim'?"),
                            (["import-accelsim", "--level", "20", "-o", "x.wkt", self.folder], "--level 20"),
                            ([], "trace: wants")):
            done = self.run_it("trace", *words, code=1)
            self.assertIn(says, done.stderr)
        self.assertEqual(list(self.dir.glob("x.wkt*")), [])

    def test_no_input_takes_memory_or_time_without_bound(self):
        (self.folder / "kernel-1.traceg").write_text(
            KERNEL.replace("(2,2,1)", "(4294967,65535,65535)").replace("(48,1,1)", "(1000,1,1)"))
        self.run_it("trace", "import-accelsim", self.folder, "-o", "x.wkt", preexec_fn=few_resources)
        (self.dir / "x.wkt").unlink()
        lines = "".join(f"0010 00000001 0 STG 0 4 2 0x{i << 21:x} 0\n" for i in range(1000))
        (self.folder / "kernel-1.traceg").write_text(KERNEL.replace("insts = 3", "insts = 1003").replace(
            "0010 ffffffff 1", lines + "0010 ffffffff 1"))
        self.run_it("trace", "import-accelsim", self.folder, "-o", "x.wkt", preexec_fn=few_resources)


if __name__ == "__main__":
    unittest.main()
