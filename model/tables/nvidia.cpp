/* SPDX-License-Identifier: MIT */
/* model/tables/nvidia.cpp - NVIDIA's page tables, version 2 and 3 (kernels/table/nv_table.h,
 * kernels/table/table_nv.h), laid out and in images: docs/model/nvidia-tables.md. */
#include "image/hex.hpp"
#include "kernels/table/nv_table.h"
#include "kernels/table/table_nv.h"
#include "model/table_builder.hpp"

namespace walkway
{

namespace
{

class nvidia_table final : public table_builder
{
public:
    nvidia_table(const ww_nv_cfg &cfg, uint64_t *words) : table_builder(cfg.arena_pa, words)
    {
        require_table(ww_nv_init(&nv_, &cfg, words, size_t{cfg.max_nodes} * WW_NODE_ENTRIES));
    }
    ww_table table() const override { return ww_nv_table_of(version(), first_pa(), first_pa()); }
    int map(uint64_t va, uint64_t pa, uint8_t shift) override
    {
        return ww_nv_map(&nv_, words_to_write(), va, pa, shift, WW_PERM_ALL);
    }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const override
    {
        return ww_nv_lookup(&nv_, words, va, out);
    }
    uint64_t nodes() const override { return nv_.nodes; }

private:
    ww_nv_version version() const { return static_cast<ww_nv_version>(nv_.cfg.version); }
    uint64_t right_to_write() const override { return ww_nv_read_only(version()); }
    bool forbids() const override { return true; }
    uint64_t address_field(uint64_t pa) const override { return ww_nv_page_field(version(), pa); }

    ww_nv nv_{};
};

class nvidia_format final : public image_format
{
public:
    explicit nvidia_format(ww_nv_version v) : v_(v) {}
    ww_table table(uint64_t root_pa) const override { return ww_nv_table_of(v_, root_pa, 0); }
    std::string meaning(uint32_t step, const uint64_t *words) const override
    {
        const ww_nv_entry e = ww_nv_read_entry(v_, step, words);
        switch (e.says) {
        case WW_NV_TABLE:
            return step != WW_NV_PDE0 ? "table " + hex(e.small_pa)
                   : e.big && e.small
                       ? "tables " + hex(e.big_pa) + " of 64K and " + hex(e.small_pa) + " of 4K" + beyond(e)
                   : e.big ? "table " + hex(e.big_pa) + " of 64K"
                           : "table " + hex(e.small_pa) + " of 4K";
        case WW_NV_PAGE:
            return std::string("page of ") + (step == WW_NV_PDE1 ? "512M" : ww_page_name(e.page.page_shift));
        case WW_NV_SPARSE:
            return "sparse";
        case WW_NV_HIDES:
            return step == WW_NV_BIG ? "not present, nor is any 4K page behind it" : "not present";
        case WW_NV_NOTHING:
            return "not present";
        default:
            return wrong(step, words);
        }
    }
    std::vector<std::string> flags(uint32_t step, const uint64_t *words) const override
    {
        std::vector<std::string> all;
        const auto flag = [&](bool set, const std::string &name) {
            if (set)
                all.push_back(name);
        };
        const uint64_t word = words[0];
        const bool v2 = v_ == WW_NV_V2;
        if (!is_page(step, word)) {
            if (!v2)
                flag((word & WW_NV3_PDE_NO_ATS) != 0, "no-ATS");
            return all;
        }
        if ((word & WW_NV_VALID) == 0)
            return all;
        flag((word & WW_NV2_VOL) != 0, v2 ? "volatile" : "uncached");
        flag(v2 && (word & WW_NV2_ENCRYPTED) != 0, "encrypted");
        flag((word & (v2 ? WW_NV2_PRIVILEGE : WW_NV3_PRIVILEGE)) != 0, "privileged");
        flag((word & ww_nv_read_only(v_)) != 0, "read-only");
        flag((word & (v2 ? WW_NV2_NO_ATOMIC : WW_NV3_NO_ATOMIC)) != 0, "no-atomics");
        flag(!v2 && (word & WW_NV3_NO_COUNT) != 0, "not-counted");
        const uint64_t kind = ww_bits_get(v2 ? WW_NV2_KIND : WW_NV3_KIND, word);
        flag(kind != 0, "kind=" + std::to_string(kind));
        const uint64_t line = v2 ? ww_bits_get(WW_NV2_COMPTAG, word) : 0;
        flag(line != 0, "comptag=" + std::to_string(line));
        return all;
    }

private:
    static bool is_page(uint32_t step, uint64_t word)
    {
        return step <= WW_NV_BIG || (word & WW_NV_IS_PAGE) != 0;
    }
    /* A walk holds both tables only up to this distance from the base, which is 0 here. */
    static const char *beyond(const ww_nv_entry &e)
    {
        return (e.big_pa | e.small_pa) >> WW_NV_DUAL_BITS != 0 ? ", beyond 128 GiB, where no walk takes both"
                                                               : "";
    }
    std::string wrong(uint32_t step, const uint64_t *words) const
    {
        static const char *const of_page[] = {"video", "another device's", "system", "system"};
        const uint64_t aperture = ww_bits_get(WW_NV_APERTURE, words[0]);
        const uint64_t high = step == WW_NV_PDE0 ? ww_bits_get(WW_NV_APERTURE, words[1]) : 0;
        if (is_page(step, words[0])) {
            if (step > WW_NV_PDE1)
                return "a page, where only tables can be";
            if ((words[0] & WW_NV_VALID) != 0 && aperture != WW_NV_PTE_VIDEO)
                return std::string("page in ") + of_page[aperture] + " memory, which the image is not of";
            return "malformed: bits that have no name, or a misaligned page";
        }
        if (aperture > WW_NV_PDE_VIDEO || high > WW_NV_PDE_VIDEO)
            return "table in system memory, which the image is not of";
        return "malformed: bits that have no name";
    }

    ww_nv_version v_;
};

class nvidia_maker final : public table_maker
{
public:
    explicit nvidia_maker(ww_nv_version v) : v_(v), format_(v) {}

private:
    const char *text() const override
    {
        return v_ == WW_NV_V2 ? "NVIDIA's from Pascal to Ada" : "NVIDIA's of Hopper and Blackwell";
    }
    std::vector<table_key> keys() const override
    {
        return {{"page_tables",
                 "nvidia: a directory entry of 2 MiB leads to the table of 4 KiB pages or that of 64 KiB "
                 "pages that "
                 "is needed, or always to both",
                 {"needed", "both"}}};
    }
    const image_format *in_image() const override { return &format_; }
    uint32_t va_bits(const address_space_params & /* p */) const override { return ww_nv_va_bits(v_); }
    std::string width(const address_space_params & /* p */) const override
    {
        return std::string("a table of kind ") + ww_nv_kind_of(v_)->name;
    }
    const ww_table_kind *kind(const address_space_params & /* p */) const override
    {
        return ww_nv_kind_of(v_);
    }
    table_room room(const address_space_params &p, const std::vector<space_ranges> &of_space) const override
    {
        const auto version = static_cast<uint8_t>(v_);
        const uint32_t sizes = p.page_sizes();
        const bool both = p.table.key("page_tables") != 0;
        const bool pages = (sizes & (1u << WW_PAGE_4K | 1u << WW_PAGE_64K)) != 0; /* in tables of their own */
        const bool big = (sizes & 1u << WW_PAGE_64K) != 0 || (both && pages);
        const bool small = (sizes & 1u << WW_PAGE_4K) != 0 || (both && pages);
        const uint64_t frames = most_nodes(of_space, [=, shift = p.page_shift()](const space_ranges &ranges) {
            return nodes_for(ranges, shift, [=](uint64_t va, uint64_t bytes) {
                return ww_nv_nodes_needed(version, va, bytes, big, small);
            });
        });
        return {frames, [=](uint64_t first_pa, uint64_t *words) {
                    const ww_nv_cfg cfg = {version, both, first_pa, static_cast<uint32_t>(frames)};
                    return std::make_unique<nvidia_table>(cfg, words);
                }};
    }

    ww_nv_version v_;
    nvidia_format format_;
};

} // namespace

const table_maker &nvidia_v2_tables()
{
    static const nvidia_maker maker(WW_NV_V2);
    return maker;
}

const table_maker &nvidia_v3_tables()
{
    static const nvidia_maker maker(WW_NV_V3);
    return maker;
}

} // namespace walkway
