/* SPDX-License-Identifier: MIT */
/* remote_port/link.cpp - see link.hpp. */
#include "remote_port/link.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace walkway
{

constexpr int poll_ms = 20;
constexpr double left_behind_after = 0.5; /* seconds without a listener; then an existing path is stale */

static std::runtime_error refusal(const std::string &where, const std::string &why)
{
    return std::runtime_error("remote port " + where + ": " + why);
}

static sockaddr_un unix_address(const std::string &where, const std::string &path)
{
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof a.sun_path)
        throw refusal(where, "a path of 1 to " + std::to_string(sizeof a.sun_path - 1) + " bytes is wanted");
    std::memcpy(a.sun_path, path.c_str(), path.size());
    return a;
}

/* Parses HOST:PORT; HOST is four numbers or localhost. */
static sockaddr_in tcp_address(const remote_port_place &place, const std::string &text)
{
    const size_t colon = text.rfind(':');
    const std::string host = text.substr(0, colon),
                      port = colon == std::string::npos ? "" : text.substr(colon + 1);
    sockaddr_in a{};
    a.sin_family = AF_INET;
    if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos ||
        std::stoul(port) > UINT16_MAX)
        throw refusal(place.where, "wants HOST:PORT, PORT up to 65535");
    a.sin_port = htons(static_cast<uint16_t>(std::stoul(port)));
    if (inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &a.sin_addr) != 1)
        throw refusal(place.where, "HOST is localhost, or four numbers");
    if (!place.anywhere && ntohl(a.sin_addr.s_addr) >> 24 != 127)
        throw refusal(place.where, "not this computer; say that anywhere is meant");
    return a;
}

/* Returns a connected socket; -1: no peer listens in time. */
static int connect_to(const sockaddr *a, socklen_t size, double seconds)
{
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    do {
        const int s = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (s >= 0 && connect(s, a, size) == 0)
            return s;
        if (s >= 0)
            close(s);
        if (seconds > 0.0)
            usleep(10000);
    } while (std::chrono::steady_clock::now() < until);
    return -1;
}

/* Returns a listening socket; -1: errno says why. */
static int listen_at(const sockaddr *a, socklen_t size)
{
    const int s = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    if (s < 0)
        return -1;
    if (a->sa_family == AF_INET)
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(s, a, size) == 0 && listen(s, 1) == 0)
        return s;
    const int why = errno;
    close(s);
    errno = why;
    return -1;
}

static int accept_one(const std::string &where, int listening, double seconds)
{
    if (listening < 0)
        throw refusal(where, std::strerror(errno));
    pollfd ready{listening, POLLIN, 0};
    int peer = -1;
    if (poll(&ready, 1, static_cast<int>(seconds * 1000)) == 1)
        peer = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    close(listening);
    if (peer < 0)
        throw refusal(where, "no peer came");
    return peer;
}

/* Also connects two peers that start at the same time: the other one may have bound the path before this one,
 * and not listen yet. */
void remote_port_link::meet(const std::string &where, const std::string &path, double seconds)
{
    const sockaddr_un a = unix_address(where, path);
    const auto *general = reinterpret_cast<const sockaddr *>(&a);
    struct stat found;
    const bool there = stat(path.c_str(), &found) == 0;
    if (there && !S_ISSOCK(found.st_mode))
        throw refusal(where, "the path exists and is no socket");
    socket_ = connect_to(general, sizeof a, there ? std::min(seconds, left_behind_after) : 0.0);
    if (socket_ >= 0)
        return;
    if (there)
        unlink(path.c_str());
    const int listening = listen_at(general, sizeof a);
    if (listening < 0 && errno == EADDRINUSE) {
        socket_ = connect_to(general, sizeof a, seconds);
        if (socket_ < 0)
            throw refusal(where, "no peer listens");
        return;
    }
    if (listening >= 0)
        own_path_.name = path;
    socket_ = accept_one(where, listening, seconds);
}

void remote_port_link::open(const remote_port_place &place, double seconds)
{
    const std::string &where = place.where;
    const std::string rest = where.substr(where.find(':') + 1);
    if (where.compare(0, 5, "unix:") == 0) {
        meet(where, rest, seconds);
    } else if (where.compare(0, 4, "tcp:") == 0 || where.compare(0, 5, "tcpd:") == 0) {
        const sockaddr_in a = tcp_address(place, rest);
        const auto *general = reinterpret_cast<const sockaddr *>(&a);
        socket_ = where[3] == 'd' ? accept_one(where, listen_at(general, sizeof a), seconds)
                                  : connect_to(general, sizeof a, seconds);
        if (socket_ < 0)
            throw refusal(where, "no peer listens");
        const int yes = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    } else {
        throw refusal(where, "wants unix:PATH, tcp:HOST:PORT or tcpd:HOST:PORT");
    }
}

remote_port_link::remote_port_link(const remote_port_place &place, double seconds,
                                   std::function<void()> arrived)
    : arrived_(std::move(arrived))
{
    open(place, seconds);
    reader_ = std::thread([this] { read_stream(); });
}

remote_port_link::~remote_port_link()
{
    stop_ = true;
    shutdown(socket_, SHUT_RDWR);
    reader_.join();
    close(socket_);
}

remote_port_link::listening_path::~listening_path()
{
    if (!name.empty())
        unlink(name.c_str());
}

/* Moves whole packets to the queue of next(); the rest stays. Returns false at a packet of illegal length. */
bool remote_port_link::take_packets(std::vector<uint8_t> &bytes)
{
    size_t at = 0;
    bool good = true;
    while (good && bytes.size() - at >= WW_RP_HEAD_BYTES) {
        const size_t count = ww_rp_packet_bytes(bytes.data() + at);
        good = count != 0;
        if (!good || count > bytes.size() - at)
            break;
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        const std::lock_guard<std::mutex> lock(mutex_);
        packets_.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
        waiting_ += count;
        at += count;
    }
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return good;
}

void remote_port_link::read_stream()
{
    std::vector<uint8_t> bytes, buffer(1u << 16);
    while (!stop_ && ended().empty()) {
        {
            std::unique_lock<std::mutex> lock(mutex_);
            if (waiting_ >= most_waiting) { /* stops reading: the peer must wait */
                lock.unlock();
                usleep(1000);
                continue;
            }
        }
        pollfd ready{socket_, POLLIN, 0};
        if (poll(&ready, 1, poll_ms) <= 0)
            continue;
        const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        const bool left =
            got == 0 || (got < 0 && errno == ECONNRESET); /* reset: the peer did not read all its data */
        if (got <= 0)                                     /* earlier packets are queued already */
            end(!bytes.empty() ? "the peer left within a packet"
                : left         ? "the peer left"
                               : std::strerror(errno));
        else
            bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + got);
        if (!take_packets(bytes))
            end("a packet is longer than any");
        arrived_();
    }
}

bool remote_port_link::next(std::vector<uint8_t> &bytes)
{
    const std::lock_guard<std::mutex> lock(mutex_);
    if (packets_.empty())
        return false;
    bytes = std::move(packets_.front());
    packets_.pop_front();
    waiting_ -= bytes.size();
    return true;
}

void remote_port_link::send(const ww_rp_packet &p)
{
    std::vector<uint8_t> wire(256 + p.length * (p.data != nullptr ? 1 : 0) + p.enables);
    wire.resize(ww_rp_encode(&p, wire.data(), wire.size()));
    const std::lock_guard<std::mutex> lock(sending_);
    if (wire.empty())
        end("a packet of ours is none");
    for (size_t at = 0; at < wire.size() && ended().empty();) {
        const ssize_t sent = ::send(socket_, wire.data() + at, wire.size() - at, MSG_NOSIGNAL);
        if (sent > 0)
            at += static_cast<size_t>(sent);
        else if (errno != EINTR) { /* the peer has left: the reader reports it after earlier packets */
            shutdown(socket_, SHUT_RDWR);
            return;
        }
    }
}

std::string remote_port_link::ended() const
{
    const std::lock_guard<std::mutex> lock(mutex_);
    return ended_;
}

void remote_port_link::end(const std::string &why)
{
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!ended_.empty())
            return;
        ended_ = why;
    }
    arrived_();
}

} // namespace walkway
