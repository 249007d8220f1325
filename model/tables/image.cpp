/* SPDX-License-Identifier: MIT */
/* model/tables/image.cpp - the page table of an image, which is never written. */
#include "kernels/base.h"
#include "model/table_builder.hpp"

namespace walkway
{

namespace
{

class table_in_image final : public table_builder
{
public:
    table_in_image(const image_space &image, uint32_t number)
        : table_builder(0, nullptr), image_(image), number_(number)
    {
    }
    ww_table table() const override { return image_.table(number_); }
    int map(uint64_t /* va */, uint64_t /* pa */, uint8_t /* shift */) override { return WW_E_ARG; }
    bool translate(uint64_t va, ww_xlat *out, const uint64_t * /* words */) const override
    {
        return image_.translate(va, out, number_);
    }
    uint64_t nodes() const override { return image_.nodes(number_); }

private:
    const image_space &image_;
    uint32_t number_;
};

class image_maker final : public table_maker
{
    const char *text() const override { return "that of an image"; }
    uint32_t va_bits(const address_space_params &p) const override { return p.image->va_bits(); }
    uint32_t page_sizes(const address_space_params &p) const override { return p.image->page_sizes(); }
    const ww_table_kind *kind(const address_space_params &p) const override { return p.image->table().kind; }
    table_room room(const address_space_params &p,
                    const std::vector<space_ranges> & /* of_space */) const override
    {
        return {0,
                [image = p.image, number = p.image_table](uint64_t /* first_pa */, uint64_t * /* words */) {
                    return std::make_unique<table_in_image>(*image, number);
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
