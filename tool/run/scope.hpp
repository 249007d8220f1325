/* SPDX-License-Identifier: MIT */
/* run/scope.hpp - which parts of a trace run and count: a part of it, what is skipped, warmed up and measured
 * (docs/use/windows.md). */
#ifndef WALKWAY_RUN_SCOPE_HPP
#define WALKWAY_RUN_SCOPE_HPP

#include "platforms/platform.hpp"
#include "run/part.hpp"
#include "run/sample.hpp"

#include <map>
#include <string>

namespace walkway
{

/* The options' texts; empty: not given. */
struct scope_texts {
    std::string kernels = {}, groups = {}, skip = {}, warm_up = {}, measure = {};
    bool empty() const
    {
        return kernels.empty() && groups.empty() && skip.empty() && warm_up.empty() && measure.empty();
    }
};
/* Returns "--kernels 480-511 --warm-up 50000translations". */
std::string text_of_scope(const scope_texts &texts);

struct run_scope {
    trace_part part;
    trace_skip skip;
    run_window window;
    std::string skip_text, warm_up_text, measure_text; /* as given; empty: not given */
    sample_options sample;
    bool by_kernel = false;                         /* also keeps statistics of each kernel */
    bool by_buffer = false, by_instruction = false; /* also keeps the costs of translation by place */
    bool windowed() const { return !(skip_text.empty() && warm_up_text.empty() && measure_text.empty()); }
};

/* The parts of a program by which a run can count, by the names that options and studies give them. */
extern const std::map<std::string, bool run_scope::*> program_parts;

std::vector<option_def> window_option_defs(); /* --warm-up, --measure */
std::vector<option_def> scope_option_defs();  /* those, --kernels, --groups and --skip */
/* Parses a COUNT; `option` is for messages. All throw failure(exit_usage). */
window_bound bound_of(const std::string &option, const std::string &text);
run_scope make_scope(const scope_texts &texts);
run_scope scope_of(const arguments &args);
/* As scope_of(), of runs that are no study's, which checks nothing: refuses --sample=check=no. */
run_scope scope_of_runs(const arguments &args);

/* Returns the member "window" of a result. */
json window_json(const run_scope &scope, const skipped &left_out, const window_report &report);

} // namespace walkway

#endif
