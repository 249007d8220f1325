/* SPDX-License-Identifier: MIT */
/* kernels/dram/dram_map.h - from physical address to channel, rank, bank, row and column, and back. A map is
 * an ordered list of fields, most significant first, as in row|bank3|rank1|col7|ch1|offset6; a field may be
 * split into several pieces. The channel may be XORed with a hash of all other bits above the offset, the
 * bank with low bits of the row. Decoding is a bijection on [0, size). Not modelled: counts that are no power
 * of two. Time: none. Allocation: none. Thread-safety: constant after init. */
#ifndef WW_KERNELS_DRAM_MAP_H
#define WW_KERNELS_DRAM_MAP_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_DRAM_MAX_PIECES 16U

/* Names in the text form of a map. */
#define WW_DRAM_FIELD_LIST(X)                                                                                \
    X(OFFSET, "offset") X(COL, "col") X(ROW, "row") X(BANK, "bank") X(RANK, "rank") X(CHANNEL, "ch")

enum ww_dram_field {
#define WW_DRAM_FIELD_ENUM(name, text) WW_DRAM_FIELD_##name,
    WW_DRAM_FIELD_LIST(WW_DRAM_FIELD_ENUM)
#undef WW_DRAM_FIELD_ENUM
        WW_DRAM_FIELDS
};

struct ww_dram_piece {
    uint8_t field; /* enum ww_dram_field */
    uint8_t bits;  /* 0: the piece takes no bits */
};

struct ww_dram_map_cfg {
    struct ww_dram_piece piece[WW_DRAM_MAX_PIECES]; /* [0] holds the most significant bits */
    uint32_t pieces;
    bool channel_xor; /* channel ^= fold of row, bank, rank, column; one channel bit: their parity */
    bool bank_xor;    /* bank ^= low bits of the row */
};

/* Coordinates of one burst. col counts bursts, not device columns. */
struct ww_dram_loc {
    uint32_t channel, rank, bank, row, col;
};

struct ww_dram_map {
    uint64_t first_mask[WW_DRAM_FIELDS]; /* each field's lowest piece; the others are in the list below */
    uint64_t mask[WW_DRAM_MAX_PIECES];   /* of the piece, after the shift down */
    uint8_t field[WW_DRAM_MAX_PIECES];
    uint8_t src_shift[WW_DRAM_MAX_PIECES]; /* the piece's lowest bit in the address */
    uint8_t dst_shift[WW_DRAM_MAX_PIECES]; /* its lowest bit in the field */
    uint8_t bits[WW_DRAM_FIELDS];
    uint8_t first_shift[WW_DRAM_FIELDS];
    uint32_t pieces;    /* pieces in the list: those above the lowest of their field */
    uint8_t size_shift; /* the map covers 1 << size_shift bytes */
    bool channel_xor, bank_xor;
};

/* Sets *cfg to row16|bank3|rank1|col7|ch1|offset6 with the channel hashed. */
void ww_dram_map_cfg_default(struct ww_dram_map_cfg *cfg);

/* Returns WW_OK, or WW_E_ARG: no piece, too many, an unknown field, more than 56 bits in all, more than 32 in
 * one coordinate, or bank_xor with a row narrower than the bank. */
int ww_dram_map_init(struct ww_dram_map *map, const struct ww_dram_map_cfg *cfg);

static inline uint64_t ww_dram_map_size_bytes(const struct ww_dram_map *map)
{
    return (uint64_t)1 << map->size_shift;
}

/* Returns the number of a field's values: channels, ranks, ... */
static inline uint64_t ww_dram_map_count(const struct ww_dram_map *map, enum ww_dram_field field)
{
    return (uint64_t)1 << map->bits[field];
}

/* Returns the coordinates of pa. Required (asserted): pa < ww_dram_map_size_bytes(map). */
struct ww_dram_loc ww_dram_decode(const struct ww_dram_map *map, uint64_t pa);

/* Returns the address of the burst's first byte. Required (asserted): the coordinates are within the map. */
uint64_t ww_dram_encode(const struct ww_dram_map *map, const struct ww_dram_loc *loc);

const char *ww_dram_field_name(enum ww_dram_field field);

WW_END_DECLS

#endif
