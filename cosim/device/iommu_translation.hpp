/* SPDX-License-Identifier: MIT */
/* device/iommu_translation.hpp - from a requester, an optional PASID and an address to memory, within a call:
 * device-table entries and GCR3 tables (kernels/iommu/iommu_dte.h) lead to page tables, whose translations a
 * TLB and walk caches hold (translate/). It has no sockets: it reads memory through device_memory.
 *
 * A requester with its PASID, or without one, is a context. MODEL: entries of the TLB belong to a context, so
 * two devices of one domain do not share entries. One walk, or one command, is in progress at a time (the
 * lock), so that an invalidate never meets a walk halfway; hits do not wait for it. */
#ifndef WALKWAY_DEVICE_IOMMU_TRANSLATION_HPP
#define WALKWAY_DEVICE_IOMMU_TRANSLATION_HPP

#include "device/access_attributes.hpp"
#include "device/iommu_device_params.hpp"
#include "device/irte_cache.hpp"
#include "kernels/iommu/iommu_command.h"
#include "kernels/iommu/iommu_interrupt.h"
#include "kernels/store/assoc.h"
#include "model/common/stats.hpp"
#include "translate/store_translator.hpp"
#include "translate/walk_translator.hpp"

#include <vector>

namespace walkway
{

class device_memory : public line_memory
{
public:
    /* Reads as line_now(), any number of bytes, 8-byte aligned. look: as debug access, in no time. */
    virtual bool read_now(uint64_t pa, void *bytes, unsigned size, tick *at, now_how how) = 0;
};

/* An access: requester, address and wanted rights. It faults if the requester has more than 16 bits, or the
 * PASID more than 20. */
struct device_access {
    uint64_t va;
    uint32_t device;
    uint32_t pasid;
    bool has_pasid;
    uint8_t wants; /* enum ww_perm bits; 0: only the translation is wanted */
    bool privileged;
    address_type type;
    bool dword;    /* a write of 4 bytes to a multiple of 4, as interrupts are: */
    uint32_t data; /* the data written */
};

/* True if the address is of a range with a meaning of its own (iommu_interrupt.h). With a PASID none is. */
inline bool is_set_apart(const device_access &a)
{
    return ww_iommu_set_apart(a.va) && !a.has_pasid;
}

/* Returns a number for the device and its PASID, another one for any other two; 0 if there is no such device
 * or PASID: its accesses fault. */
uint64_t context_key(const device_access &a);

/* The write that replaces an interrupt's. */
struct device_message {
    bool remapped; /* false: the access is not replaced, and pa and data mean nothing */
    uint64_t pa;
    uint32_t data;
};

/* table: the device-table entry is illegal, or forbids this request; page: no page is mapped, or its entry is
 * malformed; rights: the page lacks a wanted right; memory: memory refused a read. */
enum class device_fault : uint8_t { none, table, page, rights, memory };

/* xlat is valid without a fault, and with the fault `rights`. */
struct device_answer {
    ww_xlat xlat; /* without translation: a page of 4 KiB at its own address */
    device_fault fault;
    bool absent;          /* of a page fault: nothing is mapped, as opposed to a broken table */
    ww_iommu_event event; /* code 0: no event is to be logged */
    uint16_t domain;
    tick at;                /* time at which the answer is at the requester */
    device_message message; /* if remapped: forward it instead of the access */
};

/* Units and meanings: visit() in iommu_translation.cpp. */
struct iommu_device_stats {
    uint64_t translations = 0, passed = 0, tlb_hits = 0, tlb_misses = 0, devtab_reads = 0, gcr3_reads = 0,
             faults = 0, contexts_displaced = 0, pte_reads = 0, commands = 0, invalidates = 0,
             events_logged = 0, events_lost = 0, msi_sent = 0, dmi_granted = 0, dmi_refused = 0,
             dmi_revoked = 0, dmi_out = 0, dmi_unknown_ps = 0, bursts_split = 0, requests_held = 0,
             translated_again = 0, translations_given = 0, invalidates_sent = 0, invalidates_late = 0,
             page_requests_logged = 0, page_requests_lost = 0, page_responses = 0, interrupts = 0,
             interrupts_remapped = 0, interrupts_refused = 0, irte_reads = 0;
    void visit(stat_visitor &v) const;
};

class iommu_translation
{
public:
    static constexpr uint32_t no_context = UINT32_MAX;

    iommu_translation(const iommu_device_params &p, device_memory &memory, iommu_device_stats &stats);
    iommu_translation(const iommu_translation &) = delete;
    iommu_translation &operator=(const iommu_translation &) = delete;

    /* Translates by the TLB alone. Returns false, without side effect, if the TLB does not hold the page with
     * all wanted rights; then call translate(). Needs no lock. */
    bool hit(const device_access &a, tick t, device_answer *out);
    /* Translates; reads memory if the TLB has no answer. commit requires that the caller holds the lock of
     * walks, and waits where memory waits. look has no side effect and does not wait. */
    device_answer translate(const device_access &a, tick t, now_how how, const ww_iommu_regs &regs);
    /* Reads a device's entry from memory, without a PASID, and holds nothing of it; waits where memory waits.
     * Needs no lock. *at: as in line_now(). The entry means WW_DTE_REFUSED if memory answers with an error;
     * it never means WW_DTE_READ. */
    ww_dte entry(uint32_t device, tick *at, const ww_iommu_regs &regs);
    /* True if the page's entry is marked dirty, or its format has no such mark. For debug access. */
    bool dirty(const device_access &a, const ww_iommu_regs &regs);

    /* Drops all that a command names. Required: the lock is held. */
    void invalidate(const ww_iommu_step &s);
    /* Drops everything. Needs no lock; but a walk in progress enters what it has read before, so call this
     * again after the walk. */
    void forget_all();
    /* Returns NULL, or names the first broken invariant. */
    const char *check() const;
    /* Shows the bytes of all that a translation could change. */
    void states(const translator::state_fn &f) const;

private:
    struct context {
        ww_dte dte;
        bool fault_logged;
    };
    class walks final : public translator
    {
    public:
        walks(iommu_translation &owner) : owner_(owner) {}
        now_answer translate_now(const now_request &r, tick t, now_how how) override;
        void forget_now(const ww_inval_scope &scope) override;

    private:
        iommu_translation &owner_;
    };
    struct context_tags {
        ww_assoc tags;
    };

    uint32_t find(uint64_t key) const;
    uint32_t enter(uint64_t key, const ww_dte &dte);
    void drop(uint32_t context);
    ww_dte context_of(const device_access &a, tick *at, now_how how, const ww_iommu_regs &regs,
                      uint32_t *slot);
    static bool may_ask(const ww_dte &d);
    bool set_apart(const device_access &a, const ww_dte &d, tick at, now_how how, device_answer *out);
    static ww_int_step decided(const device_access &a, const ww_dte &d);
    device_answer judged(const device_access &a, const ww_dte &d, const ww_int_step &s, tick at, now_how how);
    device_answer remapped(const device_access &a, const ww_dte &d, const ww_int_step &s, tick at,
                           now_how how);
    bool interrupt_entry(const device_access &a, const ww_int_step &s, uint32_t *entry, tick *at,
                         now_how how);
    device_answer passed(const device_access &a, tick at) const;
    device_answer aborted(const device_access &a, const ww_dte &d, device_fault fault, uint8_t code,
                          uint64_t flags, uint64_t address, tick at);
    ww_dte resolve(const device_access &a, tick *at, now_how how, const ww_iommu_regs &regs);
    device_answer faulted(const device_access &a, const ww_dte &d, device_fault fault, uint8_t code,
                          uint64_t flags, uint64_t address, tick at);
    device_answer of_dte(const device_access &a, const ww_dte &d, tick at);
    device_answer of_walk(const device_access &a, const ww_dte &d, const now_answer &n);
    void judge(const device_access &a, const ww_dte &d, device_answer *out);
    walk_translator &walker_of(const ww_dte &d) { return d.means == WW_DTE_GUEST ? guest_ : host_; }
    now_answer walk_uncached(const ww_dte &d, uint64_t va, tick t, uint64_t *leaf);

    iommu_device_params params_;
    clock_domain clock_;
    device_memory &memory_;
    iommu_device_stats &stats_;
    std::vector<context> contexts_;
    blob tags_;
    uint64_t last_key_ = 0; /* the context used last, the most recent one: */
    uint32_t last_ = no_context;
    walk_translator host_, guest_;
    walks below_;
    store_translator tlb_;
    irte_cache interrupts_;
};

} // namespace walkway

#endif
