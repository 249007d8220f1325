/* SPDX-License-Identifier: MIT */
/* device/iommu_core.hpp - the IOMMU behind the sockets of iommu_device.hpp, of any width: accesses that are
 * translated and forwarded, registers, commands, logs, interrupts, direct memory pointers.
 * docs/use/co-simulation.md, docs/model/iommu-registers.md. An error of the platform around it is a response
 * status and an event, never an exception. It makes only two SystemC reports: if memory refuses its tables,
 * and if it is called in the other mode. */
#ifndef WALKWAY_DEVICE_IOMMU_CORE_HPP
#define WALKWAY_DEVICE_IOMMU_CORE_HPP

#include "device/burst.hpp"
#include "device/device_messages.hpp"
#include "device/dmi_ledger.hpp"
#include "device/held.hpp"
#include "device/iommu_translation.hpp"
#include "model/common/time_scale.hpp"

#include <systemc>
#include <tlm>

#include <deque>
#include <memory>
#include <set>

namespace walkway
{

/* The peers at the other end of the sockets, known from the end of elaboration. Each vector has an element
 * for each port. The peers must outlive the core. */
struct iommu_neighbours {
    std::string name; /* the device's own, for messages */
    std::vector<tlm::tlm_bw_transport_if<> *> up;
    std::vector<tlm::tlm_fw_transport_if<> *> down;
    tlm::tlm_fw_transport_if<> *walker = nullptr;
    std::vector<tlm::tlm_fw_transport_if<> *> ats_inv, pri_resp; /* null: not bound */
    std::function<void(bool)> interrupt; /* called with the new level of the wire; empty: not bound */
};

class iommu_at;

class iommu_core final : private device_memory
{
public:
    using payload = tlm::tlm_generic_payload;
    /* Sets the attributes of a payload without attributes_extension. Before the call, stream_id is the
     * port's, and the other members have their initial values (access_attributes.hpp). It may be called
     * several times for one access and must answer alike. */
    using identify_fn = std::function<void(unsigned port, const payload &, access_attributes &)>;

    /* Throws std::runtime_error if validate() reports an error. */
    iommu_core(unsigned ports, const iommu_device_params &p);
    ~iommu_core() override;

    /* Sets the requester of accesses that name none; initially the port's number. */
    void set_stream(unsigned port, uint32_t stream_id) { ports_.at(port).stream = stream_id; }
    void identify(identify_fn hook) { identify_ = std::move(hook); }
    /* on: a window, a trace or a measurement is active. With dmi = functional no pointers are granted then,
     * and granted ones are revoked. */
    void observe(bool on);
    /* Resets registers, drops all held translations and queued work, and revokes every pointer. Accesses that
     * wait for a walk, and in four phases accepted ones that are not yet forwarded, end with an error
     * response. Statistics and streams stay. Does not wait. */
    void reset();
    const iommu_device_stats &stats() const { return stats_; }
    const ww_iommu_regs &registers() const { return regs_; }
    size_t grants() const { return ledger_.size(); }
    const char *check() const { return xlat_.check(); }
    /* Returns NULL, or names what is still held although nothing is in flight. */
    const char *held() const;
    /* Shows all that an access could change, statistics included. */
    void states(const translator::state_fn &f) const;

    void start(iommu_neighbours neighbours); /* call at the end of elaboration */

    /* From above. b_transport() and request_translation() wait, in a thread process, for other walks and
     * commands and for memory; in any other process an access that would wait for those walks and commands
     * ends with an error response. The other functions do not wait. In mode `at` b_transport() is refused, in
     * mode `lt` nb_transport_fw(). */
    void b_transport(unsigned port, payload &p, sc_core::sc_time &delay);
    tlm::tlm_sync_enum nb_transport_fw(unsigned port, payload &p, const tlm::tlm_phase &phase,
                                       const sc_core::sc_time &delay);
    unsigned transport_dbg(unsigned port, payload &p);
    bool get_direct_mem_ptr(unsigned port, payload &p, tlm::tlm_dmi &dmi);
    /* From below. The port number after the last port's is the walker's. */
    tlm::tlm_sync_enum nb_transport_bw(unsigned port, payload &p, tlm::tlm_phase &phase,
                                       const sc_core::sc_time &delay);
    /* Revokes the pointers of a port to [first_pa, last_pa]; if memory calls it while it grants a pointer,
     * soon afterwards. */
    void memory_revokes(unsigned port, uint64_t first_pa, uint64_t last_pa);
    /* Translation services (translation_services.hpp): requests for translations, and for pages. The response
     * status says whether a page request is queued; the answer comes through neighbours.pri_resp. */
    void request_translation(unsigned port, payload &p, sc_core::sc_time &delay);
    void request_debug(unsigned port, payload &p); /* a translation without side effect */
    void request_page(unsigned port, payload &p, const sc_core::sc_time &delay);
    /* Sets an error in p; the first call is reported. */
    void wrong_call(payload &p, const std::string &socket, const char *why);
    /* The register side. Both act at once and do not wait. register_debug() returns the bytes transferred; a
     * debug write has the effects of a write by software. */
    void register_access(payload &p);
    unsigned register_debug(payload &p);

private:
    friend class iommu_at; /* for its accesses in four phases */
    struct port_state {
        uint32_t stream = 0;
        uint64_t context = 0; /* of the first access; 0: there was none */
        bool several = false;
        std::set<uint32_t> asked; /* devices that requested translations or pages here */
    };
    struct buffer {
        payload p;
        alignas(8) unsigned char data[64];

        void begin(tlm::tlm_command command, uint64_t pa, unsigned size);
    };

    static const iommu_device_params &checked(const iommu_device_params &p);
    bool line_now(uint64_t pa, uint64_t line[WW_LINE_PTES], tick *at) override;
    bool read_now(uint64_t pa, void *bytes, unsigned size, tick *at, now_how how) override;
    bool transfer(tlm::tlm_command command, uint64_t pa, void *bytes, unsigned size, tick *at);
    bool transfer_at_once(tlm::tlm_command command, uint64_t pa, void *bytes, unsigned size, tick *at,
                          tlm::tlm_response_status *status);
    void complain(tlm::tlm_command command, uint64_t pa, unsigned size, tlm::tlm_response_status status);
    bool peek(uint64_t pa, void *bytes, unsigned size);

    bool enabled() const { return ww_iommu_is(&regs_, WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_ENABLE); }
    device_access access_of(unsigned port, const payload &p);
    bool asks(unsigned port, const payload &p);
    bool begin_request(payload &p, device_access *a) const;
    void request_translation(unsigned port, payload &p, device_access a, sc_core::sc_time &delay);
    static void refuse_request(payload &p);
    static bool answer_request(payload &p, const device_answer &x);
    void note_request(unsigned port, const device_access &a);
    bool would_grant(unsigned port, const payload &p);
    void note_context(unsigned port, const device_access &a);
    /* The lock of walks and commands, released on every way out of the holder's scope. */
    class lock
    {
    public:
        explicit lock(iommu_core &core) : core_(core) {}
        ~lock() { give(); }
        lock(const lock &) = delete;
        lock &operator=(const lock &) = delete;
        bool take() { return held_ = core_.take_lock(); }
        void give()
        {
            if (held_)
                core_.give_lock();
            held_ = false;
        }

    private:
        iommu_core &core_;
        bool held_ = false;
    };
    bool take_lock();
    void give_lock();
    device_answer walk(const device_access &a, tick t);
    device_answer translate(const device_access &a, tick t);
    device_answer look(const device_access &a);
    void forward(unsigned port, payload &p, uint64_t pa, sc_core::sc_time &delay);
    void forward_message(unsigned port, payload &p, device_message m, sc_core::sc_time &delay);
    void forward_parts(unsigned port, payload &p, device_access a, const ww_xlat &first,
                       sc_core::sc_time &delay);
    static void refuse(payload &p, const device_answer &a);
    void log(const ww_iommu_event &e, tick at);
    void ask_service();
    void serve();
    bool serve_commands(tick *until);
    void carry_out(const ww_iommu_step &s, tick *at);
    sc_core::sc_time invalidate_time() const;
    bool reaches(unsigned port, uint32_t device) const;
    bool waits_for_devices(const ww_iommu_step &s) const;
    void send_invalidates(const ww_iommu_step &s, tick at);
    void invalidate_late(const device_messages::awaited &a);
    uint8_t refusal_of(const ww_iommu_ppr &ask, const ww_dte &d) const;
    void serve_page_requests();
    void send_response(uint32_t device, bool has_pasid, uint32_t pasid, uint16_t tag, uint8_t status,
                       tick at);
    void complete_page_request(const ww_iommu_step &s, tick *at);
    void serve_logs();
    void serve_interrupt();
    void revoke(const std::function<bool(const dmi_grant &)> &meant);
    void count_unknown();
    void written(uint32_t reg, uint64_t before);

    iommu_device_params params_;
    time_scale scale_;
    iommu_device_stats stats_;
    iommu_translation xlat_;
    std::vector<port_state> ports_;
    iommu_neighbours to_;
    identify_fn identify_;

    ww_iommu_regs regs_;
    ww_iommu_commands commands_;
    uint64_t interrupting_ = 0; /* bits of STATUS whose interrupt has been sent */
    bool level_ = false;
    std::deque<std::pair<ww_iommu_event, tick>> events_;
    std::deque<std::pair<ww_iommu_ppr, tick>> page_requests_;
    device_messages messages_;

    bool busy_ = false, forget_ = false; /* the lock of walks and commands; all was dropped meanwhile */
    uint64_t resets_ = 0;
    unsigned waiting_ = 0;
    sc_core::sc_process_handle owner_;
    sc_core::sc_event freed_, work_;
    bool asked_ = false; /* service is requested, and may be waiting for memory */
    pool<buffer> buffers_;
    bool looking_ = false;
    bool complained_ = false, called_wrong_ = false; /* reports made so far */

    dmi_ledger ledger_;
    tick pointers_since_ = 0; /* last change of dmi_out */
    bool observed_ = false;
    unsigned granting_ = 0;       /* number of requests to memory in progress */
    uint64_t revoked_inside_ = 0; /* revocations by memory during such requests */
    std::vector<std::pair<unsigned, std::pair<uint64_t, uint64_t>>> revoke_later_;

    std::unique_ptr<iommu_at> at_; /* null: loosely timed */
};

} // namespace walkway

#endif
