#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Replaces the emulator and its plugin: takes the same command line, writes a page table into the guest's memory, and writes what
$STAND_IN names into the ring (cosim/guest/stream.h)."""
import json
import mmap
import os
import pathlib
import re
import signal
import struct
import sys
import time

RUNNING, HELD, ENDED, REFUSED = 1, 2, 3, 4
ACCESS, ROOT, DROP_PAGE, DROP_ALL, DISAGREED = 1, 2, 3, 4, 5
ABSENT = 1  # the outcome of a walk
MAGIC, HEAD = 0x32545345554757, 4096
# offsets in the share, in words
RECORDS, RAM, EVERY, FROM, UPTO, WITHOUT, SELECT, STOP, MOST, STATE, REASON, COUNTS = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 43
NAMES = ("accesses unpaged devices unknown agreed differed faulted root_writes root_changes mode_writes page_drops whole_drops "
         "sent waits").split()
HEAD_WORD, TAIL_WORD = 64, 72
VA, ROOT_PA, OTHER_PA = 0xffff888000000000, 0x1000, 0x10000


class Share:
    def __init__(self, words):
        text = " ".join(words)
        with open(re.search(r",share=(/[^, ]+)", text)[1], "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 0)
        self.words = memoryview(self.map).cast("Q")  # words are written atomically
        with open(re.search(r"mem-path=([^, ]+)", text)[1], "r+b") as file:
            self.ram = mmap.mmap(file.fileno(), 0)
        assert self.word(0) == MAGIC and self.word(RAM) == len(self.ram)
        self.records = self.word(RECORDS)
        self.root = ROOT_PA
        self.accesses_sent = 0

    def word(self, at):
        return self.words[at]

    def set(self, at, value):
        self.words[at] = value

    def count(self, name, more=1):
        at = COUNTS + NAMES.index(name)
        self.set(at, self.word(at) + more)

    def refuse(self, why):
        self.map[8 * REASON:8 * REASON + len(why)] = why
        self.set(STATE, REFUSED)

    def send(self, what, va=0, pa=0, entries=()):
        head = self.word(HEAD_WORD)
        while head - self.word(TAIL_WORD) >= self.records:
            if self.word(STOP):
                return
            time.sleep(0.001)
        struct.pack_into("<8Q", self.map, HEAD + head % self.records * 64, what, va, pa, *entries, *(0 for _ in range(5 - len(entries))))
        self.count("sent")
        self.set(HEAD_WORD, head + 1)

    def entry(self, pa, value):
        struct.pack_into("<Q", self.ram, pa, value)

    def read(self, pa):
        return struct.unpack_from("<Q", self.ram, pa)[0]

    def walk(self, va):
        """The entries of the walk and the physical address; the table has 4 KiB pages."""
        node, entries = self.root, []
        for level in (39, 30, 21, 12):
            entries.append(self.read(node + (va >> level & 511) * 8))
            node = entries[-1] & 0xffffffffff000
        return entries, node | va & 4095

    def map_page(self, va, pa):
        node, free = self.root, self.root + 0x1000
        for level in (39, 30, 21):
            at = node + (va >> level & 511) * 8
            if not self.read(at):
                self.entry(at, free + {39: 0, 30: 0x1000, 21: 0x2000}[level] | 3)
            node = self.read(at) & 0xffffffffff000
        self.entry(node + (va >> 12 & 511) * 8, pa | 3)

    def write_root(self, root):
        self.root = root
        self.send(ROOT, root, 0, (1 << 31, 1 << 10))

    def access(self, va, pa=None, store=0):
        entries, walked = self.walk(va)
        self.count("accesses")
        self.count("agreed")
        if self.word(SELECT):
            self.send(ACCESS | 3 << 4 | store << 8 | 4 << 9 | 4 << 12, va, walked if pa is None else pa, entries)
            self.accesses_sent += 1
            if self.accesses_sent >= self.word(MOST) and not self.word(STOP):
                self.set(STATE, HELD)
                while not self.word(STOP):
                    time.sleep(0.001)
                self.set(STATE, RUNNING)


def window(s):
    """97 accesses under two roots. Before the last, one page moves and one is unmapped; after it the root's entry is cleared, and one more follows
    before it ends, as of a guest that is slow to stop."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for i in range(64):
        s.access(VA + i * 4096)
    s.root = OTHER_PA
    for i in range(32):
        s.map_page(VA + i * 4096, 0x800000 + i * 4096)
    s.write_root(OTHER_PA)
    for i in range(32):
        s.access(VA + i * 4096 + 16, store=1)
    s.write_root(ROOT_PA)
    s.map_page(VA, 0x400000)
    s.entry(ROOT_PA + 0x3000 + 8, 0)
    s.access(VA + 8192)
    s.entry(ROOT_PA + (VA >> 39 & 511) * 8, 0)
    s.access(VA + 8192, 0)


def run(s, what):
    s.set(STATE, RUNNING)
    if what == "rootless":
        s.send(ACCESS | 3 << 4 | 4 << 9 | 4 << 12, VA, 0x100000, (0, 0, 0, 0))
    for i in range(64):
        s.map_page(VA + i * 4096, 0x100000 + i * 8192)
    s.count("root_writes")
    s.send(ROOT, ROOT_PA, 0, (1 << 31, 1 << 10))
    if what == "plain":
        for i in range(5000):
            s.access(VA + i * 40 % 262144)
        s.count("accesses", 3)
        s.count("unpaged", 1)
        s.count("devices", 2)
    elif what in ("change", "stale"):  # a page moves, with and without an invalidate
        s.access(VA + 8)
        s.map_page(VA, 0x400000)
        if what == "change":
            s.send(DROP_PAGE, VA + 16)
        s.access(VA + 8)
        s.access(VA + 4096)
    elif what == "late":  # the table changes before the reader takes the records
        for i in range(64):
            s.access(VA + i * 4096)
        for i in range(64):
            s.map_page(VA + i * 4096, 0)
    elif what == "root":  # another root, then the same value again
        s.access(VA)
        for _ in range(2):
            s.map_page(VA, s.walk(VA)[1] + 0x10000)
            s.send(ROOT, ROOT_PA, 0, (1 << 31, 1 << 10))
            s.access(VA)
    elif what == "window":
        window(s)
    elif what == "roots":  # more than there are VM IDs
        for i in range(17):
            s.root = 0x10000 * (i + 1)
            s.map_page(VA, 0x400000)
            s.write_root(s.root)
            s.access(VA)
    elif what == "differs":
        s.count("accesses")
        s.count("differed")
        entries, walked = s.walk(VA)
        s.send(DISAGREED | 3 << 4 | 1 << 8 | 4 << 9 | 4 << 12, VA, walked + 4096, entries)
    elif what == "differs-large":  # a page of 2 MiB
        s.count("accesses")
        s.count("differed")
        s.send(DISAGREED | 3 << 4 | 3 << 9 | 4 << 12, VA + 0x3567, 0x403567, (0x2003, 0x3003, 0x200083))
    elif what == "differs-absent":
        s.count("accesses")
        s.count("faulted")
        s.send(DISAGREED | 3 << 4 | 1 << 9 | 4 << 12 | ABSENT << 15, VA, 0x1000, (0,))
    elif what == "record":
        s.send(int(os.environ["RECORD"], 0))
    elif what == "ring":
        s.set(HEAD_WORD, 1 << 40)
    elif what == "forever":
        while True:
            s.access(VA)
    elif what == "stands":  # a kernel that panics and then hangs
        print_panic(sys.argv)
        time.sleep(100)
    elif what == "crash":
        s.access(VA)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == "lost":  # an access that no count includes
        s.count("accesses")


def print_panic(words):
    pathlib.Path(re.search(r"id=console,path=([^ ]+)", " ".join(words))[1]).write_text("Kernel panic - not syncing\n", encoding="utf-8")


def main():
    what = os.environ["STAND_IN"]
    words = sys.argv[1:]
    if what == "old":
        sys.exit("Could not load plugin x.so: plugin requires API version 4, but this QEMU supports only a minimum version of 1")
    if what == "words":
        pathlib.Path(os.environ["WORDS"]).write_text("\n".join(words), encoding="utf-8")
    if what == "silent":
        return
    if what == "panic":
        print_panic(words)
    share = Share(words)
    if what == "smp":
        share.refuse(b"the guest has more than one virtual processor")
        time.sleep(100)
    run(share, what)
    reason = "guest-reset" if what in ("reset", "panic") else "guest-shutdown"
    print(json.dumps({"event": "SHUTDOWN", "data": {"guest": True, "reason": reason}}), flush=True)
    share.set(STATE, ENDED)


main()
