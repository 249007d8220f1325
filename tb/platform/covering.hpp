/* SPDX-License-Identifier: MIT */
/* tb/platform/covering.hpp - a pairwise covering array of settings: every two values of two factors are
 * together in some legal row. */
#ifndef WW_TB_PLATFORM_COVERING_HPP
#define WW_TB_PLATFORM_COVERING_HPP

#include "kernels/base.h"

#include <array>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace walkway::test
{

struct factor {
    const char *name;
    std::vector<std::string> values; /* settings; the first one leaves the machine as it is */
};

struct covering {
    std::vector<std::string> rows; /* settings of all factors */
    unsigned impossible = 0;       /* pairs that no legal machine has */
};

/* Greedy: each row is, of many random legal rows, the one with the most pairs that no row has yet. */
class covering_array
{
public:
    using legality = std::function<bool(const std::string &settings)>;

    static covering of(const std::vector<factor> &factors, const legality &legal)
    {
        covering_array array(factors, legal);
        while (!array.left_.empty())
            array.add_row();
        return array.made_;
    }

private:
    using row = std::vector<size_t>;    /* one value per factor */
    using pair = std::array<size_t, 4>; /* two factors and their values */

    covering_array(const std::vector<factor> &factors, const legality &legal)
        : factors_(factors), legal_(legal)
    {
        ww_rng_init(&rng_, 24);
        for (size_t a = 0; a < factors.size(); ++a)
            for (size_t b = a + 1; b < factors.size(); ++b)
                for (size_t va = 0; va < factors[a].values.size(); ++va)
                    for (size_t vb = 0; vb < factors[b].values.size(); ++vb)
                        left_.insert({a, b, va, vb});
    }
    std::string settings_of(const row &r) const
    {
        std::string all;
        for (size_t f = 0; f < r.size(); ++f)
            all += factors_[f].values[r[f]] + " ";
        return all;
    }
    static std::set<pair> pairs_of(const row &r)
    {
        std::set<pair> all;
        for (size_t a = 0; a < r.size(); ++a)
            for (size_t b = a + 1; b < r.size(); ++b)
                all.insert({a, b, r[a], r[b]});
        return all;
    }
    size_t fresh(const row &r) const
    {
        size_t n = 0;
        for (const pair &p : pairs_of(r))
            n += left_.count(p);
        return n;
    }
    void add_row()
    {
        row best;
        size_t most = 0;
        const pair wanted = *left_.begin();
        for (unsigned candidate = 0; candidate < 60; ++candidate) {
            row r;
            for (const factor &f : factors_)
                r.push_back(ww_rng_below(&rng_, static_cast<uint32_t>(f.values.size())));
            r[wanted[0]] = wanted[2];
            r[wanted[1]] = wanted[3];
            const size_t has = legal_(settings_of(r)) ? fresh(r) : 0;
            if (has > most) {
                most = has;
                best = r;
            }
        }
        if (most == 0) {
            left_.erase(wanted);
            ++made_.impossible;
            return;
        }
        for (const pair &p : pairs_of(best))
            left_.erase(p);
        made_.rows.push_back(settings_of(best));
    }

    const std::vector<factor> &factors_;
    const legality &legal_;
    std::set<pair> left_;
    covering made_;
    ww_rng rng_{};
};

} // namespace walkway::test

#endif
