/* SPDX-License-Identifier: MIT */
/* platforms/level.cpp - the kinds of levels by name, from the build's list (level_kinds.inc). */
#include "platforms/level.hpp"

#include <cctype>

namespace walkway
{

#define X(kind) std::unique_ptr<level> make_##kind##_level(const std::string &section);
#include "level_kinds.inc"
#undef X

std::unique_ptr<level> make_level(const std::string &kind, const std::string &section)
{
#define X(name)                                                                                              \
    if (kind == #name)                                                                                       \
        return make_##name##_level(section);
#include "level_kinds.inc"
#undef X
    return nullptr;
}

std::vector<std::string> level_kinds()
{
    return {
#define X(kind) #kind,
#include "level_kinds.inc"
#undef X
    };
}

static bool ends_with(const std::string &text, const std::string &end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string kind_of_section(const std::string &section)
{
    std::string longest;
    for (const std::string &kind : level_kinds())
        if ((section == kind || ends_with(section, "_" + kind)) && kind.size() > longest.size())
            longest = kind;
    return longest;
}

std::vector<std::string> level::needs() const
{
    const level_wants w = wants();
    std::vector<std::string> all;
    const auto add = [&](bool wanted, const char *what) {
        if (wanted)
            all.emplace_back(what);
    };
    add(w.lds, lds_presence);
    add(w.icache, icache_presence);
    add(w.l2d_ports != 0, "a port of the data L2");
    add(w.memory_ways != 0, "a way to memory");
    add(w.misses, "a level with MSHRs right above");
    add(lives_on_victims(), "a level above that something leaves, and between them levels that hand it on");
    add(ends_path(), "to be the last, which every path has");
    return all;
}

std::string level::short_name() const
{
    return ends_with(section_, "_tlb") ? section_.substr(0, section_.size() - 4) : section_;
}

std::string level::title() const
{
    if (!ends_with(section_, "_tlb"))
        return section_;
    std::string name = short_name();
    for (char &c : name)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name + " TLB";
}

std::string level::instance_name(unsigned n, unsigned cus) const
{
    return groups().one_of(cus) ? section_ : section_ + "_" + std::to_string(n);
}

} // namespace walkway
