#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway search on a shipped machine: a quarter of a grid's runs comes near the front of the whole grid."""
import shutil
import statistics
import unittest

from study_run import StudyTest

GRID = """[study]
platforms = apu-micro18
[workloads]
{}
[axes]
walk_unit.walkers = 2 4 8 16 32
l2_tlb.entries = 128..2048*2
walk_unit.coalesce = off leaf full
iommu_tlb.tlb2_entries = 0 128 256
"""
NEAR, CHASE = "near = gen:neighbourhood,waves=4,accesses=16", "chase = gen:chase,waves=16,accesses=8"


def front_of(points):
    """Returns the pairs that no other pair equals or beats in both numbers."""
    return [p for p in sorted(set(points)) if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)]


def hypervolume(points, corner):
    """Returns the area that the points dominate below a corner."""
    area, top = 0, corner[1]
    for x, y in front_of([p for p in points if p[0] <= corner[0] and p[1] <= corner[1]]):
        area += (corner[0] - x) * (top - y)
        top = y
    return area


class SearchFrontTest(StudyTest):
    def best(self, text, *words):
        """Returns rows of the table, with the objectives last."""
        self.run_it("search", self.study(text), "-q", "-o", "r.db", "--csv", "best.csv", *words)
        return [line.split(",") for line in (self.dir / "best.csv").read_text().splitlines()[1:]]

    def finds_the_front(self, workload):
        """Compares the areas under the search's and the grid's front; the corner exceeds the grid's front by a tenth of its range."""
        self.env.pop("WALKWAY_PLATFORMS")
        text = GRID.format(workload)
        self.sweep(text, into="all.db")
        points = self.ask("SELECT c.value, b.value FROM results r JOIN measured c ON c.run = r.run AND c.name = 'cycles' "
                          "JOIN measured b ON b.run = r.run AND b.name = 'bits'", "all.db")
        self.assertEqual(len(points), 225)
        front = front_of(points)
        self.assertGreater(len(front), 2)
        corner = [max(p[i] for p in front) * 1.1 - min(p[i] for p in front) * 0.1 for i in (0, 1)]
        shares = []
        for seed in (1, 2, 3):
            shutil.copy(self.dir / "all.db", self.dir / "r.db")
            found = self.best(text, "--budget", len(points) // 4, "--search-seed", seed)
            self.assertEqual(self.ask("SELECT count(*) FROM runs"), [(225,)], "all were there")
            shares.append(hypervolume([(float(p[-2]), float(p[-1])) for p in found], corner) / hypervolume(points, corner))
        self.assertGreaterEqual(statistics.median(shares), 0.99, shares)
        self.assertGreaterEqual(min(shares), 0.9, shares)

    def test_a_quarter_of_the_runs_finds_the_front_of_neighbours(self):
        self.finds_the_front(NEAR)

    def test_a_quarter_of_the_runs_finds_the_front_of_a_chase(self):
        self.finds_the_front(CHASE)


if __name__ == "__main__":
    unittest.main()
