/* SPDX-License-Identifier: MIT */
/* tb/platform/audited.hpp - a machine runs a program lawfully, and each of its translations is that of a
 * radix table with the same pages. */
#ifndef WW_TB_PLATFORM_AUDITED_HPP
#define WW_TB_PLATFORM_AUDITED_HPP

#include "tb/platform/auditor.hpp"
#include "tb/platform/machines.hpp"

#include <map>

namespace walkway::test
{

template <class M> gpu_machine_params params_of(const std::string &settings)
{
    const machine_settings of = with_levels(M::file, settings);
    gpu_machine_params p = machine_params_of(of.machine);
    param_setter set(of.settings);
    p.visit(set);
    BOOST_REQUIRE(set.unused().empty());
    return p;
}

template <class M> bool legal_settings(const std::string &settings)
{
    try {
        return params_of<M>(settings).validate().empty();
    } catch (const std::exception &) {
        return false;
    }
}

/* Returns its statistics; the program must have more translations than given. */
template <class M>
std::map<std::string, std::string> audited(const std::string &settings, const trace &program,
                                           uint64_t translations = 300)
{
    const gpu_machine_params p = params_of<M>(settings);
    BOOST_TEST(p.validate() == "");
    simulation sim;
    memory_store other;
    address_space_params radix = p.address_space;
    radix.map = 0;
    radix.table = {};
    radix.levels = 4;
    const address_spaces laid_out(radix, ranges_of(program.reader()), other);
    auto world = std::make_shared<memory_world>(p.address_space_of_run(), program.reader(), p.memory_end());
    auto made = std::make_unique<gpu_top>("top", p.resolved(world->spaces.pages()), *world, program.reader());
    auditor all(laid_out);
    for (coalescer *c : made->coalescer)
        c->watch(&all);
    machine m({world, std::move(made)});
    BOOST_TEST((m.run({}) == run_end::complete), m.stuck());
    for (const law &l : m.laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    BOOST_TEST(all.seen > translations);
    BOOST_TEST(all.wrong + all.absent == 0u);
    stat_text text;
    m.visit(text);
    return text.all;
}

} // namespace walkway::test

#endif
