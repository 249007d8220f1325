# SPDX-License-Identifier: MIT
"""Reads the list of configurations, the map of names and the values of a stats.json, for scripts/compare_configurations."""
import fnmatch
import pathlib

# The simulator's own counters, which measure its work, not the machine. Host times and memory are in host.json, which is not read.
LEFT_OUT = ["model.activations", "model.activations_*", "model.requests_sent"]
MAP_HELP = """A map file has lines (* stands for anything; # begins a comment):
  renamed OLD NEW      the statistic, or all that begin with OLD and a dot, has another name now
  sum OLD NEW NEW...   the statistic is the sum of those now
  removed NAME         AFTER has it no more
  zero NAME            the same, and it never counted anything: 0 in BEFORE, or there is a difference
  null NAME            0 in BEFORE where nothing was counted, and null now
  added NAME           BEFORE did not have it
  changed NAME         may differ
  parameter OLD NEW... SECTION.KEY, as BEFORE calls it and as the list does; two NEW: what was one is two
  default NAME         the parameter is new, and the list gives it the value that BEFORE had without it: left out there
  value SECTION.KEY OLD NEW   of a parameter, as BEFORE calls one that the list calls NEW
  unknown NAME         BEFORE has no such parameter: configurations that set it are left out
  new CONFIGURATION    BEFORE cannot run it: left out
A line may begin with `on MACHINE`: it holds there only."""


class Trouble(Exception):
    """Nothing can be compared; the message has the reason."""


class Renames:
    """tool/support/renames.txt: old and current names of parameters and statistics."""

    def __init__(self, path):
        self.rows = [tuple(word[:-1] if word.endswith(".*") else word for word in words) for _, words in lines_of(path)]

    def now(self, name):
        """Returns the current name; keeps a suffix such as \".count\"."""
        if name.startswith("arrays."):
            return "arrays." + self.now(name[len("arrays."):])
        for old, new in self.rows:
            if name == old or name.startswith(old if old.endswith(".") else old + "."):
                return new + name[len(old):]
        return name

    def old(self, keys, known):
        """Returns {key: older name} for the keys that a program with the parameters `known` has under an older name."""
        found = {}
        for key in keys - known:
            for old, new in self.rows:
                older = old + key[len(new):]
                if key.startswith(new) and older in known and self.now(older) == key:
                    found[key] = older
        return found


class Configuration:
    def __init__(self, name, trace, words):
        self.name, self.trace, self.settings, self.options = name, trace, [], []
        words = iter(words)
        for word in words:
            if word.startswith("--"):
                self.options += [word, next(words, "")]
            else:
                self.settings.append(word)

    def renamed(self, old):
        """Returns the settings with other names, by {name here: name there, None for one that is left out}. Two names here may be one
        name there, which then needs the same value for both."""
        there = {}
        for setting in self.settings:
            key, value = setting.split("=", 1)
            if old.get(key, key) is None:
                continue
            if there.setdefault(old.get(key, key), value) != value:
                raise Trouble("%s was one parameter with one value: %s" % (old[key], " ".join(self.settings)))
        for name in set(there) & set(old.values()):
            missing = [key for key in old if old[key] == name and key not in [s.split("=", 1)[0] for s in self.settings]]
            if missing:
                raise Trouble("%s was one parameter: %s has to be set, too" % (name, " and ".join(missing)))
        return [key + "=" + value for key, value in there.items()]

    def text(self, old=None):
        """Returns a text of all that it runs, to compare it with a saved one."""
        return " ".join([self.trace] + self.renamed(old or {}) + self.options)

    def keys(self):
        return {setting.split("=", 1)[0] for setting in self.settings}

    def valued(self, values):
        """Returns it with other names of values, by {"section.key=value": "section.key=other value"}."""
        return Configuration(self.name, self.trace, [values.get(setting, setting) for setting in self.settings] + self.options)

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
    """Returns ({trace's name: words}, [Configuration])."""
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
    """The allowed differences, by name. Counts how often each line is used."""
    WORDS = {"renamed": (3, 3), "sum": (4, 99), "removed": (2, 2), "zero": (2, 2), "added": (2, 2), "changed": (2, 2), "null": (2, 2), "parameter": (3, 4),
             "default": (2, 2), "value": (4, 4), "unknown": (2, 2), "new": (2, 2)}

    def __init__(self, path=None):
        self.lines = []  # (machine, words, line number)
        for number, words in lines_of(path) if path else ():
            machine = "*"
            if words[0] == "on" and len(words) > 2:
                machine, words = words[1], words[2:]
            least, most = self.WORDS.get(words[0], (0, 0))
            if not least <= len(words) <= most:
                raise Trouble("%s:%d: no such line\n%s" % (path, number, MAP_HELP))
            self.lines.append((machine, tuple(words), number))
        self.used = {number: 0 for _, _, number in self.lines}

    def on(self, machine, *kinds):
        """Returns [(words, line number)] of the lines of these kinds that hold for a machine."""
        return [(words, number) for where, words, number in self.lines if words[0] in kinds and fnmatch.fnmatchcase(machine, where)]

    def parameters(self, machine):
        """Returns {name in the list: name in BEFORE, or None if it has none}."""
        return {words[1]: None for words, _ in self.on(machine, "default")} | {new: words[1] for words, _ in self.on(machine, "parameter") for new in words[2:]}

    def values(self, machine):
        """Returns {setting of the list: BEFORE's setting}."""
        return {key + "=" + new: key + "=" + old for (_, key, old, new), _ in self.on(machine, "value")}

    def lets(self, kind, name, machine):
        for words, number in self.on(machine, kind):
            if names(words[1], name):
                self.used[number] += 1
                return True
        return False

    def renamed(self, values, machine):
        result = {}
        lines = self.on(machine, "renamed")
        for name, value in values.items():
            for words, number in lines:
                if name == words[1] or name.startswith(words[1] + "."):
                    name = words[2] + name[len(words[1]):]
                    self.used[number] += 1
                    break
            if name in result:
                raise Trouble("the map gives '%s' to two statistics" % name)
            result[name] = value
        return result

    def summed(self, before, after, machine):
        """Returns (before, AFTER's values with the map's sums in place of their parts). For a histogram, only fields that add up are
        compared: count, sum and buckets."""
        before, result = dict(before), dict(after)
        for words, number in self.on(machine, "sum"):
            for name in [n for n in before if n == words[1] or n.startswith(words[1] + ".")]:
                rest = name[len(words[1]):]
                parts = [part + rest for part in words[2:]]
                if name in result and name not in parts or not all(part in after for part in parts):
                    continue
                self.used[number] += 1
                for part in parts:
                    result.pop(part, None)
                if not rest or rest[1:] in ADDS_UP:
                    result[name] = total([after[part] for part in parts])
                else:
                    del before[name]
        return before, result


# Fields of a histogram that add up; the others follow from the buckets.
ADDS_UP = ("count", "sum", "buckets")


def names(pattern, name):
    return fnmatch.fnmatchcase(name, pattern) or name.startswith(pattern + ".")


def total(values):
    """Returns the sum of numbers, or the joint buckets [[from, count], ...] of several histograms."""
    if not isinstance(values[0], list):
        return sum(values)
    counts = {}
    for buckets in values:
        for *where, count in buckets:
            counts[tuple(where)] = counts.get(tuple(where), 0) + count
    return [[*where, count] for where, count in sorted(counts.items())]


def nothing(value):
    """True for the value of a statistic that counted nothing."""
    return value == 0 or value is None or value == []


def values_of(stats):
    """Returns {name: value} of a stats.json: the statistics, each field of histograms, and the entries beside them."""
    values = {"end": stats["end"], "partial": stats["partial"]}
    if "trace" in stats:
        values["trace"] = stats["trace"]["checksum"]
    for name, entry in stats.get("headline", {}).items():
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
