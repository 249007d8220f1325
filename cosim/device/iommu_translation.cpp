/* SPDX-License-Identifier: MIT */
/* device/iommu_translation.cpp - see iommu_translation.hpp. */
#include "device/iommu_translation.hpp"

#include "kernels/table/amd_pte.h"
#include "kernels/table/table_x86.h"
#include "translate/tlb_stores.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

constexpr uint64_t key_valid = WW_BITS64(63, 63), key_pasid = WW_BITS64(62, 62);
constexpr uint32_t guest_levels = 4;
constexpr uint8_t held_shifts[] = {30, 21, 16, 12};

uint32_t page_sizes()
{
    uint32_t all = 0;
    for (const uint8_t shift : held_shifts)
        all |= 1u << shift;
    return all;
}

stage_store make_tlb(const iommu_device_params &p)
{
    return make_tlb_store(plain_tlb(p.tlb_entries, p.tlb_ways, page_sizes()));
}

walk_caches caches_of(const iommu_device_params &p, const ww_table_kind &kind)
{
    walk_caches c = {};
    c.pwc.kind = &kind;
    for (uint32_t step = 1; step <= kind.steps; ++step)
        c.pwc.entries[step] = step == kind.last ? 0 : p.walk_cache_entries;
    c.lines.bytes = p.line_cache_bytes;
    return c;
}

walk_times times_of(const iommu_device_params &p, const clock_domain &clock)
{
    return {clock.cycles(p.walk_cache_cycles), clock.cycles(p.line_cache_cycles), 0, 0,
            clock.cycles(p.response_cycles)};
}

ww_table nothing_of(const ww_table_kind &kind)
{
    return {&kind, {{0}}};
}

page_tables empty_tables(const iommu_device_params &p, const ww_table_kind &kind)
{
    return page_tables(std::vector<ww_table>(p.contexts, nothing_of(kind)));
}

ww_table table_of(const ww_dte &d)
{
    if (d.means == WW_DTE_HOST)
        return {&ww_amd_v1, {{d.word[0]}}};
    return {&ww_x86_4, {{d.pa, WW_X86_PHYS_BITS_MAX | WW_X86_FOLDED}}};
}

/* Converts *va to the form of the tables and the TLB. Returns false if the table has no such address. */
bool folded(const ww_dte &d, uint64_t *va)
{
    if (d.means == WW_DTE_HOST)
        return ww_va_walkable(*va);
    if (ww_x86_canonical(*va, guest_levels) != *va)
        return false;
    *va &= ww_page_mask(ww_va_bits(guest_levels));
    return true;
}

/* Reduces *x to the largest part around va that the TLB can hold and that is all memory. With a PASID, every
 * address is memory. */
void cut(ww_xlat *x, uint64_t va, const ww_dte &d)
{
    for (const uint8_t shift : held_shifts)
        if (shift <= x->page_shift &&
            (shift == WW_PAGE_4K || d.has_pasid ||
             !ww_iommu_meets_set_apart(ww_page_base(va, shift), va | ww_page_mask(shift)))) {
            x->page_pa += ww_page_base(va & ww_page_mask(x->page_shift), shift);
            x->page_shift = shift;
            return;
        }
}

} // namespace

uint64_t context_key(const device_access &a)
{
    if (a.device > UINT16_MAX || (a.has_pasid && a.pasid >> WW_PASID_BITS != 0))
        return 0;
    return key_valid | uint64_t{a.device} << WW_PASID_BITS | (a.has_pasid ? key_pasid | a.pasid : 0);
}

void iommu_device_stats::visit(stat_visitor &v) const
{
    v.count("translations", translations, "count",
            "accesses, or parts of them in a page, that were translated");
    v.count("passed", passed, "count", "of those, without a page table, as the device-table entry says");
    v.count("tlb_hits", tlb_hits, "count", "of those, found in the TLB");
    v.count("tlb_misses", tlb_misses, "count", "of those, looked up in the TLB and not found");
    v.count("faults", faults, "count", "of those, ended without a translation, or without a right");
    v.count("devtab_reads", devtab_reads, "count", "device-table entries read from memory");
    v.count("gcr3_reads", gcr3_reads, "count", "entries of GCR3 tables read from memory");
    v.count("pte_reads", pte_reads, "count", "page-table lines read from memory");
    v.count("contexts_displaced", contexts_displaced, "count",
            "contexts that left, with all that was held of them, since another one needed the place");
    v.count("commands", commands, "count", "commands carried out");
    v.count("invalidates", invalidates, "count", "of those, invalidates of what is held");
    v.count("events_logged", events_logged, "count", "entries written into the event log");
    v.count("events_lost", events_lost, "count",
            "entries that the event log did not take: off, full, or refused by memory");
    v.count("msi_sent", msi_sent, "count", "interrupts sent as writes");
    v.count("dmi_granted", dmi_granted, "count", "direct memory pointers given");
    v.count("dmi_refused", dmi_refused, "count", "direct memory pointers asked for and not given");
    v.count("dmi_revoked", dmi_revoked, "count", "direct memory pointers taken back");
    v.count("dmi_out", dmi_out, "count",
            "direct memory pointers that are out: accesses by them are unknown, and in no statistic");
    v.count("dmi_unknown_ps", dmi_unknown_ps, "ps",
            "time in which at least one was out, up to the last one given or taken back: accesses of this "
            "time are unknown");
    v.count("bursts_split", bursts_split, "count", "accesses across pages that were forwarded in parts");
    v.count("requests_held", requests_held, "count",
            "requests that found as many accesses of their port under way as there may be");
    v.count("translated_again", translated_again, "count",
            "accesses that were translated and had not gone on when something was invalidated");
    v.count("translations_given", translations_given, "count",
            "translation requests of devices that were answered with rights");
    v.count("invalidates_sent", invalidates_sent, "count", "invalidates sent to devices");
    v.count("invalidates_late", invalidates_late, "count",
            "of those, not completed by the device within its time");
    v.count("page_requests_logged", page_requests_logged, "count",
            "page requests of devices written into their log");
    v.count("page_requests_lost", page_requests_lost, "count",
            "page requests that their log did not take, or that the device may not make");
    v.count("page_responses", page_responses, "count", "answers to page requests sent to devices");
    v.count("interrupts", interrupts, "count",
            "writes of devices to the addresses of interrupts, while the IOMMU is enabled");
    v.count("interrupts_remapped", interrupts_remapped, "count",
            "of those, by an entry of the device's interrupt table");
    v.count("interrupts_refused", interrupts_refused, "count", "of those, gone nowhere");
    v.count("irte_reads", irte_reads, "count", "entries of interrupt tables read from memory");
}

iommu_translation::iommu_translation(const iommu_device_params &p, device_memory &memory,
                                     iommu_device_stats &stats)
    : params_(p), clock_(p.clock_ps), memory_(memory), stats_(stats), contexts_(p.contexts),
      host_(empty_tables(p, ww_amd_v1), caches_of(p, ww_amd_v1), clock_, times_of(p, clock_), memory),
      guest_(empty_tables(p, ww_x86_4), caches_of(p, ww_x86_4), clock_, times_of(p, clock_), memory),
      below_(*this), tlb_(make_tlb(p), stage_policy{}, clock_, {clock_.cycles(p.tlb_cycles), 0, 0}, below_),
      interrupts_(p.irte_entries)
{
    context_tags plan = {};
    const size_t bytes = ww_assoc_plan(&plan.tags, 1, p.contexts, sizeof plan);
    tags_ = blob(bytes);
    *tags_.as<context_tags>() = plan;
    ww_assoc_flush(&tags_.as<context_tags>()->tags, tags_.as<void>());
    contexts_.resize(ww_assoc_slots(&plan.tags));
}

/* True if the device's entry says that it has its own TLB. */
bool iommu_translation::may_ask(const ww_dte &d)
{
    return (d.word[0] & WW_AMD_DTE_V) != 0 && (d.word[1] & WW_DTE_I) != 0;
}

/* ---- Contexts ---- */

uint32_t iommu_translation::find(uint64_t key) const
{
    return key == 0 ? WW_ASSOC_NONE
                    : ww_assoc_find(&tags_.as<context_tags>()->tags, tags_.as<void>(), 0, key);
}

uint32_t iommu_translation::enter(uint64_t key, const ww_dte &dte)
{
    ww_assoc *tags = &tags_.as<context_tags>()->tags;
    const uint32_t slot = ww_assoc_victim(tags, tags_.as<void>(), 0);
    if (ww_assoc_keys(tags, tags_.as<void>())[slot] != 0) {
        ++stats_.contexts_displaced;
        drop(slot);
    }
    ww_assoc_put(tags, tags_.as<void>(), slot, key);
    contexts_[slot] = {dte, false};
    if (dte.means == WW_DTE_HOST || dte.means == WW_DTE_GUEST)
        walker_of(dte).set_table(static_cast<uint16_t>(slot), table_of(dte));
    last_key_ = key;
    last_ = slot;
    return slot;
}

void iommu_translation::drop(uint32_t slot)
{
    tlb_.forget_now(ww_inval_space(static_cast<uint16_t>(slot)));
    ww_assoc_drop(&tags_.as<context_tags>()->tags, tags_.as<void>(), slot);
    last_ = no_context;
    last_key_ = 0;
}

void iommu_translation::forget_all()
{
    tlb_.forget_now(ww_inval_all());
    ww_assoc_flush(&tags_.as<context_tags>()->tags, tags_.as<void>());
    interrupts_.forget_all();
    last_ = no_context;
    last_key_ = 0;
}

void iommu_translation::invalidate(const ww_iommu_step &s)
{
    if (s.opcode == WW_CMD_INVAL_ALL)
        interrupts_.forget_all();
    if (s.opcode == WW_CMD_INVAL_INT_TABLE || s.opcode == WW_CMD_INVAL_DEVTAB)
        interrupts_.forget(s.device);
    if (s.opcode == WW_CMD_INVAL_INT_TABLE)
        return;
    const ww_assoc *tags = &tags_.as<context_tags>()->tags;
    for (uint32_t slot = 0; slot < contexts_.size(); ++slot) {
        if (ww_assoc_keys(tags, tags_.as<void>())[slot] == 0)
            continue;
        const ww_dte dte = contexts_[slot].dte;
        if (s.opcode == WW_CMD_INVAL_ALL || (s.opcode == WW_CMD_INVAL_DEVTAB && s.device == dte.device)) {
            drop(slot);
            continue;
        }
        if (s.opcode != WW_CMD_INVAL_PAGES || ww_bits_get(WW_DTE_DOMAIN, dte.word[1]) != s.domain ||
            (s.has_pasid && (!dte.has_pasid || dte.pasid != s.pasid)))
            continue;
        /* A command without PASID drops all pages of a context with PASID, whose addresses it cannot name. */
        const bool whole = s.all || (!s.has_pasid && dte.has_pasid);
        const uint64_t most = dte.means == WW_DTE_GUEST ? ww_page_mask(ww_va_bits(guest_levels))
                                                        : ww_page_mask(WW_WALK_VA_BITS_MAX);
        ww_inval_scope scope = ww_inval_space(static_cast<uint16_t>(slot));
        if (!whole && s.last_va - s.first_va < most) {
            scope.first_va = s.first_va & most;
            scope.last_va = s.last_va & most;
        }
        tlb_.forget_now(scope);
    }
}

/* ---- Walks ---- */

now_answer iommu_translation::walks::translate_now(const now_request &r, tick t, now_how how)
{
    const ww_dte &dte = owner_.contexts_[r.vmid].dte;
    if (how == now_how::commit) {
        --owner_.stats_.tlb_hits; /* translate() has counted a hit */
        ++owner_.stats_.tlb_misses;
    }
    now_answer a = owner_.walker_of(dte).translate_now(r, t, how);
    if (!a.fault)
        cut(&a.xlat, r.va, dte);
    return a;
}

void iommu_translation::walks::forget_now(const ww_inval_scope &scope)
{
    owner_.host_.forget_now(scope);
    owner_.guest_.forget_now(scope);
}

/* Walks without caches, in zero time. Sets *leaf to the last entry read. */
now_answer iommu_translation::walk_uncached(const ww_dte &d, uint64_t va, tick t, uint64_t *leaf)
{
    const ww_table table = table_of(d);
    uint64_t walk = ww_table_start(&table, va);
    for (ww_walk_read entry = {}; ww_table_next(&table, walk, va, &entry) == WW_WALK_READ;) {
        uint64_t line[WW_LINE_PTES];
        const bool there = memory_.read_now(ww_line_base(entry.pa), line, sizeof line, &t, now_how::look);
        if (there)
            *leaf = line[entry.pa / 8 % WW_LINE_PTES];
        walk = ww_table_feed(&table, walk, va, there ? line : nullptr);
    }
    now_answer a = {};
    a.fault = ww_walk_act(walk) != WW_WALK_DONE;
    a.at = t;
    if (a.fault)
        a.walk = walk;
    else
        a.xlat = ww_walk_xlat(walk);
    if (!a.fault)
        cut(&a.xlat, va, d);
    return a;
}

ww_dte iommu_translation::resolve(const device_access &a, tick *at, now_how how, const ww_iommu_regs &regs)
{
    ww_dte d;
    ww_dte_start(&d, regs.word[WW_IOMMU_DEVTAB], a.device, a.has_pasid, a.pasid);
    while (d.means == WW_DTE_READ) {
        uint64_t words[WW_DTE_WORDS];
        if (how == now_how::commit)
            ++(d.level == 0 ? stats_.devtab_reads : stats_.gcr3_reads);
        const bool there = memory_.read_now(d.pa, words, d.bytes, at, how);
        ww_dte_feed(&d, there ? words : nullptr);
    }
    *at = clock_.ceil(*at);
    return d;
}

ww_dte iommu_translation::entry(uint32_t device, tick *at, const ww_iommu_regs &regs)
{
    device_access a = {};
    a.device = device;
    return resolve(a, at, now_how::commit, regs);
}

/* ---- Answers ---- */

device_answer iommu_translation::faulted(const device_access &a, const ww_dte &d, device_fault fault,
                                         uint8_t code, uint64_t flags, uint64_t address, tick at)
{
    device_answer out = {};
    out.fault = fault;
    out.at = at;
    out.domain = static_cast<uint16_t>(ww_bits_get(WW_DTE_DOMAIN, d.word[1]));
    ww_iommu_event &e = out.event;
    e.code = code;
    e.device = static_cast<uint16_t>(a.device);
    e.domain = out.domain;
    e.has_pasid = a.has_pasid;
    e.pasid = a.pasid & static_cast<uint32_t>(ww_page_mask(WW_PASID_BITS));
    e.flags = flags | ((a.wants & WW_PERM_W) != 0 ? WW_EVENT_RW : 0) |
              ((a.wants & WW_PERM_X) != 0 ? WW_EVENT_NX : 0) |
              (a.has_pasid && !a.privileged ? WW_EVENT_US : 0) |
              (a.type == address_type::translation_request ? WW_EVENT_TR : 0);
    e.address = address;
    out.absent = fault == device_fault::page && (flags & WW_EVENT_RZ) == 0;
    /* To a translation request, an absent page is an answer, not a fault. */
    const bool told = out.absent && a.type == address_type::translation_request;
    if (code == WW_EVENT_IO_PAGE_FAULT && ((d.word[1] & WW_DTE_SA) != 0 || told))
        e.code = 0;
    return out;
}

/* Answers without a page table. */
device_answer iommu_translation::of_dte(const device_access &a, const ww_dte &d, tick at)
{
    const uint64_t abort = ww_bits_put(WW_EVENT_TYPE, 0, WW_EVENT_TARGET_ABORT);
    switch (d.means) {
    case WW_DTE_PASS: {
        device_answer out = {};
        out.xlat = {ww_page_base(a.va, WW_PAGE_4K), WW_PAGE_4K, ww_dte_rights(d.word[0])};
        out.at = at;
        judge(a, d, &out);
        return out;
    }
    case WW_DTE_ILLEGAL:
        return faulted(a, d, device_fault::table, WW_EVENT_ILLEGAL_DEV_TABLE_ENTRY,
                       d.reserved ? WW_EVENT_RZ : 0, a.va, at);
    case WW_DTE_REFUSED:
        return d.level == 0
                   ? faulted(a, d, device_fault::memory, WW_EVENT_DEV_TAB_HARDWARE_ERROR, abort, d.pa, at)
                   : faulted(a, d, device_fault::memory, WW_EVENT_PAGE_TAB_HARDWARE_ERROR, abort, d.pa, at);
    default: /* no valid translation, or the PASID has no table */
        return faulted(a, d, device_fault::page, WW_EVENT_IO_PAGE_FAULT, 0, a.va, at);
    }
}

/* Makes the answer a fault if the page lacks a wanted right. */
void iommu_translation::judge(const device_access &a, const ww_dte &d, device_answer *out)
{
    if ((a.wants & ~out->xlat.perm) == 0)
        return;
    const ww_xlat x = out->xlat;
    *out =
        faulted(a, d, device_fault::rights, WW_EVENT_IO_PAGE_FAULT, WW_EVENT_PR | WW_EVENT_PE, a.va, out->at);
    out->xlat = x;
}

device_answer iommu_translation::of_walk(const device_access &a, const ww_dte &d, const now_answer &n)
{
    if (!n.fault) {
        device_answer out = {};
        out.xlat = n.xlat;
        out.at = n.at;
        judge(a, d, &out);
        return out;
    }
    const enum ww_walk_why why = ww_walk_why(n.walk);
    if (why == WW_WHY_REFUSED) {
        const uint64_t pa = ww_walk_pa(n.walk) + uint64_t{ww_index(a.va, ww_walk_step(n.walk))} * 8;
        return faulted(a, d, device_fault::memory, WW_EVENT_PAGE_TAB_HARDWARE_ERROR,
                       ww_bits_put(WW_EVENT_TYPE, 0, WW_EVENT_TARGET_ABORT), pa, n.at);
    }
    const uint64_t flags = why == WW_WHY_MALFORMED ? WW_EVENT_PR | WW_EVENT_RZ : 0;
    return faulted(a, d, device_fault::page, WW_EVENT_IO_PAGE_FAULT, flags, a.va, n.at);
}

bool iommu_translation::hit(const device_access &a, tick t, device_answer *out)
{
    const uint64_t key = context_key(a);
    if (key == 0)
        return false;
    uint32_t slot = last_;
    if (key != last_key_) {
        slot = find(key);
        if (slot == WW_ASSOC_NONE)
            return false;
    }
    const ww_dte &d = contexts_[slot].dte;
    uint64_t va = a.va;
    if (d.means == WW_DTE_PASS || a.type == address_type::translated || !folded(d, &va) ||
        (a.type == address_type::translation_request && !may_ask(d)))
        return false;
    /* A page there may be held for accesses that the device's entry makes ones to memory. */
    if ((a.type == address_type::translation_request || a.wants == 0) && is_set_apart(a))
        return false;
    ww_xlat x;
    if (!tlb_.find({va, static_cast<uint16_t>(slot)}, &x) || (a.wants & ~x.perm) != 0)
        return false;
    if (key != last_key_) {
        ww_assoc_touch(&tags_.as<context_tags>()->tags, tags_.as<void>(), slot);
        last_key_ = key;
        last_ = slot;
    }
    ++stats_.translations;
    ++stats_.tlb_hits;
    out->xlat = x;
    out->fault = device_fault::none;
    out->absent = false;
    out->event.code = 0;
    out->message.remapped = false;
    out->domain = static_cast<uint16_t>(ww_bits_get(WW_DTE_DOMAIN, d.word[1]));
    out->at = clock_.ceil(t) + clock_.cycles(params_.tlb_cycles);
    return true;
}

/* Returns the held entry, or reads it. A commit then holds the entry if it passes addresses or names a page
 * table. Sets *slot to the entry's slot, or to no_context. */
ww_dte iommu_translation::context_of(const device_access &a, tick *at, now_how how, const ww_iommu_regs &regs,
                                     uint32_t *slot)
{
    const bool commit = how == now_how::commit;
    const uint64_t key = context_key(a);
    *slot = find(key);
    if (*slot == no_context) {
        const ww_dte d = resolve(a, at, how, regs);
        const bool holds = d.means == WW_DTE_PASS || d.means == WW_DTE_HOST || d.means == WW_DTE_GUEST;
        if (commit && holds)
            *slot = enter(key, d);
        return d;
    }
    if (commit) {
        ww_assoc_touch(&tags_.as<context_tags>()->tags, tags_.as<void>(), *slot);
        last_key_ = key;
        last_ = *slot;
    }
    return contexts_[*slot].dte;
}

device_answer iommu_translation::translate(const device_access &a, tick t, now_how how,
                                           const ww_iommu_regs &regs)
{
    const bool commit = how == now_how::commit;
    tick at = clock_.ceil(t);
    ww_dte d = {};
    uint32_t slot = no_context;
    device_answer out;
    const bool none = context_key(a) == 0, apart = !none && is_set_apart(a);
    if (apart) {
        d = context_of(a, &at, how, regs, &slot);
        if (set_apart(a, d, at, how, &out)) {
            out.domain = static_cast<uint16_t>(ww_bits_get(WW_DTE_DOMAIN, d.word[1]));
            return out;
        }
    }
    if (commit)
        ++stats_.translations;
    if (none) {
        d.means = WW_DTE_ILLEGAL;
    } else if (a.has_pasid && !ww_iommu_is(&regs, WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_GT_EN)) {
        stats_.faults += commit;
        return faulted(a, d, device_fault::table, WW_EVENT_INVALID_DEVICE_REQUEST, 0, a.va, at);
    } else if (!apart) {
        d = context_of(a, &at, how, regs, &slot);
    }
    uint64_t va = a.va;
    if (a.type != address_type::untranslated && d.means != WW_DTE_ILLEGAL && d.means != WW_DTE_REFUSED &&
        !may_ask(d)) {
        /* Only a device with its own TLB may request and use translations. */
        out = faulted(a, d, device_fault::table, WW_EVENT_INVALID_DEVICE_REQUEST,
                      ww_bits_put(WW_EVENT_TYPE, 0, WW_REQUEST_TRANSLATED), a.va, at);
    } else if (a.type == address_type::translated && d.means != WW_DTE_ILLEGAL && d.means != WW_DTE_REFUSED) {
        ww_dte physical = d;
        physical.means = WW_DTE_PASS;
        physical.word[0] = 0;
        out = of_dte(a, physical, at);
    } else if (d.means != WW_DTE_HOST && d.means != WW_DTE_GUEST) {
        out = of_dte(a, d, at);
        stats_.passed += commit && out.fault == device_fault::none;
    } else if (!folded(d, &va)) {
        out = faulted(a, d, device_fault::page, WW_EVENT_IO_PAGE_FAULT, 0, a.va, at);
    } else if (slot == no_context) {
        uint64_t leaf = 0;
        out = of_walk(a, d, walk_uncached(d, va, at, &leaf));
    } else {
        stats_.tlb_hits += commit; /* a walk corrects this */
        out = of_walk(a, d, tlb_.translate_now({va, static_cast<uint16_t>(slot)}, at, how));
    }
    out.domain = static_cast<uint16_t>(ww_bits_get(WW_DTE_DOMAIN, d.word[1]));
    if (!commit || out.fault == device_fault::none)
        return out;
    ++stats_.faults;
    /* SE: only the first fault of a context is logged. */
    if (slot != no_context && out.event.code == WW_EVENT_IO_PAGE_FAULT && (d.word[1] & WW_DTE_SE) != 0) {
        if (contexts_[slot].fault_logged)
            out.event.code = 0;
        contexts_[slot].fault_logged = true;
    }
    return out;
}

bool iommu_translation::dirty(const device_access &a, const ww_iommu_regs &regs)
{
    tick at = 0;
    const uint32_t slot = find(context_key(a));
    const ww_dte d = slot != WW_ASSOC_NONE ? contexts_[slot].dte : resolve(a, &at, now_how::look, regs);
    uint64_t va = a.va, leaf = 0;
    if (d.means != WW_DTE_GUEST) /* other tables have dirty bits only with HAD, which is absent */
        return true;
    if (!folded(d, &va) || walk_uncached(d, va, at, &leaf).fault)
        return false;
    return (leaf & WW_AMD_D) != 0; /* [6], as in x86-64's format */
}

const char *iommu_translation::check() const
{
    for (const translator *t :
         {static_cast<const translator *>(&host_), static_cast<const translator *>(&guest_),
          static_cast<const translator *>(&tlb_)})
        if (const char *broken = t->check())
            return broken;
    if (const char *broken = interrupts_.check())
        return broken;
    return ww_assoc_check(&tags_.as<context_tags>()->tags, tags_.as<void>());
}

void iommu_translation::states(const translator::state_fn &f) const
{
    host_.states(f);
    guest_.states(f);
    tlb_.states(f);
    f("contexts", tags_.as<void>(), tags_.bytes());
    f("interrupts", interrupts_.bytes().as<void>(), interrupts_.bytes().bytes());
}

} // namespace walkway
