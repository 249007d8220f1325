/* SPDX-License-Identifier: MIT */
/* Files of translations from made-up accounts: lanes, selection and its ties, walkers, text. */
#include "observe/transactions/recorder.hpp"

#include "tb/support/simulation.hpp"

#include <fstream>
#include <random>
#include <sstream>
#include <sys/stat.h>

using namespace walkway;
using namespace walkway::test;

namespace
{

struct scratch_file {
    std::string path = "transactions.json";
    ~scratch_file() { std::remove(path.c_str()); }
    bool exists() const
    {
        struct stat status {
        };
        return stat(path.c_str(), &status) == 0;
    }
    std::string text() const
    {
        std::ostringstream all;
        all << std::ifstream(path).rdbuf();
        return all.str();
    }
    /* Virtual addresses of the translations, in the order of the file. */
    std::vector<uint64_t> written() const
    {
        const std::string all = text();
        const std::string mark = R"("cat":"translation","name":"translation","args":{"translation":)";
        std::vector<uint64_t> list;
        for (size_t at = all.find(mark); at != std::string::npos; at = all.find(mark, at + 1))
            list.push_back(std::stoull(all.substr(all.find("0x", at), 18), nullptr, 16));
        return list;
    }
};

/* A block that does nothing by itself. */
class fake final : public block, public account_closer
{
public:
    explicit fake(const std::string &name) : block(name.c_str(), gpu_clock) {}
    std::string waiting() const override { return ""; }
    uint32_t track(const std::string &part = "") { return names()->add_track({this, part}); }
    void tell(const event_kind &kind, const xlat_request &r, uint64_t server) const
    {
        observe(kind, r.va, server, &r);
    }
    void visit_account(stat_visitor &, const std::vector<const block *> &) const override {}
    void close(const xlat_request &r) const { accounts_->on_closed(*this, r, r.mark); }

private:
    void step(tick) override {}
};

/* Two units of a requester and a first stage; a shared stage with servers. */
struct machine {
    static constexpr event_kind took = {"took", ""}, spared = {"spared", ""}, other = {"other", ""};

    simulation sim;
    fake walks{"walks"}; /* constructed first, last in the list */
    fake cu_0{"cu_0"}, cu_1{"cu_1"}, asks_0{"asks_0"}, asks_1{"asks_1"}, first_0{"first_0"},
        first_1{"first_1"};
    cause held, waits, reads, queue_0, queue_1;

    machine()
    {
        account_names &names = *walks.names();
        const uint32_t buffer = walks.track("buffer");
        held = names.add(buffer, "held", "held back");
        waits = names.add(buffer, "waits", "no server free");
        reads =
            names.add(names.add_track({&walks, "server", 4, &took, &spared}), "reads", "a server reads", 3);
        for (fake *b : {&asks_0, &asks_1})
            b->track();
        queue_0 = names.add(first_0.track(), "queue", "in the first stage");
        queue_1 = names.add(first_1.track(), "queue", "in the first stage");
        asks_0.belongs_to(cu_0);
        first_0.belongs_to(cu_0);
        asks_1.belongs_to(cu_1);
        first_1.belongs_to(cu_1);
    }
    std::vector<block *> blocks() { return {&cu_0, &cu_1, &asks_0, &asks_1, &first_0, &first_1, &walks}; }
    /* A server takes a translation, or spares it. Required: t is not before an earlier call's. */
    void tell(tick t, const event_kind &kind, uint64_t va, uint64_t server, uint16_t vmid = 0);
    /* Closes an account of this latency, all of it in the first stage. */
    void close(uint64_t va, tick issued, tick latency);
};

transaction_plan plan_for(const scratch_file &file)
{
    transaction_plan p;
    p.file = file.path;
    p.about = "{}";
    p.limit = 100;
    return p;
}

xlat_request asked(uint64_t va, tick issued)
{
    xlat_request r{};
    r.va = va;
    r.start(issued);
    r.result = {0x40000000, 12, 7};
    return r;
}

void machine::tell(tick t, const event_kind &kind, uint64_t va, uint64_t server, uint16_t vmid)
{
    xlat_request r = asked(va, t);
    r.vmid = vmid;
    sim.run_until(t);
    walks.tell(kind, r, server);
}

void machine::close(uint64_t va, tick issued, tick latency)
{
    xlat_request r = asked(va, issued);
    r.charge(queue_0, issued + latency);
    asks_0.close(r);
}

unsigned times(const std::string &text, const std::string &part)
{
    unsigned n = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

using vas = std::vector<uint64_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(transactions)

BOOST_AUTO_TEST_CASE(the_lowest_lane_that_is_free_is_taken)
{
    lane_set lanes;
    BOOST_TEST(lanes.take(0, 10) == 0u);
    BOOST_TEST(lanes.take(9, 12) == 1u);
    BOOST_TEST(lanes.take(10, 20) == 0u);
    BOOST_TEST(lanes.take(11, 13) == 2u);
    BOOST_TEST(lanes.take(12, 13) == 1u);
    BOOST_TEST(lanes.take(5, 6) == 3u); /* earlier than all: needs a lane of its own */
    BOOST_TEST(lanes.used() == 4u);
}

BOOST_AUTO_TEST_CASE(lanes_are_those_of_a_search_one_by_one)
{
    std::mt19937_64 random(7);
    lane_set lanes;
    std::vector<tick> ends;
    for (unsigned i = 0; i < 5000; ++i) {
        const tick from = i * 10 + random() % 400, to = from + 1 + random() % (i % 50 == 0 ? 5000 : 300);
        size_t expected = 0;
        while (expected < ends.size() && ends[expected] > from)
            ++expected;
        if (expected == ends.size())
            ends.push_back(0);
        ends[expected] = to;
        BOOST_REQUIRE_EQUAL(lanes.take(from, to), expected);
    }
    BOOST_TEST(lanes.used() == ends.size());
}

BOOST_AUTO_TEST_CASE(of_equally_slow_ones_the_first_answered_stay)
{
    scratch_file file;
    transaction_plan plan = plan_for(file);
    plan.slowest = 3;
    machine m;
    transaction_recorder recorder(plan, m.blocks(), period);
    m.close(0x1000, 0, 500);
    m.close(0x2000, 100, 900);
    m.close(0x3000, 600, 500); /* 0x1000 was first */
    m.close(0x4000, 1000, 500);
    m.close(0x5000, 900, 700);
    const transaction_counts counts = recorder.finish(9000, false);
    BOOST_TEST(counts.answered == 5u);
    BOOST_TEST(counts.in_window == 5u);
    BOOST_TEST(counts.written == 3u);
    BOOST_TEST(file.written() == (vas{0x1000, 0x2000, 0x5000}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_window_has_what_is_under_way_in_it)
{
    scratch_file file;
    transaction_plan plan = plan_for(file);
    plan.from = 1000;
    plan.to = 2000;
    machine m;
    transaction_recorder recorder(plan, m.blocks(), period);
    m.close(0x1000, 0, 1000); /* ends where the window begins */
    m.close(0x2000, 0, 1001);
    m.close(0x3000, 1200, 100);
    m.close(0x4000, 0, 5000); /* all of the window and more */
    m.close(0x5000, 1999, 9000);
    m.close(0x6000, 2000, 100);
    const transaction_counts counts = recorder.finish(20000, false);
    BOOST_TEST(counts.answered == 6u);
    BOOST_TEST(counts.written == 4u);
    BOOST_TEST(file.written() == (vas{0x2000, 0x4000, 0x3000, 0x5000}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_third_up_to_the_limit_and_the_rest_is_counted)
{
    scratch_file file;
    transaction_plan plan = plan_for(file);
    plan.every = 3;
    plan.limit = 2;
    machine m;
    transaction_recorder recorder(plan, m.blocks(), period);
    for (uint64_t i = 1; i <= 13; ++i)
        m.close(i << 12, i * 1000, 500);
    const transaction_counts counts = recorder.finish(20000, true);
    BOOST_TEST(file.written() == (vas{0x3000, 0x6000}), boost::test_tools::per_element());
    BOOST_TEST(counts.left_out == 2u);
    BOOST_TEST(counts.first_left_out == 9500u);
    BOOST_TEST(file.text().find(R"("partial":true)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(memory_is_bounded_and_late_ones_are_written_all_the_same)
{
    scratch_file file;
    transaction_plan plan = plan_for(file);
    plan.limit = 100000;
    const uint64_t n = transaction_recorder::most_waiting + 1000;
    machine m;
    transaction_recorder recorder(plan, m.blocks(), period);
    for (uint64_t i = 1; i <= n; ++i)
        m.close(i << 12, i * 1000, 500);
    m.close(0xabc000, 500, n * 1000); /* older than everything, answered last */
    BOOST_TEST(recorder.finish(n * 2000, false).written == n + 1);
    const vas list = file.written();
    BOOST_TEST(list.size() == n + 1);
    BOOST_TEST(list[999] == 0x3e8000u); /* a thousand are written, then the late one */
    BOOST_TEST(list[1000] == 0xabc000u);
    BOOST_TEST(list[1001] == 0x3e9000u);
    BOOST_TEST(file.text().find("\"asks_0 #2\"") != std::string::npos);
    BOOST_TEST(file.text().find("\"asks_0 #3\"") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_server_is_that_of_this_stay_in_the_stage)
{
    scratch_file file;
    machine m;
    transaction_recorder recorder(plan_for(file), m.blocks(), period);
    const auto walked = [&](uint64_t va, tick from, tick buffered, bool served) {
        xlat_request r = asked(va, from);
        r.charge(m.queue_0, from + 500);
        r.charge_part(m.held, 500);
        r.charge(m.waits, from + 500 + buffered);
        if (served)
            r.charge(m.reads, r.mark + 5000);
        m.asks_0.close(r);
    };
    m.tell(3500, machine::took, 0x1000, 2);
    m.tell(3500, machine::other, 0x1000, 1);
    walked(0x1000, 1000, 2000, true);
    m.tell(9000, machine::spared, 0x2000, 3);
    walked(0x2000, 7000, 1500, false);
    walked(0x2000, 20000, 1500, true); /* another stay of the page: its server is unknown */
    recorder.finish(90000, false);
    const std::string text = file.text();
    BOOST_TEST(times(text, R"("server":2,"coalesced":false)") == 1u);
    BOOST_TEST(times(text, R"("server":3,"coalesced":true)") == 1u);
    BOOST_TEST(times(text, "\"server\":") == 2u);
    BOOST_TEST(times(text, "\"walks.server_2\"") == 1u);
    BOOST_TEST(times(text, "\"walks.server_3\"") == 0u); /* it walked for others, not for these */
    BOOST_TEST(times(text, "\"walks.servers\"") == 1u);
    BOOST_TEST(times(text, "\"level\":3,") == 2u);
}

/* Several programs may use one address: the first keeps its server. */
BOOST_AUTO_TEST_CASE(equal_addresses_of_two_spaces_have_servers_of_their_own)
{
    scratch_file file;
    machine m;
    transaction_recorder recorder(plan_for(file), m.blocks(), period);
    const auto walked = [&](uint16_t vmid, tick from) {
        xlat_request r = asked(0x1000, from);
        r.vmid = vmid;
        r.charge(m.waits, from + 1000);
        r.charge(m.reads, from + 6000);
        m.asks_0.close(r);
    };
    m.tell(2000, machine::took, 0x1000, 2, 0);
    m.tell(3000, machine::took, 0x1000, 1, 1);
    walked(0, 1000);
    walked(1, 2000);
    recorder.finish(90000, false);
    BOOST_TEST(times(file.text(), "\"server\":2,") == 1u);
    BOOST_TEST(times(file.text(), "\"server\":1,") == 1u);
}

BOOST_AUTO_TEST_CASE(a_second_stay_in_a_stage_has_a_server_of_its_own)
{
    scratch_file file;
    machine m;
    transaction_recorder recorder(plan_for(file), m.blocks(), period);
    xlat_request r = asked(0x1000, 0);
    r.charge(m.waits, 1000);
    r.charge(m.reads, 3000); /* a fault: it is requested again */
    r.charge(m.queue_0, 4000);
    r.charge(m.waits, 5000);
    r.charge(m.reads, 9000);
    m.tell(5000, machine::took, 0x1000, 1);
    m.asks_0.close(r);
    recorder.finish(90000, false);
    const std::string text = file.text();
    BOOST_TEST(times(text, "\"walks.servers\"") == 1u); /* the server of the first stay is not known */
    BOOST_TEST(times(text, "\"walks.server_1\"") == 1u);
    BOOST_TEST(times(text, R"("account_ps":{"queue":1000,"waits":2000,"reads":6000}})") == 1u);
}

BOOST_AUTO_TEST_CASE(a_stage_that_the_list_of_blocks_lacks_has_its_track_all_the_same)
{
    scratch_file file;
    machine m;
    std::vector<block *> blocks = m.blocks();
    blocks.pop_back();
    transaction_recorder recorder(plan_for(file), blocks, period);
    xlat_request r = asked(0x1000, 0);
    r.charge(m.waits, 1000);
    r.charge(m.queue_0, 4000);
    m.asks_0.close(r);
    recorder.finish(90000, false);
    BOOST_TEST(times(file.text(), "\"walks.buffer\"") == 1u);
    BOOST_TEST(times(file.text(), R"("name":"walks"})") == 1u);
    BOOST_TEST(times(file.text(), R"("account_ps":{"queue":3000,"waits":1000}})") == 1u);
}

BOOST_AUTO_TEST_CASE(the_text_of_one_translation)
{
    scratch_file file;
    machine m;
    transaction_recorder recorder(plan_for(file), m.blocks(), period);
    xlat_request r = asked(0x12345000, 1500001);
    r.cu = 1;
    r.instruction = 77;
    r.access = access_kind::atomic;
    r.result = {0x40000000, 16, 7};
    r.charge(m.queue_1, 1500501);
    r.charge(cause::response, 1502001);
    m.asks_1.close(r);
    recorder.finish(3000000, false);
    std::string expected = "{\"traceEvents\":[";
    const auto event = [&expected](const char *phase, const char *thread, const std::string &rest) {
        expected += std::string(expected.back() == '[' ? "" : ",") + "\n{\"ph\":\"" + phase +
                    "\",\"pid\":2,\"tid\":" + thread + ",\"ts\":" + rest + "}";
    };
    const auto meta = [&event](const char *thread, const char *name, const char *what) {
        event("M", thread,
              std::string(R"(0.000000,"cat":"__metadata","name":")") + name + "\",\"args\":{" + what + "}");
    };
    const char *const place = "600000", *const below = "800000";
    meta(place, "process_name", R"("name":"cu_1")");
    meta(place, "process_sort_index", R"("sort_index":2)");
    meta(place, "thread_name", R"("name":"asks_1")");
    meta(place, "thread_sort_index", R"("sort_index":600000)");
    event(
        "B", place,
        R"(1.500001,"cat":"translation","name":"translation","args":{"translation":1,)"
        R"("va":"0x12345000","vpn":"0x12345","vmid":0,"cu":1,"instruction":77,"access":"atomic","page_va":"0x12340000",)"
        R"("page_pa":"0x40000000","page_bytes":65536,"result_pa":"0x40005000","answered_by":"first_1","latency_ps":2000,)"
        R"("latency_cycles":4,"account_ps":{"queue":500,"response":1500}})");
    event("s", place, R"(1.500001,"cat":"translation","name":"translation","id":1)");
    meta(below, "thread_name", R"("name":"first_1")");
    meta(below, "thread_sort_index", R"("sort_index":800000)");
    event("B", below,
          R"(1.500001,"cat":"segment","name":"queue","args":{"translation":1,)"
          R"("va":"0x12345000","vpn":"0x12345","ps":500,"cycles":1})");
    event("t", below, R"(1.500001,"cat":"translation","name":"translation","id":1)");
    event("E", below, R"(1.500501,"cat":"segment","name":"queue")");
    event("B", place,
          R"(1.500501,"cat":"segment","name":"response","args":{"translation":1,)"
          R"("va":"0x12345000","vpn":"0x12345","ps":1500,"cycles":3})");
    event("f", place, R"(1.500501,"cat":"translation","name":"translation","id":1,"bp":"e")");
    event("E", place, R"(1.502001,"cat":"segment","name":"response")");
    event("E", place, R"(1.502001,"cat":"translation","name":"translation")");
    expected +=
        "\n"
        R"(],"displayTimeUnit":"ns","otherData":{"run":{},"partial":false,"ended_ps":3000000,"cycle_ps":500,)"
        R"("window_from_ps":0,"every":1,"limit":100,"translations":1,"in_window":1,"written":1,"left_out":0}})"
        "\n";
    BOOST_TEST(file.text() == expected);
}

/* The threads of track n begin at 200,000 * (n + 1). */
BOOST_AUTO_TEST_CASE(tracks_beyond_four_billion_threads_have_threads_of_their_own)
{
    scratch_file file;
    machine m;
    uint32_t last = 0;
    for (unsigned n = 0; n < 21500; ++n)
        last = m.walks.track("part_" + std::to_string(n));
    const cause far = m.walks.names()->add(last, "far", "in the last part");
    transaction_recorder recorder(plan_for(file), m.blocks(), period);
    xlat_request r = asked(0x1000, 0);
    r.charge(far, 1000);
    m.asks_0.close(r);
    recorder.finish(90000, false);
    const std::string text = file.text(), mark = "\"tid\":";
    uint64_t most = 0;
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
        most = std::max<uint64_t>(most, std::stoull(text.substr(at + mark.size(), 20)));
    BOOST_TEST(most > 21500u * uint64_t{200000});
}

BOOST_AUTO_TEST_CASE(a_fault_has_no_result)
{
    scratch_file file;
    machine m;
    transaction_recorder recorder(plan_for(file), m.blocks(), period);
    xlat_request r = asked(0x5000, 0);
    r.fault = true;
    r.access = access_kind::write;
    r.charge(m.queue_0, 1000);
    m.asks_0.close(r);
    recorder.finish(1000, false);
    BOOST_TEST(file.text().find(R"("access":"write","fault":true,"answered_by":"first_0","latency_ps")") !=
               std::string::npos);
    BOOST_TEST(file.text().find("result_pa") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_file_without_an_end_without_translations_or_on_a_full_disk)
{
    scratch_file file;
    {
        machine m;
        transaction_recorder recorder(plan_for(file), m.blocks(), period);
        m.close(0x1000, 0, 500);
    }
    BOOST_TEST(!file.exists());
    {
        machine m;
        transaction_recorder recorder(plan_for(file), m.blocks(), period);
        BOOST_CHECK_THROW(recorder.finish(1000, false), file_failure);
    }
    BOOST_TEST(!file.exists());
    transaction_plan plan = plan_for(file);
    plan.file = "/dev/full";
    machine m;
    transaction_recorder recorder(plan, m.blocks(), period);
    m.close(0x1000, 0, 500);
    BOOST_CHECK_THROW(recorder.finish(1000, false), file_failure);
    plan.file = "no/such/folder/x.json";
    BOOST_CHECK_THROW(transaction_recorder(plan, m.blocks(), period), file_failure);
}

BOOST_AUTO_TEST_SUITE_END()
