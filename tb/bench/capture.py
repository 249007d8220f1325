#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tb/bench/capture.py - the cost of capturing a program: compiled kernels, interpreted ones, and Oclgrind alone, alternately.

    tb/bench/capture.py BUILD [--runs N] [--only NAME,...] [--pocl]

Prints a table: user seconds and wall seconds of whole processes (median of the runs), peak memory, and the ratio of
interpreted to compiled; finally the geometric mean. --pocl adds the program's own run under PoCL, if that is
installed (Debian: pocl-opencl-icd). hotspot-8192 runs only if --only names it.
"""
import argparse
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAMS = {
    "atax-4096": ["atax", "4096"], "bicg-4096": ["bicg", "4096"], "mvt-4096": ["mvt", "4096"],
    "gesummv-4096": ["gesummv", "4096"], "hotspot-512": ["hotspot", "512", "--iterations", "8"], "nw-2048": ["nw", "2048"],
    "bfs-1M": ["bfs"], "pagerank-1M": ["pagerank"],
}
NAMED = {"hotspot-8192": ["hotspot", "8192", "--iterations", "8"], "atax-1024": ["atax", "1024"]}


def measured(command, environment=None):
    """Returns user seconds, wall seconds and peak KiB of a command and its children; None if it failed."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             env={**os.environ, **(environment or {})})
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, wall, usage.ru_maxrss


def median(rows):
    rows = [row for row in rows if row]
    return tuple(statistics.median(column) for column in zip(*rows)) if rows else None


def cell(row):
    return f"{row[0]:.2f} / {row[1]:.2f}" if row else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--pocl", action="store_true")
    parser.add_argument("--native-only", action="store_true", help="nothing beside the compiled kernels")
    arguments = parser.parse_args()
    chosen = {name: {**PROGRAMS, **NAMED}[name] for name in arguments.only.split(",")} if arguments.only else PROGRAMS
    print("user / wall seconds | native | interpreted | Oclgrind alone |" + (" PoCL |" if arguments.pocl else "") +
          " ratio, user | native, MiB")
    ratios = []
    for name, words in chosen.items():
        program = [str(arguments.build / "workloads" / words[0]), *words[1:]]
        with tempfile.TemporaryDirectory() as folder:
            capture = [str(arguments.build / "walkway"), "capture", "-q", "-o", folder + "/x.wkt"]
            ways = {"native": capture + ["--"] + program}
            if not arguments.native_only:
                ways["interpreted"] = capture + ["--interpret", "--"] + program
                ways["alone"] = ["oclgrind"] + program
            if arguments.pocl:
                ways["pocl"] = program
            rows = {way: [] for way in ways}
            for _ in range(arguments.runs):
                for way, command in ways.items():
                    rows[way].append(measured(command, {"OCLGRIND_GLOBAL_MEM_SIZE": "4294963200", "OCLGRIND_LOCAL_MEM_SIZE": "65536",
                                                        "OCLGRIND_NUM_THREADS": "1"}))
        best = {way: median(row) for way, row in rows.items()}
        native, interpreted = best["native"], best.get("interpreted")
        ratio = interpreted[0] / native[0] if native and interpreted else math.nan
        ratios.append(ratio)
        print(f"{name} | {cell(native)} | {cell(interpreted)} | {cell(best.get('alone'))} |" +
              (f" {cell(best['pocl'])} |" if arguments.pocl else "") +
              f" {'-' if math.isnan(ratio) else f'{ratio:.1f}'} | {f'{native[2] / 1024:.0f}' if native else '-'}", flush=True)
    if not any(math.isnan(r) for r in ratios):
        print(f"geometric mean of the ratios: {math.exp(statistics.fmean(map(math.log, ratios))):.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
