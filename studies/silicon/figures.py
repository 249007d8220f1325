#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares pointer chases that others measured on two GPUs (measured/, with its licence) with those on p100.cfg and k80.cfg. Curves that
the machines' numbers were fitted to, and predicted ones, are separate figures, and `sharing` is fitted; docs/results/silicon.md. As a program it draws the curves:

    walkway reproduce silicon --scale full -o silicon
    PYTHONPATH=tool/python studies/silicon/figures.py silicon curves.svg"""
import json
import math
import pathlib
import statistics
import sys
from functools import partial

from walkway import study
from walkway.study import NONE, Figure, Stated, runs_in

MEASURED = pathlib.Path(__file__).resolve().parent / "measured"
KIB, LOAD = 1024, "gpu.load_latency"
WITHIN = 1 # tolerance of a plateau, cycles

# by curve: its file, and its plateaus in MiB, from the fastest; the files have the step before each but the first.
# The P100 has no plateau between 2,016 and 2,320 MiB (at twice the stride 4,032 and 4,672): drawn, not judged.
CURVES = {
    ("p100", 1024): ("p100-chase-12-80MiB", [(12, 32), (33, 80)]),
    ("p100", 2048): ("p100-chase-12-80MiB", [(12, 32), (34, 80)]),
    ("p100", 4096): ("p100-chase-12-80MiB", [(12, 64), (68, 80)]),
    ("p100", 16384): ("p100-chase-1472-4992MiB", [(1472, 2016), (2320, 4992)]),
    ("p100", 32768): ("p100-chase-1472-4992MiB", [(1472, 2016), (2336, 4992)]),
    ("p100", 65536): ("p100-chase-1472-4992MiB", [(1472, 4032), (4672, 4992)]),
    ("k80", 64): ("k80-chase-1-5MiB", [(1, 2), (2.0625, 5)]),
    ("k80", 128): ("k80-chase-1-5MiB", [(1, 2), (2.125, 5)]),
    ("k80", 256): ("k80-chase-1-5MiB", [(1, 4), (4.25, 5)]),
    ("k80", 1024): ("k80-chase-48-300MiB", [(48, 141), (143, 300)]),
    ("k80", 2048): ("k80-chase-48-300MiB", [(48, 142), (144, 300)]),
    ("k80", 4096): ("k80-chase-48-300MiB", [(48, 64), (68, 280), (288, 300)]),
}
MATRICES = {2048: ("p100-sharing-2048KiB-16", ("p100", 2048)), 32768: ("p100-sharing-32768KiB-65", ("p100", 32768))}


def measured(curve):
    """Returns {MiB: cycles} of a measured curve."""
    lines = (MEASURED / (CURVES[curve][0] + ".csv")).read_text(encoding="utf-8").splitlines()
    column = lines[1].split(",").index(str(curve[1]))
    rows = [line.split(",") for line in lines[2:]]
    return {float(row[0]): float(row[column]) for row in rows if row[column:column + 1] not in ([], [""])}


def modelled(r, curve, machine):
    """Returns {MiB: cycles} of the sizes that were run."""
    start = f"{curve[0]}-{curve[1]}-"
    sizes = {int(code[len(start):]) / KIB: code for code in r.programs if code.startswith(start)}
    return {size: r.run(code, machine).of(LOAD, "mean") for size, code in sorted(sizes.items())}


def plateaus(curve):
    """Returns (first, last, measured median) of each plateau, in MiB and cycles."""
    points = measured(curve)
    return [(first, last, statistics.median(v for size, v in points.items() if first <= size <= last)) for first, last in CURVES[curve][1]]


def furthest(points, first, last, wanted):
    """Returns a plateau's value with the largest distance from `wanted`; NaN if a value is NaN, or none was run."""
    values = [v for size, v in points.items() if first <= size <= last]
    return NONE if not values or any(map(math.isnan, values)) else max(values, key=lambda v: abs(v - wanted))


def step_of(points, below, above):
    """Returns the first size from which all values, to the end of the plateau above, are nearer that plateau than the one below."""
    middle, step = (below[2] + above[2]) / 2, NONE
    for size, value in sorted(points.items(), reverse=True):
        if below[0] <= size <= above[1]:
            if math.isnan(value):
                return NONE
            if value <= middle:
                break
            step = size
    return step


def name_of(curve):
    return f"{curve[1]} KiB" if curve[1] < KIB else f"{curve[1] // KIB} MiB"


def curves_of(r):
    """Returns the curves of the programs that the figure shows."""
    there = {tuple(code.split("-")[:2]) for code in r.programs}
    return [curve for curve in CURVES if (curve[0], str(curve[1])) in there]


def curves(r, gpu, title):
    """Shows each point and its distance from the measured one; claims are each plateau's furthest point, and each step."""
    claims = []
    for curve in curves_of(r):
        ours, plains, points = modelled(r, curve, gpu), plateaus(curve), measured(curve)
        claims += [(f"stride {name_of(curve)}, {first:g} to {last:g} MiB, cycles", Stated(f"{cycles:g}", cycles - WITHIN, cycles + WITHIN),
                    furthest(ours, first, last, cycles)) for first, last, cycles in plains]
        for below, above in zip(plains, plains[1:]):
            there, stride = step_of(points, below, above), curve[1] / KIB
            claims.append((f"stride {name_of(curve)}, from {below[2]:g} to {above[2]:g} cycles at, MiB",
                           Stated(f"{there:g}", there - stride, there + stride), step_of(ours, below, above)))
    cycles = lambda code: r.run(code, gpu).of(LOAD, "mean")
    of = {curve: measured(curve) for curve in curves_of(r)}

    def off(code):
        name, stride, size = code.split("-")
        return cycles(code) - of[name, int(stride)][int(size) / KIB]
    return Figure(title, 2, [r.of_programs("cycles of a load", cycles), r.of_programs("over the measured", off)], claims=claims)


def flat(r, gpu):
    """With ideal translation: a remaining step would be caused by the data caches."""
    claims = []
    for curve in curves_of(r):
        values = list(modelled(r, curve, gpu + "/ideal").values())
        claims.append((f"stride {name_of(curve)}, slowest - fastest size, cycles", Stated("flat", 0, 0), study.most(values) - study.least(values)))
    return Figure("the same under ideal translation", 2, [r.bar("cycles of a load", gpu + "/ideal", lambda run: run.of(LOAD, "mean"))], claims=claims)


def shared(stride):
    """Returns the pairs (measured SM, other SM) of the file's second block that share a TLB."""
    lines = (MEASURED / (MATRICES[stride][0] + ".txt")).read_text(encoding="utf-8").split("which SMs share TLB")[1].splitlines()
    rows = [line.split() for line in lines[2:] if line.strip()]
    return {(int(row[0]), other) for row in rows for other, cell in enumerate(row[1:57]) if cell == ".X"}


def sharing(r):
    """Shows 1 for each pair that agrees with the file: accesses of the other SM slow the measured one down, or do not."""
    wanted = {stride: shared(stride) for stride in MATRICES}

    def agrees(code):
        stride, *pair = map(int, code.split("-")[1:])
        alone, together = (cycles for _, _, cycles in plateaus(MATRICES[stride][1]))
        cycles = r.run(code, "p100").of(LOAD, "mean")
        return NONE if math.isnan(cycles) else float((cycles > (alone + together) / 2) == (tuple(pair) in wanted[stride]))
    bar = r.of_programs("as in the file", agrees)
    claims = []
    for stride, (_, curve) in MATRICES.items():
        pairs = [value for code, value in bar.values.items() if code.startswith(f"share-{stride}-")]
        claims.append((f"stride {name_of(curve)}, share of {len(pairs)} pairs", Stated("who shares", 1, 1), study.mean(pairs)))
    return Figure("who shares a TLB with whom: the machine's shared_by was taken from these matrices, fitted", 3, [bar], claims=claims)


FITTED, PREDICTED = "strides whose latencies and steps the machine's numbers were fitted to", "what then follows: half-steps, other strides, their steps"
FIGURES = {"sharing": sharing}
for _gpu in ("p100", "k80"):
    FIGURES.update({f"{_gpu}-fitted": partial(curves, gpu=_gpu, title=FITTED), f"{_gpu}-predicted": partial(curves, gpu=_gpu, title=PREDICTED),
                    f"{_gpu}-flat": partial(flat, gpu=_gpu)})


def draw(folder, file):
    """Draws measured points as marks, modelled ones as lines."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Picture
    from walkway import figure, reproduce
    order = json.loads((pathlib.Path(folder) / "study.json").read_text(encoding="utf-8"))
    runs = runs_in(pathlib.Path(folder) / "results.db", (run["key"] for run in order["runs"]))
    everything = {"programs": [p["code"] for p in order["programs"]], "machines": None}
    r = reproduce.samples_of(order, everything, lambda results: results, runs)[0] # the unperturbed one
    picture = Picture(figsize=(11, 6), layout="constrained")
    FigureCanvasAgg(picture)
    files = dict.fromkeys(of for of, _ in CURVES.values())
    for axes, of in zip(picture.subplots(2, 2).flat, files):
        for n, curve in enumerate(c for c, (name, _) in CURVES.items() if name == of):
            points, ours = measured(curve), modelled(r, curve, curve[0])
            axes.plot(list(points), list(points.values()), figure.MARKERS[n], markersize=3, markerfacecolor="none", color=figure.COLOURS[n], label=f"{name_of(curve)}, measured")
            axes.plot(list(ours), list(ours.values()), "-", linewidth=1, color=figure.COLOURS[n], label="modelled")
        if of == CURVES["p100", 16384][0]:
            for ends in ((2016, 2336), (4032, 4672)):
                axes.axvspan(*ends, color="#e8e8e8", linewidth=0, label="not judged" if ends[0] == 2016 else None)
        axes.set_title("Tesla P100" if of.startswith("p100") else "Tesla K80", loc="left", fontsize=10)
        axes.set_xlabel("MiB", fontsize=8)
        axes.set_ylabel("cycles of a load", fontsize=8)
        axes.legend(frameon=False, fontsize=7, title="stride", title_fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    figure.save(picture, file)


if __name__ == "__main__":
    draw(*sys.argv[1:])
