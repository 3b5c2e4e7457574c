// Direct convolution of blocked channels by register tiles: some pixels of a row times some blocks of output channels,
// with what follows it. An item computes a band of tiles for a range of channel tiles of one image.
//
// Layout: x, residual, y [image, block, row, column, 16], dense; shapes as in conv_blocked_ref.cl. packed is as
//         conv_blocked_cpu_pack.cl makes it. instance chooses the tile (TILE_INSTANCES); a row of y has `tiles`, the
//         last one moved back to the end of the row; tiles of single pixels count over all rows. in_step is the input
//         blocks that are added up at a time; band_step how many tiles cannot be divided between items.
// Assumes: fewer than 2^31 elements in every tensor; bias, residual, slope may be NULL, slope not with PRELU; in_step
//          less than all only where tiles do not overlap. With is_margined x, without crop, is 0 outside of `inside`,
//          [first row, first column, end row, end column]. Global size [bands, ranges of channel tiles, images].
// Macros: none.
#include "common/epilogue_blocked.h"
#include "common/launched.h"
#include "common/prefetch.h"

// What an item knows. Pointers are at the first pixel of its image; pitches and planes in floats.
typedef struct {
    __global const float *x;
    __global const float *packed;
    __global const float *bias;
    __global const float *residual;
    __global const float *slope;
    __global float *y;
    int x_pitch;
    int x_plane;
    int y_pitch;
    int y_plane;
    int residual_pitch;
    int residual_plane;
    int2 kernel_size;
    int2 stride;
    int2 dilation;
    int2 step;
    int2 spread;
    int4 inside;
    int is_margined;
    int columns;
    int pixels;
    int tiles;
    int group_in;
    int group_out;
    int group_tiles;
    int tile_blocks;
    int last_lanes;
    int channels;
    int in_step;
    int prefetch;
    int slope_step;
    int activation;
    int residual_before;
    int residual_after;
    int is_bounded;
    int is_finished_later;
    float alpha;
    float low;
    float high;
} ConvBlockedTile;

#define TILE_EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)
#define TILE_SUMS(PIXELS, BLOCKS, value)                                                                            \
    TILE_EACH(o, BLOCKS) {                                                                                          \
        TILE_EACH(i, PIXELS) {                                                                                      \
            sum[i][o] = value;                                                                                      \
        }                                                                                                           \
    }

// What follows the sums and is not done before they are stored: leaky and smooth activations, a residual after them.
__attribute__((noinline)) static void conv_blocked_cpu_tile_finish(
        const ConvBlockedTile *c, __global float *y, __global const float *residual, int block, int count) {
    const float16 slopes = blocked_slopes(c->slope, c->slope_step, c->activation, c->alpha, block * 16, c->channels);
    for (int i = 0; i < count; ++i) {
        float16 value = blocked_load(y + i * 16);
        if (blocked_is_smooth(c->activation)) {
            value = blocked_smooth(value, c->activation);
        } else if (!c->is_bounded) {
            value = blocked_bent(value, slopes);
        }
        if (c->residual_after) {
            value += blocked_load(residual + i * 16);
        }
        blocked_store(value, y + i * 16);
    }
}

// Adds one lane of the inputs to all sums.
#define TILE_STEP(PIXELS, BLOCKS, X_AT, LANE)                                                                       \
    {                                                                                                               \
        float16 weight[BLOCKS];                                                                                     \
        TILE_EACH(o, BLOCKS) {                                                                                      \
            weight[o] = blocked_load(w + o * 16);                                                                   \
        }                                                                                                           \
        TILE_EACH(i, PIXELS) {                                                                                      \
            const float16 value = x[X_AT + LANE];                                                                   \
            TILE_EACH(o, BLOCKS) {                                                                                  \
                sum[i][o] += value * weight[o];                                                                     \
            }                                                                                                       \
        }                                                                                                           \
    }

#define TILE_PREFETCH                                                                                               \
    for (int line = 0; line < ahead; ++line) {                                                                      \
        PREFETCH(next);                                                                                             \
        next += 16;                                                                                                 \
    }

// Adds all taps of the input blocks in [from, to).
#define TILE_TAPS(PIXELS, BLOCKS, X_AT)                                                                             \
    for (int in_block = from; in_block < to; ++in_block) {                                                          \
        const int lanes = in_block + 1 == c->group_in ? c->last_lanes : 16;                                         \
        __global const float *x_block = x_group + in_block * c->x_plane + x_first;                                  \
        for (int ky = ky_from; ky < ky_to; ++ky) {                                                                  \
            for (int kx = kx_from; kx < kx_to; ++kx) {                                                              \
                __global const float *x = x_block + ky * c->dilation.x + kx * c->dilation.y;                        \
                TILE_PREFETCH                                                                                       \
                __global const float *w = weights + (ky * c->kernel_size.y + kx) * 16 * run;                        \
                _Pragma("unroll 1") for (int lane = 0; lane < lanes; ++lane) {                                      \
                    TILE_STEP(PIXELS, BLOCKS, X_AT, lane)                                                           \
                    w += run;                                                                                       \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        weights += taps * 16 * run;                                                                                 \
    }

// Adds the input blocks in [from, to) of a kernel of one tap whose tiles have all blocks.
#define TILE_POINTS(PIXELS, BLOCKS, X_AT)                                                                           \
    __global const float *x = x_group + from * c->x_plane + x_first;                                                \
    __global const float *w = weights;                                                                              \
    for (int in_block = from; in_block < to; ++in_block) {                                                          \
        const int lanes = in_block + 1 == c->group_in ? c->last_lanes : 16;                                         \
        TILE_PREFETCH                                                                                               \
        if (lanes == 16) {                                                                                          \
            TILE_EACH(lane, 16) {                                                                                   \
                TILE_STEP(PIXELS, BLOCKS, X_AT, lane)                                                               \
                w += 16 * BLOCKS;                                                                                   \
            }                                                                                                       \
        } else {                                                                                                    \
            _Pragma("unroll 1") for (int lane = 0; lane < lanes; ++lane) {                                          \
                TILE_STEP(PIXELS, BLOCKS, X_AT, lane)                                                               \
                w += 16 * BLOCKS;                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        x += c->x_plane;                                                                                            \
    }

// A tile of PIXELS pixels and BLOCKS blocks of 16 output channels. PLACE says where its pixels lie, ADD adds the taps,
// X_AT, Y_AT and R_AT are the distances from the first pixel in x, y and the residual, AFTER is done in memory. Blocks that do not exist are
// stored where the last one is, before it.
#define TILE_BODY(PIXELS, BLOCKS, PLACE, ADD, X_AT, Y_AT, R_AT, AFTER)                                              \
    const int taps = c->kernel_size.x * c->kernel_size.y;                                                           \
    const int run = c->tile_blocks * 16;                                                                            \
    const int ahead = c->prefetch ? (16 * BLOCKS + end - begin - 1) / (end - begin) : 0;                            \
    for (int tile_of_channels = first; tile_of_channels < last; ++tile_of_channels) {                               \
        const int group = tile_of_channels / c->group_tiles;                                                        \
        const int in_group = tile_of_channels % c->group_tiles * c->tile_blocks;                                    \
        const int block = group * c->group_out + in_group;                                                          \
        const int last_block = min(c->group_out - in_group, BLOCKS) - 1;                                            \
        __global const float *x_group = c->x + group * c->group_in * c->x_plane;                                    \
        float16 bias[BLOCKS];                                                                                       \
        TILE_EACH(o, BLOCKS) {                                                                                      \
            bias[o] = blocked_lanes(c->bias, (block + o) * 16, c->channels);                                        \
        }                                                                                                           \
        for (int from = 0; from < c->group_in; from += c->in_step) {                                                \
            const int to = min(from + c->in_step, c->group_in);                                                     \
            __global const float *chunk = c->packed + (tile_of_channels * c->group_in + from) * taps * 16 * run;    \
            __global const float *next = chunk + (to - from) * taps * 16 * run;                                     \
            for (int tile = begin; tile < end; ++tile) {                                                            \
                PLACE                                                                                               \
                __global float *y = c->y + block * c->y_plane + y_first;                                            \
                float16 sum[PIXELS][BLOCKS];                                                                        \
                if (from == 0) {                                                                                    \
                    TILE_SUMS(PIXELS, BLOCKS, bias[o])                                                              \
                } else {                                                                                            \
                    TILE_SUMS(PIXELS, BLOCKS, blocked_load(y + min(o, last_block) * c->y_plane + Y_AT))             \
                }                                                                                                   \
                __global const float *weights = chunk;                                                              \
                ADD(PIXELS, BLOCKS, X_AT)                                                                           \
                const int done = to == c->group_in;                                                                 \
                __global const float *residual = c->residual + block * c->residual_plane + r_first;                 \
                if (done && c->residual_before) {                                                                   \
                    TILE_SUMS(                                                                                      \
                            PIXELS, BLOCKS,                                                                         \
                            sum[i][o] + blocked_load(residual + min(o, last_block) * c->residual_plane + R_AT))     \
                }                                                                                                   \
                if (done && c->is_bounded) {                                                                        \
                    TILE_SUMS(PIXELS, BLOCKS, clip16(sum[i][o], c->low, c->high))                                   \
                }                                                                                                   \
                TILE_EACH(o, BLOCKS) {                                                                              \
                    TILE_EACH(i, PIXELS) {                                                                          \
                        const int backwards = BLOCKS - 1 - o;                                                       \
                        blocked_store(sum[i][backwards], y + min(backwards, last_block) * c->y_plane + Y_AT);       \
                    }                                                                                               \
                }                                                                                                   \
                if (done && c->is_finished_later) {                                                                 \
                    for (int o = 0; o <= last_block; ++o) {                                                         \
                        AFTER                                                                                       \
                    }                                                                                               \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

// How many of `taps` taps, `spread` apart, lie before `distance`.
static inline int taps_before(int distance, int spread, int taps) {
    return clamp((distance + spread - 1) / spread, 0, taps);
}

// A part of a row, with a horizontal stride that is known when the kernel is built. Taps that meet the margin of zeros
// with all its pixels are left out.
#define TILE_OF_ROW(PIXELS, BLOCKS, STEP)                                                                           \
    __attribute__((noinline)) static void conv_blocked_cpu_tile_##PIXELS##x##BLOCKS##s##STEP(                       \
            const ConvBlockedTile *c, int first, int last, int begin, int end) {                                    \
        TILE_BODY(                                                                                                  \
                PIXELS, BLOCKS,                                                                                     \
                const int row = tile / c->tiles;                                                                    \
                const int column = min((tile - row * c->tiles) * PIXELS, c->columns - PIXELS);                      \
                const int x_first = row * c->stride.x + column * STEP * 16;                                         \
                const int y_first = row * c->y_pitch + column * 16;                                                 \
                const int r_first = row * c->residual_pitch + column * 16;                                          \
                int ky_from = 0; int ky_to = c->kernel_size.x; int kx_from = 0; int kx_to = c->kernel_size.y;       \
                if (c->is_margined) {                                                                               \
                    const int at_row = row * c->step.x;                                                             \
                    const int at_column = column * STEP;                                                            \
                    const int end_column = (column + PIXELS - 1) * STEP;                                            \
                    ky_from = taps_before(c->inside.s0 - at_row, c->spread.x, ky_to);                               \
                    ky_to = taps_before(c->inside.s2 - at_row, c->spread.x, ky_to);                                 \
                    kx_from = taps_before(c->inside.s1 - end_column, c->spread.y, kx_to);                           \
                    kx_to = taps_before(c->inside.s3 - at_column, c->spread.y, kx_to);                              \
                },                                                                                                  \
                TILE_TAPS, i * STEP * 16, i * 16, i * 16,                                                           \
                conv_blocked_cpu_tile_finish(c, y + o * c->y_plane, residual + o * c->residual_plane, block + o, PIXELS);)\
    }

// PIXELS pixels that follow one another, in one row or several, with any stride; beyond the last it is repeated.
#define TILE_OF_PIXELS(PIXELS, BLOCKS)                                                                              \
    __attribute__((noinline)) static void conv_blocked_cpu_tile_##PIXELS##x##BLOCKS(                                \
            const ConvBlockedTile *c, int first, int last, int begin, int end) {                                    \
        TILE_BODY(                                                                                                  \
                PIXELS, BLOCKS,                                                                                     \
                const int count = min(c->pixels - tile * PIXELS, PIXELS);                                           \
                const int x_first = 0; const int y_first = 0; const int r_first = 0;                                \
                const int ky_from = 0; const int ky_to = c->kernel_size.x;                                          \
                const int kx_from = 0; const int kx_to = c->kernel_size.y;                                          \
                int x_at[PIXELS]; int y_at[PIXELS]; int r_at[PIXELS];                                               \
                TILE_EACH(i, PIXELS) {                                                                              \
                    const int pixel = tile * PIXELS + min(i, count - 1);                                            \
                    const int row = pixel / c->columns;                                                             \
                    const int column = pixel - row * c->columns;                                                    \
                    x_at[i] = row * c->stride.x + column * c->stride.y;                                             \
                    y_at[i] = row * c->y_pitch + column * 16;                                                       \
                    r_at[i] = row * c->residual_pitch + column * 16;                                                \
                },                                                                                                  \
                TILE_TAPS, x_at[i], y_at[i], r_at[i],                                                               \
                for (int i = 0; i < count; ++i) {                                                                   \
                    conv_blocked_cpu_tile_finish(                                                                   \
                            c, y + o * c->y_plane + y_at[i], residual + o * c->residual_plane + r_at[i],            \
                            block + o, 1);                                                                          \
                })                                                                                                  \
    }

// PIXELS pixels that follow one another, of a kernel of one tap with stride 1 whose x has no crop: dense in x, and with
// at most one end of a row among them in y.
#define TILE_OF_POINTS(PIXELS, BLOCKS)                                                                              \
    __attribute__((noinline)) static void conv_blocked_cpu_tile_##PIXELS##x##BLOCKS##p(                             \
            const ConvBlockedTile *c, int first, int last, int begin, int end) {                                    \
        TILE_BODY(                                                                                                  \
                PIXELS, BLOCKS,                                                                                     \
                const int row = tile * PIXELS / c->columns;                                                         \
                const int column = tile * PIXELS - row * c->columns;                                                \
                const int x_first = tile * PIXELS * 16;                                                             \
                const int y_first = row * c->y_pitch + column * 16;                                                 \
                const int r_first = row * c->residual_pitch + column * 16;                                          \
                const int y_gap = c->y_pitch - c->columns * 16;                                                     \
                const int r_gap = c->residual_pitch - c->columns * 16;,                                             \
                TILE_POINTS, i * 16, i * 16 + (column + i < c->columns ? 0 : y_gap),                                \
                i * 16 + (column + i < c->columns ? 0 : r_gap),                                                     \
                for (int i = 0; i < PIXELS; ++i) {                                                                  \
                    conv_blocked_cpu_tile_finish(                                                                   \
                            c, y + o * c->y_plane + i * 16 + (column + i < c->columns ? 0 : y_gap),                 \
                            residual + o * c->residual_plane + i * 16 + (column + i < c->columns ? 0 : r_gap),      \
                            block + o, 1);                                                                          \
                })                                                                                                  \
    }

// The description chooses among them by their order. Those from 16 on are for registers of 8 floats.
#define TILE_INSTANCES(each)                                                                                        \
    each(0, 14, 2, 1) each(1, 13, 2, 1) each(2, 12, 2, 1) each(3, 10, 2, 1) each(4, 8, 2, 1) each(5, 7, 4, 1)       \
    each(6, 6, 4, 1) each(7, 9, 3, 1) each(8, 8, 3, 1) each(9, 14, 1, 1) each(10, 14, 2, 2) each(11, 7, 4, 2)       \
    each(16, 6, 1, 1) each(17, 5, 1, 1) each(18, 4, 1, 1) each(19, 6, 1, 2) each(20, 5, 1, 2)
#define TILE_DEFINED(number, PIXELS, BLOCKS, STEP) TILE_OF_ROW(PIXELS, BLOCKS, STEP)
#define TILE_CASE(number, PIXELS, BLOCKS, STEP)                                                                     \
    case number:                                                                                                    \
        if (IS_LAUNCHED(conv_blocked_cpu_tile, instance, number)) {                                                 \
            conv_blocked_cpu_tile_##PIXELS##x##BLOCKS##s##STEP(c, first, last, begin, end);                         \
        }                                                                                                           \
        break;

TILE_INSTANCES(TILE_DEFINED)
TILE_OF_PIXELS(8, 2)
TILE_OF_PIXELS(8, 1)
TILE_OF_PIXELS(6, 1)
TILE_OF_PIXELS(5, 1)
TILE_OF_POINTS(6, 1)
TILE_OF_POINTS(5, 1)
TILE_OF_ROW(7, 2, 1)

// Tiles of PIXELS pixels, of which the last of the channels has no more than REST of BLOCKS blocks; one group.
#define TILE_WITH_REST(number, PIXELS, BLOCKS, REST)                                                                \
    case number:                                                                                                    \
        if (IS_LAUNCHED(conv_blocked_cpu_tile, instance, number)) {                                                 \
            const int whole = min(last, c->group_tiles - 1);                                                        \
            conv_blocked_cpu_tile_##PIXELS##x##BLOCKS##s1(c, first, whole, begin, end);                             \
            conv_blocked_cpu_tile_##PIXELS##x##REST##s1(c, max(first, whole), last, begin, end);                    \
        }                                                                                                           \
        break;

// Tiles of points, and the pixels behind the last whole tile.
#define TILE_WITH_TAIL(number, PIXELS, BLOCKS)                                                                      \
    case number:                                                                                                    \
        if (IS_LAUNCHED(conv_blocked_cpu_tile, instance, number)) {                                                 \
            const int whole = min(end, c->pixels / PIXELS);                                                         \
            if (begin < whole) {                                                                                    \
                conv_blocked_cpu_tile_##PIXELS##x##BLOCKS##p(c, first, last, begin, whole);                         \
            }                                                                                                       \
            if (whole < end) {                                                                                      \
                conv_blocked_cpu_tile_##PIXELS##x##BLOCKS(c, first, last, max(begin, whole), end);                  \
            }                                                                                                       \
        }                                                                                                           \
        break;

static void conv_blocked_cpu_tile_chosen(
        const ConvBlockedTile *c, int instance, int first, int last, int begin, int end) {
    switch (instance) {
        TILE_INSTANCES(TILE_CASE)
        case 12:
            if (IS_LAUNCHED(conv_blocked_cpu_tile, instance, 12)) {
                conv_blocked_cpu_tile_8x2(c, first, last, begin, end);
            }
            break;
        case 21:
            if (IS_LAUNCHED(conv_blocked_cpu_tile, instance, 21)) {
                conv_blocked_cpu_tile_6x1(c, first, last, begin, end);
            }
            break;
        case 22:
            if (IS_LAUNCHED(conv_blocked_cpu_tile, instance, 22)) {
                conv_blocked_cpu_tile_5x1(c, first, last, begin, end);
            }
            break;
        TILE_WITH_REST(14, 14, 2, 1)
        TILE_WITH_REST(15, 7, 4, 2)
        TILE_WITH_TAIL(23, 6, 1)
        TILE_WITH_TAIL(24, 5, 1)
        default:
            if (IS_LAUNCHED(conv_blocked_cpu_tile, instance, 13)) {
                conv_blocked_cpu_tile_8x1(c, first, last, begin, end);
            }
    }
}

// tile is [pixels, blocks, tiles of a row or 0, tiles of an image].
__kernel void conv_blocked_cpu_tile(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int activation,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int4 inside,
        const int is_margined,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int groups,
        const int instance,
        const int4 tile,
        const int band_step,
        const int in_step,
        const int prefetch,
        const int2 parts) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int pixels = tile.x;
    const int tiles = tile.z;
    ConvBlockedTile c;
    c.x_pitch = in_shape.z * 16;
    c.x_plane = in_shape.y * c.x_pitch;
    c.y_pitch = (halo.y + out_shape.z + halo.w) * 16;
    c.y_plane = (halo.x + out_shape.y + halo.z) * c.y_pitch;
    c.residual_pitch = residual_shape.y * 16;
    c.residual_plane = residual_shape.x * c.residual_pitch;
    c.x = x + at.z * in_shape.x * c.x_plane + crop.x * c.x_pitch + crop.y * 16;
    c.packed = packed;
    c.bias = bias;
    c.residual = residual ? residual + at.z * out_shape.x * c.residual_plane + residual_shape.z * c.residual_pitch
            + residual_shape.w * 16 : 0;
    c.slope = slope;
    __global float *planes = y + at.z * out_shape.x * c.y_plane;
    c.y = planes + halo.x * c.y_pitch + halo.y * 16;
    c.kernel_size = kernel_size;
    c.stride = (int2)(stride.x * c.x_pitch, stride.y * 16);
    c.dilation = (int2)(dilation.x * c.x_pitch, dilation.y * 16);
    c.step = stride;
    c.spread = dilation;
    c.inside = inside;
    c.is_margined = is_margined;
    c.columns = out_shape.z;
    c.pixels = out_shape.y * out_shape.z;
    c.tiles = tiles;
    c.group_in = in_shape.x / groups;
    c.group_out = out_shape.x / groups;
    c.group_tiles = (c.group_out + tile.y - 1) / tile.y;
    c.tile_blocks = tile.y;
    c.last_lanes = in_shape.w - (in_shape.x - 1) * 16;
    c.channels = out_shape.w;
    c.in_step = in_step;
    c.prefetch = prefetch;
    c.slope_step = slope_step;
    c.activation = activation;
    const int is_leaky = activation == FUNCTION_LEAKY_RELU || activation == FUNCTION_PRELU;
    c.residual_before = residual && !residual_after;
    c.residual_after = residual && residual_after;
    c.is_bounded = blocked_only_clips(activation);
    c.is_finished_later = is_leaky || blocked_is_smooth(activation) || c.residual_after;
    c.alpha = alpha;
    c.low = blocked_low(activation, alpha);
    c.high = blocked_high(activation, beta);

    const int steps = tile.w / band_step;
    const int begin = (int)((long)steps * at.x / parts.x) * band_step;
    const int end = (int)((long)steps * (at.x + 1) / parts.x) * band_step;
    const int channel_tiles = groups * c.group_tiles;
    const int first = (int)((long)channel_tiles * at.y / parts.y);
    const int last = (int)((long)channel_tiles * (at.y + 1) / parts.y);
    if (begin >= end) {
        return;
    }
    if (any(halo != 0)) {
        // Where the tiles of a row divide it, tile by tile; those of single pixels are not bound to rows.
        const int row = tiles ? begin / tiles : 0;
        const int end_row = tiles ? end / tiles : 0;
        const int from = tiles ? row * out_shape.z + (begin - row * tiles) * pixels : begin * pixels;
        const int to = min(tiles ? end_row * out_shape.z + (end - end_row * tiles) * pixels : end * pixels, c.pixels);
        for (int t = first; t < last; ++t) {
            const int in_group = t % c.group_tiles * tile.y;
            const int block = t / c.group_tiles * c.group_out + in_group;
            for (int o = 0; o < min(c.group_out - in_group, tile.y); ++o) {
                blocked_margin(planes + (block + o) * c.y_plane, out_shape.yz, halo, from, to);
            }
        }
    }
    conv_blocked_cpu_tile_chosen(&c, instance, first, last, begin, end);
}
