/* SPDX-License-Identifier: MIT */
/* workbench/workflow.cpp - runs Snakemake, and reads the fate of each job from its output and the files that
 * jobs left. */
#include "workbench/workflow.hpp"

#include "run/progress.hpp"
#include "run/simulate.hpp"
#include "support/child_process.hpp"
#include "support/interrupt.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace walkway
{

namespace fs = std::filesystem;

namespace
{

constexpr unsigned most_refused = 3; /* jobs, before any begins: then the cluster counts as missing */
constexpr unsigned shortest_nap = 20000, longest_nap = 1000000; /* microseconds between looks */
constexpr const char *refusal = "Error submitting jobscript";
constexpr const char *submitted = "with external jobid '";
constexpr int most_naps = 600; /* of 0.1 s, to wait for an orderly end */

std::string program_in_path(const char *name)
{
    for (const std::string &folder : split_path_list(environment("PATH")))
        if (access((folder + "/" + name).c_str(), X_OK) == 0)
            return folder + "/" + name;
    throw failure(exit_input, std::string(name) + " is not there, which runs a sweep's batches on a cluster: "
                                                  "install Debian's package of that name");
}

std::string installed(const std::string &name)
{
    for (const std::string &folder : data_folders("workbench/cluster"))
        if (access((folder + "/" + name).c_str(), R_OK) == 0)
            return folder + "/" + name;
    return "";
}

/* Returns the profile for Snakemake's command line: a folder, or a name that Snakemake looks up. */
std::string profile_of(const std::string &given)
{
    std::error_code error;
    if (given.find('/') == std::string::npos) {
        const std::string ours = installed(given);
        return ours.empty() ? given : ours;
    }
    const fs::path folder = fs::absolute(given);
    if (!fs::exists(folder / "config.yaml", error))
        throw failure(exit_input, "--cluster " + as_written(given) +
                                      ": is no profile of Snakemake's: there is no config.yaml in it");
    return folder.lexically_normal().string();
}

/* Returns the cluster-cancel of a profile that is a folder: a program in it or in $PATH. Empty if there is
 * none, or if only Snakemake can find the profile. */
std::string cancel_of(const std::string &profile)
{
    std::ifstream in(profile + "/config.yaml");
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, 15, "cluster-cancel:") != 0)
            continue;
        const size_t from = line.find_first_not_of(" \"'", 15), to = line.find_last_not_of(" \"'\r");
        if (from == std::string::npos || to < from)
            return "";
        const std::string name = line.substr(from, to - from + 1), own = profile + "/" + name;
        return access(own.c_str(), X_OK) == 0 ? own : name;
    }
    return "";
}

/* Snakemake's process, which submits jobs and watches them. Its output goes to memory, and is copied to
 * snakemake.log: on a full disk a failed print would end Snakemake's thread that watches jobs, and Snakemake
 * would wait for ever. The submitted jobs are known even then. */
class snakemake
{
public:
    snakemake(const std::string &folder, const std::string &profile, unsigned jobs);
    /* Requests the end of its jobs, waits for it, and cancels what is left by the profile's
     * cluster-cancel. */
    ~snakemake();
    snakemake(const snakemake &) = delete;
    snakemake &operator=(const snakemake &) = delete;

    bool ended();                                 /* true: it has ended, and its output so far is read */
    void interrupt();                             /* makes it cancel its jobs */
    unsigned refused() const { return refused_; } /* jobs so far */
    bool no_room() const { return no_room_; }     /* it met a full disk */
    /* Returns why a job was refused; else the last error of its log; else its last line. */
    workflow_end end() const
    {
        return {status_ != 0, refused_ != 0 ? why_ : error_.empty() ? last_ : error_};
    }

private:
    void read();
    void take(const std::string &line);
    void cancel();

    int printed_ = -1, copy_ = -1; /* open files: its output, and the log */
    off_t read_ = 0, copied_ = 0;  /* of its output */
    std::string cancel_, line_, last_, error_, why_;
    std::vector<std::string> jobs_; /* by the cluster's names */
    pid_t child_ = -1;
    int status_ = -1;
    unsigned refused_ = 0;
    bool asked_ = false, no_room_ = false;
};

snakemake::snakemake(const std::string &folder, const std::string &given, unsigned jobs)
{
    const std::string program = program_in_path("snakemake"), workflow = installed("Snakefile"),
                      profile = profile_of(given);
    if (workflow.empty())
        throw failure(exit_input, "the sweep's workflow (workbench/cluster/Snakefile) is not there");
    cancel_ = cancel_of(profile);
    const std::string log = folder + "/snakemake.log";
    copy_ = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (copy_ < 0)
        throw failure(exit_output, as_written(log) + ": " + std::strerror(errno));
    printed_ = memfd_create("snakemake", MFD_CLOEXEC);
    if (printed_ < 0)
        throw failure(exit_output, std::string("memfd_create: ") + std::strerror(errno));
    std::vector<std::string> words = {program,     "--snakefile", workflow, "--directory",       folder,
                                      "--profile", profile,       "--jobs", std::to_string(jobs)};
    for (const std::string &word : split("--retries 2 --keep-going --nolock --nocolor --rerun-incomplete "
                                         "--printshellcmds -- all",
                                         ' '))
        words.push_back(word);
    child_ = start_child(words, {-1, printed_, printed_}, SIGINT);
    if (child_ < 0)
        throw failure(exit_output, std::string("fork: ") + std::strerror(errno));
}

snakemake::~snakemake()
{
    interrupt();
    for (int i = 0; i < most_naps && !ended(); ++i)
        usleep(100000);
    if (child_ > 0) {
        kill(-child_, SIGKILL);
        waitpid(child_, nullptr, 0);
        cancel();
    }
    close(printed_);
    close(copy_);
}

bool snakemake::ended()
{
    int status = 0;
    if (child_ > 0 && waitpid(child_, &status, WNOHANG) != 0) {
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        child_ = -1;
        if (status_ != 0)
            cancel();
    }
    read();
    if (child_ < 0)
        take(std::exchange(line_, ""));
    return child_ < 0;
}

/* Cancels all submitted jobs: Snakemake leaves jobs running if it fails between submitting and recording
 * one. The cluster ignores those that have ended. */
void snakemake::cancel()
{
    read();
    if (cancel_.empty() || jobs_.empty())
        return;
    std::vector<std::string> words = {cancel_};
    words.insert(words.end(), jobs_.begin(), jobs_.end());
    const pid_t child = start_child(words, {-1, -1, -1}, 0);
    for (int i = 0; child > 0 && waitpid(child, nullptr, WNOHANG) == 0; ++i) {
        if (i == most_naps)
            kill(child, SIGKILL);
        usleep(100000);
    }
}

void snakemake::interrupt()
{
    if (child_ > 0 && !asked_)
        kill(-child_, SIGINT);
    asked_ = true;
}

void snakemake::read()
{
    char bytes[65536];
    for (ssize_t n; (n = pread(printed_, bytes, sizeof bytes, read_)) > 0; read_ += n)
        for (ssize_t i = 0; i < n; ++i) {
            if (bytes[i] != '\n') {
                line_ += bytes[i];
                continue;
            }
            take(line_);
            line_.clear();
        }
    for (ssize_t n; (n = pread(printed_, bytes, sizeof bytes, copied_)) > 0; copied_ += n) {
        n = write(copy_, bytes, static_cast<size_t>(n));
        if (n <= 0)
            break; /* the disk is full; the next call retries the rest */
    }
}

void snakemake::take(const std::string &line)
{
    if (line.find(refusal) != std::string::npos) {
        ++refused_;
        why_ = last_; /* the stderr of the submitting command */
    }
    const size_t id = line.find(submitted);
    if (id != std::string::npos) {
        const size_t from = id + std::strlen(submitted);
        jobs_.push_back(line.substr(from, line.find('\'', from) - from));
    }
    no_room_ = no_room_ || line.find(std::strerror(ENOSPC)) != std::string::npos;
    if (line.find_first_not_of(" \t\r") == std::string::npos)
        return;
    last_ = line;
    if (line.find("rror") != std::string::npos)
        error_ = line;
}

} // namespace

void write_workflow(const std::string &folder, const cluster_order &cluster,
                    const std::vector<std::string> &batches, const std::map<size_t, std::string> &captures)
{
    std::error_code error;
    json sweep = {{"program", fs::read_symlink("/proc/self/exe", error).string()},
                  {"folder", fs::current_path().string()},
                  {"words", cluster.words},
                  {"capture_words", cluster.capture_words},
                  {"batch_seconds", static_cast<uint64_t>(cluster.batch_seconds)},
                  {"batches", batches},
                  {"captures", json::object()}};
    for (const auto &[number, name] : captures)
        sweep["captures"][std::to_string(number)] = name;
    make_folder(folder + "/logs");
    write_file(folder + "/sweep.json", dump(sweep));
}

workflow_end run_workflow(const std::string &folder, const std::string &profile, unsigned jobs, bool quiet,
                          const std::function<std::string(double)> &look)
{
    snakemake process(folder, profile, jobs);
    progress_line line(quiet);
    unsigned nap = shortest_nap;
    for (bool ended = false; !ended;) {
        ended = process.ended(); /* true: look() is called once more, for its last files */
        line.message(look(line.seconds()));
        if (interrupted() || (process.refused() >= most_refused && !any_job_began(folder)))
            process.interrupt();
        if (!ended)
            usleep(nap);
        nap = std::min(nap + shortest_nap, longest_nap);
    }
    if (process.end().failed && process.no_room() && !interrupted())
        throw failure(exit_output, as_written(folder) + ": " + std::strerror(ENOSPC) +
                                       "; the same command goes on where it stopped, when there is room");
    return process.end();
}

bool any_job_began(const std::string &folder)
{
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(folder + "/logs", ignored))
        if (entry.file_size(ignored) != 0)
            return true;
    return false;
}

job_tale tale_of(const std::string &folder, const std::string &log)
{
    std::ifstream in(folder + "/logs/" + log);
    std::string last = "nothing";
    unsigned attempts = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, 6, "begins") == 0) {
            ++attempts;
            last = "it was ended from outside (its time limit, its memory limit or its machine)";
        } else if (line.compare(0, 9, "walkway: ") == 0) {
            last = line.substr(9);
        }
    }
    return {attempts, "begun " + std::to_string(attempts) + (attempts == 1 ? " time: " : " times: ") + last};
}

} // namespace walkway
