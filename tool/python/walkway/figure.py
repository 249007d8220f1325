# SPDX-License-Identifier: MIT
"""Draws figures of results as SVG, PDF and PNG, with matplotlib (Debian's python3-matplotlib). There are two ways to use this file:

- `walkway results FILE --baseline MACHINE --figure NAME.svg` copies it to NAME.py, with the settings below filled in, writes the
  data beside it as NAME.csv, and runs it; so does `walkway reproduce STUDY --svg NAME.svg`, whose data is NAME.json. Change NAME.py
  and run it again: /usr/bin/python3 NAME.py [OTHER.pdf ...].
- from walkway import figure; figure.save(figure.draw(rows, "bars"), "speedups.pdf"), where rows are dicts with the columns of that
  CSV: pandas.read_csv(...).to_dict("records").
"""
import sys
if __name__ == "__main__" and not sys.flags.isolated:
    del sys.path[0] # files beside this one, such as numbers.py, must not replace Python's modules
import contextlib # noqa: E402
import csv # noqa: E402
import itertools # noqa: E402
import json # noqa: E402
import math # noqa: E402
import os # noqa: E402
import pathlib # noqa: E402
import textwrap # noqa: E402

# settings: those of the figure that walkway wrote
KIND = "bars" # of a table: bars, lines or stack; report: of a study's report
OVER = "" # for lines: the parameter along the axis
SCALE = "auto" # of speed-ups: linear, log; auto: log if the largest is more than SPREAD times the smallest
FORMAT = ".svg" # if the command line names no files
NOTES = [] # above the figure: missing results
# end of settings

MEAN = "geometric mean"
SPREAD = 4
# Okabe and Ito's colours, with hatching and symbols: readers need to distinguish only one of them
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999933", "#882255"]
HATCHES = ["", "///", "xxx", "..."]
MARKERS = "osD^vPX*"
STYLE = {"svg.hashsalt": "walkway", "svg.fonttype": "none", "pdf.fonttype": 42, "hatch.linewidth": 0.5, "font.size": 9, "legend.fontsize": 8,
         "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.grid.axis": "y", "grid.color": "#d0d0d0", "axes.axisbelow": True}


def _number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return math.nan


def _distinct(rows, column):
    return list(dict.fromkeys(str(row[column]) for row in rows))


def _short(rows):
    """Returns names of points without their common part, or without the baseline's machine, as a command line takes them."""
    points, machine = _distinct(rows, "point"), _baseline(rows).split(":")[0]
    common = os.path.commonprefix(points) if len(points) > 1 else ""
    cut = max(common.rfind(c) for c in ":,") + 1
    return {p: (p[cut:] if cut else p.removeprefix(machine) if p.startswith(machine + ":") else p).replace(",", ",\n") for p in points}


def _told_apart(n):
    return {"color": COLOURS[n % len(COLOURS)], "hatch": HATCHES[n // len(COLOURS) % len(HATCHES)], "edgecolor": "white", "linewidth": 0.3}


def _errors(values, rows):
    """Returns the lengths below and above the values: of ranges, of sampled runs' half widths; None if no point has any."""
    half = lambda r: _number(r.get("half_width")) if r else math.nan
    ends = [(v - _number(r["low"]), _number(r["high"]) - v) if r and _number(r["runs"]) > 1 else (0, 0) if math.isnan(half(r)) else (half(r), half(r))
            for v, r in zip(values, rows)]
    return [[max(e[i], 0) for e in ends] for i in (0, 1)] if any(any(e) for e in ends) else None


def _baseline(rows):
    """Returns the baseline's name; if there are several, each for the points with its values, their machine."""
    bases = [b for b in _distinct(rows, "baseline") if b]
    return "" if not bases else bases[0] if len(bases) == 1 else bases[0].split(":")[0] + " of the same values"


def _over(rows, of=""):
    """Returns the label of the vertical axis."""
    return "\n".join(textwrap.wrap(f"{of}speed-up over " + _baseline(rows).replace(":", ": ").replace(",", ", "), 34)).replace(": ", ":").replace(", ", ",")


def _begin(values):
    """Returns where bars of these speed-ups begin: at 0, or at 1 of a logarithmic axis."""
    if SCALE not in ("auto", "linear", "log"):
        sys.exit(f'SCALE = "{SCALE}": is auto, linear or log')
    some = [v for v in values if v > 0]
    return int(SCALE == "log" or SCALE == "auto" and max(some, default=1) > SPREAD * min(some, default=1))


def _scale(axes, begin):
    """Sets the vertical axis of speed-ups that are drawn: setting a limit ends autoscaling."""
    import matplotlib.ticker
    if begin == 0:
        axes.set_ylim(bottom=0)
        return
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))


def bars(axes, rows):
    """Draws grouped bars: a group for each workload and the geometric mean, a bar for each point but the baseline."""
    rows = [r for r in rows if r["point"] != r["baseline"]]
    points, groups = _distinct(rows, "point"), _distinct(rows, "workload")
    groups = [g for g in groups if g != MEAN] + [g for g in groups if g == MEAN]
    at, names, width = {(r["workload"], r["point"]): r for r in rows}, _short(rows), 0.84 / len(points)
    begin = _begin([_number(r["speedup"]) for r in rows])
    for n, point in enumerate(points):
        of = [at.get((g, point)) for g in groups]
        values = [_number(r["speedup"]) if r else math.nan for r in of]
        where = [i - 0.42 + (n + 0.5) * width for i in range(len(groups))]
        axes.bar(where, [v - begin for v in values], width, bottom=begin, label=names[point], yerr=_errors(values, of), error_kw={"elinewidth": 0.8, "capsize": min(2, 12 * width)}, **_told_apart(n))
        for x, value in zip(where, values):
            if math.isnan(value):
                axes.annotate("no result", (x, begin), (0, 2), textcoords="offset points", rotation=90, ha="center", va="bottom", fontsize=6)
    axes.axhline(1, color="#1a1a1a", linewidth=0.8)
    axes.set_xticks(range(len(groups)), groups, rotation=30 if len(groups) > 8 else 0, ha="right" if len(groups) > 8 else "center")
    _scale(axes, begin)
    axes.set_ylabel(_over(rows))
    return max(5, min(14, 1.5 + 0.16 * len(groups) * len(points) + 0.35 * len(groups)))


def lines(axes, rows, over):
    """Draws lines along the values of `over`: for one machine with fixed other axes, of each workload and the mean; else of means only."""
    apart = [c for c in rows[0] if c not in ("workload", "point", "baseline", "speedup", "low", "high", "runs", "half_width", "status", "cost", "cost_ratio", over)]
    rest = lambda r: ", ".join((c if c == "machine" else f"{c}=") * (c != "machine") + str(r[c]) for c in apart if len(_distinct(rows, c)) > 1)
    values = sorted((v for v in _distinct(rows, over) if v), key=lambda v: (math.isnan(_number(v)), _number(v) if not math.isnan(_number(v)) else 0))
    one = len({rest(r) for r in rows}) == 1
    series = {}
    for r in rows:
        if one or r["workload"] == MEAN:
            series.setdefault(r["workload"] if one else rest(r), {})[str(r[over])] = r
    for n, (name, line) in enumerate(series.items()):
        of = [line.get(v) for v in values]
        y = [_number(r["speedup"]) if r else math.nan for r in of]
        mean = one and name == MEAN
        axes.errorbar(range(len(values)), y, yerr=_errors(y, of), label=name, marker=MARKERS[n % len(MARKERS)], markersize=4, capsize=2,
                      linewidth=2 if mean else 1, color="#1a1a1a" if mean else COLOURS[n % len(COLOURS)], linestyle=["-", "--", ":"][n // len(COLOURS) % 3])
    axes.axhline(1, color="#1a1a1a", linewidth=0.8)
    step = math.ceil(len(values) / 16)
    axes.set_xticks(range(0, len(values), step), values[::step])
    axes.set_xlabel(over)
    _scale(axes, _begin([_number(r["speedup"]) for line in series.values() for r in line.values()]))
    axes.set_ylabel(_over(rows, "" if one else "geometric mean of the "))
    return 6


def stack(axes, rows):
    """Draws a bar for each workload and point, with the causes of a translation's cycles stacked."""
    places = list(dict.fromkeys((r["workload"], r["point"]) for r in rows))
    causes = [c for c in _distinct(rows, "cause") if c and c != "nan" and any(_number(r["cycles"]) > 0 for r in rows if r["cause"] == c)]
    at, names = {(r["workload"], r["point"], r["cause"]): _number(r["cycles"]) for r in rows}, _short(rows)
    where, ticks, x = [], [], 0.0
    for workload, group in itertools.groupby(places, key=lambda p: p[0]):
        some = list(group)
        ticks.append((x + (len(some) - 1) / 2, workload))
        where += [x + i for i in range(len(some))]
        x += len(some) + 0.8
    below = [0.0] * len(places)
    for n, cause in enumerate(causes):
        heights = [at.get((*p, cause), 0.0) for p in places]
        axes.bar(where, heights, 0.85, bottom=below, label=cause, **_told_apart(n))
        below = [b + h for b, h in zip(below, heights)]
    for x, height in zip(where, below):
        if height == 0:
            axes.annotate("no account", (x, 0), (0, 2), textcoords="offset points", rotation=90, ha="center", va="bottom", fontsize=6)
    axes.set_xticks(where, [names[p] for _, p in places], rotation=90, fontsize=7)
    for middle, workload in ticks:
        axes.annotate(workload, (middle, 1.02), xycoords=("data", "axes fraction"), ha="center", fontweight="bold")
    axes.set_ylabel("cycles per translation")
    return max(5, min(14, 2 + 0.3 * len(places)))


@contextlib.contextmanager
def _new_figure(size, style=(), layout=None):
    """A matplotlib Figure to be drawn in our style, whatever the user's is."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, "backend": matplotlib.rcParams["backend"], **STYLE, **dict(style)}):
        figure = Figure(figsize=size, layout=layout)
        FigureCanvasAgg(figure)
        yield figure


def draw(rows, kind="bars", over="", notes=()):
    """Returns a matplotlib Figure. `rows`: dicts with the columns of walkway results --baseline --csv; `over`: the parameter of lines."""
    with _new_figure((6, 3.2)) as figure:
        axes = figure.add_subplot()
        width = {"bars": bars, "lines": lambda a, r: lines(a, r, over), "stack": stack}[kind](axes, rows)
        figure.set_size_inches(width, 3.2)
        handles, names = axes.get_legend_handles_labels()
        if len(names) > 1:
            axes.legend(handles[::-1] if kind == "stack" else handles, names[::-1] if kind == "stack" else names, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        if notes:
            axes.set_title("\n".join(textwrap.fill(n, int(20 * width)) for n in notes), loc="left", fontsize=6, pad=16)
    return figure


def _median(value):
    """Returns a report's number, or the median of its spread."""
    return _number(value["median"] if isinstance(value, dict) else value)


def _cut(text, most):
    return text if len(text) <= most else text[:most - 3] + "..."


def report(report):
    """Returns a matplotlib Figure of a study's report (reproduce.json), with its limits above: a panel for each figure. A bar is a mean
    (for ratios the geometric one, from 1, on a logarithmic axis), its line the range over perturbations or sampled runs' half width, and a
    mark is a program."""
    import matplotlib.ticker
    panels = [f for f in report["figures"] if f["bars"]]
    heights = [0.75 + 0.2 * len(f["bars"]) for f in panels]
    with _new_figure((8, sum(heights) + 0.4), {"axes.grid.axis": "x"}, layout="constrained") as figure:
        figure.suptitle("\n".join([report["title"], *(textwrap.fill(n, 110) for n in report["limits"])]), fontsize=10)
        for axes, of in zip(figure.subplots(len(panels), height_ratios=heights, squeeze=False)[:, 0], panels):
            ratios = all("geometric_mean" in bar for bar in of["bars"])
            names = [_cut(bar["name"], 44) for bar in of["bars"]]
            for y, bar in enumerate(of["bars"]):
                which = "geometric_mean" if "geometric_mean" in bar else "arithmetic_mean"
                mean, half = bar[which], bar.get("half_widths", {}).get(which)
                low, high = (_number(mean["low"]), _number(mean["high"])) if isinstance(mean, dict) else (_median(mean), _median(mean))
                ends = [[max(_median(mean) - low, half or 0)], [max(high - _median(mean), half or 0)]] if half or isinstance(mean, dict) else None
                axes.barh(y, _median(mean) - ratios, 0.6, left=int(ratios), xerr=ends, color=COLOURS[0], error_kw={"elinewidth": 0.8, "capsize": 2})
                values = [_median(v) for v in bar["values"].values()]
                axes.plot(values, [y] * len(values), "s", color=COLOURS[1], markersize=3)
                if math.isnan(_median(mean)):
                    axes.annotate("no mean", (0, y), xycoords=("axes fraction", "data"), fontsize=6, va="center")
            if ratios and any(_median(v) > 0 for bar in of["bars"] for v in bar["values"].values()):
                axes.set_xscale("log", base=2)
                axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
            axes.set_yticks(range(len(names)), names)
            axes.invert_yaxis()
            axes.set_title(_cut(of["id"] + ": " + of["title"], 110), loc="left")
    return figure


PANELS = (("hit rates", ("_hit_rate",)), ("there at a step's end", ("_in_flight", "_buffer", "_backlog", "_busy")),
          ("of a step", ("translations", "_walks_finished", "_pte_reads", "dram_reads", "dram_writes")),
          ("mean latency, cycles (of memory: its own)", ("_latency_mean",)))


def series(rows, title="", notes=()):
    """Returns a matplotlib Figure of a run over time: rows are dicts with the columns of walkway run --series. It omits columns of zeros."""
    shown = [(name, [c for c in rows[0] if c.endswith(ends) and any(_number(r[c]) > 0 for r in rows)]) for name, ends in PANELS]
    shown = [(name, columns) for name, columns in shown if columns] or [("nothing was counted", [])]
    edges = [_number(r["from_cycle"]) for r in rows] + [_number(rows[-1]["to_cycle"])]
    with _new_figure((9, 0.6 + 1.8 * len(shown)), layout="constrained") as figure:
        figure.suptitle("\n".join([title, *notes]), fontsize=10)
        for axes, (name, columns) in zip(figure.subplots(len(shown), sharex=True, squeeze=False)[:, 0], shown):
            for n, column in enumerate(columns):
                values = [_number(r[column]) for r in rows]
                axes.step(edges, values + values[-1:], where="post", label=column, linewidth=1, color=COLOURS[n % len(COLOURS)],
                          linestyle=["-", "--", ":"][n // len(COLOURS) % 3])
            axes.set_title(name, loc="left", fontsize=9)
            axes.set_ylim(bottom=0)
            if columns:
                axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=7)
            axes.set_xlabel("GPU cycles" if name == shown[-1][0] else "")
    return figure


def _printable(text):
    """Returns text for a picture: SVG has no control characters, and $ would begin a formula."""
    text = "".join(c if c.isprintable() else "?" for c in text).replace("$", r"\$")
    return "\u200b" + text if text.startswith("_") else text # matplotlib leaves such names out of legends


def _group(n):
    """Returns the ends of the group of small numbers that n is in: 1, 2, 3 to 4, 5 to 8, ..."""
    high = 1 << (n - 1).bit_length() if n > 0 else 0
    return high // 2 + 1 if high > 1 else high, high


def _instructions(axes, whole):
    """Draws how many pages, neighbourhoods and lanes an instruction has."""
    parts = {name: {r[name]: r["instructions"] for r in whole[name]["histogram"]} for name in ("pages", "neighbourhoods", "lanes")}
    groups = [_group(1 << b) for b in range(max(_group(n)[1] for part in parts.values() for n in part).bit_length())]
    for s, (name, part) in enumerate(parts.items()):
        total = sum(part.values())
        heights = [100 * sum(n for at, n in part.items() if low <= at <= high) / total for low, high in groups]
        axes.bar([g + 0.28 * (s - 1) for g in range(len(groups))], heights, 0.26, color=COLOURS[s], label=f"{name} (mean {whole[name]['mean']:.1f})")
    axes.set_xticks(range(len(groups)), [str(high) if low == high else f"{low}-{high}" for low, high in groups])
    axes.set_xlabel("of one instruction")
    axes.set_ylabel("% of instructions")


def _reuse(axes, info, most=4):
    """Draws reuse distances as bars, and the misses of fully associative LRU TLBs as lines, of the whole trace and its busiest kernels."""
    whole, kernels = info["whole"], sorted(info["kernels"], key=lambda k: -k["page_accesses"])
    sizes = max([r["from"] for r in whole["reuse_distance"]] + [16]).bit_length() + 1
    for r in whole["reuse_distance"]:
        axes.bar(r["from"].bit_length() - 0.5, 100 * r["page_accesses"] / whole["page_accesses"], 0.95, color=COLOURS[0], alpha=0.18)
    for n, (name, part) in enumerate([("all", whole), *((k["kernel"], k) for k in kernels[:most] if len(kernels) > 1 and k["page_accesses"])]):
        missed = [part["cold"] + sum(r["page_accesses"] for r in part["reuse_distance"] if r["from"] >= 1 << b) for b in range(sizes)]
        axes.plot(range(sizes), [100 * m / part["page_accesses"] for m in missed], color=COLOURS[n], label=_cut(_printable(name), 24))
    axes.set_xticks(range(0, sizes, 2), [f"{1 << b:,}" for b in range(0, sizes, 2)], rotation=30)
    axes.set_xlabel("entries; distances (bars)")
    axes.set_ylabel("% of page accesses")


def _working_set(axes, info, most=8):
    """Draws the pages in each window of accesses, and where another kernel begins."""
    import matplotlib.ticker
    work, ends = info["pages"]["working_set"], info["pages"]["whole"]["page_accesses"]
    edges = [min(ends, i * work["window_page_accesses"]) for i in range(len(work["windows"]) + 1)]
    for name, what, colour in (("distinct", f"distinct in {work['window_page_accesses']:,} accesses", 0), ("new", "of these new", 1)):
        values = [w[name] for w in work["windows"]]
        axes.fill_between(edges, values + values[-1:], step="post", color=COLOURS[colour], alpha=0.18 if colour == 0 else 1, label=what)
    starts = work["launch_starts"]
    runs = [(at, launch["kernel"]) for at, end, launch in zip(starts, starts[1:] + [ends], info["launches"]) if end > at]
    changes = [r for i, r in enumerate(runs) if i == 0 or r[1] != runs[i - 1][1]]
    for at, name in changes if len(changes) <= most else []:
        axes.axvline(at, color="#8c959f", linewidth=0.8, linestyle="--")
        axes.annotate(_cut(_printable(name), 18), (at, 1), (2, -6), xycoords=("data", "axes fraction"), textcoords="offset points", fontsize=6)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6))
    axes.xaxis.set_major_formatter(matplotlib.ticker.EngFormatter())
    axes.set_xlabel("page accesses so far")
    axes.set_ylabel("pages in a window")


def _buffers(axes, info, most=7):
    """Draws how much of each buffer is touched, and its share of the accesses."""
    whole = info["pages"]["whole"]
    shown, total = sorted(whole["buffers"], key=lambda b: -b["page_accesses"])[:most], sum(b["page_accesses"] for b in whole["buffers"])
    for n, (label, share) in enumerate((("touched, of its 4 KiB pages", lambda b: b["share"]), ("its share of all page accesses", lambda b: b["page_accesses"] / total))):
        axes.barh([y + 0.2 * (2 * n - 1) for y in range(len(shown))], [100 * (share(b) or 0) for b in shown], 0.36, color=COLOURS[2 * n], label=label)
    axes.set_yticks(range(len(shown)), [f"buffer {b['buffer']}\n{info['buffers'][b['buffer']]['bytes']:,} B" for b in shown])
    axes.invert_yaxis()
    more = len(whole["buffers"]) - len(shown)
    axes.set_xlabel("%" + (f" (and {more} more, with fewer page accesses)" if more else ""))


def pages(info, title="", notes=()):
    """Returns a matplotlib Figure of a trace's pages: info is the JSON of walkway trace info --pages."""
    panels = (("What a wave instruction touches", lambda a: _instructions(a, info["pages"]["whole"])),
              ("Reuse distance, and misses of an LRU TLB", lambda a: _reuse(a, info["pages"])),
              ("Working set over time", lambda a: _working_set(a, info)), ("Buffers", lambda a: _buffers(a, info)))
    with _new_figure((10, 7.2), layout="constrained") as figure:
        figure.suptitle("\n".join(_printable(n) for n in (title, *notes)), fontsize=10)
        if info["pages"]["whole"]["page_accesses"] == 0:
            figure.text(0.5, 0.5, "no access of global memory", ha="center")
            return figure
        for axes, (name, panel) in zip(figure.subplots(2, 2).flat, panels):
            panel(axes)
            axes.set_title(name, loc="left", fontsize=10, pad=30)
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize=7)
    return figure


def save(figure, file):
    """Saves as .svg, .pdf or .png, by the file's name. Equal figures give equal bytes; the file is whole or absent."""
    import matplotlib
    file = pathlib.Path(file)
    kind = file.suffix[1:].lower()
    with matplotlib.rc_context(STYLE):
        part = file.with_name(file.name + ".part")
        try:
            figure.savefig(part, format=kind, bbox_inches="tight", **({"dpi": 200} if kind == "png" else {}), metadata={"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {}))
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)


def main_series(table, file):
    """Draws `file` from a table of a run, for walkway run --series-figure."""
    with open(table, newline="", encoding="utf-8") as data:
        lines = data.readlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    if not rows:
        sys.exit(f"{table}: has no steps")
    save(series(rows, pathlib.Path(table).name, [line[2:].strip() for line in lines if line.startswith("#")]), file)


def main_pages(info, file):
    """Draws `file` from the analysis of a trace, for walkway trace info --svg."""
    with open(info, encoding="utf-8") as data:
        info = json.load(data)
    save(pages(info, info.get("title", info["file"]), info.get("notes", ())), file)


COMMANDS = {"series": main_series, "pages": main_pages} # of walkway, which runs this file where it is installed


def main(words):
    here, command = pathlib.Path(__file__), COMMANDS.get(words[0]) if words else None
    try:
        import matplotlib # noqa: F401
    except ImportError as error:
        again = "the command again" if command else f"/usr/bin/python3 {sys.argv[0]}"
        sys.exit(f"matplotlib is not there ({error}): apt-get install python3-matplotlib, and then: {again}")
    if command:
        command(*words[1:])
        return
    with open(here.with_suffix(".json" if KIND == "report" else ".csv"), newline="", encoding="utf-8") as data:
        figure = report(json.load(data)) if KIND == "report" else draw(list(csv.DictReader(data)), KIND, OVER, NOTES)
    for file in words or [here.with_suffix(FORMAT)]:
        save(figure, file)


if __name__ == "__main__":
    main(sys.argv[1:])
