# SPDX-License-Identifier: MIT
"""Finds the comments of C and C++. What looks like one in a string is none."""
import re

NUMBER = r"(?<!\w)\d(?:'?[\w.])*" # the separators of 1'000 begin no character
RAW = r'R"(?P<end>[^()\\ ]{0,16})\(.*?\)(?P=end)"'
STRING = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
PARTS = re.compile(rf"{NUMBER}|{RAW}|{STRING}|(?P<comment>/\*.*?\*/|//[^\n]*)", re.DOTALL)


def found(text):
    """Yields a match per comment."""
    return (part for part in PARTS.finditer(text) if part["comment"])


def replaced(text, by):
    """Returns the text with by(comment) in place of each comment."""
    return PARTS.sub(lambda part: by(part[0]) if part["comment"] else part[0], text)
