/* SPDX-License-Identifier: MIT */
/* model/params/pages_of_buffers.cpp - see model/common/pages_of_buffers.hpp. */
#include "model/common/pages_of_buffers.hpp"

#include "kernels/addr.h"

#include <algorithm>
#include <sstream>

namespace walkway
{

namespace
{

constexpr uint32_t most_buffers = 1u << 16;

/* Returns a buffer's number; most_buffers if the word is none. */
uint32_t number_of(const std::string &word)
{
    const bool is_one = !word.empty() && word.size() <= 5 &&
                        word.find_first_not_of("0123456789") == std::string::npos &&
                        std::stoul(word) < most_buffers;
    return is_one ? static_cast<uint32_t>(std::stoul(word)) : most_buffers;
}

/* Returns the index of a name; the number of names if it is none. */
size_t page_of(const std::string &name)
{
    size_t n = 0;
    while (n < page_names().size() && name != page_names()[n])
        ++n;
    return n;
}

} // namespace

const std::vector<const char *> &page_names()
{
    static const std::vector<const char *> names = {"4k", "64k", "2m", "mixed"};
    return names;
}

uint32_t sizes_of_page(uint8_t page)
{
    static const uint32_t sizes[] = {1u << WW_PAGE_4K, 1u << WW_PAGE_64K, 1u << WW_PAGE_2M,
                                     1u << WW_PAGE_4K | 1u << WW_PAGE_2M};
    return sizes[page];
}

std::string pages_of_buffers::read(const std::string &text)
{
    std::map<uint32_t, uint8_t> pages;
    std::istringstream parts(text == "none" ? "" : text + "+");
    for (std::string part; std::getline(parts, part, '+');) {
        const size_t colon = part.find(':'), dash = part.find('-');
        if (colon == std::string::npos)
            return "is neither 'none' nor parts 'BUFFER:SIZE' with '+' between them";
        const uint32_t first = number_of(part.substr(0, std::min(dash, colon)));
        const uint32_t last = dash < colon ? number_of(part.substr(dash + 1, colon - dash - 1)) : first;
        const size_t page = page_of(part.substr(colon + 1));
        if (first == most_buffers || last == most_buffers || last < first)
            return "has a part that names neither a buffer, such as 0, nor a first and a last one, such as "
                   "2-5";
        if (page == page_names().size())
            return "has a part whose size is none";
        for (uint32_t buffer = first; buffer <= last; ++buffer)
            if (!pages.emplace(buffer, static_cast<uint8_t>(page)).second)
                return "names buffer " + std::to_string(buffer) + " twice";
    }
    page_ = std::move(pages);
    return "";
}

std::string pages_of_buffers::text() const
{
    std::string text;
    for (auto at = page_.begin(); at != page_.end();) {
        auto end = at;
        uint32_t last = at->first;
        for (++end; end != page_.end() && end->first == last + 1 && end->second == at->second; ++end)
            last = end->first;
        text += (text.empty() ? "" : "+") + std::to_string(at->first) +
                (last == at->first ? "" : "-" + std::to_string(last)) + ":" + page_names()[at->second];
        at = end;
    }
    return text.empty() ? "none" : text;
}

uint8_t pages_of_buffers::of(size_t buffer, uint8_t other) const
{
    const auto at = buffer < most_buffers ? page_.find(static_cast<uint32_t>(buffer)) : page_.end();
    return at == page_.end() ? other : at->second;
}

uint32_t pages_of_buffers::sizes() const
{
    uint32_t sizes = 0;
    for (const auto &[buffer, page] : page_)
        sizes |= sizes_of_page(page);
    return sizes;
}

} // namespace walkway
