/* SPDX-License-Identifier: MIT */
/* tb/remote_port/session_test.cpp - two sides of a session with each other, and one side with packets that
 * break the protocol. */
#include "remote_port/session.h"

#include <boost/test/unit_test.hpp>

#include <string>

namespace
{

constexpr uint32_t all_caps = WW_RP_CAP_BIT(WW_RP_CAP_EXT) | WW_RP_CAP_BIT(WW_RP_CAP_BYTE_ENABLES) |
                              WW_RP_CAP_BIT(WW_RP_CAP_WIRE_POSTED) | WW_RP_CAP_BIT(WW_RP_CAP_ATS);

struct side {
    ww_rp_session s;
    uint64_t tag = 0;
    std::string why;

    explicit side(uint32_t caps = all_caps) { ww_rp_session_init(&s, caps); }
    ww_rp_event take(const ww_rp_packet &p)
    {
        const char *text = "";
        const ww_rp_event e = ww_rp_take(&s, &p, &tag, &text);
        why = text;
        BOOST_TEST(ww_rp_session_check(&s) == nullptr);
        return e;
    }
    std::string request(ww_rp_packet &p, uint64_t with)
    {
        const char *text = ww_rp_request(&s, &p, with);
        BOOST_TEST(ww_rp_session_check(&s) == nullptr);
        return text == nullptr ? "" : text;
    }
};

ww_rp_packet packet(uint32_t cmd, uint32_t dev = 0, uint32_t flags = 0)
{
    ww_rp_packet p{};
    p.cmd = cmd;
    p.dev = dev;
    p.flags = flags;
    return p;
}

struct pair_of_sides {
    side a, b;
    explicit pair_of_sides(uint32_t caps_a = all_caps, uint32_t caps_b = all_caps) : a(caps_a), b(caps_b)
    {
        BOOST_TEST(a.take(ww_rp_hello(&b.s)) == WW_RP_GREETING);
        BOOST_TEST(b.take(ww_rp_hello(&a.s)) == WW_RP_GREETING);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(the_first_packet_is_hello_of_the_same_major_version_and_the_only_one)
{
    side a;
    BOOST_TEST(a.take(packet(WW_RP_SYNC)) == WW_RP_BROKEN);
    BOOST_TEST(a.why == "the first packet is not HELLO");
    ww_rp_packet sync = packet(WW_RP_SYNC), hello = ww_rp_hello(&a.s);
    BOOST_TEST(a.request(sync, 0) == "the peer has not sent its HELLO");
    hello.major = 5;
    BOOST_TEST(a.take(hello) == WW_RP_BROKEN);
    BOOST_TEST(a.why == "the peer speaks another major version than 4");
    hello.major = 4;
    hello.minor = 99;
    BOOST_TEST(a.take(hello) == WW_RP_GREETING);
    BOOST_TEST(a.take(hello) == WW_RP_BROKEN);
    BOOST_TEST(a.why == "a second HELLO");
}

BOOST_AUTO_TEST_CASE(responses_come_in_any_order_and_find_their_requests)
{
    pair_of_sides p;
    ww_rp_packet first = packet(WW_RP_READ, 3), second = packet(WW_RP_ATS_REQ, 3);
    BOOST_TEST(p.a.request(first, 11) == "");
    BOOST_TEST(p.a.request(second, 22) == "");
    BOOST_TEST(first.id != second.id);
    BOOST_TEST((first.attributes & WW_RP_BUS_EXT) != 0u);
    BOOST_TEST(p.b.take(first) == WW_RP_REQUEST);
    BOOST_TEST(p.b.take(second) == WW_RP_REQUEST);
    BOOST_TEST(p.a.take(ww_rp_response(&second, 1)) == WW_RP_ANSWER);
    BOOST_TEST(p.a.tag == 22u);
    BOOST_TEST(p.a.take(ww_rp_response(&first, 1)) == WW_RP_ANSWER);
    BOOST_TEST(p.a.tag == 11u);
    BOOST_TEST(p.a.take(ww_rp_response(&first, 1)) == WW_RP_BROKEN);
    BOOST_TEST(p.a.why == "a response to no request");
}

BOOST_AUTO_TEST_CASE(a_request_of_the_peer_is_taken_while_ours_waits)
{
    pair_of_sides p;
    ww_rp_packet read = packet(WW_RP_READ, 3), drop = packet(WW_RP_ATS_INV, 21);
    BOOST_TEST(p.a.request(read, 1) == "");
    BOOST_TEST(p.b.request(drop, 2) == "");
    BOOST_TEST(drop.id == read.id); /* each side counts its own requests */
    BOOST_TEST(p.a.take(drop) == WW_RP_REQUEST);
    BOOST_TEST(p.b.take(ww_rp_response(&drop, 0)) == WW_RP_ANSWER);
    BOOST_TEST(p.b.tag == 2u);
    BOOST_TEST(p.a.take(ww_rp_response(&read, 0)) == WW_RP_ANSWER);
    BOOST_TEST(p.a.tag == 1u);
}

BOOST_AUTO_TEST_CASE(a_response_of_another_kind_or_channel_breaks_the_session)
{
    pair_of_sides p;
    ww_rp_packet read = packet(WW_RP_READ, 3);
    BOOST_TEST(p.a.request(read, 1) == "");
    ww_rp_packet wrong = ww_rp_response(&read, 0);
    wrong.cmd = WW_RP_WRITE;
    BOOST_TEST(p.a.take(wrong) == WW_RP_BROKEN);
    wrong.cmd = WW_RP_READ;
    wrong.dev = 4;
    BOOST_TEST(p.a.take(wrong) == WW_RP_BROKEN);
    BOOST_TEST(p.a.why == "a response is of another command or channel than its request");
}

BOOST_AUTO_TEST_CASE(translations_need_both_sides)
{
    pair_of_sides p(all_caps, all_caps & ~WW_RP_CAP_BIT(WW_RP_CAP_ATS));
    ww_rp_packet ats = packet(WW_RP_ATS_REQ, 21);
    BOOST_TEST(p.a.request(ats, 0) == "the peer has no translation services");
    BOOST_TEST(p.b.take(ats) == WW_RP_BROKEN);
    BOOST_TEST(p.b.why == "a translation without both sides' capability");
}

BOOST_AUTO_TEST_CASE(layout_and_byte_enables_follow_the_peer)
{
    const uint8_t enable[1] = {0};
    ww_rp_packet write = packet(WW_RP_WRITE);
    write.length = write.enables = 1;
    write.data = write.enable = enable;
    pair_of_sides old(all_caps, 0), plain(all_caps, WW_RP_CAP_BIT(WW_RP_CAP_EXT)),
        odd(all_caps, WW_RP_CAP_BIT(WW_RP_CAP_BYTE_ENABLES));
    BOOST_TEST(old.a.request(write, 0) == "the peer takes no byte enables");
    BOOST_TEST(plain.a.request(write, 0) == "the peer takes no byte enables");
    BOOST_TEST(odd.a.request(write, 0) ==
               "the peer does not know the extended layout, which byte enables need");
    write.enables = 0;
    BOOST_TEST(old.a.request(write, 0) == "");
    BOOST_TEST(write.attributes == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_answered)
{
    pair_of_sides p, without(all_caps, 0);
    const auto wants = [](const side &s, const ww_rp_packet &r) { return ww_rp_wants_response(&s.s, &r); };
    BOOST_TEST(wants(p.a, packet(WW_RP_WRITE)));
    BOOST_TEST(!wants(p.a, packet(WW_RP_WRITE, 0, WW_RP_FLAG_POSTED)));
    BOOST_TEST(wants(p.a, packet(WW_RP_READ, 0, WW_RP_FLAG_POSTED)));
    BOOST_TEST(wants(p.a, packet(WW_RP_INTERRUPT)));
    BOOST_TEST(!wants(p.a, packet(WW_RP_INTERRUPT, 0, WW_RP_FLAG_POSTED)));
    BOOST_TEST(!wants(without.a, packet(WW_RP_INTERRUPT)));
    BOOST_TEST(wants(p.a, packet(WW_RP_SYNC)));
    ww_rp_packet posted = packet(WW_RP_WRITE, 0, WW_RP_FLAG_POSTED);
    BOOST_TEST(p.a.request(posted, 0) == "");
    BOOST_TEST(p.a.s.waiting == 0u);
    BOOST_TEST(p.a.take(ww_rp_response(&posted, 0)) == WW_RP_DROPPED);
}

BOOST_AUTO_TEST_CASE(as_many_wait_as_there_are_places)
{
    pair_of_sides p;
    ww_rp_packet read = packet(WW_RP_READ);
    for (uint64_t i = 0; i < WW_RP_PENDING_MAX; ++i)
        BOOST_TEST(p.a.request(read, i) == "");
    BOOST_TEST(p.a.request(read, 0) == "too many requests wait for their response");
    BOOST_TEST(p.a.take(ww_rp_response(&read, 0)) == WW_RP_ANSWER);
    BOOST_TEST(p.a.tag == WW_RP_PENDING_MAX - 1);
    BOOST_TEST(p.a.request(read, 7) == "");
    ww_rp_packet far = packet(WW_RP_SYNC, WW_RP_DEVS_MAX);
    BOOST_TEST(p.b.request(far, 0) == "a channel above 511");
    BOOST_TEST(p.b.take(far) == WW_RP_BROKEN);
}

BOOST_AUTO_TEST_SUITE_END()
