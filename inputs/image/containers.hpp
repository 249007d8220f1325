/* SPDX-License-Identifier: MIT */
/* image/containers.hpp - files that hold memory in another way than byte for byte, or hold something else, by
 * what stands at a fixed place in them. Taken as raw memory they would be walked, to no purpose. Not
 * modelled: reading any of them. */
#ifndef WALKWAY_IMAGE_CONTAINERS_HPP
#define WALKWAY_IMAGE_CONTAINERS_HPP

#include <cstdint>

namespace walkway
{

struct container {
    const char *what;   /* "a LiME dump" */
    const char *remedy; /* what makes memory of it, or where memory is to be had instead */
};

/* Null: of no kind that is known. */
const container *container_of(const unsigned char *bytes, uint64_t size);

} // namespace walkway

#endif
