// Copies `outer` rows of `size` elements between two tensors with different row pitches, four elements per item: Concat
// and Split.
//
// Layout: row r starts at x_offset + r * x_pitch in x and at y_offset + r * y_pitch in y; all of them and size are
//         multiples of four.
// Assumes: both tensors have fewer than 2^31 elements; len = outer * size; the global size is at least len / 4.
// Macros: ELEMENT (common/bits.h).
#include "common/bits.h"

#define BITS4 ELEMENT_VECTOR(BITS, 4)

__kernel void copy_rows_gpu_fours(
        __global const BITS *x,
        __global BITS *y,
        const int len,
        const int size,
        const int x_offset,
        const int x_pitch,
        const int y_offset,
        const int y_pitch) {
    const int at = get_global_id(0) * 4;
    if (at < len) {
        const int row = at / size;
        const int i = at - row * size;
        *(__global BITS4 *)(y + y_offset + row * y_pitch + i) =
                *(__global const BITS4 *)(x + x_offset + row * x_pitch + i);
    }
}
