/* SPDX-License-Identifier: MIT */
/* device/access_attributes.hpp - attributes of an access beyond address and data: requester, address space,
 * rights. One ignorable extension of fixed layout; a payload without it, or with its initial values, is an
 * untranslated, non-secure, unprivileged data access without PASID by its port's requester.
 * docs/use/co-simulation.md; converters from other libraries' extensions: convert_attributes.hpp. */
#ifndef WALKWAY_DEVICE_ACCESS_ATTRIBUTES_HPP
#define WALKWAY_DEVICE_ACCESS_ATTRIBUTES_HPP

#include <tlm>

#include <cstdint>
#include <type_traits>

namespace walkway
{

/* Values of the AT field of PCI Express. */
enum class address_type : uint8_t { untranslated = 0, translation_request = 1, translated = 2 };

struct access_attributes {
    static constexpr uint32_t nobody = UINT32_MAX;

    uint32_t stream_id = nobody; /* requester; `nobody`: the port's */
    uint32_t pasid = 0;          /* 20 bits; valid if has_pasid */
    uint32_t cu = nobody;        /* compute unit and wave: carried, not used */
    uint32_t wave = nobody;
    uint16_t vmid = 0; /* valid if has_vmid; for stage_adapter */
    bool has_pasid = false;
    bool has_vmid = false;
    bool secure = false; /* carried, not used */
    bool privileged = false;
    bool execute = false;
    address_type type = address_type::untranslated;
};

static_assert(std::is_trivially_copyable_v<access_attributes> &&
                  std::is_standard_layout_v<access_attributes> && sizeof(access_attributes) == 24,
              "the layout is fixed");

class attributes_extension final : public tlm::tlm_extension<attributes_extension>
{
public:
    access_attributes of;

    attributes_extension() = default;
    explicit attributes_extension(const access_attributes &a) : of(a) {}
    tlm::tlm_extension_base *clone() const override { return new attributes_extension(of); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        of = static_cast<const attributes_extension &>(from).of;
    }
};

} // namespace walkway

#endif
