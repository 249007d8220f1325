/* SPDX-License-Identifier: MIT */
/* cli/accelsim.hpp - traces of the Accel-Sim tracer: import, and the proof that a trace is an import
 * (docs/use/accelsim.md). */
#ifndef WALKWAY_CLI_ACCELSIM_HPP
#define WALKWAY_CLI_ACCELSIM_HPP

#include "import/accelsim.h"
#include "support/options.hpp"

#include <memory>

namespace walkway
{

struct list_freer {
    void operator()(asim_list *l) const
    {
        asim_list_free(l);
        delete l;
    }
};
using accelsim_list = std::unique_ptr<asim_list, list_freer>;

/* An asim_misspelt_fn: true if a valid name is near enough, as everywhere in the program. */
bool accelsim_misspelt(const char *word, const char *const *valid);

/* Throws failure(exit_input). */
accelsim_list read_accelsim_list(const std::string &path);

/* trace import-accelsim LIST -o TRACE.wkt */
int import_accelsim_main(const arguments &args, const std::vector<std::string> &files);

/* trace verify-accelsim LIST TRACE.wkt: reads the list's kernels again, by code that shares only the reading
 * of lines with the import, and compares record by record. Memory: one work-group. */
int verify_accelsim_main(const arguments &args, const std::vector<std::string> &files);

} // namespace walkway

#endif
