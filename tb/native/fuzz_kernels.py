#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tb/native/fuzz_kernels.py - captures random small kernels in two ways, which must give the same trace to the byte.

A kernel is a sequence of phases with barriers between. A phase is a function of the work-item's state, written once and
compiled twice: as OpenCL, and as plain C that runs the phases of a work-group's items one after the other. The result of
each capture must equal that of C.

  fuzz_kernels.py --a 'walkway capture -q' --b 'walkway capture -q --interpret' --run-cl build/.../run_cl [--seeds 1-50]
  fuzz_kernels.py --show SEED     prints the kernel
"""
import argparse
import ctypes
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
import time

ITEMS, GROUP, BYTES = 128, 32, 4096
HERE = pathlib.Path(__file__).resolve().parent
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64, "ulong": 64}
INTEGERS = list(BITS)
REALS = ["float", "double"]
VECTORS = {"char16": 16, "uchar16": 16, "short8": 8, "ushort8": 8, "int4": 4, "uint4": 4, "long2": 2, "ulong2": 2,
           "float4": 4, "double2": 2}
TWO = ["add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "min", "max", "rotate"]
ONE = ["popcount", "clz"]
WRONG_IN_OCLGRIND = {"sub_sat_long"}  # see known.py


def element(vector):
    return vector.rstrip("0123456789")


def unsigned(vector):
    """The integer vector type of the same shape; shuffle() takes it as a mask."""
    names = {8: "uchar16", 16: "ushort8", 32: "uint4", 64: "ulong2"}
    return names[{"float": 32, "double": 64}.get(element(vector)) or BITS[element(vector)]]


class Kernel:
    """A text that is both C and OpenCL. Its local memory is one array, because Oclgrind may order several differently in each
    run."""

    legal = False  # True: no switches over odd widths

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.depth = 0
        self.names = 0
        self.loops = 0
        self.may_read_local = None
        self.members = {t: [f"s->{t}_{i}" for i in range(2)] for t in INTEGERS + REALS + list(VECTORS)}
        self.arrays = {t: self.random.choice([4, 8, 16, 64]) for t in self.random.sample(INTEGERS + REALS, 3)}
        self.functions = []

    def pick(self, items):
        return self.random.choice(list(items))

    def constant(self, t):
        if t in REALS:
            return f"({t}){self.random.randint(-50, 50)}.{self.pick(['0', '5', '25', '125'])}{'f' if t == 'float' else ''}"
        value = self.pick([0, 1, 2, 3, 5, 7, 31, 100, -1, -2, self.random.getrandbits(BITS[t]), 1 << (BITS[t] - 1)])
        return f"({t}){value & ((1 << 64) - 1)}ul"

    def index(self, size):
        return f"({self.integer('uint')} & {size - 1})"

    def leaf(self, t):
        kind = self.random.randrange(8)
        if kind == 0:
            return self.constant(t)
        if kind == 1 and t in self.arrays:
            return f"s->array_{t}[{self.index(self.arrays[t])}]" if self.depth < 3 else f"s->array_{t}[i & {self.arrays[t] - 1}]"
        if kind == 2:
            where = self.index(256) if self.depth < 3 else self.pick(["i", "i + 64", "255 - i"])
            return f"({t}){self.pick('ab')}[{where}]" if t in INTEGERS else f"({t})({self.pick('ab')}[{where}] & 0xffff)"
        if kind == 3 and self.may_read_local and t in INTEGERS:
            return f"({t}){self.may_read_local}[{self.pick(['l', f'(l + {self.random.randrange(32)}) & 31', '31 - l'])}]"
        if kind == 4 and t in INTEGERS:
            vector = self.pick(v for v in VECTORS if element(v) in INTEGERS)
            return f"({t}){self.pick(self.members[vector])}[{self.random.randrange(VECTORS[vector])}]"
        if kind == 5 and t in INTEGERS:
            return f"({t}){self.pick(['i', 'l'])}"
        return self.pick(self.members[t])

    def deeper(self, make, *arguments):
        self.depth += 1
        result = make(*arguments)
        self.depth -= 1
        return result

    def expression(self, t):
        return self.deeper(self.integer if t in INTEGERS else self.real, t)

    def integer(self, t):
        if self.depth > 4 or self.random.random() < 0.15:
            return self.leaf(t)
        x, y = self.expression(t), self.expression(t)
        kind = self.random.randrange(12)
        if kind < 4:
            return f"({t})({x} {self.pick(['+', '-', '*', '&', '|', '^'])} {y})"
        if kind == 4:
            return f"({t})({x} {self.pick(['<<', '>>'])} ((uint){y} & {min(BITS[t], 32) - 1}))"
        if kind == 5:
            divisor = f"(({t})({y} & 15) + 1)" if not t.startswith("u") else f"({t})({y} | 1)"
            return f"({t})({x} {self.pick('/%')} {divisor})"
        if kind == 6:
            return f"({t})({x} {self.pick(['<', '<=', '==', '!=', '>', '>='])} {y} ? {self.leaf(t)} : {self.expression(t)})"
        if kind == 7:
            return f"({t}){self.pick('~-!')}{x}"
        if kind == 8:
            name = f"{self.pick(TWO)}_{t}"
            return f"({x} ^ {y})" if name in WRONG_IN_OCLGRIND else f"{name}({x}, {y})"
        if kind == 9:
            return f"{self.pick(ONE)}_{t}({x})"
        if kind == 10 and self.functions:
            result, name, types = self.pick(self.functions)
            return f"({t}){name}({', '.join(self.deeper(self.leaf, a) for a in types)})" if result in INTEGERS else x
        other = self.pick(INTEGERS + REALS)
        if other in REALS:
            return f"({t})TO_INT({self.expression(other)})"
        return f"({t}){self.expression(other)}"

    def real(self, t):
        if self.depth > 4 or self.random.random() < 0.2:
            return self.leaf(t)
        kind = self.random.randrange(6)
        if kind < 3:
            return f"({t})({self.expression(t)} {self.pick('+-*')} {self.expression(t)})"
        if kind == 3:
            return f"({t})({self.expression(t)} < {self.expression(t)} ? {self.leaf(t)} : {self.leaf(t)})"
        if kind == 4:
            return f"({t})({self.expression('int')} & 1023)"
        return f"({t}){self.expression(self.pick(REALS))}"

    def vector(self, v):
        e = element(v)
        x, y = self.pick(self.members[v]), self.pick(self.members[v])
        kind = self.random.randrange(6)
        if kind == 0:
            return f"SPLAT({v}, {self.expression(e)})"
        if kind == 1:
            return f"SHUFFLE({x}, {self.pick(self.members[unsigned(v)])})"
        if e in REALS:
            return f"{x} {self.pick('+-*')} {y}"
        if kind == 2:
            other = self.pick(w for w in VECTORS if element(w) in INTEGERS)
            return f"AS({v}, {self.pick(self.members[other])}) ^ {x}"
        if kind == 3:
            return f"{x} {self.pick(['<<', '>>'])} ({y} & SPLAT({v}, ({e}){BITS[e] - 1}))"
        if kind == 4:
            return f"-({x} {self.pick(['+', '*'])} ~{y})"
        return f"{x} {self.pick(['+', '-', '*', '&', '|', '^'])} {y}"

    def block(self, count, level, in_loop=False):
        return "".join(self.statement(level, in_loop) for _ in range(count))

    def assignment(self, pad):
        t = self.pick(INTEGERS + INTEGERS + REALS + list(VECTORS))
        if t in VECTORS:
            if self.random.random() < 0.3:
                e = element(t)
                return f"{pad}{self.pick(self.members[t])}[{self.random.randrange(VECTORS[t])}] = {self.expression(e)};\n"
            return f"{pad}{self.pick(self.members[t])} = {self.vector(t)};\n"
        if t in self.arrays and self.random.random() < 0.5:
            return f"{pad}s->array_{t}[{self.index(self.arrays[t])}] = {self.expression(t)};\n"
        return f"{pad}{self.pick(self.members[t])} = {self.expression(t)};\n"

    def switch(self, level, in_loop):
        pad = "  " * level
        mask = self.pick([1, 3, 7, 15, 31, 63, 127, 255, 511])
        t = self.pick(INTEGERS)
        masked = "" if self.legal else f" & {mask & ((1 << (BITS[t] - 1)) - 1)}"
        text = f"{pad}switch ({self.expression(t)}{masked}) {{\n"
        limit = min(mask, (1 << (BITS[t] - 1)) - 1)
        for value in sorted(self.random.sample(range(limit + 1), min(limit + 1, self.random.randint(1, 9)))):
            text += f"{pad}case {value}:\n{self.block(1, level + 1, in_loop)}"
            if self.random.random() < 0.75:
                text += f"{pad}  break;\n"
        if self.random.random() < 0.6:
            text += f"{pad}default:\n{self.block(1, level + 1, in_loop)}"
        return text + f"{pad}  break;\n{pad}}}\n"

    def statement(self, level, in_loop):
        pad = "  " * level
        kind = self.random.randrange(12)
        if level > 3 or kind < 6:
            return self.assignment(pad)
        if kind == 6:
            return (f"{pad}if ({self.expression(self.pick(INTEGERS))} & 1) {{\n{self.block(2, level + 1, in_loop)}{pad}}} else {{\n"
                    f"{self.block(1, level + 1, in_loop)}{pad}}}\n")
        if kind == 7 and self.loops < 2:
            self.names += 1
            self.loops += 1
            n = f"n{self.names}"
            body = self.block(2, level + 1, True)
            self.loops -= 1
            return (f"{pad}for (int {n} = 0; {n} < (int)({self.expression('uint')} & 7); {n}++) {{\n{body}"
                    f"{pad}  if ({self.deeper(self.leaf, 'int')} == {n}) {self.pick(['break', 'continue'])};\n{pad}}}\n")
        if kind in (8, 9):
            return self.switch(level, in_loop)
        if kind == 10:
            return f"{pad}out[i] ^= (uint){self.expression(self.pick(INTEGERS))};\n"
        call = self.pick(["ADD", "XOR"])
        return f"{pad}ATOMIC_{call}(&out[{512 + self.random.randrange(2) * 8} + {0 if call == 'ADD' else 4} + (i & 3)], (uint){self.expression('uint')});\n"

    def function(self, number):
        result = self.pick(INTEGERS)
        types = [self.pick(INTEGERS) for _ in range(self.random.randint(1, 4))]
        arguments = ", ".join(f"{t} p{i}" for i, t in enumerate(types))
        uses = " ^ ".join(f"({result})p{i}" for i in range(len(types)))
        mask = self.pick([3, 7, 15, 31])
        masked = "" if self.legal else f" & {mask}"
        cases = "".join(f"    case {v}: r = ({result})(r * {self.random.randint(3, 99)} + {v}); {self.pick(['break;', 'break;', ''])}\n"
                        for v in sorted(self.random.sample(range(mask + 1), min(4, mask))))
        name = f"f{number}"
        inner = self.pick(self.functions) if self.functions and self.random.random() < 0.6 else None
        call = f"  r = ({result})(r + {inner[1]}({', '.join('p0' for _ in inner[2])}));\n" if inner else ""
        text = (f"{self.pick(['', '__attribute__((noinline)) '])}static {result} {name}({arguments}) {{\n  {result} r = {uses};\n"
                f"  for (int n = 0; n < (int)(p0 & 3) + 1; n++) {{\n    switch (r{masked}) {{\n{cases}    default: r = ({result})~r; break;\n    }}\n  }}\n"
                f"{call}  return r;\n}}\n")
        self.functions.append((result, name, types))
        return text

    def phase(self, number, local_read, local_write):
        self.may_read_local = local_read
        body = self.block(self.random.randint(3, 7), 1)
        self.may_read_local = None
        if local_write:
            body += f"  {local_write}[l] = {self.expression('uint')};\n"
        return (f"{self.pick(['', '__attribute__((noinline)) '])}static void phase{number}(struct state *s, int i, int l, int step, "
                f"global uint *a, global uint *b, global uint *out, local uint *t, local uint *u)\n{{\n"
                f"  s->int_0 += step;\n{body}}}\n")

    def text(self):
        functions = "".join(self.function(n) for n in range(self.random.randint(1, 4)))
        self.phases = self.random.randint(1, 4)
        phases = ""
        for n in range(self.phases):  # a phase reads what the one before has written, and writes the other array
            read, write = ("u", "t") if n % 2 == 0 else ("t", "u")
            phases += self.phase(n, read if n else None, write)
        self.steps = self.random.randint(1, 4) if self.phases % 2 == 0 else 1
        self.initial = "".join(f"  s->{t}_{i} = ({t})(a[(l * 7 + {n} * 13) & 255] {'& 0xffff' if t in REALS else ''});\n"
                               for n, (t, i) in enumerate((t, i) for t in INTEGERS + REALS for i in range(2)))
        self.initial += "".join(f"  s->{v}_{i} = SPLAT({v}, ({element(v)})(b[(l * 3 + {n} * 5) & 255] {'& 0xffff' if element(v) in REALS else ''}));\n"
                                for n, (v, i) in enumerate((v, i) for v in VECTORS for i in range(2)))
        self.initial += "".join(f"  for (int n = 0; n < {size}; n++) s->array_{t}[n] = ({t})(n * 3);\n" for t, size in self.arrays.items())
        state = "".join(f"  {t} {t}_0, {t}_1;\n" for t in list(VECTORS) + INTEGERS + REALS)
        state += "".join(f"  {t} array_{t}[{size}];\n" for t, size in self.arrays.items())
        final = "".join(f"  s->ulong_0 = s->ulong_0 * 31 + (ulong)s->{t}_{i};\n" for t in INTEGERS for i in range(2))
        final += "".join(f"  s->ulong_0 = s->ulong_0 * 31 + (ulong)s->{v}_0[{VECTORS[v] - 1}] + (ulong)s->{v}_1[1];\n"
                         for v in VECTORS if element(v) in INTEGERS)
        final += "".join(f"  s->ulong_0 = s->ulong_0 * 31 + (ulong)TO_INT(s->{t}_0);\n" for t in REALS)
        return (f"#define TO_INT(x) ((x) > -1e9f && (x) < 1e9f ? (int)(x) : 7)\nstruct state {{\n{state}}};\n{functions}"
                f"static void begin(struct state *s, int l, global uint *a, global uint *b)\n{{\n{self.initial}}}\n{phases}"
                f"static void end(struct state *s, int i, global uint *out)\n{{\n{final}"
                f"  out[128 + 2 * i] = (uint)s->ulong_0;\n  out[129 + 2 * i] = (uint)(s->ulong_0 >> 32);\n}}\n")

    def opencl(self):
        text = self.text()
        names = "".join(f"#define {n}_{t} {n}\n" for n in TWO + ONE for t in INTEGERS)
        calls = "".join(f"    phase{n}(&s, i, l, step, a, b, out, t, u);\n    barrier(CLK_LOCAL_MEM_FENCE);\n" for n in range(self.phases))
        return ("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n"
                "#define SPLAT(vector, x) ((vector)(x))\n#define AS(vector, x) as_##vector(x)\n#define SHUFFLE(x, mask) shuffle(x, mask)\n"
                f"#define ATOMIC_ADD(p, x) atomic_add(p, x)\n#define ATOMIC_XOR(p, x) atomic_xor(p, x)\n{names}{text}"
                "kernel void k(global uint *a, global uint *b, global uint *out)\n{\n  local uint t[64], *u = t + 32;\n  struct state s;\n"
                "  int i = get_global_id(0), l = get_local_id(0);\n  begin(&s, l, a, b);\n"
                f"  for (int step = 0; step < {self.steps}; step++) {{\n{calls}  }}\n  end(&s, i, out);\n}}\n")

    def plain(self):
        text = self.text()
        calls = "".join(f"      for (int l = 0; l < {GROUP}; l++) phase{n}(&s[l], g * {GROUP} + l, l, step, a, b, out, t, u);\n"
                        for n in range(self.phases))
        return (f'#include "{HERE}/fuzz_prelude.h"\n{text}void run(uint *a, uint *b, uint *out)\n{{\n'
                f"  static struct state s[{GROUP}];\n  uint t[{GROUP}], u[{GROUP}];\n"
                f"  for (int g = 0; g < {ITEMS // GROUP}; g++) {{\n    for (int l = 0; l < {GROUP}; l++) begin(&s[l], l, a, b);\n"
                f"    for (int step = 0; step < {self.steps}; step++) {{\n{calls}    }}\n"
                f"    for (int l = 0; l < {GROUP}; l++) end(&s[l], g * {GROUP} + l, out);\n  }}\n}}\n")


def words(seed):
    """The words with which run_cl.c fills a buffer."""
    mask = (1 << 64) - 1
    for i in range(BYTES // 4):
        z = (seed * 0x9E3779B97F4A7C15 + (i + 1) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 30) * 0x94D049BB133111EB) & mask
        z ^= z >> 29
        w = (z >> 32) >> (z & 31)
        yield ~w & 0xFFFFFFFF if z & 32 else w


def by_plain_c(folder, seed, compiler):
    (folder / "k.c").write_text(Kernel(seed).plain())
    subprocess.run([compiler, "-w", "-O1", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-shared", "-fPIC", "-o",
                    folder / "k.so", folder / "k.c"], check=True)
    array = ctypes.c_uint32 * (BYTES // 4)
    a, b, out = array(*words(seed)), array(*words(seed + 1)), array()
    ctypes.CDLL(str(folder / "k.so")).run(a, b, out)
    return bytes(out)


class Result:
    """One capture: its exit code, its output, the trace's bytes, and the bytes of the buffer `out`."""

    def __init__(self, folder, command, program, seed, options):
        trace, out = folder / "k.wkt", folder / "k.out"  # the same names each time: a trace contains its program's arguments
        trace.unlink(missing_ok=True)
        out.unlink(missing_ok=True)
        run = [program, folder / "k.cl", ITEMS, GROUP, seed, BYTES, out, *options]
        full = [*shlex.split(command), "-o", trace, "--", *run]
        done = subprocess.run([str(part) for part in full], capture_output=True, timeout=120)
        self.code, self.said = done.returncode, (done.stdout + done.stderr).decode(errors="replace")
        self.trace = trace.read_bytes() if trace.exists() else b""
        self.out = out.read_bytes() if out.exists() else b""


def compare(seed, arguments, options):
    """Returns the differences; empty if there are none."""
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        (folder / "k.cl").write_text(Kernel(seed).opencl())
        want = by_plain_c(folder, seed, arguments.compiler)
        a = Result(folder, arguments.a, arguments.run_cl, seed, options)
        b = Result(folder, arguments.b, arguments.run_cl, seed, options)
    wrong = []
    if arguments.b_may_be_wrong and a.code == 0 and a.out == want and a.trace and (b.code != 0 or b.out != want):
        print(f"seed {seed}{' -cl-opt-disable' if options else ''}: b is wrong, a is plain C")
        return []
    for name, r in (("a", a), ("b", b)):
        if r.code != 0:
            wrong.append(f"{name} ended with {r.code}: {r.said[-1500:]}")
        elif r.out != want:
            first = next(i for i in range(BYTES // 4) if r.out[4 * i:4 * i + 4] != want[4 * i:4 * i + 4])
            wrong.append(f"{name} is not plain C at word {first}")
    if not wrong and a.trace != b.trace:
        wrong.append("the traces differ")
    if not a.trace or not b.trace:
        wrong.append("there is no trace")
    return wrong


def seeds_of(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", help="one way to capture: a command to which -o TRACE -- PROGRAM is added")
    parser.add_argument("--b", help="the other way")
    parser.add_argument("--run-cl", help="the program that runs a file of OpenCL")
    parser.add_argument("--seeds", default="1-10", type=seeds_of)
    parser.add_argument("--legal", action="store_true", help="no switches over odd widths, which Oclgrind 21.10 runs wrongly")
    parser.add_argument("--b-may-be-wrong", action="store_true", help="where a is plain C and b is not, that is no failure")
    parser.add_argument("--compiler", default="gcc", help="for plain C")
    parser.add_argument("--show", type=int, metavar="SEED")
    arguments = parser.parse_args()
    Kernel.legal = arguments.legal
    if arguments.show is not None:
        print(Kernel(arguments.show).opencl())
        return 0
    if not (arguments.a and arguments.b and arguments.run_cl):
        parser.error("--a, --b and --run-cl are needed")
    failed = 0
    if os.environ.get("WALKWAY_TESTS") == "short": # ./check: one seed per day
        arguments.seeds = [int(time.time() // 86400)]
        print(f"--seeds {arguments.seeds[0]}-{arguments.seeds[0]}")
    for seed in arguments.seeds:
        for options in ([], ["-cl-opt-disable"]):
            for line in compare(seed, arguments, options):
                failed += 1
                print(f"seed {seed}{' -cl-opt-disable' if options else ''}: {line}", flush=True)
    print(f"{len(arguments.seeds)} kernels, each compiled twice: {failed} differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
