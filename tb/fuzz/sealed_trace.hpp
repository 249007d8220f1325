/* SPDX-License-Identifier: MIT */
/* tb/fuzz/sealed_trace.hpp - splits a trace into header, work-groups and index, decompressed, and puts them
 * together again with right checksums, sizes and offsets, whatever the parts contain. Shared by the fuzzer
 * and the tests of absurd contents under valid checksums (docs/develop/trace-format.md, section 1). */
#ifndef WW_TB_FUZZ_SEALED_TRACE_HPP
#define WW_TB_FUZZ_SEALED_TRACE_HPP

#include "trace/wkt_internal.h"

#include <algorithm>
#include <string>
#include <vector>
#include <zstd.h>

namespace walkway_fuzz
{

class sealed_trace
{
public:
    std::string head;                /* its first 16 bytes; the hash is computed again */
    std::vector<std::string> groups; /* decompressed */
    std::string index;               /* decompressed; the groups' entries at its end are computed again */
    bool state_totals = true;        /* computes raw sizes too, not only stored bytes and hashes */

    /* Returns false if the bytes do not have the outline of a trace. */
    bool take_apart(const uint8_t *data, size_t size)
    {
        if (size < WKT_HEADER_BYTES + WKT_FOOTER_BYTES)
            return false;
        const uint8_t *footer = data + size - WKT_FOOTER_BYTES;
        const uint64_t offset = wkt_get64(footer), stored = wkt_get64(footer + 8);
        if (offset < WKT_HEADER_BYTES || offset > size - WKT_FOOTER_BYTES ||
            stored != size - WKT_FOOTER_BYTES - offset || !unpack(data + offset, stored, index))
            return false;
        head.assign(reinterpret_cast<const char *>(data), 16);
        /* frames state their own sizes, so the index is not needed */
        for (uint64_t at = WKT_HEADER_BYTES; at < offset;) {
            const size_t n = ZSTD_findFrameCompressedSize(data + at, offset - at);
            groups.emplace_back();
            if (ZSTD_isError(n) != 0 || !unpack(data + at, n, groups.back()))
                return false;
            at += n;
        }
        return true;
    }

    std::string put_together() const
    {
        std::string file = head, table = index;
        file.resize(WKT_HEADER_BYTES);
        wkt_put64(bytes(file) + 16, wkt_hash64(file.data(), 16, 0));
        size_t entry = table.size() - std::min(table.size(), groups.size() * WKT_GROUP_ENTRY_BYTES);
        for (const std::string &g : groups) {
            const std::string packed = pack(g);
            file += packed;
            if (entry + WKT_GROUP_ENTRY_BYTES > table.size())
                continue;
            uint8_t *e = bytes(table) + entry;
            wkt_put32(e, static_cast<uint32_t>(packed.size()));
            if (state_totals)
                wkt_put32(e + 4, static_cast<uint32_t>(g.size()));
            wkt_put64(e + 8, wkt_hash64(packed.data(), packed.size(), 0));
            entry += WKT_GROUP_ENTRY_BYTES;
        }
        if (state_totals)
            put_raw_bytes(table);
        const std::string packed = pack(table);
        std::string footer(WKT_FOOTER_BYTES, 0);
        wkt_put64(bytes(footer), file.size());
        wkt_put64(bytes(footer) + 8, packed.size());
        wkt_put64(bytes(footer) + 16, table.size());
        const uint64_t seed = wkt_hash64(packed.data(), packed.size(), wkt_hash64(file.data(), 16, 0));
        wkt_put64(bytes(footer) + 24, wkt_hash64(footer.data(), 24, seed));
        footer.replace(32, 8, WKT_END_MAGIC, 8);
        return file + packed + footer;
    }

    /* Where the index's fields of fixed size begin: after the three strings. The index's size if it is too
     * short. */
    static size_t fields_at(const std::string &table)
    {
        size_t at = 0;
        for (int i = 0; i < 3; ++i) {
            if (at + 4 > table.size())
                return table.size();
            at += 4 + size_t{wkt_get32(bytes(table) + at)};
        }
        return std::min(at, table.size());
    }

    static uint8_t *bytes(std::string &s) { return reinterpret_cast<uint8_t *>(s.data()); }
    static const uint8_t *bytes(const std::string &s) { return reinterpret_cast<const uint8_t *>(s.data()); }

private:
    static constexpr size_t most = size_t{4} << 20; /* of one part; more only slows the fuzzer down */

    static bool unpack(const uint8_t *data, size_t size, std::string &raw)
    {
        const unsigned long long n = ZSTD_getFrameContentSize(data, size);
        if (n > most) /* true for its two error codes as well */
            return false;
        raw.resize(n);
        return ZSTD_decompress(raw.data(), n, data, size) == n;
    }
    static std::string pack(const std::string &raw)
    {
        std::string packed(ZSTD_compressBound(raw.size()), 0);
        packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 1));
        return packed;
    }
    void put_raw_bytes(std::string &table) const
    {
        const size_t at = fields_at(table) + 12;
        if (at + 8 > table.size())
            return;
        uint64_t sum = 0;
        for (const std::string &g : groups)
            sum += g.size();
        wkt_put64(bytes(table) + at, sum);
    }
};

} // namespace walkway_fuzz

#endif
