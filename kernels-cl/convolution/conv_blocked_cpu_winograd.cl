// 3x3 convolution of blocked channels (nChw16c) with stride 1 by Winograd's minimal filtering, F(4x4, 3x3) or
// F(2x2, 3x3): a tile of the output is the inverse transform of products, position by position, of 36 or 16 transformed
// weights and inputs. One launch for each step, or one for all, which keeps what a band of tiles needs.
//
// Layout: x, residual, y [image, block, row, column, 16]; tiles are counted by [image, tile row, tile column].
//         transformed is [position, in block, tile, 16], products [position, out block, tile, 16], pitch tiles long;
//         packed is what conv_blocked_cpu_winograd_weights makes.
// Assumes: fewer than 2^31 elements in every tensor; pitch is whole register tiles long; local size 1.
// Macros: none.
#include "common/epilogue_blocked.h"
#include "common/launched.h"
#include "common/prefetch.h"
#include "common/winograd.h"

#define BW_UNROLL _Pragma("unroll")
// A part of 16 floats; vload16 and vstore16 take some compilers much longer.
#define BW_LOAD(SPACE, from) (*(SPACE const StoredPart *)(from))
#define BW_STORE(SPACE, value, to) *(SPACE StoredPart *)(to) = (value)
#define BW_ADD_BEFORE 1
#define BW_ADD_AFTER 2

WINOGRAD_INPUTS_4(bw_inputs_4, BlockedPart)
WINOGRAD_INPUTS_2(bw_inputs_2, BlockedPart)
WINOGRAD_BACK_4(bw_back_4, BlockedPart)
WINOGRAD_BACK_2(bw_back_2, BlockedPart)

// Transforms the tiles first ... end - 1 of one block of channels; the first goes to to[0], positions are `step` apart.
// x is the block in the first image, without what is left out; x_shape is [rows, columns] of x and of what is read of
// it. A tile that reaches beyond reads the last row or column again: what it makes of them is not stored.
#define BW_TRANSFORM(name, TILE, EDGE, SPACE, transform)                                                            \
    __attribute__((noinline)) static void name(                                                                     \
            __global const float *x, SPACE float *to, int image_len, int4 x_shape, int2 tile_size, int tiles,       \
            int first, int end, int step) {                                                                         \
        for (int t = first; t < end; ++t, to += 16) {                                                               \
            const int tile = min(t, tiles - 1);                                                                     \
            const int line = tile / tile_size.y;                                                                    \
            const int image = line / tile_size.x;                                                                   \
            const int row = (line - image * tile_size.x) * TILE;                                                    \
            const int column = (tile - line * tile_size.y) * TILE;                                                  \
            __global const float *from = x + image * image_len;                                                     \
            int rows[EDGE];                                                                                         \
            BW_UNROLL for (int r = 0; r < EDGE; ++r) {                                                              \
                rows[r] = min(row + r, x_shape.s2 - 1) * x_shape.s1 * 16;                                           \
            }                                                                                                       \
            for (int lane = 0; lane < 16; lane += REGISTER_LANES) {                                                 \
                BlockedPart down[EDGE * EDGE];                                                                      \
                BW_UNROLL for (int c = 0; c < EDGE; ++c) {                                                          \
                    BlockedPart d[EDGE];                                                                            \
                    __global const float *at = from + min(column + c, x_shape.s3 - 1) * 16 + lane;                  \
                    BW_UNROLL for (int r = 0; r < EDGE; ++r) {                                                      \
                        d[r] = BW_LOAD(__global, at + rows[r]);                                                     \
                    }                                                                                               \
                    transform(d, down + c, EDGE);                                                                   \
                }                                                                                                   \
                BW_UNROLL for (int r = 0; r < EDGE; ++r) {                                                          \
                    BlockedPart across[EDGE];                                                                       \
                    transform(down + r * EDGE, across, 1);                                                          \
                    BW_UNROLL for (int c = 0; c < EDGE; ++c) {                                                      \
                        BW_STORE(SPACE, across[c], to + (r * EDGE + c) * step + lane);                              \
                    }                                                                                               \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

BW_TRANSFORM(bw_transform_4, 4, 6, __global, bw_inputs_4)
BW_TRANSFORM(bw_transform_2, 2, 4, __global, bw_inputs_2)
BW_TRANSFORM(bw_transform_local_4, 4, 6, __local, bw_inputs_4)

// The sums over `blocks` blocks of in channels, the last one of last_lanes, of P tiles and B blocks of out channels
// at one position; where `add`, they are added to those in `to`. Vectors of a block are v_step or m_step apart.
// `lines` cache lines from `next` on are asked for with each block. Vectors are loaded by vload16, a call, and not
// as elsewhere: compilers that see through it bring the channels of a value together, which halves the rate.
#define BW_MULTIPLY(name, P, B, SPACE)                                                                              \
    __attribute__((noinline)) static void name(                                                                     \
            __global const float *weight, SPACE const float *values, SPACE float *to, int blocks, int v_step,       \
            int m_step, int add, int last_lanes, __global const float *next, int lines) {                           \
        float16 sum[P][B];                                                                                          \
        BW_UNROLL for (int o = 0; o < B; ++o) {                                                                     \
            BW_UNROLL for (int i = 0; i < P; ++i) {                                                                 \
                sum[i][o] = add ? vload16(0, to + o * m_step + i * 16) : (float16)0.0f;                             \
            }                                                                                                       \
        }                                                                                                           \
        for (int block = 0; block < blocks; ++block, values += v_step) {                                            \
            for (int line = 0; line < lines; ++line, next += 16) {                                                  \
                PREFETCH(next);                                                                                     \
            }                                                                                                       \
            const int lanes = block + 1 < blocks ? 16 : last_lanes;                                                 \
            _Pragma("unroll 1") for (int c = 0; c < lanes; ++c, weight += B * 16) {                                 \
                float16 w[B];                                                                                       \
                BW_UNROLL for (int o = 0; o < B; ++o) {                                                             \
                    w[o] = vload16(0, weight + o * 16);                                                             \
                }                                                                                                   \
                BW_UNROLL for (int i = 0; i < P; ++i) {                                                             \
                    const float16 v = (float16)(values[i * 16 + c]);                                                \
                    BW_UNROLL for (int o = 0; o < B; ++o) {                                                         \
                        sum[i][o] = v * w[o] + sum[i][o];                                                           \
                    }                                                                                               \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        BW_UNROLL for (int o = 0; o < B; ++o) {                                                                     \
            BW_UNROLL for (int i = 0; i < P; ++i) {                                                                 \
                vstore16(sum[i][o], 0, to + o * m_step + i * 16);                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

BW_MULTIPLY(bw_multiply_14x2, 14, 2, __global)
BW_MULTIPLY(bw_multiply_12x2, 12, 2, __global)
BW_MULTIPLY(bw_multiply_8x2, 8, 2, __global)
BW_MULTIPLY(bw_multiply_7x4, 7, 4, __global)
BW_MULTIPLY(bw_multiply_14x1, 14, 1, __global)
BW_MULTIPLY(bw_multiply_6x1, 6, 1, __global)
BW_MULTIPLY(bw_multiply_5x1, 5, 1, __global)
BW_MULTIPLY(bw_multiply_4x1, 4, 1, __global)
BW_MULTIPLY(bw_multiply_local_14x2, 14, 2, __local)
BW_MULTIPLY(bw_multiply_local_14x1, 14, 1, __local)
BW_MULTIPLY(bw_multiply_local_5x1, 5, 1, __local)
BW_MULTIPLY(bw_multiply_local_4x1, 4, 1, __local)

// 14 tiles and one block of out channels, in as few register tiles as the device has room for.
static inline void bw_multiply_local_run(
        __global const float *weight, __local const float *values, __local float *to, int blocks, int step,
        int last_lanes) {
#if REGISTER_LANES == 16
    bw_multiply_local_14x1(weight, values, to, blocks, step, step, 0, last_lanes, weight, 0);
#else
    bw_multiply_local_5x1(weight, values, to, blocks, step, step, 0, last_lanes, weight, 0);
    bw_multiply_local_5x1(weight, values + 80, to + 80, blocks, step, step, 0, last_lanes, weight, 0);
    bw_multiply_local_4x1(weight, values + 160, to + 160, blocks, step, step, 0, last_lanes, weight, 0);
#endif
}

#define BW_MULTIPLY_TILE(name, P, B)                                                                                \
    if (IS_LAUNCHED(conv_blocked_cpu_winograd_multiply, register_tile_x, P)                                         \
            && IS_LAUNCHED(conv_blocked_cpu_winograd_multiply, register_tile_y, B) && register_tile.x == P          \
            && register_tile.y == B) {                                                                              \
        name(weight, v, m, count, step, step, chunk, last, next, lines);                                            \
    }

// What follows the sums of one block of channels. y and residual are its first pixel in one image, without margin.
typedef struct {
    __global float *y;
    __global const float *before;
    __global const float *after;
    int y_row;
    int residual_row;
    int2 size;
    BlockedPart bias[16 / REGISTER_LANES];
    BlockedPart slopes[16 / REGISTER_LANES];
    float low;
    float high;
    int activation;
} BwBlock;

static inline BlockedPart bw_bounded(BlockedPart sum, float low, float high) {
    const BlockedPart raised = sum < low ? (BlockedPart)low : sum;
    return raised > high ? (BlockedPart)high : raised;
}

// Transforms the products of one tile back, of which `from` is the first position, and finishes its pixels.
#define BW_BACK(name, TILE, EDGE, SPACE, transform)                                                                 \
    __attribute__((noinline)) static void name(                                                                     \
            const BwBlock *b, SPACE const float *from, int step, int row, int column) {                             \
        const int height = min(TILE, b->size.x - row);                                                              \
        const int width = min(TILE, b->size.y - column);                                                            \
        for (int lane = 0; lane < 16; lane += REGISTER_LANES, from += REGISTER_LANES) {                             \
            const BlockedPart bias = b->bias[lane / REGISTER_LANES];                                                \
            const BlockedPart slopes = b->slopes[lane / REGISTER_LANES];                                            \
            BlockedPart down[TILE * EDGE];                                                                          \
            BW_UNROLL for (int c = 0; c < EDGE; ++c) {                                                              \
                BlockedPart m[EDGE];                                                                                \
                BW_UNROLL for (int r = 0; r < EDGE; ++r) {                                                          \
                    m[r] = BW_LOAD(SPACE, from + (r * EDGE + c) * step);                                            \
                }                                                                                                   \
                transform(m, down + c, EDGE);                                                                       \
            }                                                                                                       \
            BW_UNROLL for (int r = 0; r < TILE; ++r) {                                                              \
                if (r < height) {                                                                                   \
                    BlockedPart o[TILE];                                                                            \
                    transform(down + r * EDGE, o, 1);                                                               \
                    __global float *to = b->y + (row + r) * b->y_row + column * 16 + lane;                          \
                    const int residual_at = (row + r) * b->residual_row + column * 16 + lane;                       \
                    BW_UNROLL for (int c = 0; c < TILE; ++c) {                                                      \
                        if (c < width) {                                                                            \
                            BlockedPart v = o[c] + bias;                                                            \
                            v = b->before ? v + BW_LOAD(__global, b->before + residual_at + c * 16) : v;            \
                            v = bw_bounded(v < 0.0f ? slopes * v : v, b->low, b->high);                             \
                            v = b->after ? v + BW_LOAD(__global, b->after + residual_at + c * 16) : v;              \
                            BW_STORE(__global, v, to + c * 16);                                                     \
                        }                                                                                           \
                    }                                                                                               \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

BW_BACK(bw_finish_4, 4, 6, __global, bw_back_4)
BW_BACK(bw_finish_2, 2, 4, __global, bw_back_2)
BW_BACK(bw_finish_local_4, 4, 6, __local, bw_back_4)

// What all blocks of y share; the arguments of the kernels have the same names.
typedef struct {
    __global const float *bias;
    __global const float *residual;
    __global const float *slope;
    __global float *y;
    int slope_step;
    float alpha;
    float beta;
    int activation;
    int residual_add;
    int4 out_shape;
    int4 halo;
    int4 residual_shape;
} BwOutput;

static BwBlock bw_block(const BwOutput *o, int image, int block) {
    const int plane = image * o->out_shape.s0 + block;
    const int smooth = blocked_is_smooth(o->activation);
    BwBlock b;
    b.size = o->out_shape.s12;
    b.y_row = (o->halo.s1 + b.size.y + o->halo.s3) * 16;
    b.y = o->y + (plane * (o->halo.s0 + b.size.x + o->halo.s2) + o->halo.s0) * b.y_row + o->halo.s1 * 16;
    b.residual_row = o->residual_shape.s1 * 16;
    b.before = 0;
    b.after = 0;
    if (o->residual_add) {
        __global const float *residual = o->residual
                + (plane * o->residual_shape.s0 + o->residual_shape.s2) * b.residual_row + o->residual_shape.s3 * 16;
        b.before = o->residual_add == BW_ADD_BEFORE ? residual : 0;
        b.after = o->residual_add == BW_ADD_AFTER ? residual : 0;
    }
    vstore16(blocked_lanes(o->bias, block * 16, o->out_shape.s3), 0, (float *)b.bias);
    vstore16(blocked_slopes(o->slope, o->slope_step, o->activation, o->alpha, block * 16, o->out_shape.s3), 0,
            (float *)b.slopes);
    b.low = blocked_low(o->activation, o->alpha);
    b.high = blocked_high(o->activation, o->beta);
    b.activation = smooth ? o->activation : FUNCTION_NONE;
    return b;
}

// The tiles first ... end - 1 of one block, the first of them at `from`, with the margin of y beside them.
#define BW_FINISH(name, TILE, SPACE, finish)                                                                        \
    __attribute__((noinline)) static void name(                                                                     \
            const BwOutput *o, SPACE const float *from, int step, int2 tile_size, int first, int end, int block) {  \
        BwBlock b;                                                                                                  \
        __global const float *after = 0;                                                                            \
        int image = -1;                                                                                             \
        for (int t = first; t < end; ++t, from += 16) {                                                             \
            const int line = t / tile_size.y;                                                                       \
            const int row = (line % tile_size.x) * TILE;                                                            \
            const int column = (t - line * tile_size.y) * TILE;                                                     \
            if (line / tile_size.x != image) {                                                                      \
                image = line / tile_size.x;                                                                         \
                b = bw_block(o, image, block);                                                                      \
                after = b.after;                                                                                    \
                b.after = b.activation ? 0 : after;                                                                 \
            }                                                                                                       \
            finish(&b, from, step, row, column);                                                                    \
            const int row_end = min(row + TILE, b.size.x);                                                          \
            if (b.activation) {                                                                                     \
                for (int r = row; r < row_end; ++r) {                                                               \
                    __global const float *added = after ? after + r * b.residual_row + column * 16 : 0;             \
                    blocked_smooth_run(b.y + r * b.y_row + column * 16, added, min(TILE, b.size.y - column),        \
                            b.activation);                                                                          \
                }                                                                                                   \
            }                                                                                                       \
            if (column == 0) {                                                                                      \
                blocked_margin(b.y - o->halo.s0 * b.y_row - o->halo.s1 * 16, b.size, o->halo, row * b.size.y,       \
                        row_end * b.size.y);                                                                        \
            }                                                                                                       \
        }                                                                                                           \
    }

BW_FINISH(bw_finish_tiles_4, 4, __global, bw_finish_4)
BW_FINISH(bw_finish_tiles_2, 2, __global, bw_finish_2)
BW_FINISH(bw_finish_tiles_local_4, 4, __local, bw_finish_local_4)

#define BW_OUTPUT                                                                                                   \
    {bias, residual, slope, y, slope_step, alpha, beta, activation, residual_add, out_shape, halo, residual_shape}

// Global size [parts of the tiles, in blocks]; x_shape is [rows, columns] of x and of what is read of it.
__kernel void conv_blocked_cpu_winograd_in(
        __global const float *x,
        __global float *transformed,
        const int tile,
        const int4 x_shape,
        const int2 crop,
        const int blocks,
        const int2 tile_size,
        const int tiles,
        const int pitch,
        const int parts) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = (int)((long)pitch * at.x / parts);
    const int end = (int)((long)pitch * (at.x + 1) / parts);
    const int plane_len = x_shape.s0 * x_shape.s1 * 16;
    __global const float *from = x + at.y * plane_len + (crop.x * x_shape.s1 + crop.y) * 16;
    __global float *to = transformed + (at.y * pitch + first) * 16;
    if (IS_LAUNCHED(conv_blocked_cpu_winograd_in, tile, 4) && tile == 4) {
        bw_transform_4(from, to, blocks * plane_len, x_shape, tile_size, tiles, first, end, blocks * pitch * 16);
    } else if (IS_LAUNCHED(conv_blocked_cpu_winograd_in, tile, 2)) {
        bw_transform_2(from, to, blocks * plane_len, x_shape, tile_size, tiles, first, end, blocks * pitch * 16);
    }
}

// Global size [positions, parts of the groups, parts of the tiles]; register_tile is [tiles, blocks of a group],
// last_lanes the channels of the last in block, chunk_blocks how many in blocks are summed up before the next tiles.
// Weights are asked for early where ahead is 1.
__kernel void conv_blocked_cpu_winograd_multiply(
        __global const float *transformed,
        __global const float *packed,
        __global float *products,
        const int in_blocks,
        const int last_lanes,
        const int out_blocks,
        const int pitch,
        const int2 register_tile,
        const int chunk_blocks,
        const int ahead,
        const int2 parts) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int groups = out_blocks / register_tile.y;
    const int first_group = (int)((long)groups * at.y / parts.x);
    const int end_group = (int)((long)groups * (at.y + 1) / parts.x);
    const int runs = pitch / register_tile.x;
    const int first = (int)((long)runs * at.z / parts.y);
    const int end = (int)((long)runs * (at.z + 1) / parts.y);
    const int step = pitch * 16;
    const int block_len = 256 * register_tile.y;
    const int lines = ahead && end > first ? (16 * register_tile.y + end - first - 1) / (end - first) : 0;
    __global const float *values = transformed + at.x * in_blocks * step;
    for (int group = first_group; group < end_group; ++group) {
        for (int chunk = 0; chunk < in_blocks; chunk += chunk_blocks) {
            const int count = min(chunk_blocks, in_blocks - chunk);
            const int last = chunk + count < in_blocks ? 16 : last_lanes;
            __global const float *weight = packed + ((at.x * groups + group) * in_blocks + chunk) * block_len;
            __global const float *next = weight + count * block_len;
            __global float *to = products + (at.x * out_blocks + group * register_tile.y) * step;
            for (int run = first; run < end; ++run, next += count * lines * 16) {
                __global const float *v = values + chunk * step + run * register_tile.x * 16;
                __global float *m = to + run * register_tile.x * 16;
                BW_MULTIPLY_TILE(bw_multiply_14x2, 14, 2)
                BW_MULTIPLY_TILE(bw_multiply_12x2, 12, 2)
                BW_MULTIPLY_TILE(bw_multiply_8x2, 8, 2)
                BW_MULTIPLY_TILE(bw_multiply_7x4, 7, 4)
                BW_MULTIPLY_TILE(bw_multiply_14x1, 14, 1)
                BW_MULTIPLY_TILE(bw_multiply_6x1, 6, 1)
                BW_MULTIPLY_TILE(bw_multiply_5x1, 5, 1)
                BW_MULTIPLY_TILE(bw_multiply_4x1, 4, 1)
            }
        }
    }
}

// Global size [parts of the tiles, out blocks].
__kernel void conv_blocked_cpu_winograd_out(
        __global const float *products,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int tile,
        const int2 tile_size,
        const int tiles,
        const int pitch,
        const int parts,
        const int slope_step,
        const float alpha,
        const float beta,
        const int activation,
        const int residual_add,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const BwOutput output = BW_OUTPUT;
    const int first = (int)((long)tiles * at.x / parts);
    const int end = (int)((long)tiles * (at.x + 1) / parts);
    const int step = out_shape.s0 * pitch * 16;
    __global const float *from = products + (at.y * pitch + first) * 16;
    if (IS_LAUNCHED(conv_blocked_cpu_winograd_out, tile, 4) && tile == 4) {
        bw_finish_tiles_4(&output, from, step, tile_size, first, end, at.y);
    } else if (IS_LAUNCHED(conv_blocked_cpu_winograd_out, tile, 2)) {
        bw_finish_tiles_2(&output, from, step, tile_size, first, end, at.y);
    }
}

// Everything in one launch, for tiles of 4x4: global size [bands], each of up to `band` tiles, a multiple of 14;
// scratch holds 36 * (in_blocks + group_blocks) * band * 16 floats.
__kernel void conv_blocked_cpu_winograd_whole(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        __local float *scratch,
        const int4 x_shape,
        const int2 crop,
        const int in_blocks,
        const int last_lanes,
        const int group_blocks,
        const int2 tile_size,
        const int tiles,
        const int band,
        const int slope_step,
        const float alpha,
        const float beta,
        const int activation,
        const int residual_add,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const BwOutput output = BW_OUTPUT;
    const int first = at.x * band;
    const int end = min(first + band, tiles);
    const int runs = (end - first + 13) / 14;
    const int step = band * 16;
    const int plane_len = x_shape.s0 * x_shape.s1 * 16;
    const int block_len = 256 * group_blocks;
    const int groups = out_shape.s0 / group_blocks;
    __global const float *from = x + (crop.x * x_shape.s1 + crop.y) * 16;
    for (int block = 0; block < in_blocks; ++block) {
        bw_transform_local_4(from + block * plane_len, scratch + block * step, in_blocks * plane_len, x_shape,
                tile_size, tiles, first, first + runs * 14, in_blocks * step);
    }
    __local float *products = scratch + 36 * in_blocks * step;
    for (int group = 0; group < groups; ++group) {
        for (int position = 0; position < 36; ++position) {
            __global const float *weight = packed + (position * groups + group) * in_blocks * block_len;
            for (int run = 0; run < runs; ++run) {
                __local const float *v = scratch + position * in_blocks * step + run * 14 * 16;
                __local float *m = products + position * group_blocks * step + run * 14 * 16;
                if (IS_LAUNCHED(conv_blocked_cpu_winograd_whole, group_blocks, 2) && group_blocks == 2) {
                    bw_multiply_local_14x2(weight, v, m, in_blocks, step, step, 0, last_lanes, weight, 0);
                } else if (IS_LAUNCHED(conv_blocked_cpu_winograd_whole, group_blocks, 1)) {
                    bw_multiply_local_run(weight, v, m, in_blocks, step, last_lanes);
                }
            }
        }
        for (int o = 0; o < group_blocks; ++o) {
            bw_finish_tiles_local_4(&output, products + o * step, group_blocks * step, tile_size, first, end,
                    group * group_blocks + o);
        }
    }
}
