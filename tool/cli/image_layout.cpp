/* SPDX-License-Identifier: MIT */
/* cli/image_layout.cpp - parses --base, --map and --encryption-bits. */
#include "cli/image_layout.hpp"

#include "kernels/addr.h"
#include "kernels/table/table_x86.h"
#include "report/image_tables.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"

#include <algorithm>

namespace walkway
{

[[noreturn]] static void refuse_map(const std::string &piece, const std::string &why)
{
    throw failure(exit_usage, "--map: " + as_written(piece) + ": " + why);
}

static uint64_t number_of(const std::string &piece, const std::string &text, const char *what)
{
    uint64_t value = 0;
    const number_kind kind = read_number(text, value);
    if (kind != number_kind::whole)
        refuse_map(piece, std::string(what) + " is " + as_written(text) +
                              (kind == number_kind::too_large
                                   ? ", more than 64 bits"
                                   : ", not a whole number (decimal or 0x..., with Ki, Mi or Gi)"));
    return value;
}

static image_piece piece_of(const std::string &text)
{
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() != 3)
        refuse_map(text, "wants FILE_OFFSET:PHYSICAL:SIZE, as in 0:0:3Gi,3Gi:4Gi:5Gi");
    const image_piece piece{
        number_of(text, parts[0], "the offset in the file"),
        {number_of(text, parts[1], "the physical address"), number_of(text, parts[2], "the size")}};
    if (piece.memory.bytes == 0)
        refuse_map(text, "no bytes");
    if (piece.memory.pa % WW_NODE_BYTES != 0 || piece.memory.bytes % WW_NODE_BYTES != 0)
        refuse_map(text, "the physical address and the size are multiples of 4096");
    if (piece.memory.pa >= memory_image::max_pa ||
        piece.memory.bytes > memory_image::max_pa - piece.memory.pa)
        refuse_map(text, "reaches beyond physical addresses of 52 bits");
    return piece;
}

static std::vector<image_piece> pieces_of(const std::string &text)
{
    const std::vector<std::string> texts = split(text, ',');
    std::vector<image_piece> pieces;
    for (const std::string &t : texts) {
        const image_piece piece = piece_of(t);
        for (size_t i = 0; i < pieces.size(); ++i)
            if (piece.memory.pa < pieces[i].memory.end() && pieces[i].memory.pa < piece.memory.end())
                refuse_map(t, "has physical addresses of " + as_written(texts[i]) + ", from " +
                                  text_of_hex(std::max(piece.memory.pa, pieces[i].memory.pa)) + " on");
        pieces.push_back(piece);
    }
    return pieces;
}

raw_layout raw_layout_of(const arguments &args)
{
    raw_layout raw;
    if (args.has("map") && args.has("base"))
        throw failure(exit_usage, "--map and --base: the map says where each piece is; leave --base out");
    raw.base = args.number("base", 0, 0, memory_image::max_pa - 1);
    if (raw.base % WW_NODE_BYTES != 0)
        throw failure(exit_usage, "--base " + args.value("base") + ": not a multiple of 4096");
    if (args.has("map"))
        raw.pieces = pieces_of(args.value("map"));
    return raw;
}

uint64_t encryption_bits_of(const arguments &args)
{
    constexpr uint64_t lowest = WW_X86_PHYS_BITS_MIN, highest = WW_X86_PHYS_BITS_MAX - 1;
    if (!args.has("encryption-bits"))
        return 0;
    const std::string text = args.value("encryption-bits");
    const std::vector<std::string> ends = split(text, '-');
    uint64_t low = 0, high = 0;
    if (ends.size() > 2 || !parse_number(ends.front(), low) || !parse_number(ends.back(), high) ||
        low > high || low < lowest || high > highest)
        throw failure(exit_usage, "--encryption-bits " + as_written(text) + ": wants a bit from " +
                                      std::to_string(lowest) + " to " + std::to_string(highest) +
                                      " (AMD's C-bit, often 47 or 51), or LOW-HIGH (Intel's keys)");
    return ww_page_mask(static_cast<uint32_t>(high + 1)) & ~ww_page_mask(static_cast<uint32_t>(low));
}

} // namespace walkway
