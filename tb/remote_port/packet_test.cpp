/* SPDX-License-Identifier: MIT */
/* tb/remote_port/packet_test.cpp - packets byte by byte, each written by hand from the protocol's tables, and
 * what is refused. */
#include "remote_port/packet.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace data = boost::unit_test::data;
using bytes = std::vector<uint8_t>;

namespace
{

/* Reads text such as "0000 0001 | ...", without its blanks and bars. */
bytes hex(const std::string &text)
{
    bytes out;
    std::string digits;
    for (const char c : text)
        if (std::isxdigit(static_cast<unsigned char>(c)))
            digits += c;
    for (size_t i = 0; i + 1 < digits.size(); i += 2)
        out.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    return out;
}

bytes encoded(const ww_rp_packet &p, size_t room = 4096)
{
    bytes out(room, 0xcc);
    out.resize(ww_rp_encode(&p, out.data(), room));
    return out;
}

std::string refusal(const bytes &b)
{
    ww_rp_packet p;
    const char *why = ww_rp_decode(b.data(), b.size(), &p);
    return why == nullptr ? "" : why;
}

ww_rp_packet decoded(const bytes &b)
{
    ww_rp_packet p;
    BOOST_TEST_REQUIRE(refusal(b) == "");
    ww_rp_decode(b.data(), b.size(), &p);
    return p;
}

const char *const head_write = "00000004 0000003c 00000007 00000000 00000003";

/* A WRITE of four bytes with byte enables; its header has 80 bytes. */
const char *const write_text = "00000004 00000044 00000007 00000000 00000003" /* cmd len id flags dev */
                               "0000000000000102 0000000000000006"            /* timestamp, attributes */
                               "1122334455667788 00000004 00000000 00000004"  /* address len width stream */
                               "beef cafe 00c0ffee"                           /* master */
                               "00000050 00000000 00000054 00000004"          /* data, next, enables */
                               "a1a2a3a4 ff00ff00";

ww_rp_packet write_packet()
{
    static const uint8_t some[] = {0xa1, 0xa2, 0xa3, 0xa4}, enable[] = {0xff, 0, 0xff, 0};
    ww_rp_packet p{};
    p.cmd = WW_RP_WRITE;
    p.id = 7;
    p.dev = 3;
    p.timestamp = 0x102;
    p.attributes = WW_RP_BUS_SECURE | WW_RP_BUS_EXT;
    p.address = 0x1122334455667788;
    p.length = 4;
    p.stream_width = 4;
    p.master_id = 0x00c0ffeecafebeef;
    p.data = some;
    p.enable = enable;
    p.enables = 4;
    return p;
}

} // namespace

BOOST_AUTO_TEST_SUITE(packet)

BOOST_AUTO_TEST_CASE(hello_is_32_bytes_and_its_capabilities)
{
    ww_rp_packet p{};
    p.cmd = WW_RP_HELLO;
    p.major = 4;
    p.minor = 3;
    p.caps = WW_RP_CAP_BIT(WW_RP_CAP_EXT) | WW_RP_CAP_BIT(WW_RP_CAP_ATS);
    const bytes wanted = hex("00000001 00000014 00000000 00000000 00000000"
                             "0004 0003 00000020 0002 0000 00000001 00000004");
    BOOST_TEST(encoded(p) == wanted, boost::test_tools::per_element());
    const ww_rp_packet back = decoded(wanted);
    BOOST_TEST(back.major == 4);
    BOOST_TEST(back.minor == 3);
    BOOST_TEST(back.caps == p.caps);
}

BOOST_AUTO_TEST_CASE(hello_may_end_with_its_version)
{
    const ww_rp_packet p = decoded(hex("00000001 00000004 00000000 00000000 00000000 0004 0001"));
    BOOST_TEST(p.major == 4);
    BOOST_TEST(p.caps == 0u);
    BOOST_TEST(refusal(hex("00000001 00000002 00000000 00000000 00000000 0004")) ==
               "HELLO is shorter than its version");
}

BOOST_AUTO_TEST_CASE(hello_with_capabilities_elsewhere_or_nowhere)
{
    const char *const head = "00000001 00000010 00000000 00000000 00000000 0004 0003";
    BOOST_TEST(decoded(hex(std::string(head) + "00000020 0001 0000 00000002")).caps == 4u);
    BOOST_TEST(decoded(hex(std::string(head) + "00000020 0001 0000 00000063")).caps ==
               0u); /* an unknown capability */
    BOOST_TEST(refusal(hex(std::string(head) + "00000021 0001 0000 00000002")) ==
               "the capabilities of HELLO lie outside it");
    BOOST_TEST(refusal(hex(std::string(head) + "ffffffff 0001 0000 00000002")) ==
               "the capabilities of HELLO lie outside it");
    BOOST_TEST(refusal(hex(std::string(head) + "00000020 0002 0000 00000002")) ==
               "the capabilities of HELLO lie outside it");
    BOOST_TEST(refusal(hex(std::string(head) + "00000020 0041 0000 00000002")) ==
               "HELLO has too many capabilities");
}

BOOST_AUTO_TEST_CASE(write_with_extended_header_data_and_byte_enables)
{
    const bytes wanted = hex(write_text);
    BOOST_TEST(encoded(write_packet()) == wanted, boost::test_tools::per_element());
    const ww_rp_packet p = decoded(wanted), q = write_packet();
    BOOST_TEST(p.id == q.id);
    BOOST_TEST(p.dev == q.dev);
    BOOST_TEST(p.timestamp == q.timestamp);
    BOOST_TEST(p.attributes == q.attributes);
    BOOST_TEST(p.address == q.address);
    BOOST_TEST(p.length == q.length);
    BOOST_TEST(p.stream_width == q.stream_width);
    BOOST_TEST(p.master_id == q.master_id);
    BOOST_TEST_REQUIRE(p.enables == 4u);
    BOOST_TEST(std::memcmp(p.data, q.data, 4) == 0);
    BOOST_TEST(std::memcmp(p.enable, q.enable, 4) == 0);
}

BOOST_AUTO_TEST_CASE(legacy_header_ends_at_58)
{
    ww_rp_packet p = write_packet();
    p.attributes = 0;
    p.enables = 0;
    p.enable = nullptr;
    p.master_id = 0xbeef;
    const bytes wanted = hex("00000004 0000002a 00000007 00000000 00000003 0000000000000102 0000000000000000"
                             "1122334455667788 00000004 00000000 00000004 beef a1a2a3a4");
    BOOST_TEST(encoded(p) == wanted, boost::test_tools::per_element());
    BOOST_TEST(decoded(wanted).master_id == 0xbeefu);
    BOOST_TEST(std::memcmp(decoded(wanted).data, p.data, 4) == 0);
}

BOOST_AUTO_TEST_CASE(a_reads_request_has_no_data_and_its_response_has)
{
    ww_rp_packet p = write_packet();
    p.cmd = WW_RP_READ;
    const bytes request = encoded(p);
    BOOST_TEST(request.size() == 84u); /* header and enables */
    BOOST_TEST(decoded(request).data == nullptr);
    BOOST_TEST(decoded(request).enables == 4u);
    p.flags = WW_RP_FLAG_RESPONSE;
    BOOST_TEST(encoded(p).size() == 88u);
    BOOST_TEST(std::memcmp(decoded(encoded(p)).data, p.data, 4) == 0);
    p.cmd = WW_RP_WRITE;
    p.enables = 0;
    BOOST_TEST(encoded(p).size() == 80u);
    BOOST_TEST(decoded(encoded(p)).data == nullptr);
}

BOOST_AUTO_TEST_CASE(status_of_a_response)
{
    ww_rp_packet p = write_packet();
    p.attributes |= uint64_t{WW_RP_STATUS_ADDRESS} << 8;
    BOOST_TEST(ww_rp_status(&p) == WW_RP_STATUS_ADDRESS);
}

BOOST_AUTO_TEST_CASE(interrupt_is_41_bytes_and_sync_28)
{
    ww_rp_packet p{};
    p.cmd = WW_RP_INTERRUPT;
    p.id = 1;
    p.flags = WW_RP_FLAG_POSTED;
    p.dev = 2;
    p.timestamp = 5;
    p.line = 0x01020304;
    p.value = 1;
    const bytes wire = hex("00000005 00000015 00000001 00000004 00000002 0000000000000005 0000000000000000"
                           "01020304 01");
    BOOST_TEST(encoded(p) == wire, boost::test_tools::per_element());
    BOOST_TEST(decoded(wire).line == 0x01020304u);
    BOOST_TEST(decoded(wire).value == 1);
    p.cmd = WW_RP_SYNC;
    p.flags = 0;
    const bytes sync = hex("00000006 00000008 00000001 00000000 00000002 0000000000000005");
    BOOST_TEST(encoded(p) == sync, boost::test_tools::per_element());
    BOOST_TEST(decoded(sync).timestamp == 5u);
}

BOOST_DATA_TEST_CASE(translations_are_88_bytes, data::make({7, 8}), cmd)
{
    ww_rp_packet p{};
    p.cmd = static_cast<uint32_t>(cmd);
    p.id = 9;
    p.dev = 21;
    p.timestamp = 3;
    p.attributes = WW_RP_ATS_READ | WW_RP_ATS_WRITE;
    p.address = 0xfff0000000001234;
    p.length = 0x100000000;
    p.result = 1;
    const bytes wanted = hex("0000000" + std::to_string(cmd) +
                             "00000044 00000009 00000000 00000015 0000000000000003 0000000000000006"
                             "fff0000000001234 0000000100000000 00000001" +
                             std::string(64, '0'));
    BOOST_TEST(encoded(p) == wanted, boost::test_tools::per_element());
    const ww_rp_packet back = decoded(wanted);
    BOOST_TEST(back.attributes == p.attributes);
    BOOST_TEST(back.address == p.address);
    BOOST_TEST(back.length == p.length);
    BOOST_TEST(back.result == 1u);
}

/* Words of the header that an attacker would change: the offset, the word's value there, the reason. */
struct change {
    size_t at;
    uint32_t word;
    const char *why;
};
std::ostream &operator<<(std::ostream &out, const change &c)
{
    return out << c.at << "=" << c.word;
}
const change changes[] = {{0, 0, "NOP and CFG are never sent"},
                          {0, 2, "NOP and CFG are never sent"},
                          {0, 9, "no such command"},
                          {0, 0xffffffff, "no such command"},
                          {4, 0x43, "a packet has another length than its header says"},
                          {4, 0xffffffff, "a packet has another length than its header says"},
                          {44, 9, "the data of an access lie outside it"},
                          {44, 0x100001, "an access is longer than 1 MiB"},
                          {44, 3, "an access has more byte enables than bytes"},
                          {44, 0xffffffff, "an access is longer than 1 MiB"},
                          {48, 1, "an access has a width, which must be 0"},
                          {64, 79, "the data of an access lie in its header"},
                          {64, 85, "the data of an access lie outside it"},
                          {64, 0xffffffff, "the data of an access lie outside it"},
                          {72, 79, "the byte enables of an access lie outside it"},
                          {72, 85, "the byte enables of an access lie outside it"},
                          {72, 0xfffffffe, "the byte enables of an access lie outside it"},
                          {76, 5, "an access has more byte enables than bytes"},
                          {76, 0xffffffff, "an access has more byte enables than bytes"}};

BOOST_DATA_TEST_CASE(hostile_words_are_refused, data::make(changes), c)
{
    bytes b = hex(write_text);
    for (size_t i = 0; i < 4; ++i)
        b[c.at + i] = static_cast<uint8_t>(c.word >> 8 * (3 - i));
    BOOST_TEST(refusal(b) == c.why);
}

/* Each number of bytes below each packet's size, with a header that states this length. */
BOOST_DATA_TEST_CASE(short_packets_are_refused, data::make({1, 3, 4, 5, 6, 7, 8}), cmd)
{
    const size_t whole[] = {0, 24, 0, 58, 58, 41, 28, 88, 88};
    for (size_t count = 0; count < whole[cmd]; ++count) {
        bytes b(count, 0);
        if (count >= 8) {
            b[3] = static_cast<uint8_t>(cmd);
            b[7] = static_cast<uint8_t>(count - 20);
        }
        BOOST_TEST_CONTEXT(count)
        {
            BOOST_TEST(refusal(b) != "");
        }
    }
    bytes b(whole[cmd], 0);
    b[3] = static_cast<uint8_t>(cmd);
    b[7] = static_cast<uint8_t>(b.size() - 20);
    BOOST_TEST(refusal(b) == "");
}

BOOST_AUTO_TEST_CASE(nothing_is_written_behind_the_room)
{
    const ww_rp_packet p = write_packet();
    uint8_t to[100];
    for (size_t room = 0; room < 88; ++room)
        BOOST_TEST(ww_rp_encode(&p, to, room) == 0u);
    std::memset(to, 0x5a, sizeof to);
    BOOST_TEST(ww_rp_encode(&p, to, 88) == 88u);
    BOOST_TEST(to[88] == 0x5a);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_a_packet_is_not_encoded)
{
    ww_rp_packet p = write_packet();
    p.attributes = 0; /* byte enables without the extended layout */
    BOOST_TEST(encoded(p).empty());
    p = write_packet();
    p.length = WW_RP_DATA_MAX + 1;
    BOOST_TEST(encoded(p).empty());
    p = write_packet();
    p.enables = 5;
    BOOST_TEST(encoded(p).empty());
    for (const uint32_t cmd : {0u, 2u, 9u}) {
        p = write_packet();
        p.cmd = cmd;
        BOOST_TEST(encoded(p).empty());
    }
}

BOOST_AUTO_TEST_CASE(lengths_that_nobody_sends_are_known_from_the_header)
{
    BOOST_TEST(ww_rp_packet_bytes(hex(head_write).data()) == 80u);
    bytes b = hex(head_write);
    b[4] = 0xff;
    BOOST_TEST(ww_rp_packet_bytes(b.data()) == 0u);
}

/* Random damage: no read outside the packet (the sanitizers report one), and an accepted packet can be
 * encoded again. */
BOOST_AUTO_TEST_CASE(damaged_packets)
{
    std::mt19937 random(1);
    size_t accepted = 0;
    for (int i = 0; i < 20000; ++i) {
        bytes b = hex(write_text);
        b[3] = static_cast<uint8_t>(random() % 10);
        for (unsigned n = random() % 4; n != 0; --n)
            b[random() % b.size()] = static_cast<uint8_t>(random());
        ww_rp_packet p;
        const std::vector<uint8_t> exact(b);
        if (ww_rp_decode(exact.data(), exact.size(), &p) != nullptr)
            continue;
        ++accepted;
        if (p.data != nullptr)
            BOOST_TEST((p.data >= exact.data() && p.data + p.length <= exact.data() + exact.size()));
        ww_rp_packet again;
        const bytes wire = encoded(p);
        BOOST_TEST_REQUIRE(!wire.empty());
        BOOST_TEST_REQUIRE(ww_rp_decode(wire.data(), wire.size(), &again) == nullptr);
        BOOST_TEST(again.address == p.address);
        BOOST_TEST(again.length == p.length);
    }
    BOOST_TEST(accepted > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
