/* SPDX-License-Identifier: MIT */
/* tb/support/test_share.hpp - how much of its work a long test does: random draws, equality over many
 * configurations, all interleavings. It does a part under the sanitizers, which take ten times as long, and
 * in ./check ($WALKWAY_TESTS=short); ./check --deep does all of it on the optimised build.
 * docs/develop/gate.md lists these tests. */
#ifndef WW_TB_SUPPORT_TEST_SHARE_HPP
#define WW_TB_SUPPORT_TEST_SHARE_HPP

#include <cstdlib>
#include <string_view>

namespace walkway::test
{

#if defined(WALKWAY_SANITIZED)
constexpr unsigned sanitized_part = 10; /* the part of what short tests do */
#else
constexpr unsigned sanitized_part = 1;
#endif

/* True if only a part of the work is to be done. */
inline bool short_tests()
{
#if defined(WALKWAY_SANITIZED)
    return true;
#else
    const char *size = std::getenv("WALKWAY_TESTS");
    return size != nullptr && std::string_view(size) == "short";
#endif
}

/* In short tests takes() is true in one of n calls, the first among them, and under the sanitizers in one of
 * n * sanitized_part; otherwise in every call: `static test_share some(4); if (!some.takes()) return;`. For
 * repetitions that cover the same lines with other numbers; with n = 1 only the sanitizers leave some out. */
class test_share
{
public:
    explicit test_share(unsigned n) : n_(short_tests() ? n * sanitized_part : 1) {}

    bool takes() { return turn_++ % n_ == 0; }
    unsigned of(unsigned all) const { return all / n_; } /* how many of `all` calls it takes at least */

private:
    unsigned n_;
    unsigned turn_ = 0;
};

} // namespace walkway::test

#endif
