#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Executes the notebook cell by cell, as a reader would; if its answer does not hold, a cell fails."""
import os
import pathlib
import time
import unittest

import nbclient
import nbformat

FOLDER = pathlib.Path(os.environ["WALKWAY_SOURCE"], "tool/python")
os.environ["PYTHONDONTWRITEBYTECODE"] = "1" # else the kernel writes bytecode beside the package
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1" # else the kernel's debugger warns that it may miss breakpoints


class NotebookTest(unittest.TestCase):
    def setUp(self):
        self.book = nbformat.read(FOLDER / "walkers.ipynb", as_version=4)
        self.cells = {cell.id: cell for cell in self.book.cells}
        self.client = nbclient.NotebookClient(self.book, timeout=120, resources={"metadata": {"path": FOLDER}})

    def execute(self, *names):
        for name in names:
            self.client.execute_cell(self.cells[name], self.book.cells.index(self.cells[name]))

    def answer_fails(self, cell, old, new, says, *again):
        self.assertIn(old, self.cells[cell].source)
        self.cells[cell].source = self.cells[cell].source.replace(old, new)
        self.execute(*again)
        with self.assertRaises(nbclient.exceptions.CellExecutionError) as caught:
            self.execute("answer")
        self.assertEqual(caught.exception.ename, "AssertionError")
        self.assertIn(says, caught.exception.evalue)
        time.sleep(0.5)  # for a tenth of a second after an error a kernel silently drops requests
        self.cells[cell].source = self.cells[cell].source.replace(new, old)

    def test_kept_without_outputs(self):
        nbformat.validate(self.book)
        for cell in self.book.cells:
            if cell.cell_type == "code":
                self.assertEqual((cell.outputs, cell.execution_count), ([], None), cell.id)

    def test_every_cell_and_wrong_answers(self):
        with self.client.setup_kernel():
            self.execute(*[cell.id for cell in self.book.cells if cell.cell_type == "code" and cell.id != "cleanup"])
            self.assertIn("(81, array(['done']", self.cells["sweep"].outputs[0].data["text/plain"])
            drawn = [kind for output in self.cells["figure"].outputs for kind in output.data]
            self.assertIn("image/svg+xml", drawn)
            self.assertIn("Causes, as factors of the run's time", self.cells["why"].outputs[0].text)
            self.assertEqual(self.cells["answer"].outputs, [])
            self.answer_fails("answer", '"walk_unit.walkers": 8', '"walk_unit.walkers": 16', "the answer is {'walk_unit.walkers': 8,")
            self.answer_fails("answer", "walks per request for one", "misses of the L2 TLB", "the first cause is ")
            self.answer_fails("sweep", "gen:neighbourhood,waves=8,accesses=32", "gen:stream,waves=8,accesses=32", "the answer is {",
                              "sweep", "machines", "chosen", "why")
            self.execute("cleanup")


if __name__ == "__main__":
    unittest.main()
