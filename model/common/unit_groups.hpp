/* SPDX-License-Identifier: MIT */
/* model/common/unit_groups.hpp - which compute units share an instance of a level: so many neighbours by
 * number, all of them, or groups that are listed, "0 1 12 13 | 2 3 14 15". */
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
    /* So many neighbours; of a number of units that it does not divide, the last group has the rest. */
    explicit unit_groups(uint32_t neighbours) : by_(neighbours) {}

    /* A number, `all`, or lists; what is wrong with the text, or empty: then it is taken. */
    std::string read(const std::string &text);
    std::string text() const;
    /* Neighbours of an instance; 0 of `all` and of lists. */
    uint32_t number() const { return lists_.empty() ? by_ : 0; }
    bool lists() const { return !lists_.empty(); }
    /* What is wrong for so many units: lists that leave one out, or name one that is not there. */
    std::string validate(unsigned count) const;
    /* Of so many units, which validate() lets through. */
    std::vector<units> of(unsigned count) const;
    /* Is there one instance, which more than one unit could have? */
    bool one_of(unsigned count) const { return of(count).size() == 1 && (number() != 1 || lists()); }

private:
    uint32_t by_ = 1;
    std::vector<units> lists_; /* instead, where there are any */
};

/* What is wrong where each group above has to lie in one of those below: empty, or who is torn apart. */
std::string torn(const std::vector<unit_groups::units> &above, const std::vector<unit_groups::units> &below);

} // namespace walkway

#endif
