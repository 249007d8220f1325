/* SPDX-License-Identifier: MIT */
/* model/common/unit_groups.hpp - the compute units that share an instance of a level: N neighbours by number,
 * all of them, or listed groups, "0 1 12 13 | 2 3 14 15". */
#ifndef WALKWAY_MODEL_COMMON_UNIT_GROUPS_HPP
#define WALKWAY_MODEL_COMMON_UNIT_GROUPS_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

class unit_groups
{
public:
    static constexpr uint32_t all = 0;
    using units = std::vector<unsigned>; /* units of an instance, in ascending order */

    unit_groups() = default;
    /* Groups of this many neighbours. If it does not divide the number of units, the last group has the
     * rest. */
    explicit unit_groups(uint32_t neighbours) : by_(neighbours) {}

    /* Reads a number, `all`, or lists. Returns what is wrong with the text; empty if it was accepted. */
    std::string read(const std::string &text);
    std::string text() const;
    /* Returns the neighbours of an instance; 0 for `all` and for lists. */
    uint32_t number() const { return lists_.empty() ? by_ : 0; }
    bool lists() const { return !lists_.empty(); }
    /* Returns what is wrong for `count` units: lists that omit a unit, or name one that does not exist. */
    std::string validate(unsigned count) const;
    /* Returns the groups of `count` units. Units that do not exist are left out, as are groups without any:
     * a machine can be asked before it is validated. */
    std::vector<units> of(unsigned count) const;
    /* True if there is one instance that several units could share. */
    bool one_of(unsigned count) const { return of(count).size() == 1 && (number() != 1 || lists()); }

private:
    uint32_t by_ = 1;
    std::vector<units> lists_; /* used instead if not empty */
};

/* Each group above has to lie within one group below. Returns the units of a group that does not; empty if
 * all do. */
std::string torn(const std::vector<unit_groups::units> &above, const std::vector<unit_groups::units> &below);

} // namespace walkway

#endif
