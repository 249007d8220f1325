# SPDX-License-Identifier: MIT
"""A strict reader of value change dumps: it refuses errors that a viewer may ignore."""


class Dump:
    """names: {path: code}; widths: {code: bits}; changes: {code: [(time, value or None for X)]}."""

    def __init__(self, path):
        self.names, self.widths, self.changes = {}, {}, {}
        self.first = self.last = None
        self.title = ""
        with open(path, encoding="ascii") as file:
            self._header(file)
            self._body(file)

    def _header(self, file):
        scope, words = [], []
        for line in file:
            words += line.split()
            while "$end" in words:
                at = words.index("$end")
                command, words = words[:at], words[at + 1:]
                kind = command[0]
                if kind == "$comment":
                    self.title = " ".join(command[1:])
                elif kind == "$timescale":
                    assert command[1:] == ["1", "ps"], command
                elif kind == "$scope":
                    assert command[1] == "module" and len(command) == 3, command
                    scope.append(command[2])
                elif kind == "$upscope":
                    scope.pop()
                elif kind == "$var":
                    _, what, bits, code, name = command[:5]
                    bits = int(bits)
                    assert what == "wire" and 1 <= bits <= 64, command
                    assert command[5:] == ([] if bits == 1 else ["[%d:0]" % (bits - 1)]), command
                    path = ".".join(scope + [name])
                    assert path not in self.names and code not in self.widths, command
                    assert all(33 <= ord(c) <= 126 for c in code), command
                    self.names[path], self.widths[code], self.changes[code] = code, bits, []
                elif kind == "$enddefinitions":
                    assert not scope and not words, "a scope is open"
                    return
                else:
                    raise AssertionError("unknown " + kind)
        raise AssertionError("no $enddefinitions")

    def _body(self, file):
        time, inside, seen = None, False, 0
        for line in file:
            assert line.endswith("\n"), "the last line is cut"
            line = line[:-1]
            if line[0] == "#":
                new = int(line[1:])
                assert time is None or new > time, "time %d after %s" % (new, time)
                time = new
                if self.first is None:
                    self.first = new
                continue
            if line[0] == "$":
                assert line == ("$end" if inside else "$dumpvars"), line
                inside = not inside
                if not inside:
                    seen = sum(1 for c in self.changes.values() if c)
                    assert seen == len(self.changes), "values at the beginning: %d of %d" % (seen, len(self.changes))
                continue
            assert inside or seen, "a change before $dumpvars"
            if line[0] == "b":
                digits, code = line[1:].split(" ")
                assert self.widths[code] > 1, line
            else:
                digits, code = line[0], line[1:]
                assert self.widths[code] == 1, line
            value = None if digits == "x" else int(digits, 2)
            assert value is None or len(digits) <= self.widths[code], line
            past = self.changes[code]
            assert not past or (past[-1][0] < time and past[-1][1] != value), "no change: " + line
            past.append((time, value))
        assert seen and not inside
        self.last = time

    def of(self, path):
        return self.changes[self.names[path]]

    def changed(self, path):
        return len(self.of(path)) > 1

    def at(self, path, time):
        """Returns the value at a time."""
        value = None
        for when, new in self.of(path):
            if when > time:
                break
            value = new
        return value

    def spans(self, path):
        """Returns (begin, end, value) of each value, from the first time to the last."""
        past = self.of(path)
        ends = [when for when, _ in past[1:]] + [self.last]
        return [(when, end, value) for (when, value), end in zip(past, ends)]

    def count(self, path, period):
        """Returns a pulse's count: the sum of its values in every cycle."""
        total = 0
        for begin, end, value in self.spans(path):
            if value:
                assert (end - begin) % period == 0, "%s at %d: no whole cycles" % (path, begin)
                total += value * ((end - begin) // period)
        return total
