/* SPDX-License-Identifier: MIT */
/* The rules of the base protocol that need their own stimuli, on every block that is its target; and for each
 * rule, modules that break it. */
#include "model/data_cache.hpp"
#include "model/dram.hpp"
#include "tb/device/base_protocol_wrong.hpp"
#include "tb/device/iommu_rig.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/foreign_memory.hpp"
#include "tb/support/requests.hpp"

#include <tuple>

using namespace walkway;
using namespace walkway::test;
using namespace walkway::test::breaking;

namespace
{

using texts = std::map<std::string, std::string>;

/* ---- Subjects ---- */

template <class M> struct memory_subject {
    simulation sim;
    M memory{"memory"};
    std::vector<std::unique_ptr<stimulus>> all;
    base_protocol rules;

    explicit memory_subject(transport how = transport::blocking)
    {
        for (unsigned i = 0; i < 2; ++i) {
            all.push_back(std::make_unique<stimulus>(("from_" + std::to_string(i)).c_str(), how));
            rules.bind(all[i]->out, memory.up[i]);
            all[i]->first = 0x1000 * (i + 1);
            all[i]->outside = 1 << 16;
            all[i]->state = [this] { return state(); };
        }
        sc_core::sc_start(ns(1));
    }
    stimulus &from() { return *all[0]; }
    texts state() { return memory.state(); }
    void reset() { memory.reset(); }
    void restore() {}
};

/* The memory of the other tests of the IOMMU. */
struct test_bytes : byte_memory {
    explicit test_bytes(const char *n) : byte_memory(n, 2, 1 << 16) {}
    texts state() const { return {{"accesses", std::to_string(accesses)}}; }
    void reset() {}
};

struct iommu_subject {
    std::vector<std::unique_ptr<stimulus>> all;
    iommu_rig rig;
    uint64_t root;

    static iommu_device_params params(transport how)
    {
        iommu_device_params p;
        p.mode = static_cast<uint8_t>(how == transport::phases ? transport_mode::at : transport_mode::lt);
        p.dmi = static_cast<uint8_t>(dmi_policy::always);
        return p;
    }
    explicit iommu_subject(transport how)
        : rig(params(how), 2, false, [this, how](unsigned i) -> tlm::tlm_initiator_socket<32> & {
              all.push_back(std::make_unique<stimulus>(("from_" + std::to_string(i)).c_str(), how));
              return all.back()->out;
          })
    {
        rig.settling = ns(1000);
        root = rig.own_table(0, 7);
        for (unsigned i = 0; i < 2; ++i) {
            rig.iommu.set_stream(i, 0);
            all[i]->first = 0x5000 + i * 0x3000;
            all[i]->outside = 0x6000 + i * 0x3000;
            all[i]->state = [this] { return state(); };
            rig.map(root, all[i]->first, iommu_rig::data_pa + i * 0x10000);
        }
        rig.enable();
    }
    ~iommu_subject() { all.clear(); } /* destroyed before the simulation */
    stimulus &from() { return *all[0]; }
    texts state()
    {
        texts parts;
        rig.iommu.core().states([&parts](const char *name, const void *bytes, size_t n) {
            parts[name] += std::string(static_cast<const char *>(bytes), n);
        });
        return parts;
    }
    void reset() { rig.iommu.reset(); }
    void restore() { rig.enable(); }
};

struct lt_iommu : iommu_subject {
    lt_iommu() : iommu_subject(transport::blocking) {}
};
struct at_iommu : iommu_subject {
    at_iommu() : iommu_subject(transport::phases) {}
};

struct dram_subject {
    memory_store store;
    simulation sim;
    dram dut{"dram", numbers_of<dram_params>(), store, 1};
    stimulus one{"from", transport::phases};
    base_protocol rules;

    dram_subject()
    {
        rules.bind(one.out, *dut.up[0]);
        one.outside = uint64_t{1} << 34;
        one.state = [this] {
            return texts{{"reads", std::to_string(dut.stats().reads)},
                         {"writes", std::to_string(dut.stats().writes)},
                         {"commands", std::to_string(dut.reads_served(simulation_time()))}};
        };
        sc_core::sc_start(ns(1));
    }
    stimulus &from() { return one; }
};

template <uint8_t WRITE> struct cache_subject {
    memory_store store;
    simulation sim;
    dram below{"dram", numbers_of<dram_params>(), store, 1};
    data_cache dut{"cache", gpu_clock, params(), store, 1};
    stimulus one{"from", transport::phases};
    base_protocol rules;

    static data_cache_params params()
    {
        data_cache_params p = numbers_of<data_cache_params>();
        p.write = WRITE;
        return p;
    }
    cache_subject()
    {
        rules.bind(one.out, *dut.up[0]);
        rules.bind(dut.down, *below.up[0]);
        one.unit = line_bytes;
        one.state = [this] { return stat_text::of(dut.stats()); };
        sc_core::sc_start(ns(1));
    }
    stimulus &from() { return one; }
};

struct foreign_subject {
    memory_store store;
    simulation sim;
    foreign_memory memory;
    stimulus one{"from", transport::phases};
    base_protocol rules;

    foreign_subject()
    {
        rules.bind(one.out, memory.up);
        memory.answer = [this](gp &p) {
            if (p.get_streaming_width() < p.get_data_length()) {
                p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
                return;
            }
            store.apply(p);
            p.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        memory.on_debug = [this](gp &p) {
            store.apply(p);
            return p.get_data_length();
        };
        one.state = [this] {
            texts t;
            for (unsigned i = 0; i < foreign_memory::ways; ++i)
                t["way " + std::to_string(i)] = std::to_string(memory.taken[i]);
            return t;
        };
        sc_core::sc_start(ns(1));
    }
    stimulus &from() { return one; }
};

template <class M> struct in_phases_too : memory_subject<M> {
    in_phases_too() : memory_subject<M>(transport::phases) {}
};

using targets = std::tuple<memory_subject<right_memory>, in_phases_too<right_memory>,
                           memory_subject<test_bytes>, lt_iommu, at_iommu, dram_subject,
                           cache_subject<WW_WRITE_THROUGH>, cache_subject<WW_WRITE_BACK>, foreign_subject>;

/* Moves device 0's page at 0x5000 to another frame, and sends the command for that. */
template <class T> std::function<void()> revoke(T &t)
{
    if constexpr (std::is_base_of_v<iommu_subject, T>)
        return [&t] {
            t.rig.map(t.root, 0x5000, iommu_rig::data_pa + 0x5000);
            t.rig.inval_pages(7, 0x5000);
        };
    return nullptr;
}

void none(const findings &all)
{
    for (const auto &v : all)
        BOOST_ERROR("rule " << v.rule << ": " << v.what);
}

void only(const findings &all, unsigned rule)
{
    BOOST_TEST(!all.empty(), "rule " << rule << " was not seen to be broken");
    for (const auto &v : all)
        BOOST_TEST(v.rule == rule);
}

/* ---- Modules that break a rule ---- */

template <unsigned RULE, class M, transport HOW = transport::blocking> struct breaker {
    static constexpr unsigned rule = RULE;
    using subject = std::conditional_t<HOW == transport::blocking, memory_subject<M>, in_phases_too<M>>;
};

using breakers =
    std::tuple<breaker<16, ignores_byte_enables>, breaker<16, ignores_byte_enables, transport::phases>,
               breaker<16, ignores_streaming>, breaker<16, clears_disabled_bytes>,
               breaker<16, does_not_repeat_enables>, breaker<16, refuses_enables_as_a_burst>,
               breaker<17, says_ok_outside>, breaker<17, says_generic_error>,
               breaker<17, reads_what_is_to_be_ignored>, breaker<17, does_not_add_in_64_bits>,
               breaker<18, leaves_an_extension>, breaker<18, takes_extensions_off>,
               breaker<18, takes_extensions_off, transport::phases>, breaker<18, needs_an_extension>,
               breaker<21, points_to_a_copy>, breaker<21, points_beside>, breaker<23, counts_debug_access>,
               breaker<23, only_says_that_debug_access_writes>>;

findings all_of_one_target(stimulus &s, std::function<void()> revoke)
{
    findings all;
    for (const findings &some : {byte_enables_and_streaming(s), commands_and_addresses(s), extensions_pass(s),
                                 debug_changes_nothing(s), pointers_show_memory(s, std::move(revoke))})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

findings of_rule(unsigned rule, stimulus &s)
{
    return rule == 16   ? byte_enables_and_streaming(s)
           : rule == 17 ? commands_and_addresses(s)
           : rule == 18 ? extensions_pass(s)
           : rule == 21 ? pointers_show_memory(s, nullptr)
                        : debug_changes_nothing(s);
}

} // namespace

BOOST_AUTO_TEST_SUITE(base_protocol_stimuli)

BOOST_AUTO_TEST_CASE_TEMPLATE(a_target_of_ours_keeps_rules_16_to_18_21_and_23, T, targets)
{
    T t;
    none(all_of_one_target(t.from(), revoke(t)));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_memory_that_breaks_one_of_them_is_named, T, breakers)
{
    typename T::subject t;
    only(of_rule(T::rule, t.from()), T::rule);
    t.rules.forget(); /* the checker sees some of them too */
}

BOOST_AUTO_TEST_CASE(extensions_of_ours_are_copied_whole)
{
    attributes_extension attributes;
    attributes.of = {1, 2, 3, 4, 5, true, true, true, true, true, address_type::translated};
    none(copies_are_complete(attributes, [](const attributes_extension &a, const attributes_extension &b) {
        return std::memcmp(&a.of, &b.of, sizeof a.of) == 0;
    }));
    mem_ext ext;
    ext.enter(3);
    ext.atomic = ext.late = ext.walk = true;
    ext.owner = 7;
    ext.owner_item = 8;
    none(copies_are_complete(ext, [](const mem_ext &a, const mem_ext &b) {
        return a.route == b.route && a.depth == b.depth && a.atomic == b.atomic && a.late == b.late &&
               a.walk == b.walk && a.owner == b.owner && a.owner_item == b.owner_item;
    }));
}

namespace
{
struct forgetful : tlm::tlm_extension<forgetful> {
    unsigned first = 0, second = 0;
    tlm::tlm_extension_base *clone() const override { return new forgetful(*this); }
    void copy_from(const tlm::tlm_extension_base &o) override
    {
        first = static_cast<const forgetful &>(o).first;
    }
};
struct of_anothers_kind : tlm::tlm_extension<forgetful> { /* shares the other's number */
    unsigned first = 0;
    tlm::tlm_extension_base *clone() const override { return new forgetful; }
    void copy_from(const tlm::tlm_extension_base &o) override
    {
        first = static_cast<const of_anothers_kind &>(o).first;
    }
};
} // namespace

BOOST_AUTO_TEST_CASE(an_extension_that_is_not_copied_whole_breaks_rule_18)
{
    forgetful f;
    f.first = f.second = 1;
    only(copies_are_complete(f, [](auto &a, auto &b) { return a.first == b.first && a.second == b.second; }),
         18);
    of_anothers_kind o;
    o.first = 1;
    only(copies_are_complete(o, [](auto &a, auto &b) { return a.first == b.first; }), 18);
}

/* An IOMMU whose table changes without a command. */
BOOST_AUTO_TEST_CASE(a_pointer_that_is_not_taken_back_breaks_rule_21)
{
    lt_iommu t;
    only(pointers_show_memory(t.from(), [&t] { t.rig.map(t.root, 0x5000, iommu_rig::data_pa + 0x5000); }),
         21);
    memory_subject<right_memory> other;
    only(pointers_show_memory(other.from(), [] {}), 21);
}

namespace
{
template <class S> struct decoupled : S { /* both masters at once */
    std::vector<std::unique_ptr<stimulus>> &from = S::all;
};
struct decoupled_iommu : iommu_subject {
    std::vector<std::unique_ptr<stimulus>> &from = all;
    decoupled_iommu() : iommu_subject(transport::blocking)
    {
        for (auto &s : all) { /* only one walk runs at a time: their order would be that of processes */
            stimulus_access warm(tlm::TLM_READ_COMMAND, s->first, 4);
            s->play(warm);
        }
    }
};
template <class M> struct through : memory_subject<M> {
    using memory_subject<M>::memory_subject;
};
} // namespace

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_quantum)
{
    none(independent_of_the_quantum<decoupled<memory_subject<right_memory>>>());
    none(independent_of_the_quantum<decoupled<memory_subject<test_bytes>>>());
    none(independent_of_the_quantum<decoupled_iommu>());
}

BOOST_AUTO_TEST_CASE(results_that_depend_on_the_quantum_break_rule_24)
{
    only(independent_of_the_quantum<decoupled<memory_subject<adds_absolute_time>>>(), 24);
    only(independent_of_the_quantum<decoupled<memory_subject<serves_in_the_order_of_calls>>>(), 24);
}

BOOST_AUTO_TEST_CASE(blocking_calls_and_phases_leave_the_same)
{
    none(same_through_both<through<right_memory>>());
    none(same_through_both<iommu_subject>());
}

BOOST_AUTO_TEST_CASE(phases_that_do_something_else_break_rule_25)
{
    only(same_through_both<through<forgets_data_in_phases>>(), 25);
    only(same_through_both<through<counts_twice_in_phases>>(), 25);
}

BOOST_AUTO_TEST_CASE(a_reset_at_any_time_ends_what_is_under_way)
{
    none(resets_end_legally<in_phases_too<right_memory>>(ns(7), ns(70)));
    none(resets_end_legally<at_iommu>(ns(7), ns(350)));
}

BOOST_AUTO_TEST_CASE(a_reset_that_forgets_or_says_nothing_breaks_rule_26)
{
    only(resets_end_legally<in_phases_too<forgets_at_reset>>(ns(7), ns(70)), 26);
    only(resets_end_legally<in_phases_too<stays_in_reset>>(ns(7), ns(70)), 26);
    only(resets_end_legally<in_phases_too<answers_without_a_status>>(ns(7), ns(70)), 26);
}

BOOST_AUTO_TEST_SUITE_END()
