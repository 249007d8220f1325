/* SPDX-License-Identifier: MIT */
/* tb/bench/events.cpp - yardstick: only SystemC's event loop and TLM's calls. BLOCKS modules form a ring,
 * each with one method on its own event; an activation notifies the event 1 to 16 cycles ahead and otherwise
 * only makes its share of REQUESTS: a BEGIN_REQ to the next module by nb_transport_fw() and a BEGIN_RESP back
 * by nb_transport_bw(). Prints processor time as JSON. Usage: bench_events BLOCKS ACTIVATIONS REQUESTS */
#include "tb/bench/storage.hpp"

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include <systemc>
#include <tlm>

#include <cinttypes>
#include <string>
#include <vector>

namespace
{

struct totals {
    uint64_t activations = 0, requests = 0, answers = 0;
};

class ring_block final : public sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>
{
public:
    tlm::tlm_initiator_socket<> down{"down"};
    tlm::tlm_target_socket<> up{"up"};

    ring_block(const sc_core::sc_module_name &name, totals &all, uint64_t activations, uint64_t requests)
        : sc_core::sc_module(name), all_(all), activations_(activations), requests_(requests),
          random_(0x9e3779b97f4a7c15ULL ^ std::hash<std::string>()(this->name()))
    {
        down.bind(*this);
        up.bind(*this);
        sc_core::sc_spawn_options method;
        method.spawn_method();
        method.set_sensitivity(&due_);
        sc_core::sc_spawn([this] { activate(); }, "activate", &method);
    }

private:
    void activate()
    {
        if (all_.activations == activations_)
            return;
        ++all_.activations;
        while (all_.requests * activations_ < all_.activations * requests_) {
            ++all_.requests;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay = sc_core::sc_time::from_value(500);
            down->nb_transport_fw(payload_, phase, delay);
        }
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        random_ ^= random_ << 17;
        due_.notify(sc_core::sc_time::from_value(500 * (1 + (random_ & 15))));
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &,
                                       sc_core::sc_time &delay) override
    {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        up->nb_transport_bw(p, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &) override
    {
        ++all_.answers;
        return tlm::TLM_COMPLETED;
    }
    void b_transport(tlm::tlm_generic_payload &, sc_core::sc_time &) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload &, tlm::tlm_dmi &) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload &) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    totals &all_;
    uint64_t activations_, requests_, random_;
    sc_core::sc_event due_;
    tlm::tlm_generic_payload payload_;
};

const int silence = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);

} // namespace

int sc_main(int argc, char *argv[])
{
    if (silence != 0 || argc != 4)
        bench::give_up("usage: bench_events BLOCKS ACTIVATIONS REQUESTS");
    const auto blocks = std::strtoul(argv[1], nullptr, 10);
    const uint64_t activations = std::strtoull(argv[2], nullptr, 10);
    const uint64_t requests = std::strtoull(argv[3], nullptr, 10);
    if (blocks == 0 || blocks > 10000 || activations < blocks || activations > UINT32_MAX ||
        requests > UINT32_MAX)
        bench::give_up("bench_events: 1 to 10000 blocks, not fewer activations than blocks");
    totals all;
    std::vector<std::unique_ptr<ring_block>> ring;
    for (unsigned long i = 0; i < blocks; ++i)
        ring.push_back(
            std::make_unique<ring_block>(("block_" + std::to_string(i)).c_str(), all, activations, requests));
    for (unsigned long i = 0; i < blocks; ++i)
        ring[i]->down.bind(ring[(i + 1) % blocks]->up);
    const double start = bench::processor_seconds();
    sc_core::sc_start();
    const double seconds = bench::processor_seconds() - start;
    std::printf("{\"seconds\": %.6f, \"activations\": %" PRIu64 ", \"requests\": %" PRIu64
                ", \"answers\": %" PRIu64 "}\n",
                seconds, all.activations, all.requests, all.answers);
    return all.answers == all.requests ? 0 : 1;
}
