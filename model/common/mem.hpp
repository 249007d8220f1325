/* SPDX-License-Identifier: MIT */
/* model/common/mem.hpp - memory transactions: TLM-2.0 generic payloads of one 64-byte line, pooled, with one
 * ignorable extension: the ports of the answer's way back, and whether it is an atomic. */
#ifndef WALKWAY_MODEL_COMMON_MEM_HPP
#define WALKWAY_MODEL_COMMON_MEM_HPP

#include "model/common/clock.hpp"
#include "model/common/fail.hpp"
#include "model/common/pool.hpp"

#include <tlm>

#include <array>
#include <cstdint>
#include <typeinfo>

namespace walkway
{

using mem_protocol = tlm::tlm_base_protocol_types;
constexpr unsigned line_bytes = 64;

struct mem_line;

struct mem_ext : tlm::tlm_extension<mem_ext> {
    /* A data L2 has ports for L1Ds, walk units, tables in memory, caches of code. */
    std::array<uint16_t, 6> route{};
    uint8_t depth = 0;
    bool atomic = false;
    bool late = false;        /* a write-back, or a fetch for one: the access that wrote has ended */
    bool walk = false;        /* a page-table read; stays with the transaction through the caches */
    uint32_t owner = 0;       /* the originator's */
    uint32_t owner_item = 0;  /* the originator's */
    mem_line *home = nullptr; /* the pooled line that has this extension */

    void enter(unsigned port)
    {
        if (depth == route.size())
            fail("/walkway/link", "a memory access goes through more levels than its extension can name");
        route[depth++] = static_cast<uint16_t>(port);
    }
    unsigned leave() { return route[--depth]; }

    tlm::tlm_extension_base *clone() const override { return new mem_ext(*this); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        *this = static_cast<const mem_ext &>(from);
    }
};

/* A pooled line transaction, which owns its extension and data. */
struct mem_line final : tlm::tlm_generic_payload {
    mem_line();
    ~mem_line() override;
    mem_line(const mem_line &) = delete;
    mem_line &operator=(const mem_line &) = delete;
    mem_ext ext;
    alignas(8) std::array<unsigned char, line_bytes> data{};
};

/* Returns the extension of a payload from no pool of ours. */
mem_ext &foreign_mem_ext(tlm::tlm_generic_payload &p);

/* Returns the extension of any payload; attaches one if a foreign initiator sent none. */
inline mem_ext &mem_ext_of(tlm::tlm_generic_payload &p)
{
    return typeid(p) == typeid(mem_line) ? static_cast<mem_line &>(p).ext : foreign_mem_ext(p);
}

/* True if a page-table walker sent it. */
inline bool is_walk(const tlm::tlm_generic_payload &p)
{
    return typeid(p) == typeid(mem_line) && static_cast<const mem_line &>(p).ext.walk;
}

/* Byte enables of a line, all off: a transaction with these has timing but no values. */
extern const std::array<unsigned char, line_bytes> line_disabled;
inline unsigned char *no_values()
{
    return const_cast<unsigned char *>(
        line_disabled.data()); /* TLM's pointer is not const; nothing writes through it */
}

class mem_pool : public tlm::tlm_mm_interface
{
public:
    /* Returns a whole-line read at pa (64-byte aligned). The caller owns one reference: release() gives it
     * back. */
    mem_line &read(uint64_t pa);
    /* Returns a write of all of the line's bytes, which the caller sets. */
    mem_line &write(uint64_t pa);
    /* Return a read and a write with no_values(): contents of data pages are not modelled. */
    mem_line &read_data(uint64_t pa);
    mem_line &write_data(uint64_t pa);
    void free(tlm::tlm_generic_payload *gp) override;
    uint64_t live() const { return lines_.live(); }
    uint64_t high_water() const { return lines_.high_water(); }

private:
    mem_line &fresh(uint64_t pa, tlm::tlm_command command, unsigned char *enables);
    pool<mem_line> lines_;
};

} // namespace walkway

#endif
