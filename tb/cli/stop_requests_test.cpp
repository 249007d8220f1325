/* SPDX-License-Identifier: MIT */
/* tb/cli/stop_requests_test.cpp - signals that count as one request to stop, by made-up sender, number and
 * time. */
#include "support/stop_requests.hpp"

#include <boost/test/unit_test.hpp>

using walkway::stop_requests;

namespace
{

constexpr pid_t timeout = 100, shell = 101, starter = 7, terminal = 0;
constexpr int64_t ms = 1'000'000, window = stop_requests::same_request_ns;

} // namespace

BOOST_AUTO_TEST_CASE(a_repeat_by_the_sender_is_the_same_request_until_the_moment_is_over)
{
    stop_requests asked;
    BOOST_TEST(asked.requests() == 0u);
    BOOST_TEST(asked.received(SIGINT, timeout, 1000 * ms) == 1u);
    BOOST_TEST(asked.received(SIGINT, timeout, 1000 * ms + 1) == 1u);
    BOOST_TEST(asked.received(SIGINT, timeout, 1000 * ms + window - 1) == 1u);
    BOOST_TEST(asked.received(SIGINT, timeout, 1000 * ms + window) == 2u,
               "counted from the request, not its repeat");
    BOOST_TEST(window == 200 * ms);
}

BOOST_AUTO_TEST_CASE(another_sender_or_signal_is_another_request)
{
    stop_requests senders, numbers;
    senders.received(SIGINT, timeout, 0);
    BOOST_TEST(senders.received(SIGINT, shell, 1) == 2u);
    numbers.received(SIGINT, timeout, 0);
    BOOST_TEST(numbers.received(SIGTERM, timeout, 1) == 2u);
}

BOOST_AUTO_TEST_CASE(what_the_starter_passes_on_is_what_came_already)
{
    stop_requests asked;
    asked.expect_from(starter);
    BOOST_TEST(asked.received(SIGINT, terminal, 0) == 1u);
    BOOST_TEST(asked.received(SIGINT, starter, window * 5) == 1u, "late, and still the first");
    BOOST_TEST(asked.received(SIGINT, starter, window * 10) == 2u, "the starter's second");
    BOOST_TEST(asked.received(SIGINT, terminal, window * 15) == 2u);
    BOOST_TEST(asked.received(SIGINT, terminal, window * 20) == 3u);
}

BOOST_AUTO_TEST_CASE(the_starter_may_come_first_and_between)
{
    stop_requests asked;
    asked.expect_from(starter);
    BOOST_TEST(asked.received(SIGINT, starter, 0) == 1u);
    BOOST_TEST(asked.received(SIGINT, timeout, 1) == 1u);
    BOOST_TEST(asked.received(SIGINT, starter, 2) == 1u);
    BOOST_TEST(asked.received(SIGINT, timeout, 3) == 1u);
}

BOOST_AUTO_TEST_CASE(without_a_starter_everybody_is_anybody)
{
    stop_requests asked;
    asked.received(SIGINT, terminal, 0);
    BOOST_TEST(asked.received(SIGINT, starter, 1) == 2u);
    asked.forget();
    BOOST_TEST(asked.requests() == 0u);
}

BOOST_AUTO_TEST_CASE(the_sender_is_a_process_or_the_kernel)
{
    siginfo_t info = {};
    info.si_pid = timeout;
    info.si_code = SI_USER;
    BOOST_TEST(stop_requests::sender_of(info) == timeout);
    info.si_code = SI_TKILL;
    BOOST_TEST(stop_requests::sender_of(info) == timeout);
    info.si_code = SI_KERNEL; /* si_pid is not valid */
    BOOST_TEST(stop_requests::sender_of(info) == 0);
}
