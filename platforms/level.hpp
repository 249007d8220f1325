/* SPDX-License-Identifier: MIT */
/* platforms/level.hpp - a level of a machine's path, without its blocks: its kind, its section's parameters,
 * which compute units share an instance, and what it needs of the machine around it. A kind is two files of
 * platforms/levels/: KIND_level.cpp, which defines make_KIND_level(), and KIND_blocks.cpp, which makes its
 * blocks (platforms/level_blocks.hpp). A new kind needs no change to any list. */
#ifndef WALKWAY_PLATFORMS_LEVEL_HPP
#define WALKWAY_PLATFORMS_LEVEL_HPP

#include "model/common/clock.hpp"
#include "model/common/params.hpp"
#include "model/common/serve_order.hpp"
#include "model/common/structure.hpp"
#include "model/common/unit_groups.hpp"
#include "model/params/icache.hpp"
#include "model/params/lds.hpp"
#include "translate/translator.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* The ideal ladder: each rung removes another cost, and those below it stay removed. */
enum class ideal : uint8_t { off, unlimited_walkers, zero_walk, infinite_tlb, perfect_l1, none };
constexpr ideal never_lost = static_cast<ideal>(UINT8_MAX);

/* Facts of the machine for its levels. */
struct level_facts {
    uint32_t page_sizes;
    address_widths widths;
    bool faults; /* pages are mapped while the program runs */
    ideal rung;
    bool infinite; /* this level is a TLB that holds everything, `pages` in number */
    uint64_t pages;
    const lds_params *lds;
    const icache_params *icache;
};

/* Resources that an instance needs of the machine. */
struct level_wants {
    unsigned l2d_ports = 0, memory_ways = 0; /* paths for its reads */
    uint64_t table_bytes = 0;                /* of physical memory, carved from its end in the path's order */
    /* Required of the machine: controllers of local memory, instruction caches, a level above that has
     * misses. */
    bool lds = false, icache = false, misses = false;
};

/* Reach of a level: the parameter of its entries, and statistics of its lookups. */
struct level_reach {
    std::string name; /* "L1 TLB" */
    std::string entries, hits, misses,
        merged; /* full names; entries "": it has no reach; merged "": it merges no misses */
};

class level
{
public:
    explicit level(std::string section) : section_(std::move(section)) {}
    virtual ~level() = default;
    virtual std::unique_ptr<level> copy() const = 0;

    const std::string &section() const { return section_; } /* "l1_tlb": of its parameters and statistics */
    virtual const char *kind() const = 0;                   /* "tlb" */
    virtual const char *sentence() const = 0;               /* description of the kind: "a TLB: ..." */
    virtual std::string text() const = 0;                   /* description of the section: "each L1 TLB" */
    virtual std::string plural() const = 0;                 /* "L1 TLBs" */
    /* Visits the section, with its name. */
    virtual void visit(param_visitor &v) = 0;
    /* Returns the parameter that decides its presence, "l1_tlb.entries"; "": it is always present. */
    virtual std::string presence() const { return ""; }
    virtual bool present() const { return true; }
    /* Returns what is wrong, by the names of its keys, or an empty string. */
    virtual std::string validate() const = 0;
    virtual unit_groups groups() const = 0;
    virtual serve_order order() const = 0; /* of the requesters of an instance */
    /* Lists the structures of one instance. */
    virtual void structures(structure_list &list) const = 0;
    virtual uint64_t state_bytes() const = 0; /* bytes of the host, without queues */
    virtual level_wants wants() const { return {}; }

    /* Its way down, for the level below. */
    virtual uint32_t ports() const = 0;
    virtual uint32_t queue_entries() const = 0; /* of each requester */
    virtual uint64_t wire_slots() const = 0;    /* requests in its pipeline and wire */
    virtual uint32_t link_cycles() const { return 0; }
    /* Returns the most pages in flight below one instance; 0: those of the level above. */
    virtual uint32_t mshrs() const { return 0; }

    /* Sets the delay in cycles of the wires to the level below, which that level's section may give. */
    virtual void set_link(uint32_t /* cycles */) {}

    /* lets_go() returns true if the level can pass its victims to the level below. pass_victims() makes it do
     * so, for any value of its parameter `victims`. */
    virtual bool lets_go() const { return false; }
    virtual void pass_victims() {}
    /* True if it holds only victims of the nearest level above that lets go. Levels between them pass these
     * victims on: hands_fills_on() returns true for them. */
    virtual bool lives_on_victims() const { return false; }
    virtual bool hands_fills_on() const { return false; }
    virtual bool ends_path() const { return false; }
    /* may_take_fills() returns true if a level above may pass it victims. stands() sets whether it is below
     * others and above one that may take fills: it has the keys for that only then. */
    virtual bool may_take_fills() const { return lives_on_victims(); }
    virtual void stands(bool /* below others */, bool /* above one that may take */) {}

    /* Called in the path's order: know() passes the machine's facts to each level; stands_below() passes to
     * each present level but the first the level above it and the most pages in flight above an instance. */
    virtual void know(const level_facts &) {}
    virtual void stands_below(level & /* above */, uint32_t /* under_way */) {}
    /* Returns the rung of the ladder from which on this key has no effect. */
    virtual ideal lost_from(const std::string & /* key */, bool /* infinite */) const { return never_lost; }
    /* True if a rung of the ladder may make it hold everything. */
    virtual bool may_be_infinite() const { return false; }

    /* Names of its group's statistics: its requests below, requests to it, and its reads of memory ("": it
     * has none). */
    virtual std::vector<std::string> asks() const { return {"misses"}; }
    virtual level_reach reach() const { return {}; }
    /* True if its MSHRs may prefetch an absent page: a lookup that joined such a prefetch is then repeated
     * below. */
    virtual bool asks_again() const { return true; }
    virtual const char *asked() const { return "lookups"; }
    virtual std::string reads() const { return ""; }
    /* True if its group has an account of its own requests. */
    virtual bool accounts_for_own() const { return false; }

    /* Translation without time (docs/use/translate-now.md): why_not_now() returns why it cannot, or ""; now()
     * returns its translator, over the one below. */
    virtual std::string why_not_now() const { return ""; }
    virtual std::unique_ptr<translator> now(const clock_domain &, translator & /* below */) const
    {
        return nullptr;
    }

    /* Returns its needs of the machine and of the levels around it, one phrase each. */
    std::vector<std::string> needs() const;

    /* Returns its name in the account: the section without "_tlb", "l1". */
    std::string short_name() const;
    /* "L1 TLB" */
    std::string title() const;
    /* Returns "l2_tlb"; or "l1_tlb_3" if there are several, or one per unit. */
    std::string instance_name(unsigned n, unsigned cus) const;

private:
    std::string section_;
};

/* A level with parameters P, which have visit(), validate(), structures() and state_bytes(). */
template <class P> class level_of : public level
{
public:
    P params;
    unit_groups shared_by;

    using level::level;
    void visit(param_visitor &v) override
    {
        v.begin(section().c_str(), text().c_str());
        const std::string need = presence();
        v.needs(need.c_str());
        visit_sharing(v);
        visit_order(v);
        v.needs("");
        params.visit(v);
        v.end();
    }
    std::string validate() const override { return params.validate(); }
    unit_groups groups() const override { return shared_by; }
    serve_order order() const override { return static_cast<serve_order>(order_); }
    void structures(structure_list &list) const override { params.structures(list); }
    uint64_t state_bytes() const override { return params.state_bytes(); }

protected:
    /* Overridden by levels whose compute units are those of another part. */
    virtual void visit_sharing(param_visitor &v)
    {
        v.groups(
            "shared_by", shared_by,
            {"compute units", 1, 250,
             "compute units that share an instance: a number of neighbours, 'all', or groups '0 1 | 2 3'"});
    }

    /* Overridden by levels with one requester per instance. */
    virtual void visit_order(param_visitor &v)
    {
        v.only_timed(one_access);
        v.choice(
            "order", order_, {"turns", "arrival"},
            {"", 0, 0,
             "which of several requesters is served: each in its turn, or the one whose oldest request came "
             "first, and of the same cycle whose turn is next",
             neutral});
        v.only_timed("");
    }

private:
    uint8_t order_ = 0; /* enum serve_order */
};

/* params_in() returns the parameters of a level, or null if they are of another type; params_of() throws
 * std::bad_cast instead. */
template <class P> const P *params_in(const level &l)
{
    const auto *of = dynamic_cast<const level_of<P> *>(&l);
    return of == nullptr ? nullptr : &of->params;
}
template <class P> const P &params_of(const level &l)
{
    return dynamic_cast<const level_of<P> &>(l).params;
}

/* The parameters that give a machine the parts that levels may need. */
constexpr const char *lds_presence = "lds.banks", *icache_presence = "icache.entries";

/* Returns the longest suffix of the section's name that is a kind; "" if none is. */
std::string kind_of_section(const std::string &section);
std::vector<std::string> level_kinds();
/* Makes a level of this kind for this section. Returns null if there is no such kind. */
std::unique_ptr<level> make_level(const std::string &kind, const std::string &section);

} // namespace walkway

#endif
