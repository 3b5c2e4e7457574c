// Depthwise convolution with channels last (one input and one output channel per group): an item computes 16 channels of 8
// pixels of a row.
//
// Layout: x, residual, y NDHWC, dense and used in place; packed (conv_cpu_pack_weights.cl) is [channel tile, tap, 16]. bias may
// be NULL, residual and slope where the macros do not ask for them; slope has one element for all channels
// (slope_step == 0) or for each (1).
// Assumes: fewer than 2^31 elements in every tensor. Global size [ceil(channels / 16), ceil(out width / 8),
//          batch * out depth * out height].
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"

#define PIXELS 8
#define EACH_PIXEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#define DECLARE(p) float16 sum##p = start;
#define MULTIPLY_INSIDE(p) sum##p += tap * vload16(0, x + at + p * step);
#define MULTIPLY_GUARDED(p)                                                                                         \
    if (column + p * stride.z >= 0 && column + p * stride.z < in_size.z) {                                          \
        const int from = at + p * step;                                                                             \
        sum##p += tap * (from + 16 <= x_len ? vload16(0, x + from) : read_first(x, from, count));                   \
    }
#define WRITE(p)                                                                                                    \
    finish_run(                                                                                                     \
            sum##p, residual, factor, alpha, beta, y, y_at + p * out_size.w, out_column + p < out_size.z ? count : 0);

// Sizes are int4 [depth, height, width, channels].
__kernel void convolution_nxc_depthwise(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int x_len,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin) {
    const int first = get_global_id(0) * 16;
    const int count = min(in_size.w - first, 16);
    const int out_column = get_global_id(1) * PIXELS;
    const int out_row = get_global_id(2) % out_size.y;
    const int out_slice = get_global_id(2) / out_size.y % out_size.x;
    const int image = get_global_id(2) / out_size.y / out_size.x;
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    __global const float *weights = packed + get_global_id(0) * taps * 16;
    const int step = stride.z * in_size.w;
    const float16 start = bias ? read_first(bias, first, count) : (float16)0.0f;
    EACH_PIXEL(DECLARE)
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int z = out_slice * stride.x - pad_begin.x + kz * dilation.x;
        if (z < 0 || z >= in_size.x) {
            continue;
        }
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int row = out_row * stride.y - pad_begin.y + ky * dilation.y;
            if (row < 0 || row >= in_size.y) {
                continue;
            }
            const int row_at = ((image * in_size.x + z) * in_size.y + row) * in_size.z;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int column = out_column * stride.z - pad_begin.z + kx * dilation.z;
                const int at = (row_at + column) * in_size.w + first;
                const float16 tap = vload16((kz * kernel_size.y + ky) * kernel_size.z + kx, weights);
                const bool inside = column >= 0 && column + (PIXELS - 1) * stride.z < in_size.z;
                if (inside && at + (PIXELS - 1) * step + 16 <= x_len) {
                    EACH_PIXEL(MULTIPLY_INSIDE)
                } else {
                    EACH_PIXEL(MULTIPLY_GUARDED)
                }
            }
        }
    }
#if ACTIVATION_KIND == FUNCTION_PRELU
    const float16 factor = slope_step ? read_first(slope, first, count) : (float16)slope[0];
#else
    const float16 factor = 0.0f;
#endif
    const int y_at = (get_global_id(2) * out_size.z + out_column) * out_size.w + first;
    EACH_PIXEL(WRITE)
}
