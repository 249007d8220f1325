#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What shells and man know of the commands is what --help says: every command, every option, its group and its text."""
import re
import shutil
import subprocess
import time
import unittest

from walkway_run import PROGRAM, RunTest

COMMANDS = ("run", "compare", "capture", "trace", "list", "reproduce", "workloads", "walk", "guest", "sweep", "search", "results",
            "report", "completion")


class CompletionTest(RunTest):
    def options(self, command):
        return re.findall(r"^  (?:-\w, |    )--([\w-]+)", self.run_it(command, "--help").stdout, re.MULTILINE)

    def complete(self, *words):
        """What bash would offer for the last word."""
        script = f"""PATH={PROGRAM.rpartition("/")[0]}:$PATH; eval "$(walkway completion bash)"
            COMP_WORDS=({" ".join(f"'{w}'" for w in words)}); COMP_CWORD={len(words) - 1}; _walkway; printf '%s\\n' "${{COMPREPLY[@]}}\""""
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, cwd=self.dir, env=self.env).stdout.split()

    def test_bash_offers_what_the_help_has(self):
        self.assertEqual(set(self.complete("walkway", "")) - {"help", "--help", "--version"}, set(COMMANDS))
        for command in COMMANDS:
            offered = {w[2:] for w in self.complete("walkway", command, "-") if w.startswith("--")}
            self.assertEqual(offered, set(self.options(command)), command)
        self.assertEqual(self.complete("walkway", "tr"), ["trace"])
        self.assertIn("info", self.complete("walkway", "trace", ""))
        self.assertEqual(self.complete("walkway", "run", "-p", "apu-micro2"), ["apu-micro21"])

    def test_man_and_zsh_have_every_option_and_its_text(self):
        zsh = self.run_it("completion", "zsh").stdout
        for command in COMMANDS:
            page = self.run_it("completion", "man", command).stdout
            options = self.options(command)
            self.assertGreater(len(options), 0)
            for option in options:
                self.assertIn("\\-\\-" + option.replace("-", "\\-") + "\\fR", page)
            part = zsh[zsh.index(f"\n    {command})\n"):].split(" ;;")[0]
            self.assertEqual(set(re.findall(r"'\*--([\w-]+)", part)), set(options), command)
            self.assertIn(command, self.run_it("completion", "man").stdout)
            if shutil.which("groff"):
                done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z"], input=page, capture_output=True, text=True, check=True)
                self.assertEqual(done.stderr, "")
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n"], input=zsh, text=True, check=True)
        if shutil.which("bash"):
            subprocess.run(["bash", "-n"], input=self.run_it("completion", "bash").stdout, text=True, check=True)

    def test_the_options_of_run_are_in_groups(self):
        text = self.run_it("run", "--help").stdout
        groups = re.findall(r"\n\n([A-Z][^\n]*):\n  ", text)
        for group in ("Machine", "Program", "Results", "Waveforms", "Lives of translations", "Memory of a real machine", "Others"):
            self.assertIn(group, groups)
        at = {name: text.index(f"--{name}") for name in ("set", "output", "vcd-from")}
        self.assertTrue(text.index("\nMachine:") < at["set"] < text.index("\nResults:") < text.index("\nWaveforms:") < text.index("--vcd-from  ".rstrip(), text.index("\nWaveforms:")))

    def test_all_of_it_is_written_where_it_is_looked_for(self):
        self.run_it("completion", "all", "-o", "share")
        files = {str(p.relative_to(self.dir / "share")) for p in (self.dir / "share").rglob("*") if p.is_file()}
        self.assertEqual(files, {"bash-completion/completions/walkway", "zsh/site-functions/_walkway", "man/man1/walkway.1",
                                 *(f"man/man1/walkway-{c}.1" for c in COMMANDS)})
        for words in (("completion",), ("completion", "fish"), ("completion", "all"), ("completion", "bash", "-o", "x"), ("completion", "man", "rnu")):
            self.run_it(*words, code=1)

    def test_workloads_are_asked_once(self):
        folder = self.dir / "programs"
        folder.mkdir()
        program = folder / "slow"
        said = '{"summary": "s", "suite": "x", "papers": [], "kernels": ["k"], "presets": [{"name": "demo", "text": "", "values": "", "footprint_bytes": 0}], "footprint_bytes": 4096}'
        program.write_text(f"#!/bin/sh\necho asked >> '{self.dir}/log'\necho '{said}'\n")
        program.chmod(0o755)
        self.env.update(WALKWAY_WORKLOADS=str(folder), XDG_CACHE_HOME=str(self.dir / "cache"))
        first = self.run_it("list", "workloads", "--json").stdout
        asked = len((self.dir / "log").read_text().split())
        self.assertGreater(asked, 0)
        start = time.monotonic()
        self.assertEqual(self.run_it("list", "workloads", "--json").stdout, first)
        self.assertLess(time.monotonic() - start, 1)
        self.assertEqual(len((self.dir / "log").read_text().split()), asked, "nothing is started again")
        program.write_text(program.read_text().replace('"s"', '"other"'))
        self.assertIn('"other"', self.run_it("list", "workloads", "--json").stdout, "another file is asked anew")


if __name__ == "__main__":
    unittest.main()
