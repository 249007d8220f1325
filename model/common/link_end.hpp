/* SPDX-License-Identifier: MIT */
/* model/common/link_end.hpp - the two ends of a link, for lists of a machine: owner, peer, requests passed.
 * Each end registers with its block. */
#ifndef WALKWAY_MODEL_COMMON_LINK_END_HPP
#define WALKWAY_MODEL_COMMON_LINK_END_HPP

#include "model/common/clock.hpp"

#include <cstdint>
#include <string>

namespace walkway
{

class block;
class serving_end;
class post_lane;
class translator;
class notice_taker;

/* The initiator's end: requests leave a block here. */
class asking_end
{
public:
    explicit asking_end(block &owner);
    asking_end(const asking_end &) = delete;
    asking_end &operator=(const asking_end &) = delete;
    const block &owner() const { return owner_; }
    virtual std::string port() const = 0;          /* "down" */
    virtual const char *protocol() const = 0;      /* "translation" */
    virtual const serving_end *target() const = 0; /* null: a foreign target */
    /* Requests that its block's pipeline and the wire after it hold at full pace. */
    uint32_t holds() const { return holds_; }
    void holds(uint64_t requests) { holds_ = static_cast<uint32_t>(requests); }
    uint64_t calls() const { return calls_; }
    uint64_t answered() const { return answered_; }
    /* The receiver of invalidates that come up this link (lanes.hpp); null: none. */
    notice_taker *noticed() const { return noticed_; }
    void notices(notice_taker &taker) { noticed_ = &taker; }

protected:
    ~asking_end() = default;
    block &owner_;
    uint64_t calls_ = 0, answered_ = 0;
    uint32_t holds_ = 0;
    notice_taker *noticed_ = nullptr;
};

/* The target's end: requests enter a block here. */
class serving_end
{
public:
    explicit serving_end(block &owner);
    serving_end(const serving_end &) = delete;
    serving_end &operator=(const serving_end &) = delete;
    block &owner() const { return owner_; }
    virtual std::string port() const = 0;
    virtual const asking_end *source() const = 0; /* null: a foreign initiator */
    virtual uint32_t slots() const = 0;           /* of queue and wire */
    virtual void add_wire(uint32_t slots) = 0;    /* required: before anything is sent */
    uint32_t wire() const { return wire_; }       /* those of the slots that stand for the wire */
    uint64_t taken() const { return taken_; }
    /* The link's lane of posts (lanes.hpp); null: none. */
    post_lane *posts() const { return posts_; }
    void sinks(post_lane &lane) { posts_ = &lane; }
    /* The translator of this port's requests within a call (translate/translator.hpp); null: none. */
    translator *translates() const { return translator_; }
    void translates(translator &t) { translator_ = &t; }
    /* Returns the arrival of the latest answer sent. Only for links with lanes. */
    tick last_answer() const { return last_answer_; }

protected:
    ~serving_end() = default;
    block &owner_;
    uint64_t taken_ = 0;
    uint32_t wire_ = 0;
    tick last_answer_ = 0;
    post_lane *posts_ = nullptr;
    translator *translator_ = nullptr;
};

} // namespace walkway

#endif
