/* SPDX-License-Identifier: MIT */
/* support/parameters.hpp - parameters as a list, and setting one by name from text. Both visit the one
 * declaration in the block's visit(). */
#ifndef WALKWAY_SUPPORT_PARAMETERS_HPP
#define WALKWAY_SUPPORT_PARAMETERS_HPP

#include "model/common/params.hpp"
#include "support/ini_file.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

struct parameter {
    /* groups: compute units that share an instance (unit_groups). pages: buffers with pages of another size
     * (pages_of_buffers). */
    enum class kind { number, choice, flag, groups, pages };
    kind what;
    std::string section, section_text;
    std::string key;
    std::string name;  /* section.key, or key alone outside every section */
    std::string value; /* in the form of a .cfg */
    uint64_t number;   /* a choice's index, a flag's 0 or 1, groups' size or 0, pages' 0 */
    std::string unit, text;
    value_origin from;                /* of the value in the machine's files; list_parameters(): ASSUMED */
    uint64_t min, max;                /* of numbers and groups; max UINT64_MAX: there is no upper limit */
    std::vector<std::string> choices; /* of choices; "false" and "true" of flags */
    std::string only_timed;           /* why it has no effect on translation without time; "": it has one */

    std::string range() const; /* "1 ... 64", "off | leaf | full", "1 ..." without an upper limit */
    std::string provenance() const { return provenance_of(from); } /* "PAPER [M18] Table I" */
};

/* Visits each parameter of its owner. */
using visit_fn = std::function<void(param_visitor &)>;

/* Returns the parameters with their present values, in order of declaration. */
std::vector<parameter> list_parameters(const visit_fn &visit);
std::vector<std::string> parameter_names(const visit_fn &visit);

/* Sets parameters, all in one visit. Of settings with the same name, the first counts. Throws
 * failure(exit_usage) that names every fault, each after its setting's origin ("file:line" or "--set"): an
 * unknown name, with the nearest, and a value that is no number or outside the range, with the range. The
 * settings without a fault are set all the same. `lister` ends the text about an unknown name:
 * "; 'walkway list parameters' has them all", or empty. */
void set_parameters(const visit_fn &visit, const std::vector<setting> &settings, const std::string &lister);
void set_parameter(const visit_fn &visit, const std::string &name, const std::string &value,
                   const std::string &origin, const std::string &lister);

} // namespace walkway

#endif
