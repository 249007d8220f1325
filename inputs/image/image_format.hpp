/* SPDX-License-Identifier: MIT */
/* image/image_format.hpp - a format of page tables in an image of memory that a foreign writer made, of
 * any kind of table, and the walk of one address through it. That of x86-64 has more to say, and files
 * of its own (image/table_walk.hpp). */
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
    /* Bits that the physical address of a root may have. */
    virtual uint64_t root_bits() const { return WW_WALK_PA; }
    /* The table with its root there. */
    virtual ww_table table(uint64_t root_pa) const = 0;
    /* What an entry of a step says, in a few words: "table 0x5000", "page of 64 KiB", "not present". */
    virtual std::string meaning(uint32_t step, const uint64_t *words) const = 0;
    /* Names of the fields that are set, besides what meaning() says. */
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
    bool there;                        /* the image has it */
    uint64_t words[WW_LINE_PTES] = {}; /* as many as its bytes */
};

struct format_walk {
    uint64_t va;
    std::vector<format_step> steps;
    uint64_t end; /* the word of the walk: DONE, or FAULT */
    bool done() const { return ww_walk_act(end) == WW_WALK_DONE; }
};

format_walk walk_of(const format_table &t, uint64_t va);

} // namespace walkway

#endif
