# SPDX-License-Identifier: MIT
"""Reads the files tb/**/*.mutants for scripts/mutate, and finds each mutant's piece of the sources."""
import functools
import pathlib
import re
import subprocess
import sys

from functions import code_of, functions_of, most_like, named, nearest

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHANGE = re.compile(r"^(.*?)\{\{(.*?) => (.*?)\}\}(.*)$")
PART = re.compile(r"^(&&|\|\||[=/%<>^|?:,])|(?<![-+])[-+]$|[=*/%<>^|&?:,]$") # operators without their operand
DECLARATION = re.compile(r"(const|auto|static|struct|bool|double|int|unsigned|size_t|u?int\d+_t|tick|std::\w+(<.*>)?)\s+\*?\w") # it must stay in its scope
SECTION = re.compile(r"^file (\S+) :(.*)$")


def refuse(where, message):
    sys.exit(f"{where}: {message}")


def tracked():
    out = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return list(filter(None, out.decode().split("\0")))


def pattern_of(piece):
    """Returns a pattern for whole words; a blank in the piece matches line breaks, too."""
    blanks = re.sub(r"(?:\\ )+", r"\\s+", re.escape(piece))
    return re.sub(r"^(?=\w)|(?<=\w)$", r"\\b", blanks)


def outside(code):
    """Returns code without what is in brackets."""
    before = None
    while before != code:
        before, code = code, re.sub(r"\([^()]*\)|\[[^][]*\]|\{[^{}]*\}|(?<=\w)<[\w:, ]*>", "", code)
    return code


def is_whole(code, statement):
    """Returns false for half a bracket, and for an expression that lacks an operand, is half a choice, or several."""
    closed = all(code.count(one) == code.count(other) for one, other in ("()", "{}"))
    choice = code.count("?") == code.replace("::", "").count(":")
    return closed and (statement or choice and not PART.search(code) and "," not in outside(code))


class Source:
    """A file with mutants."""

    def __init__(self, path):
        self.path, self.text = path, (ROOT / path).read_text(encoding="utf-8")
        self.code, self.functions = code_of(self.text), functions_of(self.text)

    def occurrences(self, wanted, functions):
        return [match for _, start, end in functions for match in wanted.finditer(self.text, start, end)]

    def find(self, where, function, pieces):
        """Returns the start and end of the second of the three pieces."""
        wanted = re.compile("(%s)(%s)(%s)" % tuple(pattern_of(piece) for piece in pieces))
        found = self.occurrences(wanted, named(self.functions, function))
        if len(found) != 1:
            others = [] if found else [f[0] for f in self.functions if self.occurrences(wanted, [f])]
            refuse(where, f"occurs {len(found)} times in {function} of {self.path}: {''.join(pieces)}" +
                   (f" (but in {', '.join(others)})" if others else ""))
        return found[0].span(2)


class Mutant:
    """`where` is its line in its file; `start` and `end` are positions of its piece of the source."""

    def __init__(self, where, source, tests, function, pieces):
        self.where, self.source, self.tests, self.function = where, source, tests, function
        before, self.was, self.becomes, after = pieces
        self.becomes, self.whole = self.becomes.strip(), before + self.was + after
        self.number = self.why = None
        self.statement = self.was.endswith((";", "}"))
        if not self.becomes and not self.statement:
            refuse(where, f"only a statement can become nothing: {self.was}")
        if not self.statement and (self.becomes.endswith(";") or self.was.startswith("if ")):
            refuse(where, f"neither a statement nor an expression: {self.text()}")
        if self.statement and DECLARATION.match(self.was):
            refuse(where, f"a declaration, of which only the value can change: {self.text()}")
        if not all(is_whole(code_of(side), self.statement) for side in (self.was, self.becomes)):
            refuse(where, f"no whole {'statement' if self.statement else 'expression'}: {self.text()}")
        self.start, self.end = source.find(where, function, (before, self.was, after))
        ahead = source.code[:self.start].rstrip()
        if not self.statement and self.was[0] in "+-*&" and re.search(r"[\w)\]]$", ahead) and not re.search(r"\b(return|case)$", ahead): # it has an operand there
            refuse(where, f"no whole expression: {self.whole}")
        if self.statement and not ahead.endswith(("{", "}", ";", ")", ":", "else")) or ahead.endswith((".", "->", "::")):
            refuse(where, f"no whole {'statement' if self.statement else 'expression'}: {self.whole}")

    def text(self):
        return f"{self.was} => {self.becomes or 'nothing'}"

    def row(self):
        line = self.source.text.count("\n", 0, self.start) + 1
        return f"{self.number:3} | {self.source.path}:{line} | {self.text()}"

    def has(self, pattern):
        return any(pattern in text for text in (self.source.path, self.function, self.whole))


@functools.lru_cache(None)
def tests_there():
    """Returns the names of tests, from the source names, as CMake does."""
    return {re.sub(r"\.cpp$|_test\.py$", "", f"{path.parent.name}/{path.name}") for path in (ROOT / "tb").glob("*/*_test.*")}


def read_section(where, line):
    """Returns the source and the tests of a line `file PATH : TEST...`."""
    match = SECTION.match(line)
    if not match or not match.group(2).split():
        refuse(where, f"a section is `file PATH : TEST...`, not: {line}")
    path, tests = match.group(1), match.group(2).split()
    if not (ROOT / path).is_file():
        refuse(where, f"there is no {path}; the nearest is {most_like(path, tracked())}")
    for test in tests:
        if test not in tests_there():
            refuse(where, f"there is no test {test}; the nearest is {most_like(test, tests_there())}")
    return Source(path), tests


def read_function(where, source, name):
    if not named(source.functions, name):
        refuse(where, f"{source.path} has no function {name}; the nearest is {nearest(source.functions, name)}")
    return name


def read_file(file):
    mutants, section, function, last = [], None, None, None
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        where, line = f"{file.relative_to(ROOT)}:{number}", line.strip()
        pieces = CHANGE.match(line)
        word, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if pieces and function:
            last = Mutant(where, *section, function, pieces.groups())
            mutants.append(last)
        elif pieces:
            refuse(where, f"no section with tests and no function stand before this: {line}")
        elif word == "=" and last:
            last.why = rest
        elif word == "file":
            section, function, last = read_section(where, line), None, None
        elif word == "in" and section:
            function, last = read_function(where, section[0], rest.strip()), None
        else:
            refuse(where, f"neither a section nor a function of it nor a mutant, {{{{a => b}}}}, nor why: {line}")
    return mutants


def read_all():
    mutants = [m for file in sorted((ROOT / "tb").rglob("*.mutants")) for m in read_file(file)]
    if not mutants:
        sys.exit("scripts/mutate: there is no mutant in tb/**/*.mutants")
    for number, m in enumerate(mutants, 1):
        m.number = number
    return mutants
