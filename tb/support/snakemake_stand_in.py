# SPDX-License-Identifier: MIT
"""A program that replaces Snakemake in tests: it runs the workflow's jobs without a cluster."""

# It runs the jobs of the workflow one after another. $BEGIN: how many jobs begin at all. $DIE: how many of those die at once.
# $DENY: every job counts as failed. $LEAVE: it submits a job and fails with a full disk before it records that, when the job has
# ended its first run; scancel ends the job.
STAND_IN = """#!/usr/bin/python3
import errno, json, os, pathlib, subprocess, sys, time
os.chdir(sys.argv[sys.argv.index("--directory") + 1])
sweep = json.loads(pathlib.Path("sweep.json").read_text())
begin, die = int(os.environ.get("BEGIN", "99")), int(os.environ.get("DIE", "0"))
def leave(log, *words):
    with open("logs/" + log, "a") as file:
        file.write("begins\\n")
        file.flush()
        child = subprocess.Popen([sweep["program"], *sweep["words"], *words], cwd=sweep["folder"], stdout=file, stderr=file, start_new_session=True)
    pathlib.Path(sweep["folder"], "submitted").write_text(f"{child.pid}\\n")
    print(f"Submitted job 1 with external jobid '{child.pid}'.", flush=True)
    while not list(pathlib.Path("..").glob("*.run")):
        time.sleep(0.01)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), ".snakemake/incomplete/1")
def job(log, *words):
    global begin, die
    if "LEAVE" in os.environ:
        leave(log, *words)
    begin -= 1
    if begin < 0:
        print("submit: error: no such cluster\\n\\nError submitting jobscript (exit code 1):\\n", flush=True)
        return False
    with open("logs/" + log, "a") as file:
        file.write("begins\\n")
        file.flush()
        die -= 1
        return die < 0 and subprocess.run([sweep["program"], *sweep["words"], *words], cwd=sweep["folder"], stdout=file, stderr=file).returncode == 0 and "DENY" not in os.environ
def run(name):
    good = any(job(name + ".log", "-q", "--batch", name) for _ in range(3))
    if good:
        pathlib.Path("done").mkdir(exist_ok=True)
        pathlib.Path("done", name).touch()
    return good
good = [run(name) for name in sweep["batches"]]
for number, name in sweep["captures"].items():
    good.append(job(f"capture-{number}.log", *sweep["capture_words"], "--batch-seconds", str(sweep["batch_seconds"]), "--capture", name))
    if good[-1]:
        good += [run(name) for name in json.loads(pathlib.Path("captured", number + ".json").read_text())["batches"]]
sys.exit(0 if all(good) else 1)
"""

SCANCEL = """#!/bin/sh
printf '%s\\n' "$@" >> "$(dirname "$0")/../cancelled"
kill "$@"
"""


def add_stand_in(folder):
    """Writes the stand-ins; returns the folder to put into $PATH."""
    (folder / "bin").mkdir(exist_ok=True)
    for name, text in (("snakemake", STAND_IN), ("scancel", SCANCEL)):
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    return folder / "bin"
