/* SPDX-License-Identifier: MIT */
/* model/common/lookups.hpp - the pages that a stage of translation looked up in the present cycle, the
 * results, and the page evicted: for waveforms. Recorded only while the stage is sampled, which then steps
 * once more after the cycle, so that the values end with it. */
#ifndef WALKWAY_MODEL_COMMON_LOOKUPS_HPP
#define WALKWAY_MODEL_COMMON_LOOKUPS_HPP

#include "model/common/block.hpp"
#include "model/common/signals.hpp"

#include <vector>

namespace walkway
{

constexpr unsigned vpn_bits = 45; /* five levels; [M18] counts 36 for four */

/* X-macro: a lookup's result. */
#define WALKWAY_LOOKUP_RESULT_LIST(X)                                                                        \
    X(NONE, "nothing was looked up")                                                                         \
    X(HIT, "the translation is there")                                                                       \
    X(MISS, "it is not there: the request goes to the level below")                                          \
    X(MERGE, "it is not there, but in flight: the request joins it")

enum class lookup_result : uint8_t {
#define X(name, text) name,
    WALKWAY_LOOKUP_RESULT_LIST(X)
#undef X
};
const signal_states &lookup_results();

class cycle_lookups
{
public:
    /* For a stage that begins at most `most` lookups per cycle. If there are more, the last ones are
     * shown. */
    explicit cycle_lookups(block &stage, uint32_t most = 1)
        : stage_(stage), pages_(most < signal_visitor::max_array ? most : signal_visitor::max_array)
    {
    }
    /* Records of the cycle that begins now. */
    void looked(uint64_t va, lookup_result result)
    {
        if (stage_.sampled())
            add({va, result});
    }
    void left(uint64_t va)
    {
        if (stage_.sampled())
            add_victim(va);
    }

    template <typename V> void show(V &v) const
    {
        const size_t looked = at_ == stage_.now() ? count_ : 0;
        for (unsigned i = 0; i < pages_.size(); ++i) {
            const bool there = i < looked;
            v.begin("lookup", i);
            v.value("vpn", vpn_bits, there ? pages_[i].va >> 12 : signal_visitor::nothing,
                    "virtual page number looked up in this cycle");
            v.state("result", lookup_results(),
                    static_cast<uint64_t>(there ? pages_[i].result : lookup_result::NONE), "what was found");
            v.end();
        }
    }
    template <typename V> void show_victim(V &v) const
    {
        const bool there = at_ == stage_.now() && victim_.there;
        v.begin("victim");
        v.value("vpn", vpn_bits, there ? victim_.va >> 12 : signal_visitor::nothing,
                "virtual page number that a fill evicted in this cycle, the last of several");
        v.end();
    }

private:
    struct page {
        uint64_t va = 0;
        lookup_result result = lookup_result::NONE;
    };
    struct victim {
        uint64_t va = 0;
        bool there = false;
    };
    void add(const page &p);
    void add_victim(uint64_t va);
    void begin();

    block &stage_;
    std::vector<page> pages_;
    size_t count_ = 0;
    victim victim_;
    tick at_ = never; /* the cycle of the records */
};

} // namespace walkway

#endif
