/* SPDX-License-Identifier: MIT */
/* The extension of access attributes: layout, defaults, copies; and the converters from and to stand-ins with
 * the members of the other libraries' classes. */
#include "device/convert_attributes.hpp"
#include "tb/device/service_rig.hpp"

#include <cstddef>
#include <optional>

using namespace walkway;
using namespace walkway::test;

namespace
{

struct gem5_control {
    bool privileged = false, secure = false, instruction = false;
    std::optional<uint32_t> stream, substream;
    bool isPrivileged() const { return privileged; }
    bool isSecure() const { return secure; }
    bool isInstruction() const { return instruction; }
    std::optional<uint32_t> getStreamId() const { return stream; }
    std::optional<uint32_t> getSubstreamId() const { return substream; }
    void setPrivileged(bool b) { privileged = b; }
    void setSecure(bool b) { secure = b; }
    void setInstruction(bool b) { instruction = b; }
    void setStreamId(std::optional<uint32_t> n) { stream = n; }
    void setSubstreamId(std::optional<uint32_t> n) { substream = n; }
};
struct vcml_sbi {
    uint64_t is_debug : 1, is_nodmi : 1, is_sync : 1, is_insn : 1, is_excl : 1, is_lock : 1, is_secure : 1,
        atype : 2;
    uint64_t cpuid = 0, privilege = 0, asid = ~0ull;
    vcml_sbi()
        : is_debug(0), is_nodmi(0), is_sync(0), is_insn(0), is_excl(0), is_lock(0), is_secure(0), atype(0)
    {
    }
};
struct genattr {
    uint64_t master = 0;
    bool secure = true;
    uint64_t get_master_id() const { return master; }
    bool get_secure() const { return secure; }
    void set_master_id(uint64_t n) { master = n; }
    void set_secure(bool b) { secure = b; }
};
struct atsattr {
    uint64_t bits = 0, length = 0;
    uint32_t result = 9;
    void set_length(uint64_t n) { length = n; }
    void set_result(uint32_t n) { result = n; }
    uint64_t get_attributes() const { return bits; }
    void set_attributes(uint64_t n) { bits = n; }
};

access_attributes all_of_it()
{
    access_attributes a;
    a.stream_id = 0x1234;
    a.has_pasid = true;
    a.pasid = 0xabcde;
    a.secure = a.privileged = a.execute = true;
    return a;
}

void same(const access_attributes &a, const access_attributes &b)
{
    BOOST_TEST(a.stream_id == b.stream_id);
    BOOST_TEST(a.has_pasid == b.has_pasid);
    BOOST_TEST(a.pasid == b.pasid);
    BOOST_TEST(a.secure == b.secure);
    BOOST_TEST(a.privileged == b.privileged);
    BOOST_TEST(a.execute == b.execute);
    BOOST_CHECK(a.type == b.type);
}

} // namespace

BOOST_AUTO_TEST_SUITE(attributes)

BOOST_AUTO_TEST_CASE(the_layout_is_fixed_and_the_defaults_are_safe)
{
    BOOST_TEST(offsetof(access_attributes, stream_id) == 0u);
    BOOST_TEST(offsetof(access_attributes, pasid) == 4u);
    BOOST_TEST(offsetof(access_attributes, cu) == 8u);
    BOOST_TEST(offsetof(access_attributes, wave) == 12u);
    BOOST_TEST(offsetof(access_attributes, vmid) == 16u);
    BOOST_TEST(offsetof(access_attributes, has_pasid) == 18u);
    BOOST_TEST(offsetof(access_attributes, type) == 23u);
    const access_attributes a;
    BOOST_TEST(a.stream_id == access_attributes::nobody);
    BOOST_TEST(!(a.has_pasid || a.has_vmid || a.secure || a.privileged || a.execute));
    BOOST_CHECK(a.type == address_type::untranslated);
}

BOOST_AUTO_TEST_CASE(copies_are_whole)
{
    attributes_extension e(all_of_it()), other;
    e.of.cu = 3;
    e.of.wave = 4;
    e.of.vmid = 5;
    e.of.has_vmid = true;
    e.of.type = address_type::translated;
    other.copy_from(e);
    BOOST_TEST(std::memcmp(&other.of, &e.of, sizeof e.of) == 0);
    auto *clone = static_cast<attributes_extension *>(e.clone());
    BOOST_TEST(std::memcmp(&clone->of, &e.of, sizeof e.of) == 0);
    clone->free();
    gp p, q;
    p.set_extension(&e);
    q.deep_copy_from(p);
    BOOST_REQUIRE((q.get_extension<attributes_extension>() != nullptr));
    BOOST_TEST(q.get_extension<attributes_extension>()->of.wave == 4u);
    p.clear_extension(&e);
}

BOOST_AUTO_TEST_CASE(what_other_libraries_carry_comes_and_goes)
{
    const access_attributes a = all_of_it();
    gem5_control g;
    same(convert::from_gem5(g), access_attributes());
    convert::to_gem5(a, g);
    same(convert::from_gem5(g), a);
    vcml_sbi s;
    BOOST_TEST(!convert::from_vcml(s).has_pasid);
    access_attributes typed = a;
    typed.type = address_type::translated;
    convert::to_vcml(typed, s);
    same(convert::from_vcml(s), typed);
    s.atype = 3;
    BOOST_CHECK(convert::from_vcml(s).type == address_type::untranslated);
    convert::to_vcml(access_attributes(), s);
    BOOST_TEST(s.asid == ~0ull);
    genattr n;
    BOOST_TEST(convert::from_genattr(n).secure);
    access_attributes plain;
    plain.stream_id = 77;
    convert::to_genattr(plain, n);
    same(convert::from_genattr(n), plain);
    atsattr t;
    convert::to_atsattr(typed, true, t);
    BOOST_TEST(t.bits == (convert::ats_execute | convert::ats_write | convert::ats_physical));
    access_attributes back;
    convert::add_atsattr(t, &back);
    BOOST_CHECK(back.type == address_type::translated);
    BOOST_TEST(back.execute);
    t.bits = convert::ats_read;
    convert::add_atsattr(t, &back);
    BOOST_CHECK(back.type == address_type::untranslated); /* a plain access */
    BOOST_TEST(!back.execute);
    t.bits = convert::ats_read | convert::ats_write | convert::ats_execute;
    translation_request ask = convert::from_ats_request(t);
    BOOST_TEST(uint32_t{ask.wants} == uint32_t{WW_PERM_ALL});
    t.bits = convert::ats_write;
    BOOST_TEST(uint32_t{convert::from_ats_request(t).wants} == uint32_t{WW_PERM_W});
    ask.length = 0x1000;
    ask.rights = WW_PERM_R | WW_PERM_X;
    convert::to_ats_answer(ask, t);
    BOOST_TEST(t.bits == (convert::ats_read | convert::ats_execute));
    BOOST_TEST(t.length == 0x1000u);
    BOOST_TEST(t.result == 0u);
    ask.rights = 0;
    convert::to_ats_answer(ask, t);
    BOOST_TEST(t.bits == 0u);
    BOOST_TEST(t.result == 1u);
}

BOOST_AUTO_TEST_CASE(a_master_without_the_extension_is_its_ports_requester_or_what_the_hook_says)
{
    iommu_rig r({}, 2);
    for (uint16_t device = 1; device < 4; ++device)
        r.map(r.own_table(device, device), 0x5000, iommu_rig::data_pa + device * 0x1000u);
    r.enable();
    const auto reaches = [&r](unsigned port, const access_attributes *of = nullptr) {
        transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
        if (of != nullptr)
            t.with() = *of;
        r.access(t, port);
        return t.p.is_response_ok() ? (r.memory.seen.back().first - iommu_rig::data_pa) / 0x1000 : 0;
    };
    BOOST_TEST(reaches(1) == 1u); /* the port's number */
    r.iommu.set_stream(1, 2);
    BOOST_TEST(reaches(1) == 2u);
    access_attributes of;
    BOOST_TEST(reaches(1, &of) == 2u); /* with an extension that sets nothing */
    of.stream_id = 3;
    BOOST_TEST(reaches(1, &of) == 3u);
    r.iommu.identify(
        [](unsigned port, const gp &, access_attributes &a) { a.stream_id = port == 0 ? 3 : a.stream_id; });
    BOOST_TEST(reaches(0) == 3u);
    BOOST_TEST(reaches(1) == 2u);
}

/* Classes without a requester have 0 there, which means `nobody`; `nobody` is not written to them. */
BOOST_AUTO_TEST_CASE(an_extension_that_names_nobody_leaves_it_to_the_port)
{
    gem5_control g;
    vcml_sbi s;
    genattr n;
    BOOST_TEST(convert::from_gem5(g).stream_id == access_attributes::nobody);
    BOOST_TEST(convert::from_vcml(s).stream_id == access_attributes::nobody);
    BOOST_TEST(convert::from_genattr(n).stream_id == access_attributes::nobody);
    access_attributes of = all_of_it();
    convert::to_vcml(of, s);
    convert::to_genattr(of, n);
    convert::to_vcml(access_attributes(), s);
    convert::to_genattr(access_attributes(), n);
    BOOST_TEST(convert::from_vcml(s).stream_id == of.stream_id);
    BOOST_TEST(convert::from_genattr(n).stream_id == of.stream_id);

    iommu_rig r({}, 1);
    for (uint16_t device = 0; device < 4; ++device)
        r.map(r.own_table(device, device), 0x5000, iommu_rig::data_pa + device * 0x1000u);
    r.enable();
    r.iommu.set_stream(0, 2);
    for (const bool vcml : {false, true}) {
        r.iommu.identify([vcml](unsigned, const gp &, access_attributes &a) {
            a = vcml ? convert::from_vcml(vcml_sbi()) : convert::from_genattr(genattr());
        });
        transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
        r.access(t);
        BOOST_TEST(t.p.is_response_ok());
        BOOST_TEST(r.memory.seen.back().first == iommu_rig::data_pa + 0x2000);
    }
}

/* As vcml's SBI_ATYPE_RQ, in both modes: users of vcml cannot add our extension. */
BOOST_DATA_TEST_CASE(a_request_without_our_extension_is_answered_in_its_data, both, mode)
{
    service_rig r(mode_of(mode));
    r.map(r.root, UINT64_C(0x40000000), 0, WW_AMD_IR, 3); /* 1 GiB */
    r.iommu.identify([](unsigned, const gp &, access_attributes &a) {
        vcml_sbi s;
        s.atype = 1;
        a = convert::from_vcml(s);
    });
    std::unique_ptr<at_master> from;
    if (iommu_rig::phases(of_mode(mode_of(mode))))
        from = std::make_unique<at_master>(r.masters[0]);
    const auto ask = [&](uint64_t at, unsigned bytes = 8, tlm::tlm_command c = tlm::TLM_READ_COMMAND) {
        at_access a(c, at, bytes, 0xff);
        if (from) {
            from->send(a);
            r.settle();
        } else {
            sc_core::sc_time delay;
            r.masters[0].out->b_transport(a.p, delay);
        }
        uint64_t word = UINT64_MAX;
        if (a.p.is_response_ok())
            std::memcpy(&word, a.data.data(), 8);
        return word;
    };
    BOOST_TEST(ask(0x5123) == (iommu_rig::data_pa | 0xb));
    BOOST_TEST(ask(0x7000) == (iommu_rig::data_pa + 0x3000 + 9));
    BOOST_TEST(ask(0x9000) == UINT64_MAX);                                        /* not mapped: an error */
    BOOST_TEST(ask(0x412345) == (iommu_rig::data_pa + 0x200000 + 0xff800 + 0xb)); /* 2 MiB */
    BOOST_TEST(ask(UINT64_C(0x40001000)) == 0x1ffff800u + 9);                     /* 1 GiB */
    using status = tlm::tlm_response_status;
    const auto only = [&](uint64_t at, tlm::tlm_command c,
                          status want) { /* too short for the answer: the status alone */
                                         at_access a(c, at, 4, 0xff);
                                         if (from) {
                                             from->send(a);
                                             r.settle();
                                         } else {
                                             sc_core::sc_time delay;
                                             r.masters[0].out->b_transport(a.p, delay);
                                         }
                                         BOOST_CHECK(a.status() == want);
                                         BOOST_TEST(a.data[0] == 0xff);
    };
    only(0x5000, tlm::TLM_READ_COMMAND, tlm::TLM_OK_RESPONSE);
    only(0x5000, tlm::TLM_WRITE_COMMAND, tlm::TLM_OK_RESPONSE);
    only(0x7000, tlm::TLM_WRITE_COMMAND, tlm::TLM_COMMAND_ERROR_RESPONSE);
    only(0x9000, tlm::TLM_READ_COMMAND, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(r.memory.get<uint64_t>(iommu_rig::data_pa) == 0u); /* none is forwarded */
}

BOOST_AUTO_TEST_CASE(extensions_of_others_stay_with_the_payload)
{
    struct foreign final : tlm::tlm_extension<foreign> {
        tlm::tlm_extension_base *clone() const override { return new foreign(); }
        void copy_from(const tlm::tlm_extension_base &) override {}
    };
    iommu_rig r;
    r.map(r.own_table(0, 1), 0x5000, iommu_rig::data_pa);
    r.enable();
    foreign mine;
    transaction t(tlm::TLM_READ_COMMAND, 0x5000, 4);
    t.p.set_extension(&mine);
    bool there = false;
    r.memory.before = [&](gp &p) { there = p.get_extension<foreign>() == &mine; };
    r.access(t);
    BOOST_TEST(there);
    BOOST_TEST((t.p.get_extension<foreign>() == &mine));
    t.p.clear_extension(&mine);
}

BOOST_AUTO_TEST_CASE(a_translated_address_needs_the_right_to_translations)
{
    iommu_rig r;
    r.own_table(0, 1);
    r.own_table(1, 2, WW_DTE_I);
    r.enable();
    for (const uint32_t device : {0u, 1u}) {
        transaction t(tlm::TLM_READ_COMMAND, iommu_rig::data_pa, 4);
        t.with().stream_id = device;
        t.with().type = address_type::translated;
        r.access(t);
        BOOST_TEST(t.p.is_response_ok() == (device == 1));
    }
    const auto e = r.events();
    BOOST_REQUIRE(e.size() == 1u);
    BOOST_TEST(e[0].code() == 8u);
}

BOOST_AUTO_TEST_SUITE_END()
