/* SPDX-License-Identifier: MIT */
/* tb/platform/apu_rig.hpp - runs the apu on a trace and keeps the results: statistics by full name, laws. */
#ifndef WW_TB_PLATFORM_APU_RIG_HPP
#define WW_TB_PLATFORM_APU_RIG_HPP

#include "platforms/gpu.hpp"
#include "tb/support/machine_files.hpp"
#include "tb/support/requests.hpp"
#include "tb/support/traces.hpp"

#include <sstream>

namespace walkway::test
{

/* Lists parameters by full name; sets those of a "section.key=value ..." list. */
class param_setter final : public param_visitor
{
public:
    explicit param_setter(const std::string &settings = "")
    {
        std::istringstream in(settings);
        for (std::string word; in >> word;)
            wanted_[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    }
    std::vector<std::string> names;
    std::map<std::string, uint64_t> values; /* a choice has its index */
    const std::map<std::string, std::string> &unused() const { return wanted_; }

    void begin(const char *section, const char *) override { section_ = std::string(section) + "."; }
    void end() override { section_.clear(); }
    void number(const char *key, uint64_t &value, const param_info &) override
    {
        std::string text;
        if (take(key, text))
            value = std::stoull(text);
        values[names.back()] = value;
    }
    using param_visitor::number;
    void choice(const char *key, uint8_t &value, const choice_names &all, const param_info &) override
    {
        std::string text;
        const bool wanted = take(key, text);
        for (size_t i = 0; i < all.size(); ++i)
            if (wanted && all[i] == text)
                value = static_cast<uint8_t>(i);
        values[names.back()] = value;
        if (wanted && all.at(value) != text)
            throw std::runtime_error(section_ + key + " has no choice " + text);
    }
    void groups(const char *key, unit_groups &value, const param_info &) override
    {
        std::string text;
        if (take(key, text) && !value.read(text).empty())
            throw std::runtime_error(section_ + key + " cannot be " + text);
        values[names.back()] = value.number();
    }
    void pages(const char *key, pages_of_buffers &value, const param_info &) override
    {
        std::string text;
        if (take(key, text) && !value.read(text).empty())
            throw std::runtime_error(section_ + key + " cannot be " + text);
        values[names.back()] = value.none() ? 0 : 1;
    }
    void flag(const char *key, bool &value, const param_info &) override
    {
        std::string text;
        if (take(key, text))
            value = text == "true";
        values[names.back()] = value ? 1 : 0;
    }

private:
    bool take(const char *key, std::string &text)
    {
        names.push_back(section_ + key);
        const auto it = wanted_.find(names.back());
        if (it == wanted_.end())
            return false;
        text = it->second;
        wanted_.erase(it);
        return true;
    }
    std::string section_;
    std::map<std::string, std::string> wanted_;
};

/* Shipped machines for tests. */
struct apu_machine {
    static constexpr const char *file = "apu-micro18";
};
struct mmu_machine {
    static constexpr const char *file = "mmu-hpca14";
};
/* And users' examples. */
struct gpu3_machine {
    static constexpr const char *file = "platforms/examples/gpu3";
};
struct two_victims_machine {
    static constexpr const char *file = "platforms/examples/two-victims";
};
template <class M> const gpu_machine_params &shipped()
{
    return machine_params_of(M::file);
}

inline gpu_machine_params configured(const std::string &settings)
{
    const machine_settings of = with_levels(apu_machine::file, settings);
    gpu_machine_params p = machine_params_of(of.machine);
    param_setter set(of.settings);
    p.visit(set);
    if (!set.unused().empty())
        throw std::runtime_error("no parameter " + set.unused().begin()->first);
    return p;
}

/* Visits the apu's parameters, and for each kind of level that its path lacks, those of a section of that
 * name. */
inline void visit_all(param_visitor &v)
{
    gpu_machine_params p = shipped<apu_machine>();
    p.visit(v);
    for (const std::string &kind : level_kinds()) {
        const bool there = std::any_of(p.path.all().begin(), p.path.all().end(),
                                       [&](const auto &l) { return l->kind() == kind; });
        if (!there)
            make_level(kind, kind)->visit(v);
    }
}

struct outcome {
    run_end end = run_end::deadlock;
    std::string stuck;
    uint64_t cycles = 0;
    std::map<std::string, std::string> stats;
    std::vector<law> laws;
    uint64_t count(const std::string &name) const { return std::stoull(stats.at(name)); }
};

inline outcome run_apu(const gpu_machine_params &p, const program_list &all)
{
    outcome out;
    const std::string wrong = p.validate();
    if (!wrong.empty()) {
        out.stats["refused"] = wrong;
        return out;
    }
    simulation sim;
    gpu_machine machine(p, all);
    out.end = machine.run({});
    if (out.end == run_end::deadlock)
        out.stuck = machine.stuck();
    stat_text text;
    machine.visit(text);
    out.stats = text.all;
    out.laws = machine.laws();
    out.cycles = machine.cycles();
    return out;
}

inline outcome run_apu(const gpu_machine_params &p, const trace &t)
{
    return run_apu(p, t.reader());
}

} // namespace walkway::test

#endif
