/* SPDX-License-Identifier: MIT */
/* tb/guest/emulator_test.cpp - the emulator hears and is heard, whichever standard files its starter lacks.
 */
#include "guest/emulator.hpp"
#include "tb/support/closed_files.hpp"

using namespace walkway;

BOOST_AUTO_TEST_CASE(an_emulator_has_its_standard_files_if_its_starter_has_closed_some)
{
    test::expect_whichever_files_are_closed([] {
        emulator_process emulator(
            {"sh", "-c", R"(read -r line && echo '"SHUTDOWN" "reason": "heard"'; echo err >&2; exit 3)"});
        while (emulator.running())
            usleep(1000);
        return emulator.shutdown_reason() == "heard" && emulator.story() == "exit code 3: err";
    });
}
