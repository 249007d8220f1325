/* SPDX-License-Identifier: MIT */
/* A four-phase initiator over a memory that answers in each way. */
#include "device/at_requester.hpp"
#include "tb/device/iommu_rig.hpp"

using namespace walkway;
using namespace walkway::test;

BOOST_AUTO_TEST_SUITE(at_requester_to_memory)

BOOST_AUTO_TEST_CASE(each_request_is_answered_once_with_its_data_at_memorys_time)
{
    for (unsigned how = 0; how <= at_front::ways; ++how) {
        simulation sim;
        at_requester<32> from("from");
        byte_memory memory("memory", 0, 4096);
        at_front front("front", memory);
        base_protocol rules;
        rules.bind(from.out, front.up);
        front.how = how;
        sc_core::sc_start(ns(1));
        uint64_t written[16], read[16] = {};
        unsigned answers = 0;
        sc_core::sc_time first;
        for (unsigned i = 0; i < 16; ++i) {
            written[i] = i * 1000 + how;
            from.send(tlm::TLM_WRITE_COMMAND, i * 8, &written[i], 8, [&](const gp &p) {
                BOOST_TEST(p.is_response_ok());
                if (answers++ == 0)
                    first = sc_core::sc_time_stamp();
            });
        }
        sc_core::sc_start(ns(1000));
        BOOST_TEST(answers == 16u);
        BOOST_CHECK(first == ns(21));
        for (unsigned i = 0; i < 16; ++i)
            from.send(tlm::TLM_READ_COMMAND, i * 8, &read[i], 8, [&](const gp &) { ++answers; });
        from.send(tlm::TLM_READ_COMMAND, 4096, &read[0], 8,
                  [&](const gp &p) { answers += p.is_response_error(); });
        sc_core::sc_start(ns(1000));
        BOOST_TEST(answers == 33u);
        BOOST_TEST(read == written, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()
