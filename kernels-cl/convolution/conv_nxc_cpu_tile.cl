// Convolution with channels last by register tiles: an item computes 16 * VECTORS output channels of PIXELS pixels that
// follow one another in memory.
//
// Layout: x, residual, y NDHWC, dense and used in place. packed (conv_cpu_pack_weights.cl) is [group, channel tile, tap, in channel,
// 16 * VECTORS], with 0 for output channels that do not exist, and at its end kernel width * group_in zeros, which are read
// in place of pixels outside x. bias may be NULL, residual and slope where the macros do not ask for them; slope has one
// element for all output channels (slope_step == 0) or for each (1).
// Assumes: fewer than 2^31 elements in every tensor. Global size [ceil(pixels / PIXELS), groups * channel tiles].
// Macros: VECTORS  1, 2 or 3; PIXELS  8 or 12; ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"

#ifndef VECTORS
#define VECTORS 1
#endif
#ifndef PIXELS
#define PIXELS 8
#endif

#if VECTORS >= 2
#define SECOND(statement) statement
#else
#define SECOND(statement)
#endif
#if VECTORS >= 3
#define THIRD(statement) statement
#else
#define THIRD(statement)
#endif
#if PIXELS == 12
#define EACH_PIXEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8) do(9) do(10) do(11)
#else
#define EACH_PIXEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#endif
#define TILE (16 * VECTORS)

#define DECLARE(p)                                                                                                  \
    float16 a##p = bias_a;                                                                                          \
    SECOND(float16 b##p = bias_b;)                                                                                  \
    THIRD(float16 c##p = bias_c;)
#define LOCATE(p) __global const float *x##p = places[p] >= 0 ? x + places[p] : zeros;
#define MULTIPLY(p)                                                                                                 \
    {                                                                                                               \
        const float16 value = x##p[i];                                                                              \
        a##p += value * weight_a;                                                                                   \
        SECOND(b##p += value * weight_b;)                                                                           \
        THIRD(c##p += value * weight_c;)                                                                            \
    }
#define FINISH(sum, p, vector)                                                                                      \
    finish_run(                                                                                                     \
            sum##p, residual, slope_##sum, alpha, beta, y, (pixel + p) * out_size.w + first + 16 * vector,          \
            count - 16 * vector);
#define WRITE(p)                                                                                                    \
    if (pixel + p < pixels) {                                                                                       \
        FINISH(a, p, 0)                                                                                             \
        SECOND(FINISH(b, p, 1))                                                                                     \
        THIRD(FINISH(c, p, 2))                                                                                      \
    }

// One element for each of the first `count` lanes, or the first one for all.
static inline float16 read_channels(__global const float *values, int at, int count) {
    return values && count > 0 ? read_first(values, at, min(count, 16)) : (float16)0.0f;
}

#if ACTIVATION_KIND == FUNCTION_PRELU
#define SLOPE(vector) (slope_step ? read_channels(slope, first + 16 * vector, count - 16 * vector) : (float16)slope[0])
#else
#define SLOPE(vector) 0.0f
#endif

// Sizes are int4 [depth, height, width, channels]; channels are those of all groups.
__kernel void convolution_nxc_tile(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int pixels,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int groups,
        const int group_in,
        const int group_out) {
    const int pixel = get_global_id(0) * PIXELS;
    const int tiles = (group_out + TILE - 1) / TILE;
    const int group = get_global_id(1) / tiles;
    const int group_tile = get_global_id(1) % tiles * TILE;
    const int first = group * group_out + group_tile;
    const int count = group_out - group_tile;
    const int tile_weights = kernel_size.x * kernel_size.y * kernel_size.z * group_in * TILE;
    __global const float *weights = packed + get_global_id(1) * tile_weights;
    __global const float *zeros = packed + groups * tiles * tile_weights;

    // Where the windows of the pixels begin, one lane each.
    int16 columns = pixel % out_size.z + LANES;
    int16 rows = pixel / out_size.z % out_size.y;
    int16 slices = pixel / out_size.z / out_size.y % out_size.x;
    int16 images = pixel / out_size.z / out_size.y / out_size.x;
    while (any(columns >= out_size.z)) {
        const int16 next_row = columns >= out_size.z;
        columns -= next_row & out_size.z;
        rows -= next_row;
        const int16 next_slice = rows >= out_size.y;
        rows = rows & ~next_slice;
        slices -= next_slice;
        const int16 next_image = slices >= out_size.x;
        slices = slices & ~next_image;
        images -= next_image;
    }
    const int16 exists = pixel + LANES < pixels;
    columns = columns * stride.z - pad_begin.z;
    rows = rows * stride.y - pad_begin.y;
    slices = slices * stride.x - pad_begin.x;
    // A row of taps is one run of x and of the weights where no channel and no pixel lies between.
    const bool joined = groups == 1 && dilation.z == 1
            && all(((columns >= 0) & (columns <= in_size.z - kernel_size.z)) | (LANES >= PIXELS) | ~exists);
    const int joined_taps = joined ? kernel_size.z : 1;
    const int length = joined_taps * group_in;

    const float16 bias_a = read_channels(bias, first, count);
    SECOND(const float16 bias_b = read_channels(bias, first + 16, count - 16);)
    THIRD(const float16 bias_c = read_channels(bias, first + 32, count - 32);)
    EACH_PIXEL(DECLARE)
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int16 z = slices + kz * dilation.x;
        const int16 in_slices = exists & (z >= 0) & (z < in_size.x);
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int16 row = rows + ky * dilation.y;
            const int16 in_rows = in_slices & (row >= 0) & (row < in_size.y);
            if (!any(in_rows)) {
                weights += kernel_size.z * group_in * TILE;
                continue;
            }
            const int16 row_places = ((images * in_size.x + z) * in_size.y + row) * in_size.z;
            for (int kx = 0; kx < kernel_size.z; kx += joined_taps) {
                const int16 column = columns + kx * dilation.z;
                const int16 inside = in_rows & (column >= 0) & (column < in_size.z);
                int places[16];
                vstore16(select((int16)(-1), (row_places + column) * in_size.w + group * group_in, inside), 0, places);
                EACH_PIXEL(LOCATE)
                for (int i = 0; i < length; ++i) {
                    const float16 weight_a = vload16(0, weights);
                    SECOND(const float16 weight_b = vload16(1, weights);)
                    THIRD(const float16 weight_c = vload16(2, weights);)
                    EACH_PIXEL(MULTIPLY)
                    weights += TILE;
                }
            }
        }
    }
    const float16 slope_a = SLOPE(0);
    SECOND(const float16 slope_b = SLOPE(1);)
    THIRD(const float16 slope_c = SLOPE(2);)
    EACH_PIXEL(WRITE)
}
