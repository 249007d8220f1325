#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""GPU address translation from Python: how the L1 TLB's size decides the time of a walk through 64 pages.

    LD_LIBRARY_PATH=PREFIX/lib python3 translate.py        with nothing but the standard library
"""
import ctypes
import json
import struct

lib = ctypes.CDLL("libwalkway.so.1")
lib.walkway_last_error.restype = ctypes.c_char_p
TABLE_PA, VERSION, READ = 0x10000000, 1 << 16, 1


class Options(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("table", ctypes.c_uint32), ("settings", ctypes.POINTER(ctypes.c_char_p)),
                ("settings_count", ctypes.c_uint32), ("vmids", ctypes.c_uint32), ("pending", ctypes.c_uint32),
                ("faults", ctypes.c_uint32), ("physical_bits", ctypes.c_uint32), ("reserved", ctypes.c_uint32 * 7)]


class Access(ctypes.Structure):
    _fields_ = [("va", ctypes.c_uint64), ("unit", ctypes.c_uint32), ("vmid", ctypes.c_uint16), ("rights", ctypes.c_uint8),
                ("reserved", ctypes.c_uint8)]


class Result(ctypes.Structure):
    _fields_ = [("va", ctypes.c_uint64), ("pa", ctypes.c_uint64), ("issued_ps", ctypes.c_uint64),
                ("done_ps", ctypes.c_uint64), ("tag", ctypes.c_uint64), ("unit", ctypes.c_uint32), ("vmid", ctypes.c_uint16),
                ("fault", ctypes.c_uint8), ("rights", ctypes.c_uint8), ("page_shift", ctypes.c_uint8),
                ("reserved", ctypes.c_uint8 * 7)]


def must(status):
    if status < 0:
        raise RuntimeError(lib.walkway_last_error().decode())


def page_table():
    """64 pages at address 0, each 1 GiB higher in physical memory."""
    inner = [[TABLE_PA + (node + 1) * 4096 | 3] + [0] * 511 for node in range(3)]
    leaf = [(1 << 30) + page * 4096 | 3 if page < 64 else 0 for page in range(512)]
    return struct.pack("<2048Q", *inner[0], *inner[1], *inner[2], *leaf)


def run(memory, **settings):
    texts = [f"{section_key.replace('__', '.')}={value}".encode() for section_key, value in settings.items()]
    options = Options(version=VERSION, settings=(ctypes.c_char_p * len(texts))(*texts), settings_count=len(texts))
    chain = ctypes.c_void_p()
    must(lib.walkway_create(b"apu-micro18", ctypes.byref(options), ctypes.byref(chain)))
    must(lib.walkway_map_memory(chain, ctypes.c_uint64(TABLE_PA), memory, ctypes.c_uint64(len(memory)), ctypes.c_uint64(60000)))
    must(lib.walkway_set_root(chain, 0, ctypes.c_uint64(TABLE_PA)))
    accesses = (Access * 256)(*[Access(va=n % 64 * 4096 + 8, rights=READ) for n in range(256)])
    results = (Result * len(accesses))()
    must(lib.walkway_translate_batch(chain, accesses, results, ctypes.c_size_t(len(accesses)), None))
    assert all(r.pa == r.va + (1 << 30) for r in results)
    text = ctypes.create_string_buffer(1 << 16)
    must(lib.walkway_statistics(chain, text, ctypes.c_size_t(len(text)), None))
    lib.walkway_destroy(chain)
    return {name: s["value"] for name, s in json.loads(text.value)["statistics"].items()}


if __name__ == "__main__":
    for entries in 16, 32, 64:
        s = run(page_table(), l1_tlb__entries=entries, l1_tlb__ways=entries)
        print(f"{entries} entries: {s['l1_tlb.hits']} of {s['l1_tlb.lookups']} hit, {s['walks.reads']} reads, "
              f"{s['latency_sum_ps'] / s['accesses'] / 1000:.1f} ns an access")
