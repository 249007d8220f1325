#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The source line of each instruction: run --by-instruction of captured programs and of an imported trace."""
import csv
import json
import os
import pathlib
import shutil
import unittest

import jsonschema

from walkway_run import RunTest

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
WORKLOADS = pathlib.Path(os.environ["WALKWAY_WORKLOADS"])
RUN_CL = WORKLOADS.parent / "tb" / "native" / "run_cl"
SCHEMA = json.loads((SOURCE / "docs" / "develop" / "stats.schema.json").read_text())

KERNEL = """#include "column.h"
__kernel void k(__global uint *a, __global uint *b, __global uint *out)
{
    size_t i = get_global_id(0);
    uint sum = a[i]
               + b[i * 2];
#line 70 "generated.y"
    sum += COLUMN(a, i);
    out[i] = sum + column_of(b, i);
}
"""
HEADER = """#define COLUMN(m, i) m[(i) * 64 % 1000]
uint column_of(__global uint *m, uint i)
{
    return m[i * 128 % 1000]; /* inlined */
}
"""


class SourceLinesTest(RunTest):
    def instructions(self, *words):
        self.run_it("run", "-q", "--by-instruction", "-o", "out", *words)
        content = json.loads((self.dir / "out" / "stats.json").read_text())
        jsonschema.validate(content, SCHEMA)
        return content["instructions"]

    def test_the_load_of_a_matrix(self):
        self.run_it("capture", "-q", "-o", "atax.wkt", "--", WORKLOADS / "atax", 64)
        source = (SOURCE / "workloads" / "atax" / "atax.cl").read_text().splitlines()
        line = 1 + next(i for i, text in enumerate(source) if "a[i * ny + j] * x[j]" in text)
        rows = [row for row in self.instructions("atax.wkt") if row["kernel"] == "atax_rows"]
        self.assertEqual(rows[0]["source"], {"file": "atax.cl", "line": line, "text": source[line - 1].strip()})
        self.assertEqual(rows[0]["access"], "load", "where most is waited: of A, a page for each lane")
        self.assertEqual({row["source"]["text"] for row in rows}, {"ACC_LOAD(sum, tmp[i]);", source[line - 1].strip()})

    def test_text_and_table(self):
        self.run_it("capture", "-q", "-o", "atax.wkt", "--", WORKLOADS / "atax", 64)
        rows = self.instructions("atax.wkt")
        said = self.run_it("run", "-q", "--by-instruction", "atax.wkt").stdout
        self.assertIn(f"\natax_rows {rows[0]['pc']} load, atax.cl:9 ", said.replace(",\natax.cl", ", atax.cl"))
        self.assertEqual(said.count("\natax.cl:9: ACC_ADD(sum, tmp[i], a[i * ny + j] * x[j]);\n"), 1, "several instructions are of it")
        table = list(csv.DictReader(self.run_it("run", "-q", "--by-instruction", "--csv", "-", "atax.wkt").stdout.splitlines()))
        self.assertEqual([(row["pc"], row["source"], row["text"]) for row in table],
                         [(str(row["pc"]), f"atax.cl:{row['source']['line']}", row["source"]["text"]) for row in rows])
        self.assertEqual({name: str(n) for name, n in rows[0]["counted"].items()}, dict(list(table[0].items())[5:]))

    def test_files_that_are_included_and_lines_that_are_renumbered(self):
        (self.dir / "k.cl").write_text(KERNEL)
        (self.dir / "column.h").write_text(HEADER)
        said = []
        for way in ((), ("--interpret",)):
            self.run_it("capture", "-q", *way, "-o", "k.wkt", "--", RUN_CL, "k.cl", 64, 64, 1, 4096, "-", "-I.")
            self.run_it("trace", "check", "k.wkt")
            said.append({(row["access"], row["source"]["file"].removeprefix("./"), row["source"]["line"], row["source"]["text"])
                         for row in self.instructions("k.wkt")})
        self.assertEqual(said[0], {("load", "input.cl", 5, "uint sum = a[i]"), ("load", "input.cl", 6, "+ b[i * 2];"),
                                   ("load", "generated.y", 70, "sum += COLUMN(a, i);"),
                                   ("load", "column.h", 4, "return m[i * 128 % 1000]; /* inlined */"),
                                   ("store", "generated.y", 71, "out[i] = sum + column_of(b, i);")})
        self.assertEqual(said[0], said[1])

    def test_a_line_without_end_is_cut(self):
        (self.dir / "k.cl").write_text("__kernel void k(__global uint *a, __global uint *b, __global uint *out) { out[get_global_id(0)] = a[0]"
                                       + " + a[1]" * 40 + "; }\n")
        self.run_it("capture", "-q", "-o", "k.wkt", "--", RUN_CL, "k.cl", 64, 64, 1, 4096, "-")
        for row in self.instructions("k.wkt"):
            self.assertEqual(len(row["source"]["text"]), 200)
            self.assertTrue(row["source"]["text"].endswith("..."))

    def test_an_access_of_no_line_has_none(self):
        (self.dir / "k.cl").write_text(KERNEL.replace('#line 70 "generated.y"', "#line 0"))
        (self.dir / "column.h").write_text(HEADER)
        self.run_it("capture", "-q", "-o", "k.wkt", "--", RUN_CL, "k.cl", 64, 64, 1, 4096, "-", "-I.")
        without = [row for row in self.instructions("k.wkt") if "source" not in row]
        self.assertEqual([row["access"] for row in without], ["load"], "that of COLUMN")
        self.assertIn(f"\nk {without[0]['pc']} load ", self.run_it("run", "-q", "--by-instruction", "k.wkt").stdout)

    def test_programs_in_turn_have_their_own(self):
        self.run_it("capture", "-q", "-o", "k.wkt", "--", RUN_CL.parent / "hostile", "programs_in_turn")
        for launch in (0, 5, 59):
            rows = self.instructions("--kernels", launch, "k.wkt")
            self.assertEqual(len(rows), 1)
            self.assertIn(f"out[i] = i * {launch} + {launch * launch};", rows[0]["source"]["text"])
        last = self.instructions("--kernels", 59, "k.wkt")[0]["pc"]
        texts = [row["source"]["text"] for row in self.instructions("k.wkt") if row["pc"] == last]
        self.assertEqual(len(texts), 1)
        self.assertIn("i * 2 + 4;", texts[0], "of one name and pc: the first, i * 0 and i * 1 being none")

    def test_a_part_has_them_too(self):
        self.run_it("capture", "-q", "-o", "atax.wkt", "--", WORKLOADS / "atax", 64)
        self.run_it("trace", "save", "--kernels", "atax_columns", "-o", "part.wkt", "atax.wkt")
        self.assertEqual({row["source"]["line"] for row in self.instructions("part.wkt")}, {19, 21})
        self.assertEqual({row["source"]["line"] for row in self.instructions("--kernels", "atax_columns", "atax.wkt")}, {19, 21})

    def test_an_imported_trace_has_numbers_only(self):
        self.run_it("trace", "import-accelsim", "-q", SOURCE / "tb" / "import" / "traces" / "version-4", "-o", "x.wkt")
        rows = self.instructions("dgpu-pact24", "x.wkt")
        self.assertEqual({(row["pc"], row["access"], json.dumps(row["source"])) for row in rows},
                         {(1, "load", '{"line": 12}'), (2, "load", '{"line": 12}'), (3, "store", '{"line": 13}'), (5, "store", '{"line": 13}')})
        said = self.run_it("run", "-q", "--by-instruction", "dgpu-pact24", "x.wkt").stdout
        self.assertRegex(said, r"four\(\) 1 load,\s+line 12|_Z4fourv 1 load,\s+line 12")
        self.assertNotIn("line 12:", said)

    def test_the_first_line_of_a_pc_stays_and_nought_is_none(self):
        folder = self.dir / "traces"
        shutil.copytree(SOURCE / "tb" / "import" / "traces" / "version-4", folder)
        file = folder / "kernel-1.traceg"
        load = "12 0010 000000ff 1 R3 LDG.E.S8 1 R4 4 2 0x7f2b2d500200 0 0 0 0 0 0 0 77\n"
        text = file.read_text().replace("insts = 5", "insts = 6").replace(load, load + load.replace("12 ", "99 ", 1)).replace("13 0018", "0 0018")
        file.write_text(text)
        self.run_it("trace", "import-accelsim", "-q", folder, "-o", "x.wkt")
        self.run_it("trace", "check", "x.wkt")
        self.assertEqual({row["pc"]: row.get("source", {}).get("line") for row in self.instructions("dgpu-pact24", "x.wkt")}, {1: 12, 2: 12, 3: None, 5: 13})

    def test_traces_without_lines_are_as_they_were(self):
        for trace in (SOURCE / "waveforms" / "atax-512.wkt", "gen:uniform,waves=4"):
            self.assertFalse(any("source" in row for row in self.instructions(trace)))
        table = self.run_it("run", "-q", "--by-instruction", "--csv", "-", "gen:uniform,waves=4").stdout
        self.assertTrue(table.startswith("kernel,pc,access,gpu.memory,"))


if __name__ == "__main__":
    unittest.main()
