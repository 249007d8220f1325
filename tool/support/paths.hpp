/* SPDX-License-Identifier: MIT */
/* support/paths.hpp - places of files, and writing a file so that it is whole or absent. */
#ifndef WALKWAY_SUPPORT_PATHS_HPP
#define WALKWAY_SUPPORT_PATHS_HPP

#include <map>
#include <string>
#include <vector>

namespace walkway
{

std::string environment(const char *name);                         /* empty if unset */
std::vector<std::string> split_path_list(const std::string &list); /* at ':' */

/* Returns folders that may hold `kind` ("platforms"): beside the running program (PREFIX/share/walkway), then
 * the source tree it was built from, then the place it was configured to be installed in. */
std::vector<std::string> data_folders(const std::string &kind);

/* Returns a file of the Python package, "walkway/figure.py". Throws failure(exit_input) with the folders
 * searched. */
std::string python_file(const std::string &name);
std::string python_program(); /* $WALKWAY_PYTHON, or Debian's */

/* Returns the folder that contains docs/ and waveforms/, of the same three; empty if none does. */
std::string documents_folder();

/* Returns folders that may hold the OpenCL programs: $WALKWAY_WORKLOADS, beside the running program, the
 * build tree. */
std::vector<std::string> workload_folders();
/* Returns libwalkway-capture.so beside the running program or in the build tree; empty if there is none. */
std::string find_built_plugin();
/* Returns libwalkway-guest.so, which the emulator of a guest loads: in the build tree, or installed. */
std::string find_guest_plugin();
/* Returns the paths of the executables in workload_folders(), by name; of equal names, the first folder's. */
std::map<std::string, std::string> workload_programs();

std::string program_folder(); /* of the running program */

/* Writes a file, whole or not at all (observe/output_file.hpp). Throws failure(exit_output), or
 * failure(exit_usage) if the file is one that is read (support/read_files.hpp). */
void write_file(const std::string &path, const std::string &contents);
/* Returns the file named by an option, for a caller that writes elsewhere and renames. Throws
 * failure(exit_usage) if it is empty, failure(exit_output) if it is a folder, a pipe or a device. */
std::string new_file(const std::string &option, const std::string &path);
/* Likewise for a picture: its name must end in .svg, .pdf or .png. */
std::string new_picture(const std::string &option, const std::string &path);
/* Throws failure(exit_output) if the file's folder does not exist: before work whose result would be lost. */
void check_folder_of(const std::string &option, const std::string &file);
void make_folder(const std::string &path); /* empty path: failure(exit_usage) */
/* True if both name the same place. The files need not exist; links of existing ones are followed. */
bool same_place(const std::string &a, const std::string &b);

/* A new temporary folder, removed with everything in it. */
class temporary_folder
{
public:
    temporary_folder();
    ~temporary_folder();
    temporary_folder(const temporary_folder &) = delete;
    temporary_folder &operator=(const temporary_folder &) = delete;
    const std::string &path() const { return path_; }

private:
    std::string path_;
};

/* Returns "apu-micro18:walk_unit.walkers=4" as a file name. */
std::string file_name_of(const std::string &label);

} // namespace walkway

#endif
