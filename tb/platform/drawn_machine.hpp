/* SPDX-License-Identifier: MIT */
/* tb/platform/drawn_machine.hpp - machines as files with a path: drawn at random, and made smaller where one
 * fails. Kinds of levels, their keys and ranges are the existing ones; the rules for paths are written anew
 * here, and refusals are compared with them. */
#ifndef WW_TB_PLATFORM_DRAWN_MACHINE_HPP
#define WW_TB_PLATFORM_DRAWN_MACHINE_HPP

#include "kernels/bits.h"
#include "model/table_builder.hpp"
#include "platforms/level.hpp"
#include "platforms/machine_params.hpp"
#include "support/parameters.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace walkway::test
{

using unit_sets = std::vector<std::vector<unsigned>>; /* compute units per instance */

/* "2", "all" or "0 1 | 2 3" as a file has it. */
inline unit_sets sets_of(const std::string &text, unsigned cus)
{
    unit_groups groups;
    return groups.read(text).empty() && groups.validate(cus).empty() ? groups.of(cus) : unit_sets();
}

struct drawn_level {
    std::string section;
    std::string shared_by; /* "": the section has no such key, or it was not drawn */
    std::map<std::string, std::string> values;
    std::string kind() const { return kind_of_section(section); }
    std::string groups() const
    {
        const bool all =
            kind() == "iommu_tlb" || kind() == "memory_tlb" || kind() == "walk_unit" || section == "l2_tlb";
        return !shared_by.empty() ? shared_by : all ? "all" : "1";
    }
};

struct drawn_machine {
    unsigned cus = 1;
    std::vector<drawn_level> path;
    std::map<std::string, std::string> settings; /* "section.key" outside levels */

    std::string levels() const
    {
        std::string text;
        for (const drawn_level &l : path)
            text += (text.empty() ? "" : " ") + l.section;
        return text;
    }
    bool has(const std::string &setting) const { return settings.count(setting) != 0; }
    /* The text of the file. */
    std::string text() const
    {
        std::string all = "[machine]\nextends = apu-micro18\npath = " + levels() + "\n";
        std::map<std::string, std::map<std::string, std::string>> sections;
        sections["gpu"]["cus"] = std::to_string(cus);
        for (const auto &[name, value] : settings)
            sections[name.substr(0, name.find('.'))][name.substr(name.find('.') + 1)] = value;
        for (const drawn_level &l : path) {
            sections[l.section].insert(l.values.begin(), l.values.end());
            give_needed(l, sections[l.section]);
        }
        for (const auto &[section, keys] : sections) {
            all += keys.empty() ? "" : "[" + section + "]\n";
            for (const auto &[key, value] : keys)
                all += key + " = " + value + "  @ assumed\n";
        }
        return all;
    }

private:
    /* Gives keys that were not drawn and have no neutral value their least value. */
    static void give_needed(const drawn_level &l, std::map<std::string, std::string> &keys)
    {
        if (l.kind().empty())
            return;
        for (const parameter &p :
             list_parameters([&](param_visitor &v) { make_level(l.kind(), l.section)->visit(v); })) {
            if (p.what == parameter::kind::groups)
                keys["shared_by"] = l.groups();
            else if (p.what == parameter::kind::number && p.number < p.min)
                keys.emplace(p.key, std::to_string(p.min));
        }
    }
};

/* Returns whether this kind must be directly below a TLB. */
inline bool looks_at_misses(const std::string &kind)
{
    return !kind.empty() && make_level(kind, kind)->wants().misses;
}

/* By hand from docs/develop/adding-a-machine.md: returns why a path of existing levels is illegal, as a word
 * that the refusal must have, or "" if these rules allow it. */
class path_rules
{
public:
    static std::string broken_by(const drawn_machine &m) { return path_rules(m).first(); }

private:
    explicit path_rules(drawn_machine m) : m_(std::move(m)) {}

    std::string first()
    {
        for (const auto rule : {&path_rules::no_name, &path_rules::no_end})
            if (const std::string section = (this->*rule)(); !section.empty())
                return section;
        drop_absent();
        for (const auto rule : {&path_rules::out_of_place, &path_rules::without_victims})
            if (const std::string section = (this->*rule)(); !section.empty())
                return section;
        return "";
    }
    /* A level of no kind, or there twice. */
    std::string no_name() const
    {
        for (const drawn_level &l : m_.path) {
            const auto same = [&](const drawn_level &other) { return other.section == l.section; };
            if (l.kind().empty() || std::count_if(m_.path.begin(), m_.path.end(), same) != 1)
                return l.section;
        }
        return "";
    }
    std::string no_end() const
    {
        for (const drawn_level &l : m_.path)
            if (l.kind() == "walk_unit" && &l != &m_.path.back())
                return l.section;
        return m_.path.back().kind() == "walk_unit" ? "" : m_.path.back().section;
    }
    /* A level that splits a group of those above, or lacks what it works with. */
    std::string out_of_place() const
    {
        unit_sets above;
        for (size_t i = 0; i < m_.path.size(); ++i) {
            const std::string kind = m_.path[i].kind();
            const unit_sets here = sets(i);
            if (tears(above, here) || lacks_lender(kind) || (looks_at_misses(kind) && !below_misses(i)))
                return m_.path[i].section;
            above = here;
        }
        return "";
    }
    std::string without_victims() const
    {
        for (size_t i = 0; i < m_.path.size(); ++i)
            if (keeps_victims(m_.path[i].kind()) && !finds_victims(i))
                return m_.path[i].section;
        return "";
    }
    /* Drops levels without entries, and the table of translations where walks cost no time. */
    void drop_absent()
    {
        const auto rung = m_.settings.find("translation.ideal");
        const bool walks = rung == m_.settings.end() || rung->second == "unlimited_walkers";
        const auto absent = [&](const drawn_level &l) {
            const std::string needed = make_level(l.kind(), l.section)->presence();
            const auto value = l.values.find(needed.substr(needed.find('.') + 1));
            const bool given = l.kind() == "tlb" || value != l.values.end();
            return !needed.empty() && (!given || (l.kind() == "memory_tlb" && !walks));
        };
        m_.path.erase(std::remove_if(m_.path.begin(), m_.path.end(), absent), m_.path.end());
    }
    unit_sets sets(size_t i) const
    {
        const drawn_level &l = m_.path[i];
        const auto by = m_.settings.find("icache.shared_by");
        if (l.kind() == "icache_tx")
            return sets_of(by == m_.settings.end() ? "4" : by->second, m_.cus);
        return sets_of(l.groups(), m_.cus);
    }
    static bool tears(const unit_sets &above, const unit_sets &below)
    {
        const auto inside = [](const std::vector<unsigned> &small, const std::vector<unsigned> &large) {
            return std::includes(large.begin(), large.end(), small.begin(), small.end());
        };
        return std::any_of(above.begin(), above.end(), [&](const auto &a) {
            return std::none_of(below.begin(), below.end(), [&](const auto &b) { return inside(a, b); });
        });
    }
    bool lacks_lender(const std::string &kind) const
    {
        return (kind == "lds_tx" && !m_.has("lds.banks")) ||
               (kind == "icache_tx" && !m_.has("icache.entries"));
    }
    /* For kinds that are unknown here, anything is possible. */
    static bool known(const std::string &kind)
    {
        return kind == "tlb" || kind == "prefetch" || kind == "iommu_tlb" || kind == "memory_tlb" ||
               keeps_victims(kind);
    }
    bool below_misses(size_t i) const
    {
        return i > 0 && (m_.path[i - 1].kind() == "tlb" || !known(m_.path[i - 1].kind()));
    }
    static bool keeps_victims(const std::string &kind)
    {
        return kind == "victim" || kind == "lds_tx" || kind == "icache_tx";
    }
    bool finds_victims(size_t i) const
    {
        while (i-- > 0) {
            const std::string kind = m_.path[i].kind();
            if (kind == "tlb" || keeps_victims(kind) || !known(kind))
                return true;
            if (kind != "prefetch")
                return false;
        }
        return false;
    }

    drawn_machine m_;
};

class machine_drawer
{
public:
    explicit machine_drawer(uint64_t seed) { ww_rng_init(&random_, seed); }

    drawn_machine next()
    {
        drawn_machine m;
        m.cus = below(12) == 0 ? 13 + below(44) : 1 + below(12);
        draw_surroundings(m);
        draw_path(m);
        draw_groups(m);
        draw_values(m);
        return m;
    }

private:
    unsigned below(size_t n) { return ww_rng_below(&random_, static_cast<uint32_t>(n)); }
    bool one_in(unsigned n) { return below(n) == 0; }
    template <class T> const T &one_of(const std::vector<T> &all) { return all[below(all.size())]; }
    std::string power(unsigned from, unsigned to)
    {
        return std::to_string(uint64_t{1} << (from + below(to - from + 1)));
    }

    /* Draws settings outside levels; most stay as in the extended file. */
    void draw_surroundings(drawn_machine &m)
    {
        struct setting_of {
            const char *name;
            std::vector<std::string> values;
            unsigned rarity;
        };
        static const std::vector<std::string> formats = [] {
            std::vector<std::string> all;
            for (const named_tables &f : table_formats())
                all.emplace_back(f.name);
            return all;
        }();
        static const std::vector<setting_of> some = {
            {"lds.banks", {"8", "32"}, 2},
            {"icache.entries", {"64", "256"}, 2},
            {"address_space.page", {"4k", "64k", "2m", "mixed"}, 3},
            {"address_space.table", formats, 4},
            {"address_space.map", {"first_touch", "half", "all_paged"}, 3},
            {"address_space.frames", {"random"}, 5},
            {"address_space.spaces", {"2", "3"}, 6},
            {"dispatcher.space", {"group", "launch"}, 4},
            {"coalescer.instructions", {"1", "2"}, 6},
            {"l1d.mshrs", {"1"}, 8},
            {"translation.ideal",
             {"unlimited_walkers", "zero_walk", "infinite_tlb", "perfect_l1", "none"},
             8},
        };
        m.settings = {{"pager.mean_cycles", "150"}, {"l2d.bytes", "65536"}, {"l2d.ways", "4"}};
        for (const setting_of &s : some)
            if (one_in(s.rarity))
                m.settings[s.name] = one_of(s.values);
        if (m.has("icache.entries"))
            m.settings["icache.shared_by"] = std::to_string(1 + below(8));
    }
    /* Sections without a prefix have the values of the extended file. */
    void draw_path(drawn_machine &m)
    {
        static const std::vector<std::string> kinds = [] {
            std::vector<std::string> all = level_kinds();
            all.erase(std::find(all.begin(), all.end(), "walk_unit"));
            return all;
        }();
        const unsigned count = below(6);
        std::string above;
        while (m.path.size() < count) {
            const bool likely = !one_in(8);
            std::string kind = (above.empty() ? !one_in(5) : one_in(3)) ? "tlb" : one_of(kinds);
            if (likely && !fits(kind, above, m))
                continue;
            m.path.push_back({name_of(kind, m), "", {}});
            above = kind;
        }
        m.path.push_back({"walk_unit", "", {}});
        spoil(m);
    }
    /* In some machines a word of the path is unknown or repeated, or the path has no end, or ends early. */
    void spoil(drawn_machine &m)
    {
        if (one_in(60))
            m.path[below(m.path.size())].section =
                one_in(2) ? "l1_cache" : m.path[below(m.path.size())].section;
        if (one_in(40))
            m.path.erase(m.path.begin() + below(m.path.size()));
        else if (one_in(40))
            std::swap(m.path.back(), m.path[below(m.path.size())]);
        if (m.path.empty())
            m.path.push_back({"walk_unit", "", {}});
    }
    /* Forbids only what would keep most machines from running. */
    static bool fits(const std::string &kind, const std::string &above, const drawn_machine &m)
    {
        if (kind == "victim" || kind == "lds_tx" || kind == "icache_tx") {
            const bool source = above == "tlb" || above == "victim" || above == "prefetch" ||
                                above == "lds_tx" || above == "icache_tx";
            return source && (kind == "victim" || m.has(kind == "lds_tx" ? "lds.banks" : "icache.entries"));
        }
        return above == "tlb" || !looks_at_misses(kind);
    }
    std::string name_of(const std::string &kind, const drawn_machine &m)
    {
        static const std::vector<std::string> tlbs = {"l1_tlb", "l2_tlb", "l3_tlb", "l4_tlb", "l5_tlb"};
        const auto taken = [&](const std::string &name) {
            return std::any_of(m.path.begin(), m.path.end(),
                               [&](const drawn_level &l) { return l.section == name; });
        };
        std::string name = kind;
        for (size_t n = 0; kind == "tlb" ? name == kind || taken(name) : taken(name); ++n)
            name = kind == "tlb" ? tlbs[n] : std::string(1, static_cast<char>('a' + n)) + "_" + kind;
        return name;
    }

    /* Each level's sets are unions of those above it; for some levels they are not. */
    void draw_groups(drawn_machine &m)
    {
        unit_sets above = sets_of("1", m.cus);
        for (drawn_level &l : m.path) {
            if (l.kind() == "lds_tx" || l.kind() == "icache_tx") {
                if (l.kind() == "icache_tx" && above.size() != m.cus && !one_in(4))
                    m.settings["icache.shared_by"] = "8"; /* whatever those above share */
                above = l.kind() == "lds_tx" ? sets_of("1", m.cus)
                                             : sets_of(m.settings.count("icache.shared_by") != 0
                                                           ? m.settings["icache.shared_by"]
                                                           : "4",
                                                       m.cus);
                continue;
            }
            if (!says_groups(l.section))
                continue;
            if (one_in(30)) {
                l.shared_by = one_in(2) ? std::to_string(1 + below(7)) : text_of(merged(sets_of("1", m.cus)));
                above = sets_of(l.shared_by, m.cus);
                continue;
            }
            above = later_lends(m, l) ? sets_of("1", m.cus) : one_in(3) ? above : merged(above);
            l.shared_by = above.size() == 1 && one_in(2) ? "all" : text_of(above);
        }
    }
    static bool says_groups(const std::string &section)
    {
        const std::string kind = kind_of_section(section);
        if (kind.empty())
            return false;
        const std::vector<std::string> names =
            parameter_names([&](param_visitor &v) { make_level(kind, section)->visit(v); });
        return std::find(names.begin(), names.end(), section + ".shared_by") != names.end();
    }
    /* Usually true if a level of local memory or an instruction cache is further down: this one is then each
     * unit's own. */
    bool later_lends(const drawn_machine &m, const drawn_level &of)
    {
        bool below_it = false;
        for (const drawn_level &l : m.path) {
            if (below_it && (l.kind() == "lds_tx" || l.kind() == "icache_tx"))
                return !one_in(10);
            below_it = below_it || &l == &of;
        }
        return false;
    }
    unit_sets merged(unit_sets all)
    {
        const size_t left = 1 + below(all.size());
        while (all.size() > left) {
            const size_t from = below(all.size());
            const std::vector<unsigned> units = all[from];
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(from));
            std::vector<unsigned> &to = all[below(all.size())];
            to.insert(to.end(), units.begin(), units.end());
            std::sort(to.begin(), to.end());
        }
        return all;
    }
    /* As a number if one describes it. */
    static std::string text_of(const unit_sets &sets)
    {
        size_t units = 0;
        for (const auto &s : sets)
            units += s.size();
        const std::string number = std::to_string(sets[0].size());
        unit_sets sorted = sets;
        std::sort(sorted.begin(), sorted.end());
        if (sets_of(number, static_cast<unsigned>(units)) == sorted)
            return number;
        std::string text;
        for (const auto &s : sets) {
            text += text.empty() ? "" : " |";
            for (const unsigned u : s)
                text += (text.empty() ? "" : " ") + std::to_string(u);
        }
        return text;
    }

    /* The values drawn for a key follow from its declaration. */
    void draw_values(drawn_machine &m)
    {
        if (!fault_of_path(m.levels()).why.empty())
            return;
        const auto params = make_machine_params(m.levels());
        const std::vector<parameter> all = list_parameters([&](param_visitor &v) { params->visit(v); });
        if (m.has("translation.ideal") && m.settings["translation.ideal"] == "infinite_tlb")
            for (const parameter &p : all)
                if (p.name == "translation.infinite")
                    m.settings[p.name] = one_of(p.choices);
        for (drawn_level &l : m.path) {
            const std::string needed = presence_of(l.section);
            for (const parameter &p : all)
                if (p.section == l.section && p.what != parameter::kind::groups &&
                    (p.name == needed || is_size(p) || p.number < p.min || one_in(3)))
                    l.values[p.key] = p.name == needed ? needed_value(p) : value_of(p);
            fit_ways(l);
        }
    }
    static std::string presence_of(const std::string &section)
    {
        return make_level(kind_of_section(section), section)->presence();
    }
    static bool is_size(const parameter &p)
    {
        return p.unit == "entries" || p.unit == "ways" || p.key == "mshrs" || p.key == "merges";
    }
    std::string needed_value(const parameter &p)
    {
        return p.what == parameter::kind::choice
                   ? p.choices.back()
                   : std::to_string(std::min<uint64_t>(p.max, std::stoull(power(2, 7))));
    }
    std::string value_of(const parameter &p)
    {
        if (!p.choices.empty())
            return one_of(p.choices);
        const uint64_t drawn = p.unit.find("cycles") != std::string::npos ? below(one_in(4) ? 400 : 40)
                               : p.unit == "bytes"                        ? uint64_t{64} << below(5)
                                                                          : uint64_t{1} << below(8);
        return std::to_string(std::min(p.max, std::max(p.min, drawn)));
    }
    /* Makes ways divide entries and stay within the limit of sets, and adds keys that others need. */
    void fit_ways(drawn_level &l)
    {
        if (l.values.count("pte_cache_bytes") == 0) {
            l.values.erase("pte_cache_ways");
            l.values.erase("pte_cache_merge");
        } else if (l.values.count("pte_cache_ways") != 0) {
            l.values["pte_cache_ways"] = std::to_string(
                std::min<uint64_t>(1u << below(5), std::stoull(l.values["pte_cache_bytes"]) / 64));
        }
        if (l.values.count("pte_cache_merge") != 0 && l.values["pte_cache_merge"] == "true")
            l.values.erase("pwc_merge"); /* these reads join already */
        if (l.values.count("pte_cache_merge") != 0 && l.values["pte_cache_merge"] == "true" &&
            l.values.count("line_reads") != 0) /* otherwise in_turn has no effect */
            l.values["pte_cache_holds"] = "inner";
        if (l.values.count("store") != 0 && l.values["store"] == "compressed")
            l.values.erase("replace");
        for (auto &[key, value] : l.values) {
            const size_t end = key.rfind("ways");
            const auto of =
                end == std::string::npos ? l.values.end() : l.values.find(key.substr(0, end) + "entries");
            if (of != l.values.end())
                value = std::to_string(std::min<uint64_t>(uint64_t{1} << below(5), std::stoull(of->second)));
        }
        const auto compressed = l.values.find("compressed_ways");
        if (compressed != l.values.end() && l.values.count("ways") != 0)
            compressed->second = std::to_string(below(std::stoull(l.values["ways"])));
    }

    ww_rng random_{};
};

/* Drops what it can and shrinks the rest, as long as `fails` says that the result fails. */
class machine_shrinker
{
public:
    using fails_fn = std::function<bool(const drawn_machine &)>;

    static drawn_machine smallest(drawn_machine m, const fails_fn &fails, unsigned most_tries = 600)
    {
        for (bool found = true; found;) {
            found = false;
            for (const drawn_machine &s : smaller(m)) {
                if (most_tries-- == 0)
                    return m;
                if (fails(s)) {
                    m = s;
                    found = true;
                    break;
                }
            }
        }
        return m;
    }

private:
    static std::vector<drawn_machine> smaller(const drawn_machine &m)
    {
        std::vector<drawn_machine> all;
        const auto add = [&](const std::function<void(drawn_machine &)> &change) {
            drawn_machine s = m;
            change(s);
            all.push_back(std::move(s));
        };
        for (size_t i = 0; i < m.path.size(); ++i)
            if (m.path.size() > 1)
                add([i](drawn_machine &s) { s.path.erase(s.path.begin() + static_cast<std::ptrdiff_t>(i)); });
        for (const unsigned cus : {1u, 2u, m.cus / 2})
            if (cus != 0 && cus < m.cus)
                add([cus](drawn_machine &s) { cut_units(s, cus); });
        for (const auto &setting : m.settings)
            add([&](drawn_machine &s) { s.settings.erase(setting.first); });
        for (size_t i = 0; i < m.path.size(); ++i) {
            for (const char *simple : {"", "1", "all"})
                if (m.path[i].shared_by.size() > std::string(simple).size() &&
                    (m.path[i].shared_by != "all" || *simple == 0))
                    add([&](drawn_machine &s) { s.path[i].shared_by = simple; });
            for (const auto &[key, value] : m.path[i].values)
                add([&, name = key](drawn_machine &s) { s.path[i].values.erase(name); });
            for (const auto &[key, value] : m.path[i].values)
                for (const uint64_t less : lower(value))
                    add([&, name = key](drawn_machine &s) { s.path[i].values[name] = std::to_string(less); });
        }
        return all;
    }
    static std::vector<uint64_t> lower(const std::string &value)
    {
        if (value.find_first_not_of("0123456789") != std::string::npos || value.size() > 9 || value == "0")
            return {};
        const uint64_t is = std::stoull(value);
        return is > 2    ? std::vector<uint64_t>{1, is / 2}
               : is == 2 ? std::vector<uint64_t>{1}
                         : std::vector<uint64_t>{};
    }
    /* Keeps the remaining units, in the groups that have some of them. */
    static void cut_units(drawn_machine &m, unsigned cus)
    {
        m.cus = cus;
        for (drawn_level &l : m.path) {
            if (l.shared_by.find('|') == std::string::npos && l.shared_by.find(' ') == std::string::npos)
                continue;
            std::string text;
            unit_groups groups;
            if (!groups.read(l.shared_by).empty())
                continue;
            std::istringstream lists(l.shared_by);
            for (std::string list; std::getline(lists, list, '|');) {
                std::istringstream numbers(list);
                std::string kept;
                for (unsigned u = 0; numbers >> u;)
                    kept += u < cus ? " " + std::to_string(u) : "";
                text += kept.empty() ? "" : (text.empty() ? "" : " |") + kept;
            }
            l.shared_by = text.substr(1);
        }
    }
};

} // namespace walkway::test

#endif
