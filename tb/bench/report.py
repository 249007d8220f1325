# SPDX-License-Identifier: MIT
"""Tables of a measurement: Markdown for people, the same rows as JSON. Below each table its columns are defined."""
from measure import median, ratio, spread
from plan import UNITS, value

MIB = 1 << 20


def cpu(variant):
    return [s.user + s.system for s in variant.samples]


def loops(variant):
    return [s.loop for s in variant.samples]


def translations(variant):
    return value(variant.found, "coalescer.translations")


def cycles(variant):
    return value(variant.found, "gpu.cycles")


def each(seconds, count):
    """Returns nanoseconds per item, round by round."""
    return [1e9 * s / count for s in seconds]


def text(x):
    if x is None:
        return "-"
    if isinstance(x, tuple):
        return "%.2f (%.2f ... %.2f)" % x
    if isinstance(x, float):
        return "%.1f" % x if x >= 100 else "%.2f" % x
    return "{:,}".format(x) if isinstance(x, int) else str(x)


class Table:
    def __init__(self, section, title, *columns):
        """Each column is (name, definition)."""
        self.section, self.title, self.columns, self.rows = section, title, columns, []

    def row(self, *cells):
        assert len(cells) == len(self.columns)
        self.rows.append(cells)

    def markdown(self):
        lines = ["### " + self.title, "", "| " + " | ".join(c[0] for c in self.columns) + " |",
                 "|---|" + "--:|" * (len(self.columns) - 1)]
        lines += ["| " + " | ".join(text(c) for c in row) + " |" for row in self.rows]
        lines += ["", *["- *%s*: %s." % c for c in self.columns]]
        return "\n".join(lines) + "\n"

    def json(self):
        return {"section": self.section, "title": self.title,
                "columns": [{"name": n, "definition": d} for n, d in self.columns], "rows": self.rows}


TRANSLATIONS = ("translations", "distinct pages of each wave access that the coalescers asked the L1 TLBs for")
CPU = ("CPU s", "user and system time of the whole process, median of the rounds")
SPREAD = ("spread", "largest less smallest CPU s of the rounds, of the median")
NS = ("ns per translation", "CPU s by translations")
RANGE = "median of the rounds' own ratios, in brackets the smallest and the largest"


def spread_text(seconds):
    return "%.0f %%" % (100 * spread(seconds))


def speed(got, programs, first):
    t = Table("speed", "Speed, baseline",
              ("program", "a trace at this scale on apu-micro18 as shipped; `start`: its trace cut to one access a wave, what "
               "starting and ending cost"),
              TRANSLATIONS, ("cycles", "simulated, of the GPU"), ("user s", "user time of the whole process, median"), CPU,
              SPREAD, ("translations/s", "translations by user s"), NS, ("peak MiB", "resident memory at its highest, median"))
    for key in [p + " off" for p in programs] + [first + " start"]:
        v = got[key]
        user = median([s.user for s in v.samples])
        t.row(key.replace(" off", ""), translations(v), cycles(v), user, median(cpu(v)), spread_text(cpu(v)),
              round(translations(v) / user) if user > 0 else 0, median(each(cpu(v), translations(v))),
              median([float(s.peak_bytes) for s in v.samples]) / MIB)
    return [t]


def kernels(got, programs):
    t = Table("kernels", "Yardstick 1: the bare kernels on the same trace",
              ("program", "as above"), ("translations", "the yardstick's own: it has no window in which pages of several "
               "accesses are merged"),
              ("in a row", "accesses of one wave before it is the next wave's turn: of 1, 2, 4 ... 64 the number with which the "
               "yardstick's page walks come nearest the model's"),
              ("kernels, ns", "processor time of the replay by its translations: trace decoding, ww_coalesce, look-ups and "
               "fills of L1, L2 and IOMMU TLBs, page-walk cache, walker with page-table lines, L1D, L2D, commands of the DRAM "
               "channels; answers are there at once, so no queue, MSHR, walk buffer, account or time but DRAM's"),
              ("model, ns", NS[1]), ("model / kernels", "of the two before; " + RANGE))
    counts = Table("kernels", "What yardstick 1 did beside what the model did",
                   ("count", "as in stats.json (coalescer.pages: translations + window_merged); where the order of accesses decides (hits, and what follows) the two differ, and "
                    "what the model merges in an MSHR is a hit in the yardstick"),
                   *[("%s, %s" % (p, who), "count of %s" % text_of) for p in programs
                     for who, text_of in (("kernels", "the yardstick"), ("model", "the model"))])
    for p in programs:
        bare, v = got[p + " kernels"], got[p + " off"]
        own = bare.found["counts"]["l1_tlb.lookups"]
        ours, theirs = each(cpu(v), translations(v)), each(loops(bare), own)
        t.row(p, own, bare.note, median(theirs), median(ours), ratio(ours, theirs))
    for name in got[programs[0] + " kernels"].found["counts"]:
        row = []
        for p in programs:
            found = got[p + " off"].found
            model = (value(found, "coalescer.translations") + value(found, "coalescer.window_merged")
                     if name == "coalescer.pages" else None if name == "dram.cycles" else value(found, name))
            row += [got[p + " kernels"].found["counts"][name], model]
        counts.row(name, *row)
    return [t, counts]


def events(got, programs):
    t = Table("events", "Yardstick 2: SystemC's bare event loop",
              ("program", "as above"), ("activations", "block activations per translation, of the model"),
              ("requests", "BEGIN_REQ calls a translation over all sockets, of the model"),
              ("events, ns", "processor time a translation of as many timed notifications of sc_events and activations of their "
               "SC_METHODs, in as many modules as the model has blocks, and as many pairs of nb_transport_fw and "
               "nb_transport_bw with nothing behind them"),
              ("model, ns", NS[1]), ("model / events", "of the two before; " + RANGE))
    for p in programs:
        bare, v = got[p + " events"], got[p + " off"]
        n = translations(v)
        activations = value(v.found, "model.activations")
        share = [s * activations / bare.found["activations"] for s in loops(bare)]
        theirs, ours = each(share, n), each(cpu(v), n)
        t.row(p, activations / n, value(v.found, "model.requests_sent") / n, median(theirs), median(ours), ratio(ours, theirs))
    return [t]


def flat(got, first):
    t = Table("flat", "Time a translation over length and size, " + first,
              ("run", "`tenth`: of each wave the first tenth of its accesses; the others: the whole trace with gpu.cus so many "
               "(the trace's work-groups may leave some of them idle)"),
              TRANSLATIONS, CPU, SPREAD, NS, ("ratio", "ns per translation by that of 8 units and the whole trace; " + RANGE),
              ("peak MiB", "resident memory, median"))
    base = each(cpu(got[first + " off"]), translations(got[first + " off"]))
    rows = [("8 units", " off"), ("tenth", " tenth")] + [("%d units" % n, " %d units" % n) for n in UNITS]
    for name, key in rows:
        v = got[first + key]
        ns = each(cpu(v), translations(v))
        t.row(name, translations(v), median(cpu(v)), spread_text(cpu(v)), median(ns), ratio(ns, base),
              median([float(s.peak_bytes) for s in v.samples]) / MIB)
    return [t]


def coalescing(got, programs):
    t = Table("coalescing", "What coalescing costs the host",
              ("run", "program and walk_unit.coalesce"), TRANSLATIONS, ("cycles", "simulated, of the GPU"), CPU, SPREAD, NS,
              ("ratio a translation", "ns per translation by that of off; " + RANGE),
              ("ratio a cycle", "CPU s by simulated cycles, by that of off; " + RANGE))
    for p in programs:
        base = got[p + " off"]
        for mode in ("off", "leaf", "full"):
            v = got["%s %s" % (p, mode)]
            t.row("%s %s" % (p, mode), translations(v), cycles(v), median(cpu(v)), spread_text(cpu(v)),
                  median(each(cpu(v), translations(v))),
                  ratio(each(cpu(v), translations(v)), each(cpu(base), translations(base))),
                  ratio(each(cpu(v), cycles(v)), each(cpu(base), cycles(base))))
    return [t]


def observation(got, first, without):
    t = Table("observation", "What observation costs, " + first,
              ("run", "`no dump`: the trace cut until a dump of all of it is small; the others: the same with --vcd. `armed`: its "
               "window never opens; `a tenth of the time`: a window of a tenth of the cycles from 40 % on; `all blocks`, "
               "`walk_unit`: from beginning to end, written to the disk"),
              TRANSLATIONS, CPU, SPREAD, ("ratio", "CPU s by that of no dump; " + RANGE))
    base = got[first + " short"]
    for name, key in (("no dump", " short"), ("armed", " armed"), ("a tenth of the time", " window"), ("walk_unit", " walk unit dumped"),
                      ("all blocks", " dumped")):
        v = got[first + key]
        t.row(name, translations(v), median(cpu(v)), spread_text(cpu(v)), ratio(cpu(v), cpu(base)))
    if not without:
        return [t]
    off = Table("observation", "What is always on costs, " + first,
                ("build", "the `whole` program, or one thing compiled out, all built alike: `checks`: WW_ASSERT of the kernels; `account`: the segments of "
                 "each translation's time; `histograms`: all of them"),
                TRANSLATIONS, CPU, SPREAD, ("whole / this", "CPU s of the whole by that of this build: what the thing costs; "
                 + RANGE))
    base = got[first + " without nothing"]
    for name in ["nothing"] + without:
        v = got["%s without %s" % (first, name)]
        off.row("whole" if name == "nothing" else "without " + name, translations(v), median(cpu(v)), spread_text(cpu(v)), ratio(cpu(base), cpu(v)))
    return [t, off]


def tables(got, options):
    programs, first = options.programs, options.programs[0]
    made = {
        "speed": lambda: speed(got, programs, first),
        "kernels": lambda: kernels(got, programs),
        "events": lambda: events(got, programs),
        "flat": lambda: flat(got, first),
        "coalescing": lambda: coalescing(got, programs),
        "observation": lambda: observation(got, first, options.without),
    }
    return [t for section in options.only for t in made[section]()]
