#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every command that prints a table has --csv and --json: both parse, follow their schemas, and agree with the text."""
import csv
import io
import json
import os
import pathlib
import re
import unittest

import jsonschema
from walkway_run import RunTest, call, make_trace

DOCS = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs"
GEN = "gen:stride,waves=3,accesses=500"
STUDY = "[study]\nplatforms = apu-micro18\nrepeats = 1\n[workloads]\ns = gen:stride,waves=2\n[axes]\nwalk_unit.walkers = 1 8\n"
# Commands that print a table, and the schemas of their JSON.
TABLES = {
    "run one": (("run", "-q", GEN), "stats"),
    "run several": (("run", "-q", GEN, "apu-micro18", "apu-micro21"), "runs"),
    "compare": (("compare", "-q", GEN, "apu-micro18", ":walk_unit.walkers=1"), "compare"),
    "compare --ranges": (("compare", "-q", "--ranges=2", GEN, "apu-micro18", ":walk_unit.walkers=1"), "compare"),
    "advise": (("advise", "-q", "gen:uniform,waves=3,accesses=5,footprint=65536"), "table"),
    "trace info": (("trace", "info", GEN), "trace-info"),
    "trace check": (("trace", "check", "t.wkt"), "table"),
    "list machines": (("list", "machines"), "table"),
    "list levels": (("list", "levels"), "list"),
    "list workloads": (("list", "workloads"), "list"),
    "list generators": (("list", "generators"), "list"),
    "list parameters": (("list", "parameters"), "list"),
    "list stats": (("list", "stats"), "list"),
    "list signals": (("list", "signals", "cu_0"), "list"),
    "list links": (("list", "links"), "list"),
    "workloads run": (("workloads", "run", "-q", "slow"), "table"),
    "sweep --dry-run": (("sweep", "study.cfg", "-q", "--dry-run"), "table"),
    "sweep --batches": (("sweep", "study.cfg", "-q", "--batches", "-o", "b.db"), "table"),
    "search": (("search", "study.cfg", "-q", "-o", "s.db"), "table"),
    "results": (("results", "r.db"), "table"),
    "results --best": (("results", "r.db", "--best", "cycles", "--by", "walk_unit.walkers"), "table"),
    "results --sql": (("results", "r.db", "--sql", "SELECT run, name, value FROM measured ORDER BY run, name"), "table"),
    "walk": (("walk", "--memory", "m.raw", "--raw", "--root", "0x1000", "0x0", "0x8000000000"), "walk"),
    "walk --dump": (("walk", "--memory", "m.raw", "--raw", "--root", "0x1000", "--dump"), "walk"),
}
# reproduce and guest take minutes or need an emulator: only their options are checked; other tests check files with the same JSON
DECLARED_ONLY = {"reproduce", "guest"}
MEASURED_ANEW = {"seconds", "MiB", "minutes"} # host's time and memory, which differ in each command
WITHOUT_TABLES = {"capture", "report", "completion"}


def schema(name):
    return json.loads((DOCS / "develop" / f"{name}.schema.json").read_text())


def as_text(cell):
    """Returns a cell as text output shows it."""
    if re.fullmatch(r"\d+", cell):
        return f"{int(cell):,}"
    return f"{float(cell):,.1f}" if re.fullmatch(r"\d{4,}\.\d+", cell) else cell


class FormsTest(RunTest):
    def setUp(self):
        super().setUp()
        self.env.update(XDG_CACHE_HOME=str(self.dir / "cache"), COLUMNS="400", WALKWAY_WORKLOADS=str(self.dir / "programs"))
        make_trace(self.dir / "t.wkt")
        (self.dir / "study.cfg").write_text(STUDY)
        memory = bytearray(0x6000)
        for table, entry in ((0x1000, 0x2003), (0x2000, 0x3003), (0x3000, 0x4003), (0x4000, 0x5003)):
            memory[table:table + 8] = entry.to_bytes(8, "little")
        (self.dir / "m.raw").write_bytes(memory)
        program = self.dir / "programs" / "slow"
        program.parent.mkdir()
        said = '{"summary": "s", "suite": "x", "papers": [], "kernels": ["k"], "presets": [{"name": "demo", "text": "", "values": "", "footprint_bytes": 0}], "footprint_bytes": 4096}'
        program.write_text(f"#!/bin/sh\necho '{said}'\n")
        program.chmod(0o755)

    def test_every_command_is_here(self):
        overview = self.run_it("--help").stdout
        commands = set(re.findall(r"^  ([a-z]+)  ", overview, re.MULTILINE)) | {"completion"}
        self.assertEqual(commands, {words[0] for words, _ in TABLES.values()} | DECLARED_ONLY | WITHOUT_TABLES)
        for command in commands - WITHOUT_TABLES:
            options = self.run_it(command, "--help").stdout
            for option in ("--csv FILE", "--json "):
                self.assertRegex(options, rf"(?m)^  +{option}", command)
        kinds = set(re.findall(r"^  walkway list ([a-z]+)", self.run_it("list", "--help").stdout, re.MULTILINE))
        self.assertEqual({"list " + kind for kind in kinds}, {name for name in TABLES if name.startswith("list ")})

    def test_both_are_there_and_agree(self):
        self.run_it("sweep", "study.cfg", "-q", "-o", "r.db")
        for name, (words, of) in TABLES.items():
            with self.subTest(name):
                failing = 2 if words[0] == "workloads" else 0 # its program prints no result
                code = call(*words, cwd=self.cwd, env=self.env).returncode
                self.assertIn(code, (0, failing))
                text = self.run_it(*words, code=code).stdout
                everything = self.run_it(*words, "--json", code=code).stdout
                rows = list(csv.DictReader(io.StringIO(self.run_it(*words, "--csv", "-", code=code).stdout)))
                self.assertGreater(len(rows), 0)
                self.assertEqual(len({len(row) for row in rows}), 1)
                found = json.loads(everything)
                jsonschema.validate(found, schema(of))
                self.compare(name, words, text, rows, found)
                if of == "table":
                    self.assertEqual([self.fixed({k: "" if v is None else v for k, v in row.items()}) for row in found["rows"]],
                                     [self.fixed({k: float(v) if isinstance(found["rows"][i][k], (int, float)) else v for k, v in row.items()})
                                      for i, row in enumerate(rows)])
                beside = self.run_it(*words, "--csv", "beside.csv", code=code).stdout
                self.assertEqual(len(list(csv.DictReader(io.StringIO((self.dir / "beside.csv").read_text())))), len(rows))
                self.assertNotIn("\x1b", beside)
                self.assertIn("one of them", self.run_it(*words, "--json", "--csv", "-", code=1).stderr)

    @staticmethod
    def fixed(row):
        return {k: v for k, v in row.items() if k not in MEASURED_ANEW}

    def compare(self, name, words, text, rows, found):
        """Checks that the text has each row's subject and numbers."""
        flat = re.sub(r"\s+", " ", text)
        if words[0] in ("run", "compare"):
            results = [found] if name == "run one" else [r["result"] for r in found["runs"]] if "runs" in found else found["configurations"]
            self.assertEqual([int(row["cycles"]) for row in rows], [r["headline"]["cycles"]["value"] for r in results])
            for row in rows:
                self.assertIn(as_text(row["cycles"]), flat)
                self.assertIn(row["run"], flat)
        elif name == "advise":
            self.assertEqual(rows[0]["advice"], "baseline")
            self.assertIn(as_text(rows[0]["cycles"]) + " cycles", flat)
            for row in rows:
                if row["chosen"]:
                    self.assertIn("--set " + row["setting"], flat)
        elif name == "trace info":
            self.assertEqual([row["kernel"] for row in rows], [launch["kernel"] for launch in found["launches"]])
            self.assertEqual([int(row["groups"]) for row in rows], [launch["groups"] for launch in found["launches"]])
            self.assertIn(rows[0]["kernel"], flat)
        elif words[0] == "walk":
            key = "walks" if "walks" in found else "ranges"
            self.assertEqual([(row["va"], row["pa"]) for row in rows], [(r["va"], r.get("pa", "")) for r in found[key]])
            self.assertIn(rows[0]["pa"][2:], flat)
        elif words[0] == "list" and name != "list machines":
            if name not in ("list generators", "list signals", "list links"): # these have a line and row per kind, JSON an entry per name
                self.assertEqual(len(rows), len(found))
        elif name == "results":
            self.assertEqual(len(rows), 4)
            self.assertIn("4", flat)
        elif name == "workloads run":
            self.assertIn(rows[0]["result"], flat)
        else:
            for row in rows:
                if row.get("records") == "0":
                    continue # text omits kinds without records
                for column, cell in row.items():
                    if column in MEASURED_ANEW:
                        continue
                    if name == "results --sql" and not re.fullmatch(r"\d*", cell):
                        continue # a mean has fewer digits in text
                    self.assertIn(as_text(cell), flat)


if __name__ == "__main__":
    unittest.main()
