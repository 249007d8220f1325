/* SPDX-License-Identifier: MIT */
/* model/common/signals.hpp - a signal is declared once, in its block's signals(): name, width or states,
 * value and definition. `walkway list signals` uses the declarations, a waveform writer the values; both run
 * the same function. Values come from the block's state after its last step. The visitor is a class and not
 * an interface because it runs after every step of every block in the window: an unchanged signal costs a
 * load and a compare. A block of many signals may mark those that its steps touch, and skip the rest. */
#ifndef WALKWAY_MODEL_COMMON_SIGNALS_HPP
#define WALKWAY_MODEL_COMMON_SIGNALS_HPP

#include "model/common/clock.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* Names of the values of a state signal: names[value]. `name` must be unique, as viewers' filter files have
 * it. */
struct signal_states {
    const char *name;
    std::vector<const char *> names;
    std::vector<const char *> texts;
    unsigned bits() const;
};

/* Expand a list of X(name, text) to an enum's names, and to the same for viewers. */
#define WALKWAY_STATE(name, text) name,
#define WALKWAY_STATE_NAME(name, text) #name,
#define WALKWAY_STATE_TEXT(name, text) text,
#define WALKWAY_SIGNAL_STATES(name, LIST)                                                                    \
    name, {LIST(WALKWAY_STATE_NAME)},                                                                        \
    {                                                                                                        \
        LIST(WALKWAY_STATE_TEXT)                                                                             \
    }

enum class signal_kind : uint8_t {
    value, /* a number */
    state, /* one of the names */
    pulse, /* number of occurrences in a clock cycle; 0 again at the next edge */
};

struct signal_info {
    std::string block; /* "iommu" */
    std::string name;  /* "walk_unit.walker_0.state" */
    signal_kind kind;
    unsigned bits;
    const signal_states *states; /* of a state, else null */
    const char *text;
};

/* A value that differs from the one of the last visit. */
struct signal_change {
    size_t signal;
    uint64_t before;
};

/* The signals that a visit requests. */
enum class signal_ask : uint8_t {
    all,    /* all signals */
    touched /* signals that may have changed since the last such visit; `seen` is as of then or later */
};

/* The values of one visit. It only compares, so that a block's list of signals compiles to a load and a
 * compare each. It has the members of signal_visitor. */
class signal_values
{
public:
    signal_values() = default;
    signal_values(uint64_t *seen, signal_change *changed, signal_ask what)
        : first_(seen), seen_(seen), changed_(changed), ask_(what)
    {
    }
    signal_change *changed() const { return changed_; }

    void begin(const char *) {}
    void begin(const char *, unsigned) {}
    void end() {}
    void value(const char *, unsigned, uint64_t now, const char *) { compare(now); }
    void state(const char *, const signal_states &, uint64_t now, const char *) { compare(now); }
    void pulse(const char *, unsigned, uint64_t counter, const char *) { compare(counter); }
    bool may_skip() const { return ask_ == signal_ask::touched; }
    template <typename F> void each(uint64_t which, unsigned size, size_t signals, F &&show)
    {
        uint64_t *const first = seen_;
        for (; which != 0; which &= which - 1) {
            const auto i = static_cast<unsigned>(__builtin_ctzll(which));
            seen_ = first + i * signals;
            show(i);
        }
        seen_ = first + size * signals;
    }

private:
    void compare(uint64_t now)
    {
        if (*seen_ != now) {
            *changed_++ = signal_change{static_cast<size_t>(seen_ - first_), *seen_};
            *seen_ = now;
        }
        ++seen_;
    }
    uint64_t *first_ = nullptr, *seen_ = nullptr;
    signal_change *changed_ = nullptr;
    signal_ask ask_ = signal_ask::all;
};

class signal_visitor
{
public:
    /* Value of a signal without meaning at present, e.g. an idle walker's address. Shown as X. */
    static constexpr uint64_t nothing = UINT64_MAX;
    static constexpr unsigned max_array = 64; /* most instances shown of an array in a block */

    /* Requests the declarations of one block. */
    signal_visitor(const std::string &block, std::vector<signal_info> &list)
        : place_(std::make_unique<place>(place{list, block, block + "."}))
    {
    }
    /* Requests the values. `seen` has an element for each signal; `changed` has room for that many. */
    signal_visitor(uint64_t *seen, signal_change *changed, signal_ask what) : values_(seen, changed, what) {}
    /* Returns the end of the changes. */
    const signal_change *changed() const { return values_.changed(); }

    /* Calls signals(v), where v is a signal_values if values are requested, else this; for blocks with many
     * signals. */
    template <typename F> void show(F &&signals)
    {
        if (place_ != nullptr) {
            signals(*this);
            return;
        }
        signal_values v = values_;
        signals(v);
        values_ = v;
    }

    /* Scopes nest: begin("walker", 3) makes "walker_3". */
    void begin(const char *scope)
    {
        if (place_ != nullptr)
            enter(scope);
    }
    void begin(const char *scope, unsigned number)
    {
        if (place_ != nullptr)
            enter(std::string(scope) + "_" + std::to_string(number));
    }
    void end()
    {
        if (place_ != nullptr)
            leave();
    }

    void value(const char *name, unsigned bits, uint64_t now, const char *text)
    {
        if (place_ != nullptr)
            declare(name, signal_kind::value, bits, nullptr, text);
        else
            values_.value(name, bits, now, text);
    }
    void state(const char *name, const signal_states &states, uint64_t now, const char *text)
    {
        if (place_ != nullptr)
            declare(name, signal_kind::state, states.bits(), &states, text);
        else
            values_.state(name, states, now, text);
    }
    /* Shows the increase of `counter` per cycle. Required: it only grows, by at most 2^bits - 1 per cycle. */
    void pulse(const char *name, unsigned bits, uint64_t counter, const char *text)
    {
        if (place_ != nullptr)
            declare(name, signal_kind::pulse, bits, nullptr, text);
        else
            values_.pulse(name, bits, counter, text);
    }

    /* For blocks that mark the signals they touch. True if unmarked signals may be skipped; if false, keep
     * the marks. */
    bool may_skip() const { return false; }
    /* Shows the elements of an array of `size` (at most 64) whose bit is set. show(i) must show the same
     * number of signals for every element. */
    template <typename F> void each(uint64_t, unsigned size, size_t, F &&show)
    {
        for (unsigned i = 0; i < size; ++i)
            show(i);
    }

private:
    /* Destination of declarations. */
    struct place {
        std::vector<signal_info> &list;
        std::string block, scope;
    };
    void enter(const std::string &scope);
    void leave();
    void declare(const char *name, signal_kind kind, unsigned bits, const signal_states *states,
                 const char *text);

    std::unique_ptr<place> place_;
    signal_values values_;
};

/* Returns the bits that hold the numbers 0 .. most. */
unsigned bits_for(uint64_t most);

} // namespace walkway

#endif
