/* SPDX-License-Identifier: MIT */
/* model/tables/image.cpp - the table that an image has: it is asked, and never written. */
#include "kernels/base.h"
#include "model/table_builder.hpp"

namespace walkway
{

namespace
{

class table_in_image final : public table_builder
{
public:
    explicit table_in_image(const image_space &image) : table_builder(0, nullptr), image_(image) {}
    ww_table table() const override { return image_.table(); }
    int map(uint64_t /* va */, uint64_t /* pa */, uint8_t /* shift */) override { return WW_E_ARG; }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t * /* words */) const override
    {
        return image_.translate(va, out);
    }
    uint64_t nodes() const override { return image_.nodes(); }

private:
    const image_space &image_;
};

class image_maker final : public table_maker
{
    uint32_t va_bits(const address_space_params &p) const override { return p.image->va_bits(); }
    uint32_t page_sizes(const address_space_params &p) const override { return p.image->page_sizes(); }
    const ww_table_kind *kind(const address_space_params &p) const override { return p.image->table().kind; }
    table_room room(const address_space_params &p,
                    const std::vector<space_ranges> & /* of_space */) const override
    {
        return {0, [image = p.image](uint64_t /* first_pa */, uint64_t * /* words */) {
                    return std::make_unique<table_in_image>(*image);
                }};
    }
};

} // namespace

const table_maker &image_tables()
{
    static const image_maker maker;
    return maker;
}

} // namespace walkway
