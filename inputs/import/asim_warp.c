/* SPDX-License-Identifier: MIT */
/* import/asim_warp.c - makes a warp's records, with their spaces and use distances (docs/use/accelsim.md). A
 * load's use is the first later instruction that reads one of its registers in a common active lane; a
 * register overwritten in all of these lanes before that is never used. */
#include "import/asim_warp.h"

#include <stdlib.h>
#include <string.h>

#define VA_END (UINT64_C(1) << ASIM_VA_BITS)

static uint32_t saturated(uint64_t v)
{
    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

void asim_warp_start(struct asim_warp *w, uint32_t wave, uint32_t slot)
{
    w->wave = wave;
    w->slot = slot;
    w->clock = w->after_last = 0;
    w->records = 0;
    w->async_n = 0;
    if (w->pending)
        memset(w->lanes, 0, sizeof w->lanes);
    w->pending = w->divided_n = 0;
}

void asim_warp_end(struct asim_warp *w)
{
    wkt_packer_tail(w->packer, w->wave, saturated(w->clock - w->after_last));
}

void asim_warp_free(struct asim_warp *w)
{
    free(w->async);
    free(w->async_at);
    w->async = NULL;
    w->async_at = NULL;
    w->async_cap = 0;
}

/* ---- use distances ---- */

/* Sets the distance of `n` consecutive records to the current instruction. */
static void used(struct asim_warp *w, uint32_t record, uint32_t n, uint64_t position)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t distance = w->clock - (position + i);
        wkt_packer_use(w->packer, w->wave, record + i,
                       distance < WKT_USE_UNKNOWN ? (uint32_t)distance : WKT_USE_UNKNOWN - 1);
    }
}

static void forget_divided(struct asim_warp *w, uint32_t i)
{
    w->divided[i] = w->divided[--w->divided_n];
    w->pending--;
}

/* Its registers wait for no reader any more. */
static void forget(struct asim_warp *w, const struct asim_load load)
{
    for (uint32_t reg = load.first; reg < load.end; reg++) {
        if (w->lanes[reg] && w->loads[reg].record == load.record) {
            w->lanes[reg] = 0;
            w->pending--;
        }
    }
    for (uint32_t i = w->divided_n; i-- > 0;)
        if (w->divided[i].load.record == load.record)
            forget_divided(w, i);
}

/* Sets the distances of a load at its first reader, then forgets the load. */
static void resolve(struct asim_warp *w, const struct asim_load load)
{
    used(w, load.record, load.records, load.position);
    forget(w, load);
}

static void read_register(struct asim_warp *w, uint32_t reg, uint32_t mask)
{
    if (reg > 254)
        return;
    if (w->lanes[reg] & mask)
        resolve(w, w->loads[reg]);
    for (uint32_t i = w->divided_n; i-- > 0;) {
        if (i < w->divided_n && w->divided[i].reg == reg && (w->divided[i].lanes & mask))
            resolve(w, w->divided[i].load);
    }
}

static void read_sources(struct asim_warp *w, const struct asim_instruction *in, const struct asim_opcode *op)
{
    for (uint32_t i = 0; i < in->sources_n; i++) {
        if (in->sources[i] == ASIM_NO_REGISTER)
            continue;
        uint32_t span = asim_source_span(in, op, i);
        for (uint32_t r = 0; r < span; r++)
            read_register(w, in->sources[i] + r, in->mask);
    }
}

static void write_register(struct asim_warp *w, uint32_t reg, uint32_t mask)
{
    if (reg > 254)
        return;
    if (w->lanes[reg]) {
        w->lanes[reg] &= ~mask;
        w->pending -= w->lanes[reg] == 0;
    }
    for (uint32_t i = w->divided_n; i-- > 0;) {
        if (w->divided[i].reg == reg && (w->divided[i].lanes &= ~mask) == 0)
            forget_divided(w, i);
    }
}

/* Keeps a register's load in `divided`, as another one takes the register in other lanes. */
static void divide(struct asim_warp *w, uint32_t reg)
{
    if (w->divided_n == ASIM_DIVIDED) { /* full: makes the use of the first load in `divided` unknown */
        const struct asim_load first = w->divided[0].load;
        for (uint32_t i = 0; i < first.records; i++)
            wkt_packer_use(w->packer, w->wave, first.record + i, WKT_USE_UNKNOWN);
        forget(w, first);
    }
    if (w->lanes[reg]) /* else it was a register of the load just forgotten */
        w->divided[w->divided_n++] = (struct asim_divided){reg, w->lanes[reg], w->loads[reg]};
}

/* Marks the destinations as loaded by `records` records from `record` on, the first at `position`; 0 records:
 * as overwritten. */
static void write_targets(struct asim_warp *w, const struct asim_instruction *in,
                          const struct asim_opcode *op, uint32_t record, uint32_t records, uint64_t position)
{
    for (uint32_t t = 0; t < in->targets_n; t++) {
        uint32_t first = in->targets[t];
        if (first == ASIM_NO_REGISTER)
            continue;
        uint32_t end = first + asim_target_span(in, op);
        end = end > 255 ? 255 : end;
        for (uint32_t reg = first; reg < end; reg++) {
            write_register(w, reg, in->mask);
            if (!records)
                continue;
            if (w->lanes[reg])
                divide(w, reg);
            w->pending++;
            w->lanes[reg] = in->mask;
            w->loads[reg] = (struct asim_load){record, records, position, first, end};
        }
    }
}

static int remember_async(struct asim_warp *w, uint32_t record, uint64_t position)
{
    if (w->async_n == w->async_cap) {
        size_t cap = w->async_cap ? w->async_cap * 2 : 64;
        uint32_t *async = realloc(w->async, cap * sizeof *async);
        if (!async)
            return WKT_E_MEMORY;
        w->async = async;
        uint64_t *async_at = realloc(w->async_at, cap * sizeof *async_at);
        if (!async_at)
            return WKT_E_MEMORY;
        w->async_at = async_at;
        w->async_cap = cap;
    }
    w->async[w->async_n] = record;
    w->async_at[w->async_n++] = position;
    return WKT_OK;
}

static void wait_for_async(struct asim_warp *w)
{
    for (size_t i = 0; i < w->async_n; i++)
        used(w, w->async[i], 1, w->async_at[i]);
    w->async_n = 0;
}

/* ---- records ---- */

/* Required: w->record has kind, bytes, mask and addresses. */
static int put(struct asim_warp *w, uint32_t pc, const char **reason)
{
    struct wkt_record *r = &w->record;
    r->pc = asim_record_pc(pc);
    r->compute = saturated(w->clock - w->after_last);
    r->use = WKT_USE_NEVER;
    int status = wkt_packer_record(w->packer, w->wave, r, NULL);
    if (status == WKT_E_LIMIT)
        *reason = "the thread block needs more than 1 GiB of records";
    w->records++;
    w->clock++;
    w->after_last = w->clock;
    return status;
}

static int touch(struct asim_warp *w, const char **reason)
{
    const struct wkt_record *r = &w->record;
    for (uint64_t rest = r->mask; rest; rest &= rest - 1) {
        uint64_t va = r->va[__builtin_ctzll(rest)];
        if (va >= VA_END || r->bytes > VA_END - va) {
            *reason = "an address beyond 57 bits";
            return WKT_E_FORMAT;
        }
        int status = asim_regions_touch(w->regions, va, r->bytes);
        if (status == WKT_E_LIMIT)
            *reason = "pages of more than 2^20 different 2 MiB are touched";
        if (status)
            return status;
    }
    return WKT_OK;
}

static void begin(struct asim_warp *w, uint32_t kind, uint32_t bytes, uint32_t mask)
{
    w->record.kind = (uint8_t)kind;
    w->record.bytes = (uint8_t)bytes;
    w->record.mask = mask;
}

static int global(struct asim_warp *w, const struct asim_instruction *in, uint32_t access, uint32_t mask,
                  const char **reason)
{
    begin(w, access, in->bytes, mask);
    memcpy(w->record.va, in->va, sizeof in->va);
    int status = touch(w, reason);
    return status ? status : put(w, in->pc, reason);
}

/* True if the address is in the window of generic addresses at `base`. */
static bool in_window(uint64_t va, bool has, uint64_t base)
{
    return has && va >= base && va - base < ASIM_WINDOW;
}

static int shared(struct asim_warp *w, const struct asim_instruction *in, uint32_t access, uint32_t mask,
                  const char **reason)
{
    const struct asim_header *h = w->header;
    begin(w, access + WKT_LOCAL_LOAD - WKT_LOAD, in->bytes, mask);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint64_t va = in->va[lane];
        w->record.va[lane] = in_window(va, h->has_shmem_base, h->shmem_base) ? va - h->shmem_base : va;
    }
    return put(w, in->pc, reason);
}

/* Threads' words are interleaved, so an access of several words makes one record per word. */
static int local(struct asim_warp *w, const struct asim_instruction *in, uint32_t access, uint32_t mask,
                 const char **reason)
{
    const struct asim_header *h = w->header;
    uint32_t words = in->bytes > 4 ? (in->bytes + 3) / 4 : 1;
    begin(w, access, in->bytes > 4 ? 4 : in->bytes, mask);
    int status = WKT_OK;
    for (uint32_t i = 0; i < words && !status; i++) {
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(rest);
            uint64_t offset = in->va[lane];
            if (in_window(offset, h->has_local_base, h->local_base))
                offset -= h->local_base;
            if (offset >= ASIM_WINDOW) {
                *reason = "an address beyond the 16 MiB of a thread's local memory";
                return WKT_E_FORMAT;
            }
            uint64_t word = offset / 4 + i, slot = (w->slot + lane) % ASIM_LOCAL_SLOTS;
            w->record.va[lane] = ASIM_LOCAL_VA + 4 * (ASIM_LOCAL_SLOTS * word + slot) + offset % 4;
        }
        status = touch(w, reason);
        if (!status)
            status = put(w, in->pc, reason);
        w->summary->local_records++;
    }
    return status;
}

/* Each lane's address selects its space, most often the same for all. */
static int generic(struct asim_warp *w, const struct asim_instruction *in, uint32_t access,
                   const char **reason)
{
    const struct asim_header *h = w->header;
    uint32_t in_shared = 0, in_local = 0;
    for (uint32_t rest = in->mask; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);
        in_shared |= (uint32_t)in_window(in->va[lane], h->has_shmem_base, h->shmem_base) << lane;
        in_local |= (uint32_t)in_window(in->va[lane], h->has_local_base, h->local_base) << lane;
    }
    in_local &= ~in_shared;
    uint32_t in_global = in->mask & ~(in_shared | in_local);
    w->summary->split += (in_shared != 0) + (in_local != 0) + (in_global != 0) > 1;
    int status = in_shared ? shared(w, in, access, in_shared, reason) : WKT_OK;
    if (!status && in_local)
        status = local(w, in, access, in_local, reason);
    if (!status && in_global)
        status = global(w, in, access, in_global, reason);
    return status;
}

/* An LDGSTS has two references, a line each: a load from global and a store to shared memory. True for the
 * store, whose line is in the file only if Accel-Sim's post-traces-processing is old, or if there are line
 * numbers. */
static bool is_shared_side(const struct asim_warp *w, const struct asim_instruction *in)
{
    const struct asim_header *h = w->header;
    for (uint32_t rest = in->mask; rest; rest &= rest - 1) {
        uint64_t va = in->va[__builtin_ctz(rest)];
        if (va >= ASIM_WINDOW && !in_window(va, h->has_shmem_base, h->shmem_base))
            return false;
    }
    return true;
}

static void left_out(struct asim_warp *w, const struct asim_instruction *in, bool constant)
{
    struct asim_summary *s = w->summary;
    if (constant) {
        s->constant++;
        return;
    }
    if (s->unknown++ == 0) {
        size_t n =
            in->opcode_bytes < sizeof s->unknown_opcode ? in->opcode_bytes : sizeof s->unknown_opcode - 1;
        memcpy(s->unknown_opcode, in->opcode, n);
        s->unknown_opcode[n] = 0;
    }
}

static int memory(struct asim_warp *w, const struct asim_instruction *in, const struct asim_opcode *op,
                  const char **reason)
{
    switch ((enum asim_space)op->space) {
    case ASIM_GLOBAL:
        return global(w, in, op->access, in->mask, reason);
    case ASIM_SHARED:
        return shared(w, in, op->access, in->mask, reason);
    case ASIM_LOCAL:
        return local(w, in, op->access, in->mask, reason);
    case ASIM_GENERIC:
        return generic(w, in, op->access, reason);
    case ASIM_CONSTANT:
    case ASIM_UNKNOWN:
        left_out(w, in, op->space == ASIM_CONSTANT);
        w->clock++;
    }
    return WKT_OK;
}

int asim_warp_instruction(struct asim_warp *w, const struct asim_instruction *in, const char **reason)
{
    struct asim_opcode op = asim_classify(in);
    if (w->pending)
        read_sources(w, in, &op);
    if (op.special == ASIM_ASYNC && is_shared_side(w, in))
        op = (struct asim_opcode){ASIM_SHARED, WKT_STORE, ASIM_ORDINARY};
    if (op.special == ASIM_WAIT)
        wait_for_async(w);
    uint32_t first = w->records;
    uint64_t position = w->clock;
    int status = WKT_OK;
    if (in->mask == 0) { /* issued without effect */
        w->summary->off += in->bytes != 0;
        w->clock++;
    } else if (in->bytes) {
        status = memory(w, in, &op, reason);
    } else if (op.special == ASIM_BARRIER) {
        begin(w, WKT_BARRIER, 0, in->mask);
        status = put(w, in->pc, reason);
        first = w->records;
    } else {
        w->clock++;
    }
    uint32_t made = w->records - first;
    if (!status && made && op.special == ASIM_ASYNC)
        return remember_async(w, first, position);
    if (!status && (w->pending || made))
        write_targets(w, in, &op, first, op.access == WKT_STORE ? 0 : made, position);
    return status;
}
