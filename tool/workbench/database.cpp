/* SPDX-License-Identifier: MIT */
/* workbench/database.cpp - calls SQLite. */
#include "workbench/database.hpp"

#include "support/errors.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace walkway
{

/* Such a number is stored as a text: a real would lose digits. */
static bool is_beyond_sqlite(const nlohmann::ordered_json &value)
{
    return value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX;
}

database::database(const std::string &path, mode how) : path_(path)
{
    sqlite3 *handle = nullptr;
    /* A reader opens for writing, too: it must roll back the half-written transaction of a killed process.
     * SQLite falls back to reading only if the file is not writable. */
    const int flags = SQLITE_OPEN_READWRITE | (how == mode::read ? 0 : SQLITE_OPEN_CREATE);
    const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
    handle_.reset(handle);
    if (code != SQLITE_OK)
        throw failure(how == mode::read ? exit_input : exit_output,
                      as_written(path) + ": cannot be opened: " + sqlite3_errstr(code));
    sqlite3_extended_result_codes(handle, 1);
    sqlite3_busy_timeout(handle, 10000);
    if (how == mode::read)
        run("PRAGMA query_only = ON");
}

void database::copy_for_itself()
{
    sqlite3 *handle = nullptr;
    const int code = sqlite3_open("", &handle); /* a temporary file without a name */
    std::unique_ptr<sqlite3, closer> copy(handle);
    sqlite3_backup *all =
        code == SQLITE_OK ? sqlite3_backup_init(handle, "main", handle_.get(), "main") : nullptr;
    if (all == nullptr)
        throw failure(exit_output, as_written(path_) + ": cannot be copied: " + sqlite3_errmsg(handle));
    const int copied = sqlite3_backup_step(all, -1);
    sqlite3_backup_finish(all);
    if (copied != SQLITE_DONE)
        fail(copied, sqlite3_errstr(copied));
    sqlite3_extended_result_codes(handle, 1);
    handle_ = std::move(copy);
}

void database::fail() const
{
    fail(sqlite3_errcode(handle_.get()), sqlite3_errmsg(handle_.get()));
}

void database::fail(int code, const std::string &why) const
{
    const std::string text = as_written(path_) + ": " + why;
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        throw failure(exit_input, as_written(path_) + ": is no file of results (no SQLite database)");
    case SQLITE_CORRUPT:
        throw failure(exit_input, as_written(path_) + ": is damaged: " + why);
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw failure(exit_output, text);
    case SQLITE_ERROR: /* an illegal query */
        throw failure(exit_usage, text);
    default:
        throw failure(exit_input, text);
    }
}

void database::run(const std::string &sql)
{
    if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        fail();
}

statement::statement(database &db, const std::string &sql) : db_(db)
{
    sqlite3_stmt *handle = nullptr;
    const char *rest = nullptr;
    if (sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &handle, &rest) != SQLITE_OK)
        db_.fail();
    handle_.reset(handle);
    if (handle == nullptr)
        throw failure(exit_usage, "'" + as_written(sql) + "' is no statement");
    const std::string left = rest;
    while (*rest != 0) { /* a comment, or nothing before a ';', is no statement */
        sqlite3_stmt *more = nullptr;
        const int code = sqlite3_prepare_v2(db.handle(), rest, -1, &more, &rest);
        sqlite3_finalize(more);
        if (code != SQLITE_OK || more != nullptr)
            throw failure(exit_usage, "one statement at a time; this is more: " + as_written(left));
    }
}

void statement::check(int code) const
{
    if (code != SQLITE_OK)
        db_.fail();
}

bool statement::step()
{
    const int code = sqlite3_step(handle_.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        sqlite3_reset(handle_.get());
        db_.fail();
    }
    return code == SQLITE_ROW;
}

void statement::bind(int at, const std::string &value)
{
    check(
        sqlite3_bind_text(handle_.get(), at, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void statement::bind(int at, const nlohmann::ordered_json &value)
{
    if (value.is_number_float())
        bind(at, value.get<double>());
    else if (value.is_number() && !is_beyond_sqlite(value))
        bind(at, value.get<int64_t>());
    else if (value.is_string())
        bind(at, value.get<std::string>());
    else
        bind(at, value.dump());
}

std::string statement::text(int column) const
{
    if (sqlite3_column_type(handle_.get(), column) == SQLITE_FLOAT) {
        char text[40];
        const double value = real(column);
        std::snprintf(text, sizeof text, "%.15g", value);
        if (std::strtod(text, nullptr) != value) /* which takes what is not normal, too */
            std::snprintf(text, sizeof text, "%.17g", value);
        return text;
    }
    const unsigned char *const bytes = sqlite3_column_text(handle_.get(), column);
    return bytes == nullptr ? ""
                            : std::string(reinterpret_cast<const char *>(bytes),
                                          static_cast<size_t>(sqlite3_column_bytes(handle_.get(), column)));
}

nlohmann::ordered_json statement::json_value(int column) const
{
    switch (sqlite3_column_type(handle_.get(), column)) {
    case SQLITE_INTEGER:
        return integer(column);
    case SQLITE_FLOAT:
        return real(column);
    case SQLITE_NULL:
        return nullptr;
    default:
        break;
    }
    const std::string all = text(column);
    if (all.find_first_not_of("0123456789") != std::string::npos) /* JSON takes spaces around a number */
        return all;
    const auto number = nlohmann::ordered_json::parse(all, nullptr, false);
    return is_beyond_sqlite(number) ? number : nlohmann::ordered_json(all);
}

transaction::~transaction()
{
    if (open_) /* has no effect if an error has already ended it */
        sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void transaction::commit()
{
    db_.run("COMMIT");
    open_ = false;
}

} // namespace walkway
