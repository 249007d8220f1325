# SPDX-License-Identifier: MIT
"""The IOMMU's registers, printed from their declaration: docs/iommu-registers.md holds the same tables, and the IP-XACT
memory map is well-formed XML whose fields fill each register once."""
import os
import pathlib
import subprocess
import unittest
import xml.etree.ElementTree

NAMESPACE = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}


def printed(what):
    return subprocess.run([os.environ["WALKWAY_PROGRAM"], what], capture_output=True, text=True, check=True).stdout


class Registers(unittest.TestCase):
    def test_the_page_holds_the_tables_of_the_declaration(self):
        page = (pathlib.Path(os.environ["WALKWAY_SOURCE"]) / "docs/iommu-registers.md").read_text(encoding="utf-8")
        self.assertIn(printed("markdown").strip(), page)

    def test_the_memory_map_is_xml_whose_fields_fill_each_register_once(self):
        root = xml.etree.ElementTree.fromstring(printed("ipxact"))
        registers = root.findall(".//x:register", NAMESPACE)
        offsets = [int(r.find("x:addressOffset", NAMESPACE).text, 16) for r in registers]
        self.assertEqual(len(offsets), 15)
        self.assertEqual(offsets, sorted(set(offsets)))
        self.assertEqual(offsets[-1], 0x2038)
        for register in registers:
            bits = []
            for field in register.findall("x:field", NAMESPACE):
                low = int(field.find("x:bitOffset", NAMESPACE).text)
                bits += range(low, low + int(field.find("x:bitWidth", NAMESPACE).text))
            self.assertEqual(sorted(bits), list(range(64)), register.find("x:name", NAMESPACE).text)
        by_name = {r.find("x:name", NAMESPACE).text: r for r in registers}
        overflow = by_name["STATUS"].findall("x:field", NAMESPACE)[0]
        self.assertEqual(overflow.find("x:modifiedWriteValue", NAMESPACE).text, "oneToClear")

    def test_another_word_is_refused(self):
        wrong = subprocess.run([os.environ["WALKWAY_PROGRAM"], "yaml"], capture_output=True, text=True)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("markdown|ipxact", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
