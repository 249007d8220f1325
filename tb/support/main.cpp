/* SPDX-License-Identifier: MIT */
/* Entry of the tests that simulate: SystemC owns main() and calls sc_main(), which runs Boost.Test. */
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <systemc>

namespace
{

const int silence = setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0); /* before libsystemc's main() */

bool nothing_to_register()
{
    return silence == 0;
}

} // namespace

int sc_main(int argc, char *argv[])
{
    return boost::unit_test::unit_test_main(&nothing_to_register, argc, argv);
}
