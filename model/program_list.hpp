/* SPDX-License-Identifier: MIT */
/* model/program_list.hpp - what runs on a machine: commonly one program, or several at a time, each
 * with a trace of its own. Of several the number is the VM-ID. And what an operating system does meanwhile.
 */
#ifndef WALKWAY_MODEL_PROGRAM_LIST_HPP
#define WALKWAY_MODEL_PROGRAM_LIST_HPP

#include "model/os_event.hpp"

#include <tlm>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

struct wkt_reader;

namespace walkway
{

class image_space;

/* A target socket of memory: base protocol, 32 bits. */
using memory_socket =
    tlm::tlm_base_target_socket_b<32, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<>>;

class program_list
{
public:
    static constexpr size_t most = 16; /* as many as there are VM-IDs */

    /* One; null: none. Where a trace is asked for, this is what is meant. */
    program_list(wkt_reader *only)
    {
        if (only != nullptr)
            all_.push_back(only);
    }
    explicit program_list(std::vector<wkt_reader *> all, std::vector<os_event> events = {})
        : all_(std::move(all)), events_(std::move(events))
    {
    }
    size_t size() const { return all_.size(); }
    bool several() const { return all_.size() > 1; }
    wkt_reader *operator[](size_t i) const { return all_[i]; }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

    const std::vector<os_event> &events() const { return events_; }

    /* The memory and pages that they run in; null: those are laid out for them. */
    const image_space *image() const { return image_.get(); }
    void run_in(std::shared_ptr<const image_space> image) { image_ = std::move(image); }

    /* Main memory of somebody else's instead of the machine's: a socket for each of the machine's ways to it,
     * which are numbered from 0 on (docs/co-simulation.md), each asked for once. */
    using memory_fn = std::function<memory_socket &(unsigned way)>;
    const memory_fn &memory() const { return memory_; }
    void use_memory(memory_fn of_others) { memory_ = std::move(of_others); }

private:
    std::vector<wkt_reader *> all_;
    std::vector<os_event> events_;
    std::shared_ptr<const image_space> image_;
    memory_fn memory_;
};

} // namespace walkway

#endif
