/* SPDX-License-Identifier: MIT */
/* capi/object.cpp - construction of an object, and its accesses. */
#include "capi/object.hpp"

#include "capi/refusal.hpp"
#include "support/errors.hpp"

#include <algorithm>
#include <string>

namespace walkway
{

namespace
{

void complete(uint32_t *field, const char *name, uint32_t zero_means, uint32_t min, uint32_t max)
{
    if (*field == 0)
        *field = zero_means;
    if (*field < min || *field > max)
        throw refusal(WALKWAY_E_ARGUMENT, std::string("options: ") + name + " = " + std::to_string(*field) +
                                              ": valid: " + std::to_string(min) + " ... " +
                                              std::to_string(max));
}

} // namespace

walkway_options completed(const walkway_options *given)
{
    walkway_options o = {};
    o.version = WALKWAY_VERSION;
    if (given != nullptr)
        o = *given;
    if (o.version >> 16 != WALKWAY_VERSION_MAJOR || o.version > WALKWAY_VERSION)
        throw refusal(WALKWAY_E_VERSION, "options: version " + std::to_string(o.version >> 16) + "." +
                                             std::to_string(o.version & 0xffff) + ": this library is " +
                                             std::to_string(WALKWAY_VERSION_MAJOR) + "." +
                                             std::to_string(WALKWAY_VERSION_MINOR));
    for (const uint32_t r : o.reserved)
        if (r != 0)
            throw refusal(WALKWAY_E_ARGUMENT, "options: a reserved field is not 0");
    if (o.table >= WALKWAY_TABLES)
        throw refusal(WALKWAY_E_ARGUMENT,
                      "options: table = " + std::to_string(o.table) + " is no walkway_table");
    if (o.settings_count != 0 && o.settings == nullptr)
        throw refusal(WALKWAY_E_ARGUMENT, "options: settings is NULL, and settings_count is not 0");
    complete(&o.vmids, "vmids", 16, 1, 65536);
    complete(&o.pending, "pending", 256, 1, 1048576);
    complete(&o.faults, "faults", 64, 1, 1048576);
    complete(&o.physical_bits, "physical_bits", 52, 32, 52);
    return o;
}

chain_parameters parameters_of(const char *platform, const walkway_options &o)
{
    chain_parameters p(platform);
    std::vector<std::string> texts;
    for (uint32_t i = 0; i < o.settings_count; ++i) {
        if (o.settings[i] == nullptr)
            throw refusal(WALKWAY_E_ARGUMENT, "options: settings[" + std::to_string(i) + "] is NULL");
        texts.emplace_back(o.settings[i]);
    }
    std::vector<setting> settings;
    try {
        settings = split_settings(texts, "settings");
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_CONFIG, e.what());
    }
    each_or_every_fault<refusal>(settings, [&p](const setting &s) { p.set(s); });
    /* After all are set: one setting may give another one its effect. */
    each_or_every_fault<refusal>(settings, [&p](const setting &s) {
        const std::string why = p.without_effect(s.name);
        if (!why.empty())
            throw refusal(WALKWAY_E_CONFIG, "settings: " + s.name + " has no effect here: " + why);
    });
    p.refuse_missing();
    return p;
}

} // namespace walkway

using namespace walkway;

walkway_chain::walkway_chain(const char *platform, const walkway_options *given)
    : options(completed(given)), parameters(parameters_of(platform, options)),
      chain(parameters, {options.table, options.vmids, options.physical_bits}), rooted(options.vmids, 0),
      faults(options.faults)
{
    pending.reserve(options.pending);
}

const char *walkway_chain::wrong(const walkway_access &a) const
{
    return a.unit >= chain.units() ? "access: there is no such unit"
           : a.rights > (WALKWAY_READ | WALKWAY_WRITE | WALKWAY_EXECUTE)
               ? "access: rights has bits that are none"
           : a.reserved != 0 ? "access: a reserved field is not 0"
                             : nullptr;
}

int walkway_chain::answer(const walkway_access &a, now_how how, walkway_result *r)
{
    now_answer found = {};
    found.at = now_ps;
    uint64_t va = a.va;
    uint8_t reason = WALKWAY_FAULT_NONE;
    last.entry_pa = WALKWAY_NO_ENTRY;
    last.level = 0;
    if (a.vmid >= rooted.size() || rooted[a.vmid] == 0) {
        reason = WALKWAY_FAULT_NO_TABLE;
    } else if (!chain.known_address(&va)) {
        reason = WALKWAY_FAULT_ADDRESS;
    } else {
        counts.first_lookups += how == now_how::commit ? 1 : 0;
        found = chain.of_unit(a.unit).translate_now({va, a.vmid}, now_ps, how);
        if (found.fault)
            reason = reason_of(va, a.vmid);
        else if ((a.rights & ~found.xlat.perm) != 0)
            reason = WALKWAY_FAULT_RIGHTS;
    }
    const bool fault = reason != WALKWAY_FAULT_NONE;
    *r = {a.va,
          fault ? 0 : ww_xlat_pa(&found.xlat, va),
          now_ps,
          found.at,
          0,
          a.unit,
          a.vmid,
          reason,
          fault ? uint8_t{0} : found.xlat.perm,
          fault ? uint8_t{0} : found.xlat.page_shift,
          {}};
    return fault ? WALKWAY_FAULT : WALKWAY_OK;
}

/* A translation that faults does not report why. A second walk of the table finds the reason, outside the
 * model: it is neither timed nor counted. */
uint8_t walkway_chain::reason_of(uint64_t va, uint16_t vmid)
{
    const ww_table &table = chain.table(vmid);
    const bool counting = chain.memory().counting;
    chain.memory().counting = false;
    uint64_t walk = ww_table_start(&table, va);
    for (ww_walk_read entry = {}; ww_table_next(&table, walk, va, &entry) == WW_WALK_READ;) {
        uint64_t line[WW_LINE_PTES];
        tick nowhen = 0;
        last.entry_pa = entry.pa;
        last.level = static_cast<uint8_t>(ww_walk_step(walk));
        const bool there = chain.memory().line_now(entry.pa, line, &nowhen);
        walk = ww_table_feed(&table, walk, va, there ? line : nullptr);
    }
    chain.memory().counting = counting;
    if (ww_walk_act(walk) != WW_WALK_FAULT)
        return chain.fits(ww_walk_xlat(walk)) ? WALKWAY_FAULT_STALE : WALKWAY_FAULT_MALFORMED;
    switch (ww_walk_why(walk)) {
    case WW_WHY_ABSENT:
        return WALKWAY_FAULT_ABSENT;
    case WW_WHY_ADDRESS:
        return WALKWAY_FAULT_ADDRESS;
    case WW_WHY_REFUSED:
        return WALKWAY_FAULT_MEMORY;
    case WW_WHY_MALFORMED:
        return WALKWAY_FAULT_MALFORMED;
    default:
        throw refusal(WALKWAY_E_INTERNAL, "a walk ended for a reason that its table cannot have");
    }
}

int walkway_chain::commit(const walkway_access &a, walkway_result *r)
{
    chain.memory().counting = true;
    const int status = answer(a, now_how::commit, r);
    chain.memory().counting = false;
    const uint64_t latency = r->done_ps - r->issued_ps;
    ++counts.accesses;
    counts.latency_sum_ps += latency;
    counts.latency_most_ps = std::max(counts.latency_most_ps, latency);
    if (status == WALKWAY_OK)
        return status;
    ++counts.faults[r->fault];
    if (queued_faults == faults.size()) {
        ++counts.faults_dropped;
    } else {
        faults[(first_fault + queued_faults++) % faults.size()] = {
            a.va, r->done_ps, last.entry_pa, a.unit, a.vmid, r->fault, a.rights, last.level, {}};
    }
    return status;
}

void walkway_chain::forget(const ww_inval_scope &scope)
{
    ++counts.invalidates;
    chain.forget(scope);
}

void walkway_chain::set_root(uint16_t vmid, bool there, uint64_t root_pa)
{
    rooted[vmid] = there ? 1 : 0;
    chain.set_table(vmid, chain.table_of(root_pa));
    chain.forget(ww_inval_space(vmid));
}

void walkway_chain::reset_statistics()
{
    counts = {};
    chain.reset_counts();
}
