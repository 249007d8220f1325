/* SPDX-License-Identifier: MIT */
/* translate/page_tables.hpp - the address spaces of a walk unit: the registers of each VM-ID's page table,
 * all of one kind. A VM-ID without a table faults; one table may serve several VM-IDs. */
#ifndef WALKWAY_TRANSLATE_PAGE_TABLES_HPP
#define WALKWAY_TRANSLATE_PAGE_TABLES_HPP

#include "kernels/table/table.h"

#include <stdexcept>
#include <utility>
#include <vector>

namespace walkway
{

class page_tables
{
public:
    /* One table for every VM-ID. */
    page_tables(const ww_table &table) : tables_{table}, every_(true) {}
    /* Tables of VM-IDs 0, 1, ... Throws std::invalid_argument if there is none, or they are of several
     * kinds. */
    explicit page_tables(std::vector<ww_table> by_vmid) : tables_(std::move(by_vmid))
    {
        if (tables_.empty())
            throw std::invalid_argument("no page table");
        for (const ww_table &t : tables_)
            if (t.kind != tables_.front().kind)
                throw std::invalid_argument("page tables of two kinds in one walk unit");
    }

    const ww_table_kind *kind() const { return tables_.front().kind; }
    bool known(uint16_t vmid) const { return every_ || vmid < tables_.size(); }
    /* Returns the index in all() of the VM-ID's table; 0 if it has none. */
    uint16_t index(uint16_t vmid) const { return every_ || vmid >= tables_.size() ? uint16_t{0} : vmid; }
    const ww_table &of(uint16_t vmid) const { return tables_[index(vmid)]; }
    const ww_table *all() const { return tables_.data(); }
    /* Sets the table of a VM-ID that has one. Required: it is of the same kind. */
    void set(uint16_t vmid, const ww_table &table) { tables_[index(vmid)] = table; }
    /* Returns the walk at the registers: READ, or FAULT. */
    uint64_t start(uint16_t vmid, uint64_t va) const
    {
        const uint64_t walk = ww_table_start(&of(vmid), va);
        return known(vmid) ? walk : ww_walk_fault(walk, WW_WHY_SPACE);
    }

private:
    std::vector<ww_table> tables_;
    bool every_ = false;
};

} // namespace walkway

#endif
