/* SPDX-License-Identifier: MIT */
/* platforms/level_ways.hpp - common parts of kinds of levels: a pipeline and a wire before the level below,
 * or lent memory. */
#ifndef WALKWAY_PLATFORMS_LEVEL_WAYS_HPP
#define WALKWAY_PLATFORMS_LEVEL_WAYS_HPP

#include "platforms/level.hpp"

namespace walkway
{

/* A level with parameters entries, ports, queue_entries, hit_cycles, link_cycles and victims: a TLB of any
 * kind. */
template <class P> class holding_level : public level_of<P>
{
public:
    using level_of<P>::level_of;
    std::string presence() const override { return this->section() + ".entries"; }
    bool present() const override { return this->params.present(); }
    uint32_t ports() const override { return this->params.ports; }
    uint32_t queue_entries() const override { return this->params.queue_entries; }
    uint64_t wire_slots() const override
    {
        return uint64_t{this->params.ports} * (uint64_t{this->params.hit_cycles} + this->params.link_cycles);
    }
    uint32_t link_cycles() const override { return this->params.link_cycles; }
    void set_link(uint32_t cycles) override { this->params.link_cycles = cycles; }
    bool lets_go() const override { return true; }
    void pass_victims() override { this->params.victims = 1; }
    level_reach reach() const override
    {
        const std::string &of = this->section();
        return {this->title(), of + ".entries", of + ".hits", of + ".misses", of + ".merged"};
    }
};

/* A level with parameters of a lent memory: one instance per owner, which always passes its victims. */
template <class P> class lent_level : public level_of<P>
{
public:
    using level_of<P>::level_of;
    std::string presence() const override { return this->section() + ".translations"; }
    bool present() const override { return this->params.present(); }
    uint32_t ports() const override { return 1; }
    uint32_t queue_entries() const override { return this->params.lent.queue_entries; }
    uint64_t wire_slots() const override { return this->params.lent.holds(); }
    bool lets_go() const override { return true; }
    bool lives_on_victims() const override { return true; }

protected:
    void visit_sharing(param_visitor &) override {} /* shared as the structure it lies in */
};

} // namespace walkway

#endif
