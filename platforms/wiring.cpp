/* SPDX-License-Identifier: MIT */
/* platforms/wiring.cpp - lists a machine's blocks and links, and checks that the lists are complete. */
#include "platforms/wiring.hpp"

#include "model/common/fail.hpp"

#include <algorithm>

namespace walkway
{

std::string family_of(const std::string &name)
{
    const size_t dot = name.rfind('.');
    const std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
    const size_t text = last.find_last_not_of("0123456789");
    const bool numbered = text != std::string::npos && text + 1 < last.size() && last[text] == '_';
    return numbered ? last.substr(0, text) : last;
}

static bool on(const std::vector<block *> &list, const block &b)
{
    return std::find(list.begin(), list.end(), &b) != list.end();
}

std::string unlisted_block(const std::vector<block *> &list, const sc_core::sc_module &top)
{
    for (const block *b : scheduler::here()->blocks()) {
        const sc_core::sc_object *above = b;
        while (above != nullptr && above != &top)
            above = above->get_parent_object();
        if (above == nullptr)
            continue;
        const auto times = std::count(list.begin(), list.end(), b);
        if (times != 1)
            return std::string(b->name()) + (times == 0 ? ": is on no list" : ": is listed twice") +
                   " of the machine's blocks, so that statistics, laws, links and dumps would be wrong";
    }
    return "";
}

std::string unlisted_link(const std::vector<block *> &list)
{
    const auto complain = [](const block &b, const std::string &port, const block &other) {
        return std::string(b.name()) + "." + port + ": is bound to " + other.name() +
               ", which is on no list of the machine's blocks";
    };
    for (const block *b : list) {
        for (const asking_end *from : b->asks())
            if (from->target() != nullptr && !on(list, from->target()->owner()))
                return complain(*b, from->port(), from->target()->owner());
        for (const serving_end *to : b->serves())
            if (to->source() != nullptr && !on(list, to->source()->owner()))
                return complain(*b, to->port(), to->source()->owner());
    }
    return "";
}

std::vector<block *> wiring::blocks() const
{
    std::vector<block *> all;
    for (const group &g : groups_)
        all.insert(all.end(), g.blocks.begin(), g.blocks.end());
    return all;
}

void wiring::show_account()
{
    show("account", "where the translations' time went; the sum is translation_cycles",
         {[this](stat_visitor &v, tick) {
             const std::vector<block *> all = blocks();
             const std::vector<const block *> order(all.begin(), all.end());
             for (const block *b : order)
                 if (const auto *closer = dynamic_cast<const account_closer *>(b))
                     closer->visit_account(v, order);
         }});
}

std::vector<machine_link> wiring::links() const
{
    std::vector<machine_link> all;
    for (const block *b : blocks())
        for (const asking_end *from : b->asks())
            all.push_back({from, from->target()});
    return all;
}

void wiring::end_of_elaboration()
{
    const std::vector<block *> list = blocks();
    for (const std::string &wrong : {unlisted_block(list, *this), unlisted_link(list)})
        if (!wrong.empty())
            fail("/walkway/machine", wrong);
    for (block *b : list)
        b->room_for_wires();
}

} // namespace walkway
