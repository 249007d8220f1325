/* SPDX-License-Identifier: MIT */
/* workbench/database.hpp - SQLite with its errors as failures, and statements that finalize themselves. */
#ifndef WALKWAY_WORKBENCH_DATABASE_HPP
#define WALKWAY_WORKBENCH_DATABASE_HPP

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <vector>

namespace walkway
{

/* Calls wait up to 10 seconds for another program that holds the file. */
class database
{
public:
    enum class mode { read, write };
    /* read: statements cannot write. write: makes the file if there is none. Throws if the file cannot be
     * opened: failure(exit_input) to read, failure(exit_output) to write. A file that is no database fails
     * later, in the first call that reads it: failure(exit_input). */
    database(const std::string &path, mode how);
    const std::string &path() const { return path_; }

    /* Runs one or more statements without their rows. Throws as fail(). */
    void run(const std::string &sql);
    /* Continues on a private copy that ends with this object; the file is unchanged. Statements may write
     * into the copy; those made before still use the file. Throws failure(exit_output) if no copy can be
     * begun, and else as fail(). */
    void copy_for_itself();
    int64_t last_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
    /* Throws the error of the last call. A full disk or another program that holds the file:
     * failure(exit_output); damage: failure(exit_input); an illegal query: failure(exit_usage). */
    [[noreturn]] void fail() const;
    /* The same for an error of SQLite's that a call has returned. */
    [[noreturn]] void fail(int code, const std::string &why) const;
    sqlite3 *handle() const { return handle_.get(); }

private:
    struct closer {
        void operator()(sqlite3 *handle) const { sqlite3_close_v2(handle); }
    };
    std::string path_;
    std::unique_ptr<sqlite3, closer> handle_;
};

/* Its functions throw as database::fail(). Columns count from 0. */
class statement
{
public:
    /* Throws failure(exit_usage) for an illegal statement, none, or more than one. db outlives this
     * object. */
    statement(database &db, const std::string &sql);

    /* Starts anew and binds parameters from the first on; the others keep their values. Call step() next. */
    template <class... Values> statement &with(const Values &...values)
    {
        sqlite3_reset(handle_.get());
        int at = 0;
        (bind(++at, values), ...);
        return *this;
    }
    bool step(); /* true: there is a row */
    void execute()
    {
        while (step()) {
        }
        sqlite3_reset(handle_.get());
    }
    int columns() const { return sqlite3_column_count(handle_.get()); }
    std::string name(int column) const { return sqlite3_column_name(handle_.get(), column); }
    bool null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
    bool is_text(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_TEXT; }
    int64_t integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
    double real(int column) const { return sqlite3_column_double(handle_.get(), column); }
    std::string text(int column) const;                  /* empty for null; reals with all digits */
    nlohmann::ordered_json json_value(int column) const; /* by its type */
    bool read_only() const { return sqlite3_stmt_readonly(handle_.get()) != 0; }

private:
    void bind(int at, int64_t value) { check(sqlite3_bind_int64(handle_.get(), at, value)); }
    void bind(int at, double value) { check(sqlite3_bind_double(handle_.get(), at, value)); }
    void bind(int at, const std::string &value);
    void bind(int at, const nlohmann::ordered_json &value);
    void check(int code) const;

    struct finisher {
        void operator()(sqlite3_stmt *handle) const { sqlite3_finalize(handle); }
    };
    database &db_;
    std::unique_ptr<sqlite3_stmt, finisher> handle_;
};

/* All or nothing: rolled back unless committed. */
class transaction
{
public:
    explicit transaction(database &db) : db_(db) { db_.run("BEGIN IMMEDIATE"); }
    ~transaction();
    transaction(const transaction &) = delete;
    transaction &operator=(const transaction &) = delete;
    void commit();

private:
    database &db_;
    bool open_ = true;
};

} // namespace walkway

#endif
