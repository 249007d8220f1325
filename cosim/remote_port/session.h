/* SPDX-License-Identifier: MIT */
/* remote_port/session.h - one side of a Remote-Port session: which packets may come next, which response
 * belongs to which request, what both sides support. Packets go in and come out; the user provides bytes,
 * threads and time. A packet that breaks the protocol ends the session with a reason. Requests may nest:
 * while one waits for its response, others come and are answered. Both roles are the same here: an endpoint
 * requests translations (ATS_REQ) and takes invalidations; a translation agent answers those and sends
 * invalidations. Allocation: none. */
#ifndef WW_REMOTE_PORT_SESSION_H
#define WW_REMOTE_PORT_SESSION_H

#include "remote_port/packet.h"

WW_BEGIN_DECLS

#define WW_RP_PENDING_MAX 256u /* most requests that wait for their response */
#define WW_RP_DEVS_MAX 512u    /* channels are below this */

struct ww_rp_pending {
    uint32_t id, cmd, dev;
    bool used;
    uint64_t tag; /* the user's */
};

struct ww_rp_session {
    uint32_t caps, peer_caps;
    uint32_t next_id, waiting;
    bool greeted; /* the peer's HELLO has come */
    struct ww_rp_pending pending[WW_RP_PENDING_MAX];
};

/* Result of a packet from the peer. */
enum ww_rp_event {
    WW_RP_BROKEN,   /* the session has ended: *why */
    WW_RP_GREETING, /* its HELLO */
    WW_RP_REQUEST,  /* answer it if ww_rp_wants_response() */
    WW_RP_ANSWER,   /* answers the request with *tag */
    WW_RP_DROPPED,  /* an answer without a waiter, which the protocol allows */
};

void ww_rp_session_init(struct ww_rp_session *s, uint32_t caps);
/* Returns the first packet that this side sends. */
struct ww_rp_packet ww_rp_hello(const struct ww_rp_session *s);
enum ww_rp_event ww_rp_take(struct ww_rp_session *s, const struct ww_rp_packet *p, uint64_t *tag,
                            const char **why);
/* Completes a request of ours: id, layout. Returns NULL, or why it may not be sent: the peer has not sent its
 * HELLO or does not support it, or too many wait. */
const char *ww_rp_request(struct ww_rp_session *s, struct ww_rp_packet *p, uint64_t tag);
/* True if the protocol requires a response to this request of the peer. */
bool ww_rp_wants_response(const struct ww_rp_session *s, const struct ww_rp_packet *request);
/* Returns a response with the request's identity and layout; the user sets the rest. */
struct ww_rp_packet ww_rp_response(const struct ww_rp_packet *request, uint64_t timestamp);
static inline bool ww_rp_both(const struct ww_rp_session *s, uint32_t cap)
{
    return (s->caps & s->peer_caps & WW_RP_CAP_BIT(cap)) != 0;
}
/* Returns NULL, or names the first broken invariant; for tests. */
const char *ww_rp_session_check(const struct ww_rp_session *s);

WW_END_DECLS

#endif
