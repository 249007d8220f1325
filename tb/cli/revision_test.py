#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What a build says that it is made of (scripts/cmake/revision.cmake): the commit, a digest of a changed tree's changes, and a digest of
the model. The header is written only if these change."""
import os
import pathlib
import re
import subprocess
import unittest

from walkway_run import scratch_folder

SCRIPT = pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "scripts" / "cmake" / "revision.cmake"


class RevisionTest(unittest.TestCase):
    def setUp(self):
        self.dir = scratch_folder(self.addCleanup)
        self.header = self.dir / "revision.hpp"
        (self.dir / "tree").mkdir()

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=self.dir / "tree", check=True,
                       capture_output=True, env={**os.environ, "GIT_CEILING_DIRECTORIES": str(self.dir)})

    def lines(self):
        subprocess.run(["cmake", "-D", f"SOURCE={self.dir / 'tree'}", "-D", f"FILE={self.header}", "-P", SCRIPT], check=True,
                       env={**os.environ, "GIT_CEILING_DIRECTORIES": str(self.dir)})
        return re.fullmatch(r'#define WALKWAY_GIT "(.*)"\n#define WALKWAY_MODEL "([0-9a-f]{12})"\n',
                            self.header.read_text())

    def revision(self):
        return self.lines()[1]

    def model(self):
        return self.lines()[2]

    def write(self, path, text):
        file = self.dir / "tree" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def test_a_revision_for_each_tree(self):
        self.assertEqual(self.revision(), "unknown", "no repository")
        self.git("init", "-q")
        file = self.dir / "tree" / "a.c"
        file.write_text("one\n")
        self.git("add", "a.c")
        self.git("commit", "-qm", "m")
        clean = self.revision()
        self.assertRegex(clean, "^[0-9a-f]{7,}$")
        written = self.header.stat().st_mtime_ns
        self.assertEqual(self.revision(), clean)
        self.assertEqual(self.header.stat().st_mtime_ns, written)
        changed = set()
        for text in ("two\n", "three\n"):
            file.write_text(text)
            changed.add(self.revision())
        self.assertEqual(len(changed), 2)
        for revision in changed:
            self.assertRegex(revision, f"^{clean}-dirty-[0-9a-f]{{7}}$")
        self.git("commit", "-qam", "m")
        self.assertNotIn(self.revision(), changed | {clean})

    def test_comments_do_not_decide_a_result(self):
        one = 'int a; /* one */\n\n#define B "/* text */" // one\nchar c = \'"\'; /* " */\nint d = 1\'000; // it\'s one\n'
        self.write("model/a.cpp", one)
        first = self.model()
        for other in (one.replace("one", "two"), one.replace(" // one", ""), one.replace("/* one */", "/* one\n * and more */\n    "),
                      one.replace('/* " */', "")):
            self.write("model/a.cpp", other)
            self.assertEqual(self.model(), first, other)
        seen = {first}
        for other in (one.replace("text", "test"), one.replace("int a", "int b"), one.replace("\n\n#define", "#define"), one.replace("'\"'", "'/'"),
                      one.replace("char c", "charc"), one.replace("1'000", "1'001"), 'x = R"-(" // one)-";\n', 'x = R"-(" // two)-";\n'):
            self.write("model/a.cpp", other)
            self.assertNotIn(self.model(), seen, other)
            seen.add(self.model())

    def test_the_model_is_what_decides_a_result(self):
        there = ("kernels/a.c", "model/b.cpp", "model/common/c.hpp", "platforms/d.cpp", "inputs/trace/e.h", "inputs/sample/f.cpp", "tool/run/headline.cpp")
        for path in there:
            self.write(path, "one\n")
        first = self.model()
        for path in ("docs/x.md", "README.md", "tool/cli/reproduce.cpp", "tool/report/table.cpp", "tb/model/b_test.cpp", "platforms/p.cfg"):
            self.write(path, "two\n")
            self.assertEqual(self.model(), first, path)
        seen = {first}
        for path in (*there, "model/new.cpp"):
            self.write(path, "two\n")
            self.assertNotIn(self.model(), seen, path)
            seen.add(self.model())
        (self.dir / "tree/model/b.cpp").rename(self.dir / "tree/model/f.cpp")
        self.assertNotIn(self.model(), seen, "another name may be another order")


if __name__ == "__main__":
    unittest.main()
