/* SPDX-License-Identifier: MIT */
/* Tests reading a file, plain, .xz or .gz: all its bytes in pieces of any size, from files and pipes; the
 * number of stored bytes taken; and every reason to refuse. */
#include "unpack/unpack.h"

#include "tb/support/packed.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace data = boost::unit_test::data;
using walkway_tb::gzipped;
using walkway_tb::packed;

namespace
{

/* A file in the working folder, removed at the end. */
struct file_here {
    const std::string path = "packed";
    ~file_here() { std::remove(path.c_str()); }
    void write(const std::string &bytes) const { std::ofstream(path, std::ios::binary) << bytes; }
};

/* More than the reader buffers at a time. */
std::string long_text()
{
    std::string text;
    for (unsigned i = 0; i < 40000; ++i)
        text += std::to_string(i * 2654435761u) + "\n";
    return text;
}

struct outcome {
    std::string bytes;
    int code = 0;
    std::string reason;
    uint64_t taken = 0;
    bool regular = false;
};

outcome read_all(const std::string &path, size_t at_a_time, ww_unpack_files files = WW_UNPACK_REGULAR)
{
    outcome o;
    ww_unpack_error error{};
    ww_unpack *u = nullptr;
    o.code = ww_unpack_open(&u, path.c_str(), files, &error);
    BOOST_TEST((u == nullptr) == (o.code != 0));
    std::string room(at_a_time, 0);
    while (o.code == 0) {
        const ptrdiff_t got = ww_unpack_read(u, room.data(), room.size(), &error);
        if (got == 0)
            break;
        if (got < 0)
            o.code = static_cast<int>(got);
        else
            o.bytes.append(room, 0, static_cast<size_t>(got));
    }
    if (u != nullptr) {
        o.taken = ww_unpack_taken(u);
        o.regular = ww_unpack_is_regular(u);
    }
    o.reason = o.code == 0 ? "" : error.text;
    if (o.code != 0)
        BOOST_TEST(error.code == o.code);
    ww_unpack_close(u);
    return o;
}

} // namespace

BOOST_DATA_TEST_CASE(every_byte_comes_once, data::make({size_t{1}, size_t{4096}, size_t{1} << 20}), at_a_time)
{
    const file_here here;
    const std::string text = long_text();
    const std::string half = text.substr(0, text.size() / 2), rest = text.substr(text.size() / 2);
    for (const std::string &file : {text, packed(text), packed(half) + packed(rest), gzipped(text),
                                    gzipped(half) + gzipped("") + gzipped(rest), std::string("\n"),
                                    std::string("BZ"), std::string(), packed(""), gzipped("")}) {
        here.write(file);
        const bool plain = file == text || file.size() < 3;
        const outcome o = read_all(here.path, at_a_time);
        BOOST_TEST(o.reason == "");
        BOOST_TEST((o.bytes == (plain ? file : file == packed("") || file == gzipped("") ? "" : text)));
        BOOST_TEST(o.taken == file.size());
        BOOST_TEST(o.regular);
    }
}

BOOST_AUTO_TEST_CASE(a_pipe_may_give_its_bytes_one_by_one)
{
    const file_here here;
    const std::string &path = here.path, text = "some lines\nof text\n";
    for (const std::string &file : {text, packed(text), gzipped(text), gzipped(text) + gzipped("")}) {
        ::unlink(path.c_str());
        BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
        std::thread writer([&] {
            const int fd = ::open(path.c_str(), O_WRONLY);
            for (const char c : file)
                if (::write(fd, &c, 1) != 1)
                    break;
            ::close(fd);
        });
        const outcome o = read_all(path, 7, WW_UNPACK_ANY);
        writer.join();
        BOOST_TEST(o.bytes == text);
        BOOST_TEST(!o.regular);
        BOOST_TEST(read_all(path, 7).reason == "not a regular file");
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_has_a_reason)
{
    const file_here here;
    const std::string whole = packed(long_text());
    std::string damaged = whole;
    damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
    const std::string zipped = gzipped(long_text());
    std::string wrong = zipped;
    wrong[zipped.size() - 6] = static_cast<char>(wrong[zipped.size() - 6] ^ 1); /* in its checksum */
    const struct {
        std::string file, reason;
    } rows[] = {
        {whole.substr(0, whole.size() - 1), "cannot unpack: it is cut off"},
        {whole.substr(0, 5), "cannot unpack: it is cut off"},
        {damaged, "cannot unpack: it is damaged, or something follows it"},
        {whole + "more than a header", "cannot unpack: it is damaged, or something follows it"},
        {whole.substr(0, 5) + "?and more than a header", "cannot unpack: it is no .xz file"},
        {zipped.substr(0, zipped.size() - 1), "cannot unpack: it is cut off"},
        {zipped.substr(0, 5), "cannot unpack: it is cut off"},
        {zipped + zipped.substr(0, 1), "cannot unpack: it is cut off"},
        {wrong, "cannot unpack: it is damaged, or something follows it"},
        {zipped + "more than a header", "cannot unpack: it is damaged, or something follows it"},
        {"\x1f\x8b\x07 and so on", "cannot unpack: it is damaged, or something follows it"},
        {"BZh91AY", "is compressed by bzip2; plain text, .xz or .gz is read"},
        {"\x28\xb5\x2f\xfd.", "is compressed by zstd; plain text, .xz or .gz is read"},
        {"PK\x03\x04.", "is compressed by zip; plain text, .xz or .gz is read"},
    };
    for (const auto &row : rows) {
        here.write(row.file);
        const outcome o = read_all(here.path, 1000);
        BOOST_TEST(o.reason == row.reason);
        BOOST_TEST(o.code == WW_UNPACK_FORMAT);
    }
    BOOST_TEST(read_all("no/such/file", 1).reason == "cannot open: No such file or directory");
    BOOST_TEST(read_all("no/such/file", 1).code == WW_UNPACK_IO);
    BOOST_TEST(read_all("/", 1).reason == "not a regular file");
    BOOST_TEST(read_all("/", 1, WW_UNPACK_ANY).reason == "cannot read: Is a directory");
}
