/* SPDX-License-Identifier: MIT */
/* support/errors.hpp - exit codes, and the one exception that carries one. Every message to the user is the
 * text of a `failure`; main() prints it and exits with its code. */
#ifndef WALKWAY_SUPPORT_ERRORS_HPP
#define WALKWAY_SUPPORT_ERRORS_HPP

#include <memory>
#include <stdexcept>
#include <string>

namespace walkway
{

enum exit_code : int {
    exit_ok = 0,
    exit_usage = 1,  /* command line or settings */
    exit_input = 2,  /* trace, image of memory, program or capture */
    exit_law = 3,    /* a conservation law is broken, or the machine is deadlocked */
    exit_output = 4, /* a result cannot be written */
    exit_interrupted = 130,
};

/* Returns text of a file or a user in printable form: bytes that a terminal would obey become \xNN. */
inline std::string escaped(const std::string &text)
{
    static const char *const digits = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte != 0x7f)
            out += c;
        else
            out += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
    }
    return out;
}

/* The same as part of a message: a text longer than any name is cut and ends with "...". */
inline std::string as_written(const std::string &text)
{
    return escaped(text.substr(0, 120)) + (text.size() > 120 ? "..." : "");
}

class failure : public std::runtime_error
{
public:
    failure(exit_code code, const std::string &text) : std::runtime_error(text), code_(code) {}
    exit_code code() const { return code_; }

private:
    exit_code code_;
};

/* Calls `each` for every item, then throws one failure with the messages of all that failed, one per line, so
 * that a user sees every mistake at once. E is `failure`, or a type with its constructor and code(). */
template <class E, class LIST, class EACH> void each_or_every_fault(const LIST &list, EACH each)
{
    std::unique_ptr<E> first;
    std::string text;
    for (const auto &item : list)
        try {
            each(item);
        } catch (const E &e) {
            if (first == nullptr)
                first = std::make_unique<E>(e);
            text += (text.empty() ? "" : "\n") + std::string(e.what());
        }
    if (first != nullptr)
        throw E(first->code(), text);
}

} // namespace walkway

#endif
