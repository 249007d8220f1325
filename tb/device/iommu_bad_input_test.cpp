/* SPDX-License-Identifier: MIT */
/* What software and memory can do wrong to the IOMMU: each causes an event or a response, and nothing hangs
 * or aborts; and walks of several processes that memory delays. */
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "tb/device/iommu_rig.hpp"

using namespace walkway;
using namespace walkway::test;

BOOST_AUTO_TEST_SUITE(iommu_bad_input)

BOOST_AUTO_TEST_CASE(a_command_buffer_wraps_and_an_illegal_command_stops_it)
{
    iommu_rig r;
    r.own_table(0, 7);
    r.enable();
    for (unsigned i = 0; i < 600; ++i) /* more than the ring holds */
        r.command(iommu_rig::opcode(1) | 0x50000 | 1, i);
    BOOST_TEST(r.memory.get<uint64_t>(0x50000) == 599u);
    BOOST_TEST(r.iommu.stats().commands == 600u);
    r.command(iommu_rig::opcode(6));
    r.command(iommu_rig::opcode(8));
    BOOST_TEST(r.iommu.stats().commands == 600u);
    BOOST_TEST((r.read(0x2020) & WW_IOMMU_STATUS_COMMAND_RUN) == 0u);
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 1u);
    BOOST_TEST(e[0].code() == 5u);
    BOOST_TEST(e[0].word1 == iommu_rig::commands_pa + 600 * 16 % 4096);
}

BOOST_AUTO_TEST_CASE(a_command_buffer_outside_of_memory_is_event_6)
{
    iommu_rig r;
    r.enable();
    r.write(0x08, UINT64_C(0xff000000) | UINT64_C(8) << 56);
    r.write(0x2008, 0x10);
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 1u);
    BOOST_TEST(e[0].code() == 6u);
    BOOST_TEST(e[0].word1 == 0xff000000u);
    BOOST_TEST((r.read(0x2020) & WW_IOMMU_STATUS_COMMAND_RUN) == 0u);
    iommu_rig store; /* and so is a completion wait that stores there */
    store.enable();
    store.command(iommu_rig::opcode(1) | 0xff000000 | 1, 1);
    BOOST_TEST(store.events()[0].code() == 6u);
}

/* The ring has 256 entries, 4 KiB; the registers have bits for 512 KiB. */
BOOST_AUTO_TEST_CASE(a_tail_or_a_head_beyond_the_ring_is_taken_within_it)
{
    for (const uint64_t beyond : {UINT64_C(0x1000), UINT64_C(0x7f000), UINT64_C(0xffffffff00003000)}) {
        iommu_rig r;
        r.enable();
        r.command(iommu_rig::opcode(1) | 0x50000 | 1, 1);
        BOOST_TEST(r.memory.get<uint64_t>(0x50000) == 1u);
        r.memory.put(iommu_rig::commands_pa + 16, iommu_rig::opcode(1) | 0x50000 | 1);
        r.memory.put(iommu_rig::commands_pa + 24, 2);
        r.write(0x2008, beyond + 0x20);
        BOOST_TEST(r.memory.get<uint64_t>(0x50000) == 2u);
        BOOST_TEST(r.iommu.stats().commands == 2u); /* not all that the ring holds */
        r.write(0x2000, beyond + 0x10);             /* the second one again */
        r.write(0x2008, beyond + 0x20);
        BOOST_TEST(r.iommu.stats().commands == 3u);
        BOOST_TEST((r.read(0x2020) & WW_IOMMU_STATUS_COMMAND_RUN) != 0u);
        BOOST_TEST(r.events().empty());
    }
}

BOOST_AUTO_TEST_CASE(byte_enables_of_no_length_are_a_burst_error)
{
    iommu_rig r;
    const uint64_t root = r.own_table(0, 7);
    r.map(root, 0x5000, iommu_rig::data_pa);
    r.enable();
    unsigned char all[4] = {0xff, 0xff, 0xff, 0xff};
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
    t.p.set_byte_enable_ptr(all);
    t.p.set_byte_enable_length(0);
    const uint64_t before = r.memory.accesses;
    if (!base_protocol::interposed) { /* otherwise the checker reports it */
        r.masters[0].out->b_transport(t.p, t.delay);
        BOOST_TEST(t.p.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
        BOOST_TEST(r.memory.accesses == before); /* nothing is walked or transferred */
    }
    t.p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    t.p.set_byte_enable_length(4);
    r.masters[0].out->b_transport(t.p, t.delay);
    BOOST_TEST(t.p.is_response_ok());
}

BOOST_AUTO_TEST_CASE(a_completion_wait_that_feeds_its_own_tail_takes_its_time)
{
    iommu_rig r;
    r.enable();
    /* Each write of the loop moves the tail ahead of the head. */
    r.memory.before = [&r](gp &p) {
        if (p.is_write() && p.get_address() == 0x50000)
            r.write_within(0x2008, (r.iommu.core().registers().word[WW_IOMMU_COMMAND_HEAD] + 32) & 0xfff);
    };
    for (unsigned i = 0; i < 256; ++i)
        r.memory.put(iommu_rig::commands_pa + i * 16, iommu_rig::opcode(1) | 0x50000 | 1);
    r.write(0x2008, 0x10);
    const uint64_t done = r.iommu.stats().commands;
    BOOST_TEST(done > 500u);
    BOOST_TEST(done < 2000u);
    sc_core::sc_start(sc_core::sc_time(200, sc_core::SC_US)); /* it continues, and so does time */
    BOOST_TEST(r.iommu.stats().commands > done);
    BOOST_TEST(r.iommu.stats().commands < 10000u);
}

BOOST_AUTO_TEST_CASE(an_event_log_that_is_full_says_so_and_loses_the_rest)
{
    iommu_rig r;
    r.own_table(0, 7);
    r.enable();
    for (unsigned i = 0; i < 300; ++i) {
        transaction t(tlm::TLM_READ_COMMAND, 0x9000, 4);
        r.access(t);
        BOOST_TEST(t.p.is_response_error());
    }
    BOOST_TEST((r.read(0x2020) & WW_IOMMU_STATUS_EVENT_OVERFLOW) != 0u);
    BOOST_TEST(r.iommu.stats().events_logged == 255u);
    BOOST_TEST(r.iommu.stats().events_lost == 45u);
    BOOST_TEST(r.irq.read());
    r.events();
    r.write(0x2020, 3);
    r.write(0x18, 0x11019);
    r.write(0x18, 0x1101d);
    transaction t(tlm::TLM_READ_COMMAND, 0x9000, 4);
    r.access(t);
    BOOST_TEST(r.events().size() == 1u);
}

BOOST_AUTO_TEST_CASE(faults_are_logged_once_or_never_as_the_device_table_entry_says)
{
    for (const auto &[bit, logged] : {std::pair{WW_DTE_SE, 1u}, {WW_DTE_SA, 0u}, {uint64_t{0}, 3u}}) {
        iommu_rig r;
        r.own_table(0, 7, bit);
        r.enable();
        for (unsigned i = 0; i < 3; ++i) {
            transaction t(tlm::TLM_READ_COMMAND, 0x9000, 4);
            r.access(t);
        }
        BOOST_TEST(r.events().size() == logged);
        BOOST_TEST(r.iommu.stats().faults == 3u);
    }
}

BOOST_AUTO_TEST_CASE(a_table_that_points_at_itself_ends_in_a_fault_or_a_page)
{
    iommu_rig r;
    const uint64_t root = r.own_table(0, 7);
    for (unsigned i = 0; i < 512; ++i)
        r.memory.put(root + i * 8, ww_amd_table_entry(root, 2)); /* and a level that is not lower */
    r.enable();
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
    r.access(t);
    BOOST_TEST(t.p.is_response_error());
    BOOST_TEST(r.iommu.stats().pte_reads == 2u);
}

BOOST_AUTO_TEST_CASE(contexts_beyond_those_it_holds_displace_the_oldest)
{
    iommu_device_params p;
    p.contexts = 2;
    iommu_rig r(p);
    for (uint16_t device = 0; device < 3; ++device)
        r.map(r.own_table(device, device), 0x5000, iommu_rig::data_pa + device * 0x1000u);
    r.enable();
    for (unsigned round = 0; round < 3; ++round)
        for (unsigned device = 0; device < 3; ++device) {
            transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
            r.iommu.set_stream(0, device);
            r.access(t);
            BOOST_TEST(t.p.is_response_ok());
            BOOST_TEST(r.memory.seen.back().first == iommu_rig::data_pa + device * 0x1000u);
        }
    BOOST_TEST(r.iommu.stats().contexts_displaced == 7u);
    BOOST_TEST(r.iommu.stats().devtab_reads == 9u);
    BOOST_TEST((r.iommu.core().check() == nullptr));
}

BOOST_AUTO_TEST_CASE(registers_take_bytes_of_a_word_and_refuse_the_rest)
{
    iommu_rig r;
    transaction half(tlm::TLM_WRITE_COMMAND, 0x04, 4, 0xff), across(tlm::TLM_READ_COMMAND, 0x1c, 8),
        outside(tlm::TLM_READ_COMMAND, 0x4000, 8), absent(tlm::TLM_READ_COMMAND, 0x20, 8, 9),
        enabled(tlm::TLM_WRITE_COMMAND, 0x00, 8, 0xff), streaming(tlm::TLM_READ_COMMAND, 0, 8);
    r.cpu.out->b_transport(half.p, half.delay);
    BOOST_TEST(r.read(0) == UINT64_C(0x000fffff00000000));
    unsigned char mask[] = {TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
    enabled.p.set_byte_enable_ptr(mask);
    enabled.p.set_byte_enable_length(2);
    r.write(0, 0);
    r.cpu.out->b_transport(enabled.p, enabled.delay);
    BOOST_TEST(r.read(0) == (UINT64_C(0xff00ff00ff00ff00) & UINT64_C(0x000ffffffffff1ff)));
    streaming.p.set_streaming_width(4);
    for (transaction *t : {&across, &outside, &streaming}) {
        r.cpu.out->b_transport(t->p, t->delay);
        BOOST_TEST(t->p.is_response_error());
    }
    r.cpu.out->b_transport(absent.p, absent.delay);
    BOOST_TEST(absent.p.is_response_ok());
    BOOST_TEST(absent.data[0] == 0u);
    transaction debug(tlm::TLM_READ_COMMAND, 0x30, 8), write(tlm::TLM_WRITE_COMMAND, 0x30, 8, 1);
    BOOST_TEST(r.cpu.out->transport_dbg(debug.p) == 8u);
    BOOST_TEST(debug.data[0] == 0x5a);
    const uint64_t features = r.read(0x30);
    BOOST_TEST(r.cpu.out->transport_dbg(write.p) == 8u); /* which is read-only */
    BOOST_TEST(r.read(0x30) == features);
}

/* Two masters as processes, over a memory whose page-table reads consume time, and a command meanwhile. */
BOOST_AUTO_TEST_CASE(an_invalidate_during_a_walk_leaves_nothing_old)
{
    iommu_rig r({}, 2);
    const uint64_t root = r.own_table(0, 7);
    r.iommu.set_stream(1, 0);
    r.map(root, 0x5000, iommu_rig::data_pa);
    r.map(root, 0x6000, iommu_rig::data_pa + 0x1000);
    r.enable();
    /* What was read is old when it arrives. */
    r.memory.after = iommu_rig::slow(iommu_rig::tables_pa, iommu_rig::data_pa);
    unsigned done = 0;
    for (unsigned m = 0; m < 2; ++m)
        sc_core::sc_spawn([&r, &done, m] {
            transaction t(tlm::TLM_READ_COMMAND, 0x5000 + m * 0x1000, 4);
            sc_core::wait(ns(10 * m));
            r.masters[m].out->b_transport(t.p, t.delay);
            BOOST_TEST(t.p.is_response_ok());
            ++done;
        });
    sc_core::sc_start(ns(120)); /* the old last entry is being read */
    r.map(root, 0x5000, iommu_rig::data_pa + 0x7000);
    r.inval_pages(7, 0x5000);
    sc_core::sc_start(ns(1000));
    BOOST_TEST(done == 2u);
    BOOST_TEST(r.iommu.stats().invalidates == 1u);
    sc_core::sc_spawn([&r, &done] {
        transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
        r.masters[0].out->b_transport(t.p, t.delay);
        BOOST_TEST(r.memory.seen.back().first == iommu_rig::data_pa + 0x7000);
        ++done;
    });
    sc_core::sc_start(ns(1000));
    BOOST_TEST(done == 3u);
}

/* Software writes into its tables during a walk, without a command: each entry counts as it was when read. */
BOOST_AUTO_TEST_CASE(a_table_that_changes_during_a_walk_counts_entry_by_entry)
{
    constexpr uint64_t reserved = UINT64_C(1) << 52;
    for (unsigned entry = 0; entry < 3; ++entry)        /* of the root, of the next level, of the page */
        for (unsigned before = 0; before < 4; ++before) /* which read; 3: the access itself */
            for (const uint64_t becomes :
                 {UINT64_C(0), reserved, UINT64_C(1)}) { /* absent, malformed, itself */
                iommu_rig r;
                const uint64_t root = r.own_table(0, 7);
                r.map(root, 0x5000, iommu_rig::data_pa);
                r.enable();
                const uint64_t second = r.memory.get<uint64_t>(root) & WW_AMD_ADDR,
                               third = r.memory.get<uint64_t>(second) & WW_AMD_ADDR;
                const uint64_t node[] = {root, second, third}, at = node[entry] + (entry == 2 ? 5 * 8 : 0);
                unsigned reads = 0;
                r.memory.before = [&](gp &p) {
                    if (p.get_address() < iommu_rig::tables_pa || reads++ != before)
                        return;
                    r.memory.put(at, becomes == 1 ? ww_amd_table_entry(node[entry], 3 - entry)
                                                  : becomes | (becomes != 0 ? WW_AMD_PR : 0));
                };
                transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
                r.access(t);
                BOOST_TEST_CONTEXT("entry " << entry << ", before read " << before << ", becomes " << becomes)
                {
                    BOOST_TEST(t.p.is_response_ok() == (before > entry));
                    BOOST_TEST(r.events().size() == (before > entry ? 0u : 1u));
                }
            }
}

/* The walk's last read consumes time, and a register changes meanwhile. */
BOOST_AUTO_TEST_CASE(registers_that_change_during_a_walk_count_for_it)
{
    const auto during_a_walk = [](const std::function<void(iommu_rig &)> &change) {
        iommu_rig r;
        const uint64_t root = r.own_table(0, 7);
        r.map(root, 0x5000, iommu_rig::data_pa);
        r.enable();
        r.memory.after = iommu_rig::slow(iommu_rig::tables_pa, iommu_rig::data_pa);
        transaction t(tlm::TLM_READ_COMMAND, 0x5008, 4);
        bool done = false;
        sc_core::sc_spawn([&] {
            r.masters[0].out->b_transport(t.p, t.delay);
            done = true;
        });
        sc_core::sc_start(ns(120));
        r.memory.seen.clear();
        change(r);
        sc_core::sc_start(ns(1000));
        BOOST_TEST(done);
        BOOST_TEST(r.iommu.stats().events_logged == 0u);
        const uint64_t last = r.memory.seen.empty() ? 0 : r.memory.seen.back().first;
        return std::make_pair(t.p.get_response_status(), last);
    };
    const auto disabled = during_a_walk([](iommu_rig &r) { r.write(0x18, 0); });
    BOOST_CHECK(disabled == std::make_pair(tlm::TLM_OK_RESPONSE, uint64_t{0x5008}));
    const auto moved = during_a_walk([](iommu_rig &r) {
        constexpr uint64_t elsewhere = 0x60000;
        const uint64_t root = r.new_node();
        r.memory.put(elsewhere, root | UINT64_C(3) << 9 | 3 | WW_AMD_IR | WW_AMD_IW);
        r.memory.put(elsewhere + 8, 7);
        r.map(root, 0x5000, iommu_rig::data_pa + 0x3000);
        r.write(0x00, elsewhere | 15);
    });
    BOOST_CHECK(moved == std::make_pair(tlm::TLM_OK_RESPONSE, iommu_rig::data_pa + 0x3008));
    const auto reset = during_a_walk([](iommu_rig &r) { r.iommu.reset(); });
    BOOST_CHECK(reset.first == tlm::TLM_GENERIC_ERROR_RESPONSE);
    const auto restless = during_a_walk(
        [](iommu_rig &r) { /* every read changes a register */
                           r.memory.before = [&r](gp &p) {
                               if (p.get_address() < iommu_rig::tables_pa ||
                                   p.get_address() >= iommu_rig::data_pa)
                                   return;
                               r.write_within(0x18, r.iommu.core().registers().word[WW_IOMMU_CONTROL] ^
                                                        WW_IOMMU_CONTROL_GT_EN);
                           };
                           sc_core::sc_start(ns(10000));
        });
    BOOST_CHECK(restless.second == iommu_rig::data_pa + 8);
}

namespace
{

/* Memory is slow where the queues are, and the event of a fault is on its way there. */
struct event_in_flight : iommu_rig {
    event_in_flight()
    {
        own_table(0, 7);
        enable();
        memory.after = slow(commands_pa, tables_pa);
        transaction t(tlm::TLM_READ_COMMAND, 0x9000, 4);
        access(t);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_command_that_comes_while_an_event_is_written_is_not_forgotten)
{
    event_in_flight r;
    BOOST_TEST(r.iommu.stats().events_logged == 0u);
    r.inval_all();
    sc_core::sc_start(ns(1000));
    BOOST_TEST(r.iommu.stats().events_logged == 1u);
    BOOST_TEST(r.iommu.stats().commands == 1u);
}

/* Software sets up a new log while an entry is written, and a new buffer while a command is read. */
BOOST_AUTO_TEST_CASE(a_queue_that_is_replaced_during_an_access_to_the_old_one_starts_empty)
{
    constexpr uint64_t other = 0x60000 | UINT64_C(8) << 56;
    event_in_flight r;
    r.write(0x10, other);
    sc_core::sc_start(ns(1000));
    BOOST_TEST(r.iommu.stats().events_logged == 0u);
    BOOST_TEST(r.iommu.stats().events_lost == 1u);
    BOOST_TEST(r.read(0x2018) == 0u);
    r.inval_all();
    r.write(0x08, other);
    sc_core::sc_start(ns(1000));
    BOOST_TEST(r.iommu.stats().commands == 0u);
    BOOST_TEST(r.read(0x2000) == 0u);
}

BOOST_AUTO_TEST_CASE(a_walk_that_comes_back_to_the_iommu_itself_is_refused)
{
    iommu_rig r;
    r.map(r.own_table(0, 7), 0x5000, iommu_rig::data_pa);
    r.enable();
    unsigned inside = 0;
    r.memory.before = [&](gp &p) {
        if (p.get_address() < iommu_rig::tables_pa || p.get_address() >= iommu_rig::data_pa)
            return;
        transaction again(tlm::TLM_READ_COMMAND, 0x8000, 4);
        r.masters[0].out->b_transport(again.p, again.delay);
        BOOST_CHECK(again.p.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
        ++inside;
    };
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
    r.access(t);
    BOOST_TEST(t.p.is_response_ok());
    BOOST_TEST(inside == 3u);
}

BOOST_AUTO_TEST_CASE(random_registers_commands_tables_and_accesses_are_survived)
{
    iommu_device_params p;
    p.dmi = static_cast<uint8_t>(dmi_policy::always);
    iommu_rig r(p, 2);
    ww_rng random;
    ww_rng_init(&random, 17);
    unsigned answered = 0;
    const auto word = [&random] { return ww_rng_next(&random) & ww_rng_next(&random); };
    const uint64_t known[] = {0x00,  0x08,   0x10,   0x18,   0x38,   0x158,
                              0x160, 0x2000, 0x2008, 0x2010, 0x2018, 0x2020};
    for (unsigned i = 0; i < 20000; ++i) {
        if (i % 500 == 0)
            r.enable();
        switch (ww_rng_below(&random, 6)) {
        case 0: {
            transaction t(tlm::TLM_WRITE_COMMAND, known[ww_rng_below(&random, 12)], 8);
            const uint64_t value = word();
            std::memcpy(t.data.data(), &value, 8);
            r.cpu.out->b_transport(t.p, t.delay);
            break;
        }
        case 1: /* a command with a legal code */
            r.command(word() >> 8 | iommu_rig::opcode(ww_rng_below(&random, 9)), word());
            break;
        case 2: /* tables, anywhere in memory */
            r.memory.put(ww_rng_below(&random, 1 << 21) * UINT64_C(8),
                         (word() & UINT64_C(0xfff0000000000fff)) | (word() & 0xfff000) | 1);
            break;
        default: {
            const bool write = ww_rng_below(&random, 2) != 0;
            transaction t(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                          word() >> ww_rng_below(&random, 64), 1 + ww_rng_below(&random, 256));
            t.with().has_pasid = ww_rng_below(&random, 2) != 0;
            t.with().pasid = static_cast<uint32_t>(word() >> 40);
            t.with().stream_id = ww_rng_below(&random, 600);
            t.with().type = static_cast<address_type>(ww_rng_below(&random, 3));
            const uint64_t at = t.p.get_address();
            const unsigned port = ww_rng_below(&random, 2);
            tlm::tlm_dmi dmi;
            r.masters[port].out->b_transport(t.p, t.delay);
            answered += t.p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE;
            r.masters[port].out->transport_dbg(t.p);
            r.masters[port].out->get_direct_mem_ptr(t.p, dmi);
            BOOST_TEST(t.p.get_address() == at);
        }
        }
        if (i % 16 == 0)
            r.settle();
        const char *broken = i % 64 == 0 ? r.iommu.core().check() : nullptr;
        BOOST_TEST((broken == nullptr), (broken == nullptr ? "" : broken));
    }
    BOOST_TEST(answered > 9000u);
}

BOOST_AUTO_TEST_SUITE_END()
