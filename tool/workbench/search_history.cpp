/* SPDX-License-Identifier: MIT */
/* workbench/search_history.cpp - a row for each choice. Files that no search has written have no such table.
 */
#include "workbench/search_history.hpp"

namespace walkway
{

search_history::search_history(results_file &results, std::string asked)
    : results_(results), asked_(std::move(asked))
{
    results_.db().run("CREATE TABLE IF NOT EXISTS search_steps(asked TEXT NOT NULL, step INTEGER NOT NULL, "
                      "known TEXT NOT NULL, PRIMARY KEY(asked, step)) WITHOUT ROWID");
}

json search_history::known_before(uint64_t step, const std::function<json()> &find)
{
    statement ask(results_.db(), "SELECT known FROM search_steps WHERE asked = ? AND step = ?");
    if (ask.with(asked_, static_cast<int64_t>(step)).step())
        return json::parse(ask.text(0));
    json known = found_ ? json::array() : find();
    found_ = true;
    statement(results_.db(), "INSERT INTO search_steps(asked, step, known) VALUES (?, ?, ?)")
        .with(asked_, static_cast<int64_t>(step), known.dump())
        .execute();
    return known;
}

} // namespace walkway
