// Between NCHW and blocked channels (nChw16c): 16 channels of 16 neighbouring pixels are a square that is transposed.
//
// Layout: planar [N, channels, rows, columns], dense; blocked [N, channels / 16, rows, columns, 16] with a margin.
//         `size` is rows and columns of planar, blocked_size those of blocked, in which planar begins at `begin`.
// Assumes: fewer than 2^31 elements in both tensors; rows_of_all are those of all planes that an item may write: of
//          blocked where that is the result, else of planar for every block. planar_len counts the elements.
//          Global size [items].
// Macros: none.
#include "common/blocks.h"
#include "common/prefetch.h"

// How far ahead, in floats, lines of a plane are asked for: processors follow fewer streams than 16.
#define LAYOUT_BLOCKS_AHEAD 64

// Lanes whose number has the bit 1 of a, without it of b, change places.
#define LAYOUT_BLOCKS_SWAP_1(a, b)                                                          \
    {                                                                                       \
        const float16 low = (float16)(                                                      \
                a.s0, b.s0, a.s2, b.s2, a.s4, b.s4, a.s6, b.s6,                             \
                a.s8, b.s8, a.sa, b.sa, a.sc, b.sc, a.se, b.se);                            \
        b = (float16)(                                                                      \
                a.s1, b.s1, a.s3, b.s3, a.s5, b.s5, a.s7, b.s7,                             \
                a.s9, b.s9, a.sb, b.sb, a.sd, b.sd, a.sf, b.sf);                            \
        a = low;                                                                            \
    }
// Lanes whose number has the bit 2 of a, without it of b, change places.
#define LAYOUT_BLOCKS_SWAP_2(a, b)                                                          \
    {                                                                                       \
        const float16 low = (float16)(                                                      \
                a.s0, a.s1, b.s0, b.s1, a.s4, a.s5, b.s4, b.s5,                             \
                a.s8, a.s9, b.s8, b.s9, a.sc, a.sd, b.sc, b.sd);                            \
        b = (float16)(                                                                      \
                a.s2, a.s3, b.s2, b.s3, a.s6, a.s7, b.s6, b.s7,                             \
                a.sa, a.sb, b.sa, b.sb, a.se, a.sf, b.se, b.sf);                            \
        a = low;                                                                            \
    }
// Lanes whose number has the bit 4 of a, without it of b, change places.
#define LAYOUT_BLOCKS_SWAP_4(a, b)                                                          \
    {                                                                                       \
        const float16 low = (float16)(                                                      \
                a.s0, a.s1, a.s2, a.s3, b.s0, b.s1, b.s2, b.s3,                             \
                a.s8, a.s9, a.sa, a.sb, b.s8, b.s9, b.sa, b.sb);                            \
        b = (float16)(                                                                      \
                a.s4, a.s5, a.s6, a.s7, b.s4, b.s5, b.s6, b.s7,                             \
                a.sc, a.sd, a.se, a.sf, b.sc, b.sd, b.se, b.sf);                            \
        a = low;                                                                            \
    }
// Lanes whose number has the bit 8 of a, without it of b, change places.
#define LAYOUT_BLOCKS_SWAP_8(a, b)                                                          \
    {                                                                                       \
        const float16 low = (float16)(                                                      \
                a.s0, a.s1, a.s2, a.s3, a.s4, a.s5, a.s6, a.s7,                             \
                b.s0, b.s1, b.s2, b.s3, b.s4, b.s5, b.s6, b.s7);                            \
        b = (float16)(                                                                      \
                a.s8, a.s9, a.sa, a.sb, a.sc, a.sd, a.se, a.sf,                             \
                b.s8, b.s9, b.sa, b.sb, b.sc, b.sd, b.se, b.sf);                            \
        a = low;                                                                            \
    }

#define LAYOUT_BLOCKS_STAGE(STEP)                                                           \
    _Pragma("unroll") for (int k = 0; k < 8; ++k) {                                         \
        const int first = k / STEP * 2 * STEP + k % STEP;                                   \
        LAYOUT_BLOCKS_SWAP_##STEP(square[first], square[first + STEP])                      \
    }

// Rows of a square become its columns.
#define LAYOUT_BLOCKS_TRANSPOSE                                                             \
    LAYOUT_BLOCKS_STAGE(1)                                                                  \
    LAYOUT_BLOCKS_STAGE(2)                                                                  \
    LAYOUT_BLOCKS_STAGE(4)                                                                  \
    LAYOUT_BLOCKS_STAGE(8)

// `count` pixels of `channels` channels, at most 16 of both, `plane` elements apart; 0 for the other channels.
// Each channel has 16 elements that can be read.
__attribute__((noinline)) static void layout_blocks_join(
        __global const float *from, int plane, int channels, __global float *to, int count) {
    float16 square[16];
    _Pragma("unroll") for (int c = 0; c < 16; ++c) {
        square[c] = 0.0f;
        if (c < channels) {
            square[c] = blocked_load(from + c * plane);
            PREFETCH(from + c * plane + LAYOUT_BLOCKS_AHEAD);
        }
    }
    LAYOUT_BLOCKS_TRANSPOSE
    _Pragma("unroll") for (int i = 0; i < 16; ++i) {
        if (i < count) {
            blocked_store(square[i], to + i * 16);
        }
    }
}

// The same where a channel may have no more than `count` elements.
static inline void layout_blocks_join_last(
        __global const float *from, int plane, int channels, __global float *to, int count) {
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < 16; ++c) {
            to[i * 16 + c] = c < channels ? from[c * plane + i] : 0.0f;
        }
    }
}

// `count` pixels of 16 channels to `channels` channels that lie `plane` elements apart, at most 16 of both.
__attribute__((noinline)) static void layout_blocks_part(
        __global const float *from, int plane, int channels, __global float *to, int count) {
    float16 square[16];
    _Pragma("unroll") for (int i = 0; i < 16; ++i) {
        square[i] = blocked_load(from + min(i, count - 1) * 16);
    }
    LAYOUT_BLOCKS_TRANSPOSE
    _Pragma("unroll") for (int c = 0; c < 16; ++c) {
        if (c < channels) {
            PREFETCH(to + c * plane + LAYOUT_BLOCKS_AHEAD);
            write_piece(square[c], to + c * plane, count);
        }
    }
}

__kernel void block_channels(
        __global const float *planar,
        __global float *blocked,
        const int channels,
        const int blocks,
        const int2 size,
        const int2 blocked_size,
        const int2 begin,
        const int planar_len,
        const int rows_of_all,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int plane_size = size.x * size.y;
    const int end = blocks_part(rows_of_all, at.x + 1, items);
    for (int row = blocks_part(rows_of_all, at.x, items); row < end; ++row) {
        const int plane = row / blocked_size.x;
        const int block = plane % blocks;
        const int in_row = row - plane * blocked_size.x - begin.x;
        __global float *to = blocked + row * blocked_size.y * 16;
        if (in_row < 0 || in_row >= size.x) {
            blocked_zeros(to, blocked_size.y);
            continue;
        }
        blocked_zeros(to, begin.y);
        to += begin.y * 16;
        blocked_zeros(to + size.y * 16, blocked_size.y - begin.y - size.y);
        const int present = min(channels - block * 16, 16);
        const int from = (plane / blocks * channels + block * 16) * plane_size + in_row * size.y;
        for (int column = 0; column < size.y; column += 16) {
            const int count = min(size.y - column, 16);
            if (from + (present - 1) * plane_size + column <= planar_len - 16) {
                layout_blocks_join(planar + from + column, plane_size, present, to + column * 16, count);
            } else {
                layout_blocks_join_last(planar + from + column, plane_size, present, to + column * 16, count);
            }
        }
    }
}

__kernel void unblock_channels(
        __global const float *blocked,
        __global float *planar,
        const int channels,
        const int blocks,
        const int2 size,
        const int2 blocked_size,
        const int2 begin,
        const int rows_of_all,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int plane_size = size.x * size.y;
    const int end = blocks_part(rows_of_all, at.x + 1, items);
    for (int row = blocks_part(rows_of_all, at.x, items); row < end; ++row) {
        const int plane = row / size.x;
        const int block = plane % blocks;
        const int in_row = row - plane * size.x;
        const int present = min(channels - block * 16, 16);
        __global const float *from =
                blocked + ((plane * blocked_size.x + begin.x + in_row) * blocked_size.y + begin.y) * 16;
        __global float *to = planar + (plane / blocks * channels + block * 16) * plane_size + in_row * size.y;
        for (int next = 0; next < size.y; next += 16) {
            const int column = size.y < 16 ? 0 : min(next, size.y - 16);
            layout_blocks_part(from + column * 16, plane_size, present, to + column, min(size.y, 16));
        }
    }
}
