#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Shell completions and man pages agree with --help: every command, every option, its group and its text."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from walkway_run import PROGRAM, RunTest

SAID = {"summary": "s", "suite": "x", "papers": [], "kernels": ["k"], "footprint_bytes": 4096,
        "presets": [{"name": "demo", "text": "", "values": ""}]}

COMMANDS = ("run", "compare", "advise", "capture", "trace", "list", "reproduce", "workloads", "walk", "guest", "sweep", "search", "results",
            "report", "completion")

# Machines whose names begin with apu-micro2.
MACHINES = sorted(p.stem for p in (pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "platforms").glob("apu-micro2*.cfg"))

# Writes down matches that are added to a list, but not those that are only searched for (-O, -A, -D).
ZSHRC = r"""
PROMPT=READY
fpath=($WW_FUNCTIONS $fpath)
autoload -Uz compinit; compinit -u -D
compadd()
{
    local -a __hits
    local __word
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        builtin compadd -A __hits "$@"
        for __word in "${__hits[@]}"; do print -r -- "$__word" >> $WW_OFFERED; done
    fi
    builtin compadd "$@"
}
__before() { comppostfuncs=(__after) }
__after() { print -r -- '<end>' >> $WW_OFFERED }
compprefuncs=(__before)
bindkey '^I' complete-word
"""


class CompletionTest(RunTest):
    def options(self, command):
        return re.findall(r"^  (?:-\w, |    )--([\w-]+)", self.run_it(command, "--help").stdout, re.MULTILINE)

    def complete(self, *words):
        """Returns what bash offers for the last word."""
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
        self.assertIn("apu-micro21", MACHINES)
        self.assertEqual(self.complete("walkway", "run", "-p", "apu-micro2"), MACHINES)

    def test_man_and_zsh_have_every_option_and_its_text(self):
        zsh = self.run_it("completion", "zsh").stdout
        for command in COMMANDS:
            page = self.run_it("completion", "man", command).stdout
            options = self.options(command)
            self.assertGreater(len(options), 0)
            for option in options:
                self.assertIn("\\-\\-" + option.replace("-", "\\-") + "\\fR", page)
            part = zsh[zsh.index(f"\n    {command})\n"):].split(" ;;")[0]
            self.assertEqual(set(re.findall(r"'(?:\*|\([^)]*\))--([\w-]+)", part)), set(options), command)
            self.assertIn(command, self.run_it("completion", "man").stdout)
            if shutil.which("groff"):
                done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z"], input=page, capture_output=True, text=True, check=True)
                self.assertEqual(done.stderr, "")
        if shutil.which("bash"):
            subprocess.run(["bash", "-n"], input=self.run_it("completion", "bash").stdout, text=True, check=True)

    def zsh_offers(self, line):
        """Returns what zsh, with the functions of 'completion all', adds to its list for the line's last word."""
        functions = self.dir / "share/zsh/site-functions"
        if not functions.exists():
            self.run_it("completion", "all", "-o", "share")
            (self.dir / ".zshrc").write_text(ZSHRC)
        offered = self.dir / "offered"
        offered.write_text("")
        ours, theirs = pty.openpty()
        env = {**self.env, "PATH": PROGRAM.rpartition("/")[0] + ":" + os.environ["PATH"], "ZDOTDIR": str(self.dir), "TERM": "dumb",
               "WW_FUNCTIONS": str(functions), "WW_OFFERED": str(offered)}
        with subprocess.Popen(["zsh", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.dir, env=env, start_new_session=True) as shell:
            os.close(theirs)
            seen, sent, end = b"", False, time.monotonic() + 60
            while "<end>" not in offered.read_text():
                self.assertLess(time.monotonic(), end, seen)
                if select.select([ours], [], [], 0.05)[0]:
                    seen += os.read(ours, 4096)
                if not sent and b"READY" in seen:
                    os.write(ours, line.encode() + b"\t")
                    sent = True
            shell.kill()
        os.close(ours)
        return offered.read_text().split("\n")[:-2]

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh_offers_what_the_help_has(self):
        subprocess.run(["zsh", "-n"], input=self.run_it("completion", "zsh").stdout, text=True, check=True)
        self.assertEqual(self.zsh_offers("walkway "), list(COMMANDS))
        for command in ("run", "guest", "results"):
            self.assertEqual({w[2:] for w in self.zsh_offers(f"walkway {command} --")}, set(self.options(command)), command)
        self.assertEqual(self.zsh_offers("walkway trace "), ["info", "cat", "check", "save", "import-accelsim", "verify-accelsim"])
        self.assertEqual(self.zsh_offers("walkway run -p apu-micro2"), MACHINES)
        self.assertEqual(self.zsh_offers("walkway run --platform=apu-micro2"), MACHINES)
        self.assertEqual(self.zsh_offers("walkway run -o d --ou"), [], "once")
        self.assertEqual(self.zsh_offers("walkway run --set a=1 --se"), ["--set", "--seed", "--series"], "again")
        (self.dir / "mine.wkt").write_text("")
        self.assertEqual(self.zsh_offers("walkway run mine"), ["mine.wkt"])
        self.assertEqual(self.zsh_offers("walkway run --vcd mine"), ["mine.wkt"])
        self.assertEqual(self.zsh_offers("walkway run --jobs mine"), [], "a number")

    def help_groups(self, command):
        """Returns {heading: [option]} of a help whose options have headings."""
        text = self.run_it(command, "--help").stdout.split("\nOptions:\n", 1)[1]
        groups = {}
        for block in text.split("\n\n"):
            head, _, rest = block.lstrip("\n").partition("\n")
            if not head.endswith(":") or not re.match(r" {2}(-\w, | {4})--", rest):
                break
            groups[head.removesuffix(":")] = re.findall(r"^  (?:-\w, |    )--([\w-]+)", rest, re.MULTILINE)
        return groups

    def man_groups(self, command):
        page = self.run_it("completion", "man", command).stdout.split(".SH OPTIONS\n")[1].split("\n.SH ")[0]
        plain = page.replace("\\-", "-")
        return {head: re.findall(r"--([\w-]+)\\fR", rest)
                for head, _, rest in (part.partition("\n") for part in plain.split(".SS ")[1:])}

    def test_many_options_are_in_groups_and_man_has_the_same(self):
        grouped = set()
        for command in COMMANDS:
            options = self.options(command)
            groups = self.help_groups(command)
            if len(options) > 10 or groups:
                grouped.add(command)
                self.assertGreaterEqual(len(groups), 3, command)
                self.assertEqual(groups.pop("Others"), ["help"], f"{command}: every other option has a heading")
                self.assertLessEqual(max(map(len, groups.values())), 12, command)
                self.assertEqual([o for group in groups.values() for o in group] + ["help"], options)
                man = self.man_groups(command)
                self.assertEqual(man.pop("Others"), ["help"])
                self.assertEqual(man, groups, command)
                self.assertEqual(list(man), list(groups), "in the same order")
        self.assertEqual(grouped, {"run", "compare", "advise", "trace", "reproduce", "walk", "guest", "sweep", "search", "results"})
        run = self.help_groups("run")
        self.assertIn("set", run["Machine"])
        self.assertIn("vcd-from", run["Waveforms"])
        self.assertEqual(list(run), ["Machine", "Program", "Part of the program, and of the run", "Results", "Waveforms",
                                     "Lives of translations", "The run over time", "Memory of a real machine", "Others"])

    def test_all_of_it_is_written_where_it_is_looked_for(self):
        self.run_it("completion", "all", "-o", "share")
        files = {str(p.relative_to(self.dir / "share")) for p in (self.dir / "share").rglob("*") if p.is_file()}
        self.assertEqual(files, {"bash-completion/completions/walkway", "zsh/site-functions/_walkway", "man/man1/walkway.1",
                                 *(f"man/man1/walkway-{c}.1" for c in COMMANDS)})
        for words in (("completion",), ("completion", "fish"), ("completion", "all"), ("completion", "bash", "-o", "x"), ("completion", "man", "rnu")):
            self.run_it(*words, code=1)

    # -- workloads

    def add_program(self, name, said):
        """Adds a program that describes itself with `said`, and logs each call."""
        folder = self.dir / "programs"
        folder.mkdir(exist_ok=True)
        program = folder / name
        program.write_text(f"#!/bin/sh\necho {name} >> '{self.dir}/log'\n" + (f"echo '{said}'\n" if said else "exit 2\n"))
        program.chmod(0o755)
        self.env.update(WALKWAY_WORKLOADS=str(folder), XDG_CACHE_HOME=str(self.dir / "cache"))
        return program

    def asked(self):
        log = self.dir / "log"
        names = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return names

    def workloads(self):
        shutil.rmtree(self.dir / "cache", ignore_errors=True)
        return {w["name"]: w for w in json.loads(self.run_it("list", "workloads", "--json").stdout)}

    def test_workloads_are_asked_once(self):
        program = self.add_program("slow", json.dumps(SAID))
        (program.parent / "loop").symlink_to("loop")
        first = self.run_it("list", "workloads", "--json").stdout
        self.assertNotIn("loop", {w["name"] for w in json.loads(first)})
        self.assertGreater(len(self.asked()), 0)
        self.assertEqual(self.run_it("list", "workloads", "--json").stdout, first)
        self.assertEqual(self.asked(), [], "nothing is started again")
        program.write_text(program.read_text().replace('"s"', '"other"'))
        self.assertIn('"other"', self.run_it("list", "workloads", "--json").stdout, "another file is asked anew")

    def test_a_program_without_a_footprint_has_a_fault_and_is_asked_again(self):
        program = self.add_program("odd", json.dumps(SAID))
        for answer, why in (("exit 3", "exit code 3"), ("kill -9 $$", "signal 9"), ('echo "{"', "parse"), ("echo 7", "with number"),
                            ("echo '{\"footprint_bytes\": null}'", "must be number"), ("echo '{\"footprint_bytes\": \"x\"}'", "must be number")):
            program.write_text(f"""#!/bin/sh\n[ "$2" ] && {{ if [ -e '{self.dir}/well' ]; then echo '{json.dumps(SAID)}'; else {answer}; fi; exit; }}
                               echo '{json.dumps(SAID)}'\n""")
            odd = self.workloads()["odd"]
            self.assertEqual(set(odd), {"name", "path", "fault"}, answer)
            self.assertRegex(odd["fault"], f"^--describe --preset demo: .*{why}")
            self.assertIn("cannot be used: --describe --preset demo", self.run_it("list", "workloads").stdout)
            (self.dir / "well").touch()
            again = {w["name"]: w for w in json.loads(self.run_it("list", "workloads", "--json").stdout)}
            self.assertEqual(again["odd"]["presets"]["demo"]["footprint_bytes"], 4096, "nothing was kept")
            (self.dir / "well").unlink()

    def test_a_description_beside_a_program_is_enough(self):
        program = self.add_program("ours", json.dumps(SAID))
        beside = self.dir / "programs/ours.json"
        beside.write_text(json.dumps({**SAID, "summary": "written", "presets": [{**SAID["presets"][0], "footprint_bytes": 12345}]}))
        self.add_program("tool", "")
        (self.dir / "programs/tool.json").write_text('{"tool": true}')
        all_of_them = self.workloads()
        self.assertEqual(self.asked(), [], "nothing is started")
        self.assertNotIn("tool", all_of_them)
        self.assertEqual((all_of_them["ours"]["summary"], all_of_them["ours"]["presets"]["demo"]["footprint_bytes"]), ("written", 12345))
        os.utime(program, (time.time() + 10, time.time() + 10))
        self.assertEqual(self.workloads()["ours"]["summary"], "s", "of another program: it is older")
        self.assertEqual(set(self.asked()), {"ours"})
        for nonsense in ("{", "[]", "7", '{"tool": 1}', '{"summary": "s"}', json.dumps({**SAID, "presets": 3})):
            beside.write_text(nonsense)
            os.utime(beside, (time.time() + 20, time.time() + 20))
            self.assertEqual(self.workloads()["ours"]["summary"], "s", nonsense)
            self.assertEqual(set(self.asked()), {"ours"})

    def test_the_build_s_descriptions_are_what_its_programs_say(self):
        built = pathlib.Path(PROGRAM).parent / "workloads"
        if not (built / "atax").exists():
            self.skipTest("the build has no programs")
        for program in built.iterdir():
            if program.is_file() and os.access(program, os.X_OK):
                self.add_program(program.name, "")
                shutil.copy(f"{program}.json", self.dir / "programs")
        written = self.workloads()
        self.assertEqual(self.asked(), [], "nothing is started")
        self.assertGreater(len(written), 20)
        for name in written:
            (self.dir / f"programs/{name}.json").unlink()
            shutil.copy(built / name, self.dir / "programs")
        self.assertEqual(written, self.workloads())


if __name__ == "__main__":
    unittest.main()
