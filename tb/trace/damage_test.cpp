/* SPDX-License-Identifier: MIT */
/* Damaged, shortened and malicious files are refused with a reason, without a crash or a large allocation. */
#include "tb/trace/trace_fixture.hpp"
#include "trace/wkt_internal.h"

#include <sys/stat.h>
#include <zstd.h>

using namespace trace_test;

namespace
{

std::string small_trace(int records, uint64_t seed)
{
    temp_file f("small");
    random_source random(seed);
    write_trace(f.path, {random.wave(records), random.wave(records)});
    return slurp(f.path);
}

int check(const std::string &bytes, wkt_report &report)
{
    temp_file f("damaged");
    spit(f.path, bytes);
    return wkt_check(f.path.c_str(), &report);
}

const uint8_t *at(const std::string &s, size_t offset)
{
    return reinterpret_cast<const uint8_t *>(s.data()) + offset;
}

uint8_t *at(std::string &s, size_t offset)
{
    return reinterpret_cast<uint8_t *>(s.data()) + offset;
}

std::string decompressed(const std::string &packed, size_t n)
{
    std::string out(n, 0);
    BOOST_REQUIRE(ZSTD_decompress(out.data(), n, packed.data(), packed.size()) == n);
    return out;
}

std::string compressed(const std::string &raw)
{
    std::string out(ZSTD_compressBound(raw.size()), 0);
    out.resize(ZSTD_compress(out.data(), out.size(), raw.data(), raw.size(), 1));
    return out;
}

/* Takes a trace of one group apart, and makes a file of any contents with right checksums. */
struct parts {
    std::string head, group, index;
    explicit parts(const std::string &file)
    {
        size_t footer = file.size() - WKT_FOOTER_BYTES;
        size_t offset = wkt_get64(at(file, footer)), n = wkt_get64(at(file, footer + 16));
        head = file.substr(0, WKT_HEADER_BYTES);
        index = decompressed(file.substr(offset, footer - offset), n);
        group = decompressed(file.substr(WKT_HEADER_BYTES, offset - WKT_HEADER_BYTES),
                             wkt_get32(at(index, n - WKT_GROUP_ENTRY_BYTES + 4)));
    }
    std::string file() const
    {
        std::string stored = compressed(group), table = index;
        size_t entry = table.size() - WKT_GROUP_ENTRY_BYTES;
        wkt_put32(at(table, entry), uint32_t(stored.size()));
        wkt_put64(at(table, entry + 8), wkt_hash64(stored.data(), stored.size(), 0));
        return seal(stored, table);
    }
    std::string seal(const std::string &stored, const std::string &table) const
    {
        std::string packed = compressed(table), footer(WKT_FOOTER_BYTES, 0);
        wkt_put64(at(footer, 0), head.size() + stored.size());
        wkt_put64(at(footer, 8), packed.size());
        wkt_put64(at(footer, 16), table.size());
        uint64_t seed = wkt_hash64(packed.data(), packed.size(), wkt_hash64(head.data(), 16, 0));
        wkt_put64(at(footer, 24), wkt_hash64(footer.data(), 24, seed));
        footer.replace(32, 8, WKT_END_MAGIC, 8);
        return head + stored + packed + footer;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(every_flipped_byte_is_refused)
{
    const std::string good = small_trace(20, 1);
    wkt_report report;
    BOOST_REQUIRE(check(good, report) == WKT_OK);
    for (size_t i = 0; i < good.size(); i++) {
        for (unsigned flip : {0x01u, 0x02u, 0x04u, 0x08u, 0x10u, 0x20u, 0x40u, 0x80u, 0x55u, 0xffu}) {
            std::string bad = good;
            bad[i] = char(uint8_t(bad[i]) ^ flip);
            BOOST_REQUIRE_MESSAGE(check(bad, report) != WKT_OK, "byte " << i);
            BOOST_REQUIRE(std::string(report.error.text).find("damaged.wkt") != std::string::npos);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_shortened_file_is_refused)
{
    const std::string good = small_trace(20, 2);
    wkt_report report;
    for (size_t n = 0; n < good.size(); n++)
        BOOST_REQUIRE_MESSAGE(check(good.substr(0, n), report) != WKT_OK, "length " << n);
    BOOST_TEST(check(good.substr(0, good.size() - 100), report) == WKT_E_TRUNCATED);
    BOOST_TEST(std::string(report.error.text).find("truncated") != std::string::npos);
    BOOST_TEST(check(good.substr(0, WKT_HEADER_BYTES), report) == WKT_E_TRUNCATED);
    BOOST_TEST(check(good + "x", report) == WKT_E_TRUNCATED);
}

BOOST_AUTO_TEST_CASE(files_that_are_no_traces_say_so)
{
    wkt_report report;
    BOOST_TEST(check("", report) == WKT_E_FORMAT);
    BOOST_TEST(check(std::string(1000, 'x'), report) == WKT_E_FORMAT);
    BOOST_TEST(wkt_check("/nonexistent.wkt", &report) == WKT_E_IO);
    BOOST_TEST(std::string(report.error.text).find("No such file") != std::string::npos);
    BOOST_TEST(wkt_check("/tmp", &report) == WKT_E_IO);
    temp_file fifo("fifo");
    BOOST_REQUIRE(mkfifo(fifo.path.c_str(), 0600) == 0);
    BOOST_TEST(wkt_check(fifo.path.c_str(), &report) == WKT_E_IO); /* does not wait for a writer */
    std::string newer = small_trace(1, 1);
    wkt_put32(at(newer, 8), 99);
    wkt_put64(at(newer, 16), wkt_hash64(newer.data(), 16, 0));
    BOOST_TEST(check(newer, report) == WKT_E_VERSION);
}

BOOST_AUTO_TEST_CASE(taken_apart_and_put_together_is_whole)
{
    wkt_report report;
    BOOST_TEST(check(parts(small_trace(50, 4)).file(), report) == WKT_OK, report.error.text);
}

BOOST_AUTO_TEST_CASE(contradictory_groups_never_crash)
{
    const parts good(small_trace(30, 5));
    random_source random(6);
    wkt_report report;
    int refused = 0;
    for (int i = 0; i < 6000; i++) {
        parts bad = good;
        for (uint64_t n = 1 + random.below(3); n; n--) {
            size_t limit = random.below(2) ? bad.group.size() : 80;
            bad.group[random.below(limit)] = char(random.next());
        }
        refused += check(bad.file(), report) != WKT_OK;
    }
    BOOST_TEST(refused > 2000); /* the rest decode as another legal trace, or are unchanged */
}

BOOST_AUTO_TEST_CASE(contradictory_indexes_never_crash)
{
    const parts good(small_trace(10, 7));
    random_source random(8);
    const std::string stored = compressed(good.group);
    wkt_report report;
    for (int i = 0; i < 6000; i++) {
        std::string table = good.index;
        for (uint64_t n = 1 + random.below(3); n; n--)
            table[random.below(table.size())] = random.below(3) ? char(random.next()) : char(0xff);
        if (random.below(8) == 0)
            table.resize(random.below(table.size()));
        check(good.seal(stored, table), report);
    }
    BOOST_TEST(check(good.seal(stored, ""), report) == WKT_E_FORMAT);
}

BOOST_AUTO_TEST_CASE(stated_sizes_are_not_believed)
{
    const parts good(small_trace(10, 9));
    wkt_report report;
    std::string table = good.index, stored = compressed(good.group);
    size_t entry = table.size() - WKT_GROUP_ENTRY_BYTES;
    wkt_put32(at(table, entry), uint32_t(stored.size()));
    wkt_put64(at(table, entry + 8), wkt_hash64(stored.data(), stored.size(), 0));
    for (uint32_t raw : {0u, 7u, 0x7fffffffu, 0xffffffffu}) {
        std::string bad = table;
        wkt_put32(at(bad, entry + 4), raw);
        BOOST_TEST(check(good.seal(stored, bad), report) == WKT_E_FORMAT);
    }
}
