/* SPDX-License-Identifier: MIT */
/* capi/parameters.cpp - see parameters.hpp. */
#include "capi/parameters.hpp"

#include "capi/refusal.hpp"
#include "capi/shipped.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"

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

/* Beside the file, then among the shipped ones. */
platform_file base_of(const std::string &name, const platform_file &from)
{
    const std::string beside = (fs::path(from.path).parent_path() / (name + ".cfg")).string();
    std::error_code error; /* a name too long for a file is none's */
    if (find_shipped(fs::path(from.path).stem().string()) == nullptr && fs::exists(beside, error))
        return file_at(beside);
    if (const shipped_platform *p = find_shipped(name))
        return shipped_file(*p);
    throw refusal(WALKWAY_E_CONFIG, from.origin + ": extends: there is no " + as_written(beside) +
                                        ", and no shipped machine '" + as_written(name) + "'" +
                                        did_you_mean(name, shipped_names()));
}

} // namespace

class chain_parameters::reader final : public platform_settings
{
public:
    explicit reader(chain_parameters &to) : to_(to) {}
    std::vector<std::string> names_of(const std::string &wiring, const std::string &place) override
    {
        const std::unique_ptr<machine_params> params = make_machine_params(wiring);
        if (params == nullptr)
            throw failure(exit_usage, place + ": unknown wiring '" + as_written(wiring) + "'" +
                                          did_you_mean(wiring, platform_wirings()));
        return parameter_names([&params](param_visitor &v) { params->visit(v); });
    }
    void set(const setting &s) override { to_.take(s); }

private:
    chain_parameters &to_;
};

chain_parameters::chain_parameters(const std::string &platform)
{
    try {
        const platform_chain chain = read_platform_chain(file_of(platform), base_of);
        wiring_ = chain.wiring;
        reader to(*this);
        to.names_of(wiring_, chain.own().origin); /* is there such a wiring? */
        params_ = make_machine_params(wiring_);
        apply_platform_chain(chain, to);
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_CONFIG, e.what());
    }
    list();
}

void chain_parameters::take(const setting &s)
{
    set_parameter([this](param_visitor &v) { params_->visit(v); }, s.name, s.value, s.origin, "");
    set_by_.erase(s.name);
    if (!s.from)
        set_by_[s.name] = s.origin;
}

void chain_parameters::set(const setting &s)
{
    try {
        take(s);
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_CONFIG, e.what());
    }
    list();
}

void chain_parameters::list()
{
    all_.clear();
    for (const parameter &p : list_parameters([this](param_visitor &v) { params_->visit(v); })) {
        const auto by = set_by_.find(p.name);
        index_[p.name] = all_.size();
        all_.push_back({p, by == set_by_.end() ? "" : by->second});
    }
}

} // namespace walkway
