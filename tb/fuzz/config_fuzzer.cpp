/* SPDX-License-Identifier: MIT */
/* tb/fuzz/config_fuzzer.cpp - libFuzzer on the configuration reader: a machine file of arbitrary bytes and,
 * after a line "====", one --set per line, through the same calls as `walkway run`. Either it is refused with
 * a reason, or it resolves to a configuration whose printed form resolves to the same. */
#include "report/listing.hpp"
#include "run/machine.hpp"
#include "run/simulate.hpp"
#include "support/errors.hpp"
#include "tb/fuzz/memory_file.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>

/* SystemC's library needs it; libFuzzer has the main(). */
extern "C" int sc_main(int, char **)
{
    return 0;
}

namespace
{

using walkway_fuzz::memory_file;

[[noreturn]] void defect(const std::string &what)
{
    std::fprintf(stderr, "defect: %s\n", what.c_str());
    std::abort();
}

std::string resolved(walkway::platform_spec &spec)
{
    return walkway::configuration_json(*spec.config).dump();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static memory_file file, printed;
    const std::string all(reinterpret_cast<const char *>(data), size);
    const size_t cut = all.find("\n====\n");
    std::vector<std::string> settings;
    if (cut != std::string::npos) {
        std::istringstream lines(all.substr(cut + 6));
        for (std::string line; std::getline(lines, line) && settings.size() < 8;)
            settings.push_back(line);
    }
    file.write(data, cut == std::string::npos ? size : cut);
    try {
        walkway::platform_spec spec = walkway::resolve_platform(file.path(), {settings, {}, {}});
        std::ostringstream text;
        walkway::print_cfg(text, spec);
        printed.write(text.str().data(), text.str().size());
        walkway::platform_spec again = walkway::resolve_platform(printed.path(), {});
        if (resolved(again) != resolved(spec))
            defect("what a configuration prints resolves to another");
    } catch (const walkway::failure &e) {
        if (e.code() != walkway::exit_usage || *e.what() == 0)
            defect(std::string("refused with the wrong code: ") + e.what());
    }
    return 0;
}
