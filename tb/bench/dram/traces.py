# SPDX-License-Identifier: MIT
"""The seven traces that the simulators of reference.csv ran, by the rule that came with their results: drawn by Python's generator with
these seeds. A line is `cycle address R|W`, the cycle at 800 MHz; cycle 0 on every line: in order, as fast as they are accepted."""
import random

REQUESTS, GB = 250_000, 1 << 30


def _line(drawn):
    return drawn.randrange(GB // 64) * 64


def _stream():
    return ((0, i * 64, "R") for i in range(REQUESTS))


def _random():
    drawn = random.Random(1001)
    return ((0, _line(drawn), "R") for _ in range(REQUESTS))


def _random_every_100ns():
    drawn = random.Random(1002)
    return ((i * 80, _line(drawn), "R") for i in range(REQUESTS))


def _mixed():
    drawn = random.Random(1004)
    return ((0, _line(drawn), "R" if drawn.random() < 0.7 else "W") for _ in range(REQUESTS))


# Unloaded, before the first refresh: 16 closed banks; 39 row hits; 39 row conflicts.
TRACES = {
    "a_stream": _stream,
    "b_random": _random,
    "c_random_100ns": _random_every_100ns,
    "e_rw7030": _mixed,
    "h1_closed": lambda: ((100 + 60 * i, i * 8192, "R") for i in range(16)),
    "h2_hit": lambda: ((100 + 60 * i, i * 64, "R") for i in range(40)),
    "h3_conflict": lambda: ((100 + 60 * i, (i & 1) * 262144, "R") for i in range(40)),
}


def make(name, path):
    """Writes a trace, which appears under its name once it is whole."""
    part = path.with_suffix(".part")
    with open(part, "w", encoding="ascii") as f:
        f.writelines("%d 0x%x %s\n" % request for request in TRACES[name]())
    part.replace(path)
