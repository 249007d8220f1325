/* SPDX-License-Identifier: MIT */
/* model/host_link.hpp - stands between the last data cache and memory if a program is larger than device
 * memory: lines below host_pa go on to device memory a cycle later, lines from there on go to host memory
 * over a link. Models: [P24 section 2.1] remote mappings, which a GPU reads and writes in place. Each
 * direction of the link carries a line at a time; a read is answered when its line has arrived, a write when
 * its line has left. MODEL: host memory takes no time of its own (latency_ns includes it); mbytes_per_s
 * excludes the headers of packets. Not modelled: contents, peers, coherence with the host's caches. */
#ifndef WALKWAY_MODEL_HOST_LINK_HPP
#define WALKWAY_MODEL_HOST_LINK_HPP

#include "model/common/due_queue.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/signals.hpp"
#include "model/common/stats.hpp"
#include "model/params/host_link.hpp"

#include <functional>

namespace walkway
{

struct host_link_stats {
    uint64_t device_lines = 0, host_reads = 0, host_writes = 0, copied_in = 0, copied_out = 0, elsewhere = 0,
             stall_cycles = 0, down_busy_ps = 0, up_busy_ps = 0;
    histogram read_latency;
    void visit(stat_visitor &v) const;
};

class host_link final : public block, public target_of<mem_protocol>, public initiator_of<mem_protocol>
{
public:
    enum requester : unsigned { cache, copies };
    in_ports<mem_protocol> up;
    out_port<mem_protocol> down; /* to device memory */

    /* requesters: the cache alone, or both. */
    host_link(const sc_core::sc_module_name &name, const clock_domain &clock, const host_link_params &p,
              unsigned requesters);
    /* Called with the address of each line that a cache reads or writes; returns true if the page is there.
     * late: a write-back, or a fetch for one. */
    using owner_fn = std::function<bool(uint64_t pa, bool host, bool late)>;
    void asks(owner_fn f) { owner_ = std::move(f); }

    const host_link_stats &stats() const { return stats_; }
    void visit(stat_visitor &v, tick) const override { stats_.visit(v); }
    void laws(law_list &list) const override;
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    struct direction {
        tick free = 0; /* from this time on */
        /* Sends a line, not before `from`. Returns when it has been carried. */
        tick carry(tick from, tick line)
        {
            free = (free > from ? free : from) + line;
            return free;
        }
    };
    void step(tick now) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    unsigned debug(tlm::tlm_generic_payload &p) override { return down->transport_dbg(p); }
    bool serve(unsigned port, tick now);
    void over_the_link(tlm::tlm_generic_payload &p, unsigned port, tick now);

    host_link_params params_;
    tick line_ps_, latency_ps_;
    direction in_, out_; /* from the host, and to the host */
    due_queue<bool> reads_;
    uint32_t reads_out_ = 0;
    tick stalled_since_ = never;
    owner_fn owner_;
    host_link_stats stats_;
};

} // namespace walkway

#endif
