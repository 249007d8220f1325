/* SPDX-License-Identifier: MIT */
/* run/progress.hpp - one line on a terminal while work goes on. Silent unless stderr is a terminal. */
#ifndef WALKWAY_RUN_PROGRESS_HPP
#define WALKWAY_RUN_PROGRESS_HPP

#include "platforms/platform.hpp"

#include <chrono>
#include <string>

namespace walkway
{

class progress_line
{
public:
    explicit progress_line(bool quiet);
    ~progress_line() { clear(); }
    progress_line(const progress_line &) = delete;
    progress_line &operator=(const progress_line &) = delete;

    bool shown() const { return shown_; }
    /* Each call replaces the line at once. message() shows the text; update() shows the share done, simulated
     * time, translations per host second, time left. `head` comes first ("3 of 8"). clear() erases the
     * line. */
    void update(const run_progress &at, const std::string &head = "");
    void message(const std::string &text);
    void clear();
    double seconds() const; /* host time since construction */

private:
    bool shown_;
    bool dirty_ = false;
    std::chrono::steady_clock::time_point start_;
};

} // namespace walkway

#endif
