/* SPDX-License-Identifier: MIT */
/* capi/parameters.cpp - see parameters.hpp. */
#include "capi/parameters.hpp"

#include "capi/refusal.hpp"
#include "capi/shipped.hpp"
#include "model/common/needs.hpp"
#include "platforms/gpu_params.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "translate/tlb_stores.hpp"

#include <filesystem>

namespace walkway
{

namespace fs = std::filesystem;

namespace
{

bool is_path(const std::string &name)
{
    return name.find('/') != std::string::npos || fs::path(name).extension() == ".cfg";
}

platform_file file_at(const std::string &path)
{
    std::string text;
    try {
        text = text_of_platform_file(path);
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_FILE, e.what());
    }
    return parse_platform_file(text, path);
}

platform_file shipped_file(const shipped_platform &p)
{
    return parse_platform_file(p.text, std::string(p.name) + ".cfg");
}

platform_file file_of(const std::string &platform)
{
    if (is_path(platform))
        return file_at(platform);
    if (const shipped_platform *p = find_shipped(platform))
        return shipped_file(*p);
    throw refusal(WALKWAY_E_FILE, "there is no shipped machine '" + as_written(platform) + "'" +
                                      did_you_mean(platform, shipped_names()) +
                                      "; a file's name has a '/' or ends with .cfg");
}

std::unique_ptr<machine_params> params_of(const std::string &levels, const std::string &origin)
{
    const path_fault fault = fault_of_path(levels);
    if (!fault.why.empty())
        throw failure(exit_usage,
                      origin + ": path " + as_written(fault.why) + did_you_mean(fault.word, fault.valid));
    return make_machine_params(levels);
}

/* Reads a machine file and those that it extends. Searches for each of these beside the file that names it,
 * then among the shipped ones, which extend only each other. */
platform_chain chain_of(const std::string &platform)
{
    bool shipped = !is_path(platform);
    return read_platform_chain(file_of(platform), [&shipped](const std::string &name,
                                                             const platform_file &from) {
        std::error_code error; /* a name too long for a path is absent */
        if (!shipped && fs::exists(beside(from, name), error))
            return file_at(beside(from, name));
        shipped = true;
        if (const shipped_platform *p = find_shipped(name))
            return shipped_file(*p);
        throw refusal(WALKWAY_E_CONFIG, from.origin + ": extends: there is no " +
                                            as_written(beside(from, name)) + ", and no shipped machine '" +
                                            as_written(name) + "'" + did_you_mean(name, shipped_names()));
    });
}

} // namespace

chain_parameters::chain_parameters(const std::string &platform)
{
    try {
        const platform_chain chain = chain_of(platform);
        file_ = chain.own().path;
        levels_ = chain.levels;
        params_ = params_of(levels_, chain.origin);
        const platform_values values = values_of_chain(chain, [&chain](const std::string &levels) {
            const std::unique_ptr<machine_params> of = params_of(levels, chain.origin);
            return parameter_names([&of](param_visitor &v) { of->visit(v); });
        });
        take(values.now);
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_CONFIG, e.what());
    }
}

void chain_parameters::set(const setting &s)
{
    try {
        take({s});
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_CONFIG, e.what());
    }
}

void chain_parameters::take(const std::vector<setting> &settings)
{
    const visit_fn visit = [this](param_visitor &v) { params_->visit(v); };
    set_parameters(visit, settings, "");
    for (const setting &s : settings) {
        given_.insert(s.name);
        if (s.from)
            set_by_.erase(s.name);
        else
            set_by_[s.name] = s.origin;
    }
    all_.clear();
    for (const parameter &p : list_parameters(visit)) {
        const auto by = set_by_.find(p.name);
        index_[p.name] = all_.size();
        all_.push_back({p, by == set_by_.end() ? "" : by->second});
    }
}

std::string chain_parameters::without_effect(const std::string &name) const
{
    const chain_parameter &p = (*this)[name];
    const level *of = machine().path.find(p.section);
    const std::string why = of == nullptr || name == of->presence() || of->why_not_now().empty()
                                ? p.only_timed
                                : of->why_not_now();
    /* Reports an unmet need only for a key of a store kind that its section does not select. */
    const std::string by = !why.empty() || !is_store_key(p.key)
                               ? ""
                               : unmet_need([this](param_visitor &v) { params_->visit(v); }, name);
    return by.empty() ? why : "with this " + by;
}

void chain_parameters::refuse_missing() const
{
    const std::string missing =
        text_of_missing([this](param_visitor &v) { params_->visit(v); }, given_, file_);
    if (!missing.empty())
        throw refusal(WALKWAY_E_CONFIG, missing);
}

} // namespace walkway
