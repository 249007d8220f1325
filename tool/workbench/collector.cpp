/* SPDX-License-Identifier: MIT */
/* workbench/collector.cpp - loads records into rows. A file is removed or emptied after its row is committed.
 * If the process is killed in between, the next one loads the file again, and finds its row. */
#include "workbench/collector.hpp"

#include "workbench/run_record.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace walkway
{

namespace fs = std::filesystem;

static constexpr size_t most_waiting = 200;  /* ended runs that wait for one transaction */
static constexpr size_t most_at_once = 5000; /* files per transaction; each transaction waits for the disk */

std::string folder_of_runs(const std::string &results)
{
    return results + ".runs";
}

std::string record_file(const std::string &folder, const std::string &key, const char *left)
{
    return folder + "/" + key + left;
}

json read_record(const std::string &file)
{
    std::ifstream in(file, std::ios::binary);
    json record = json::from_cbor(in, true, false);
    const bool whole = record.is_object() && record.contains("format") &&
                       record.at("format") == record_format && record.contains("key") &&
                       record.contains("workload") && record.at("workload").is_object();
    return whole ? record : json();
}

static std::vector<std::string> files_in(const std::string &folder, const char *extension)
{
    std::vector<std::string> files;
    std::error_code ignored; /* a missing folder has no files */
    for (const auto &entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == extension)
            files.push_back(entry.path().string());
    return files;
}

void collector::load(const std::vector<std::string> &files, after how)
{
    for (size_t from = 0; from < files.size(); from += most_at_once) {
        const size_t to = std::min(files.size(), from + most_at_once);
        std::vector<bool> whole(to - from, false);
        transaction all(results_.db());
        for (size_t i = from; i < to; ++i) {
            const json record = read_record(files[i]);
            whole[i - from] = !record.is_null();
            if (whole[i - from])
                results_.add(record);
        }
        all.commit();
        for (size_t i = from; i < to; ++i) {
            if (how == after::remove || !whole[i - from])
                std::remove(files[i].c_str());
            else if (truncate(files[i].c_str(), 0) == 0)
                marked_.insert(files[i]);
        }
    }
}

void collector::load_all()
{
    for (const char *extension : {run_lost, run_ended}) /* in this order: an ended run replaces a lost one */
        load(files_in(folder_, extension), after::remove);
}

void collector::remove_folder()
{
    std::error_code ignored;
    std::set<std::string> done;
    for (const auto &entry : fs::directory_iterator(folder_, ignored)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension().string().compare(0, 4, ".tmp") != 0)
            continue;
        if (done.empty())
            done = results_.done();
        if (done.count(name.substr(0, name.find('.'))) != 0)
            std::remove(entry.path().c_str());
    }
    fs::remove(folder_, ignored); /* fails if it is not empty */
}

void collector::load_tried()
{
    load(files_in(folder_, run_tried), after::remove);
}

size_t collector::look()
{
    std::vector<std::string> files;
    std::error_code gone;
    for (const std::string &file : files_in(folder_, run_ended))
        if (marked_.count(file) == 0 && fs::file_size(file, gone) != 0 && !gone)
            files.push_back(file);
    load(files, after::mark);
    return files.size();
}

void collector::look_all()
{
    load(files_in(folder_, run_lost), after::remove);
    look();
}

bool collector::has(const std::string &key) const
{
    std::error_code ignored;
    return marked_.count(record_file(folder_, key, run_ended)) != 0 ||
           fs::exists(record_file(folder_, key, run_lost), ignored);
}

void collector::add(const std::string &file)
{
    waiting_.push_back(file);
    if (waiting_.size() >= most_waiting || std::chrono::steady_clock::now() - last_ > std::chrono::seconds(2))
        flush();
}

void collector::add(const json &record)
{
    transaction all(results_.db());
    results_.add(record);
    all.commit();
}

void collector::flush()
{
    load(waiting_, after::remove);
    waiting_.clear();
    last_ = std::chrono::steady_clock::now();
}

} // namespace walkway
