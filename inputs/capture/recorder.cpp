/* SPDX-License-Identifier: MIT */
/* capture/recorder.cpp - see recorder.hpp. launcher.cpp sets the environment that starts it. */
#include "capture/recorder.hpp"
#include "capture/environment.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <unistd.h>

namespace walkway::capture
{
namespace
{

std::string variable(const char *name)
{
    const char *value = std::getenv(name);
    return value ? value : "";
}

/* Returns the reasons of the first few kernels. */
std::string reasons(const std::map<std::string, std::string> &by_kernel)
{
    constexpr size_t most = 3;
    std::string text;
    size_t n = 0;
    for (auto &[kernel, why] : by_kernel) {
        if (n++ == most)
            return text + " ...";
        text += (text.empty() ? "" : "; ") + kernel + ", " + why;
    }
    return text;
}

int64_t seconds_now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* The device that the program finds. */
wkt_device device()
{
    const auto number = [](const char *name) {
        return uint32_t(std::strtoul(variable(name).c_str(), nullptr, 0));
    };
    return {number(env_device), number(env_compute_units), number(env_group_items)};
}

} // namespace

recorder &recorder::instance()
{
    static recorder *one = new recorder; /* never destroyed, as the exit handler needs it */
    return *one;
}

void recorder::open()
{
    std::lock_guard<std::mutex> hold(lock);
    std::string path = variable(env_trace);
    if (writer || !error.empty() || path.empty())
        return;
    path += "." + std::to_string(getpid());
    while (std::ifstream(path).good() || std::ifstream(path + ".partial").good())
        path += "+"; /* taken by the program that this process ran before exec() */
    error_path = variable(env_error);
    std::string program = variable(env_program), command = variable(env_command);
    level = std::atoi(variable(env_level).c_str());
    show_progress = !variable(env_progress).empty();
    most_launches = std::strtoull(variable(env_launches).c_str(), nullptr, 10);
    wkt_writer_cfg cfg = {program.c_str(), command.c_str(), capture_producer, level};
    wkt_error e;
    if (wkt_writer_open(path.c_str(), &cfg, &writer, &e) != WKT_OK) {
        writer = nullptr;
        fail_locked(e.text, e.output);
        return;
    }
    const wkt_device found = device();
    if (wkt_writer_device(writer, &found, &e) != WKT_OK)
        fail_locked(e.text);
}

void recorder::before_fork()
{
    lock.lock();
    wkt_error e;
    if (writer && wkt_writer_flush(writer, &e) != WKT_OK)
        fail_locked(e.text, true);
}

void recorder::after_fork(bool in_child)
{
    if (in_child) {
        writer = nullptr; /* the parent's */
        in_launch = false;
        error.clear();
        waiting.clear();
        dropped = 0;
        launches = 0;
        interpreted = 0;
        why_interpreted.clear();
        line_there = false;
        ranges = {};
    }
    lock.unlock();
}

void recorder::tell(const std::string &text, char mark)
{
    error = text;
    clear_line();
    if (mark != cut_mark)
        std::fprintf(stderr, "walkway capture: %s\n", text.c_str());
    if (error_path.empty())
        return;
    /* The launcher reserved room in this file, since the disk may be full: the text overwrites it. */
    std::fstream file(error_path, std::ios::in | std::ios::out | std::ios::binary);
    file << (mark ? std::string(1, mark) : std::string()) << text;
}

void recorder::fail_locked(const std::string &text, bool output)
{
    if (!error.empty())
        return;
    tell(text, output ? output_mark : '\0');
    wkt_writer_abort(writer);
    writer = nullptr;
}

/* Keeps the records so far as a trace that is marked partial. */
void recorder::give_up_locked(const std::string &text)
{
    if (!error.empty())
        return;
    seal(true);
    if (error.empty())
        tell(text, kept_mark);
}

void recorder::fail(const std::string &text)
{
    std::lock_guard<std::mutex> hold(lock);
    fail_locked(text);
}

mapped_buffer recorder::add_buffer(uint64_t bytes, uint32_t flags)
{
    std::lock_guard<std::mutex> hold(lock);
    mapped_buffer b = {ranges.take(bytes), bytes, none_buffer};
    if (ranges.exhausted())
        fail_locked("the program's buffers do not fit into 48 bits of address space");
    wkt_buffer row = {b.base_va, bytes, flags, 0, 0};
    wkt_error e;
    if (writer && wkt_writer_buffer(writer, &row, &b.number, &e) != WKT_OK)
        fail_locked(e.text);
    return b;
}

void recorder::end_buffer(const mapped_buffer &b)
{
    std::lock_guard<std::mutex> hold(lock);
    wkt_error e;
    if (writer && wkt_writer_buffer_end(writer, b.number, &e) != WKT_OK)
        fail_locked(e.text);
}

bool recorder::cut()
{
    std::lock_guard<std::mutex> hold(lock);
    if (!writer || most_launches == 0 || launches < most_launches)
        return false;
    seal(true);
    if (error.empty())
        tell("cut", cut_mark);
    return true;
}

void recorder::begin_launch(const wkt_launch &l, const std::vector<wkt_line> &lines,
                            uint32_t groups_in_launch, bool kernel_prints)
{
    std::lock_guard<std::mutex> hold(lock);
    wkt_error e;
    if (!writer)
        return;
    if (wkt_writer_launch_begin(writer, &l, &e) != WKT_OK ||
        wkt_writer_lines(writer, lines.data(), uint32_t(lines.size()), &e) != WKT_OK)
        fail_locked(e.text);
    next_group = 0;
    groups = groups_in_launch;
    kernel = l.name;
    prints = kernel_prints;
    launches++;
    in_launch = true;
}

void recorder::end_launch()
{
    std::lock_guard<std::mutex> hold(lock);
    in_launch = false;
    clear_line(); /* the program continues and may print */
    if (!writer)
        return;
    wkt_error e;
    if (next_group != groups || !waiting.empty())
        give_up_locked("Oclgrind gave up in work-group " + std::to_string(next_group) + " of kernel '" +
                       kernel + "'; its message is above");
    else if (wkt_writer_launch_end(writer, &e) != WKT_OK)
        fail_locked(e.text);
}

void recorder::launch_interpreted(const std::string &why)
{
    std::lock_guard<std::mutex> hold(lock);
    interpreted++;
    why_interpreted.emplace(kernel, why);
}

wkt_packer *recorder::take_packer()
{
    std::lock_guard<std::mutex> hold(lock);
    wkt_packer *p = nullptr;
    if (!spare.empty()) {
        p = spare.back();
        spare.pop_back();
    } else if (!(p = wkt_packer_new(level))) {
        fail_locked("out of memory");
    }
    return p;
}

void recorder::group_done(uint32_t number, wkt_packer *packer, uint64_t lanes_dropped)
{
    std::lock_guard<std::mutex> hold(lock);
    waiting[number] = {packer, lanes_dropped};
    for (auto first = waiting.begin(); first != waiting.end() && first->first == next_group; next_group++) {
        wkt_error e;
        if (writer && wkt_writer_packed(writer, first->second.packer, &e) != WKT_OK)
            fail_locked(e.text, e.output);
        if (writer)
            wkt_writer_left_out(writer, first->second.lanes_dropped);
        dropped += first->second.lanes_dropped;
        spare.push_back(first->second.packer);
        first = waiting.erase(first);
    }
    progress();
}

/* Draws the text to the right of the cursor, cut off at the terminal's edge, and puts the cursor back: the
 * program may have left it within a line of output. Draws nothing if the kernel may print. */
void recorder::progress()
{
    if (!show_progress || prints)
        return;
    int64_t now = seconds_now();
    if (now == shown_at)
        return;
    shown_at = now;
    line_there = true;
    std::fprintf(stderr,
                 "\x1b"
                 "7\x1b[?7l[capturing launch %llu, %s: work-group %u of %u]\x1b[K\x1b[?7h\x1b"
                 "8",
                 static_cast<unsigned long long>(launches), kernel.c_str(), next_group, groups);
}

void recorder::clear_line()
{
    if (line_there)
        std::fputs("\x1b[K", stderr);
    line_there = false;
}

void recorder::finish(bool partial)
{
    std::lock_guard<std::mutex> hold(lock);
    clear_line();
    if (!writer)
        return;
    if (in_launch && !partial)
        give_up_locked("the program ended while kernel '" + kernel + "' was running");
    else
        seal(partial);
}

void recorder::seal(bool partial)
{
    if (interpreted)
        std::fprintf(stderr, "walkway capture: %llu of %llu launches interpreted, not run natively: %s\n",
                     static_cast<unsigned long long>(interpreted), static_cast<unsigned long long>(launches),
                     reasons(why_interpreted).c_str());
    if (dropped)
        std::fprintf(stderr, "walkway capture: %llu lane accesses outside every buffer left out\n",
                     static_cast<unsigned long long>(dropped));
    wkt_error e;
    wkt_writer *w = writer;
    writer = nullptr;
    if (wkt_writer_seal(w, partial, &e) != WKT_OK) {
        writer = w; /* fail_locked() removes its file */
        fail_locked(e.text, e.output);
    }
}

} // namespace walkway::capture
