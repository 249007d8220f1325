/* SPDX-License-Identifier: MIT */
/* An image under a memory and under an address space: reads return the file's bytes until a write, which
 * changes only the memory; programs are in pages that the table maps and the image has. */
#include "model/address_space.hpp"
#include "tb/support/block_numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>
#include <fstream>
#include <stdexcept>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t root_pa = 0x1000, top = uint64_t{1} << 48, kernel_va = uint64_t{0} - (uint64_t{1} << 30);

/* Pages at 0x400000 (two, the second beyond the image), 0x403000, and the last GiB of all addresses, with
 * eight pages in the image. */
struct image_file {
    const std::string path = "memory.image";

    image_file()
    {
        constexpr uint64_t table = WW_PTE_P | WW_PTE_RW | WW_PTE_US;
        put(root_pa, 0x2000 | table);
        put(0x2000, 0x3000 | table);
        put(0x3000 + 2 * 8, 0x4000 | table);
        put(0x4000, 0x5000 | table);
        put(0x4008, 0x80000000 | table);
        put(0x4018, 0x6000 | WW_PTE_P);
        put(root_pa + 511 * 8, 0x7000 | table);
        put(0x7000 + 511 * 8, table | WW_PTE_PS); /* the last word of the image */
    }
    ~image_file() { std::remove(path.c_str()); }
    void put(uint64_t pa, uint64_t word)
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        if (!file)
            file.open(path, std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(pa));
        file.write(reinterpret_cast<const char *>(&word), sizeof word);
    }
    std::shared_ptr<const memory_image> open() const { return std::make_shared<memory_image>(path); }
};

struct fixture {
    image_file file;
    std::shared_ptr<const memory_image> memory = file.open();
    image_table table{*memory, ww_x86_table(4, root_pa, 52)};
};

uint64_t word_at(const memory_store &store, uint64_t pa)
{
    uint64_t word = 0;
    store.read(pa, reinterpret_cast<unsigned char *>(&word), sizeof word);
    return word;
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(memory_of_an_image, fixture)

BOOST_AUTO_TEST_CASE(what_is_written_is_kept_here_and_the_rest_of_its_frame_stays_the_images)
{
    memory_store store;
    store.lie_over(*memory);
    BOOST_TEST(word_at(store, root_pa) == (0x2000 | WW_PTE_P | WW_PTE_RW | WW_PTE_US));
    BOOST_TEST(word_at(store, uint64_t{1} << 40) == 0u);
    const uint64_t word = 42, end = 0x7ff8;
    store.write(root_pa + 8, reinterpret_cast<const unsigned char *>(&word), sizeof word);
    store.write(uint64_t{1} << 40, reinterpret_cast<const unsigned char *>(&word), sizeof word);
    BOOST_TEST(word_at(store, root_pa + 8) == 42u);
    BOOST_TEST(word_at(store, root_pa) == (0x2000 | WW_PTE_P | WW_PTE_RW | WW_PTE_US));
    BOOST_TEST(word_at(store, uint64_t{1} << 40) == 42u);
    store.write(0x7000, reinterpret_cast<const unsigned char *>(&word), sizeof word); /* the last frame */
    BOOST_TEST(word_at(store, end) == (WW_PTE_P | WW_PTE_RW | WW_PTE_US | WW_PTE_PS));
    uint64_t in_file = word;
    BOOST_TEST(file.open()->read(root_pa + 8, &in_file, sizeof in_file));
    BOOST_TEST(in_file == 0u);
}

BOOST_AUTO_TEST_CASE(addresses_are_without_their_sign_and_all_page_sizes_are_known)
{
    image_space space(memory, table, 0);
    BOOST_TEST(space.page_sizes() == (1u << 12 | 1u << 30));
    BOOST_TEST(space.nodes() == 5u);
    BOOST_TEST(space.va_bits() == 48u);
    ww_xlat x = {};
    BOOST_TEST(space.translate(0x403123, &x));
    BOOST_TEST(x.page_pa == 0x6000u);
    BOOST_TEST(x.perm == (WW_PERM_R | WW_PERM_X));
    BOOST_TEST(space.translate(kernel_va & (top - 1), &x));
    BOOST_TEST(x.page_shift == 30u);
    BOOST_TEST(!space.translate(0x402000, &x));
    BOOST_TEST(!space.translate(kernel_va, &x));
}

BOOST_AUTO_TEST_CASE(a_program_lies_in_the_pages_that_the_image_has_in_their_order)
{
    image_space space(memory, table, 0);
    const image_placement lies(space, {{0x10000800, 0x1000}, {0x20000000, 0x3000}, {0x20000100, 1}, {5, 0}});
    BOOST_TEST(lies(0x10000800) == 0x400800u);
    BOOST_TEST(lies(0x10001010) == 0x403010u);
    const uint64_t rest = kernel_va & (top - 1);
    BOOST_TEST(lies(0x20000000) == rest);
    BOOST_TEST(lies(0x20002fff) == rest + 0x2fff);
    BOOST_TEST(lies(0x20003000) == 0x20003000u); /* in no buffer */
    BOOST_TEST(lies(0xffffff) == 0xffffffu);
    BOOST_TEST(lies.pages() == 3u);
}

BOOST_AUTO_TEST_CASE(a_program_may_begin_at_any_address_and_must_find_room)
{
    image_space space(memory, table, 0x401000);
    BOOST_TEST(image_placement(space, {{0, 1}})(0x123) == 0x403123u);
    image_space within(memory, table, kernel_va + 0x2000);
    BOOST_TEST(image_placement(within, {{0, 1}})(0x123) == (kernel_va & (top - 1)) + 0x2123);
    BOOST_CHECK_THROW(image_placement(within, {{0, 0x7000}}), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(an_address_space_of_an_image_lays_nothing_out)
{
    image_space space(memory, table, 0);
    address_space_params p = numbers_of<address_space_params>();
    p.image = &space;
    memory_store store;
    address_spaces spaces(p, 7, store);
    BOOST_TEST(spaces.count() == 1u);
    BOOST_TEST(spaces.pages() == 7u);
    BOOST_TEST(spaces.table_nodes() == 5u);
    BOOST_TEST(spaces[0].page_sizes() == space.page_sizes());
    BOOST_TEST(p.va_bits() == 48u);
    BOOST_TEST(p.page_shift() == 12u);
    BOOST_TEST(p.largest_shift() == 30u);
    BOOST_TEST((p.kind() == &ww_x86_4));
    BOOST_TEST(word_at(store, root_pa) == (0x2000 | WW_PTE_P | WW_PTE_RW | WW_PTE_US));
    ww_xlat x = {};
    BOOST_TEST(spaces[0].translate(0x400000, &x));
    BOOST_TEST(x.page_pa == 0x5000u);
    BOOST_CHECK_THROW(spaces.map(0, 0x400000), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
