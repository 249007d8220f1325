# SPDX-License-Identifier: MIT
"""Plans the measurements: programs, sizes, variants."""
import hashlib
import json
import pathlib

from measure import BenchError, Variant, once

SIZES = {  # those of `walkway reproduce micro18`, whose demo has long rows, too
    "demo": {"atax": ["1024"], "bicg": ["1024", "1024"], "mvt": ["1024"], "gesummv": ["1024"]},
    "quarter": {"atax": ["2048"], "bicg": ["4096", "2048"], "mvt": ["2048"], "gesummv": ["2048"]},
    "full": {"atax": ["4096"], "bicg": ["8192", "4096"], "mvt": ["4096"], "gesummv": ["4096"]},
}
SECTIONS = ("speed", "kernels", "events", "flat", "coalescing", "observation")
UNITS = (16, 32, 64)
IN_A_ROW = (1, 2, 4, 8, 16, 32, 64)
OBSERVED = 300000  # approximate translations of the run that is dumped as a whole
EVENTS = 4000000  # maximum activations of the bare event loop, whose rate does not depend on their number
WITHOUT = ("checks", "account", "histograms")  # each is a program of tb/bench/CMakeLists.txt


def value(found, name):
    return found["stats"]["statistics"][name]["value"]


class Plan:
    def __init__(self, options, build, work):
        self.walkway = build / "walkway"
        self.tools = build / "bench"
        self.workloads = build / "workloads"
        self.work = work
        self.options = options
        self.traces = {program: self.trace(program) for program in options.programs}
        self.first = options.programs[0]
        self.tenth = work / "cut" / (self.first + "-tenth.wkt")
        self.start = work / "cut" / (self.first + "-start.wkt")
        self.short = work / "cut" / (self.first + "-short.wkt")

    def trace(self, program):
        words = SIZES[self.options.scale][program]
        name = "-".join([program] + words)
        if self.options.traces:
            folder = pathlib.Path(self.options.traces)
            for pattern in (name + ".wkt", name + "-*.wkt", program + "*.wkt"):
                found = sorted(folder.glob(pattern))
                if len(found) == 1:
                    return found[0]
                if found:
                    raise BenchError("%s has several traces %s" % (folder, pattern))
            raise BenchError("%s has no trace %s*.wkt" % (folder, program))
        executable = self.workloads / program
        if not executable.exists():
            raise BenchError("%s is not built: give traces with --traces" % executable)
        key = hashlib.sha256(executable.read_bytes()).hexdigest()[:8]
        path = self.work / "traces" / ("%s-%s.wkt" % (name, key))
        if not path.exists():  # a rename makes it appear whole
            path.parent.mkdir(parents=True, exist_ok=True)
            once([self.walkway, "capture", "-q", "-o", path, "--", executable] + words)
        return path

    def shorten(self, divisor, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        once([self.tools / "bench_shorten", self.traces[self.first], divisor, path])

    def model(self, key, trace, changes=(), more=(), **rest):
        folder = self.work / "runs" / key.replace(" ", "-")
        program = rest.pop("program", self.walkway)
        words = [program, "run", "-q", "-o", folder]
        for change in changes:
            words += ["--set", change]
        return Variant(key, "model", lambda done: words + list(more) + [trace], folder=folder, **rest)

    def kernels(self, program, trace):
        """Chooses the order whose number of walks is closest to the model's. More accesses in a row cause fewer walks."""
        walks = self.probe(trace, "iommu_tlb.tlb_misses")
        best = None
        for row in IN_A_ROW:
            words = [self.tools / "bench_kernels", trace, 8, row]
            own = json.loads(once(words)[0])["counts"]["iommu_tlb.tlb_misses"]
            if best is None or abs(own - walks) < best[0]:
                best = (abs(own - walks), row, words)
            if own < walks:
                break
        return Variant(program + " kernels", "kernels", lambda done: best[2], note=best[1])

    def events(self, program):
        def command(done):
            base = done[program + " off"]
            activations, requests = value(base, "model.activations"), value(base, "model.requests_sent")
            run = max(64, min(activations, EVENTS))
            blocks = 5 + 4 * base["stats"]["configuration"]["gpu.cus"]
            return [self.tools / "bench_events", blocks, run, requests * run // activations]
        return Variant(program + " events", "events", command)

    def variants(self):
        only, first = self.options.only, self.first
        plan = []
        for program, trace in self.traces.items():
            plan.append(self.model(program + " off", trace))
            if "kernels" in only:
                plan.append(self.kernels(program, trace))
            if "coalescing" in only:
                for mode in ("leaf", "full"):
                    plan.append(self.model("%s %s" % (program, mode), trace, ["walk_unit.coalesce=" + mode]))
        if "speed" in only:
            self.shorten(1 << 30, self.start)
            plan.append(self.model(first + " start", self.start))
        if "flat" in only:
            self.shorten(10, self.tenth)
            plan.append(self.model(first + " tenth", self.tenth))
            for units in UNITS:
                plan.append(self.model("%s %d units" % (first, units), self.traces[first], ["gpu.cus=%d" % units]))
        if "observation" in only:
            plan += self.observation()
        for name in self.options.without and ["nothing"] + self.options.without:
            plan.append(self.model("%s without %s" % (first, name), self.traces[first],
                                   program=self.tools / ("bench_without_" + name),
                                   codes=(0, 3) if name == "account" else (0,)))  # without the account a law fails
        return plan

    def event_variants(self):
        return [self.events(program) for program in self.traces] if "events" in self.options.only else []

    def probe(self, trace, name):
        folder = self.work / "runs" / "probe"
        once([self.walkway, "run", "-q", "-o", folder, trace])
        return value({"stats": json.loads((folder / "stats.json").read_text())}, name)

    def observation(self):
        """The dumped run is short enough for a dump of all of it."""
        first = self.first
        self.shorten(10, self.tenth)
        self.shorten(10 * max(1, round(self.probe(self.tenth, "coalescer.translations") / OBSERVED)), self.short)
        cycles = self.probe(self.short, "gpu.cycles")
        vcd = self.work / "dump.vcd"
        dump = ["--vcd", vcd]
        return [
            self.model(first + " short", self.short),
            self.model(first + " armed", self.short, more=dump + ["--vcd-from", "1000s"], codes=(0, 4), junk=(vcd,)),
            self.model(first + " window", self.short,
                       more=dump + ["--vcd-from", "%dcycles" % (cycles * 4 // 10), "--vcd-for",
                                    "%dcycles" % max(1, cycles // 10)], junk=(vcd,)),
            self.model(first + " walk unit dumped", self.short, more=dump + ["--vcd-blocks", "walk_unit"], junk=(vcd,)),
            self.model(first + " dumped", self.short, more=dump, junk=(vcd,)),
        ]
