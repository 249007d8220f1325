#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scripts/mutate on small trees: the piece of a function that a mutant names, refusals, and the mutants that a tree's tests detect."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
COUNT = """#include "count.h"
#define OPENS {
static const unsigned steps[] = {1, 2};

/* least(a) { is named here } and returns a + 1 */
static int least(int a)
{
    return a > 0 ? a : 0; /* '{' */
}

struct pair made(int a, int b)
{
    struct pair p = {least(a), least(b)};
    p.text = "} least(int a) {";
    p.sum += a + b;
    return p;
}
"""
BLOCK = """namespace walkway
{
namespace
{
int free_of(const block &b) { return b.limit() - 1; }
} // namespace

block::block(int limit) : base{limit}, limit_(limit + 1), names_{"a"}
{
    on_end([this](int at) { ended_ = at; });
}

void block::add(int n) { sum_ += n; }

void block::add(int n, int times)
{
    if (times > 1)
        sum_ += n * times;
    last_ = n;
}
} // namespace walkway
"""
HEADER = """class block : public base
{
public:
    std::function<void(int)> later() const override { return [this](int n) { sum_ = n; }; }
    bool operator==(const block &b) const { return sum_ == b.sum_; }
    struct part {
        int size() const { return bytes_; }
    };
    int size() const { return parts_; }
};
"""
TREE = {"kernels/count.c": COUNT, "model/block.cpp": BLOCK, "model/block.hpp": HEADER, "tb/kernels/count_test.cpp": "", "tb/model/block_test.cpp": "",
        "tb/cli/block_test.py": ""}


class MutateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for script in ("mutate", "mutants.py", "functions.py"):
            self.write(f"scripts/{script}", (SCRIPTS / script).read_text(encoding="utf-8"))
        for name, text in TREE.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_mutate(self, *options):
        return subprocess.run([sys.executable, self.root / "scripts/mutate", *options], capture_output=True, text=True, check=False)

    def listed(self):
        """Returns path:line and the piece of each mutant."""
        done = self.run_mutate("--list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [tuple(line.split(" | ")[1:]) for line in done.stdout.splitlines()]

    def found(self, lines, path="kernels/count.c"):
        self.write("tb/kernels/count.mutants", f"# a comment\nfile {path} : kernels/count_test\n{lines}\n")
        return self.listed()

    def refused(self, lines):
        """Returns the message about a file of mutants that begins with its section, without the name of the file."""
        self.write("tb/kernels/count.mutants", lines)
        done = self.run_mutate("--list")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertTrue(done.stderr.startswith("tb/kernels/count.mutants:"), done.stderr)
        return done.stderr.strip()[len("tb/kernels/count.mutants:"):]


class FindTest(MutateTest):
    def test_a_function_that_moves_and_lines_that_break_elsewhere_are_found(self):
        mutant = "in made\n{{p.sum += a + b; => }}\nin least\n{{a > 0 => a >= 0}}"
        there = ["p.sum += a + b; => nothing", "a > 0 => a >= 0"]
        self.assertEqual(self.found(mutant), list(zip(["kernels/count.c:15", "kernels/count.c:8"], there)))
        made = COUNT.index("struct pair made")
        self.write("kernels/count.c", COUNT[made:].replace("+= a + b", "+=\n        a +\n        b") + "\n" + COUNT[:made])
        self.assertEqual(self.found(mutant), list(zip(["kernels/count.c:5", "kernels/count.c:18"], there)))

    def test_the_same_piece_in_another_function_does_not_disturb(self):
        self.assertEqual(self.found("in least\n{{a > 0 => true}}")[0][0], "kernels/count.c:8")
        self.write("kernels/count.c", COUNT + "int other(int a)\n{\n    return a > 0;\n}\n")
        self.assertEqual(self.found("in least\n{{a > 0 => true}}\nin other\n{{a > 0 => true}}"),
                         [("kernels/count.c:8", "a > 0 => true"), ("kernels/count.c:20", "a > 0 => true")])

    def test_text_around_a_piece_tells_it_from_others(self):
        self.assertEqual(self.found("in least\n? {{a => 1}} :\nin steps\n{{2 => 3}}"), [("kernels/count.c:8", "a => 1"), ("kernels/count.c:3", "2 => 3")])

    def test_classes_namespaces_overloads_constructors_and_lambdas(self):
        self.assertEqual([line for line, _ in self.found("in free_of\n{{b.limit() => 2}}\n"
                                                         "in block::block\n{{limit + 1 => limit}}\n{{ended_ = at; => }}\n"
                                                         "in block::add\n{{n * times => n}}\n{{sum_ += n; => }}\n"
                                                         "in walkway::block::add\n{{last_ = n; => }}", "model/block.cpp")],
                         [f"model/block.cpp:{line}" for line in (5, 8, 10, 18, 13, 19)])
        self.assertEqual([line for line, _ in self.found("in later\n{{sum_ = n; => }}\nin block::operator==\n{{b.sum_ => 0}}\n"
                                                         "in part::size\n{{bytes_ => 1}}\nin block::size\n{{parts_ => 1}}", "model/block.hpp")],
                         [f"model/block.hpp:{line}" for line in (4, 5, 7, 9)])

    def test_every_file_of_mutants_counts_and_none_is_listed_anywhere(self):
        self.write("tb/model/new.mutants", "file model/block.hpp : cli/block model/block_test\nin part::size\n{{bytes_ => 1}}\n= why\n")
        self.assertEqual(self.found("in least\n{{a > 0 => true}}"), [("kernels/count.c:8", "a > 0 => true"), ("model/block.hpp:7", "bytes_ => 1")])


class RefusedTest(MutateTest):
    def test_a_piece_that_is_there_twice_or_not_at_all(self):
        section = "file kernels/count.c : kernels/count_test\n\nin made\n"
        self.assertEqual(self.refused(section + "{{least => made}}"), "4: occurs 3 times in made of kernels/count.c: least")
        self.assertEqual(self.refused(section + "{{a > 0 => true}}"), "4: occurs 0 times in made of kernels/count.c: a > 0 (but in least)")
        self.assertEqual(self.refused(section + "{{su => true}}"), "4: occurs 0 times in made of kernels/count.c: su")

    def test_a_piece_that_is_in_two_functions_of_the_name(self):
        self.assertEqual(self.refused("file model/block.cpp : model/block_test\nin add\n{{n => 1}}"), "3: occurs 5 times in add of model/block.cpp: n")
        self.assertEqual(self.refused("file model/block.hpp : model/block_test\nin size\n{{return => 1}}"),
                         "3: occurs 2 times in size of model/block.hpp: return")

    def test_an_unknown_function_has_its_nearest_named(self):
        self.assertEqual(self.refused("file kernels/count.c : kernels/count_test\nin lest\n"), "2: kernels/count.c has no function lest; the nearest is least")
        self.assertEqual(self.refused("file model/block.cpp : model/block_test\nin blok::ad\n"),
                         "2: model/block.cpp has no function blok::ad; the nearest is block::add")

    def test_a_section_without_tests_or_of_unknown_ones(self):
        for line in ("file kernels/count.c", "file kernels/count.c :", "file kernels/count.c :  "):
            self.assertEqual(self.refused(line + "\nin least\n{{a > 0 => true}}"), f"1: a section is `file PATH : TEST...`, not: {line.strip()}")
        self.assertEqual(self.refused("file kernels/count.c : kernels/count_test kernels/cunt_test\n"),
                         "1: there is no test kernels/cunt_test; the nearest is kernels/count_test")

    def test_a_file_that_is_not_there(self):
        subprocess.run("git init -q . && git add .", shell=True, cwd=self.root, check=True)
        self.assertEqual(self.refused("file kernel/count.c : kernels/count_test\n"), "1: there is no kernel/count.c; the nearest is kernels/count.c")

    def test_a_mutant_or_a_reason_without_what_it_belongs_to(self):
        section = "file kernels/count.c : kernels/count_test\n"
        for lines in ("{{a > 0 => true}}", section + "{{a > 0 => true}}", section + "in least\n" + section + "{{a > 0 => true}}"):
            self.assertEqual(self.refused(lines), f"{len(lines.splitlines())}: no section with tests and no function stand before this: {{{{a > 0 => true}}}}")
        for lines in ("in least", section + "= why", section + "in least\n= why", section + "in least\n{{a > 0 => true}}\nin made\n= why",
                      section + "in least\n{{a > 0 -> true}}"):
            self.assertEqual(self.refused(lines).split(", nor why: ")[1], lines.splitlines()[-1])

    def test_what_is_neither_a_statement_nor_an_expression(self):
        section = "file kernels/count.c : kernels/count_test\nin made\n"
        self.assertEqual(self.refused(section + "{{a + b => }}"), "3: only a statement can become nothing: a + b")
        self.assertEqual(self.refused(section + "{{a + b => a;}}"), "3: neither a statement nor an expression: a + b => a;")
        self.assertEqual(self.refused(section + "{{a + b; => }}"), "3: no whole statement: a + b;")
        self.assertEqual(self.refused(section + "{{sum += a + b; => }}"), "3: no whole statement: sum += a + b;")
        self.assertEqual(self.refused(section + "{{sum => text}}"), "3: no whole expression: sum")
        self.assertEqual(self.refused(section + "{{+ b => + a}}"), "3: no whole expression: + b")
        self.assertEqual(self.refused(section + "{{const int sum = a; => const int sum = b;}}"), "3: a declaration, of which only the value can change: const int sum = a; => const int sum = b;")
        for part in ("a, b => b, a", "a : b => a", "a + => a", "a => a +", "+ b && => b", "(a + b => a", "a + b => && b"):
            self.assertEqual(self.refused(section + "{{" + part + "}}"), f"3: no whole expression: {part}")

    def test_pieces_that_overlap(self):
        self.assertEqual(self.refused("file kernels/count.c : kernels/count_test\nin made\n{{p.sum += a + b; => }}\n{{a + b => a}}"),
                         "4: overlaps tb/kernels/count.mutants:3: a + b")

    def test_a_tree_without_mutants(self):
        done = self.run_mutate("--list")
        self.assertEqual((done.returncode, done.stderr), (1, "scripts/mutate: there is no mutant in tb/**/*.mutants\n"))


class VerdictTest(MutateTest):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", "project(small C)\ncmake_minimum_required(VERSION 3.18)\nenable_testing()\nadd_executable(kernels_sum_test sum.c)\n"
                   "add_test(NAME kernels/sum_test COMMAND kernels_sum_test)\nset_tests_properties(kernels/sum_test PROPERTIES LABELS kernels)\n")
        self.write("sum.c", "static int total(int n)\n{\n    int s = 0;\n    for (int i = 0; i <= n; ++i)\n        s += i;\n    return s;\n}\n\n"
                   "int main(void)\n{\n    return total(3) == 6 ? 0 : 1;\n}\n")
        self.write("tb/kernels/sum_test.cpp", "")
        self.write("tb/kernels/sum.mutants", "file sum.c : kernels/sum_test\nin total\n{{i <= n => i < n}}\n{{i <= n => i < n || i == n}}\n= the same\n{{i <= n => i > n}}\n{{s += i; => }}\n"
                   "i = {{0 => 1}}\n")
        subprocess.run("git init -q . && git add .", shell=True, cwd=self.root, check=True)

    def test_what_the_tests_of_a_tree_notice(self):
        done = self.run_mutate("--named", "--jobs", "1")
        self.assertEqual([line.split(" | ")[1:] for line in done.stdout.splitlines()],
                         [["sum.c:4", "i <= n => i < n", "kernels/sum_test"], ["sum.c:4", "i <= n => i < n || i == n", "survives: the same"],
                          ["sum.c:4", "i <= n => i > n", "kernels/sum_test"], ["sum.c:5", "s += i; => nothing", "kernels/sum_test"], ["sum.c:4", "0 => 1", "SURVIVED"], []], done.stderr)
        self.assertEqual((done.stdout.splitlines()[-1], done.returncode), ("3 killed, 1 explained, 1 SURVIVED, of 5 mutants", 1))
        self.assertNotIn("ww_mutant", (self.root / "sum.c").read_text(encoding="utf-8"))

    def test_a_source_that_git_does_not_know_is_not_left_as_it_is(self):
        subprocess.run(["git", "rm", "-q", "--cached", "sum.c"], cwd=self.root, check=True)
        done = self.run_mutate("--named")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", "tb/kernels/sum.mutants:3: git does not know sum.c\n"))

    def test_a_pattern_is_looked_for_in_path_function_and_text(self):
        for pattern, count in (("sum.c", 5), ("total", 5), ("i = 0", 1)):
            done = self.run_mutate("--named", pattern)
            self.assertEqual(len(done.stdout.splitlines()[:-1]), count, done.stderr)
        self.assertEqual(self.run_mutate("--named", "summ").stderr, "scripts/mutate: no mutant has summ in its path, function or text\n")


if __name__ == "__main__":
    unittest.main()
