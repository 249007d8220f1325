/* SPDX-License-Identifier: MIT */
/* image/image_format.hpp - a format of page tables in an image of memory from a foreign writer, of any kind
 * of table, and the walk of one address through it. x86-64 has files of its own, with more details
 * (image/table_walk.hpp). */
#ifndef WALKWAY_IMAGE_IMAGE_FORMAT_HPP
#define WALKWAY_IMAGE_IMAGE_FORMAT_HPP

#include "image/memory_image.hpp"
#include "kernels/table/table.h"

#include <string>
#include <vector>

namespace walkway
{

class image_format
{
public:
    virtual ~image_format() = default;
    /* Returns the bits that the physical address of a root may have. */
    virtual uint64_t root_bits() const { return WW_WALK_PA; }
    /* Returns the table with its root there. */
    virtual ww_table table(uint64_t root_pa) const = 0;
    /* Returns the meaning of an entry of a step, in a few words: "table 0x5000", "page of 64 KiB", "not
     * present". */
    virtual std::string meaning(uint32_t step, const uint64_t *words) const = 0;
    /* Returns the names of the fields that are set, without those in meaning(). */
    virtual std::vector<std::string> flags(uint32_t step, const uint64_t *words) const = 0;
};

/* A table of such a format in an image. */
struct format_table {
    const memory_image &image;
    const image_format &format;
    ww_table table;
    uint64_t root_pa;
};

struct format_step {
    uint32_t step;
    uint64_t index; /* of the entry in its table */
    uint64_t pa;
    uint32_t bytes;
    bool there;                        /* the image contains it */
    uint64_t words[WW_LINE_PTES] = {}; /* of the entry's bytes */
};

struct format_walk {
    uint64_t va;
    std::vector<format_step> steps;
    uint64_t end; /* the walk's word at its end: DONE, or FAULT */
    bool done() const { return ww_walk_act(end) == WW_WALK_DONE; }
};

format_walk walk_of(const format_table &t, uint64_t va);

} // namespace walkway

#endif
