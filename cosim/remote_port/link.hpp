/* SPDX-License-Identifier: MIT */
/* remote_port/link.hpp - the bytes of a Remote-Port session: a socket with a thread of the host that reads
 * it, takes the stream apart into packets and hands them over. No SystemC. A stream that is no packet, or
 * ends, ends the link with a reason, never the process. */
#ifndef WALKWAY_REMOTE_PORT_LINK_HPP
#define WALKWAY_REMOTE_PORT_LINK_HPP

#include "remote_port/packet.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace walkway
{

/* Where a peer is: "unix:PATH" (a listener that is there, else we listen), "tcp:HOST:PORT" (connect),
 * "tcpd:HOST:PORT" (listen). Without `anywhere` HOST is this computer: localhost, 127.x.x.x. */
struct remote_port_place {
    std::string where;
    bool anywhere = false;
};

class remote_port_link
{
public:
    static constexpr size_t most_waiting = size_t{16} << 20; /* bytes of packets that are read ahead */

    /* Waits up to `seconds` for the peer. Throws std::runtime_error with the reason. `arrived` is called on
     * the link's thread, whenever there is something new. */
    remote_port_link(const remote_port_place &place, double seconds, std::function<void()> arrived);
    ~remote_port_link();
    remote_port_link(const remote_port_link &) = delete;
    remote_port_link &operator=(const remote_port_link &) = delete;

    /* The next whole packet's bytes. */
    bool next(std::vector<uint8_t> &bytes);
    /* A peer that takes no more ends the link, behind what came from it. */
    void send(const ww_rp_packet &p);
    /* Empty while it lasts; else why it ended. What had come before is still handed over. */
    std::string ended() const;
    void end(const std::string &why);

private:
    void open(const remote_port_place &place, double seconds);
    void meet(const std::string &where, const std::string &path, double seconds);
    void read_stream();
    bool take_packets(std::vector<uint8_t> &bytes);

    int socket_ = -1;
    std::string own_path_; /* a listener's, to be removed */
    std::function<void()> arrived_;
    mutable std::mutex mutex_;
    std::mutex sending_;
    std::deque<std::vector<uint8_t>> packets_;
    size_t waiting_ = 0; /* their bytes */
    std::string ended_;
    std::atomic<bool> stop_{false};
    std::thread reader_;
};

} // namespace walkway

#endif
