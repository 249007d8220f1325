# SPDX-License-Identifier: MIT
"""Walkway's results as pandas frames, and its commands as functions.

    import walkway
    walkway.sweep("walkers.cfg", "walkers.db")
    points = walkway.results("walkers.db")          # a row for each point
    points.groupby("walk_unit.walkers")["cycles"].min()

This package has no part of the model: run, compare and sweep call the program `walkway`, which is $WALKWAY_PROGRAM, or else the one
in $PATH. `units(file)` returns the units of all columns.
"""
import contextlib
import io
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile

import pandas

SCHEMA_VERSIONS = (1, 2, 3, 4) # version 1 has a machine's wiring in place of its path
_APPLICATION = 0x574B5752


class Error(RuntimeError):
    """A command failed; the text is its message, `code` its exit code (docs/use/errors.md)."""

    def __init__(self, text, code):
        super().__init__(text)
        self.code = code


def program():
    """Returns the program to call: $WALKWAY_PROGRAM, or `walkway` in $PATH."""
    return os.environ.get("WALKWAY_PROGRAM", "walkway")


def _call(*words):
    try:
        done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Error(f"{program()}: no such program; set $WALKWAY_PROGRAM", 127) from error
    if done.returncode != 0:
        raise Error(done.stderr.strip() or done.stdout.strip(), done.returncode)
    return done.stdout


def _changes(platform, changes):
    text = ",".join(f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in (changes or {}).items())
    return platform + ("," if ":" in platform else ":") + text if text else platform


def run(trace, platform="apu-micro18", changes=None):
    """Runs a trace. `trace`: a .wkt file or gen:...; `changes`: parameters by name, {"walk_unit.walkers": 16}.

    Returns stats.json as a dict: ["headline"]["cycles"]["value"] in GPU cycles, every number with its "unit" and "description";
    host time and memory under ["host"] (seconds, bytes).
    """
    with tempfile.TemporaryDirectory() as folder:
        _call("run", "-q", "-p", _changes(platform, changes), "-o", folder, trace)
        result = json.loads(pathlib.Path(folder, "stats.json").read_text(encoding="utf-8"))
        result["host"] = json.loads(pathlib.Path(folder, "host.json").read_text(encoding="utf-8"))
    return result


def compare(trace, baseline, *others):
    """Runs one trace on several machines, the first one the baseline; names are those of `walkway compare` ("apu-micro18",
    ":walk_unit.walkers=16").

    Returns a frame with a row for each machine: speedup (of time, baseline's over this one's), pte_reads_ratio and
    walk_latency_ratio (this one's over the baseline's), the headline (cycles in GPU cycles, latencies in GPU cycles, hit rates as
    shares of 1), and `explanation`, sentences with the causes of the difference.
    """
    with tempfile.TemporaryDirectory() as folder:
        _call("compare", "-q", "-o", folder, trace, baseline, *others)
        said = json.loads(pathlib.Path(folder, "compare.json").read_text(encoding="utf-8"))
    rows = []
    for one in said["configurations"]:
        row = {"label": one["label"], **{k: one.get(k) for k in ("speedup", "pte_reads_ratio", "walk_latency_ratio")}}
        row.update({name: entry["value"] for name, entry in one.get("headline", {}).items()})
        row["bits"] = one.get("storage_bits", {}).get("all")
        row["explanation"] = one.get("explanation", "")
        rows.append(row)
    return pandas.DataFrame(rows).set_index("label")


def sweep(study, results_file, jobs=None, failures=False):
    """Runs all points of a study into a file of results, except those that it has. Returns the rows of results(results_file) that
    belong to the study's current contents; other studies may share the file of results.

    `jobs`: runs at a time (default: the number of processors). With failures=True, failed points are rows with only their reason;
    else they raise an Error, but the file has the other points.
    """
    words = ["sweep", "-q", study, "-o", results_file] + (["-j", jobs] if jobs else [])
    try:
        _call(*words)
    except Error as error:
        if not (failures and "failed (" in str(error)):
            raise
    contents = pathlib.Path(study).read_bytes().decode("utf-8-sig")
    points = results(results_file)
    found = query(results_file, "SELECT id FROM studies WHERE contents = ?", (contents,))
    if found.empty: # the study extends another, or has scales, so its contents differ: takes the latest of its name
        names = (pathlib.Path(study).stem, pathlib.Path(study).resolve().parent.name)
        found = query(results_file, "SELECT id FROM studies WHERE name IN (?, ?) ORDER BY started DESC, id DESC LIMIT 1", names)
    return points[points["study_id"].isin(found["id"])]


@contextlib.contextmanager
def _open(file):
    if not pathlib.Path(file).is_file():
        raise Error(f"{file}: there is no such file of results; walkway.sweep() makes one", 2)
    try:
        database = sqlite3.connect(pathlib.Path(file).resolve().as_uri() + "?mode=ro", uri=True)
        if database.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
            raise Error(f"{file}: is no file of results", 2)
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise Error(f"{file}: {error}", 2) from error
    if version not in SCHEMA_VERSIONS:
        raise Error(f"{file}: is of version {version} of the results' tables, and this package reads {SCHEMA_VERSIONS[0]} to {SCHEMA_VERSIONS[-1]}", 2)
    try:
        yield database
    finally:
        database.close()


def query(file, sql, parameters=()):
    """Returns the answer to a query as a frame; docs/use/workbench.md describes the tables."""
    with _open(file) as database:
        return pandas.read_sql_query(sql, database, params=parameters)


def results(file, statistics=()):
    """Returns a row for each point of each study in the file: study, point (from 0), repetition (0: not perturbed), run, workload, machine, status,
    reason, host_seconds, started; a column for each axis; the headline (cycles, latencies and times in GPU cycles where units()
    says so, hit rates as shares of 1, `bits` of storage); and the `statistics` named ("walk_unit.walks_finished").
    """
    with _open(file) as database:
        points = pandas.read_sql_query("SELECT * FROM results ORDER BY study_id, point", database)
        axes = pandas.read_sql_query(
            "SELECT c.run, p.name, c.value FROM run_parameters c JOIN parameters p ON p.id = c.parameter "
            "WHERE c.parameter IN (SELECT parameter FROM axes)", database)
        known = dict(database.execute("SELECT name, id FROM statistics WHERE kind != 'histogram'").fetchall())
        wanted = [i for i, in database.execute("SELECT id FROM statistics WHERE kind = 'headline' ORDER BY id")]
        for name in statistics:
            if name not in known:
                raise KeyError(f"no statistic '{name}' in {file}; units() has them all")
            wanted.append(known[name])
        marks = ",".join("?" * len(wanted))
        values = pandas.read_sql_query(
            f"SELECT v.run, s.name, v.value FROM runs r JOIN run_statistics v ON v.run = r.id AND v.statistic IN ({marks}) "
            "JOIN statistics s ON s.id = v.statistic ORDER BY v.statistic", database, params=wanted)
    for long in (axes, values):
        if long.empty:
            continue
        order = list(dict.fromkeys(long["name"]))
        wide = long.pivot(index="run", columns="name", values="value")[order]
        points = points.merge(wide, how="left", left_on="run", right_index=True)
    return points.infer_objects()


def speedups(file, baseline):
    """Returns speed-ups over a machine (`walkway results --baseline`): a row for each workload and the geometric mean at each point, as
    walkway.figure draws them."""
    return pandas.read_csv(io.StringIO(_call("results", file, "--baseline", baseline, "--csv", "-")), keep_default_na=False)


def units(file):
    """Returns a frame of all statistics in the file, by name: kind (headline, value, histogram), unit, description."""
    return query(file, "SELECT name, kind, unit, description FROM statistics ORDER BY id").set_index("name")


def settings(file, run):
    """Returns all parameters of a run (its number, from results()), by name: value, unit, what set it, origin of the default."""
    return query(file, "SELECT name, value, unit, set_by, default_from, description FROM settings WHERE run = ? ORDER BY name",
                 (int(run),)).set_index("name")


def histogram(file, run, name):
    """Returns the buckets of a run's histogram: `low` (lower edge, in the statistic's unit) and `count`."""
    with _open(file) as database:
        found = database.execute("SELECT h.buckets FROM run_histograms h JOIN statistics s ON s.id = h.statistic WHERE h.run = ? AND s.name = ?",
                                 (int(run), name)).fetchone()
    if found is None:
        raise KeyError(f"run {run} has no histogram '{name}'")
    return pandas.DataFrame(json.loads(found[0]), columns=["low", "count"])
