#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""walkway trace info --pages: the numbers of a trace worked out by hand, the JSON's schema, agreement of text and JSON, the picture, and
refusals."""
import json
import os
import pathlib
import sys
import unittest
import xml.etree.ElementTree

import jsonschema

from walkway_run import RunTest, damaged, make_trace, tiny_files

SOURCE = pathlib.Path(os.environ["WALKWAY_SOURCE"])
SCHEMA = json.loads((SOURCE / "docs" / "develop" / "trace-info.schema.json").read_text())
ATAX = SOURCE / "waveforms" / "atax-512.wkt"
SVG = "{http://www.w3.org/2000/svg}"


class TraceInfoTest(RunTest):
    def setUp(self):
        super().setUp()
        self.trace = make_trace(self.dir / "t.wkt")

    def info(self, *words, code=0, **more):
        return self.run_it("trace", "info", *words, code=code, **more)

    def pages(self, *words):
        all_of_it = json.loads(self.info("--json", "--pages", *words).stdout)
        jsonschema.validate(all_of_it, SCHEMA)
        return all_of_it["pages"]

    def refused(self, *words, says, code=1, **more):
        error = self.info(*words, code=code, **more).stderr
        for part in says:
            self.assertIn(part, error)

    def test_a_trace_worked_by_hand(self):
        """2 launches x 3 groups x 2 waves: a load of pages 0 to 63, a load of the 64 pages (7919 lane + wave) mod 1024, a store to pages 0
        to 63, a barrier."""
        pages = self.pages(self.trace)
        whole, lanes = pages["whole"], 64 * 12
        self.assertEqual(whole["instructions"], 36)
        self.assertEqual(whole["kinds"], {"load": {"instructions": 24, "lanes": 2 * lanes, "bytes": 8 * lanes},
                                          "store": {"instructions": 12, "lanes": lanes, "bytes": 4 * lanes},
                                          "atomic": {"instructions": 0, "lanes": 0, "bytes": 0}})
        self.assertEqual(whole["lanes"], {"mean": 64, "histogram": [{"lanes": 64, "instructions": 36}]})
        self.assertEqual(whole["pages"], {"mean": 64, "histogram": [{"pages": 64, "instructions": 36}]})
        scattered = [{(lane * 7919 + wave) % 1024 for lane in range(64)} for wave in (0, 1)]
        neighbourhoods = [len({page // 8 for page in pages}) for pages in scattered]
        expect = {8: 24}
        for n in neighbourhoods:
            expect[n] = expect.get(n, 0) + 6
        self.assertEqual({h["neighbourhoods"]: h["instructions"] for h in whole["neighbourhoods"]["histogram"]}, expect)
        touched = set(range(64)) | scattered[0] | scattered[1]
        self.assertEqual({size: f["pages"] for size, f in whole["footprint"].items()},
                         {"4K": len(touched), "64K": len({p // 16 for p in touched}), "2M": len({p // 512 for p in touched})})
        self.assertEqual(whole["buffers"], [{"buffer": 0, "pages_touched": len(touched), "pages": 1024,
                                             "share": len(touched) / 1024, "page_accesses": 36 * 64}])
        self.assertEqual(whole["page_accesses"], 36 * 64)
        self.assertEqual(whole["cold"], len(touched))
        self.assertEqual([(k["kernel"], k["launches"], k["page_accesses"]) for k in pages["kernels"]],
                         [("kernel_0", 1, 18 * 64), ("kernel_1", 1, 18 * 64)])
        self.assertEqual(pages["kernels"][1]["cold"], 0)
        self.assertEqual(pages["working_set"]["launch_starts"], [0, 18 * 64])

    def test_sums_hold_and_misses_fall(self):
        for words in ([], ["--page", "64k"], ["--page", "2M"], ["--resident-waves", "1"], ["--resident-groups", "2"],
                      ["--windows", "5"]):
            with self.subTest(words=words):
                pages = self.pages(*words, ATAX)
                for part in [pages["whole"], *pages["kernels"]]:
                    reused = sum(r["page_accesses"] for r in part["reuse_distance"])
                    self.assertEqual(part["cold"] + reused, part["page_accesses"])
                    for what in ("lanes", "pages", "neighbourhoods"):
                        self.assertEqual(sum(h["instructions"] for h in part[what]["histogram"]), part["instructions"])
                    misses = [t["misses"] for t in part["lru_tlb"]]
                    self.assertEqual(misses, sorted(misses, reverse=True))
                whole, windows = pages["whole"], pages["working_set"]["windows"]
                self.assertEqual(whole["lru_tlb"][-1]["misses"], whole["cold"])
                size = {4096: "4K", 65536: "64K", 2 << 20: "2M"}[pages["page_bytes"]]
                self.assertEqual(whole["cold"], whole["footprint"][size]["pages"])
                self.assertEqual(sum(w["new"] for w in windows), whole["cold"])
                self.assertLessEqual(len(windows), 4 if words[:1] == ["--windows"] else 64)

    def test_the_order_of_accesses_is_the_user_s(self):
        alone = self.pages("--resident-waves", "1", ATAX)["whole"]
        together = self.pages(ATAX)["whole"]
        self.assertEqual(alone["page_accesses"], together["page_accesses"])
        self.assertEqual(alone["footprint"], together["footprint"])
        self.assertNotEqual(alone["reuse_distance"], together["reuse_distance"])

    def test_the_text_has_the_numbers_of_the_json(self):
        text = self.info("--pages", ATAX).stdout
        pages = self.pages(ATAX)
        for part in [pages["whole"], *pages["kernels"]]:
            for number in (part["instructions"], part["page_accesses"], part["cold"], part["footprint"]["4K"]["pages"],
                           *(r["page_accesses"] for r in part["reuse_distance"])):
                self.assertIn(f"{number:,}", text)
            self.assertIn(f"{part['pages']['mean']:.2f}", text)
        for window in pages["working_set"]["windows"]:
            self.assertRegex(text, rf"  {window['distinct']:,}  #* +{window['new']:,}  ")
        for words in ("pages of 4 KiB, neighbourhoods of 32.0 KiB, at most 320 waves resident", "--- the whole trace",
                      "--- atax_rows", "--- atax_columns", "LRU TLB of", "Working set: windows of"):
            self.assertIn(words, text)
        text = self.info("--page", "2m", "--resident-waves", "1", "--resident-groups", "2", ATAX).stdout
        self.assertIn("pages of 2 MiB, neighbourhoods of 16.0 MiB, at most 1 wave and 2 work-groups resident", text)

    def test_without_an_option_about_pages_no_group_is_read(self):
        text = self.info(self.damaged()).stdout
        self.assertNotIn("neighbourhoods", text)
        self.assertNotIn("pages", json.loads(self.info("--json", self.trace).stdout))

    def words_of(self, picture):
        """The texts of a picture, which is whole SVG with nothing from elsewhere."""
        text = (self.dir / picture).read_text()
        for outside in ("<script", "nan", 'inf"'):
            self.assertNotIn(outside, text)
        root = xml.etree.ElementTree.fromstring(text)
        self.assertFalse([v for e in root.iter() for k, v in e.items() if k.endswith("href") and not v.startswith("#")])
        return ["".join(t.itertext()).strip() for t in root.iter(SVG + "text")]

    def test_the_picture_shows_four_panels(self):
        said = json.loads(self.info("--svg", "a.svg", "--json", ATAX).stdout)
        words = self.words_of("a.svg")
        for part in ("What a wave instruction touches", "Reuse distance, and misses of an LRU TLB", "Working set over time",
                     "Buffers", "page accesses so far", "atax_rows", "buffer 0", "all", "atax-512.wkt: atax 512 --group 64",
                     "distinct in 4,096 accesses", f"pages (mean {said['pages']['whole']['pages']['mean']:.1f})"):
            self.assertIn(part, words)
        self.assertTrue(any(w.startswith("24,592 instructions, 151,568 page accesses; pages of 4 KiB") for w in words))
        self.info("--svg", "b.svg", ATAX)
        self.assertEqual((self.dir / "a.svg").read_bytes(), (self.dir / "b.svg").read_bytes())
        self.info("--svg", "a.pdf", ATAX)
        self.assertTrue((self.dir / "a.pdf").read_bytes().startswith(b"%PDF"))

    def test_heights_are_the_numbers(self):
        axes = self.drawn(json.loads(self.info("--pages", "--json", ATAX).stdout)).axes
        bars = lambda a, n: [round(b.get_height(), 3) for b in a.containers[n]]
        self.assertEqual(bars(axes[0], 0), [83.344, 0, 0, 0, 0, 16.656, 0]) # 20,496 and 4,096 of 24,592
        self.assertEqual(bars(axes[0], 2), [0, 0, 0, 0, 0, 0, 100])
        lru = json.loads(self.info("--pages", "--json", ATAX).stdout)["pages"]["whole"]["lru_tlb"]
        for line in lru: # the first line is of the whole trace, from one entry on
            self.assertAlmostEqual(axes[1].lines[0].get_ydata()[line["entries"].bit_length() - 1], 100 * line["ratio"], places=9)
        self.assertEqual([round(b.get_width(), 3) for b in axes[3].containers[0]], [100, 100, 100, 100])
        self.assertEqual(round(axes[3].containers[1][0].get_width(), 1), 89.2) # 135,168 of 151,568

    def drawn(self, info, **words):
        sys.path.insert(0, str(SOURCE / "tool" / "python"))
        from walkway import figure
        try:
            made = figure.pages(info, **words)
            figure.save(made, self.dir / "drawn.svg")
            return made
        finally:
            sys.path.pop(0)

    def test_an_awkward_trace_has_a_picture(self):
        info = json.loads(self.info("--pages", "--json", ATAX).stdout)
        pages = info["pages"]
        pages["whole"]["pages"]["histogram"] = [{"pages": 65, "instructions": 5}, {"pages": 128, "instructions": 5}]
        pages["whole"]["buffers"] = [dict(pages["whole"]["buffers"][0], buffer=b, page_accesses=b) for b in range(20)]
        pages["whole"]["buffers"][19]["share"] = None # of an empty buffer
        info["buffers"] = info["buffers"][:1] * 20
        name = '$x^$ a<b>&"\x01\x7f too long a name to be shown '
        pages["kernels"] = [dict(pages["kernels"][0], kernel=name + str(k)) for k in range(12)]
        info["launches"] = [dict(info["launches"][0], kernel=name + str(k)) for k in range(12)]
        pages["working_set"]["launch_starts"] = list(range(0, 12000, 1000))
        self.drawn(info, title="awkward & <long> $y")
        words = self.words_of("drawn.svg")
        self.assertIn("awkward & <long> $y", words)
        self.assertIn("% (and 13 more, with fewer page accesses)", words)
        self.assertIn("65-128", words)
        self.assertEqual(sum(w.startswith('$x^$ a<b>&"??') for w in words), 4, "all and four kernels; too many to mark where they begin")
        pages["kernels"] = [dict(pages["kernels"][0], kernel="_k"), dict(pages["kernels"][0], kernel="idle", page_accesses=0)]
        self.drawn(info)
        self.assertNotIn("idle", self.words_of("drawn.svg"))
        self.assertIn("\u200b_k", self.words_of("drawn.svg"))
        info["pages"]["whole"]["page_accesses"] = 0
        self.drawn(info)
        self.assertIn("no access of global memory", self.words_of("drawn.svg"))

    def test_a_picture_that_cannot_be_written_leaves_nothing(self):
        self.refused("--svg", "no/a.svg", self.damaged(), code=4, says=["--svg no/a.svg: there is no folder no"])
        self.refused("--svg", "a.jpg", ATAX, code=1, says=["wants a name that ends in .svg, .pdf or .png"])
        before = sorted(self.dir.iterdir())
        self.refused("--svg", "a.svg", ATAX, code=2, says=["--svg a.svg: not drawn", "File too large"], preexec_fn=tiny_files(30000))
        self.assertEqual(sorted(self.dir.iterdir()), before)

    def damaged(self):
        return damaged(self.trace, self.dir / "bad.wkt")

    def test_a_damaged_group_is_named_and_gives_no_result(self):
        bad = self.damaged()
        self.refused("--pages", "--svg", "a.svg", bad, code=2, says=["bad.wkt", "work-group 0 of launch 0 is damaged"])
        self.assertFalse((self.dir / "a.svg").exists())

    def test_a_picture_over_the_trace_is_refused_before_a_group_is_read(self):
        bad = self.damaged()
        self.refused("--groups", "0", "--svg", bad, bad, says=["--svg", "would overwrite the trace"])

    def test_numbers_that_are_not_in_the_trace(self):
        for option, says in (("launch", "--launch 4294967295: the trace has 2 launches"), ("group", "no such work-group or wave"),
                             ("wave", "no such work-group or wave")):
            self.assertIn(says, self.run_it("trace", "cat", f"--{option}", 2**32 - 1, self.trace, code=1).stderr)

    def test_what_is_out_of_range_is_refused(self):
        self.refused("--page", "4kb", self.trace, says=["--page 4kb", "4k, 64k, 2m", "did you mean '4k'"])
        self.refused("--page", "1g", self.trace, says=["--page 1g", "4k, 64k, 2m"])
        self.refused("--windows", "1", self.trace, says=["--windows 1", "from 2 to 1024"])
        self.refused("--windows", "1025", self.trace, says=["--windows 1025", "from 2 to 1024"])
        self.refused("--resident-waves", "0", self.trace, says=["--resident-waves 0", "from 1 to"])
        self.refused("--resident-groups", "0", self.trace, says=["--resident-groups 0", "from 1 to"])
        self.assertIn("trace cat: has no option --pages", self.run_it("trace", "cat", "--pages", self.trace, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
