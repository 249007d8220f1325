/* SPDX-License-Identifier: MIT */
/* remote_port/packet.c - see packet.h. Offsets are from the packet's first byte. */
#include "remote_port/packet.h"

#include <string.h>

#define HELLO_BYTES 24u
#define HELLO_CAPS 32u
#define BUS_BYTES 58u
#define BUS_EXT_BYTES 80u
#define INTERRUPT_BYTES 41u
#define SYNC_BYTES 28u
#define ATS_BYTES 88u

static uint64_t get(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value = value << 8 | at[i];
    return value;
}

static void put(uint8_t *at, unsigned bytes, uint64_t value)
{
    for (unsigned i = 0; i < bytes; ++i)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static uint32_t get32(const uint8_t *at)
{
    return (uint32_t)get(at, 4);
}

size_t ww_rp_packet_bytes(const uint8_t *head)
{
    const uint32_t len = get32(head + 4);
    return len > WW_RP_PACKET_MAX - WW_RP_HEAD_BYTES ? 0 : (size_t)len + WW_RP_HEAD_BYTES;
}

/* A HELLO may end after its version. */
static const char *decode_hello(const uint8_t *b, size_t count, struct ww_rp_packet *p)
{
    if (count < HELLO_BYTES)
        return "HELLO is shorter than its version";
    p->major = (uint16_t)get(b + 20, 2);
    p->minor = (uint16_t)get(b + 22, 2);
    if (count < HELLO_CAPS)
        return NULL;
    const uint32_t offset = get32(b + 24), caps = (uint32_t)get(b + 28, 2);
    if (caps > WW_RP_CAPS_MAX)
        return "HELLO has too many capabilities";
    if (offset > count || (size_t)caps * 4 > count - offset)
        return "the capabilities of HELLO lie outside it";
    for (uint32_t i = 0; i < caps; ++i) {
        const uint32_t cap = get32(b + offset + 4 * i);
        if (cap < 32)
            p->caps |= WW_RP_CAP_BIT(cap);
    }
    return NULL;
}

static const char *decode_extended(const uint8_t *b, size_t count, struct ww_rp_packet *p, size_t *data)
{
    if (count < BUS_EXT_BYTES)
        return "an access is shorter than its extended header";
    p->master_id |= get(b + 58, 2) << 16 | get(b + 60, 4) << 32;
    *data = get32(b + 64);
    const size_t enable = get32(b + 72), enables = get32(b + 76);
    if (enables == 0)
        return NULL;
    if (enables > p->length)
        return "an access has more byte enables than bytes";
    if (enable < BUS_EXT_BYTES || enable > count || enables > count - enable)
        return "the byte enables of an access lie outside it";
    p->enable = b + enable;
    p->enables = (uint32_t)enables;
    return NULL;
}

static const char *decode_access(const uint8_t *b, size_t count, struct ww_rp_packet *p)
{
    if (count < BUS_BYTES)
        return "an access is shorter than its header";
    p->attributes = get(b + 28, 8);
    p->address = get(b + 36, 8);
    p->length = get32(b + 44);
    p->stream_width = get32(b + 52);
    p->master_id = get(b + 56, 2);
    if (p->length > WW_RP_DATA_MAX)
        return "an access is longer than 1 MiB";
    if (get32(b + 48) != 0)
        return "an access has a width, which must be 0";
    size_t data = BUS_BYTES;
    if ((p->attributes & WW_RP_BUS_EXT) != 0) {
        const char *wrong = decode_extended(b, count, p, &data);
        if (wrong != NULL)
            return wrong;
        if (data < BUS_EXT_BYTES && ww_rp_has_data(p))
            return "the data of an access lie in its header";
    }
    if (!ww_rp_has_data(p))
        return NULL;
    if (data > count || p->length > count - data)
        return "the data of an access lie outside it";
    p->data = b + data;
    return NULL;
}

static const char *decode_ats(const uint8_t *b, size_t count, struct ww_rp_packet *p)
{
    if (count < ATS_BYTES)
        return "a translation is shorter than its layout";
    p->attributes = get(b + 28, 8);
    p->address = get(b + 36, 8);
    p->length = get(b + 44, 8);
    p->result = get32(b + 52);
    return NULL;
}

const char *ww_rp_decode(const uint8_t *b, size_t count, struct ww_rp_packet *p)
{
    memset(p, 0, sizeof *p);
    if (count < WW_RP_HEAD_BYTES)
        return "a packet is shorter than its header";
    p->cmd = get32(b);
    p->id = get32(b + 8);
    p->flags = get32(b + 12);
    p->dev = get32(b + 16);
    if (count != ww_rp_packet_bytes(b))
        return "a packet has another length than its header says";
    if (p->cmd == WW_RP_HELLO)
        return decode_hello(b, count, p);
    if (p->cmd < WW_RP_READ || p->cmd >= WW_RP_CMD_COUNT)
        return p->cmd == WW_RP_NOP || p->cmd == WW_RP_CFG ? "NOP and CFG are never sent" : "no such command";
    if (count < SYNC_BYTES)
        return "a packet is shorter than its timestamp";
    p->timestamp = get(b + 20, 8);
    switch (p->cmd) {
    case WW_RP_READ:
    case WW_RP_WRITE:
        return decode_access(b, count, p);
    case WW_RP_INTERRUPT:
        if (count < INTERRUPT_BYTES)
            return "an INTERRUPT is shorter than its layout";
        p->vector = get(b + 28, 8);
        p->line = get32(b + 36);
        p->value = b[40];
        return NULL;
    case WW_RP_SYNC:
        return NULL;
    default:
        return decode_ats(b, count, p);
    }
}

static size_t encode_hello(const struct ww_rp_packet *p, uint8_t *to)
{
    uint32_t caps = 0;
    for (uint32_t cap = 0; cap < 32; ++cap)
        if ((p->caps & WW_RP_CAP_BIT(cap)) != 0)
            put(to + HELLO_CAPS + 4 * caps++, 4, cap);
    put(to + 20, 2, p->major);
    put(to + 22, 2, p->minor);
    put(to + 24, 4, HELLO_CAPS);
    put(to + 28, 2, caps);
    return HELLO_CAPS + 4 * (size_t)caps;
}

static size_t encode_access(const struct ww_rp_packet *p, uint8_t *to)
{
    const bool extended = (p->attributes & WW_RP_BUS_EXT) != 0;
    const size_t head = extended ? BUS_EXT_BYTES : BUS_BYTES;
    const size_t data = ww_rp_has_data(p) ? (size_t)p->length : 0;
    put(to + 28, 8, p->attributes);
    put(to + 36, 8, p->address);
    put(to + 44, 4, p->length);
    put(to + 52, 4, p->stream_width);
    put(to + 56, 2, p->master_id);
    if (extended) {
        put(to + 58, 2, p->master_id >> 16);
        put(to + 60, 4, p->master_id >> 32);
        put(to + 64, 4, BUS_EXT_BYTES);
        put(to + 72, 4, BUS_EXT_BYTES + data);
        put(to + 76, 4, p->enables);
    }
    if (data != 0)
        memcpy(to + head, p->data, data);
    if (p->enables != 0)
        memcpy(to + head + data, p->enable, p->enables);
    return head + data + p->enables;
}

/* Returns the most bytes that the packet can need; 0: it is illegal. */
static size_t room_wanted(const struct ww_rp_packet *p)
{
    switch (p->cmd) {
    case WW_RP_HELLO:
        return HELLO_CAPS + 4 * 32;
    case WW_RP_READ:
    case WW_RP_WRITE:
        if (p->length > WW_RP_DATA_MAX || p->enables > p->length ||
            (p->enables != 0 && (p->attributes & WW_RP_BUS_EXT) == 0))
            return 0;
        return BUS_EXT_BYTES + (ww_rp_has_data(p) ? (size_t)p->length : 0) + p->enables;
    case WW_RP_INTERRUPT:
    case WW_RP_SYNC:
    case WW_RP_ATS_REQ:
    case WW_RP_ATS_INV:
        return ATS_BYTES;
    default:
        return 0;
    }
}

size_t ww_rp_encode(const struct ww_rp_packet *p, uint8_t *to, size_t room)
{
    const size_t wanted = room_wanted(p);
    size_t bytes = SYNC_BYTES;
    if (wanted == 0 || wanted > room)
        return 0;
    memset(to, 0, wanted < ATS_BYTES ? wanted : ATS_BYTES);
    put(to + 20, 8, p->timestamp);
    if (p->cmd == WW_RP_HELLO) {
        bytes = encode_hello(p, to);
    } else if (p->cmd == WW_RP_READ || p->cmd == WW_RP_WRITE) {
        bytes = encode_access(p, to);
    } else if (p->cmd == WW_RP_INTERRUPT) {
        put(to + 28, 8, p->vector);
        put(to + 36, 4, p->line);
        to[40] = p->value;
        bytes = INTERRUPT_BYTES;
    } else if (p->cmd != WW_RP_SYNC) {
        put(to + 28, 8, p->attributes);
        put(to + 36, 8, p->address);
        put(to + 44, 8, p->length);
        put(to + 52, 4, p->result);
        bytes = ATS_BYTES;
    }
    put(to, 4, p->cmd);
    put(to + 4, 4, bytes - WW_RP_HEAD_BYTES);
    put(to + 8, 4, p->id);
    put(to + 12, 4, p->flags);
    put(to + 16, 4, p->dev);
    return bytes;
}

const char *ww_rp_cmd_name(uint32_t cmd)
{
    static const char *const names[] = {
#define X(name) #name,
        WW_RP_CMD_LIST(X)
#undef X
    };
    return cmd < WW_RP_CMD_COUNT ? names[cmd] : "?";
}
