/* SPDX-License-Identifier: MIT */
/* model/common/params.hpp - a parameter is declared once, in its block's visit(): name, unit, range and
 * sentence. A machine's file gives its value and the value's origin. Parsing, `walkway list parameters`, the
 * resolved configuration in every result and the docs are visitors of that one declaration. */
#ifndef WALKWAY_MODEL_COMMON_PARAMS_HPP
#define WALKWAY_MODEL_COMMON_PARAMS_HPP

#include "model/common/pages_of_buffers.hpp"
#include "model/common/unit_groups.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace walkway
{

/* neutral: the parameter has a value that adds nothing (none, off). A machine's file may omit it, and it
 * keeps its struct's initial value. Any other parameter must be given wherever its needs are met. */
enum class if_missing : uint8_t { fault, neutral };
constexpr if_missing neutral = if_missing::neutral;

/* Properties of a parameter besides its value. */
struct param_info {
    const char *unit; /* "cycles", "entries", "bytes", "1" ... */
    uint64_t min;
    uint64_t max;
    const char *text; /* one sentence */
    if_missing missing = if_missing::fault;
};

/* Values of a choice parameter: names[value]. */
using choice_names = std::vector<const char *>;

/* Reasons why a parameter has an effect only in simulated time. */
constexpr const char *one_access =
    "nothing waits and nothing is pending: each access is alone in the machine";
constexpr const char *no_program = "no program runs: accesses are the caller's";
constexpr const char *callers_tables = "page tables are the caller's";
constexpr const char *callers_memory = "memory is the caller's, which says how long a read takes";

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
    /* Compute units that share an instance: a number of neighbours, `all`, or lists. Only levels of a path
     * have one; other blocks' visitors can ignore it. */
    virtual void groups(const char * /* key */, unit_groups & /* value */, const param_info & /* info */) {}
    /* Buffers with pages of their own: `none`, or parts. Only address spaces have one. */
    virtual void pages(const char * /* key */, pages_of_buffers & /* value */, const param_info & /* info */)
    {
    }

    /* Parameters declared from here to the end of the section have an effect only if this parameter is not 0,
     * off or false: "entries" of the same section, or "section.key"; with "store=compressed", or "table=a|b",
     * only with that choice, or one of them; "": no need from here on. */
    virtual void needs(const char * /* parameter */) {}
    /* Parameters declared from here to the end of the section have no effect on translation without time, as
     * in the C library, for this reason; "": they have, from here on. */
    virtual void only_timed(const char * /* why */) {}

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

    template <class P> void section(const char *name, const char *text, P &params, const char *timed = "")
    {
        begin(name, text);
        only_timed(timed);
        params.visit(*this);
        end();
    }
};

} // namespace walkway

#endif
