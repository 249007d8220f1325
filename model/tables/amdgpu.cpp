/* SPDX-License-Identifier: MIT */
/* model/tables/amdgpu.cpp - the page tables that AMD's GPUs walk themselves, as the amdgpu driver writes them
 * (kernels/table/gpuvm_table.h, kernels/table/table_gpuvm.h); docs/model/amdgpu-tables.md. AMD's IOMMU has
 * the format of amd_v1.cpp. */
#include "image/hex.hpp"
#include "kernels/table/gpuvm_table.h"
#include "kernels/table/table_gpuvm.h"
#include "model/table_builder.hpp"

namespace walkway
{

namespace
{

/* A format: the layout of entries, and how directories mark an entry as a page. */
struct gpuvm_format {
    const char *text;
    ww_gpuvm_generation generation;
    bool further;
};

class gpuvm_table final : public table_builder
{
public:
    gpuvm_table(const ww_gpuvm_cfg &cfg, uint64_t *words) : table_builder(cfg.arena_pa, words)
    {
        require_table(ww_gpuvm_init(&table_, &cfg, words, size_t{cfg.max_nodes} * WW_NODE_ENTRIES));
    }
    ww_table table() const override { return ww_gpuvm_table(&table_); }
    int map(uint64_t va, uint64_t pa, uint8_t shift) override
    {
        return ww_gpuvm_map(&table_, words_to_write(), va, pa, shift, WW_PERM_ALL);
    }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t *words) const override
    {
        return ww_gpuvm_lookup(&table_, words, va, out);
    }
    uint64_t nodes() const override { return table_.nodes; }

private:
    uint64_t right_to_write() const override { return WW_GPUVM_W; }

    ww_gpuvm table_{};
};

class gpuvm_image final : public image_format
{
public:
    explicit gpuvm_image(ww_gpuvm_generation generation) : generation_(generation) {}
    uint64_t root_bits() const override { return WW_GPUVM_PA; }
    ww_table table(uint64_t root_pa) const override
    {
        return ww_gpuvm_space(generation_, WW_GPUVM_LEVELS_MAX, root_pa);
    }
    std::string meaning(uint32_t step, const uint64_t *words) const override
    {
        const uint64_t entry = words[0];
        switch (ww_gpuvm_kind(generation_, entry, step, pages(step, entry))) {
        case WW_GPUVM_ABSENT:
            return "not present";
        case WW_GPUVM_SPARSE:
            return "sparse";
        case WW_GPUVM_NEXT:
            return "table " + hex(entry & WW_GPUVM_TABLE) +
                   (ww_gpuvm_leads_to_pages(generation_, entry) ? ", of pages unless they have TF" : "");
        case WW_GPUVM_PAGE:
            return "page " + hex(entry & WW_GPUVM_PA) + ", fragment " +
                   std::to_string(ww_bits_get(WW_GPUVM_FRAG, entry));
        default:
            return "malformed";
        }
    }
    std::vector<std::string> flags(uint32_t step, const uint64_t *words) const override
    {
        const ww_gpuvm_layout layout = ww_gpuvm_layout_of(generation_);
        const bool page = ww_gpuvm_kind(generation_, words[0], step, pages(step, words[0])) == WW_GPUVM_PAGE;
        std::vector<std::string> all;
        const auto flag = [&](uint64_t bit, const char *name) {
            if ((words[0] & bit) != 0)
                all.emplace_back(name);
        };
        flag(WW_GPUVM_V, "V");
        flag(WW_GPUVM_S, "S");
        flag(WW_GPUVM_C, "C");
        flag(page ? WW_GPUVM_Z : 0, "TMZ");
        flag(page ? WW_GPUVM_R : 0, "R");
        flag(page ? WW_GPUVM_W : 0, "W");
        flag(page ? WW_GPUVM_X : 0, "X");
        flag(layout.page, "P");
        flag(page ? layout.sparse : 0, "T");
        flag(layout.further, "TF");
        return all;
    }

private:
    /* A PDB0 entry alone does not show whether the PDB1 entry that leads to it has a block fragment, which
     * makes it a page. But without one, an entry that points to a table has none of these bits, if tables are
     * aligned to 4 KiB, as the driver's are. */
    bool pages(uint32_t step, uint64_t entry) const
    {
        const uint64_t further = ww_gpuvm_layout_of(generation_).further;
        return step == 2 && further != 0 &&
               (entry & (further | WW_GPUVM_TABLE_RSV | WW_GPUVM_W | WW_GPUVM_FRAG)) != 0;
    }

    ww_gpuvm_generation generation_;
};

class gpuvm_maker final : public table_maker
{
public:
    explicit gpuvm_maker(const gpuvm_format &format) : format_(format), image_(format.generation) {}

private:
    const char *text() const override { return format_.text; }
    std::vector<table_key> keys() const override
    {
        return {{"huge_pages",
                 "of amdgpu's tables, a page of 2 MiB: an entry of PDB0, or 512 entries of a page table "
                 "block whose fragment says so",
                 {"directory", "block"}}};
    }
    const image_format *in_image() const override { return format_.further ? nullptr : &image_; }
    std::string wrong(const address_space_params &p) const override
    {
        if (p.levels >= (format_.further ? 3U : 2U) && p.levels <= WW_GPUVM_LEVELS_MAX)
            return "";
        return "levels = " + std::to_string(p.levels) +
               (format_.further ? ": an amdgpu table that translates further has 3 or 4"
                                : ": an amdgpu table has 2 to 4");
    }
    uint32_t va_bits(const address_space_params &p) const override { return ww_va_bits(p.levels); }
    const ww_table_kind *kind(const address_space_params & /* p */) const override
    {
        return ww_gpuvm_kind_of(format_.generation);
    }
    table_room room(const address_space_params &p, const std::vector<space_ranges> &of_space) const override
    {
        ww_gpuvm_cfg cfg = {};
        cfg.generation = static_cast<uint8_t>(format_.generation);
        cfg.levels = static_cast<uint8_t>(p.levels);
        cfg.further = format_.further;
        cfg.in_blocks = p.table.key("huge_pages") != 0;
        const uint8_t shift = p.page_shift();
        const uint64_t frames = most_nodes(of_space, [=](const space_ranges &ranges) {
            return nodes_for(ranges, shift, [=](uint64_t va, uint64_t bytes) {
                return ww_gpuvm_nodes_needed(&cfg, va, bytes, shift);
            });
        });
        cfg.max_nodes = static_cast<uint32_t>(frames);
        return {frames, [cfg](uint64_t first_pa, uint64_t *words) {
                    ww_gpuvm_cfg here = cfg;
                    here.arena_pa = first_pa;
                    return std::make_unique<gpuvm_table>(here, words);
                }};
    }

    gpuvm_format format_;
    gpuvm_image image_;
};

} // namespace

const table_maker &amdgpu_tables()
{
    static const gpuvm_maker maker({"an AMD GPU's own, GFX9 to GFX11", WW_GPUVM_GFX9, false});
    return maker;
}

const table_maker &amdgpu_further_tables()
{
    static const gpuvm_maker maker({"the same with translate-further", WW_GPUVM_GFX9, true});
    return maker;
}

const table_maker &amdgpu_gfx12_tables()
{
    static const gpuvm_maker maker({"an AMD GPU's own, GFX12", WW_GPUVM_GFX12, false});
    return maker;
}

} // namespace walkway
