/* SPDX-License-Identifier: MIT */
/* device/translation_services.hpp - the messages between an IOMMU and devices with a TLB of their own, each
 * an extension of a payload whose address is the I/O virtual one; requester, PASID and privilege are those of
 * attributes_extension on the same payload. No data moves: command, data and lengths of these payloads are
 * ignored (TLM_IGNORE_COMMAND is right). As ATS and PRI of PCI Express. docs/use/co-simulation.md. */
#ifndef WALKWAY_DEVICE_TRANSLATION_SERVICES_HPP
#define WALKWAY_DEVICE_TRANSLATION_SERVICES_HPP

#include "kernels/xlat.h"

#include <tlm>

#include <cstdint>
#include <type_traits>

namespace walkway
{

/* Device to IOMMU: requests the translation of the address. Answered in place: with an OK response, and no
 * rights if nothing is mapped with them; with an error if the device may not ask, or tables are broken. */
struct translation_request {
    uint64_t pa = 0;           /* of that address; valid if rights are not 0 */
    uint64_t length = 0;       /* bytes from there for which it is valid */
    uint8_t wants = WW_PERM_R; /* enum ww_perm bits, not 0 */
    uint8_t rights = 0;        /* the granted ones of `wants`; 0: no translation */
};

/* Returns an answer in the format of PCI Express, 8 bytes: R [0], W [1], X [3], the address of the page
 * [63:12]. For a page above 4 KiB S [11] is set, and the first 0 of the address from bit 12 up, after ones,
 * gives its size. */
inline uint64_t ats_entry(uint64_t pa, uint8_t page_shift, uint8_t rights)
{
    uint64_t word = ww_page_base(pa, page_shift);
    if (page_shift > WW_PAGE_4K)
        word |= (UINT64_C(1) << (page_shift - 1)) - (UINT64_C(1) << 12) + (UINT64_C(1) << 11);
    return word | ((rights & WW_PERM_R) != 0 ? 1u : 0u) | ((rights & WW_PERM_W) != 0 ? 2u : 0u) |
           ((rights & WW_PERM_X) != 0 ? 8u : 0u);
}

/* IOMMU to device: drop [first_va, last_va], and requests in flight for it. An OK response says that this is
 * done at its annotated time. */
struct device_invalidation {
    uint64_t first_va = 0, last_va = UINT64_MAX;
};

/* Device to IOMMU: requests that a page be mapped. An OK response says that the request is queued, not that
 * the page is mapped; the page_response to its group comes later. An error says that the IOMMU or its page
 * requests are off, or that a value is out of range. */
struct page_request {
    uint16_t group = 0;        /* 9 bits; its requests are answered as one */
    bool last = true;          /* of its group */
    uint8_t wants = WW_PERM_R; /* enum ww_perm bits, not 0 */
};

/* IOMMU to device: the result of a group of page requests. */
enum class page_outcome : uint8_t { success = 0, invalid = 1, failure = 15 };
struct page_response {
    uint16_t group = 0; /* 9 bits */
    /* 4 bits, which software chooses, normally a page_outcome; or the IOMMU answers `failure`, because it
     * cannot log the request, or because the device may not make one. */
    uint8_t status = 0;
};

template <class T> class service_extension final : public tlm::tlm_extension<service_extension<T>>
{
public:
    static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>, "the layout is fixed");
    T of;

    service_extension() = default;
    explicit service_extension(const T &t) : of(t) {}
    tlm::tlm_extension_base *clone() const override { return new service_extension(of); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        of = static_cast<const service_extension &>(from).of;
    }
};

using translation_extension = service_extension<translation_request>;
using invalidation_extension = service_extension<device_invalidation>;
using page_request_extension = service_extension<page_request>;
using page_response_extension = service_extension<page_response>;

} // namespace walkway

#endif
