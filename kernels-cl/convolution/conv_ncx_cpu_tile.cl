// Convolution by register tiles: an item computes CHANNELS output channels of VECTORS runs of 16 columns.
//
// Layout: x, residual, y NCDHW, dense; weights with strides [out channel of a group, in channel, tap, group]. bias may be
// NULL, residual and slope where the macros do not ask for them; slope has one element (slope_step 0) or one a channel.
// Assumes: fewer than 2^31 elements in every tensor, at least 32 in x; stride.z == STRIDE. The runs of an item are
//          below each other (tile == [VECTORS, 16]) or side by side (tile == [1, 16 * VECTORS]). Global size
//          [ceil(out width / tile.y), ceil(out height / tile.x), batch * groups * ceil(group channels / CHANNELS) * depth].
// Macros: STRIDE (common/runs.h)  horizontal stride, 1 or 2; VECTORS  2 or 3; CHANNELS  4 or 8;
//         DENSE_TAPS  1: the taps of a channel lie side by side in weights;
//         CHANNEL_BLOCK  input channels per pass over the kernel, at most the ways of a first-level cache, where equal
//         places of planes of 2^n bytes collide; FLAT  1: stride 1, x as large as y, and every plane is one long row:
//         tile == [1, 16 * VECTORS], out_size == [depth, 1, height * width]; ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"

#ifndef VECTORS
#define VECTORS 2
#endif
#ifndef CHANNELS
#define CHANNELS 8
#endif
#ifndef CHANNEL_BLOCK
#define CHANNEL_BLOCK 12
#endif

#ifndef FLAT
#define FLAT 0
#endif
#ifndef DENSE_TAPS
#define DENSE_TAPS 1
#endif

#if VECTORS == 3
#define THIRD(statement) statement
#define LAST_RUN at_c
#else
#define THIRD(statement)
#define LAST_RUN at_b
#endif
#if CHANNELS == 8
#define EACH_CHANNEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#else
#define EACH_CHANNEL(do) do(0) do(1) do(2) do(3)
#endif

#define DECLARE(o)                                                  \
    const int w##o = w_first + min(o, last) * w_strides.s0;         \
    float16 a##o = bias ? bias[first + min(o, last)] : 0.0f;        \
    float16 b##o = a##o;                                            \
    THIRD(float16 c##o = a##o;)
#define MULTIPLY(o)                                                 \
    {                                                               \
        const float16 weight = tap_weights[w##o];                   \
        a##o += weight * run_a;                                     \
        b##o += weight * run_b;                                     \
        THIRD(c##o += weight * run_c;)                              \
    }
#define WRITE(o)                                                    \
    if (o <= last) {                                                \
        const float16 factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[(first + o) * slope_step] : 0.0f; \
        const int to = y_at + o * y_channel;                        \
        finish_run(a##o, residual, factor, alpha, beta, y, to, count_a);                \
        finish_run(b##o, residual, factor, alpha, beta, y, to + y_step, count_b);       \
        THIRD(finish_run(c##o, residual, factor, alpha, beta, y, to + 2 * y_step, count_c);) \
    }

#define READ_INSIDE(x, at, mask, outside) read_run(x, at, (int16)(-1), outside)
#define ACCUMULATE(read)                                            \
    for (int channel = 0; channel < channels; ++channel) {          \
        const float16 run_a = read(x, at_a, mask_a, 0.0f);                \
        const float16 run_b = read(x, at_b, mask_b, 0.0f);                \
        THIRD(const float16 run_c = read(x, at_c, mask_c, 0.0f);)         \
        EACH_CHANNEL(MULTIPLY)                                      \
        at_a += x_channel;                                          \
        at_b += x_channel;                                          \
        THIRD(at_c += x_channel;)                                   \
        tap_weights += w_strides.s1;                                \
    }

static inline bool is_inside(int row, int rows) {
    return row >= 0 && row < rows;
}

#if FLAT
static inline int16 inside_both(int16 rows, int16 columns, int2 in_size) {
    return (rows >= 0) & (rows < in_size.x) & (columns >= 0) & (columns < in_size.y);
}
#endif

// Sizes are int4 [depth, height, width, 0].
__kernel void convolution_tile(
        __global const float *x,
        __global const float *weights,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int x_len,
        const int4 in_volume,
        const int4 out_volume,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int groups,
        const int group_in,
        const int group_out,
        const int4 w_strides,
        const int2 tile) {
    const int2 in_size = in_volume.yz;
    const int2 out_size = out_volume.yz;
    const int column = get_global_id(0) * tile.y;
    const int row = get_global_id(1) * tile.x;
    const int tiles = (group_out + CHANNELS - 1) / CHANNELS;
    const int slice = get_global_id(2) % out_volume.x;
    const int block_of_channels = get_global_id(2) / out_volume.x;
    const int group = block_of_channels / tiles % groups;
    const int image = block_of_channels / tiles / groups;
    const int group_tile = block_of_channels % tiles * CHANNELS;
    const int first = group * group_out + group_tile;
    const int last = min(group_out - group_tile, CHANNELS) - 1;
#if FLAT
    const int16 cells_a = column + LANES;
    const int16 rows_a = cells_a / in_size.y;
    const int16 columns_a = cells_a - rows_a * in_size.y;
    const int16 cells_b = cells_a + 16;
    const int16 rows_b = cells_b / in_size.y;
    const int16 columns_b = cells_b - rows_b * in_size.y;
#if VECTORS == 3
    const int16 cells_c = cells_b + 16;
    const int16 rows_c = cells_c / in_size.y;
    const int16 columns_c = cells_c - rows_c * in_size.y;
#endif
    const int first_row = column / in_size.y;
    const int last_row = (column + 16 * VECTORS - 1) / in_size.y;
#endif
    const int row_step = tile.x > 1 ? 1 : 0;
    const int column_step = tile.x > 1 ? 0 : 16;
    const int x_plane = in_size.x * in_size.y;
    const int x_channel = in_volume.x * x_plane;
    const int y_plane = out_size.x * out_size.y;
    const int y_channel = out_volume.x * y_plane;
    const int in_slice = slice * stride.x - pad_begin.x;
    const int in_row = row * stride.y - pad_begin.y;
    const int in_column = column * STRIDE - pad_begin.z;
    const int in_row_step = row_step * stride.y;
    const int in_column_step = column_step * STRIDE;
    const int in_step = in_row_step * in_size.y + in_column_step;
    const int w_first = group * w_strides.s3 + group_tile * w_strides.s0;
    EACH_CHANNEL(DECLARE)

    for (int block = 0; block < group_in; block += CHANNEL_BLOCK) {
        const int channels = min(group_in - block, CHANNEL_BLOCK);
        const int channel_at = (image * groups * group_in + group * group_in + block) * x_channel;
        for (int kz = 0; kz < kernel_size.x; ++kz) {
            const int z = in_slice + kz * dilation.x;
            if (z < 0 || z >= in_volume.x) {
                continue;
            }
            const int block_at = channel_at + z * x_plane;
            for (int ky = 0; ky < kernel_size.y; ++ky) {
                const int r = in_row + ky * dilation.y;
#if FLAT
                if (first_row + r >= in_size.x || last_row + r < 0) {
                    continue;
                }
#else
                if (r >= in_size.x || r + (VECTORS - 1) * in_row_step < 0) {
                    continue;
                }
#endif
                for (int kx = 0; kx < kernel_size.z; ++kx) {
                    const int c = in_column + kx * dilation.z;
#if FLAT
                    const int16 mask_a = inside_both(rows_a + r, columns_a + c - column, in_size);
                    const int16 mask_b = inside_both(rows_b + r, columns_b + c - column, in_size);
                    THIRD(const int16 mask_c = inside_both(rows_c + r, columns_c + c - column, in_size);)
#else
                    const int16 mask_a = inside_of(r, c, in_size);
                    const int16 mask_b = inside_of(r + in_row_step, c + in_column_step, in_size);
                    THIRD(const int16 mask_c = inside_of(r + 2 * in_row_step, c + 2 * in_column_step, in_size);)
#endif
#if FLAT
                    int at_a = block_at + r * in_size.y + c;
                    int at_b = at_a + in_step;
                    THIRD(int at_c = at_b + in_step;)
                    const int lowest = at_a;
#else
                    // A run of a row outside is masked as a whole and reads where it is safe to.
                    const int unmasked = block_at + r * in_size.y + c;
                    int at_a = r >= 0 ? unmasked : block_at;
                    int at_b = is_inside(r + in_row_step, in_size.x) ? unmasked + in_step : block_at;
                    THIRD(int at_c = is_inside(r + 2 * in_row_step, in_size.x) ? unmasked + 2 * in_step : block_at;)
                    const int lowest = min(at_a, at_b);
#endif
                    const int highest = max(max(at_a, at_b), LAST_RUN);
                    const int end = highest + (channels - 1) * x_channel + SPAN;
                    const int tap = (kz * kernel_size.y + ky) * kernel_size.z + kx;
                    __global const float *tap_weights = weights + block * w_strides.s1 + (DENSE_TAPS ? tap : tap * w_strides.s2);
                    if (min(lowest, LAST_RUN) < 0 || end > x_len) {
                        ACCUMULATE(read_run_guarded)
                    } else if (all(mask_a & mask_b THIRD(&mask_c))) {
                        ACCUMULATE(READ_INSIDE)
                    } else {
                        ACCUMULATE(read_run)
                    }
                }
            }
        }
    }

    const int count_a = count_of(row, column, out_size);
    const int count_b = count_of(row + row_step, column + column_step, out_size);
    THIRD(const int count_c = count_of(row + 2 * row_step, column + 2 * column_step, out_size);)
    const int y_step = row_step * out_size.y + column_step;
    const int y_at = (image * groups * group_out + first) * y_channel + slice * y_plane + row * out_size.y + column;
    EACH_CHANNEL(WRITE)
}
