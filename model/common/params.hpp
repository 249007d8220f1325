/* SPDX-License-Identifier: MIT */
/* model/common/params.hpp - a parameter is declared once, in its block's visit(): name, unit, range, default
 * (the member's initialiser), sentence and where the default comes from. Parsing, `walkway list parameters`,
 * the resolved configuration in every result and the docs are visitors of that one declaration. */
#ifndef WALKWAY_MODEL_COMMON_PARAMS_HPP
#define WALKWAY_MODEL_COMMON_PARAMS_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace walkway
{

/* Where a default comes from. `paper`: the number stands there; the text says where, and when it is the paper
 * of another machine. `derived`: follows from such numbers or a standard. `assumed`: nobody states it.
 * `chosen`: assumed too, and fixed after results had been seen, so that no result is evidence for it. */
enum class param_origin : uint8_t { paper, derived, assumed, chosen };

inline const char *name_of(param_origin origin)
{
    static const char *const names[] = {"PAPER", "DERIVED", "ASSUMED", "CHOSEN"};
    return names[static_cast<unsigned>(origin)];
}

/* Without a default: a declaration that does not say where its number comes from does not compile. */
struct param_source {
    constexpr param_source(param_origin of, const char *said) : origin(of), text(said) {}
    param_origin origin;
    const char *text; /* table, section, reason; may be empty for an assumption */
};

constexpr param_source paper(const char *where)
{
    return {param_origin::paper, where};
}
constexpr param_source derived(const char *from)
{
    return {param_origin::derived, from};
}
constexpr param_source assumed(const char *why = "")
{
    return {param_origin::assumed, why};
}
constexpr param_source chosen(const char *why)
{
    return {param_origin::chosen, why};
}

/* What a parameter is, besides its value. */
struct param_info {
    const char *unit; /* "cycles", "entries", "bytes", "1" ... */
    uint64_t min;
    uint64_t max;
    const char *text; /* one sentence */
    param_source source;
};

/* Values of a choice parameter: names[value]. */
using choice_names = std::vector<const char *>;

class param_visitor
{
public:
    virtual ~param_visitor() = default;
    /* Parameters between begin(section) and end() have the full name "section.key". Sections do not nest. */
    virtual void begin(const char *section, const char *text) = 0;
    virtual void end() = 0;
    virtual void number(const char *key, uint64_t &value, const param_info &info) = 0;
    /* The value is an index into names; info's unit and range are not used. */
    virtual void choice(const char *key, uint8_t &value, const choice_names &names,
                        const param_info &info) = 0;
    virtual void flag(const char *key, bool &value, const param_info &info) = 0;

    /* Narrow fields go through the 64-bit form. */
    void number(const char *key, uint32_t &value, const param_info &info)
    {
        param_info narrow = info;
        if (narrow.max > std::numeric_limits<uint32_t>::max())
            narrow.max = std::numeric_limits<uint32_t>::max();
        uint64_t wide = value;
        number(key, wide, narrow);
        value = static_cast<uint32_t>(wide);
    }

    template <class P> void section(const char *name, const char *text, P &params)
    {
        begin(name, text);
        params.visit(*this);
        end();
    }
};

} // namespace walkway

#endif
