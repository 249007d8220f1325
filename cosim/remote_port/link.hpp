/* SPDX-License-Identifier: MIT */
/* remote_port/link.hpp - the bytes of a Remote-Port session: a socket and a thread of the host that reads it,
 * splits the stream into packets and hands them over. No SystemC. A malformed or ended stream ends the link
 * with a reason, never the process. */
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

/* The place of a peer: "unix:PATH" (connects to a listener, else listens), "tcp:HOST:PORT" (connects),
 * "tcpd:HOST:PORT" (listens). Without `anywhere` HOST must be this computer: localhost, 127.x.x.x. */
struct remote_port_place {
    std::string where;
    bool anywhere = false;
};

class remote_port_link
{
public:
    static constexpr size_t most_waiting = size_t{16} << 20; /* most bytes of packets read ahead */

    /* Waits up to `seconds` for the peer. Throws std::runtime_error with the reason. `arrived` is called on
     * the link's thread, at each arrival. */
    remote_port_link(const remote_port_place &place, double seconds, std::function<void()> arrived);
    ~remote_port_link();
    remote_port_link(const remote_port_link &) = delete;
    remote_port_link &operator=(const remote_port_link &) = delete;

    /* Sets `bytes` to the next whole packet. Returns false if there is none. */
    bool next(std::vector<uint8_t> &bytes);
    /* Sends a packet. A peer that takes no more ends the link, after the packets that came from it. */
    void send(const ww_rp_packet &p);
    /* Returns why the link ended; empty while it lasts. Packets that had arrived before are still handed
     * over. */
    std::string ended() const;
    void end(const std::string &why);

private:
    /* The path of a listener's socket, removed with the link, also if its constructor throws. */
    struct listening_path {
        std::string name; /* empty: none */
        ~listening_path();
    };

    void open(const remote_port_place &place, double seconds);
    void meet(const std::string &where, const std::string &path, double seconds);
    void read_stream();
    bool take_packets(std::vector<uint8_t> &bytes);

    int socket_ = -1;
    listening_path own_path_;
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
