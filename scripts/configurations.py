# SPDX-License-Identifier: MIT
"""What scripts/compare_configurations reads: the list of configurations, the map of names, the values of a stats.json."""
import fnmatch
import pathlib

# The simulator's own counters: how it went about it, not what it found. Host times and memory are in host.json, never read.
LEFT_OUT = ["model.activations", "model.activations_*", "model.requests_sent"]
MAP_HELP = """A map file has lines (* stands for anything; # begins a comment):
  renamed OLD NEW      the statistic, or all that begin with OLD and a dot, has another name now
  removed NAME         AFTER has it no more
  added NAME           BEFORE did not have it
  changed NAME         may differ
  parameter OLD NEW    SECTION.KEY, as BEFORE calls it and as the list does
  new CONFIGURATION    BEFORE cannot run it: left out"""


class Trouble(Exception):
    """Nothing can be compared; the message says why."""


class Configuration:
    def __init__(self, name, trace, words):
        self.name, self.trace, self.settings, self.options = name, trace, [], []
        words = iter(words)
        for word in words:
            if word.startswith("--"):
                self.options += [word, next(words, "")]
            else:
                self.settings.append(word)

    def text(self, parameters=()):
        """What it runs, for comparing with a saved one; with parameters by their new names."""
        names = dict(parameters)
        settings = [names.get(key, key) + "=" + value for key, value in (s.split("=", 1) for s in self.settings)]
        return " ".join([self.trace] + settings + self.options)

    def without(self, setting):
        return Configuration(self.name, self.trace, [s for s in self.settings if s != setting] + self.options)


def lines_of(path):
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise Trouble("%s: %s" % (path, e)) from e
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if words:
            yield number, words


def read_list(path):
    """({trace's name: words}, [Configuration])"""
    traces, all_, names = {}, [], set()
    for number, words in lines_of(path):
        where = "%s:%d" % (path, number)
        if words[0] == "trace":
            if len(words) < 3:
                raise Trouble("%s: 'trace NAME' and a generator or a program" % where)
            traces[words[1]] = words[2:]
            continue
        if len(words) < 2 or words[1] not in traces:
            raise Trouble("%s: '%s' wants the name of a trace above" % (where, words[0]))
        if words[0] in names:
            raise Trouble("%s: a second configuration '%s'" % (where, words[0]))
        one = Configuration(words[0], words[1], words[2:])
        for setting in one.settings:
            if "=" not in setting:
                raise Trouble("%s: '%s' is no SECTION.KEY=VALUE" % (where, setting))
        if "" in one.options:
            raise Trouble("%s: %s wants a value" % (where, one.options[-2]))
        names.add(one.name)
        all_.append(one)
    return traces, all_


class Map:
    """What may be different, by name. Counts what each line was good for."""
    WORDS = {"renamed": 3, "removed": 2, "added": 2, "changed": 2, "parameter": 3, "new": 2}

    def __init__(self, path=None):
        self.lines = []
        for number, words in lines_of(path) if path else ():
            if self.WORDS.get(words[0]) != len(words):
                raise Trouble("%s:%d: no such line\n%s" % (path, number, MAP_HELP))
            self.lines.append((tuple(words), number))
        self.used = {words: 0 for words, _ in self.lines}

    def parameters(self):
        return [words[1:] for words, _ in self.lines if words[0] == "parameter"]

    def lets(self, kind, name):
        for words in self.used:
            if words[0] == kind and (fnmatch.fnmatchcase(name, words[1]) or name.startswith(words[1] + ".")):
                self.used[words] += 1
                return True
        return False

    def renamed(self, values):
        result = {}
        for name, value in values.items():
            for words in self.used:
                if words[0] == "renamed" and (name == words[1] or name.startswith(words[1] + ".")):
                    name = words[2] + name[len(words[1]):]
                    self.used[words] += 1
                    break
            if name in result:
                raise Trouble("the map gives '%s' to two statistics" % name)
            result[name] = value
        return result


def values_of(stats):
    """{name: value} of a stats.json: the statistics, of histograms each figure, and what stands beside them."""
    values = {"trace": stats["trace"]["checksum"], "end": stats["end"], "partial": stats["partial"]}
    for name, entry in stats["headline"].items():
        values["headline." + name] = entry["value"]
    for name, entry in stats["statistics"].items():
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in LEFT_OUT):
            continue
        figures = {k: v for k, v in entry.items() if k not in ("unit", "description")}
        if list(figures) == ["value"]:
            values[name] = figures["value"]
        else:
            values.update({name + "." + k: v for k, v in figures.items()})

    def flat(prefix, entry):
        for key, value in entry.items():
            if isinstance(value, dict):
                flat(prefix + key + ".", value)
            elif key not in ("unit", "description"):
                values[prefix + key] = value
    flat("window.", stats.get("window", {}))
    values["laws broken"] = [law["name"] for law in stats["laws"] if not law["holds"]]
    return values
