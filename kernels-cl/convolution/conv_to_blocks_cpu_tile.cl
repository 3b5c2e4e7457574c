// Convolution of channels-first x into blocked channels (nChw16c), by tiles of adjacent pixels and one or two blocks of
// output channels. A first launch copies x with its padding, so that what adjacent outputs read lies side by side.
//
// Layout: x NCHW; planes is [image, channel, row, column % stride, column / stride] of padded x, row_len floats to a
//         column % stride; packed is [out channel / (16 * blocks), row of kernel, column, in channel, 16 * blocks].
//         y and residual [N, blocks, rows, columns, 16], with margins.
// Assumes: fewer than 2^31 elements in every tensor; row_len >= all that the last tile of a row reads; local size 1.
// Macros: none.
#include "common/blocked_rows.h"
#include "common/launched.h"

#define CTB_UNROLL _Pragma("unroll")

// 16 of every stride-th element of a row, from column `from` on; what is outside is 0.
static float16 copy_planes_strided(__global const float *row, int columns, int from, int stride) {
    float lanes[16];
    if (from >= 0 && from + 15 * stride < columns) {
        if (stride == 1) {
            return blocked_load(row + from);
        }
        if (stride == 2 && from + 32 <= columns) {
            const float16 a = blocked_load(row + from);
            const float16 b = blocked_load(row + from + 16);
            return (float16)(
                    a.s0, a.s2, a.s4, a.s6, a.s8, a.sa, a.sc, a.se, b.s0, b.s2, b.s4, b.s6, b.s8, b.sa, b.sc, b.se);
        }
        CTB_UNROLL for (int i = 0; i < 16; ++i) {
            lanes[i] = row[from + i * stride];
        }
        return vload16(0, lanes);
    }
    for (int i = 0; i < 16; ++i) {
        const int column = from + i * stride;
        lanes[i] = column >= 0 && column < columns ? row[column] : 0.0f;
    }
    return vload16(0, lanes);
}

// One item per part of the rows, channel and image.
__kernel void copy_planes(
        __global const float *x,
        __global float *planes,
        const int4 x_size,
        const int2 pad_begin,
        const int stride,
        const int rows,
        const int row_len,
        const int parts) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = (int)((long)rows * at.x / parts);
    const int end = (int)((long)rows * (at.x + 1) / parts);
    const int plane = at.z * x_size.s1 + at.y;
    for (int r = first; r < end; ++r) {
        const int x_row = r - pad_begin.x;
        const bool inside = x_row >= 0 && x_row < x_size.s2;
        __global const float *from = x + (plane * x_size.s2 + (inside ? x_row : 0)) * x_size.s3;
        __global float *to = planes + (plane * rows + r) * stride * row_len;
        for (int residue = 0; residue < stride; ++residue, to += row_len) {
            for (int c = 0; c < row_len; c += 16) {
                float16 v = 0.0f;
                if (inside) {
                    v = copy_planes_strided(from, x_size.s3, c * stride + residue - pad_begin.y, stride);
                }
                blocked_store(v, to + c);
            }
        }
    }
}

// What the tiles of a group of output channels share.
typedef struct {
    __global const float *planes;
    __global const float *packed;
    __global float *y;
    float16 bias[2];
    float low;
    float high;
    int channels;
    int plane_len;
    int row_len;
    int y_plane;
    int y_row;
    int2 kernel_size;
    int3 dilation;
    int2 stride;
} ConvToBlocks;

// P pixels of B blocks: those of `row` from `column` on, of which `count` exist.
#define CONV_TO_BLOCKS(name, P, B)                                                                          \
    __attribute__((noinline)) static void name(const ConvToBlocks *c, int row, int column, int count) {     \
        float16 sum[P][B];                                                                                  \
        CTB_UNROLL for (int o = 0; o < B; ++o) {                                                            \
            CTB_UNROLL for (int i = 0; i < P; ++i) {                                                        \
                sum[i][o] = c->bias[o];                                                                     \
            }                                                                                               \
        }                                                                                                   \
        const int channels = c->channels;                                                                   \
        const int plane_len = c->plane_len;                                                                 \
        const int row_step = c->row_len * c->stride.y;                                                      \
        __global const float *weight = c->packed;                                                           \
        __global const float *from = c->planes + row * c->stride.x * row_step + column;                     \
        for (int kh = 0; kh < c->kernel_size.x; ++kh, from += c->dilation.x * row_step) {                   \
            int residue = 0;                                                                                \
            int step = 0;                                                                                   \
            for (int kw = 0; kw < c->kernel_size.y; ++kw) {                                                 \
                __global const float *value = from + residue * c->row_len + step;                           \
                _Pragma("unroll 1") for (int channel = 0; channel < channels; ++channel) {                  \
                    float16 w[B];                                                                           \
                    CTB_UNROLL for (int o = 0; o < B; ++o) {                                                \
                        w[o] = blocked_load(weight + o * 16);                                               \
                    }                                                                                       \
                    CTB_UNROLL for (int i = 0; i < P; ++i) {                                                \
                        const float16 v = (float16)(value[i]);                                              \
                        CTB_UNROLL for (int o = 0; o < B; ++o) {                                            \
                            sum[i][o] = v * w[o] + sum[i][o];                                               \
                        }                                                                                   \
                    }                                                                                       \
                    weight += B * 16;                                                                       \
                    value += plane_len;                                                                     \
                }                                                                                           \
                residue += c->dilation.z;                                                                   \
                step += c->dilation.y;                                                                      \
                if (residue >= c->stride.y) {                                                               \
                    residue -= c->stride.y;                                                                 \
                    ++step;                                                                                 \
                }                                                                                           \
            }                                                                                               \
        }                                                                                                   \
        const float low = c->low;                                                                         \
        const float high = c->high;                                                                       \
        __global float *to = c->y + row * c->y_row + column * 16;                                           \
        CTB_UNROLL for (int o = 0; o < B; ++o) {                                                            \
            CTB_UNROLL for (int i = 0; i < P; ++i) {                                                        \
                if (i < count) {                                                                            \
                    blocked_store(clip16(sum[i][o], low, high), to + o * c->y_plane + i * 16);              \
                }                                                                                           \
            }                                                                                               \
        }                                                                                                   \
    }

CONV_TO_BLOCKS(conv_to_blocks_14x2, 14, 2)
CONV_TO_BLOCKS(conv_to_blocks_12x2, 12, 2)
CONV_TO_BLOCKS(conv_to_blocks_8x2, 8, 2)
CONV_TO_BLOCKS(conv_to_blocks_24x1, 24, 1)
CONV_TO_BLOCKS(conv_to_blocks_14x1, 14, 1)
CONV_TO_BLOCKS(conv_to_blocks_6x1, 6, 1)
CONV_TO_BLOCKS(conv_to_blocks_5x1, 5, 1)
CONV_TO_BLOCKS(conv_to_blocks_4x1, 4, 1)

#define CTB_TILE(name, P, B)                                                                                \
    if (IS_LAUNCHED(conv_to_blocks, tile_x, P) && IS_LAUNCHED(conv_to_blocks, tile_y, B) && tile.x == P     \
            && tile.y == B) {                                                                               \
        name(&c, row, column, count);                                                                       \
    }

// One item per part of the rows, part of the groups of `tile.y` blocks and image; tile is [pixels, blocks], slope_step
// 0 for one slope; residual_size and y_halo are [rows, columns, top, left] and [top, left, bottom, right].
__kernel void conv_to_blocks(
        __global const float *planes,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int channels,
        const int rows,
        const int row_len,
        const int2 kernel_size,
        const int2 stride,
        const int4 dilation,
        const int2 conv_size,
        const int out_channels,
        const int4 y_halo,
        const int4 residual_size,
        const int2 tile,
        const int2 parts,
        const int slope_step,
        const int activation,
        const int residual_add,
        const float alpha,
        const float beta) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int blocks = (out_channels + 15) / 16;
    const int groups = blocks / tile.y;
    const int first = (int)((long)conv_size.x * at.x / parts.x);
    const int end = (int)((long)conv_size.x * (at.x + 1) / parts.x);
    const int first_group = (int)((long)groups * at.y / parts.y);
    const int end_group = (int)((long)groups * (at.y + 1) / parts.y);
    const int y_row = (y_halo.s1 + conv_size.y + y_halo.s3) * 16;
    const int y_plane = (y_halo.s0 + conv_size.x + y_halo.s2) * y_row;
    const bool bounded = blocked_is_bounded(activation, residual_add);
    ConvToBlocks c;
    c.plane_len = rows * stride.y * row_len;
    c.planes = planes + at.z * channels * c.plane_len;
    c.low = bounded ? blocked_low(activation, alpha) : -INFINITY;
    c.high = bounded ? blocked_high(activation, beta) : INFINITY;
    c.channels = channels;
    c.row_len = row_len;
    c.y_plane = y_plane;
    c.y_row = y_row;
    c.kernel_size = kernel_size;
    c.dilation = dilation.s012;
    c.stride = stride;
    for (int group = first_group; group < end_group; ++group) {
        const int block = group * tile.y;
        c.packed = packed + block * kernel_size.x * kernel_size.y * channels * 16;
        __global float *y_block = y + (at.z * blocks + block) * y_plane;
        c.y = y_block + y_halo.s0 * y_row + y_halo.s1 * 16;
        c.bias[0] = blocked_lanes(bias, block * 16, out_channels);
        c.bias[1] = tile.y == 2 ? blocked_lanes(bias, block * 16 + 16, out_channels) : c.bias[0];
        for (int row = first; row < end; ++row) {
            for (int column = 0; column < conv_size.y; column += tile.x) {
                const int count = min(tile.x, conv_size.y - column);
                CTB_TILE(conv_to_blocks_14x2, 14, 2)
                CTB_TILE(conv_to_blocks_12x2, 12, 2)
                CTB_TILE(conv_to_blocks_8x2, 8, 2)
                CTB_TILE(conv_to_blocks_24x1, 24, 1)
                CTB_TILE(conv_to_blocks_14x1, 14, 1)
                CTB_TILE(conv_to_blocks_6x1, 6, 1)
                CTB_TILE(conv_to_blocks_5x1, 5, 1)
                CTB_TILE(conv_to_blocks_4x1, 4, 1)
            }
        }
        for (int o = 0; o < tile.y; ++o) {
            blocked_margin(y_block + o * y_plane, conv_size, y_halo, first * conv_size.y,
                    end * conv_size.y);
            if (bounded) {
                continue;
            }
            const float16 slopes = blocked_slopes(slope, slope_step, activation, alpha, (block + o) * 16, out_channels);
            __global const float *added = residual;
            for (int row = first; row < end; ++row) {
                if (residual_add != BLOCKED_ADD_NONE) {
                    added = residual + (((at.z * blocks + block + o) * residual_size.s0 + residual_size.s2 + row)
                            * residual_size.s1 + residual_size.s3) * 16;
                }
                blocked_finish_row(c.y + o * y_plane + row * y_row, added, conv_size.y, slopes, activation,
                        residual_add, alpha, beta);
            }
        }
    }
}
