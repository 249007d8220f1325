/* SPDX-License-Identifier: MIT */
/* support/read_files.cpp - keeps, per process, one list of the files to be read; jobs inherit it. */
#include "support/read_files.hpp"

#include "support/errors.hpp"

#include <map>
#include <sys/stat.h>
#include <utility>

namespace walkway
{

using file_id = std::pair<dev_t, ino_t>;

static std::map<file_id, std::string> &known()
{
    static std::map<file_id, std::string> files;
    return files;
}

/* Follows links. Returns false if the path is no regular file. */
static bool identify(const std::string &path, file_id &id)
{
    struct stat status {
    };
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    id = {status.st_dev, status.st_ino};
    return true;
}

void will_read(const std::string &path, const std::string &what)
{
    file_id id;
    if (identify(path, id))
        known().emplace(id, what + ", " + as_written(path));
}

void will_read_program(const std::string &executable, const std::vector<std::string> &program)
{
    will_read(executable, "the program");
    for (const std::string &word : program) {
        will_read(word, "what the program is given");
        will_read(word.substr(word.find('=') + 1), "what the program is given"); /* --graph=FILE */
    }
}

void refuse_to_overwrite(const std::string &option, const std::string &path)
{
    if (path == "-")
        throw failure(exit_usage, option + (option.empty() ? "" : " ") +
                                      "-: is a file here, not standard output; ./- is one of that name");
    file_id id;
    if (!identify(path, id))
        return;
    const auto found = known().find(id);
    if (found != known().end())
        throw failure(exit_usage, option + (option.empty() ? "" : " ") + as_written(path) +
                                      " would overwrite " + found->second);
}

} // namespace walkway
