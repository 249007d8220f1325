/* SPDX-License-Identifier: MIT */
/* Shared by the tests of walk buffer, service table and scheduler: storage for a kernel's blob, addresses
 * whose neighbourhoods collide at every level, and the naive statement of the CL rule. */
#ifndef WW_TB_WALK_FIXTURE_HPP
#define WW_TB_WALK_FIXTURE_HPP

#include "kernels/addr.h"
#include "kernels/bits.h"
#include "kernels/walk/pwst.h"
#include "kernels/walk/walk_buffer.h"
#include "tb/kernels/table_fixture.hpp"

#include <cstring>
#include <string>
#include <vector>

namespace walk_fixture
{

/* 64-byte aligned memory; a copy of it is a snapshot of the kernel in it. */
class blob
{
public:
    explicit blob(size_t bytes) : m_lines((bytes + 63) / 64) {}
    void *get() { return m_lines.data(); }
    const void *get() const { return m_lines.data(); }
    size_t bytes() const { return m_lines.size() * sizeof(line); }

private:
    struct alignas(64) line {
        unsigned char byte[64];
    };
    std::vector<line> m_lines;
};

class buffer
{
public:
    explicit buffer(uint32_t entries, const ww_table_kind *kind = &ww_radix5)
        : m_cfg{entries, kind}, m_blob(ww_wbuf_bytes(&m_cfg))
    {
        ww_wbuf_init(get(), m_blob.bytes(), &m_cfg);
    }
    ww_wbuf *get() { return static_cast<ww_wbuf *>(m_blob.get()); }
    const ww_wbuf *get() const { return static_cast<const ww_wbuf *>(m_blob.get()); }
    operator ww_wbuf *() { return get(); }
    ww_wbuf *operator->() { return get(); }
    const blob &bytes() const { return m_blob; }
    /* The array at an offset in the header, for breaking it. */
    template <typename T> T *array(uint32_t at)
    {
        return reinterpret_cast<T *>(static_cast<unsigned char *>(m_blob.get()) + at);
    }

private:
    ww_wbuf_cfg m_cfg;
    blob m_blob;
};

class service_table
{
public:
    service_table(uint32_t walkers, ww_coalesce_mode mode, const ww_table_kind *kind = &ww_radix5)
        : m_cfg{walkers, static_cast<uint8_t>(mode), kind}, m_blob(ww_pwst_bytes(&m_cfg))
    {
        ww_pwst_init(get(), m_blob.bytes(), &m_cfg);
    }
    ww_pwst *get() { return static_cast<ww_pwst *>(m_blob.get()); }
    operator ww_pwst *() { return get(); }
    ww_pwst *operator->() { return get(); }
    const blob &bytes() const { return m_blob; }
    template <typename T> T *array(uint32_t at)
    {
        return reinterpret_cast<T *>(static_cast<unsigned char *>(m_blob.get()) + at);
    }

private:
    ww_pwst_cfg m_cfg;
    blob m_blob;
};

inline ww_wbuf_job job(uint64_t va, uint32_t req = 0, uint16_t vmid = 0, uint32_t instr = 0, uint16_t cu = 0)
{
    ww_wbuf_job j{};
    j.va = va;
    j.req = req;
    j.instr = instr;
    j.vmid = vmid;
    j.cu = cu;
    return j;
}

/* VA from its table indexes, root first. */
inline uint64_t va_of(uint64_t l4, uint64_t l3, uint64_t l2, uint64_t l1, uint64_t l5 = 0)
{
    return l5 << 48 | l4 << 39 | l3 << 30 | l2 << 21 | l1 << 12;
}

/* A random address such that equal, neighbouring and far indexes occur at each level. */
inline uint64_t random_va(ww_rng *rng)
{
    static const uint64_t choice[] = {0, 0, 0, 0, 1, 7, 8, 511};
    uint64_t va = 0;
    for (uint32_t level = 1; level <= WW_LEVELS_MAX; level++)
        va |= choice[ww_rng_below(rng, 8)] << ww_level_shift(level);
    return va | ww_rng_below(rng, 4096);
}

inline bool same_nbhd(const ww_wbuf_job &a, uint64_t va, uint16_t vmid, uint32_t level)
{
    const uint32_t shift = 15 + 9 * (level - 1); /* 32 KiB, 16 MiB, 8 GiB, 4 TiB, 2 PiB */
    return a.vmid == vmid && a.va >> shift == va >> shift;
}

inline std::string text(const char *broken)
{
    return broken == nullptr ? "" : broken;
}

} // namespace walk_fixture

#endif
