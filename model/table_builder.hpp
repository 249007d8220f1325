/* SPDX-License-Identifier: MIT */
/* model/table_builder.hpp - a page table of any format, for address spaces, pagers and drivers. A format NAME
 * is a file in model/tables/ with a table_builder (one table) and a table_maker (the size of tables, and new
 * ones), which NAME_tables() returns; the build finds it. Its walks are a ww_table_kind
 * (kernels/table/table.h); a builder in kernels/ writes its entries. docs/model/page-table.md. */
#ifndef WALKWAY_MODEL_TABLE_BUILDER_HPP
#define WALKWAY_MODEL_TABLE_BUILDER_HPP

#include "image/image_format.hpp"
#include "kernels/table/pte.h"
#include "kernels/table/table.h"
#include "model/address_space_params.hpp"
#include "model/page_change.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* The slots of a table that holds regions of 2 MiB in slots: kernels/table/hpt_map.h. */
struct table_slots {
    uint64_t slots = 0, stride = 0; /* 0: the table has no slots */
};

/* A page table, in words that its owner keeps: 512 per frame, the first frame at a physical address. */
class table_builder
{
public:
    virtual ~table_builder() = default;
    table_builder(const table_builder &) = delete;
    table_builder &operator=(const table_builder &) = delete;

    /* Returns the kind and the registers, for a walker. No map changes them. */
    virtual ww_table table() const = 0;
    /* Maps a page with all rights. Returns enum ww_status. Required: no page is mapped there. */
    virtual int map(uint64_t va, uint64_t pa, uint8_t shift) = 0;
    /* Before time zero: moves other pages within the table, if possible and needed, so that a page at va
     * finds a place. */
    virtual void make_room(uint64_t /* va */) {}
    /* Reserves the place of a page that will be mapped so, if it depends on the other pages. */
    virtual void place(uint64_t /* va */, uint64_t /* pa */, uint8_t /* shift */) {}
    /* For a driver that assigns the slots of a table. give() gives the region of va the free slot of this
     * step; leave() takes the region out of its slot. Both append the frames that they changed to `nodes`, in
     * an order in which they may be written. give() returns true if the region's group had other steps
     * before, which may be cached. */
    virtual table_slots slots() const { return {}; }
    virtual bool give(uint64_t /* va */, uint32_t /* step */, std::vector<uint64_t> * /* nodes */)
    {
        return false;
    }
    virtual void leave(uint64_t /* va */, std::vector<uint64_t> * /* nodes */) {}
    /* True if `words`, the table's or a copy, map va; only then sets *out. No side effect. */
    virtual bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const = 0;
    bool translate(uint64_t va, ww_xlat *out) const { return translate(va, out, words_); }
    /* Returns the frames from the first to the last one in use. */
    virtual uint64_t nodes() const = 0;
    /* True if such a change must invalidate the whole address space, because the requester does not know the
     * virtual addresses of the pages. */
    virtual bool forgets_all(page_change /* what */) const { return false; }

    const uint64_t *words() const { return words_; }
    void add_way(uint64_t va, std::vector<uint64_t> *nodes) const { add_way(table(), va, nodes); }
    /* Change the page that holds va: unmap() clears its entries, move() gives them another physical address,
     * protect() gives or takes the right to write. Required: it is mapped. */
    void unmap(uint64_t va) { rewrite(entries_of(va, page_change::unmap), ~kept(), 0); }
    void move(uint64_t va, const ww_xlat &to);
    void protect(uint64_t va, bool writable);

protected:
    table_builder(uint64_t first_pa, uint64_t *words) : first_pa_(first_pa), words_(words) {}
    uint64_t first_pa() const { return first_pa_; }
    uint64_t *words_to_write() const { return words_; }
    /* Entries of a page: index of the first one's word, and their number. */
    struct entries {
        uint64_t first, count;
    };
    /* Returns the entries of va's page that its walk reads last. Fails if there is none. */
    entries last_read(uint64_t va) const;
    /* Returns the aligned group of entries around the word at this address. */
    entries around(uint64_t pa, uint64_t count) const
    {
        return {(pa - first_pa_) / sizeof(uint64_t) & ~(count - 1), count};
    }
    /* Appends the frames on the way to the entry of va, which may be absent, last one first; of this table,
     * or of a part of it. */
    void add_way(const ww_table &table, uint64_t va, std::vector<uint64_t> *nodes) const;

private:
    /* The bits of an entry that grant writing; below, those that do not belong to the page and stay when it
     * is unmapped. */
    virtual uint64_t right_to_write() const { return WW_PTE_RW; }
    /* forbids(): true if a set right_to_write() bit forbids writing. address_field(): a physical address as
     * an entry has it. */
    virtual bool forbids() const { return false; }
    virtual uint64_t address_field(uint64_t pa) const { return pa; }
    virtual uint64_t kept() const { return 0; }
    /* Returns the entries that such a change of a mapped page rewrites. */
    virtual entries entries_of(uint64_t va, page_change /* what */) const { return last_read(va); }
    void rewrite(const entries &of, uint64_t mask, uint64_t bits);

    uint64_t first_pa_;
    uint64_t *words_;
};

/* The frames of a table, and a function that builds an empty one of that size at that address, in those
 * words. */
struct table_room {
    uint64_t frames = 0;
    std::function<std::unique_ptr<table_builder>(uint64_t first_pa, uint64_t *words)> build;
};

/* A key of one or several formats, with a name that no other parameter of an address space has: a choice
 * whose first value adds nothing. */
struct table_key {
    const char *name, *text; /* one sentence */
    choice_names choices;
};

/* A format; there is one maker of each. Configurations are legal, except for wrong(). */
class table_maker
{
public:
    virtual ~table_maker() = default;
    /* Returns a description in a few words. */
    virtual const char *text() const = 0;
    virtual std::vector<table_key> keys() const { return {}; }
    /* Returns the format in an image of memory, which `walkway walk --kind NAME` reads; null: it cannot be
     * read. */
    virtual const image_format *in_image() const { return nullptr; }
    /* Returns what the format does not allow, or "". */
    virtual std::string wrong(const address_space_params & /* p */) const { return ""; }
    /* Return the bits of addresses, and the setting that gives this width: "address_space.levels = 4". */
    virtual uint32_t va_bits(const address_space_params &p) const = 0;
    virtual std::string width(const address_space_params &p) const;
    /* Bit n set: pages of 1 << n bytes may occur. */
    virtual uint32_t page_sizes(const address_space_params &p) const;
    virtual const ww_table_kind *kind(const address_space_params &p) const = 0;
    /* Returns room for the ranges of any one space. Throws std::runtime_error. Required: no range lies beyond
     * va_bits. */
    virtual table_room room(const address_space_params &p,
                            const std::vector<space_ranges> &of_space) const = 0;
};

struct named_tables {
    const char *name; /* `address_space.table = NAME` */
    const table_maker *maker;
};

/* In the order of the build; the first is radix, the default. */
const std::vector<named_tables> &table_formats();
/* The maker of an image's tables, which are not built. */
const table_maker &image_tables();

/* Returns the nodes of a tree for the pages of the ranges, plus a root; of(va, bytes) returns those for whole
 * pages. */
uint64_t nodes_for(const space_ranges &ranges, uint8_t page_shift,
                   const std::function<uint64_t(uint64_t va, uint64_t bytes)> &of);
/* Returns the nodes of the largest of the spaces; `of` returns those of one space. */
uint64_t most_nodes(const std::vector<space_ranges> &of_space,
                    const std::function<uint64_t(const space_ranges &)> &of);
/* Throws unless a kernel's builder returned WW_OK. */
void require_table(int rc);

} // namespace walkway

#endif
