#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every parameter that has an effect according to walkway_parameters() changes answers, times or statistics; one without an
effect changes nothing when a file sets it. All shipped machines can be made. A snapshot has the same bytes in another process."""
import ctypes
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
sys.path.insert(0, str(SOURCE / "cosim" / "examples" / "c-api"))
ctypes.CDLL(os.environ["WALKWAY_LIBRARY"])  # the example loads it by its name
import translate  # noqa: E402
from translate import Access, Options, Result, lib  # noqa: E402

lib.walkway_state_hash.restype = ctypes.c_uint64
WORD, TABLE_PA = ctypes.c_uint64, 0x10000000
# Small sizes, so that each one has a visible effect.
BUSY = {"l1_tlb.entries": 8, "l1_tlb.ways": 2, "l1_tlb.victims": "pass", "l2_tlb.entries": 16, "l2_tlb.ways": 4, "l2_tlb.fills": 8, "victim.entries": 8,
        "victim.ways": 4, "victim.victims": "pass", "iommu_tlb.tlb1_entries": 4, "iommu_tlb.tlb2_entries": 16, "iommu_tlb.tlb2_ways": 4, "walk_unit.pte_cache_bytes": 1024,
        "walk_unit.pte_cache_ways": 4, "walk_unit.pwc_l2": 2, "walk_unit.pwc_l3": 1, "walk_unit.pwc_l4": 1, "address_space.page": "mixed", "gpu.cus": 4,
        "victim.shared_by": 2}
# Other settings that a parameter needs to have its effect.
WITH = {"l1_tlb.seed": {"l1_tlb.replace": "random"}, "l2_tlb.seed": {"l2_tlb.replace": "random"}, "walk_unit.pwc_l5": {"address_space.levels": 5, "walk_unit.pwc_l4": 0, "walk_unit.pwc_l3": 0, "walk_unit.pwc_l2": 0},
        "iommu_tlb.tlb1_entries": {"l2_tlb.entries": 4, "victim.entries": 0}, "iommu_tlb.tlb1_cycles": {"l2_tlb.entries": 4, "iommu_tlb.tlb1_entries": 64},
        "l1_tlb.store": {"options": 40, "l1_tlb.entries": 16, "l1_tlb.ways": 16}, "l2_tlb.store": {"options": 40, "l2_tlb.entries": 64, "l2_tlb.ways": 16},
        "iommu_tlb.shared_by": {"l2_tlb.shared_by": 2}, "walk_unit.shared_by": {"l2_tlb.shared_by": 2, "iommu_tlb.shared_by": 2},
         "walk_unit.pwc_ways": {"walk_unit.pwc_l2": 4}, "walk_unit.pwc_index": {"walk_unit.pwc_l2": 4, "walk_unit.pwc_ways": 1},
         "l1_tlb.victims": {"victim.entries": 0}, "l2_tlb.fills": {"victim.entries": 0},
         "walk_unit.ideal_read_cycles": {"translation.ideal": "zero_walk"}}
OTHER = {"walk_unit.match_cycles": 5000, "l1_tlb.entries": 16, "l1_tlb.ways": 4, "l2_tlb.entries": 32, "l2_tlb.ways": 8, "victim.entries": 16, "victim.ways": 2, "iommu_tlb.tlb2_ways": 8,
         "walk_unit.pte_cache_bytes": 2048, "walk_unit.pte_cache_ways": 2, "address_space.levels": 5, "gpu.cus": 3, "victim.shared_by": 4, "iommu_tlb.tlb2_entries": 32,
         "translation.ideal": "zero_walk", "address_space.table": "amd_v1", "address_space.page": "4k", "walk_unit.step_cache": 64, "l1_tlb.shared_by": 2, "l2_tlb.shared_by": 2, "iommu_tlb.shared_by": 2,
         "walk_unit.shared_by": 2, "walk_unit.pte_cache_holds": "inner",
         "iommu_tlb.tlb1_entries": 64, "walk_unit.pwc_l5": 0, "l2_tlb.fills": 0, "l1_tlb.victims": "drop", "victim.victims": "drop"}
# Not tried: it matters whether victims are taken, not how many may be in flight; the other keys have only one valid value.
NO_MORE = {"lds_tx.translations", "icache_tx.translations", "prefetch.entries", "memory_tlb.entries", "driver.oversubscription", "victim.fills", "probe.hops"}


def tables():
    """Five levels from the first node on, four from the second; 512 pages in each of 8 nodes, and 4 pages of 2 MiB."""
    inner = [[TABLE_PA + (n + 1) * 4096 | 7] + [0] * 511 for n in range(3)]
    last = [TABLE_PA + (4 + n) * 4096 | 7 for n in range(8)] + [(n + 64) << 21 | 0x87 for n in range(4)] + [0] * 500
    leaves = [(n * 512 + i + 4096) << 12 | 7 for n in range(8) for i in range(512)]
    for level in inner:
        level[1] = level[0]
    return struct.pack(f"<{512 * 4 + 4096}Q", *[w for level in inner for w in level], *last, *leaves)


MEMORY = tables()


def options(settings):
    physical = settings.pop("options", 52)
    texts = [f"{k}={v}".encode() for k, v in settings.items()]
    o = Options(version=1 << 16, settings=(ctypes.c_char_p * len(texts))(*texts), settings_count=len(texts), physical_bits=physical)
    return o


def create(platform, settings=None):
    chain = ctypes.c_void_p()
    o = options(dict(settings or {}))
    status = lib.walkway_create(platform.encode(), ctypes.byref(o), ctypes.byref(chain))
    return chain if status == 0 else None


def text_of(function, chain):
    needed = ctypes.c_size_t()
    function(chain, None, ctypes.c_size_t(0), ctypes.byref(needed))
    text = ctypes.create_string_buffer(needed.value)
    translate.must(function(chain, text, needed, None))
    return text.value.decode()


def behaviour(platform, settings=None):
    """(results and statistics of the same accesses, state hash), or None if the machine is refused."""
    chain = create(platform, settings)
    if chain is None:
        return None
    levels = json.loads(text_of(lib.walkway_parameters, chain))["parameters"]["address_space.levels"]["value"]
    translate.must(lib.walkway_map_memory(chain, WORD(TABLE_PA), MEMORY, WORD(len(MEMORY)), WORD(3000)))
    translate.must(lib.walkway_set_root(chain, 0, WORD(TABLE_PA + (4096 if levels == 4 else 0))))
    units, at, out = lib.walkway_units(chain), 1, b""
    for n in range(1500):
        at = at * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        r = at >> 33
        page = r % 24 if n % 3 else r % 4096
        va = (page << 12) + (r >> 12) % 4096
        if n % 11 == 0:
            va = (8 + r % 4 << 21) + (r >> 4) % (1 << 21)
        if n % 7 == 0:
            va |= 1 << 30 | (r & 1) << 39
        a, result = Access(va=va, unit=r % 3, rights=1), Result()
        lib.walkway_translate(chain, ctypes.byref(a), ctypes.byref(result))
        out += bytes(result)
        if n % 500 == 499:
            translate.must(lib.walkway_advance(chain, WORD(12345)))
    out += text_of(lib.walkway_statistics, chain).encode() + bytes([units])
    hashed = lib.walkway_state_hash(chain)
    lib.walkway_destroy(chain)
    return out, hashed


def parameters(platform, settings=None):
    chain = create(platform, settings)
    found = json.loads(text_of(lib.walkway_parameters, chain))["parameters"]
    lib.walkway_destroy(chain)
    return found


def another(name, p, now):
    if name in OTHER:
        return OTHER[name]
    if "range" in p:
        return "0:2m+3:64k" # pages by buffer
    if "choices" in p:
        return next(c for c in p["choices"] if c != now)
    return now + 1 if now < p["max"] else now - 1


class Effects(unittest.TestCase):
    def test_every_parameter_that_is_said_to_have_one_has_one(self):
        tried = 0
        for name, p in parameters("apu-micro18", BUSY).items():
            if not p["effect"] or name in NO_MORE:
                continue
            base = {**BUSY, **WITH.get(name, {})}
            value = another(name, p, base.get(name, p["value"]))
            before, after = behaviour("apu-micro18", base), behaviour("apu-micro18", {**base, name: value})
            with self.subTest(parameter=name, value=value):
                self.assertIsNotNone(before)
                self.assertIsNotNone(after, lib.walkway_last_error())
                self.assertNotEqual(before[0], after[0])
            tried += 1
        self.assertGreater(tried, 50)

    def test_keys_of_a_store_have_one_where_the_section_names_it_whatever_is_said_first(self):
        """Tests each kind of store in each section that has `store`."""
        plain = parameters("apu-micro18", BUSY)
        for section in ("l1_tlb", "l2_tlb"):
            tried = 0
            for kind in plain[f"{section}.store"]["choices"]:
                base = {**BUSY, **WITH[f"{section}.store"], f"{section}.store": kind}
                own = {name: p for name, p in parameters("apu-micro18", base).items() if p["effect"] and not plain[name]["effect"]}
                before = behaviour("apu-micro18", base)
                for name, p in own.items():
                    self.assertIn(f"{section}.store", plain[name]["why"])
                    near = p["choices"] if "choices" in p else [v for v in (p["min"], p["max"], p["value"] - 1, p["value"] + 1) if p["min"] <= v <= p["max"]]
                    others = [behaviour("apu-micro18", {name: value, **base}) for value in dict.fromkeys(near) if value != p["value"]]
                    with self.subTest(parameter=name):
                        self.assertTrue([o for o in others if o is not None and o[0] != before[0]])
                    tried += 1
            self.assertGreater(tried, 0, section)

    def test_walk_units_and_their_sharers(self):
        base = {"gpu.cus": 4, "walk_unit.pwc_l2": 4}
        self.assertNotEqual(behaviour("mmu-hpca14", base)[0], behaviour("mmu-hpca14", {**base, "walk_unit.shared_by": 4})[0])

    def test_what_is_said_to_have_none_has_none(self):
        before = behaviour("apu-micro18", {})
        with tempfile.TemporaryDirectory() as folder:
            lines = ["[machine]", "extends = apu-micro18"]
            tried = 0
            for name, p in parameters("apu-micro18").items():
                if not p["effect"]:
                    section, key = name.split(".")
                    if name == "walk_unit.pte_cache_merge":
                        continue  # refused without a cache, as in the program
                    known = name if name == "walk_unit.step_cache" else ""  # must be a power of two, also without effect
                    lines += [f"[{section}]", f"{key} = {another(known, p, p['value'])}"]
                    tried += 1
            self.assertGreater(tried, 150)
            path = pathlib.Path(folder) / "all.cfg"
            path.write_text("\n".join(lines) + "\n")
            after = behaviour(str(path))
            self.assertIsNotNone(after, lib.walkway_last_error())
            self.assertEqual(before, after)

    def test_every_shipped_machine_can_be_made_and_translates(self):
        names = sorted(p.stem for p in (SOURCE / "platforms").glob("*.cfg"))
        self.assertGreater(len(names), 8)
        without = {"lds_tx.translations": "off", "icache_tx.translations": "off"} # these cannot answer within a call
        for name in names:
            with self.subTest(platform=name):
                radix = {"address_space.table": "radix"} if name == "dgpu-2026" else {} # a root does not say where its tables are
                self.assertIsNotNone(behaviour(name, {"options": 40, **without, **radix}) or behaviour(name, {"options": 40, **radix}), lib.walkway_last_error()) # some paths lack these

    def test_equal_states_are_equal_bytes_in_every_process(self):
        again = subprocess.run(["/usr/bin/python3", "-B", __file__, "hash"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(int(again), behaviour("apu-micro18", BUSY)[1])


if __name__ == "__main__":
    if sys.argv[1:] == ["hash"]:
        print(behaviour("apu-micro18", BUSY)[1])
    else:
        unittest.main()
