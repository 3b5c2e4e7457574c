// Copies `outer` rows of `size` elements between two tensors with different row pitches: Concat and Split.
//
// Layout: row r starts at x_offset + r * x_pitch in x and at y_offset + r * y_pitch in y.
// Assumes: both tensors have fewer than 2^31 elements; global size [at least size, outer].
// Macros: ELEMENT (common/bits.h).
#include "common/bits.h"

__kernel void copy_rows(
        __global const BITS *x,
        __global BITS *y,
        const int size,
        const int x_offset,
        const int x_pitch,
        const int y_offset,
        const int y_pitch) {
    const int i = get_global_id(0);
    const int row = get_global_id(1);
    if (i < size) {
        y[y_offset + row * y_pitch + i] = x[x_offset + row * x_pitch + i];
    }
}
