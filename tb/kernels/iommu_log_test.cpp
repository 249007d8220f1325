/* SPDX-License-Identifier: MIT */
/* Tests the logs of an AMD-Vi IOMMU: events and page requests as drivers read them, in rings that fill and
 * wrap. */
#include <boost/test/unit_test.hpp>

#include "tb/kernels/iommu_fixture.hpp"

BOOST_AUTO_TEST_SUITE(iommu_log)

BOOST_AUTO_TEST_CASE(a_log_wraps_and_stops_when_it_is_full)
{
    running r;
    uint64_t pa = 0;
    for (unsigned i = 0; i < 255; ++i) {
        BOOST_REQUIRE(ww_iommu_log_place(&r, WW_LOG_EVENTS, &pa));
        BOOST_TEST(pa == 0x20000 + i * 16);
        BOOST_TEST(ww_iommu_log_written(&r, WW_LOG_EVENTS, pa, true));
    }
    BOOST_TEST(!ww_iommu_log_place(&r, WW_LOG_EVENTS, &pa));
    BOOST_TEST((r.status() & WW_IOMMU_STATUS_EVENT_OVERFLOW) != 0u);
    BOOST_TEST((r.status() & WW_IOMMU_STATUS_EVENT_RUN) == 0u);
    BOOST_TEST(!ww_iommu_log_place(&r, WW_LOG_EVENTS, &pa)); /* the log has stopped */
    r.set(WW_IOMMU_EVENT_HEAD, 0x40);
    r.set(WW_IOMMU_STATUS, WW_IOMMU_STATUS_EVENT_OVERFLOW);
    r.set(WW_IOMMU_CONTROL, ~WW_IOMMU_CONTROL_EVENT_EN);
    r.set(WW_IOMMU_CONTROL, UINT64_MAX);
    BOOST_TEST(ww_iommu_log_place(&r, WW_LOG_EVENTS, &pa));
    BOOST_TEST(pa == 0x20ff0u);
    BOOST_TEST(ww_iommu_log_written(&r, WW_LOG_EVENTS, pa, true));
    BOOST_TEST(r.word[WW_IOMMU_EVENT_TAIL] == 0u);
    r.set(WW_IOMMU_EVENT_TAIL, 0x7fff0); /* beyond the end: reduced to the ring */
    BOOST_TEST(ww_iommu_log_place(&r, WW_LOG_EVENTS, &pa));
    BOOST_TEST(pa == 0x20ff0u);
    BOOST_TEST(!ww_iommu_log_written(&r, WW_LOG_EVENTS, pa, false));
    BOOST_TEST((r.status() & WW_IOMMU_STATUS_EVENT_RUN) == 0u);
    BOOST_TEST((r.status() & WW_IOMMU_STATUS_PPR_RUN) != 0u);
}

BOOST_AUTO_TEST_CASE(an_entry_written_before_a_new_log_is_not_in_it)
{
    for (const uint64_t base : {UINT64_C(0), queue(0x30000, 9), queue(0x50000, 9)})
        for (const bool ok : {true, false}) {
            running r;
            uint64_t pa = 0;
            r.set(WW_IOMMU_PPR_TAIL, 0x20);
            BOOST_TEST(ww_iommu_log_place(&r, WW_LOG_PPR, &pa));
            BOOST_TEST(pa == 0x30020u);
            r.set(WW_IOMMU_PPR, base);
            BOOST_TEST(!ww_iommu_log_written(&r, WW_LOG_PPR, pa, ok));
            BOOST_TEST(r.word[WW_IOMMU_PPR_TAIL] == 0u);
            BOOST_TEST((r.status() & WW_IOMMU_STATUS_PPR_INT) == 0u);
            BOOST_TEST((r.status() & WW_IOMMU_STATUS_PPR_RUN) != 0u);
            BOOST_TEST(ww_iommu_log_place(&r, WW_LOG_PPR, &pa) ==
                       (base != 0)); /* 0: a log without a length */
        }
}

BOOST_AUTO_TEST_CASE(events_and_page_requests_are_words_as_drivers_read_them)
{
    ww_iommu_event e = {};
    e.code = WW_EVENT_IO_PAGE_FAULT;
    e.device = 0x1234;
    e.domain = 0x77;
    e.flags = WW_EVENT_RW;
    e.address = 0xabc000;
    uint64_t w[2];
    ww_iommu_event_words(&e, w);
    BOOST_TEST(w[0] == (UINT64_C(2) << 60 | UINT64_C(1) << 53 | UINT64_C(0x77) << 32 | 0x1234));
    BOOST_TEST(w[1] == 0xabc000u);
    e.has_pasid = true;
    e.pasid = 0xabcde;
    ww_iommu_event_words(&e, w);
    BOOST_TEST(w[0] == (UINT64_C(2) << 60 | UINT64_C(1) << 53 | UINT64_C(1) << 48 | UINT64_C(0xbcde) << 32 |
                        0xa0000 | 0x1234));
    e.code = WW_EVENT_INVALID_PPR_REQUEST; /* has its PASID where page requests have it */
    e.tag = 0x2ff;
    ww_iommu_event_words(&e, w);
    BOOST_TEST(w[0] == (UINT64_C(9) << 60 | UINT64_C(1) << 53 | UINT64_C(1) << 48 | UINT64_C(0xa) << 42 |
                        UINT64_C(0x2ff) << 32 | UINT64_C(0xbcde0000) | 0x1234));
    e.has_pasid = false;
    ww_iommu_event_words(&e, w);
    BOOST_TEST(w[0] == (UINT64_C(9) << 60 | UINT64_C(1) << 53 | UINT64_C(0x2ff) << 32 | 0x1234));
    BOOST_TEST(ww_iommu_event_name(7) == std::string("IOTLB_INV_TIMEOUT"));
    BOOST_TEST(ww_iommu_event_name(10) == std::string("?"));

    ww_iommu_ppr p = {};
    p.device = 5;
    p.tag = 0x3ff;
    p.wants = WW_PPR_WRITE;
    p.address = 0x9000;
    ww_iommu_ppr_words(&p, w);
    BOOST_TEST(w[0] == (UINT64_C(1) << 60 | UINT64_C(1) << 53 | UINT64_C(0x3ff) << 32 | 5));
    p.has_pasid = true;
    p.pasid = 0xabcde;
    ww_iommu_ppr_words(&p, w);
    BOOST_TEST(w[0] == (UINT64_C(1) << 60 | UINT64_C(1) << 56 | UINT64_C(1) << 53 | UINT64_C(0xa) << 42 |
                        UINT64_C(0x3ff) << 32 | UINT64_C(0xbcde0000) | 5));
}

/* Every event with every field set: each reports its own fields and no others. Domain 0x7777, PASID
 * 0xabcde. */
BOOST_AUTO_TEST_CASE(an_event_has_what_it_tells_and_nothing_else)
{
    const uint64_t i = UINT64_C(1) << 51, rw = UINT64_C(1) << 53, rz = UINT64_C(1) << 55,
                   tr = UINT64_C(1) << 56, type = UINT64_C(7) << 57, gn = UINT64_C(1) << 48;
    const uint64_t pasid = gn | UINT64_C(0xbcde) << 32 | 0xa0000, domain = UINT64_C(0x7777) << 32;
    const struct {
        uint64_t code, flags, with, without; /* a PASID */
    } all[] = {
        {1, i | rw | rz | tr, pasid, 0},
        {2, WW_BITS64(56, 49), pasid, domain},
        {3, i | rw | tr | type, 0, 0},
        {4, i | rw | tr | type, pasid, domain},
        {5, 0, 0, 0},
        {6, type, 0, 0},
        {7, 0, 0, 0},
        {8, UINT64_C(1) << 50 | tr | type, pasid, 0},
    };
    for (const auto &one : all)
        for (const bool has_pasid : {false, true}) {
            ww_iommu_event e = {};
            e.code = static_cast<uint8_t>(one.code);
            e.device = 0x1234;
            e.domain = 0x7777;
            e.has_pasid = has_pasid;
            e.pasid = 0xabcde;
            e.flags = WW_BITS64(59, 49);
            uint64_t w[2];
            ww_iommu_event_words(&e, w);
            BOOST_TEST(w[0] == (one.code << 60 | one.flags | (has_pasid ? one.with : one.without) | 0x1234),
                       "event " << one.code << (has_pasid ? " with" : " without") << " PASID: " << std::hex
                                << w[0]);
        }
}

BOOST_AUTO_TEST_SUITE_END()
