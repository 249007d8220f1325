/* SPDX-License-Identifier: MIT */
/* image/containers.hpp - files that hold memory in another form than byte for byte, or something else,
 * recognised by bytes at a fixed place. As raw memory they would be walked in vain. Not modelled: reading any
 * of them. */
#ifndef WALKWAY_IMAGE_CONTAINERS_HPP
#define WALKWAY_IMAGE_CONTAINERS_HPP

#include <cstdint>

namespace walkway
{

struct container {
    const char *what;   /* "a LiME dump" */
    const char *remedy; /* how to convert it, or where to get memory instead */
};

/* Returns null for an unknown file. */
const container *container_of(const unsigned char *bytes, uint64_t size);

} // namespace walkway

#endif
