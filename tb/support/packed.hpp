/* SPDX-License-Identifier: MIT */
/* Text as xz packs it. */
#ifndef WALKWAY_TB_SUPPORT_PACKED_HPP
#define WALKWAY_TB_SUPPORT_PACKED_HPP

#include <boost/test/unit_test.hpp>

#include <lzma.h>

#include <cstdint>
#include <string>

namespace walkway_tb
{

inline std::string packed(const std::string &text)
{
    std::string out(lzma_stream_buffer_bound(text.size()), 0);
    size_t length = 0;
    BOOST_REQUIRE_EQUAL(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr,
                                                reinterpret_cast<const uint8_t *>(text.data()), text.size(),
                                                reinterpret_cast<uint8_t *>(out.data()), &length, out.size()),
                        LZMA_OK);
    out.resize(length);
    return out;
}

} // namespace walkway_tb

#endif
