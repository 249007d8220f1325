/* SPDX-License-Identifier: MIT */
/* tb/support/main.cpp - entry of the tests that simulate: SystemC owns main() and calls sc_main(), which runs
 * Boost.Test. */
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <systemc>

#if defined(WALKWAY_SANITIZED)
#include <sanitizer/asan_interface.h>
#include <sys/syscall.h>
#include <unistd.h>

/* SystemC unmaps the stacks of a finished simulation while its processes are still on them. The sanitizer
 * then keeps the poison of their frames, which would hit the next user of this memory. */
extern "C" int munmap(void *at, size_t bytes) noexcept
{
    __asan_unpoison_memory_region(at, bytes);
    return static_cast<int>(syscall(SYS_munmap, at, bytes));
}
#endif

namespace
{

const int silence = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0); /* before libsystemc's main() runs */

bool nothing_to_register()
{
    return silence == 0;
}

} // namespace

int sc_main(int argc, char *argv[])
{
    return boost::unit_test::unit_test_main(&nothing_to_register, argc, argv);
}
