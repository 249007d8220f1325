# SPDX-License-Identifier: MIT
"""Images of memory for tests, built entry by entry as in Intel's SDM: page tables as an operating system writes them, raw or in
cores as QEMU and VirtualBox write them, and by brute force what they map."""
import struct

P, W, U, PWT, PCD, A, D, PS, G = (1 << n for n in range(9))
PAT_LARGE, NX = 1 << 12, 1 << 63
SIZES = {1: ("4K", 1 << 12), 2: ("2M", 1 << 21), 3: ("1G", 1 << 30)}
FRAME = (1 << 52) - 4096
NO_ADDRESS = (1 << 64) - 1  # p_paddr of a segment that has only virtual addresses


def sign_extended(va, levels):
    top = 12 + 9 * levels
    va &= (1 << top) - 1
    return va | ((1 << 64) - (1 << top) if va >> top - 1 else 0)


class Tables:
    """Nodes of 512 entries by physical address."""

    def __init__(self, levels=4, root=0x1000, next_node=None):
        self.levels, self.root = levels, root
        self.nodes = {root: [0] * 512}
        self.next = next_node or root + 4096
        self.pages = {}  # va -> (pa, level, rights)

    def node(self, pa):
        return self.nodes.setdefault(pa, [0] * 512)

    def path(self, va, level):
        """The address of the node of `level` that translates va, and the index in it. Creates missing nodes, which grant all
        rights."""
        at = self.root
        for l in range(self.levels, level, -1):
            i = va >> 12 + 9 * (l - 1) & 511
            if not self.node(at)[i] & P:
                self.node(at)[i] = self.next | P | W | U | A
                self.next += 4096
            at = self.node(at)[i] & FRAME
        return at, va >> 12 + 9 * (level - 1) & 511

    def map(self, va, pa, level=1, flags=P | W | U):
        at, i = self.path(va, level)
        self.node(at)[i] = pa | flags | (PS if level > 1 else 0)
        return at + 8 * i

    def translate(self, va):
        """(physical address, level, rights) by brute force, or None."""
        at, user, write, execute = self.root, True, True, True
        for level in range(self.levels, 0, -1):
            e = self.nodes.get(at, [0] * 512)[va >> 12 + 9 * (level - 1) & 511]
            if not e & P:
                return None
            user, write, execute = user and bool(e & U), write and bool(e & W), execute and not e & NX
            if level == 1 or e & PS:
                size = SIZES[level][1]
                rights = ("u" if user else "-") + "r" + ("w" if write else "-") + ("x" if execute else "-")
                return (e & FRAME & ~(size - 1)) + va % size, level, rights
            at = e & FRAME
        return None

    def mappings(self, at=None, level=None, va=0, rights="urwx"):
        """(va, pa, level, rights) of every page, in order."""
        level = level or self.levels
        for i, e in enumerate(self.nodes.get(at or self.root, [])):
            if not e & P:
                continue
            here = sign_extended(va + (i << 12 + 9 * (level - 1)), self.levels)
            keep = "".join(r if ok else "-" for r, ok in zip(rights, (e & U, True, e & W, not e & NX)))
            if level == 1 or e & PS:
                yield here, e & FRAME & ~(SIZES[level][1] - 1), level, keep
            else:
                yield from self.mappings(e & FRAME, level - 1, here, keep)

    def ranges(self):
        joined = []
        for va, pa, level, rights in self.mappings():
            last = joined[-1] if joined else None
            if last and last[0] + last[1] == va and last[2] + last[1] == pa and last[3:] == [SIZES[level][0], rights]:
                last[1] += SIZES[level][1]
            else:
                joined.append([va, SIZES[level][1], pa, SIZES[level][0], rights])
        return joined

    def write_raw(self, path, size=None, base=0):
        with open(path, "wb") as file:
            for pa, entries in self.nodes.items():
                file.seek(pa - base)
                file.write(struct.pack("<512Q", *entries))
            file.truncate(max(size or 0, file.seek(0, 2)))
        return path

    def memory(self, begin, end):
        bytes_ = bytearray(end - begin)
        for pa, entries in self.nodes.items():
            if begin <= pa < end:
                bytes_[pa - begin:pa - begin + 4096] = struct.pack("<512Q", *entries)
        return bytes(bytes_)


def note(name, kind, desc, counts_zero=True):
    raw = name.encode() + b"\0"
    pad = lambda b: b + bytes(-len(b) % 4)
    return struct.pack("<III", len(raw) - (not counts_zero), len(desc), kind) + pad(raw) + pad(desc)


def qemu_note(cr3, cr4=0x20, version=1):
    """struct QEMUCPUState: version, size, 18 registers, 10 segments of 24 bytes, cr[5]."""
    state = struct.pack("<II", version, 432) + bytes(range(144)) + bytes(240)
    return note("QEMU", 0, state + struct.pack("<5Q", 0x80050033, 0, 0xdead000, cr3, cr4))


def vbox_note(cr3, cr4=0x20):
    """DBGFCORECPU: 18 registers, 6 selectors of 24 bytes, cr0, cr2, cr3, cr4, and more; the name has no terminating zero."""
    state = bytes(range(144)) + bytes(144) + struct.pack("<4Q", 0x80050033, 0xdead000, cr3, cr4) + bytes(600)
    return note("VBCPU", 0xb01, state, counts_zero=False)


def core(path, segments, notes=b"", machine=62, kind=4, elf_class=2, data=1, phnum=None, extra=0):
    """segments: (pa, bytes, memsz or None). pa may be NO_ADDRESS; bytes may be a number: the size of a segment that the file
    lacks."""
    count = len(segments) + 1
    offset = 64 + 56 * count + (64 if phnum == 0xffff else 0)
    headers, blobs = [struct.pack("<IIQQQQQQ", 4, 0, offset, 0, 0, len(notes), len(notes), 0)], [notes]
    offset += len(notes)
    for pa, bytes_, memsz in segments:
        if isinstance(bytes_, int):
            headers.append(struct.pack("<IIQQQQQQ", 1, 7, 1 << 46, 0xffffc90000000000, pa, bytes_, memsz or bytes_, 0))
            continue
        headers.append(struct.pack("<IIQQQQQQ", 1, 7, offset, 0, pa, len(bytes_), memsz or len(bytes_), 0))
        blobs.append(bytes_)
        offset += len(bytes_)
    ident = b"\x7fELF" + bytes([elf_class, data, 0]) + bytes(9)
    shoff = 64 + 56 * count if phnum == 0xffff else 0
    head = ident + struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0, 64, shoff, 0, 64, 56, count if phnum is None else phnum, 64, 0, 0)
    section = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, count + extra, 0, 0) if phnum == 0xffff else b""
    path.write_bytes(head + b"".join(headers) + section + b"".join(blobs))
    return path
