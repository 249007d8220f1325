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

/* ram_path and share_path are the paths of two shared_files of a session. ram_bytes is a multiple of 1 MiB.
 * Only initrd, append and more may be empty. */
struct guest_machine {
    std::string emulator, plugin; /* emulator: a path, or a name in $PATH */
    std::string kernel, initrd, append, cpu;
    uint64_t ram_bytes;
    std::string ram_path, share_path;
    std::string console;           /* file for the guest's output on its serial line */
    std::vector<std::string> more; /* further arguments, passed unchanged */
};

/* Returns the command line, with the program first. */
std::vector<std::string> emulator_command(const guest_machine &m);

class emulator_process
{
public:
    /* Starts the process, which ends with this object and with this process. Throws failure(exit_input) if no
     * process can be made. If the program cannot be run, the process ends at once, and story() says so. */
    explicit emulator_process(const std::vector<std::string> &command);
    ~emulator_process();
    emulator_process(const emulator_process &) = delete;
    emulator_process &operator=(const emulator_process &) = delete;

    /* Does not wait. Returns false once the process has ended. */
    bool running();
    /* Requests the end of the process and waits for it; kills the process after 5 seconds. Does nothing if
     * the process has ended. */
    void end();
    /* Both require that running() has returned false, or that end() has returned. story() returns the exit
     * code or signal and the last line of standard error: "exit code 1: Could not load plugin ...". */
    bool succeeded() const { return how_ == 0; }
    std::string story() const;
    /* Returns the reason of the last shutdown that the emulator has reported: "guest-shutdown",
     * "guest-reset", "host-signal"; empty: it has reported none. */
    std::string shutdown_reason() const;

private:
    std::string text_of(int file) const;

    pid_t child_ = -1;
    int out_, err_, how_ = -1;
    bool ended_ = false;
};

} // namespace walkway

#endif
