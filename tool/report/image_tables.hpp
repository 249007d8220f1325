/* SPDX-License-Identifier: MIT */
/* report/image_tables.hpp - walks and listings of page tables in an image of memory, as text or JSON. */
#ifndef WALKWAY_REPORT_IMAGE_TABLES_HPP
#define WALKWAY_REPORT_IMAGE_TABLES_HPP

#include "image/table_dump.hpp"
#include "report/table.hpp"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <string>

namespace walkway
{

/* Returns, if an address is not in the image and would be without one of its bits, that this bit may be one
 * of memory encryption; else empty. */
std::string text_of_encrypted(const memory_image &image, uint64_t pa);

/* Returns "4 levels from 0x1000000, physical addresses of 52 bits". */
std::string text_of_table(const image_table &t);
nlohmann::ordered_json table_json(const image_table &t);

/* Returns a row for each address. */
table walks_table(const image_table &t, const std::vector<table_walk> &walks);
/* Prints a line for the address and for each entry, and how the walk ends. */
void print_walk(std::ostream &out, const image_table &t, const table_walk &walk);
nlohmann::ordered_json walk_json(const image_table &t, const table_walk &walk);

/* Prints a line for each range. */
class dump_text final : public table_dump::sink
{
public:
    explicit dump_text(std::ostream &out) : out_(out) {}
    void head();
    void range(const mapped_range &r) override;
    void repeated(const repeated_range &r) override;
    void totals(const image_table &t, const dump_totals &sums);

private:
    std::ostream &out_;
    uint64_t ranges_ = 0;
};

/* Makes a row for each range. */
class dump_rows final : public table_dump::sink
{
public:
    dump_rows();
    void range(const mapped_range &r) override;
    void repeated(const repeated_range &r) override;
    const table &made() const { return rows_; }

private:
    table rows_;
};

/* Prints one object, with a line for each range. */
class dump_json final : public table_dump::sink
{
public:
    explicit dump_json(std::ostream &out) : out_(out) {}
    void head(const image_table &t);
    void range(const mapped_range &r) override;
    void repeated(const repeated_range &r) override;
    void totals(const dump_totals &sums);

private:
    void item(const nlohmann::ordered_json &j);

    std::ostream &out_;
    uint64_t items_ = 0, ranges_ = 0;
};

} // namespace walkway

#endif
