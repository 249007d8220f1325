/* SPDX-License-Identifier: MIT */
/* Stages unknown to the model, with causes, servers and events of their own, in a machine: nine that a
 * translation passes, and one that answers it after a walk of forty segments. Statistics, summary and the
 * file of translations show them by what they registered. */
#include "model/tlb.hpp"
#include "report/explain.hpp"
#include "run/statistics.hpp"
#include "tb/platform/bounds.hpp"

#include <fstream>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr unsigned stages = 9, steps = 40, clerks = 3;

/* Passes everything on, after a cycle. */
class detour final : public block, public target_of<xlat_protocol>, public initiator_of<xlat_protocol>
{
public:
    in_port<xlat_protocol> up{"up", *this, *this, 4};
    out_port<xlat_protocol> down{"down", *this, *this};

    detour(const sc_core::sc_module_name &name, const clock_domain &clock, uint8_t number)
        : block(name, clock), number_(number)
    {
        const std::string own = "detour_" + std::to_string(number);
        const uint32_t track = names()->add_track({this, ""});
        wait_ = names()->add(track, own + "_wait", "before a detour");
        pass_ = names()->add(track, own + "_pass", "on a detour");
    }
    uint64_t wrong = 0; /* answers that returned another way */
    std::string waiting() const override { return up.size() == 0 ? "" : "requests queued"; }

private:
    void step(tick now) override
    {
        while (up.ready(now) && down.can_send()) {
            xlat_request &r = up.front();
            up.pop();
            r.enter(number_);
            r.charge(wait_, now);
            r.charge(pass_, now + clock().period());
            down.send(r, now + clock().period());
        }
        if (down.can_send() && up.next() != never)
            wake(up.next() > now ? up.next() : now + clock().period());
    }
    void on_response(xlat_request &r, tick at, unsigned) override
    {
        wrong += r.leave() != number_;
        up.respond(r, at);
    }
    unsigned debug(xlat_request &r) override { return down->transport_dbg(r); }

    uint8_t number_;
    cause wait_, pass_;
};

/* Answers from the page table, by its clerks in turn; each takes a cycle for each of forty steps. */
class office final : public block, public target_of<xlat_protocol>
{
public:
    static constexpr event_kind called = {"called", "virtual address; clerk"},
                                overheard = {"overheard", "virtual address; clerk"};
    in_port<xlat_protocol> up{"up", *this, *this, 64};
    std::map<uint64_t, unsigned> clerk_of; /* the last one, by page */
    uint64_t served = 0;

    office(const sc_core::sc_module_name &name, const clock_domain &clock, const address_space &space)
        : block(name, clock), space_(space)
    {
        queue_ = names()->add(names()->add_track({this, "hall"}), "office_queue", "in the hall");
        const uint32_t track = names()->add_track({this, "clerk", clerks, &called, &overheard});
        reads_ = names()->add(track, "office_reads", "a clerk reads", 7);
        thinks_ = names()->add(track, "office_thinks", "a clerk thinks");
    }
    std::string waiting() const override { return up.size() == 0 ? "" : "requests queued"; }

private:
    void step(tick now) override
    {
        while (up.ready(now)) {
            xlat_request &r = up.front();
            up.pop();
            r.charge(queue_, now);
            const auto clerk = static_cast<unsigned>(served++ % clerks);
            clerk_of[r.va] = clerk;
            observe(called, r.va, clerk);
            for (unsigned i = 0; i < steps; ++i)
                r.charge(i % 2 == 0 ? reads_ : thinks_, r.mark + clock().period());
            debug(r);
            up.respond(r, r.mark);
        }
        wake(up.next());
    }
    unsigned debug(xlat_request &r) override
    {
        r.fault = !space_.translate(r.va, &r.result);
        return 1;
    }

    const address_space &space_;
    cause queue_, reads_, thinks_;
};

struct odd_top final : wiring {
    class dispatcher &dispatcher;
    compute_unit &cu;
    class office &office; /* constructed first, passed last */
    class coalescer &coalescer;
    tlb &first;
    std::vector<detour *> detours;

    odd_top(const sc_core::sc_module_name &name, const gpu_machine_params &p, memory_world &world,
            wkt_reader *trace)
        : wiring(name, clock_domain(p.gpu.clock_ps)),
          dispatcher(make<class dispatcher>("dispatcher", clock(), p.dispatcher, trace)),
          cu(make<compute_unit>("cu_0", clock(), p.cu, 0u, 1u, dispatcher)),
          office(make<class office>("office", clock(), world.spaces[0])),
          coalescer(make<class coalescer>("coalescer_0", clock(), p.coalescer)),
          first(make<tlb>("first", clock(), p.path.params<tlb_params>("l1_tlb"), stage_name{"l1", "L1 TLB"},
                          1u))
    {
        auto &l1d = make<data_cache>("l1d", clock(), p.l1d, world.store, 1u);
        auto &memory = make<class dram>("dram", p.dram, world.store, 1u);
        dispatcher.attach_unit(cu);
        cu.mem.bind(coalescer.up);
        coalescer.mem.bind(*l1d.up[0]);
        l1d.down.bind(*memory.up[0]);
        coalescer.xlat.bind(*first.up[0]);
        for (unsigned i = 0; i < stages; ++i) {
            detours.push_back(
                &make<detour>("detour_" + std::to_string(i), clock(), static_cast<uint8_t>(200 + i)));
            (i == 0 ? first.down : detours[i - 1]->down).bind(detours[i]->up);
        }
        detours.back()->down.bind(office.up);
        coalescer.belongs_to(cu);
        first.belongs_to(cu);
        list("gpu", "", "", dispatcher, cu);
        list("coalescer", "", "", coalescer);
        list("l1_tlb", "", "", first);
        list("detours", "", "", detours);
        list("office", "", "", office);
        list("l1d", "", "", l1d);
        list("dram", "", "", memory);
        show_account();
    }
};

struct odd_run {
    test::simulation sim;
    trace t{mixed_spec(3)};
    gpu_machine_params p = configured("gpu.cus=1").resolved(100);
    std::shared_ptr<memory_world> world =
        std::make_shared<memory_world>(p.address_space, t.reader(), p.memory_end());
    std::unique_ptr<odd_top> made = std::make_unique<odd_top>("top", p, *world, t.reader());
    odd_top &top = *made;
    machine m{{world, std::move(made)}};
    std::string file = "account.json", text;

    odd_run()
    {
        transaction_plan plan;
        plan.file = file;
        plan.about = "{}";
        plan.limit = 100000;
        m.follow(plan);
        BOOST_REQUIRE((m.run({}) == run_end::complete));
        m.finish_follow(false);
        std::ostringstream all;
        all << std::ifstream(file).rdbuf();
        text = all.str();
    }
    ~odd_run() { std::remove(file.c_str()); }
    /* Counts the lines of the file that have all of these in them. */
    unsigned lines(const std::vector<std::string> &parts) const
    {
        std::istringstream in(text);
        unsigned n = 0;
        for (std::string line; std::getline(in, line);)
            n += std::all_of(parts.begin(), parts.end(),
                             [&](const std::string &part) { return line.find(part) != std::string::npos; });
        return n;
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(account_of_stages_that_nobody_knows)

BOOST_AUTO_TEST_CASE(every_answer_goes_back_through_nine_stages_and_every_law_holds)
{
    odd_run r;
    BOOST_TEST(r.top.office.served > 90u);
    for (const detour *d : r.top.detours)
        BOOST_TEST(d->wrong == 0u, d->name());
    for (const law &l : r.m.laws())
        BOOST_TEST(l.holds(), l.name << ": " << l.left << ", " << l.right << " " << l.story);
}

BOOST_AUTO_TEST_CASE(statistics_and_summary_have_their_causes_in_the_order_of_the_way)
{
    odd_run r;
    json stats = {{"statistics", statistics_json(r.m)}};
    std::vector<std::string> expected = {"l1_queue", "l1_lookup", "l1_merged"};
    for (unsigned i = 0; i < stages; ++i)
        for (const char *part : {"_wait", "_pass"})
            expected.push_back("detour_20" + std::to_string(i) + part);
    expected.insert(expected.end(), {"office_queue", "office_reads", "office_thinks", "response"});
    std::vector<std::string> there;
    for (const cause_share &c : translation_causes(stats))
        there.push_back(c.name);
    BOOST_TEST(there == expected, boost::test_tools::per_element());

    const stat_view view(stats["statistics"]);
    const uint64_t served = r.top.office.served;
    for (unsigned i = 0; i < stages; ++i)
        BOOST_TEST(view.count("account.detour_20" + std::to_string(i) + "_pass") == served);
    BOOST_TEST(view.count("account.office_reads") == served * steps / 2);
    BOOST_TEST(view.count("account.office_thinks") == served * steps / 2);
    std::ostringstream summary;
    print_causes(summary, "causes", {translation_causes(stats)}, {"[1]"});
    BOOST_TEST(summary.str().find("office_thinks") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_file_of_translations_has_their_tracks_and_who_served)
{
    odd_run r;
    const auto served = static_cast<unsigned>(r.top.office.served);
    const std::string begins = "\"ph\":\"B\"", process = "\"process_name\",\"args\":{\"name\":",
                      thread = "\"thread_name\",\"args\":{\"name\":";
    BOOST_TEST(r.lines({begins, "\"name\":\"office_reads\"", "\"level\":7,"}) == served * steps / 2);
    BOOST_TEST(r.lines({begins, "\"name\":\"office_thinks\"", "\"level\""}) == 0u);
    BOOST_TEST(r.lines({begins, "\"name\":\"office_thinks\"", "\"ps\":500,\"cycles\":1}"}) ==
               served * steps / 2);
    BOOST_TEST(r.lines({"\"clerk\":", "\"coalesced\":false"}) == served);
    BOOST_TEST(r.lines({thread + "\"office.clerks"}) == 0u); /* every server is known */
    for (unsigned c = 0; c < clerks; ++c)
        BOOST_TEST(r.lines({thread + "\"office.clerk_" + std::to_string(c) + "\""}) == 1u);
    for (const detour *d : r.top.detours) {
        const std::string name = "\"" + std::string(d->name()).substr(4) + "\"";
        BOOST_TEST(r.lines({process + name}) == 1u, name);
        BOOST_TEST(r.lines({thread + name}) == 1u, name);
    }
    for (const char *name : {"\"cu_0\"", "\"office\""})
        BOOST_TEST(r.lines({process + name}) == 1u, name);
    /* the server of a page is the clerk that was called for it */
    std::map<uint64_t, unsigned> last;
    std::istringstream in(r.text);
    const auto number = [](const std::string &line, const std::string &name, int base) {
        return std::stoull(line.substr(line.find(name) + name.size()), nullptr, base);
    };
    for (std::string line; std::getline(in, line);)
        if (line.find("\"clerk\":") != std::string::npos)
            last[number(line, "\"va\":\"", 16)] = static_cast<unsigned>(number(line, "\"clerk\":", 10));
    BOOST_TEST((last == r.top.office.clerk_of));
}

BOOST_AUTO_TEST_CASE(one_name_with_two_meanings_is_refused)
{
    test::simulation sim;
    const auto names = account_names::here();
    const uint32_t track = names->add_track({nullptr, ""});
    const cause a = names->add(track, "reads", "a clerk reads"),
                b = names->add(track, "reads", "a clerk reads");
    BOOST_TEST((a != b));
    BOOST_TEST(names->of(a).row == names->of(b).row);
    BOOST_CHECK_THROW(names->add(track, "reads", "a clerk sleeps"), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(a_simulation_knows_nothing_of_the_one_before)
{
    for (unsigned run = 0; run < 2; ++run) {
        test::simulation sim;
        const auto names = account_names::here();
        BOOST_TEST(names->causes() == 1u);
        names->add(names->add_track({nullptr, ""}), "reads", run == 0 ? "this" : "that");
        BOOST_TEST(account_names::here()->causes() == 2u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
