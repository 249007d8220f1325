/* SPDX-License-Identifier: MIT */
/* model/common/program_list.hpp - what runs on a machine: commonly one program, or several at a time, each
 * with a trace of its own. Of several the number is the VM-ID. */
#ifndef WALKWAY_MODEL_COMMON_PROGRAMS_HPP
#define WALKWAY_MODEL_COMMON_PROGRAMS_HPP

#include <cstddef>
#include <utility>
#include <vector>

struct wkt_reader;

namespace walkway
{

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
    explicit program_list(std::vector<wkt_reader *> all) : all_(std::move(all)) {}
    size_t size() const { return all_.size(); }
    bool several() const { return all_.size() > 1; }
    wkt_reader *operator[](size_t i) const { return all_[i]; }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<wkt_reader *> all_;
};

} // namespace walkway

#endif
