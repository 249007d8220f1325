# SPDX-License-Identifier: MIT
"""Finds the functions of a C or C++ file, for scripts/mutate. It expects clang-format's layout, and runs no preprocessor."""
import difflib
import re

# Text that may have braces and words but is no code: comments, strings, characters, preprocessor lines.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<!\w)\'(?:[^\'\\\n]|\\.)+\'|^[ \t]*#(?:[^\n\\]|\\.)*',
                     re.DOTALL | re.MULTILINE)
NO_NAME = re.compile(r"<[^<>]*>|\b__attribute__\s*\(\(.*?\)\)|\balignas\s*\(\w+\)", re.DOTALL)
SCOPE = re.compile(r"\b(?:namespace|class|struct|union|enum|extern)\b(?:\s+class\b)?\s*([\w:]*)")
NAME = re.compile(r"(?:\w+::)*(?:\boperator\s*(?:\(\)|[^\w\s(]+|\w[\w\s*&]*)|~?\w+)(?=\s*(?:[(\[=]|$))")
GOES_ON = re.compile(r"\s*[,{]")  # after braces: they initialize a constructor's member


def blanked(found):
    return re.sub(r"[^\n]", " ", found.group())


def code_of(text):
    """Returns the text with blanks in place of all that is no code, so that positions stay valid."""
    return NO_CODE.sub(blanked, text)


def head_of(code, start, end):
    """Returns of the braces that open at `end`: true if they are of a function (or a variable's values), its name, the name's position."""
    head, shorter = None, code[start:end]
    while head != shorter:
        head, shorter = shorter, NO_NAME.sub(blanked, shorter)
    scope = SCOPE.search(head)
    if scope and not re.search(r"[(=]", head):
        return False, scope.group(1), start
    name = NAME.search(head)
    return True, re.sub(r"\s", "", name.group()) if name else "", start + (name.start() if name else 0)


def functions_of(text):
    """Returns (name with its namespaces and classes, start, end) of each function, from the name to the last brace. A lambda is part of
    its function; a table with a name counts as a function."""
    code = code_of(text)
    found, scopes, body, head, inside = [], [], None, 0, 0
    for mark in re.finditer(r"[(){};]", code):
        at, what = mark.start(), mark.group()
        if body or inside or what == "(":
            inside += (what in "({") - (what in ")}")
            if body and not inside and what == "}" and not GOES_ON.match(code, at + 1):
                found.append((*body, at + 1))
                body, head = None, at + 1
        elif what == "{":
            is_function, name, start = head_of(code, head, at)
            if is_function:
                body, inside = ("::".join([*filter(None, scopes), name]), start), 1
            else:
                scopes.append(name)
                head = at + 1
        else:
            scopes = scopes[:-1] if what == "}" else scopes
            head = at + 1
    return found


def named(functions, name):
    """Returns the functions of that name, which may omit namespaces and classes."""
    return [f for f in functions if f[0] == name or f[0].endswith("::" + name)]


def nearest(functions, name):
    """Returns the most similar name, with as many parts; "" if there are no functions."""
    parts = name.count("::") + 1
    return most_like(name, ["::".join(f[0].split("::")[-parts:]) for f in functions])


def most_like(word, words):
    return next(iter(difflib.get_close_matches(word, words, 1, 0)), "")
