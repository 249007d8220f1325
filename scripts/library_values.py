#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Prints the results of a machine's translation in the C library, for scripts/compare_configurations --through library.

    scripts/library_values.py LIBRARY MACHINE [SECTION.KEY=VALUE...]

It makes some thousands of accesses with a fixed seed, through tables of 4 KiB and 2 MiB pages in its own memory, with waits, answers
that are fetched later, invalidates of each kind, faults and snapshots. It prints one JSON object: every statistic, digests of the
state at several points, the digest of all answers. If the library refuses a call, it prints the error; the exit code is then 1."""
import ctypes
import hashlib
import json
import random
import sys

PAGE, LINE = 4096, 64
ROOTS = (0x1000, 0x80000)
MEMORY = 1 << 20
BASE = 0x7f0000000000
OK, FAULT, EMPTY = 0, 1, 2


class Options(ctypes.Structure):
    """walkway_options of cosim/capi/walkway.h."""
    _fields_ = [("version", ctypes.c_uint32), ("table", ctypes.c_uint32), ("settings", ctypes.POINTER(ctypes.c_char_p)),
                ("settings_count", ctypes.c_uint32), ("vmids", ctypes.c_uint32), ("pending", ctypes.c_uint32),
                ("faults", ctypes.c_uint32), ("physical_bits", ctypes.c_uint32), ("reserved", ctypes.c_uint32 * 7)]


class Access(ctypes.Structure):
    """walkway_access."""
    _fields_ = [("va", ctypes.c_uint64), ("unit", ctypes.c_uint32), ("vmid", ctypes.c_uint16), ("rights", ctypes.c_uint8),
                ("reserved", ctypes.c_uint8)]


RESULT, FAULTED = 56, 40  # bytes


class Tables:
    """Page tables in the x86-64 format, with four levels, in memory that the library reads."""

    def __init__(self, seed):
        self.memory = ctypes.create_string_buffer(MEMORY + PAGE)
        self.at = (ctypes.addressof(self.memory) + PAGE - 1) & ~(PAGE - 1)
        self.free = {root: root + PAGE for root in ROOTS}
        draw = random.Random(seed)
        self.pages = []
        for root in ROOTS:
            for i in range(8):
                for page in range(48):
                    va = BASE + (i << 21) + page * PAGE
                    if draw.random() < 0.9:
                        self.enter(root, va, draw.randrange(1 << 20) << 12 | 0x67, 12)
                    self.pages.append(va)
            for i in range(8, 24):
                self.enter(root, BASE + (i << 21), draw.randrange(1 << 10) << 21 | 0xe7, 21)
                self.pages.append(BASE + (i << 21) + draw.randrange(512) * PAGE)

    def word(self, pa):
        return ctypes.c_uint64.from_address(self.at + pa)

    def enter(self, root, va, entry, shift):
        node = root
        for level in (39, 30, 21, 12):
            word = self.word(node + (va >> level & 511) * 8)
            if level == shift:
                word.value = entry
                return
            if not word.value:
                word.value = self.free[root] | 0x67
                self.free[root] += PAGE
            node = word.value & 0xffffffffff000


class Chain:
    def __init__(self, path, machine, settings):
        self.library = ctypes.CDLL(path)
        self.library.walkway_last_error.restype = ctypes.c_char_p
        self.chain = ctypes.c_void_p()
        self.without_effect = 0
        while not self.created(machine, settings):
            settings = self.effective(settings)
        self.units = self.library.walkway_units(self.chain)

    def created(self, machine, settings):
        texts = (ctypes.c_char_p * len(settings))(*[s.encode() for s in settings])
        options = Options(version=self.library.walkway_version(), table=1, settings=texts, settings_count=len(settings))
        return self.library.walkway_create(machine.encode(), ctypes.byref(options), ctypes.byref(self.chain)) == OK

    def effective(self, settings):
        """Returns the settings without the one that the library refused as without effect; exits on any other error."""
        said = self.library.walkway_last_error().decode()
        idle = [s for s in settings if said.startswith("settings: " + s.split("=")[0] + " has no effect here")]
        if not idle:
            sys.exit(said)
        self.without_effect += len(idle)
        return [s for s in settings if s not in idle]

    def call(self, name, *arguments):
        status = getattr(self.library, "walkway_" + name)(self.chain, *arguments)
        if status < 0:
            sys.exit(self.library.walkway_last_error().decode())
        return status

    def hash(self):
        """Returns the checksum of the state, without the snapshot's head, which has names of parameters that may change."""
        return self.bytes("snapshot")[32:40].hex()

    def bytes(self, name):
        needed = ctypes.c_size_t()
        getattr(self.library, "walkway_" + name)(self.chain, None, ctypes.c_size_t(0), ctypes.byref(needed))
        buffer = ctypes.create_string_buffer(needed.value)
        self.call(name, buffer, needed, None)
        return buffer.raw

    def text(self, name):
        return self.bytes(name).split(b"\0", 1)[0].decode()



def play(chain, tables, accesses=4000):
    """Returns (digest of all answers, digests of the state during the accesses)."""
    draw, answers, states = random.Random(7), hashlib.sha256(), []
    result, fault = ctypes.create_string_buffer(RESULT), ctypes.create_string_buffer(FAULTED)
    chain.call("map_memory", ctypes.c_uint64(0), ctypes.c_void_p(tables.at), ctypes.c_uint64(MEMORY), ctypes.c_uint64(50000))
    for vmid, root in enumerate(ROOTS):
        chain.call("set_root", vmid, ctypes.c_uint64(root))
    hot = draw.sample(tables.pages, 60)
    for i in range(accesses):
        va = draw.choice(hot if draw.random() < 0.7 else tables.pages) + draw.randrange(PAGE // 8) * 8
        access = Access(va=va, unit=draw.randrange(chain.units), vmid=draw.randrange(len(ROOTS)))
        if draw.random() < 0.3:
            chain.call("submit", ctypes.byref(access), ctypes.c_uint64(i))
            while chain.call("poll", result) != EMPTY:
                answers.update(result.raw)
        else:
            chain.call("translate", ctypes.byref(access), result)
            answers.update(result.raw)
        chain.call("advance", ctypes.c_uint64(draw.randrange(200000)))
        if i % 50 == 0:
            while chain.call("next_fault", fault) != EMPTY:
                answers.update(fault.raw)
        if i % 400 == 399:
            states.append(chain.hash())
            what = i // 400 % 4
            if what == 0:
                chain.call("invalidate_page", 0, ctypes.c_uint64(va))
            elif what == 1:
                chain.call("invalidate_range", 1, ctypes.c_uint64(BASE), ctypes.c_uint64(1 << 22))
            elif what == 2:
                chain.call("invalidate_vmid", 0)
            else:
                chain.call("invalidate_all")
    return answers.hexdigest(), states + [chain.hash()]


def main(words):
    if len(words) < 2:
        sys.exit(__doc__)
    chain = Chain(words[0], words[1], words[2:])
    answers, states = play(chain, Tables(5))
    values = {name: entry["value"] for name, entry in json.loads(chain.text("statistics"))["statistics"].items()}
    print(json.dumps({"answers": answers, "states": states, "settings without effect": chain.without_effect, **values}))


if __name__ == "__main__":
    main(sys.argv[1:])
