/* SPDX-License-Identifier: MIT */
/* run/machine.hpp - a machine as a command line describes it. From the most general to the most special: the
 * machine file, --seed, --set, what stands behind the ':' of its name, what a study asks for. The more
 * special setting counts, and the other is kept to be said; two as special of one parameter are refused. */
#ifndef WALKWAY_RUN_MACHINE_HPP
#define WALKWAY_RUN_MACHINE_HPP

#include "run/config.hpp"
#include "support/options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace walkway
{

struct machine_changes {
    std::vector<std::string> set;    /* "section.key=value", of every machine */
    std::optional<std::string> seed; /* of every parameter named seed */
    std::vector<std::string> study;  /* "section.key=value", what the machine is made for */
    uint64_t memory_limit = default_memory_limit;
};

/* The machine where none is named, of every command that takes one. */
constexpr const char *default_platform = "apu-micro18";

machine_changes changes_of(const arguments &args); /* --set, --seed, --memory-limit */
option_def memory_option_def();

/* NAME[:key=value,...], changed and validated; without the name it is the default's. Throws
 * failure(exit_usage) that names every setting that is wrong. */
platform_spec resolve_platform(const std::string &specification, const machine_changes &changes);

/* Several: one that begins with ':' changes the platform of the first. All are checked for memory. */
std::vector<platform_spec> resolve_platforms(const std::vector<std::string> &specifications,
                                             const machine_changes &changes);

/* Throws failure(exit_usage) where the machine would take more of the host's memory than it may; says so on
 * stderr where it is much. Of a run of these programs, or of the machine alone. Answers the estimate. */
uint64_t check_memory(const platform_spec &spec, const program_list &all);

/* Memory as long as an image that ends there, unless the machine's is or the command line says how much it
 * has: pages up to the end, and rows of main memory for them. Said on stderr. Throws failure(exit_usage)
 * where no machine has so much. */
void make_room_for_image(platform_spec &spec, uint64_t end);

/* On stderr, one line for each setting that does not count somewhere, with the machines' labels. */
void say_overruled(const std::vector<const platform_spec *> &machines);
void say_overruled(const std::vector<platform_spec> &machines);

} // namespace walkway

#endif
