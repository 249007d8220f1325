/* SPDX-License-Identifier: MIT */
/* The same accesses through two devices, loosely timed and in four phases: every status, byte, event, table
 * read and statistic is the same; so is every time, as one access is in flight at a time. */
#include "tb/device/at_master.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t data_pa = iommu_rig::data_pa;
constexpr unsigned pages = 16, steps = 600;

struct seen_of_one {
    tlm::tlm_response_status status;
    sc_core::sc_time took;
    std::vector<unsigned char> data;
    std::vector<std::pair<uint64_t, unsigned>> memory;
};

struct outcome {
    std::vector<seen_of_one> accesses;
    std::vector<std::pair<uint64_t, uint64_t>> events;
    std::vector<unsigned char> bytes;
    std::map<std::string, uint64_t> stats;
    std::map<tlm::tlm_response_status, unsigned> statuses;
};

struct counts final : stat_visitor {
    std::map<std::string, uint64_t> &all;
    explicit counts(std::map<std::string, uint64_t> &to) : all(to) {}
    void begin(const std::string &, const char *) override {}
    void end() override {}
    void real(const char *, double, const char *, const char *) override {}
    void hist(const char *, const histogram &, const char *, const char *) override {}
    void count(const char *key, uint64_t value, const char *, const char *) override { all[key] = value; }
};

struct attempt {
    tlm::tlm_command command;
    uint64_t at;
    unsigned bytes, width;
    std::vector<unsigned char> enables;
    access_attributes of;
};

class traffic
{
public:
    explicit traffic(uint64_t seed) { ww_rng_init(&random_, seed); }
    unsigned below(unsigned n) { return ww_rng_below(&random_, n); }
    uint64_t right() { return (below(8) != 0 ? WW_AMD_IR : 0) | (below(4) != 0 ? WW_AMD_IW : 0); }

    void tables(iommu_rig &r)
    {
        for (unsigned i = 0; i < 2; ++i) {
            roots_[i] = r.own_table(i, static_cast<uint16_t>(7 + i), i == 1 ? WW_DTE_SE | WW_DTE_I : 0);
            for (unsigned page = 0; page < pages; ++page)
                change(r, i, page);
        }
        const uint64_t gcr3 = r.gcr3_table(2, 3), root = r.pasid_table(gcr3, 9);
        for (unsigned page = 0; page < pages; ++page)
            if (below(4) != 0)
                r.map_x86(root, page * 4096, frame(), 5 | below(2) << 1 | uint64_t{below(2)} << 63);
        r.device_entry(3, 3 | 4, 0); /* reserved bits */
        r.device_entry(4, UINT64_C(0xff000000) | UINT64_C(3) << 9 | 3 | WW_AMD_IR | WW_AMD_IW, 9);
        r.device_entry(5, 3 | WW_AMD_IR | WW_AMD_IW, 4); /* physical addresses */
    }
    void change(iommu_rig &r, unsigned device, unsigned page)
    {
        const unsigned kind = below(12);
        const uint64_t reserved = kind == 1 ? UINT64_C(1) << 52 : 0;
        const uint64_t pa = kind == 2 ? 0xfff000 + below(2) * 0x1000u : frame(); /* or beyond the end */
        r.map(roots_[device], page * 4096, kind == 0 ? 0 : pa, kind == 0 ? 0 : right() | reserved);
        if (kind == 3) /* not present */
            r.map(roots_[device], (page + 1000) * 4096u, frame());
    }
    attempt next()
    {
        attempt a = {};
        a.command = below(16) == 0  ? tlm::TLM_IGNORE_COMMAND
                    : below(2) == 0 ? tlm::TLM_READ_COMMAND
                                    : tlm::TLM_WRITE_COMMAND;
        a.bytes = below(3) == 0 ? 1 + below(10000) : 1 + below(64);
        a.width = below(4) == 0 ? 1 + below(a.bytes) : a.bytes;
        if (a.bytes / a.width > 64) /* several beats, but not thousands */
            a.width = a.bytes / 64;
        a.at = below(pages + 4) * 4096u + below(4096);
        if (below(40) == 0)
            a.at <<= 30;
        for (unsigned n = below(4) == 0 ? 1 + below(9) : 0; n != 0; --n)
            a.enables.push_back(below(2) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
        a.of.stream_id = below(3) != 0 ? below(2) : below(7);
        a.of.has_pasid = a.of.stream_id == 2 || below(50) == 0;
        a.of.pasid = below(10) == 0 ? 8 : 9;
        a.of.execute = below(8) == 0;
        a.of.privileged = below(2) != 0;
        a.of.type = below(30) == 0 ? address_type::translated : address_type::untranslated;
        if (a.of.stream_id == 5)
            a.at += data_pa;
        return a;
    }

private:
    uint64_t frame() { return data_pa + below(512) * 4096u; }
    ww_rng random_;
    uint64_t roots_[2] = {};
};

template <class T> void fill(T &t, const attempt &a)
{
    for (unsigned i = 0; i < a.bytes; ++i)
        t.data[i] = static_cast<unsigned char>(a.at + i * 7);
    t.p.set_streaming_width(a.width);
    if (!a.enables.empty()) {
        t.p.set_byte_enable_ptr(const_cast<unsigned char *>(a.enables.data()));
        t.p.set_byte_enable_length(static_cast<unsigned>(a.enables.size()));
    }
    t.with() = a.of;
}

outcome play(transport_mode mode, uint64_t seed)
{
    iommu_device_params p;
    p.mode = static_cast<uint8_t>(mode);
    p.tlb_entries = 16;
    p.tlb_ways = 4;
    p.walk_cache_entries = 2;
    p.contexts = 4;
    p.line_cache_bytes = seed % 2 != 0 ? 256 : 0;
    iommu_rig r(p);
    std::unique_ptr<at_master> phases;
    if (mode == transport_mode::at) {
        phases = std::make_unique<at_master>(r.masters[0]);
        phases->how = at_master::ways;
        for (auto &f : r.fronts)
            f->how = at_front::ways;
        r.settling = ns(500);
    }
    traffic any(seed);
    any.tables(r);
    r.enable(WW_IOMMU_CONTROL_GT_EN);
    outcome out;
    for (unsigned i = 1; i <= steps; ++i) {
        sc_core::sc_start(sc_core::sc_time(40.0 * i, sc_core::SC_US) - sc_core::sc_time_stamp());
        if (any.below(10) == 0) {
            const unsigned device = any.below(2), page = any.below(pages);
            any.change(r, device, page);
            if (any.below(4) == 0)
                r.inval_all();
            else
                r.inval_pages(static_cast<uint16_t>(7 + device), page * 4096u);
            sc_core::sc_start(ns(4000) + sc_core::sc_time(40.0 * i, sc_core::SC_US) -
                              sc_core::sc_time_stamp());
        }
        const attempt a = any.next();
        r.memory.seen.clear();
        if (mode == transport_mode::at) {
            at_access t(a.command, a.at, a.bytes);
            fill(t, a);
            phases->send(t);
            sc_core::sc_start(sc_core::sc_time(30, sc_core::SC_US));
            BOOST_TEST(t.freed == 1u);
            out.accesses.push_back({t.status(), t.took(), t.data, r.memory.seen});
        } else {
            transaction t(a.command, a.at, a.bytes);
            fill(t, a);
            r.masters[0].out->b_transport(t.p, t.delay);
            sc_core::sc_start(sc_core::sc_time(30, sc_core::SC_US));
            out.accesses.push_back({t.p.get_response_status(), t.delay, t.data, r.memory.seen});
        }
        ++out.statuses[out.accesses.back().status];
        for (const iommu_rig::event &e : r.events())
            out.events.push_back({e.word0, e.word1});
    }
    out.bytes.assign(r.memory.bytes.begin(), r.memory.bytes.end());
    counts c(out.stats);
    r.iommu.stats().visit(c);
    BOOST_TEST((r.iommu.core().check() == nullptr));
    return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(iommu_agreement)

BOOST_DATA_TEST_CASE(loosely_timed_and_four_phases_agree_on_random_accesses,
                     boost::unit_test::data::xrange(6))
{
    const auto seed = static_cast<uint64_t>(sample);
    const outcome lt = play(transport_mode::lt, seed), at = play(transport_mode::at, seed);
    for (unsigned i = 0; i < steps; ++i) {
        const seen_of_one &a = lt.accesses[i], &b = at.accesses[i];
        BOOST_TEST(a.status == b.status, "access " << i << ": " << a.status << " and " << b.status);
        BOOST_TEST((a.took == b.took), "access " << i << ": " << a.took << " and " << b.took);
        BOOST_TEST((a.data == b.data), "access " << i << ": other data");
        BOOST_TEST((a.memory == b.memory), "access " << i << ": other accesses to memory");
    }
    BOOST_TEST((lt.events == at.events));
    BOOST_TEST((lt.bytes == at.bytes));
    BOOST_TEST((lt.stats == at.stats));
    /* Everything has occurred. */
    for (const auto status : {tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                              tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE})
        BOOST_TEST(lt.statuses.count(status) == 1u);
    std::set<unsigned> codes;
    for (const auto &[word0, word1] : lt.events)
        codes.insert(static_cast<unsigned>(word0 >> 60));
    BOOST_TEST(codes == (std::set<unsigned>{1, 2, 4, 8}), boost::test_tools::per_element());
    BOOST_TEST(lt.stats.at("bursts_split") > 30u);
    BOOST_TEST(lt.stats.at("tlb_hits") > 50u);
    BOOST_TEST(lt.stats.at("contexts_displaced") > 10u);
}

BOOST_AUTO_TEST_SUITE_END()
