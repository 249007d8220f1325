#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How regular a program is: the most pages, and the most groups of eight pages, that one access of a wave of 64 touches in its
trace, compared with what follows from the row pitch (docs/use/workloads.md, "Pages")."""
import collections
import json
import os
import pathlib
import unittest
from concurrent.futures import ThreadPoolExecutor

from walkway_run import RunTest

WORKLOADS = pathlib.Path(os.environ["WALKWAY_WORKLOADS"])
# program and arguments; per kernel: the most pages and groups of eight pages of any access to global memory
ROWS = [
    ("atax 64 512 --type double", {"atax_rows": (64, 8), "atax_columns": (1, 1)}),
    ("bicg 64 512 --type double", {"bicg_rows": (64, 8), "bicg_columns": (1, 1)}),
    ("mvt 128", {"mvt_rows": (16, 2), "mvt_columns": (1, 1)}),
    ("gesummv 128 --type double", {"gesummv": (16, 2)}),
    ("syrk 32 512", {"syrk": (16, 2)}),
    ("2dconv 8 1024", {"convolution": (2, 1)}),
    ("corr 512 1 --type double", {"corr_matrix": (64, 9), "corr_mean": (1, 1), "corr_reduce": (1, 1)}),
    ("lu 128 --type double --steps 1", {"lu_row": (1, 1), "lu_trailing": (2, 2)}),
    ("backprop 1024", {"backprop_forward": (2, 1), "backprop_adjust": (2, 2)}),
    ("gaussian 256 --steps 1", {"fan1": (17, 3), "fan2": (5, 2)}),
    ("hotspot 14 1024 --pyramid 1 --iterations 1", {"hotspot": (4, 2)}),
    ("lud 48", {"lud_diagonal": (1, 1), "lud_perimeter": (1, 1), "lud_internal": (2, 1)}),
    ("nn 3000", {"nn": (1, 1)}),
    ("nw 128 --block 64", {"nw_grow": (9, 2), "nw_shrink": (9, 2)}),
    ("pathfinder 2048 3 --pyramid 2", {"pathfinder": (2, 1)}),
    # random: the numbers follow from the seeds, for 128, 100 and 40 pages; then a gather as local as the ids of a road map
    ("gups 16 --threads 64 --group 64 --updates 4", {"gups_update": (46, 16), "gups_init_table": (1, 1)}),
    ("gups 16 --threads 64 --group 64 --updates 4 --access load-store", {"gups_update": (46, 16)}),
    ("sort 4096", {"sort_gather": (53, 13), "sort_build": (3, 2), "sort_step": (1, 1)}),
    ("pagerank --graph power:n=40000,arcs=80000 --iterations 1", {"pagerank_push": (32, 5), "pagerank_take": (1, 1)}),
    ("sssp --graph road:8000 --iterations 1", {"sssp_min_plus": (5, 2), "sssp_diff": (1, 1)}),
    ("srad 128 128 --iterations 1", {"srad_reduce": (16, 2), "srad_gradient": (1, 1), "srad_update": (1, 1)}),
]


class PagesTest(RunTest):
    def most_pages(self, words):
        name, *arguments = words.split()
        trace = words.replace(" ", "_") + ".wkt"
        self.run_it("capture", "-q", "-o", trace, "--", WORKLOADS / name, *arguments)
        most = collections.defaultdict(lambda: (0, 0))
        launches = json.loads(self.run_it("trace", "info", "--json", trace).stdout)["launches"]
        for number, launch in enumerate(launches):
            text = self.run_it("trace", "cat", "--lanes", "--launch", number, "--limit", 1500, trace).stdout
            for word in map(str.split, text.splitlines()):
                if word and word[0] == "pc" and word[3] in ("load", "store", "atomic"):
                    lanes = [int(lane, 16) for lane in word if lane.startswith("0x")]
                    pages, groups = most[launch["kernel"]]
                    most[launch["kernel"]] = (max(pages, len({a >> 12 for a in lanes})),
                                              max(groups, len({a >> 15 for a in lanes})))
        return most

    def test_pages_of_an_access_follow_from_the_row_pitch(self):
        with ThreadPoolExecutor(2) as pool:
            for (words, expected), most in zip(ROWS, pool.map(self.most_pages, [row[0] for row in ROWS])):
                with self.subTest(program=words):
                    self.assertEqual({kernel: most[kernel] for kernel in expected}, expected)


if __name__ == "__main__":
    unittest.main()
