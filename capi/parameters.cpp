/* SPDX-License-Identifier: MIT */
/* capi/parameters.cpp - see parameters.hpp. */
#include "capi/parameters.hpp"

#include "capi/refusal.hpp"
#include "capi/shipped.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace walkway
{

namespace fs = std::filesystem;

namespace
{

std::vector<std::string> cut(const std::string &text, const std::string &at)
{
    std::vector<std::string> parts;
    for (size_t begin = 0;;) {
        const size_t end = text.find(at, begin);
        parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
        if (end == std::string::npos)
            return parts;
        begin = end + at.size();
    }
}

/* "cycles, 1 ... 64", "1, 0 ...", "off | leaf | full": what a shipped file has behind a value, up to ';'. */
void describe(chain_parameter &p, const std::string &text)
{
    if (text.find(" | ") != std::string::npos) {
        p.choices = cut(text, " | ");
        return;
    }
    const size_t comma = text.rfind(", "), dots = text.find(" ...");
    if (comma == std::string::npos || dots == std::string::npos)
        throw refusal(WALKWAY_E_INTERNAL, p.name + ": the shipped file does not say its range: " + text);
    p.unit = text.substr(0, comma);
    p.max = UINT64_MAX;
    const std::string low = text.substr(comma + 2, dots - comma - 2),
                      high = dots + 5 < text.size() ? text.substr(dots + 5) : "";
    if (!parse_number(low, p.min) || (!high.empty() && !parse_number(high, p.max)))
        throw refusal(WALKWAY_E_INTERNAL, p.name + ": the shipped file has no range: " + text);
}

std::string range_of(const chain_parameter &p)
{
    if (p.choices.empty())
        return std::to_string(p.min) + " ... " + std::to_string(p.max);
    std::string all;
    for (const std::string &c : p.choices)
        all += (all.empty() ? "" : " | ") + c;
    return all;
}

/* As the shipped file writes it; empty when it is none. */
std::string value_of(const chain_parameter &p, const std::string &text)
{
    uint64_t number = 0;
    if (p.choices.empty())
        return parse_number(text, number) && number >= p.min && number <= p.max ? std::to_string(number) : "";
    if (p.choices == std::vector<std::string>{"false", "true"})
        return text == "on" || text == "yes" || text == "1"   ? "true"
               : text == "off" || text == "no" || text == "0" ? "false"
               : text == "true" || text == "false"            ? text
                                                              : "";
    return std::find(p.choices.begin(), p.choices.end(), text) == p.choices.end() ? "" : text;
}

bool is_path(const std::string &name)
{
    return name.find('/') != std::string::npos || fs::path(name).extension() == ".cfg";
}

std::string text_at(const std::string &path)
{
    try {
        return text_of_platform_file(path);
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_FILE, e.what());
    }
}

} // namespace

chain_parameters::chain_parameters(const std::string &platform)
{
    try {
        if (is_path(platform)) {
            apply(text_at(platform), platform, platform, 0);
        } else if (const shipped_platform *p = find_shipped(platform)) {
            apply(p->text, platform + ".cfg", platform, 0);
        } else {
            throw refusal(WALKWAY_E_FILE, "there is no shipped machine '" + as_written(platform) + "'" +
                                              did_you_mean(platform, shipped_names()) +
                                              "; a file's name has a '/' or ends with .cfg");
        }
    } catch (const failure &e) {
        throw refusal(WALKWAY_E_CONFIG, e.what());
    }
}

void chain_parameters::apply(const std::string &text, const std::string &path, const std::string &from,
                             unsigned depth)
{
    if (depth > 8)
        throw refusal(WALKWAY_E_CONFIG, from + ": 'extends' goes round in a circle, or is more than 8 deep");
    const platform_file file = parse_platform_file(text, path);
    if (file.extends.empty())
        declare(file.wiring, file.origin);
    else
        apply_extended(file, depth);
    each_or_every_fault<refusal>(file.settings, [this](const setting &s) { set(s); });
}

/* Beside the file, then among the shipped ones. */
void chain_parameters::apply_extended(const platform_file &file, unsigned depth)
{
    const std::string beside = (fs::path(file.path).parent_path() / (file.extends + ".cfg")).string();
    std::error_code error; /* a name too long for a file is none's */
    if (fs::exists(beside, error))
        return apply(text_at(beside), beside, file.origin, depth + 1);
    if (const shipped_platform *p = find_shipped(file.extends))
        return apply(p->text, file.extends + ".cfg", file.origin, depth + 1);
    throw refusal(WALKWAY_E_CONFIG, file.origin + ": extends: there is no " + as_written(beside) +
                                        ", and no shipped machine '" + as_written(file.extends) + "'" +
                                        did_you_mean(file.extends, shipped_names()));
}

/* Those of the shipped file that is whole and of this wiring. */
void chain_parameters::declare(const std::string &wiring, const std::string &origin)
{
    std::vector<std::string> wirings;
    for (const shipped_platform &p : shipped_platforms()) {
        const platform_file file = parse_platform_file(p.text, std::string(p.name) + ".cfg");
        wirings.push_back(file.wiring);
        if (file.wiring != wiring || file.parameters.empty())
            continue;
        wiring_ = wiring;
        std::istringstream in(p.text);
        std::vector<std::string> comments; /* of each value, in the order of the settings */
        for (std::string line; std::getline(in, line);) {
            const size_t equals = line.find(" = "), hash = line.find("  # ");
            if (line.empty() || line[0] == '#' || equals == std::string::npos || hash == std::string::npos)
                continue;
            comments.push_back(line.substr(hash + 4, line.find(';', hash) - hash - 4));
        }
        if (comments.size() != file.settings.size())
            throw refusal(WALKWAY_E_INTERNAL, std::string(p.name) + ".cfg: a value without its range");
        for (size_t i = 0; i < comments.size(); ++i) {
            chain_parameter one = {file.settings[i].name, file.settings[i].value, "", 0, 0, {}, ""};
            describe(one, comments[i]);
            index_[one.name] = all_.size();
            all_.push_back(one);
        }
        return;
    }
    throw refusal(WALKWAY_E_CONFIG,
                  origin + ": unknown wiring '" + as_written(wiring) + "'" + did_you_mean(wiring, wirings));
}

void chain_parameters::set(const setting &s)
{
    const auto found = index_.find(s.name);
    if (found == index_.end()) {
        std::vector<std::string> names;
        for (const chain_parameter &p : all_)
            names.push_back(p.name);
        throw refusal(WALKWAY_E_CONFIG, s.origin + ": unknown parameter '" + as_written(s.name) + "'" +
                                            did_you_mean(s.name, names));
    }
    chain_parameter &p = all_[found->second];
    const std::string value = value_of(p, s.value);
    if (value.empty())
        throw refusal(
            WALKWAY_E_CONFIG,
            s.origin + ": " + s.name + " = " + as_written(s.value) + ": is no value of it" +
                (p.choices.empty() ? did_you_mean_number(s.value) : did_you_mean_choice(s.value, p.choices)) +
                "; valid: " + range_of(p));
    p.value = value;
    p.set_by = s.origin;
}

uint64_t chain_parameters::number(const std::string &name) const
{
    const chain_parameter &p = (*this)[name];
    uint64_t value = 0;
    if (!parse_number(p.value, value))
        throw refusal(WALKWAY_E_INTERNAL, name + ": is no number");
    return value;
}

uint32_t chain_parameters::choice(const std::string &name) const
{
    const chain_parameter &p = (*this)[name];
    const auto at = std::find(p.choices.begin(), p.choices.end(), p.value);
    return static_cast<uint32_t>(at - p.choices.begin());
}

} // namespace walkway
