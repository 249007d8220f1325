# SPDX-License-Identifier: MIT
"""Makes the report of a study: its figures from results, as JSON, text and Markdown. `walkway reproduce` runs this file with the
folder of its results, in which study.json lists the runs, and the study's figures.py; users can run it again by hand.

The report has both means, as papers seldom say which one they print.
"""
import contextlib
import functools
import importlib.util
import json
import os
import pathlib
import re
import sys
import textwrap
import traceback

if __name__ == "__main__":
    sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]
from walkway import study # noqa: E402

PARTS = ("bars", "beside")


@contextlib.contextmanager
def _named(file):
    """Reports an error with its line in the study's file."""
    try:
        yield
    except FileNotFoundError:
        sys.exit(f"{file}: is not there: it makes the figures")
    except Exception as error: # a user's file may raise any
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if pathlib.Path(f.filename).resolve() == file.resolve()]
        where = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        what = error.msg if isinstance(error, SyntaxError) else str(error).strip("'\"") if isinstance(error, KeyError) else error
        sys.exit(f"{file}{f':{where}' if where else ''}: {type(error).__name__}: {what}")


def _figures_of(file):
    file = pathlib.Path(file)
    sys.path.insert(1, str(file.parent)) # it may import files beside it
    with _named(file):
        spec = importlib.util.spec_from_file_location("figures", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.FIGURES


def check(file, *wanted):
    """Checks that FIGURES has the wanted figures, before runs that may take hours."""
    figures = _figures_of(file)
    absent = [identity for identity in wanted if identity not in figures]
    if absent:
        sys.exit(f"{file}: no figure {', '.join(absent)} in FIGURES, which study.cfg has; there are {', '.join(figures)}")
    return figures


def of_a_paper(order):
    """True if the study's text begins with the paper's venue: "MICRO'18, ..."."""
    return re.match(r"[A-Z]+'\d\d, ", order["paper"]) is not None


def notes_of(order):
    """Returns the limits of the numbers, which all reports show: missing runs, programs, windows, samples."""
    n, left_out, windows = len(order["programs"]), order["programs_left_out"], len(order["windows"])
    notes = []
    if order["missing"]:
        notes.append(f"PARTIAL: {order['missing']} of {len(order['runs'])} runs are missing.")
    if left_out:
        notes.append(f"PARTIAL: {n} of the study's {n + left_out} programs; means are of those.")
    if windows:
        notes.append(f"PARTIAL: a window of {windows} program{'s, as their lines say' if windows > 1 else ', as its line says'}; docs/use/windows.md.")
    if order["sampled"]:
        notes.append("SAMPLED: runs by windows of their programs (docs/use/sampling.md), but those named here; +- is half of a speed-up's 95 % "
                     "interval; that of a run's cycles is in results.db.")
    return notes + order["sample_notes"] + order["notes"]


def _on(order):
    """Returns " on MACHINE" if all figures show the machine under study."""
    return f" on {order['platform']}" if order["platform_of_all"] else ""


def samples_of(order, of, make, runs):
    """Makes the figure of a study once for each perturbation."""
    by_repetition = [{} for _ in range(len(order["perturbations"]) + 1)]
    for run in order["runs"]:
        if run["key"] in runs:
            by_repetition[run["repetition"]][run["program"], run["machine"]] = runs[run["key"]]
    return study.Samples(make, by_repetition, of["programs"], order["groups"], of["machines"])


@functools.cache # every form of the report has them
def _spreads(samples, part, index):
    """Returns the spreads of a bar: of each program's value, and of its means."""
    bar = lambda figure: getattr(figure, part)[index]
    first = bar(samples.figures[0])
    means = {"arithmetic_mean": study.Bar.mean}
    if first.ratio:
        means["geometric_mean"] = study.Bar.geometric
    if samples.figures[0].gains and first.speedup:
        means["gain_mean_percent"] = study.Bar.gains
    return ({code: samples.spread(lambda f, code=code: bar(f).values[code]) for code in first.values},
            {name: samples.spread(lambda f, mean=mean: mean(bar(f))) for name, mean in means.items()})


@functools.cache
def _claims(samples):
    return [(text, paper, samples.spread(lambda f, i=i: f.claims[i][2])) for i, (text, paper, _) in enumerate(samples.figures[0].claims)]


def _guards(samples):
    """Yields each band with where our median, or our interval, lies: "in", "OUT", or as a verdict."""
    for i, (text, _, low, high) in enumerate(samples.figures[0].guards):
        ours = samples.spread(lambda f, i=i: f.guards[i][1])
        verdict = study.between("", low, high, 0).verdict(ours)
        yield text, ours, low, high, {"matched": "in", "missed": "OUT"}.get(verdict, verdict)


def figure_json(of, samples, judged):
    n = len(samples.figures)
    made = {"id": of["id"], "title": samples.figures[0].title}
    for part in PARTS:
        made[part] = []
        for i, bar in enumerate(getattr(samples.figures[0], part)):
            values, means = _spreads(samples, part, i)
            made[part].append({"name": bar.name, "values": {code: s.json(n) for code, s in values.items()}, **{m: s.json(n) for m, s in means.items()}})
            half_widths = {name: s.half_width for name, s in (values | means).items() if s.half_width}
            made[part][-1].update({"half_widths": half_widths} if half_widths else {})
    made["claims"] = [{"text": text, "paper": paper.text, "ours": ours.json(n), **({"half_width": ours.half_width} if ours.half_width else {}),
                       **({"rule": paper.rule(), "verdict": paper.verdict(ours)} if judged else {})} for text, paper, ours in _claims(samples)]
    if judged:
        made["guard_bands"] = [{"text": text, "ours": ours.json(n), "low": low, "high": high if high < float("inf") else None, "in_band": place == "in"}
                               for text, ours, low, high, place in _guards(samples)]
    return made


def _title(identity):
    """Returns the heading of "table-2", "9" or "III"."""
    if identity[0].islower():
        return identity[0].upper() + identity[1:].replace("-", " ")
    return ("Figure " if identity[0].isdigit() else "Table ") + identity


class _Text:
    """A report's text: plain, with tables that fit the line, or Markdown."""
    WIDTH = 100

    def __init__(self, markdown, order):
        self.markdown, self.stated, self.lines = markdown, order["stated_by"] or "stated", []

    def say(self, text, wrap=True):
        self.lines += [textwrap.fill(text, self.WIDTH) if wrap else text, ""]

    def table(self, rows, left=False):
        """The first row is the head."""
        if self.markdown:
            head, *others = rows
            lines = [head, ["---" if left or i == 0 else "---:" for i in range(len(head))], *others]
            self.lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines] + [""]
            return
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.ljust(w) if left or i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))).rstrip() for row in rows]
        if any(rows[0]):
            lines[1:1] = ["-" * (sum(widths) + 2 * len(widths) - 2)]
        self.lines += lines[0 if any(rows[0]) else 1:] + [""]

    def columns(self, first, others):
        """Makes tables of the first column and as many others as fit the line."""
        while others:
            used, n = max(map(len, first)), 0
            while n < len(others) and (n == 0 or self.markdown or used + 2 + max(map(len, others[n])) <= self.WIDTH):
                used += 2 + max(map(len, others[n]))
                n += 1
            self.table([list(row) for row in zip(first, *others[:n])])
            others = others[n:]

    def bars(self, samples, part, decimals):
        bars = getattr(samples.figures[0], part)
        if not bars:
            return
        spreads = [_spreads(samples, part, i) for i in range(len(bars))]
        titles = [t for t in ("arithmetic_mean", "geometric_mean", "gain_mean_percent") if any(t in means for _, means in spreads)]
        names = {"arithmetic_mean": "mean", "geometric_mean": "geometric mean", "gain_mean_percent": "gains, %, geometric"}
        first = ["", *bars[0].values, *(names[t] for t in titles)]
        columns = [[bar.name, *(s.text(decimals) for s in values.values()),
                    *(means[t].text(1 if t == "gain_mean_percent" else decimals) if t in means else "" for t in titles)] for bar, (values, means) in zip(bars, spreads)]
        if samples.figures[0].rows:
            rows = list(zip(first, *columns))
            first, columns = list(rows[0]), [list(row) for row in rows[1:]]
        self.columns(first, columns)

    def figure(self, of, samples, judged):
        f = samples.figures[0]
        self.say(("## " if self.markdown else "") + _title(of["id"]) + ": " + f.title, wrap=False)
        self.bars(samples, "bars", f.decimals)
        if f.beside:
            self.say("Beside it: " + f.beside_title, wrap=False)
        self.bars(samples, "beside", 2)
        claims = [[text, paper.text, ours.text(f.decimals), *([paper.verdict(ours), paper.rule()] if judged else [])] for text, paper, ours in _claims(samples)]
        if claims:
            self.table([["", self.stated, "ours", *(["", "matched when"] if judged else [])], *claims])
        if judged and f.guards: # statements and bands are valid only at the paper's sizes
            self.table([["guard bands, ours", "ours", "band", ""], *(
                [text, ours.text(f.decimals), f"over {low:,.2f}" if high == float("inf") else f"{low:,.2f} to {high:,.2f}",
                 place] for text, ours, low, high, place in _guards(samples))])

    def head(self, order, figures):
        self.say(("# " if self.markdown else "") + order["paper"] + (", reproduced" if order["stated_by"] else "") +
                 _on(order) + f" at --scale {order['scale']}", wrap=False)
        for change in order["changes"]:
            self.say("Changed: " + change, wrap=False)
        for note in notes_of(order):
            self.say(note)
        programs, most = order["programs"], order["most_listed"]
        self.table([["", "program and size"], *([p["code"], p["command"] + "".join(" beside " + b for b in p["beside"]) + (
            "; " + order["windows"][p["code"]] if p["code"] in order["windows"] else "")] for p in programs[:most]),
            *([["...", f"and {len(programs) - most} more; reproduce.json has them all"]] if len(programs) > most else [])], left=True)
        text = f"{len(order['runs'])} runs" + (f", {order['missing']} WITHOUT RESULT" if order["missing"] else "") + ". Speed-ups are ratios of time."
        if order["perturbations"]:
            text += (f" Each number is a median (low ... high) over the machine as it is and {len(order['perturbations'])} perturbations, "
                     "alike on all machines.")
        if order["judged"]:
            said = f"{order['stated_by']} states" if order["stated_by"] else "is stated"
            text += (f" matched: the median satisfies the rule, or what {said} lies in the range."
                     + (" Guard bands are no evidence: they come from a model of ours before this one, or from the machine's parameters." if any(s.figures[0].guards for s in figures) else ""))
            if any(paper.is_soft for samples in figures for _, paper, _ in samples.figures[0].claims):
                text += " soft: outside the rule and within a third of what is stated (of a saving: of it or of the rest, the smaller), which hangs on what the paper does not give."
            if order["sampled"]:
                text += (" undecided: the interval lies on both sides of a rule's bound. not judged: of what sampled runs count besides "
                         "cycles the error is not known.")
        elif order["judged_scale"]:
            whose = "The paper's" if order["stated_by"] else "Stated"
            text += f" {whose} values are those of whole runs of --scale {' or '.join(order['judged_scale'].split())}."
        self.say(text)
        for k, change in enumerate(order["perturbations"], 1):
            self.lines.append(("- " if self.markdown else "") + f"perturbation {k}: {change}")
        if order["perturbations"]:
            self.lines.append("")


def _write(file, text):
    """Writes a whole file, or none."""
    part = file.with_name(file.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def main(folder, figures_file):
    folder = pathlib.Path(folder)
    order = json.loads((folder / "study.json").read_text(encoding="utf-8"))
    figures = check(figures_file, *(f["id"] for f in order["figures"]))
    results = folder / "results.db"
    runs = study.runs_in(results, (run["key"] for run in order["runs"])) if results.exists() else {}
    order["missing"] = sum(run["key"] not in runs for run in order["runs"])
    with _named(pathlib.Path(figures_file)):
        made = [samples_of(order, f, figures[f["id"]], runs) for f in order["figures"]]
    order["notes"] = study.Run.mistyped()
    order["stated_by"] = "the paper" if of_a_paper(order) else ""
    report = {"title": f"{order['study']}{_on(order)}, scale {order['scale']}", **order, "limits": notes_of(order), "figures": [figure_json(f, samples, order["judged"]) for f, samples in zip(order["figures"], made)]}
    texts = []
    for markdown in (False, True):
        text = _Text(markdown, order)
        text.head(order, made)
        for f, samples in zip(order["figures"], made):
            text.figure(f, samples, order["judged"])
        texts.append("\n".join(text.lines) + "\n")
    _write(folder / "reproduce.json", json.dumps(report, indent=2, ensure_ascii=False) + "\n")
    _write(folder / "reproduce.md", texts[1])
    sys.stdout.write(texts[0])


if __name__ == "__main__":
    (check if sys.argv[1] == "--check" else main)(*sys.argv[1 + (sys.argv[1] == "--check"):])
