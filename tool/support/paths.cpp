/* SPDX-License-Identifier: MIT */
/* support/paths.cpp - finds files in search folders, and writes files atomically. */
#include "support/paths.hpp"

#include "observe/output_file.hpp"
#include "support/errors.hpp"
#include "support/read_files.hpp"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

std::string environment(const char *name)
{
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::vector<std::string> split_path_list(const std::string &list)
{
    std::vector<std::string> parts;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ':');)
        if (!part.empty())
            parts.push_back(part);
    return parts;
}

std::string program_folder()
{
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? "." : self.parent_path().string();
}

std::vector<std::string> data_folders(const std::string &kind)
{
    return {(fs::path(program_folder()).parent_path() / "share" / "walkway" / kind).string(),
            std::string(WALKWAY_SOURCE_DIR) + "/" + kind, std::string(WALKWAY_SOURCE_DIR) + "/tool/" + kind,
            std::string(WALKWAY_DATA_DIR) + "/" + kind};
}

std::string python_file(const std::string &name)
{
    std::string tried;
    for (const std::string &folder : data_folders("python")) {
        const std::string path = folder + "/" + name;
        if (access(path.c_str(), R_OK) == 0)
            return path;
        tried += (tried.empty() ? "" : ", ") + path;
    }
    throw failure(exit_input, name + " is not there: " + tried);
}

std::string python_program()
{
    const std::string given = environment("WALKWAY_PYTHON");
    return given.empty() ? "/usr/bin/python3" : given;
}

std::string documents_folder()
{
    for (const fs::path &folder : {fs::path(program_folder()).parent_path() / "share" / "doc" / "walkway",
                                   fs::path(WALKWAY_SOURCE_DIR), fs::path(WALKWAY_DOC_DIR)}) {
        std::error_code ignored; /* missing or not readable: tries the next one */
        if (fs::exists(folder / "docs" / "README.md", ignored))
            return folder.string();
    }
    return "";
}

std::vector<std::string> workload_folders()
{
    std::vector<std::string> folders = split_path_list(environment("WALKWAY_WORKLOADS"));
    const fs::path self = program_folder();
    folders.push_back((self / "workloads").string());
    folders.push_back((self.parent_path() / "lib" / "walkway" / "workloads").string());
    folders.push_back(std::string(WALKWAY_BINARY_DIR) + "/workloads");
    folders.push_back(std::string(WALKWAY_LIBRARY_DIR) + "/workloads");
    return folders;
}

/* Returns the first of the files that is there; empty if none is. */
static std::string first_there(const std::vector<std::string> &files)
{
    for (const std::string &file : files) {
        std::error_code ignored; /* in a folder that may not be entered: tries the next one */
        if (fs::exists(file, ignored))
            return file;
    }
    return "";
}

std::string find_built_plugin()
{
    const std::string built = "/capture/libwalkway-capture.so";
    return first_there({program_folder() + built, WALKWAY_BINARY_DIR + built});
}

std::string find_guest_plugin()
{
    const std::string built = "/guest/plugin/libwalkway-guest.so", installed = "/libwalkway-guest.so";
    return first_there({program_folder() + built, WALKWAY_BINARY_DIR + built,
                        program_folder() + "/../lib/walkway" + installed, WALKWAY_LIBRARY_DIR + installed});
}

std::map<std::string, std::string> workload_programs()
{
    std::map<std::string, std::string> paths;
    for (const std::string &folder : workload_folders()) {
        std::error_code ignored; /* a missing folder has no programs, and a broken link is none */
        for (const auto &entry : fs::directory_iterator(folder, ignored))
            if (entry.is_regular_file(ignored) && access(entry.path().c_str(), X_OK) == 0)
                paths.emplace(entry.path().filename().string(), entry.path().string());
    }
    return paths;
}

static failure output_failure(const std::string &path, int reason)
{
    return failure(exit_output, path + ": " + std::strerror(reason));
}

void check_folder_of(const std::string &option, const std::string &file)
{
    const size_t slash = file.rfind('/');
    if (slash != std::string::npos && slash != 0 && access(file.substr(0, slash).c_str(), F_OK) != 0)
        throw failure(exit_output, option + " " + file + ": there is no folder " + file.substr(0, slash));
}

std::string new_picture(const std::string &option, const std::string &path)
{
    /* Of a file that is read this is to be said, not that its ending is wrong. */
    refuse_to_overwrite(option, path);
    const std::string ending = fs::path(path).extension().string();
    if (ending != ".svg" && ending != ".pdf" && ending != ".png")
        throw failure(exit_usage,
                      option + " " + as_written(path) + ": wants a name that ends in .svg, .pdf or .png");
    return new_file(option, path);
}

std::string new_file(const std::string &option, const std::string &path)
{
    if (path.empty())
        throw failure(exit_usage, option + ": wants a file's name");
    refuse_to_overwrite(option, path);
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status))
        throw failure(exit_output, option + " " + path + ": is a folder");
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw failure(exit_output,
                      option + " " + path +
                          ": is no ordinary file, and this one is written beside its place and renamed");
    return behind_links(path);
}

void write_file(const std::string &path, const std::string &contents)
{
    refuse_to_overwrite("", path);
    try {
        output_file file(path);
        file.put(contents);
        file.finish();
    } catch (const file_failure &e) {
        throw failure(exit_output, e.what());
    }
}

void make_folder(const std::string &path)
{
    if (path.empty())
        throw failure(exit_usage, "--output wants a folder");
    std::error_code error;
    fs::create_directories(path, error);
    if (error || !fs::is_directory(path, error))
        throw failure(exit_output, path + ": " + (error ? error.message() : "is not a folder"));
    if (access(path.c_str(), W_OK) != 0)
        throw output_failure(path, errno);
}

bool same_place(const std::string &a, const std::string &b)
{
    if (a.empty() || b.empty())
        return false;
    std::error_code error;
    if (fs::equivalent(a, b, error))
        return true;
    error.clear();
    const fs::path one = fs::weakly_canonical(fs::absolute(behind_links(a), error), error);
    const fs::path other = fs::weakly_canonical(fs::absolute(behind_links(b), error), error);
    return !error && one == other;
}

temporary_folder::temporary_folder()
{
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) {
        const std::string given = environment("TMPDIR");
        throw failure(exit_output, "the folder for temporary files, " +
                                       (given.empty() ? "/tmp" : "$TMPDIR = " + given) + ": " +
                                       error.message());
    }
    std::string pattern = (parent / ("walkway-" + std::string(6, 'X'))).string(); /* for mkdtemp() */
    if (mkdtemp(pattern.data()) == nullptr)
        throw output_failure(pattern, errno);
    path_ = pattern;
}

temporary_folder::~temporary_folder()
{
    std::error_code ignored; /* a temporary file that cannot be removed does no harm */
    fs::remove_all(path_, ignored);
}

std::string file_name_of(const std::string &label)
{
    std::string name;
    for (const char c : label)
        name +=
            std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("._=-", c) != nullptr ? c : '-';
    return name.size() > 160 ? name.substr(0, 160) : name;
}

} // namespace walkway
