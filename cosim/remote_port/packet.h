/* SPDX-License-Identifier: MIT */
/* remote_port/packet.h - packets of the Remote-Port protocol, version 4.3, as bytes: encode and decode. All
 * integers are big-endian and unaligned; data bytes are unchanged. For any input, decoding reads within the
 * bytes given and returns a packet or a reason. docs/use/remote-port.md. Allocation: none. I/O: none. */
#ifndef WW_REMOTE_PORT_PACKET_H
#define WW_REMOTE_PORT_PACKET_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_RP_MAJOR 4u
#define WW_RP_MINOR 3u
#define WW_RP_HEAD_BYTES 20u
#define WW_RP_DATA_MAX (1u << 20) /* most data bytes of one access */
#define WW_RP_PACKET_MAX (80u + 2u * WW_RP_DATA_MAX)
#define WW_RP_CAPS_MAX 64u

#define WW_RP_CMD_LIST(X) X(NOP) X(HELLO) X(CFG) X(READ) X(WRITE) X(INTERRUPT) X(SYNC) X(ATS_REQ) X(ATS_INV)
enum ww_rp_cmd {
#define X(name) WW_RP_##name,
    WW_RP_CMD_LIST(X)
#undef X
        WW_RP_CMD_COUNT
};

#define WW_RP_FLAG_OPTIONAL 1u
#define WW_RP_FLAG_RESPONSE 2u
#define WW_RP_FLAG_POSTED 4u

/* Capabilities, by their number on the wire. */
#define WW_RP_CAP_EXT 1u          /* the extended layout of READ and WRITE */
#define WW_RP_CAP_BYTE_ENABLES 2u /* with byte enables */
#define WW_RP_CAP_WIRE_POSTED 3u  /* the posted flag of INTERRUPT is valid */
#define WW_RP_CAP_ATS 4u
#define WW_RP_CAP_BIT(cap) (UINT32_C(1) << (cap))

/* Attributes of READ and WRITE */
#define WW_RP_BUS_EOP (UINT64_C(1) << 0)
#define WW_RP_BUS_SECURE (UINT64_C(1) << 1)
#define WW_RP_BUS_EXT (UINT64_C(1) << 2)
#define WW_RP_BUS_PHYSICAL (UINT64_C(1) << 3) /* translated already */
#define WW_RP_BUS_IO (UINT64_C(1) << 4)
#define WW_RP_BUS_STATUS UINT64_C(0xf00) /* [11:8] of a response */
#define WW_RP_STATUS_OK 0u
#define WW_RP_STATUS_GENERIC 1u
#define WW_RP_STATUS_ADDRESS 2u

/* In `attributes`: the wanted rights of ATS_REQ, and the granted ones of its response. */
#define WW_RP_ATS_EXEC (UINT64_C(1) << 0)
#define WW_RP_ATS_READ (UINT64_C(1) << 1)
#define WW_RP_ATS_WRITE (UINT64_C(1) << 2)

struct ww_rp_packet {
    uint32_t cmd, id, flags, dev;
    uint16_t major, minor; /* HELLO */
    uint32_t caps;         /* HELLO: WW_RP_CAP_BIT; numbers from 32 on are ignored */
    uint64_t timestamp;    /* all but HELLO: ns */
    uint64_t attributes;   /* READ, WRITE, ATS_* */
    uint64_t address;
    uint64_t length;       /* bytes; READ, WRITE: up to WW_RP_DATA_MAX; ATS_*: any */
    uint32_t stream_width; /* READ, WRITE */
    uint64_t master_id;    /* READ, WRITE: 16 bits without the extended layout */
    uint32_t result;       /* response of ATS_*; 0: done, else refused */
    uint64_t vector;       /* INTERRUPT */
    uint32_t line;
    uint8_t value;
    const uint8_t *data;   /* `length` bytes of a WRITE's request or a READ's response; else NULL */
    const uint8_t *enable; /* byte enables: 0xff or 0, repeated over the data; NULL: all */
    uint32_t enables;      /* number of byte enables, 0 if `enable` is NULL */
};

static inline bool ww_rp_is_response(const struct ww_rp_packet *p)
{
    return (p->flags & WW_RP_FLAG_RESPONSE) != 0;
}
/* True if the packet carries data. */
static inline bool ww_rp_has_data(const struct ww_rp_packet *p)
{
    return ww_rp_is_response(p) ? p->cmd == WW_RP_READ : p->cmd == WW_RP_WRITE;
}
static inline uint32_t ww_rp_status(const struct ww_rp_packet *p)
{
    return (uint32_t)((p->attributes & WW_RP_BUS_STATUS) >> 8);
}

/* Returns the bytes of the packet that begins with these WW_RP_HEAD_BYTES; 0: longer than any legal
 * packet. */
size_t ww_rp_packet_bytes(const uint8_t *head);
/* Decodes a whole packet. Returns NULL, with pointers into the bytes in *p; or the reason why it is
 * illegal. */
const char *ww_rp_decode(const uint8_t *bytes, size_t count, struct ww_rp_packet *p);
/* Encodes a packet. Returns the bytes written; 0: the packet is illegal, or `room` is too small. A room of
 * WW_RP_PACKET_MAX is always enough; in a smaller one a packet that just fits may be refused. The layout of
 * READ and WRITE is extended if WW_RP_BUS_EXT is among the attributes; byte enables need that. */
size_t ww_rp_encode(const struct ww_rp_packet *p, uint8_t *to, size_t room);

/* Returns "WRITE" and so on; "?" for a command that does not exist. */
const char *ww_rp_cmd_name(uint32_t cmd);

WW_END_DECLS

#endif
