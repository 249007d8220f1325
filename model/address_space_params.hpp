/* SPDX-License-Identifier: MIT */
/* model/address_space_params.hpp - the layout of the traced program's virtual memory. */
#ifndef WALKWAY_MODEL_ADDRESS_SPACE_PARAMS_HPP
#define WALKWAY_MODEL_ADDRESS_SPACE_PARAMS_HPP

#include "image/image_space.hpp"
#include "kernels/table/frames.h"
#include "model/common/page_areas.hpp"
#include "model/common/params.hpp"

#include <string>
#include <vector>

namespace walkway
{

class table_maker;

/* A section's page tables: their format, and the keys of all formats (model/table_builder.hpp). The default
 * is radix tables. */
class table_choice
{
public:
    table_choice();
    /* Visit `table`, and, separately, the formats' keys. */
    void visit(param_visitor &v);
    void visit_keys(param_visitor &v);
    const table_maker &maker() const;
    bool is(const std::string &format) const;
    /* Throws std::invalid_argument if there is no such format. */
    void choose(const std::string &format);
    /* Return or set the value of a key of any format, an index into its choices, which is not checked. Throw
     * std::invalid_argument if there is no such key. */
    uint64_t key(const std::string &name) const { return keys_[place_of(name)]; }
    void set(const std::string &name, uint64_t value) { keys_[place_of(name)] = value; }

private:
    static size_t place_of(const std::string &key);
    uint8_t format_ = 0;
    std::vector<uint64_t> keys_; /* by index in all_table_keys() */
};

/* X(name, text): pages that are in the table before time zero. first_touch: none, the pager maps each when it
 * is touched; half: every second; all_paged: all, with a pager for those that events take away. */
#define WALKWAY_MAP_LIST(X)                                                                                  \
    X(all, "all")                                                                                            \
    X(first_touch, "first_touch")                                                                            \
    X(half, "half")                                                                                          \
    X(all_paged, "all_paged")

enum class map_mode : uint8_t {
#define X(name, text) name,
    WALKWAY_MAP_LIST(X)
#undef X
};

/* X(name, text): the table of a nested pair whose entries change when a page is mapped, unmapped or
 * changed. */
#define WALKWAY_PAGING_LIST(X)                                                                               \
    X(guest, "guest")                                                                                        \
    X(host, "host")

enum class paging_by : uint8_t {
#define X(name, text) name,
    WALKWAY_PAGING_LIST(X)
#undef X
};

/* Units, ranges and meanings: visit() in address_space_params.cpp. */
struct address_space_params {
    uint8_t map = 0; /* map_mode */
    table_choice table;
    uint32_t levels = 0;
    bool skip_levels = true;
    uint8_t paging = 0; /* paging_by */
    uint32_t slots_percent = 100, slot_stride = 1, step_entries = 1;
    bool slot_moves = true;
    uint32_t spaces = 1;
    uint8_t page = 0; /* index into page_names() */
    pages_of_buffers buffer_pages;
    uint8_t frames = 0; /* enum ww_frame_policy */
    uint32_t run_frames = 1;
    uint64_t memory_bytes = 0;
    uint64_t table_pa = 0;
    uint64_t data_pa = 0;
    uint64_t seed = 1;
    const image_space *image = nullptr; /* provides memory and pages; set by the run, not a parameter */
    uint32_t image_table = 0;           /* index of its table, for one of several spaces */
    size_t buffers = 0;                 /* of the only program that runs; 0: not known; set by the run */
    bool driven = false;                /* a driver places pages and assigns slots; set by the machine */

    void visit(param_visitor &v);
    std::string validate() const;
    map_mode mode() const { return static_cast<map_mode>(map); }
    /* A driver changes the host's table. */
    paging_by by() const { return driven ? paging_by::host : static_cast<paging_by>(paging); }
    /* Returns the maker of the format, or of the image's tables. */
    const table_maker &maker() const;
    uint32_t va_bits() const;
    const ww_table_kind *kind() const; /* Required: a legal configuration. */
    uint32_t page_sizes() const;       /* bit n set: pages of 1 << n bytes may occur */
    uint8_t page_shift() const;        /* log2 of the smallest page's bytes */
    uint8_t largest_shift() const;     /* log2 of the largest page's bytes, which frames keep together */
};

ww_frames_cfg frames_of(const address_space_params &p);

} // namespace walkway

#endif
