/* SPDX-License-Identifier: MIT */
/* kernels/table/nv_pte.h - entries of NVIDIA's page tables, version 2 (Pascal to Ada) and 3 (Hopper,
 * Blackwell). Levels have NVIDIA's names: directories PDE4 (v3's root), PDE3 (v2's) to PDE0, then two tables
 * side by side, of 64 KiB pages (big) and of 4 KiB pages (small), whose addresses are the two words of PDE0.
 * Models: each field of both versions; the meaning of an entry: nothing, sparse, a table, a page, or a big
 * entry that hides the small ones. MODEL: tables and pages lie in video memory; an entry with another
 * aperture, or with unnamed bits set, is malformed. Not modelled: kinds, compression, encryption, privilege,
 * atomics, ATS (named only); pages of 256 GiB in PDE2. Source: NVIDIA's open-gpu-kernel-modules, dev_mmu.h of
 * gp100 and gh100. Time: none. Allocation: none. */
#ifndef WW_KERNELS_NV_PTE_H
#define WW_KERNELS_NV_PTE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_NV_SMALL 1u /* steps of a walk: the table of 4 KiB pages, */
#define WW_NV_BIG 2u   /* that of 64 KiB pages, */
#define WW_NV_PDE0 3u  /* and the directories from the leaf to the root */
#define WW_NV_PDE1 4u
#define WW_NV_STEPS_MAX 7u

#define WW_NV_PAGE_512M 29u /* log2 of the bytes of a page in PDE1 */

#define WW_NV_BIG_TABLE_BYTES 256u
#define WW_NV_BIG_TABLE_SHIFT 8u

enum ww_nv_version { WW_NV_V2 = 2, WW_NV_V3 = 3 };

/* Apertures: of a directory entry, and of a page. */
#define WW_NV_PDE_INVALID 0u
#define WW_NV_PDE_VIDEO 1u
#define WW_NV_PTE_VIDEO 0u

/* A directory entry. Both versions: [0] it is a page, [2:1] the table's aperture. */
#define WW_NV_IS_PAGE WW_BITS64(0, 0)
#define WW_NV_APERTURE WW_BITS64(2, 1)
/* v2: */
#define WW_NV2_VOL WW_BITS64(3, 3)        /* [3] volatile; without a table: sparse */
#define WW_NV2_PDE_RSV WW_BITS64(7, 4)    /* [7:4] unnamed */
#define WW_NV2_PDE_ADDR WW_BITS64(32, 8)  /* [32:8] address >> 12 */
#define WW_NV2_PDE_FAR WW_BITS64(53, 33)  /* [53:33] upper address bits in system memory */
#define WW_NV2_PDE_RSV2 WW_BITS64(63, 54) /* [63:54] unnamed */
#define WW_NV2_BIG_ADDR WW_BITS64(32, 4)  /* of PDE0's low word instead: [32:4] address >> 8 */
/* v3: */
#define WW_NV3_PDE_UNCACHED WW_BITS64(3, 3) /* [3] PCF: uncached; without a table: sparse */
#define WW_NV3_PDE_NO_ATS WW_BITS64(4, 4)   /* [4] PCF: ATS is not used */
#define WW_NV3_PDE_RSV WW_BITS64(11, 5)     /* [5] of PCF, and [11:6]: unnamed */
#define WW_NV3_PDE_ADDR WW_BITS64(51, 12)   /* [51:12] address */
#define WW_NV3_PDE_RSV2 WW_BITS64(63, 52)   /* [63:52] unnamed */
#define WW_NV3_BIG_ADDR WW_BITS64(51, 8)    /* of PDE0's low word instead: [51:8] address */
#define WW_NV3_BIG_RSV WW_BITS64(7, 5)

/* A page, in any table: [0] valid, [2:1] aperture. v2: */
#define WW_NV_VALID WW_BITS64(0, 0)
#define WW_NV2_ENCRYPTED WW_BITS64(4, 4)
#define WW_NV2_PRIVILEGE                                                                                     \
    WW_BITS64(5, 5) /* [5] of an invalid big entry, not volatile: small ones do not count */
#define WW_NV2_READ_ONLY WW_BITS64(6, 6)
#define WW_NV2_NO_ATOMIC WW_BITS64(7, 7)
#define WW_NV2_PEER WW_BITS64(35, 33)    /* [35:33] of a page in another device's memory */
#define WW_NV2_COMPTAG WW_BITS64(53, 36) /* [53:36] */
#define WW_NV2_PTE_RSV WW_BITS64(55, 54) /* [55:54] unnamed */
#define WW_NV2_KIND WW_BITS64(63, 56)    /* [63:56] */
/* v3: */
#define WW_NV3_PCF WW_BITS64(7, 3) /* [7:3] of a valid page: its four lowest bits as below */
#define WW_NV3_UNCACHED WW_BITS64(3, 3)
#define WW_NV3_PRIVILEGE WW_BITS64(4, 4)
#define WW_NV3_READ_ONLY WW_BITS64(5, 5)
#define WW_NV3_NO_ATOMIC WW_BITS64(6, 6)
#define WW_NV3_NO_COUNT WW_BITS64(7, 7)   /* [7] not counted by access counters */
#define WW_NV3_KIND WW_BITS64(11, 8)      /* [11:8] */
#define WW_NV3_PTE_ADDR WW_BITS64(39, 12) /* [39:12] of video memory */
#define WW_NV3_PTE_FAR WW_BITS64(51, 40)  /* [51:40] upper address bits in other memories */
#define WW_NV3_PTE_RSV WW_BITS64(60, 52)  /* [60:52] unnamed */
#define WW_NV3_PEER WW_BITS64(63, 61)     /* [63:61] of a page in another device's memory */
/* PCF of an invalid page. */
#define WW_NV3_INVALID_PLAIN 0u
#define WW_NV3_INVALID_SPARSE 1u
#define WW_NV3_INVALID_NOWHERE 2u /* accesses end there, as in a sparse page */
#define WW_NV3_INVALID_NO_SMALL 3u

/* clang-format off */
#define WW_NV2_PDE_FIELDS(OP) (WW_NV_IS_PAGE OP WW_NV_APERTURE OP WW_NV2_VOL OP WW_NV2_PDE_RSV OP            \
    WW_NV2_PDE_ADDR OP WW_NV2_PDE_FAR OP WW_NV2_PDE_RSV2)
#define WW_NV2_BIG_FIELDS(OP) (WW_NV_IS_PAGE OP WW_NV_APERTURE OP WW_NV2_VOL OP WW_NV2_BIG_ADDR OP           \
    WW_NV2_PDE_FAR OP WW_NV2_PDE_RSV2)
#define WW_NV2_PTE_FIELDS(OP) (WW_NV_VALID OP WW_NV_APERTURE OP WW_NV2_VOL OP WW_NV2_ENCRYPTED OP            \
    WW_NV2_PRIVILEGE OP WW_NV2_READ_ONLY OP WW_NV2_NO_ATOMIC OP WW_NV2_PDE_ADDR OP WW_NV2_PEER OP            \
    WW_NV2_COMPTAG OP WW_NV2_PTE_RSV OP WW_NV2_KIND)
#define WW_NV3_PDE_FIELDS(OP) (WW_NV_IS_PAGE OP WW_NV_APERTURE OP WW_NV3_PDE_UNCACHED OP WW_NV3_PDE_NO_ATS   \
    OP WW_NV3_PDE_RSV OP WW_NV3_PDE_ADDR OP WW_NV3_PDE_RSV2)
#define WW_NV3_BIG_FIELDS(OP) (WW_NV_IS_PAGE OP WW_NV_APERTURE OP WW_NV3_PDE_UNCACHED OP WW_NV3_PDE_NO_ATS   \
    OP WW_NV3_BIG_RSV OP WW_NV3_BIG_ADDR OP WW_NV3_PDE_RSV2)
#define WW_NV3_PTE_FIELDS(OP) (WW_NV_VALID OP WW_NV_APERTURE OP WW_NV3_PCF OP WW_NV3_KIND OP                 \
    WW_NV3_PTE_ADDR OP WW_NV3_PTE_FAR OP WW_NV3_PTE_RSV OP WW_NV3_PEER)
/* clang-format on */
#define WW_NV_PROVEN(fields)                                                                                 \
    WW_STATIC_ASSERT(fields(|) == UINT64_MAX && fields(+) == UINT64_MAX, "every bit is named, none twice")
WW_NV_PROVEN(WW_NV2_PDE_FIELDS);
WW_NV_PROVEN(WW_NV2_BIG_FIELDS);
WW_NV_PROVEN(WW_NV2_PTE_FIELDS);
WW_NV_PROVEN(WW_NV3_PDE_FIELDS);
WW_NV_PROVEN(WW_NV3_BIG_FIELDS);
WW_NV_PROVEN(WW_NV3_PTE_FIELDS);

/* Meaning of a word to a walk. HIDES: of a big entry: nothing is mapped, in the small ones either. */
enum ww_nv_says { WW_NV_NOTHING, WW_NV_SPARSE, WW_NV_HIDES, WW_NV_TABLE, WW_NV_PAGE, WW_NV_MALFORMED };

/* Returns the meaning of a directory's word that is not a page. `big`: the low word of PDE0. */
static inline enum ww_nv_says ww_nv_pde(enum ww_nv_version v, uint64_t word, bool big)
{
    const uint64_t aperture = ww_bits_get(WW_NV_APERTURE, word);
    const uint64_t rsv = v == WW_NV_V2 ? (big ? 0 : WW_NV2_PDE_RSV) | WW_NV2_PDE_FAR | WW_NV2_PDE_RSV2
                                       : (big ? WW_NV3_BIG_RSV : WW_NV3_PDE_RSV) | WW_NV3_PDE_RSV2;
    if (aperture == WW_NV_PDE_INVALID) /* the same bit in both */
        return (word & WW_NV2_VOL) != 0 ? WW_NV_SPARSE : WW_NV_NOTHING;
    return aperture == WW_NV_PDE_VIDEO && (word & rsv) == 0 ? WW_NV_TABLE : WW_NV_MALFORMED;
}

/* Returns the address of the word's table. */
static inline uint64_t ww_nv_table_pa(enum ww_nv_version v, uint64_t word, bool big)
{
    if (v == WW_NV_V3)
        return word & (big ? WW_NV3_BIG_ADDR : WW_NV3_PDE_ADDR);
    return big ? ww_bits_get(WW_NV2_BIG_ADDR, word) << WW_NV_BIG_TABLE_SHIFT
               : ww_bits_get(WW_NV2_PDE_ADDR, word) << WW_PAGE_4K;
}

/* Returns the meaning of a word of a table, or of a directory's word that is a page. */
static inline enum ww_nv_says ww_nv_pte(enum ww_nv_version v, uint64_t word)
{
    const uint64_t rsv =
        v == WW_NV_V2 ? WW_NV2_PTE_RSV | WW_NV2_PEER : WW_NV3_PTE_RSV | WW_NV3_PTE_FAR | WW_NV3_PEER;
    if ((word & WW_NV_VALID) != 0)
        return ww_bits_get(WW_NV_APERTURE, word) == WW_NV_PTE_VIDEO && (word & rsv) == 0 ? WW_NV_PAGE
                                                                                         : WW_NV_MALFORMED;
    if (v == WW_NV_V2) {
        if ((word & WW_NV2_VOL) != 0)
            return WW_NV_SPARSE;
        return (word & WW_NV2_PRIVILEGE) != 0 ? WW_NV_HIDES : WW_NV_NOTHING;
    }
    switch (ww_bits_get(WW_NV3_PCF, word)) {
    case WW_NV3_INVALID_PLAIN:
        return WW_NV_NOTHING;
    case WW_NV3_INVALID_SPARSE:
    case WW_NV3_INVALID_NOWHERE:
        return WW_NV_SPARSE;
    case WW_NV3_INVALID_NO_SMALL:
        return WW_NV_HIDES;
    default:
        return WW_NV_MALFORMED;
    }
}

/* Returns the address field of a page's entry. Bits below the page's size must be 0. */
static inline uint64_t ww_nv_page_field(enum ww_nv_version v, uint64_t pa)
{
    return v == WW_NV_V2 ? pa >> 4 & WW_NV2_PDE_ADDR : pa & WW_NV3_PTE_ADDR;
}

static inline uint64_t ww_nv_page_pa(enum ww_nv_version v, uint64_t word)
{
    return v == WW_NV_V2 ? ww_bits_get(WW_NV2_PDE_ADDR, word) << WW_PAGE_4K : word & WW_NV3_PTE_ADDR;
}

static inline uint64_t ww_nv_read_only(enum ww_nv_version v)
{
    return v == WW_NV_V2 ? WW_NV2_READ_ONLY : WW_NV3_READ_ONLY;
}

/* Returns the translation of a page's entry. The format has no execute permission: a readable page is
 * executable. */
static inline struct ww_xlat ww_nv_xlat(enum ww_nv_version v, uint64_t word, uint32_t page_shift)
{
    struct ww_xlat x;
    x.page_pa = ww_nv_page_pa(v, word);
    x.page_shift = (uint8_t)page_shift;
    x.perm = (uint8_t)(WW_PERM_R | WW_PERM_X | ((word & ww_nv_read_only(v)) == 0 ? WW_PERM_W : 0));
    return x;
}

/* Return a word with a table, and one with a page, as the drivers write them: in video memory, tables
 * uncached, pages cached. */
static inline uint64_t ww_nv_table_entry(enum ww_nv_version v, uint64_t pa, bool big)
{
    const uint64_t word =
        ww_bits_put(WW_NV_APERTURE, 0, WW_NV_PDE_VIDEO) | WW_NV2_VOL; /* the same bit in v3 */
    const uint64_t field = v == WW_NV_V2 ? pa >> 4 : pa;
    WW_ASSERT((pa & ((big ? WW_NV_BIG_TABLE_BYTES : WW_NODE_BYTES) - 1)) == 0 &&
              pa < (v == WW_NV_V2 ? UINT64_C(1) << 37 : UINT64_C(1) << 52));
    return word | field;
}

static inline uint64_t ww_nv_page_entry(enum ww_nv_version v, uint64_t pa, bool write)
{
    WW_ASSERT(ww_nv_page_pa(v, ww_nv_page_field(v, pa)) == pa);
    return ww_nv_page_field(v, pa) | WW_NV_VALID | (write ? 0 : ww_nv_read_only(v));
}

WW_END_DECLS

#endif
