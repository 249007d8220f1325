/* SPDX-License-Identifier: MIT */
/* workbench/points.hpp - the points of a study, and the machine of each. */
#ifndef WALKWAY_WORKBENCH_POINTS_HPP
#define WALKWAY_WORKBENCH_POINTS_HPP

#include "run/config.hpp"
#include "run/machine.hpp"
#include "run/perturbation.hpp"
#include "workbench/study_file.hpp"

#include <map>
#include <vector>

namespace walkway
{

/* A point. Repeats are outermost, so that a stopped sweep has whole comparisons; then workloads, platforms
 * and axes, the last axis fastest. */
struct point {
    uint64_t number; /* from 0, in that order, constraints ignored */
    unsigned repeat; /* 0: the unperturbed machine */
    size_t workload, platform;
    std::vector<size_t> at; /* index of each axis's value */
};

/* Returns the point of a number. */
point point_at(const study_file &study, uint64_t number);

/* True if one of the list, SECTION.KEY=VALUE, sets what the change does. */
bool sets(const std::vector<std::string> &list, const std::string &change);

/* The machines of a study, each prepared for one point at a time. */
class study_machines
{
public:
    /* Throws failure(exit_usage) for unknown platforms and axes, with file and line. */
    study_machines(const study_file &study, const machine_changes &changes);

    point decode(uint64_t number) const { return point_at(study_, number); }
    uint64_t size() const { return size_; }

    /* Returns the platform's machine with the point's values, valid until the next call; null if a constraint
     * leaves the point out. Throws failure(exit_usage) if it is no machine: "study.cfg: LABEL: why". */
    platform_spec *at(const point &p);
    /* Returns the values of at()'s machine: of each axis, and those moved by a perturbation. */
    std::vector<setting> changes(const point &p);
    /* Returns one of machines_wanted(), without a point's values. */
    platform_spec &platform(size_t i)
    {
        restore(i);
        return specs_[i];
    }
    std::string machine_name(const point &p) const; /* "apu-micro18, walk_unit.walkers=4" */
    std::string label(const point &p) const;        /* "mvt, apu-micro18, walk_unit.walkers=4" */
    /* Returns the changes of a perturbation, on all needed machines. */
    const std::vector<nudge> &nudges(unsigned repeat) const { return nudges_[repeat]; }
    /* Returns how many points each constraint has left out so far. */
    const std::vector<uint64_t> &left_out() const { return left_out_; }
    const study_file &study() const { return study_; }

private:
    machine_changes changes_of(const study_machine &machine, const machine_changes &changes) const;
    void restore(size_t platform);
    void check_axes(size_t platform);
    bool wanted(platform_spec &spec);
    bool is_axis(const std::string &name) const;

    const study_file &study_;
    uint64_t size_;
    std::vector<platform_spec> specs_;
    std::vector<std::map<std::string, std::string>> base_; /* values that points change, by platform */
    std::vector<std::vector<nudge>> nudges_;               /* by repeat */
    std::vector<uint64_t> left_out_;
};

} // namespace walkway

#endif
