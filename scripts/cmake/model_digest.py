#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""model_digest.py FOLDER: prints a digest of the C and C++ files named on the standard input, one per line, relative to FOLDER: of their
names and of their text without comments, indentation and blank lines. So a comment that is corrected keeps results that took hours."""
import hashlib
import pathlib
import sys

sys.dont_write_bytecode = True # a build leaves nothing among the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import comments # noqa: E402


def without_comments(text):
    text = comments.replaced(text, lambda comment: " ")
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def main():
    digest = hashlib.sha1()
    for name in filter(None, sys.stdin.read().splitlines()):
        text = without_comments((pathlib.Path(sys.argv[1]) / name).read_text(encoding="utf-8"))
        digest.update(f"{name} {len(text)}\n{text}\n".encode())
    print(digest.hexdigest()[:12])


main()
