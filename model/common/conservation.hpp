/* SPDX-License-Identifier: MIT */
/* model/common/conservation.hpp - what must add up in a run: laws of blocks and links, and flows that begin
 * and end in a block. Of equal blocks a law is one line: its sides are added up, and one that does not hold
 * of a single block is reported as that block's, so that two errors cannot cancel out. */
#ifndef WALKWAY_MODEL_COMMON_CONSERVATION_HPP
#define WALKWAY_MODEL_COMMON_CONSERVATION_HPP

#include "model/common/clock.hpp"
#include "model/common/stats.hpp"

#include <string>
#include <vector>

namespace walkway
{

/* How often something began and ended in a block, and how much of it is under way, counted by its pools. */
struct block_flow {
    const char *name;
    uint64_t begun, ended, inside;
};

class law_list
{
public:
    /* Of a run that ended at `until`; `halted`: with waves that issue no more. */
    law_list(tick until, bool halted) : until_(until), halted_(halted) {}
    tick until() const { return until_; }
    bool halted() const { return halted_; }
    /* The laws that are added next are those of `member`, one of equal ones, and begin with "subject: ". */
    void of(const std::string &subject, const std::string &member)
    {
        subject_ = subject;
        member_ = member;
    }
    /* left == right; the story is of the first offender. */
    void add(const std::string &text, uint64_t left, uint64_t right, const std::string &story = "")
    {
        add_to(subject_, text, left, right, story);
    }
    void add_to(const std::string &subject, const std::string &text, uint64_t left, uint64_t right,
                const std::string &story = "");
    /* With what was added up. */
    std::vector<law> all() const;

private:
    struct entry {
        law sum;
        bool broken; /* of one member: sum is that member's */
    };
    tick until_;
    bool halted_;
    std::string subject_, member_;
    std::vector<entry> entries_;
};

} // namespace walkway

#endif
