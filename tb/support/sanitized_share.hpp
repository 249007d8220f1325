/* SPDX-License-Identifier: MIT */
/* What takes ten times as long under the sanitizers is repeated less often there. */
#ifndef WW_TB_SUPPORT_SANITIZED_SHARE_HPP
#define WW_TB_SUPPORT_SANITIZED_SHARE_HPP

namespace walkway::test
{

/* Takes one in n calls under the sanitizers, the first among them, and every one otherwise: `static
 * sanitized_share some(4); if (!some.takes()) return;`. For repetitions that take the same lines with other
 * numbers. */
class sanitized_share
{
public:
    explicit sanitized_share(unsigned n) : n_(n) {}

    bool takes()
    {
#if defined(WALKWAY_SANITIZED)
        return turn_++ % n_ == 0;
#else
        return n_ != 0;
#endif
    }

private:
    unsigned n_;
    unsigned turn_ = 0;
};

} // namespace walkway::test

#endif
