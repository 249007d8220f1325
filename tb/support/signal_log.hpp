/* SPDX-License-Identifier: MIT */
/* tb/support/signal_log.hpp - records a block's signals after each step, to be read by name and time. */
#ifndef WW_TB_SUPPORT_SIGNAL_LOG_HPP
#define WW_TB_SUPPORT_SIGNAL_LOG_HPP

#include "model/common/block.hpp"
#include "observe/waves/recorder.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace walkway::test
{

/* Records from its construction on. */
class signal_log final : public sampler
{
public:
    explicit signal_log(block &b) : block_(b), list_(signals_of({&b})), seen_(list_.size())
    {
        b.sample(this);
    }
    ~signal_log() override { block_.sample(nullptr); }
    signal_log(const signal_log &) = delete;
    signal_log &operator=(const signal_log &) = delete;

    void after_step(tick now) override
    {
        std::vector<signal_change> changed(seen_.size());
        signal_visitor v(seen_.data(), changed.data(), signal_ask::all);
        block_.signals(v);
        values_[now] = seen_;
    }
    /* The value after the last step up to t. `name` is without the block's name. */
    uint64_t at(const std::string &name, tick t) const
    {
        return std::prev(values_.upper_bound(t))->second.at(number(name));
    }
    bool has(const std::string &name) const { return find(name) != list_.size(); }

private:
    size_t find(const std::string &name) const
    {
        size_t i = 0;
        while (i < list_.size() && list_[i].name != list_[i].block + "." + name)
            ++i;
        return i;
    }
    size_t number(const std::string &name) const
    {
        if (!has(name))
            throw std::out_of_range("no signal " + name);
        return find(name);
    }

    block &block_;
    std::vector<signal_info> list_;
    std::vector<uint64_t> seen_;
    std::map<tick, std::vector<uint64_t>> values_;
};

} // namespace walkway::test

#endif
