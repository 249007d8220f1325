/* SPDX-License-Identifier: MIT */
/* support/read_files.hpp - the files that this command reads, so that it writes over none of them under any
 * name: through links, hard links and other spellings (device and inode are compared). */
#ifndef WALKWAY_SUPPORT_READ_FILES_HPP
#define WALKWAY_SUPPORT_READ_FILES_HPP

#include <string>
#include <vector>

namespace walkway
{

/* `what` as messages have it: "the trace". What is not there, or is no ordinary file, cannot be lost. */
void will_read(const std::string &path, const std::string &what);
/* The executable and what else of the command line is a file. */
void will_read_program(const std::string &executable, const std::vector<std::string> &program);

/* Throws failure(exit_usage) where `path` is a file that is read; `option` ("--output") stands before it. */
void refuse_to_overwrite(const std::string &option, const std::string &path);

} // namespace walkway

#endif
