/* SPDX-License-Identifier: MIT */
/* capture/source_lines.cpp - see source_lines.hpp. */
#include "capture/source_lines.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instruction.h>
#include <oclgrind/Program.h>

#include <fstream>
#include <regex>
#include <tuple>

namespace walkway::capture
{
namespace
{

constexpr const char *program_source = "input.cl"; /* Oclgrind's name for a program's own text */
constexpr size_t most_text = 200;                  /* generated code may be one long line */

std::string trimmed(const std::string &line)
{
    constexpr const char *blank = " \t\r\n\f\v";
    const size_t first = line.find_first_not_of(blank);
    if (first == std::string::npos)
        return {};
    const std::string text = line.substr(first, line.find_last_not_of(blank) + 1 - first);
    if (text.size() <= most_text)
        return text;
    size_t n = most_text - 3;
    while (n != 0 && (text[n] & 0xc0) == 0x80) /* does not split a character of UTF-8 */
        --n;
    return text.substr(0, n) + "...";
}

/* Parses `#line 12 "file"`: sets the number of the next line and, if it is named, the file. */
bool renumbers(const std::string &text, uint32_t &line, std::string &file)
{
    /* Never destroyed: kernels may run while other objects are. */
    static const std::regex &directive =
        *new std::regex("\\s*#\\s*(?:line\\s+)?([0-9]{1,9})(?:\\s+\"([^\"]*)\".*)?\\s*");
    std::smatch words;
    if (text.find('#') == std::string::npos || !std::regex_match(text, words, directive))
        return false;
    line = uint32_t(std::stoul(words[1]));
    if (words[2].matched)
        file = words[2];
    return true;
}

} // namespace

/* Numbers the lines as the compiler does, #line included. */
void source_lines::look_at(const oclgrind::Program &program)
{
    if (program_uid == program.getUID())
        return;
    program_uid = program.getUID();
    of_program.clear();
    std::string file = program_source;
    uint32_t line = 1;
    for (size_t i = 1; i <= program.getNumSourceLines(); i++) {
        const std::string text = program.getSourceLine(i);
        if (!renumbers(text, line, file))
            of_program[file][line++] = trimmed(text);
    }
}

/* Reads an included file once, at the first request for it. Returns an empty string for an absent line. */
std::string source_lines::text_of(const std::string &file, uint32_t line)
{
    auto known = of_program.find(file);
    if (known == of_program.end()) {
        bool added = false;
        std::tie(known, added) = included.try_emplace(file);
        std::ifstream in(file);
        std::string text;
        for (uint32_t i = 1; added && std::getline(in, text); i++)
            known->second[i] = trimmed(text);
    }
    const auto found = known->second.find(line);
    return found == known->second.end() ? "" : found->second;
}

const std::vector<wkt_line> &source_lines::of(const layout &code, const oclgrind::Program &program)
{
    lines.clear();
    strings.clear();
    look_at(program);
    for (const placed_instruction &placed : code.instructions) {
        const llvm::DILocation *at = placed.site == none ? nullptr : placed.instruction->getDebugLoc().get();
        if (!at || at->getLine() == 0) /* 0: made by the compiler */
            continue;
        const std::string file = at->getFilename().str();
        lines.push_back({code.sites[placed.site].pc, at->getLine(), strings.insert(file).first->c_str(),
                         strings.insert(text_of(file, at->getLine())).first->c_str()});
    }
    return lines;
}

} // namespace walkway::capture
