/* SPDX-License-Identifier: MIT */
/* model/program_list.hpp - the programs that run on a machine: commonly one, or several at a time, each
 * with a trace of its own. Of several, the number is the VM-ID. Also the actions of an operating system
 * meanwhile. */
#ifndef WALKWAY_MODEL_PROGRAM_LIST_HPP
#define WALKWAY_MODEL_PROGRAM_LIST_HPP

#include "model/os_event.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

struct wkt_reader;

namespace walkway
{

class image_space;
class memory_ways;

class program_list
{
public:
    static constexpr size_t most = 16; /* the number of VM-IDs */

    /* One program; null: none. Converts implicitly from a trace. */
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

    /* The memory and pages in which they run; null: those are laid out for them. */
    const image_space *image() const { return image_.get(); }
    void run_in(std::shared_ptr<const image_space> image) { image_ = std::move(image); }

    /* A foreign main memory (model/memory_ways.hpp); null: the machine's own. */
    const std::shared_ptr<const memory_ways> &memory() const { return memory_; }
    void use_memory(std::shared_ptr<const memory_ways> of_others) { memory_ = std::move(of_others); }

private:
    std::vector<wkt_reader *> all_;
    std::vector<os_event> events_;
    std::shared_ptr<const image_space> image_;
    std::shared_ptr<const memory_ways> memory_;
};

} // namespace walkway

#endif
