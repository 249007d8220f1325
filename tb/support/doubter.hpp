/* SPDX-License-Identifier: MIT */
/* tb/support/doubter.hpp - tests that a block marks every signal that a step changes. */
#ifndef WW_TB_SUPPORT_DOUBTER_HPP
#define WW_TB_SUPPORT_DOUBTER_HPP

#include "model/common/block.hpp"
#include "model/common/signals.hpp"
#include "model/observe/waves/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace walkway::test
{

/* After each step visits the touched signals, then all; the second visit must find no further change. */
class doubter final : public sampler
{
public:
    explicit doubter(block &b) : block_(b), name_(b.name())
    {
        seen_.resize(signals_of({&b}).size());
        changed_.resize(seen_.size());
        visit(signal_ask::all);
        b.sample(this);
    }
    ~doubter() override { block_.sample(nullptr); }
    void after_step(tick now) override
    {
        found_ += visit(signal_ask::touched);
        const size_t missed = visit(signal_ask::all);
        if (missed != 0)
            BOOST_FAIL(name_ << " at " << now << ": signal " << changed_[0].signal << " and " << missed - 1
                             << " more");
    }
    uint64_t found() const { return found_; }

private:
    size_t visit(signal_ask what)
    {
        signal_visitor v(seen_.data(), changed_.data(), what);
        block_.signals(v);
        return static_cast<size_t>(v.changed() - changed_.data());
    }
    block &block_;
    std::string name_;
    std::vector<uint64_t> seen_;
    std::vector<signal_change> changed_;
    uint64_t found_ = 0;
};

} // namespace walkway::test

#endif
