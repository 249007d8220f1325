/* SPDX-License-Identifier: MIT */
/* support/options.cpp - parses command lines and prints help. */
#include "support/options.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/terminal.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <ostream>

namespace walkway
{

static const option_def help_option = {"help", 'h', nullptr, "this text"};

std::vector<option_def> options_of(const command_def &command)
{
    std::vector<option_def> options = command.options;
    options.push_back(help_option);
    return options;
}

std::vector<option_def> in_group(const char *group, std::vector<option_def> options)
{
    for (option_def &option : options)
        option.group = group;
    return options;
}

std::vector<option_def> joined(const std::vector<std::vector<option_def>> &lists)
{
    std::vector<option_def> all;
    for (const std::vector<option_def> &list : lists)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

static failure bad_usage(const command_def &command, const std::string &text)
{
    return failure(exit_usage, std::string(command.name) + ": " + text + "; 'walkway " + command.name +
                                   " --help' lists what there is");
}

std::string arguments::value(const std::string &name, const std::string &fallback) const
{
    const auto found = values_.find(name);
    return found == values_.end() ? fallback : found->second.back();
}

std::vector<std::string> arguments::values(const std::string &name) const
{
    const auto found = values_.find(name);
    return found == values_.end() ? std::vector<std::string>() : found->second;
}

uint64_t arguments::number(const std::string &name, uint64_t fallback, uint64_t min, uint64_t max) const
{
    if (!has(name))
        return fallback;
    uint64_t result = 0;
    if (!parse_number(value(name), result) || result < min || result > max)
        throw failure(exit_usage, "--" + name + " " + value(name) + ": wants a whole number from " +
                                      std::to_string(min) + " to " + std::to_string(max) +
                                      did_you_mean_number(value(name)));
    return result;
}

static const option_def *find_long(const std::vector<option_def> &options, const std::string &name)
{
    for (const option_def &option : options)
        if (name == option.name)
            return &option;
    return nullptr;
}

static const option_def *find_letter(const std::vector<option_def> &options, char letter)
{
    for (const option_def &option : options)
        if (option.letter == letter && letter != 0)
            return &option;
    return nullptr;
}

arguments parse_arguments(const command_def &command, const std::vector<std::string> &words)
{
    const std::vector<option_def> options = options_of(command);
    arguments result;
    result.words = words;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word == "--") {
            result.has_program = true;
            result.program.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
            if (!result.program.empty() && result.program[0].empty())
                throw bad_usage(command, "the program's name behind -- is empty");
            break;
        }
        if (word.empty())
            throw bad_usage(command, "an argument is empty");
        if (word.size() < 2 || word[0] != '-') {
            result.positional.push_back(word);
            continue;
        }
        const option_def *option = nullptr;
        std::string attached;
        bool has_attached = false;
        if (word[1] == '-') {
            const size_t equals = word.find('=');
            const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
            option = find_long(options, name);
            if (option == nullptr) {
                std::vector<std::string> names;
                for (const option_def &o : options)
                    names.push_back("--" + std::string(o.name));
                throw bad_usage(command, "unknown option --" + name + did_you_mean("--" + name, names));
            }
            has_attached = equals != std::string::npos;
            attached = has_attached ? word.substr(equals + 1) : "";
        } else {
            option = find_letter(options, word[1]);
            if (option == nullptr)
                throw bad_usage(command, "unknown option " + word);
            has_attached = word.size() > 2;
            attached = word.substr(2);
        }
        if (option->argument == nullptr) {
            if (has_attached)
                throw bad_usage(command, "option " + word + " takes no value");
        } else if (!has_attached && option->argument[0] != '[') {
            if (i + 1 >= words.size() || words[i + 1] == "--")
                throw bad_usage(command, "option " + word + " wants " + option->argument);
            attached = words[++i];
        }
        if (option->argument != nullptr && attached.empty() && (has_attached || option->argument[0] != '['))
            throw bad_usage(command, std::string("option --") + option->name +
                                         " has an empty value; it wants " + option->argument);
        if (option->argument != nullptr && !option->repeats && result.has(option->name))
            throw bad_usage(command, std::string("option --") + option->name +
                                         " is there a second time, first as " +
                                         as_written(result.value(option->name)));
        result.values_[option->name].push_back(attached);
    }
    return result;
}

static void print_indented(std::ostream &out, const char *text, const char *indent)
{
    for (const char *line = text; *line != 0;) {
        const char *end = std::strchr(line, '\n');
        const std::string whole = end == nullptr ? std::string(line) : std::string(line, end);
        out << (whole.empty() ? "" : indent) << whole << '\n';
        line = end == nullptr ? line + whole.size() : end + 1;
    }
}

void print_help(std::ostream &out, const command_def &command)
{
    out << flowed(command.answers) << "\nUsage:\n";
    print_indented(out, command.synopsis, "  walkway ");
    out << "\nOptions:\n";
    const std::vector<option_def> options = options_of(command);
    std::vector<std::string> heads;
    size_t width = 0;
    for (const option_def &option : options) {
        std::string head = option.letter != 0 ? std::string("-") + option.letter + ", " : "    ";
        head += std::string("--") + option.name;
        if (option.argument != nullptr)
            head += (option.argument[0] == '[' ? "" : " ") + std::string(option.argument);
        width = std::max(width, head.size());
        heads.push_back(head);
    }
    const char *group = nullptr;
    for (size_t i = 0; i < options.size(); ++i) {
        if (options[i].group != group)
            out << '\n' << (options[i].group == nullptr ? "Others" : options[i].group) << ":\n";
        group = options[i].group;
        const size_t left = width + 4;
        const std::vector<std::string> lines =
            lines_of(options[i].text, std::max<size_t>(line_width(), left + 30) - left);
        for (size_t l = 0; l < lines.size(); ++l)
            out << "  "
                << (l == 0 ? heads[i] + std::string(width + 2 - heads[i].size(), ' ')
                           : std::string(width + 2, ' '))
                << lines[l] << '\n';
    }
    const std::string details =
        command.details + (command.listed == nullptr ? std::string() : command.listed());
    if (!details.empty())
        out << '\n' << flowed(details);
    const std::string documents = documents_folder();
    const bool names_pages =
        details.find("docs/") != std::string::npos || details.find("waveforms/") != std::string::npos;
    if (names_pages && !documents.empty())
        out << '\n' << flowed("docs/ and waveforms/ are in " + documents + ".");
    out << '\n'
        << flowed("Exit codes: 0 done; 1 command line or settings; 2 trace, image of memory, program or "
                  "capture; 3 a "
                  "conservation law is broken or the machine is stuck; 4 a result cannot be written; 130 "
                  "interrupted.")
        << "\nExample:\n";
    print_indented(out, command.example, "  ");
}

} // namespace walkway
