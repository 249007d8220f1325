/* SPDX-License-Identifier: MIT */
/* tb/guest/privileged_test.cpp - instructions as an assembler encodes them (the comments are its input), and
 * bytes that must not be decoded as them. */
#include "guest/privileged.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

namespace data = boost::unit_test::data;

namespace
{

struct insn {
    std::vector<uint8_t> bytes;
    ww_guest_insn is;
    uint64_t address; /* of an INVLPG, with the register values below */
};
std::ostream &operator<<(std::ostream &out, const insn &i)
{
    for (const uint8_t b : i.bytes)
        out << std::hex << unsigned{b} << ' ';
    return out;
}

/* Register n holds (n + 1) << 32. */
constexpr uint64_t reg(uint64_t n)
{
    return (n + 1) << 32;
}
constexpr uint64_t fs = 0x7000000, gs = 0xffff888000000000;

constexpr auto OTHER = WW_GUEST_INSN_OTHER;
constexpr auto ROOT = WW_GUEST_INSN_ROOT;
constexpr auto MODE = WW_GUEST_INSN_MODE;
constexpr auto PAGE = WW_GUEST_INSN_DROP_PAGE;
constexpr auto ALL = WW_GUEST_INSN_DROP_ALL;

const insn insns[] = {
    {{0x0f, 0x22, 0xd8}, ROOT, 0},                                           /* mov %rax,%cr3 */
    {{0x41, 0x0f, 0x22, 0xdc}, ROOT, 0},                                     /* mov %r12,%cr3 */
    {{0x0f, 0x22, 0xc0}, MODE, 0},                                           /* mov %rax,%cr0 */
    {{0x0f, 0x22, 0xe7}, MODE, 0},                                           /* mov %rdi,%cr4 */
    {{0x0f, 0x22, 0xd0}, OTHER, 0},                                          /* mov %rax,%cr2 */
    {{0x44, 0x0f, 0x22, 0xc0}, OTHER, 0},                                    /* mov %rax,%cr8 */
    {{0x0f, 0x20, 0xd8}, OTHER, 0},                                          /* mov %cr3,%rax */
    {{0x0f, 0x30}, MODE, 0},                                                 /* wrmsr */
    {{0x0f, 0x32}, OTHER, 0},                                                /* rdmsr */
    {{0x0f, 0xaa}, MODE, 0},                                                 /* rsm */
    {{0x0f, 0x01, 0xf0}, MODE, 0},                                           /* lmsw %ax */
    {{0x0f, 0x01, 0x38}, PAGE, reg(0)},                                      /* invlpg (%rax) */
    {{0x41, 0x0f, 0x01, 0x3f}, PAGE, reg(15)},                               /* invlpg (%r15) */
    {{0x0f, 0x01, 0x7f, 0xf8}, PAGE, reg(7) - 8},                            /* invlpg -8(%rdi) */
    {{0x0f, 0x01, 0xbd, 0x00, 0x00, 0x00, 0x80}, PAGE, reg(5) - 0x80000000}, /* invlpg -0x80000000(%rbp) */
    {{0x41, 0x0f, 0x01, 0x7d, 0x10}, PAGE, reg(13) + 0x10},                  /* invlpg 0x10(%r13) */
    {{0x0f, 0x01, 0x3c, 0x24}, PAGE, reg(4)},                                /* invlpg (%rsp) */
    {{0x41, 0x0f, 0x01, 0x3c, 0x24}, PAGE, reg(12)},                         /* invlpg (%r12) */
    {{0x0f, 0x01, 0x3c, 0xcb}, PAGE, reg(3) + 8 * reg(1)},                   /* invlpg (%rbx,%rcx,8) */
    {{0x42, 0x0f, 0x01, 0x3c, 0x23}, PAGE, reg(3) + reg(12)},                /* invlpg (%rbx,%r12,1) */
    {{0x0f, 0x01, 0x7c, 0x53, 0x04}, PAGE, reg(3) + 2 * reg(2) + 4},         /* invlpg 4(%rbx,%rdx,2) */
    {{0x0f, 0x01, 0x3c, 0x25, 0x00, 0x10, 0x00, 0x00}, PAGE, 0x1000},        /* invlpg 0x1000 */
    {{0x0f, 0x01, 0x3c, 0x8d, 0x00, 0x10, 0x00, 0x00},
     PAGE,
     0x1000 + 4 * reg(1)},                                /* invlpg 0x1000(,%rcx,4) */
    {{0x65, 0x0f, 0x01, 0x38}, PAGE, reg(0) + gs},        /* invlpg %gs:(%rax) */
    {{0x64, 0x0f, 0x01, 0x38}, PAGE, reg(0) + fs},        /* invlpg %fs:(%rax) */
    {{0x3e, 0x0f, 0x01, 0x38}, PAGE, reg(0)},             /* invlpg %ds:(%rax) */
    {{0x67, 0x0f, 0x01, 0x7f, 0xf8}, PAGE, 0xfffffff8},   /* invlpg -8(%edi) */
    {{0x0f, 0x01, 0x3d, 0x00, 0x10, 0x00, 0x00}, ALL, 0}, /* invlpg 0x1000(%rip) */
    {{0x66, 0x0f, 0x38, 0x82, 0x07}, ALL, 0},             /* invpcid (%rdi),%rax */
    {{0x0f, 0x38, 0x82, 0x07}, OTHER, 0},
    {{0x0f, 0x01, 0xf8}, OTHER, 0}, /* swapgs */
    {{0x0f, 0x01, 0xf9}, OTHER, 0}, /* rdtscp */
    {{0x0f, 0x01, 0x18}, OTHER, 0}, /* lidt (%rax) */
    {{0x48, 0x89, 0xd8}, OTHER, 0}, /* mov %rbx,%rax */
    {{0x22, 0xd8}, OTHER, 0},       /* and %al,%bl */
    {{0x0f}, OTHER, 0},
    {{0x0f, 0x22}, OTHER, 0},
    {{0x0f, 0x01}, OTHER, 0},
    {{0x66, 0x67}, OTHER, 0},
    {{}, OTHER, 0},
    {{0x0f, 0x01, 0x3c}, ALL, 0}, /* an INVLPG that is cut off drops all */
    {{0x0f, 0x01, 0xbd, 0x00}, ALL, 0},
};

} // namespace

BOOST_AUTO_TEST_SUITE(privileged)

BOOST_DATA_TEST_CASE(instructions, data::make(insns), i)
{
    ww_guest_registers r{};
    for (uint64_t n = 0; n < 16; ++n)
        r.general[n] = reg(n);
    r.fs_base = fs;
    r.gs_base = gs;
    uint64_t operand = 0;
    BOOST_TEST(ww_guest_decode(i.bytes.data(), i.bytes.size(), &operand) == i.is);
    if (i.is == PAGE)
        BOOST_TEST(ww_guest_address(operand, &r) == i.address);
}

BOOST_AUTO_TEST_SUITE_END()
