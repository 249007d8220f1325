/* SPDX-License-Identifier: MIT */
/* model/common/kernel_blob.hpp - a kernel's object in storage of its own, sized by its bytes() and begun by
 * its init(). */
#ifndef WALKWAY_MODEL_COMMON_KERNEL_BLOB_HPP
#define WALKWAY_MODEL_COMMON_KERNEL_BLOB_HPP

#include "kernels/base.h"
#include "model/common/pool.hpp"

#include <cstddef>

namespace walkway
{

/* Returns a blob without bytes if the kernel refuses the configuration. */
template <class KERNEL, class CFG>
blob kernel_blob(size_t (*bytes)(const CFG *), int (*init)(KERNEL *, size_t, const CFG *), const CFG &cfg)
{
    blob storage(bytes(&cfg));
    if (storage.bytes() != 0 && init(storage.as<KERNEL>(), storage.bytes(), &cfg) != WW_OK)
        return blob();
    return storage;
}

} // namespace walkway

#endif
