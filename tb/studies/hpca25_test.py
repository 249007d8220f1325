#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Figures of HPCA'25 from made-up runs with known ratios: walkers with a batch of walks, compared with walking by neighbourhoods and more
walkers."""
import unittest

from made_runs import FiguresTest, MadeStudy, claimed, histogram, made_run, named, verdict

HPCA25 = MadeStudy("hpca25")


def run(cycles, backlog, buffer, reads=1000, batch=None, walkers=8):
    histograms = {"walk_unit.walk_latency": histogram({backlog + buffer + 200: 10}), "walk_unit.backlog_latency": histogram({backlog: 10}),
                  "walk_unit.buffer_latency": histogram({buffer: 10}), "walk_unit.service_latency": histogram({250: 8})}
    if batch is not None:
        histograms.update({"walk_unit.march_batch": histogram({batch: 2}), "walk_unit.march_reads": histogram({3: 10})})
    return made_run({"cycles": cycles, "walk_unit.pte_reads": reads, "walk_unit.walks_coalesced": 2, "walk_unit.walk_requests": 10}, histograms,
                    {"walk_unit.walkers": walkers, "walk_unit.march_walks": 0 if batch is None else 8})


class Hpca25Test(FiguresTest):
    def setUp(self):
        self.runs = HPCA25.runs(run(1000, 700, 300), {"8/march": run(500, 80, 20, batch=6), "8/near": run(800, 300, 200, reads=400),
                                                      "8/both": run(400, 30, 20, reads=500, batch=4), "64/base": run(450, 0, 0, walkers=64),
                                                      "8/march-issue-40": run(900, 80, 20, batch=7), "dgpu-hashed/both": run(250, 100, 0)})

    def test_the_headline_is_marching_alone(self):
        figure = HPCA25.figure("speedup", self.runs)
        self.assert_bar(figure.bars, "marching", 2)
        self.assert_bar(figure.beside, "neighbourhoods", 0.4)
        self.assertEqual(verdict(figure, "speed-up of marching, geometric mean"), "missed")

    def test_queueing_is_outside_and_in_the_buffer(self):
        figure = HPCA25.figure("queueing", self.runs)
        self.assert_bar(figure.bars, "marching", 90)
        self.assert_bar(figure.bars, "both", 95)
        self.assert_bar(figure.beside, "8 walkers", 1000)
        self.assertEqual(verdict(figure, "less queueing of walks, mean of programs that queue"), "matched")

    def test_a_program_that_does_not_queue_has_no_less_of_it(self):
        idle = lambda code: run(1000, 0, 0 if code == "NW" else 100)
        figure = HPCA25.figure("queueing", HPCA25.runs(idle, {"8/march": run(1000, 0, 20)}))
        self.assert_absent(named(figure.bars, "marching")["NW"])
        self.assert_near(claimed(figure, "less queueing of walks, mean of programs that queue"), 80)

    def test_each_is_beside_the_other(self):
        figure = HPCA25.figure("remains", self.runs)
        for name, speedup, less in (("marching alone", 2, 90), ("marching beside neighbourhoods", 2, 90),
                                    ("neighbourhoods alone", 1.25, 50), ("neighbourhoods beside marching", 1.25, 50)):
            self.assert_bar(figure.bars, name, speedup)
            self.assert_bar(figure.beside, name, less)

    def test_the_parts_of_a_request_s_time_are_of_all_requests(self):
        figure = HPCA25.figure("causes", self.runs)
        self.assert_bar(figure.bars, "marching, outside the buffer", 80)
        self.assert_bar(figure.bars, "marching, in the buffer", 20)
        self.assert_bar(figure.bars, "marching, with a walker", 200)
        self.assert_bar(figure.beside, "marching, walks in a batch", 6)
        self.assert_bar(figure.beside, "both, reads in flight of a walker", 3)
        self.assert_bar(figure.beside, "neighbourhoods, coalesced", 0.2)
        self.assert_absent(named(figure.beside, "8 walkers, walks in a batch")["ATX"])

    def test_more_walkers_have_as_many_reads_in_flight_as_batches(self):
        figure = HPCA25.figure("walkers", self.runs)
        self.assert_bar(figure.bars, "64", 1000 / 450)
        self.assert_bar(figure.beside, "64", 64)
        self.assert_bar(figure.beside, "8, marching", 64)
        self.assert_bar(figure.beside, "8, neighbourhoods", 8)

    def test_each_table_is_over_itself(self):
        figure = HPCA25.figure("dgpu", self.runs)
        self.assert_bar(figure.bars, "hashed table, both", 4)
        self.assert_bar(figure.bars, "radix table, both", 1)

    def test_what_a_batch_is(self):
        figure = HPCA25.figure("batch", self.runs)
        self.assert_bar(figure.bars, "8 walks", 2)
        self.assert_bar(figure.bars, "8, a read each 40 cycles", 1000 / 900)
        self.assert_bar(figure.beside, "8, a read each 40 cycles", 7)


if __name__ == "__main__":
    unittest.main()
