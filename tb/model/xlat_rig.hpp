/* SPDX-License-Identifier: MIT */
/* Shared by the contract's rigs of blocks that answer translations (tb/support/contract.hpp): the requester,
 * an address space, and the comparison of each answer. */
#ifndef WALKWAY_TB_XLAT_RIG_HPP
#define WALKWAY_TB_XLAT_RIG_HPP

#include "tb/support/block_numbers.hpp"
#include "tb/support/contract.hpp"

namespace walkway::test
{

constexpr uint64_t base_va = uint64_t{1} << 32;
constexpr uint32_t contract_pages = 96;

template <class P> void dawdle(bool refusing, requester<P> &top)
{
    top.keep_response = refusing ? 12 : 0;
}

template <class P> void stall(bool refusing, responder<P> &below)
{
    below.stall_percent = refusing ? 60 : 0;
    below.jitter = refusing ? 50 : 0;
    below.max_outstanding = refusing ? 3 : UINT32_MAX;
}

struct xlat_rig {
    using protocol = xlat_protocol;
    simulation sim;
    memory_store store;
    const uint32_t pages; /* of the address space, from base_va on; four more are requested */
    address_spaces space{numbers_of<address_space_params>(), {{base_va, uint64_t{pages} << 12}}, store};
    xlat_requester top{"top"};
    translations asked{top};

    explicit xlat_rig(uint32_t pages_of_space = contract_pages) : pages(pages_of_space) {}

    /* The level below answers from the address space. */
    void translate(xlat_responder &below)
    {
        below.answer = [this, c = cause_of(below, "below")](xlat_request &r, tick at) {
            r.fault = !space[0].translate(r.va, &r.result);
            r.charge(c, at);
        };
        below.on_debug = [this](xlat_request &r) {
            r.fault = !space[0].translate(r.va, &r.result);
            return 1u;
        };
    }
    xlat_request &make(ww_rng &random, tick at)
    {
        return asked.make(base_va + ww_rng_below(&random, pages + 4) * 4096, at, ww_rng_below(&random, 9));
    }
    void prove(const xlat_request &r)
    {
        ww_xlat expected{};
        const bool mapped = space[0].translate(r.va, &expected);
        BOOST_TEST(r.fault == !mapped);
        if (mapped)
            BOOST_TEST(r.result.page_pa == expected.page_pa);
    }
    unsigned debug(ww_rng &random)
    {
        xlat_request r{};
        r.va = base_va + ww_rng_below(&random, pages) * 4096;
        const unsigned n = top.down->transport_dbg(r);
        prove(r);
        return n;
    }
};

} // namespace walkway::test

#endif
