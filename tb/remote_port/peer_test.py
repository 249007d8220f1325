#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A simulation with one side of a Remote-Port session (peer_driver.cpp) against another one, and against a peer written by hand:
both roles, requests within requests, and all that breaks the protocol."""
import os
import pathlib
import select
import socket
import struct
import subprocess
import tempfile
import unittest

import peer as wire
from walkway_run import ENOUGH

DRIVER = os.environ["WALKWAY_PROGRAM"]


class PeerTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = str(pathlib.Path(folder.name) / "s")
        self.running = []
        self.addCleanup(lambda: [p.kill() or p.communicate() for p in self.running if p.poll() is None])

    def start(self, role, place=None):
        self.running.append(subprocess.Popen([DRIVER, place or "unix:" + self.path, *role.split()], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                             text=True))
        return self.running[-1]

    def lines(self, process, code=0):
        said = process.communicate(timeout=ENOUGH)[0]
        self.assertEqual(process.returncode, code, said)
        return [line for line in said.splitlines() if line]

    def both(self, one, other):
        agent = self.start("agent", one)
        endpoint = self.start("endpoint", other)  # starts at the same time; one of them listens
        endpoint = self.lines(endpoint)
        self.assertEqual(endpoint[:10], [
            "translated 800008 7fff8 6", "translated 880000 80000 2", "untranslated 0 0 0", "wrote 100 abcdefgh TLM_OK_RESPONSE",
            "wrote 100 ABCDEFGH TLM_OK_RESPONSE", "read 100 AbCdEfGh TLM_OK_RESPONSE", "read 100 AbCd???? TLM_OK_RESPONSE",
            "read 10000 ???? TLM_ADDRESS_ERROR_RESPONSE", "sync 1", endpoint[9]])
        self.assertEqual({*endpoint[9:]}, {"wire 1", "invalidate 15 10000 1000", "invalidate 15 10001 1000", "ended: the peer left",
                                           endpoint[-1]})
        agent = self.lines(agent)
        self.assertEqual([a for a in agent if a.startswith("translate ")],
                         ["translate 15 10008 6", "translate 15 90000 6", "translate 15 110000 6"])
        for line in ("interrupt 1 5 1", "dropped 1", "dropped 0", "time_ns 1f4 0 0"):  # five accesses of 100 ns
            self.assertIn(line, agent)

    def test_an_endpoint_and_an_agent(self):
        self.both(None, None)

    def test_the_same_over_tcp(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.both(f"tcpd:localhost:{port}", f"tcp:127.0.0.1:{port}")

    def test_an_emulator_that_serves_translations(self):
        driver = self.start("endpoint")
        p = wire.Peer(self.path)
        cmd, _, _, _, body = p.take()
        self.assertEqual((cmd, body), (wire.HELLO, bytes.fromhex("000400030000002000040000" "00000001000000020000000300000004")))
        for pa, granted, result in ((0x5008, 2, 0), (0x6000, 6, 0), (0, 0, 1)):
            cmd, number, flags, dev, body = p.take()
            self.assertEqual((cmd, flags, dev, len(body)), (wire.ATS_REQ, 0, 21, 68))
            self.assertEqual(struct.unpack_from(">Q", body, 8)[0], 6)
            p.send(wire.ATS_REQ, p.translation(granted, pa, 0x1000, result), number, wire.RESPONSE, dev)
        cmd, number, flags, dev, body = p.take()  # the first write: physical, extended, stream 3
        self.assertEqual((cmd, dev, len(body)), (wire.WRITE, 3, 60 + 8))
        self.assertEqual(struct.unpack_from(">QQIII", body, 8), (12, 0x100, 8, 0, 8))
        self.assertEqual(body[60:], b"abcdefgh")
        inside = p.send(wire.ATS_INV, p.translation(0, 0x10000, 4096), dev=21)  # before the write is answered
        answer = p.take()
        self.assertEqual(answer[:4], (wire.ATS_INV, inside, wire.RESPONSE, 21))
        self.assertEqual(struct.unpack_from(">I", answer[4], 32)[0], 0)
        p.send(wire.WRITE, p.access(0x100, 8), number, wire.RESPONSE, dev)
        cmd, number, flags, dev, body = p.take()
        self.assertEqual(body[60:], b"ABCDEFGH" + b"\xff\0" * 4)
        p.send(wire.WRITE, p.access(0x100, 8, status=2), number, wire.RESPONSE, dev)
        p.take()
        p.socket.close()
        said = self.lines(driver)
        for line in ("translated 5008 1000 2", "translated 6000 1000 6", "untranslated 0 0 0", "invalidate 15 10000 1000",
                     "wrote 100 abcdefgh TLM_OK_RESPONSE", "wrote 100 ABCDEFGH TLM_ADDRESS_ERROR_RESPONSE",
                     "read 100 ???????? TLM_GENERIC_ERROR_RESPONSE", "ended: the peer left"):
            self.assertIn(line, said)

    def test_an_emulator_without_translations_or_byte_enables(self):
        driver = self.start("endpoint")
        p = wire.Peer(self.path, caps=())
        p.take()
        cmd, number, _, dev, body = p.take()  # without requests for translations
        self.assertEqual((cmd, len(body)), (wire.WRITE, 38 + 8))  # the short layout
        p.send(wire.WRITE, struct.pack(">QQQIIIH", 0, 0, 0x100, 8, 0, 8, 3), number, wire.RESPONSE, dev)
        cmd, number, _, dev, body = p.take()  # and without byte enables
        self.assertEqual((cmd, len(body)), (wire.READ, 38))
        p.socket.close()
        said = self.lines(driver)
        self.assertEqual(said.count("untranslated 0 0 0"), 3)
        self.assertIn("wrote 100 ABCDEFGH TLM_BYTE_ENABLE_ERROR_RESPONSE", said)

    def answer(self, p, taken, pa=0):
        cmd, number, _, dev, body = taken
        if cmd == wire.READ:
            body = p.access(0x100, 8, b"abcdefgh")
        elif cmd in (wire.ATS_REQ, wire.ATS_INV):
            body = p.translation(2, pa, 4096)
        p.send(cmd, body, number, wire.RESPONSE, dev)

    def test_a_process_that_is_killed_or_reset_in_a_request(self):
        """The answer to the ended request arrives before or after that to the next request, and must not be taken for it."""
        for what in ("read", "translate", "invalidate", "interrupt", "sync"):
            for how in ("kill", "reset"):
                for late_first in (True, False):
                    with self.subTest(what=what, how=how, late_first=late_first):
                        driver = self.start(f"ended {what} {how}")
                        p = wire.Peer(self.path)
                        p.take()
                        late = p.take()
                        self.assertEqual(late[3], 3 if what == "read" else 7)
                        p.send(wire.INTERRUPT, struct.pack(">QQIB", 0, 0, 5, 1), flags=wire.POSTED)
                        again = p.take() if how == "reset" else None
                        asked = p.take()
                        self.assertEqual((asked[0], asked[3]), (wire.ATS_REQ, 21))
                        self.assertNotEqual(asked[1], late[1])
                        answers = [(late, 0xdead000), (asked, 0x5000)] + ([(again, 0x7000)] if again else [])
                        for one, pa in answers if late_first else reversed(answers):
                            self.answer(p, one, pa)
                        number = p.send(wire.SYNC, struct.pack(">Q", 1))  # all has been received
                        self.assertEqual(p.take()[:2], (wire.SYNC, number))
                        p.socket.close()
                        said = self.lines(driver)
                        self.assertIn("translated 5000 0 0", said)
                        self.assertEqual((said.count("begins"), said.count("done")), (2, 1) if again else (1, 0))
                        self.assertEqual("got 7000 0 0" in said, what == "translate" and how == "reset")
                        self.assertIn("ended: the peer left", said)

    def test_a_process_that_is_killed_or_reset_before_the_greeting(self):
        for how in ("kill", "reset"):
            driver = self.start("ended greeting " + how)
            p = wire.Peer(self.path, hello=False)
            while driver.stdout.readline() != "ended\n":
                self.assertIsNone(driver.poll())
            p.take()
            p.send(wire.HELLO, struct.pack(">HHIHHI", 4, 3, 32, 1, 0, 4))
            asked = [p.take() for _ in range(2 if how == "reset" else 1)]
            self.assertEqual(sorted(one[3] for one in asked), [7, 21] if how == "reset" else [21])
            for one in asked:
                self.answer(p, one, 0x1000 * one[3])
            p.send(wire.SYNC, struct.pack(">Q", 1))
            p.take()
            p.socket.close()
            said = self.lines(driver)
            self.assertIn("translated 15000 0 0", said)
            self.assertEqual("got 7000 0 0" in said, how == "reset")

    def test_the_process_that_serves_accesses_is_reset_in_one(self):
        for role in ("ended serve reset", "ended serve reset late"):  # late: all packets arrive before the simulation's first process runs
            driver = self.start(role)
            p = wire.Peer(self.path)
            p.take()
            p.send(wire.READ, p.access(4000, 4))  # is never answered
            p.send(wire.INTERRUPT, struct.pack(">QQIB", 0, 0, 5, 1), flags=wire.POSTED)
            self.answer(p, p.take(), 0x5000)
            number = p.send(wire.READ, p.access(0, 4))
            self.assertEqual(p.take()[:2], (wire.READ, number))
            p.socket.close()
            self.assertIn("translated 5000 0 0", self.lines(driver))

    def test_accesses_of_a_peer(self):
        driver = self.start("agent")
        p = wire.Peer(self.path)
        p.take()
        p.send(wire.WRITE, p.access(0, 4, b"wxyz"), flags=wire.POSTED)
        for address, length, status, data in ((0, 4, 0, b"wxyz"), (4094, 4, 2, None), (0, 0, 0, b"")):
            number = p.send(wire.READ, p.access(address, length), dev=5)
            cmd, n, flags, dev, body = p.take()
            self.assertEqual((cmd, n, flags, dev), (wire.READ, number, wire.RESPONSE, 5))
            self.assertEqual(struct.unpack_from(">Q", body, 8)[0], 4 | status << 8)
            if data is not None:
                self.assertEqual(body[60:], data)
        number = p.send(wire.SYNC, struct.pack(">Q", 1))
        self.assertEqual(struct.unpack(">Q", p.take()[4])[0], 300)  # three accesses of 100 ns
        number = p.send(wire.ATS_REQ, p.translation(6, 0x90000, 0), dev=21)
        self.assertEqual(struct.unpack_from(">QQQI", p.take()[4], 8), (2, 0x880000, 0x80000, 0))
        p.socket.close()
        self.assertIn("ended: the peer left", self.lines(driver))

    def test_what_breaks_the_protocol_ends_the_session_with_a_reason(self):
        hello = struct.pack(">5IHHIHH", 1, 12, 0, 0, 0, 4, 3, 32, 0, 0)
        for data, why in ((struct.pack(">5IQ", 6, 8, 0, 0, 0, 0), "the first packet is not HELLO"),
                          (struct.pack(">5IHH", 1, 4, 0, 0, 0, 5, 0), "the peer speaks another major version than 4"),
                          (hello + hello, "a second HELLO"), (b"\xff" * 64, "a packet is longer than any"),
                          (hello + struct.pack(">5I", 2, 0, 0, 0, 0), "NOP and CFG are never sent"),
                          (hello + struct.pack(">5I", 77, 0, 0, 0, 0), "no such command"),
                          (hello + struct.pack(">5IQ", 6, 8, 9, 2, 0, 0), "a response to no request"),
                          (hello + struct.pack(">5I", 7, 68, 0, 0, 0) + bytes(68), "a translation without both sides' capability"),
                          (hello + struct.pack(">5IQ", 6, 8, 0, 0, 512, 0), "a channel above 511"),
                          (hello + struct.pack(">5I", 3, 8, 0, 0, 0) + bytes(8), "an access is shorter than its header"),
                          (hello[:10], "the peer left within a packet"), (b"", "the peer left")):
            with self.subTest(why):
                driver = self.start("agent")
                p = wire.Peer(self.path, hello=False)
                p.raw(data)
                if why.startswith("the peer left"):
                    p.socket.close()
                self.assertIn("ended: " + why, self.lines(driver))
                p.socket.close()

    def test_a_file_at_the_path_is_left_alone(self):
        path = pathlib.Path(self.path)
        path.write_text("notes")
        self.assertEqual(self.lines(self.start("agent alone"), 1), [f"refused: remote port unix:{path}: the path exists and is no socket"])
        self.assertEqual(path.read_text(), "notes")

    def test_a_socket_left_behind_is_replaced_and_removed_even_if_no_peer_comes(self):
        with socket.socket(socket.AF_UNIX) as old:
            old.bind(self.path)
        self.assertEqual(self.lines(self.start("agent alone"), 1), [f"refused: remote port unix:{self.path}: no peer came"])
        self.assertFalse(os.path.lexists(self.path))

    def test_a_peer_that_leaves_before_it_reads(self):
        driver = self.start("agent")
        p = wire.Peer(self.path, hello=False)
        select.select([p.socket], [], [], 10)  # HELLO is left unread, so that the close becomes a reset
        p.socket.close()
        self.assertIn("ended: the peer left", self.lines(driver))

    def test_places(self):
        for place, why in (("tcp:10.0.0.1:5000", "not this computer"), ("tcpd:0.0.0.0:5000", "not this computer"),
                           ("tcp:localhost:70000", "PORT up to 65535"), ("tcp:localhost", "PORT up to 65535"),
                           ("tcp:example:1", "four numbers"), ("unix:", "a path of 1 to 107 bytes"), ("unix:" + "x" * 108, "a path"),
                           ("serial:0", "wants unix:PATH")):
            said = self.lines(self.start("agent", place), code=1)
            self.assertIn(why, said[-1])


if __name__ == "__main__":
    unittest.main()
