/* SPDX-License-Identifier: MIT */
/* tb/support/closed_files.hpp - tries what starts programs in processes that lack some of the standard files.
 */
#ifndef WALKWAY_TB_SUPPORT_CLOSED_FILES_HPP
#define WALKWAY_TB_SUPPORT_CLOSED_FILES_HPP

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace walkway::test
{

/* Expects that right() is true, in a process of its own, for each set of standard files that are closed
 * there. */
template <class Right> void expect_whichever_files_are_closed(const Right &right)
{
    for (unsigned closed = 0; closed < 8; ++closed) {
        const pid_t starter = fork();
        BOOST_REQUIRE(starter >= 0);
        if (starter == 0) {
            for (int file = 0; file < 3; ++file)
                if ((closed >> file & 1) != 0)
                    close(file);
            _exit(right() ? 0 : 1);
        }
        int status = 0;
        BOOST_REQUIRE(waitpid(starter, &status, 0) == starter);
        BOOST_TEST(status == 0, "closed: " << closed);
    }
}

} // namespace walkway::test

#endif
