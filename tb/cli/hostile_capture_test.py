#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Programs that fail or do not end under `walkway capture`, and machines that lack something (docs/use/errors.md)."""
import json
import os
import pathlib
import signal
import unittest

import jsonschema

from walkway_run import ENOUGH, RunTest, children_of, processor_seconds, run, tiny_files

WORKLOADS = pathlib.Path(os.environ["WALKWAY_WORKLOADS"])
PROBE = WORKLOADS.parent / "tb" / "capture" / "capture_probe"
INFO_SCHEMA = json.loads((pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs" / "develop" / "trace-info.schema.json").read_text())


def sleeps(pid):
    """Returns whether the program has a descendant that is `sleep`."""
    return any(pathlib.Path(f"/proc/{child}/comm").read_text() == "sleep\n" or sleeps(child) for child in children_of(pid))


class HostileCaptureTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()
        self.env["TMPDIR"] = str(self.dir)
        self.cwd = self.dir / "work"
        self.cwd.mkdir()

    def script(self, name, text, mode=0o755):
        path = self.dir / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def run_it(self, *words, code, **more):
        err = super().run_it(*words, code=code, timeout=ENOUGH, **more).stderr
        self.assertNotIn("internal error", err)
        return err

    def left(self):
        return sorted(p.name for p in self.cwd.iterdir())

    def capture_fails(self, *program, says, code=2, **more):
        err = self.run_it("capture", "-o", "x.wkt", "--", *program, code=code, **more)
        self.assertIn(says, err)
        if self.cwd.exists():
            self.assertEqual(self.left(), [])

    def test_programs_that_end_badly(self):
        self.capture_fails(self.script("segv", "#!/bin/sh\nkill -SEGV $$\n"), says="signal 11")
        self.capture_fails(PROBE, "no-kernel", says="ran no OpenCL kernel")
        self.capture_fails("/bin/true", says="never used OpenCL")
        self.capture_fails(self.script("closed", "#!/bin/sh\n", 0o644), says="is a file that cannot be executed")
        self.capture_fails(self.script("nonsense", "\x7fELF nonsense"), says="walkway: capture of")
        self.capture_fails("./nowhere", says="./nowhere")
        self.capture_fails("/", says="is a folder, no program")

    def test_programs_that_end_badly_after_their_kernels(self):
        for how, reason, partial in (("crash", "signal 6", True), ("exit-3", "exit code 3", False)):
            err = self.run_it("capture", "-o", "x.wkt", "--", PROBE, how, code=2)
            self.assertIn(reason, err)
            self.assertIn("x.wkt has what was recorded until then: 2 of 2 work-groups", err)
            self.assertEqual(self.left(), ["x.wkt"])
            info = json.loads(super().run_it("trace", "info", "--json", "x.wkt").stdout)
            self.assertEqual((info["partial"], len(info["launches"])), (partial, 1))
            self.assertIn(reason, self.run_it("run", "-p", "fake", "--", PROBE, how, code=2))
            self.assertEqual(list((self.dir / "cache").rglob("*.wkt")), [])

    def test_several_processes_are_refused(self):
        both = self.script("both", f"#!/bin/sh\n'{PROBE}' vadd; '{PROBE}' two\n")
        self.capture_fails(both, says="2 processes")

    def test_a_program_that_forks(self):
        forks = self.script("forks", f"#!/bin/sh\n(sleep 0.1; exit 7) & '{PROBE}' vadd; wait\n")
        self.run_it("capture", "-q", "-o", "x.wkt", "--", forks, code=0)
        self.assertEqual(self.left(), ["x.wkt"])

    def test_a_program_that_removes_its_folder(self):
        gone = self.script("gone", f"#!/bin/sh\nrm -r '{self.cwd}'\n'{PROBE}' vadd\n")
        self.capture_fails(gone, says=str(self.cwd), code=4)

    def test_a_machine_without_oclgrind_or_plugin(self):
        self.capture_fails(WORKLOADS / "atax", "8", says="apt-get install oclgrind", env={"PATH": "/nonexistent"})
        self.capture_fails(WORKLOADS / "atax", "8", says="/no/plugin.so", env={"WALKWAY_CAPTURE_PLUGIN": "/no/plugin.so"})

    def test_a_plugin_whose_path_has_spaces_and_colons(self):
        folder = self.dir / "a b:c"
        folder.mkdir()
        (folder / "plugin.so").symlink_to(WORKLOADS.parent / "capture" / "libwalkway-capture.so")
        env = {"WALKWAY_CAPTURE_PLUGIN": str(folder / "plugin.so")}
        self.run_it("capture", "-q", "-o", "x.wkt", "--", PROBE, "vadd", code=0, env=env)
        self.assertEqual(self.left(), ["x.wkt"])
        self.assertEqual(list(self.dir.glob("walkway-*")), [])
        env["TMPDIR"] = str(folder)
        (self.cwd / "x.wkt").unlink()
        self.capture_fails(PROBE, "vadd", says="set $TMPDIR", env=env)

    def test_a_disk_that_is_full_or_closed(self):
        self.capture_fails(PROBE, "two", says="File too large", code=4, preexec_fn=tiny_files(600))
        for path in ("/proc/x.wkt", "none/x.wkt", "."):
            self.run_it("capture", "-o", path, "--", PROBE, "vadd", code=4)
        (self.dir / "cache").write_text("in the way")
        self.run_it("run", "-p", "fake", "--", PROBE, "vadd", code=4)
        self.run_it("run", "-q", "-p", "fake", "--", PROBE, "vadd", code=0, env={"XDG_CACHE_HOME": "", "HOME": ""})

    def interrupted(self, *program, command=("capture", "-o", "x.wkt"), **more):
        super().interrupted(*command, "--", *program, **more)

    def records(self, pid):
        """Returns whether a captured program runs its kernels."""
        return processor_seconds(pid) > 1 and any(p.stat().st_size > 0 for p in self.dir.rglob("*.partial"))

    def check_partial(self, trace, info):
        """Checks that every command that reads the trace reports its extent."""
        jsonschema.validate(info, INFO_SCHEMA)
        e = info["extent"]
        self.assertEqual((e["groups"], e["launches"]), (info["totals"]["groups"], len(info["launches"])))
        self.assertEqual(e["groups_of"], sum(launch["groups_of"] for launch in info["launches"]))
        says = (f"PARTIAL: {e['groups']:,} of {e['groups_of']:,} work-groups, {e['launches']:,} of at least "
                f"{e['launches_of']:,} launches (the capture was stopped early)")
        for words in (("trace", "info", trace), ("trace", "check", trace), ("run", "-q", "-p", "fake", trace),
                      ("compare", "-q", trace, "fake", ":walk_unit.walkers=4")):
            text = " ".join(run(*words, cwd=self.cwd, env=self.env).stdout.split()) # lines are folded at the screen's width
            self.assertEqual(text.count(says), 1, words)
        self.assertNotIn("whole", run("trace", "check", trace, cwd=self.cwd).stdout)

    def test_a_capture_that_oclgrind_ends_is_partial(self):
        text = self.run_it("capture", "-o", "x.wkt", "--", PROBE, "fatal", code=2)
        self.assertIn("Oclgrind gave up in work-group 3 of kernel 'fatal'", text)
        self.assertIn("x.wkt has what was recorded until then: 5 of 7 work-groups, 2 of at least 2 launches", text)
        self.assertEqual(self.left(), ["x.wkt"])
        self.check_partial("x.wkt", json.loads(run("trace", "info", "--json", "x.wkt", cwd=self.cwd).stdout))
        (self.cwd / "x.wkt").unlink()
        self.capture_fails(PROBE, "fatal-first", says="Oclgrind gave up in work-group 0")

    def test_lanes_outside_every_buffer_are_told(self):
        self.run_it("capture", "-q", "-o", "o.wkt", "--", PROBE, "outside", code=0)
        says = "96 accesses of lanes outside every buffer were left out at capture\n"
        for words in (("trace", "info", "o.wkt"), ("trace", "check", "o.wkt"), ("run", "-q", "-p", "fake", "o.wkt"),
                      ("compare", "-q", "o.wkt", "fake", ":walk_unit.walkers=4")):
            self.assertEqual(run(*words, cwd=self.cwd, env=self.env).stdout.count(says), 1, words)
        self.assertNotIn("PARTIAL", run("trace", "info", "o.wkt", cwd=self.cwd).stdout)
        run("trace", "save", "--groups", "0", "-o", "p.wkt", "o.wkt", cwd=self.cwd)
        text = run("run", "-q", "--beside", "p.wkt", "o.wkt", program=WORKLOADS.parent / "walkway", cwd=self.cwd).stdout
        words = " ".join(text.split())
        self.assertIn(f"{says.strip()} p.wkt: PARTIAL: 2 of 3 work-groups", words)
        self.assertIn("p.wkt: " + says.strip(), words)

    def test_a_stopped_capture_is_partial_or_nothing(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.interrupted(PROBE, "slow", by=number, when=self.records)
            self.assertEqual(self.left(), ["x.wkt"])
            info = json.loads(run("trace", "info", "--json", "x.wkt", cwd=self.cwd).stdout)
            self.assertTrue(info["partial"])
            self.check_partial("x.wkt", info)
            (self.cwd / "x.wkt").unlink()
        self.interrupted("/bin/sleep", "60", when=sleeps)
        self.assertEqual(self.left(), [], "nothing was recorded")

    def test_a_program_that_hangs_after_its_kernels(self):
        hang = self.script("hang", f"#!/bin/sh\n'{PROBE}' vadd\nexec sleep 60\n")
        self.interrupted(hang, when=sleeps)
        self.assertLessEqual(set(self.left()), {"x.wkt"})

    def start_deaf(self):
        """Starts a capture of a program that ignores SIGINT and SIGTERM and writes its process number to a file; returns both."""
        number = self.dir / "number"
        program = self.script("deaf", f"#!/bin/sh\ntrap '' INT TERM\necho $$ >'{number}'\nexec sleep 60\n")
        child = self.start("capture", "-o", "x.wkt", "--", program)
        self.wait_for(lambda: number.exists() and number.read_text().endswith("\n"))
        return child, int(number.read_text())

    def test_a_second_interrupt_kills_the_program(self):
        with self.start_deaf()[0] as child:
            self.ends_at_the_second_interrupt(child)
        self.assertEqual(self.left(), [])

    def test_a_program_does_not_outlive_its_capture(self):
        child, number = self.start_deaf()
        with child:
            os.kill(number, 0)
            child.kill()
            child.communicate(timeout=ENOUGH)
        line = pathlib.Path(f"/proc/{number}/cmdline") # removed, or empty until its parent waits for it
        self.wait_for(lambda: not line.exists() or not line.read_bytes())

    def test_what_a_machine_does_not_have_is_said_before_the_capture(self):
        program = self.script("touches", f"#!/bin/sh\ntouch '{self.dir}/ran'\n")
        for options, says, code in ((("--vcd", "x.vcd", "--vcd-blocks", "nothing"), "no block has such a name", 1),
                                    (("--vcd", "x.vcd", "--vcd-trigger", "nothing>1"), "no signal has this name", 1),
                                    (("--vcd", "x.vcd", "--vcd-from", "2us", "--vcd-to", "1us"), "not after --vcd-from", 1),
                                    (("--transactions", "x.json", "--transactions-window", "2us..1us"), "ends where it begins", 1),
                                    (("--vcd", "nowhere/x.vcd"), "there is no folder nowhere", 4)):
            err = self.run_it("run", "-p", "fake", *options, "--", program, code=code)
            self.assertIn(says, err)
            self.assertFalse((self.dir / "ran").exists())

    def test_an_interrupted_capture_is_not_taken_from_the_cache(self):
        self.interrupted(PROBE, "slow", command=("run", "-p", "fake"), when=self.records)
        kept = list((self.dir / "cache").rglob("*.wkt"))
        self.assertEqual(kept, [])
        traces = list((self.dir / "cache").rglob("*"))
        self.assertEqual([p for p in traces if p.is_file()], [], "no temporary files")


if __name__ == "__main__":
    unittest.main()
