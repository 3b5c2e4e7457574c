// Copies a strided view of words of 32 bits into a dense tensor (Transpose, Slice, Reorg, Expand, Tile): row by row, or
// where x is dense along another axis than y in tiles of 16 rows, which registers transpose.
//
// Layout: copy_view_cpu_words: y is dense [dims..., inner]; x is read at x_offset, over dims with x_strides, along inner
//         with x_step. interleave_words: y is dense [dims..., rows, columns]; x is read over dims with x_strides, rows
//         side by side and columns x_step apart. transpose_words: rows lie side by side in x and y_pitch apart in y,
//         columns x_step apart in x and side by side in y; the other axes are dims, with x_strides and y_strides.
// Assumes: both tensors have fewer than 2^31 elements. The words of y, for interleave_words its rows, are divided into
//          `items` pieces, global size [items]; for transpose_words it is [ceil(rows / 16), product of dims].
// Macros: none.
#include "common/index.h"
#include "common/walk.h"

typedef uint ViewWords __attribute__((ext_vector_type(16), aligned(4)));
typedef uint ViewEight __attribute__((ext_vector_type(8), aligned(4)));
typedef uint ViewFour __attribute__((ext_vector_type(4), aligned(4)));

// Words side by side; the last vector overlaps the one before.
__attribute__((noinline)) static void view_copy(__global const uint *x, __global uint *y, int count) {
    if (count >= 16) {
        for (int i = 0; i + 16 < count; i += 16) {
            *(__global ViewWords *)(y + i) = *(__global const ViewWords *)(x + i);
        }
        *(__global ViewWords *)(y + count - 16) = *(__global const ViewWords *)(x + count - 16);
    } else if (count >= 8) {
        *(__global ViewEight *)y = *(__global const ViewEight *)x;
        *(__global ViewEight *)(y + count - 8) = *(__global const ViewEight *)(x + count - 8);
    } else if (count >= 4) {
        *(__global ViewFour *)y = *(__global const ViewFour *)x;
        *(__global ViewFour *)(y + count - 4) = *(__global const ViewFour *)(x + count - 4);
    } else {
        for (int i = 0; i < count; ++i) {
            y[i] = x[i];
        }
    }
}

__attribute__((noinline)) static void view_fill(uint word, __global uint *y, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        *(__global ViewWords *)(y + i) = (ViewWords)word;
    }
    for (; i < count; ++i) {
        y[i] = word;
    }
}

// Every second or third word: vectors of them that another word follows, so that nothing is read behind the last one.
__attribute__((noinline)) static void view_pick(__global const uint *x, int step, __global uint *y, int count) {
    int i = 0;
    if (step == 2) {
        for (; i + 16 < count; i += 16) {
            const uint16 a = *(__global const ViewWords *)(x + 2 * i);
            const uint16 b = *(__global const ViewWords *)(x + 2 * i + 16);
            *(__global ViewWords *)(y + i) = (uint16)(
                    a.s0, a.s2, a.s4, a.s6, a.s8, a.sa, a.sc, a.se, b.s0, b.s2, b.s4, b.s6, b.s8, b.sa, b.sc, b.se);
        }
    } else if (step == 3) {
        for (; i + 16 < count; i += 16) {
            const uint16 a = *(__global const ViewWords *)(x + 3 * i);
            const uint16 b = *(__global const ViewWords *)(x + 3 * i + 16);
            const uint16 c = *(__global const ViewWords *)(x + 3 * i + 32);
            *(__global ViewWords *)(y + i) = (uint16)(
                    a.s0, a.s3, a.s6, a.s9, a.sc, a.sf, b.s2, b.s5, b.s8, b.sb, b.se, c.s1, c.s4, c.s7, c.sa, c.sd);
        }
    }
    for (; i < count; ++i) {
        y[i] = x[i * step];
    }
}

static inline void view_row(__global const uint *x, int step, __global uint *y, int count) {
    if (step == 1) {
        view_copy(x, y, count);
    } else if (step == 0) {
        view_fill(x[0], y, count);
    } else {
        view_pick(x, step, y, count);
    }
}

__kernel void copy_view_cpu_words(
        __global const uint *x,
        __global uint *y,
        const int len,
        const int inner,
        const int x_offset,
        const int x_step,
        const int8 dims,
        const int8 x_strides,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int word = (int)((long)len * at.x / items);
    int places[8], jumps[8];
    const int *sizes = (const int *)&dims;
    const int *strides = (const int *)&x_strides;
    const int row = word / inner;
    int column = word - row * inner;
    walk_start(row, sizes, places);
    walk_jumps(sizes, strides, jumps);
    int from = x_offset + walk_offset(places, strides);
    while (word < end) {
        const int count = min(inner - column, end - word);
        view_row(x + from + column * x_step, x_step, y + word, count);
        from += jumps[walk_on(sizes, places)];
        column = 0;
        word += count;
    }
}

#define TRANSPOSE_FRONT(a, b)                                                                                       \
    (uint16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7)
#define TRANSPOSE_BACK(a, b)                                                                                        \
    (uint16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf)
// Four times this, each vector with the one eight places further, transposes.
#define TRANSPOSE_ROUND(to, from)                                                                                   \
    _Pragma("unroll") for (int i = 0; i < 8; ++i) {                                                                 \
        to[2 * i] = TRANSPOSE_FRONT(from[i], from[i + 8]);                                                          \
        to[2 * i + 1] = TRANSPOSE_BACK(from[i], from[i + 8]);                                                       \
    }

// `count` rows of two words, and of three.
__attribute__((noinline)) static void interleave_two(
        __global const uint *x, int x_step, __global uint *y, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const uint16 a = *(__global const ViewWords *)(x + i);
        const uint16 b = *(__global const ViewWords *)(x + x_step + i);
        *(__global ViewWords *)(y + 2 * i) = TRANSPOSE_FRONT(a, b);
        *(__global ViewWords *)(y + 2 * i + 16) = TRANSPOSE_BACK(a, b);
    }
    for (; i < count; ++i) {
        y[2 * i] = x[i];
        y[2 * i + 1] = x[x_step + i];
    }
}

__attribute__((noinline)) static void interleave_three(
        __global const uint *x, int x_step, __global uint *y, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const uint16 a = *(__global const ViewWords *)(x + i);
        const uint16 b = *(__global const ViewWords *)(x + x_step + i);
        const uint16 c = *(__global const ViewWords *)(x + 2 * x_step + i);
        *(__global ViewWords *)(y + 3 * i) = (uint16)(
                a.s0, b.s0, c.s0, a.s1, b.s1, c.s1, a.s2, b.s2, c.s2, a.s3, b.s3, c.s3, a.s4, b.s4, c.s4, a.s5);
        *(__global ViewWords *)(y + 3 * i + 16) = (uint16)(
                b.s5, c.s5, a.s6, b.s6, c.s6, a.s7, b.s7, c.s7, a.s8, b.s8, c.s8, a.s9, b.s9, c.s9, a.sa, b.sa);
        *(__global ViewWords *)(y + 3 * i + 32) = (uint16)(
                c.sa, a.sb, b.sb, c.sb, a.sc, b.sc, c.sc, a.sd, b.sd, c.sd, a.se, b.se, c.se, a.sf, b.sf, c.sf);
    }
    for (; i < count; ++i) {
        y[3 * i] = x[i];
        y[3 * i + 1] = x[x_step + i];
        y[3 * i + 2] = x[2 * x_step + i];
    }
}

__attribute__((noinline)) static void interleave_any(
        __global const uint *x, int x_step, int columns, __global uint *y, int count) {
    for (int i = 0; i < count; ++i) {
        for (int column = 0; column < columns; ++column) {
            y[i * columns + column] = x[column * x_step + i];
        }
    }
}

__kernel void interleave_words(
        __global const uint *x,
        __global uint *y,
        const int len,
        const int rows,
        const int columns,
        const int x_step,
        const int8 dims,
        const int8 x_strides,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int place = (int)((long)len * at.x / items);
    int places[8], jumps[8];
    const int *sizes = (const int *)&dims;
    const int *strides = (const int *)&x_strides;
    const int outer = place / rows;
    int row = place - outer * rows;
    walk_start(outer, sizes, places);
    walk_jumps(sizes, strides, jumps);
    int from = walk_offset(places, strides);
    while (place < end) {
        const int count = min(rows - row, end - place);
        if (columns == 2) {
            interleave_two(x + from + row, x_step, y + place * columns, count);
        } else if (columns == 3) {
            interleave_three(x + from + row, x_step, y + place * columns, count);
        } else {
            interleave_any(x + from + row, x_step, columns, y + place * columns, count);
        }
        from += jumps[walk_on(sizes, places)];
        row = 0;
        place += count;
    }
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
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
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
