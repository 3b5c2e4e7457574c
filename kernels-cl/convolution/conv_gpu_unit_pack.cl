// Brings the weights of a convolution into panels for tiles of matrix units. A row is an output channel of its group, a
// slot is a term. With tap_slabs, a slab has `depth` channels of one tap, and slabs of the taps of the same channels follow
// one another; otherwise slots are channels, of each its taps.
//
// Layout: weights with strides [out channel of a group, in channel, tap, group], packed [group, tile of rows, slab of
//         slots, row, slot of the slab], 0 where there is no row, channel or tap; float32 is rounded to TF32.
// Assumes: fewer than 2^31 elements in every tensor, `len` in packed; global size at least len.
// Macros: ELEMENT  float16, bfloat16 or float32 (common/element.h).
#include "common/element.h"

__kernel void pack_unit_panels(
        __global const STORED *weights,
        __global STORED *packed,
        const int len,
        const int rows,
        const int depth,
        const int slots,
        const int tap_slabs,
        const int taps,
        const int group_in,
        const int group_out,
        const int4 w_strides) {
    const int at = get_global_id(0);
    if (at >= len) {
        return;
    }
    const int slabs = slots / depth;
    const int slab = at / (depth * rows);
    const int slot = slab % slabs * depth + at % depth;
    const int tiles = (group_out + rows - 1) / rows;
    const int tile = slab / slabs;
    const int row = tile % tiles * rows + at / depth % rows;
    const int channel = tap_slabs ? slot / depth / taps * depth + slot % depth : slot / taps;
    const int tap = tap_slabs ? slot / depth % taps : slot % taps;
    const bool exists = row < group_out && channel < group_in && tap < taps;
    const int at_group = tile / tiles * w_strides.s3;
    const int from = exists ? at_group + row * w_strides.s0 + channel * w_strides.s1 + tap * w_strides.s2 : 0;
#if ELEMENT_KIND == 7
    // rounded to TF32, to the nearest, ties away from zero
    const uint bits = exists ? as_uint(weights[from]) : 0;
    packed[at] = as_float(isfinite(as_float(bits)) ? (bits + 0x1000) & ~0x1fffu : bits);
#else
    ((__global ushort *)packed)[at] = exists ? ((__global const ushort *)weights)[from] : 0;
#endif
}
