/* SPDX-License-Identifier: MIT */
/* tb/support/packed.hpp - packs text in the formats of xz and gzip. */
#ifndef WALKWAY_TB_SUPPORT_PACKED_HPP
#define WALKWAY_TB_SUPPORT_PACKED_HPP

#include <boost/test/unit_test.hpp>

#include <lzma.h>
#include <zlib.h>

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

inline std::string gzipped(const std::string &text)
{
    z_stream z{};
    BOOST_REQUIRE_EQUAL(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string in = text, out(deflateBound(&z, static_cast<uLong>(text.size())), 0);
    z.next_in = reinterpret_cast<Bytef *>(in.data());
    z.avail_in = static_cast<uInt>(in.size());
    z.next_out = reinterpret_cast<Bytef *>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    BOOST_REQUIRE_EQUAL(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

} // namespace walkway_tb

#endif
