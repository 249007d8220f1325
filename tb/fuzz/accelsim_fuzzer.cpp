/* SPDX-License-Identifier: MIT */
/* tb/fuzz/accelsim_fuzzer.cpp - libFuzzer on the Accel-Sim import: imports arbitrary text as a kernel's
 * trace; text before a line "====" is the kernelslist.g. A refused input gives a reason and leaves no file.
 * An accepted one gives a whole trace, in which verify-accelsim, whose code to read the text is its own,
 * finds every address. Time: three files per call, in $TMPDIR (/dev/shm is fast). */
#include "cli/accelsim.hpp"
#include "support/errors.hpp"
#include "support/paths.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>

/* SystemC's library needs it; libFuzzer has the main(). */
extern "C" int sc_main(int, char **)
{
    return 0;
}

namespace
{

[[noreturn]] void defect(const std::string &what)
{
    std::fprintf(stderr, "defect: %s\n", what.c_str());
    std::abort();
}

/* The files of one input, in a folder that is removed with the process. */
class scratch
{
public:
    std::string at(const char *name) const { return folder_.path() + "/" + name; }
    void write(const char *name, const std::string &text) const
    {
        std::ofstream(at(name), std::ios::binary)
            .write(text.data(), static_cast<std::streamsize>(text.size()));
    }

private:
    walkway::temporary_folder folder_;
};

const char *const plain_list = "MemcpyHtoD,0x00007f0000000000,4096\nkernel-1.traceg\n";

int import(const scratch &files, asim_error &error)
{
    asim_list list{};
    int status = asim_list_read(files.at("kernelslist.g").c_str(), walkway::accelsim_misspelt, &list, &error);
    if (status != WKT_OK)
        return status;
    asim_import_cfg cfg{};
    cfg.program = cfg.command = cfg.producer = "fuzz";
    cfg.level = 1;
    cfg.misspelt = walkway::accelsim_misspelt;
    asim_summary summary{};
    status = asim_import(&list, files.at("x.wkt").c_str(), &cfg, &summary, &error);
    asim_list_free(&list);
    return status;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const scratch files;
    std::string kernel(reinterpret_cast<const char *>(data), size), list = plain_list;
    const size_t cut = kernel.find("====\n");
    if (cut != std::string::npos) {
        list = kernel.substr(0, cut);
        kernel.erase(0, cut + 5);
    }
    files.write("kernelslist.g", list);
    files.write("kernel-1.traceg", kernel);
    unlink(files.at("x.wkt").c_str());
    asim_error error{};
    const int status = import(files, error);
    const bool there = access(files.at("x.wkt").c_str(), F_OK) == 0;
    if (status != WKT_OK) {
        if (error.code != status || error.text[0] == 0 || there)
            defect("refused without a reason, or with a file");
        for (const char *c = error.text; *c != 0; ++c)
            if (static_cast<unsigned char>(*c) < 0x20 || *c == 0x7f)
                defect("a control byte in a message");
        return 0;
    }
    wkt_report report{};
    if (wkt_check(files.at("x.wkt").c_str(), &report) != WKT_OK)
        defect(report.error.text);
    if (report.lanes_unmapped != 0)
        defect("an address outside of every buffer");
    std::streambuf *const out = std::cout.rdbuf(nullptr);
    try {
        walkway::verify_accelsim_main({}, {files.at("kernelslist.g"), files.at("x.wkt")});
    } catch (const walkway::failure &e) {
        defect(e.what());
    }
    std::cout.rdbuf(out);
    return 0;
}
