/* SPDX-License-Identifier: MIT */
/* device/convert_attributes.hpp - access_attributes from and to the extensions of other libraries: gem5's
 * ControlExtension, vcml's tlm_sbi, libsystemctlm-soc's genattr_extension and atsattr_extension. Each is a
 * template on that library's class, so nothing of theirs is needed here; it compiles with any class that has
 * the members used. docs/use/co-simulation.md lists what each carries. */
#ifndef WALKWAY_DEVICE_CONVERT_ATTRIBUTES_HPP
#define WALKWAY_DEVICE_CONVERT_ATTRIBUTES_HPP

#include "device/access_attributes.hpp"
#include "device/translation_services.hpp"

namespace walkway::convert
{

/* gem5: Gem5SystemC::ControlExtension. Its stream and substream IDs are optional; the substream is the PASID;
 * it has no address type. */
template <class Control> access_attributes from_gem5(const Control &c)
{
    access_attributes a;
    a.privileged = c.isPrivileged();
    a.secure = c.isSecure();
    a.execute = c.isInstruction();
    if (const auto stream = c.getStreamId())
        a.stream_id = static_cast<uint32_t>(*stream);
    if (const auto substream = c.getSubstreamId()) {
        a.has_pasid = true;
        a.pasid = static_cast<uint32_t>(*substream);
    }
    return a;
}
template <class Control> void to_gem5(const access_attributes &a, Control &c)
{
    c.setPrivileged(a.privileged);
    c.setSecure(a.secure);
    c.setInstruction(a.execute);
    if (a.stream_id != access_attributes::nobody)
        c.setStreamId(a.stream_id);
    if (a.has_pasid)
        c.setSubstreamId(a.pasid);
}

/* Initiators without requesters leave 0 in their extension, so 0 means `nobody`: the port gives the
 * requester. `nobody` is never written: the present value stays. */
constexpr uint32_t requester_of(uint64_t id)
{
    return id == 0 ? access_attributes::nobody : static_cast<uint32_t>(id);
}

/* vcml: tlm_sbi. cpuid is the requester (0: the port's), asid the PASID (all ones: none), atype the address
 * type as here; privilege is a level, 0 is a user's. */
template <class Sbi> access_attributes from_vcml(const Sbi &s)
{
    access_attributes a;
    a.stream_id = requester_of(s.cpuid);
    a.has_pasid = static_cast<uint64_t>(s.asid) != static_cast<uint64_t>(decltype(s.asid)(~0ull));
    a.pasid = a.has_pasid ? static_cast<uint32_t>(s.asid) : 0;
    a.secure = s.is_secure;
    a.privileged = s.privilege != 0;
    a.execute = s.is_insn;
    const auto type = static_cast<unsigned>(s.atype);
    a.type = type <= 2 ? static_cast<address_type>(type) : address_type::untranslated;
    return a;
}
template <class Sbi> void to_vcml(const access_attributes &a, Sbi &s)
{
    if (a.stream_id != access_attributes::nobody)
        s.cpuid = a.stream_id;
    s.asid = a.has_pasid ? a.pasid : ~0ull;
    s.is_secure = a.secure;
    s.privilege = a.privileged ? 1 : 0;
    s.is_insn = a.execute;
    s.atype = static_cast<unsigned>(a.type) & 3u;
}

/* libsystemctlm-soc: genattr_extension. master_id is the requester (0: the port's); it carries neither PASID
 * nor privilege. */
template <class Generic> access_attributes from_genattr(const Generic &g)
{
    access_attributes a;
    a.stream_id = requester_of(g.get_master_id());
    a.secure = g.get_secure();
    return a;
}
template <class Generic> void to_genattr(const access_attributes &a, Generic &g)
{
    if (a.stream_id != access_attributes::nobody)
        g.set_master_id(a.stream_id);
    g.set_secure(a.secure);
}

/* atsattr_extension: bit 0 execute, 1 read, 2 write, 8 physical. On an access it gives the address type;
 * translation requests come through a socket of their own there (from_ats_request()). */
constexpr uint64_t ats_execute = 1u << 0, ats_read = 1u << 1, ats_write = 1u << 2, ats_physical = 1u << 8;

template <class Ats> void add_atsattr(const Ats &t, access_attributes *a)
{
    const uint64_t bits = t.get_attributes();
    a->execute = (bits & ats_execute) != 0;
    a->type = (bits & ats_physical) != 0 ? address_type::translated : address_type::untranslated;
}
template <class Ats> void to_atsattr(const access_attributes &a, bool write, Ats &t)
{
    t.set_attributes((a.execute ? ats_execute : 0) | (write ? ats_write : ats_read) |
                     (a.type == address_type::translated ? ats_physical : 0));
}

/* Translation requests of such a device, and their answers. The payload carries the address in and out
 * there, so an answer is `pa` as the address, and the rest here; result 0: there is a translation, 1:
 * there is none. */
template <class Ats> translation_request from_ats_request(const Ats &t)
{
    const uint64_t bits = t.get_attributes();
    translation_request r;
    r.wants = static_cast<uint8_t>(((bits & ats_read) != 0 ? WW_PERM_R : 0) |
                                   ((bits & ats_write) != 0 ? WW_PERM_W : 0) |
                                   ((bits & ats_execute) != 0 ? WW_PERM_X : 0));
    return r;
}
template <class Ats> void to_ats_answer(const translation_request &r, Ats &t)
{
    t.set_attributes(((r.rights & WW_PERM_R) != 0 ? ats_read : 0) |
                     ((r.rights & WW_PERM_W) != 0 ? ats_write : 0) |
                     ((r.rights & WW_PERM_X) != 0 ? ats_execute : 0));
    t.set_length(r.length);
    t.set_result(r.rights != 0 ? 0 : 1);
}

} // namespace walkway::convert

#endif
