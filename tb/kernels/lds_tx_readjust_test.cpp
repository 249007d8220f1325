/* SPDX-License-Identifier: MIT */
/* Tests layout READJUSTED: tags and translations apart make room for allocations. 16 KiB in segments of 32
 * bytes: segments 4f to 4f + 3 have chunk f for their tags and chunks 128 + 3f to 130 + 3f for their
 * translations. */
#include <boost/test/unit_test.hpp>

#include "kernels/store/lds_tx_segments.h"
#include "tb/kernels/lds_tx_rig.hpp"

#include <vector>

using namespace walkway_tb;

namespace
{

constexpr uint64_t page = 4096;

ww_lds_tx_cfg config(uint32_t segment_bytes = 32)
{
    ww_lds_tx_cfg cfg = lds_tx_config(16384, segment_bytes);
    cfg.layout = WW_LDS_TX_READJUSTED;
    return cfg;
}

struct readjusted : lds_tx {
    explicit readjusted(uint32_t segment_bytes = 32) : lds_tx(config(segment_bytes)) {}
    std::vector<uint32_t> place(uint32_t four)
    {
        const uint32_t *at = ww_lds_tx_const_place_of(t, four);
        return {at, at + 4};
    }
    uint32_t give(uint32_t chunk, uint32_t chunks)
    {
        const uint64_t size = t->cfg.segment_bytes;
        return ww_lds_tx_allocate(t, chunk * size, chunks * size);
    }
    void take_back(uint32_t chunk, uint32_t chunks)
    {
        release(uint64_t{chunk} * t->cfg.segment_bytes, uint64_t{chunks} * t->cfg.segment_bytes);
    }
};

using numbers = std::vector<uint32_t>;
const numbers nowhere(4, WW_LDS_TX_NOWHERE);

} // namespace

BOOST_AUTO_TEST_CASE(four_segments_lose_their_place_and_the_tags_of_four_others_are_moved)
{
    readjusted l;
    for (uint64_t i = 0; i < 12; ++i)
        l.insert(i * page);
    l.insert(512 * page);           /* segment 0 holds two */
    BOOST_TEST(l.give(0, 2) == 4u); /* tags of segments 0 to 7 */
    BOOST_TEST(l.place(0) == (numbers{131, 128, 129, 130}), boost::test_tools::per_element());
    BOOST_TEST(l.place(1) == nowhere, boost::test_tools::per_element());
    BOOST_TEST(l.counts().readjusted == 4u * 2 * 8); /* four tag words */
    BOOST_TEST(l.counts().homeless == 4u);
    BOOST_TEST(l.counts().dropped == 4u);
    BOOST_TEST(l.count() == 9u);
    BOOST_TEST(l.hit(512 * page));
    BOOST_TEST(!l.hit(4 * page));
    BOOST_TEST(l.mode(0) == WW_LDS_TX_TX);
    BOOST_TEST(l.mode(4) == WW_LDS_TX_USED);
    BOOST_TEST(l.insert(4 * page) == WW_STORE_PASSED);
    BOOST_TEST(l.counts().bypassed_mode == 1u);
    BOOST_TEST(l.insert(1024 * page) == WW_STORE_KEPT);
    BOOST_TEST(l.access(0, 64) == 0u); /* holds no translations */
    BOOST_TEST(l.counts().claimed == 0u);
    BOOST_TEST(l.check() == "");
    l.take_back(0, 2);
    BOOST_TEST(l.place(1) == (numbers{0, 1, 132, 133}), boost::test_tools::per_element());
    BOOST_TEST(l.mode(4) == WW_LDS_TX_IDLE);
    BOOST_TEST(l.insert(4 * page) == WW_STORE_KEPT);
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(of_two_those_lose_their_place_that_the_allocation_covers_more_of)
{
    readjusted l;
    BOOST_TEST(l.give(130, 3) == 0u); /* the last chunk of segments 0 to 3, two of 4 to 7 */
    BOOST_TEST(l.place(0) == (numbers{0, 128, 129, 1}), boost::test_tools::per_element());
    BOOST_TEST(l.place(1) == nowhere, boost::test_tools::per_element());
    BOOST_TEST(l.give(128, 1) == 0u); /* 133 is free: no segment loses its place */
    BOOST_TEST(l.place(0) == (numbers{0, 133, 129, 1}), boost::test_tools::per_element());
    BOOST_TEST(l.counts().homeless == 4u);
    BOOST_TEST(l.counts().readjusted == 0u); /* the segments were empty */
    l.take_back(128, 1);
    BOOST_TEST(l.place(1) == nowhere, boost::test_tools::per_element()); /* one chunk is not enough */
    l.take_back(130, 3);
    BOOST_TEST(l.place(1) == (numbers{128, 130, 131, 132}), boost::test_tools::per_element());
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(translations_are_read_and_written_as_far_as_the_chunk_has_them)
{
    readjusted l;
    for (uint64_t way = 0; way < 3; ++way)
        l.insert((2 + 512 * way) * page);
    for (uint64_t way = 0; way < 2; ++way)
        l.insert((3 + 512 * way) * page);
    BOOST_TEST(l.give(130, 2) == 0u); /* the last way of segment 2, and segment 3 */
    BOOST_TEST(l.counts().readjusted == 2u * 8 * (1 + 2));
    BOOST_TEST(l.hit((2 + 1024) * page));
    BOOST_TEST(l.mode(2) == WW_LDS_TX_TX);
    BOOST_TEST(l.mode(3) == WW_LDS_TX_TX);
    BOOST_TEST(l.mode(4) == WW_LDS_TX_USED);

    readjusted wide(64); /* 256 segments of six ways; 64 chunks of tags */
    for (uint64_t way = 0; way < 5; ++way)
        wide.insert((2 + 256 * way) * page);
    BOOST_TEST(wide.give(66, 2) == 0u); /* ways 4 and 5 of segment 2, and segment 3 */
    BOOST_TEST(wide.counts().readjusted == 2u * 8);
    wide.insert(3 * page);
    BOOST_TEST(wide.give(0, 1) == 0u); /* two tag words per segment */
    BOOST_TEST(wide.counts().readjusted == 2u * 8 + 2u * 2 * 2 * 8);
    BOOST_TEST(wide.check() == "");
}

BOOST_AUTO_TEST_CASE(with_all_of_it_allocated_no_segment_has_a_place_and_then_all_have)
{
    readjusted l;
    for (uint64_t i = 0; i < 512; ++i)
        l.insert(i * page);
    BOOST_TEST(l.kind.claim(l.store(), 0, 16384) == 512u);
    BOOST_TEST(l.counts().homeless == 512u);
    BOOST_TEST(l.counts().readjusted == 0u);
    BOOST_TEST(l.count() == 0u);
    BOOST_TEST(l.check() == "");
    l.kind.flush(l.store());
    BOOST_TEST(l.mode(7) == WW_LDS_TX_USED);
    l.kind.release(l.store(), 0, 16384);
    for (uint64_t i = 0; i < 512; ++i)
        BOOST_REQUIRE_EQUAL(l.insert(i * page), WW_STORE_KEPT);
    BOOST_TEST(l.check() == "");
}

BOOST_AUTO_TEST_CASE(a_chunk_s_number_is_kept_for_each_chunk)
{
    ww_lds_tx_cfg cfg = config();
    BOOST_TEST(ww_lds_tx_extra_bits(&cfg) == 512u + 512u * 9);
    cfg.layout = WW_LDS_TX_APART;
    BOOST_TEST(ww_lds_tx_extra_bits(&cfg) == 512u);
}

BOOST_AUTO_TEST_CASE(places_that_cannot_be_are_seen)
{
    readjusted l;
    ww_lds_tx_place_of(l.t, 1)[2] = 0;
    BOOST_TEST(l.check() == "lds_tx: a chunk has two parts");
    readjusted other;
    ww_lds_tx_set_bit(ww_lds_tx_words_at(other.t, other.t->allocated_off), 129, true);
    BOOST_TEST(other.check() == "lds_tx: a segment lies in an allocation");
}
