/* SPDX-License-Identifier: MIT */
/* The distance of every record to one place: three streams, one page per access. */
__kernel void nn(__global float *locations, __global float *distances, uint records, float latitude, float longitude)
{
    uint t = (uint)get_global_id(0);
    if (t < records) {
        float north = latitude - locations[2 * t];
        float east = longitude - locations[2 * t + 1];
        distances[t] = sqrt(north * north + east * east);
    }
}
