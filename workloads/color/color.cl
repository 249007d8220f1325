/* SPDX-License-Identifier: MIT */
/* Colours by local maxima: in each pass a vertex without colour takes the colour of the pass if its value exceeds those
 * of all its neighbours without colour. Each arc causes two gathers, of colours and of values. */
#define NO_COLOR (-1)

__kernel void color_max(__global int *row, __global int *column, __global float *value, __global int *color,
                        __global float *largest, __global int *more, uint vertices, int arcs)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices && color[t] == NO_COLOR) {
        int begin = row[t];
        int end = t + 1 < vertices ? row[t + 1] : arcs;
        float most = -1.0f;
        for (int e = begin; e < end; e++) {
            int neighbour = column[e];
            if (color[neighbour] == NO_COLOR && end - begin != 1) {
                *more = 1;
                float other = value[neighbour];
                if (other > most) {
                    most = other;
                }
            }
        }
        largest[t] = most;
    }
}

__kernel void color_take(__global float *value, __global int *color, __global float *largest, uint vertices,
                         int pass)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices && color[t] == NO_COLOR) {
        if (value[t] > largest[t]) {
            color[t] = pass;
        }
    }
}
