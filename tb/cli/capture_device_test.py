#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The device that a captured program finds, and its accepted exit codes: options of every command that captures. Programs that are linked
with OpenCL and programs that load it find the same device."""
import json
import os
import pathlib
import re
import unittest

import jsonschema

from walkway_run import RunTest, run

FOLDER = pathlib.Path(os.environ["WALKWAY_WORKLOADS"]).parent / "tb" / "capture"
LINKED, LOADED = FOLDER / "capture_device", FOLDER / "capture_device_loaded"
BOTH = (LINKED, LOADED)
SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
SCHEMA = json.loads((SOURCE / "docs" / "develop" / "trace-info.schema.json").read_text())

FOUND, NONE = "1 (0), context 1 (0)", "0 (-1), context 0 (-1)"
GPU = {"type": "gpu", "compute_units": 8, "group_items": 1024}


class CaptureDeviceTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()

    def capture(self, *words, code=0):
        (self.dir / "x.wkt").unlink(missing_ok=True)
        done = self.run_it("capture", "-o", "x.wkt", *words, code=code)
        self.assertEqual((self.dir / "x.wkt").exists(), code == 0)
        return done.stderr

    def info(self, trace="x.wkt"):
        info = json.loads(run("trace", "info", "--json", trace, cwd=self.dir).stdout)
        jsonschema.validate(info, SCHEMA)
        return info

    def kept(self):
        return list((self.dir / "cache").rglob("*.wkt"))

    # -- the device

    def check_types(self, said, *found):
        for name in ("cpu", "gpu", "accelerator", "cpu+accelerator", "cpu+gpu", "default", "all"):
            self.assertIn(f"{name}: {FOUND if name in (*found, 'default', 'all') else NONE}\n", said)
        self.assertIn("custom: 99 (-1), context 0 (-1)\n", said, "Oclgrind's own answer")

    def test_a_program_finds_a_gpu(self):
        for program in BOTH:
            said = self.capture("--", program, "show")
            self.check_types(said, "gpu", "cpu+gpu")
            self.assertIn("type 4 of 8 bytes, 8 units, 1024 items, 1024x1024x1024\n", said)
            self.assertIn("too short: -30, size alone: 0\n", said)
            self.assertIn("fill: 1024 items, multiple of 64\n", said)
            self.assertIn("tile: 64 items, multiple of 64\n", said)

    def test_or_what_it_is_told(self):
        for shown, number, found in (("cpu", 2, ("cpu", "cpu+gpu", "cpu+accelerator")),
                                     ("accelerator", 8, ("accelerator", "cpu+accelerator")),
                                     ("gpu", 4, ("gpu", "cpu+gpu")),
                                     ("all", 14, ("cpu", "gpu", "accelerator", "cpu+accelerator", "cpu+gpu"))):
            for program in BOTH:
                said = self.capture("--device-type", shown, "--compute-units", 46, "--", program, "show")
                self.check_types(said, *found)
                self.assertIn(f"type {number} of 8 bytes, 46 units,", said)
                self.assertEqual(self.info()["device"], {**GPU, "type": shown, "compute_units": 46})

    def test_the_default_is_the_default_machines(self):
        config = (SOURCE / "platforms" / "apu-micro18.cfg").read_text()
        self.capture("-q", "--", LINKED)
        units = int(re.search(r"(?m)^cus = (\d+)", config)[1])
        self.assertEqual(self.info()["device"], {**GPU, "compute_units": units})
        self.assertIn(f"(default {units}, as apu-micro18 has)", " ".join(self.run_it("capture", "--help").stdout.split()))
        self.assertIn("device:   gpu, 8 compute units, work-groups of at most 1,024\n", run("trace", "info", "x.wkt", cwd=self.dir).stdout)

    def test_a_part_keeps_the_device_and_an_old_trace_has_none(self):
        self.capture("-q", "--", LINKED)
        self.run_it("trace", "save", "--kernels", 0, "-o", "part.wkt", "x.wkt")
        self.assertEqual(self.info("part.wkt")["device"], GPU)
        old = self.info(SOURCE / "waveforms" / "atax-512.wkt")
        self.assertEqual((old["version"], "device" in old, "exit_code" in old), (1, False, False))

    def test_the_largest_work_group_is_as_the_environment_wants_it(self):
        self.env["OCLGRIND_MAX_WGSIZE"] = "256"
        self.assertIn(" 256 items, 256x256x256\n", self.capture("--", LINKED, "show"))
        self.assertEqual(self.info()["device"]["group_items"], 256)

    def test_open_work_group_sizes_are_chosen_for_both(self):
        for program in BOTH:
            self.capture("-q", "--", program)
            self.assertEqual([launch["group"] for launch in self.info()["launches"]], [[256, 1, 1]])

    def test_callbacks_may_wait_for_another_thread_in_both(self):
        for program in BOTH:
            self.capture("-q", "--", "/usr/bin/timeout", 60, program, "callback")

    def test_interpret_reaches_the_program(self):
        self.env["WALKWAY_TRACE_INTERPRET"] = "of whoever starts it"
        for options, says in (((), "interpret: ."), (("--interpret",), "interpret: 1.")):
            self.assertIn(says, self.capture(*options, "--", "/bin/sh", "-c", "echo interpret: $WALKWAY_TRACE_INTERPRET.", code=2))

    # -- device types that a program asks for and does not find

    def test_a_program_that_wants_another_type_gets_a_hint(self):
        for program in BOTH:
            for wanted in ("cpu", "accelerator"):
                said = self.capture("--", program, "only", wanted, code=2)
                self.assertIn(f"ended with exit code 7; the device is of type gpu, and the program asked for {wanted}: "
                              f"'walkway capture --device-type {wanted}' has it find one\n", said)
            self.assertIn("asked for several others: 'walkway capture --device-type all'", self.capture("--", program, "only", "cpu+accelerator", code=2))
            self.assertIn("of type cpu, and the program asked for gpu:", self.capture("--device-type", "cpu", "--", program, "only", "gpu", code=2))
            self.capture("-q", "--device-type", "cpu", "--", program, "only", "cpu")

    def test_a_program_that_only_asks_has_used_opencl(self):
        for program in BOTH:
            said = self.capture("--", program, "platforms", code=2)
            self.assertIn("asked for OpenCL's platforms or devices, but used none: it ran no kernel\n", said)
            self.assertNotIn("never", said)
            self.assertNotIn("--device-type", said)
        self.assertIn("never used OpenCL", self.capture("--", "/bin/true", code=2))
        self.assertEqual([p.name for p in self.dir.glob("*.capture*")], [])

    # -- exit codes

    def test_an_accepted_exit_code_keeps_the_trace_and_is_in_it(self):
        self.capture("-q", "--", LINKED)
        whole = self.run_it("trace", "cat", "x.wkt").stdout
        self.assertEqual(self.info()["exit_code"], 0)
        self.capture("--accept-exit", 4, "--accept-exit", 3, "--", LINKED, "exit", 3)
        info = self.info()
        self.assertEqual((info["exit_code"], info["partial"], info["device"]), (3, False, GPU))
        self.assertEqual(self.run_it("trace", "cat", "x.wkt").stdout, whole)
        self.assertNotIn("PARTIAL", self.run_it("trace", "check", "x.wkt").stdout)
        self.assertIn("ended:    with exit code 3\n", self.run_it("trace", "info", "x.wkt").stdout)

    def test_another_one_is_a_failure(self):
        done = self.run_it("capture", "--accept-exit", 4, "-o", "x.wkt", "--", LINKED, "exit", 3, code=2)
        self.assertIn("ended with exit code 3 ('walkway capture --accept-exit 3' takes that for a good end); x.wkt has what was recorded", done.stderr)
        self.assertEqual(self.info()["exit_code"], 3)

    def test_a_crash_is_no_exit_code(self):
        done = self.run_it("capture", "--accept-exit", 134, "--accept-exit", 6, "-o", "x.wkt", "--", FOLDER / "capture_probe", "crash", code=2)
        self.assertIn("signal 6", done.stderr)
        self.assertTrue(self.info()["partial"])

    def test_run_and_compare_take_the_same_options(self):
        for command in (("run", "-q", "-p", "fake"), ("compare", "-q", "fake", ":walk_unit.walkers=4")):
            self.assertIn("exit code 3", self.run_it(*command, "--", LINKED, "exit", 3, code=2).stderr)
            self.assertEqual(self.kept(), [])
            options = ("--accept-exit", 3, "--device-type", "cpu", "--compute-units", 2)
            self.run_it(*command, *options, "--", LINKED, "exit", 3)
            [trace] = self.kept()
            info = self.info(trace)
            self.assertEqual((info["exit_code"], info["device"]["type"], info["device"]["compute_units"]), (3, "cpu", 2))
            self.assertNotIn("exit code", self.run_it(*command, *options, "--", LINKED, "exit", 3).stderr)
            self.assertIn("exit code 3", self.run_it(*command, *options[2:], "--", LINKED, "exit", 3, code=2).stderr, "whoever does not accept it")
            for path in self.kept():
                path.unlink()

    def test_each_device_has_its_place_in_the_cache(self):
        for words in ((), ("--device-type", "all"), ("--compute-units", 9), ("--interpret",)):
            before = len(self.kept())
            self.run_it("run", "-q", "-p", "fake", *words, "--", LINKED)
            self.assertEqual(len(self.kept()), before + 1, words)
        self.run_it("run", "-q", "-p", "fake", "--device-type", "gpu", "--compute-units", 8, "--", LINKED)
        self.assertEqual(len(self.kept()), 4, "the defaults, written out")

    # -- refused options

    def test_options_that_are_wrong(self):
        for words, says in ((("--device-type", "gpus"), "--device-type gpus: wants one of cpu, gpu, accelerator, all"),
                            (("--device-type", "gpus"), "gpu"),
                            (("--compute-units", 0), "--compute-units 0: wants a whole number from 1 to 250"),
                            (("--compute-units", 251), "--compute-units 251: wants"),
                            (("--accept-exit", 256), "--accept-exit 256: wants a whole number from 0 to 255"),
                            (("--accept-exit", "x"), "--accept-exit x: wants")):
            for command in (("capture", "-o", "x.wkt"), ("run", "-p", "fake", "-o", "out"), ("compare", "-o", "out", "fake", "fake")):
                program = self.dir / "touches"
                program.write_text(f"#!/bin/sh\ntouch '{self.dir}/ran'\n")
                program.chmod(0o755)
                self.assertIn(says, self.run_it(*command, *words, "--", program, code=1).stderr)
                self.assertFalse((self.dir / "ran").exists())
                self.assertFalse((self.dir / "out").exists())

    def test_a_trace_takes_none_of_them(self):
        self.capture("-q", "--", LINKED)
        for words in (("--interpret",), ("--device-type", "gpu"), ("--compute-units", 8), ("--accept-exit", 3)):
            for command in (("run", "-p", "fake", "x.wkt"), ("run", "-p", "fake", "x.wkt", "x.wkt"), ("compare", "x.wkt", "fake", "fake")):
                self.assertIn(f"{words[0]} is for a program that is captured", self.run_it(*command, *words, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
