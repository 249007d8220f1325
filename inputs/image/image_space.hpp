/* SPDX-License-Identifier: MIT */
/* image/image_space.hpp - memory and page table of an image (image/memory_image.hpp), which no machine laid
 * out. The image is never written; walks read its table as bytes, through the memory path. A program's
 * accesses are placed on pages that the table maps: its k-th page is the k-th of these. A recording of the
 * image's machine has addresses of its own, and may have several tables. Addresses have no sign extension: 48
 * or 57 bits. Not modelled: the right of users (U); contents of data. */
#ifndef WALKWAY_IMAGE_IMAGE_SPACE_HPP
#define WALKWAY_IMAGE_IMAGE_SPACE_HPP

#include "image/table_dump.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace walkway
{

class image_space
{
public:
    /* Counts the table's mappings. first_va: programs are placed on the pages from this one on. */
    image_space(std::shared_ptr<const memory_image> memory, const image_table &t, uint64_t first_va);
    /* The tables of a recording, by VM-ID. Required: at least one, all of one kind. */
    image_space(std::shared_ptr<const memory_image> memory, const std::vector<ww_table> &tables);

    image_space(const image_space &) = delete;
    image_space &operator=(const image_space &) = delete;

    const memory_image &memory() const { return *memory_; }
    /* Returns the first address after the image. */
    uint64_t end() const { return memory_->spans().back().end(); }
    const ww_table &table(uint32_t i = 0) const { return folded_[i]; }
    uint32_t tables() const { return static_cast<uint32_t>(folded_.size()); }
    /* True if the program's addresses are those of the tables, unchanged. */
    bool recorded() const { return recorded_; }
    /* Returns the index of the table with its root there; tables() if there is none. */
    uint32_t table_at(uint64_t root_pa) const;
    uint32_t va_bits() const { return folded_[0].kind->va_bits; }
    /* Bit n set: there are pages of 1 << n bytes. That of 4 KiB is always set, since misses are identified by
     * such pages. */
    uint32_t page_sizes() const { return page_sizes_; }
    /* Returns the nodes of one table; a node shared by several tables counts in each. */
    uint64_t nodes(uint32_t i = 0) const { return nodes_[i]; }
    /* Returns the pages of any size that the tables map; a page mapped by several tables counts for each. */
    uint64_t pages() const { return pages_; }
    bool translate(uint64_t va, ww_xlat *out, uint32_t i = 0) const;

    /* Returns the first `bytes` bytes of the mapped pages that the image contains, as ranges of virtual
     * addresses in ascending order; fewer if there are not enough. */
    std::vector<mapped_range> first_pages(uint64_t bytes) const;

private:
    void add(const ww_table &table, table_dump &dump);

    std::shared_ptr<const memory_image> memory_;
    image_table table_; /* the first */
    std::vector<ww_table> folded_;
    uint64_t first_va_;
    bool recorded_ = false;
    mutable table_dump dump_; /* of the first */
    uint32_t page_sizes_ = 1u << WW_PAGE_4K;
    std::vector<uint64_t> nodes_;
    uint64_t pages_ = 0;
};

/* Places the pages of a program in an image. */
class image_placement
{
public:
    /* Places pages in the order of their addresses. buffers: {address, bytes}; they may share pages. Throws
     * std::runtime_error if the image maps too few pages. */
    image_placement(const image_space &space, const std::vector<std::pair<uint64_t, uint64_t>> &buffers);

    /* Returns the placed address of an address in one of the buffers' pages; any other address is
     * unchanged. */
    uint64_t operator()(uint64_t va) const;
    uint64_t pages() const
    {
        return pages_;
    } /* pages of the image, of any size, that hold a part of a buffer */

private:
    struct piece {
        uint64_t from_va, bytes, to_va;
    };
    std::vector<piece> pieces_; /* by from_va */
    uint64_t pages_ = 0;
};

} // namespace walkway

#endif
