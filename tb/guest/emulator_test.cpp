/* SPDX-License-Identifier: MIT */
/* tb/guest/emulator_test.cpp - the emulator hears and is heard, whichever standard files its starter lacks.
 */
#include "guest/emulator.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

using namespace walkway;

BOOST_AUTO_TEST_CASE(an_emulator_has_its_standard_files_if_its_starter_has_closed_some)
{
    for (unsigned closed = 0; closed < 8; ++closed) {
        const pid_t starter = fork();
        BOOST_REQUIRE(starter >= 0);
        if (starter == 0) {
            for (int file = 0; file < 3; ++file)
                if ((closed >> file & 1) != 0)
                    close(file);
            emulator_process emulator(
                {"sh", "-c", R"(read -r line && echo '"SHUTDOWN" "reason": "heard"'; echo err >&2; exit 3)"});
            while (emulator.running())
                usleep(1000);
            _exit(emulator.shutdown_reason() == "heard" && emulator.story() == "exit code 3: err" ? 0 : 1);
        }
        int status = 0;
        BOOST_REQUIRE(waitpid(starter, &status, 0) == starter);
        BOOST_TEST(status == 0, "closed: " << closed);
    }
}
