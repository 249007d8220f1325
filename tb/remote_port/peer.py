#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A Remote-Port peer written by hand from the protocol's tables, for peer_test.py: it connects, and sends what a test tells it
to."""
import socket
import struct
import time

HELLO, READ, WRITE, INTERRUPT, SYNC, ATS_REQ, ATS_INV = 1, 3, 4, 5, 6, 7, 8
RESPONSE, POSTED = 2, 4


class Peer:
    def __init__(self, path, caps=(1, 2, 3, 4), hello=True):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        for _ in range(2000):
            try:
                self.socket.connect(path)
                break
            except OSError:
                time.sleep(0.01)
        self.bytes, self.next_id = b"", 0
        if hello:
            self.send(HELLO, struct.pack(">HHIHH", 4, 3, 32, len(caps), 0) + b"".join(struct.pack(">I", c) for c in caps))

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, cmd, body, number=None, flags=0, dev=0):
        if number is None:
            number, self.next_id = self.next_id, self.next_id + 1
        self.raw(struct.pack(">5I", cmd, len(body), number, flags, dev) + body)
        return number

    def take(self):
        """Receives a packet: (cmd, id, flags, dev, body), or None at the end."""
        while len(self.bytes) < 20 or len(self.bytes) < 20 + struct.unpack_from(">I", self.bytes, 4)[0]:
            more = self.socket.recv(65536)
            if not more:
                return None
            self.bytes += more
        cmd, length, number, flags, dev = struct.unpack_from(">5I", self.bytes)
        body, self.bytes = self.bytes[20:20 + length], self.bytes[20 + length:]
        return cmd, number, flags, dev, body

    @staticmethod
    def access(address, length, data=b"", enable=b"", status=0, stream=None):
        return struct.pack(">QQQIIIHHIIIII", 0, 4 | status << 8, address, length, 0, length if stream is None else stream, 7, 0, 0, 80,
                           0, 80 + len(data), len(enable)) + data + enable

    @staticmethod
    def translation(attributes, address, length, result=0):
        return struct.pack(">QQQQI32x", 0, attributes, address, length, result)
