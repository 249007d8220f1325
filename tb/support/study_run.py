# SPDX-License-Identifier: MIT
"""Shared by the tests of studies: a study in a file, and queries of its results."""
import sqlite3

from walkway_run import RunTest, make_trace

WALKERS = """[study]
text = which walker count?
platforms = fake
[workloads]
t = t.wkt
[axes]
walk_unit.walkers = 1 2 4 8
walk_unit.coalesce = off full
"""


class StudyTest(RunTest):
    def setUp(self):
        super().setUp()
        self.add_fake_machine()
        make_trace(self.dir / "t.wkt")

    def study(self, text=WALKERS, name="study.cfg"):
        (self.dir / name).write_text(text)
        return name

    def sweep(self, text=WALKERS, *words, into="r.db", code=0, **more):
        return self.run_it("sweep", self.study(text), "-q", "-o", into, *words, code=code, **more)

    def ask(self, sql, file="r.db"):
        with sqlite3.connect(f"file:{self.dir / file}?mode=ro", uri=True) as results:
            return results.execute(sql).fetchall()

    def measured(self, file="r.db"):
        """All numbers of a file of results with the names of what they belong to, without the host's time and row ids."""
        where = "JOIN runs r ON r.id = v.run JOIN statistics s ON s.id = v.statistic ORDER BY 1, 2"
        return (self.ask(f"SELECT r.key, s.name, v.value FROM run_statistics v {where}", file),
                self.ask(f"SELECT r.key, s.name, v.count, v.sum, v.buckets FROM run_histograms v {where}", file),
                self.ask("SELECT point, repetition, workload, machine, status, reason FROM results ORDER BY point", file))
