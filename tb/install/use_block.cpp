/* SPDX-License-Identifier: MIT */
/* tb/install/use_block.cpp - Walkway's TLB block in a foreign platform: a requester above it and a target
 * that translates below it; one cold miss, then a hit on the same page. */
#include "walkway/model/tlb.hpp"

#include <systemc>

#include <cstdio>
#include <cstdlib>

namespace
{

/* Translates each address to itself after 100 cycles. */
class identity final : public walkway::block, public walkway::target_of<walkway::xlat_protocol>
{
public:
    walkway::in_port<walkway::xlat_protocol> up{"up", *this, *this, 4};

    identity(const sc_core::sc_module_name &name, const walkway::clock_domain &clock) : block(name, clock) {}
    std::string waiting() const override { return ""; }

private:
    void step(walkway::tick now) override
    {
        while (up.ready(now)) {
            walkway::xlat_request &r = up.front();
            up.pop();
            debug(r);
            r.charge(works_, now + clock().cycles(100));
            up.respond(r, now + clock().cycles(100));
        }
        wake(up.next());
    }
    unsigned debug(walkway::xlat_request &r) override
    {
        r.result = ww_xlat{r.va & ~uint64_t{4095}, 12, 0};
        return 1;
    }

    walkway::cause works_ = names()->add(names()->add_track({this, ""}), "identity", "at work");
};

/* Requests one address twice, one after the other, and records how long each request takes. */
class requester final : public walkway::block, public walkway::initiator_of<walkway::xlat_protocol>
{
public:
    walkway::out_port<walkway::xlat_protocol> down{"down", *this, *this};
    walkway::tick took[2] = {0, 0};
    unsigned answers = 0;

    requester(const sc_core::sc_module_name &name, const walkway::clock_domain &clock) : block(name, clock)
    {
        wake(0);
    }
    std::string waiting() const override { return ""; }

private:
    void step(walkway::tick now) override
    {
        if (answers == 2 || busy_)
            return;
        busy_ = true;
        request_ = {};
        request_.va = 0x12345678;
        request_.start(now);
        down.send(request_, now);
    }
    void on_response(walkway::xlat_request &r, walkway::tick at, unsigned) override
    {
        took[answers++] = at - r.issued;
        busy_ = false;
        wake(at);
    }

    walkway::xlat_request request_{};
    bool busy_ = false;
};

} // namespace

extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    std::abort();
}

int sc_main(int, char **)
{
    const walkway::clock_domain clock(500); /* 2 GHz */
    walkway::tlb_params params;
    params.entries = params.ways = 32;
    params.hit_cycles = 10;
    params.ports = 2;
    params.mshrs = params.merges = 64;
    params.queue_entries = 4;
    requester top("top", clock);
    walkway::tlb tlb("tlb", clock, params, {"l1", "L1 TLB"}, 1);
    identity bottom("bottom", clock);
    top.down.bind(*tlb.up[0]);
    tlb.down.bind(bottom.up);

    sc_core::sc_start();
    std::printf("miss %llu ps, hit %llu ps\n", static_cast<unsigned long long>(top.took[0]),
                static_cast<unsigned long long>(top.took[1]));
    const bool right = top.answers == 2 && tlb.stats().hits == 1 && tlb.stats().misses == 1 &&
                       top.took[0] >= clock.cycles(110) && top.took[1] >= clock.cycles(10) &&
                       top.took[1] < clock.cycles(20);
    return right ? 0 : 1;
}
