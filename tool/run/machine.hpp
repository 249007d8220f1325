/* SPDX-License-Identifier: MIT */
/* run/machine.hpp - a machine as a command line describes it. From the most general to the most specific: the
 * machine file, --seed, --set, the part after the ':' of its name, the settings of a study. The more specific
 * setting counts, and the other is kept for a message; two equally specific ones of one parameter are
 * refused. */
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
    std::vector<std::string> set;    /* "section.key=value", for every machine */
    std::optional<std::string> seed; /* for every parameter named seed */
    std::vector<std::string> study;  /* "section.key=value", the purpose of the machine */
    uint64_t memory_limit = default_memory_limit;
};

/* The default machine of every command that takes one. */
constexpr const char *default_platform = "apu-micro18";

machine_changes changes_of(const arguments &args); /* --set, --seed, --memory-limit */
option_def memory_option_def();

/* Returns the machine NAME[:key=value,...], changed and validated; without the name, the default's. Throws
 * failure(exit_usage) that names every wrong setting. */
platform_spec resolve_platform(const std::string &specification, const machine_changes &changes);

/* The same for several: one that begins with ':' changes the platform of the first. Checks the memory of
 * all. */
std::vector<platform_spec> resolve_platforms(const std::vector<std::string> &specifications,
                                             const machine_changes &changes);

/* Checks the host memory of a run of these programs, or of the machine alone; prints a notice on stderr if it
 * is much. Returns the estimate. Throws failure(exit_usage) if it exceeds the limit. */
uint64_t check_memory(const platform_spec &spec, const program_list &all);

/* Sets the machine's memory to the length of an image that ends there, unless the machine's is, or the
 * command line sets it: pages up to the end, and rows of main memory for them. Reports it on stderr. Throws
 * failure(exit_usage) if no machine can have that much. */
void make_room_for_image(platform_spec &spec, uint64_t end);

/* Prints on stderr one line for each setting without effect, with the machines' labels. */
void say_overruled(const std::vector<const platform_spec *> &machines);
void say_overruled(const std::vector<platform_spec> &machines);

} // namespace walkway

#endif
