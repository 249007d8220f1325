/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram_map.c - see dram_map.h. */
#include "kernels/dram/dram_map.h"

#define MAX_BITS 56U
#define MAX_COORDINATE_BITS 32U

void ww_dram_map_cfg_default(struct ww_dram_map_cfg *cfg)
{
    static const struct ww_dram_map_cfg map = {
        .piece = {{WW_DRAM_FIELD_ROW, 16},
                  {WW_DRAM_FIELD_BANK, 3},
                  {WW_DRAM_FIELD_RANK, 1},
                  {WW_DRAM_FIELD_COL, 7},
                  {WW_DRAM_FIELD_CHANNEL, 1},
                  {WW_DRAM_FIELD_OFFSET, 6}},
        .pieces = 6,
        .channel_xor = true,
        .bank_xor = false,
    };
    *cfg = map;
}

int ww_dram_map_init(struct ww_dram_map *map, const struct ww_dram_map_cfg *cfg)
{
    static const struct ww_dram_map empty = {0};
    uint32_t shift = 0;
    if (!cfg->pieces || cfg->pieces > WW_DRAM_MAX_PIECES)
        return WW_E_ARG;
    *map = empty;
    for (uint32_t i = cfg->pieces; i-- > 0;) {
        struct ww_dram_piece piece = cfg->piece[i];
        if (piece.field >= WW_DRAM_FIELDS || piece.bits > MAX_COORDINATE_BITS)
            return WW_E_ARG;
        uint64_t mask = ((uint64_t)1 << piece.bits) - 1;
        if (!map->bits[piece.field]) {
            map->first_mask[piece.field] = mask;
            map->first_shift[piece.field] = (uint8_t)shift;
        } else {
            uint32_t n = map->pieces++;
            map->field[n] = piece.field;
            map->mask[n] = mask;
            map->src_shift[n] = (uint8_t)shift;
            map->dst_shift[n] = map->bits[piece.field];
        }
        shift += piece.bits;
        map->bits[piece.field] = (uint8_t)(map->bits[piece.field] + piece.bits);
        if (shift > MAX_BITS || map->bits[piece.field] > MAX_COORDINATE_BITS)
            return WW_E_ARG;
    }
    if (cfg->bank_xor && map->bits[WW_DRAM_FIELD_ROW] < map->bits[WW_DRAM_FIELD_BANK])
        return WW_E_ARG;
    map->size_shift = (uint8_t)shift;
    map->channel_xor = cfg->channel_xor && map->bits[WW_DRAM_FIELD_CHANNEL];
    map->bank_xor = cfg->bank_xor;
    return WW_OK;
}

static uint64_t low_bits(uint64_t value, uint32_t bits)
{
    return value & (((uint64_t)1 << bits) - 1);
}

/* Joins the bits of the other coordinates, cuts them into numbers as wide as the channel's, and returns the
 * XOR of these. */
static uint64_t channel_hash(const struct ww_dram_map *map, const struct ww_dram_loc *loc)
{
    uint32_t width = map->bits[WW_DRAM_FIELD_CHANNEL];
    uint64_t all = loc->row;
    all = all << map->bits[WW_DRAM_FIELD_BANK] | loc->bank;
    all = all << map->bits[WW_DRAM_FIELD_RANK] | loc->rank;
    all = all << map->bits[WW_DRAM_FIELD_COL] | loc->col;
    if (width == 1)
        return (uint64_t)__builtin_parityll(all);
    uint64_t fold = 0;
    for (; all; all >>= width)
        fold ^= all;
    return low_bits(fold, width);
}

static uint64_t first_piece(const struct ww_dram_map *map, enum ww_dram_field field, uint64_t pa)
{
    return pa >> map->first_shift[field] & map->first_mask[field];
}

/* Adds the further pieces of fields that have several. */
static void add_pieces(const struct ww_dram_map *map, uint64_t pa, struct ww_dram_loc *loc)
{
    uint32_t offset = 0; /* not used */
    uint32_t *const of[WW_DRAM_FIELDS] = {
        [WW_DRAM_FIELD_CHANNEL] = &loc->channel, [WW_DRAM_FIELD_RANK] = &loc->rank,
        [WW_DRAM_FIELD_BANK] = &loc->bank,       [WW_DRAM_FIELD_ROW] = &loc->row,
        [WW_DRAM_FIELD_COL] = &loc->col,         [WW_DRAM_FIELD_OFFSET] = &offset,
    };
    for (uint32_t i = 0; i < map->pieces; i++)
        *of[map->field[i]] |= (uint32_t)((pa >> map->src_shift[i] & map->mask[i]) << map->dst_shift[i]);
}

struct ww_dram_loc ww_dram_decode(const struct ww_dram_map *map, uint64_t pa)
{
    WW_ASSERT(pa >> map->size_shift == 0);
    struct ww_dram_loc loc = {
        .channel = (uint32_t)first_piece(map, WW_DRAM_FIELD_CHANNEL, pa),
        .rank = (uint32_t)first_piece(map, WW_DRAM_FIELD_RANK, pa),
        .bank = (uint32_t)first_piece(map, WW_DRAM_FIELD_BANK, pa),
        .row = (uint32_t)first_piece(map, WW_DRAM_FIELD_ROW, pa),
        .col = (uint32_t)first_piece(map, WW_DRAM_FIELD_COL, pa),
    };
    if (map->pieces != 0)
        add_pieces(map, pa, &loc);
    if (map->channel_xor)
        loc.channel ^= (uint32_t)channel_hash(map, &loc);
    if (map->bank_xor)
        loc.bank ^= (uint32_t)low_bits(loc.row, map->bits[WW_DRAM_FIELD_BANK]);
    return loc;
}

uint64_t ww_dram_encode(const struct ww_dram_map *map, const struct ww_dram_loc *loc)
{
    uint64_t field[WW_DRAM_FIELDS] = {0};
    uint64_t pa = 0;
    field[WW_DRAM_FIELD_CHANNEL] = loc->channel;
    field[WW_DRAM_FIELD_RANK] = loc->rank;
    field[WW_DRAM_FIELD_BANK] = loc->bank;
    field[WW_DRAM_FIELD_ROW] = loc->row;
    field[WW_DRAM_FIELD_COL] = loc->col;
    for (uint32_t i = 0; i < WW_DRAM_FIELDS; i++)
        WW_ASSERT(field[i] >> map->bits[i] == 0);
    struct ww_dram_loc plain = *loc;
    if (map->bank_xor)
        plain.bank ^= (uint32_t)low_bits(loc->row, map->bits[WW_DRAM_FIELD_BANK]);
    field[WW_DRAM_FIELD_BANK] = plain.bank;
    if (map->channel_xor)
        field[WW_DRAM_FIELD_CHANNEL] ^= channel_hash(map, &plain);
    for (uint32_t i = 0; i < WW_DRAM_FIELDS; i++)
        pa |= (field[i] & map->first_mask[i]) << map->first_shift[i];
    for (uint32_t i = 0; i < map->pieces; i++)
        pa |= (field[map->field[i]] >> map->dst_shift[i] & map->mask[i]) << map->src_shift[i];
    return pa;
}

const char *ww_dram_field_name(enum ww_dram_field field)
{
#define WW_DRAM_FIELD_NAME(name, text) text,
    static const char *const names[] = {WW_DRAM_FIELD_LIST(WW_DRAM_FIELD_NAME)};
#undef WW_DRAM_FIELD_NAME
    WW_ASSERT((size_t)field < WW_DRAM_FIELDS);
    return names[field];
}
