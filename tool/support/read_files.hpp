/* SPDX-License-Identifier: MIT */
/* support/read_files.hpp - the files that this command reads, so that it overwrites none of them under any
 * name: links, hard links and other spellings (device and inode are compared). */
#ifndef WALKWAY_SUPPORT_READ_FILES_HPP
#define WALKWAY_SUPPORT_READ_FILES_HPP

#include <string>
#include <vector>

namespace walkway
{

/* Protects a file. `what`: its name in messages, "the trace". A missing or non-regular file cannot be
 * lost. */
void will_read(const std::string &path, const std::string &what);
/* Protects the executable, and the files among the command line's words. */
void will_read_program(const std::string &executable, const std::vector<std::string> &program);

/* Throws failure(exit_usage) if `path` is a file that is read, or "-", which other programs take for standard
 * output; with `option` ("--output") before it. */
void refuse_to_overwrite(const std::string &option, const std::string &path);

} // namespace walkway

#endif
