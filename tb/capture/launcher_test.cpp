/* SPDX-License-Identifier: MIT */
/* tb/capture/launcher_test.cpp - how a capture ends: good, failing and crashing programs, missing parts,
 * interrupts; and the cache's key. */
#include "tb/capture/capture_fixture.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace capture_test;

namespace
{

std::string failure(const std::vector<std::string> &argv, const cap::capture_options &options = {},
                    const std::string &plugin = PLUGIN)
{
    out_file out("failure");
    std::string error;
    BOOST_TEST(cap::run_capture(plugin, argv, out.path, options, error) == cap::capture_failed);
    BOOST_TEST(access(out.path.c_str(), F_OK) != 0);
    return error;
}

bool says(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

wkt_info info_of(const out_file &trace)
{
    wkt_reader *r = nullptr;
    wkt_error e;
    BOOST_REQUIRE_MESSAGE(wkt_open(trace.path.c_str(), &r, &e) == WKT_OK, e.text);
    const wkt_info info = *wkt_reader_info(r);
    wkt_close(r); /* its texts are gone */
    return info;
}

} // namespace

BOOST_AUTO_TEST_CASE(failures_are_told_apart)
{
    BOOST_TEST(says(failure({PROBE, "fork-kernel"}), "forked runs a kernel in its parent's context"));
    BOOST_TEST(says(failure({PROBE, "processes"}), "2 processes"));
    BOOST_TEST(says(failure({PROBE, "exec"}), "did not come to its end"));
    BOOST_TEST(says(failure({PROBE, "no-kernel"}), "ran no OpenCL kernel"));
    BOOST_TEST(says(failure({PROBE, "no-opencl"}), "never used OpenCL"));
    BOOST_TEST(says(failure({"./no-such-program"}), "cannot find program"));
    BOOST_TEST(says(failure({}), "no program given"));
    BOOST_TEST(says(failure({PROBE}, {}, "/no/plugin.so"), "cannot find the capture plugin"));
    cap::capture_options options;
    options.oclgrind = "no-such-oclgrind";
    BOOST_TEST(says(failure({PROBE}, options), "install oclgrind"));
}

BOOST_AUTO_TEST_CASE(a_program_that_ends_badly_leaves_what_it_ran)
{
    struct bad_end {
        const char *probe, *reason;
        bool partial;
    };
    for (const bad_end &b : {bad_end{"exit-3", "exit code 3", false}, bad_end{"crash", "signal 6", true},
                             bad_end{"segfault", "signal 11", true},
                             bad_end{"exit-within", "ended while kernel 'endless' was running", true}}) {
        out_file out(b.probe);
        std::string error;
        BOOST_TEST(cap::run_capture(PLUGIN, {PROBE, b.probe}, out.path, {}, error) ==
                   cap::capture_ended_badly);
        BOOST_TEST(says(error, b.reason), error);
        const wkt_info info = info_of(out);
        BOOST_TEST(info.partial == b.partial);
        BOOST_TEST(info.totals.groups == 2u);
    }
}

BOOST_AUTO_TEST_CASE(where_oclgrind_gives_up_the_trace_keeps_what_it_ran)
{
    out_file out("fatal");
    std::string error;
    BOOST_TEST(cap::run_capture(PLUGIN, {PROBE, "fatal"}, out.path, {}, error) == cap::capture_ended_badly);
    BOOST_TEST(says(error, "Oclgrind gave up in work-group 3 of kernel 'fatal'"), error);
    wkt_report report;
    BOOST_REQUIRE_MESSAGE(wkt_check(out.path.c_str(), &report) == WKT_OK, report.error.text);
    const wkt_info info = info_of(out);
    BOOST_TEST(info.partial);
    BOOST_TEST(info.launches == 2u, "what the program runs after that is not recorded");
    BOOST_TEST(info.totals.groups == 2u + 3);
    BOOST_TEST(info.whole_groups == 2u + 5);
}

BOOST_AUTO_TEST_CASE(a_capture_without_one_finished_work_group_leaves_no_trace)
{
    BOOST_TEST(says(failure({PROBE, "fatal-first"}), "Oclgrind gave up in work-group 0"));
}

BOOST_AUTO_TEST_CASE(every_way_to_end_well_leaves_a_whole_trace)
{
    for (const char *way : {"_exit", "quick", "thread-exit", "handler"}) {
        captured t(way);
        BOOST_TEST(!t.info().partial);
        BOOST_TEST(t.info().launches == 1u);
    }
    for (const char *way : {"fork", "late"}) {
        captured t(way);
        BOOST_TEST(!t.info().partial);
        BOOST_TEST(t.info().launches == 2u);
    }
}

BOOST_AUTO_TEST_CASE(a_program_that_loads_opencl_itself_finds_oclgrind)
{
    out_file out("loader");
    std::string error;
    BOOST_TEST(cap::run_capture(PLUGIN, {LOADER}, out.path, {}, error) == cap::capture_done, error);
    wkt_report report;
    BOOST_REQUIRE_MESSAGE(wkt_check(out.path.c_str(), &report) == WKT_OK, report.error.text);
    BOOST_TEST(report.totals.records[WKT_STORE] == 16u);
    BOOST_TEST(report.totals.lanes[WKT_STORE] == 1024u);
}

namespace
{

bool there(const std::string &path)
{
    return access(path.c_str(), F_OK) == 0;
}

/* Captures the probe, which gets no thread. */
int without_threads(const char *probe, const std::string &out, const std::string &mark)
{
    std::string error;
    const std::string preloads =
        "NO_THREADS_MARK=" + mark + " LD_PRELOAD=$LD_PRELOAD:" NO_THREADS " exec " PROBE " " + probe;
    return cap::run_capture(PLUGIN, {"/bin/sh", "-c", preloads}, out, {}, error);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_program_that_gets_no_threads_is_recorded_by_its_own)
{
    const out_file out("no_threads"), mark("no_threads_mark");
    BOOST_TEST(without_threads("vadd", out.path, mark.path) == int(cap::capture_done));
    BOOST_TEST(there(mark.path), "no thread was asked for");
    wkt_report report;
    BOOST_TEST(wkt_check(out.path.c_str(), &report) == WKT_OK, report.error.text);
    BOOST_TEST(report.totals.groups == 2u);
}

BOOST_AUTO_TEST_CASE(a_crash_does_not_wait_for_a_thread_that_there_is_not)
{
    const out_file out("no_threads_crash"), mark("no_threads_crash_mark");
    const std::string slept = mark.path + ".slept";
    without_threads("segfault", out.path, mark.path);
    BOOST_TEST(there(mark.path), "no thread was asked for");
    BOOST_TEST(!there(slept));
    unlink(slept.c_str());
}

BOOST_AUTO_TEST_CASE(an_unwritable_folder_is_refused_before_the_program_runs)
{
    std::string error;
    BOOST_TEST(cap::run_capture(PLUGIN, {PROBE}, "/no/such/folder/x.wkt", {}, error) ==
               cap::capture_no_output);
    BOOST_TEST(says(error, "/no/such/folder"));
}

BOOST_AUTO_TEST_CASE(the_trace_names_the_program_and_its_command)
{
    captured t("vadd");
    BOOST_TEST(says(t.info().program, "probe"));
    BOOST_TEST(says(t.info().command, "vadd"));
    BOOST_TEST(says(t.info().producer, "walkway-capture"));
}

namespace
{

/* Begins to capture this program, in a child. Returns once it has made the file $PROBE_MARK. */
pid_t begun(const std::vector<std::string> &argv, const std::string &out)
{
    const out_file mark("mark");
    setenv("PROBE_MARK", mark.path.c_str(), 1);
    pid_t child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        std::string error;
        _exit(cap::run_capture(PLUGIN, argv, out, {}, error));
    }
    unsetenv("PROBE_MARK");
    int status = 0;
    while (!there(mark.path)) {
        BOOST_REQUIRE(waitpid(child, &status, WNOHANG) == 0);
        usleep(10000);
    }
    return child;
}

/* Interrupts this capture. Returns its exit code. */
int interrupted(pid_t child)
{
    int status = 0;
    kill(child, SIGTERM);
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_REQUIRE(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int stopped(const std::vector<std::string> &argv, const std::string &out)
{
    return interrupted(begun(argv, out));
}

/* Returns the number of files that captures work on here. */
size_t unfinished()
{
    size_t files = 0;
    for (const auto &entry : std::filesystem::directory_iterator("."))
        files += says(entry.path().filename().string(), ".capture");
    return files;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_capture_stopped_in_its_first_work_group_leaves_nothing)
{
    out_file out("endless");
    BOOST_TEST(stopped({PROBE, "endless"}, out.path) == int(cap::capture_dropped));
    BOOST_TEST(access(out.path.c_str(), F_OK) != 0);
}

BOOST_AUTO_TEST_CASE(a_stopped_capture_keeps_what_it_has)
{
    out_file out("stopped");
    BOOST_TEST(stopped({PROBE, "slow"}, out.path) == int(cap::capture_interrupted));
    wkt_report report;
    BOOST_TEST(wkt_check(out.path.c_str(), &report) == WKT_OK, report.error.text);
    BOOST_TEST(report.totals.groups > 0u);
    BOOST_TEST(info_of(out).partial);
}

BOOST_AUTO_TEST_CASE(a_stopped_script_keeps_the_whole_trace_of_its_process_that_had_ended)
{
    out_file out("script");
    BOOST_TEST(stopped({"/bin/sh", "-c", PROBE " vadd; : > $PROBE_MARK; exec sleep 60"}, out.path) ==
               int(cap::capture_interrupted));
    wkt_report report;
    BOOST_REQUIRE_MESSAGE(wkt_check(out.path.c_str(), &report) == WKT_OK, report.error.text);
    BOOST_TEST(!info_of(out).partial);
}

BOOST_AUTO_TEST_CASE(what_a_killed_capture_left_goes_with_the_next_one_in_its_folder)
{
    out_file out("next");
    std::string error;
    const pid_t child = begun({PROBE, "endless"}, "killed.wkt");
    kill(child, SIGKILL);
    BOOST_REQUIRE(waitpid(child, nullptr, 0) == child);
    BOOST_TEST(unfinished() >= 2u); /* the room for an error and a trace */
    BOOST_TEST(cap::run_capture(PLUGIN, {PROBE}, out.path, {}, error) == 0, error);
    BOOST_TEST(unfinished() == 0u);
}

BOOST_AUTO_TEST_CASE(a_capture_that_runs_keeps_its_files_from_the_next_one)
{
    out_file first("first"), out("next");
    std::string error;
    const pid_t child = begun({PROBE, "slow"}, first.path);
    const size_t of_first = unfinished();
    BOOST_TEST(cap::run_capture(PLUGIN, {PROBE}, out.path, {}, error) == 0, error);
    BOOST_TEST(of_first >= 2u);
    BOOST_TEST(unfinished() == of_first);
    BOOST_TEST(interrupted(child) == int(cap::capture_interrupted));
}

BOOST_AUTO_TEST_CASE(the_key_follows_program_arguments_files_and_settings)
{
    std::string error, input = "key_input";
    auto key = [&](const std::vector<std::string> &argv) { return cap::cache_key(argv, {}, error); };
    std::ofstream(input) << "one";
    const std::string plain = key({PROBE, input});
    BOOST_TEST(plain.size() == 32u);
    BOOST_TEST(plain == key({PROBE, input}));
    BOOST_TEST(plain != key({PROBE}));
    BOOST_TEST(plain != key({PROBE, input, "x"}));
    BOOST_TEST(plain != key({"/bin/true", input}));
    BOOST_TEST(key({PROBE, "ab", "c"}) != key({PROBE, "a", "bc"}));
    cap::capture_choices interpreted;
    interpreted.interpret = true;
    BOOST_TEST(plain != cap::cache_key({PROBE, input}, interpreted, error));
    const std::string option = key({PROBE, "--in=" + input});
    std::ofstream(input) << "two";
    BOOST_TEST(plain != key({PROBE, input}));
    BOOST_TEST(option != key({PROBE, "--in=" + input}));
    const std::string before = key({PROBE});
    setenv("OCLGRIND_BUILD_OPTIONS", "-DX=1", 1);
    BOOST_TEST(before != key({PROBE}));
    unsetenv("OCLGRIND_BUILD_OPTIONS");
    BOOST_TEST(key({"no-such-program"}).empty());
    BOOST_TEST(says(error, "cannot find program"));
    const std::string folder = "key_folder", without = key({PROBE});
    BOOST_REQUIRE(mkdir(folder.c_str(), 0755) == 0);
    std::ofstream(folder + "/tile.h") << "#define TILE 16";
    BOOST_TEST(without != key({PROBE}));
    std::filesystem::remove_all(folder);
    const std::string typed = key({PROBE});
    BOOST_REQUIRE(std::freopen(input.c_str(), "r", stdin));
    const std::string read = key({PROBE});
    BOOST_TEST(typed != read);
    std::ofstream(input) << "three";
    BOOST_TEST(read != key({PROBE}));
    unlink(input.c_str());
}
