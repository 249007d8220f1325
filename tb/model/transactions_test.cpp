/* SPDX-License-Identifier: MIT */
/* Files of translations from accounts that are made up: lanes, selection and its ties, walkers, text. */
#include "observe/transactions/recorder.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <random>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace walkway;

namespace
{

struct scratch_file {
    std::string path = "/tmp/transactions_test_" + std::to_string(getpid()) + ".json";
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

transaction_tracks two_units()
{
    transaction_tracks t;
    t.cu = {"cu_0", "cu_1"};
    t.coalescer = {"coalescer_0", "coalescer_1"};
    t.l1 = {"l1_tlb_0", "l1_tlb_1"};
    t.l2 = "l2_tlb";
    t.iommu = "iommu";
    t.walkers = 4;
    t.cycle_ps = 500;
    return t;
}

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

/* Took so long, all in the L1 TLB. */
void close(transaction_recorder &to, uint64_t va, tick issued, tick latency)
{
    xlat_request r = asked(va, issued);
    r.charge(cause::l1_lookup, issued + latency);
    to.on_closed(r, issued + latency);
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
    BOOST_TEST(lanes.take(5, 6) == 3u); /* earlier than all: a lane of its own */
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
    transaction_recorder recorder(plan, two_units());
    close(recorder, 0x1000, 0, 500);
    close(recorder, 0x2000, 100, 900);
    close(recorder, 0x3000, 600, 500); /* the 0x1000 was first */
    close(recorder, 0x4000, 1000, 500);
    close(recorder, 0x5000, 900, 700);
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
    transaction_recorder recorder(plan, two_units());
    close(recorder, 0x1000, 0, 1000); /* ends where it begins */
    close(recorder, 0x2000, 0, 1001);
    close(recorder, 0x3000, 1200, 100);
    close(recorder, 0x4000, 0, 5000); /* all of it and more */
    close(recorder, 0x5000, 1999, 9000);
    close(recorder, 0x6000, 2000, 100);
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
    transaction_recorder recorder(plan, two_units());
    for (uint64_t i = 1; i <= 13; ++i)
        close(recorder, i << 12, i * 1000, 500);
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
    transaction_recorder recorder(plan, two_units());
    for (uint64_t i = 1; i <= n; ++i)
        close(recorder, i << 12, i * 1000, 500);
    close(recorder, 0xabc000, 500, n * 1000); /* older than everything, answered last */
    BOOST_TEST(recorder.finish(n * 2000, false).written == n + 1);
    const vas list = file.written();
    BOOST_TEST(list.size() == n + 1);
    BOOST_TEST(list[999] == 0x3e8000u); /* a thousand had to leave, then the late one came */
    BOOST_TEST(list[1000] == 0xabc000u);
    BOOST_TEST(list[1001] == 0x3e9000u);
    BOOST_TEST(file.text().find("\"coalescer_0 #2\"") != std::string::npos);
    BOOST_TEST(file.text().find("\"coalescer_0 #3\"") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_walker_is_that_of_this_stay_in_the_buffer)
{
    scratch_file file;
    transaction_recorder recorder(plan_for(file), two_units());
    const auto tell = [&](tick time, event_kind kind, uint64_t va, uint64_t walker) {
        recorder.walks().on_event({time, nullptr, kind, va, walker});
    };
    const auto walked = [&](uint64_t va, tick from, tick buffered, bool own_walk) {
        xlat_request r = asked(va, from);
        r.charge(cause::iommu_lookup, from + 500);
        r.charge_part(cause::held, 500);
        r.charge(cause::buffer, from + 500 + buffered);
        if (own_walk)
            r.charge(cause::walk_l1, r.mark + 5000);
        recorder.on_closed(r, r.mark);
    };
    tell(3500, event_kind::walk_start, 0x1000, 2);
    tell(3500, event_kind::walk_end, 0x1000, 1);
    walked(0x1000, 1000, 2000, true);
    tell(9000, event_kind::walk_coalesced, 0x2000, 3);
    walked(0x2000, 7000, 1500, false);
    walked(0x2000, 20000, 1500, true); /* another stay of the page: nobody knows its walker */
    recorder.finish(90000, false);
    const std::string text = file.text();
    const auto count = [&text](const std::string &part) {
        unsigned n = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
            ++n;
        return n;
    };
    BOOST_TEST(count(R"("walker":2,"coalesced":false)") == 1u);
    BOOST_TEST(count(R"("walker":3,"coalesced":true)") == 1u);
    BOOST_TEST(count("\"walker\":") == 2u);
    BOOST_TEST(count("\"iommu.walker_2\"") == 1u);
    BOOST_TEST(count("\"iommu.walker_3\"") == 0u); /* it walked for others: no stretch of ours */
    BOOST_TEST(count("\"iommu.walkers\"") == 1u);
}

BOOST_AUTO_TEST_CASE(the_text_of_one_translation)
{
    scratch_file file;
    transaction_recorder recorder(plan_for(file), two_units());
    xlat_request r = asked(0x12345000, 1500001);
    r.cu = 1;
    r.instruction = 77;
    r.access = access_kind::atomic;
    r.result = {0x40000000, 16, 7};
    r.charge(cause::l1_queue, 1500501);
    r.charge(cause::response, 1502001);
    recorder.on_closed(r, 1502001);
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
    meta(place, "thread_name", R"("name":"coalescer_1")");
    meta(place, "thread_sort_index", R"("sort_index":600000)");
    event("B", place,
          R"(1.500001,"cat":"translation","name":"translation","args":{"translation":1,)"
          R"("va":"0x12345000","vmid":0,"cu":1,"instruction":77,"access":"atomic","page_va":"0x12340000",)"
          R"("page_pa":"0x40000000","page_bytes":65536,"result_pa":"0x40005000","latency_ps":2000,)"
          R"("latency_cycles":4,"account_ps":{"l1_queue":500,"response":1500}})");
    event("s", place, R"(1.500001,"cat":"translation","name":"translation","id":1)");
    meta(below, "thread_name", R"("name":"l1_tlb_1")");
    meta(below, "thread_sort_index", R"("sort_index":800000)");
    event("B", below,
          R"(1.500001,"cat":"stretch","name":"l1_queue","args":{"translation":1,)"
          R"("va":"0x12345000","ps":500,"cycles":1})");
    event("t", below, R"(1.500001,"cat":"translation","name":"translation","id":1)");
    event("E", below, R"(1.500501,"cat":"stretch","name":"l1_queue")");
    event("B", place,
          R"(1.500501,"cat":"stretch","name":"response","args":{"translation":1,)"
          R"("va":"0x12345000","ps":1500,"cycles":3})");
    event("f", place, R"(1.500501,"cat":"translation","name":"translation","id":1,"bp":"e")");
    event("E", place, R"(1.502001,"cat":"stretch","name":"response")");
    event("E", place, R"(1.502001,"cat":"translation","name":"translation")");
    expected +=
        "\n"
        R"(],"displayTimeUnit":"ns","otherData":{"run":{},"partial":false,"ended_ps":3000000,"cycle_ps":500,)"
        R"("window_from_ps":0,"every":1,"limit":100,"translations":1,"in_window":1,"written":1,"left_out":0}})"
        "\n";
    BOOST_TEST(file.text() == expected);
}

BOOST_AUTO_TEST_CASE(a_fault_has_no_result)
{
    scratch_file file;
    transaction_recorder recorder(plan_for(file), two_units());
    xlat_request r = asked(0x5000, 0);
    r.fault = true;
    r.access = access_kind::write;
    r.charge(cause::l1_lookup, 1000);
    recorder.on_closed(r, 1000);
    recorder.finish(1000, false);
    BOOST_TEST(file.text().find(R"("access":"write","fault":true,"latency_ps")") != std::string::npos);
    BOOST_TEST(file.text().find("result_pa") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(no_file_without_an_end_without_translations_or_on_a_full_disk)
{
    scratch_file file;
    {
        transaction_recorder recorder(plan_for(file), two_units());
        close(recorder, 0x1000, 0, 500);
    }
    BOOST_TEST(!file.exists());
    {
        transaction_recorder recorder(plan_for(file), two_units());
        BOOST_CHECK_THROW(recorder.finish(1000, false), file_failure);
    }
    BOOST_TEST(!file.exists());
    transaction_plan plan = plan_for(file);
    plan.file = "/dev/full";
    transaction_recorder recorder(plan, two_units());
    close(recorder, 0x1000, 0, 500);
    BOOST_CHECK_THROW(recorder.finish(1000, false), file_failure);
    plan.file = "no/such/folder/x.json";
    BOOST_CHECK_THROW(transaction_recorder(plan, two_units()), file_failure);
}

BOOST_AUTO_TEST_SUITE_END()
