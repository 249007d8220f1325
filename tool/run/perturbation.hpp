/* SPDX-License-Identifier: MIT */
/* run/perturbation.hpp - changes of a machine without architectural meaning: a response one cycle earlier or
 * later, launches some cycles later, frames elsewhere. A result's changes under them are noise; a smaller
 * difference does not count. A fixed list, applied alike to baseline and design, so that a ratio is always of
 * two machines with the same changes. */
#ifndef WALKWAY_RUN_PERTURBATION_HPP
#define WALKWAY_RUN_PERTURBATION_HPP

#include "run/config.hpp"
#include "support/options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace walkway
{

/* A change relative to the parameter's value: a user's setting is moved, never replaced. */
struct nudge {
    std::string name; /* section.key */
    int64_t by;
};

constexpr unsigned perturbations = 12; /* besides the unchanged machine */

/* Returns perturbation `number`, from 1 to `perturbations`, for these machines: the changes of
 * docs/results/reproduction.md that each of them can take. A parameter that one of them does not have, or
 * whose changed value one of them refuses, is unchanged on all. Throws failure(exit_usage) if none is left,
 * because the run would be the unperturbed one. */
std::vector<nudge> nudges_for(unsigned number, const std::vector<platform_config *> &machines);

/* Makes the changes. Throws failure(exit_usage), with some of them made, if the machine refuses them
 * together. number: for the message. */
void apply(platform_spec &machine, const std::vector<nudge> &nudges, unsigned number);

/* Returns the form in reports: "l2_tlb.link_cycles - 1". */
std::string text_of_nudge(const nudge &n);

/* --ranges[=N]: perturbed runs besides the unperturbed one, 1 to `perturbations`, or 7 without N.
 * ranges_of() returns N, or 0 without the option; throws failure(exit_usage). */
extern const option_def ranges_option;
unsigned ranges_of(const arguments &args);

/* Returns one entry for each run of a machine, the unperturbed set first, calling `make` for each. The
 * machines of one entry belong together. Appends to *nudges, which is not null, the changes of each entry:
 * none for the first. Throws as nudges_for() and apply(). */
std::vector<std::vector<platform_spec>> perturbed(unsigned ranges,
                                                  const std::function<std::vector<platform_spec>()> &make,
                                                  std::vector<std::vector<nudge>> *nudges);

} // namespace walkway

#endif
