// Brings the weights of a transposed convolution into the panels that conv_transpose_any_gpu_groups.cl reads:
// [group (and phase), tile of rows, tap, channel (padded), row], 0 where there is no tap, channel or row. The taps of a
// phase follow one another.
//
// Layout: weights with strides [out channel of a group, in channel of a group, depth, height, width, group]; sizes are
//         int4 [depth, height, width, 1]; window is the most taps of a phase along each axis.
// Assumes: fewer than 2^31 elements in every tensor, `len` in packed; global size at least len.
// Macros: ELEMENT (common/element.h); TILE_ROWS  rows of a tile; JOINED  1: rows are the phases of each output channel.
#include "common/element.h"
#include "common/phases.h"

#ifndef TILE_ROWS
#define TILE_ROWS 64
#endif
#ifndef JOINED
#define JOINED 1
#endif

__kernel void pack_transposed_panels(
        __global const STORED *weights,
        __global STORED *packed,
        const int len,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 tap_step,
        const int4 window,
        const int group_in,
        const int group_out,
        const int channel_slots,
        const int row_tiles,
        const int8 w_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int phases = stride.x * stride.y * stride.z;
    const int line = i / TILE_ROWS;
    const int channel = line % channel_slots;
    const int tap = line / channel_slots % (window.x * window.y * window.z);
    const int tile = line / channel_slots / (window.x * window.y * window.z);
    const int row = tile % row_tiles * TILE_ROWS + i % TILE_ROWS;
    const int part = tile / row_tiles;
    const int group = JOINED ? part : part / phases;
    const int out_channel = JOINED ? row / phases : row;
    const int4 phase = digits_of((JOINED ? row : part) % phases, stride);
    const int4 first_tap = first_tap_of(phase, kernel_size, stride, dilation);
    const int4 taps = JOINED ? window : max((kernel_size - first_tap + tap_step - 1) / tap_step, (int4)1);
    const int4 k = first_tap + digits_of(tap, taps) * tap_step;
    const bool exists = channel < group_in && out_channel < group_out && k.x < kernel_size.x && k.y < kernel_size.y
            && k.z < kernel_size.z;
    const int from = group * w_strides.s5 + out_channel * w_strides.s0 + channel * w_strides.s1 + k.x * w_strides.s2
            + k.y * w_strides.s3 + k.z * w_strides.s4;
    store_element(exists ? load_element(weights, from) : 0, packed, i);
}
