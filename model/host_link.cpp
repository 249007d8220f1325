/* SPDX-License-Identifier: MIT */
/* model/host_link.cpp - behaviour of the link to host memory. */
#include "model/host_link.hpp"

namespace walkway
{

void host_link_stats::visit(stat_visitor &v) const
{
    v.count("device_lines", device_lines, "count", "lines that went on to device memory");
    v.count("host_reads", host_reads, "count", "lines that caches read from host memory");
    v.count("host_writes", host_writes, "count", "lines that caches wrote to host memory");
    v.count("copied_in", copied_in, "count", "lines that were copied from host memory");
    v.count("copied_out", copied_out, "count", "lines that were copied to host memory");
    v.count("elsewhere", elsewhere, "count", "lines that caches asked for where their page does not lie");
    v.count("stall_cycles", stall_cycles, "cycles", "in which a read waited for one on its way to come back");
    v.count("down_busy_ps", down_busy_ps, "ps", "time in which lines came from host memory");
    v.count("up_busy_ps", up_busy_ps, "ps", "time in which lines went to host memory");
    v.hist("read_latency", read_latency, "cycles", "of reads of host memory, turns at the link included");
}

host_link::host_link(const sc_core::sc_module_name &name, const clock_domain &clock,
                     const host_link_params &p, unsigned requesters)
    : block(name, clock), up(*this, *this, requesters, p.queue_entries), down("down", *this, *this),
      params_(p), line_ps_(uint64_t{line_bytes} * 1000000 / p.mbytes_per_s),
      latency_ps_(uint64_t{p.latency_ns} * 1000), reads_(clock)
{
}

void host_link::laws(law_list &list) const
{
    list.add("lines that caches asked for where their page does not lie", stats_.elsewhere, 0);
}

/* The payload's route names the requester. */
void host_link::on_response(tlm::tlm_generic_payload &p, tick at, unsigned)
{
    up[mem_ext_of(p).leave()]->respond(p, at);
}

void host_link::over_the_link(tlm::tlm_generic_payload &p, unsigned port, tick now)
{
    tick due = 0;
    if (p.is_write()) {
        ++(port == copies ? stats_.copied_out : stats_.host_writes);
        stats_.up_busy_ps += line_ps_;
        due = out_.carry(now, line_ps_);
    } else {
        ++(port == copies ? stats_.copied_in : stats_.host_reads);
        stats_.down_busy_ps += line_ps_;
        due = reads_.push(in_.carry(now + latency_ps_, line_ps_), true);
        ++reads_out_;
        stats_.read_latency.add(clock().floor_cycle(due - now));
    }
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    up[port]->respond(p, clock().ceil(due));
}

/* Returns false if the oldest request of this port must wait for device memory or for a read to return. */
bool host_link::serve(unsigned port, tick now)
{
    tlm::tlm_generic_payload &p = up[port]->front();
    const uint64_t pa = p.get_address();
    const bool host = pa >= params_.host_pa;
    if (host ? !p.is_write() && reads_out_ == params_.reads : !down.can_send())
        return false;
    if (port == cache && owner_ && !owner_(pa, host, mem_ext_of(p).late))
        ++stats_.elsewhere;
    up[port]->pop();
    if (host) {
        over_the_link(p, port, now);
        return true;
    }
    ++stats_.device_lines;
    mem_ext_of(p).enter(port);
    down.send(p, now + clock().period());
    return true;
}

/* Serves caches first. A port that waits does not block the other. */
void host_link::step(tick now)
{
    for (bool back = true; reads_.pop(now, back);)
        --reads_out_;
    if (stalled_since_ != never)
        stats_.stall_cycles += clock().floor_cycle(now - stalled_since_);
    stalled_since_ = never;
    for (unsigned port = 0; port < up.size(); ++port) {
        bool moves = true;
        while (moves && up[port]->ready(now))
            moves = serve(port, now);
        if (moves)
            wake(up[port]->next());
        else if (up[port]->front().get_address() >= params_.host_pa)
            stalled_since_ = now;
    }
    if (stalled_since_ != never || sampled()) /* sampled: shows a read until it returns */
        wake(reads_.next());
}

std::string host_link::waiting() const
{
    uint64_t queued = 0;
    for (const auto &port : up)
        queued += port->size();
    return queued == 0 ? "" : std::to_string(queued) + " lines wait for memory or for the link";
}

void host_link::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        v.value("reads", 17, reads_out_, "reads of host memory on their way");
        v.pulse("device", 8, stats_.device_lines, "lines that go on to device memory");
        v.pulse("host_read", 8, stats_.host_reads, "lines that caches read from host memory");
        v.pulse("host_write", 8, stats_.host_writes, "lines that caches write to host memory");
        v.pulse("copied_in", 8, stats_.copied_in, "lines copied from host memory");
        v.pulse("copied_out", 8, stats_.copied_out, "lines copied to host memory");
    });
}

} // namespace walkway
