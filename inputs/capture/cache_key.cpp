/* SPDX-License-Identifier: MIT */
/* capture/cache_key.cpp - hashes to 128 bits the program, its arguments and input, the capture's choices,
 * Oclgrind's variables and the kernels' sources. Two chains of XXH64 with different seeds. */
#include "capture/capture.hpp"
#include "capture/environment.hpp"
#include "trace/wkt.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

namespace walkway::capture
{
namespace
{

namespace fs = std::filesystem;

class digest
{
    uint64_t low = 0x77616c6b, high = 0x77617921;

public:
    void bytes(const void *p, size_t n)
    {
        low = wkt_hash64(p, n, low);
        high = wkt_hash64(p, n, high);
    }
    void text(const std::string &s)
    {
        uint64_t n = s.size();
        bytes(&n, sizeof n); /* so that {"ab"} and {"a", "b"} differ */
        bytes(s.data(), s.size());
    }
    bool file(const fs::path &path)
    {
        std::ifstream in(path, std::ios::binary);
        std::vector<char> block(1 << 20);
        uint64_t total = 0;
        while (in) {
            in.read(block.data(), std::streamsize(block.size()));
            total += uint64_t(in.gcount());
            bytes(block.data(), size_t(in.gcount()));
        }
        bytes(&total, sizeof total);
        return in.eof();
    }
    std::string hex() const
    {
        char text[33];
        std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                      static_cast<unsigned long long>(low));
        return text;
    }
};

void add_if_file(digest &d, const std::string &name)
{
    std::error_code ignored;
    if (!name.empty() && fs::is_regular_file(name, ignored))
        d.file(name);
}

bool is_source(const fs::path &p)
{
    const std::string e = p.extension().string();
    return e == ".cl" || e == ".clh" || e == ".h" || e == ".hpp";
}

/* Adds the source files in a folder and in its folders ("kernels", "include"), no deeper. */
void add_sources(digest &d, const fs::path &folder)
{
    std::error_code bad;
    std::vector<fs::path> sources;
    for (fs::recursive_directory_iterator i(folder, fs::directory_options::skip_permission_denied, bad), end;
         !bad && i != end; i.increment(bad)) {
        std::error_code ignored;
        if (i.depth() == 1)
            i.disable_recursion_pending();
        if (is_source(i->path()) && i->is_regular_file(ignored))
            sources.push_back(i->path());
    }
    std::sort(sources.begin(), sources.end());
    for (const fs::path &p : sources) {
        d.text(p.lexically_relative(folder).string());
        d.file(p);
    }
}

} // namespace

std::string cache_key(const std::vector<std::string> &argv, const capture_choices &choices,
                      std::string &error)
{
    digest d;
    std::string program = argv.empty() ? "" : find_program(argv[0]);
    if (program.empty()) {
        error = argv.empty() ? "no program given" : "cannot find program '" + argv[0] + "'";
        return {};
    }
    d.text(capture_producer);
    d.text(choices.interpret ? "interpreted" : "");
    d.text(std::to_string(choices.device_type) + " " + std::to_string(choices.compute_units));
    if (!d.file(program)) {
        error = "cannot read " + program;
        return {};
    }
    for (size_t i = 1; i < argv.size(); i++) {
        d.text(argv[i]);
        add_if_file(d, argv[i]);
        size_t equals = argv[i].find('=');
        if (equals != std::string::npos)
            add_if_file(d, argv[i].substr(equals + 1));
    }
    struct stat input;
    if (fstat(STDIN_FILENO, &input) == 0 && S_ISREG(input.st_mode))
        d.file("/proc/self/fd/0"); /* opens the file again: the program's input stays unread */
    std::vector<std::string> settings;
    for (char **e = environ; *e; e++) {
        if (std::strncmp(*e, "OCLGRIND_", 9) == 0 && std::strncmp(*e, "OCLGRIND_NUM_THREADS", 20) != 0)
            settings.push_back(*e);
    }
    std::sort(settings.begin(), settings.end());
    for (const std::string &s : settings)
        d.text(s);
    add_sources(d, fs::path(program).parent_path());
    add_sources(d, ".");
    return d.hex();
}

} // namespace walkway::capture
