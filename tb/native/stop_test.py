#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Stops endless kernels by Ctrl-C: the capture ends, and keeps a partial trace if a work-group is finished, otherwise nothing."""
import argparse
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

CASES = {"endless": False, "endless_writes": False, "endless_private": False, "endless_arithmetic": False,
         "endless_barriers": False, "endless_recursion": False, "endless_last_item": True}  # True: some groups finish
SECONDS_IN_KERNEL, MOST_SECONDS = 1.5, 60


def processor_seconds(session):
    """The processor time of all processes in the capture's session."""
    ticks = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session:
            ticks += int(fields[11])
    return ticks / os.sysconf("SC_CLK_TCK")


def problem_of(command, program, name, partial, folder):
    trace = folder / "x.wkt"
    trace.unlink(missing_ok=True)
    with subprocess.Popen([*shlex.split(command), "-o", str(trace), "--", program, name], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, start_new_session=True) as capture:
        deadline = time.monotonic() + MOST_SECONDS
        while processor_seconds(capture.pid) < SECONDS_IN_KERNEL:  # so long that the kernel runs: the start takes a tenth of it
            if capture.poll() is not None or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        if capture.poll() is not None:
            return f"ended by itself: {capture.stderr.read()[-300:]!r}"
        capture.send_signal(signal.SIGINT)
        try:
            said = capture.communicate(timeout=MOST_SECONDS)[1].decode()
        except subprocess.TimeoutExpired:
            os.killpg(capture.pid, signal.SIGKILL)
            return "does not end"
    if "capture interrupted" not in said:
        return f"says {said[-300:]!r}"
    if trace.exists() != partial:
        return f"a trace is {'there' if trace.exists() else 'not there'}: {said[-300:]!r}"
    if partial:
        shown = subprocess.run([shlex.split(command)[0], "trace", "info", str(trace)], capture_output=True, text=True, check=True).stdout
        if "PARTIAL" not in shown and "partial" not in shown:
            return f"the trace does not say that it is partial: {shown[:300]!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--capture", required=True)
    parser.add_argument("--hostile", required=True)
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, partial in CASES.items():
            problem = problem_of(arguments.capture, arguments.hostile, name, partial, pathlib.Path(folder))
            failed += problem is not None
            print(f"{name}: {problem or 'ok'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
