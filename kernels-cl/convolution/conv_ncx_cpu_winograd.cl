// 3x3 convolution with stride 1 by Winograd's minimal filtering, F(TILE x TILE, 3 x 3): a tile of the output is the
// inverse transform of a product, position by position, of EDGE * EDGE transformed weights and inputs, EDGE = TILE + 2.
// Or a transposed one with stride 2 and padding 1: a tile has 2 rows of each residue, F(2, 2) where that has 2 taps.
//
// Layout: x, residual, y NCHW, dense; weights with strides [out channel, in channel, tap]. A tile is a lane: tiles are
//         counted by [image, tile row, tile column], 16 to a vector. transformed is [tile vector, position, in channel
//         (pitch), tile], equal positions once; packed is [out channel / 8, position, in channel, out channel % 8],
//         with 0 for output channels that do not exist.
// Assumes: fewer than 2^31 elements in every tensor; pitch at least the input channels; local size 1. The tile vectors
//          are divided into blocks of up to VECTORS; an item has one block and 8 out channels, in winograd_whole all.
// Macros: TILE  4 or 2; TRANSPOSED  0, or with TILE 4 the taps of a transposed convolution, 4 or 3; VECTORS  1, 2 or 3;
//         ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/blocked_vector.h"
#include "common/runs.h"
#include "common/epilogue_runs.h"
#include "common/prefetch.h"
#include "common/winograd.h"

#ifndef TILE
#define TILE 4
#endif
#ifndef VECTORS
#define VECTORS 3
#endif
#ifndef TRANSPOSED
#define TRANSPOSED 0
#endif
#define CHANNELS 8
// taps along an axis, products, transformed inputs that differ, inputs from one tile to the next, and inputs of a tile
#if TRANSPOSED == 4
#define TAPS 4
#define EDGE 6
#define SOURCES 5
#define STEP 2
#define PATCH 4
#define SOURCE_OF(i) ((i) - ((i) > 2))
#elif TRANSPOSED == 3
#define TAPS 3
#define EDGE 5
#define SOURCES 4
#define STEP 2
#define PATCH 3
#define SOURCE_OF(i) ((i) == 4 ? 1 : (i))
#else
#define TAPS 3
#define EDGE (TILE + 2)
#define SOURCES EDGE
#define STEP TILE
#define PATCH (STEP + 2)
#define SOURCE_OF(i) (i)
#endif
#define POSITIONS (EDGE * EDGE)
#define LINE (16 * TILE + 32)
#define BLOCK_OF_CHANNELS 16

// 16 floats of private memory.
#define PRIVATE16(at) (*(Blocked16 *)(at))

#define EVEN(a, b)                                                                              \
    ((float16)(a.s0, a.s2, a.s4, a.s6, a.s8, a.sa, a.sc, a.se, b.s0, b.s2, b.s4, b.s6, b.s8, b.sa, b.sc, b.se))
#define ODD(a, b)                                                                               \
    ((float16)(a.s1, a.s3, a.s5, a.s7, a.s9, a.sb, a.sd, a.sf, b.s1, b.s3, b.s5, b.s7, b.s9, b.sb, b.sd, b.sf))
#define FRONT(a, b)                                                                             \
    ((float16)(a.s0, b.s0, a.s1, b.s1, a.s2, b.s2, a.s3, b.s3, a.s4, b.s4, a.s5, b.s5, a.s6, b.s6, a.s7, b.s7))
#define BACK(a, b)                                                                              \
    ((float16)(a.s8, b.s8, a.s9, b.s9, a.sa, b.sa, a.sb, b.sb, a.sc, b.sc, a.sd, b.sd, a.se, b.se, a.sf, b.sf))

// Stores what follows the first STEP of 16 floats.
#if STEP == 4
#define STORE_BEYOND(v, to)                                                                     \
    vstore4(v.s4567, 0, to);                                                                    \
    vstore8((float8)(v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf), 0, to + 4)
#else
#define STORE_BEYOND(v, to)                                                                     \
    vstore2(v.s23, 0, to);                                                                      \
    vstore4(v.s4567, 0, to + 2);                                                                \
    vstore8((float8)(v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf), 0, to + 6)
#endif

// Where a run of tiles begins: tiles that follow one another in a row of tiles.
typedef struct {
    int image;
    int row;
    int column;
} Place;

static inline Place place_of(int tile, int2 tile_size) {
    Place place;
    place.column = tile % tile_size.y;
    place.row = tile / tile_size.y % tile_size.x;
    place.image = tile / tile_size.y / tile_size.x;
    return place;
}

static inline void advance(Place *place, int count, int2 tile_size) {
    place->column += count;
    if (place->column == tile_size.y) {
        place->column = 0;
        if (++place->row == tile_size.x) {
            place->row = 0;
            ++place->image;
        }
    }
}

#if TRANSPOSED
// One column or row of weights, for F(2, 2) where a residue has 2 taps.
static inline void transform_weights(const float *g, float *to, int step) {
#if TRANSPOSED == 3
    to[0] = g[2];
    to[step] = g[2] + g[0];
    to[2 * step] = g[0];
    to[3 * step] = g[1];
    to[4 * step] = g[1];
#else
    to[0] = g[3];
    to[step] = g[3] + g[1];
    to[2 * step] = g[1];
    to[3 * step] = g[2];
    to[4 * step] = g[2] + g[0];
    to[5 * step] = g[0];
#endif
}

// One column or row of inputs.
static inline void transform_inputs(const float16 *d, float16 *to, int step) {
    to[0] = d[0] - d[1];
    to[step] = d[1];
    to[2 * step] = d[1] - d[2];
#if TRANSPOSED == 3
    to[3 * step] = d[0];
#else
    to[3 * step] = d[2];
    to[4 * step] = d[2] - d[3];
#endif
}

// One column or row of sums.
static inline void transform_back(const float16 *m, float16 *to, int step) {
#if TRANSPOSED == 3
    to[0] = m[3];
    to[step] = m[0] + m[1];
    to[2 * step] = m[4];
    to[3 * step] = m[1] - m[2];
#else
    to[0] = m[0] + m[1];
    to[step] = m[3] + m[4];
    to[2 * step] = m[1] - m[2];
    to[3 * step] = m[4] - m[5];
#endif
}
#elif TILE == 4
WINOGRAD_WEIGHTS_4(transform_weights, float)
WINOGRAD_INPUTS_4(transform_inputs, float16)
WINOGRAD_BACK_4(transform_back, float16)
#else
WINOGRAD_WEIGHTS_2(transform_weights, float)
WINOGRAD_INPUTS_2(transform_inputs, float16)
WINOGRAD_BACK_2(transform_back, float16)
#endif

// Transforms `width` columns of PATCH rows of x downwards, into lines[0] ...; x is 0 outside. Those beyond the first
// tile go to shifted[0] ... too.
static inline void transform_columns(
        __global const float *x, int plane_at, int2 from, int2 in_size, int width, int x_len, float *lines,
        float *shifted) {
    const bool inside_rows = from.x >= 0 && from.x + PATCH <= in_size.x;
    for (int c = 0; c < width; c += 16) {
        float16 d[PATCH];
        float16 down[SOURCES];
        const int column = from.y + c;
        const int at = plane_at + from.x * in_size.y + column;
        if (inside_rows && column >= 0 && column + 16 <= in_size.y) {
#pragma unroll
            for (int r = 0; r < PATCH; ++r) {
                d[r] = blocked_load(x + at + r * in_size.y);
            }
        } else {
            const int16 columns = column + LANES;
            const int16 mask = (columns >= 0) & (columns < in_size.y);
            const bool guarded = at < 0 || at + (PATCH - 1) * in_size.y + 16 > x_len;
#pragma unroll
            for (int r = 0; r < PATCH; ++r) {
                d[r] = 0.0f;
                if (from.x + r >= 0 && from.x + r < in_size.x) {
                    const int row_at = at + r * in_size.y;
                    d[r] = guarded ? read_run_guarded(x, row_at, mask, 0.0f) : read_run(x, row_at, mask, 0.0f);
                }
            }
        }
        transform_inputs(d, down, 1);
#pragma unroll
        for (int r = 0; r < SOURCES; ++r) {
            PRIVATE16(lines + r * LINE + c) = down[r];
        }
        if (c > 0) {
#pragma unroll
            for (int r = 0; r < SOURCES; ++r) {
                PRIVATE16(shifted + r * LINE + c - STEP) = down[r];
            }
        } else {
#pragma unroll
            for (int r = 0; r < SOURCES; ++r) {
                STORE_BEYOND(down[r], shifted + r * LINE);
            }
        }
    }
}

// The columns of 16 tiles, one float16 for each of the PATCH columns of a tile. Those of a tile that belong to the
// next one too are read from `shifted`, where each tile has its own.
static inline void spread_columns(const float *line, const float *shifted, float16 *d) {
    const float16 a = PRIVATE16(line);
    const float16 b = PRIVATE16(line + 16);
    const float16 e = PRIVATE16(shifted);
    const float16 f = PRIVATE16(shifted + 16);
#if STEP == 4
    const float16 a_even = EVEN(a, b);
    const float16 a_odd = ODD(a, b);
    const float16 b2 = PRIVATE16(line + 32);
    const float16 b3 = PRIVATE16(line + 48);
    const float16 b_even = EVEN(b2, b3);
    const float16 b_odd = ODD(b2, b3);
    d[0] = EVEN(a_even, b_even);
    d[1] = EVEN(a_odd, b_odd);
    d[2] = ODD(a_even, b_even);
    d[3] = ODD(a_odd, b_odd);
    const float16 f2 = PRIVATE16(shifted + 32);
    const float16 f3 = PRIVATE16(shifted + 48);
    const float16 e_even = EVEN(e, f);
    const float16 f_even = EVEN(f2, f3);
    const float16 e_odd = ODD(e, f);
    const float16 f_odd = ODD(f2, f3);
    d[4] = EVEN(e_even, f_even);
    d[5] = EVEN(e_odd, f_odd);
#else
    d[0] = EVEN(a, b);
    d[1] = ODD(a, b);
    d[2] = EVEN(e, f);
#if PATCH == 4
    d[3] = ODD(e, f);
#endif
#endif
}

// Transforms `channels` channels of 16 tiles; the first of them goes to `to`, positions are `pitch` vectors apart.
#define TRANSFORM(name, SPACE)                                                                              \
    static inline void name(                                                                                \
            __global const float *x, SPACE float *to, int x_len, int2 in_size, int2 pad_begin, int2 tile_size,  \
            int tiles, int first_tile, int in_channels, int first_channel, int channels, int pitch) {       \
        float lines[SOURCES * LINE];                                                                           \
        float shifted[SOURCES * LINE];                                                                         \
        for (int i = 0; i < SOURCES * LINE; i += 16) {                                                         \
            PRIVATE16(lines + i) = 0.0f;                                                          \
            PRIVATE16(shifted + i) = 0.0f;                                                        \
        }                                                                                                   \
        const Place first = place_of(first_tile, tile_size);                                                \
        const int last = min(tiles - first_tile, 16);                                                       \
        const int plane = in_size.x * in_size.y;                                                            \
        for (int channel = 0; channel < channels; ++channel) {                                              \
            Place place = first;                                                                            \
            for (int done = 0; done < last;) {                                                              \
                const int count = min(last - done, tile_size.y - place.column);                             \
                const int2 from = (int2)(place.row, place.column) * STEP - pad_begin;                       \
                const int plane_at = (place.image * in_channels + first_channel + channel) * plane;         \
                transform_columns(x, plane_at, from, in_size, count * STEP + PATCH - STEP, x_len, lines + done * STEP, \
                        shifted + done * STEP);                                                             \
                advance(&place, count, tile_size);                                                          \
                done += count;                                                                              \
            }                                                                                               \
            _Pragma("unroll") for (int r = 0; r < SOURCES; ++r) {                                              \
                float16 d[PATCH];                                                                            \
                float16 across[SOURCES];                                                                       \
                spread_columns(lines + r * LINE, shifted + r * LINE, d);                                    \
                transform_inputs(d, across, 1);                                                             \
                _Pragma("unroll") for (int c = 0; c < SOURCES; ++c) {                                          \
                    *(SPACE Blocked16 *)(to + ((r * SOURCES + c) * pitch + channel) * 16) = across[c];        \
                }                                                                                           \
            }                                                                                               \
        }                                                                                                   \
    }

// The sums over input channels of CHANNELS output channels and N tile vectors at one position.
#define MULTIPLY(name, SPACE, N)                                                                            \
    static inline void name(                                                                                \
            __global const float *packed, SPACE const float *transformed, int step, int channels, float *sums) {    \
        float16 sum[CHANNELS][N];                                                                           \
        _Pragma("unroll") for (int o = 0; o < CHANNELS; ++o) {                                              \
            _Pragma("unroll") for (int n = 0; n < N; ++n) {                                                 \
                sum[o][n] = 0.0f;                                                                           \
            }                                                                                               \
        }                                                                                                   \
        for (int channel = 0; channel < channels; ++channel) {                                              \
            float16 values[N];                                                                              \
            PREFETCH(packed + channel * CHANNELS + PREFETCH_AHEAD);                                         \
            _Pragma("unroll") for (int n = 0; n < N; ++n) {                                                 \
                values[n] = *(SPACE const Blocked16 *)(transformed + n * step + channel * 16);              \
            }                                                                                               \
            _Pragma("unroll") for (int o = 0; o < CHANNELS; ++o) {                                          \
                const float16 weight = packed[channel * CHANNELS + o];                                      \
                _Pragma("unroll") for (int n = 0; n < N; ++n) {                                             \
                    sum[o][n] += weight * values[n];                                                        \
                }                                                                                           \
            }                                                                                               \
        }                                                                                                   \
        _Pragma("unroll") for (int o = 0; o < CHANNELS; ++o) {                                              \
            _Pragma("unroll") for (int n = 0; n < N; ++n) {                                                 \
                PRIVATE16(sums + (o * VECTORS + n) * 16) = sum[o][n];                                                 \
            }                                                                                               \
        }                                                                                                   \
    }

#define MULTIPLY_ALL(name, SPACE, one)                                                                      \
    static inline void name(                                                                                \
            __global const float *packed, SPACE const float *transformed, int step, int pitch, int channels,    \
            float *sums) {                                                                                  \
        for (int position = 0; position < POSITIONS; ++position) {                                          \
            const int source = SOURCE_OF(position / EDGE) * SOURCES + SOURCE_OF(position % EDGE);           \
            one(packed + position * channels * CHANNELS, transformed + source * pitch * 16, step, channels, \
                    sums + position * CHANNELS * VECTORS * 16);                                             \
        }                                                                                                   \
    }

// Where a run of a row begins: the last one ends with the row, and stores some of the one before again.
#if RESIDUAL_KIND
#define LAST_RUN(begin, width) (begin)
#else
#define LAST_RUN(begin, width) ((width) < 16 ? (begin) : min(begin, (width) - 16))
#endif

// Everything that follows the sums of 16 tiles of one output channel.
static inline void finish_tiles(
        const float *sums,
        float bias,
        __global const float *residual,
        float16 slope,
        float alpha,
        float beta,
        __global float *y,
        Place place,
        int tiles,
        int2 tile_size,
        int out_channels,
        int out_channel,
        int2 out_size) {
    float16 down[TILE * EDGE];
    float rows[TILE * LINE];
#pragma unroll
    for (int c = 0; c < EDGE; ++c) {
        float16 m[EDGE];
#pragma unroll
        for (int r = 0; r < EDGE; ++r) {
            m[r] = PRIVATE16(sums + (r * EDGE + c) * CHANNELS * VECTORS * 16);
        }
        transform_back(m, down + c, EDGE);
    }
#pragma unroll
    for (int r = 0; r < TILE; ++r) {
        float16 o[TILE];
        transform_back(down + r * EDGE, o, 1);
        float *row = rows + r * LINE;
#if TILE == 4
        const float16 front_even = FRONT(o[0], o[2]);
        const float16 front_odd = FRONT(o[1], o[3]);
        const float16 back_even = BACK(o[0], o[2]);
        const float16 back_odd = BACK(o[1], o[3]);
        PRIVATE16(row) = FRONT(front_even, front_odd) + bias;
        PRIVATE16(row + 16) = BACK(front_even, front_odd) + bias;
        PRIVATE16(row + 32) = FRONT(back_even, back_odd) + bias;
        PRIVATE16(row + 48) = BACK(back_even, back_odd) + bias;
#else
        PRIVATE16(row) = FRONT(o[0], o[1]) + bias;
        PRIVATE16(row + 16) = BACK(o[0], o[1]) + bias;
#endif
        PRIVATE16(row + TILE * 16) = 0.0f;
    }
    for (int done = 0; done < tiles;) {
        const int count = min(tiles - done, tile_size.y - place.column);
        const int column = place.column * TILE;
        const int width = min(count * TILE, out_size.y - column);
        const int height = min(TILE, out_size.x - place.row * TILE);
        const int plane = place.image * out_channels + out_channel;
        const int y_at = (plane * out_size.x + place.row * TILE) * out_size.y + column;
        for (int r = 0; r < height; ++r) {
            for (int begin = 0; begin < width; begin += 16) {
                const int c = LAST_RUN(begin, width);
                const float16 sum = PRIVATE16(rows + r * LINE + done * TILE + c);
                finish_run(sum, residual, slope, alpha, beta, y, y_at + r * out_size.y + c, width - c);
            }
        }
        advance(&place, count, tile_size);
        done += count;
    }
}

#if VECTORS == 3
#define SUMS(space, weights, values)                                                                        \
    switch (vectors) {                                                                                      \
        case 1:                                                                                             \
            multiply_all_##space##_1(weights, values, step, pitch, in_channels, sums);                      \
            break;                                                                                          \
        case 2:                                                                                             \
            multiply_all_##space##_2(weights, values, step, pitch, in_channels, sums);                      \
            break;                                                                                          \
        default:                                                                                            \
            multiply_all_##space##_3(weights, values, step, pitch, in_channels, sums);                      \
    }
#elif VECTORS == 2
#define SUMS(space, weights, values)                                                                        \
    if (vectors == 1) {                                                                                     \
        multiply_all_##space##_1(weights, values, step, pitch, in_channels, sums);                          \
    } else {                                                                                                \
        multiply_all_##space##_2(weights, values, step, pitch, in_channels, sums);                          \
    }
#else
#define SUMS(space, weights, values) multiply_all_##space##_1(weights, values, step, pitch, in_channels, sums);
#endif

#define EPILOGUE                                                                                            \
    for (int n = 0; n < vectors; ++n) {                                                                     \
        const int tile = (first_vector + n) * 16;                                                           \
        const Place place = place_of(tile, tile_size);                                                      \
        for (int o = 0; o < min(out_channels - first, CHANNELS); ++o) {                                     \
            const float16 factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[(first + o) * slope_step] : 0.0f; \
            finish_tiles(sums + (o * VECTORS + n) * 16, bias ? bias[first + o] : 0.0f, residual, factor, alpha, beta, \
                    y, place, min(tiles - tile, 16), tile_size, out_channels, first + o, out_size);            \
        }                                                                                                   \
    }

TRANSFORM(transform_global, __global)
MULTIPLY(multiply_global_1, __global, 1)
MULTIPLY_ALL(multiply_all_global_1, __global, multiply_global_1)
#if VECTORS >= 2
MULTIPLY(multiply_global_2, __global, 2)
MULTIPLY_ALL(multiply_all_global_2, __global, multiply_global_2)
#endif
#if VECTORS >= 3
MULTIPLY(multiply_global_3, __global, 3)
MULTIPLY_ALL(multiply_all_global_3, __global, multiply_global_3)
#endif
TRANSFORM(transform_local, __local)
MULTIPLY(multiply_local_1, __local, 1)
MULTIPLY_ALL(multiply_all_local_1, __local, multiply_local_1)
#if VECTORS >= 2
MULTIPLY(multiply_local_2, __local, 2)
MULTIPLY_ALL(multiply_all_local_2, __local, multiply_local_2)
#endif
#if VECTORS >= 3
MULTIPLY(multiply_local_3, __local, 3)
MULTIPLY_ALL(multiply_all_local_3, __local, multiply_local_3)
#endif

// One item per input channel and output channel, with those that fill the last CHANNELS.
__kernel void winograd_weights(
        __global const float *weights,
        __global float *packed,
        const int in_channels,
        const int out_channels,
        const int4 w_strides) {
    const int in_channel = get_global_id(0);
    const int out_channel = get_global_id(1);
    float down[EDGE * TAPS];
    float across[EDGE];
    __global const float *from = weights + in_channel * w_strides.y + out_channel * w_strides.x;
    for (int c = 0; c < TAPS; ++c) {
        float g[TAPS];
        for (int r = 0; r < TAPS; ++r) {
            g[r] = out_channel < out_channels ? from[(r * TAPS + c) * w_strides.z] : 0.0f;
        }
        transform_weights(g, down + c, TAPS);
    }
    for (int r = 0; r < EDGE; ++r) {
        transform_weights(down + r * TAPS, across, 1);
        for (int c = 0; c < EDGE; ++c) {
            const int position = out_channel / CHANNELS * POSITIONS + r * EDGE + c;
            packed[(position * in_channels + in_channel) * CHANNELS + out_channel % CHANNELS] = across[c];
        }
    }
}

// Global size [ceil(in channels / 16), tile vectors].
__kernel void winograd_transform(
        __global const float *x,
        __global float *transformed,
        const int x_len,
        const int2 in_size,
        const int2 pad_begin,
        const int2 tile_size,
        const int tiles,
        const int in_channels,
        const int pitch) {
    const int channel = get_global_id(0) * BLOCK_OF_CHANNELS;
    const int vector = get_global_id(1);
    transform_global(x, transformed + (vector * SOURCES * SOURCES * pitch + channel) * 16, x_len, in_size, pad_begin,
            tile_size, tiles, vector * 16, in_channels, channel, min(in_channels - channel, BLOCK_OF_CHANNELS), pitch);
}

// Global size [ceil(out channels / CHANNELS) * blocks] for as many blocks of tile vectors, each of at most VECTORS.
__kernel void winograd_multiply(
        __global const float *transformed,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int2 out_size,
        const int2 tile_size,
        const int tiles,
        const int blocks,
        const int channels_first,
        const int in_channels,
        const int pitch,
        const int out_channels) {
    const int channel_blocks = (out_channels + CHANNELS - 1) / CHANNELS;
    const int item = get_global_id(0);
    const int block = channels_first ? item / channel_blocks : item % blocks;
    const int channel_block = channels_first ? item % channel_blocks : item / blocks;
    const int tile_vectors = (tiles + 15) / 16;
    const int first_vector = (int)((long)tile_vectors * block / blocks);
    const int vectors = (int)((long)tile_vectors * (block + 1) / blocks) - first_vector;
    const int first = channel_block * CHANNELS;
    const int step = SOURCES * SOURCES * pitch * 16;
    __global const float *values = transformed + first_vector * step;
    __global const float *weights = packed + channel_block * POSITIONS * in_channels * CHANNELS;
    float sums[POSITIONS * CHANNELS * VECTORS * 16];
    SUMS(global, weights, values)
    EPILOGUE
}

// Global size [blocks], as for winograd_multiply; `transformed` holds what one item transforms.
__kernel void winograd_whole(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        __local float *transformed,
        const int slope_step,
        const float alpha,
        const float beta,
        const int x_len,
        const int2 in_size,
        const int2 pad_begin,
        const int2 out_size,
        const int2 tile_size,
        const int tiles,
        const int blocks,
        const int in_channels,
        const int pitch,
        const int out_channels) {
    const int block = get_global_id(0);
    const int tile_vectors = (tiles + 15) / 16;
    const int first_vector = (int)((long)tile_vectors * block / blocks);
    const int vectors = (int)((long)tile_vectors * (block + 1) / blocks) - first_vector;
    const int step = SOURCES * SOURCES * pitch * 16;
    for (int n = 0; n < vectors; ++n) {
        transform_local(x, transformed + n * step, x_len, in_size, pad_begin, tile_size, tiles, (first_vector + n) * 16,
                in_channels, 0, in_channels, pitch);
    }
    float sums[POSITIONS * CHANNELS * VECTORS * 16];
    for (int first = 0; first < out_channels; first += CHANNELS) {
        __global const float *weights = packed + first * POSITIONS * in_channels;
        SUMS(local, weights, transformed)
        EPILOGUE
    }
}
