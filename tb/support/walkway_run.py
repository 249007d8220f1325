# SPDX-License-Identifier: MIT
"""Shared by the tests of the program: a folder that is removed after the test, runs of $WALKWAY_PROGRAM in it with the expected
exit code, interrupts, and limits on a run's resources."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["WALKWAY_PROGRAM"]
CAPTURES = (pathlib.Path(PROGRAM).parent / "capture" / "libwalkway-capture.so").exists() # a build may omit it
SANITIZED = os.environ.get("ASAN_OPTIONS") is not None
# ./check runs a part of the long tests, ./check --deep all of it (tb/support/test_share.hpp does the same in C++).
SHORT = os.environ.get("WALKWAY_TESTS") == "short"


def of_today(items, n):
    """In the short form of a test another n-th of the items each day; else all."""
    items = list(items)
    return items[int(time.time() // 86400) % n::n] if SHORT else items


only_in_deep = unittest.skipIf(SHORT, "./check --deep runs it")

# Seconds after which a process counts as hung. No test expects that something has happened after a shorter time.
ENOUGH = 300


def children_of(pid):
    """The children of a process; [] if it has ended."""
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def processor_seconds(pid):
    """Processor time of a process and its children, which does not depend on the host's load; 0 if it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, children_of(pid)))


def has_signal(pid, number, which):
    """Whether a process has a signal in a set: SigCgt, handled; ShdPnd, sent and not yet taken."""
    found = re.search(rf"(?m)^{which}:\s*([0-9a-f]+)", pathlib.Path(f"/proc/{pid}/status").read_text())
    return bool(int(found[1], 16) >> (number - 1) & 1)


def handles(pid, number):
    """Whether a process handles the signal already."""
    return has_signal(pid, number, "SigCgt")


def scratch_folder(cleanup):
    """A new folder; `cleanup` (a test's addCleanup, or its class's addClassCleanup) will remove it."""
    folder = tempfile.TemporaryDirectory()
    cleanup(folder.cleanup)
    return pathlib.Path(folder.name)


def make_trace(path):
    subprocess.run([os.environ["WALKWAY_MAKE_TRACE"], path], check=True)
    return path


def damaged(trace, path):
    """Writes a copy whose first work-group, after the 24 bytes of the header, differs from the index."""
    data = bytearray(trace.read_bytes())
    data[40] ^= 0x10
    path.write_bytes(data)
    return path


def call(*words, program=PROGRAM, text=True, **more):
    """Runs the program, or another one, until it ends, with any exit code."""
    return subprocess.run([program, *map(str, words)], capture_output=True, text=text, check=False, **more)


def run(*words, code=0, **more):
    done = call(*words, **more)
    if done.returncode != code:
        raise AssertionError(f"{words}: exit code {done.returncode}, not {code}: {done.stdout}{done.stderr}")
    return done


def tiny_files(limit_bytes):
    """Returns a preexec_fn: writing more than a few bytes fails as on a full disk, with the signal of `ulimit -f` (which Python
    and hence its children otherwise ignore)."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
    return limit


def few_resources():
    """A preexec_fn: the program must not allocate or work without bound, whatever its input."""
    resource.setrlimit(resource.RLIMIT_CPU, (100, 100))
    if not SANITIZED: # the sanitizers' shadow alone is larger
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

FAKE_NUMBERS = "[walk_unit]\nwalkers = 8  @ paper [M18] Table I\nbuffer_entries = 256  @ paper [M18] Table I\n"


class RunTest(unittest.TestCase):
    """Runs in a new folder (`dir`; `cwd` if a test wants another), with an environment (`env`) that a test may change."""

    def setUp(self):
        self.dir = self.cwd = scratch_folder(self.addCleanup)
        self.begun_file = scratch_folder(self.addCleanup) / "begun"
        self.env = {**os.environ, "WALKWAY_FAKE_BEGUN": str(self.begun_file)}

    def add_fake_machine(self):
        """Adds the machine that computes results by formula, as "fake", and an empty cache for this test."""
        (self.dir / "fake.cfg").write_text("[machine]\npath = fake\n" + FAKE_NUMBERS)
        self.env.update(WALKWAY_PLATFORMS=str(self.dir), XDG_CACHE_HOME=str(self.dir / "cache"))

    def begun(self):
        """The number of simulations of the fake machine that have begun."""
        return len(self.begun_file.read_text().splitlines()) if self.begun_file.exists() else 0

    def run_it(self, *words, code=0, env=None, **more):
        return run(*words, code=code, cwd=self.cwd, env={**self.env, **(env or {})}, **more)

    def start(self, *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more):
        return subprocess.Popen([PROGRAM, *map(str, words)], stdout=stdout, stderr=stderr, text=True,
                                cwd=self.cwd, env=self.env, **more)

    def wait_for(self, happened):
        """Waits until happened() returns something true, and returns it."""
        end = time.monotonic() + ENOUGH
        while not (given := happened()):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        return given

    def ends_at_the_second_interrupt(self, child):
        """Ends a run that does not react to the first interrupt. A repeat within 0.2 s would count as the same request."""
        child.send_signal(signal.SIGINT)
        self.wait_for(lambda: not has_signal(child.pid, signal.SIGINT, "ShdPnd"))
        time.sleep(0.4)
        self.assertIsNone(child.poll())
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=ENOUGH)
        self.assertEqual(child.returncode, 130)

    def interrupted(self, *words, by=signal.SIGINT, begun=0, worked=0, when=None):
        """The output of a run that is interrupted once it has begun this many simulations of the fake machine, worked for this
        many seconds of processor time, and when(pid) is true."""
        before = self.begun() if begun else 0
        with self.start(*words) as child:
            self.wait_for(lambda: child.poll() is not None or
                          (handles(child.pid, by) and (not begun or self.begun() >= before + begun) and
                           processor_seconds(child.pid) >= worked and (when is None or when(child.pid))))
            child.send_signal(by)
            out, err = child.communicate(timeout=ENOUGH)
        self.assertEqual(child.returncode, 130, out + err)
        return out + err


class WritingOptionsTest(RunTest):
    """The options around an option that makes a run write a file, on the shipped trace; `writes` is that option and a file's
    name."""
    TRACE = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "waveforms" / "atax-512.wkt"

    def run_it(self, *words, code=0):
        return super().run_it("run", "-q", *words, self.TRACE, code=code)

    def start(self, *words):
        return super().start("run", "-q", *words, self.TRACE, stdout=subprocess.DEVNULL)

    def refused(self, *words, says, code=1):
        error = self.run_it(*self.writes, *words, code=code).stderr
        for part in says:
            self.assertIn(part, error)
        self.assertEqual(list(self.dir.iterdir()), [], "no file")
