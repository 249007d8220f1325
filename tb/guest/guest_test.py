#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway guest with a program in place of the emulator: what it does with the stream, with each way in which a guest may end,
and with streams that no plugin writes."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from walkway_run import ENOUGH, PROGRAM, processor_seconds, scratch_folder

STAND_IN = pathlib.Path(__file__).parent / "emulator.py"


class GuestTest(unittest.TestCase):
    def setUp(self):
        self.dir = scratch_folder(self.addCleanup)
        self.out = self.dir / "out"
        (self.dir / "kernel").write_bytes(b"kernel")

    def command(self, *more, emulator=STAND_IN):
        return [PROGRAM, "guest", "--kernel", self.dir / "kernel", "--emulator", emulator, "--plugin", STAND_IN,
                *(() if "--memory" in more else ("--memory", "32Mi")), *(() if "--every" in more else ("--every", "1")), "-o", self.out, *more]

    def guest(self, what, *more, code=0, emulator=STAND_IN, **env):
        done = subprocess.run(self.command(*more, emulator=emulator), capture_output=True, text=True, check=False, timeout=ENOUGH,
                              env={**os.environ, "STAND_IN": what, **env})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.said = done.stdout + done.stderr
        return json.loads((self.out / "stats.json").read_text()) if (self.out / "stats.json").exists() else None

    @staticmethod
    def value(stats, name):
        return stats["statistics"][name]["value"]

    def test_accesses_are_counted_timed_and_accounted_for(self):
        s = self.guest("plain")
        self.assertEqual((s["end"], s["partial"]), ("complete", False))
        self.assertEqual(self.value(s, "guest.accesses"), 5003)
        self.assertEqual(self.value(s, "timed.accesses"), 5000)
        self.assertEqual(self.value(s, "timed.agreed"), 5000)
        self.assertEqual(self.value(s, "timed.l1_tlb.lookups"), 5000)
        pages = len({i * 40 % 262144 >> 12 for i in range(5000)})
        self.assertGreaterEqual(self.value(s, "timed.walks.lookups"), pages)
        self.assertEqual(s["statistics"]["timed.latency"]["count"], 5000)
        parts = sum(self.value(s, f"timed.{part}.picoseconds") for part in ("l1_tlb", "l2_tlb", "iommu_tlb", "walks", "memory"))
        self.assertEqual(parts, self.value(s, "timed.picoseconds"))
        self.assertIn("guest: accesses = ", " ".join(law["name"] for law in s["laws"]))
        self.assertIn("5,000 agree", self.said)
        host = json.loads((self.out / "host.json").read_text())
        self.assertGreater(host["emulator_processor_seconds"], 0)

    def test_a_folder_that_cannot_be_entered_is_passed_over(self):
        (self.dir / "bin").mkdir()
        (self.dir / "bin/guest").symlink_to("guest")  # a loop: the superuser cannot enter it either
        copy = shutil.copy(PROGRAM, self.dir / "bin")
        done = subprocess.run([copy, *self.command()[1:]], capture_output=True, text=True, check=False, timeout=ENOUGH,
                              env={**os.environ, "STAND_IN": "plain"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_time_is_that_of_the_platform(self):
        one = self.guest("plain", "-p", "apu-micro18:l1_tlb.hit_cycles=10")
        other = self.guest("plain", "-p", "apu-micro18:l1_tlb.hit_cycles=13")
        self.assertEqual(self.value(other, "timed.l1_tlb.picoseconds") - self.value(one, "timed.l1_tlb.picoseconds"), 5000 * 3 * 500)
        # a read of memory: 27 memory cycles, 200 cycles for the way there and back, then up to the next edge; the walk takes no other time
        reads = self.value(one, "timed.memory.lookups")
        self.assertEqual(self.value(one, "timed.memory.picoseconds"), reads * (1 + 11 + 11 + 4) * 1250)
        self.assertEqual(self.value(one, "timed.walks.picoseconds"), reads * (200 * 500 + 250))
        slow = self.guest("plain", "-p", "apu-micro18:l1_tlb.hit_cycles=10,dram.cl=21")
        self.assertEqual(self.value(slow, "timed.memory.picoseconds") - self.value(one, "timed.memory.picoseconds"),
                         self.value(one, "timed.memory.lookups") * 10 * 1250)

    def test_a_platform_without_an_l2_tlb(self):
        s = self.guest("plain", "-p", "mmu-hpca14")
        self.assertNotIn("timed.l2_tlb.lookups", s["statistics"])
        self.assertEqual(self.value(s, "timed.agreed"), 5000)

    def test_a_page_that_moves(self):
        s = self.guest("change")
        self.assertEqual((self.value(s, "timed.agreed"), self.value(s, "timed.drops")), (3, 1))
        s = self.guest("stale", code=3)  # the TLB still has it
        self.assertEqual((self.value(s, "timed.agreed"), self.value(s, "timed.held_old")), (2, 1))
        self.assertEqual(s["disagreements"][0]["va"], "0xffff888000000008")
        self.assertEqual(s["disagreements"][0]["emulator_pa"], "0x400008")
        self.assertEqual(s["disagreements"][0]["pa"], "0x100008")
        self.assertIn("1 translations disagree", self.said)

    def test_a_root_that_is_written_drops_what_is_held(self):
        s = self.guest("root")
        self.assertEqual((self.value(s, "timed.agreed"), self.value(s, "timed.roots")), (3, 3))

    def test_tables_that_change_before_they_are_read(self):
        s = self.guest("late")
        self.assertEqual(self.value(s, "timed.agreed"), 64)

    def test_a_walk_that_leads_elsewhere(self):
        s = self.guest("differs", code=3)
        self.assertEqual(self.value(s, "guest.differed"), 1)
        d = s["disagreements"][0]
        self.assertEqual((d["by"], d["store"], d["bytes"], len(d["entries"])), ("walk", True, 8, 4))
        self.assertEqual((d["emulator_pa"], d["pa"]), ("0x101000", "0x100000"))
        large = self.guest("differs-large", code=3)["disagreements"][0]
        self.assertEqual((large["emulator_pa"], large["pa"], len(large["entries"])), ("0x403567", "0x203567", 3))
        absent = self.guest("differs-absent", code=3)["disagreements"][0]
        self.assertEqual((absent["emulator_pa"], absent["pa"], len(absent["entries"])), ("0x1000", "0x0", 1))

    def test_an_access_that_is_in_no_count(self):
        self.guest("lost", code=3)
        self.assertIn("law broken: guest: accesses = ", self.said)

    def test_none_is_timed_until_the_guest_has_said_so(self):
        s = self.guest("plain", "--when", "login:")
        self.assertEqual((self.value(s, "timed.accesses"), self.value(s, "guest.agreed")), (0, 5000))

    def test_records_that_no_plugin_writes_end_it_with_a_reason(self):
        for record, why in (("0", "no such kind"), ("0x6", "no such kind"), ("0x80002", "bits that mean nothing"),
                            ("0x7001", "4 or 5 levels"), ("0x4a01", "more entries than levels"), ("0x4201", "larger than 1 GiB")):
            self.assertIsNone(self.guest("record", code=2, RECORD=record))
            self.assertIn(why, self.said)
        self.guest("ring", code=2)
        self.assertIn("claims more records than its ring holds", self.said)

    def test_guests_and_emulators_that_die(self):
        for what, why in (("old", "plugin requires API version 4"), ("silent", "before the plugin ran: exit code 0"),
                          ("crash", "signal 11"), ("smp", "more than one virtual processor"), ("reset", "reset its machine"),
                          ("panic", "panicked"), ("stands", "panicked")):
            with self.subTest(what):
                s = self.guest(what, code=2)
                self.assertIn(why, self.said)
                self.assertTrue(s["partial"])
                self.assertIn(why, s["guest"]["reason"])
        self.guest("plain", code=2, emulator="/no/such/emulator")
        self.assertIn("scripts/setup --guest", self.said)

    def test_interrupted_it_leaves_a_result(self):
        with subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "STAND_IN": "forever"}) as process:
            while processor_seconds(process.pid) < 1 and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=ENOUGH)[0]
        self.assertEqual(process.returncode, 130, said)
        s = json.loads((self.out / "stats.json").read_text())
        self.assertEqual((s["end"], s["partial"]), ("stopped", True))
        self.assertGreater(self.value(s, "timed.agreed"), 100)
        self.assertIn("PARTIAL", said)

    def test_it_stops_when_enough_is_timed_or_time_is_over(self):
        s = self.guest("forever", "--measure", "100")
        self.assertEqual(self.value(s, "timed.accesses"), 100)
        self.assertTrue(s["partial"])
        s = self.guest("forever", "--seconds", "1")
        self.assertEqual(s["end"], "stopped")

    def test_another_machine_s_or_guest_s_result_is_not_replaced_without_a_word(self):
        for _ in range(2):
            self.guest("change")
            self.assertNotIn("replaced", self.said)
        self.guest("change", "-p", "mmu-hpca14")
        self.assertIn(f"walkway: {self.out}: the result of apu-micro18 is replaced by one of mmu-hpca14\n", self.said)
        other = self.dir / "other"
        other.write_bytes(b"kernel")
        (self.dir / "kernel").rename(self.dir / "before")
        subprocess.run([w if w != self.dir / "kernel" else other for w in self.command("-p", "mmu-hpca14")], check=True, capture_output=True,
                       text=True, env={**os.environ, "STAND_IN": "change"})
        (self.dir / "before").rename(self.dir / "kernel")
        self.guest("change", "-p", "mmu-hpca14")
        self.assertIn(f"the result of mmu-hpca14 on {other} is replaced by one of mmu-hpca14 on {self.dir / 'kernel'}\n", self.said)

    def test_a_long_guest_without_a_place_for_its_result_keeps_it(self):
        words = [w for w in self.command("--seconds", "6", "--every", "0") if w not in ("-o", self.out)]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=ENOUGH,
                              env={**os.environ, "STAND_IN": "forever", "XDG_CACHE_HOME": str(self.dir / "cache")})
        place = pathlib.Path(done.stderr.split("are kept in ")[1].split(";")[0])
        self.assertEqual(place.parent, self.dir / "cache/walkway/results")
        self.assertIn("apu-micro18-guest-kernel", place.name)
        self.assertEqual(json.loads((place / "stats.json").read_text())["end"], "stopped")

    def test_the_emulator_gets_what_it_needs(self):
        words = self.dir / "words"
        self.guest("words", "--cpu", "max,la57=off", "--append", "quiet x=1", "--", "-nic", "none", WORDS=str(words))
        words = words.read_text().split("\n")
        for name, value in (("-smp", "1"), ("-m", "32M"), ("-cpu", "max,la57=off"), ("-append", "quiet x=1"), ("-nic", "none"),
                            ("-machine", "q35,memory-backend=ram,smm=off"), ("-kernel", str(self.dir / "kernel"))):
            self.assertEqual(words[words.index(name) + 1], value)

    # -- recording a window as a trace

    def walkway(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, timeout=ENOUGH)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def record(self, what, *more, code=0):
        self.trace, self.image = self.dir / "x.wkt", self.dir / "x.memory"
        return self.guest(what, "--record", self.trace, "--image", self.image, *more, code=code)

    def test_a_window_is_kept_as_a_trace_with_the_root_of_each_access(self):
        s = self.record("window", "--measure", "97")
        self.assertEqual((self.value(s, "timed.accesses"), self.value(s, "recorded.accesses")), (97, 97))
        self.assertEqual([self.value(s, "recorded." + name) for name in ("launches", "roots", "pages_same", "pages_moved", "pages_gone")],
                         [3, 2, 94, 1, 1])
        self.assertEqual(s["guest"]["recorded"], {"trace": "x.wkt", "partial": False, "memory": "held behind the last access"})
        self.assertIn("94 lie where they did, 1 moved, 1 are gone", self.said)
        info = json.loads(self.walkway("trace", "info", "--json", self.trace))
        self.assertEqual((info["version"], info["partial"]), (3, False))
        self.assertEqual([(one["kernel"], one["table"]) for one in info["launches"]],
                         [(f"root_{root}", {"root": root, "levels": 4}) for root in ("0x1000", "0x10000", "0x1000")])
        self.assertEqual({kind: n["records"] for kind, n in info["totals"]["kinds"].items() if n["records"]}, {"load": 65, "store": 32})
        self.assertIn("2 roots of page tables", self.walkway("trace", "check", self.trace))
        self.assertIn("those of 2 page tables", self.walkway("trace", "info", self.trace))
        records = self.walkway("trace", "cat", self.trace)
        self.assertIn("work-group 0, root 0x10000, 4 levels", records)
        self.assertIn("0x888000001010", records)  # without its sign extension

    def test_a_recording_runs_in_the_memory_that_it_left_behind(self):
        self.record("window", "--measure", "97")
        self.walkway("run", "-q", "--memory", self.image, "-o", self.dir / "run", self.trace)
        s = json.loads((self.dir / "run" / "stats.json").read_text())
        self.assertEqual((s["image"]["roots"], s["image"]["levels"]), (["0x1000", "0x10000"], 4))
        self.assertEqual(self.value(s, "coalescer.translations"), 97)
        self.assertEqual(self.value(s, "coalescer.faults"), 1)  # the page that was unmapped
        self.assertEqual(self.value(s, "walk_unit.walks_started"), 64 + 32)  # one walk per page and root
        part = self.dir / "part.wkt"
        self.walkway("trace", "save", "--kernels", "root_0x10000", "-o", part, self.trace)
        self.walkway("run", "-q", "--memory", self.image, "-o", self.dir / "run", part)
        s = json.loads((self.dir / "run" / "stats.json").read_text())
        self.assertEqual((s["image"]["roots"], self.value(s, "coalescer.translations")), (["0x10000"], 32))

    def encrypt(self, image, node, bit, level=4):
        """Sets a bit in every entry below a node, as a kernel with SME does. Returns how many entries."""
        count = 0
        for at in range(node, node + 4096, 8):
            entry = int.from_bytes(image[at:at + 8], "little")
            if entry & 1:
                count += 1
                image[at:at + 8] = (entry | 1 << bit).to_bytes(8, "little")
                if level > 1:
                    count += self.encrypt(image, entry & 0xffffffffff000, bit, level - 1)
        return count

    def test_a_recording_runs_in_tables_whose_entries_choose_an_encryption(self):
        self.record("window", "--measure", "97")
        run = ("run", "-q", "--memory", self.image, self.trace, "-o", self.dir / "run")
        self.walkway(*run)
        plain = json.loads((self.dir / "run" / "stats.json").read_text())
        memory = bytearray(self.image.read_bytes())
        self.assertGreater(sum(self.encrypt(memory, root, 47) for root in (0x1000, 0x10000)), 64 + 32)
        self.image.write_bytes(memory)
        self.walkway(*run, code=1)
        self.walkway(*run, "--encryption-bits", "46", code=1)
        self.walkway(*run, "--encryption-bits", "47")
        s = json.loads((self.dir / "run" / "stats.json").read_text())
        self.assertEqual(s["image"].pop("encryption"), hex(1 << 47))
        self.assertEqual((s["statistics"], s["image"]), (plain["statistics"], plain["image"]))

    def test_a_table_that_leads_out_of_the_image_faults_and_all_laws_hold(self):
        self.record("window", "--measure", "97")
        memory = bytearray(self.image.read_bytes())
        memory[0x3000:0x3008] = (1 << 47 | 3).to_bytes(8, "little")  # the entry above all 64 pages of the first root points beyond memory
        self.image.write_bytes(memory)
        for path in ("dram", "l2d"):
            self.walkway("run", "-q", "--memory", self.image, "--set", "walk_unit.walk_path=" + path, "-o", self.dir / "run", self.trace)
            s = json.loads((self.dir / "run" / "stats.json").read_text())
            self.assertGreaterEqual(self.value(s, "coalescer.faults"), 64)
            self.assertEqual(self.value(s, "walk_unit.walks_finished"), 32)
            self.assertGreater(self.value(s, "walk_unit.walks_refused"), 0)
            self.assertGreater(self.value(s, "dram.refused_reads"), 0)
            self.assertTrue(all(law["holds"] for law in s["laws"]))

    def test_what_a_recording_does_not_run_in(self):
        self.record("window", "--measure", "97")
        small = self.dir / "small"
        small.write_bytes(self.image.read_bytes()[:0x8000])
        for words, why in (((self.trace,), "runs in the memory that it was recorded in"),
                           (("--memory", self.image, "--root", "0x1000", self.trace), "the trace has roots and addresses of its own"),
                           (("--memory", self.image, "--at", "0x1000", self.trace), "the trace has roots and addresses of its own"),
                           (("--beside", self.trace, "gen:stream,waves=1"), "runs in the memory that it was recorded in"),
                           (("--memory", small, self.trace), "root 0x10000 of the trace: outside the image")):
            self.assertIn(why, self.walkway("run", "-q", *words, code=1))
        self.record("roots")
        self.assertIn("launches 0 to 15", self.walkway("run", "-q", "--memory", self.image, self.trace, code=1))
        self.walkway("run", "-q", "--memory", self.image, "--kernels", "1-16", self.trace)

    def test_a_launch_ends_where_cr3_is_written_and_where_it_is_long(self):
        s = self.record("root")  # CR3 is written twice with its own value
        self.assertEqual([self.value(s, "recorded." + name) for name in ("accesses", "launches", "roots", "pages_moved")], [3, 3, 1, 1])
        s = self.record("forever", "--measure", str((1 << 16) + 1))
        self.assertEqual((self.value(s, "recorded.launches"), self.value(s, "recorded.pages_same")), (2, 1))
        info = json.loads(self.walkway("trace", "info", "--json", self.trace))
        self.assertEqual(info["totals"]["kinds"]["load"]["records"], (1 << 16) + 1)

    def test_a_recording_that_ends_early_is_partial(self):
        s = self.record("crash", code=2)
        self.assertEqual(s["guest"]["recorded"]["memory"], "after the end")
        self.assertIn("PARTIAL", self.walkway("trace", "info", self.trace))
        self.record("rootless", code=2)
        self.assertIn("an access before a root", self.said)
        self.assertEqual(sorted(p.name for p in self.dir.glob("x.wkt*")), ["x.wkt"])  # that of the earlier run
        self.trace.unlink()
        self.record("plain", "--when", "login:")
        self.assertEqual(list(self.dir.glob("x.wkt*")), [])
        self.assertIn("nothing was recorded", self.said)
        with subprocess.Popen(self.command("--record", self.trace), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env={**os.environ, "STAND_IN": "forever"}) as process:
            while processor_seconds(process.pid) < 1 and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=ENOUGH)[0]
        self.assertIn("x.wkt (PARTIAL)", said)
        self.assertTrue(json.loads(self.walkway("trace", "info", "--json", self.trace))["partial"])
        self.assertEqual(json.loads((self.out / "stats.json").read_text())["guest"]["recorded"]["memory"], "held behind the last access")

    def test_bad_command_lines(self):
        for more, why in ((("x",), "takes no x"), (("--memory", "3Gi"), "2146435072"), (("--memory", "40000001"), "multiple of 1 Mi"),
                          (("--initrd", "nothing"), "nothing: cannot be read"), (("--without", "cr5"), "wants invlpg, cr3 or cr4"),
                          (("--image", "m"), "--image is for --record"), (("--record", "x.wkt", "--every", "0"), "nothing to record"),
                          (("--record", self.dir / "m", "--image", self.dir / "m"), "want the same file"),
                          (("--set", "translation.ideal=perfect_l1"), "without the ideal ladder"),
                          (("--set", "l2_tlb.store=compressed"), "l2_tlb: tag and frame do not fit a slot of 64 bits"),
                          (("--set", "walk_unit.pte_cache_bytes=4096"), "cache of table lines")):
            self.guest("plain", *more, code=2 if "initrd" in more[0] else 1)
            self.assertIn(why, self.said)


if __name__ == "__main__":
    unittest.main()
