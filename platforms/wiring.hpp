/* SPDX-License-Identifier: MIT */
/* platforms/wiring.hpp - the top-level module of a machine: it makes the blocks, binds them, and sets the
 * name of each among the statistics. That is all that a machine knows of its parts; run, windows, dumps,
 * statistics, laws and activations follow from it (platforms/machine.hpp). A block under the top that is not
 * listed, and a link to one, fail at elaboration. */
#ifndef WALKWAY_PLATFORMS_WIRING_HPP
#define WALKWAY_PLATFORMS_WIRING_HPP

#include "model/common/array.hpp"
#include "model/common/block.hpp"
#include "model/start_point.hpp"
#include "platforms/equality.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace walkway
{

/* Two bound ends. */
struct machine_link {
    const asking_end *from;
    const serving_end *to; /* null: a foreign target */
};

/* Returns the common name of equal blocks, or ports: "l1_tlb" of "top.l1_tlb_3". */
std::string family_of(const std::string &name);

/* Returns a sentence about a top's block that is missing from the list, or an empty string. */
std::string unlisted_block(const std::vector<block *> &list, const sc_core::sc_module &top);
/* Returns a sentence about a listed block that is bound to one that is not, or an empty string. */
std::string unlisted_link(const std::vector<block *> &list);

class wiring : public sc_core::sc_module
{
public:
    using show_fn = std::function<void(stat_visitor &, tick until)>;

    /* Blocks whose statistics are added up in one group, and further statistics in it. */
    struct group {
        std::string name, text;
        std::vector<block *> blocks;
        std::vector<show_fn> others;
        std::string activations, activations_text; /* "activations_l1_tlb", "of L1 TLBs" */
    };
    /* A fact known at elaboration, among the statistics "model". */
    struct fact {
        const char *name, *unit, *text;
        uint64_t value;
    };

    const clock_domain &clock() const { return clock_; }
    const std::vector<group> &groups() const { return groups_; }
    const std::vector<fact> &facts() const { return facts_; }
    const std::vector<equality> &equalities() const { return equalities_; }
    /* The arrays for the energy of the run's accesses; empty for a machine without hardware. */
    const std::vector<hardware_array> &arrays() const { return arrays_; }
    void has_arrays(std::vector<hardware_array> arrays) { arrays_ = std::move(arrays); }
    /* True if its blocks are bound only to each other: then they may run ahead of SystemC's time. */
    virtual bool by_itself() const { return true; }
    /* Return blocks and links in the order of the groups, which is that of the data path. */
    std::vector<block *> blocks() const;
    std::vector<machine_link> links() const;

    /* Begins the run in the middle of a program: see platform.hpp. */
    virtual void start_at(const start_point &)
    {
        throw std::runtime_error("this machine begins at the beginning");
    }

    /* Makes a block of the machine, which owns it. */
    template <class B, class... A> B &make(const std::string &name, A &&...with)
    {
        auto made = std::make_unique<B>(name.c_str(), std::forward<A>(with)...);
        B &b = *made;
        made_.push_back(std::move(made));
        return b;
    }

protected:
    wiring(const sc_core::sc_module_name &name, const clock_domain &clock)
        : sc_core::sc_module(name), clock_(clock)
    {
    }

    /* Lists the blocks of a group: references, or vectors of pointers. Without blocks there is no group. */
    template <class... B>
    void list(const std::string &name, const std::string &text, const std::string &kinds, B &...blocks)
    {
        groups_.push_back({name, text, {}, {}, "activations_" + name, "of " + kinds});
        (add(groups_.back(), blocks), ...);
        if (groups_.back().blocks.empty())
            groups_.pop_back();
    }
    /* Adds a group of statistics of blocks that are listed elsewhere. */
    void show(const std::string &name, const std::string &text, std::vector<show_fn> others)
    {
        groups_.push_back({name, text, {}, std::move(others), "", ""});
    }
    /* Adds the account of the translations' time, of all blocks that close one. */
    void show_account();
    void equal(const std::string &text, std::vector<stat_term> left, std::vector<stat_term> right,
               const std::string &unless = "")
    {
        equalities_.push_back({text, std::move(left), std::move(right), unless});
    }

    std::vector<group> groups_;
    std::vector<fact> facts_;
    std::vector<equality> equalities_;

private:
    void end_of_elaboration() override;
    static void add(group &g, block &b) { g.blocks.push_back(&b); }
    template <class B> static void add(group &g, const std::vector<B *> &all)
    {
        g.blocks.insert(g.blocks.end(), all.begin(), all.end());
    }

    clock_domain clock_;
    std::vector<std::unique_ptr<block>> made_;
    std::vector<hardware_array> arrays_;
};

} // namespace walkway

#endif
