/* SPDX-License-Identifier: MIT */
/* run/result_folder.cpp - writes the manifest and handles results of earlier commands. */
#include "run/result_folder.hpp"

#include "run/input.hpp"
#include "run/result.hpp"
#include "run/simulate.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr int manifest_version = 1;
static const char *const manifest_name = "/manifest.json";

static std::string contents_of(const std::string &path)
{
    std::error_code error; /* reading a folder would throw */
    if (!fs::is_regular_file(path, error))
        return "";
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

static std::string hash_text(const std::string &text)
{
    return text_of_checksum(wkt_hash64(text.data(), text.size(), 0));
}

result_folder::result_folder(const std::string &path, const std::string &command, const arguments &args)
    : path_(path), command_(command), words_(args.words)
{
    make_folder(path);
    refuse_to_overwrite("--output", path + manifest_name);
    lock_.emplace(path, "writes its results there");
}

/* Returns null if there is none. A file that is not a manifest is the user's, and must not be lost. */
static json manifest_of(const std::string &folder)
{
    const std::string path = folder + manifest_name;
    if (access(path.c_str(), F_OK) != 0)
        return nullptr;
    const json manifest = json::parse(contents_of(path), nullptr, false);
    const bool ours = manifest.is_object() && manifest.contains("results") &&
                      manifest["results"].is_array() && manifest.contains("command") &&
                      manifest["command"].is_array() && !manifest["command"].empty() &&
                      manifest["command"][0].is_string();
    if (!ours)
        throw failure(exit_output, path + ": is no manifest of this program: choose another folder");
    return manifest;
}

/* Returns a member that is a text; empty if there is none. */
static std::string text_in(const json &object, const char *name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/* Returns true if the contents are a result of this program. */
static bool has_result(const std::string &folder)
{
    const json stats = json::parse(contents_of(folder + "/stats.json"), nullptr, false);
    return stats.is_object() && stats.contains("program") && stats.contains("statistics") &&
           text_in(stats["program"], "name") == "walkway";
}

/* Removes folders that become empty, too, except `parent`. */
static void remove_result(const std::string &parent, const std::string &name)
{
    const std::string folder = parent + "/" + name;
    if (has_result(folder))
        for (const char *file : {"/stats.json", "/host.json"})
            std::remove((folder + file).c_str());
    const size_t slash = name.rfind('/');
    if (rmdir(folder.c_str()) == 0 && slash != std::string::npos) /* nothing else was in it */
        rmdir((parent + "/" + name.substr(0, slash)).c_str());
}

/* Ignores folders that are not below this one, since users can edit a manifest. */
static std::vector<std::string> folders_in(const json &manifest)
{
    std::vector<std::string> names;
    for (const json &result : manifest["results"]) {
        const std::string name =
            result.is_object() && result.contains("folder") && result["folder"].is_string()
                ? result["folder"].get<std::string>()
                : "";
        const fs::path path(name);
        const bool below =
            path.is_relative() && std::none_of(path.begin(), path.end(), [](const fs::path &part) {
                return part.empty() || part == "." || part == "..";
            });
        if (below && !name.empty())
            names.push_back(name);
    }
    return names;
}

static std::string some_of(const std::vector<std::string> &names)
{
    std::vector<std::string> written;
    std::transform(names.begin(), names.end(), std::back_inserter(written),
                   [](const std::string &name) { return as_written(name); });
    return listed(written, 6);
}

/* Returns a hash of every stats.json in and below the folder; empty if there are none. */
static std::string hash_of_results(const std::string &folder)
{
    std::map<std::string, std::string> results; /* in a fixed order */
    std::error_code ignored;
    for (const auto &entry : fs::recursive_directory_iterator(folder, ignored))
        if (entry.path().filename() == "stats.json")
            results[fs::relative(entry.path(), folder, ignored).string()] = contents_of(entry.path());
    std::string all;
    for (const auto &[name, contents] : results)
        all += name + '\n' + contents;
    return all.empty() ? "" : hash_text(all);
}

/* Copies the results. Succeeds, too, if another process makes the place meanwhile: its contents are equal. */
static bool place_results(const std::string &folder, const fs::path &place)
{
    std::error_code error;
    fs::create_directories(place.parent_path(), error);
    std::string made =
        (place.parent_path() / ("new-" + std::string(6, 'X'))).string(); /* mkdtemp's pattern */
    if (error || mkdtemp(made.data()) == nullptr)
        return false;
    fs::copy(folder, made, fs::copy_options::recursive, error);
    if (!error)
        fs::rename(made, place, error);
    std::error_code ignored;
    if (error)
        fs::remove_all(made, ignored);
    return !error || fs::exists(place, ignored);
}

void keep_results(const std::string &folder, const std::string &name)
{
    const std::string hash = hash_of_results(folder);
    if (hash.empty())
        return; /* every run failed and reported it */
    const std::string cache = cache_folder();
    const fs::path place = fs::path(cache) / "results" / (file_name_of(name) + "-" + hash);
    std::error_code ignored;
    if (!cache.empty() && (fs::exists(place, ignored) || place_results(folder, place)))
        std::cerr << "walkway: this took long, so its statistics are kept in " << as_written(place.string())
                  << "; --output chooses another place\n";
    else
        std::cerr << "walkway: this took long, and its statistics are not kept"
                  << (cache.empty() ? ": there is no home" : ": " + as_written(cache) + " cannot be written")
                  << "; --output chooses another place\n";
}

result_subject subject_of_trace(const std::string &machine, const std::string &trace)
{
    result_subject s{machine, fs::path(trace).filename().string(), ""};
    try {
        s.key = text_of_checksum(wkt_reader_info(open_trace(trace).get())->checksum);
    } catch (const failure &) { /* its run reports the error */
    }
    return s;
}

static result_subject subject_of_result(const std::string &folder)
{
    const json stats = json::parse(contents_of(folder + "/stats.json"), nullptr, false);
    const std::string machine =
        text_in(json::parse(contents_of(folder + "/host.json"), nullptr, false), "machine");
    result_subject s{machine.empty() ? "another machine" : machine, "", ""};
    if (stats.contains("trace")) {
        s.work = text_in(stats["trace"], "file");
        s.key = text_in(stats["trace"], "checksum");
    } else if (stats.contains("guest")) {
        s.work = s.key = text_in(stats["guest"], "kernel");
    }
    return s;
}

void result_folder::say_replaced(const std::string &folder, const result_subject &now)
{
    if (!has_result(folder))
        return;
    const result_subject before = subject_of_result(folder);
    const bool same_work = before.key == now.key || before.key.empty() || now.key.empty();
    if (same_work && before.machine == now.machine)
        return;
    const auto text = [&](const result_subject &s) {
        return as_written(s.machine) + (same_work ? "" : " on " + as_written(s.work));
    };
    std::cerr << "walkway: " << as_written(folder) << ": the result of " << text(before)
              << " is replaced by one of " << text(now) << '\n';
}

void result_folder::clear(const std::vector<planned_result> &plan)
{
    const json earlier = manifest_of(path_);
    const std::string command = earlier.is_null() ? "" : earlier["command"][0].get<std::string>();
    for (const planned_result &p : plan)
        if (has_result(path_ + "/" + p.folder))
            say_replaced(path_ + "/" + p.folder, subject_of_trace(p.machine, p.trace));
    const auto is_planned = [&plan](const std::string &name) {
        return std::any_of(plan.begin(), plan.end(),
                           [&name](const planned_result &p) { return p.folder == name; });
    };
    std::vector<std::string> gone, strange;
    if (!earlier.is_null()) {
        for (const std::string &name : folders_in(earlier)) {
            remove_result(path_, name);
            if (!is_planned(name))
                gone.push_back(name);
        }
        if (!gone.empty())
            std::cerr << "walkway: " << as_written(path_) << ": results of an earlier " << as_written(command)
                      << " are gone: " << some_of(gone) << '\n';
        std::remove((path_ + manifest_name).c_str());
    }
    for (const planned_result &p : plan)
        remove_result(path_, p.folder);
    std::remove((path_ + "/compare.json").c_str());
    std::error_code ignored;
    for (const auto &entry : fs::directory_iterator(path_, ignored))
        if (entry.is_directory(ignored) && has_result(entry.path().string()))
            strange.push_back(entry.path().filename().string());
    if (!plan.empty() && has_result(path_))
        strange.emplace_back("stats.json");
    std::sort(strange.begin(), strange.end());
    if (!strange.empty())
        std::cerr << "walkway: " << as_written(path_)
                  << ": results that are not of this command stay: " << some_of(strange) << '\n';
}

static std::string now_text()
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    char text[32];
    std::tm parts{};
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    return text;
}

json result_folder::head() const
{
    json words = {command_};
    for (const std::string &word : words_)
        words.push_back(word);
    return {{"schema_version", manifest_version},
            {"program", program_json()},
            {"command", words},
            {"started", started_}};
}

void result_folder::write(const json &manifest) const
{
    write_file(path_ + manifest_name, dump(manifest));
}

void result_folder::begin(const std::vector<planned_result> &plan)
{
    plan_ = plan;
    started_ = now_text();
    json manifest = head();
    manifest["complete"] = false;
    manifest["results"] = json::array();
    for (const planned_result &p : plan_)
        manifest["results"].push_back(
            {{"folder", p.folder}, {"machine", p.machine + p.perturbation}, {"trace", p.trace}});
    write(manifest);
}

void result_folder::finish(const std::vector<job_result> &ends, const std::vector<std::string> &files)
{
    json manifest = head();
    bool complete = true;
    json results = json::array();
    for (size_t i = 0; i < plan_.size(); ++i) {
        const planned_result &p = plan_[i];
        json entry = {{"folder", p.folder}, {"machine", p.machine + p.perturbation}, {"trace", p.trace}};
        if (i < ends.size())
            entry["exit_code"] = static_cast<int>(ends[i].code);
        const std::string file = path_ + "/" + p.folder + "/stats.json";
        const json stats = read_result(file);
        const bool whole = !stats.is_null() && !stats.at("partial").get<bool>();
        complete = complete && whole && (i >= ends.size() || ends[i].code == exit_ok);
        if (!stats.is_null()) {
            entry["partial"] = stats.at("partial");
            entry["trace_checksum"] = stats.at("trace").at("checksum");
            entry["configuration_hash"] = hash_text(stats.at("configuration").dump());
            entry["stats_hash"] = hash_text(contents_of(file));
        }
        results.push_back(entry);
    }
    manifest["finished"] = now_text();
    manifest["complete"] = complete;
    manifest["results"] = results;
    manifest["files"] = files;
    write(manifest);
}

} // namespace walkway
