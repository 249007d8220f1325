# SPDX-License-Identifier: MIT
"""The IOMMU's registers, printed from their declaration: docs/model/iommu-registers.md has the same tables, and the installed
IP-XACT memory map is well-formed XML that describes each register and field as these tables do."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

NAMESPACE = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
# In the order that the schema requires.
IN_A_REGISTER = ["name", "description", "addressOffset", "size"]
IN_A_FIELD = ["name", "description", "bitOffset", "resets", "bitWidth", "access", "modifiedWriteValue", "reserved"]


def printed(*words):
    return subprocess.run([os.environ["WALKWAY_PROGRAM"], *words], capture_output=True, text=True, check=True).stdout


def number(text):
    return int(text[2:], 16) if text.startswith("'h") else int(text)


def declared():
    """Returns the tables as {register: (offset, text, {field: (low, width, access, state, reset, text)})}."""
    registers = {}
    for line in printed("markdown").splitlines():
        if title := re.fullmatch(r"### (0x[0-9a-f]{4}) ([A-Z_]+): (.*)", line):
            fields = {}
            registers[title[2]] = (int(title[1], 16), title[3], fields)
        elif row := re.fullmatch(r"\| (\d+)(?::(\d+))? \| (\w+) \| (\w+) \| \*(\w+)\* \| (\d+) \| (.*) \|", line):
            high, low = int(row[1]), int(row[2] or row[1])
            fields[row[3]] = (low, high - low + 1, row[4], row[5], int(row[6]), row[7])
    return registers


class Registers(unittest.TestCase):
    def test_the_page_holds_the_tables_of_the_declaration(self):
        page = (pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs/model/iommu-registers.md").read_text(encoding="utf-8")
        self.assertIn(printed("markdown").strip(), page)

    def test_the_memory_map_that_the_build_makes_is_the_printed_one(self):
        self.assertEqual(pathlib.Path(os.environ["WALKWAY_IPXACT"]).read_text(encoding="utf-8"), printed("ipxact"))

    def test_the_memory_map_says_what_the_declaration_says(self):
        root = xml.etree.ElementTree.fromstring(printed("ipxact"))
        block = root.find(".//x:addressBlock", NAMESPACE)
        self.assertEqual([number(block.find("x:" + name, NAMESPACE).text) for name in ("baseAddress", "range", "width")], [0, 0x4000, 64])
        registers = block.findall("x:register", NAMESPACE)
        want = declared()
        self.assertGreaterEqual(len(want), 15)
        self.assertEqual([r.find("x:name", NAMESPACE).text for r in registers], list(want))
        for register in registers:
            offset, text, fields = want[register.find("x:name", NAMESPACE).text]
            self.assertEqual(number(register.find("x:addressOffset", NAMESPACE).text), offset)
            self.assertEqual(register.find("x:description", NAMESPACE).text, text)
            self.assertEqual(number(register.find("x:size", NAMESPACE).text), 64)
            self.assertEqual([self.tag(e) for e in register], IN_A_REGISTER + ["field"] * len(fields))
            bits = []
            for field in register.findall("x:field", NAMESPACE):
                low, width, access, state, reset, text = fields[field.find("x:name", NAMESPACE).text]
                tags = [self.tag(e) for e in field]
                self.assertEqual(tags, [name for name in IN_A_FIELD if name in tags])
                said = {self.tag(e): e.text for e in field}
                self.assertEqual((number(said["bitOffset"]), number(said["bitWidth"])), (low, width))
                self.assertEqual(number(field.find(".//x:value", NAMESPACE).text), reset)
                self.assertEqual(said["description"], f"{state}: {text}")
                self.assertEqual(said["access"], "read-write" if access in ("RW", "W1C") else "read-only")
                self.assertEqual("modifiedWriteValue" in said, access == "W1C")
                self.assertEqual("reserved" in said, access == "RSV")
                bits += range(low, low + width)
            self.assertEqual(sorted(bits), list(range(64)))

    def tag(self, element):
        return element.tag.split("}")[1]

    def test_other_words_and_files_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for words, code, said in ((["yaml"], 2, "markdown|ipxact"), ([], 2, "markdown|ipxact"),
                                      (["ipxact", folder + "/none/x"], 1, "cannot be written")):
                wrong = subprocess.run([os.environ["WALKWAY_PROGRAM"], *words], capture_output=True, text=True)
                self.assertEqual(wrong.returncode, code)
                self.assertIn(said, wrong.stderr)


if __name__ == "__main__":
    unittest.main()
