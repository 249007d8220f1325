#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tb/native/equal_test.py - tests that two ways to capture a program give the same trace to the byte, the same output and the
same exit code. known.py lists the permitted differences and their reasons.

  equal_test.py --a 'walkway capture -q' --b 'walkway capture -q --interpret' --programs FOLDER --probe FILE
                [--workloads FOLDER] [--all] [--only PATTERN]
"""
import argparse
import fnmatch
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import known

TB = pathlib.Path(__file__).resolve().parent.parent
PROBES = ("vadd diverge ifelse reduce atomics grid2d grid3d calls vectors constants async carried unused required offset subbuffer "
          "realloc outside image filter two empty prints half-line fork fork-kernel fatal fatal-first exit-3 handler quick _exit threads").split()

ALWAYS = ("undefined_variable", "undefined_vector", "undefined_result", "launch_at_exit", "packed_at_exit")


def listed(name, table, but=()):
    if any(fnmatch.fnmatch(name, pattern) for pattern in but):
        return None
    return next((reason for pattern, reason in table.items() if fnmatch.fnmatch(name, pattern)), None)


class Way:
    """One capture: the program's output, its exit code, and the trace's bytes."""

    def __init__(self, command, folder, words, seconds, garbage):
        trace = folder / "program.wkt"  # the same name and arguments both times: the trace contains its program's
        trace.unlink(missing_ok=True)
        full = [*shlex.split(command), "-o", str(trace), "--", *map(str, words)]
        try:
            done = subprocess.run(full, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "WALKWAY_TELL_ONLY": "1",  # an exit code would be in the trace
                                       "MALLOC_PERTURB_": str(garbage)})  # traces must not depend on unset heap memory
            self.code, self.out, self.err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            self.code, self.out, self.err = "no end", b"", b""
        self.trace = trace.read_bytes() if trace.exists() else None
        self.wrong = b"WRONG" in self.out + self.err  # what a captured program prints is sent to stderr
        self.right = self.code == 0 and not self.wrong


def unfit(name):
    """The reason why the interpreter gives no trace of it or takes other branches."""
    return listed(name, known.ODD) or listed(name, known.REFUSED, known.REFUSED_RIGHT)


def differences(name, a, b):
    """How two ways differ although they should be equal. A listed case must behave as listed; otherwise the list is out of
    date."""
    if b.right and (unfit(name) or listed(name, known.WRONG, known.RIGHT)):
        return ["known.py lists it, but the second way is right"]
    if unfit(name):
        return []
    wrong = [f"the first way is wrong: {(a.out + a.err)[-200:]!r}"] if a.wrong else []
    if a.code != b.code:
        wrong.append(f"ends with {a.code} and {b.code}: {a.err[-200:]!r} {b.err[-200:]!r}")
    if a.out != b.out and not listed(name, {**known.WRONG, **known.STALE}):
        lines = [(x, y) for x, y in zip(a.out.splitlines(), b.out.splitlines()) if x != y]
        wrong.append(f"prints differently: {lines[:1] or (a.out[-100:], b.out[-100:])}")
    if a.trace != b.trace and not listed(name, known.UNORDERED):
        sizes = [len(way.trace) if way.trace is not None else "none" for way in (a, b)]
        wrong.append(f"the traces differ ({sizes[0]} and {sizes[1]} bytes)")
    return wrong


def moment(name):
    return listed(name, known.MOMENT)


def right_features(names):
    """Those that the interpreter computes rightly, so that one process can run many of them."""
    odd = (unfit(n) or listed(n, known.STALE, known.STALE_RIGHT)
           or listed(n, known.WRONG, known.RIGHT) or listed(n, known.UNORDERED) for n in names)
    return [name for name, reason in zip(names, odd) if not reason]


def lines_of(program):
    return subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout.split()


def feature_cases(program, everything):
    names = right_features(lines_of(program))
    if not everything:  # small programs, and one in 40 of the other features
        names = [n for i, n in enumerate(names) if i % 40 == 0 or n.startswith(("control.", "memory.", "range.", "interpreted."))]
    for first in range(0, len(names), 60):
        some = names[first:first + 60]
        yield f"features {some[0]} and {len(some) - 1} more", [program, *some]
        if everything:
            yield f"features -cl-opt-disable {some[0]} and {len(some) - 1} more", [program, "--build=-cl-opt-disable", *some]


def single_cases(program, names, everything, step):
    for i, name in enumerate(n for n in names if not moment(n)):
        if everything or i % step == 0 or name in ALWAYS:
            yield name, [program, name]


def workload_cases(folder, names, everything):
    os.environ.update(WALKWAY_WORKLOADS=str(folder), WALKWAY_NAMES=",".join(names), WALKWAY_PROGRAM="walkway",
                      WALKWAY_SOURCE=str(TB.parent))  # programs_test reads it when imported
    sys.path[:0] = [str(TB / "support"), str(TB / "workloads")]
    from programs_test import SMALL
    for name in names:
        if name in SMALL:
            yield f"{name} small", [folder / name, *SMALL[name]]
        if everything or name not in SMALL:
            yield f"{name} demo", [folder / name, "--preset", "demo"]


def workload_names(walkway):
    """The first column of `walkway list workloads`, up to the table of memory."""
    lines = subprocess.run([walkway, "list", "workloads"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines[2:lines.index("")] if not line.startswith(" ")]


def cases(arguments):
    programs = arguments.programs
    yield from feature_cases(programs / "features", arguments.all)
    if arguments.all:
        names = lines_of(programs / "features")
        right = set(right_features(names))
        yield from ((n, [programs / "features", n]) for n in names if n not in right)
    yield from single_cases(programs / "hostile", lines_of(programs / "hostile"), arguments.all, 5)
    yield from single_cases(arguments.probe, PROBES, arguments.all, 2)
    if arguments.workloads:
        names = workload_names(shlex.split(arguments.a)[0])
        yield from workload_cases(arguments.workloads, names if arguments.all else names[::6], arguments.all)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True, help="one way to capture: a command to which -o TRACE -- PROGRAM is added")
    parser.add_argument("--b", required=True, help="the other way")
    parser.add_argument("--programs", required=True, type=pathlib.Path, help="the folder of features and hostile")
    parser.add_argument("--probe", required=True, type=pathlib.Path)
    parser.add_argument("--workloads", type=pathlib.Path, help="their folder")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="*", help="cases whose name fits")
    arguments = parser.parse_args()
    ran = failed = 0
    wanted = list(cases(arguments))
    if os.environ.get("WALKWAY_TESTS") == "short": # ./check: another third each day
        wanted = wanted[int(time.time() // 86400) % 3::3]
    with tempfile.TemporaryDirectory() as path:
        for name, words in wanted:
            if not fnmatch.fnmatch(name, arguments.only):
                continue
            ran += 1
            ways = [Way(command, pathlib.Path(path), words, 120, garbage)
                    for command, garbage in ((arguments.a, 85), (arguments.b, 170))]
            for line in differences(name, *ways):
                failed += 1
                print(f"{name}: {line}", flush=True)
    print(f"{ran} programs captured both ways: {failed} differences")
    return 1 if failed or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
