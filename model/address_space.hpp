/* SPDX-License-Identifier: MIT */
/* model/address_space.hpp - the virtual memory of the traced program, laid out before time zero: every buffer
 * of the trace is mapped, in the order of the buffer table, to frames that a seeded layout gives. Never by
 * the order of accesses. Several spaces (VM-IDs 0, 1, ...) hold the same buffers at the same virtual
 * addresses, each in frames and under a root of its own: processes that run one program. */
#ifndef WALKWAY_MODEL_ADDRESS_SPACE_HPP
#define WALKWAY_MODEL_ADDRESS_SPACE_HPP

#include "kernels/amd_table.h"
#include "kernels/frames.h"
#include "kernels/radix.h"
#include "kernels/table_amd.h"
#include "kernels/table_radix.h"
#include "model/common/params.hpp"
#include "model/memory_store.hpp"
#include "model/page_tables.hpp"

#include <deque>
#include <string>
#include <vector>

namespace walkway
{

struct va_range {
    uint64_t base_va;
    uint64_t bytes;
};

/* X(name, text): who says how an entry of the page table looks. */
#define WALKWAY_TABLE_LIST(X)                                                                                \
    X(radix, "radix")                                                                                        \
    X(amd_v1, "amd_v1")

enum class table_format : uint8_t {
#define X(name, text) name,
    WALKWAY_TABLE_LIST(X)
#undef X
};

struct address_space_params {
    uint8_t table = 0; /* table_format */
    uint32_t levels = 4;
    bool skip_levels = true;
    uint32_t spaces = 1;
    uint8_t page = 0;   /* index into page_names */
    uint8_t frames = 0; /* enum ww_frame_policy */
    uint32_t run_frames = 512;
    uint64_t memory_bytes = uint64_t{8} << 30;
    uint64_t table_pa = uint64_t{256} << 20;
    uint64_t data_pa = uint64_t{1} << 30;
    uint64_t seed = 1;

    void visit(param_visitor &v);
    std::string validate() const;
    uint8_t page_shift() const; /* of the smallest page */
    table_format format() const { return static_cast<table_format>(table); }
    uint32_t va_bits() const;
    const ww_table_kind *kind() const; /* of a legal configuration */
    uint8_t largest_shift() const;     /* of the largest: frames of that many bytes stay together */
};

/* Where the next space's table and pages begin. */
struct space_cursor {
    uint64_t nodes;    /* that each table has room for */
    uint64_t table_pa; /* of its first node */
    uint64_t word;     /* index of that in the store's dense memory */
    uint64_t frame;    /* frames given out so far */
};

class address_space
{
public:
    /* Maps every page that the ranges touch. page = mixed: every whole, aligned 2 MiB of a range is one page,
     * the rest 4 KiB pages. Throws std::runtime_error when memory does not suffice. */
    address_space(const address_space_params &p, const std::vector<va_range> &ranges, memory_store &store)
        : address_space(p, ranges, store, lay_out(p, ranges, store))
    {
    }
    /* The same for one of several; `at` moves on behind it. */
    address_space(const address_space_params &p, const std::vector<va_range> &ranges, memory_store &store,
                  space_cursor &at);
    /* Makes room in the store for the tables of all spaces. Throws as the constructor does. */
    static space_cursor lay_out(const address_space_params &p, const std::vector<va_range> &ranges,
                                memory_store &store);

    uint8_t page_shift() const { return params_.page_shift(); }
    /* Bit n set: pages of 1 << n bytes may occur. */
    uint32_t page_sizes() const { return 1u << params_.page_shift() | 1u << params_.largest_shift(); }
    /* What a walker needs to know of it. */
    const ww_table &table() const { return table_; }
    uint64_t pages() const { return pages_; }
    /* Of the page tables for these, before there are any. Throws std::runtime_error as the constructor does.
     */
    static uint64_t table_bytes(const address_space_params &p, const std::vector<va_range> &ranges);
    uint32_t table_nodes() const
    {
        return params_.format() == table_format::radix ? radix_.nodes : amd_.nodes;
    }
    /* The translation at once, without side effect. */
    bool translate(uint64_t va, ww_xlat *out) const
    {
        return params_.format() == table_format::radix ? ww_radix_lookup(&radix_, arena(), va, out)
                                                       : ww_amd_lookup(&amd_, arena(), va, out);
    }
    /* The first address behind its table's nodes in use. */
    uint64_t table_end() const { return table_pa_ + uint64_t{table_nodes()} * 4096; }

private:
    address_space(const address_space_params &p, const std::vector<va_range> &ranges, memory_store &store,
                  space_cursor &&at)
        : address_space(p, ranges, store, at)
    {
    }
    void make_table(uint64_t nodes);
    void map_page(uint64_t va, uint8_t shift, const ww_frames_cfg &layout, uint64_t *next_frame);
    uint64_t *arena() { return store_.dense() + word_; }
    const uint64_t *arena() const { return store_.dense() + word_; }

    address_space_params params_;
    memory_store &store_;
    uint64_t table_pa_, word_;
    ww_radix radix_{}; /* of these two, the one that params_.table names */
    ww_amd amd_{};
    ww_table table_{};
    uint64_t pages_ = 0;
};

/* All that there are, by VM-ID. */
class address_spaces
{
public:
    /* As the constructor of one. */
    address_spaces(const address_space_params &p, const std::vector<va_range> &ranges, memory_store &store);

    uint32_t count() const { return static_cast<uint32_t>(spaces_.size()); }
    /* vmid below count() */
    const address_space &operator[](uint16_t vmid) const { return spaces_[vmid]; }
    /* Their registers. */
    page_tables tables() const;
    uint64_t pages() const;
    uint64_t table_nodes() const;
    uint64_t table_end() const { return spaces_.back().table_end(); }

private:
    std::deque<address_space> spaces_; /* never move: blocks refer to them */
};

} // namespace walkway

#endif
