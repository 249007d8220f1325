/* SPDX-License-Identifier: MIT */
/* workbench/snakemake.cpp - reads the state of jobs from Snakemake's output. The output goes to memory, and
 * is copied to the log: on a full disk a failed print would end Snakemake's thread that watches jobs, and
 * Snakemake would wait for ever. The submitted jobs are known even then. */
#include "workbench/snakemake.hpp"

#include "support/child_process.hpp"
#include "support/errors.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"

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

static constexpr const char *refusal = "Error submitting jobscript";
static constexpr const char *submitted = "with external jobid '";
static constexpr int most_naps = 600; /* of 0.1 s, to wait for an orderly end */

static std::string program_in_path(const char *name)
{
    for (const std::string &folder : split_path_list(environment("PATH")))
        if (access((folder + "/" + name).c_str(), X_OK) == 0)
            return folder + "/" + name;
    throw failure(exit_input, std::string(name) + " is not there, which runs a sweep's batches on a cluster: "
                                                  "install Debian's package of that name");
}

static std::string installed(const std::string &name)
{
    for (const std::string &folder : data_folders("workbench/cluster"))
        if (access((folder + "/" + name).c_str(), R_OK) == 0)
            return folder + "/" + name;
    return "";
}

/* Returns the profile for Snakemake's command line: a folder, or a name that Snakemake looks up. */
static std::string profile_of(const std::string &given)
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
static std::string cancel_of(const std::string &profile)
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

snakemake::snakemake(const std::string &folder, const std::string &given, unsigned jobs)
    : log_(folder + "/snakemake.log")
{
    const std::string program = program_in_path("snakemake"), workflow = installed("Snakefile"),
                      profile = profile_of(given);
    if (workflow.empty())
        throw failure(exit_input, "the sweep's workflow (workbench/cluster/Snakefile) is not there");
    cancel_ = cancel_of(profile);
    copy_ = open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (copy_ < 0)
        throw failure(exit_output, as_written(log_) + ": " + std::strerror(errno));
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

} // namespace walkway
