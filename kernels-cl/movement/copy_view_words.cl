// Copies a strided view of words of 32 bits into a dense tensor (Transpose, Slice): row by row, or where x is dense
// along another axis than y in tiles of 16 rows, which registers transpose.
//
// Layout: copy_view_words: y is dense [dims..., inner]; x is read at x_offset, over dims with x_strides, along inner
//         with x_step. transpose_words: rows lie side by side in x and y_pitch apart in y, columns x_step apart in x and
//         side by side in y; the other axes are dims, with x_strides and y_strides.
// Assumes: both tensors have fewer than 2^31 elements. The words of y are divided into `items` pieces, global size
//          [items]; for transpose_words it is [ceil(rows / 16), product of dims].
// Macros: none.
#include "common/index.h"

typedef uint ViewWords __attribute__((ext_vector_type(16), aligned(4)));

static void copy_view_words_item(
        __global const uint *x,
        __global uint *y,
        const int len,
        const int inner,
        const int x_offset,
        const int x_step,
        const int8 dims,
        const int8 x_strides,
        const int items,
        const int3 at) {
    const int end = (int)((long)len * (at.x + 1) / items);
    int word = (int)((long)len * at.x / items);
    while (word < end) {
        const int row = word / inner;
        const int column = word - row * inner;
        const int count = min(inner - column, end - word);
        __global const uint *from = x + x_offset + strided_offset(row, dims, x_strides) + column * x_step;
        __global uint *to = y + word;
        int i = 0;
        if (x_step == 1) {
            for (; i + 16 <= count; i += 16) {
                *(__global ViewWords *)(to + i) = *(__global const ViewWords *)(from + i);
            }
        }
        for (; i < count; ++i) {
            to[i] = from[i * x_step];
        }
        word += count;
    }
}

__kernel void copy_view_words(
        __global const uint *x,
        __global uint *y,
        const int len,
        const int inner,
        const int x_offset,
        const int x_step,
        const int8 dims,
        const int8 x_strides,
        const int items) {
    copy_view_words_item(x, y, len, inner, x_offset, x_step, dims, x_strides, items,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}

#define TRANSPOSE_FRONT(a, b)                                                                               \
    (uint16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
#define TRANSPOSE_BACK(a, b)                                                                                \
    (uint16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)
// Four times this, each vector with the one eight places further, transposes.
#define TRANSPOSE_ROUND(to, from)                                                                           \
    _Pragma("unroll") for (int i = 0; i < 8; ++i) {                                                         \
        to[2 * i] = TRANSPOSE_FRONT(from[i], from[i + 8]);                                                  \
        to[2 * i + 1] = TRANSPOSE_BACK(from[i], from[i + 8]);                                               \
    }

__attribute__((noinline)) static void transpose_tile(
        __global const uint *x, __global uint *y, int x_step, int y_pitch) {
    uint16 even[16];
    uint16 odd[16];
    _Pragma("unroll") for (int i = 0; i < 16; ++i) {
        even[i] = *(__global const ViewWords *)(x + i * x_step);
    }
    TRANSPOSE_ROUND(odd, even)
    TRANSPOSE_ROUND(even, odd)
    TRANSPOSE_ROUND(odd, even)
    TRANSPOSE_ROUND(even, odd)
    _Pragma("unroll") for (int i = 0; i < 16; ++i) {
        *(__global ViewWords *)(y + i * y_pitch) = even[i];
    }
}

static void transpose_words_item(
        __global const uint *x,
        __global uint *y,
        const int rows,
        const int columns,
        const int x_step,
        const int y_pitch,
        const int8 dims,
        const int8 x_strides,
        const int8 y_strides,
        const int3 at) {
    const int row = at.x * 16;
    const int count = min(rows - row, 16);
    __global const uint *from = x + strided_offset(at.y, dims, x_strides) + row;
    __global uint *to = y + strided_offset(at.y, dims, y_strides) + row * y_pitch;
    int column = 0;
    if (count == 16) {
        for (; column + 16 <= columns; column += 16) {
            transpose_tile(from + column * x_step, to + column, x_step, y_pitch);
        }
    }
    for (; column < columns; ++column) {
        for (int i = 0; i < count; ++i) {
            to[i * y_pitch + column] = from[column * x_step + i];
        }
    }
}

__kernel void transpose_words(
        __global const uint *x,
        __global uint *y,
        const int rows,
        const int columns,
        const int x_step,
        const int y_pitch,
        const int8 dims,
        const int8 x_strides,
        const int8 y_strides) {
    transpose_words_item(x, y, rows, columns, x_step, y_pitch, dims, x_strides, y_strides,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
