/* SPDX-License-Identifier: MIT */
/* run/progress.cpp - the progress line. */
#include "run/progress.hpp"

#include "support/numbers.hpp"

#include <cstdio>
#include <unistd.h>

namespace walkway
{

progress_line::progress_line(bool quiet)
    : shown_(!quiet && isatty(STDERR_FILENO) == 1), start_(std::chrono::steady_clock::now())
{
}

double progress_line::seconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void progress_line::message(const std::string &text)
{
    if (!shown_)
        return;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
    dirty_ = true;
}

void progress_line::update(const run_progress &at, const std::string &head)
{
    if (!shown_)
        return;
    const double elapsed = seconds();
    const double share = at.groups_total == 0
                             ? 0.0
                             : static_cast<double>(at.groups_done) / static_cast<double>(at.groups_total);
    std::string text = head.empty() ? "" : head + "  ";
    text +=
        text_of_share(share) + "  " + text_of_seconds(static_cast<double>(at.now_ps) * 1e-12) + " simulated";
    if (elapsed > 0.2)
        text += "  " + text_of_rate(static_cast<double>(at.translations) / elapsed) + " translations/s";
    if (share > 0.0)
        text += "  " + text_of_duration(elapsed * (1.0 - share) / share) + " left";
    message(text);
}

void progress_line::clear()
{
    if (!dirty_)
        return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    dirty_ = false;
}

} // namespace walkway
