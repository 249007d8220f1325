/* SPDX-License-Identifier: MIT */
/* The device in a dump by SystemC: every signal of waveforms/device.gtkw is in it, no other, and they change
 * when queues and grants do. */
#include "device/trace_device.hpp"
#include "tb/device/iommu_rig.hpp"

#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace walkway;
using namespace walkway::test;

namespace
{

std::string contents_of(const std::string &path)
{
    std::ifstream in(path);
    BOOST_REQUIRE_MESSAGE(in, path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/* A dump: names with their scopes and width, and the last value of each. */
struct dump {
    std::map<std::string, uint64_t> last;
    std::map<std::string, unsigned> changes;

    explicit dump(const std::string &text)
    {
        std::istringstream in(text);
        std::map<std::string, std::string> name_of;
        std::string scope, line;
        while (std::getline(in, line)) {
            std::istringstream words(line);
            std::string first, type, width, code, name, range;
            words >> first;
            if (first == "$scope" && words >> type >> name)
                scope += name + ".";
            else if (first == "$upscope")
                scope.erase(scope.rfind('.', scope.size() - 2) + 1);
            else if (first == "$var" && words >> type >> width >> code >> name >> range)
                name_of[code] = scope + name + (range == "$end" ? "" : range);
            else if (first.size() > 1 && first[0] == 'b' && words >> code)
                set(name_of.at(code), first.substr(1));
        }
    }

private:
    void set(const std::string &name, const std::string &bits)
    {
        last[name] = std::stoull(bits, nullptr, 2);
        ++changes[name];
    }
};

std::set<std::string> signals_of_view(const std::string &path)
{
    std::set<std::string> all;
    std::istringstream in(contents_of(path));
    std::string line;
    while (std::getline(in, line)) {
        const size_t at = line.find("} ");
        if (line.rfind("+{", 0) == 0 && at != std::string::npos)
            all.insert(line.substr(at + 2));
    }
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(the_device_traced)

BOOST_AUTO_TEST_CASE(the_view_shows_what_the_dump_has_and_it_moves)
{
    const std::string base = "device";
    iommu_device_params p;
    p.dmi = static_cast<uint8_t>(dmi_policy::always);
    {
        iommu_rig r(p);
        sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DISPLAY);
        sc_core::sc_trace_file *file = sc_core::sc_create_vcd_trace_file(base.c_str());
        sc_core::sc_trace(file, r.iommu, "iommu");
        const uint64_t root = r.own_table(0, 7);
        r.map(root, 0x5000, iommu_rig::data_pa);
        r.enable();
        transaction good(tlm::TLM_READ_COMMAND, 0x5000, 4), bad(tlm::TLM_READ_COMMAND, 0x9000, 4);
        tlm::tlm_dmi dmi;
        r.masters[0].out->b_transport(good.p, good.delay);
        r.masters[0].out->b_transport(bad.p, bad.delay);
        BOOST_TEST(r.masters[0].out->get_direct_mem_ptr(good.p, dmi));
        sc_core::sc_start(ns(100));
        r.inval_pages(7, 0x5000);
        sc_core::sc_start(ns(100));
        sc_core::sc_close_vcd_trace_file(file);
    }
    const dump d(contents_of(base + ".vcd"));
    std::set<std::string> dumped;
    for (const auto &[name, value] : d.last)
        dumped.insert(name);
    const std::set<std::string> shown = signals_of_view(WALKWAY_SOURCE "/waveforms/device.gtkw");
    BOOST_TEST(shown == dumped, boost::test_tools::per_element());
    const auto last = [&d](const char *name) {
        return d.last.at(std::string("SystemC.iommu.") + name + "[31:0]");
    };
    BOOST_TEST(last("command_tail") == 16u);
    BOOST_TEST(last("command_head") == 16u);
    BOOST_TEST(last("event_tail") == 16u);
    BOOST_TEST(last("events_logged") == 1u);
    BOOST_TEST(last("translations") == 2u);
    BOOST_TEST(last("faults") == 1u);
    BOOST_TEST(last("dmi_granted") == 1u);
    BOOST_TEST(last("dmi_revoked") == 1u);
    BOOST_TEST(last("dmi_out") == 0u);
    BOOST_TEST(d.changes.at("SystemC.iommu.dmi_out[31:0]") == 3u); /* none, one, none */
    unlink((base + ".vcd").c_str());
}

BOOST_AUTO_TEST_SUITE_END()
