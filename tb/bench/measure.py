# SPDX-License-Identifier: MIT
"""Runs commands in turn and records the cost of each: medians, spreads, and ratios within one round."""
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys


class BenchError(Exception):
    """An error that stops a measurement; it is printed without a traceback."""


@dataclasses.dataclass
class Sample:
    user: float  # seconds of the whole process
    system: float
    peak_bytes: int  # resident, as the program itself reports it
    loop: float  # processor seconds of the measured loop if the program reports them, else of the whole process


@dataclasses.dataclass
class Variant:
    """One thing to measure. `command` may use values that earlier variants of the round found."""
    key: str
    kind: str  # model | kernels | events
    command: object  # callable: {key: found} -> list of words
    codes: tuple = (0,)
    folder: pathlib.Path = None  # where the model writes stats.json
    note: object = None  # for the report
    junk: tuple = ()  # files to remove afterwards
    samples: list = dataclasses.field(default_factory=list)
    found: dict = None  # counts: equal in every round


def once(words, codes=(0,), log=None):
    """Runs a process; returns its output and the resources that it used. A shell is its parent, because Linux counts the memory of the
    forking process in the child's peak."""
    shell = ["/bin/sh", "-c", '"$@"\nexit $?', "sh"]
    with subprocess.Popen(shell + [str(w) for w in words], stdout=subprocess.PIPE, stderr=log) as child:
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in codes:
        sys.stderr.write(text.decode(errors="replace")[-4000:])
        raise BenchError("exit code %d from %s" % (child.returncode, " ".join(map(str, words))))
    return text.decode(), Sample(usage.ru_utime, usage.ru_stime, 0, usage.ru_utime + usage.ru_stime)


def measure(variant, done):
    if variant.folder is not None:
        variant.folder.mkdir(parents=True, exist_ok=True)
    with open(os.devnull, "w", encoding="utf-8") as null:
        text, sample = once(variant.command(done), variant.codes, null if len(variant.codes) > 1 else None)
    for path in variant.junk:
        pathlib.Path(path).unlink(missing_ok=True)
    if variant.kind == "model":
        found = {"stats": json.loads((variant.folder / "stats.json").read_text())}
        sample.peak_bytes = json.loads((variant.folder / "host.json").read_text())["peak_memory_bytes"]
    else:
        found = json.loads(text)
        sample.loop = found.pop("seconds")
        sample.peak_bytes = found.pop("peak_memory_bytes", 0)
    if variant.found is not None and found != variant.found:
        raise BenchError(variant.key + ": its counts differ from one round to the next")
    variant.found = found
    variant.samples.append(sample)
    done[variant.key] = found


def interleave(variants, rounds, quiet):
    """Runs every variant once per round, in order; every other round, from the second on, reverses the order."""
    done = {}
    for number in range(rounds):
        order = list(variants) if number % 2 == 0 else list(reversed(variants))
        for i, variant in enumerate(order):
            if not quiet and sys.stderr.isatty():
                print("\rround %d of %d, %d of %d: %-40s" % (number + 1, rounds, i + 1, len(order), variant.key), end="",
                      file=sys.stderr, flush=True)
            measure(variant, done)
    if not quiet and sys.stderr.isatty():
        print("\r" + " " * 70, end="\r", file=sys.stderr)
    return {v.key: v for v in variants}


def median(values):
    return statistics.median(values)


def spread(values):
    """Returns largest minus smallest, relative to the median."""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle else 0.0


def ratio(top, bottom):
    """Returns median, least and largest of the rounds' ratios: influences on a whole round cancel out."""
    values = [a / b for a, b in zip(top, bottom) if b > 0]
    return (median(values), min(values), max(values)) if values else None
