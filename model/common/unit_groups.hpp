/* SPDX-License-Identifier: MIT */
/* model/common/unit_groups.hpp - which compute units share an instance of a level: N neighbours by number,
 * all of them, or groups that are listed, "0 1 12 13 | 2 3 14 15". */
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
    using units = std::vector<unsigned>; /* of an instance, in ascending order */

    unit_groups() = default;
    /* Groups of this many neighbours; if the number of units is no multiple of it, the last group has the
     * rest. */
    explicit unit_groups(uint32_t neighbours) : by_(neighbours) {}

    /* Reads a number, `all`, or lists. Returns what is wrong with the text; empty if it was accepted. */
    std::string read(const std::string &text);
    std::string text() const;
    /* Neighbours of an instance; 0 of `all` and of lists. */
    uint32_t number() const { return lists_.empty() ? by_ : 0; }
    bool lists() const { return !lists_.empty(); }
    /* What is wrong for `count` units: lists that leave a unit out, or name one that does not exist. */
    std::string validate(unsigned count) const;
    /* The groups of `count` units, for which validate() returns no fault. */
    std::vector<units> of(unsigned count) const;
    /* True if there is one instance that several units could share. */
    bool one_of(unsigned count) const { return of(count).size() == 1 && (number() != 1 || lists()); }

private:
    uint32_t by_ = 1;
    std::vector<units> lists_; /* instead, where there are any */
};

/* Each group above has to lie within one group below. Returns the units of a group that does not; empty if
 * all do. */
std::string torn(const std::vector<unit_groups::units> &above, const std::vector<unit_groups::units> &below);

} // namespace walkway

#endif
