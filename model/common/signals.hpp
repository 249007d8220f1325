/* SPDX-License-Identifier: MIT */
/* model/common/signals.hpp - a signal is declared once, in its block's signals(): name, width or states,
 * value and definition. `walkway list signals` asks for the declarations, a waveform writer for the values;
 * both run the same function. Values come from the block's state as its last step left it. The visitor is a
 * class and not an interface because it runs after every step of every block in the window: an unchanged
 * signal costs a load and a compare. A block of many signals may mark what its steps touch, and skip the
 * rest. */
#ifndef WALKWAY_MODEL_COMMON_SIGNALS_HPP
#define WALKWAY_MODEL_COMMON_SIGNALS_HPP

#include "model/common/clock.hpp"
#include "model/common/output_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace walkway
{

/* Names of the values of a state signal: names[value]. `name` is unique: viewers' filter files carry it. */
struct signal_states {
    const char *name;
    std::vector<const char *> names;
    std::vector<const char *> texts;
    unsigned bits() const;
};

enum class signal_kind : uint8_t {
    value, /* a number */
    state, /* one of the names */
    pulse, /* how often something happened in a clock cycle; back to zero with the next edge */
};

struct signal_info {
    std::string block; /* "iommu" */
    std::string name;  /* "iommu.walker_0.state" */
    signal_kind kind;
    unsigned bits;
    const signal_states *states; /* of a state, else null */
    const char *text;
};

/* A dump of signals, with everything that had to be chosen chosen. */
struct wave_plan {
    std::string file;
    std::string title;               /* what was simulated, for the header; equal runs have equal titles */
    std::vector<std::string> blocks; /* names as in signal_info */
    tick from = 0;                   /* the dump begins here, or waits from here for its trigger */
    tick to = never;                 /* and ends before here */
    tick length = never;             /* or so long after its first time, whichever is earlier */
    std::string trigger;             /* name of a signal; empty: none */
    uint64_t above = 0;              /* the trigger fires when its value is greater */
};

/* The dump could not be made, and why. */
class wave_failure : public file_failure
{
public:
    using file_failure::file_failure;
};

class signal_visitor
{
public:
    /* The value of what is not there now: an idle walker's address. Shown as X. */
    static constexpr uint64_t nothing = UINT64_MAX;
    static constexpr unsigned max_array = 64; /* instances that a block shows of an array of its own */

    /* A value that differs from that of the visit before. */
    struct change {
        size_t signal;
        uint64_t before;
    };
    /* Which signals a visit asks for. */
    enum class ask : uint8_t {
        all,    /* all of them */
        touched /* those that may have changed since the last such visit; `seen` is not older than that */
    };

    /* Asks for the declarations of one block. */
    signal_visitor(const std::string &block, std::vector<signal_info> &list)
        : list_(&list), block_(block), scope_(block + ".")
    {
    }
    /* Asks for the values. `seen` has one of each signal, `changed` has room for as many. */
    signal_visitor(uint64_t *seen, change *changed, ask what) : seen_(seen), changed_(changed), ask_(what) {}
    /* So many were put there. */
    size_t changes() const { return changes_; }

    /* For blocks with marks: may this visit leave out what no mark names? A visit that may not leaves the
     * marks as they are. */
    bool may_skip() const { return ask_ == ask::touched; }
    /* Of an array of `size` (64 at most) with so many signals each, those whose bit is set; show(i) has to
     * show as many. */
    template <typename F> void each(uint64_t which, unsigned size, size_t signals, F &&show)
    {
        const size_t first = at_;
        for (; which != 0; which &= which - 1) {
            const auto i = static_cast<unsigned>(__builtin_ctzll(which));
            at_ = first + i * signals;
            show(i);
        }
        at_ = first + size * signals;
    }

    /* Scopes nest: begin("walker", 3) makes "walker_3". */
    void begin(const char *scope)
    {
        if (list_ != nullptr)
            enter(scope);
    }
    void begin(const char *scope, unsigned number)
    {
        if (list_ != nullptr)
            enter(std::string(scope) + "_" + std::to_string(number));
    }
    void end()
    {
        if (list_ != nullptr)
            leave();
    }

    void value(const char *name, unsigned bits, uint64_t now, const char *text)
    {
        if (list_ != nullptr)
            declare(name, signal_kind::value, bits, nullptr, text);
        else
            compare(now);
    }
    void state(const char *name, const signal_states &states, uint64_t now, const char *text)
    {
        if (list_ != nullptr)
            declare(name, signal_kind::state, states.bits(), &states, text);
        else
            compare(now);
    }
    /* `counter` only grows; at most 2^bits - 1 happen in a cycle. */
    void pulse(const char *name, unsigned bits, uint64_t counter, const char *text)
    {
        if (list_ != nullptr)
            declare(name, signal_kind::pulse, bits, nullptr, text);
        else
            compare(counter);
    }

private:
    void compare(uint64_t now)
    {
        uint64_t &seen = seen_[at_];
        if (seen != now) {
            changed_[changes_++] = change{at_, seen};
            seen = now;
        }
        ++at_;
    }
    void enter(const std::string &scope);
    void leave();
    void declare(const char *name, signal_kind kind, unsigned bits, const signal_states *states,
                 const char *text);

    uint64_t *seen_ = nullptr;
    change *changed_ = nullptr;
    size_t changes_ = 0, at_ = 0;
    ask ask_ = ask::all;
    std::vector<signal_info> *list_ = nullptr;
    std::string block_, scope_;
};

/* Bits that hold the numbers 0 .. most. */
unsigned bits_for(uint64_t most);

} // namespace walkway

#endif
