/* SPDX-License-Identifier: MIT */
/* translate/tlb_store_kind.hpp - a kind of store that a TLB's section names: `store = NAME`. It is a kernel,
 * which is a table of functions over a blob (kernels/store/store.h), and a file
 * translate/stores/NAME_store.cpp, which defines NAME_store(): what the kind is called, its own keys, which
 * shapes it has. The build lists these files, so no list has to be edited for one:
 * docs/develop/adding-a-mechanism.md. */
#ifndef WALKWAY_TRANSLATE_TLB_STORE_KIND_HPP
#define WALKWAY_TRANSLATE_TLB_STORE_KIND_HPP

#include "kernels/store/tlb.h" /* enum ww_index_kind, enum ww_replace */
#include "model/common/kernel_blob.hpp"
#include "model/common/stats.hpp"
#include "translate/store_translator.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

class param_visitor;
class tlb_store_kind;

/* A key of one kind: every section with `store` has it, without effect while that names another kind. */
struct store_key {
    const char *name, *unit;
    uint64_t least, most;
    const char *text; /* one sentence */
    uint64_t value;   /* of one that choose() makes: with it the kind holds 64 entries of 16 ways */
    /* Names of the values 0, 1, ...; the first one adds nothing. Empty for a number. */
    std::vector<const char *> choices = {};
};

/* A section's choice of store: the kind, and the keys of all kinds. The default is the plain kind. */
class store_choice
{
public:
    store_choice();
    /* `store` and the kinds' keys. */
    void visit(param_visitor &v);
    const tlb_store_kind &kind() const;
    /* The value of a key of any kind, by name. */
    uint64_t key(const std::string &name) const;
    void set(const std::string &name, uint64_t value);
    /* A kind by its name, with a value for each of its keys: a machine's file gives its own. */
    void choose(const std::string &name);

private:
    uint8_t kind_ = 0;
    std::vector<uint64_t> keys_;
};

/* A section's numbers for the arrays of a TLB of any kind. */
struct tlb_section {
    uint32_t entries = 0, ways = 0; /* ways divide entries into a power of two of sets */
    uint8_t index = 0;              /* enum ww_index_kind */
    uint8_t replace = 0;            /* enum ww_replace */
    uint32_t page_sizes = 0;        /* bit n set: pages of 1 << n bytes */
    uint64_t seed = 0;              /* of random replacement */
    uint32_t va_bits = 57, pa_bits = 52;
    store_choice store = {};

    uint32_t sets() const { return entries / ways; }
    /* Of the kind's own keys. */
    uint64_t own(const char *key) const { return store.key(key); }
    uint32_t own_small(const char *key) const { return static_cast<uint32_t>(own(key)); }
};

class tlb_store_kind
{
public:
    virtual ~tlb_store_kind() = default;
    /* What an entry is there, for the list of choices: "one page in each place". */
    virtual const char *text() const = 0;
    virtual std::vector<store_key> keys() const { return {}; }
    /* Empty: it has this shape; else what is wrong, with the names of keys. Without a word a shape that the
     * kernel refuses is a defect. */
    virtual std::string fault(const tlb_section &s) const = 0;
    /* Bytes of the host; 0: the kernel refuses the shape. */
    virtual size_t bytes(const tlb_section &s) const = 0;
    /* Without storage where the kernel refuses. */
    virtual stage_store make(const tlb_section &s) const = 0;

    /* Statistics that the TLB shows beside its own, and sums that have to hold at the end of a run;
     * `evictions`: pages that had to leave for another, as the TLB has counted them. */
    virtual void visit(const void * /* store */, stat_visitor &) const {}
    virtual std::vector<law> laws(const void * /* store */, uint64_t /* evictions */) const { return {}; }
    /* What it holds was entered without being counted by the TLB: its own counts begin here, too. */
    virtual void count_from_here(void * /* store */) const {}
};

/* The kind of a kernel with the usual two functions and the configuration CFG. */
template <class KERNEL, class CFG> class kernel_store : public tlb_store_kind
{
public:
    kernel_store(const ww_store_kind &functions, size_t (*bytes_of)(const CFG *),
                 int (*init)(KERNEL *, size_t, const CFG *))
        : functions_(functions), bytes_(bytes_of), init_(init)
    {
    }
    /* Begun as `CFG cfg = {}`, so that what stands between its fields is 0: snapshots have its bytes. */
    virtual CFG config(const tlb_section &s) const = 0;

    size_t bytes(const tlb_section &s) const final
    {
        const CFG cfg = config(s);
        return bytes_(&cfg);
    }
    stage_store make(const tlb_section &s) const final
    {
        return {&functions_, kernel_blob(bytes_, init_, config(s))};
    }

protected:
    static const KERNEL &kernel(const void *store) { return *static_cast<const KERNEL *>(store); }
    static KERNEL &kernel(void *store) { return *static_cast<KERNEL *>(store); }

private:
    const ww_store_kind &functions_;
    size_t (*bytes_)(const CFG *);
    int (*init_)(KERNEL *, size_t, const CFG *);
};

} // namespace walkway

#endif
