/* SPDX-License-Identifier: MIT */
/* guest/plugin/plugin.c - the plugin that QEMU loads. For each data access of the guest's one virtual
 * processor it walks the guest's own page table, in the guest's memory, within the emulator's callback, and
 * compares the result with the emulator's physical address. Counters and records are sent to Walkway through
 * the share (guest/stream.h). Registers are read at the first block after an instruction that may change
 * them. Arguments: share=FILE, ram=FILE. Not modelled: instruction fetches; the second page of an access
 * across two. */
#include "guest/plugin/emulator_api.h"
#include "guest/privileged.h"
#include "guest/walk.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int qemu_plugin_version = EMULATOR_API_VERSION;

#define CR0_PG (UINT64_C(1) << 31)
#define CR4_LA57 (UINT64_C(1) << 12)
#define EFER_LMA (UINT64_C(1) << 10)

enum reg { REG_CR0, REG_CR3, REG_CR4, REG_EFER, REG_FS, REG_GS, REG_GENERAL, REG_COUNT = REG_GENERAL + 16 };
static const char *const reg_names[REG_COUNT] = {
    "cr0", "cr3", "cr4", "efer", "fs_base", "gs_base", "rax", "rcx", "rdx", "rbx", "rsp",
    "rbp", "rsi", "rdi", "r8",   "r9",      "r10",     "r11", "r12", "r13", "r14", "r15"};

static struct {
    struct ww_guest_share *share;
    struct ww_guest_ram ram;
    struct qemu_plugin_register *reg[REG_COUNT];
    struct GByteArray *bytes;
    struct qemu_plugin_u64 stale_word;
    uint64_t *stale; /* a register may have changed since it was read */
    uint64_t cr0, cr3, cr4, efer;
    uint32_t levels;                 /* 0: paging is off, or not in 64-bit mode */
    bool root_written, mode_written; /* since the last read */
    uint64_t until_sent, accesses_sent;
} guest;

void ww_assert_fail(const char *expr, const char *file, int line)
{
    fprintf(stderr, "walkway's plugin: %s:%d: %s\n", file, line, expr);
    abort();
}

static void refuse(const char *why)
{
    snprintf(guest.share->reason, sizeof guest.share->reason, "%s", why);
    ww_guest_set(&guest.share->state, WW_GUEST_REFUSED);
}

/* Waits for room. Sends nothing once the reader has set `stop`. */
static void send(const struct ww_guest_record *r)
{
    struct ww_guest_share *s = guest.share;
    if (ww_guest_get(&s->stop) != 0)
        return;
    if (!ww_guest_push(s, r)) {
        ww_guest_count(&s->counts.waits);
        while (!ww_guest_push(s, r)) {
            if (ww_guest_get(&s->stop) != 0)
                return;
            sched_yield();
        }
    }
    ww_guest_count(&s->counts.sent);
}

static uint64_t read_register(enum reg which)
{
    uint64_t value = 0;
    g_byte_array_set_size(guest.bytes, 0);
    const int got = qemu_plugin_read_register(guest.reg[which], guest.bytes);
    if (got > 0)
        memcpy(&value, guest.bytes->data, got < 8 ? (size_t)got : sizeof value);
    return value;
}

static void find_registers(void)
{
    struct GArray *all = qemu_plugin_get_registers();
    const struct qemu_plugin_reg_descriptor *d = (const void *)all->data;
    for (unsigned i = 0; i < all->len; ++i)
        for (int r = 0; r < REG_COUNT; ++r)
            if (d[i].name != NULL && strcmp(d[i].name, reg_names[r]) == 0)
                guest.reg[r] = d[i].handle;
    g_array_free(all, 1);
    for (int r = 0; r < REG_COUNT; ++r)
        if (guest.reg[r] == NULL) {
            char why[80];
            snprintf(why, sizeof why, "the emulator does not show register %s", reg_names[r]);
            refuse(why);
            return;
        }
    ww_guest_set(&guest.share->state, WW_GUEST_RUNNING);
}

static void vcpu_init(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    if (vcpu != 0) {
        refuse("the guest has more than one virtual processor");
        return;
    }
    guest.stale = qemu_plugin_scoreboard_find(guest.stale_word.score, 0);
    *guest.stale = 1;
    find_registers();
}

/* Called at the first block after a register may have been written. */
static void read_mode(unsigned vcpu, void *unused)
{
    (void)vcpu, (void)unused;
    *guest.stale = 0;
    if (ww_guest_get(&guest.share->state) != WW_GUEST_RUNNING)
        return;
    const uint64_t cr0 = read_register(REG_CR0), cr3 = read_register(REG_CR3), cr4 = read_register(REG_CR4),
                   efer = read_register(REG_EFER);
    const bool paged = (cr0 & CR0_PG) != 0 && (efer & EFER_LMA) != 0;
    guest.levels = !paged ? 0 : (cr4 & CR4_LA57) != 0 ? 5 : 4;
    struct ww_guest_counts *c = &guest.share->counts;
    if (guest.root_written)
        ww_guest_count(&c->root_writes);
    if (guest.root_written && cr3 != guest.cr3)
        ww_guest_count(&c->root_changes);
    if (guest.mode_written)
        ww_guest_count(&c->mode_writes);
    const uint64_t without = guest.share->without;
    const bool flushes =
        (guest.root_written && (without & 2) == 0) || (cr4 != guest.cr4 && (without & 4) == 0);
    const bool other = cr0 != guest.cr0 || cr3 != guest.cr3 || efer != guest.efer;
    guest.cr0 = cr0;
    guest.cr3 = cr3;
    guest.cr4 = cr4;
    guest.efer = efer;
    guest.root_written = guest.mode_written = false;
    const struct ww_guest_record root = {WW_GUEST_ROOT, cr3, cr4, {cr0, efer}};
    if (flushes || other)
        send(&root);
}

static void before_root_write(unsigned vcpu, void *unused)
{
    (void)vcpu, (void)unused;
    guest.root_written = true;
    *guest.stale = 1;
}

static void before_mode_write(unsigned vcpu, void *unused)
{
    (void)vcpu, (void)unused;
    guest.mode_written = true;
    *guest.stale = 1;
}

/* Drops the page before the instruction: it makes no data access itself. */
static void before_page_drop(unsigned vcpu, void *operand)
{
    (void)vcpu;
    struct ww_guest_registers r = {{0}, read_register(REG_FS), read_register(REG_GS)};
    for (int i = 0; i < 16; ++i)
        r.general[i] = read_register((enum reg)(REG_GENERAL + i));
    const struct ww_guest_record drop = {
        WW_GUEST_DROP_PAGE, ww_guest_address((uint64_t)(uintptr_t)operand, &r), 0, {0}};
    ww_guest_count(&guest.share->counts.page_drops);
    if ((guest.share->without & 1) == 0)
        send(&drop);
}

static void before_whole_drop(unsigned vcpu, void *unused)
{
    (void)vcpu, (void)unused;
    const struct ww_guest_record drop = {WW_GUEST_DROP_ALL, 0, 0, {0}};
    ww_guest_count(&guest.share->counts.whole_drops);
    send(&drop);
}

/* Sets r->pa to the emulator's address and returns NULL, or returns the counter of accesses without one. */
static uint64_t *not_compared(qemu_plugin_meminfo_t info, uint64_t va, struct ww_guest_record *r)
{
    struct ww_guest_counts *c = &guest.share->counts;
    if (guest.levels == 0)
        return &c->unpaged;
    const struct qemu_plugin_hwaddr *hw = qemu_plugin_get_hwaddr(info, va);
    if (hw == NULL)
        return &c->unknown;
    if (qemu_plugin_hwaddr_is_io(hw))
        return &c->devices;
    r->pa = qemu_plugin_hwaddr_phys_addr(hw);
    return NULL;
}

static void describe(struct ww_guest_record *r, enum ww_guest_kind kind, qemu_plugin_meminfo_t info,
                     const struct ww_guest_walked *w)
{
    uint32_t size = qemu_plugin_mem_size_shift(info);
    r->what = (uint64_t)kind | (uint64_t)(size & 15) << 4 | (uint64_t)qemu_plugin_mem_is_store(info) << 8 |
              (uint64_t)w->entries << 9 | (uint64_t)guest.levels << 12 | (uint64_t)w->outcome << 15;
    send(r);
}

/* Stops the guest until the reader has examined its memory, unchanged. */
static void hold(struct ww_guest_share *s)
{
    const struct timespec nap = {0, 1000000};
    ww_guest_set(&s->state, WW_GUEST_HELD);
    while (ww_guest_get(&s->stop) == 0)
        nanosleep(&nap, NULL);
    ww_guest_set(&s->state, WW_GUEST_RUNNING);
}

static void after_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t va, void *unused)
{
    (void)vcpu, (void)unused;
    struct ww_guest_share *s = guest.share;
    struct ww_guest_record r = {0};
    ww_guest_count(&s->counts.accesses);
    uint64_t *instead = not_compared(info, va, &r);
    if (instead != NULL) {
        ww_guest_count(instead);
        return;
    }
    r.va = va;
    const struct ww_guest_walked w = ww_guest_walk(guest.ram, guest.cr3, guest.levels, va, r.entry);
    if (w.outcome != WW_GUEST_WALK_PAGE || w.pa != r.pa) {
        ww_guest_count(w.outcome == WW_GUEST_WALK_PAGE ? &s->counts.differed : &s->counts.faulted);
        describe(&r, WW_GUEST_DISAGREED, info, &w);
        return;
    }
    ww_guest_count(&s->counts.agreed);
    const uint64_t number = s->counts.accesses - 1;
    if (s->every == 0 || __atomic_load_n(&s->select, __ATOMIC_RELAXED) == 0 || number < s->from ||
        number >= s->upto)
        return;
    if (guest.until_sent > 1) {
        --guest.until_sent;
        return;
    }
    guest.until_sent = s->every;
    describe(&r, WW_GUEST_ACCESS, info, &w);
    if (++guest.accesses_sent >= ww_guest_get(&s->most) && ww_guest_get(&s->stop) == 0)
        hold(s);
}

static void watch_insn(struct qemu_plugin_insn *insn)
{
    uint8_t bytes[16];
    uint64_t operand = 0;
    const size_t size = qemu_plugin_insn_size(insn);
    const size_t got = qemu_plugin_insn_data(insn, bytes, size < sizeof bytes ? size : sizeof bytes);
    qemu_plugin_register_vcpu_mem_cb(insn, after_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
    switch (ww_guest_decode(bytes, got, &operand)) {
    case WW_GUEST_INSN_ROOT:
        qemu_plugin_register_vcpu_insn_exec_cb(insn, before_root_write, QEMU_PLUGIN_CB_NO_REGS, NULL);
        break;
    case WW_GUEST_INSN_MODE:
        qemu_plugin_register_vcpu_insn_exec_cb(insn, before_mode_write, QEMU_PLUGIN_CB_NO_REGS, NULL);
        break;
    case WW_GUEST_INSN_DROP_PAGE:
        qemu_plugin_register_vcpu_insn_exec_cb(insn, before_page_drop, QEMU_PLUGIN_CB_R_REGS,
                                               (void *)(uintptr_t)operand);
        break;
    case WW_GUEST_INSN_DROP_ALL:
        qemu_plugin_register_vcpu_insn_exec_cb(insn, before_whole_drop, QEMU_PLUGIN_CB_NO_REGS, NULL);
        break;
    case WW_GUEST_INSN_OTHER:
        break;
    }
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cond_cb(tb, read_mode, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_COND_NE,
                                              guest.stale_word, 0, NULL);
    const size_t count = qemu_plugin_tb_n_insns(tb);
    for (size_t i = 0; i < count; ++i)
        watch_insn(qemu_plugin_tb_get_insn(tb, i));
}

static void at_exit(qemu_plugin_id_t id, void *unused)
{
    (void)id, (void)unused;
    if (ww_guest_get(&guest.share->state) == WW_GUEST_RUNNING)
        ww_guest_set(&guest.share->state, WW_GUEST_ENDED);
}

static void *map(const char *path, bool write, uint64_t *bytes)
{
    struct stat about;
    const int file = open(path, (write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    void *at = MAP_FAILED;
    if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0) {
        *bytes = (uint64_t)about.st_size;
        at = mmap(NULL, (size_t)about.st_size, write ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file,
                  0);
    }
    if (file >= 0)
        close(file);
    if (at == MAP_FAILED)
        fprintf(stderr, "walkway's plugin: cannot map %s\n", path);
    return at == MAP_FAILED ? NULL : at;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv)
{
    uint64_t share_bytes = 0;
    for (int i = 0; i < argc; ++i) {
        if (strncmp(argv[i], "share=", 6) == 0)
            guest.share = map(argv[i] + 6, true, &share_bytes);
        else if (strncmp(argv[i], "ram=", 4) == 0)
            guest.ram.at = map(argv[i] + 4, false, &guest.ram.bytes);
    }
    if (guest.share == NULL || guest.ram.at == NULL) {
        fprintf(stderr, "walkway's plugin: wants share=FILE,ram=FILE; 'walkway guest' starts it\n");
        return -1;
    }
    const char *wrong = ww_guest_share_check(guest.share, share_bytes);
    if (wrong != NULL) {
        fprintf(stderr, "walkway's plugin: %s\n", wrong);
        return -1;
    }
    if (!info->system_emulation || strcmp(info->target_name, "x86_64") != 0) {
        refuse("the emulator does not emulate an x86-64 machine");
        return -1;
    }
    guest.bytes = g_byte_array_new();
    guest.stale_word.score = qemu_plugin_scoreboard_new(sizeof(uint64_t));
    qemu_plugin_register_vcpu_init_cb(id, vcpu_init);
    qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
