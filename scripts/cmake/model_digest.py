#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""model_digest.py FOLDER: prints a digest of the C and C++ files named on the standard input, one per line, relative to FOLDER: of their
names and of their text without comments, indentation and blank lines. So a comment that is corrected keeps results that took hours."""
import hashlib
import pathlib
import re
import sys

RAW = r'R"(?P<end>[^()\\ ]{0,16})\(.*?\)(?P=end)"'
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'' # text in strings is no comment
PARTS = re.compile(rf"{RAW}|{STRING}|(?P<comment>/\*.*?\*/|//[^\n]*)", re.DOTALL)


def without_comments(text):
    text = PARTS.sub(lambda part: " " if part["comment"] else part[0], text)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def main():
    digest = hashlib.sha1()
    for name in filter(None, sys.stdin.read().splitlines()):
        text = without_comments((pathlib.Path(sys.argv[1]) / name).read_text(encoding="utf-8"))
        digest.update(f"{name} {len(text)}\n{text}\n".encode())
    print(digest.hexdigest()[:12])


main()
