/* SPDX-License-Identifier: MIT */
/* model/common/conservation.hpp - equalities that hold at the end of a run: laws of blocks and links, and
 * flows that begin and end in a block. A law of equal blocks is one line that adds up its sides; if it is
 * broken for a single block, it is reported for that block, so that two errors cannot cancel out. */
#ifndef WALKWAY_MODEL_COMMON_CONSERVATION_HPP
#define WALKWAY_MODEL_COMMON_CONSERVATION_HPP

#include "model/common/clock.hpp"
#include "model/common/stats.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* How often something began and ended in a block, and how much of it is in flight, as counted by its
 * pools. */
struct block_flow {
    const char *name;
    uint64_t begun, ended, inside;
};

class law_list
{
public:
    /* Laws of a run that ended at `until`. `halted`: with waves that issue no more. */
    law_list(tick until, bool halted) : until_(until), halted_(halted) {}
    tick until() const { return until_; }
    bool halted() const { return halted_; }
    /* Assigns the laws added next to `member`, one of equal blocks. They begin with "subject: ". */
    void of(const std::string &subject, const std::string &member)
    {
        subject_ = subject;
        member_ = member;
    }
    /* Adds the law left == right. The story describes the first offender. */
    void add(const std::string &text, uint64_t left, uint64_t right, const std::string &story = "")
    {
        add_to(subject_, text, left, right, story);
    }
    void add_to(const std::string &subject, const std::string &text, uint64_t left, uint64_t right,
                const std::string &story = "");
    /* Returns all laws, with sums over equal blocks. */
    std::vector<law> all() const;

private:
    struct entry {
        law sum;
        bool broken; /* by one member, whose values `sum` has */
    };
    tick until_;
    bool halted_;
    std::string subject_, member_;
    std::vector<entry> entries_;
};

} // namespace walkway

#endif
