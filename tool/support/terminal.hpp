/* SPDX-License-Identifier: MIT */
/* support/terminal.hpp - how wide the lines are that people read, and text broken to fit them. */
#ifndef WALKWAY_SUPPORT_TERMINAL_HPP
#define WALKWAY_SUPPORT_TERMINAL_HPP

#include <string>
#include <vector>

namespace walkway
{

/* $COLUMNS, else the terminal's of standard output, else 100; at least 40. */
size_t line_width();

/* Columns that UTF-8 text takes. */
size_t columns_of(const std::string &text);

/* Broken at spaces; a word that is wider than the line, behind punctuation where it has some. */
std::vector<std::string> lines_of(const std::string &text, size_t width);

/* The same joined with newlines, every line after `indent` spaces. */
std::string wrapped(const std::string &text, size_t width = line_width(), size_t indent = 0);

/* Paragraphs: lines that follow each other are one, broken anew; empty lines stay, and lines that start with
 * a space, which go on below their text where they are too wide. */
std::string flowed(const std::string &text, size_t width = line_width());

} // namespace walkway

#endif
