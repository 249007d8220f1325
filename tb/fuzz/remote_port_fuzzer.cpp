/* SPDX-License-Identifier: MIT */
/* tb/fuzz/remote_port_fuzzer.cpp - libFuzzer on Remote-Port: the input is what a peer sends after its HELLO,
 * with requests of ours between its packets. Each packet is refused with a reason or read within its bytes;
 * an accepted one is encoded again with the same meaning; the session keeps its invariants. */
#include "remote_port/session.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" [[noreturn]] void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

namespace
{

[[noreturn]] void defect(const char *what)
{
    std::fprintf(stderr, "defect: %s\n", what);
    std::abort();
}

void prove_same(const ww_rp_packet &p)
{
    std::vector<uint8_t> wire(256 + (p.data != nullptr ? p.length : 0) + p.enables); /* ATS has no data */
    wire.resize(ww_rp_encode(&p, wire.data(), wire.size()));
    ww_rp_packet q;
    if (wire.empty() || ww_rp_decode(wire.data(), wire.size(), &q) != nullptr)
        defect("what was accepted cannot be sent on");
    if (q.cmd != p.cmd || q.id != p.id || q.flags != p.flags || q.dev != p.dev || q.address != p.address ||
        q.length != p.length || q.attributes != p.attributes || q.master_id != p.master_id ||
        q.enables != p.enables || q.caps != p.caps || q.line != p.line || q.result != p.result)
        defect("a packet changes its meaning");
    if (p.data != nullptr && std::memcmp(p.data, q.data, p.length) != 0)
        defect("data change");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ww_rp_session session;
    ww_rp_session_init(&session, 0x1e);
    ww_rp_packet hello = ww_rp_hello(&session);
    uint64_t tag = 0;
    const char *why = "";
    ww_rp_take(&session, &hello, &tag, &why);
    while (size >= WW_RP_HEAD_BYTES) {
        const size_t count = ww_rp_packet_bytes(data);
        if (count == 0 || count > size)
            break;
        const std::vector<uint8_t> exact(data, data + count);
        ww_rp_packet p;
        if (ww_rp_decode(exact.data(), exact.size(), &p) != nullptr)
            break;
        prove_same(p);
        ww_rp_packet ours{};
        ours.cmd = p.cmd;
        ours.dev = p.dev;
        if (p.cmd >= WW_RP_READ)
            ww_rp_request(&session, &ours, p.id);
        const ww_rp_event e = ww_rp_take(&session, &p, &tag, &why);
        if (ww_rp_session_check(&session) != nullptr)
            defect("a broken invariant of the session");
        if (e == WW_RP_BROKEN)
            break;
        data += count;
        size -= count;
    }
    return 0;
}
