/* SPDX-License-Identifier: MIT */
/* The adapter that puts translation stages between foreign sockets: what is forwarded and where to, what is
 * refused, the order, the bound, and an invalidate that meets accesses in each of their states. */
#include "device/stage_adapter.hpp"
#include "device/test_memory.hpp"
#include "kernels/table/table.h"
#include "tb/device/at_master.hpp"
#include "tb/model/invalidate_peers.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t page_a = 0x7f1000, page_b = 0x7f2000, page_c = 0x7f3000, pa_a = 0x4000, pa_b = 0x9000;

/* A stage that knows some pages, each with its own latency. */
struct page_stage final : block, target_of<xlat_protocol> {
    struct page {
        uint64_t pa;
        uint8_t perm = WW_PERM_ALL;
        uint64_t latency = 5;
    };
    in_port<xlat_protocol> up{"up", *this, *this, 8};
    stage_lanes lanes{*this, nullptr, 0};
    std::map<std::pair<uint16_t, uint64_t>, page> pages; /* by VM-ID and address */
    unsigned asked = 0;

    explicit page_stage(const sc_core::sc_module_name &name = "stage") : block(name, gpu_clock)
    {
        lanes.serve(up);
    }
    std::string waiting() const override { return ""; }

private:
    void step(tick now) override
    {
        if (lanes.next() <= now)
            lanes.step(
                now, [](const ww_inval_scope &) {}, [](const xlat_post &) {});
        while (up.ready(now)) {
            xlat_request &r = up.front();
            up.pop();
            ++asked;
            debug(r);
            const auto known = pages.find({r.vmid, r.va >> 12 << 12});
            later_.push(now + clock().cycles(known == pages.end() ? 5 : known->second.latency), &r);
        }
        for (xlat_request *r = nullptr; later_.pop(now, r);)
            up.respond(*r, now); /* not early: an invalidate would wait for it */
        wake(std::min(up.next(), later_.next()));
        lanes.wake(now);
    }
    unsigned debug(xlat_request &r) override
    {
        BOOST_TEST(ww_va_walkable(r.va)); /* TLBs require it */
        const auto known = pages.find({r.vmid, r.va >> 12 << 12});
        r.fault = known == pages.end();
        if (!r.fault)
            r.result = ww_xlat{known->second.pa, WW_PAGE_4K, known->second.perm};
        return 1;
    }
    due_queue<xlat_request *> later_{gpu_clock};
};

struct adapter_rig {
    simulation sim;
    lt_master socket{"socket"};
    at_master from{socket};
    page_stage stage;
    byte_memory memory{"memory", 0, 1 << 16};
    at_front front{"front", memory};
    actor pager;
    stage_adapter<32> mmu;
    base_protocol rules;
    tick acknowledged = never;

    explicit adapter_rig(uint32_t accesses = 8) : mmu("mmu", gpu_clock, accesses)
    {
        mmu.xlat.bind(stage.up);
        rules.bind(socket.out, mmu.up);
        rules.bind(mmu.down, front.up);
        stage.pages[{0, page_a}] = {pa_a};
        stage.pages[{0, page_b}] = {pa_b};
        for (unsigned i = 0; i < memory.bytes.size(); ++i)
            memory.bytes[i] = static_cast<unsigned char>(i * 7 + i / 256);
        sc_core::sc_start(ns(1));
    }
    void play(std::vector<std::unique_ptr<at_access>> &all)
    {
        for (auto &a : all)
            from.send(*a);
        sc_core::sc_start(ns(5000));
        BOOST_TEST(from.quiet());
        BOOST_TEST(mmu.live() == 0u);
        BOOST_TEST(mmu.waiting() == "");
    }
    tlm::tlm_response_status one(at_access &a)
    {
        from.send(a);
        sc_core::sc_start(ns(2000));
        BOOST_TEST(a.was_answered);
        return a.status();
    }
    /* Moves page_a to pa_b at that time, as software would. */
    void move_a(tick at)
    {
        pager.at(at, [this] {
            stage.pages[{0, page_a}].pa = pa_b;
            BOOST_TEST(
                stage.lanes.start(ww_inval_range(page_a, 4096, 0), [this](tick t) { acknowledged = t; }));
        });
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(stage_adapter_between_others)

BOOST_AUTO_TEST_CASE(accesses_go_on_with_physical_addresses_whichever_way_the_others_answer)
{
    for (unsigned below = 0; below <= at_front::ways; ++below)
        for (unsigned above = 0; above <= at_master::ways; ++above) {
            adapter_rig r;
            r.front.how = below;
            r.from.how = above;
            std::vector<std::unique_ptr<at_access>> all;
            for (unsigned i = 0; i < 12; ++i)
                all.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND,
                                                          (i % 2 == 0 ? page_a : page_b) + i * 64, 16));
            all.push_back(std::make_unique<at_access>(tlm::TLM_WRITE_COMMAND, page_b + 0x800, 16,
                                                      static_cast<unsigned char>(0xab)));
            r.play(all);
            for (unsigned i = 0; i < 12; ++i) {
                BOOST_TEST(all[i]->status() == tlm::TLM_OK_RESPONSE);
                const uint64_t pa = (i % 2 == 0 ? pa_a : pa_b) + i * 64;
                BOOST_TEST(std::memcmp(all[i]->data.data(), &r.memory.bytes[pa], 16) == 0);
                BOOST_TEST(r.memory.seen[i].first == pa); /* in the order of the requests */
            }
            BOOST_TEST(r.memory.bytes[pa_b + 0x80f] == 0xab);
            BOOST_TEST(r.mmu.stats().accesses == 13u);
            BOOST_TEST(r.mmu.stats().translations == 13u);
        }
}

BOOST_AUTO_TEST_CASE(a_burst_across_pages_goes_on_in_parts_and_is_answered_once)
{
    adapter_rig r;
    at_access over(tlm::TLM_READ_COMMAND, page_a + 4096 - 24, 64);
    BOOST_TEST(r.one(over) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(std::memcmp(over.data.data(), &r.memory.bytes[pa_a + 4096 - 24], 24) == 0);
    BOOST_TEST(std::memcmp(over.data.data() + 24, &r.memory.bytes[pa_b], 40) == 0);
    BOOST_TEST(r.memory.accesses == 2u);
    BOOST_TEST(r.mmu.stats().translations == 2u);

    /* the second page is absent: nothing is transferred */
    at_access half(tlm::TLM_WRITE_COMMAND, page_b + 4096 - 8, 16, static_cast<unsigned char>(0xcd));
    BOOST_TEST(r.one(half) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(r.memory.accesses == 2u);
    BOOST_TEST(half.p.get_address() == page_b + 4096 - 8);

    /* memory refuses the first part: the second is not sent */
    r.memory.bad_first = r.memory.bad_last = pa_a + 4095;
    at_access refused(tlm::TLM_READ_COMMAND, page_a + 4096 - 8, 16);
    BOOST_TEST(r.one(refused) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(r.memory.accesses == 3u);
    at_access after(tlm::TLM_READ_COMMAND, page_b, 8);
    BOOST_TEST(r.one(after) == tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_CASE(what_has_no_translation_or_no_right_or_is_illegal_is_refused_and_nothing_goes_on)
{
    adapter_rig r;
    r.stage.pages[{0, page_b}].perm = WW_PERM_R;
    r.stage.pages[{5, page_c}] = {pa_a, WW_PERM_X};
    const auto refused = [&r](tlm::tlm_command command, uint64_t at, tlm::tlm_response_status expected,
                              const std::function<void(at_access &)> &with = {}) {
        at_access a(command, at, 8);
        if (with)
            with(a);
        BOOST_TEST(r.one(a) == expected);
    };
    refused(tlm::TLM_READ_COMMAND, page_c, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    refused(tlm::TLM_WRITE_COMMAND, page_b, tlm::TLM_COMMAND_ERROR_RESPONSE);
    const auto of_vm = [](bool execute) {
        return [execute](at_access &a) {
            access_attributes &who = a.with();
            who.vmid = 5;
            who.has_vmid = true;
            who.execute = execute;
        };
    };
    refused(tlm::TLM_READ_COMMAND, page_c, tlm::TLM_COMMAND_ERROR_RESPONSE, of_vm(false));
    refused(tlm::TLM_READ_COMMAND, page_a, tlm::TLM_ADDRESS_ERROR_RESPONSE, of_vm(true));
    BOOST_TEST(r.mmu.stats().faults == 2u);
    BOOST_TEST(r.mmu.stats().no_right == 2u);
    BOOST_TEST(r.memory.accesses == 0u);
    refused(tlm::TLM_READ_COMMAND, page_c, tlm::TLM_OK_RESPONSE, of_vm(true));
    BOOST_TEST(r.memory.accesses == 1u);
    refused(tlm::TLM_READ_COMMAND, page_a, tlm::TLM_OK_RESPONSE, [](at_access &a) { a.with().vmid = 5; });
    BOOST_TEST(r.memory.accesses == 2u); /* a VM-ID that is not marked as one: VM 0 */

    const bool interposed = base_protocol::interposed;
    if (interposed) /* the checker reports the wrong payload */
        return;
    refused(tlm::TLM_READ_COMMAND, page_a, tlm::TLM_GENERIC_ERROR_RESPONSE,
            [](at_access &a) { a.p.set_data_length(0); });
    refused(tlm::TLM_READ_COMMAND, page_a, tlm::TLM_BURST_ERROR_RESPONSE,
            [](at_access &a) { a.p.set_streaming_width(0); });
    BOOST_TEST(r.mmu.stats().illegal == 2u);
    BOOST_TEST(r.memory.accesses == 2u);
}

BOOST_AUTO_TEST_CASE(addresses_beyond_every_table_are_refused_without_the_stage)
{
    constexpr uint64_t beyond = UINT64_C(1) << WW_WALK_VA_BITS_MAX, last_page = beyond - 4096;
    adapter_rig r;
    r.stage.pages[{0, last_page}] = {pa_a};
    for (const uint64_t at : {beyond, beyond - 8, UINT64_MAX - 15}) {
        at_access a(tlm::TLM_READ_COMMAND, at, 16);
        BOOST_TEST(r.one(a) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
        BOOST_TEST(r.socket.out->transport_dbg(a.p) == (at < beyond ? 8u : 0u));
    }
    BOOST_TEST(r.mmu.stats().faults == 3u);
    BOOST_TEST(r.stage.asked == 0u);
    at_access last(tlm::TLM_READ_COMMAND, beyond - 16, 16);
    BOOST_TEST(r.one(last) == tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_CASE(a_hit_waits_for_the_one_before_it_and_a_refused_one_does_not_hold_the_next)
{
    adapter_rig r;
    r.stage.pages[{0, page_a}].latency = 200;
    std::vector<std::unique_ptr<at_access>> all;
    all.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND, page_a, 8));
    all.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND, page_c, 8)); /* refused at once */
    all.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND, page_b, 8));
    r.play(all);
    BOOST_TEST(r.memory.seen[0].first == pa_a);
    BOOST_TEST(r.memory.seen[1].first == pa_b);
    BOOST_TEST_REQUIRE(r.from.answers.size() == 3u);
    BOOST_TEST(r.from.answers[0] == all[1].get());
    BOOST_CHECK(all[2]->took() > ns(100));
}

BOOST_AUTO_TEST_CASE(so_many_accesses_are_under_way_and_the_next_has_its_grant_when_one_is_over)
{
    for (uint32_t most = 1; most <= 4; ++most) {
        adapter_rig r(most);
        std::vector<std::unique_ptr<at_access>> all;
        for (unsigned i = 0; i < 5; ++i)
            all.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND, page_a + i * 8, 8));
        r.play(all);
        for (unsigned i = 0; i < 5; ++i)
            BOOST_CHECK((all[i]->granted >= all[0]->ended) == (i >= most));
    }
    simulation sim;
    BOOST_CHECK_THROW(stage_adapter<32>("none", gpu_clock, 0), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_invalidate_waits_for_accesses_that_have_gone_on)
{
    adapter_rig r;
    r.memory.latency = ns(300);
    at_access a(tlm::TLM_READ_COMMAND, page_a, 8);
    r.from.send(a);
    r.move_a(simulation_time() + cycle(100)); /* long after it is at memory */
    sc_core::sc_start(ns(2000));
    BOOST_TEST(std::memcmp(a.data.data(), &r.memory.bytes[pa_a], 8) == 0);
    BOOST_TEST_REQUIRE(r.acknowledged != never);
    BOOST_CHECK(time_scale::here().time(r.acknowledged) >= a.answered);
    BOOST_TEST(r.mmu.stats().again == 0u);
}

BOOST_AUTO_TEST_CASE(what_was_translated_and_has_not_gone_on_when_an_invalidate_comes_is_translated_anew)
{
    adapter_rig r;
    r.stage.pages[{0, page_b}].latency = 400;
    std::vector<std::unique_ptr<at_access>> all;
    all.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND, page_b, 8));
    all.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND, page_a, 8)); /* a hit, after it */
    r.move_a(simulation_time() + cycle(100));
    r.play(all);
    BOOST_TEST(std::memcmp(all[1]->data.data(), &r.memory.bytes[pa_b], 8) == 0);
    BOOST_TEST(r.mmu.stats().again == 1u);
    BOOST_TEST_REQUIRE(r.acknowledged != never);
    BOOST_CHECK(time_scale::here().time(r.acknowledged) < all[0]->answered); /* it waits for no access */

    /* a burst with one known page */
    adapter_rig s;
    s.stage.pages[{0, page_b}].latency = 400;
    std::vector<std::unique_ptr<at_access>> burst;
    burst.push_back(std::make_unique<at_access>(tlm::TLM_READ_COMMAND, page_a + 4088, 16));
    s.move_a(simulation_time() + cycle(100));
    s.play(burst);
    BOOST_TEST(std::memcmp(burst[0]->data.data(), &s.memory.bytes[pa_b + 4088], 8) == 0);
    BOOST_TEST(s.mmu.stats().again == 1u);
    BOOST_TEST(s.mmu.stats().translations == 4u);
}

BOOST_AUTO_TEST_CASE(debug_access_is_translated_without_anything_of_it_in_the_statistics)
{
    adapter_rig r;
    r.stage.pages[{0, page_b}].perm = WW_PERM_R;
    at_access over(tlm::TLM_READ_COMMAND, page_a + 4096 - 8, 24);
    BOOST_TEST(r.socket.out->transport_dbg(over.p) == 24u);
    BOOST_TEST(std::memcmp(over.data.data(), &r.memory.bytes[pa_a + 4088], 8) == 0);
    BOOST_TEST(std::memcmp(over.data.data() + 8, &r.memory.bytes[pa_b], 16) == 0);
    BOOST_TEST(over.p.get_address() == page_a + 4096 - 8);
    BOOST_TEST(over.p.get_data_length() == 24u);
    at_access to_end(tlm::TLM_WRITE_COMMAND, page_a + 4096 - 8, 24, static_cast<unsigned char>(0x33));
    BOOST_TEST(r.socket.out->transport_dbg(to_end.p) == 8u); /* the next page is read-only */
    BOOST_TEST(r.memory.bytes[pa_a + 4095] == 0x33);
    BOOST_TEST(r.memory.bytes[pa_b] != 0x33);
    at_access none(tlm::TLM_READ_COMMAND, page_c, 8);
    BOOST_TEST(r.socket.out->transport_dbg(none.p) == 0u);
    BOOST_TEST(r.stage.asked == 0u);
    BOOST_TEST(r.mmu.stats().accesses == 0u);
}

BOOST_AUTO_TEST_CASE(
    blocking_calls_and_payloads_without_memory_manager_are_an_error_and_there_is_no_direct_memory)
{
    adapter_rig r;
    const bool interposed = base_protocol::interposed;
    tlm::tlm_dmi dmi;
    at_access a(tlm::TLM_READ_COMMAND, page_a, 8);
    BOOST_TEST(!r.socket.out->get_direct_mem_ptr(a.p, dmi));
    BOOST_TEST(dmi.get_end_address() == UINT64_MAX);
    sc_core::sc_time delay;
    r.socket.out->b_transport(a.p, delay);
    BOOST_TEST(a.status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (interposed)
        return;
    gp bare;
    unsigned char byte;
    bare.set_data_ptr(&byte);
    bare.set_data_length(1);
    bare.set_streaming_width(1);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    BOOST_TEST(r.socket.out->nb_transport_fw(bare, phase, delay) == tlm::TLM_COMPLETED);
    BOOST_TEST(bare.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
}

BOOST_AUTO_TEST_SUITE_END()
