/* SPDX-License-Identifier: MIT */
/* model/common/fail.cpp - a fatal report. */
#include "model/common/fail.hpp"

#include <systemc>

#include <cstdlib>

namespace walkway
{

void fail(const char *id, const char *text, const char *file, int line)
{
    sc_core::sc_report_handler::report(sc_core::SC_FATAL, id, text, file, line);
    std::abort(); /* not reached: a fatal report throws or aborts */
}

void fail(const char *id, const std::string &text, const char *file, int line)
{
    fail(id, text.c_str(), file, line);
}

} // namespace walkway
