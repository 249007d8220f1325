#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Parameters at the ends of their ranges and beyond: each parameter of every machine alone, and as many random pairs as time permits,
through `list --set`, `run`, `compare`, a .cfg or the C library. Each is refused with a sentence or runs with all its laws; an internal
error fails the test. $WALKWAY_SEED repeats a run; $WALKWAY_SECONDS gives it more time."""
import ctypes
import itertools
import json
import multiprocessing
import os
import random
import subprocess
import sys
import time
import unittest

from walkway_run import SHORT, PROGRAM, RunTest, run

sys.path.insert(0, os.path.join(os.environ["WALKWAY_SOURCE"], "scripts"))
from library_values import Access, Options  # noqa: E402

SEED = int(os.environ.get("WALKWAY_SEED", time.time_ns() % 1_000_000_007))
SECONDS = float(os.environ.get("WALKWAY_SECONDS", "6" if SHORT else "24"))
LIBRARY = os.environ.get("WALKWAY_LIBRARY")
TRACE = "gen:neighbourhood,waves=2,accesses=2"
MOST = 1 << 64  # beyond 64 bits
RUN_SECONDS = 20  # a longer run is too large for this test and counts as neither


def machines():
    return [line.split(",")[0] for line in run("list", "platforms", "--csv", "-").stdout.splitlines()[1:]]


def values_of(entry):
    """Returns values at the ends, beyond them, and of no valid form."""
    if "choices" in entry:
        return [*entry["choices"], "none-such"]
    if isinstance(entry["value"], bool):
        return ["true", "false", "2"]
    low, high = entry["minimum"], entry.get("maximum", MOST - 1)
    return [str(v) for v in sorted({low - 1, low, low + 1, high - 1, high, high + 1, MOST})]


def in_library(cases, said):
    """Tries each (machine, settings) and puts the library's answer into `said` at once, since the next case may crash."""
    library = ctypes.CDLL(LIBRARY)
    library.walkway_last_error.restype = ctypes.c_char_p
    for machine, settings in cases:
        texts = (ctypes.c_char_p * len(settings))(*[s.encode() for s in settings])
        options = Options(version=library.walkway_version(), settings=texts, settings_count=len(settings))
        chain = ctypes.c_void_p()
        status = library.walkway_create(machine.encode(), ctypes.byref(options), ctypes.byref(chain))
        text = "" if status == 0 else library.walkway_last_error().decode()
        if status == 0:
            result = ctypes.create_string_buffer(56)
            status = library.walkway_translate(chain, ctypes.byref(Access(va=0x12345000)), result)
            text = library.walkway_last_error().decode() if status < 0 else ""
            library.walkway_destroy(chain)
        said.put((status, text))


class ExtremesTest(RunTest):
    @classmethod
    def setUpClass(cls):
        print(f"WALKWAY_SEED={SEED}", file=sys.stderr)
        cls.random = random.Random(SEED)
        cls.parameters = {m: json.loads(run("list", "parameters", "-p", m, "--json").stdout) for m in machines()}

    def end(self, *words):
        """Returns False if refused with a sentence, True if done with all laws, None if too slow."""
        try:
            done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, cwd=self.dir, env=self.env,
                                  timeout=RUN_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        self.assertIn(done.returncode, (0, 1, 2), f"WALKWAY_SEED={SEED}: {' '.join(words)}\n{done.stdout}{done.stderr}")
        self.assertNotIn("internal error", done.stderr)
        if done.returncode != 0:
            self.assertRegex(done.stderr, r"walkway: .+: .+ .+ .+")
        return done.returncode == 0

    def by_list(self, machine, settings):
        return self.end("list", "parameters", "-p", machine, "--csv", "-", *(w for s in settings for w in ("--set", s)))

    def by_run(self, machine, settings):
        return self.end("run", "-q", "--memory-limit", "1Gi", "-p", machine, *(w for s in settings for w in ("--set", s)), TRACE)

    def by_compare(self, machine, settings):
        return self.end("compare", "-q", "--memory-limit", "1Gi", TRACE, machine, ":" + ",".join(settings))

    def by_cfg(self, machine, settings):
        lines = [f"[machine]\nextends = {machine}\n"]
        for setting in settings:
            name, value = setting.split("=")
            section, key = name.split(".")
            lines.append(f"[{section}]\n{key} = {value}\n")
        if len(settings) == 2 and settings[0].split(".")[0] == settings[1].split(".")[0]:
            lines[2] = lines[2].split("\n", 1)[1]
        (self.dir / "mine.cfg").write_text("".join(lines))
        return self.end("run", "-q", "--memory-limit", "1Gi", "-p", "mine.cfg", TRACE)

    def through_library(self, cases):
        """Returns every case's status. The library runs in its own process, which a defect may end."""
        said = multiprocessing.SimpleQueue()
        child = multiprocessing.Process(target=in_library, args=(cases, said))
        child.start()
        for number, case in enumerate(cases):
            while said.empty() and child.is_alive():
                time.sleep(0.001)
            self.assertFalse(said.empty(), f"the library ended the process: {case}")
            status, text = said.get()
            self.assertNotEqual(status, -12, f"{case}: {text}")
            self.assertTrue(status >= 0 or text, f"{case}: status {status} without a word")
            self.assertLess(number, len(cases))
        child.join()

    def try_for(self, seconds, cases):
        """Runs each case in one of four ways until time is over and both ends were seen; prints how many ran and how many were refused."""
        ways = [self.by_list, self.by_run, self.by_compare, self.by_cfg]
        end = time.monotonic() + seconds
        ends = []
        for machine, settings in cases:
            if time.monotonic() > end and min(ends.count(True), ends.count(False)) > 10:
                break
            ends.append(self.random.choice(ways)(machine, settings))
        print(f"  {len(ends)} cases: {ends.count(True)} ran, {ends.count(False)} refused, {ends.count(None)} too long",
              file=sys.stderr)
        self.assertGreater(ends.count(True), 10)
        self.assertGreater(ends.count(False), 10)
        self.assertLess(ends.count(None), max(10, len(ends) / 2))

    def alone(self):
        """Returns every value of every parameter of every machine, shuffled."""
        cases = [(m, [f"{name}={value}"]) for m, all_of in self.parameters.items() for name, entry in all_of.items()
                 for value in values_of(entry)]
        self.random.shuffle(cases)
        return cases

    def pairs(self):
        while True:
            machine = self.random.choice(sorted(self.parameters))
            names = self.random.sample(sorted(self.parameters[machine]), 2)
            yield machine, [f"{n}={self.random.choice(values_of(self.parameters[machine][n]))}" for n in names]

    def test_one_parameter_is_refused_or_runs(self):
        self.try_for(SECONDS / 2, self.alone())

    def test_a_random_pair_is_refused_or_runs(self):
        self.try_for(SECONDS / 2, self.pairs())

    @unittest.skipUnless(LIBRARY, "the sanitizers' library would want them in Python")
    def test_the_library_refuses_or_takes_each_and_pairs(self):
        cases = self.alone()
        self.through_library(cases[:800])
        self.through_library(list(itertools.islice(self.pairs(), 800)))


if __name__ == "__main__":
    unittest.main()
