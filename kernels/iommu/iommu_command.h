/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_command.h - the command buffer of an AMD-Vi IOMMU: a ring of 16-byte commands in
 * memory. A step machine: it names the next read, write or action and receives the result. Head and tail
 * wrap; values that software writes are reduced to the ring. A command that is illegal, or that memory
 * refuses, is logged and stops the fetching until software enables it again. Models: COMPLETION_WAIT,
 * INVAL_DEVTAB, INVAL_PAGES, INVAL_IOTLB, INVAL_INT_TABLE, COMPLETE_PPR, INVAL_ALL. Source: AMD IOMMU
 * Specification, commands. Not modelled: PREFETCH_IOMMU_PAGES. Time: none. Allocation: none. One owner. */
#ifndef WW_KERNELS_IOMMU_COMMAND_H
#define WW_KERNELS_IOMMU_COMMAND_H

#include "kernels/iommu/iommu_log.h"

WW_BEGIN_DECLS

#define WW_IOMMU_COMMAND_LIST(X)                                                                             \
    X(COMPLETION_WAIT, 1)                                                                                    \
    X(INVAL_DEVTAB, 2)                                                                                       \
    X(INVAL_PAGES, 3)                                                                                        \
    X(INVAL_IOTLB, 4)                                                                                        \
    X(INVAL_INT_TABLE, 5)                                                                                    \
    X(COMPLETE_PPR, 7)                                                                                       \
    X(INVAL_ALL, 8)
enum ww_iommu_opcode {
#define X(name, code) WW_CMD_##name = code,
    WW_IOMMU_COMMAND_LIST(X)
#undef X
};

/* Fields by command, in word 0 unless stated. */
#define WW_CMD_OPCODE WW_BITS64(63, 60)
#define WW_CMD_WAIT_STORE WW_BITS64(0, 0)   /* [0] write word 1 to the address */
#define WW_CMD_WAIT_INT WW_BITS64(1, 1)     /* [1] set WAIT_INT */
#define WW_CMD_WAIT_FLUSH WW_BITS64(2, 2)   /* [2] flush the queue: no effect, commands complete in order */
#define WW_CMD_WAIT_PA WW_BITS64(51, 3)     /* [51:3] the address */
#define WW_CMD_DEVICE WW_BITS64(15, 0)      /* INVAL_DEVTAB, INVAL_IOTLB, INVAL_INT_TABLE, COMPLETE_PPR */
#define WW_CMD_PAGES_PASID WW_BITS64(19, 0) /* of INVAL_PAGES */
#define WW_CMD_PAGES_DOMAIN WW_BITS64(47, 32)
#define WW_CMD_IOTLB_PASID_B WW_BITS64(23, 16) /* INVAL_IOTLB: PASID [15:8] */
#define WW_CMD_IOTLB_PEND WW_BITS64(31, 24)    /* invalidates that the device may have in flight */
#define WW_CMD_IOTLB_QUEUE WW_BITS64(47, 32)
#define WW_CMD_IOTLB_PASID_A WW_BITS64(55, 48) /* PASID [7:0] */
#define WW_CMD_IOTLB_PASID_C WW_BITS64(59, 56) /* PASID [19:16] */
#define WW_CMD_PPR_PASID WW_BITS64(51, 32)
/* Word 1 */
#define WW_CMD_S WW_BITS64(0, 0)   /* [0] the address encodes a size above 4 KiB */
#define WW_CMD_PDE WW_BITS64(1, 1) /* [1] inner entries too: no effect, as they always go */
#define WW_CMD_GN WW_BITS64(2, 2)  /* [2] of one PASID */
#define WW_CMD_VA WW_BITS64(63, 12)
/* With S, the lowest 0 of the address, from bit 12 up, ends the part that encodes the size. At this bit or
 * above, the range is all addresses: software writes 0x7fffffffffffffff for that. */
#define WW_CMD_ALL_FROM 51u
#define WW_CMD_PPR_TAG WW_BITS64(41, 32) /* as in the page request; LAST is ignored */
#define WW_CMD_PPR_STATUS WW_BITS64(47, 44)

enum ww_iommu_do {
    WW_CMD_NOTHING, /* the buffer is empty, or not running */
    WW_CMD_READ,    /* read 16 bytes at `pa`; then ww_iommu_command_fed() with this address */
    WW_CMD_WRITE,   /* write `data`, 8 bytes, at `pa`; then ww_iommu_command_done() */
    WW_CMD_DO,      /* perform `opcode`; then ww_iommu_command_done() */
};

struct ww_iommu_step {
    uint64_t pa, data;
    uint8_t opcode;      /* of DO */
    bool has_pasid, all; /* all: every address */
    uint16_t device, domain, tag;
    uint8_t status; /* of COMPLETE_PPR: 0 success, 1 invalid, 15 failure */
    uint8_t open;   /* of INVAL_IOTLB: invalidates that the device may have in flight; at least 1 */
    uint32_t pasid;
    uint64_t first_va, last_va; /* both inclusive; not set if `all` */
};

struct ww_iommu_commands {
    uint64_t word[2]; /* of the command in progress */
    uint64_t at;      /* its offset from the base */
    bool fetched;
    bool reading; /* its words are awaited, of the buffer that was set up last */
};

/* Empties it: at a reset, and when software writes the base register. The answer to a step in progress is
 * then ignored. */
void ww_iommu_commands_init(struct ww_iommu_commands *c);
enum ww_iommu_do ww_iommu_command_next(struct ww_iommu_commands *c, const struct ww_iommu_regs *r,
                                       struct ww_iommu_step *s);
/* Takes the command's two words, which were read at `pa`, or NULL if memory answered with an error. Sets *e
 * to the event to log; code 0: none. Does nothing if the next command is not awaited or no longer lies at
 * `pa`: software has set up another buffer, or moved the head, meanwhile. */
void ww_iommu_command_fed(struct ww_iommu_commands *c, struct ww_iommu_regs *r, uint64_t pa,
                          const uint64_t *words, struct ww_iommu_event *e);
/* Completes the command and advances the head. ok is false if memory refused the write. Sets *e to the event
 * to log; code 0: none. */
void ww_iommu_command_done(struct ww_iommu_commands *c, struct ww_iommu_regs *r, bool ok,
                           struct ww_iommu_event *e);
/* Sets the range, both ends inclusive, that word 1 of an invalidate names. Returns false if it is all
 * addresses. */
bool ww_iommu_command_range(uint64_t word1, uint64_t *first_va, uint64_t *last_va);

WW_END_DECLS

#endif
