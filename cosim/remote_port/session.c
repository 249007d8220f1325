/* SPDX-License-Identifier: MIT */
/* remote_port/session.c - see session.h. */
#include "remote_port/session.h"

#include <string.h>

void ww_rp_session_init(struct ww_rp_session *s, uint32_t caps)
{
    memset(s, 0, sizeof *s);
    s->caps = caps;
}

struct ww_rp_packet ww_rp_hello(const struct ww_rp_session *s)
{
    struct ww_rp_packet p;
    memset(&p, 0, sizeof p);
    p.cmd = WW_RP_HELLO;
    p.major = WW_RP_MAJOR;
    p.minor = WW_RP_MINOR;
    p.caps = s->caps;
    return p;
}

static bool is_ats(uint32_t cmd)
{
    return cmd == WW_RP_ATS_REQ || cmd == WW_RP_ATS_INV;
}

static enum ww_rp_event broken(const char **why, const char *text)
{
    *why = text;
    return WW_RP_BROKEN;
}

static enum ww_rp_event greet(struct ww_rp_session *s, const struct ww_rp_packet *p, const char **why)
{
    if (s->greeted)
        return broken(why, "a second HELLO");
    if (p->major != WW_RP_MAJOR)
        return broken(why, "the peer speaks another major version than 4");
    s->greeted = true;
    s->peer_caps = p->caps;
    return WW_RP_GREETING;
}

static enum ww_rp_event take_answer(struct ww_rp_session *s, const struct ww_rp_packet *p, uint64_t *tag,
                                    const char **why)
{
    for (uint32_t i = 0; i < WW_RP_PENDING_MAX; ++i) {
        struct ww_rp_pending *w = &s->pending[i];
        if (!w->used || w->id != p->id)
            continue;
        if (w->cmd != p->cmd || w->dev != p->dev)
            return broken(why, "a response is of another command or channel than its request");
        *tag = w->tag;
        w->used = false;
        --s->waiting;
        return WW_RP_ANSWER;
    }
    if ((p->flags & WW_RP_FLAG_POSTED) != 0)
        return WW_RP_DROPPED;
    return broken(why, "a response to no request");
}

enum ww_rp_event ww_rp_take(struct ww_rp_session *s, const struct ww_rp_packet *p, uint64_t *tag,
                            const char **why)
{
    if (p->cmd == WW_RP_HELLO)
        return greet(s, p, why);
    if (!s->greeted)
        return broken(why, "the first packet is not HELLO");
    if (p->dev >= WW_RP_DEVS_MAX)
        return broken(why, "a channel above 511");
    if (is_ats(p->cmd) && !ww_rp_both(s, WW_RP_CAP_ATS))
        return broken(why, "a translation without both sides' capability");
    if (ww_rp_is_response(p))
        return take_answer(s, p, tag, why);
    return WW_RP_REQUEST;
}

bool ww_rp_wants_response(const struct ww_rp_session *s, const struct ww_rp_packet *request)
{
    if (request->cmd == WW_RP_INTERRUPT)
        return ww_rp_both(s, WW_RP_CAP_WIRE_POSTED) && (request->flags & WW_RP_FLAG_POSTED) == 0;
    return request->cmd != WW_RP_WRITE || (request->flags & WW_RP_FLAG_POSTED) == 0;
}

const char *ww_rp_request(struct ww_rp_session *s, struct ww_rp_packet *p, uint64_t tag)
{
    const bool access = p->cmd == WW_RP_READ || p->cmd == WW_RP_WRITE;
    if (!s->greeted)
        return "the peer has not sent its HELLO";
    if (is_ats(p->cmd) && !ww_rp_both(s, WW_RP_CAP_ATS))
        return "the peer has no translation services";
    if (access && p->enables != 0 && (s->peer_caps & WW_RP_CAP_BIT(WW_RP_CAP_BYTE_ENABLES)) == 0)
        return "the peer takes no byte enables";
    if (access && (s->peer_caps & WW_RP_CAP_BIT(WW_RP_CAP_EXT)) != 0)
        p->attributes |= WW_RP_BUS_EXT;
    if (access && p->enables != 0 && (p->attributes & WW_RP_BUS_EXT) == 0)
        return "the peer does not know the extended layout, which byte enables need";
    if (p->dev >= WW_RP_DEVS_MAX)
        return "a channel above 511";
    const bool waits = ww_rp_wants_response(s, p);
    if (waits && s->waiting == WW_RP_PENDING_MAX)
        return "too many requests wait for their response";
    p->id = s->next_id++;
    for (uint32_t i = 0; waits; ++i) {
        struct ww_rp_pending *w = &s->pending[i];
        if (w->used)
            continue;
        *w = (struct ww_rp_pending){p->id, p->cmd, p->dev, true, tag};
        ++s->waiting;
        break;
    }
    return NULL;
}

struct ww_rp_packet ww_rp_response(const struct ww_rp_packet *request, uint64_t timestamp)
{
    struct ww_rp_packet p = *request;
    p.flags |= WW_RP_FLAG_RESPONSE;
    p.timestamp = timestamp;
    p.data = p.enable = NULL;
    p.enables = 0;
    if (p.cmd == WW_RP_READ || p.cmd == WW_RP_WRITE)
        p.attributes &= WW_RP_BUS_EXT;
    return p;
}

const char *ww_rp_session_check(const struct ww_rp_session *s)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < WW_RP_PENDING_MAX; ++i) {
        const struct ww_rp_pending *w = &s->pending[i];
        waiting += w->used;
        for (uint32_t j = 0; w->used && j < i; ++j)
            if (s->pending[j].used && s->pending[j].id == w->id)
                return "two requests that wait have one identity";
    }
    if (waiting != s->waiting)
        return "as many wait as are counted";
    return s->waiting != 0 && !s->greeted ? "nothing waits before the peer's HELLO" : NULL;
}
