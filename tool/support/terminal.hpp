/* SPDX-License-Identifier: MIT */
/* support/terminal.hpp - the width of lines for people, and text broken to fit them. */
#ifndef WALKWAY_SUPPORT_TERMINAL_HPP
#define WALKWAY_SUPPORT_TERMINAL_HPP

#include <string>
#include <vector>

namespace walkway
{

/* Returns $COLUMNS, else the width of standard output's terminal, else a default; not below a minimum. */
size_t line_width();

/* Returns the columns of UTF-8 text. */
size_t columns_of(const std::string &text);

/* Returns the text broken at spaces; a word wider than the line, after punctuation if it has any. */
std::vector<std::string> lines_of(const std::string &text, size_t width);

/* The same joined with newlines, every line after `indent` spaces. */
std::string wrapped(const std::string &text, size_t width = line_width(), size_t indent = 0);

/* Returns paragraphs: adjacent lines are joined and broken again; empty lines stay, and lines that start with
 * a space, which continue below their text if too wide. */
std::string flowed(const std::string &text, size_t width = line_width());

} // namespace walkway

#endif
