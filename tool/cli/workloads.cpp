/* SPDX-License-Identifier: MIT */
/* cli/workloads.cpp - walkway workloads run: checks the results of the OpenCL programs. Each runs under
 * Oclgrind in a process of its own and returns its verdict through a file. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"

#include "cli/subprocess.hpp"
#include "cli/workload.hpp"
#include "report/table.hpp"
#include "run/jobs.hpp"
#include "support/errors.hpp"
#include "support/interrupt.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <fstream>
#include <iostream>
#include <sstream>

namespace walkway
{

namespace
{

constexpr uint64_t demo_limit_seconds = 120; /* per program; other sizes have no limit */

struct verdict {
    std::string result; /* "right (exact)" */
    std::string story;  /* the program's output; empty unless it failed */
    double seconds = 0.0;
    bool failed = true;
};

std::vector<std::string> names_of(const std::vector<workload> &all)
{
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const workload &w : all)
        names.push_back(w.name);
    return names;
}

/* Returns those that match a name or glob, in the order of `all`. */
std::vector<workload> chosen(const std::vector<workload> &all, const std::vector<std::string> &patterns)
{
    std::vector<char> take(all.size());
    for (const std::string &pattern : patterns) {
        bool any = false;
        for (size_t i = 0; i < all.size(); ++i)
            if (fnmatch(pattern.c_str(), all[i].name.c_str(), 0) == 0) {
                take[i] = 1;
                any = true;
            }
        if (!any)
            throw failure(exit_usage, "workloads run: no workload is called '" + as_written(pattern) + "'" +
                                          did_you_mean(pattern, names_of(all)));
    }
    std::vector<workload> some;
    for (size_t i = 0; i < all.size(); ++i)
        if (take[i] != 0)
            some.push_back(all[i]);
    return some;
}

/* Returns " (exact)" for the output "atax: N=64 ... PASS (exact)"; empty without a verdict. */
std::string how_exact(const std::string &said)
{
    const size_t at = said.rfind("PASS (");
    const size_t end = said.find(')', at);
    return at == std::string::npos || end == std::string::npos ? "" : " " + said.substr(at + 5, end - at - 4);
}

verdict judged(const subprocess_end &end)
{
    verdict v;
    v.seconds = end.seconds;
    v.failed = !end.succeeded();
    v.story = v.failed ? end.out + end.err : "";
    if (end.how == subprocess_end::not_started)
        v.result = "oclgrind cannot be started: is it installed?";
    else if (end.how == subprocess_end::stopped)
        v.result = "interrupted";
    else if (end.how != subprocess_end::exited)
        v.result = (end.how == subprocess_end::hung ? "hung: " : "crashed: ") + text_of_end(end);
    else if (end.code == 0)
        v.result = "right" + how_exact(end.out);
    else if (end.code == 1)
        v.result = "wrong result";
    else if (end.code == 2)
        v.result = "bad arguments";
    else if (end.code == 3)
        v.result = "failed OpenCL call";
    else
        v.result = "crashed: " + text_of_end(end);
    return v;
}

verdict run_one(const workload &w, const std::string &preset, double limit_seconds)
{
    subprocess program;
    program.command = {"oclgrind", w.path, "--preset", preset};
    /* Oclgrind's default limits are too small for the papers' sizes (capture/launcher.cpp sets the same). One
     * thread each, since programs run in parallel. */
    program.environment = {{"OCLGRIND_GLOBAL_MEM_SIZE", "4294963200"},
                           {"OCLGRIND_LOCAL_MEM_SIZE", "65536"},
                           {"OCLGRIND_NUM_THREADS", "1"}};
    program.limit_seconds = limit_seconds;
    return judged(run_subprocess(program));
}

void keep(const verdict &v, const std::string &path)
{
    write_file(
        path,
        nlohmann::json{{"result", v.result}, {"story", v.story}, {"seconds", v.seconds}, {"failed", v.failed}}
            .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

verdict kept(const std::string &path, const job_result &end)
{
    std::ifstream in(path);
    if (!in) /* the process ended without a verdict, and has said why if it could */
        return {end.code == exit_interrupted ? "not run: interrupted"
                : end.fault.empty() ? "lost: its process ended with exit code " + std::to_string(end.code)
                                    : "lost: " + end.fault,
                "", 0.0, true};
    const nlohmann::json j = nlohmann::json::parse(in);
    return {j.at("result").get<std::string>(), j.at("story").get<std::string>(),
            j.at("seconds").get<double>(), j.at("failed").get<bool>()};
}

/* Prints the program's last lines, indented. */
void print_story(std::ostream &out, const std::string &name, const verdict &v)
{
    constexpr size_t lines_shown = 10;
    out << "walkway: " << name << ": " << v.result << '\n';
    std::vector<std::string> lines;
    std::istringstream in(v.story);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    for (size_t i = lines.size() - std::min(lines.size(), lines_shown); i < lines.size(); ++i)
        out << "    " << as_written(lines[i]) << '\n';
}

struct run_request {
    std::string preset;
    unsigned parallel;
    double limit_seconds;
    bool quiet;
    output_form form;
};

exit_code run_all(const std::vector<workload> &all, const run_request &request)
{
    const temporary_folder scratch;
    std::vector<job> jobs;
    std::vector<const workload *> runs;
    for (const workload &w : all) {
        if (w.find_preset(request.preset) == nullptr)
            continue;
        const std::string path = scratch.path() + "/" + w.name;
        runs.push_back(&w);
        jobs.push_back({w.name, [&w, &request, path](const progress_fn &) {
                            keep(run_one(w, request.preset, request.limit_seconds), path);
                            return exit_ok;
                        }});
    }
    if (jobs.empty())
        throw failure(exit_usage, "--scale " + as_written(request.preset) +
                                      ": none of these programs has it" +
                                      did_you_mean(request.preset, preset_names(all)));
    const std::vector<job_result> ends = run_jobs(jobs, request.parallel, request.quiet);
    table t({"workload", "seconds", "preset", "result"});
    t.align_last_left();
    std::vector<std::string> stories;
    size_t failed = 0;
    for (size_t i = 0; i < runs.size(); ++i) {
        const verdict v = kept(scratch.path() + "/" + runs[i]->name, ends[i]);
        t.row({runs[i]->name, text_of_real(v.seconds, 2), request.preset, v.result});
        if (!v.failed)
            continue;
        ++failed;
        std::ostringstream story;
        print_story(story, runs[i]->name, v);
        stories.push_back(story.str());
    }
    for (const workload &w : all)
        if (!w.fault.empty()) {
            ++failed;
            t.row({w.name, "", "", w.fault});
            stories.push_back("walkway: " + w.name + ": " + w.fault + '\n');
        } else if (w.find_preset(request.preset) == nullptr) {
            t.row({w.name, "", "", "has no preset of that name"});
        }
    t.number_columns(1);
    write_forms(request.form, t);
    if (!request.form.wanted())
        t.print(std::cout);
    if (request.form.text())
        std::cout << (request.form.wanted() ? "" : "\n") << runs.size() << " programs, " << failed
                  << " failed\n";
    std::cout.flush();
    for (const std::string &story : stories)
        std::cerr << story;
    if (interrupted())
        return exit_interrupted;
    return failed == 0 ? exit_ok : exit_input;
}

} // namespace

static int workloads_main(const arguments &args)
{
    if (args.positional.empty() || args.positional[0] != "run" || args.has_program)
        throw failure(
            exit_usage,
            "workloads: wants 'run --all' or 'run NAME...'; 'walkway list workloads' has the names");
    const std::vector<std::string> patterns(args.positional.begin() + 1, args.positional.end());
    if (args.has("all") != patterns.empty())
        throw failure(exit_usage, "workloads run: wants either --all or names");
    run_request request;
    request.preset = args.value("scale", "demo");
    request.parallel = static_cast<unsigned>(args.number("jobs", default_parallel(), 1, 256));
    request.limit_seconds = static_cast<double>(
        args.number("timeout", request.preset == "demo" ? demo_limit_seconds : 0, 0, 1000000));
    request.quiet = args.has("quiet");
    request.form = form_of(args);
    const std::vector<workload> all = find_workloads(false);
    return run_all(args.has("all") ? all : chosen(all, patterns), request);
}

const command_def workloads_command = {
    "workloads",
    "workloads run --all [options]\n"
    "workloads run NAME... [options]",
    "Do the OpenCL programs compute what they should? Each runs under Oclgrind and compares its result with "
    "the host's.",
    "A NAME may be a pattern such as 'nn' or 'p*'. A program that lacks the preset is not run. Fails (exit "
    "code 2) when a\n"
    "program's result is wrong, or it crashes or hangs, and names it.",
    {
        {"all", 0, nullptr, "every program of 'walkway list workloads'"},
        {"scale", 0, "PRESET", "the sizes: demo (the default), default, or a paper's, such as micro18"},
        {"jobs", 'j', "N", "programs at a time (default: the processors there are)"},
        {"timeout", 0, "SECONDS", "for one program; 0 for none (default 120 for demo, else none)"},
        csv_option,
        json_option,
        quiet_option,
    },
    "walkway workloads run --all --scale demo",
    workloads_main,
};

} // namespace walkway
