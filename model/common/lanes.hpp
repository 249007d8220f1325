/* SPDX-License-Identifier: MIT */
/* model/common/lanes.hpp - the messages of a translation link besides requests and answers
 * (docs/model/invalidate.md):
 *
 *   posts, down      fills (victims of the stage above, by value) and the invalidate on its way back; they
 *                    have no answer and never wait: they are sunk within a bound
 *   invalidate, up   on its way out, behind the answers
 *
 * They have lanes of their own, because a request may stall for room that only an invalidate frees. The lane
 * of posts has places for `fills` fills and one more for the invalidate; a fill that finds them taken is
 * dropped and counted. Posts keep their order. Times are annotated, as on every link. The lanes exist between
 * two ports of ours: a foreign block below is sent nothing, and one above is not waited for (its copy counts
 * as back). */
#ifndef WALKWAY_MODEL_COMMON_LANES_HPP
#define WALKWAY_MODEL_COMMON_LANES_HPP

#include "kernels/invalidate.h"
#include "kernels/xlat.h"
#include "model/common/block.hpp"
#include "model/common/conservation.hpp"
#include "model/common/fifo.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace walkway
{

/* A page of one VM and its translation. */
struct xlat_post {
    uint64_t va; /* an address in the page */
    ww_xlat page;
    uint16_t vmid;
    bool back; /* the invalidate on its way back; the other members are unused */
};

/* Posts of one link, at the end that sinks them. */
class post_lane
{
public:
    /* `next` is lowered to the arrival of a post that comes earlier. */
    post_lane(block &owner, uint32_t fills, tick &next) : owner_(owner), fills_(fills), next_(next) {}
    bool takes_fills() const { return fills_ != 0; }
    /* A translation for the level below arrives at `at`. Without room it is dropped and counted. */
    void fill(uint64_t va, uint16_t vmid, const ww_xlat &page, tick at);
    /* The answer to the open invalidate arrives at `at`. It has a place of its own. */
    void back(tick at);
    /* Returns the oldest post that has arrived by `now`, or null. A place that it frees is available from the
     * next edge on. */
    const xlat_post *front(tick now) const;
    void pop();
    tick next() const { return ring_.empty() ? never : ring_.front().due; }
    uint64_t size() const { return ring_.size(); }
    /* Return the fills sent so far, those of them dropped for lack of room, and those popped; without
     * invalidates. */
    uint64_t sent() const { return sent_; }
    uint64_t dropped() const { return dropped_; }
    uint64_t taken() const { return taken_; }

private:
    struct entry {
        xlat_post post;
        tick due;
    };
    void push(const xlat_post &post, tick at);

    block &owner_;
    uint32_t fills_;
    tick &next_;
    uint64_t inside_ = 0; /* fills in the ring */
    tick freed_at_ = never, last_due_ = 0;
    uint32_t freed_ = 0; /* fills taken in that cycle */
    uint64_t sent_ = 0, dropped_ = 0, taken_ = 0;
    fifo<entry> ring_;
};

/* A change of page tables, which have been written before. */
struct invalidation {
    ww_inval_scope scope;
    bool tables = true;            /* with inner nodes: drops what walks know of the way to an entry */
    std::vector<uint64_t> entries; /* physical addresses of the entries written; empty: any */
};

/* The last stage, where an invalidate begins and is acknowledged. */
class invalidate_root
{
public:
    /* Called by a block in the simulation. Returns false, without beginning, if one is open here. Calls
     * `acknowledged` with the time when no stage above holds mappings in scope and no access uses them. */
    virtual bool invalidate(const invalidation &what, std::function<void(tick)> acknowledged) = 0;

protected:
    ~invalidate_root() = default;
};

/* Receives an invalidate on its way out. */
class notice_taker
{
public:
    virtual void on_invalidate(const ww_inval_scope &scope, tick at) = 0;

protected:
    ~notice_taker() = default;
};

/* The lanes of a stage: posts from above, the invalidate in both directions. The block drops entries and
 * enters fills; order, refusal and counting of copies are here. */
class stage_lanes final : public notice_taker
{
public:
    /* down == nullptr: invalidates begin and end here. Each lane has `fills` places for fills; 0: it takes
     * none. */
    stage_lanes(block &owner, asking_end *down, uint32_t fills);
    void serve(serving_end &up);
    /* Starts an invalidate in the present cycle, at the last stage. Returns false if one is open. Calls
     * `done` with the time of the acknowledgement. */
    bool start(const ww_inval_scope &scope, std::function<void(tick)> done);
    /* An invalidate arrives at the first edge from `at` on. Required (else the run fails): no other one is on
     * its way here or open. */
    void on_invalidate(const ww_inval_scope &scope, tick at) override;
    /* drops_in_time(): the stage's own store takes time to drop what is in scope, so that an invalidate waits
     * for it as for a port above. The stage calls dropped_all() when that is done, after the step in which
     * drop() was called. */
    void drops_in_time() { own_copies_ = 1; }
    void dropped_all(tick now) { came_back(now); }

    tick next() const { return next_; } /* time of step()'s next action */
    /* Call at the end of each of the block's steps: an activation forgets all later wake-ups but the
     * first. */
    void wake(tick now)
    {
        if (next_ != never)
            owner_.wake(next_ > now ? next_ : now + owner_.clock().period());
    }
    /* Call after the answers of the cycle and before its lookups. drop(scope) must drop all in scope;
     * sink(post) enters a fill. Takes one fill of each lane per cycle. */
    template <class DROP, class SINK> void step(tick now, DROP drop, SINK sink)
    {
        if (out_at_ <= now) {
            drop(scope_);
            go_out(now);
        }
        for (lane &l : lanes_)
            while (const xlat_post *post = ready(l, now)) {
                if (post->back)
                    came_back(now);
                else if (refuses(*post))
                    ++refused_;
                else
                    sink(*post);
                l.posts->pop();
            }
        look_ahead();
    }
    uint64_t received() const; /* fills taken out of the lanes, refused ones too; without dropped ones */
    uint64_t dropped() const;
    uint64_t refused() const { return refused_; }
    /* Returns the posts in flight to it, plus an invalidate that is here or beyond. */
    uint64_t live() const;
    /* True from the time an invalidate goes up from here until all copies are back. */
    bool open() const { return state_.open; }

private:
    struct lane {
        serving_end *up;
        std::unique_ptr<post_lane> posts;
        tick sunk_at = never;
    };
    const xlat_post *ready(lane &l, tick now);
    bool refuses(const xlat_post &post) const
    {
        return ww_inval_refuses(&state_, post.va, post.page.page_shift, post.vmid);
    }
    void go_out(tick now);
    void came_back(tick now);
    void leave(tick now);
    void look_ahead();

    block &owner_;
    asking_end *down_;
    uint32_t fills_;
    uint32_t own_copies_ = 0;
    std::vector<lane> lanes_;
    ww_inval state_{};
    ww_inval_scope scope_{};
    tick out_at_ = never;
    std::function<void(tick)> done_;
    uint64_t refused_ = 0;
    tick next_ = never;
};

/* Returns the lane of the link below if it takes fills, else null. Valid once the machine is bound. */
post_lane *fills_below(const asking_end &down);

/* The requester's side: an invalidate that waits for its turn. */
class turn_lane final : public notice_taker
{
public:
    turn_lane(block &owner, asking_end &down);
    /* An access begins with its translation; end() ends it at `at`, with the generation that it began in. */
    void begin() { ww_turn_begin(&turn_); }
    uint8_t generation() const { return turn_.generation; } /* of accesses that begin now */
    void end(uint8_t generation, tick at)
    {
        ww_turn_end(&turn_, generation);
        last_end_[generation] = at > last_end_[generation] ? at : last_end_[generation];
        if (turn_.open)
            ended();
    }
    void on_invalidate(const ww_inval_scope &scope, tick at) override;
    tick next() const { return next_; }
    void step(tick now); /* call after the answers of the cycle */
    bool waits() const { return turn_.open || arrives_ != never; }

private:
    void ended();
    /* Returns when all accesses that it waits for are complete. */
    tick due() const { return owner_.clock().ceil(last_end_[turn_.generation ^ 1]); }

    block &owner_;
    asking_end &down_;
    ww_turn turn_{};
    tick arrives_ = never, next_ = never;
    tick last_end_[2] = {0, 0}; /* by generation */
};

} // namespace walkway

#endif
