/* SPDX-License-Identifier: MIT */
/* workbench/snakemake.cpp - fork and exec; what is said of its jobs is read from its log. */
#include "workbench/snakemake.hpp"

#include "support/errors.hpp"
#include "support/paths.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr const char *refusal = "Error submitting jobscript";
static constexpr int most_naps = 600; /* of 0.1 s: for an orderly end */

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

/* As Snakemake takes it: a folder, or a name that it looks for itself. */
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

snakemake::snakemake(const std::string &folder, const std::string &given, unsigned jobs)
    : log_(folder + "/snakemake.log")
{
    const std::string program = program_in_path("snakemake"), workflow = installed("Snakefile"),
                      profile = profile_of(given), most = std::to_string(jobs);
    if (workflow.empty())
        throw failure(exit_input, "the sweep's workflow (workbench/cluster/Snakefile) is not there");
    const int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (log < 0)
        throw failure(exit_output, as_written(log_) + ": " + std::strerror(errno));
    const std::array<const char *, 19> words = {program.c_str(),
                                                "--snakefile",
                                                workflow.c_str(),
                                                "--directory",
                                                folder.c_str(),
                                                "--profile",
                                                profile.c_str(),
                                                "--jobs",
                                                most.c_str(),
                                                "--retries",
                                                "2",
                                                "--keep-going",
                                                "--nolock",
                                                "--nocolor",
                                                "--rerun-incomplete",
                                                "--printshellcmds",
                                                "--",
                                                "all",
                                                nullptr};
    child_ = fork();
    if (child_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGINT);
        setpgid(0, 0); /* an interrupt is this process's to pass on */
        const int none = open("/dev/null", O_RDONLY);
        dup2(none, STDIN_FILENO);
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        signal(SIGINT, SIG_DFL);
        execv(words[0], const_cast<char *const *>(words.data()));
        _exit(127);
    }
    close(log);
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
    }
}

bool snakemake::ended()
{
    int status = 0;
    if (child_ > 0 && waitpid(child_, &status, WNOHANG) != 0) {
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        child_ = -1;
    }
    return child_ < 0;
}

void snakemake::interrupt()
{
    if (child_ > 0 && !asked_)
        kill(-child_, SIGINT);
    asked_ = true;
}

unsigned snakemake::refused()
{
    std::ifstream in(log_, std::ios::binary);
    in.seekg(read_);
    for (std::string line; std::getline(in, line) && !in.eof();) { /* whole lines */
        read_ = static_cast<long>(in.tellg());
        if (line.find(refusal) != std::string::npos) {
            ++refused_;
            why_ = before_; /* what the submitting command said on its stderr */
        }
        if (!line.empty())
            before_ = line;
    }
    return refused_;
}

std::string snakemake::last_words() const
{
    std::ifstream in(log_, std::ios::binary);
    std::string last, error;
    for (std::string line; std::getline(in, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos) {
            last = line;
            if (line.find("rror") != std::string::npos)
                error = line;
        }
    return error.empty() ? last : error;
}

} // namespace walkway
