/* SPDX-License-Identifier: MIT */
/* translate/tlb_store_kind.hpp - a kind of store that a TLB's section names: `store = NAME`. It is a kernel,
 * a table of functions over a blob (kernels/store/store.h), and a file translate/stores/NAME_store.cpp, which
 * defines NAME_store(): its description, its keys, and its shapes. The build lists these files, so a new one
 * needs no change to any list: docs/develop/adding-a-mechanism.md. */
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

/* A key of one kind. Every section with `store` has it; it has no effect while that names another kind. */
struct store_key {
    const char *name, *unit;
    uint64_t least, most;
    const char *text; /* one sentence */
    uint64_t value;   /* value after choose(); with it fault() accepts a TLB of 64 entries and 16 ways */
    /* Names of the values 0, 1, ...; unit, least and most then have no effect. A machine's file may omit the
     * key, which then is 0 and turns nothing on. Empty: the key is a number from `least` to `most`, which a
     * file with this kind must give. */
    std::vector<const char *> choices = {};
};

/* A section's choice of store: the kind, and the keys of all kinds. The default is the plain kind. */
class store_choice
{
public:
    store_choice(); /* the plain kind; every key is 0 */
    /* Visits `store` and the kinds' keys. */
    void visit(param_visitor &v);
    const tlb_store_kind &kind() const;
    /* Return, and set, the value of a key of any kind, by name; no two kinds have a key of the same name.
     * set() does not check the range. Throw std::invalid_argument if no kind has such a key. */
    uint64_t key(const std::string &name) const;
    void set(const std::string &name, uint64_t value);
    /* Selects a kind by name and sets its keys to store_key::value; visit() may replace them. Throws
     * std::invalid_argument if there is no such kind. */
    void choose(const std::string &name);

private:
    uint8_t kind_ = 0;
    std::vector<uint64_t> keys_;
};

/* A section's parameters of a TLB's arrays, of any kind. */
struct tlb_section {
    uint32_t entries = 0, ways = 0; /* not 0 when used; entries / ways is a power of two of sets */
    uint8_t index = 0;              /* enum ww_index_kind */
    uint8_t replace = 0;            /* enum ww_replace */
    uint32_t page_sizes = 0;        /* bit n set: pages of 1 << n bytes */
    uint64_t seed = 0;              /* of random replacement */
    uint32_t va_bits = 57, pa_bits = 52;
    store_choice store = {};

    uint32_t sets() const { return entries / ways; }
    /* Return the value of one of the kind's own keys. */
    uint64_t own(const char *key) const { return store.key(key); }
    uint32_t own_small(const char *key) const { return static_cast<uint32_t>(own(key)); }
};

class tlb_store_kind
{
public:
    virtual ~tlb_store_kind() = default;
    /* Returns the meaning of an entry, for the list of choices: "one page in each place". */
    virtual const char *text() const = 0;
    virtual std::vector<store_key> keys() const { return {}; }
    /* Returns what is wrong with a shape, by the names of keys, or an empty string. It is a defect if the
     * kernel refuses a shape for which this is empty. */
    virtual std::string fault(const tlb_section &s) const = 0;
    /* Returns the bytes of the host; 0: the kernel refuses the shape. */
    virtual size_t bytes(const tlb_section &s) const = 0;
    /* Returns a store, without storage if the kernel refuses the shape. */
    virtual stage_store make(const tlb_section &s) const = 0;

    /* visit(): shows statistics besides the TLB's own. laws(): returns sums that must hold at the end of a
     * run; `evictions`: pages evicted for another, as counted by the TLB. */
    virtual void visit(const void * /* store */, stat_visitor &) const {}
    virtual std::vector<law> laws(const void * /* store */, uint64_t /* evictions */) const { return {}; }
    /* Sets the store's own counts to 0 and leaves its contents. The TLB calls it after a start that filled
     * the store without counting. */
    virtual void count_from_here(void * /* store */) const {}
};

/* The kind of a kernel with the two usual functions and the configuration CFG. */
template <class KERNEL, class CFG> class kernel_store : public tlb_store_kind
{
public:
    /* functions: must outlive the kind. bytes_of() returns 0, or init() not WW_OK, if the kernel refuses the
     * configuration. */
    kernel_store(const ww_store_kind &functions, size_t (*bytes_of)(const CFG *),
                 int (*init)(KERNEL *, size_t, const CFG *))
        : functions_(functions), bytes_(bytes_of), init_(init)
    {
    }
    /* Returns the kernel's configuration. Start with `CFG cfg = {}`, so that padding is 0: snapshots contain
     * its bytes. */
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
