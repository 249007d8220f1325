/* SPDX-License-Identifier: MIT */
/* cli/completion.cpp - walkway completion: shell completions and manual pages, made from the declarations
 * that also parse the commands and make their --help. */
#include "cli/commands.hpp"

#include "support/errors.hpp"
#include "support/options.hpp"
#include "support/paths.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>

namespace walkway
{

namespace
{

/* An option's argument with one of these in its name is a file or a folder. */
constexpr const char *const file_words[] = {"FILE", "DIR", "IMAGE", "TRACE", "PROGRAM"};

/* Returns the fixed first words of a command, from its synopsis: "info", "cat" of trace. */
std::vector<std::string> first_words(const command_def &command)
{
    std::vector<std::string> all;
    for (const std::string &form : split(command.synopsis, '\n')) {
        const std::vector<std::string> words = split(form, ' ');
        const auto lower = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        };
        if (words.size() > 1 && words[1].front() != '-' &&
            std::all_of(words[1].begin(), words[1].end(), lower) &&
            std::find(all.begin(), all.end(), words[1]) == all.end())
            all.push_back(words[1]);
    }
    return all;
}

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string option_words(const command_def &command)
{
    std::vector<std::string> words;
    for (const option_def &o : options_of(command)) {
        words.push_back(std::string("--") + o.name);
        if (o.letter != 0)
            words.push_back(std::string("-") + o.letter);
    }
    return joined(words);
}

std::string command_words()
{
    std::vector<std::string> words;
    for (const command_def *command : all_commands())
        words.emplace_back(command->name);
    return joined(words);
}

/* Completes the machine after -p with the names that the program itself lists. */
constexpr const char *bash_head = R"bash(# bash completion of walkway; made by 'walkway completion bash'
_walkway()
{
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    local options= words=
    COMPREPLY=()
    if [ "$previous" = -p ] || [ "$previous" = --platform ]; then
        COMPREPLY=($(compgen -W "$(walkway list machines --csv - 2>/dev/null | tail -n +2 | cut -d, -f1)" -- "$current"))
        COMPREPLY+=($(compgen -f -X '!*.cfg' -- "$current"))
        return
    fi
)bash";

std::string bash_completion()
{
    std::ostringstream out;
    out << bash_head << "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \""
        << command_words()
        << " help --help --version\" -- \"$current\"))\n        return\n    fi\n    case $command in\n"
        << "        help) words=\"" << command_words() << "\" ;;\n";
    for (const command_def *command : all_commands())
        out << "        " << command->name << ") options=\"" << option_words(*command) << "\" words=\""
            << joined(first_words(*command)) << "\" ;;\n";
    out << "    esac\n"
           "    case $current in\n"
           "        -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
           "        *) [ \"$COMP_CWORD\" -eq 2 ] && COMPREPLY=($(compgen -W \"$words\" -- "
           "\"$current\"))\n"
           "           COMPREPLY+=($(compgen -f -- \"$current\")) ;;\n"
           "    esac\n"
           "}\n"
           "complete -o filenames -F _walkway walkway\n";
    return out.str();
}

/* Escapes text for the single quotes and brackets of _arguments. */
std::string zsh_text(const std::string &text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += "'\\''";
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            out += std::string("\\") + c;
        else
            out += c;
    }
    return out;
}

/* Returns how to complete an option's argument, judged by the argument's name; "" if the option has no
 * argument or an optional one. */
std::string zsh_argument(const option_def &o)
{
    if (o.argument == nullptr || o.argument[0] == '[')
        return "";
    const std::string name = o.argument;
    const bool file = std::any_of(std::begin(file_words), std::end(file_words),
                                  [&](const char *word) { return name.find(word) != std::string::npos; });
    return ":" + zsh_text(name) +
           (std::string(o.name) == "platform" ? ":_walkway_platforms"
            : file                            ? ":_files"
                                              : ": ");
}

/* An option that may be given once excludes both of its names from further completion. */
std::string zsh_option(const option_def &o)
{
    const std::string what = zsh_argument(o), text = "[" + zsh_text(o.text) + "]";
    const std::string both = std::string("--") + o.name + (o.letter == 0 ? "" : std::string(" -") + o.letter);
    const std::string head = o.repeats ? "        '*" : "        '(" + both + ")";
    std::string all = head + "--" + o.name + (what.empty() ? "" : "=") + text + what + "' \\\n";
    if (o.letter != 0)
        all += head + "-" + o.letter + (what.empty() ? "" : "+") + text + what + "' \\\n";
    return all;
}

std::string zsh_completion()
{
    std::ostringstream out;
    out << "#compdef walkway\n# zsh completion of walkway; made by 'walkway completion zsh'\n"
           "_walkway_platforms()\n{\n"
           "    local -a names=(${(f)\"$(walkway list machines --csv - 2>/dev/null | tail -n +2 | cut "
           "-d, -f1)\"})\n"
           "    compadd -a names\n    _files -g '*.cfg'\n}\n\n_walkway()\n{\n"
           "    if (( CURRENT == 2 )); then\n        local -a commands=(\n";
    for (const command_def *command : all_commands())
        out << "            '" << command->name << ":" << zsh_text(split(command->answers, '\n').front())
            << "'\n";
    out << "        )\n        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    case $command in\n";
    for (const command_def *command : all_commands()) {
        out << "    " << command->name << ")\n        _arguments \\\n";
        for (const option_def &o : options_of(*command))
            out << zsh_option(o);
        const std::vector<std::string> words = first_words(*command);
        out << (words.empty() ? "" : "        '1:form:(" + joined(words) + ")' \\\n")
            << "        '*:file:_files' ;;\n";
    }
    out << "    esac\n}\n_walkway \"$@\"\n";
    return out.str();
}

/* Escapes what troff would take as a request, an escape or a hyphen. */
std::string man_text(const std::string &text)
{
    std::string out;
    bool begins = true;
    for (const char c : text) {
        if (begins && (c == '.' || c == '\''))
            out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
        begins = c == '\n';
    }
    return out;
}

void man_option(std::ostream &out, const option_def &o)
{
    out << ".TP\n\\fB" << (o.letter != 0 ? std::string("\\-") + o.letter + "\\fR, \\fB" : "") << "\\-\\-"
        << man_text(o.name) << "\\fR";
    if (o.argument != nullptr)
        out << (o.argument[0] == '[' ? "" : " ") << "\\fI" << man_text(o.argument) << "\\fR";
    out << '\n' << man_text(o.text) << '\n';
}

std::string man_page(const command_def &command)
{
    std::ostringstream out;
    out << ".\\\" made by 'walkway completion man " << command.name << "'\n.TH WALKWAY\\-" << command.name
        << " 1\n.SH NAME\nwalkway\\-" << command.name << " \\- "
        << man_text(split(command.answers, '\n').front()) << "\n.SH SYNOPSIS\n.nf\n";
    for (const std::string &form : split(command.synopsis, '\n'))
        out << "walkway " << man_text(form) << '\n';
    out << ".fi\n.SH OPTIONS\n";
    std::string group;
    for (const option_def &o : options_of(command)) {
        const std::string of = o.group == nullptr ? "" : o.group;
        if (of != group)
            out << ".SS " << (of.empty() ? "Others" : man_text(of)) << '\n';
        group = of;
        man_option(out, o);
    }
    out << ".SH DETAILS\n";
    const std::string details =
        std::string(command.details) + (command.listed == nullptr ? std::string() : command.listed());
    for (const std::string &line : split(details, '\n'))
        out << (line.empty()          ? ".PP"
                : line.front() == ' ' ? ".br\n" + man_text(line)
                                      : man_text(line))
            << '\n';
    out << ".SH EXAMPLE\n.nf\n" << man_text(command.example) << "\n.fi\n";
    return out.str();
}

std::string man_overview()
{
    std::ostringstream out;
    out << ".\\\" made by 'walkway completion man'\n.TH WALKWAY 1\n.SH NAME\nwalkway \\- how a GPU "
           "translates "
           "addresses, and what it costs\n.SH SYNOPSIS\nwalkway \\fICOMMAND\\fR ...\n.SH COMMANDS\n";
    for (const command_def *command : all_commands())
        out << ".TP\n\\fBwalkway\\-" << command->name << "\\fR(1)\n" << man_text(command->answers) << '\n';
    return out.str();
}

const command_def &command_named(const std::string &name)
{
    for (const command_def *command : all_commands())
        if (name == command->name)
            return *command;
    throw failure(exit_usage, "completion: there is no command '" + as_written(name) + "'");
}

void write_below(const std::string &folder, const std::string &file, const std::string &text)
{
    make_folder(folder);
    write_file(folder + "/" + file, text);
}

void write_all(const std::string &share)
{
    write_below(share + "/bash-completion/completions", "walkway", bash_completion());
    write_below(share + "/zsh/site-functions", "_walkway", zsh_completion());
    write_below(share + "/man/man1", "walkway.1", man_overview());
    for (const command_def *command : all_commands())
        write_below(share + "/man/man1", std::string("walkway-") + command->name + ".1", man_page(*command));
}

int completion_main(const arguments &args)
{
    const std::vector<std::string> &words = args.positional;
    const std::string what = words.empty() ? "" : words[0];
    if ((what == "all") != args.has("output"))
        throw failure(exit_usage, "completion: --output is of 'completion all', which wants it");
    if (what == "all" && words.size() == 1)
        write_all(args.value("output"));
    else if (what == "bash" && words.size() == 1)
        std::cout << bash_completion();
    else if (what == "zsh" && words.size() == 1)
        std::cout << zsh_completion();
    else if (what == "man" && words.size() <= 2)
        std::cout << (words.size() == 1 ? man_overview() : man_page(command_named(words[1])));
    else
        throw failure(exit_usage, "completion: wants one of bash, zsh, man [COMMAND], all -o DIR");
    return exit_ok;
}

} // namespace

const command_def completion_command = {
    "completion",
    "completion bash\n"
    "completion zsh\n"
    "completion man [COMMAND]\n"
    "completion all -o DIR",
    "What are the commands, for a shell or for man?",
    "Installed, the files lie where shells and man look for them. Without that: eval \"$(walkway "
    "completion "
    "bash)\", or walkway completion man run | man -l -. 'all' writes them into bash-completion/, zsh/ "
    "and man/ "
    "of DIR. They are made of what --help is made of.",
    {{"output", 'o', "DIR", "of 'completion all': the folder, share/ of an installation"}},
    "walkway completion bash > ~/.local/share/bash-completion/completions/walkway",
    completion_main,
};

} // namespace walkway
