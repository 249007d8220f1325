/* SPDX-License-Identifier: MIT */
/* cli/machines.cpp - see machines.hpp. */
#include "cli/machines.hpp"

#include "run/config.hpp"

#include <algorithm>
#include <filesystem>

namespace walkway
{

/* True for ":key=value", and for "x.cfg" and a shipped machine's name, each with or without ":key=value"
 * after it. False for an existing file whose path is a shipped machine's name. */
static bool names_machine(const std::string &word, const std::vector<std::string> &platforms)
{
    if (word.front() == ':')
        return true;
    if (word.rfind("gen:", 0) == 0)
        return false;
    const std::string name = word.substr(0, word.find(':'));
    std::error_code error;
    return std::filesystem::path(name).extension() == ".cfg" ||
           (std::count(platforms.begin(), platforms.end(), name) != 0 &&
            !std::filesystem::exists(word, error));
}

command_words sort_words(const arguments &args)
{
    const std::vector<std::string> platforms = platform_names();
    command_words words;
    words.machines = args.values("platform");
    for (const std::string &word : args.positional)
        (names_machine(word, platforms) ? words.machines : words.others).push_back(word);
    return words;
}

option_def platform_option_def()
{
    return {"platform", 'p', "MACHINE",
            "a machine: a name or a .cfg file, changes after ':'; may be repeated, and may stand without -p "
            "among the words",
            true};
}

} // namespace walkway
