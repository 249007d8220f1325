/* SPDX-License-Identifier: MIT */
/* workbench/results_file.cpp - opens and writes files of results. */
#include "workbench/results_file.hpp"

#include "run/parameters.hpp"
#include "run/simulate.hpp"
#include "run/trace_file.hpp"
#include "support/errors.hpp"
#include "support/renames.hpp"
#include "workbench/run_record.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <map>
#include <unistd.h>

namespace walkway
{

static constexpr int application = 0x574b5752; /* "WKWR" */
static const char *const schema =
#include "schema.inc"
    ;

static int64_t pragma(database &db, const char *name)
{
    statement ask(db, std::string("PRAGMA ") + name);
    return ask.step() ? ask.integer(0) : 0;
}

/* Refuses a folder and, to read, a missing file; SQLite would report both only as "cannot open". */
static const std::string &existing(const std::string &path, database::mode how)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw failure(exit_input, as_written(path) + ": is a folder, no file of results");
    if (how == database::mode::read && !std::filesystem::exists(path, error))
        throw failure(exit_input,
                      as_written(path) + ": there is no such file of results; 'walkway sweep' makes one");
    return path;
}

bool make_results_file(const std::string &path)
{
    int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const bool made = file >= 0;
    if (!made && errno == EEXIST)
        file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        throw failure(exit_output, as_written(path) + ": cannot be made: " + std::strerror(errno));
    close(file);
    return made;
}

results_file::results_file(const std::string &path, database::mode how) : db_(existing(path, how), how)
{
    if (how == database::mode::write)
        db_.run("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
    const int64_t owner = pragma(db_, "application_id");
    const int64_t version = pragma(db_, "user_version");
    const int64_t tables = [&] {
        statement ask(db_, "SELECT count(*) FROM sqlite_master");
        ask.step();
        return ask.integer(0);
    }();
    if (owner == 0 && version == 0 && tables == 0 && how == database::mode::write) {
        make_schema();
        return;
    }
    if (owner != application)
        throw failure(exit_input, as_written(path) + ": is no file of results: it " +
                                      (tables == 0 ? "is empty" : "has other tables"));
    if (version < 1 || version > results_version)
        throw failure(exit_input, as_written(path) + ": is of version " + std::to_string(version) +
                                      " of the results' tables, and this program has version " +
                                      std::to_string(results_version) +
                                      ": read it with the program that wrote it, or sweep into a new file");
    if (how == database::mode::write) {
        statement ask(db_, "PRAGMA quick_check(1)");
        if (ask.step() && ask.text(0) != "ok")
            throw failure(exit_input, as_written(path) + ": is damaged: " + ask.text(0));
    }
    take_names_now(how, version);
}

/* A table with names, and the columns that refer to its rows. */
struct named_table {
    const char *name;
    std::vector<std::pair<const char *, const char *>> used_by; /* table, column */
};
static const named_table named_tables[] = {
    {"parameters",
     {{"machine_parameters", "parameter"}, {"run_parameters", "parameter"}, {"axes", "parameter"}}},
    {"statistics", {{"run_statistics", "statistic"}, {"run_histograms", "statistic"}}},
};

static std::map<int64_t, std::string> older_names(database &db, const char *table)
{
    std::map<int64_t, std::string> older;
    statement ask(db, std::string("SELECT id, name FROM ") + table);
    while (ask.step())
        if (const std::string now = name_now(ask.text(1)); now != ask.text(1))
            older[ask.integer(0)] = now;
    return older;
}

/* Renames a row, or moves its references to an existing row: two old names may map to one. */
static void rename(database &db, const named_table &table, int64_t id, const std::string &now)
{
    const std::string name = table.name;
    statement known(db, "SELECT id FROM " + name + " WHERE name = ?");
    if (!known.with(now).step()) {
        statement(db, "UPDATE " + name + " SET name = ? WHERE id = ?").with(now, id).execute();
        return;
    }
    for (const auto &[user, column] : table.used_by)
        statement(db, std::string("UPDATE ") + user + " SET " + column + " = ? WHERE " + column + " = ?")
            .with(known.integer(0), id)
            .execute();
    statement(db, "DELETE FROM " + name + " WHERE id = ?").with(id).execute();
}

/* Brings names, and tables of an older version, up to date; in a copy if the file is opened for reading. */
void results_file::take_names_now(database::mode how, int64_t version)
{
    const auto older = [this](const named_table &t) { return !older_names(db_, t.name).empty(); };
    if (version == results_version && std::none_of(std::begin(named_tables), std::end(named_tables), older))
        return;
    if (how == database::mode::read)
        db_.copy_for_itself();
    transaction all(db_);
    for (const named_table &t : named_tables)
        for (const auto &[id, now] : older_names(db_, t.name))
            rename(db_, t, id, now);
    if (version < 2)
        db_.run("ALTER TABLE machines RENAME COLUMN wiring TO path");
    if (version < results_version)
        make_tables();
    if (version < 3) /* its sampled runs have half widths, but no windows that could be pairs */
        db_.run("INSERT INTO samples SELECT h.run, 'run ' || h.run, 0, json_array(1.0 * h.value / c.value) "
                "FROM run_statistics h JOIN run_statistics c ON c.run = h.run "
                "WHERE h.statistic = (SELECT id FROM statistics WHERE name = 'cycles_half_width') "
                "AND c.statistic = (SELECT id FROM statistics WHERE name = 'cycles')");
    all.commit();
    if (how == database::mode::read)
        db_.run("PRAGMA query_only = ON");
}

void results_file::make_schema()
{
    transaction all(db_);
    make_tables();
    db_.run("PRAGMA application_id = " + std::to_string(application));
    all.commit();
}

/* Makes the tables that the file does not have. */
void results_file::make_tables()
{
    db_.run(schema);
    db_.run("PRAGMA user_version = " + std::to_string(results_version));
}

statement &results_file::prepared(const std::string &sql)
{
    std::unique_ptr<statement> &s = statements_[sql];
    if (s == nullptr)
        s = std::make_unique<statement>(db_, sql);
    return *s;
}

static std::string marks_for(size_t columns)
{
    std::string marks;
    for (size_t i = 0; i < columns; ++i)
        marks += i == 0 ? "?" : ", ?";
    return " VALUES (" + marks + ")";
}

template <class... Values> void results_file::put(const std::string &what, const Values &...values)
{
    prepared("INSERT " + what + marks_for(sizeof...(values))).with(values...).execute();
}

/* DO UPDATE changes nothing: RETURNING needs it to return the id of an existing row. */
template <class... Values> int64_t results_file::row(const std::string &table, const Values &...values)
{
    const std::string name = table.substr(0, table.find('('));
    statement &put = prepared("INSERT INTO " + table + marks_for(sizeof...(values)) +
                              " ON CONFLICT DO UPDATE SET id = " + name + ".id RETURNING id")
                         .with(values...);
    put.step();
    const int64_t id = put.integer(0);
    put.execute();
    return id;
}

int64_t results_file::study(const study_file &study)
{
    return row("studies(name, question, contents, started)", study.name, study.text, study.contents,
               now_text());
}

int64_t results_file::parameter_id(const std::string &name)
{
    const auto known = parameter_ids_.find(name);
    if (known != parameter_ids_.end())
        return known->second;
    statement ask(db_, "SELECT id FROM parameters WHERE name = ?");
    if (!ask.with(name).step())
        throw failure(exit_input, as_written(db_.path()) + ": no parameter '" + as_written(name) + "'");
    return parameter_ids_[name] = ask.integer(0);
}

std::string digest_of(platform_spec &spec)
{
    const std::string all = configuration_json(*spec.config).dump() + spec.levels;
    return text_of_checksum(wkt_hash64(all.data(), all.size(), 0));
}

int64_t results_file::machine(platform_spec &spec)
{
    const int64_t id = row("machines(label, name, path, text, digest)", spec.label, spec.name, spec.levels,
                           spec.text, digest_of(spec));
    for (const parameter &p : described_parameters(spec)) {
        put("OR IGNORE INTO parameters(name, unit, description, origin)", p.name, p.unit, p.text,
            p.provenance());
        const auto set_by = spec.set_by.find(p.name);
        put("OR IGNORE INTO machine_parameters(machine, parameter, value, set_by)", id, parameter_id(p.name),
            json(json_of(p)), set_by == spec.set_by.end() ? std::string() : set_by->second);
    }
    return id;
}

void results_file::axes(int64_t study, const study_file &file)
{
    int64_t number = 0;
    for (const study_axis &axis : file.axes)
        for (const std::string &parameter : axis.parameters)
            put("OR IGNORE INTO axes(study, number, parameter, axis)", study, number++,
                parameter_id(parameter), axis.name());
}

void results_file::points(int64_t study, const std::vector<std::pair<uint64_t, std::string>> &keys,
                          uint64_t a_repeat)
{
    for (const auto &[number, key] : keys)
        put("OR REPLACE INTO points(study, number, repetition, key)", study, static_cast<int64_t>(number),
            static_cast<int64_t>(number / a_repeat), key);
}

int64_t results_file::statistic_id(const std::string &name, const char *kind, const json &entry)
{
    const auto known = statistic_ids_.find(name);
    if (known != statistic_ids_.end())
        return known->second;
    return statistic_ids_[name] = row("statistics(name, kind, unit, description)", name, std::string(kind),
                                      entry.at("unit"), entry.at("description"));
}

void results_file::add(const json &record)
{
    const std::string key = record.at("key");
    const json &base = record.at("machine"), &of = record.at("workload");
    statement &known = prepared("SELECT id FROM machines WHERE label = ? AND digest = ?")
                           .with(base.at("label").get<std::string>(), base.at("digest").get<std::string>());
    if (!known.step())
        return; /* a record of a removed file of results */
    const int64_t machine_row = known.integer(0);
    known.execute();
    const bool done = record.contains("statistics");
    statement &before = prepared("SELECT id, status FROM runs WHERE key = ?").with(key);
    const int64_t replaced = before.step() ? before.integer(0) : 0;
    const bool done_before = replaced != 0 && before.text(1) == "done";
    before.execute(); /* otherwise it would go on reading after the commit */
    if (done_before)
        return; /* equal keys have equal results */
    if (replaced != 0)
        for (const char *of_it : {"broken_laws WHERE run", "run_parameters WHERE run", "runs WHERE id"})
            prepared(std::string("DELETE FROM ") + of_it + " = ?").with(replaced).execute();
    const json &host = record.at("host"), &program = record.at("program");
    put("INTO runs(key, status, reason, exit_code, workload, machine, build, host, started, seconds, "
        "peak_memory_bytes, laws)",
        key, std::string(done ? "done" : "failed"), record.at("reason"), record.at("exit_code"),
        row("workloads(name, trace, checksum)", of.at("name"), of.at("trace"), of.at("checksum")),
        machine_row,
        row("builds(version, git, model)", program.at("version"), program.at("git"), program.at("model")),
        row("hosts(name, processor, processors)", host.at("name"), host.at("processor"),
            host.at("processors")),
        record.at("started"), host.value("host_seconds", 0.0), host.value("peak_memory_bytes", int64_t{0}),
        record.value("laws_checked", int64_t{0}));
    const int64_t run = db_.last_id();
    for (const json &p : record.at("parameters"))
        put("INTO run_parameters(run, parameter, value, set_by)", run, parameter_id(p.at(0)), p.at(1),
            p.at(2));
    for (const json &law : record.value("laws", json::array()))
        put("INTO broken_laws(run, name, left_side, right_side, story)", run, law.at("name"), law.at("left"),
            law.at("right"), law.value("story", std::string()));
    if (!done)
        return;
    if (const json error = record.value("error", json()); !error.is_null())
        put("INTO samples(run, windows, least, errors)", run, error.at("windows"), error.at("least"),
            error.at("of_windows"));
    const json places = record.value("places", json::object());
    for (const auto &item : places.items())
        put("INTO places(run, kind, contents)", run, item.key(),
            item.value().dump(-1, ' ', false, json::error_handler_t::replace));
    const auto put_value = [&](const std::string &name, const char *kind, const json &entry) {
        put("INTO run_statistics(run, statistic, value)", run, statistic_id(name, kind, entry),
            entry.at("value"));
    };
    for (const auto &item : record.at("headline").items()) /* null (0 divided by 0) has no row */
        if (!item.value().at("value").is_null())
            put_value(item.key(), "headline", item.value());
    for (const auto &item : record.at("statistics").items()) {
        const json &entry = item.value();
        if (entry.contains("value"))
            put_value(item.key(), "value", entry);
        else
            put("INTO run_histograms(run, statistic, count, sum, min, max, mean, p50, p99, buckets)", run,
                statistic_id(item.key(), "histogram", entry), entry.at("count"), entry.at("sum"),
                entry.at("min"), entry.at("max"), entry.at("mean"), entry.at("p50"), entry.at("p99"),
                entry.at("buckets"));
    }
}

std::set<std::string> results_file::done()
{
    std::set<std::string> keys;
    statement ask(db_, "SELECT key FROM runs WHERE status = 'done'");
    while (ask.step())
        keys.insert(ask.text(0));
    return keys;
}

double results_file::measured(const std::string &key, const std::string &metric)
{
    statement &ask = prepared(
        "SELECT v.value FROM run_statistics v JOIN runs r ON r.id = v.run JOIN statistics s ON s.id = "
        "v.statistic WHERE r.key = ?1 AND r.status = 'done' AND s.name = ?2 UNION ALL "
        "SELECT CASE substr(?2, length(s.name) + 1) WHEN '.count' THEN h.count WHEN '.sum' THEN h.sum "
        "WHEN '.min' THEN h.min WHEN '.max' THEN h.max WHEN '.mean' THEN h.mean WHEN '.p50' THEN h.p50 "
        "WHEN '.p99' THEN h.p99 END AS value FROM run_histograms h JOIN runs r ON r.id = h.run JOIN "
        "statistics s ON s.id = h.statistic WHERE r.key = ?1 AND r.status = 'done' AND "
        "substr(?2, 1, length(s.name)) = s.name AND value NOTNULL");
    const double value = ask.with(key, metric).step() && !ask.null(0) ? ask.real(0) : std::nan("");
    ask.execute(); /* otherwise it would go on reading */
    return value;
}

std::map<std::string, run_cost> results_file::costs()
{
    std::map<std::string, run_cost> all;
    const auto size = static_cast<double>(pragma(db_, "page_count") * pragma(db_, "page_size"));
    statement ask(db_,
                  "SELECT substr(key, 18), avg(seconds), max(peak_memory_bytes), (SELECT count(*) FROM runs "
                  "WHERE status = 'done') FROM runs WHERE status = 'done' GROUP BY 1");
    while (ask.step())
        all[ask.text(0)] = {ask.real(1), size / ask.real(3), static_cast<uint64_t>(ask.integer(2))};
    return all;
}

} // namespace walkway
