# SPDX-License-Identifier: MIT
"""A strict reader of the Trace Event Format as walkway writes it: everything that a viewer needs is present with the right type, slices of
a thread nest, flows connect slices. It reads twice: with exact times, and as Perfetto does, which keeps nanoseconds."""
import decimal
import json

METADATA = {"process_name": "name", "process_sort_index": "sort_index", "thread_name": "name",
            "thread_sort_index": "sort_index"}


class Slice:
    def __init__(self, event, begin):
        self.name, self.cat, self.args, self.begin, self.end = event["name"], event["cat"], event["args"], begin, None
        self.pid, self.tid = event["pid"], event["tid"]

    @property
    def ps(self):
        return self.end - self.begin


class Translation:
    """whole: the translation's slice; segments: its parts in order."""

    def __init__(self, whole):
        self.whole, self.segments, self.args = whole, [], whole.args


def picoseconds(ts):
    value = decimal.Decimal(ts) * 1000000
    assert value == int(value) and "." in ts and len(ts.split(".")[1]) == 6, ts
    return int(value)


class TraceFile:
    """processes: {pid: name}; threads: {tid: name}; translations: {number: Translation}; about: otherData."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.text = file.read()
        whole = json.loads(self.text, parse_float=str)
        assert list(whole) == ["traceEvents", "displayTimeUnit", "otherData"], list(whole)
        assert whole["displayTimeUnit"] == "ns"
        self.about, self.events = whole["otherData"], whole["traceEvents"]
        self.processes, self.threads, self.order = {}, {}, {}
        self.counters = {} # {name: [(ps, value as in the file)]}
        for event in self.events:
            if event["ph"] == "C":
                self.counters.setdefault(event["name"], []).append((picoseconds(event["ts"]), event["args"]["value"]))
        for event in self.events:
            self._check_keys(event)
        self.translations = self._read(self.events, picoseconds)
        # Perfetto: a double of microseconds, truncated to nanoseconds; events in order of time, ties as in the file
        coarse = sorted(self.events, key=lambda e: int(float(e["ts"]) * 1000))
        assert set(self._read(coarse, lambda ts: int(float(ts) * 1000))) == set(self.translations)

    def _check_keys(self, event):
        phase = event["ph"]
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int) and event["tid"] < 2**32, event
        assert isinstance(event["ts"], str), "a number with a point"
        assert isinstance(event["name"], str) and isinstance(event["cat"], str), event
        more = set(event) - {"ph", "pid", "tid", "ts", "name", "cat"}
        expected = {"M": {"args"}, "B": {"args"}, "E": set(), "s": {"id"}, "t": {"id"}, "f": {"id", "bp"}, "C": {"args"}}
        assert more == expected[phase], event
        if phase == "M":
            key = METADATA[event["name"]]
            assert list(event["args"]) == [key], event
            where = self.processes if event["name"] == "process_name" else self.threads
            if key == "name":
                number = event["pid" if where is self.processes else "tid"]
                assert number not in where, "named twice"
                where[number] = event["args"]["name"]
            else:
                self.order[event["name"], event["tid"]] = event["args"]["sort_index"]
        if phase == "f":
            assert event["bp"] == "e", "else it binds to the slice after"

    def _read(self, events, time_of):
        stacks, threads_of, last, flows, translations = {}, {}, {}, {}, {}
        for event in events:
            if event["ph"] in "MC":
                assert event["pid"] in self.processes, "an unnamed process"
                continue
            tid, now = event["tid"], time_of(event["ts"])
            assert event["pid"] in self.processes and tid in self.threads, "an unnamed track"
            assert threads_of.setdefault(tid, event["pid"]) == event["pid"], "a thread of two processes"
            assert last.get(tid, 0) <= now, "time goes back on a track"
            last[tid] = now
            stack = stacks.setdefault(tid, [])
            if event["ph"] == "B":
                stack.append(Slice(event, now))
                number = event["args"]["translation"]
                if event["cat"] == "translation":
                    assert number not in translations and len(stack) == 1
                    translations[number] = Translation(stack[-1])
                else:
                    assert event["cat"] == "segment"
                    translations[number].segments.append(stack[-1])
                    if len(stack) == 2:
                        assert stack[0].args["translation"] == number, "slices of two translations overlap"
                    assert len(stack) <= 2
            elif event["ph"] == "E":
                top = stack.pop()
                assert (top.name, top.cat) == (event["name"], event["cat"]), event
                top.end = now
            else:
                assert event["cat"] == event["name"] == "translation"
                assert stack and stack[-1].args["translation"] == event["id"], "a flow binds to a slice that is open"
                flows.setdefault(event["id"], []).append((event["ph"], stack[-1]))
        assert not any(stacks.values()), "a slice without an end"
        assert set(flows) == set(translations)
        for number, t in translations.items():
            phases, slices = zip(*flows[number])
            assert "".join(phases) == "s" + "t" * (len(t.segments) - 1) + "f", phases
            assert list(slices) == [t.whole] + t.segments, "a flow goes through all in order"
        return translations
