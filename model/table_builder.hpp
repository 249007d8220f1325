/* SPDX-License-Identifier: MIT */
/* model/table_builder.hpp - what address spaces, pagers and drivers ask of a page table of any format.
 * A format NAME is a file in model/tables/ with a table_builder (one table) and a table_maker (how large
 * tables have to be, and new ones), which NAME_tables() returns; the build finds it. Its walks are a
 * ww_table_kind (kernels/table/table.h), its entries the business of a builder in kernels/.
 * docs/model/page-table.md. */
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

/* Of a table that holds regions of 2 MiB in slots: kernels/table/hpt_map.h. */
struct table_slots {
    uint64_t slots = 0, stride = 0; /* 0: it is another one */
};

/* A page table, in words that its owner keeps: 512 a frame, the first frame at a physical address. */
class table_builder
{
public:
    virtual ~table_builder() = default;
    table_builder(const table_builder &) = delete;
    table_builder &operator=(const table_builder &) = delete;

    /* What a walker needs to know of it. No map changes it. */
    virtual ww_table table() const = 0;
    /* enum ww_status; a page with every right, where none is mapped. */
    virtual int map(uint64_t va, uint64_t pa, uint8_t shift) = 0;
    /* Before time zero: moves other pages within the table, if need be and if it can, so that a page at va
     * finds a place. */
    virtual void make_room(uint64_t /* va */) {}
    /* Room for a page that shall be mapped so, where its place depends on who else is there. */
    virtual void place(uint64_t /* va */, uint64_t /* pa */, uint8_t /* shift */) {}
    /* For a driver that assigns the slots of a table: give() gives the region of va the free slot of this
     * step, leave() takes the region out of its slot, and both append the frames that they changed to
     * `nodes`, in an order in which they may be written. give() returns true if the group of the region had
     * other steps before, which may be cached. */
    virtual table_slots slots() const { return {}; }
    virtual bool give(uint64_t /* va */, uint32_t /* step */, std::vector<uint64_t> * /* nodes */)
    {
        return false;
    }
    virtual void leave(uint64_t /* va */, std::vector<uint64_t> * /* nodes */) {}
    /* The translation at once, without side effect; also of a copy of the words. */
    virtual bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const = 0;
    bool translate(uint64_t va, ww_xlat *out) const { return translate(va, out, words_); }
    /* From its first frame on to the last one in use. */
    virtual uint64_t nodes() const = 0;
    /* True if such a change must invalidate the whole address space, because its author does not know
     * the virtual addresses of the pages. */
    virtual bool forgets_all(page_change /* what */) const { return false; }

    const uint64_t *words() const { return words_; }
    void add_way(uint64_t va, std::vector<uint64_t> *nodes) const { add_way(table(), va, nodes); }
    /* Of the page that holds va, which must be mapped: unmap() clears its entries, move() gives them another
     * physical address, protect() gives or takes the right to write. */
    void unmap(uint64_t va) { rewrite(entries_of(va, page_change::unmap), ~kept(), 0); }
    void move(uint64_t va, const ww_xlat &to);
    void protect(uint64_t va, bool writable);

protected:
    table_builder(uint64_t first_pa, uint64_t *words) : first_pa_(first_pa), words_(words) {}
    uint64_t first_pa() const { return first_pa_; }
    uint64_t *words_to_write() const { return words_; }
    /* Entries of a page, by the first one's word. */
    struct entries {
        uint64_t first, count;
    };
    /* Those of the page of va that its walk reads at last; fails where it finds none. */
    entries last_read(uint64_t va) const;
    /* The aligned ones around the word at this address. */
    entries around(uint64_t pa, uint64_t count) const
    {
        return {(pa - first_pa_) / sizeof(uint64_t) & ~(count - 1), count};
    }
    /* Of this table, or of a part of it: frames on the way to the entry of va, which may be absent, the last
     * one first. */
    void add_way(const ww_table &table, uint64_t va, std::vector<uint64_t> *nodes) const;

private:
    /* The bits of an entry that say it, and those that are not the page's and stay when it goes. */
    virtual uint64_t right_to_write() const { return WW_PTE_RW; }
    /* Is that a bit that forbids to write? And bits of a physical address as an entry has them. */
    virtual bool forbids() const { return false; }
    virtual uint64_t address_field(uint64_t pa) const { return pa; }
    virtual uint64_t kept() const { return 0; }
    /* Those that such a change of the page, which is mapped, is made in. */
    virtual entries entries_of(uint64_t va, page_change /* what */) const { return last_read(va); }
    void rewrite(const entries &of, uint64_t mask, uint64_t bits);

    uint64_t first_pa_;
    uint64_t *words_;
};

/* How many frames a table gets, and a new one of that size: empty, at that address, in those words. */
struct table_room {
    uint64_t frames = 0;
    std::function<std::unique_ptr<table_builder>(uint64_t first_pa, uint64_t *words)> build;
};

/* A key that formats have of their own, with a name that no other parameter of an address space has: a choice
 * whose first value adds nothing. Formats may have the same one. */
struct table_key {
    const char *name, *text; /* one sentence */
    choice_names choices;
};

/* A format, of which there is one maker. But for wrong(), configurations are legal. */
class table_maker
{
public:
    virtual ~table_maker() = default;
    /* What it is, in a few words. */
    virtual const char *text() const = 0;
    virtual std::vector<table_key> keys() const { return {}; }
    /* The format in an image of memory, which `walkway walk --kind NAME` reads; null: it reads none. */
    virtual const image_format *in_image() const { return nullptr; }
    /* "", or what the format does not allow. */
    virtual std::string wrong(const address_space_params & /* p */) const { return ""; }
    /* Of addresses; and the setting that gives this width: "address_space.levels = 4". */
    virtual uint32_t va_bits(const address_space_params &p) const = 0;
    virtual std::string width(const address_space_params &p) const;
    /* Bit n set: pages of 1 << n bytes may occur. */
    virtual uint32_t page_sizes(const address_space_params &p) const;
    virtual const ww_table_kind *kind(const address_space_params &p) const = 0;
    /* Enough for the ranges of any one space, none of which lies beyond va_bits. Throws std::runtime_error.
     */
    virtual table_room room(const address_space_params &p,
                            const std::vector<space_ranges> &of_space) const = 0;
};

struct named_tables {
    const char *name; /* `address_space.table = NAME` */
    const table_maker *maker;
};

/* As the build lists them, radix first, which is what a section has that says nothing. */
const std::vector<named_tables> &table_formats();
/* Of the tables that an image has, of which nothing is built. */
const table_maker &image_tables();

/* What most of them need: nodes of a tree for the pages of the ranges, as `of(va, bytes)` says for whole
 * pages, and a root. */
uint64_t nodes_for(const space_ranges &ranges, uint8_t page_shift,
                   const std::function<uint64_t(uint64_t va, uint64_t bytes)> &of);
/* Room for the largest of the spaces, of each of which `of` says the nodes. */
uint64_t most_nodes(const std::vector<space_ranges> &of_space,
                    const std::function<uint64_t(const space_ranges &)> &of);
/* Throws unless a kernel's builder has taken the table. */
void require_table(int rc);

} // namespace walkway

#endif
