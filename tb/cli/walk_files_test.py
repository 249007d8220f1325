#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The files from which walkway walk reads memory: cores whose segments cover the same memory several times, or none; files that are not
memory, recognized by their first bytes; raw files with holes."""
import json
import os
import pathlib
import random
import struct
import unittest

import jsonschema

from walk_case import WalkTest
from walk_images import NO_ADDRESS, P, U, W, Tables, core, qemu_note

SCHEMA = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "stats.schema.json").read_text())

# First bytes of files (or bytes at an offset; below 0: from their end), and words of the refusal.
FOREIGN = [
    # crash dumps
    (b"KDUMP   ", 0, "kdump-compressed", "without -z"), (b"DISKDUMP", 0, "kdump-compressed", "makedumpfile -E"),
    (b"diskdump", 0, "diskdump", "makedumpfile -E"), (b"makedumpfile\0\0\0\0", 0, "flattened", "makedumpfile -R"),
    (struct.pack("<Q", 0xa8190173618f23ed), 0, "LKCD", "crash utility"), (struct.pack("<Q", 0xa8190173618f23cd), 0, "LKCD", "crash utility"),
    (struct.pack("<II", 0x75646173, 0x0000706d), 0, "sadump", "crash utility"),
    (struct.pack("<II", 0x75646173, 0x0000706d), 4096, "sadump", "crash utility"),
    (b"PAGEDU64", 0, "crash dump of Windows", "layerwriter"), (b"PAGEDUMP", 0, "32-bit Windows", "4 or 5 levels"),
    (b"MDMP\x93\xa7", 0, "minidump of Windows", "one process"), (b"minidump FreeBSD/amd64", 0, "FreeBSD", "debug.minidump=0"),
    (struct.pack("<I", 0xdefec8ed), 0, "Solaris", "mdb"), (struct.pack("<I", 0xfeedfacf), 0, "Mach-O", "ELF"),
    # acquired memory
    (struct.pack("<I", 0x4c694d45), 0, "LiME", "format=padded"), (struct.pack("<I", 0x4c4d5641), 0, "AVML", "avml-convert"),
    (b"HPAK", 0, "HPAK", "hpakextract"), (b"EVF\t\r\n\xff\0", 0, "EWF", "ewfexport"), (b"EVF2\r\n\x81\0", 0, "EWF2", "ewfexport"),
    (b"LVF\t\r\n\xff\0", 0, "logical EWF", "ewfexport"), (b"LEF2\r\n\x81\0", 0, "logical EWF2", "ewfexport"),
    (b"AFF10\r\n\0", 0, "AFF", "affconvert"), (b"ADSEGMENTEDFILE\0", 0, "AD1", "FTK Imager"),
    (b"PK\3\4" + bytes(26) + b"container.description", 0, "AFF4", "aff4imager"),
    # machines that were saved
    (b"QEVM", 0, "saved state of QEMU", "dump-guest-memory"), (b"LibvirtQemudSave", 0, "libvirt", "virsh dump --memory-only"),
    (b"LibvirtQemudPart", 0, "unfinished", "virsh dump --memory-only"), (b"libvirt-xml\n \0 \r", 0, "libvirt (Xen)", "layerwriter"),
    (b"Xen saved domain, xl format\n \0 \r", 0, "Xen", "layerwriter"), (b"XenSavedDomain\n", 0, "Xen", "layerwriter"),
    (b"LinuxGuestRecord", 0, "Xen", "layerwriter"), (b"\xff" * 8 + struct.pack(">I", 0x58454e46), 0, "Xen", "layerwriter"),
    (struct.pack("<I", 0xf00febed), 0, "core of Xen", "layerwriter"), (struct.pack("<I", 0xf00febee), 0, "core of Xen (HVM)", "layerwriter"),
    *((struct.pack("<I", magic), 0, "VMware", "vmss2core") for magic in (0xbed2bed0, 0xbed0bed2, 0xbad1bad1, 0xbed2bed2, 0xbed3bed3)),
    (b"\x7fVirtualBox SavedState V2.0\n", 0, "saved state of VirtualBox", "dumpvmcore"),
    (struct.pack("<I", 0x01282014), 0, "Hyper-V", "MemProcFS"), (b"VMA\0", 0, "Proxmox", "dump-guest-memory"),
    # hibernation
    *((word, 0, "hibernation file of Windows", "MemProcFS")
      for word in (b"hibr", b"HIBR", b"wake", b"WAKE", b"rstr", b"RSTR", b"HORM", b"link", b"LINK", b"brkp", b"BRKP")),
    *((word, 4096 - 10, "hibernation image of Linux", "running machine") for word in (b"S1SUSPEND", b"S2SUSPEND", b"ULSUSPEND", b"LINHIB0001")),
    (b"\xed\xc3\x02\xe9\x98\x56\xe5\x0c", 0, "TuxOnIce", "running machine"),
    (b"SWAPSPACE2", 4096 - 10, "swap space", "single pages"), (b"SWAP-SPACE", 4096 - 10, "swap space", "single pages"),
    # disks
    *((magic, at, name, "a disk, not memory") for magic, at, name in (
        (b"QFI\xfb", 0, "qcow2"), (b"QED\0", 0, "QED"), (b"OOOM", 0, "COW"), (b"KDMV", 0, "VMDK"), (b"COWD", 0, "VMDK of ESX"),
        (struct.pack("<Q", 0xcafebabe), 0, "SE sparse"), (b"# Disk DescriptorFile", 0, "VMDK"), (b"vhdxfile", 0, "VHDX"),
        (b"conectix", 0, "VHD"), (b"conectix", -512, "VHD of fixed size"), (b"koly", -512, "DMG"),
        (struct.pack("<I", 0xbeda107f), 64, "VDI"), (b"WithoutFreeSpace", 0, "Parallels"), (b"WithouFreSpacExt", 0, "Parallels"),
        (b"Bochs Virtual HD Image", 0, "Bochs"), (b"LUKS\xba\xbe", 0, "LUKS"), (b"-FVE-FS-", 3, "BitLocker"), (b"NTFS    ", 3, "NTFS"),
        (b"EFI PART", 512, "GPT"), (b"EFI PART", 4096, "GPT"), (b"\x55\xaa", 510, "MBR"), (struct.pack("<I", 0xed26ff3a), 0, "Android sparse"),
        (b"#!/bin/sh\n#V2.0 Format\n", 0, "cloop"), (struct.pack("<HH", 0xef53, 1), 1024 + 0x38, "ext"), (b"CD001", 0x8001, "ISO 9660"), (b"hsqs", 0, "squashfs"), (b"XFSB", 0, "XFS"),
        (b"_BHRfS_M", 0x10040, "btrfs"))),
    # boot images
    (b"HdrS", 0x202, "bzImage", "the machine that runs it"), (b"_FVH", 40, "UEFI", "the machine that runs it"),
    # packed
    *((magic, at, name, "unpack it first") for magic, at, name in (
        (b"\x1f\x8b\x08", 0, "gzip"), (b"\xfd7zXZ\0", 0, "xz"), (b"\x28\xb5\x2f\xfd", 0, "zstd"), (b"BZh91AY&SY", 0, "bzip2"),
        (b"\x04\x22\x4d\x18", 0, "lz4"), (b"\x02\x21\x4c\x18", 0, "lz4, legacy"), (b"\xff\6\0\0sNaPpY", 0, "snappy"),
        (b"\x89LZO\0\r\n\x1a\n", 0, "lzop"), (b"LZIP\1", 0, "lzip"), (b"LRZI", 0, "lrzip"), (b"\x5d\0\0\x80\0", 0, "lzma"),
        (b"\x1f\x9d\x90", 0, "compress"), (b"PK\3\4", 0, "zip"), (b"PK\5\6", 0, "zip"), (b"PK\7\x08", 0, "zip"),
        (b"7z\xbc\xaf\x27\x1c", 0, "7z"), (b"Rar!\x1a\7\0", 0, "rar"), (b"MSCF", 0, "cab"), (b"MSWIM\0\0\0", 0, "wim"), (b"xar!", 0, "xar"),
        (b"!<arch>\n", 0, "ar"), (b"070701", 0, "cpio"), (b"070707", 0, "cpio"), (b"ustar\0" b"00", 257, "tar"))),
]


class CoreTest(WalkTest):
    END = 0x40000

    def tables(self):
        t = Tables()
        for va, pa in ((0x400000, 0x30000), (0x7f0000000000, 0x31000), (0xffffffff81000000, 0x32000)):
            t.map(va, pa)
        return t

    def cut(self, memory, rng):
        """Cuts all of it into overlapping pieces (pa, bytes), in any order, few of them at the boundary of a page or a line."""
        places = [0, *sorted(rng.sample(range(1, self.END), 40)), self.END]
        pieces = [(a, memory[a:b]) for a, b in zip(places, places[1:])]
        for _ in range(30):
            a, b = sorted(rng.sample(range(self.END + 1), 2))
            pieces.append((a, memory[a:b]))
        pieces += rng.sample(pieces, 5)
        rng.shuffle(pieces)
        return pieces

    def write(self, pieces):
        core(self.image, [(pa, bytes_, None) for pa, bytes_ in pieces], qemu_note(0x1000))

    def test_equal_bytes_at_one_address_are_one_memory_in_any_order_and_overlap(self):
        t = self.tables()
        for seed in range(12):
            rng = random.Random(seed)
            memory = bytearray(rng.randbytes(self.END))
            memory[:0x10000] = t.memory(0, 0x10000)
            self.write(self.cut(memory, rng))
            self.assertEqual(self.listed(t), t.ranges())
            self.refused("--memory", self.image, "--root", hex(self.END), "0", code=1,
                         says="outside the image: the image has 0x0 to 0x40000\n")

    def test_one_different_byte_at_one_address_is_refused_with_the_address(self):
        memory = bytes(self.END)
        for seed in range(24):
            rng = random.Random(seed)
            pieces = self.cut(memory, rng)
            at = rng.choice(pieces)  # the first byte of a piece, its last, or any
            place = (at[0], at[0] + len(at[1]) - 1, rng.randrange(self.END))[seed % 3]
            having = [i for i, (pa, bytes_) in enumerate(pieces) if pa <= place < pa + len(bytes_)]
            if len(having) == 1:
                continue
            changed = rng.choice(having)
            pa, bytes_ = pieces[changed]
            pieces[changed] = (pa, bytes_[:place - pa] + b"\1" + bytes_[place - pa + 1:])
            self.write(pieces)
            error = self.refused("--memory", self.image, "0", says=f"have different bytes at the same physical address, {place:#x}:")
            self.assertRegex(error, rf"segment {changed + 1} and |and segment {changed + 1} have")  # the first segment is the notes

    def test_the_kernel_may_have_a_place_of_its_own_in_a_core_as_in_vmcore(self):
        """A core with the kernel's text first, then all RAM, which contains it again; and the other way round."""
        t = self.tables()
        ram = bytearray(t.memory(0, self.END))
        text = bytes(ram[0x1000:0x3000])
        for segments in ([(0x1000, text), (0, bytes(ram))], [(0, bytes(ram)), (0x1000, text)]):
            self.write(segments)
            self.assertEqual(self.listed(t), t.ranges())

    def test_a_segment_without_a_physical_address_is_left_out_and_that_is_said_once(self):
        t = self.tables()
        ram = (0, t.memory(0, self.END), None)
        for before, says in (([(NO_ADDRESS, 1 << 45, None)], "image: segment 1 has no physical address (p_paddr is all ones): left out"),
                             ([(NO_ADDRESS, 1 << 45, None), (NO_ADDRESS, b"x", None)],
                              "image: 2 segments, the first segment 1, have no physical address")):
            core(self.image, [*before, ram], qemu_note(0x1000))
            done = self.walk("--memory", self.image, "0x400000", "0x7f0000000000")
            self.assertIn("physical 0x30000", done.stdout)
            self.assertEqual(done.stderr.count("no physical address"), 1)
            self.assertIn(says, done.stderr)
        core(self.image, [(NO_ADDRESS, b"x", None)], qemu_note(0x1000))
        self.refused("--memory", self.image, "0", says=["none of its 2 segments holds any; segment 1 has no physical address"])
        core(self.image, [(NO_ADDRESS - 1, b"x", None), ram], qemu_note(0x1000))
        self.refused("--memory", self.image, "0", says="segment 1 reaches beyond physical addresses of 52 bits")


class ForeignTest(WalkTest):
    def test_what_is_known_to_be_no_memory_is_refused_by_name_with_what_makes_memory_of_it(self):
        for magic, at, name, remedy in FOREIGN:
            with self.subTest(magic=magic, at=at):
                raw = bytearray(0x20000)
                at = at % len(raw)
                raw[at:at + len(magic)] = magic
                self.image.write_bytes(raw)
                words = ("--memory", self.image, "--root", "0x1000", "0x0")
                self.refused(*words, says=["image: ", name, remedy, " (--raw takes it as raw memory all the same)"])
                self.walk(*words[:2], "--raw", *words[2:])
                if name != "AFF4":  # without its first byte a zip file is still recognized by its contents
                    raw[at] ^= 0x40
                    self.image.write_bytes(raw)
                    self.walk(*words)

    def test_of_several_marks_the_one_that_says_more_counts(self):
        for marks, name in (((510, b"\x55\xaa"), (0x202, b"HdrS")), "bzImage"), (((510, b"\x55\xaa"), (512, b"EFI PART")), "GPT"), \
                (((510, b"\x55\xaa"), (3, b"NTFS    ")), "NTFS"), (((510, b"\x55\xaa"), (0x8001, b"CD001")), "ISO 9660"), \
                (((0, b"PK\3\4"), (30, b"container.description")), "AFF4"), (((0, b"conectix"), (0x20000 - 512, b"conectix")), "(VHD)"):
            raw = bytearray(0x20000)
            for at, magic in marks:
                raw[at:at + len(magic)] = magic
            self.image.write_bytes(raw)
            self.refused("--memory", self.image, "--root", "0x1000", "0", says=name)

    def test_a_file_shorter_than_what_it_could_begin_with_is_memory(self):
        for size in (1, 3, 8, 4087, 512):
            self.image.write_bytes(b"\0" * size)
            self.refused("--memory", self.image, "--root", "0", "0", code=1, says="outside the image")


class RootPageTest(WalkTest):
    def test_a_root_without_an_entry_is_said(self):
        t = Tables()
        t.write_raw(self.image, 0x10000)
        for words in (("0x0",), ("--dump",)):
            done = self.walk("--memory", self.image, "--root", "0x1000", *words)
            self.assertIn("the root's page at 0x1000 holds no entry that is present: nothing is mapped", done.stderr)
        core(self.image, [(0, t.memory(0, 0x10000), None)], qemu_note(0x1000))
        self.assertIn("holds no entry that is present", self.walk("--memory", self.image, "0").stderr)

    def test_a_root_whose_entries_lead_nowhere_is_said(self):
        for levels in (4, 5):
            t = Tables(levels)
            words = ("--memory", self.image, "--root", "0x1000", "--kind", f"radix{levels}", "0")
            t.node(t.root)[511] = 0x123456000 | P
            t.write_raw(self.image, 0x10000)
            self.assertIn("has 1 entry that is present, and none leads to a table in the image", self.walk(*words).stderr)
            t.node(t.root)[3] = 0x2000 | P | 1 << 7  # a reserved bit of the format
            t.write_raw(self.image, 0x10000)
            self.assertIn("has 2 entries that are present, and none", self.walk(*words).stderr)
            t.node(t.root)[300] = 0x2000 | P
            t.write_raw(self.image, 0x10000)
            self.assertEqual(self.walk(*words).stderr, "")


class ControlRegisterTest(WalkTest):
    def test_flags_of_upper_bits_are_left_out_of_the_address_and_said(self):
        t = Tables()
        t.map(0x400000, 0x5000)
        t.write_raw(self.image, 0x10000)
        for bits, says in (([61], ["LAM_U57"]), ([62], ["LAM_U48"]), ([61, 62], ["LAM_U57", "LAM_U48"]), ([63], ["bit 63"]),
                           ([61, 63], ["LAM_U57", "bit 63"])):
            done = self.walk("--memory", self.image, "--root", hex(0x1000 | sum(1 << b for b in bits)), "0x400123")
            self.assertIn("physical 0x5123", done.stdout)
            self.assertEqual(done.stderr.count("no part of the table's address"), len(bits))
            for word in says:
                self.assertIn(word, done.stderr)
        core(self.image, [(0, t.memory(0, 0x10000), None)], qemu_note(0x1018 | 1 << 62))
        done = self.walk("--memory", self.image, "0x400123")
        self.assertIn("physical 0x5123", done.stdout)
        self.assertIn("LAM_U48", done.stderr)
        self.assertIn("the low 12 bits, 0x18, are flags or a PCID", done.stderr)
        for bit in (52, 56, 60):
            self.refused("--memory", self.image, "--root", hex(0x1000 | 1 << bit), "0", code=1,
                         says="CR3 has no address bits above physical addresses of 52 bits")
        self.assertNotIn("LAM", self.refused("--memory", self.image, "--root", "0xffff888000001000", "0", code=1,
                                             says="this is a virtual address of a kernel"))

    def encrypted(self, bits, levels=4):
        """Makes tables whose entries, except one page's, have these bits."""
        t = Tables(levels)
        t.map(0x400000, 0x5000)
        t.map(0x40000000, 0x40000000, 3)
        t.map(0x600000, 0x200000, 2)
        expect = t.ranges()
        leaf, index = t.path(0x401000, 1)
        for entries in t.nodes.values():
            entries[:] = [e | bits if e & P else e for e in entries]
        t.node(leaf)[index] = 0x6000 | P | W | U
        expect[0][1] += 0x1000
        t.write_raw(self.image, 0x10000)
        return t, expect

    def test_bits_that_choose_an_encryption_are_no_part_of_an_address(self):
        for levels in (4, 5):
            for bits, text, phys in ((1 << 47, "47", "43"), (1 << 51, "51", "52"), (1 << 32, "32", "52"), (0b101101 << 46, "46-51", "46")):
                t, expect = self.encrypted(bits, levels)
                words = ("--encryption-bits", text, "--phys-bits", phys)
                self.assertEqual(self.listed(t, *words), expect)
                with_root = ("--memory", self.image, "--root", hex(t.root | bits), "--kind", f"radix{levels}", *words)
                done = self.walk(*with_root, "0x400123")
                self.assertIn("physical 0x5123", done.stdout)
                steps = [line.split("  ")[-1] for line in done.stdout.splitlines() if line.startswith("  l")]
                self.assertEqual(steps, [f"P W U A {'C' if '-' not in text else 'keyid=45'}"] * (levels - 1) + [steps[-1]])
                self.assertEqual(steps[-1], steps[0].replace("A ", ""))
                self.assertIn(f"{levels} levels from 0x1000", done.stdout)
                self.assertEqual(done.stderr, "")
                (walk,) = self.walks(t, [0x401000], *words)
                self.assertNotIn("C", walk["steps"][-1]["flags"])

    def test_a_program_runs_in_tables_whose_entries_choose_an_encryption(self):
        t, _ = self.encrypted(1 << 47)
        run = ("run", "-q", "-o", "out", "--memory", self.image, "--root", hex(t.root | 1 << 47), "--at", "0x400000",
               "gen:stream,waves=1,accesses=4,footprint=8192")
        self.run_it(*run, "--encryption-bits", "47")
        stats = json.loads((self.dir / "out" / "stats.json").read_text())
        self.assertEqual((stats["image"]["encryption"], stats["image"]["root"]), (hex(1 << 47), "0x1000"))
        self.assertEqual(stats["statistics"]["coalescer.faults"]["value"], 0)
        jsonschema.validate(stats, SCHEMA)
        self.assertIn("--encryption-bits 47", self.run_it(*run, code=1).stderr)

    def test_without_the_option_the_bit_is_named_that_is_in_the_way(self):
        t, _ = self.encrypted(1 << 47)
        (walk,) = self.walks(t, [0x400000])
        self.assertIn("without bit 47 it would be there, at 0x2000: is memory encrypted (--encryption-bits 47)?", walk["fault"]["text"])
        self.refused("--memory", self.image, "--root", hex(t.root | 1 << 47), "0", code=1, says="(--encryption-bits 47)?")

    def test_encryption_bits_are_those_of_an_address(self):
        self.encrypted(1 << 47)
        for text in ("31", "52", "x", "47-46", "40-52", "40-41-42", "-"):
            self.refused("--memory", self.image, "--root", "0x1000", "--encryption-bits", text, "0", code=1,
                         says="wants a bit from 32 to 51")


class MapTest(WalkTest):
    """RAM with a hole, in one file: a virtual machine of 5 MiB, 3 MiB of it below 4 GiB."""
    HOLE = 3 << 20

    def setUp(self):
        super().setUp()
        self.t = Tables(next_node=1 << 32)
        self.t.map(0x400000, 0x5000)
        self.t.map(0xffffffff81000000, 0x100003000)
        self.low, self.high = self.t.memory(0, self.HOLE), self.t.memory(1 << 32, (1 << 32) + (2 << 20))
        self.image.write_bytes(self.low + self.high)

    def map(self, text, *words, **more):
        return self.walk("--memory", self.image, "--root", "0x1000", "--map", text, *words, **more)

    def test_pieces_of_the_file_are_where_the_map_says(self):
        text = "0:0:0x300000,3145728:4Gi:2Mi"
        self.assertEqual(self.listed(self.t, "--map", text), self.t.ranges())
        self.assertEqual(self.listed(self.t, "--map", ",".join(text.split(",")[::-1])), self.t.ranges())
        self.assertIn("physical 0x100003123, in the page of 4.0 KiB at 0x100003000, urwx\n", self.map(text, "0xffffffff81000123").stdout)
        self.assertIn("the image has 0x0 to 0x300000, then 0x100000000 to 0x100200000",
                      self.refused("--memory", self.image, "--root", "0x300000", "--map", text, "0", code=1, says="outside"))
        self.image.write_bytes(b"a header of odd length" + self.low + self.high)
        self.assertEqual(self.listed(self.t, "--map", "22:0:0x300000,0x300016:4Gi:2Mi"), self.t.ranges())

    def test_a_program_runs_in_it(self):
        self.run_it("run", "-q", "-o", "out", "--memory", self.image, "--root", "0x1000", "--map", "0:0:0x300000,0x300000:4Gi:2Mi",
                    "gen:stream,waves=1,accesses=4,footprint=8192")
        stats = json.loads((self.dir / "out" / "stats.json").read_text())
        self.assertEqual((stats["image"]["map"], stats["image"]["bytes"]), ("0:0:0x300000,0x300000:4Gi:2Mi", 5 << 20))
        jsonschema.validate(stats, SCHEMA)

    def test_a_map_that_is_none_is_refused(self):
        for text, code, says in (
                ("0:0", 1, "--map: 0:0: wants FILE_OFFSET:PHYSICAL:SIZE"), (",", 1, "wants FILE_OFFSET:PHYSICAL:SIZE"),
                ("0:0:4096,", 1, "wants FILE_OFFSET:PHYSICAL:SIZE"), ("0:0:4096:1", 1, "wants FILE_OFFSET:PHYSICAL:SIZE"),
                ("x:0:4096", 1, "the offset in the file is x, not a whole number"), ("0:-1:4096", 1, "the physical address is -1, not"),
                ("0:0:4K", 1, "the size is 4K, not a whole number"), ("0:0x10000000000000000:4096", 1, "more than 64 bits"),
                ("0:0:0", 1, "no bytes"), ("0:0x800:4096", 1, "multiples of 4096"), ("0:0:4097", 1, "multiples of 4096"),
                (f"0:{(1 << 52) - 4096}:8192", 1, "beyond physical addresses of 52 bits"), (f"0:{1 << 52}:4096", 1, "beyond physical"),
                ("0:0x1000:0x3000,0x8000:0x3000:0x1000", 1, "0x8000:0x3000:0x1000: has physical addresses of 0:0x1000:0x3000, from 0x3000 on"),
                ("0:0x3000:0x1000,0x8000:0x1000:0x3000", 1, "from 0x3000 on"),
                ("0:0:5Mi,5Mi:4Gi:4096", 2, "from 0x500000 on, 0x1000 of them, would end behind the file, which has 0x500000"),
                ("6Mi:0:4096", 2, "would end behind the file"), (f"{(1 << 64) - 4096}:0:8192", 2, "would end behind the file")):
            with self.subTest(map=text):
                self.assertIn(says, self.map(text, "0", code=code).stderr)
        self.assertIn("--map and --base", self.map("0:0:4096", "--base", "4096", "0", code=1).stderr)
        self.map("0:0x1000:4096,4096:0:0x1000,8192:8192:4096", "0")  # touching is not overlapping

    def test_bytes_that_are_at_two_places_are_said(self):
        self.assertEqual(self.map("0:0:3Mi,3Mi:4Gi:2Mi", "0").stderr, "")
        self.assertIn("the map has the file's bytes from 0x2000 on at two places of memory", self.map("0:0:3Mi,0x2000:4Gi:2Mi", "0").stderr)

    def test_a_map_is_for_raw_images(self):
        core(self.image, [(0, self.low, None)], qemu_note(0x1000))
        self.assertIn("a base or a map is for raw images", self.map("0:0:4096", "0", code=2).stderr)
        self.map("0:0:2Mi", "--raw", "0")


if __name__ == "__main__":
    unittest.main()
