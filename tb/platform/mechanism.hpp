/* SPDX-License-Identifier: MIT */
/* tb/platform/mechanism.hpp - what the tests of whole machines need to know of a mechanism, in a file of the
 * mechanism's own: mechanisms/NAME.hpp defines mechanism_NAME(), and the build lists the files. Every
 * parameter has a row, and an entry if it bounds or holds something. With the mechanism on and all of it
 * tight, tests check the laws on every rung, the order of blocks, signals and links. Settings are the apu's;
 * "above.iommu_tlb=x" among them puts a level x into its path. */
#ifndef WW_TB_PLATFORM_MECHANISM_HPP
#define WW_TB_PLATFORM_MECHANISM_HPP

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace walkway::test
{

enum class stimulus {
    rows,     /* 8 waves, a matrix row per lane: misses everywhere */
    reuse,    /* 2 waves, 24 pages 64 KiB apart, repeatedly: upper TLBs too small, IOMMU TLBs not */
    same,     /* 16 waves use the same few pages and lines at once */
    scatter,  /* loads, stores and atomics all over 8 MiB: memory is the bottleneck */
    wide,     /* pages in 3 x 3 x 8 regions of 512 GiB, 1 GiB and 2 MiB */
    wide5,    /* the same under two level-5 entries */
    local,    /* groups with local memory and barriers */
    lent,     /* rows twice; the second time each wave also uses 4 KiB of local memory */
    code,     /* 8 waves run over 60 lines of code, twice */
    unknown,  /* loads with an unknown use, and work after them */
    together, /* two programs at a time: lent and rows */
};

struct parameter_row {
    std::string name, value;
    enum stimulus stimulus;
    std::string base;
};

inline std::ostream &operator<<(std::ostream &out, const parameter_row &row)
{
    return out << row.name << "=" << row.value << " over [" << row.base << "]";
}

struct bound {
    std::string name;
    std::string tightest; /* "": the least value of its range */
    std::string needs;    /* settings without which that value would be refused */
    std::string stage;    /* to see its effect: settings added to the generous ones in both runs */
    std::string rises;    /* the statistic that its tightness raises */
};

inline std::ostream &operator<<(std::ostream &out, const bound &b)
{
    return out << b.name;
}

/* Levels between which requests pass, and the settings needed for that. */
struct neighbours {
    std::string above, below, needs;
};

inline std::ostream &operator<<(std::ostream &out, const neighbours &n)
{
    return out << n.above << " and " << n.below << n.needs;
}

struct mechanism {
    std::string on;                                              /* settings that switch it on */
    std::vector<parameter_row> rows;                             /* one per parameter */
    std::vector<bound> bounds;                                   /* parameters that bound something */
    std::vector<bound> capacities;                               /* parameters that hold something */
    std::vector<std::pair<std::string, const char *>> no_bounds; /* neither, with what they are */
    std::vector<neighbours> levels;
    std::vector<std::string> corners; /* settings with little of everything in it */
    std::string between;              /* its group of statistics, if it is between L1 and L2 TLB */
    std::string below;                /* or between the L2 TLB and the IOMMU */
    std::vector<std::string>
        asks; /* statistics of its requests to memory or the level below, except misses */

    /* For a stage between L1 and L2 TLB: its requests below, with '+' between. */
    std::string asked() const
    {
        std::string all = between + ".misses";
        for (const std::string &by : asks)
            all += "+" + by;
        return all;
    }
};

template <class T> void add_all(std::vector<T> &to, const std::vector<T> &more)
{
    to.insert(to.end(), more.begin(), more.end());
}

} // namespace walkway::test

#endif
