/* SPDX-License-Identifier: MIT */
/* model/common/pages_of_buffers.hpp - buffers of a trace whose pages have another size than the rest, by
 * number, "0:64k+2-5:2m": a buffer or a first and a last one, and a size. */
#ifndef WALKWAY_MODEL_COMMON_PAGES_OF_BUFFERS_HPP
#define WALKWAY_MODEL_COMMON_PAGES_OF_BUFFERS_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace walkway
{

/* Returns the names of page sizes; mixed: 2m where a buffer fills one, else 4k. */
const std::vector<const char *> &page_names();
/* Returns the page sizes of the name with this index; bit n set: pages of 1 << n bytes may occur. */
uint32_t sizes_of_page(uint8_t page);

class pages_of_buffers
{
public:
    /* Reads `none`, or parts as above. Returns what is wrong with the text; empty if it was accepted. */
    std::string read(const std::string &text);
    /* Returns the text with the fewest parts, in ascending order. */
    std::string text() const;
    bool none() const { return page_.empty(); }
    /* Returns the index in page_names() of the size of this buffer's pages; `other`, such an index too, if
     * the buffer is not named. */
    uint8_t of(size_t buffer, uint8_t other) const;
    /* Returns the largest buffer number that is named. Required: not none(). */
    uint32_t last() const { return page_.rbegin()->first; }
    /* True if each of the program's `buffers` is named. */
    bool names(size_t buffers) const { return page_.size() == buffers; }
    /* Returns the sizes of all named buffers; bit n set as above. */
    uint32_t sizes() const;

private:
    std::map<uint32_t, uint8_t> page_; /* by buffer */
};

} // namespace walkway

#endif
