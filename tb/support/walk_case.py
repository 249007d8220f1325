# SPDX-License-Identifier: MIT
"""Shared by the tests of walkway walk: an image in its own folder, walks and listings of it, and refusals."""
import json

from walkway_run import RunTest


class WalkTest(RunTest):
    def setUp(self):
        super().setUp()
        self.image = self.dir / "image"

    def walk(self, *words, code=0, **more):
        return self.run_it("walk", *words, code=code, **more)

    def walks(self, tables, vas, *words):
        done = self.walk("--memory", self.image, "--root", hex(tables.root), "--kind", f"radix{tables.levels}", "--json",
                         *words, input="\n".join(map(hex, vas)))
        return json.loads(done.stdout)["walks"]

    def dump(self, *words, **more):
        return json.loads(self.walk("--memory", self.image, "--dump", "--json", *words, **more).stdout)

    def listed(self, tables, *words):
        ranges = self.dump("--root", hex(tables.root), "--kind", f"radix{tables.levels}", *words)["ranges"]
        return [[int(r["va"], 16), r["bytes"], int(r["pa"], 16), r["page"], r["rights"]] for r in ranges]

    def refused(self, *words, says, code=2, **more):
        error = self.walk(*words, code=code, **more).stderr
        for part in [says] if isinstance(says, str) else says:
            self.assertIn(part, error)
        return error
