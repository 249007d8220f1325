/* SPDX-License-Identifier: MIT */
/* guest/emulator.hpp - the emulator as a process: QEMU with the guest's memory in a shared file and the
 * plugin, and the reason of its end. */
#ifndef WALKWAY_GUEST_EMULATOR_HPP
#define WALKWAY_GUEST_EMULATOR_HPP

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace walkway
{

struct guest_machine {
    std::string emulator, plugin; /* emulator: a path, or a name in $PATH */
    std::string kernel, initrd, append, cpu;
    uint64_t ram_bytes;
    std::string ram_path, share_path;
    std::string console;           /* file for the guest's output on its serial line */
    std::vector<std::string> more; /* further arguments, passed unchanged */
};

std::vector<std::string> emulator_command(const guest_machine &m);

class emulator_process
{
public:
    /* Starts the process. Throws failure(exit_input) if it cannot be started. It ends with this object, and
     * with this process. */
    explicit emulator_process(const std::vector<std::string> &command);
    ~emulator_process();
    emulator_process(const emulator_process &) = delete;
    emulator_process &operator=(const emulator_process &) = delete;

    bool running();
    /* Requests its end, once; kills it if it has not ended after some seconds. */
    void end();
    bool succeeded() const { return how_ == 0; }
    /* Returns "exit code 1: Could not load plugin ..."; includes its last output. */
    std::string story() const;
    /* Returns the action of the guest that it reports: "guest-shutdown", "guest-reset", "host-signal"; empty:
     * none. */
    std::string shutdown_reason() const;

private:
    std::string text_of(int file) const;

    pid_t child_ = -1;
    int out_, err_, how_ = -1;
    bool ended_ = false;
};

} // namespace walkway

#endif
