/* SPDX-License-Identifier: MIT */
/* Blocks above and below a stage that an invalidate passes: requests and answers at chosen times, an
 * invalidate that is kept as long as the test chooses, and a table whose pages are moved. */
#ifndef WW_TB_MODEL_INVALIDATE_PEERS_HPP
#define WW_TB_MODEL_INVALIDATE_PEERS_HPP

#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "tb/support/requests.hpp"

#include <set>

namespace walkway::test
{

/* Acts at chosen times, as a block of the machine. */
struct actor final : block {
    using act = std::function<void()>;
    explicit actor(const sc_core::sc_module_name &name = "actor") : block(name, gpu_clock) {}
    void at(tick t, act what)
    {
        acts_.emplace(t, std::move(what));
        wake(t);
    }
    std::string waiting() const override { return ""; }

private:
    void step(tick now) override
    {
        while (!acts_.empty() && acts_.begin()->first <= now) {
            const act what = std::move(acts_.begin()->second);
            acts_.erase(acts_.begin());
            what();
        }
        if (!acts_.empty())
            wake(acts_.begin()->first);
    }
    std::multimap<tick, act> acts_;
};

/* A requester. It returns an invalidate after `keep` cycles. */
struct asker final : block, initiator_of<xlat_protocol>, notice_taker {
    struct answer {
        uint64_t va;
        uint16_t vmid;
        uint64_t page_pa;
        tick at;
        bool noticed; /* it follows an invalidate */
    };
    out_port<xlat_protocol> down;
    std::vector<answer> answers; /* in the order of sending */
    std::vector<tick> noticed;
    uint64_t keep = 0;

    explicit asker(const sc_core::sc_module_name &name) : block(name, gpu_clock), down("down", *this, *this)
    {
        down.notices(*this);
    }
    /* The request arrives below a cycle later. */
    void ask(uint64_t va, tick at, uint16_t vmid = 0)
    {
        requests_.emplace_back();
        xlat_request &r = requests_.back();
        r.va = va;
        r.vmid = vmid;
        r.cu = 0;
        r.instruction = 0;
        r.access = access_kind::read;
        r.start(at);
        waiting_.emplace(at, &r);
        wake(at);
    }
    const answer &only() const
    {
        BOOST_REQUIRE(answers.size() == 1u);
        return answers.front();
    }
    std::string waiting() const override { return ""; }

private:
    void on_response(xlat_request &r, tick at, unsigned) override
    {
        answers.push_back({r.va, r.vmid, r.fault ? 0 : r.result.page_pa, at, !noticed.empty()});
    }
    void on_invalidate(const ww_inval_scope &, tick at) override
    {
        noticed.push_back(at);
        turn_ = clock().ceil(at) + clock().cycles(keep);
        wake(turn_);
    }
    void step(tick now) override
    {
        if (turn_ <= now) {
            turn_ = never;
            down.target()->posts()->back(now + clock().period());
        }
        for (; !waiting_.empty() && waiting_.begin()->first <= now && down.can_send();
             waiting_.erase(waiting_.begin()))
            down.send(*waiting_.begin()->second, now + clock().period());
        wake(turn_);
        if (!waiting_.empty() && waiting_.begin()->first > now)
            wake(waiting_.begin()->first);
    }
    std::deque<xlat_request> requests_;
    std::multimap<tick, xlat_request *> waiting_;
    tick turn_ = never;
};

/* The last level: knows every page, and answers `latency` cycles after a request arrives, with the state at
 * that arrival. A moved page has another address. */
struct root final : block, target_of<xlat_protocol> {
    in_port<xlat_protocol> up;
    stage_lanes lanes;
    uint64_t latency = 50;
    std::map<uint64_t, uint64_t> moved; /* va: number of moves */
    std::set<uint64_t> absent;          /* va of pages that are absent */

    explicit root(const sc_core::sc_module_name &name = "root")
        : block(name, gpu_clock), up("up", *this, *this, 64), lanes(*this, nullptr, 0)
    {
        lanes.serve(up);
    }
    uint64_t page_pa(uint64_t va) const
    {
        const auto it = moved.find(va);
        return invented(va).page_pa + (it == moved.end() ? 0 : it->second << 52);
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
            debug(r);
            up.respond(r, now + clock().cycles(latency));
        }
        wake(up.next());
        lanes.wake(now);
    }
    unsigned debug(xlat_request &r) override
    {
        r.result = ww_xlat{page_pa(r.va), WW_PAGE_4K, WW_PERM_ALL};
        r.fault = absent.count(r.va) != 0;
        return 1;
    }
};

/* Returns the page that a stage, or one below it, answers with now. */
template <class PORT> uint64_t answered_by(PORT &down, uint64_t va, uint16_t vmid = 0)
{
    xlat_request r{};
    r.va = va;
    r.vmid = vmid;
    down->transport_dbg(r);
    return r.result.page_pa;
}

} // namespace walkway::test

#endif
