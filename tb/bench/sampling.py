#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tb/bench/sampling.py - how often the intervals of --sample contain the true value, and their width.

    tb/bench/sampling.py BUILD [--scale quarter] [--programs ATX,BFS] [--machines LIST] [--seeds 100] [--sample SPEC] [-j N]

Compares the machines once by whole runs and once per seed by windows. Prints for each program and machine how many
intervals of cycles and of ratios to the first machine contain the values of the whole runs, the median half widths, the
median errors of the estimates, and for how many seeds the program ran whole instead. The default machines
differ in walkers, L2 TLB and page size.
"""
import argparse
import concurrent.futures
import configparser
import csv
import io
import os
import pathlib
import statistics
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MACHINES = ["apu-micro18", "apu-micro18:walk_unit.walkers=32", "apu-micro18:l2_tlb.entries=2048", "apu-micro18:address_space.page=64k"]


def workloads(scale):
    """Returns {code: words after `program`} of the ten programs at a scale."""
    study = configparser.ConfigParser(delimiters="=")
    study.optionxform = str
    study.read(SOURCE / "studies" / "ten-programs.cfg")
    return {code: words.split()[1:] for code, words in study["workloads " + scale].items()}


def compared(build, machines, words, sample=None):
    """Returns the rows of `walkway compare`, one per machine in order."""
    command = [build / "walkway", "compare", "-q", "--csv", "-", *([f"--sample={sample}"] if sample else []), "-j1", *machines, "--", build / "workloads" / words[0], *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def held(pairs):
    """Returns (share within the half width, relative median half width and distance) of (estimate, half width, truth)."""
    if not pairs:
        return "-", "-", "-"
    inside = sum(abs(estimate - truth) <= half for estimate, half, truth in pairs)
    return (f"{inside}/{len(pairs)}", f"{100 * statistics.median(half / estimate for estimate, half, _ in pairs):.1f} %",
            f"{100 * statistics.median(abs(estimate / truth - 1) for estimate, _, truth in pairs):.1f} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--scale", default="quarter")
    parser.add_argument("--programs", default="", help="codes with commas between (default: all ten)")
    parser.add_argument("--machines", default=",".join(MACHINES))
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--sample", default="windows=60")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    known, machines = workloads(arguments.scale), arguments.machines.split(",")
    print("| program | machine | cycles held | half width | off | ratio held | half width | off | run whole |")
    print("|---|---|---|---|---|---|---|---|---|")
    for code in arguments.programs.split(",") if arguments.programs else known:
        words = known[code]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            samples = [f"{arguments.sample},seed={seed}" for seed in range(1, arguments.seeds + 1)]
            whole = pool.submit(compared, arguments.build, machines, words)
            seeds = list(pool.map(lambda sample: compared(arguments.build, machines, words, sample), samples))
        for index, (machine, truth) in enumerate(zip(machines, whole.result())):
            rows = [seed[index] for seed in seeds]
            sampled = [row for row in rows if row["end"] == "sampled"]
            cycles = [(float(r["cycles"]), float(r["cycles_half_width"]), float(truth["cycles"])) for r in sampled]
            ratios = [(float(r["speedup"]), float(r["speedup_half_width"]), float(truth["speedup"]))
                      for r in sampled if index and r["speedup_half_width"]]
            print(f"| {code} | {machine} | {' | '.join(held(cycles))} | {' | '.join(held(ratios))} | {len(rows) - len(sampled)} |", flush=True)


if __name__ == "__main__":
    main()
