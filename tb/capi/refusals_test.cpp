/* SPDX-License-Identifier: MIT */
/* tb/capi/refusals_test.cpp - what the C library refuses: every status is reached, with a sentence that names
 * the error and what is valid; bounds hold on both sides. (E_BUSY, E_SNAPSHOT and E_OTHER_CONFIG:
 * contract_test.cpp; E_INTERNAL is a defect.) */
#include <boost/test/unit_test.hpp>

#include "tb/capi/random_tables.hpp"

#include <cstdio>
#include <set>
#include <sys/resource.h>

using namespace walkway_test;

namespace
{

int create(const char *platform, const walkway_options &o)
{
    walkway_chain *w = nullptr;
    const int status = walkway_create(platform, &o, &w);
    BOOST_TEST((w == nullptr) == (status != WALKWAY_OK));
    walkway_destroy(w);
    return status;
}

walkway_options no_options()
{
    walkway_options o = {};
    o.version = WALKWAY_VERSION;
    return o;
}

int create(const char *platform, const char *setting)
{
    walkway_options o = {};
    o.version = WALKWAY_VERSION;
    o.settings = &setting;
    o.settings_count = 1;
    return create(platform, o);
}

} // namespace

BOOST_AUTO_TEST_SUITE(capi_refusals)

BOOST_AUTO_TEST_CASE(platforms_and_settings_are_refused_with_a_reason)
{
    refused(create("apu-micro81", no_options()), WALKWAY_E_FILE, "did you mean 'apu-micro18'");
    refused(create("no/such.cfg", no_options()), WALKWAY_E_FILE, "no/such.cfg");
    refused(create("/dev/zero/x.cfg", no_options()), WALKWAY_E_FILE, "/dev/zero/x.cfg");
    refused(create("", no_options()), WALKWAY_E_FILE, "''");
    refused(create("dgpu-pact24", "address_space.table=hashed"), WALKWAY_E_CONFIG,
            "address_space.table = hashed");
    refused(create("uvm-pact20", no_options()), WALKWAY_E_CONFIG, "options.physical_bits");
    const std::pair<const char *, const char *> settings[] = {
        {"l1_tlb.entires=4", "did you mean 'l1_tlb.entries'"},
        {"l1_tlb.entries=4194305", "valid: 0 ... 4194304"},
        {"l1_tlb.entries=4294967296", "valid: 0 ... 4194304"},
        {"l1_tlb.entries=many", "is not a whole number"},
        {"l1_tlb.entries=33", "l1_tlb: entries / ways is not a power of two: entries = 32 or 64"},
        {"l2_tlb.entries=48", "is not a power of two"},
        {"iommu_tlb.tlb2_entries=100", "iommu_tlb: tlb2_entries / tlb2_ways"},
        {"walk_unit.pte_cache_bytes=100", "multiple of 64"},
        {"l1_tlb.index=xro", "did you mean 'xor'"},
        {"l1_tlb.store=compresed", "did you mean 'compressed'?); valid: plain | "},
        {"l1_tlb.rebase_after=4", "has no effect here: with this l1_tlb.store"},
        {"l1_tlb.entries", "wants section.key=value"},
        {"dram.cl=12", "has no effect here: memory is the caller's"},
        {"walk_unit.walkers=4", "each access is alone"},
        {"lds_tx.translations=on", "valid: off"},
        {"prefetch.entries=4", "valid: 0"},
        {"memory_tlb.entries=4", "valid: 0"},
        {"translation.ideal=perfect_l1", "valid: off | unlimited_walkers | zero_walk"},
        {"address_space.table=nested", "valid: radix | amd_v1"},
        {"address_space.levels=3", "valid: 4 ... 5"},
        {"driver.oversubscription=150", "the caller"},
        {"icache_tx.translations=on", "valid: off"},
    };
    for (const auto &[text, part] : settings)
        refused(create("apu-micro18", text), WALKWAY_E_CONFIG, part);
    refused(create("mmu-hpca14", "l2_tlb.entries=512"), WALKWAY_E_CONFIG,
            "walk_unit.shared_by = 1: compute units 0 and 1 share an instance above");
    refused(create("mmu-hpca14", "victim.entries=16"), WALKWAY_E_CONFIG,
            "share an instance above, and not here ('victim')");
    BOOST_TEST(create("dgpu-pact24", no_options()) == WALKWAY_OK);
    walkway_options narrow = {};
    narrow.version = WALKWAY_VERSION;
    narrow.physical_bits = 40;
    BOOST_TEST(create("uvm-pact20", narrow) == WALKWAY_OK);
}

/* The reason names narrower addresses only if they would help. */
BOOST_AUTO_TEST_CASE(a_shape_that_no_address_fits_says_nothing_of_addresses)
{
    refused(create("apu-micro18", "l2_tlb.store=compressed"), WALKWAY_E_CONFIG, "options.physical_bits");
    refused(create("apu-micro18", "l2_tlb.ways=128"), WALKWAY_E_CONFIG, "only when fully associative");
    BOOST_TEST(std::string(walkway_last_error()).find("physical_bits") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(files_are_read_as_the_program_reads_them)
{
    const std::string path = "capi_contract_test.cfg";
    const auto with = [&](const std::string &text) {
        std::FILE *f = std::fopen(path.c_str(), "w");
        std::fputs(text.c_str(), f);
        std::fclose(f);
        return create(path.c_str(), no_options());
    };
    BOOST_TEST(
        with("[machine]\nextends = apu-micro18\n[l1_tlb]\nentries = 16\nways = 16\n[dram]\ncl = 12\n") ==
        WALKWAY_OK);
    refused(with("[machine]\nextends = apu-micro18\n[l1_tlb]\nentris = 16\n"), WALKWAY_E_CONFIG,
            "test.cfg:4: unknown parameter");
    refused(with("[machine]\nextends = apu-micro18\n[dram]\ncl = 0\n"), WALKWAY_E_CONFIG,
            "test.cfg:4: dram.cl = 0");
    refused(with("[machine]\nextends = apu-micro\n"), WALKWAY_E_CONFIG, "did you mean 'apu-micro18'");
    refused(with("[machine]\nextends = capi_contract_test\n"), WALKWAY_E_CONFIG, "circle");
    refused(with("[machine]\npath = l1_tbl walk_unit\n"), WALKWAY_E_CONFIG, "| tlb |");
    refused(with("[l1_tlb]\nentries = 4\n"), WALKWAY_E_CONFIG, "wants 'path");
    refused(with("\1\2\3"), WALKWAY_E_FILE, "is no text");
    refused(with("[machine]\nextends = apu-micro18\n[lds_tx]\ntranslations = on\n"), WALKWAY_E_CONFIG,
            "test.cfg:4: lds_tx.translations");
    const std::string head = "[machine]\nextends = apu-micro18\npath = l3_tlb walk_unit\n[l3_tlb]\n";
    refused(with(head + "shared_by = 1\nentries = 4\nways = 4\nports = 1\nmshrs = 4\nmerges = 4\n"),
            WALKWAY_E_CONFIG,
            "has no value for l3_tlb.hit_cycles, l3_tlb.queue_entries, and none is neutral");
    BOOST_TEST(with(head + "entries = 0\n") == WALKWAY_OK);
    std::remove(path.c_str());
}

/* A path to a file with a shipped machine's name means that file; what it extends is beside it. */
BOOST_AUTO_TEST_CASE(a_file_with_a_shipped_name_extends_what_lies_beside_it)
{
    const auto write = [](const char *path, const char *text) {
        std::FILE *f = std::fopen(path, "w");
        std::fputs(text, f);
        std::fclose(f);
    };
    write("capi_beside_it.cfg", "[machine]\nextends = apu-micro18\n[gpu]\ncus = 3\n");
    write("mmu-hpca14.cfg", "[machine]\nextends = capi_beside_it\n");
    const chain_ptr own = make("./mmu-hpca14.cfg", std::vector<std::string>());
    BOOST_TEST(walkway_units(own.get()) == 3u);
    const chain_ptr shipped = make("mmu-hpca14", std::vector<std::string>());
    BOOST_TEST(walkway_units(shipped.get()) == 16u);
    std::remove("capi_beside_it.cfg");
    std::remove("mmu-hpca14.cfg");
}

BOOST_AUTO_TEST_CASE(options_are_refused_with_a_reason)
{
    const auto with = [](auto change) {
        walkway_options o = {};
        o.version = WALKWAY_VERSION;
        change(o);
        return create("apu-micro18", o);
    };
    refused(with([](auto &o) { o.version = 0; }), WALKWAY_E_VERSION, "0.0");
    refused(with([](auto &o) { o.version += 1; }), WALKWAY_E_VERSION, "this library is 1.0");
    refused(with([](auto &o) { o.version += 1 << 16; }), WALKWAY_E_VERSION, "2.0");
    refused(with([](auto &o) { o.table = 2; }), WALKWAY_E_ARGUMENT, "table = 2");
    refused(with([](auto &o) { o.reserved[6] = 1; }), WALKWAY_E_ARGUMENT, "reserved");
    refused(with([](auto &o) { o.settings_count = 1; }), WALKWAY_E_ARGUMENT, "settings is NULL");
    refused(with([](auto &o) { o.vmids = 65537; }), WALKWAY_E_ARGUMENT, "1 ... 65536");
    refused(with([](auto &o) { o.pending = 1048577; }), WALKWAY_E_ARGUMENT, "pending");
    refused(with([](auto &o) { o.faults = 1048577; }), WALKWAY_E_ARGUMENT, "faults");
    refused(with([](auto &o) { o.physical_bits = 53; }), WALKWAY_E_ARGUMENT, "32 ... 52");
    refused(with([](auto &o) { o.physical_bits = 31; }), WALKWAY_E_ARGUMENT, "32 ... 52");
    const char *const hole[] = {"gpu.cus=2", nullptr}, *const twice[] = {"gpu.cus=2", "gpu.cus=3"};
    refused(with([&](auto &o) { o.settings = hole, o.settings_count = 2; }), WALKWAY_E_ARGUMENT,
            "settings[1] is NULL");
    refused(with([&](auto &o) { o.settings = twice, o.settings_count = 2; }), WALKWAY_E_CONFIG,
            "a second time");
    BOOST_TEST(with([](auto &o) { o.vmids = 65536; }) == WALKWAY_OK);
    walkway_chain *w = nullptr;
    BOOST_TEST(walkway_create("apu-micro18", nullptr, &w) == WALKWAY_OK);
    BOOST_TEST(walkway_units(w) == 8u);
    walkway_destroy(w);
    walkway_destroy(nullptr);
}

BOOST_AUTO_TEST_CASE(nulls_and_nonsense_are_refused_and_change_nothing)
{
    const chain_ptr owner = make("apu-micro18", std::vector<std::string>());
    walkway_chain *w = owner.get(), *none = nullptr;
    walkway_access a = {};
    walkway_result r = {};
    walkway_fault f = {};
    uint64_t due = 0;
    size_t needed = 0;
    char buffer[16];
    alignas(64) static char memory[256];
    const uint64_t before = walkway_state_hash(w);
    const auto no = [](int status) { BOOST_TEST(status == WALKWAY_E_ARGUMENT); };
    no(walkway_create(nullptr, nullptr, &none));
    no(walkway_create("apu-micro18", nullptr, nullptr));
    for (walkway_chain *c : {none, w}) {
        if (c == nullptr) {
            no(walkway_look(c, &a, &r));
            no(walkway_translate(c, &a, &r));
            no(walkway_translate_batch(c, &a, &r, 1, &needed));
            no(walkway_submit(c, &a, 0));
            no(walkway_poll(c, &r));
            no(walkway_next_due(c, &due));
            no(walkway_advance(c, 1));
            no(walkway_map_memory(c, 0, memory, 64, 0));
            no(walkway_set_reader(c, nullptr, nullptr));
            no(walkway_set_root(c, 0, 0));
            no(walkway_clear_root(c, 0));
            no(walkway_invalidate_page(c, 0, 0));
            no(walkway_invalidate_range(c, 0, 0, 1));
            no(walkway_invalidate_vmid(c, 0));
            no(walkway_invalidate_all(c));
            no(walkway_next_fault(c, &f));
            no(walkway_statistics(c, buffer, 16, &needed));
            no(walkway_parameters(c, buffer, 16, &needed));
            no(walkway_reset_statistics(c));
            no(walkway_snapshot(c, buffer, 16, &needed));
            no(walkway_restore(c, buffer, 16));
        }
        no(walkway_look(c, nullptr, &r));
        no(walkway_translate(c, &a, nullptr));
        no(walkway_translate_batch(c, nullptr, &r, 1, nullptr));
        no(walkway_translate_batch(c, &a, nullptr, 1, nullptr));
        no(walkway_submit(c, nullptr, 0));
        no(walkway_poll(c, nullptr));
        no(walkway_next_due(c, nullptr));
        no(walkway_next_fault(c, nullptr));
        no(walkway_statistics(c, nullptr, 16, &needed));
        no(walkway_snapshot(c, nullptr, 16, &needed));
    }
    no(walkway_advance(w, (uint64_t{1} << 62) + 1));
    no(walkway_map_memory(w, 0, nullptr, 64, 0));
    no(walkway_map_memory(w, 0, memory, 0, 0));
    no(walkway_map_memory(w, 32, memory, 64, 0));
    no(walkway_map_memory(w, 0, memory, 65, 0));
    no(walkway_map_memory(w, ~uint64_t{63}, memory, 128, 0));
    no(walkway_map_memory(w, 0, memory, 64, (uint64_t{1} << 50) + 1));
    no(walkway_set_root(w, 16, 0));
    no(walkway_set_root(w, 0, 64));
    no(walkway_set_root(w, 0, uint64_t{1} << 52));
    no(walkway_clear_root(w, 16));
    no(walkway_invalidate_range(w, 0, 0, 0));
    no(walkway_invalidate_page(w, 65536, 0));
    no(walkway_invalidate_vmid(w, 16));
    for (unsigned n = 0; n < 3; ++n) {
        walkway_access bad = {};
        (n == 0 ? bad.unit = 8 : n == 1 ? bad.rights = 8 : bad.reserved = 1);
        no(walkway_translate(w, &bad, &r));
        no(walkway_look(w, &bad, &r));
        no(walkway_submit(w, &bad, 0));
    }
    BOOST_TEST(walkway_units(nullptr) == 0u);
    BOOST_TEST(walkway_now(nullptr) == 0u);
    BOOST_TEST(walkway_state_hash(nullptr) == 0u);
    BOOST_TEST(walkway_state_hash(w) == before);
    BOOST_TEST(walkway_advance(w, uint64_t{1} << 62) == WALKWAY_OK);
    no(walkway_advance(w, 1));
    BOOST_TEST(walkway_translate(w, &a, &r) == WALKWAY_FAULT);
}

BOOST_AUTO_TEST_CASE(bounds_are_enforced_from_both_sides)
{
    walkway_options o = {};
    o.pending = 2;
    const chain_ptr w = make("apu-micro18", {}, o);
    const walkway_access a = {};
    BOOST_TEST(walkway_submit(w.get(), &a, 0) == WALKWAY_OK);
    BOOST_TEST(walkway_submit(w.get(), &a, 1) == WALKWAY_OK);
    const uint64_t before = walkway_state_hash(w.get());
    refused(walkway_submit(w.get(), &a, 2), WALKWAY_E_FULL, "pending");
    BOOST_TEST(walkway_state_hash(w.get()) == before);
    walkway_result r = {};
    BOOST_TEST(walkway_poll(w.get(), &r) == WALKWAY_FAULT);
    BOOST_TEST(walkway_submit(w.get(), &a, 2) == WALKWAY_OK);
    alignas(64) static char memory[64 * 64];
    for (uint64_t i = 0; i < 64; ++i)
        BOOST_TEST(walkway_map_memory(w.get(), i * 128, memory + i * 64, 64, 0) == WALKWAY_OK);
    refused(walkway_map_memory(w.get(), 64, memory, 64, 0), WALKWAY_E_FULL, "regions");
    const chain_ptr other = make("apu-micro18", std::vector<std::string>());
    BOOST_TEST(walkway_map_memory(other.get(), 128, memory, 128, 0) == WALKWAY_OK);
    for (const uint64_t at : {64, 128, 192})
        refused(walkway_map_memory(other.get(), at, memory, 128, 0), WALKWAY_E_OVERLAP, "overlaps");
    BOOST_TEST(walkway_map_memory(other.get(), 256, memory, 128, 0) == WALKWAY_OK);
    BOOST_TEST(walkway_map_memory(other.get(), 0, memory, 128, 0) == WALKWAY_OK);
    size_t needed = 0;
    char one = 'x';
    refused(walkway_statistics(w.get(), &one, 1, &needed), WALKWAY_E_SPACE, "are needed");
    BOOST_TEST(one == 'x');
    std::string text(needed, 'x');
    BOOST_TEST(walkway_statistics(w.get(), &text[0], needed - 1, nullptr) == WALKWAY_E_SPACE);
    BOOST_TEST(walkway_statistics(w.get(), &text[0], needed, nullptr) == WALKWAY_OK);
    BOOST_TEST(text.back() == '\0');
    BOOST_TEST(text.find('\0') == needed - 1);
}

/* Not under the address sanitizer, which reserves address space itself. */
#if !defined(WALKWAY_SANITIZED)
BOOST_AUTO_TEST_CASE(a_host_without_memory_is_a_status)
{
    rlimit old = {};
    BOOST_REQUIRE(getrlimit(RLIMIT_AS, &old) == 0);
    rlimit less = old;
    less.rlim_cur = 400u << 20;
    BOOST_REQUIRE(setrlimit(RLIMIT_AS, &less) == 0);
    const char *const settings[] = {"gpu.cus=250", "l1_tlb.entries=4194304", "l1_tlb.ways=16"};
    walkway_options o = {};
    o.version = WALKWAY_VERSION;
    o.settings = settings;
    o.settings_count = 3;
    walkway_chain *w = nullptr;
    const int status = walkway_create("apu-micro18", &o, &w);
    BOOST_REQUIRE(setrlimit(RLIMIT_AS, &old) == 0);
    refused(status, WALKWAY_E_MEMORY, "no memory");
}
#endif

BOOST_AUTO_TEST_CASE(every_status_and_reason_has_a_name_and_a_sentence)
{
    std::set<std::string> names, texts;
    unsigned count = 0;
#define X(name, value, text)                                                                                 \
    ++count;                                                                                                 \
    names.insert(walkway_status_name(value));                                                                \
    texts.insert(walkway_status_text(value));
    WALKWAY_STATUS_LIST(X)
#undef X
    for (unsigned i = 0; i < WALKWAY_FAULT_REASONS; ++i, ++count) {
        names.insert(walkway_fault_name(i));
        texts.insert(walkway_fault_text(i));
    }
    BOOST_TEST(names.size() == count);
    BOOST_TEST(texts.size() == count);
    BOOST_TEST(names.count("?") + texts.count("?") == 0u);
    for (const char *unknown :
         {walkway_status_name(3), walkway_status_text(-99), walkway_fault_name(99), walkway_fault_text(99)})
        BOOST_TEST(unknown == std::string("?"));
    BOOST_TEST(walkway_version() == WALKWAY_VERSION);
}

BOOST_AUTO_TEST_SUITE_END()
