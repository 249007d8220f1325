/* SPDX-License-Identifier: MIT */
/* model/params/driver.cpp - the parameters of the driver. The build lists the policies
 * (driver_policies.inc). */
#include "model/params/driver.hpp"

#include "kernels/table/hpt_map.h"
#include "model/params/driver_policy_kind.hpp"

#include <stdexcept>

namespace walkway
{

#define X(name) const driver_policy_kind &name##_policy();
#include "driver_policies.inc"
#undef X

namespace
{

struct named_policy {
    const char *name;
    const driver_policy_kind *kind;
};

const std::vector<named_policy> &policies()
{
    static const std::vector<named_policy> all = {
#define X(name) {#name, &name##_policy()},
#include "driver_policies.inc"
#undef X
    };
    return all;
}

struct owned_key {
    const char *owner;
    policy_key key;
};

const std::vector<owned_key> &all_keys()
{
    static const std::vector<owned_key> all = [] {
        std::vector<owned_key> list;
        for (const named_policy &p : policies())
            for (const policy_key &key : p.kind->keys())
                list.push_back({p.name, key});
        return list;
    }();
    return all;
}

const std::string &text_of_choice()
{
    static const std::string text = [] {
        std::string all = "what is decided about pages that fault";
        for (const named_policy &p : policies())
            all += std::string(&p == &policies().front() ? ": " : "; ") + p.name + ", " + p.kind->text();
        return all;
    }();
    return text;
}

} // namespace

driver_params::driver_params() : of_keys(all_keys().size(), 0) {}

void driver_params::visit(param_visitor &v)
{
    v.number("oversubscription", oversubscription,
             {"%", 0, 10000,
              "the program's pages in percent of device memory's frames: 150 leaves room for two thirds; 0: "
              "memory is large enough, and there is no driver",
              neutral});
    v.needs("oversubscription");
    v.only_timed(callers_tables);
    v.number("m_percent", m_percent,
             {"%", 1, WW_HPTMAP_MOST_PERCENT,
              "hashed table: slots in use at most, in percent of those that pages in all frames would take"});
    choice_names names;
    for (const named_policy &p : policies())
        names.push_back(p.name);
    v.choice("policy", policy, names, {"", 0, 0, text_of_choice().c_str(), neutral});
    for (size_t i = 0; i < of_keys.size(); ++i) {
        const auto &[owner, key] = all_keys()[i];
        v.needs(*key.needs != '\0' ? key.needs : (std::string("policy=") + owner).c_str());
        v.number(key.name, of_keys[i], {key.unit, key.least, key.most, key.text});
    }
    v.needs("oversubscription");
    v.number("migrate_after", migrate_after,
             {"lines", 0, UINT32_MAX - 1,
              "of 64 KiB, or of a page that is larger, read or written in host memory, before its pages are "
              "fetched; 0: never"});
    v.flag("flush", flush,
           {"", 0, 0,
            "what caches have of a page is written back before it moves; false: what they write back later "
            "finds its page gone, as where a paper leaves the time of it out",
            neutral});
    v.choice(
        "start", start, {"device", "host"},
        {"", 0, 0,
         "with address_space.map = all_paged, where pages lie at the start: as many as there is room for "
         "in device memory, the others mapped in host memory, or all of them there",
         neutral});
}

std::string driver_params::validate() const
{
    if (present() && oversubscription < 100)
        return "oversubscription = " + std::to_string(oversubscription) +
               ": below 100 there is more memory than pages; 0 is for that";
    return policy_kind().fault(*this);
}

const driver_policy_kind &driver_params::policy_kind() const
{
    return *policies().at(policy).kind;
}

uint64_t driver_params::of_policy(const std::string &key) const
{
    for (size_t i = 0; i < of_keys.size(); ++i)
        if (key == all_keys()[i].key.name)
            return of_keys[i];
    throw std::invalid_argument("no policy of the driver has a key '" + key + "'");
}

} // namespace walkway
