#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An IOMMU of a simulation (iommu_driver.cpp) as the translation agent of a peer written by hand: requests for translations,
translated and other accesses, an invalidate that is answered, refused, or never answered."""
import os
import pathlib
import struct
import subprocess
import tempfile
import time
import unittest

import peer as wire

DRIVER = os.environ["WALKWAY_PROGRAM"]
PHYSICAL, SECURE = 8, 2


class IommuTest(unittest.TestCase):
    def start(self, seconds, *more):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = str(pathlib.Path(folder.name) / "s")
        driver = subprocess.Popen([DRIVER, "unix:" + path, seconds, *more], stdout=subprocess.PIPE, text=True)
        self.addCleanup(lambda: driver.poll() is None and (driver.kill() or driver.communicate()))
        p = wire.Peer(path)
        self.addCleanup(p.socket.close)
        p.take()
        while driver.stdout.readline() != "ready\n":
            self.assertIsNone(driver.poll())
        return driver, p

    def lines(self, driver, p):
        """The driver's output; the peer closes the connection once the driver has completed its work."""
        said = ""
        while not said.splitlines()[-1:] or not said.splitlines()[-1].startswith("completed"):
            line = driver.stdout.readline()
            self.assertTrue(line, said)
            said += line
        p.socket.close()
        said += driver.stdout.read()
        driver.wait(timeout=30)
        self.assertEqual(driver.returncode, 0, said)
        return [line for line in said.splitlines() if line and not line.startswith("Info: ")]

    def ask(self, p, address, wanted=6, dev=21):
        number = p.send(wire.ATS_REQ, p.translation(wanted, address, 0), dev=dev)
        cmd, n, flags, d, body = p.take()
        self.assertEqual((cmd, n, flags, d), (wire.ATS_REQ, number, wire.RESPONSE, dev))
        return struct.unpack_from(">QQQI", body, 8)

    def access(self, p, cmd, address, data=b"", attributes=0, dev=21, master=7):
        body = bytearray(p.access(address, 8, data))
        body[36:38] = struct.pack(">H", master)
        body[8:16] = struct.pack(">Q", 4 | attributes)
        p.send(cmd, bytes(body), dev=dev)
        answer = p.take()[4]
        return struct.unpack_from(">Q", answer, 8)[0] >> 8 & 15, answer[60:68]

    def test_translations_accesses_and_an_invalidate(self):
        driver, p = self.start("20")
        self.assertEqual(self.ask(p, 0x5010), (6, 0x8010, 0xff0, 0))
        self.assertEqual(self.ask(p, 0x5fff, wanted=2), (2, 0x8fff, 1, 0))
        self.assertEqual(self.ask(p, 0x6000), (0, 0, 0, 1))
        self.assertEqual(self.ask(p, 0x5010, wanted=0), (0, 0, 0, 1))
        self.assertEqual(self.ask(p, 0x5010, dev=22), (0, 0, 0, 1))  # requester 22 has no TLB: event 8
        self.assertEqual(self.access(p, wire.WRITE, 0x8010, b"abcdefgh", PHYSICAL)[0], 0)
        self.assertEqual(self.access(p, wire.READ, 0x5010), (0, b"abcdefgh"))  # the same memory
        self.assertEqual(self.access(p, wire.READ, 0x8010)[0], 2)  # neither translated nor mapped: event 2
        self.assertEqual(self.access(p, wire.READ, 0x8010, b"", PHYSICAL, dev=22)[0], 1)  # event 8
        p.send(wire.INTERRUPT, struct.pack(">QQIB", 0, 0, 5, 1), flags=wire.POSTED, dev=21)
        cmd, number, flags, dev, body = p.take()
        self.assertEqual((cmd, dev), (wire.ATS_INV, 21))
        self.assertEqual(struct.unpack_from(">QQ", body, 16), (0x5000, 0x1000))
        self.assertEqual(self.ask(p, 0x5010), (6, 0x8010, 0xff0, 0))  # before the invalidate is answered
        time.sleep(0.3)  # a slow device; simulated time does not advance
        p.send(wire.ATS_INV, p.translation(0, 0x5000, 0x1000), number, wire.RESPONSE, dev)
        self.assertEqual(self.lines(driver, p), ["completed", "page abcdefgh", "event 8 of 16", "event 2 of 15", "event 8 of 16",
                                                 "ended: the peer left"])

    def test_a_function_whose_accesses_and_translations_have_channels_of_their_own(self):
        driver, p = self.start("20", "map")
        self.assertEqual(self.ask(p, 0x5010, dev=9), (6, 0x8010, 0xff0, 0))
        self.assertEqual(self.access(p, wire.WRITE, 0x8010, b"abcdefgh", PHYSICAL | SECURE, dev=5, master=0x15)[0], 0)
        self.assertEqual(self.access(p, wire.READ, 0x5010, dev=5, master=0x15), (0, b"abcdefgh"))
        self.assertEqual(self.access(p, wire.READ, 0x5010, dev=22, master=22), (0, b"abcdefgh"))  # its own channel
        self.assertEqual(self.access(p, wire.READ, 0x8010, b"", PHYSICAL, dev=22, master=22)[0], 1)  # event 8
        p.send(wire.INTERRUPT, struct.pack(">QQIB", 0, 0, 5, 1), flags=wire.POSTED, dev=21)
        cmd, number, _, dev, _ = p.take()
        self.assertEqual((cmd, dev), (wire.ATS_INV, 9))
        p.send(wire.ATS_INV, p.translation(0, 0x5000, 0x1000), number, wire.RESPONSE, dev)
        self.assertEqual(self.lines(driver, p), ["secure 1", "completed", "page abcdefgh", "event 8 of 16", "ended: the peer left"])

    def test_an_invalidate_that_is_refused_or_never_answered_times_out(self):
        for result in (1, None):
            driver, p = self.start("0.2")
            self.ask(p, 0x5000)
            p.send(wire.INTERRUPT, struct.pack(">QQIB", 0, 0, 5, 1), flags=wire.POSTED, dev=21)
            cmd, number, _, dev, _ = p.take()
            self.assertEqual(cmd, wire.ATS_INV)
            if result is not None:
                p.send(wire.ATS_INV, p.translation(0, 0x5000, 0x1000, result), number, wire.RESPONSE, dev)
            said = self.lines(driver, p)
            self.assertEqual(said, ["completed late", "page ", "event 7 of 15", "ended: the peer left"])

    def test_a_peer_that_leaves_instead(self):
        driver, p = self.start("20")
        self.ask(p, 0x5000)
        p.send(wire.INTERRUPT, struct.pack(">QQIB", 0, 0, 5, 1), flags=wire.POSTED, dev=21)
        self.assertEqual(p.take()[0], wire.ATS_INV)
        p.socket.close()
        self.assertEqual(self.lines(driver, p), ["ended: the peer left", "completed late", "page ", "event 7 of 15"])

    def test_requests_that_wait_without_end_end_the_session(self):
        driver, p = self.start("20")
        self.ask(p, 0x5000)
        p.send(wire.INTERRUPT, struct.pack(">QQIB", 0, 0, 5, 1), flags=wire.POSTED, dev=21)
        self.assertEqual(p.take()[0], wire.ATS_INV)  # time does not advance, nor do walks, whose memory waits
        body = p.translation(6, 0x6000, 0)
        p.raw(b"".join(struct.pack(">5I", wire.ATS_REQ, len(body), 100 + i, 0, 21) + body for i in range(4100)))
        self.assertEqual(self.lines(driver, p), ["ended: the peer asks for translations faster than they can be found", "completed late",
                                              "page ", "event 7 of 15"])


if __name__ == "__main__":
    unittest.main()
