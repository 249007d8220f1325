/* SPDX-License-Identifier: MIT */
/* model/memory_ways.hpp - a foreign main memory for program_list::use_memory(): a target socket for each of a
 * machine's paths to memory. Separate from the list, which needs no SystemC. */
#ifndef WALKWAY_MODEL_MEMORY_WAYS_HPP
#define WALKWAY_MODEL_MEMORY_WAYS_HPP

#include <tlm>

#include <functional>
#include <utility>

namespace walkway
{

/* A target socket of memory: base protocol, 32 bits. */
using memory_socket =
    tlm::tlm_base_target_socket_b<32, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;

class memory_ways
{
public:
    /* `of` returns the socket of a way, numbered from 0 (docs/use/co-simulation.md); it is called once per
     * way. */
    explicit memory_ways(std::function<memory_socket &(unsigned way)> of) : of_(std::move(of)) {}
    memory_socket &socket(unsigned way) const { return of_(way); }

private:
    std::function<memory_socket &(unsigned way)> of_;
};

} // namespace walkway

#endif
