/* SPDX-License-Identifier: MIT */
/* support/paths.hpp - where things are, and writing a file so that it is whole or absent. */
#ifndef WALKWAY_SUPPORT_PATHS_HPP
#define WALKWAY_SUPPORT_PATHS_HPP

#include <map>
#include <string>
#include <vector>

namespace walkway
{

std::string environment(const char *name);                         /* empty when unset */
std::vector<std::string> split_path_list(const std::string &list); /* at ':' */

/* Folders that may hold `kind` ("platforms"): beside the running program (PREFIX/share/walkway), then the
 * source tree it was built from, then the place it was configured to be installed in. */
std::vector<std::string> data_folders(const std::string &kind);

/* A file of the Python package, "walkway/figure.py". Throws failure(exit_input) with where it was looked for.
 */
std::string python_file(const std::string &name);
std::string python_program(); /* $WALKWAY_PYTHON, or Debian's */

/* The folder in which docs/ and waveforms/ are, of the same three; empty where none has them. */
std::string documents_folder();

/* Folders that may hold the OpenCL programs: $WALKWAY_WORKLOADS, beside the running program, the build tree.
 */
std::vector<std::string> workload_folders();
/* libwalkway-capture.so beside the running program or in the build tree; empty when there is none. */
std::string find_built_plugin();
/* libwalkway-guest.so, which the emulator of a guest loads: in the build tree, or installed. */
std::string find_guest_plugin();
/* Paths of the executables in them, by name; of several of one name the first folder's. */
std::map<std::string, std::string> workload_programs();

std::string program_folder(); /* of the running program */

/* Throw failure(exit_output), and failure(exit_usage) where the file is one that is read
 * (support/read_files.hpp). The file is whole or absent (observe/output_file.hpp). */
void write_file(const std::string &path, const std::string &contents);
/* The file that an option names, for a caller that writes elsewhere and renames: throws failure(exit_usage)
 * when it is empty, failure(exit_output) when a folder, a pipe or a device is there. */
std::string new_file(const std::string &option, const std::string &path);
/* Likewise of a picture: its name has to end in .svg or .pdf. */
std::string new_picture(const std::string &option, const std::string &path);
void make_folder(const std::string &path); /* an empty one: failure(exit_usage) */
/* True if both name the same place. The files need not exist; for those that do, links are followed. */
bool same_place(const std::string &a, const std::string &b);

/* A folder of its own among the temporary files, removed with everything in it. */
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

/* "apu-micro18:walk_unit.walkers=4" as a file name. */
std::string file_name_of(const std::string &label);

} // namespace walkway

#endif
