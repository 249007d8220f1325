/* SPDX-License-Identifier: MIT */
/* study/micro21_study.cpp - the study of MICRO'21 "Increasing GPU Translation Reach by Leveraging
 * Under-Utilized On-Chip Resources": designs, configurations, figures. PAPER[M21 sections 3 and 6]. */
#include "study/micro21_figures.hpp"
#include "study/ten_programs.hpp"

namespace walkway
{

namespace micro21
{

const std::vector<std::string> &nothing()
{
    static const std::vector<std::string> changes = {"lds_tx.translations=off", "icache_tx.translations=off"};
    return changes;
}

const std::vector<design> &designs()
{
    static const std::vector<design> all = {
        {"lds",
         "LDS",
         {"lds_tx.translations=on", "icache_tx.translations=off"},
         8.6,
         25.9,
         128.4,
         0.335,
         0.041,
         12288},
        {"icache",
         "I-cache",
         {"lds_tx.translations=off", "icache_tx.translations=on"},
         13.6,
         36.5,
         251.5,
         0.406,
         0.052,
         4096},
        {"both",
         "both",
         {"lds_tx.translations=on", "icache_tx.translations=on"},
         30.1,
         147.2,
         443.3,
         0.729,
         0.092,
         16384},
    };
    return all;
}

const std::vector<icache_design> &icache_designs()
{
    static const std::vector<icache_design> all = {
        {"icache-one", "one per way", "icache_tx.design=one", 0.0, 1.0},
        {"icache-naive", "naive LRU", "icache_tx.design=naive", -1.65, 3.0},
        {"icache-aware", "instruction-aware", "icache_tx.design=aware", 12.4, 1.24},
        {"icache", "with the flush", "icache_tx.design=flush", 13.6, 1.36},
    };
    return all;
}

/* As many lines in all, whoever shares one cache. */
const std::vector<variant> &sharers()
{
    static const std::vector<variant> all = {{"1 sharer", {"icache.shared_by=1", "icache.entries=64"}},
                                             {"2 sharers", {"icache.shared_by=2", "icache.entries=128"}},
                                             {"", {}},
                                             {"8 sharers", {"icache.shared_by=8", "icache.entries=512"}}};
    return all;
}

const std::vector<tlb_size> &tlb_sizes()
{
    static const std::vector<tlb_size> all = {
        {"l2-1k", "1 K", {"l2_tlb.entries=1024"}},
        {"l2-2k", "2 K", {"l2_tlb.entries=2048"}},
        {"l2-4k", "4 K", {"l2_tlb.entries=4096"}},
        {"l2-8k", "8 K", {"l2_tlb.entries=8192"}},
        {"l2-64k", "64 K", {"l2_tlb.entries=65536"}},
        {"l2-2m", "2 M", {"l2_tlb.entries=2097152"}},
        {"l2-perfect", "perfect", {"translation.ideal=infinite_tlb"}},
    };
    return all;
}

const std::vector<variant> &page_sizes()
{
    static const std::vector<variant> all = {
        {"", {}}, {"64k", {"address_space.page=64k"}}, {"2m", {"address_space.page=2m"}}};
    return all;
}

const std::vector<variant> &sensitivity_variants()
{
    static const std::vector<variant> all = [] {
        std::vector<variant> list = {{"", {}}};
        for (const char *change :
             {"dispatcher.policy=compact", "lds_tx.segment_index=xor", "lds_tx.mismatch=bypass",
              "lds_tx.promotion=move", "lds_tx.fill_uses=1", "icache_tx.index=xor",
              "icache_tx.mismatch=rebase", "icache_tx.mismatch=bypass", "icache_tx.promotion=move",
              "l2_tlb.index=xor", "l2_tlb.fills=0", "l2d.index=xor", "walk_unit.walk_path=l2d",
              "l1_tlb.mshrs=32", "address_space.frames=random"})
            list.push_back({change, {change}});
        return list;
    }();
    return all;
}

/* One setting each for all programs: CHOSEN after seeing results. */
const std::vector<variant> &hashed()
{
    static const std::vector<variant> all = [] {
        const variant indexes = {"hashed",
                                 {"l2d.index=xor", "lds_tx.segment_index=xor", "icache_tx.index=xor"}};
        variant filled = {"hashed, compact", indexes.changes};
        filled.changes.emplace_back("dispatcher.policy=compact");
        return std::vector<variant>{indexes, filled};
    }();
    return all;
}

/* Of more pages than any program touches. */
const std::vector<variant> &memory_tables()
{
    static const std::vector<variant> all = {{"", {}}, {"ducati", {"memory_tlb.entries=1048576"}}};
    return all;
}

const std::vector<std::string> &wires()
{
    static const std::vector<std::string> all = {"10", "50", "100"};
    return all;
}

static study_configuration changed(const std::string &key, std::vector<std::string> changes,
                                   const std::vector<std::string> &more)
{
    changes.insert(changes.end(), more.begin(), more.end());
    return {key, changes};
}

static std::vector<study_configuration> configurations()
{
    std::vector<study_configuration> list;
    for (const tlb_size &size : tlb_sizes())
        list.push_back(changed(size.key, nothing(), size.changes));
    const auto with_all = [&](const variant &v) {
        list.push_back(changed(v.key("base"), nothing(), v.changes));
        for (const design &d : designs())
            list.push_back(changed(v.key(d.key), d.changes, v.changes));
    };
    for (const variant &v : page_sizes())
        with_all(v);
    for (const variant &v : sensitivity_variants())
        if (!v.text.empty())
            with_all(v);
    for (const variant &v : hashed())
        with_all(v);
    for (const variant &v : memory_tables())
        if (!v.text.empty()) {
            list.push_back(changed(v.key("base"), nothing(), v.changes));
            list.push_back(changed(v.key("both"), designs().back().changes, v.changes));
        }
    for (const std::string &cycles : wires())
        for (const design &d : designs())
            list.push_back(changed("wire-" + cycles + "/" + d.key, d.changes,
                                   {"lds_tx.wire_cycles=" + cycles, "icache_tx.wire_cycles=" + cycles}));
    list.push_back(changed("segments-64", designs().front().changes, {"lds_tx.segment_bytes=64"}));
    for (const icache_design &d : icache_designs())
        if (d.key != "icache")
            list.push_back(changed(d.key, designs()[1].changes, {d.change}));
    for (const variant &v : sharers())
        if (!v.text.empty())
            with_all(v);
    return list;
}

/* The baseline and every design, under each of these variants. */
static std::vector<std::string> keys_of(const std::vector<variant> &variants)
{
    std::vector<std::string> keys;
    for (const variant &v : variants) {
        keys.push_back(v.key("base"));
        for (const design &d : designs())
            keys.push_back(v.key(d.key));
    }
    return keys;
}

static std::vector<std::string> keys_of_sizes()
{
    std::vector<std::string> keys = {"base"};
    for (const tlb_size &size : tlb_sizes())
        keys.push_back(size.key);
    return keys;
}

static std::vector<std::string> keys_of_icaches()
{
    std::vector<std::string> keys = {"base"};
    for (const icache_design &d : icache_designs())
        keys.push_back(d.key);
    return keys;
}

static std::vector<std::string> keys_of_wires()
{
    std::vector<std::string> keys = keys_of({{"", {}}});
    for (const std::string &cycles : wires())
        for (const design &d : designs())
            keys.push_back("wire-" + cycles + "/" + d.key);
    return keys;
}

} // namespace micro21

const study &micro21_study(); /* declared for all by studies.inc */

const study &micro21_study()
{
    using namespace micro21;
    const std::vector<std::string> as_shipped = keys_of({{"", {}}});
    static const study s = {
        "micro21",
        "MICRO'21, Increasing GPU translation reach by leveraging under-utilized on-chip resources",
        "apu-micro21",
        ten_program_scales(),
        "full",
        ten_programs(),
        configurations(),
        {{"table-2", all_ten(), {"base"}, table_2},
         {"2", all_ten(), keys_of_sizes(), figure_2},
         {"3", all_ten(), keys_of_sizes(), figure_3},
         {"4", all_ten(), {"base"}, figure_4},
         {"5", all_ten(), {"base"}, figure_5},
         {"11", all_ten(), {"icache-aware"}, figure_11},
         {"13a", all_ten(), keys_of_icaches(), figure_13a},
         {"13b", all_ten(), as_shipped, figure_13b},
         {"13b-hashed", all_ten(), keys_of(hashed()), figure_13b_hashed},
         {"13c", all_ten(), as_shipped, figure_13c},
         {"14a", all_ten(), {"l2-2m"}, figure_14a},
         {"14b", all_ten(), as_shipped, figure_14b},
         {"14b-hashed", all_ten(), keys_of(hashed()), figure_14b_hashed},
         {"14c", all_ten(), keys_of(page_sizes()), figure_14c},
         {"15", all_ten(), as_shipped, figure_15},
         {"16a", all_ten(), keys_of(sharers()), figure_16a},
         {"16b", all_ten(), keys_of_wires(), figure_16b},
         {"16c", all_ten(), {"base", "both", "ducati/base", "ducati/both"}, figure_16c},
         {"section-6.3.1", all_ten(), {"base", "lds", "segments-64"}, section_631},
         {"13b-sensitivity", all_ten(), keys_of(sensitivity_variants()), sensitivity, true}},
        ten_program_notes,
    };
    return s;
}

} // namespace walkway
